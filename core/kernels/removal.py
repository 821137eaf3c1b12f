# SPDX-License-Identifier: GPL-3.0-or-later
"""Removal of half-spaces from their intersection, on the triangles of the dual hull.

See `collision_kit.core.fit.half_spaces`. A vertex of the dual hull is a half-space, and its neighbors are a ring. The
triangles of their hull that take the place of a removed vertex are found from the sides of the ring inward: beside a
known edge, it is the triangle that has all other neighbors below it (the pivot of gift wrapping, Chand and Kapur 1970).
"""

from math import inf, sqrt
from typing import NamedTuple

from ..numerics.tolerances import FIT_BOUNDED
from .arrays import Floats1, Floats2, Ints1, Ints2, Vector
from .loading import kernel
from .vectors import cross, divided, dot, greatest_coordinate, minus, row, scaled

# Columns of `Dual.room`. Of a ring: the vertex at each place, the triangle between it, the next one and the center, and
# the triangle beyond. Of the triangles of a cap: the places of their corners, and the triangle of the cap and its side
# that their last side meets. The triangle of the cap and its side at each side of the ring. Of edges whose inner
# triangle is still to be found: the places of both ends, and the triangle and its side beyond.
RING, OWN, BEYOND, MADE, UP, LEAF, WAIT = 0, 1, 2, 3, 6, 8, 10
ROOM_COLUMNS = 14
# Columns of `Dual.place`: the corner of the cap at each side of the ring, the foot of the perpendicular on the plane of
# each neighbor, both from the first of these corners, and the corner of the cap beyond an edge that waits.
BASE, FOOT, OUTSIDE = 0, 3, 6
PLACE_COLUMNS = 9


class Dual(NamedTuple):
    """Triangles of a dual hull, and room to change them.

    Attributes
    ----------
    points : (F, 3) float64
        The dual point of each half-space. The origin is inside.
    corners, neighbors : (T, 3) int64
        Counterclockwise as seen from outside; the triangle across the edge from each corner to the next.
    at : (F,) int64
        A triangle at each vertex; -1 if the half-space has been removed.
    volume : (F,) float64
        The volume of each cap that has been measured; negative if it has not.
    room : (F, ROOM_COLUMNS) int64
    place : (F, PLACE_COLUMNS) float64
    """

    points: Floats2
    corners: Ints2
    neighbors: Ints2
    at: Ints1
    volume: Floats1
    room: Ints2
    place: Floats2


@kernel
def remove(dual: Dual, number: int, most: int) -> int:
    """Remove the half-space with the smallest cap, one after the other.

    Parameters
    ----------
    dual : Dual
    number, most : int
        How many half-spaces there are, and how many may be left.

    Returns
    -------
    int
        How many are left: more than `most` if none of these can be removed.
    """
    left = number
    while left > most:
        plane, least = -1, inf
        for one in range(len(dual.at)):
            if dual.at[one] < 0:
                continue
            if dual.volume[one] < 0.0:
                dual.volume[one] = _cap(dual, one, _around(dual, one))
            if dual.volume[one] < least:
                plane, least = one, dual.volume[one]
        if plane < 0:
            break
        _fill(dual, plane)
        left -= 1
    return left


def _around(dual: Dual, plane: int) -> int:
    """Find the ring of a vertex, counterclockwise as seen from outside. Returns the number of neighbors."""
    triangle, size = dual.at[plane], 0
    while size == 0 or triangle != dual.at[plane]:
        side = _corner(dual, triangle, plane)
        after = (side + 1) % 3
        dual.room[size, RING] = dual.corners[triangle, after]
        dual.room[size, OWN] = triangle
        dual.room[size, BEYOND] = dual.neighbors[triangle, after]
        triangle = dual.neighbors[triangle, (side + 2) % 3]
        size += 1
    return size


def _corner(dual: Dual, triangle: int, vertex: int) -> int:
    """Return which corner of a triangle a vertex is."""
    if dual.corners[triangle, 0] == vertex:
        return 0
    return 1 if dual.corners[triangle, 1] == vertex else 2


