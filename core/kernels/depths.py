# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of points and triangles in solids.

The depth of a point is its distance from the boundary of the solid, negative outside. The deepest point of triangles is
found by branch and bound. Upper bounds of the depth over a piece of a triangle:

- The depth changes by at most the distance between two points.
- A point is at most as deep as its distance from any triangle of the boundary. In a convex solid, it is at most as deep
  as its distance from any plane of the boundary. Both are convex functions of the point, so their maximum over a piece
  is at a corner. So is the distance from two triangles that are a convex quad, as most polygons are.

Pieces that may be deeper than the best point are cut: first along the planes of triangles that cross them, then where
two of these bounds are equal. So each part has one nearest triangle, as in a Voronoi diagram.
"""

from math import inf, sqrt

from ..numerics.tolerances import INTERFERENCE
from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, floats2, ints1
from .loading import kernel
from .points import nearest_triangle, square_to_triangle
from .rays import Surfaces
from .triangles import meet
from .vectors import corner, cross, dot, minus, moved, put, row
from .windings import is_inside

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Columns of a waiting piece: its corners, the depths of these and of the center, the keys of the same points, the upper
# bound of its depth, whether it is completely inside, and the triangle that it is a part of.
_DEPTHS, _KEYS, _BOUND, _CLEAR, _SOURCE, COLUMNS = 9, 13, 17, 18, 19, 20
# Maximum factor of repeated doubling of the tolerance. Then the search ends with the deepest point that was found.
_WIDEST = 1024.0
# After each doubling, this fraction of the pieces is searched. A search that does not end with the first tolerance,
# such as one with equal depths in many voxels, rarely ends with the next.
_SHORTER = 16
# Number of triangles crossing a piece from which the one whose plane halves it best is chosen.
_CROSSING = 16
# Maximum number of steps of the search for the point on an edge where two bounds are equal, and its tolerance, as a
# fraction of the relevant depth. Any point is valid; a good one saves cuts.
_STEPS, _EQUAL = 128, 1e-3
# Fraction of the diagonal of a quad: its greatest height. Coordinates in float32 have this much rounding and more.
_FLAT = 1e-6
# Fraction of an edge. A cut nearer to its end would make parts without width.
_LEAST_SHARE = 1e-12


@kernel
def points(surfaces: Surfaces, places: Floats2, enough: Floats1, depth: Floats1, triangle: Ints1) -> None:
    """Measure the depths of points in meshes.

    Parameters
    ----------
    surfaces : Surfaces
        The solid of each point.
    places : (K, 3) float64
        In the frame of the solid.
    enough : (K,) float64
        Points that are at most this deep need not be measured exactly: any value up to it may be returned.
    depth : (K,) float64
        Written: the depths, negative outside.
    triangle : (K,) int64
        Written: the nearest triangle.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    for at in range(len(places)):
        point = row(places, at)
        far, near = nearest_triangle(surfaces, at, point, max(enough[at], 0.0), -1, nodes, gaps)
        depth[at], triangle[at] = far, near
        if far > enough[at] and not is_inside(surfaces, at, point, nodes):
            depth[at] = -far


@kernel
def distances(surfaces: Surfaces, places: Floats2, distance: Floats1, triangle: Ints1) -> None:
    """Measure the distances of points (K, 3), in the frame of a mesh, from it, and write the nearest triangles."""
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    for at in range(len(places)):
        distance[at], triangle[at] = nearest_triangle(surfaces, at, row(places, at), 0.0, -1, nodes, gaps)


@kernel
def quads(corners: Floats3, found: Floats2) -> None:
    """Find triangles that form a convex quad with the one before or after, as those of a polygon of four corners do.

    Parameters
    ----------
    corners : (T, 3, 3) float64
        The triangles of a mesh.
    found : (T, 2) float64
        Written: 1 if the other half is the next triangle, -1 if it is the one before, otherwise 0; and twice the height
        of the corner of the second half over the plane of the first.
    """
    at = 0
    while at < len(corners):
        found[at, 0], found[at, 1] = 0.0, 0.0
        height = _quad_height(corners, at) if at + 1 < len(corners) else -1.0
        if height < 0.0:
            at += 1
            continue
        found[at, 0], found[at + 1, 0] = 1.0, -1.0
        found[at, 1], found[at + 1, 1] = 2.0 * height, 2.0 * height
        at += 2


