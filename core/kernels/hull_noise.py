# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls without vertices that protrude by no more than rounding.

Points that are computed to be on a plane or a line are there only to rounding. Exact arithmetic turns this noise into
vertices and slivers. For each vertex, the height above its neighbors along the mean of the normals around it is an
upper bound of its distance from the hull of all others. Vertices within rounding are excluded, and the hull is rebuilt
exactly from the rest. Excluded points that are then more than rounding above a facet are inserted again. This is
repeated until no vertex is left to try. The smallest hull is kept.
"""

from math import sqrt
from typing import NamedTuple

from .arrays import Bools1, Floats2, Ints1, Ints2
from .quickhull import SURFACE_COLUMNS, Facets, Surface, simplicial_hull, take_surface
from .spanning import spanning_simplex
from .vectors import dot, minus, row

# Least and greatest number of times that a hull is rebuilt to remove vertices.
_LEAST_ATTEMPTS, _MOST_ATTEMPTS = 1, 16

# Approximate limit on the total number of vertices over all rebuilds, because large hulls are slow.
_VERTICES_REBUILT = 131072

# Multiplicative hashing to 32 bits. As floats, because in C a number without a point has fewer bits.
_FACTOR, _MODULUS = 2654435761.0, 4294967296.0

# Columns of `Noise.marks`: vertices of the first hull, which are kept when it is rebuilt, which of the last hull are
# redundant, which have been inserted again; and the highest priority of redundant neighbors.
_USED, _KEPT, _REDUNDANT, _NEEDED, _RIVAL = range(5)
MARK_COLUMNS = 5


class Noise(NamedTuple):
    """Room for the vertices that are tried, and for the hull that is rebuilt.

    Attributes
    ----------
    marks : (n, MARK_COLUMNS) int64
    normals : (n, 3) float64
        The sum of the normals of the facets at each vertex.
    excluded : (n,) bool
    source : (n,) int64
        Which points the hull is rebuilt of.
    built : Surface
    """

    marks: Ints2
    normals: Floats2
    excluded: Bools1
    source: Ints1
    built: Surface


def clean_hull(
    points: Floats2, count: int, simplex: Ints1, rounding: float, facets: Facets, noise: Noise, surface: Surface
) -> int:
    """Build the hull of the first `count` points without noise. Returns the number of facets of the surface.

    Heights of points above facets are at most the rounding, in grid steps. The simplex is written to.
    """
    for k in range(count):
        facets.points[k, 0], facets.points[k, 1], facets.points[k, 2] = row(points, k)
        noise.excluded[k] = False
        noise.source[k] = k
        noise.marks[k, _NEEDED] = noise.marks[k, _USED] = 0
    number = take_surface(facets, simplicial_hull(facets, count, simplex, noise.excluded, -1.0), noise.source, surface)
    if not _mark_redundant(points, count, surface, number, noise, rounding):
        return number
    size = 0
    for facet in range(number):
        for k in range(3):
            size += 1 - noise.marks[surface.corners[facet, k], _USED]
            noise.marks[surface.corners[facet, k], _USED] = 1
    for k in range(count):
        noise.marks[k, _KEPT] = noise.marks[k, _USED] * (1 - noise.marks[k, _REDUNDANT])
    chosen = _choose(points, count, facets, noise)
    spans = _spans_space(facets, chosen, noise, rounding, simplex)
    if not spans:
        _keep_all_but_some(count, surface, number, noise)
        chosen = _choose(points, count, facets, noise)
        spans = _spans_space(facets, chosen, noise, rounding, simplex)
    attempts = min(max(_VERTICES_REBUILT // size, _LEAST_ATTEMPTS), _MOST_ATTEMPTS)
    while attempts > 0 and spans:
        used = simplicial_hull(facets, chosen, simplex, noise.excluded, rounding)
        built = take_surface(facets, used, noise.source, noise.built)
        # A closed surface of triangles has two fewer vertices than half its triangles.
        if built // 2 + 2 < size:
            size, number = built // 2 + 2, built
            _copy(noise.built, built, surface)
        # Vertices that were hidden by their neighbors may now be redundant. Inserted vertices are not tried again.
        any_redundant = _mark_redundant(points, count, noise.built, built, noise, rounding)
        for facet in range(built):
            for k in range(3):
                vertex = noise.built.corners[facet, k]
                if noise.marks[vertex, _KEPT] == 0:
                    noise.marks[vertex, _NEEDED] = 1
        if not any_redundant:
            break
        any_redundant = False
        for k in range(count):
            if noise.marks[k, _NEEDED] == 1:
                noise.marks[k, _REDUNDANT] = 0
            elif noise.marks[k, _REDUNDANT] == 1:
                any_redundant = True
        if not any_redundant:
            break
        _keep_all_but_some(count, noise.built, built, noise)
        chosen = _choose(points, count, facets, noise)
        spans = _spans_space(facets, chosen, noise, rounding, simplex)
        attempts -= 1
    return number


def _mark_redundant(points: Floats2, count: int, surface: Surface, number: int, noise: Noise, rounding: float) -> bool:
    """Mark vertices that protrude by no more than rounding, or are that near to a neighbor with a lower index.

    Returns whether there are any.
    """
    for k in range(count):
        noise.normals[k, 0] = noise.normals[k, 1] = noise.normals[k, 2] = 0.0
        noise.marks[k, _REDUNDANT] = 0
    for facet in range(number):
        for k in range(3):
            vertex = surface.corners[facet, k]
            for axis in range(3):
                noise.normals[vertex, axis] += surface.planes[facet, axis]
    found = False
    for facet in range(number):
        for k in range(3):
            tail, head = surface.corners[facet, k], surface.corners[facet, (k + 1) % 3]
            edge = minus(row(points, tail), row(points, head))
            if dot(edge, edge) <= rounding * rounding:
                redundant = head < tail
            else:
                normal = row(noise.normals, tail)
                redundant = dot(edge, normal) <= rounding * sqrt(dot(normal, normal))
            if redundant:
                noise.marks[tail, _REDUNDANT] = 1
                found = True
    return found


def _keep_all_but_some(count: int, surface: Surface, number: int, noise: Noise) -> None:
    """Keep the vertices of a hull apart from redundant ones of which no two are neighbors."""
    for k in range(count):
        noise.marks[k, _RIVAL] = -1
        noise.marks[k, _KEPT] = 0
    for facet in range(number):
        for k in range(3):
            tail, head = surface.corners[facet, k], surface.corners[facet, (k + 1) % 3]
            noise.marks[tail, _KEPT] = 1
            if noise.marks[head, _REDUNDANT] == 1:
                noise.marks[tail, _RIVAL] = max(noise.marks[tail, _RIVAL], _priority(head))
    for k in range(count):
        if noise.marks[k, _REDUNDANT] == 1 and _priority(k) > noise.marks[k, _RIVAL]:
            noise.marks[k, _KEPT] = 0


def _priority(point: int) -> int:
    """A pseudo-random priority: with this order, there are no long chains of neighbors that all wait for the next."""
    return point * int(_FACTOR) % int(_MODULUS)


def _choose(points: Floats2, count: int, facets: Facets, noise: Noise) -> int:
    """Take the vertices of the first hull as points, and exclude those that are not kept. Returns their number."""
    chosen = 0
    for k in range(count):
        if noise.marks[k, _USED] == 1:
            facets.points[chosen, 0], facets.points[chosen, 1], facets.points[chosen, 2] = row(points, k)
            noise.excluded[chosen] = noise.marks[k, _KEPT] == 0
            noise.source[chosen] = k
            chosen += 1
    return chosen


def _spans_space(facets: Facets, chosen: int, noise: Noise, rounding: float, simplex: Ints1) -> bool:
    """Whether the points that are not excluded span space; then the simplex is written."""
    kept = 0
    for k in range(chosen):
        if not noise.excluded[k]:
            kept += 1
    return kept >= 4 and spanning_simplex(facets.points, 0, chosen, noise.excluded, rounding, simplex) == 3


def _copy(source: Surface, number: int, target: Surface) -> None:
    for facet in range(number):
        for k in range(3):
            target.corners[facet, k] = source.corners[facet, k]
            target.neighbors[facet, k] = source.neighbors[facet, k]
        for k in range(SURFACE_COLUMNS):
            target.planes[facet, k] = source.planes[facet, k]
