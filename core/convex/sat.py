# SPDX-License-Identifier: GPL-3.0-or-later
"""The separating axis test for convex polytopes: all facets of A - B.

doc4code 2011, "Convex polyhedron vs convex polyhedron": every face of A - B has the normal of a face of A, of a face of
B, or of an edge of A crossed with an edge of B. An edge pair is a facet only if the arcs of its edges on the Gauss map
cross (Gregorius, "The separating axis test between convex polyhedra", GDC 2013). The others need no projection. For
overlapping shapes, the largest gap over the facets is exactly minus the penetration depth.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from ..broad_phase.sweep_and_prune import sweep_and_prune_between
from ..numerics import vectors
from ..numerics.tolerances import EPS, PARALLEL, SLIVER
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length
from .polytopes.placed import Polytopes

# Unit direction of each edge of a polytope, and the two end points of its arc, (P, E, 3) each.
Arcs = tuple[Floats, Floats, Floats]

# Radians. Arcs that miss each other by rounding count as crossing. An unnecessary facet only costs one projection.
_ARC_SLACK = 1e-9
# Radians. An end within this distance of an arc is on it: some roundings of an inner product of unit vectors.
_ARC_END = 8.0 * EPS
# Arcs of A that are processed together.
_ARCS = 512


@dataclass(frozen=True)
class Facets:
    """The facet of A - B with the largest gap, for each pair.

    Attributes
    ----------
    gap : (P,) float64
    axis : (P, 3) float64
        Unit, from A to B.
    face_a, face_b : (P,) int64
        The face of A or of B whose normal is the axis, else -1.
    edge_a, edge_b : (P,) int64
        The edges whose cross product is the axis, else -1.
    """

    gap: Floats
    axis: Floats
    face_a: Ints
    face_b: Ints
    edge_a: Ints
    edge_b: Ints


def best_facet(a: Polytopes, b: Polytopes) -> Facets:
    """Largest gap between the cores of A and B over all facets of A - B.

    Faces win over edge pairs that are better only by rounding. Likewise faces of A win over faces of B, and lower
    indices over higher ones. So the axis is stable under noise.
    """
    count = len(a)
    at = np.arange(count)
    gaps_a, gaps_b = _gaps(a.normals, a, b), _gaps(b.normals, b, a)
    slack = 8.0 * EPS * (a.size + b.size)
    face_a, face_b = _first_of_the_best(gaps_a, slack), _first_of_the_best(gaps_b, slack)
    gap_a, gap_b = gaps_a[at, face_a], gaps_b[at, face_b]
    from_b = gap_b > gap_a + slack
    gap = np.where(from_b, gap_b, gap_a)
    axis = np.where(from_b[:, None], -b.normals[at, face_b], a.normals[at, face_a])
    edge_gap, edge_axis, edge_a, edge_b = _best_edges(a, b, gap + slack, slack)
    from_edges = edge_gap > gap + slack
    return Facets(
        np.where(from_edges, edge_gap, gap),
        np.where(from_edges[:, None], edge_axis, axis),
        np.where(from_edges | from_b, -1, face_a),
        np.where(from_edges | ~from_b, -1, face_b),
        np.where(from_edges, edge_a, -1),
        np.where(from_edges, edge_b, -1),
    )


def _first_of_the_best(gaps: Floats, slack: Floats) -> Ints:
    """For each row, the first value within the slack of the greatest: (P, F), (P,) -> (P,)."""
    result: Ints = np.argmax(gaps >= gaps.max(axis=1, keepdims=True) - slack[:, None], axis=1)
    return result


def _gaps(axes: Floats, own: Polytopes, other: Polytopes) -> Floats:
    """Gap along each axis (P, F, 3) from the polytope that has it to the other one, (P, F)."""
    return -other.greatest(-axes) - own.greatest(axes)


def _best_edges(a: Polytopes, b: Polytopes, floor: Floats, slack: Floats) -> tuple[Floats, Floats, Ints, Ints]:
    """The edge pair with the largest gap above `floor` of each pair: gap, axis and the two edges; -inf if none.

    Of edge pairs that are equal within the slack, the first is returned.
    """
    count = len(a)
    pair, edge_a, edge_b = crossing_arcs(a, b)
    if not len(pair):
        none = np.full(count, -1)
        return np.full(count, -np.inf), np.zeros((count, 3)), none, none
    start_a, along_a, middle_a = _edge(a, pair, edge_a)
    start_b, along_b, _ = _edge(b, pair, edge_b)
    cross = np.cross(along_a, along_b)
    square, sides = dot(cross, cross), dot(along_a, along_a) * dot(along_b, along_b)
    low = np.flatnonzero(square < SLIVER * sides)
    if len(low):
        (run_a, rest_a), (run_b, rest_b) = _runs(a, pair[low], edge_a[low]), _runs(b, pair[low], edge_b[low])
        cross[low] = vectors.cross_dd(run_a, run_b, rest_a, rest_b)
        square[low] = dot(cross[low], cross[low])
    proper = square > PARALLEL * sides
    axis = cross / np.sqrt(np.where(proper, square, 1.0))[:, None]
    axis *= np.where(dot(axis, middle_a) < 0.0, -1.0, 1.0)[:, None]
    # If the edges form a facet, the gap is the distance of their lines. It is too large for arcs that do not cross
    # exactly. So each winner is verified by projection.
    estimate = np.where(proper, dot(start_b - start_a, axis), -np.inf)
    projected = np.zeros(len(pair), dtype=bool)
    order = np.lexsort((estimate, pair))
    best = np.full(count, -1)
    while True:
        best[pair[order]] = order
        open_rows = np.flatnonzero((best >= 0) & (estimate[best] > floor) & ~projected[best])
        if not len(open_rows):
            break
        candidates = best[open_rows]
        estimate[candidates] = _gap_along(a, b, open_rows, axis[candidates])
        projected[candidates] = True
        order = np.lexsort((estimate, pair))
    found = (best >= 0) & projected[best]
    level = np.where(found, estimate[best] - slack, np.inf)
    equal = np.flatnonzero(estimate >= level[pair])
    estimate[equal] = _gap_along(a, b, pair[equal], axis[equal])
    equal = equal[estimate[equal] >= level[pair[equal]]][::-1]
    best[pair[equal]] = equal  # the first is written last
    return (
        np.where(found, estimate[best], -np.inf),
        axis[best],
        np.where(found, edge_a[best], -1),
        np.where(found, edge_b[best], -1),
    )


def crossing_arcs(a: Polytopes, b: Polytopes) -> tuple[Ints, Ints, Ints]:
    """Pair, edge of A and edge of B for all crossings of the arcs of A and of -B on the unit sphere."""
    arcs_a, arcs_b = _arcs(a), _arcs(b)
    if a.large or b.large:
        return _near_and_crossing(arcs_a, arcs_b)
    (direction_a, first_a, second_a), (direction_b, first_b, second_b) = arcs_a, arcs_b
    # Sides of the plane of A's arc on which the two ends of -B's arc lie, and vice versa.
    begin_b = -np.matmul(direction_a, first_b.transpose(0, 2, 1))
    end_b = -np.matmul(direction_a, second_b.transpose(0, 2, 1))
    begin_a = np.matmul(first_a, direction_b.transpose(0, 2, 1))
    end_a = np.matmul(second_a, direction_b.transpose(0, 2, 1))
    pair, edge_a, edge_b = np.nonzero(_cross(begin_a, end_a, begin_b, end_b))
    return pair.astype(np.int64), edge_a.astype(np.int64), edge_b.astype(np.int64)


def _cross(begin_a: Floats, end_a: Floats, begin_b: Floats, end_b: Floats) -> Bools:
    """Whether arcs cross, from the heights of the ends of each arc above the plane of the other."""
    result: Bools = (
        (np.minimum(begin_b, end_b) <= _ARC_SLACK)
        & (np.maximum(begin_b, end_b) >= -_ARC_SLACK)
        & (np.minimum(begin_a, end_a) <= _ARC_SLACK)
        & (np.maximum(begin_a, end_a) >= -_ARC_SLACK)
        # The crossing must be on the same side of the sphere. Otherwise one arc crosses the antipode of the other.
        & ((begin_b - end_b) * (end_a - begin_a) >= -_ARC_SLACK * _ARC_SLACK)
    )
    return result


def _near_and_crossing(arcs_a: Arcs, arcs_b: Arcs) -> tuple[Ints, Ints, Ints]:
    """`crossing_arcs` for large polytopes. Only arcs with overlapping bounds are tested.

    Arcs that meet at an end point are left out. This point is the normal of a face, which is tested anyway. If a cap
    has thousands of corners, all arcs that end there would meet.
    """
    found = [np.empty((3, 0), dtype=np.int64)]
    for pair, some in product(range(len(arcs_a[0])), range(0, arcs_a[0].shape[1], _ARCS)):
        direction_a, first_a, second_a = (of[pair, some : some + _ARCS] for of in arcs_a)
        direction_b, first_b, second_b = (of[pair] for of in arcs_b)
        bounds = *_arc_bounds(first_a, second_a), *_arc_bounds(-first_b, -second_b)
        edge_a, edge_b = sweep_and_prune_between(*bounds).T
        direction_a, direction_b = direction_a[edge_a], direction_b[edge_b]
        begin_b, end_b = -dot(direction_a, first_b[edge_b]), -dot(direction_a, second_b[edge_b])
        begin_a, end_a = dot(first_a[edge_a], direction_b), dot(second_a[edge_a], direction_b)
        crosses = _cross(begin_a, end_a, begin_b, end_b)
        for height in (begin_a, end_a, begin_b, end_b):
            crosses &= np.abs(height) > _ARC_END
        rows = np.flatnonzero(crosses)
        found.append(np.stack([np.full(len(rows), pair), some + edge_a[rows], edge_b[rows]]))
    pairs, edges_a, edges_b = np.concatenate(found, axis=1)
    return pairs, edges_a, edges_b


def _arc_bounds(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Bounding boxes of arcs of the unit sphere: lower and upper corners (E, 3)."""
    # The greatest distance of an arc from its chord is in the middle.
    bulge = 1.0 - length(first + second)[:, None] / 2.0 + 2.0 * _ARC_SLACK
    return np.minimum(first, second) - bulge, np.maximum(first, second) + bulge


