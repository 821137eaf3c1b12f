# SPDX-License-Identifier: GPL-3.0-or-later
"""The first contact of two moving bodies: both as they touch, the normal, and the way of the point of contact."""

import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.world.world import World
from .extract import HEAD, arrows
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role
from .shapes import shape_edges

# Parts of one body above which only as many are drawn: more lines would hide what they are to show.
MOST_PARTS = 64

# How far the label stands above the normal's tip, as a share of the normal's length.
LIFT = 0.6


def contact_primitives(
    world: World,
    rows_a: Ints,
    rows_b: Ints,
    *,
    point: Floats,
    normal: Floats,
    length: float,
    size: float,
    label: str = "",
) -> Primitives:
    """Show two bodies at the time of their first contact, the point at which they touch, and the normal there.

    Parameters
    ----------
    world : World
        The shapes of both, where they are at that time.
    rows_a, rows_b : (K,) int64
        The shapes of A and of B, the first `MOST_PARTS` of which are drawn.
    point : (3,) float64
        Where they touch. The normal starts there.
    normal : (3,) float64
        Unit vector from A to B.
    length : float
        Of the normal's arrow, in the caller's unit, above zero.
    size : float
        How much of an unbounded shape is shown around the point, in the caller's unit.
    label : str, optional
        Text above the normal's tip, where it covers neither the point nor its way; none where it is empty.
    """
    above = np.array([0.0, 0.0, 1.0]) - normal[2] * normal
    bodies = [
        shape_edges(world, int(row), role, focus=point, size=size)
        for rows, role in ((rows_a, Role.SHAPE_A), (rows_b, Role.SHAPE_B))
        for row in rows[:MOST_PARTS]
    ]
    return concatenate(
        [
            *bodies,
            arrows(point[None], (length * normal)[None], HEAD * length, Role.NORMAL),
            as_points(point[None], Role.CONTACT),
            as_label(point + length * (normal + LIFT * above), Role.CONTACT, label),
        ]
    )


def path_primitives(path: Floats, deepest: float | None = None) -> Primitives:
    """Show the way of the point of contact: lines, and dots where it is at whole frames, closer where it is slow.

    Parameters
    ----------
    path : (K, 4) float64
        Frame, x, y, z, in the order of frames. Where two rows are more than a frame apart the bodies have parted in
        between; the line breaks off and begins anew.
    deepest : float, optional
        The frame at which the bodies are deepest in each other; the place nearest to it in time is marked.
    """
    frames, points = path[:, 0], path[:, 1:]
    joined = np.diff(frames) <= 1.0
    parts = [
        as_lines(np.stack([points[:-1][joined], points[1:][joined]], axis=1), Role.PATH),
        as_points(points[frames == np.round(frames)], Role.PATH),
    ]
    if deepest is not None and len(path):
        parts.append(as_points(points[[np.argmin(np.abs(frames - deepest))]], Role.DEPTH))
    return concatenate(parts)
