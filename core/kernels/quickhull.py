# SPDX-License-Identifier: GPL-3.0-or-later
"""Quickhull (Barber, Dobkin and Huhdanpaa 1996) of one point set on an integer grid, with exact predicates.

See `collision_kit.core.hull.grid` for the grid. Each facet has a list of the points that are outside and assigned
to it, each point to one of the facets that it is above. While a facet has points, the farthest one is inserted: the
facets that it sees are found by flood fill, and replaced by the cone over their border.
"""

from math import sqrt
from typing import NamedTuple

from ..numerics.tolerances import HULL_HEIGHT_ERROR
from .arrays import Bools1, Floats1, Floats2, Ints1, Ints2, floats1
from .exact import accurate_cross, two_difference, two_product
from .vectors import minus, row

# Columns of `Facets.state`: whether it is a facet of the hull; the first point assigned to it, and the farthest; the
# last search that has reached it; and whether it waits for its farthest point to be inserted.
ALIVE, FIRST, FARTHEST, REACHED, WAITING = range(5)
# Columns of `Facets.planes`: the unit normal, a corner, the height of the farthest point, the greatest height of
# excluded points that are left, and twice the area.
NORMAL, ANCHOR, HEIGHT, SLACK, AREA = 0, 3, 6, 7, 8
PLANE_COLUMNS = 9
# Columns of `Facets.room`: facets that a search has found, facets to be used again, facets that wait, the excluded
# point that is highest, and the searches that have found it.
FOUND, FREE, WAIT, HIGHEST = range(4)

# Columns of `Surface.planes`: the unit normal, the greatest height of excluded points above it, and twice the area.
LIFT, SIZE = 3, 4
SURFACE_COLUMNS = 5

# Number of terms of a determinant of three vectors, each exact.
_TERMS = 24


class Facets(NamedTuple):
    """Points, and room for the facets of their hull: 2 n facets for n points.

    Attributes
    ----------
    points : (n, 3) float64
        Integers, of which differences are exact.
    corners, neighbors : (F, 3) int64
        Counterclockwise as seen from outside; the facet across the edge from each corner to the next.
    planes : (F, PLANE_COLUMNS) float64
    state, room : (F, 5), (F, 4) int64
    following, moved, begin : (n,) int64
        The next point that is assigned to the same facet; points whose facets are removed; and the new facet at the
        edge that begins at a point.
    border : (n, 3) int64
        The edges around the facets that are removed: both ends, and the facet beyond.
    """

    points: Floats2
    corners: Ints2
    neighbors: Ints2
    planes: Floats2
    state: Ints2
    room: Ints2
    following: Ints1
    moved: Ints1
    begin: Ints1
    border: Ints2


class Surface(NamedTuple):
    """The facets of a simplicial hull.

    Attributes
    ----------
    corners, neighbors : (T, 3) int64
        Counterclockwise as seen from outside; the facet across the edge from each corner to the next.
    planes : (T, SURFACE_COLUMNS) float64
    """

    corners: Ints2
    neighbors: Ints2
    planes: Floats2


def simplicial_hull(facets: Facets, count: int, simplex: Ints1, excluded: Bools1, limit: float) -> int:
    """Build the simplicial hull of a point set.

    Parameters
    ----------
    facets : Facets
        Of the points, the first `count` are the set. Written: everything else.
    count : int
    simplex : (4,) int64
        Points that are not in one plane.
    excluded : (count,) bool
        Points to be inserted only if they are too high above a facet. Written: whether they still are excluded.
    limit : float
        Greatest height of excluded points. Negative: excluded points are not looked at.

    Returns
    -------
    used : int
        The end of the facets that have been used, of which some are alive.
    """
    search = _begin(facets, count, simplex, excluded)
    used, waiting, free = 4, 0, 0
    for k in range(4):
        waiting = _wait(facets, k, waiting)
    while True:
        if waiting == 0 and limit >= 0.0:
            search = _measure(facets, used, search)
            waiting = _include(facets, used, limit, excluded)
        if waiting == 0:
            return used
        waiting -= 1
        facet = facets.room[waiting, WAIT]
        facets.state[facet, WAITING] = 0
        if facets.state[facet, ALIVE] == 1 and facets.state[facet, FARTHEST] >= 0:
            search += 1
            used, free, waiting = _insert(facets, facet, search, used, free, waiting, excluded)


