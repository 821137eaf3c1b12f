# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of hulls as polygons: coplanar triangles of a simplicial hull are merged.

Two triangles are coplanar if the tetrahedron of their four corners is thinner than rounding. This measure does not
depend on the diagonal between the four corners, and is robust for slivers. Triangles connected through such edges are
merged to a face if they are flat together, have a single outline and turn left at each of its corners. No vertex may be
left with fewer than three faces, and no two faces may have two edges in common. Regions that fail are left as
triangles: the hull is still correct.
"""

from math import inf, sqrt
from typing import NamedTuple

from ..numerics.tolerances import HULL_CORNER
from .arrays import Floats2, Ints1, Ints2, Vector
from .exact import accurate_cross
from .quickhull import LIFT, SIZE, Surface
from .vectors import cross, dot, minus, row

# Columns of `Regions.facets`: the region of each facet, which is its lowest facet; the next facet of the region; and
# of a region the first facet, whether it is to be dissolved, and the last region that was found beside it.
LABEL, NEXT, FIRST, BAD, BESIDE = range(5)
FACET_COLUMNS = 5
# Columns of `Regions.vertices`: the last region that has been found to have a vertex, and the last one whose outline
# has; the facet of the side of the outline that begins there, and which of its sides it is.
SEEN, OUTLINED, FACET, SIDE = range(4)
VERTEX_COLUMNS = 4

# Columns of `Polygons.planes`: the unit normal, and the greatest height of points above the highest corner.
ABOVE = 3
POLYGON_COLUMNS = 4


class Regions(NamedTuple):
    """Room for regions of coplanar facets.

    Attributes
    ----------
    facets : (T, FACET_COLUMNS) int64
    vertices : (n, VERTEX_COLUMNS) int64
    """

    facets: Ints2
    vertices: Ints2


class Polygons(NamedTuple):
    """The faces of a hull.

    Attributes
    ----------
    corners : (C,) int64
        One face after another, counterclockwise as seen from outside.
    first : (F + 1,) int64
        Face f has the corners ``corners[first[f]:first[f + 1]]``.
    planes : (F, POLYGON_COLUMNS) float64
    """

    corners: Ints1
    first: Ints1
    planes: Floats2


def merge_coplanar(
    points: Floats2, count: int, surface: Surface, number: int, rounding: float, regions: Regions, polygons: Polygons
) -> int:
    """Merge coplanar facets to polygons, each convex and flat within twice the rounding. Returns their number."""
    if _connect(points, surface, number, rounding, regions):
        for vertex in range(count):
            regions.vertices[vertex, SEEN] = regions.vertices[vertex, OUTLINED] = -1
        for region in range(number):
            if _is_merged(regions, region) and not _is_polygon(points, surface, region, rounding, regions):
                _dissolve(regions, region)
        while _mark_neighbors_that_meet_twice(surface, number, regions):
            for region in range(number):
                if regions.facets[region, BAD] == 1:
                    _dissolve(regions, region)
    made = 0
    polygons.first[0] = 0
    for region in range(number):
        if regions.facets[region, LABEL] == region:
            if _is_merged(regions, region):
                _write_region(points, surface, region, regions, polygons, made)
            else:
                at = polygons.first[made]
                polygons.first[made + 1] = at + 3
                for k in range(3):
                    polygons.corners[at + k] = surface.corners[region, k]
                    polygons.planes[made, k] = surface.planes[region, k]
                polygons.planes[made, ABOVE] = surface.planes[region, LIFT]
            made += 1
    return made


def _connect(points: Floats2, surface: Surface, number: int, rounding: float, regions: Regions) -> bool:
    """Make regions of the facets that are connected through edges of coplanar ones. Returns whether there are any."""
    any_coplanar = False
    for facet in range(number):
        regions.facets[facet, LABEL] = facet
    for facet in range(number):
        for side in range(3):
            other = surface.neighbors[facet, side]
            if other > facet and _are_coplanar(points, surface, facet, side, other, rounding):
                any_coplanar = True
                a, b = _root(regions, facet), _root(regions, other)
                regions.facets[max(a, b), LABEL] = min(a, b)
    for facet in range(number):
        # A label is lower than the facet: it already is that of a region.
        regions.facets[facet, LABEL] = regions.facets[regions.facets[facet, LABEL], LABEL]
        regions.facets[facet, FIRST] = -1
    for k in range(number):
        facet = number - 1 - k
        label = regions.facets[facet, LABEL]
        regions.facets[facet, NEXT] = regions.facets[label, FIRST]
        regions.facets[label, FIRST] = facet
    return any_coplanar


def _root(regions: Regions, facet: int) -> int:
    """The lowest facet of a region that is being made."""
    while regions.facets[facet, LABEL] != facet:
        regions.facets[facet, LABEL] = regions.facets[regions.facets[facet, LABEL], LABEL]
        facet = regions.facets[facet, LABEL]
    return facet


def _are_coplanar(points: Floats2, surface: Surface, facet: int, side: int, other: int, rounding: float) -> bool:
    """Whether the corners of two neighbors are coplanar within rounding."""
    start, end = surface.corners[facet, side], surface.corners[facet, (side + 1) % 3]
    apex = surface.corners[facet, (side + 2) % 3]
    # The edge's two corners belong to both triangles, so subtracting them from the sum leaves the third corner.
    tip = surface.corners[other, 0] + surface.corners[other, 1] + surface.corners[other, 2] - start - end
    along, opposite = minus(row(points, end), row(points, start)), minus(row(points, tip), row(points, apex))
    base = facet
    if surface.planes[other, SIZE] > surface.planes[facet, SIZE]:
        base, tip = other, apex
    size = surface.planes[base, SIZE]
    volume = -dot(minus(row(points, tip), row(points, start)), row(surface.planes, base)) * size
    # The thickness is six times the volume divided by the greatest projected area of the four corners. An upper bound
    # of that area rejects most edges.
    if volume > rounding * max(size, sqrt(dot(along, along) * dot(opposite, opposite))):
        return False
    shown = cross(along, opposite)
    return volume <= rounding * max(size, sqrt(dot(shown, shown)))


def _is_merged(regions: Regions, region: int) -> bool:
    """Whether a facet is the lowest of a region of several."""
    return regions.facets[region, LABEL] == region and regions.facets[region, NEXT] >= 0


def _dissolve(regions: Regions, region: int) -> None:
    """Make a region of each of its facets."""
    facet = region
    while facet >= 0:
        following = regions.facets[facet, NEXT]
        regions.facets[facet, LABEL] = facet
        regions.facets[facet, NEXT] = -1
        facet = following


def _normal(surface: Surface, region: int, regions: Regions) -> Vector:
    """The unit normal of a region: the mean of those of its facets, by area."""
    x, y, z = 0.0, 0.0, 0.0
    facet = region
    while facet >= 0:
        size = surface.planes[facet, SIZE]
        x += surface.planes[facet, 0] * size
        y += surface.planes[facet, 1] * size
        z += surface.planes[facet, 2] * size
        facet = regions.facets[facet, NEXT]
    length = sqrt(dot((x, y, z), (x, y, z)))
    if length == 0.0:
        return row(surface.planes, region)
    return x / length, y / length, z / length


def _is_polygon(points: Floats2, surface: Surface, region: int, rounding: float, regions: Regions) -> bool:
    """Whether the outline of a region is a flat convex polygon."""
    normal = _normal(surface, region, regions)
    origin = row(points, surface.corners[region, 0])
    highest, lowest = 0.0, 0.0
    triangles, vertices, sides = 0, 0, 0
    facet = region
    while facet >= 0:
        triangles += 1
        for side in range(3):
            corner = surface.corners[facet, side]
            height = dot(minus(row(points, corner), origin), normal)
            highest, lowest = max(highest, height), min(lowest, height)
            if regions.vertices[corner, SEEN] != region:
                regions.vertices[corner, SEEN] = region
                vertices += 1
            if regions.facets[surface.neighbors[facet, side], LABEL] != region:
                sides += 1
                if regions.vertices[corner, OUTLINED] == region:
                    return False
                regions.vertices[corner, OUTLINED] = region
                regions.vertices[corner, FACET], regions.vertices[corner, SIDE] = facet, side
        facet = regions.facets[facet, NEXT]
    # A disk has Euler characteristic one. If one side begins at each corner, its outline is a single polygon.
    if highest - lowest > 2.0 * rounding or 2 * (vertices + triangles) - (3 * triangles + sides) != 2:
        return False
    facet = region
    while facet >= 0:
        for side in range(3):
            if regions.facets[surface.neighbors[facet, side], LABEL] != region:
                head = surface.corners[facet, (side + 1) % 3]
                end = surface.corners[regions.vertices[head, FACET], (regions.vertices[head, SIDE] + 1) % 3]
                before = minus(row(points, head), row(points, surface.corners[facet, side]))
                after = minus(row(points, end), row(points, head))
                longer = sqrt(max(dot(before, before), dot(after, after)))
                if dot(accurate_cross(before, after), normal) <= HULL_CORNER * rounding * longer:
                    return False
        facet = regions.facets[facet, NEXT]
    return True


def _mark_neighbors_that_meet_twice(surface: Surface, number: int, regions: Regions) -> bool:
    """Mark regions of several facets that have two edges in common with another region. Returns whether there are any.

    At a vertex with only two faces, two edges are between the same two faces.
    """
    found = False
    for facet in range(number):
        regions.facets[facet, BAD], regions.facets[facet, BESIDE] = 0, -1
    for region in range(number):
        if _is_merged(regions, region):
            facet = region
            while facet >= 0:
                for side in range(3):
                    beyond = regions.facets[surface.neighbors[facet, side], LABEL]
                    if beyond != region:
                        if regions.facets[beyond, BESIDE] == region:
                            regions.facets[region, BAD] = 1
                            found = True
                        regions.facets[beyond, BESIDE] = region
                facet = regions.facets[facet, NEXT]
    return found


def _write_region(
    points: Floats2, surface: Surface, region: int, regions: Regions, polygons: Polygons, number: int
) -> None:
    """Write a region of several facets as a polygon."""
    normal = _normal(surface, region, regions)
    origin = row(points, surface.corners[region, 0])
    # The normal of a region is a weighted sum of the normals of its facets, so no point is farther along it than the
    # same weighted sum of their offsets.
    along = 0.0
    highest = -inf
    start, sides = -1, 0
    facet = region
    while facet >= 0:
        along += surface.planes[facet, SIZE] * dot(row(surface.planes, facet), normal)
        for side in range(3):
            if regions.facets[surface.neighbors[facet, side], LABEL] != region:
                start = surface.corners[facet, side]
                sides += 1
                highest = max(highest, dot(minus(row(points, start), origin), normal))
                regions.vertices[start, FACET], regions.vertices[start, SIDE] = facet, side
        facet = regions.facets[facet, NEXT]
    limit = 0.0
    facet = region
    while facet >= 0:
        above = dot(minus(row(points, surface.corners[facet, 0]), origin), row(surface.planes, facet))
        limit += surface.planes[facet, SIZE] / along * (above + surface.planes[facet, LIFT])
        facet = regions.facets[facet, NEXT]
    polygons.planes[number, 0], polygons.planes[number, 1], polygons.planes[number, 2] = normal
    polygons.planes[number, ABOVE] = limit - highest
    at = polygons.first[number]
    polygons.first[number + 1] = at + sides
    for k in range(sides):
        polygons.corners[at + k] = start
        start = surface.corners[regions.vertices[start, FACET], (regions.vertices[start, SIDE] + 1) % 3]
