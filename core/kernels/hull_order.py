# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of hulls in canonical order, with their edges, vertices, offsets and measures."""

from math import inf, sqrt
from typing import NamedTuple

from .arrays import Floats2, Ints1, Ints2
from .exact import accurate_cross
from .hull_faces import ABOVE, Polygons
from .loading import kernel
from .vectors import dot, minus, plus, row, scaled

# Columns of `Order.faces` and `Order.sides`: two keys, numbers of vertices; and the rows in the order of the second one
# and in the order of both.
FIRST_KEY, SECOND_KEY, BY_SECOND, BY_BOTH = range(4)
# Another column of `Order.faces`: the place of the lowest corner.
LOWEST = 4
# Other columns of `Order.sides`: the face, and whether it is gone from the lower end to the higher.
FACE, IS_UP = 4, 5
FACE_COLUMNS, SIDE_COLUMNS = 5, 6

# Columns of the scales of a hull, all powers of two but the last: grid steps in a unit, a grid step, its coordinates
# divided by a power of two above all of them; and the rounding in grid steps.
TO_GRID, FROM_GRID, TO_ONE, ROUNDING = range(4)
SCALE_COLUMNS = 4

# Grid steps in the power of two above all coordinates.
_GRID = 4503599627370496.0

# Columns of `Hulls.bounds`: where the faces, the corners of the faces, the edges and the vertices of a hull begin.
FACES, CORNERS, EDGES, VERTICES = range(4)
BOUND_COLUMNS = 4
# Columns of `Hulls.planes`: the normal, and the offset. Of `Hulls.edges`: both ends and both faces. Of
# `Hulls.measures`: volume, area, centroid.
OFFSET, EDGE_COLUMNS, MEASURE_COLUMNS = 3, 4, 5
PLANE_COLUMNS = 4


class Order(NamedTuple):
    """Room for putting the faces of a hull in order.

    Attributes
    ----------
    number : (n,) int64
        The number of each point among the vertices.
    counts : (n + 1,) int64
    faces : (F, FACE_COLUMNS) int64
    sides : (C, SIDE_COLUMNS) int64
    """

    number: Ints1
    counts: Ints1
    faces: Ints2
    sides: Ints2


class Hulls(NamedTuple):
    """Hulls, one after another. Indices of points, faces and edges start at zero in each hull.

    Attributes
    ----------
    bounds : (H + 1, BOUND_COLUMNS) int64
    dimension : (H,) int64
    corners : (C,) int64
    first : (F + 1,) int64
        Face f has the corners ``corners[first[f]:first[f + 1]]``.
    planes : (F, PLANE_COLUMNS) float64
    edges : (E, EDGE_COLUMNS) int64
    vertices : (V,) int64
    measures : (H, MEASURE_COLUMNS) float64
    """

    bounds: Ints2
    dimension: Ints1
    corners: Ints1
    first: Ints1
    planes: Floats2
    edges: Ints2
    vertices: Ints1
    measures: Floats2


@kernel
def write_solid(points: Floats2, scale: Floats2, polygons: Polygons, faces: int, order: Order, hulls: Hulls) -> None:
    """Write one hull of three dimensions.

    Parameters
    ----------
    points : (n, 3) float64
    scale : (1, SCALE_COLUMNS) float64
    polygons : Polygons
        The faces in any order; `ABOVE` in the unit of the points.
    faces : int
        Their number.
    order : Order
    hulls : Hulls
        Written.
    """
    for column in range(BOUND_COLUMNS):
        hulls.bounds[0, column] = 0
    hulls.dimension[0] = 3
    write_hull(points, 0, len(points), scale, polygons, faces, order, hulls, 0)


def write_hull(
    points: Floats2,
    begin: int,
    end: int,
    scale: Floats2,
    polygons: Polygons,
    faces: int,
    order: Order,
    hulls: Hulls,
    h: int,
) -> None:
    """Write a hull with faces. Its points are the rows from `begin` to `end`."""
    _number_vertices(end - begin, polygons, faces, order, hulls, h)
    _write_faces(points, begin, polygons, faces, order, hulls, h)
    _write_edges(faces, order, hulls, h)
    _measure(points, begin, scale, hulls, h)


def _number_vertices(count: int, polygons: Polygons, faces: int, order: Order, hulls: Hulls, h: int) -> None:
    """Write the vertices, and number them."""
    for point in range(count):
        order.number[point] = -1
    for k in range(polygons.first[faces]):
        order.number[polygons.corners[k]] = 0
    begin, made = hulls.bounds[h, VERTICES], 0
    for point in range(count):
        if order.number[point] == 0:
            hulls.vertices[begin + made] = point
            order.number[point] = made
            made += 1
    hulls.bounds[h + 1, VERTICES] = begin + made


def _write_faces(
    points: Floats2, begin: int, polygons: Polygons, faces: int, order: Order, hulls: Hulls, h: int
) -> None:
    """Write the faces: each starts at its lowest corner, and they are in lexicographic order.

    The two faces of an edge have opposite directions on it, so the first two corners determine the order.
    """
    for face in range(faces):
        first, end = polygons.first[face], polygons.first[face + 1]
        lowest = first
        for k in range(first + 1, end):
            if polygons.corners[k] < polygons.corners[lowest]:
                lowest = k
        following = lowest + 1 if lowest + 1 < end else first
        order.faces[face, FIRST_KEY] = order.number[polygons.corners[lowest]]
        order.faces[face, SECOND_KEY] = order.number[polygons.corners[following]]
        order.faces[face, LOWEST] = lowest
    vertices = hulls.bounds[h + 1, VERTICES] - hulls.bounds[h, VERTICES]
    _sort(order.faces, faces, vertices, order.counts)
    at, made = hulls.bounds[h, CORNERS], hulls.bounds[h, FACES]
    hulls.first[made] = at
    for k in range(faces):
        face = order.faces[k, BY_BOTH]
        first, end = polygons.first[face], polygons.first[face + 1]
        # Zero is added so that there are no negative zeros.
        normal = plus(row(polygons.planes, face), (0.0, 0.0, 0.0))
        highest = -inf
        corner = order.faces[face, LOWEST]
        for _ in range(first, end):
            hulls.corners[at] = polygons.corners[corner]
            highest = max(highest, dot(row(points, begin + polygons.corners[corner]), normal))
            at += 1
            corner = corner + 1 if corner + 1 < end else first
        hulls.planes[made, 0], hulls.planes[made, 1], hulls.planes[made, 2] = normal
        hulls.planes[made, OFFSET] = highest + polygons.planes[face, ABOVE]
        made += 1
        hulls.first[made] = at
    hulls.bounds[h + 1, FACES], hulls.bounds[h + 1, CORNERS] = made, at


