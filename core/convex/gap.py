# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distance of any two convex shapes by their cores, and the separating axis test for polytopes.

GJK measures separated cores, and the expanding polytope algorithm measures overlapping ones. Both prove their results.
They cannot do so if the cores touch, are flat, or have two equally short separating translations. Then the separating
axis test examines all facets of A - B. Radii are subtracted and added afterwards.

doc4code 2011, "Convex polyhedron vs convex polyhedron": every face of A - B has the normal of a face of A, of a face of
B, or of an edge of A crossed with an edge of B. An edge pair is a facet only if the arcs of its edges on the Gauss map
cross (Gregorius, "The separating axis test between convex polyhedra", GDC 2013). The others need no projection. For
overlapping shapes, the largest gap over the facets is exactly minus the penetration depth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..broad_phase.sweep_and_prune import sweep_and_prune_between
from ..numerics import vectors
from ..numerics.rows import RowTable, rows_of_each
from ..numerics.tolerances import EPS, NEAR, ON_SURFACE, PARALLEL, SLIVER, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length
from ..results import FeatureKind, Separations
from ..shapes import Spheres
from .active_set import brought_together
from .contact_manifold import patch_centers, refined_normals
from .epa import penetration
from .gjk import Closest, closest
from .polytopes import Polytopes, PolytopeSupport, polytopes

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


# Number of elements in the largest intermediate array of a block: about 16 MB of float64, to stay in cache.
_BLOCK = 1 << 21
# Multiple of the contact tolerance. GJK measures up to this distance, as the facets may decide that such pairs touch.
_FAR = 4.0
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Gap:
    """The signed distance of each pair, in its frame.

    Attributes
    ----------
    distance : (P,) float64
        Signed distance, radii included. For pairs beyond the limit, a lower bound that is also beyond it.
    normal : (P, 3) float64
    middle : (P, 3) float64
        Midpoint between the witness points; NaN for pairs beyond the limit.
    slack : (P,) float64
        Rounding error of the pair. The pair overlaps if the distance is at most this.
    """

    distance: Floats
    normal: Floats
    middle: Floats
    slack: Floats


@dataclass(frozen=True)
class KnownAxes(RowTable):
    """The axes found by the separating axis test, one per pair. A gap of at most `slack` (P,) is contact."""

    axes: Separations
    slack: Floats


def meets(a: Polytopes, b: Polytopes, offset: Floats) -> Bools:
    """Whether the shapes of each pair have a point in common. `offset` (P,) is as for `measured`."""
    slack = rounding(a.size + b.size, offset)
    radii = a.radius + b.radius
    # If inner spheres of the shapes overlap, so do the shapes.
    result = length(a.centers - b.centers) < a.known_inner + b.known_inner + radii - slack
    rows = np.flatnonzero(~result)
    result[rows] = _meets(a.take(rows), b.take(rows), slack[rows])
    return result


def _meets(a: Polytopes, b: Polytopes, slack: Floats) -> Bools:
    """Whether pairs that the inner spheres do not decide have a point in common."""
    radii = a.radius + b.radius
    near, vague = _cores(a, b, _FAR * slack + radii)
    # Consistent with the distance to the last digit.
    result = near.overlap | (~near.beyond & (near.distance - radii <= slack))
    # Cores that touch, or nearly, and whose radii do not decide.
    vague = vague[radii[vague] <= near.distance[vague] + slack[vague]]
    for rows, left, right in similar_sizes(a, b, vague):
        gap = best_facet(left, right).gap
        # For points, segments and flat shapes, GJK may prove a gap that their facets do not show.
        gap = np.maximum(gap, np.where(near.overlap[rows], -np.inf, near.lower[rows]))
        together = np.where(gap <= slack[rows], gap, near.distance[rows])
        result[rows] = together - radii[rows] <= slack[rows]
    return result


