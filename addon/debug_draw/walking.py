# SPDX-License-Identifier: GPL-3.0-or-later
"""A walking character: the floors that it reached and did not reach, its poses, and the path to one."""

import numpy as np

from ...core.numerics.types import Floats
from ...core.shapes import Capsules, Spheres
from ...core.walking.ground import Frame
from ...core.world.world import World
from .primitives import Primitives, as_lines, as_triangles
from .roles import Role
from .shapes import shape_edges

# Maximum number of quads of a floor. If there are more, four columns are merged.
MOST_QUADS = 200_000

# Planes of columns whose normals and heights differ by less are equal. Heights are fractions of the spacing.
_SAME = 1e-5


def floor_primitives(places: Floats, normal: Floats, spacing: float, gravity: Floats, role: Role) -> Primitives:
    """Show a floor as squares on a grid. Coplanar squares in a row are merged.

    Parameters
    ----------
    places : (N, 3) float64
        Center of the square of each column.
    normal : (N, 3) float64
        Surface normal at the column.
    spacing : float
        Side of a square, seen along gravity.
    gravity : (3,) float64
        Unit vector.
    role : Role
    """
    if not len(places):
        return Primitives()
    frame = Frame.of(gravity, places[0])
    local, turned = frame.into(places), normal @ frame.rotation.T
    column = np.rint(local[:, :2] / spacing).astype(np.int64)
    quads = _quads(column, local, turned, spacing)
    while len(quads) > MOST_QUADS:
        # A coarser floor is seen from farther away.
        spacing *= 2.0
        kept = (column % 2 == 0).all(axis=1)
        column, local, turned = column[kept] // 2, local[kept], turned[kept]
        quads = _quads(column, local, turned, spacing)
    corners = frame.out(quads)
    return as_triangles(corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3), role)


def _quads(column: np.ndarray, local: Floats, normal: Floats, spacing: float) -> Floats:
    """Return the corners of quads (Q, 4, 3) that cover the squares of columns (N, 2), in the frame with +Z up."""
    rise = np.where(normal[:, 2] > _SAME, normal[:, 2], np.inf)
    slope = -normal[:, :2] / rise[:, None]
    level = local[:, 2] - (slope * local[:, :2]).sum(axis=1)
    key = np.rint(np.column_stack([slope, level / spacing]) / _SAME).astype(np.int64)
    _, plane = np.unique(key, axis=0, return_inverse=True)
    plane = plane.reshape(-1)
    order = np.lexsort((column[:, 0], column[:, 1], plane))
    column, plane, slope, level = column[order], plane[order], slope[order], level[order]
    new = (np.diff(plane) != 0) | (np.diff(column[:, 1]) != 0) | (np.diff(column[:, 0]) != 1)
    first = np.flatnonzero(np.append(True, new))
    last = np.append(first[1:], len(column)) - 1
    x = np.stack([column[first, 0] - 0.5, column[last, 0] + 0.5], axis=1)[:, [0, 1, 1, 0]] * spacing
    y = (column[first, 1, None] + np.array([-0.5, -0.5, 0.5, 0.5])) * spacing
    z = level[first, None] + slope[first, :1] * x + slope[first, 1:] * y
    result: Floats = np.stack([x, y, z], axis=2)
    return result


def pose_primitives(foot: Floats, radius: float, height: float, gravity: Floats, role: Role) -> Primitives:
    """Show the character with its lowest point at `foot`: a capsule, or a ball if its height is its diameter."""
    up = -gravity
    low, high = foot + radius * up, foot + (height - radius) * up
    ball = Spheres([low], [radius]) if height <= 2.0 * radius else Capsules([low], [high], [radius])
    return shape_edges(World([ball]), 0, role)


def way_primitives(points: Floats) -> Primitives:
    """Show the path through points (K, 3)."""
    return as_lines(np.stack([points[:-1], points[1:]], axis=1), Role.PATH)
