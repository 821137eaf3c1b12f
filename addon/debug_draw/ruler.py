# SPDX-License-Identifier: GPL-3.0-or-later
"""An axis as a ruler beside the pair: the interval of each shape on it, and their overlap or gap.

Two convex shapes are apart if and only if their projections on some axis are (doc4code 2011, "Separating axis
theorem"). The ruler shows one axis: a bar for each shape, thin lines from the extreme points to the ends of the bars,
and between the bars their overlap or gap.
"""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.types import Floats
from ...core.numerics.vectors import normalized
from .extract import arrows
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role

# Offset of the ruler from the pair, distance between the bars, and length of the ticks beyond them, as fractions of
# `size`.
STANDOFF = 0.22
BETWEEN_BARS = 0.07
TICK = 0.05

# How much of a much larger shape is shown beyond the smaller one, as a fraction of `size`. Arrows show that it
# continues.
BEYOND = 0.5

# If an axis is nearer to vertical than this (cosine), its ruler is at the side, not above.
UPRIGHT = 0.8
UP, ASIDE = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Projection:
    """Projection of one shape on an axis.

    Attributes
    ----------
    low, high : float
        Minimum and maximum of ``axis · x``. Infinite if the shape is unbounded in this direction.
    at_low, at_high : (3,) float64
        Points of the shape with these projections. NaN if there is none.
    """

    low: float
    high: float
    at_low: Floats
    at_high: Floats


def ruler(
    axis: Floats, a: Projection, b: Projection, *, middle: Floats, top: float, size: float, label: str = ""
) -> Primitives:
    """Show an axis with both projections.

    Parameters
    ----------
    axis : (3,) float64
        Unit, from A to B.
    a, b : Projection
    middle : (3,) float64
        Point between the shapes where they meet or are nearest. The ruler runs past it, along the axis.
    top : float
        How far the shapes extend from the middle along `offset_direction`, in the caller's unit.
    size : float
        Size of the smaller shape, above zero. It scales bars, ticks and the shown part of larger shapes.
    label : str, optional
        Text at the overlap or gap.
    """
    away = offset_direction(axis)
    base = middle - (middle @ axis) * axis + (top + STANDOFF * size) * away
    # For a floor, only the part near the smaller shape.
    ends = np.array([a.low, a.high, b.low, b.high])
    inner = sorted([max(a.low, b.low), min(a.high, b.high)])
    least, most = inner[0] - (1.0 + BEYOND) * size, inner[1] + (1.0 + BEYOND) * size
    shown = np.clip(ends, least, most)

    def place(value: float, bar: float) -> Floats:
        return base + value * axis + bar * BETWEEN_BARS * size * away

    parts = []
    for projection, (low, high), bar, role in (
        (a, shown[:2], 0.0, Role.INTERVAL_A),
        (b, shown[2:], 1.0, Role.INTERVAL_B),
    ):
        parts.append(as_lines(np.stack([place(low, bar), place(high, bar)])[None], role))
        for end, cut, point, way in (
            (projection.low, low, projection.at_low, -1.0),
            (projection.high, high, projection.at_high, 1.0),
        ):
            if end == cut:
                tick = TICK * size * away
                parts.append(as_lines(np.stack([place(cut, bar) - tick, place(cut, bar) + tick])[None], role))
                parts.append(as_lines(np.stack([point, place(cut, bar)])[None], Role.RULER))
                parts.append(as_points(point[None], role))
            else:
                head = BETWEEN_BARS * size
                parts.append(arrows(place(cut - way * head, bar)[None], (way * head * axis)[None], head, role))
    gap = b.low - a.high
    role = Role.DEPTH if gap < 0.0 else Role.GAP
    if np.isfinite(gap) and gap != 0.0:
        stretch = np.stack([place(b.low, 0.5), place(a.high, 0.5)])
        parts.append(as_lines(stretch[None], role))
        parts.append(as_label(stretch.mean(axis=0), role, label))
    return concatenate(parts)


def offset_direction(axis: Floats) -> Floats:
    """Return the unit vector (3,) perpendicular to the axis along which the ruler is offset: upward, or to the side."""
    toward = ASIDE if abs(axis @ UP) > UPRIGHT else UP
    return normalized(toward - (toward @ axis) * axis, np.zeros(3))