def measured(a: Polytopes, b: Polytopes, offset: Floats, limit: float | None = None) -> Gap:
    """Measure the distance or depth of each pair.

    Parameters
    ----------
    a, b : Polytopes
        P rows each, relative to a nearby origin.
    offset : (P,) float64
        Distance of the pair from the world's origin, for the rounding error.
    limit : float, optional
        Pairs farther apart than this are not measured.
    """
    slack = rounding(a.size + b.size, offset)
    radii = a.radius + b.radius
    near, vague = _cores(a, b, None if limit is None else limit + _FAR * slack + radii)
    core, normal, point_a, point_b = near.distance, near.normal, near.point_a, near.point_b
    normal[~normal.any(axis=1)] = _UP
    deep = np.flatnonzero(near.overlap)
    doubtful = vague
    if len(deep):
        support = PolytopeSupport.of(a.take(deep)), PolytopeSupport.of(b.take(deep))
        found = penetration(*support, near.simplex[deep])
        # For nearly flat shapes, the lower bound comes from slivers with inaccurate normals.
        sure = found.converged & ~found.tied & (found.depth > NEAR * (a.size + b.size)[deep])
        core[deep], normal[deep] = -found.depth, found.normal
        point_a[deep], point_b[deep] = found.point_a, found.point_b
        doubtful = np.concatenate([vague, deep[~sure]])
    tilt = ((a.radius - b.radius) / 2.0)[:, None]
    middle = (point_a + point_b) / 2.0 + normal * tilt
    middle[near.beyond] = np.nan
    for rows, left, right in similar_sizes(a, b, doubtful):
        facets = best_facet(left, right)
        # A gap below rounding is overlap. Then the facet gives the normal, even if its gap is just above zero. For
        # points, segments and flat shapes, GJK may prove a gap that their facets do not show.
        shown = np.maximum(facets.gap, near.lower[rows])
        together = near.overlap[rows] | (shown <= slack[rows])
        # The direction between points this close is mostly rounding. A facet may prove a larger gap than it.
        better = ~together & (facets.gap > near.lower[rows]) & (near.distance[rows] <= _FAR * slack[rows])
        where = rows[better]
        middle[where] += tilt[where] * (facets.axis[better] - normal[where])
        normal[where] = facets.axis[better]
        meet = np.flatnonzero(together)
        where = rows[meet]
        core[where], normal[where] = facets.gap[meet], facets.axis[meet]
        # If the pair shares more than a boundary, GJK may return any of the common points.
        inside = near.overlap[where] | (np.maximum(-facets.gap[meet], near.distance[where]) > slack[where])
        touch = np.where(inside[:, None], np.nan, (near.point_a[where] + near.point_b[where]) / 2.0)
        edges = facets.edge_a[meet], facets.edge_b[meet]
        left, right = left.take(meet), right.take(meet)
        middle[where], _, _ = patch_centers(left, right, normal[where], *edges, touch, slack[where])
        _bring_together(left, right, where, core, normal, middle, slack[where])
    return Gap(core - radii, normal, middle, slack)


def _bring_together(
    a: Polytopes, b: Polytopes, rows: Ints, core: Floats, normal: Floats, middle: Floats, slack: Floats
) -> None:
    """Replace midpoints that are not between surface points by those where the shapes touch after separation.

    `a`, `b` and `slack` are of these rows, which overlap or touch. The gaps of the cores (P,), their normals (P, 3) and
    the midpoints between the witness points (P, 3) are of all pairs.
    """
    tilt = (a.radius - b.radius) / 2.0
    half = normal[rows] * (core[rows] / 2.0)[:, None]
    between = middle[rows] - normal[rows] * tilt[:, None]
    off = np.maximum(outside(a, between - half), outside(b, between + half))
    wrong = np.flatnonzero(off > ON_SURFACE * EPS * (a.size + b.size))
    if not len(wrong):
        return
    where, off, tilt = rows[wrong], off[wrong], tilt[wrong]
    support = PolytopeSupport.of(a.take(wrong)), PolytopeSupport.of(b.take(wrong))
    found = brought_together(*support, normal[where], core[where], slack[wrong] / 4.0)
    better = np.flatnonzero(found.miss < off)
    where = where[better]
    # Pairs that touch by their facets do so regardless of the rounding of the points.
    core[where], normal[where] = np.minimum(found.lower, slack[wrong])[better], found.normal[better]
    point = (found.point_a[better] + found.point_b[better]) / 2.0
    middle[where] = point + found.normal[better] * tilt[better, None]