def _arcs(polytopes: Polytopes) -> Arcs:
    """The arc of each edge on the Gauss map."""
    edges = polytopes.edges
    at = np.arange(len(polytopes))[:, None]
    along = polytopes.vertices[at, edges[..., 1]] - polytopes.vertices[at, edges[..., 0]]
    size = length(along)[..., None]
    unit = along / np.where(size > 0.0, size, 1.0)
    return unit, polytopes.normals[at, edges[..., 2]], polytopes.normals[at, edges[..., 3]]


def _edge(polytopes: Polytopes, row: Ints, edge: Ints) -> tuple[Floats, Floats, Floats]:
    """First vertex, direction and middle of the arc (not normalized) of edges, (K, 3) each."""
    ends = polytopes.edges[row, edge]
    start = polytopes.vertices[row, ends[:, 0]]
    along = polytopes.vertices[row, ends[:, 1]] - start
    first, second = polytopes.normals[row, ends[:, 2]], polytopes.normals[row, ends[:, 3]]
    # For nearly flat shapes, the sum is mostly rounding error. The first face then determines the direction.
    folded = dot(first, second) < 0.0
    return start, along, np.where(folded[:, None], np.cross(first - second, along), first + second)


def _runs(polytopes: Polytopes, row: Ints, edge: Ints) -> tuple[Floats, Floats]:
    """Directions of edges (K, 3), and their rounding errors."""
    ends = polytopes.edges[row, edge]
    return vectors.two_diff(polytopes.vertices[row, ends[:, 1]], polytopes.vertices[row, ends[:, 0]])


def _gap_along(a: Polytopes, b: Polytopes, rows: Ints, axis: Floats) -> Floats:
    """Gap of these rows along one axis each, (K, 3) -> (K,)."""
    return _gaps(axis[:, None], a.take(rows), b.take(rows))[:, 0]
