# SPDX-License-Identifier: GPL-3.0-or-later
"""The deepest point of triangles in solids, by branch and bound.

Upper bounds of the depth over a piece of a triangle: the depth changes by at most the distance between two points, and
those of `depths`. Pieces that may be deeper than the best point are cut (`cuts`). A piece that crosses the boundary of
the solid is cut along it before its corners are measured: most of its parts are outside, or shallow by their centers.
"""

from math import inf, sqrt
from typing import NamedTuple

from ..numerics.tolerances import INTERFERENCE
from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, floats2, ints1
from .cuts import Cutting, cut_by_boundary, cut_by_bounds
from .depths import Boundaries, bound_by, distance_of, is_convex, is_within
from .loading import kernel
from .pieces import BOUND, CLEAR, COLUMNS, DEPTHS, KEYS, SOURCE, point_of, put_part
from .vectors import corner, dot, minus, put, row

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Maximum factor of repeated doubling of the tolerance. Then the search ends with the deepest point that was found.
_WIDEST = 1024.0
# After each doubling, this fraction of the pieces is searched. A search that does not end with the first tolerance,
# such as one with equal depths in many voxels, rarely ends with the next.
_SHORTER = 16


class Problems(NamedTuple):
    """Triangles whose deepest point in a solid is to be found, problem by problem.

    Attributes
    ----------
    solids : Boundaries
        The solid of each problem.
    corners : (T, 3, 3) float64
    triangles : (K,) int64
        The triangles of all problems, as rows of `corners`.
    given : (R, 2) int64
        First triangle of each problem, and the end. The triangles of a problem may be divided among calls, in their
        order.
    frames : (R, 12) float64
        For each problem, the transform from its triangles to the frame of the solid: a matrix, row by row, and a
        translation.
    boxes : (R, 6) float64
        Lower and upper bounds of the relevant points, in the frame of the solid.
    limits : (R, 4) float64
        The rounding error of a depth, the allowed error of the result in addition to its fraction `INTERFERENCE`, a
        depth up to which it need not be exact, and the number of pieces after which the tolerance is doubled for the
        first time.
    """

    solids: Boundaries
    corners: Floats3
    triangles: Ints1
    given: Ints2
    frames: Floats2
    boxes: Floats2
    limits: Floats2


class Deepest(NamedTuple):
    """The deepest points that were found, and the state of the search. Read and written.

    Attributes
    ----------
    best : (R,) float64
        The greatest known depth, and then that of the deepest point.
    bound : (R,) float64
        No point is deeper, apart from the allowed error. Above the depth if the pieces were too many.
    place : (R, 3) float64
        The deepest point in the frame of the solid, if it is deeper than the depth that was known.
    found : (R,) int64
        Which of the triangles it is on. -1 at first.
    memory : (K, 3) float64
        For each triangle: an upper bound of its depth, after the search of those that were not searched; the triangle
        or plane of the solid that is nearest to its center; and the depth of the center.
    state : (R, 4) float64
        The triangle or plane that was nearest to the last center, the number of pieces since the tolerance was doubled,
        the multiple of the tolerance, and the greatest bound that was not searched. -1, 0, 1 and 0 at first.
    """

    best: Floats1
    bound: Floats1
    place: Floats2
    found: Ints1
    memory: Floats2
    state: Floats2


class Pieces(NamedTuple):
    """Room for a search.

    Attributes
    ----------
    waiting : (W, COLUMNS) float64
        Pieces that wait.
    nodes, gaps : (n,) int64, (n,) float64
        For searches of trees.
    cutting : Cutting
    """

    waiting: Floats2
    nodes: Ints1
    gaps: Floats1
    cutting: Cutting


@kernel
def measure_centers(problems: Problems, deepest: Deepest) -> None:
    """Begin to find the deepest point of the triangles of each problem in its solid, by their centers."""
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    p = floats2(3, 3)
    for at in range(len(deepest.best)):
        slack, key = problems.limits[at, 0], int(deepest.state[at, 0])
        for k in range(problems.given[at, 0], problems.given[at, 1]):
            # The center first. It shows for most triangles that they are not deeper.
            _place(problems, at, problems.triangles[k], p)
            middle, radius = _middle(p)
            limit = _limit(problems, at, deepest.best[at])
            deepest.memory[k, 0] = -1.0
            if _is_beside(problems.boxes, at, middle, radius):
                continue
            # The triangle nearest to the center of the previous one is often near enough.
            far, key = distance_of(problems.solids, at, middle, max(limit - radius, 0.0), key, nodes, gaps)
            if far + radius <= limit:
                continue
            if not is_convex(problems.solids, at) and not is_within(
                problems.solids.surfaces, at, middle, far, slack, nodes
            ):
                far = -far
            elif far > deepest.best[at] and not _is_beside(problems.boxes, at, middle, 0.0):
                deepest.best[at], deepest.found[at] = far, k
                put(deepest.place, at, middle)
            deepest.memory[k, 0], deepest.memory[k, 1] = far + radius, float(key)
            deepest.memory[k, 2] = far
        deepest.state[at, 0] = float(key)


