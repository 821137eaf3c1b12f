# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposition of concave outlines with holes into few convex pieces ("Collision Detection Algorithms 2", 2022).

The closed outlines of a region become a planar graph, whose edges meet only in common vertices. Outlines may touch: a
corner on a corner, a corner in the interior of a side, or sides that overlap. Sides are split there. Sides that cross
are an error.

The graph is triangulated. A sweep from left to right joins each point to the part of the hull that it sees. Missing
edges are inserted by flipping those that they cross (Sloan, "A fast algorithm for generating constrained Delaunay
triangulations", 1993). Lawson's flips then make the triangulation constrained Delaunay: its least angle is the largest
possible, so it has no slivers except those that the input forces. A triangulation is a list of dicts: ``third[u][v]``
is the corner w of the counter-clockwise triangle u, v, w to the left of the edge from u to v.

Diagonals are then removed wherever the angles at both ends stay convex (Hertel and Mehlhorn, "Fast triangulation of
simple polygons", 1983; O'Rourke, "Computational Geometry in C", 2.5). Each reflex corner keeps at most two diagonals,
so an outline with r reflex corners and h holes has at most 2 r + 1 - h pieces. For a simple outline, this is at most
four times the minimum. The corners of the pieces are corners of the input. Every decision is exact: the pieces cover
the region exactly, without overlap.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ...broad_phase import sweep_and_prune
from ...numerics.rows import cyclic_successors
from ...numerics.types import Floats, Ints
from ...numerics.validation import items, point_set
from .predicates import Lattice, in_circle, integers, orientation, turn


@dataclass(frozen=True)
class Rings:
    """The corners of an outline and its holes, concatenated.

    Attributes
    ----------
    points : (n, 2) float64
    ring : (n,) int64
        0 for the outline, then the holes in their order.
    following : (n,) int64
        The next corner of each corner in its ring.
    names : tuple of str
        The name of each ring in messages.
    """

    points: Floats
    ring: Ints
    following: Ints
    names: tuple[str, ...]

    def edge(self, corner: int) -> str:
        """The name of the edge that begins at a corner: its number in its own ring."""
        return f"edge {corner - int(np.argmax(self.ring == self.ring[corner]))}"


@dataclass(frozen=True)
class Graph:
    """Rings as a planar graph.

    Attributes
    ----------
    points : (v, 2) float64
        The vertices: the distinct corners in lexicographic order.
    lattice : list of (int, int)
        The vertices with integer coordinates.
    corner : (v,) int64
        The lowest corner of the input at each vertex.
    edges : dict
        From ``(u, v)`` with u < v to the rings that use the edge: how often from u to v minus how often back, never 0.
    source : dict
        From ``(u, v)`` with u < v to the lowest corner of the input whose side contains the edge.
    """

    points: Floats
    lattice: Lattice
    corner: Ints
    edges: dict[tuple[int, int], dict[int, int]]
    source: dict[tuple[int, int], int]


def rings(outline: ArrayLike, holes: Sequence[ArrayLike], name: str = "") -> Rings:
    """Validated corners; in messages, `name` comes before ``outline`` and ``holes[i]``."""
    inner = items(holes, f"{name}holes")
    names = (f"{name}outline", *(f"{name}holes[{i}]" for i in range(len(inner))))
    given = [point_set(ring, label, (2,)) for ring, label in zip((outline, *inner), names, strict=True)]
    size = np.array([len(ring) for ring in given])
    # Adding zero turns negative zeros into positive ones.
    points = np.concatenate(given).astype(np.float64) + 0.0
    return Rings(points, np.repeat(np.arange(len(given)), size), cyclic_successors(size), names)


def arrangement(given: Rings) -> Graph:
    """The graph of the rings.

    Raises
    ------
    ValueError
        If two sides cross (the message names the point and both sides), or a ring encloses no area.
    """
    points, corner, vertex = np.unique(given.points, axis=0, return_index=True, return_inverse=True)
    vertex = vertex.reshape(-1)
    begin, end = vertex, vertex[given.following]
    side = np.flatnonzero(begin != end)
    touching, crossing = touches_and_crossings(points, np.stack([begin[side], end[side]], axis=1))
    if len(crossing):
        _raise_crossing(given, *side[crossing[0]].tolist())
    on_side: dict[int, set[int]] = {}
    for row, point in touching.tolist():
        on_side.setdefault(row, set()).add(point)
    edges: dict[tuple[int, int], dict[int, int]] = {}
    source: dict[tuple[int, int], int] = {}
    for row, corner_of_side in enumerate(side.tolist()):
        u, v = int(begin[corner_of_side]), int(end[corner_of_side])
        # Vertices are in lexicographic order, which is also the order along any line.
        path = [u, *sorted(on_side.get(row, ()), reverse=u > v), v]
        ring, step = int(given.ring[corner_of_side]), 1 if u < v else -1
        for p, q in pairwise(path):
            key = (min(p, q), max(p, q))
            count = edges.setdefault(key, {})
            count[ring] = count.get(ring, 0) + step
            source.setdefault(key, corner_of_side)
    for key in list(edges):
        edges[key] = {ring: count for ring, count in edges[key].items() if count}
        if not edges[key]:
            del edges[key]
    enclosing = {ring for count in edges.values() for ring in count}
    for ring, name in enumerate(given.names):
        if ring not in enclosing:
            raise ValueError(f"{name}: encloses no area")
    return Graph(points, integers(points), corner, edges, source)


def touches_and_crossings(points: Floats, edges: Ints) -> tuple[Ints, Ints]:
    """Where edges touch or cross other than in common ends.

    Parameters
    ----------
    points : (n, 2) float64
        In lexicographic order, without duplicates.
    edges : (e, 2) int64
        The ends of each edge, two different points.

    Returns
    -------
    touching : (t, 2) int64
        An edge, and a point in its interior; some twice.
    crossing : (c, 2) int64
        Two edges that cross.
    """
    # Points are in lexicographic order, which is also the order along any line.
    edges = np.sort(edges, axis=1)
    ends, flat = points[edges], np.zeros((len(edges), 1))
    pairs = sweep_and_prune(np.hstack([ends.min(axis=1), flat]), np.hstack([ends.max(axis=1), flat]))
    # Most of these pairs share a corner; only collinear ones among them need to be split.
    (i, j), (a, b), (c, d) = pairs.T, *(ends[edge].transpose(1, 0, 2) for edge in pairs.T)
    sides = orientation(np.concatenate([a, a, c, c]), np.concatenate([b, b, d, d]), np.concatenate([c, d, a, b]))
    point, on = np.concatenate([*edges[j].T, *edges[i].T]), np.concatenate([i, i, j, j])
    inside = (sides == 0) & (point > edges[on, 0]) & (point < edges[on, 1])
    of_c, of_d, of_a, of_b = sides.reshape(4, -1)
    crossing = (of_c * of_d < 0) & (of_a * of_b < 0)
    return np.stack([on[inside], point[inside]], axis=1), pairs[crossing]


def _raise_crossing(given: Rings, first: int, second: int) -> None:
    """Raise an error with the point where the edges that begin at two corners cross, and the names of the edges."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
        (Fraction(float(x)), Fraction(float(y)))
        for corner in (first, second)
        for x, y in (given.points[corner], given.points[given.following[corner]])
    )
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    t = ((cx - ax) * vy - (cy - ay) * vx) / (ux * vy - uy * vx)
    where = f"({float(ax + t * ux):.9g}, {float(ay + t * uy):.9g})"
    ring, other = (given.names[int(given.ring[corner])] for corner in (first, second))
    of = "" if ring == other else f" of {other}"
    raise ValueError(f"{ring}: {given.edge(first)} crosses {given.edge(second)}{of} at {where}")


Triangles = list[dict[int, int]]
Edge = tuple[int, int]
Loop = list[int]
Value = TypeVar("Value")


def triangulate(points: Lattice, edges: Iterable[tuple[int, int]]) -> Triangles:
    """A triangulation of the hull of points in lexicographic order, not all collinear, that contains these edges."""
    third = _sweep(points)
    for u, v in edges:
        _insert_edge(points, third, u, v)
    return third


def make_delaunay(points: Lattice, third: Triangles) -> None:
    """Flip edges between two triangles until all are Delaunay; edges with only one triangle remain."""
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
    """Add the counter-clockwise triangle a, b, c."""
    third[a][b], third[b][c], third[c][a] = c, a, b


def rim(third: Triangles) -> set[Edge]:
    """The edges with a triangle to the left and none to the right."""
    return {(u, v) for u, row in enumerate(third) for v in row if u not in third[v]}


def spread(third: Triangles, outside: Value, across: Callable[[Edge, Value], Value]) -> dict[Edge, Value]:
    """A value for each triangle, by its three edges, propagated from neighbors, and from outside at the rim.

    `across` returns the value to the left of an edge, given the value to its right.
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
    """The closed loops of edges whose triangles are to the left."""
    left = set(edges)
    loops = []
    for first in sorted(edges):
        if first not in left:
            continue
        loop, (u, v) = [], first
        while (u, v) in left:
            left.remove((u, v))
            loop.append(u)
            # The next edge out of v, found by turning about v through the triangles.
            w = third[u][v]
            while (v, w) not in edges:
                w = third[w][v]
            u, v = v, w
        loops.append(loop)
    return loops


def _sweep(points: Lattice) -> Triangles:
    """A triangulation of the hull: each point is joined to the part that it sees of the hull of those before it."""
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


def _insert_edge(points: Lattice, third: Triangles, u: int, v: int) -> None:
    """Insert the edge from u to v, on which no other point lies."""
    if v in third[u] or u in third[v]:
        return
    queue = deque(_crossed_edges(points, third, u, v))
    while queue:
        a, b = queue.popleft()
        c, d = third[a][b], third[b][a]
        if turn(points, c, d, a) * turn(points, c, d, b) >= 0:
            queue.append((a, b))  # not a convex quadrilateral yet: its neighbors are flipped first
            continue
        _flip(third, a, b)
        if {c, d}.isdisjoint((u, v)) and turn(points, u, v, c) * turn(points, u, v, d) < 0:
            queue.append((c, d))


def _crossed_edges(points: Lattice, third: Triangles, u: int, v: int) -> list[tuple[int, int]]:
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
    """Replace the edge between two triangles by the other diagonal of their quadrilateral."""
    c, d = third[a].pop(b), third[b].pop(a)
    add(third, c, a, d)
    add(third, d, b, c)


@dataclass(frozen=True)
class Decomposition:
    """A region as convex pieces.

    Attributes
    ----------
    graph : Graph
        The graph of its outlines.
    pieces : list of list of int
        Vertices of the graph, counter-clockwise; some may lie on a straight side, where a boundary meets a diagonal.
    boundary : set of (int, int)
        The edges of pieces on the boundary of the region, in the direction of those pieces.
    """

    graph: Graph
    pieces: list[Loop]
    boundary: set[Edge]


def decompose(outline: ArrayLike, holes: Sequence[ArrayLike] = ()) -> list[Floats]:
    """Convex pieces that cover a region exactly and do not overlap.

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, in either direction; the last is joined to the first. Corners on a straight side, repeated
        corners, and sides that go out and back and enclose nothing are allowed.
    holes : sequence of (k, 2) array-like
        Inside the outline and not inside each other, in either direction. They may touch the outline and each other.

    Returns
    -------
    list of (k, 2) float64
        Strictly convex, counter-clockwise from the lexicographically first corner, and sorted by these corners. Corners
        are corners of the input, bit for bit. A convex outline without holes is one piece.

    Raises
    ------
    ValueError
        If sides cross (the message names the sides and the point); if a ring encloses no area or crosses itself at a
        corner; if a hole is not inside the outline or overlaps another; if a shape is wrong or a coordinate is not
        finite.

    Notes
    -----
    Finding the fewest pieces of a region with holes is NP-hard (Lingas 1982). Without holes there are at most four
    times as many pieces as necessary, and seldom more than a few too many.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> pieces = planar.decompose([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]])
    >>> len(pieces)
    3
    """
    found = decomposition(rings(outline, holes))
    points, lattice = found.graph.points, found.graph.lattice
    pieces = sorted(_from_lowest(_strict(lattice, piece)) for piece in found.pieces)
    return [points[piece] for piece in pieces]


def decomposition(given: Rings) -> Decomposition:
    """The pieces of validated rings, as vertices of their graph."""
    graph = arrangement(given)
    third = _region(given, graph, triangulate(graph.lattice, graph.edges))
    make_delaunay(graph.lattice, third)
    boundary = rim(third)
    return Decomposition(graph, _merged(graph.lattice, third, boundary), boundary)


def _region(given: Rings, graph: Graph, third: Triangles) -> Triangles:
    """The triangles inside the outline and outside all holes, by winding number: 1 for the outline, 0 for each hole.

    Raises `ValueError` if a ring winds more than once or in both directions, or a hole is not inside the outline alone.
    """
    wound = _windings(graph, third, len(given.names))
    for ring in range(len(given.names)):
        values = {0, *(winding[ring] for winding in wound.values())}
        if max(values) - min(values) > 1:
            _raise_self_crossing(given, graph, ring)
    inside: Triangles = [{} for _ in third]
    for (u, v), winding in wound.items():
        holes = [ring for ring, times in enumerate(winding) if times and ring]
        if holes and not winding[0]:
            raise ValueError(f"{given.names[holes[0]]}: reaches outside {given.names[0]}")
        if len(holes) > 1:
            raise ValueError(f"{given.names[holes[1]]}: overlaps {given.names[holes[0]]}")
        if winding[0] and not holes:
            add(inside, u, v, third[u][v])
    if not any(inside):
        raise ValueError(f"{given.names[0]}: its holes leave nothing of it")
    return inside


def _windings(graph: Graph, third: Triangles, count: int) -> dict[Edge, tuple[int, ...]]:
    """The winding number of each ring around each triangle, by the triangle's three edges."""

    def across(edge: Edge, beyond: tuple[int, ...]) -> tuple[int, ...]:
        u, v = edge
        step = graph.edges.get((min(u, v), max(u, v)), {})
        sign = 1 if u < v else -1
        return tuple(times + sign * step.get(ring, 0) for ring, times in enumerate(beyond)) if step else beyond

    return spread(third, (0,) * count, across)


def _raise_self_crossing(given: Rings, graph: Graph, ring: int) -> None:
    """Raise an error with the corners at which a ring returns to a point and crosses itself, or else with the ring."""
    own = np.flatnonzero(given.ring == ring)
    corners: dict[tuple[float, ...], list[int]] = {}
    for number, point in enumerate(given.points[own].tolist()):
        corners.setdefault(tuple(point), []).append(number)
    again = [
        (numbers, point)
        for point, numbers in corners.items()
        if any(b - a not in (1, len(own) - 1) for a, b in pairwise(numbers))
    ]
    name = given.names[ring]
    if again:
        numbers, (x, y) = again[0]
        raise ValueError(f"{name}: crosses itself at corners {numbers[0]} and {numbers[1]}, ({x:.9g}, {y:.9g})")
    raise ValueError(f"{name}: goes around the same area more than once")


def _merged(points: Lattice, third: Triangles, boundary: set[Edge]) -> list[Loop]:
    """Convex pieces after removal of diagonals, in the order of removal, of several tried, that leaves the fewest."""
    diagonals = [(u, v) for u, row in enumerate(third) for v in row if u < v and u in third[v]]
    reflex = _reflex(points, third, boundary)

    def square(edge: Edge) -> int:
        (px, py), (qx, qy) = points[edge[0]], points[edge[1]]
        return (px - qx) ** 2 + (py - qy) ** 2

    def needed(edge: Edge) -> int:
        return (edge[0] in reflex) + (edge[1] in reflex)

    orders: list[Callable[[Edge], tuple[int, ...]]] = [
        lambda edge: (needed(edge), -square(edge)),
        lambda edge: (needed(edge), square(edge)),
        lambda edge: (-square(edge),),
        lambda edge: (square(edge),),
    ]
    tried = [_needed_diagonals(points, third, sorted(diagonals, key=order)) for order in orders]
    # Of several results with the same number of pieces, the one with the longest cuts is taken.
    kept = {*min(tried, key=lambda kept: (len(kept), -sum(map(square, kept))))}
    removed = {(u, v) for u, v in diagonals if (u, v) not in kept}
    edges = {(u, v) for u, row in enumerate(third) for v in row if (min(u, v), max(u, v)) not in removed}
    return loops_along(third, edges)


def _reflex(points: Lattice, third: Triangles, boundary: set[Edge]) -> set[int]:
    """Vertices where the interior angle of the region is greater than 180°."""
    found = set()
    for u, first in boundary:
        last = third[u][first]
        while last in third[u]:
            last = third[u][last]
        if turn(points, last, u, first) < 0:
            found.add(u)
    return found


def _needed_diagonals(points: Lattice, third: Triangles, diagonals: list[Edge]) -> list[Edge]:
    """The diagonals that must be kept if all are tried once, in this order."""
    following = {(u, v): (v, w) for u, row in enumerate(third) for v, w in row.items()}
    preceding = {after: edge for edge, after in following.items()}
    kept = []
    for u, v in diagonals:
        x, t = preceding[u, v][0], following[v, u][1]
        z, y = preceding[v, u][0], following[u, v][1]
        if turn(points, x, u, t) < 0 or turn(points, z, v, y) < 0:
            kept.append((u, v))
            continue
        following[x, u], preceding[u, t] = (u, t), (x, u)
        following[z, v], preceding[v, y] = (v, y), (z, v)
    return kept


def _strict(points: Lattice, loop: Loop) -> Loop:
    """The corners of a convex loop without collinear ones."""
    around = zip([loop[-1], *loop[:-1]], loop, [*loop[1:], loop[0]], strict=True)
    return [corner for before, corner, after in around if turn(points, before, corner, after)]


def _from_lowest(loop: Loop) -> Loop:
    """A loop rotated to begin at its lowest vertex, which is lexicographically first."""
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]
