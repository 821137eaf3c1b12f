# SPDX-License-Identifier: GPL-3.0-or-later
"""Support mappings: the farthest point of a shape along a direction."""

from math import inf
from typing import NamedTuple

from .arrays import Floats2, Ints1, Ints2, Vector


class Side(NamedTuple):
    """The polytopes on one side of the pairs.

    Attributes
    ----------
    points : (3, V) float64
        The vertices of all polytopes.
    frames : (12, P) float64
        The rows of a linear map, and a translation.
    places : (4, P) int64
        The first vertex, the number of vertices, and the grid and the first cell in the direction table. A grid of -1
        means that there is no table.
    starts, candidates : int64
        The direction table; see `collision_kit.core.convex.support_table`.
    """

    points: Floats2
    frames: Floats2
    places: Ints2
    starts: Ints1
    candidates: Ints1


def support(side: Side, pair: int, way: Vector) -> Vector:
    """Return the support point of a polytope along a direction."""
    first, grid = side.places[0, pair], side.places[2, pair]
    local = (
        side.frames[0, pair] * way[0] + side.frames[3, pair] * way[1] + side.frames[6, pair] * way[2],
        side.frames[1, pair] * way[0] + side.frames[4, pair] * way[1] + side.frames[7, pair] * way[2],
        side.frames[2, pair] * way[0] + side.frames[5, pair] * way[1] + side.frames[8, pair] * way[2],
    )
    if grid < 0:
        best = _searched(side.points, first, side.places[1, pair], local)
    else:
        best = _looked_up(side, first, grid, side.places[3, pair], local)
    x, y, z = side.points[0, best], side.points[1, best], side.points[2, best]
    return (
        side.frames[0, pair] * x + side.frames[1, pair] * y + side.frames[2, pair] * z + side.frames[9, pair],
        side.frames[3, pair] * x + side.frames[4, pair] * y + side.frames[5, pair] * z + side.frames[10, pair],
        side.frames[6, pair] * x + side.frames[7, pair] * y + side.frames[8, pair] * z + side.frames[11, pair],
    )


def _searched(points: Floats2, first: int, count: int, way: Vector) -> int:
    """The farthest of consecutive vertices along a direction."""
    best, most = first, -inf
    for at in range(first, first + count):
        height = way[0] * points[0, at] + way[1] * points[1, at] + way[2] * points[2, at]
        if height > most:
            best, most = at, height
    return best


def _looked_up(side: Side, first: int, grid: int, cells: int, way: Vector) -> int:
    """The farthest of the vertices in the cell of a direction; see `DirectionTable.cell`."""
    x, y, z = way
    size = abs(x) + abs(y) + abs(z)
    scale = 0.5 * grid / (size if size > 0.0 else 1.0)
    across = min(int((x + y) * scale + 0.5 * grid), max(grid - 1, 0))
    along = min(int((x - y) * scale + 0.5 * grid), max(grid - 1, 0))
    cell = cells + (across + (grid if z < 0.0 else 0)) * grid + along
    best, most = first, -inf
    for place in range(side.starts[cell], side.starts[cell + 1]):
        at = first + side.candidates[place]
        height = x * side.points[0, at] + y * side.points[1, at] + z * side.points[2, at]
        if height > most:
            best, most = at, height
    return best
