# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts of pieces of triangles whose deepest point in a solid is searched.

Pieces are cut first along the planes of triangles that cross them, then where two of the upper bounds of the depth are
equal. So each part has one nearest triangle, as in a Voronoi diagram.
"""

from math import inf, sqrt
from typing import NamedTuple

from .arrays import Floats2, Ints1
from .depths import Boundaries, key_bound
from .pieces import KEYS, point_of
from .rays import Surfaces
from .triangles import meet
from .vectors import corner, cross, dot, minus, moved, put, row

# Number of triangles crossing a piece from which the one whose plane halves it best is chosen.
_CROSSING = 16
# Maximum number of steps of the search for the point on an edge where two bounds are equal, and its tolerance, as a
# fraction of the relevant depth. Any point is valid; a good one saves cuts.
_STEPS, _EQUAL = 128, 1e-3
# Fraction of an edge. A cut nearer to its end would make parts without width.
_LEAST_SHARE = 1e-12


class Cutting(NamedTuple):
    """Room for a piece, a triangle that may cross it, the points of a cut, and the bounds of the corners of a piece.

    Attributes
    ----------
    piece, triangle, sides, others, bounds, cut : (3, 3), (3, 3), (3, 3), (3, 3), (4, 3), (6, 3) float64
    nodes : (n,) int64
    """

    piece: Floats2
    triangle: Floats2
    sides: Floats2
    others: Floats2
    bounds: Floats2
    cut: Floats2
    nodes: Ints1


def cut_by_boundary(surfaces: Surfaces, at: int, slack: float, waiting: Floats2, piece: int, room: Cutting) -> int:
    """Cut a piece along the plane of a triangle of a solid that crosses it; see `put_part`.

    Returns the number of parts, 0 if no triangle crosses the piece: then it is completely inside or outside.
    """
    for n in range(9):
        room.piece[n // 3, n % 3] = waiting[piece, n]
    crossed, first, second, third = _crossing(surfaces, at, slack, room)
    return _split(waiting, piece, first, second, third, room.cut) if crossed else 0


def cut_by_bounds(solids: Boundaries, at: int, limit: float, waiting: Floats2, piece: int, room: Cutting) -> int:
    """Cut a piece where two upper bounds of its depth are equal, or in half; see `put_part`.

    Returns the number of parts.
    """
    # Cut where the bound of the best key equals the bound of the key of the worst corner.
    best, worst, least = 0, 0, inf
    for k in range(4):
        most, top = -inf, 0
        for n in range(3):
            key = waiting[piece, KEYS + k]
            room.bounds[k, n] = key_bound(solids, at, key, point_of(waiting, piece, n))
            if room.bounds[k, n] > most:
                most, top = room.bounds[k, n], n
        if most < least:
            best, worst, least = k, top, most
    first, second, third = (
        room.bounds[best, 0] - room.bounds[worst, 0],
        room.bounds[best, 1] - room.bounds[worst, 1],
        room.bounds[best, 2] - room.bounds[worst, 2],
    )
    if least > limit and max(max(first, second), third) > 0.0 and min(min(first, second), third) < 0.0:
        lone, one, other = _sides(first, second, third)
        tip = point_of(waiting, piece, lone)
        level = first if lone == 0 else second if lone == 1 else third
        x = _share(solids, at, waiting, piece, best, worst, lone, one, level, limit)
        y = _share(solids, at, waiting, piece, best, worst, lone, other, level, limit)
        if min(x, y) >= _LEAST_SHARE and x <= 1.0 - _LEAST_SHARE:
            left, right = point_of(waiting, piece, one), point_of(waiting, piece, other)
            put(room.cut, 0, tip)
            put(room.cut, 1, moved(tip, minus(left, tip), x))
            put(room.cut, 2, right if y >= 1.0 else moved(tip, minus(right, tip), y))
            put(room.cut, 3, left)
            put(room.cut, 4, right)
            return 2 if y >= 1.0 else 3
    # Otherwise halve the longest edge.
    longest, size = 0, -1.0
    for n in range(3):
        edge = minus(point_of(waiting, piece, (n + 1) % 3), point_of(waiting, piece, n))
        if dot(edge, edge) > size:
            longest, size = n, dot(edge, edge)
    tip, left = point_of(waiting, piece, longest), point_of(waiting, piece, (longest + 1) % 3)
    right = point_of(waiting, piece, (longest + 2) % 3)
    put(room.cut, 0, tip)
    put(room.cut, 1, moved(tip, minus(left, tip), 0.5))
    put(room.cut, 2, right)
    put(room.cut, 3, left)
    put(room.cut, 4, right)
    return 2


def _split(waiting: Floats2, piece: int, first: float, second: float, third: float, cut: Floats2) -> int:
    """Cut a piece along a plane that crosses its edges, given the heights of its corners.

    Returns the number of parts.
    """
    lone, one, other = _sides(first, second, third)
    level = first if lone == 0 else second if lone == 1 else third
    below = first if one == 0 else second if one == 1 else third
    beside = first if other == 0 else second if other == 1 else third
    tip, left, right = point_of(waiting, piece, lone), point_of(waiting, piece, one), point_of(waiting, piece, other)
    put(cut, 0, tip)
    put(cut, 1, moved(tip, minus(left, tip), level / (level - below)))
    put(cut, 2, right if beside == 0.0 else moved(tip, minus(right, tip), level / (level - beside)))
    put(cut, 3, left)
    put(cut, 4, right)
    return 2 if beside == 0.0 else 3


def _sides(first: float, second: float, third: float) -> tuple[int, int, int]:
    """The corner that is alone on its side of a level, given heights with some above and some below it.

    A corner on the level itself is returned last.
    """
    above = 0
    for n in range(3):
        height = first if n == 0 else second if n == 1 else third
        above += 1 if height > 0.0 else 0
    lone = 0
    if above == 1:
        lone = 0 if first >= second and first >= third else 1 if second >= third else 2
    else:
        lone = 0 if first <= second and first <= third else 1 if second <= third else 2
    one, other = (lone + 1) % 3, (lone + 2) % 3
    height = first if one == 0 else second if one == 1 else third
    if height == 0.0:
        return lone, other, one
    return lone, one, other


def _share(
    solids: Boundaries,
    at: int,
    waiting: Floats2,
    piece: int,
    best: int,
    worst: int,
    start: int,
    end: int,
    level: float,
    limit: float,
) -> float:
    """The parameter on an edge of a piece where the bounds of two keys are equal, from a corner with a given level."""
    tip, tail = point_of(waiting, piece, start), point_of(waiting, piece, end)
    one, other = waiting[piece, KEYS + best], waiting[piece, KEYS + worst]
    low, left, right, share = level, 0.0, 1.0, 1.0
    high = key_bound(solids, at, one, tail) - key_bound(solids, at, other, tail)
    if high == 0.0:
        return 1.0
    for step in range(_STEPS):
        # Regula falsi, with bisection every second time: near the solution, the function may be quadratic.
        share = (
            left + (right - left) * low / (low - high if low != high else 1.0)
            if step % 2 == 0
            else 0.5 * (left + right)
        )
        share = min(max(share, left), right)
        point = moved(tip, minus(tail, tip), share)
        value = key_bound(solids, at, one, point)
        value -= key_bound(solids, at, other, point)
        if abs(value) <= _EQUAL * limit:
            break
        if (value > 0.0) == (low > 0.0):
            left, low = share, value
        else:
            right, high = share, value
    return share


def _crossing(surfaces: Surfaces, at: int, slack: float, room: Cutting) -> tuple[bool, float, float, float]:
    """Find a triangle of the solid that crosses a piece. Returns the heights of the piece's corners over its plane.

    Of several such triangles, this is the one whose plane halves the piece best.
    """
    root, leaf, first, leaves = surfaces.rows[at, 0], surfaces.rows[at, 1], surfaces.rows[at, 2], surfaces.rows[at, 3]
    low = (
        min(min(room.piece[0, 0], room.piece[1, 0]), room.piece[2, 0]) - slack,
        min(min(room.piece[0, 1], room.piece[1, 1]), room.piece[2, 1]) - slack,
        min(min(room.piece[0, 2], room.piece[1, 2]), room.piece[2, 2]) - slack,
    )
    high = (
        max(max(room.piece[0, 0], room.piece[1, 0]), room.piece[2, 0]) + slack,
        max(max(room.piece[0, 1], room.piece[1, 1]), room.piece[2, 1]) + slack,
        max(max(room.piece[0, 2], room.piece[1, 2]), room.piece[2, 2]) + slack,
    )
    found, most, heights = 0, 0.0, (0.0, 0.0, 0.0)
    room.nodes[0], top = 0, 1
    while top > 0 and found < _CROSSING:
        top -= 1
        node = room.nodes[top]
        here = root + node
        if (
            surfaces.span[here, 0] > high[0]
            or surfaces.span[here, 1] > high[1]
            or surfaces.span[here, 2] > high[2]
            or -surfaces.span[here, 3] < low[0]
            or -surfaces.span[here, 4] < low[1]
            or -surfaces.span[here, 5] < low[2]
        ):
            continue
        if node + 1 < leaves:
            room.nodes[top], room.nodes[top + 1] = 2 * node + 2, 2 * node + 1
            top += 2
            continue
        number = surfaces.leaf[leaf + node + 1 - leaves]
        if number < 0:
            continue
        for n in range(3):
            put(room.triangle, n, corner(surfaces.corners, first + number, n))
        normal = cross(
            minus(row(room.triangle, 1), row(room.triangle, 0)), minus(row(room.triangle, 2), row(room.triangle, 0))
        )
        size = sqrt(dot(normal, normal))
        if size == 0.0:
            continue
        one = _height(dot(normal, minus(row(room.piece, 0), row(room.triangle, 0))) / size, slack)
        two = _height(dot(normal, minus(row(room.piece, 1), row(room.triangle, 0))) / size, slack)
        three = _height(dot(normal, minus(row(room.piece, 2), row(room.triangle, 0))) / size, slack)
        less = min(max(max(one, two), three), -min(min(one, two), three))
        if less <= 0.0 or meet(room.piece, room.triangle, room.sides, room.others, slack) < 0.0:
            continue
        found += 1
        if less > most:
            most, heights = less, (one, two, three)
    return most > 0.0, heights[0], heights[1], heights[2]


def _height(value: float, slack: float) -> float:
    """A height over a plane, zero within rounding."""
    return 0.0 if abs(value) <= 2.0 * slack else value
