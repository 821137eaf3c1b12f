# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposition of concave outlines with holes into few convex pieces ("Collision Detection Algorithms 2", 2022).

The closed outlines of a region become a planar graph, whose edges meet only in common vertices. Outlines may touch: a
corner on a corner, a corner in the interior of a side, or sides that overlap. Sides are split there. Sides that cross
are an error.

A sweep from left to right fills the region with triangles (`sweep`). Flips then make these constrained Delaunay, within
rounding: their least angle is the largest possible, so there are no slivers except those that the input forces.

Diagonals are then removed wherever the angles at both ends stay convex (Hertel and Mehlhorn, "Fast triangulation of
simple polygons", 1983; O'Rourke, "Computational Geometry in C", 2.5). Each reflex corner keeps at most two diagonals,
so an outline with r reflex corners and h holes has at most 2 r + 1 - h pieces. For a simple outline, this is at most
four times the minimum. The corners of the pieces are corners of the input. Every decision is exact: the pieces cover
the region exactly, without overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.rows import cyclic_successors
from ...numerics.types import Bools, Floats, Ints
from ...numerics.validation import items, point_set
from .predicates import Lattice, integers, of_unit_size, orientation, signed_turn
from .sweep import Side, SidesCross, Winding, sweep
from .triangulation import Triangulation, after, before


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


@dataclass(frozen=True, eq=False)
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
    sides : list of Side
        The edges. The steps of an edge count how often each ring uses it, and its name is the lowest corner of the
        input whose side contains it.
    """

    points: Floats
    lattice: Lattice
    corner: Ints
    sides: list[Side]

    def names(self, start: Ints, end: Ints) -> Ints:
        """The names of edges by their ends. Entries for other pairs of vertices have no meaning."""
        ends, count = np.array([side[:2] for side in self.sides]), len(self.points)
        key = ends[:, 0] * count + ends[:, 1]
        order = np.argsort(key)
        wanted = np.minimum(start, end) * count + np.maximum(start, end)
        place = np.minimum(np.searchsorted(key[order], wanted), len(order) - 1)
        result: Ints = np.array([side.name for side in self.sides])[order[place]]
        return result


def rings(outline: ArrayLike, holes: Sequence[ArrayLike], name: str = "") -> Rings:
    """Validated corners; in messages, `name` comes before ``outline`` and ``holes[i]``."""
    inner = items(holes, f"{name}holes")
    names = (f"{name}outline", *(f"{name}holes[{i}]" for i in range(len(inner))))
    given = [point_set(ring, label, (2,)) for ring, label in zip((outline, *inner), names, strict=True)]
    size = np.array([len(ring) for ring in given])
    # Adding zero turns negative zeros into positive ones.
    points = np.concatenate(given).astype(np.float64) + 0.0
    return Rings(points, np.repeat(np.arange(len(given)), size), cyclic_successors(size), names)


def filled(given: Rings) -> tuple[Graph, Ints]:
    """The graph of the rings, and triangles (m, 3) of its vertices that fill the region.

    Raises
    ------
    ValueError
        If two sides cross (the message names the point and both sides); if a ring encloses no area, or winds more than
        once or in both directions; if a hole is not inside the outline only.
    """
    points, corner, vertex = np.unique(given.points, axis=0, return_index=True, return_inverse=True)
    begin, end = vertex.reshape(-1), vertex.reshape(-1)[given.following]
    lattice, name = integers(points), np.flatnonzero(begin != end)
    # Vertices are in lexicographic order, which is also the order along any line.
    sides = [
        Side(u, v, ((ring, 1),), corner_of_side) if u < v else Side(v, u, ((ring, -1),), corner_of_side)
        for u, v, ring, corner_of_side in zip(
            begin[name].tolist(), end[name].tolist(), given.ring[name].tolist(), name.tolist(), strict=True
        )
    ]
    try:
        found = sweep(points, lattice, sides, _in_outline_alone)
    except SidesCross as crossing:
        _raise_crossing(given, *crossing.sides)
    enclosing = {ring for side in found.sides for ring, _ in side.steps}
    for ring, ring_name in enumerate(given.names):
        if ring not in enclosing:
            raise ValueError(f"{ring_name}: encloses no area")
    graph = Graph(points, lattice, corner, found.sides)
    _check_windings(given, graph, found.windings)
    if not len(found.triangles):
        raise ValueError(f"{given.names[0]}: its holes leave nothing of it")
    return graph, found.triangles


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


@dataclass(frozen=True, eq=False)
class Decomposition:
    """A region as convex pieces, counterclockwise.

    Attributes
    ----------
    graph : Graph
        The graph of its outlines.
    vertex : (c,) int64
        The vertices of the graph along the pieces; some may lie on a straight side, where a boundary meets a diagonal.
    start : (p + 1,) int64
        Piece p has the vertices ``start[p]:start[p + 1]``.
    twin : (c,) int64
        For the edge from each of these vertices to the next along the piece: the same edge in the other direction, in
        the neighbor; -1 on the boundary of the region.
    """

    graph: Graph
    vertex: Ints
    start: Ints
    twin: Ints


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
        Strictly convex, counterclockwise from the lexicographically first corner, and sorted by these corners. Corners
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
    2
    """
    found = decomposition(rings(outline, holes))
    points, after = found.graph.points, cyclic_successors(np.diff(found.start))
    place = points[found.vertex]
    strict = np.empty(len(after), np.bool_)
    strict[after] = orientation(place, place[after], place[after[after]]) != 0
    owner = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))
    size = np.bincount(owner[strict], minlength=len(found.start) - 1)
    loops = np.split(found.vertex[strict], np.cumsum(size)[:-1])
    return [points[piece] for piece in sorted(_from_lowest(loop.tolist()) for loop in loops)]