def _cap(dual: Dual, plane: int, size: int) -> float:
    """Find the triangles that take the place of a vertex with `size` neighbors, and the volume of the cap.

    The volume is a sixth of the sum, over all faces of the cap and their edges, of the determinants of the foot of the
    perpendicular on the face and both ends of the edge. These are relative to a corner of the removed face, which
    therefore contributes nothing. It is infinite if the other half-spaces do not bound the cap, or if its triangles are
    ambiguous.
    """
    own, far = row(dual.points, plane), 0.0
    for at in range(size):
        one, other = _neighbor(dual, at), _neighbor(dual, (at + 1) % size)
        normal = cross(minus(one, own), minus(other, own))
        height = dot(normal, own)
        if not height > 0.0:
            return inf
        _put_place(dual, at, BASE, divided(normal, height))
        far = max(far, greatest_coordinate(one))
    origin, total = _place(dual, 0, BASE), 0.0
    for at in range(size):
        one = _neighbor(dual, at)
        _put_place(dual, at, BASE, minus(_place(dual, at, BASE), origin))
        _put_place(dual, at, FOOT, scaled((1.0 - dot(one, origin)) / dot(one, one), one))
    for at in range(size):
        before = _place(dual, (at + size - 1) % size, BASE)
        total += dot(_place(dual, at, FOOT), cross(before, _place(dual, at, BASE)))
    _wait(dual, 0, 0, size - 1, -1, 0, _place(dual, size - 1, BASE))
    waiting, made = 1, 0
    while waiting > 0:
        waiting -= 1
        low, high = dual.room[waiting, WAIT], dual.room[waiting, WAIT + 1]
        up, side = dual.room[waiting, WAIT + 2], dual.room[waiting, WAIT + 3]
        outside, inner = _place(dual, waiting, OUTSIDE), _place(dual, low, BASE)
        if high == low + 1:
            dual.room[low, LEAF], dual.room[low, LEAF + 1] = up, side
        else:
            between = _pivot(dual, low, high)
            start = _neighbor(dual, low)
            normal = cross(minus(_neighbor(dual, between), start), minus(_neighbor(dual, high), start))
            height = dot(normal, start)
            if height <= FIT_BOUNDED * sqrt(dot(normal, normal)) * far or not dot(normal, own) > height:
                return inf
            for at in range(size):
                if at != low and at != between and at != high and not dot(normal, _neighbor(dual, at)) < height:
                    return inf
            inner = minus(divided(normal, height), origin)
            dual.room[made, MADE], dual.room[made, MADE + 1], dual.room[made, MADE + 2] = low, between, high
            dual.room[made, UP], dual.room[made, UP + 1] = up, side
            _wait(dual, waiting, low, between, made, 0, inner)
            _wait(dual, waiting + 1, between, high, made, 1, inner)
            waiting += 2
            made += 1
        turned = minus(_place(dual, high, FOOT), _place(dual, low, FOOT))
        total += dot(turned, cross(outside, inner))
    return max(total / 6.0, 0.0)


def _pivot(dual: Dual, low: int, high: int) -> int:
    """Find the place between two places of a ring whose triangle with them has all others between them below it."""
    start, end = _neighbor(dual, low), _neighbor(dual, high)
    best = low + 1
    normal = cross(minus(_neighbor(dual, best), start), minus(end, start))
    for at in range(low + 2, high):
        way = minus(_neighbor(dual, at), start)
        if dot(normal, way) > 0.0:
            best, normal = at, cross(way, minus(end, start))
    return best


def _fill(dual: Dual, plane: int) -> None:
    """Remove a vertex: the triangles of its cap take the place of those around it."""
    size = _around(dual, plane)
    _cap(dual, plane, size)
    dual.at[plane] = -1
    for made in range(size - 2):
        triangle = dual.room[made, OWN]
        for side in range(3):
            vertex = dual.room[dual.room[made, MADE + side], RING]
            dual.corners[triangle, side] = vertex
            dual.at[vertex], dual.volume[vertex] = triangle, -1.0
        up = dual.room[made, UP]
        if up >= 0:
            _join(dual, triangle, 2, dual.room[up, OWN], dual.room[made, UP + 1])
        else:
            _join_beyond(dual, triangle, 2, size - 1)
    for place in range(size - 1):
        _join_beyond(dual, dual.room[dual.room[place, LEAF], OWN], dual.room[place, LEAF + 1], place)


def _join_beyond(dual: Dual, triangle: int, side: int, place: int) -> None:
    """Make a side of a triangle meet the triangle beyond a side of the ring, which begins at the end of that side."""
    beyond = dual.room[place, BEYOND]
    _join(dual, triangle, side, beyond, _corner(dual, beyond, dual.corners[triangle, (side + 1) % 3]))


def _join(dual: Dual, one: int, side: int, other: int, beyond: int) -> None:
    """Make two triangles meet at a side of each."""
    dual.neighbors[one, side], dual.neighbors[other, beyond] = other, one


def _wait(dual: Dual, at: int, low: int, high: int, up: int, side: int, outside: Vector) -> None:
    """Note an edge between two places of a ring whose inner triangle is still to be found."""
    dual.room[at, WAIT], dual.room[at, WAIT + 1] = low, high
    dual.room[at, WAIT + 2], dual.room[at, WAIT + 3] = up, side
    _put_place(dual, at, OUTSIDE, outside)


def _neighbor(dual: Dual, place: int) -> Vector:
    """Return the dual point at a place of the ring."""
    return row(dual.points, dual.room[place, RING])


def _place(dual: Dual, at: int, column: int) -> Vector:
    """Return three numbers of the room for places."""
    return dual.place[at, column], dual.place[at, column + 1], dual.place[at, column + 2]


def _put_place(dual: Dual, at: int, column: int, value: Vector) -> None:
    """Write three numbers of the room for places."""
    dual.place[at, column], dual.place[at, column + 1], dual.place[at, column + 2] = value
