# SPDX-License-Identifier: GPL-3.0-or-later
"""The first contact of two moving bodies: both as they touch, the normal, and the path of the contact point."""

import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.world.world import World
from .extract import HEAD, arrows
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role
from .shapes import shape_edges

# Maximum number of drawn parts of one body. More lines would hide the contact.
MOST_PARTS = 64


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
    """Show two bodies at the time of their first contact, the contact point, and the normal.

    Parameters
    ----------
    world : World
        Shapes of both bodies, placed at that time.
    rows_a, rows_b : (K,) int64
        Shapes of A and of B. At most `MOST_PARTS` of each are drawn.
    point : (3,) float64
        Contact point. The normal starts there.
    normal : (3,) float64
        Unit vector from A to B.
    length : float
        Length of the normal's arrow, in the caller's unit, above zero.
    size : float
        Size of the shown part of an unbounded shape around the point, in the caller's unit.
    label : str, optional
        Text at the tip of the normal, where it covers neither the point nor its path. Empty: none.
    """
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
            as_label(point + length * normal, Role.CONTACT, label, point),
        ]
    )


def path_primitives(path: Floats, deepest: float | None = None) -> Primitives:
    """Show the path of the contact point: lines, and dots at whole frames.

    Parameters
    ----------
    path : (K, 4) float64
        Frame, x, y, z, sorted by frame. If two rows are more than a frame apart, the bodies have separated in between,
        and the line is interrupted.
    deepest : float, optional
        Frame at which the bodies are deepest. The nearest point in time is marked.
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