def decomposition(given: Rings) -> Decomposition:
    """The pieces of validated rings, as vertices of their graph."""
    graph, triangles = filled(given)
    third = Triangulation.of(triangles)
    third.make_delaunay(graph.points)
    loops = third.loops(_kept(graph, third))
    edge = np.array([edge for loop in loops for edge in loop], np.int64)
    place = np.full(len(third.corner) + 1, -1)  # and one more for no half-edge, which is -1
    place[edge] = np.arange(len(edge))
    start = np.cumsum([0, *map(len, loops)])
    return Decomposition(graph, third.corner[edge], start, place[third.twin[edge]])


def _in_outline_alone(winding: Winding) -> bool:
    return len(winding) == 1 and winding[0][0] == 0


def _check_windings(given: Rings, graph: Graph, windings: Sequence[Winding]) -> None:
    """Raise `ValueError` if a ring winds twice or in both directions, or a hole is not in the outline alone."""
    most, least = [0] * len(given.names), [0] * len(given.names)
    for winding in windings:
        for ring, times in winding:
            most[ring], least[ring] = max(most[ring], times), min(least[ring], times)
    for ring in range(len(given.names)):
        if most[ring] - least[ring] > 1:
            _raise_self_crossing(given, graph, ring)
    for winding in windings:
        holes = [ring for ring, _ in winding if ring]
        if holes and len(holes) == len(winding):
            raise ValueError(f"{given.names[holes[0]]}: reaches outside {given.names[0]}")
        if len(holes) > 1:
            raise ValueError(f"{given.names[holes[1]]}: overlaps {given.names[holes[0]]}")


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