def outside(shapes: Polytopes, points: Floats) -> Floats:
    """Proved distance of points (P, 3) outside the cores, (P,)."""
    point = polytopes(Spheres(points, np.zeros(len(points))))
    found = closest(PolytopeSupport.of(shapes), PolytopeSupport.of(point), shapes.centers - points)
    # For shapes as thin as rounding, inner points may be measured as outside.
    height = dot(points, found.normal) - shapes.greatest(found.normal[:, None])[:, 0]
    return np.minimum(found.distance, np.maximum(height, 0.0))


def gap_along_axes(a: Polytopes, b: Polytopes, known_axes: KnownAxes) -> Gap:
    """The gap of pairs without radii whose axes are known. GJK measures the separated pairs."""
    axes, slack = known_axes.axes, known_axes.slack
    meet, inside = axes.gap <= slack, axes.gap < -slack
    distance, normal = axes.gap.copy(), axes.axis.copy()
    middle = np.full((len(a), 3), np.nan)
    rows = np.flatnonzero(~inside)
    part_a, part_b = a.take(rows), b.take(rows)
    start = part_a.centers - part_b.centers
    near = closest(PolytopeSupport.of(part_a), PolytopeSupport.of(part_b), start)
    middle[rows] = (near.point_a + near.point_b) / 2.0
    middle[rows[near.overlap | (meet[rows] & (near.distance > slack[rows]))]] = np.nan
    # For separated pairs, the normal is the direction of the closest points, unless it is mostly rounding.
    rounded = (axes.gap[rows] > near.lower) & (near.distance <= _FAR * slack[rows])
    apart = np.flatnonzero(~meet[rows] & ~near.overlap & ~rounded)
    # A gap is a lower bound of the distance. It decides where GJK finds less by rounding.
    distance[rows[apart]] = np.maximum(near.distance[apart], axes.gap[rows[apart]])
    normal[rows[apart]] = near.normal[apart]
    both = (axes.feature_a[:, 0] == FeatureKind.EDGE) & (axes.feature_b[:, 0] == FeatureKind.EDGE)
    edge_a, edge_b = (np.where(both, feature[:, 1], -1) for feature in (axes.feature_a, axes.feature_b))
    for rows, left, right in similar_sizes(a, b, np.flatnonzero(meet)):
        edges = edge_a[rows], edge_b[rows]
        normal[rows] = refined_normals(left, right, normal[rows], *edges)
        middle[rows], depth, known = patch_centers(left, right, normal[rows], *edges, middle[rows], slack[rows])
        distance[rows] = np.where(inside[rows], -depth, distance[rows])
        lost = np.flatnonzero(~known)
        if len(lost):
            part = left.take(lost), right.take(lost)
            _bring_together(*part, rows[lost], distance, normal, middle, slack[rows[lost]])
    return Gap(distance, normal, middle, slack)


def _cores(a: Polytopes, b: Polytopes, limit: Floats | None) -> tuple[Closest, Ints]:
    """The result of GJK, and the rows for which it does not decide whether they overlap."""
    near = closest(PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers, limit)
    close = near.doubtful | (near.distance <= NEAR * (a.size + b.size))
    vague = np.flatnonzero(~near.overlap & ~near.beyond & close)
    return near, vague


def similar_sizes(a: Polytopes, b: Polytopes, rows: Ints) -> Iterator[tuple[Ints, Polytopes, Polytopes]]:
    """Blocks of pairs with similar numbers of vertices, so that padding wastes little: rows, A and B."""
    if not len(rows):
        return
    a, b = a.faceted(rows), b.faceted(rows)
    if len(rows) == 1:
        yield rows, a, b
        return
    group = _cost(a) * 64 + _cost(b)
    for key, members in rows_of_each(group):
        largest = (1 << key // 64) * (1 << key % 64)
        step = max(1, _BLOCK // (9 * largest))
        for first in range(0, len(members), step):
            block = members[first : first + step]
            yield rows[block], a.take(block), b.take(block)


def _cost(shapes: Polytopes) -> Ints:
    """Size class of each row: the binary logarithm of its vertex count. Points and segments have their own classes."""
    result: Ints = np.ceil(np.log2(shapes.pool.vertices.count[shapes.geometry])).astype(np.int64)
    return result