@kernel
def search(problems: Problems, deepest: Deepest, waiting: Floats2) -> None:
    """Find the deepest point of the triangles of each problem in its solid, after `measure_centers`.

    Parameters
    ----------
    problems : Problems
    deepest : Deepest
    waiting : (W, COLUMNS) float64
        Room for pieces that wait.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    cut, bounds = floats2(6, 3), floats2(4, 3)
    cutting = Cutting(p, q, sides, others, bounds, cut, nodes)
    room = Pieces(waiting, nodes, gaps, cutting)
    for at in range(len(deepest.best)):
        for k in range(problems.given[at, 0], problems.given[at, 1]):
            bound = deepest.memory[k, 0]
            if bound > _limit(problems, at, deepest.best[at]) and bound > 0.0:
                _place(problems, at, problems.triangles[k], p)
                deepest.memory[k, 0] = _search_triangle(problems, deepest, at, k, room)
        dropped = deepest.state[at, 3]
        deepest.bound[at] = deepest.best[at]
        if dropped > _limit(problems, at, deepest.best[at]):
            most = _thickness(problems.solids, at)
            deepest.bound[at] = max(deepest.best[at], min(dropped, most))


def _search_triangle(problems: Problems, deepest: Deepest, at: int, k: int, room: Pieces) -> float:
    """Search a triangle, which is in `room.cutting.piece`. Returns an upper bound of what was not searched."""
    solids, slack, give = problems.solids, problems.limits[at, 0], problems.limits[at, 1]
    left = 0.0
    pieces, most, wider = int(deepest.state[at, 1]), int(problems.limits[at, 3]), deepest.state[at, 2]
    for n in range(9):
        room.waiting[0, n] = room.cutting.piece[n // 3, n % 3]
    room.waiting[0, KEYS + 3], room.waiting[0, CLEAR], room.waiting[0, SOURCE] = deepest.memory[k, 1], 0.0, float(k)
    room.waiting[0, DEPTHS + 3], room.waiting[0, BOUND] = deepest.memory[k, 2], deepest.memory[k, 0]
    if is_convex(solids, at):
        room.waiting[0, CLEAR] = 1.0
        _measure_corners(problems, deepest, at, k, room, 0)
    top = 1
    while top > 0:
        top -= 1
        limit = _limit(problems, at, deepest.best[at])
        if room.waiting[top, BOUND] <= limit:
            continue
        enough = deepest.best[at] * (1.0 + wider * INTERFERENCE) + give
        parts, clear = 0, room.waiting[top, CLEAR] > 0.0
        if pieces >= most or top + 4 > len(room.waiting) or room.waiting[top, BOUND] <= enough:
            if not clear:
                _measure_corners(problems, deepest, at, k, room, top)
            if room.waiting[top, BOUND] > limit:
                left = max(left, room.waiting[top, BOUND])
            continue
        if not clear:
            parts = cut_by_boundary(solids.surfaces, at, slack, room.waiting, top, room.cutting)
        if parts == 0 and not clear:
            # A piece that no triangle crosses is completely inside or outside, like its center.
            if room.waiting[top, DEPTHS + 3] <= 0.0:
                continue
            clear, room.waiting[top, CLEAR] = True, 1.0
            _measure_corners(problems, deepest, at, k, room, top)
            limit = _limit(problems, at, deepest.best[at])
            if room.waiting[top, BOUND] <= limit:
                continue
        pieces += 1
        if pieces == most and wider < _WIDEST:
            pieces, wider = most - most // _SHORTER, 2.0 * wider
        if parts == 0:
            parts = cut_by_bounds(solids, at, limit, room.waiting, top, room.cutting)
        first = top
        for n in range(parts):
            # The parts are written above the piece, and moved down if they are kept.
            new = first + 1 + n
            if put_part(room.waiting, first, new, room.cutting.cut, n, clear):
                _measure_center(problems, deepest, at, k, room, new)
                if clear and room.waiting[new, BOUND] > 0.0:
                    _measure_corners(problems, deepest, at, k, room, new)
        # All parts are measured before any of them is written in place of the piece.
        for n in range(parts):
            new = first + 1 + n
            if room.waiting[new, BOUND] <= _limit(problems, at, deepest.best[at]):
                continue
            for m in range(COLUMNS):
                room.waiting[top, m] = room.waiting[new, m]
            top += 1
        # The last one on the stack is the next: the part that may be the deepest.
        for n in range(first, top - 1):
            if room.waiting[n, BOUND] > room.waiting[top - 1, BOUND]:
                for m in range(COLUMNS):
                    room.waiting[n, m], room.waiting[top - 1, m] = room.waiting[top - 1, m], room.waiting[n, m]
    deepest.state[at, 1], deepest.state[at, 2] = float(pieces), wider
    deepest.state[at, 3] = max(deepest.state[at, 3], left)
    return left


def _thickness(solids: Boundaries, at: int) -> float:
    """An upper bound of the depth of all points in a mesh: half of the shortest side of its bounds."""
    if is_convex(solids, at):
        return inf
    root, least = solids.surfaces.rows[at, 0], inf
    for k in range(3):
        least = min(least, -solids.surfaces.span[root, 3 + k] - solids.surfaces.span[root, k])
    return 0.5 * least


def _limit(problems: Problems, at: int, best: float) -> float:
    """The value that a bound must exceed to matter."""
    return max(best * (1.0 + INTERFERENCE) + problems.limits[at, 1], problems.limits[at, 2])


def _place(problems: Problems, at: int, triangle: int, p: Floats2) -> None:
    """Write the corners of a triangle in the frame of the solid."""
    for n in range(3):
        v = corner(problems.corners, triangle, n)
        for k in range(3):
            m = 3 * k
            p[n, k] = (
                problems.frames[at, m] * v[0] + problems.frames[at, m + 1] * v[1] + problems.frames[at, m + 2] * v[2]
            ) + problems.frames[at, 9 + k]


def _middle(p: Floats2) -> tuple[Vector, float]:
    """The center of a triangle, and the distance of the farthest corner."""
    third = 1.0 / 3.0
    middle = (
        third * (p[0, 0] + p[1, 0] + p[2, 0]),
        third * (p[0, 1] + p[1, 1] + p[2, 1]),
        third * (p[0, 2] + p[1, 2] + p[2, 2]),
    )
    square = 0.0
    for n in range(3):
        out = minus(row(p, n), middle)
        square = max(square, dot(out, out))
    return middle, sqrt(square)


def _reached(problems: Problems, deepest: Deepest, at: int, k: int, depth: float, point: Vector) -> None:
    """Write a point of triangle k if it is deeper than the best one."""
    if depth > deepest.best[at] and not _is_beside(problems.boxes, at, point, 0.0):
        deepest.best[at], deepest.found[at] = depth, k
        put(deepest.place, at, point)


def _radius(waiting: Floats2, piece: int, middle: Vector) -> float:
    """The distance of the farthest corner of a piece from its center."""
    square = 0.0
    for n in range(3):
        out = minus(point_of(waiting, piece, n), middle)
        square = max(square, dot(out, out))
    return sqrt(square)


def _measure_center(problems: Problems, deepest: Deepest, at: int, k: int, room: Pieces, piece: int) -> None:
    """Write the depth and the key of the center of a piece, and an upper bound of its depth, which is -1 if it is low.

    The piece has its corners, the key of a nearby point as that of its center, and whether it is clear.
    """
    solids = problems.solids
    middle, limit = point_of(room.waiting, piece, 3), _limit(problems, at, deepest.best[at])
    radius, key = _radius(room.waiting, piece, middle), int(room.waiting[piece, KEYS + 3])
    room.waiting[piece, BOUND] = -1.0
    if _is_beside(problems.boxes, at, middle, radius) or bound_by(solids, at, key, room.waiting, piece) <= limit:
        return
    far, key = distance_of(solids, at, middle, max(limit - radius, 0.0), key, room.nodes, room.gaps)
    if far + radius <= limit:
        return
    convex, clear = is_convex(solids, at), room.waiting[piece, CLEAR] > 0.0
    if not convex and not clear and not is_within(solids.surfaces, at, middle, far, problems.limits[at, 0], room.nodes):
        far = -far
    room.waiting[piece, DEPTHS + 3], room.waiting[piece, KEYS + 3] = far, float(key)
    room.waiting[piece, BOUND] = min(far + radius, bound_by(solids, at, key, room.waiting, piece))
    _reached(problems, deepest, at, k, far, middle)


def _measure_corners(problems: Problems, deepest: Deepest, at: int, k: int, room: Pieces, piece: int) -> None:
    """Write the distances and the keys of the corners of a piece, and a closer bound, after those of its center.

    If the piece is clear, the distances are depths.
    """
    solids, middle = problems.solids, int(room.waiting[piece, KEYS + 3])
    bound = min(room.waiting[piece, BOUND], bound_by(solids, at, middle, room.waiting, piece))
    for n in range(3):
        limit = _limit(problems, at, deepest.best[at])
        if bound <= limit:
            break
        point = point_of(room.waiting, piece, n)
        one, other = (
            minus(point_of(room.waiting, piece, (n + 1) % 3), point),
            minus(point_of(room.waiting, piece, (n + 2) % 3), point),
        )
        reach = sqrt(max(dot(one, one), dot(other, other)))
        value, near = distance_of(solids, at, point, max(limit - reach, 0.0), middle, room.nodes, room.gaps)
        room.waiting[piece, DEPTHS + n], room.waiting[piece, KEYS + n] = value, float(near)
        bound = min(bound, value + reach)
        if bound > limit:
            if room.waiting[piece, CLEAR] > 0.0:
                _reached(problems, deepest, at, k, value, point)
            if near != middle:
                bound = min(bound, bound_by(solids, at, near, room.waiting, piece))
    room.waiting[piece, BOUND] = bound


def _is_beside(boxes: Floats2, at: int, point: Vector, radius: float) -> bool:
    """Whether all points within a distance of a point are outside of a box."""
    for k in range(3):
        place = point[0] if k == 0 else point[1] if k == 1 else point[2]
        if place + radius < boxes[at, k] or place - radius > boxes[at, 3 + k]:
            return True
    return False
