# SPDX-License-Identifier: GPL-3.0-or-later
"""Points against the triangles of meshes, and against the boxes of a tree."""

from math import inf, sqrt

from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, ints1
from .loading import kernel
from .rays import Surfaces
from .vectors import corner, cross, dot, length, minus, moved, put, row

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# A squared sine: below it, triangles are nearly segments.
_THIN = 1e-8
# The parts of a triangle: the dimension of a feature, and the number of the corner, or of the side from it to the next.
_VERTEX, _EDGE, _FACE = 0, 1, 2


@kernel
def nearest(surfaces: Surfaces, points: Floats2, closest: Floats2, part: Ints2) -> None:
    """Find the point of each mesh that is nearest to a point.

    Parameters
    ----------
    surfaces : Surfaces
    points : (Q, 3) float64
        In the frame of the mesh.
    closest : (Q, 3) float64
        Written: the nearest points.
    part : (Q, 3) int64
        Written: the triangle, the dimension of its part, and the number of that part.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    for at in range(len(points)):
        point = row(points, at)
        _, number = nearest_triangle(surfaces, at, point, 0.0, -1, nodes, gaps)
        if number >= 0:
            place, _, kind, index = on_triangle(surfaces.corners, surfaces.rows[at, 2] + number, point)
            put(closest, at, place)
            part[at, 0], part[at, 1], part[at, 2] = number, kind, index


def nearest_triangle(
    surfaces: Surfaces, at: int, point: Vector, enough: float, guess: int, nodes: Ints1, gaps: Floats1
) -> tuple[float, int]:
    """The distance of a point from a mesh, and the nearest triangle, -1 if there is none.

    The triangle `guess` is tried first, unless it is negative. The search stops at a triangle that is near `enough`.
    `nodes` and `gaps` are room.
    """
    root, leaf, first, leaves = surfaces.rows[at, 0], surfaces.rows[at, 1], surfaces.rows[at, 2], surfaces.rows[at, 3]
    best, number = inf, guess
    if guess >= 0:
        best = square_to_triangle(surfaces.corners, first + guess, point, inf)
    limit = enough * enough
    nodes[0], gaps[0], top = 0, box_gap(surfaces.span, root, point), 1
    while top > 0 and best > limit:
        top -= 1
        if gaps[top] >= best:
            continue
        node = nodes[top]
        if node + 1 < leaves:
            one, other = 2 * node + 1, 2 * node + 2
            near, far = box_gap(surfaces.span, root + one, point), box_gap(surfaces.span, root + other, point)
            if far < near:
                one, other, near, far = other, one, far, near
            if far < best:
                nodes[top], gaps[top] = other, far
                top += 1
            if near < best:
                nodes[top], gaps[top] = one, near
                top += 1
            continue
        triangle = surfaces.leaf[leaf + node + 1 - leaves]
        if triangle < 0:
            continue
        square = square_to_triangle(surfaces.corners, first + triangle, point, best)
        if square < best:
            best, number = square, triangle
    return sqrt(best), number


def is_within(surfaces: Surfaces, at: int, point: Vector, reach: float, nodes: Ints1) -> bool:
    """Whether the mesh of a row is within reach of a point, in the frame of the mesh. `nodes` is room."""
    root, leaf, first, leaves = surfaces.rows[at, 0], surfaces.rows[at, 1], surfaces.rows[at, 2], surfaces.rows[at, 3]
    limit = reach * reach
    nodes[0], top = 0, 1
    while top > 0:
        top -= 1
        node = nodes[top]
        if box_gap(surfaces.span, root + node, point) > limit:
            continue
        if node + 1 < leaves:
            nodes[top], nodes[top + 1] = 2 * node + 2, 2 * node + 1
            top += 2
            continue
        number = surfaces.leaf[leaf + node + 1 - leaves]
        if number >= 0:
            _, square, _, _ = on_triangle(surfaces.corners, first + number, point)
            if square <= limit:
                return True
    return False


def box_gap(span: Floats2, at: int, point: Vector) -> float:
    """The squared distance of a point from a box."""
    x = max(max(span[at, 0] - point[0], point[0] + span[at, 3]), 0.0)
    y = max(max(span[at, 1] - point[1], point[1] + span[at, 4]), 0.0)
    z = max(max(span[at, 2] - point[2], point[2] + span[at, 5]), 0.0)
    return x * x + y * y + z * z


def on_triangle(corners: Floats3, at: int, point: Vector) -> tuple[Vector, float, int, int]:
    """The nearest point of a triangle, the squared distance, and the part that contains it."""
    a, b, c = corner(corners, at, 0), corner(corners, at, 1), corner(corners, at, 2)
    normal = cross(minus(b, a), minus(c, b))
    size = dot(normal, normal)
    if size > 0.0:
        # Over the face: on the inner side of all edges.
        ahead = minus(point, a)
        over = (
            dot(cross(minus(b, a), ahead), normal) >= 0.0
            and dot(cross(minus(c, b), minus(point, b)), normal) >= 0.0
            and dot(cross(minus(a, c), minus(point, c)), normal) >= 0.0
        )
        if over:
            height = dot(normal, ahead) / size
            return moved(point, normal, -height), height * height * size, _FACE, 0
    best, place, kind, index = inf, a, _VERTEX, 0
    for k in range(3):
        start, end = a, b
        if k == 1:
            start, end = b, c
        if k == 2:
            start, end = c, a
        edge, ahead = minus(end, start), minus(point, start)
        square, along = dot(edge, edge), dot(edge, ahead)
        part, other, number = 0.0, _VERTEX, k
        if along >= square and square > 0.0:
            part, number = 1.0, (k + 1) % 3
        elif along > 0.0:
            part, other = along / square, _EDGE
        spot = end if part == 1.0 else moved(start, edge, part)
        gap = minus(point, spot)
        if dot(gap, gap) < best:
            best, place, kind, index = dot(gap, gap), spot, other, number
    return place, best, kind, index


def square_to_triangle(corners: Floats3, at: int, point: Vector, most: float) -> float:
    """The squared distance of a point from a triangle.

    If it is at least `most`, any value from there on may be returned.

    The nearest part of the triangle follows from the projections on its sides (Ericson, "Real-Time Collision
    Detection", 2005, section 5.1.5). For triangles that are nearly segments, these lose too many digits.
    """
    a, b, c = corner(corners, at, 0), corner(corners, at, 1), corner(corners, at, 2)
    ab, ac, ahead = minus(b, a), minus(c, a), minus(point, a)
    normal = cross(ab, ac)
    size, height, along, across = dot(normal, normal), dot(normal, ahead), dot(ab, ab), dot(ac, ac)
    if size <= _THIN * along * across:
        _, square, _, _ = on_triangle(corners, at, point)
        return square
    # A triangle is at least as far away as its plane.
    if height * height >= most * size:
        return inf
    one, two = dot(ab, ahead), dot(ac, ahead)
    if one <= 0.0 and two <= 0.0:
        return dot(ahead, ahead)
    away = minus(point, b)
    three, four = dot(ab, away), dot(ac, away)
    if three >= 0.0 and four <= three:
        return dot(away, away)
    if one * four - three * two <= 0.0 and one >= 0.0 and three <= 0.0:
        gap = moved(ahead, ab, -one / along)
        return dot(gap, gap)
    beyond = minus(point, c)
    five, six = dot(ab, beyond), dot(ac, beyond)
    if six >= 0.0 and five <= six:
        return dot(beyond, beyond)
    if five * two - one * six <= 0.0 and two >= 0.0 and six <= 0.0:
        gap = moved(ahead, ac, -two / across)
        return dot(gap, gap)
    if three * six - five * four <= 0.0 and four >= three and five >= six:
        gap = moved(away, minus(c, b), -(four - three) / (four - three + five - six))
        return dot(gap, gap)
    return height * height / size


@kernel
def boxes(span: Floats2, leaf: Ints1, points: Floats2, reach: Floats1, begin: int, found: Ints2) -> tuple[int, int]:
    """Find the boxes of a tree within a distance of points, until the output is full.

    Parameters
    ----------
    span, leaf : (nodes, 6) float64, (leaves,) int64
        The tree; see `collision_kit.core.mesh.triangle_mesh.Tree`.
    points : (Q, 3) float64
    reach : (Q,) float64
    begin : int
        The first point.
    found : (K, 2) int64
        Written: the point and the box.

    Returns
    -------
    next : int
        The first point that is not finished.
    count : int
        The number of boxes found.
    """
    nodes = ints1(_DEPTH)
    leaves, count = len(leaf), 0
    for at in range(begin, len(points)):
        point, limit = row(points, at), reach[at] * reach[at]
        first, top, nodes[0] = count, 1, 0
        while top > 0:
            top -= 1
            node = nodes[top]
            if box_gap(span, node, point) > limit:
                continue
            if node + 1 < leaves:
                nodes[top], nodes[top + 1] = 2 * node + 1, 2 * node + 2
                top += 2
                continue
            if leaf[node + 1 - leaves] < 0:
                continue
            if count == len(found):
                return at, first
            found[count, 0], found[count, 1] = at, leaf[node + 1 - leaves]
            count += 1
    return len(points), count


@kernel
def least_reach(span: Floats2, leaf: Ints1, points: Floats2, reach: Floats1) -> None:
    """Find an upper bound of the distance of each point from the nearest shape in the boxes of a tree.

    Parameters
    ----------
    span, leaf : (nodes, 6) float64, (leaves,) int64
        The tree; see `collision_kit.core.mesh.triangle_mesh.Tree`.
    points : (Q, 3) float64
    reach : (Q,) float64
        Written. Each shape touches all sides of its box, so it is no farther than the far corners of the nearest side.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    leaves = len(leaf)
    for at in range(len(points)):
        point, best = row(points, at), inf
        nodes[0], gaps[0], top = 0, box_gap(span, 0, point), 1
        while top > 0:
            top -= 1
            if gaps[top] >= best:
                continue
            node = nodes[top]
            if node + 1 < leaves:
                one, other = 2 * node + 1, 2 * node + 2
                near, far = box_gap(span, one, point), box_gap(span, other, point)
                if far < near:
                    one, other, near, far = other, one, far, near
                nodes[top], gaps[top], nodes[top + 1], gaps[top + 1] = other, far, one, near
                top += 2
                continue
            if leaf[node + 1 - leaves] >= 0:
                best = min(best, _farthest(span, node, point))
        reach[at] = best


def _farthest(span: Floats2, at: int, point: Vector) -> float:
    """The squared distance of a point from the far corners of the nearest side of a box."""
    best = inf
    for k in range(3):
        near, far = 0.0, 0.0
        for axis in range(3):
            place = point[0] if axis == 0 else point[1] if axis == 1 else point[2]
            low, high = abs(place - span[at, axis]), abs(place + span[at, axis + 3])
            if axis == k:
                near = min(low, high)
            else:
                far += max(low, high) * max(low, high)
        best = min(best, near * near + far)
    return best


@kernel
def from_triangles(corners: Floats3, which: Ints1, points: Floats2, distance: Floats1) -> None:
    """Measure the distance of each point from its own triangle.

    Parameters
    ----------
    corners : (T, 3, 3) float64
    which : (Q,) int64
        The triangle of each point.
    points : (Q, 3) float64
    distance : (Q,) float64
        Written.
    """
    for at in range(len(points)):
        place, _, _, _ = on_triangle(corners, which[at], row(points, at))
        distance[at] = length(minus(row(points, at), place))