def take_surface(facets: Facets, used: int, source: Ints1, surface: Surface) -> int:
    """Write the facets that are alive, one after the other, and return their number.

    Parameters
    ----------
    facets : Facets
    used : int
        Result of `simplicial_hull`.
    source : (n,) int64
        What the points are called on the surface.
    surface : Surface
        Written.
    """
    count = 0
    for facet in range(used):
        if facets.state[facet, ALIVE] == 1:
            facets.room[facet, FOUND] = count
            count += 1
    for facet in range(used):
        if facets.state[facet, ALIVE] == 1:
            place = facets.room[facet, FOUND]
            for k in range(3):
                surface.corners[place, k] = source[facets.corners[facet, k]]
                surface.neighbors[place, k] = facets.room[facets.neighbors[facet, k], FOUND]
                surface.planes[place, k] = facets.planes[facet, NORMAL + k]
            surface.planes[place, LIFT] = facets.planes[facet, SLACK]
            surface.planes[place, SIZE] = facets.planes[facet, AREA]
    return count


def _begin(facets: Facets, count: int, simplex: Ints1, excluded: Bools1) -> int:
    """Make the facets of a simplex, and assign all other points to them. Returns the number of the last search."""
    a, b, c, d = simplex[0], simplex[1], simplex[2], simplex[3]
    _put(facets, 0, a, b, c, 1, 2, 3)
    if _is_above(facets, 0, d):
        a, b = b, a
        _put(facets, 0, a, b, c, 1, 2, 3)
    _put(facets, 1, a, d, b, 3, 2, 0)
    _put(facets, 2, b, d, c, 1, 3, 0)
    _put(facets, 3, c, d, a, 2, 1, 0)
    for k in range(4):
        facets.room[k, FOUND] = k
    for point in range(count):
        if point != a and point != b and point != c and point != d:
            _assign(facets, 4, point, excluded)
    return 0


def _put(facets: Facets, facet: int, a: int, b: int, c: int, first: int, second: int, third: int) -> None:
    """Write a facet to which no point is assigned: its corners and its neighbors."""
    facets.corners[facet, 0], facets.corners[facet, 1], facets.corners[facet, 2] = a, b, c
    facets.neighbors[facet, 0], facets.neighbors[facet, 1], facets.neighbors[facet, 2] = first, second, third
    origin = row(facets.points, a)
    normal = accurate_cross(minus(row(facets.points, b), origin), minus(row(facets.points, c), origin))
    size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
    for axis in range(3):
        facets.planes[facet, ANCHOR + axis] = facets.points[a, axis]
    facets.planes[facet, NORMAL] = normal[0] / size
    facets.planes[facet, NORMAL + 1] = normal[1] / size
    facets.planes[facet, NORMAL + 2] = normal[2] / size
    facets.planes[facet, HEIGHT] = facets.planes[facet, SLACK] = 0.0
    facets.planes[facet, AREA] = size
    facets.state[facet, ALIVE], facets.state[facet, REACHED], facets.state[facet, WAITING] = 1, 0, 0
    facets.state[facet, FIRST] = facets.state[facet, FARTHEST] = -1


def _height(facets: Facets, facet: int, point: int) -> tuple[float, float]:
    """The height of a point above the plane of a facet, in grid steps, and an error bound."""
    x = (facets.points[point, 0] - facets.planes[facet, ANCHOR]) * facets.planes[facet, NORMAL]
    y = (facets.points[point, 1] - facets.planes[facet, ANCHOR + 1]) * facets.planes[facet, NORMAL + 1]
    z = (facets.points[point, 2] - facets.planes[facet, ANCHOR + 2]) * facets.planes[facet, NORMAL + 2]
    return x + y + z, (abs(x) + abs(y) + abs(z)) * HULL_HEIGHT_ERROR


