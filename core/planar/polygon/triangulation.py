# SPDX-License-Identifier: GPL-3.0-or-later
"""Constrained Delaunay triangulation of a plane graph, in exact integer arithmetic.

Points are swept from left to right and joined to the part of the hull that they see; edges that are missing are
brought in by flipping those in their way (Sloan, "A fast algorithm for generating constrained Delaunay triangulations",
1993); Lawson's flips then make it Delaunay, which has the largest least angle that the edges allow: no slivers but
those that the input forces.

A triangulation is a list of dicts: ``third[u][v]`` is the corner w of the triangle u, v, w, counter-clockwise, to the
left of the edge from u to v.
"""

from collections import deque
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TypeVar

from .predicates import Lattice, in_circle, turn

Triangles = list[dict[int, int]]
Edge = tuple[int, int]
Loop = list[int]
Value = TypeVar("Value")


def triangulate(points: Lattice, edges: Iterable[tuple[int, int]]) -> Triangles:
    """Triangles of the hull of the points, not all on one line and in lexicographic order, with these edges."""
    third = _swept(points)
    for u, v in edges:
        _force(points, third, u, v)
    return third


def make_delaunay(points: Lattice, third: Triangles) -> None:
    """Flip edges between two triangles until all are Delaunay; edges with one triangle stay as they are."""
    suspect = [(u, v) for u, row in enumerate(third) for v in row if u < v]
    while suspect:
        a, b = suspect.pop()
        if b not in third[a] or a not in third[b]:
            continue
        c, d = third[a][b], third[b][a]
        if in_circle(points, (a, b, c), d):
            _flip(third, a, b)
            suspect += [(a, c), (c, b), (b, d), (d, a)]


def add(third: Triangles, a: int, b: int, c: int) -> None:
    """Add the triangle a, b, c, counter-clockwise."""
    third[a][b], third[b][c], third[c][a] = c, a, b


def rim(third: Triangles) -> set[Edge]:
    """The edges that have a triangle to the left and none to the right."""
    return {(u, v) for u, row in enumerate(third) for v in row if u not in third[v]}


def spread(third: Triangles, outside: Value, across: Callable[[Edge, Value], Value]) -> dict[Edge, Value]:
    """A value for each triangle, by its three edges, from that of its neighbors and of what is outside.

    `across` tells the value to the left of an edge from the one to its right.
    """
    found: dict[Edge, Value] = {}
    queue = [(edge, outside) for edge in rim(third)]
    while queue:
        (u, v), beyond = queue.pop()
        if (u, v) in found:
            continue
        w = third[u][v]
        found[u, v] = found[v, w] = found[w, u] = value = across((u, v), beyond)
        queue += [((q, p), value) for p, q in ((v, w), (w, u)) if p in third[q] and (q, p) not in found]
    return found


def loops_along(third: Triangles, edges: set[Edge]) -> list[Loop]:
    """The loops that edges make around their triangles, which are to the left."""
    left = set(edges)
    loops = []
    for first in sorted(edges):
        if first not in left:
            continue
        loop, (u, v) = [], first
        while (u, v) in left:
            left.remove((u, v))
            loop.append(u)
            # The next of the edges out of v, turning about v through the triangles.
            w = third[u][v]
            while (v, w) not in edges:
                w = third[w][v]
            u, v = v, w
        loops.append(loop)
    return loops


def _swept(points: Lattice) -> Triangles:
    """Triangles of the hull, each point joined to what it sees of the hull of those before it."""
    third: Triangles = [{} for _ in points]
    apex = 2
    while not (side := turn(points, 0, 1, apex)):
        apex += 1
    line = list(range(apex)) if side > 0 else list(range(apex - 1, -1, -1))
    for u, v in pairwise(line):
        add(third, u, v, apex)
    ring = [*line, apex]
    following = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    preceding = {v: u for u, v in following.items()}
    for point in range(apex + 1, len(points)):
        last = first = point - 1
        while turn(points, last, following[last], point) < 0:
            add(third, last, point, following[last])
            last = following[last]
        while turn(points, preceding[first], first, point) < 0:
            add(third, preceding[first], point, first)
            first = preceding[first]
        following[first], following[point] = point, last
        preceding[point], preceding[last] = first, point
    return third


def _force(points: Lattice, third: Triangles, u: int, v: int) -> None:
    """Bring in the edge from u to v, on which no other point lies."""
    if v in third[u] or u in third[v]:
        return
    queue = deque(_in_the_way(points, third, u, v))
    while queue:
        a, b = queue.popleft()
        c, d = third[a][b], third[b][a]
        if turn(points, c, d, a) * turn(points, c, d, b) >= 0:
            queue.append((a, b))  # not convex yet: its neighbors come first
            continue
        _flip(third, a, b)
        if {c, d}.isdisjoint((u, v)) and turn(points, u, v, c) * turn(points, u, v, d) < 0:
            queue.append((c, d))


def _in_the_way(points: Lattice, third: Triangles, u: int, v: int) -> list[tuple[int, int]]:
    """The edges that the segment from u to v crosses, in order, each with its right end first."""
    right, left = next((a, b) for a, b in third[u].items() if turn(points, u, v, a) < 0 and turn(points, u, v, b) > 0)
    found = []
    while True:
        found.append((right, left))
        beyond = third[left][right]
        if beyond == v:
            return found
        if turn(points, u, v, beyond) > 0:
            left = beyond
        else:
            right = beyond


def _flip(third: Triangles, a: int, b: int) -> None:
    """Exchange the edge between two triangles for the other diagonal of their quadrilateral."""
    c, d = third[a].pop(b), third[b].pop(a)
    add(third, c, a, d)
    add(third, d, b, c)