def _write_edges(faces: int, order: Order, hulls: Hulls, h: int) -> None:
    """Write the edges in lexicographic order, each with the face that goes from the lower end to the higher first."""
    sides, base = 0, hulls.bounds[h, FACES]
    for face in range(faces):
        first, end = hulls.first[base + face], hulls.first[base + face + 1]
        for k in range(first, end):
            tail = order.number[hulls.corners[k]]
            head = order.number[hulls.corners[k + 1 if k + 1 < end else first]]
            order.sides[sides, FIRST_KEY], order.sides[sides, SECOND_KEY] = min(tail, head), max(tail, head)
            order.sides[sides, FACE], order.sides[sides, IS_UP] = face, 1 if tail < head else 0
            sides += 1
    vertices, made = hulls.bounds[h, VERTICES], hulls.bounds[h, EDGES]
    _sort(order.sides, sides, hulls.bounds[h + 1, VERTICES] - vertices, order.counts)
    for k in range(sides // 2):
        up, down = order.sides[2 * k, BY_BOTH], order.sides[2 * k + 1, BY_BOTH]
        if order.sides[up, IS_UP] == 0:
            up, down = down, up
        hulls.edges[made, 0] = hulls.vertices[vertices + order.sides[up, FIRST_KEY]]
        hulls.edges[made, 1] = hulls.vertices[vertices + order.sides[up, SECOND_KEY]]
        hulls.edges[made, 2], hulls.edges[made, 3] = order.sides[up, FACE], order.sides[down, FACE]
        made += 1
    hulls.bounds[h + 1, EDGES] = made


def _sort(keys: Ints2, count: int, values: int, counts: Ints1) -> None:
    """Put rows in the order of two keys, which are numbers below `values`."""
    for k in range(count):
        keys[k, BY_BOTH] = k
    _sort_by(keys, count, values, counts, SECOND_KEY, BY_BOTH, BY_SECOND)
    _sort_by(keys, count, values, counts, FIRST_KEY, BY_SECOND, BY_BOTH)


def _sort_by(keys: Ints2, count: int, values: int, counts: Ints1, key: int, source: int, target: int) -> None:
    """Put rows that are in one order in that of a key, by counting; equal ones keep their order."""
    for value in range(values + 1):
        counts[value] = 0
    for k in range(count):
        counts[keys[k, key] + 1] += 1
    for value in range(values):
        counts[value + 1] += counts[value]
    for k in range(count):
        place = keys[k, source]
        value = keys[place, key]
        keys[counts[value], target] = place
        counts[value] += 1


def _measure(points: Floats2, begin: int, scale: Floats2, hulls: Hulls, h: int) -> None:
    """Write the volume, the area and the centroid. If there is no volume: the centroid of the surface."""
    # Scaled so that coordinates are about one and products neither overflow nor underflow.
    shrink = scale[h, TO_ONE]
    first_face, last_face = hulls.bounds[h, FACES], hulls.bounds[h + 1, FACES]
    origin = scaled(shrink, row(points, begin + hulls.corners[hulls.first[first_face]]))
    volume, area = 0.0, 0.0
    inside, around = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for face in range(first_face, last_face):
        first = hulls.first[face]
        corner = scaled(shrink, row(points, begin + hulls.corners[first]))
        a = minus(corner, origin)
        for k in range(first + 1, hulls.first[face + 1] - 1):
            b = minus(scaled(shrink, row(points, begin + hulls.corners[k])), corner)
            c = minus(scaled(shrink, row(points, begin + hulls.corners[k + 1])), corner)
            # Area times height instead of a triple product of long edges: accurate for thin hulls.
            across = accurate_cross(b, c)
            double_area = sqrt(dot(across, across))
            content = dot(a, across) if hulls.dimension[h] == 3 else 0.0
            volume += content
            area += double_area
            # The centroid of a tetrahedron is a quarter of the sum of its corners (the origin is one); of a triangle,
            # a third.
            middle = plus(plus(scaled(3.0, a), b), c)
            inside = plus(inside, scaled(content / 4.0, middle))
            around = plus(around, scaled(double_area / 3.0, middle))
    centroid, total = around, area
    if volume > 0.0:
        centroid, total = inside, volume
    if not total > 0.0:
        total = 1.0
    step = scale[h, FROM_GRID]
    hulls.measures[h, 0] = volume / 6.0 * _GRID * step * _GRID * step * _GRID * step
    hulls.measures[h, 1] = area / 2.0 * _GRID * step * _GRID * step
    hulls.measures[h, 2] = (origin[0] + centroid[0] / total) * _GRID * step
    hulls.measures[h, 3] = (origin[1] + centroid[1] / total) * _GRID * step
    hulls.measures[h, 4] = (origin[2] + centroid[2] / total) * _GRID * step
