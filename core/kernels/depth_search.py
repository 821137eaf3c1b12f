# SPDX-License-Identifier: GPL-3.0-or-later
"""The deepest point of triangles in solids, by branch and bound.

Upper bounds of the depth over a piece of a triangle: the depth changes by at most the distance between two points, and
those of `depths`. Pieces that may be deeper than the best point are cut (`cuts`).
"""

from math import inf, sqrt

from ..numerics.tolerances import INTERFERENCE
from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, floats2, ints1
from .cuts import cut_piece
from .depths import bound_by, distance_of, is_within
from .loading import kernel
from .pieces import BOUND, CLEAR, COLUMNS, DEPTHS, KEYS, SOURCE, point_of, put_part
from .rays import Surfaces
from .vectors import corner, dot, minus, put, row

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Maximum factor of repeated doubling of the tolerance. Then the search ends with the deepest point that was found.
_WIDEST = 1024.0
# After each doubling, this fraction of the pieces is searched. A search that does not end with the first tolerance,
# such as one with equal depths in many voxels, rarely ends with the next.
_SHORTER = 16


@kernel
def measure_centers(
    surfaces: Surfaces,
    planes: Floats2,
    faces: Ints2,
    corners: Floats3,
    triangles: Ints1,
    given: Ints2,
    frames: Floats2,
    boxes: Floats2,
    limits: Floats2,
    best: Floats1,
    place: Floats2,
    found: Ints1,
    memory: Floats2,
    state: Floats2,
) -> None:
    """Begin to find the deepest point of the triangles of each problem in its solid, by their centers.

    Parameters
    ----------
    surfaces, planes, faces, corners, triangles, frames, boxes, limits, best, place, found
        As for `search`.
    given : (R, 2) int64
        As for `search`. The triangles of a problem may be divided among calls.
    memory : (K, 3) float64
        Written for each triangle: an upper bound of its depth, the triangle or plane that is nearest to its center, and
        the center's depth.
    state : (R, 4) float64
        Read and written: the triangle or plane that was nearest to the last center. -1 at first.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    p = floats2(3, 3)
    for at in range(len(best)):
        begin, end = given[at, 0], given[at, 1]
        slack, give, least = limits[at, 0], limits[at, 1], limits[at, 2]
        convex = faces[at, 0] < faces[at, 1]
        key = int(state[at, 0])
        for k in range(begin, end):
            # The center first. It shows for most triangles that they are not deeper.
            _place(corners, triangles[k], frames, at, p)
            middle, radius = _middle(p)
            limit = _limit(best[at], give, least)
            memory[k, 0] = -1.0
            if _is_beside(boxes, at, middle, radius):
                continue
            # The triangle nearest to the center of the previous one is often near enough.
            far, key = distance_of(surfaces, planes, faces, at, middle, max(limit - radius, 0.0), key, nodes, gaps)
            if far + radius <= limit:
                continue
            if not convex and not is_within(surfaces, at, middle, far, slack, nodes):
                far = -far
            elif far > best[at] and not _is_beside(boxes, at, middle, 0.0):
                best[at], found[at] = far, k
                put(place, at, middle)
            memory[k, 0], memory[k, 1], memory[k, 2] = far + radius, float(key), far
        state[at, 0] = float(key)


@kernel
def search(
    surfaces: Surfaces,
    planes: Floats2,
    faces: Ints2,
    corners: Floats3,
    triangles: Ints1,
    given: Ints2,
    frames: Floats2,
    boxes: Floats2,
    limits: Floats2,
    best: Floats1,
    quads: Floats2,
    bound: Floats1,
    place: Floats2,
    found: Ints1,
    memory: Floats2,
    state: Floats2,
    waiting: Floats2,
) -> None:
    """Find the deepest point of the triangles of each problem in its solid, after `measure_centers`.

    Parameters
    ----------
    surfaces : Surfaces
        The solid of each problem, if it is a mesh.
    planes : (F, 4) float64
        Outward unit normals and offsets of the faces of convex solids.
    faces : (R, 2) int64
        First face of the solid of each problem, and the end. For meshes, both are equal.
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
    best : (R,) float64
        The greatest known depth. The new one is written: that of the deepest point that was found.
    quads : (M, 2) float64
        As written by `quads`, for the triangles of the surfaces.
    bound : (R,) float64
        Written: no point is deeper, apart from the allowed error. Above the new depth if the pieces were too many.
    place : (R, 3) float64
        Written: the deepest point in the frame of the solid, if it is deeper than the known depth.
    found : (R,) int64
        Written: which of `triangles` it is on. -1 at first.
    memory : (K, 3) float64
        What `measure_centers` has written. The first column is written: an upper bound of the depths that were not
        searched.
    state : (R, 4) float64
        Read and written, after the first column: the number of pieces since the tolerance was doubled, the multiple of
        the tolerance, and the greatest bound that was not searched. 0, 1 and 0 at first.
    waiting : (W, COLUMNS) float64
        Room for waiting pieces.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    cut, bounds = floats2(6, 3), floats2(4, 3)
    for at in range(len(best)):
        begin, end = given[at, 0], given[at, 1]
        slack, give, least = limits[at, 0], limits[at, 1], limits[at, 2]
        convex = faces[at, 0] < faces[at, 1]
        pieces, most, wider, dropped = int(state[at, 1]), int(limits[at, 3]), state[at, 2], state[at, 3]
        for k in range(begin, end):
            if memory[k, 0] <= _limit(best[at], give, least) or memory[k, 0] <= 0.0:
                continue
            left = 0.0
            _place(corners, triangles[k], frames, at, p)
            for n in range(9):
                waiting[0, n] = p[n // 3, n % 3]
            waiting[0, KEYS + 3], waiting[0, CLEAR], waiting[0, SOURCE] = memory[k, 1], 0.0, float(k)
            waiting[0, DEPTHS + 3] = memory[k, 2]
            if convex:
                waiting[0, CLEAR] = 1.0
            value, which = _measure(
                surfaces,
                planes,
                faces,
                quads,
                boxes,
                at,
                best[at],
                _limit(best[at], give, least),
                slack,
                waiting,
                0,
                True,
                nodes,
                gaps,
            )
            if which >= 0:
                best[at], found[at] = value, k
                _put_point(place, at, waiting, 0, which)
            top = 1
            while top > 0:
                top -= 1
                deep, limit = waiting[top, BOUND], _limit(best[at], give, least)
                if deep <= limit:
                    continue
                pieces += 1
                if pieces == most and wider < _WIDEST:
                    pieces, wider = most - most // _SHORTER, 2.0 * wider
                if pieces >= most or top + 4 > len(waiting) or deep <= best[at] * (1.0 + wider * INTERFERENCE) + give:
                    left = max(left, deep)
                    continue
                parts, clear = cut_piece(
                    surfaces,
                    planes,
                    faces,
                    quads,
                    at,
                    slack,
                    limit,
                    waiting,
                    top,
                    cut,
                    bounds,
                    p,
                    q,
                    sides,
                    others,
                    nodes,
                )
                first = top
                for n in range(parts):
                    # The parts are written above the piece, and moved down if they are kept.
                    new = first + 1 + n
                    if not put_part(waiting, first, new, cut, n, clear):
                        continue
                    value, which = _measure(
                        surfaces,
                        planes,
                        faces,
                        quads,
                        boxes,
                        at,
                        best[at],
                        _limit(best[at], give, least),
                        slack,
                        waiting,
                        new,
                        False,
                        nodes,
                        gaps,
                    )
                    if which >= 0:
                        best[at], found[at] = value, k
                        _put_point(place, at, waiting, new, which)
                # All parts are measured before any of them is written in place of the piece.
                for n in range(parts):
                    new = first + 1 + n
                    if waiting[new, BOUND] <= _limit(best[at], give, least):
                        continue
                    for m in range(COLUMNS):
                        waiting[top, m] = waiting[new, m]
                    top += 1
                # The last one on the stack is the next: the part that may be the deepest.
                for n in range(first, top - 1):
                    if waiting[n, BOUND] > waiting[top - 1, BOUND]:
                        for m in range(COLUMNS):
                            waiting[n, m], waiting[top - 1, m] = waiting[top - 1, m], waiting[n, m]
            memory[k, 0] = left
            dropped = max(dropped, left)
        state[at, 1], state[at, 2], state[at, 3] = float(pieces), wider, dropped
        bound[at] = best[at]
        if dropped > _limit(best[at], give, least):
            bound[at] = max(best[at], min(dropped, _thickness(surfaces, at, convex)))


def _thickness(surfaces: Surfaces, at: int, convex: bool) -> float:
    """An upper bound of the depth of all points in a mesh: half of the shortest side of its bounds."""
    if convex:
        return inf
    root, least = surfaces.rows[at, 0], inf
    for k in range(3):
        least = min(least, -surfaces.span[root, 3 + k] - surfaces.span[root, k])
    return 0.5 * least


def _limit(best: float, give: float, least: float) -> float:
    """The value that a bound must exceed to matter."""
    return max(best * (1.0 + INTERFERENCE) + give, least)


def _place(corners: Floats3, at: int, frames: Floats2, problem: int, p: Floats2) -> None:
    """Write the corners of a triangle in the frame of the solid."""
    for n in range(3):
        v = corner(corners, at, n)
        for k in range(3):
            m = 3 * k
            p[n, k] = (
                frames[problem, m] * v[0] + frames[problem, m + 1] * v[1] + frames[problem, m + 2] * v[2]
            ) + frames[problem, 9 + k]


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


def _put_point(place: Floats2, at: int, waiting: Floats2, piece: int, which: int) -> None:
    """Write a corner of a piece, or its center."""
    put(place, at, point_of(waiting, piece, which))


def _measure(
    surfaces: Surfaces,
    planes: Floats2,
    faces: Ints2,
    quads: Floats2,
    boxes: Floats2,
    at: int,
    best: float,
    limit: float,
    slack: float,
    waiting: Floats2,
    to: int,
    known: bool,
    nodes: Ints1,
    gaps: Floats1,
) -> tuple[float, int]:
    """Measure a piece: write its depths, keys and bound. Returns the greatest depth above the best, and its point.

    The piece has its corners, the key of a nearby point as that of its center, and whether it is clear. Where the
    center is `known`, its depth and its key are those of the piece.
    """
    convex, clear = faces[at, 0] < faces[at, 1], waiting[to, CLEAR] > 0.0
    middle, square = point_of(waiting, to, 3), 0.0
    for n in range(3):
        out = minus(point_of(waiting, to, n), middle)
        square = max(square, dot(out, out))
    radius, key = sqrt(square), int(waiting[to, KEYS + 3])
    if not known:
        waiting[to, BOUND] = -1.0
        if _is_beside(boxes, at, middle, radius):
            return 0.0, -1
        far, key = distance_of(surfaces, planes, faces, at, middle, max(limit - radius, 0.0), key, nodes, gaps)
        if far + radius <= limit:
            return 0.0, -1
        if not convex and not clear and not is_within(surfaces, at, middle, far, slack, nodes):
            far = -far
        waiting[to, DEPTHS + 3], waiting[to, KEYS + 3] = far, float(key)
    depth, which = waiting[to, DEPTHS + 3], -1
    bound = min(depth + radius, bound_by(surfaces, planes, faces, quads, at, key, waiting, to))
    if depth > best and not _is_beside(boxes, at, middle, 0.0):
        best, which = depth, 3
    for n in range(3):
        if bound <= limit:
            break
        point = point_of(waiting, to, n)
        one, other = minus(point_of(waiting, to, (n + 1) % 3), point), minus(point_of(waiting, to, (n + 2) % 3), point)
        reach = sqrt(max(dot(one, one), dot(other, other)))
        value, near = distance_of(surfaces, planes, faces, at, point, max(limit - reach, 0.0), key, nodes, gaps)
        if value + reach <= limit:
            bound = limit
            break
        if not convex and not clear:
            out = minus(point, middle)
            if dot(out, out) < depth * depth:
                value = value if depth > 0.0 else -value
            elif value > best and not is_within(surfaces, at, point, value, slack, nodes):
                value = -value
            # Otherwise the point may be outside: its distance is an upper bound of its depth.
        waiting[to, DEPTHS + n], waiting[to, KEYS + n] = value, float(near)
        if value > best and not _is_beside(boxes, at, point, 0.0):
            best, which = value, n
        bound = min(bound, value + reach)
        if bound > limit and near != key:
            bound = min(bound, bound_by(surfaces, planes, faces, quads, at, near, waiting, to))
    waiting[to, BOUND] = bound
    return best, which


def _is_beside(boxes: Floats2, at: int, point: Vector, radius: float) -> bool:
    """Whether all points within a distance of a point are outside of a box."""
    for k in range(3):
        place = point[0] if k == 0 else point[1] if k == 1 else point[2]
        if place + radius < boxes[at, k] or place - radius > boxes[at, 3 + k]:
            return True
    return False
