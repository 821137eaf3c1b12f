# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed outlines of a region as one plane graph: edges that meet in common vertices only, or a named refusal.

Outlines may touch: a corner on a corner, a corner in the middle of a side, sides that run along each other. They are
then split there. Sides that cross are refused. All decisions are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ...broad_phase import sweep_and_prune
from ...numerics.types import Floats, Ints
from ...numerics.validation import items, point_set
from .predicates import Lattice, integers, orientation


@dataclass(frozen=True)
class Rings:
    """The corners of an outline and its holes, one ring after another.

    Attributes
    ----------
    points : (n, 2) float64
    ring : (n,) int64
        0 for the outline, then the holes in their order.
    following : (n,) int64
        The corner after each.
    names : tuple of str
        What the caller calls each ring.
    """

    points: Floats
    ring: Ints
    following: Ints
    names: tuple[str, ...]

    def edge(self, corner: int) -> str:
        """How the edge that begins at a corner is named: by its number in its own ring."""
        return f"edge {corner - int(np.argmax(self.ring == self.ring[corner]))}"


@dataclass(frozen=True)
class Graph:
    """Rings as a plane graph.

    Attributes
    ----------
    points : (v, 2) float64
        The distinct corners in lexicographic order: its vertices.
    lattice : list of (int, int)
        The same as integers.
    corner : (v,) int64
        The lowest corner of the input at each vertex.
    edges : dict
        From ``(u, v)`` with u < v to the rings that run there: how often from u to v less how often back, never 0.
    source : dict
        From ``(u, v)`` with u < v to the lowest corner of the input whose edge runs there.
    """

    points: Floats
    lattice: Lattice
    corner: Ints
    edges: dict[tuple[int, int], dict[int, int]]
    source: dict[tuple[int, int], int]


def rings(outline: ArrayLike, holes: Sequence[ArrayLike], name: str = "") -> Rings:
    """Checked corners; `name` comes before ``outline`` and ``holes[i]`` in messages."""
    inner = items(holes, f"{name}holes")
    names = (f"{name}outline", *(f"{name}holes[{i}]" for i in range(len(inner))))
    given = [point_set(ring, label, (2,)) for ring, label in zip((outline, *inner), names, strict=True)]
    size = np.array([len(ring) for ring in given])
    first = np.cumsum(size) - size
    following = np.arange(1, size.sum() + 1)
    following[first + size - 1] = first
    # Adding zero makes one zero of the two that floats have.
    points = np.concatenate(given).astype(np.float64) + 0.0
    return Rings(points, np.repeat(np.arange(len(given)), size), following, names)


def arrangement(given: Rings) -> Graph:
    """The graph of the rings.

    Raises
    ------
    ValueError
        If two sides cross, with where and which; or a ring encloses no area.
    """
    points, corner, vertex = np.unique(given.points, axis=0, return_index=True, return_inverse=True)
    vertex = vertex.reshape(-1)
    begin, end = vertex, vertex[given.following]
    side = np.flatnonzero(begin != end)
    on_side = _touches(given, points, begin[side], end[side], side)
    edges: dict[tuple[int, int], dict[int, int]] = {}
    source: dict[tuple[int, int], int] = {}
    for row, corner_of_side in enumerate(side.tolist()):
        u, v = int(begin[corner_of_side]), int(end[corner_of_side])
        # Vertices are in lexicographic order, which is the order along any line.
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


def _touches(given: Rings, points: Floats, begin: Ints, end: Ints, side: Ints) -> dict[int, set[int]]:
    """The vertices inside each side, by row of `begin`; raises where two sides cross."""
    start, stop = points[begin], points[end]
    flat = np.zeros((len(begin), 1))
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    pairs = (
        sweep_and_prune(np.hstack([low, flat]), np.hstack([high, flat])) if len(begin) > 1 else np.empty((0, 2), int)
    )
    # Sides that share a corner and nothing else are most of the pairs, and need no thought unless on one line.
    i, j = pairs[:, 0], pairs[:, 1]
    a, b, c, d = start[i], stop[i], start[j], stop[j]
    of_c, of_d, of_a, of_b = orientation(a, b, c), orientation(a, b, d), orientation(c, d, a), orientation(c, d, b)
    crossing = np.flatnonzero((of_c * of_d < 0) & (of_a * of_b < 0))
    if len(crossing):
        pair = int(crossing[0])
        _refuse_crossing(given, points, int(side[i[pair]]), int(side[j[pair]]))
    found: dict[int, set[int]] = {}
    for turn, point, on in ((of_c, begin[j], i), (of_d, end[j], i), (of_a, begin[i], j), (of_b, end[i], j)):
        between = (point > np.minimum(begin[on], end[on])) & (point < np.maximum(begin[on], end[on]))
        for row in np.flatnonzero((turn == 0) & between).tolist():
            found.setdefault(int(on[row]), set()).add(int(point[row]))
    return found


def _refuse_crossing(given: Rings, points: Floats, first: int, second: int) -> None:
    """Say where the edges that begin at two corners cross, and which edges they are."""
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