def _is_above(facets: Facets, facet: int, point: int) -> bool:
    """Whether a point is strictly above a facet, exactly."""
    height, error = _height(facets, facet, point)
    # If the error bound is zero, every term is zero: the point is exactly in the plane.
    if abs(height) > error or error == 0.0:
        return height > error
    return exactly_above(facets, facet, point)


def exactly_above(facets: Facets, facet: int, point: int) -> bool:
    """The sign of the determinant of three differences of points, as a sum of floats that do not overlap (Shewchuk)."""
    terms = floats1(_TERMS)
    origin = row(facets.points, facets.corners[facet, 0])
    a = minus(row(facets.points, facets.corners[facet, 1]), origin)
    b = minus(row(facets.points, facets.corners[facet, 2]), origin)
    p = minus(row(facets.points, point), origin)
    count = _add_product(terms, 0, p[0], a[1], b[2], a[2], b[1])
    count = _add_product(terms, count, p[1], a[2], b[0], a[0], b[2])
    count = _add_product(terms, count, p[2], a[0], b[1], a[1], b[0])
    return count > 0 and terms[count - 1] > 0.0


def _add_product(terms: Floats1, count: int, p: float, a: float, b: float, c: float, d: float) -> int:
    """Add ``p * (a * b - c * d)`` exactly to a sum of terms. Returns their number."""
    head, low = two_product(a, b)
    count = _add_pair(terms, count, p, head)
    count = _add_pair(terms, count, p, low)
    head, low = two_product(c, d)
    count = _add_pair(terms, count, -p, head)
    return _add_pair(terms, count, -p, low)


def _add_pair(terms: Floats1, count: int, a: float, b: float) -> int:
    """Add ``a * b`` exactly to a sum of terms."""
    head, low = two_product(a, b)
    return _add(terms, _add(terms, count, low), head)


def _add(terms: Floats1, count: int, value: float) -> int:
    """Add a number exactly to a sum of terms that do not overlap, from the smallest to the largest, none of them 0."""
    kept = 0
    for k in range(count):
        value, low = two_difference(value, -terms[k])
        if low != 0.0:
            terms[kept] = low
            kept += 1
    if value != 0.0:
        terms[kept] = value
        kept += 1
    return kept


def _assign(facets: Facets, count: int, point: int, excluded: Bools1) -> None:
    """Assign a point to the facet that it is highest above, of those found by the last search; to none inside."""
    best, most = -1, 0.0
    doubtful = False
    for k in range(count):
        facet = facets.room[k, FOUND]
        height, error = _height(facets, facet, point)
        if height > error:
            if best < 0 or height > most:
                best, most = facet, height
        elif error > 0.0 and height >= -error:
            doubtful = True
    if best < 0 and doubtful:
        for k in range(count):
            facet = facets.room[k, FOUND]
            height, error = _height(facets, facet, point)
            near = error > 0.0 and height >= -error
            if near and (best < 0 or height > most) and exactly_above(facets, facet, point):
                best, most = facet, max(height, 0.0)
    if best < 0:
        return
    facets.following[point] = facets.state[best, FIRST]
    facets.state[best, FIRST] = point
    if not excluded[point] and (facets.state[best, FARTHEST] < 0 or most > facets.planes[best, HEIGHT]):
        facets.state[best, FARTHEST], facets.planes[best, HEIGHT] = point, most


def _wait(facets: Facets, facet: int, waiting: int) -> int:
    """Let a facet with a point to insert wait. Returns the number of facets that wait."""
    if facets.state[facet, FARTHEST] < 0 or facets.state[facet, WAITING] == 1:
        return waiting
    facets.state[facet, WAITING] = 1
    facets.room[waiting, WAIT] = facet
    return waiting + 1


def _visible(facets: Facets, facet: int, apex: int, search: int) -> int:
    """Find the facets that a point sees, from one of them on. Returns their number."""
    facets.room[0, FOUND], facets.state[facet, REACHED] = facet, search
    count, at = 1, 0
    while at < count:
        for side in range(3):
            beyond = facets.neighbors[facets.room[at, FOUND], side]
            if facets.state[beyond, REACHED] != search and _is_above(facets, beyond, apex):
                facets.state[beyond, REACHED] = search
                facets.room[count, FOUND] = beyond
                count += 1
        at += 1
    return count


