# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices of a mesh at the same place, its edges and its connected parts. Nothing large is sorted.

They are found by a hash table, by buckets, and by trees of vertices (Tarjan and van Leeuwen, "Worst-case analysis of
set union algorithms", 1984).
"""

from .arrays import Bools1, Floats2, Ints1, Ints2
from .loading import kernel


@kernel
def weld(points: Floats2, columns: int, slots: Ints1, table: Ints1, names: Ints1) -> None:
    """Find the lowest index of the points with exactly the same coordinates, for each point.

    Parameters
    ----------
    points : (k, columns) float64
        Without minus zeros.
    slots : (k,) int64
        The first slot of the table for each point: the same for the same coordinates.
    table : (S,) int64
        Room, more than k slots: -1.
    names : (k,) int64
        Written.
    """
    for at in range(len(points)):
        slot = slots[at]
        while table[slot] >= 0 and _differ(points, columns, table[slot], at):
            slot += 1
            if slot == len(table):
                slot = 0
        if table[slot] < 0:
            table[slot] = at
        names[at] = table[slot]


def _differ(points: Floats2, columns: int, one: int, other: int) -> bool:
    """Whether two points have different coordinates."""
    for axis in range(columns):
        if points[one, axis] != points[other, axis]:
            return True
    return False


@kernel
def sides(corners: Ints2, start: Ints1, ends: Ints1, sides: Ints1) -> int:
    """Put the sides of triangles in the order of their vertices: by the lower one, then by the higher one.

    Parameters
    ----------
    corners : (m, 3) int64
        Vertices, less than V. Sides between equal vertices are left out.
    start : (V + 1,) int64
        Zeros. Written: for each vertex, the end of the sides of which it is the lower one.
    ends, sides : (3 m,) int64
        Written: the higher vertex of each side, and the side: three times the triangle, and the corner.

    Returns
    -------
    int
        Number of edges.
    """
    for triangle in range(len(corners)):
        for n in range(3):
            one, other = corners[triangle, n], corners[triangle, (n + 1) % 3]
            if one != other:
                start[min(one, other) + 1] += 1
    for vertex in range(len(start) - 1):
        start[vertex + 1] += start[vertex]
    for triangle in range(len(corners)):
        for n in range(3):
            one, other = corners[triangle, n], corners[triangle, (n + 1) % 3]
            if one != other:
                at = start[min(one, other)]
                start[min(one, other)] = at + 1
                ends[at], sides[at] = max(one, other), 3 * triangle + n
    count, first = 0, 0
    for vertex in range(len(start) - 1):
        _sort(ends, sides, first, start[vertex])
        for at in range(first, start[vertex]):
            if at == first or ends[at] != ends[at - 1]:
                count += 1
        first = start[vertex]
    return count


@kernel
def edges(
    corners: Ints2,
    start: Ints1,
    ends: Ints1,
    sides: Ints1,
    vertices: Ints2,
    of_triangle: Ints2,
    uses: Ints1,
    is_open: Bools1,
) -> None:
    """Number the edges of triangles.

    Parameters
    ----------
    corners, start, ends, sides
        See `sides`, which has written the last three.
    vertices : (E, 2) int64
        Written: the two vertices of each edge, in lexicographic order and the lower first.
    of_triangle : (m, 3) int64
        Written: the edge from each corner to the next, if the two are different.
    uses : (E,) int64
        Written: number of sides of triangles on each edge.
    is_open : (E,) bool
        Written: whether more of them go up than down, or fewer.
    """
    edge, first = -1, 0
    for vertex in range(len(start) - 1):
        up = 0
        for at in range(first, start[vertex]):
            if at == first or ends[at] != ends[at - 1]:
                edge += 1
                vertices[edge, 0], vertices[edge, 1], uses[edge], up = vertex, ends[at], 0, 0
            triangle, n = sides[at] // 3, sides[at] % 3
            of_triangle[triangle, n] = edge
            uses[edge] += 1
            up += 1 if corners[triangle, n] == vertex else -1
            is_open[edge] = up != 0
        first = start[vertex]


@kernel
def components(corners: Ints2, above: Ints1, component: Ints1) -> None:
    """Number the parts of a mesh that are connected over vertices, in the order of their lowest vertices.

    Parameters
    ----------
    corners : (m, 3) int64
        Vertices, less than V.
    above : (V,) int64
        Room: -1.
    component : (m,) int64
        Written: the part of each triangle.
    """
    for triangle in range(len(corners)):
        for n in range(3):
            vertex = corners[triangle, n]
            if above[vertex] < 0:
                above[vertex] = vertex
            one, other = _top(above, corners[triangle, 0]), _top(above, vertex)
            above[max(one, other)] = min(one, other)
    # Each vertex is above none that is lower, so that the number of the one above it is known: the complement of it.
    count = 0
    for vertex in range(len(above)):
        if above[vertex] == vertex:
            above[vertex] = -1 - count
            count += 1
        elif above[vertex] >= 0:
            above[vertex] = above[above[vertex]]
    for triangle in range(len(corners)):
        component[triangle] = -1 - above[corners[triangle, 0]]


def _top(above: Ints1, vertex: int) -> int:
    """Return the vertex above all others of a tree, and shorten the way to it."""
    while above[vertex] != vertex:
        above[vertex] = above[above[vertex]]
        vertex = above[vertex]
    return vertex


def _sort(keys: Ints1, values: Ints1, first: int, end: int) -> None:
    """Sort some of the keys with their values (Shell, 1959). Most buckets have a few."""
    gap = 1
    while 9 * gap < 4 * (end - first):
        gap = 9 * gap // 4 + 1
    while gap > 0:
        for at in range(first + gap, end):
            key, value, place = keys[at], values[at], at
            while place >= first + gap and keys[place - gap] > key:
                keys[place], values[place] = keys[place - gap], values[place - gap]
                place -= gap
            keys[place], values[place] = key, value
        gap = gap * 4 // 9
