# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of point sets in space, of any dimension from a point to a solid, one after the other.

Points are rounded to an integer grid (`grids`), and a spanning simplex determines the dimension (`spanning`). The exact
simplicial hull is built (`quickhull`) without vertices that are rounding noise (`hull_noise`), its coplanar triangles
are merged to polygons (`hull_faces`), and these are put in canonical order (`hull_order`).

For a flat set, a solid is built: its coordinates in its plane are rounded to the grid, and an apex is added above the
plane. The neighbors of the apex in the hull of the solid are the outline of the set.
"""

from math import sqrt
from typing import NamedTuple

from ..numerics.tolerances import HULL_LIFT, HULL_THICKNESS
from .arrays import Floats2, Ints1, Vector, ints1
from .exact import accurate_cross, product_difference
from .grids import Sorting, nearest_integer, round_set
from .hull_faces import ABOVE, FACET, Polygons, Regions, merge_coplanar
from .hull_noise import Noise, clean_hull
from .hull_order import (
    BOUND_COLUMNS,
    CORNERS,
    EDGES,
    FACES,
    FROM_GRID,
    ROUNDING,
    TO_GRID,
    VERTICES,
    Hulls,
    Order,
    write_hull,
)
from .loading import kernel
from .quickhull import Facets, Surface
from .spanning import spanning_simplex
from .vectors import cross, divided, dot, least_aligned, minus, row, scaled

# Coordinates in a plane are below this, 2^52 grid steps.
_REACH = 4503599627370496.0


class Room(NamedTuple):
    """Room for one hull.

    Attributes
    ----------
    sorting : Sorting
    distinct : (n, 3) float64
        Grid points.
    source : (n,) int64
        The points that they are made of.
    raised : (n + 1, 3) float64
        Points of a flat set in its plane, and the apex.
    facets, noise, surface, regions, polygons, order
        For `n + 1` points.
    """

    sorting: Sorting
    distinct: Floats2
    source: Ints1
    raised: Floats2
    facets: Facets
    noise: Noise
    surface: Surface
    regions: Regions
    polygons: Polygons
    order: Order


@kernel
def convex_hulls(points: Floats2, first: Ints1, scale: Floats2, room: Room, hulls: Hulls) -> None:
    """Find the convex hulls of many point sets.

    Parameters
    ----------
    points : (n, 3) float64
        Set h is ``points[first[h]:first[h + 1]]``. No set is empty.
    first : (H + 1,) int64
    scale : (H, SCALE_COLUMNS) float64
    room : Room
        For the largest set.
    hulls : Hulls
        Written.
    """
    simplex = ints1(4)
    for column in range(BOUND_COLUMNS):
        hulls.bounds[0, column] = 0
    for h in range(len(scale)):
        begin, end, rounding = first[h], first[h + 1], scale[h, ROUNDING]
        count = round_set(points, begin, end, scale[h, TO_GRID], room.sorting, room.distinct, room.source, 0)
        for k in range(count):
            room.noise.excluded[k] = False
        thickness = HULL_THICKNESS * rounding
        dimension = spanning_simplex(room.distinct, 0, count, room.noise.excluded, thickness, simplex)
        hulls.dimension[h] = dimension
        if dimension < 2:
            _write_line(points, begin, room.source, simplex, hulls, h)
            continue
        if dimension == 3:
            number = clean_hull(room.distinct, count, simplex, rounding, room.facets, room.noise, room.surface)
            faces = merge_coplanar(room.distinct, count, room.surface, number, rounding, room.regions, room.polygons)
        else:
            faces = 2
            _find_outline(count, simplex, rounding, room)
        for face in range(faces):
            # Heights that are rounding errors are ignored, so that a face with exact corners has an exact offset.
            above = room.polygons.planes[face, ABOVE]
            above = above * scale[h, FROM_GRID] if above > HULL_LIFT * rounding else 0.0
            room.polygons.planes[face, ABOVE] = above
        for k in range(room.polygons.first[faces]):
            room.polygons.corners[k] = room.source[room.polygons.corners[k]]
        write_hull(points, begin, end, scale, room.polygons, faces, room.order, hulls, h)


def _write_line(points: Floats2, begin: int, source: Ints1, simplex: Ints1, hulls: Hulls, h: int) -> None:
    """Write a hull without faces: a point or a segment."""
    a, b = min(source[simplex[0]], source[simplex[1]]), max(source[simplex[0]], source[simplex[1]])
    edge, vertex = hulls.bounds[h, EDGES], hulls.bounds[h, VERTICES]
    hulls.bounds[h + 1, FACES], hulls.bounds[h + 1, CORNERS] = hulls.bounds[h, FACES], hulls.bounds[h, CORNERS]
    hulls.bounds[h + 1, EDGES] = edge + hulls.dimension[h]
    hulls.bounds[h + 1, VERTICES] = vertex + 1 + hulls.dimension[h]
    hulls.first[hulls.bounds[h, FACES]] = hulls.bounds[h, CORNERS]
    hulls.measures[h, 0] = hulls.measures[h, 1] = 0.0
    if hulls.dimension[h] == 0:
        # All points coincide within rounding: the first is used.
        a = b = 0
    else:
        hulls.edges[edge, 0], hulls.edges[edge, 1] = a, b
        hulls.edges[edge, 2] = hulls.edges[edge, 3] = -1
        hulls.vertices[vertex + 1] = b
    hulls.vertices[vertex] = a
    for axis in range(3):
        middle = points[begin + a, axis]
        if a != b:
            middle = (middle + points[begin + b, axis]) / 2.0
        hulls.measures[h, 2 + axis] = middle


def _find_outline(count: int, simplex: Ints1, rounding: float, room: Room) -> None:
    """Write the two faces of a flat set of grid points."""
    origin = row(room.distinct, simplex[0])
    normal = accurate_cross(
        minus(row(room.distinct, simplex[1]), origin), minus(row(room.distinct, simplex[2]), origin)
    )
    normal = divided(normal, sqrt(dot(normal, normal)))
    shrink = _raise(count, simplex, origin, normal, room)
    number = clean_hull(room.raised, count + 1, simplex, rounding * shrink, room.facets, room.noise, room.surface)
    corners = _write_ring(count, number, room)
    highest, lowest = 0.0, 0.0
    for k in range(count):
        height = dot(minus(row(room.distinct, k), origin), normal)
        highest, lowest = max(highest, height), min(lowest, height)
    above, below = 0.0, 0.0
    for k in range(corners):
        height = dot(minus(row(room.distinct, room.polygons.corners[k]), origin), normal)
        if k == 0:
            above = below = height
        above, below = max(above, height), min(below, height)
        room.polygons.corners[2 * corners - 1 - k] = room.polygons.corners[k]
    room.polygons.first[0], room.polygons.first[1], room.polygons.first[2] = 0, corners, 2 * corners
    _write_plane(room.polygons, 0, normal, highest - above)
    _write_plane(room.polygons, 1, scaled(-1.0, normal), below - lowest)


def _write_plane(polygons: Polygons, face: int, normal: Vector, above: float) -> None:
    polygons.planes[face, 0], polygons.planes[face, 1], polygons.planes[face, 2] = normal
    polygons.planes[face, ABOVE] = above


def _raise(count: int, simplex: Ints1, origin: Vector, normal: Vector, room: Room) -> float:
    """Write the points in their plane, and an apex above the simplex. Returns the factor of their coordinates."""
    first_axis = cross(normal, least_aligned(normal))
    first_axis = divided(first_axis, sqrt(dot(first_axis, first_axis)))
    second_axis = cross(normal, first_axis)
    reach = 0.0
    for k in range(count):
        offset = minus(row(room.distinct, k), origin)
        across, along = dot(offset, first_axis), dot(offset, second_axis)
        reach = max(reach, max(abs(across), abs(along)))
        room.raised[k, 0], room.raised[k, 1], room.raised[k, 2] = across, along, 0.0
    # Diagonals can exceed the width of the grid. Coordinates outside the exact range shrink by a power of two.
    shrink = 1.0
    while reach * shrink >= _REACH:
        shrink *= 0.5
    for k in range(count):
        room.raised[k, 0] = nearest_integer(room.raised[k, 0] * shrink)
        room.raised[k, 1] = nearest_integer(room.raised[k, 1] * shrink)
    across, along, reach = 0.0, 0.0, 0.0
    for k in range(3):
        across += room.raised[simplex[k], 0]
        along += room.raised[simplex[k], 1]
        reach = max(reach, max(abs(room.raised[simplex[k], 0]), abs(room.raised[simplex[k], 1])))
    room.raised[count, 0], room.raised[count, 1] = nearest_integer(across / 3.0), nearest_integer(along / 3.0)
    room.raised[count, 2] = reach
    simplex[3] = count
    return shrink


def _write_ring(apex: int, number: int, room: Room) -> int:
    """Write the neighbors of the apex in order, without points on a straight line. Returns their number."""
    start, sides = -1, 0
    for facet in range(number):
        for side in range(3):
            if room.surface.corners[facet, side] == apex:
                start = room.surface.corners[facet, (side + 1) % 3]
                room.regions.vertices[start, FACET] = room.surface.corners[facet, (side + 2) % 3]
                sides += 1
    made = 0
    for _ in range(sides):
        # Whether the outline turns at the end of this side is exact.
        tail = room.regions.vertices[start, FACET]
        head = room.regions.vertices[tail, FACET]
        before = minus(row(room.raised, tail), row(room.raised, start))
        after = minus(row(room.raised, head), row(room.raised, tail))
        if product_difference(before[0], after[1], before[1], after[0]) > 0.0:
            room.polygons.corners[made] = tail
            made += 1
        start = tail
    return made
