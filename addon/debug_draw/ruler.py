# SPDX-License-Identifier: GPL-3.0-or-later
"""An axis as a ruler beside the pair: the interval of each shape on it, and their overlap or gap.

Two convex shapes are apart exactly if on some axis their projections are (doc4code 2011, "Separating axis theorem").
The ruler shows one axis: a bar for each shape, thin lines from the points that reach farthest to the ends of the bars,
and between the bars what the two have in common, or what lies between them.
"""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.types import Floats
from ...core.numerics.vectors import normalized
from .extract import arrows
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role

# The ruler stands off the pair, its bars are apart and its ticks reach beyond them by these shares of `size`.
STANDOFF = 0.22
BETWEEN_BARS = 0.07
TICK = 0.05

# Of what is much larger than the rest, this much is shown beyond it, as a share of `size`; arrows say that it goes on.
BEYOND = 0.5

# An axis nearer to the upright than this (cosine) has its ruler to the side, not above.
UPRIGHT = 0.8
UP, ASIDE = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Projection:
    """The projection of one shape on an axis.

    Attributes
    ----------
    low, high : float
        Least and greatest of ``axis · x``; infinite where the shape goes on for ever.
    at_low, at_high : (3,) float64
        Points of the shape that are projected there; NaN where there is none.
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
        Between the shapes where they meet, or are nearest. The ruler runs past it, along the axis.
    top : float
        How far the shapes reach from the middle along `offset_direction`, in the caller's unit.
    size : float
        Of the smaller shape; bars, ticks and what is shown of larger shapes go by it. Above zero.
    label : str, optional
        Stands at the overlap or gap.
    """
    away = offset_direction(axis)
    base = middle - (middle @ axis) * axis + (top + STANDOFF * size) * away
    # Of a floor, only what is near the smaller shape.
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
    """The unit vector (3,) across the axis along which a ruler stands off the pair: upward, or to the side."""
    toward = ASIDE if abs(axis @ UP) > UPRIGHT else UP
    return normalized(toward - (toward @ axis) * axis, np.zeros(3))