def _insert(
    facets: Facets, facet: int, search: int, used: int, free: int, waiting: int, excluded: Bools1
) -> tuple[int, int, int]:
    """Insert the farthest point of a facet.

    Returns
    -------
    used, free, waiting : int
        The end of the facets that have been used, the number of those that can be used again, and of those that wait.
    """
    apex = facets.state[facet, FARTHEST]
    count = _visible(facets, facet, apex, search)
    edges, points = 0, 0
    for k in range(count):
        removed = facets.room[k, FOUND]
        for side in range(3):
            beyond = facets.neighbors[removed, side]
            if facets.state[beyond, REACHED] != search:
                facets.border[edges, 0] = facets.corners[removed, side]
                facets.border[edges, 1] = facets.corners[removed, (side + 1) % 3]
                facets.border[edges, 2] = beyond
                edges += 1
        point = facets.state[removed, FIRST]
        while point >= 0:
            if point != apex:
                facets.moved[points] = point
                points += 1
            point = facets.following[point]
    for k in range(count):
        removed = facets.room[k, FOUND]
        facets.state[removed, ALIVE] = 0
        facets.state[removed, FARTHEST] = -1
        facets.room[free, FREE] = removed
        free += 1
    for k in range(edges):
        if free > 0:
            free -= 1
            made = facets.room[free, FREE]
        else:
            made = used
            facets.state[made, WAITING] = 0
            used += 1
        facets.room[k, FOUND] = made
        facets.begin[facets.border[k, 0]] = made
    for k in range(edges):
        made = facets.room[k, FOUND]
        first, second = facets.border[k, 0], facets.border[k, 1]
        # Where it is used again while it waits, it is still among those that wait.
        beyond, waits = facets.border[k, 2], facets.state[made, WAITING]
        _put(facets, made, first, second, apex, beyond, facets.begin[second], -1)
        facets.state[made, WAITING] = waits
        for side in range(3):
            if facets.corners[beyond, side] == second:
                facets.neighbors[beyond, side] = made
    for k in range(edges):
        made = facets.room[k, FOUND]
        facets.neighbors[facets.neighbors[made, 1], 2] = made
    for k in range(points):
        _assign(facets, edges, facets.moved[k], excluded)
    for k in range(edges):
        waiting = _wait(facets, facets.room[k, FOUND], waiting)
    return used, free, waiting


def _measure(facets: Facets, used: int, search: int) -> int:
    """Find the greatest height of excluded points above each facet. Returns the number of the last search."""
    for facet in range(used):
        facets.planes[facet, SLACK] = 0.0
        facets.room[facet, HIGHEST] = -1
    for facet in range(used):
        if facets.state[facet, ALIVE] == 0:
            continue
        point = facets.state[facet, FIRST]
        while point >= 0:
            search += 1
            # The facets that a point sees are connected.
            for k in range(_visible(facets, facet, point, search)):
                seen = facets.room[k, FOUND]
                height, _ = _height(facets, seen, point)
                if height > facets.planes[seen, SLACK]:
                    facets.planes[seen, SLACK] = height
                    facets.room[seen, HIGHEST] = point
            point = facets.following[point]
    return search


def _include(facets: Facets, used: int, limit: float, excluded: Bools1) -> int:
    """Stop excluding the highest point of each facet above which it is too high. Returns how many facets wait."""
    any_high = False
    for facet in range(used):
        if facets.state[facet, ALIVE] == 1 and facets.planes[facet, SLACK] > limit:
            excluded[facets.room[facet, HIGHEST]] = False
            any_high = True
    waiting = 0
    if not any_high:
        return waiting
    for facet in range(used):
        if facets.state[facet, ALIVE] == 0:
            continue
        point = facets.state[facet, FIRST]
        while point >= 0:
            height, _ = _height(facets, facet, point)
            if not excluded[point] and (facets.state[facet, FARTHEST] < 0 or height > facets.planes[facet, HEIGHT]):
                facets.state[facet, FARTHEST], facets.planes[facet, HEIGHT] = point, height
            point = facets.following[point]
        waiting = _wait(facets, facet, waiting)
    return waiting
