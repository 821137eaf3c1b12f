# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave outlines with holes as few convex pieces ("Collision Detection Algorithms 2", 2022).

The region is triangulated (`triangulation`), and diagonals are taken out wherever both their ends stay convex (Hertel
and Mehlhorn, "Fast triangulation of simple polygons", 1983; O'Rourke, "Computational Geometry in C", 2.5). Each reflex
corner keeps at most two diagonals, so that an outline of r reflex corners and h holes has at most 2 r + 1 - h pieces,
for a simple outline four times the fewest possible. Pieces have corners of the input and no others, and every decision
is exact: they cover the region, without overlap, to the last bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.types import Floats
from .arrangement import Graph, Rings, arrangement, rings
from .predicates import Lattice, turn
from .triangulation import Edge, Loop, Triangles, add, loops_along, make_delaunay, rim, spread, triangulate


@dataclass(frozen=True)
class Decomposition:
    """A region in convex pieces.

    Attributes
    ----------
    graph : Graph
        Of its outlines.
    pieces : list of list of int
        Vertices of the graph, counter-clockwise; some may lie on a straight side, where a boundary meets a diagonal.
    boundary : set of (int, int)
        The edges of pieces on the boundary of the region, as those pieces have them.
    """

    graph: Graph
    pieces: list[Loop]
    boundary: set[Edge]


def decompose(outline: ArrayLike, holes: Sequence[ArrayLike] = ()) -> list[Floats]:
    """Convex pieces that cover a region exactly and do not overlap.

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, either way around; the last is joined to the first. Corners on a straight side, repeated
        corners and sides that go out and back, which enclose nothing, are welcome.
    holes : sequence of (k, 2) array-like
        Inside the outline and not inside each other, either way around. They may touch the outline and each other.

    Returns
    -------
    list of (k, 2) float64
        Strictly convex, counter-clockwise from the lexicographically first corner, in the order of those. Corners are
        corners of the input, bit for bit. A convex outline without holes is one piece.

    Raises
    ------
    ValueError
        If sides cross, naming the edges and where; if a ring encloses no area, crosses itself at a corner, or a hole is
        not inside the outline or overlaps another; if a shape is wrong or a coordinate is not finite.

    Notes
    -----
    To find the fewest pieces of a region with holes is NP-hard (Lingas 1982); without
    holes there are never more than four times as many as needed, and seldom more than a few too many.

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
    """The pieces of checked rings, as vertices of their graph."""
    graph = arrangement(given)
    third = _region(given, graph, triangulate(graph.lattice, graph.edges))
    make_delaunay(graph.lattice, third)
    boundary = rim(third)
    return Decomposition(graph, _merged(graph.lattice, third, boundary), boundary)


def _region(given: Rings, graph: Graph, third: Triangles) -> Triangles:
    """The triangles inside the outline and in no hole: those where the rings wind once and not at all.

    Raises `ValueError` where a ring winds more than once or both ways, or a hole is not inside the outline alone.
    """
    wound = _windings(graph, third, len(given.names))
    for ring in range(len(given.names)):
        values = {0, *(winding[ring] for winding in wound.values())}
        if max(values) - min(values) > 1:
            _refuse_self_crossing(given, graph, ring)
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
    """How often each ring winds around each triangle, by its three edges."""

    def across(edge: Edge, beyond: tuple[int, ...]) -> tuple[int, ...]:
        u, v = edge
        step = graph.edges.get((min(u, v), max(u, v)), {})
        sign = 1 if u < v else -1
        return tuple(times + sign * step.get(ring, 0) for ring, times in enumerate(beyond)) if step else beyond

    return spread(third, (0,) * count, across)


def _refuse_self_crossing(given: Rings, graph: Graph, ring: int) -> None:
    """Name the corners at which a ring comes back to a point and crosses itself, or else the whole ring."""
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
    """Convex pieces after diagonals are taken out, in the order of those tried that leaves the fewest."""
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
    best: list[Edge] = diagonals
    for order in orders:
        kept = _kept(points, third, sorted(diagonals, key=order))
        # Of as many pieces, those with the longer cuts cut off less.
        if (len(kept), -sum(map(square, kept))) < (len(best), -sum(map(square, best))) or best is diagonals:
            best = kept
    return _loops(third, set(diagonals) - set(best))


def _reflex(points: Lattice, third: Triangles, boundary: set[Edge]) -> set[int]:
    """Vertices where the region has more than half a turn."""
    found = set()
    for u, first in boundary:
        last = third[u][first]
        while last in third[u]:
            last = third[u][last]
        if turn(points, last, u, first) < 0:
            found.add(u)
    return found


def _kept(points: Lattice, third: Triangles, diagonals: list[Edge]) -> list[Edge]:
    """The diagonals that have to stay when all are tried once, in this order."""
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


def _loops(third: Triangles, removed: set[Edge]) -> list[Loop]:
    """The faces that are left without these diagonals, counter-clockwise."""
    left = {(u, v) for u, row in enumerate(third) for v in row if (min(u, v), max(u, v)) not in removed}
    return loops_along(third, left)


def _strict(points: Lattice, loop: Loop) -> Loop:
    """The corners of a convex loop at which it turns."""
    around = zip([loop[-1], *loop[:-1]], loop, [*loop[1:], loop[0]], strict=True)
    return [corner for before, corner, after in around if turn(points, before, corner, after)]


def _from_lowest(loop: Loop) -> Loop:
    """The same loop from its lowest vertex on, which is its lexicographically first."""
    first = loop.index(min(loop))
    return loop[first:] + loop[:first]