def _kept(graph: Graph, third: Triangulation) -> Bools:
    """The half-edges that remain after diagonals are removed.

    Several orders of removal are tried, and the best result is used.
    """
    twin, begin, end = third.twin, third.corner, third.end
    diagonals = np.flatnonzero(twin > np.arange(len(twin)))
    # In the order of their vertices, so that ties do not depend on the order of the triangles.
    low, high = np.sort(np.stack([begin[diagonals], end[diagonals]]), axis=0)
    by_vertices = np.lexsort((high, low))
    diagonals, low, high = diagonals[by_vertices], low[by_vertices], high[by_vertices]
    points = of_unit_size(graph.points)
    boundary = np.flatnonzero(twin < 0)
    along, across = np.abs((points[high] - points[low]) @ _main_axes(points[end[boundary]] - points[begin[boundary]])).T
    size, place = np.hypot(along, across), np.arange(len(low))
    reflex = _reflex(graph, third)
    # The orders are: the longest first; or those that make fewer corners convex first, and among these either the
    # longest across, so that rows of holes are separated, or from one side to the other.
    needed = reflex[low].astype(np.int64) + reflex[high]
    orders = [np.argsort(-size, kind="stable"), *(np.lexsort((key, needed)) for key in (-across, place, -place))]
    removal = _Removal(graph, third, reflex)
    tried = [removal.needed(diagonals[order].tolist()) for order in orders]
    length = dict(zip(diagonals.tolist(), size.tolist(), strict=True))
    # If several results have the same number of pieces, the one with the longest cuts is used.
    best = min(tried, key=lambda kept: (len(kept), -sum(map(length.__getitem__, kept))))
    result: Bools = twin < 0
    result[best] = result[twin[best]] = True
    return result


def _main_axes(sides: Floats) -> Floats:
    """The axes, as columns, to which sides (n, 2) are parallel on average, weighted by their lengths."""
    z = sides[:, 0] + 1j * sides[:, 1]
    length = np.abs(z)
    with np.errstate(invalid="ignore", divide="ignore"):
        # The fourth power of a direction has the same angle for all four directions of the axes.
        turn = np.angle(np.sum(np.where(length > 0.0, length * (z / length) ** 4, 0.0))) / 4.0
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _reflex(graph: Graph, third: Triangulation) -> Bools:
    """Return which vertices have an interior angle of the region that is greater than 180°."""
    # From each edge on the boundary, turn about its first vertex to the other side on the boundary.
    edge = np.flatnonzero(third.twin < 0)
    last = before(edge)
    turning = np.flatnonzero(third.twin[last] >= 0)
    while len(turning):
        last[turning] = before(third.twin[last[turning]])
        turning = turning[third.twin[last[turning]] >= 0]
    start, vertex, end = third.corner[last], third.corner[edge], third.end[edge]
    result = np.zeros(len(graph.points), np.bool_)
    result[vertex[orientation(graph.points[start], graph.points[vertex], graph.points[end]) < 0]] = True
    return result


class _Removal:
    """Removes diagonals one after the other, as long as all angles stay convex."""

    def __init__(self, graph: Graph, third: Triangulation, reflex: Bools) -> None:
        edges = np.arange(len(third.corner))
        self._lattice = graph.lattice
        self._x, self._y = of_unit_size(graph.points).T.tolist()
        self._twin, self._begin, self._end = third.twin.tolist(), third.corner.tolist(), third.end.tolist()
        self._following, self._preceding = after(edges).tolist(), before(edges).tolist()
        self._reflex = reflex.tolist()

    def needed(self, diagonals: list[int]) -> list[int]:
        """The diagonals that must be kept if each is tried once, in this order."""
        twin, begin, end, reflex = self._twin, self._begin, self._end, self._reflex
        following, preceding = self._following.copy(), self._preceding.copy()
        x, y, lattice = self._x, self._y, self._lattice
        kept = []
        for edge in diagonals:
            other = twin[edge]
            u, v = begin[edge], end[edge]
            into, out = preceding[edge], following[other]
            back, on = preceding[other], following[edge]
            if (reflex[u] and signed_turn(x, y, lattice, begin[into], u, end[out]) < 0) or (
                reflex[v] and signed_turn(x, y, lattice, begin[back], v, end[on]) < 0
            ):
                kept.append(edge)
                continue
            following[into], preceding[out] = out, into
            following[back], preceding[on] = on, back
        return kept


def _from_lowest(loop: list[int]) -> list[int]:
    """A loop rotated to begin at its lowest vertex, which is lexicographically first."""
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]