def _quad_height(corners: Floats3, at: int) -> float:
    """The height of a triangle's corner over the plane of the one before it. Negative if the two are no flat quad."""
    for m in range(3):
        a, b, c = corner(corners, at, m), corner(corners, at, (m + 1) % 3), corner(corners, at, (m + 2) % 3)
        for n in range(3):
            one, two = corner(corners, at + 1, n), corner(corners, at + 1, (n + 1) % 3)
            if one[0] != b[0] or one[1] != b[1] or one[2] != b[2] or two[0] != a[0] or two[1] != a[1] or two[2] != a[2]:
                continue
            d = corner(corners, at + 1, (n + 2) % 3)
            edge, left, right = minus(b, a), minus(c, a), minus(d, a)
            normal = cross(edge, left)
            square = dot(normal, normal)
            # The corners c and d are on both sides of the edge, and less than half a turn apart at both of its ends.
            if (
                square == 0.0
                or dot(normal, cross(right, edge)) <= 0.0
                or dot(normal, cross(right, left)) <= 0.0
                or dot(normal, cross(minus(c, b), minus(d, b))) <= 0.0
            ):
                return -1.0
            height = abs(dot(normal, right)) / sqrt(square)
            return height if height <= _FLAT * sqrt(dot(edge, edge)) else -1.0
    return -1.0


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
            far, key = _far(surfaces, planes, faces, at, middle, max(limit - radius, 0.0), key, nodes, gaps)
            if far + radius <= limit:
                continue
            if not convex and not _is_within(surfaces, at, middle, far, slack, nodes):
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
            waiting[0, _KEYS + 3], waiting[0, _CLEAR], waiting[0, _SOURCE] = memory[k, 1], 0.0, float(k)
            waiting[0, _DEPTHS + 3] = memory[k, 2]
            if convex:
                waiting[0, _CLEAR] = 1.0
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
                deep, limit = waiting[top, _BOUND], _limit(best[at], give, least)
                if deep <= limit:
                    continue
                pieces += 1
                if pieces == most and wider < _WIDEST:
                    pieces, wider = most - most // _SHORTER, 2.0 * wider
                if pieces >= most or top + 4 > len(waiting) or deep <= best[at] * (1.0 + wider * INTERFERENCE) + give:
                    left = max(left, deep)
                    continue
                parts, clear = _cut(
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
                    if not _part(waiting, first, new, cut, n, clear):
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
                    if waiting[new, _BOUND] <= _limit(best[at], give, least):
                        continue
                    for m in range(COLUMNS):
                        waiting[top, m] = waiting[new, m]
                    top += 1
                # The last one on the stack is the next: the part that may be the deepest.
                for n in range(first, top - 1):
                    if waiting[n, _BOUND] > waiting[top - 1, _BOUND]:
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


def _point(waiting: Floats2, at: int, which: int) -> Vector:
    """A corner of a piece, or its center."""
    if which < 3:
        return waiting[at, 3 * which], waiting[at, 3 * which + 1], waiting[at, 3 * which + 2]
    third = 1.0 / 3.0
    return (
        third * (waiting[at, 0] + waiting[at, 3] + waiting[at, 6]),
        third * (waiting[at, 1] + waiting[at, 4] + waiting[at, 7]),
        third * (waiting[at, 2] + waiting[at, 5] + waiting[at, 8]),
    )


def _put_point(place: Floats2, at: int, waiting: Floats2, piece: int, which: int) -> None:
    """Write a corner of a piece, or its center."""
    put(place, at, _point(waiting, piece, which))


def _far(
    surfaces: Surfaces,
    planes: Floats2,
    faces: Ints2,
    at: int,
    point: Vector,
    enough: float,
    guess: int,
    nodes: Ints1,
    gaps: Floats1,
) -> tuple[float, int]:
    """The distance of a point from the boundary of a solid, and the nearest triangle. `guess` is tried first.

    If the boundary is within `enough`, any triangle within it may be returned. For convex solids: the signed depth.
    """
    if faces[at, 0] < faces[at, 1]:
        least, face = inf, -1
        for n in range(faces[at, 0], faces[at, 1]):
            depth = _depth_below(planes, n, point)
            if depth < least:
                least, face = depth, n - faces[at, 0]
        return least, face
    return nearest_triangle(surfaces, at, point, enough, guess, nodes, gaps)


def _depth_below(planes: Floats2, at: int, point: Vector) -> float:
    """Return how far a point is below a plane."""
    return planes[at, 3] - (planes[at, 0] * point[0] + planes[at, 1] * point[1] + planes[at, 2] * point[2])


def _key_bound(
    surfaces: Surfaces, planes: Floats2, faces: Ints2, quads: Floats2, at: int, key: float, point: Vector
) -> float:
    """The upper bound of the depth of a point from a triangle, or the quad that it is a half of, or a plane."""
    if faces[at, 0] < faces[at, 1]:
        return _depth_below(planes, faces[at, 0] + int(key), point)
    triangle = surfaces.rows[at, 2] + int(key)
    square = square_to_triangle(surfaces.corners, triangle, point, inf)
    other = int(quads[triangle, 0])
    if other != 0:
        square = min(square, square_to_triangle(surfaces.corners, triangle + other, point, inf))
    return sqrt(square)


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
    convex, clear = faces[at, 0] < faces[at, 1], waiting[to, _CLEAR] > 0.0
    middle, square = _point(waiting, to, 3), 0.0
    for n in range(3):
        out = minus(_point(waiting, to, n), middle)
        square = max(square, dot(out, out))
    radius, key = sqrt(square), int(waiting[to, _KEYS + 3])
    if not known:
        waiting[to, _BOUND] = -1.0
        if _is_beside(boxes, at, middle, radius):
            return 0.0, -1
        far, key = _far(surfaces, planes, faces, at, middle, max(limit - radius, 0.0), key, nodes, gaps)
        if far + radius <= limit:
            return 0.0, -1
        if not convex and not clear and not _is_within(surfaces, at, middle, far, slack, nodes):
            far = -far
        waiting[to, _DEPTHS + 3], waiting[to, _KEYS + 3] = far, float(key)
    depth, which = waiting[to, _DEPTHS + 3], -1
    bound = min(depth + radius, _bound_by(surfaces, planes, faces, quads, at, key, waiting, to))
    if depth > best and not _is_beside(boxes, at, middle, 0.0):
        best, which = depth, 3
    for n in range(3):
        if bound <= limit:
            break
        point = _point(waiting, to, n)
        one, other = minus(_point(waiting, to, (n + 1) % 3), point), minus(_point(waiting, to, (n + 2) % 3), point)
        reach = sqrt(max(dot(one, one), dot(other, other)))
        value, near = _far(surfaces, planes, faces, at, point, max(limit - reach, 0.0), key, nodes, gaps)
        if value + reach <= limit:
            bound = limit
            break
        if not convex and not clear:
            out = minus(point, middle)
            if dot(out, out) < depth * depth:
                value = value if depth > 0.0 else -value
            elif value > best and not _is_within(surfaces, at, point, value, slack, nodes):
                value = -value
            # Otherwise the point may be outside: its distance is an upper bound of its depth.
        waiting[to, _DEPTHS + n], waiting[to, _KEYS + n] = value, float(near)
        if value > best and not _is_beside(boxes, at, point, 0.0):
            best, which = value, n
        bound = min(bound, value + reach)
        if bound > limit and near != key:
            bound = min(bound, _bound_by(surfaces, planes, faces, quads, at, near, waiting, to))
    waiting[to, _BOUND] = bound
    return best, which


def _bound_by(
    surfaces: Surfaces, planes: Floats2, faces: Ints2, quads: Floats2, at: int, key: int, waiting: Floats2, piece: int
) -> float:
    """The upper bound that a triangle or a plane of the solid gives for the depth of a piece: that of a corner.

    If the triangle is a half of a quad, the distance from the quad is also convex, apart from its height.
    """
    most, convex = -inf, faces[at, 0] < faces[at, 1]
    triangle = 0 if convex else surfaces.rows[at, 2] + key
    if convex or quads[triangle, 0] == 0.0:
        for n in range(3):
            most = max(most, _key_bound(surfaces, planes, faces, quads, at, float(key), _point(waiting, piece, n)))
        return most
    other, whole = triangle + int(quads[triangle, 0]), -inf
    for n in range(3):
        point = _point(waiting, piece, n)
        square = square_to_triangle(surfaces.corners, triangle, point, inf)
        most = max(most, square)
        whole = max(whole, min(square, square_to_triangle(surfaces.corners, other, point, inf)))
    return min(sqrt(most), sqrt(whole) + quads[triangle, 1])


def _is_within(surfaces: Surfaces, at: int, point: Vector, far: float, slack: float, nodes: Ints1) -> bool:
    """Whether a point is in a solid at distance `far` from its boundary. On the boundary, within rounding, it is True.

    On the boundary, no ray is certain, and the angles of all triangles would have to be added.
    """
    return far <= slack or is_inside(surfaces, at, point, nodes)


def _is_beside(boxes: Floats2, at: int, point: Vector, radius: float) -> bool:
    """Whether all points within a distance of a point are outside of a box."""
    for k in range(3):
        place = point[0] if k == 0 else point[1] if k == 1 else point[2]
        if place + radius < boxes[at, k] or place - radius > boxes[at, 3 + k]:
            return True
    return False


def _part(waiting: Floats2, of: int, to: int, cut: Floats2, which: int, clear: bool) -> bool:
    """Write a part of a piece that has been cut: its corners, and the data from the piece. False if it is degenerate.

    Rows of `cut`: the corner on one side, the cut points of its two edges, and the other two corners.
    """
    tip, left, right = 0, 1, 2
    if which == 1:
        tip, left, right = 1, 3, 4
    if which == 2:
        tip, left, right = 1, 4, 2
    for k in range(3):
        waiting[to, k], waiting[to, 3 + k], waiting[to, 6 + k] = cut[tip, k], cut[left, k], cut[right, k]
    waiting[to, _KEYS + 3] = waiting[of, _KEYS + 3]
    waiting[to, _CLEAR], waiting[to, _SOURCE] = 1.0 if clear else 0.0, waiting[of, _SOURCE]
    waiting[to, _BOUND] = -inf
    one, other = minus(row(cut, left), row(cut, tip)), minus(row(cut, right), row(cut, tip))
    return dot(one, one) > 0.0 and dot(other, other) > 0.0


def _cut(
    surfaces: Surfaces,
    planes: Floats2,
    faces: Ints2,
    quads: Floats2,
    at: int,
    slack: float,
    limit: float,
    waiting: Floats2,
    piece: int,
    cut: Floats2,
    bounds: Floats2,
    p: Floats2,
    q: Floats2,
    sides: Floats2,
    others: Floats2,
    nodes: Ints1,
) -> tuple[int, bool]:
    """Cut a piece; see `_part`. Returns the number of parts, 0 if it is outside, and whether they are clear."""
    clear = waiting[piece, _CLEAR] > 0.0
    if not clear:
        for n in range(9):
            p[n // 3, n % 3] = waiting[piece, n]
        crossed, first, second, third = _crossing(surfaces, at, slack, p, q, sides, others, nodes)
        if crossed:
            return _split(waiting, piece, first, second, third, cut), False
        # A piece that no triangle crosses is completely inside or outside, like its center.
        if waiting[piece, _DEPTHS + 3] <= 0.0:
            return 0, False
    # Cut where the bound of the best key equals the bound of the key of the worst corner.
    best, worst, least = 0, 0, inf
    for k in range(4):
        most, top = -inf, 0
        for n in range(3):
            key = waiting[piece, _KEYS + k]
            bounds[k, n] = _key_bound(surfaces, planes, faces, quads, at, key, _point(waiting, piece, n))
            if bounds[k, n] > most:
                most, top = bounds[k, n], n
        if most < least:
            best, worst, least = k, top, most
    first, second, third = (
        bounds[best, 0] - bounds[worst, 0],
        bounds[best, 1] - bounds[worst, 1],
        bounds[best, 2] - bounds[worst, 2],
    )
    if least > limit and max(max(first, second), third) > 0.0 and min(min(first, second), third) < 0.0:
        lone, one, other = _sides(first, second, third)
        tip = _point(waiting, piece, lone)
        level = first if lone == 0 else second if lone == 1 else third
        x = _share(surfaces, planes, faces, quads, at, waiting, piece, best, worst, lone, one, level, limit)
        y = _share(surfaces, planes, faces, quads, at, waiting, piece, best, worst, lone, other, level, limit)
        if min(x, y) >= _LEAST_SHARE and x <= 1.0 - _LEAST_SHARE:
            left, right = _point(waiting, piece, one), _point(waiting, piece, other)
            put(cut, 0, tip)
            put(cut, 1, moved(tip, minus(left, tip), x))
            put(cut, 2, right if y >= 1.0 else moved(tip, minus(right, tip), y))
            put(cut, 3, left)
            put(cut, 4, right)
            return 2 if y >= 1.0 else 3, True
    # Otherwise halve the longest edge.
    longest, size = 0, -1.0
    for n in range(3):
        edge = minus(_point(waiting, piece, (n + 1) % 3), _point(waiting, piece, n))
        if dot(edge, edge) > size:
            longest, size = n, dot(edge, edge)
    tip, left = _point(waiting, piece, longest), _point(waiting, piece, (longest + 1) % 3)
    right = _point(waiting, piece, (longest + 2) % 3)
    put(cut, 0, tip)
    put(cut, 1, moved(tip, minus(left, tip), 0.5))
    put(cut, 2, right)
    put(cut, 3, left)
    put(cut, 4, right)
    return 2, True


def _split(waiting: Floats2, piece: int, first: float, second: float, third: float, cut: Floats2) -> int:
    """Cut a piece along a plane that crosses its edges, given the heights of its corners.

    Returns the number of parts.
    """
    lone, one, other = _sides(first, second, third)
    level = first if lone == 0 else second if lone == 1 else third
    below = first if one == 0 else second if one == 1 else third
    beside = first if other == 0 else second if other == 1 else third
    tip, left, right = _point(waiting, piece, lone), _point(waiting, piece, one), _point(waiting, piece, other)
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
    surfaces: Surfaces,
    planes: Floats2,
    faces: Ints2,
    quads: Floats2,
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
    tip, tail = _point(waiting, piece, start), _point(waiting, piece, end)
    one, other = waiting[piece, _KEYS + best], waiting[piece, _KEYS + worst]
    low, left, right, share = level, 0.0, 1.0, 1.0
    high = _key_bound(surfaces, planes, faces, quads, at, one, tail) - _key_bound(
        surfaces, planes, faces, quads, at, other, tail
    )
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
        value = _key_bound(surfaces, planes, faces, quads, at, one, point)
        value -= _key_bound(surfaces, planes, faces, quads, at, other, point)
        if abs(value) <= _EQUAL * limit:
            break
        if (value > 0.0) == (low > 0.0):
            left, low = share, value
        else:
            right, high = share, value
    return share


def _crossing(
    surfaces: Surfaces, at: int, slack: float, p: Floats2, q: Floats2, sides: Floats2, others: Floats2, nodes: Ints1
) -> tuple[bool, float, float, float]:
    """Find a triangle of the solid that crosses a piece. Returns the heights of the piece's corners over its plane.

    Of several such triangles, this is the one whose plane halves the piece best.
    """
    root, leaf, first, leaves = surfaces.rows[at, 0], surfaces.rows[at, 1], surfaces.rows[at, 2], surfaces.rows[at, 3]
    low = (
        min(min(p[0, 0], p[1, 0]), p[2, 0]) - slack,
        min(min(p[0, 1], p[1, 1]), p[2, 1]) - slack,
        min(min(p[0, 2], p[1, 2]), p[2, 2]) - slack,
    )
    high = (
        max(max(p[0, 0], p[1, 0]), p[2, 0]) + slack,
        max(max(p[0, 1], p[1, 1]), p[2, 1]) + slack,
        max(max(p[0, 2], p[1, 2]), p[2, 2]) + slack,
    )
    found, most, heights = 0, 0.0, (0.0, 0.0, 0.0)
    nodes[0], top = 0, 1
    while top > 0 and found < _CROSSING:
        top -= 1
        node = nodes[top]
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
            nodes[top], nodes[top + 1] = 2 * node + 2, 2 * node + 1
            top += 2
            continue
        number = surfaces.leaf[leaf + node + 1 - leaves]
        if number < 0:
            continue
        for n in range(3):
            put(q, n, corner(surfaces.corners, first + number, n))
        normal = cross(minus(row(q, 1), row(q, 0)), minus(row(q, 2), row(q, 0)))
        size = sqrt(dot(normal, normal))
        if size == 0.0:
            continue
        one = _height(dot(normal, minus(row(p, 0), row(q, 0))) / size, slack)
        two = _height(dot(normal, minus(row(p, 1), row(q, 0))) / size, slack)
        three = _height(dot(normal, minus(row(p, 2), row(q, 0))) / size, slack)
        less = min(max(max(one, two), three), -min(min(one, two), three))
        if less <= 0.0 or meet(p, q, sides, others, slack) < 0.0:
            continue
        found += 1
        if less > most:
            most, heights = less, (one, two, three)
    return most > 0.0, heights[0], heights[1], heights[2]


def _height(value: float, slack: float) -> float:
    """A height over a plane, zero within rounding."""
    return 0.0 if abs(value) <= 2.0 * slack else value
