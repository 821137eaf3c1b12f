# SPDX-License-Identifier: GPL-3.0-or-later
"""All directions along which a cylinder can face a polytope or another cylinder, and the best of them.

This is the separating axis test, extended to cylinders. For overlapping shapes, the ball in A - B that gives the depth
touches the surface where it is flat or smooth: at the normal of a cap, of a face, of a side along an edge, of a side at
a vertex, of a rim along an edge, or of two rims. For separated shapes, the closest features are among these, or are a
rim and a vertex. Each case has finitely many directions, in closed form or as roots of one equation. Only those of two
rims are searched as for any two round shapes. The gap along each candidate is measured on the shapes themselves. So it
is a lower bound for any candidate, and the largest one is the signed distance.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.tolerances import CYLINDER_ARC, CYLINDER_ARC_MOST, CYLINDER_TURN, EPS, NEAR, ROUNDING_STEPS
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length, normalized
from ...results import Distances
from ..polytopes.placed import Polytopes
from .circles import TwoRims, edge_frames, edge_normals
from .placed import PlacedCylinders


class FeaturePair(IntEnum):
    """Features of the cylinder and of the other shape that face each other. On ties, the first one wins.

    For two cylinders, the cap of the other counts as a face, its side as an edge, and its rim against a rim as a
    vertex. A rim along an edge that is parallel to the axis represents the side along this edge.
    """

    CAP = 0
    FACE = 1
    SIDE_EDGE = 2
    RIM_EDGE = 3
    VERTEX = 4


@dataclass(frozen=True)
class BestDirection(RowTable):
    """The direction with the largest gap, for each pair.

    Attributes
    ----------
    gap : (P,) float64
    normal : (P, 3) float64
        Unit, from the cylinder to the other shape.
    feature_pair : (P,) int64
        `FeaturePair`.
    index : (P,) int64
        The vertex or edge of a polytope that faces the cylinder. For two cylinders, 0 and 1 are a rim of A along the
        side of B, and 2 and 3 a rim of B along the side of A.
    """

    gap: Floats
    normal: Floats
    feature_pair: Ints
    index: Ints

    def along(self, rows: Ints, normal: Floats, gap: Floats) -> "BestDirection":
        """Copy with other normals and gaps for some rows."""
        result = BestDirection(self.gap.copy(), self.normal.copy(), self.feature_pair, self.index)
        result.gap[rows], result.normal[rows] = gap, normal
        return result

    @classmethod
    def nothing(cls, count: int) -> "BestDirection":
        """Initial value without candidates."""
        return cls(np.full(count, -np.inf), np.zeros((count, 3)), np.zeros(count, np.int64), np.full(count, -1))

    @classmethod
    def of(cls, known: Distances) -> "BestDirection":
        """The normals of known distances. Their features are not known."""
        features = np.full((2, len(known)), -1)
        return cls(known.distance, known.normal, *features)

    def propose(self, gap: Floats, normal: Floats, feature_pair: FeaturePair, slack: Floats) -> None:
        """Candidates (P, K) of every pair. To win, they must be better than the best by more than the slack (P,)."""
        at = np.arange(len(gap))
        best = np.argmax(gap, axis=1)
        self._put(at, gap[at, best], normal[at, best], feature_pair, best, slack)

    def propose_some(
        self, pair: Ints, gap: Floats, normal: Floats, feature_pair: FeaturePair, index: Ints, slack: Floats
    ) -> None:
        """Candidates (K,) of some pairs, with the index of each pair."""
        order = np.lexsort((gap, pair))
        last = order[np.flatnonzero(np.diff(pair[order], append=-1))]  # the largest gap of each pair
        self._put(pair[last], gap[last], normal[last], feature_pair, index[last], slack[pair[last]])

    def _put(
        self, rows: Ints, gap: Floats, normal: Floats, feature_pair: FeaturePair, index: Ints, slack: Floats
    ) -> None:
        better = gap > self.gap[rows] + slack
        where = rows[better]
        self.gap[where], self.normal[where] = gap[better], normal[better]
        self.feature_pair[where], self.index[where] = feature_pair, index[better]


def facing_polytopes(cylinders: PlacedCylinders, cores: Polytopes) -> BestDirection:
    """The best facing direction of each cylinder and the core of its polytope."""
    slack = 8.0 * EPS * (cylinders.size + cores.size)
    best = BestDirection.nothing(len(cylinders))
    caps = np.stack([-cylinders.axis, cylinders.axis], axis=1)
    best.propose(_gaps(cylinders, cores, caps), caps, FeaturePair.CAP, 0.0 * slack)
    # Points and segments have normals, but no faces.
    real = (cores.pool.faces[cores.geometry] > 0)[:, None]
    gap = np.where(real, _gaps(cylinders, cores, -cores.normals), -np.inf)
    best.propose(gap, -cores.normals, FeaturePair.FACE, slack)
    pair, edges = _propose_edges(best, cylinders, cores, slack)
    owner, vertices = _propose_vertices(best, cylinders, cores, slack)

    def miss(rows: Ints) -> Floats:
        return _miss_of_edges(cylinders.take(pair[rows]), cores.take(pair[rows]), edges.take(rows))

    _prefer(best, pair, edges, miss, slack)
    _prefer(best, owner, vertices, lambda rows: np.zeros(len(rows)), slack)
    return best


def facing_cylinders(a: PlacedCylinders, b: PlacedCylinders) -> tuple[BestDirection, Ints]:
    """The best facing direction of each pair of cylinders, but for two rims, and the rows that need `face_rims`."""
    slack = 8.0 * EPS * (a.size + b.size)
    best = BestDirection.nothing(len(a))

    def propose(normal: Floats, feature_pair: FeaturePair, real: Bools | None = None) -> None:
        gap = -b.reach(-normal) - a.reach(normal)
        best.propose(gap if real is None else np.where(real, gap, -np.inf), normal, feature_pair, slack)

    propose(np.stack([-a.axis, a.axis], axis=1), FeaturePair.CAP)
    propose(np.stack([-b.axis, b.axis], axis=1), FeaturePair.FACE)
    _, across, _, _ = edge_frames(a.axis, b.axis)
    propose(np.stack([-across, across], axis=1), FeaturePair.SIDE_EDGE)
    by_a, _ = _rim_and_edges(a, b.center[:, None], b.axis[:, None])
    by_b, _ = _rim_and_edges(b, a.center[:, None], a.axis[:, None])
    normal = np.concatenate([by_a[:, 0], -by_b[:, 0]], axis=1)
    propose(
        normal,
        FeaturePair.RIM_EDGE,
        np.concatenate([_beside(a, b, normal[:, :2]), _beside(b, a, -normal[:, 2:])], axis=1),
    )
    return best, np.flatnonzero(~_settled(a, b, best))


def face_rims(
    best: BestDirection, rows: Ints, a: PlacedCylinders, b: PlacedCylinders, normal: Floats, middle: Floats
) -> None:
    """Propose the directions along which two rims face each other near those that a search has found.

    Parameters
    ----------
    best : BestDirection
        Of all pairs; it is changed.
    rows : (R,) int64
    a, b : PlacedCylinders
        Of these rows.
    normal, middle : (R, 3) float64
        The directions that were found, and the midpoints between the points.
    """
    turned = b.radius < a.radius
    rims = _two_rims(a, b, a.cap_sign(normal), b.cap_sign(-normal), turned)
    swap, sign = turned[:, None], np.where(turned, -1.0, 1.0)[:, None]
    outward = (
        np.where(swap, b.outward(-normal), a.outward(normal)),
        np.where(swap, middle - b.center, middle - a.center),
    )
    ways = np.stack([normal, *(sign * rims.normal_near(out) for out in outward)], axis=1)
    trial = BestDirection.nothing(len(rows))
    trial.propose(-b.reach(-ways) - a.reach(ways), ways, FeaturePair.VERTEX, np.zeros(len(rows)))
    known = best.take(rows)
    # Its gap may be less than the best by rounding. If witness points prove it, it wins nevertheless.
    better = trial.gap > known.gap + np.where(_settled(a, b, trial), -1.0, 1.0) * 8.0 * EPS * (a.size + b.size)
    some = np.flatnonzero(better)
    best.put(rows[some], trial.take(some))


def _two_rims(a: PlacedCylinders, b: PlacedCylinders, i: Floats, j: Floats, turned: Bools) -> TwoRims:
    """The rims at the ends given by their signs; that of B first where `turned` (P,), as its radius is smaller.

    Relative to a small circle, all points of a large one are far away. So the angles around it are well-conditioned.
    """
    end_a, end_b = a.center + i[:, None] * a.half, b.center + j[:, None] * b.half
    swap = turned[:, None]
    first = np.where(swap, end_b, end_a), np.where(swap, b.axis, a.axis), np.minimum(a.radius, b.radius)
    second = np.where(swap, end_a, end_b), np.where(swap, a.axis, b.axis), np.maximum(a.radius, b.radius)
    return TwoRims(*first, *second)


def _settled(a: PlacedCylinders, b: PlacedCylinders, best: BestDirection) -> Bools:
    """Whether the pair is separated, and witness points prove that the gap is the distance.

    The points are an upper bound of the distance, and the gap is a lower bound.
    """
    result, gap = np.zeros(len(a), dtype=bool), np.maximum(best.gap, 0.0)
    # Candidate points: of the two rims, and of B's side at its crossing with A's axis, seen along the direction.
    aside = cross(a.axis, best.normal)
    speed = dot(b.half, aside)
    t = np.clip(dot(a.center - b.center, aside) / np.where(speed != 0.0, speed, 1.0), -1.0, 1.0)
    crossing = b.center + t[:, None] * b.half + b.outward(-best.normal)
    for point, other, sign in (
        (a.support(best.normal), b, 1.0),
        (b.support(-best.normal), a, -1.0),
        (crossing, a, -1.0),
    ):
        miss = other.nearest(point) - point - (sign * gap)[:, None] * best.normal
        result |= length(miss) <= ROUNDING_STEPS * EPS * (a.size + b.size)
    return result & (gap > NEAR * (a.size + b.size))


def _beside(rims: PlacedCylinders, sides: PlacedCylinders, normal: Floats) -> Bools:
    """Whether the support point of a rim along each direction (P, K, 3) is beside the side of the other cylinder.

    The gap alone does not need this: otherwise another direction has a larger gap. But for a very flat cylinder, the
    difference may be less than rounding, and the witness points would be less accurate. If both rims are equally far,
    the line between them must be beside it.
    """
    slack = ROUNDING_STEPS * EPS * (rims.size + sides.size + length(sides.center - rims.center))
    result = np.empty(normal.shape[:2], dtype=bool)
    for k in range(normal.shape[1]):
        along = normal[:, k]
        middle = dot(rims.center + rims.outward(along) - sides.center, sides.axis)
        half = rims.cap_sign(along) * dot(rims.half, sides.axis)
        both = np.abs(dot(rims.half, along)) <= slack
        low = middle + np.where(both, -np.abs(half), half)
        high = middle + np.where(both, np.abs(half), half)
        result[:, k] = (low <= sides.height + slack) & (high >= -sides.height - slack)
    return result


def _gaps(cylinders: PlacedCylinders, cores: Polytopes, normal: Floats) -> Floats:
    """Gap along each direction (P, K, 3), (P, K)."""
    return -cores.greatest(-normal) - cylinders.reach(normal)


def _propose_edges(
    best: BestDirection, cylinders: PlacedCylinders, cores: Polytopes, slack: Floats
) -> tuple[Ints, BestDirection]:
    """Propose the side along an edge, and a rim along an edge. Returns all such candidates and their pairs."""
    at = np.arange(len(cores))[:, None]
    edges = cores.edges
    start = cores.vertices[at, edges[..., 0]]
    along = cores.vertices[at, edges[..., 1]] - start
    size = length(along)
    along = along / np.where(size > 0.0, size, 1.0)[..., None]
    first, second = cores.normals[at, edges[..., 2]], cores.normals[at, edges[..., 3]]
    rims, across = _rim_and_edges(cylinders, start, along)
    candidates = np.concatenate([across[:, :, None], -across[:, :, None], rims], axis=2)
    # The edge must be the supporting feature: the direction is between the normals of the two adjacent faces.
    turn = cross(along, second)[:, :, None], cross(along, first)[:, :, None]
    # The smaller the radius of the cylinder, the less accurate is the point of the rim that touches the edge.
    doubt = ROUNDING_STEPS * EPS * (cylinders.size + cores.size) / np.maximum(cylinders.radius, EPS * cylinders.size)
    arc = CYLINDER_ARC + np.minimum(doubt, CYLINDER_ARC_MOST)[:, None, None]
    there = (dot(turn[0], candidates) <= arc) & (dot(turn[1], candidates) >= -arc)
    real = (np.arange(edges.shape[1]) < cores.pool.edges.count[cores.geometry][:, None]) & (size > 0.0)
    pair, edge, sort = np.nonzero(there & real[..., None])
    normal = candidates[pair, edge, sort]
    if cores.large:
        low = -cores.take(pair).greatest(-normal[:, None])[:, 0]
    else:
        low = np.matmul(cores.vertices[pair], normal[:, :, None])[:, :, 0].min(axis=1)
    gap = low - cylinders.take(pair).reach(normal)
    for feature_pair, rows in ((FeaturePair.SIDE_EDGE, sort < 2), (FeaturePair.RIM_EDGE, sort >= 2)):
        best.propose_some(pair[rows], gap[rows], normal[rows], feature_pair, edge[rows], slack)
    return pair, BestDirection(gap, normal, np.where(sort < 2, FeaturePair.SIDE_EDGE, FeaturePair.RIM_EDGE), edge)


def _prefer(
    best: BestDirection, pair: Ints, candidates: BestDirection, points: Callable[[Ints], Floats], slack: Floats
) -> None:
    """Take candidates that equal the best within rounding, but have more accurate witness points.

    If two directions differ by a small angle t, their gaps differ by t²/2 of the distance, which rounding may hide. But
    their witness points differ by t times the distance. For touching shapes, the gaps differ by t times the lateral
    offset of the witness points. In these cases the points decide.

    Parameters
    ----------
    pair : (K,) int64
        The pair of each candidate.
    points : function
        For some of the candidates, the error of the points of their features with respect to the gap.
    """
    gap, size, rounding = best.gap[pair], np.abs(best.gap[pair]), slack[pair]
    turn = length(candidates.normal - best.normal[pair])
    hidden = (turn > ROUNDING_STEPS * EPS) & (turn <= CYLINDER_TURN) & (turn**2 * size <= 8.0 * rounding)
    rows = np.flatnonzero(hidden & (candidates.gap >= gap - rounding))
    if len(rows):
        rows = rows[points(rows) <= rounding[rows]]
        best.put(pair[rows], candidates.take(rows))


def _miss_of_edges(cylinders: PlacedCylinders, cores: Polytopes, facing: BestDirection) -> Floats:
    """Error of the points of a rim or side and of its facing edge, with respect to the gap, (P,)."""
    at, normal = np.arange(len(cores)), facing.normal
    ends = cores.vertices[at[:, None], cores.edges[at, facing.index][:, :2]]
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    rim = cylinders.support(normal)
    side = cylinders.center + cylinders.outward(normal)
    aside = cross(cylinders.axis, normal)
    speed, square = dot(along, aside), dot(along, along)
    across = dot(side - start, aside) / np.where(speed != 0.0, speed, 1.0)
    nearest = dot(rim - start, along) / np.where(square > 0.0, square, 1.0)
    sideways = facing.feature_pair == FeaturePair.SIDE_EDGE
    point = start + np.clip(np.where(sideways, across, nearest), 0.0, 1.0)[:, None] * along
    rise = np.clip(dot(point - side, cylinders.axis), -cylinders.height, cylinders.height)
    own = np.where(sideways[:, None], side + rise[:, None] * cylinders.axis, rim)
    return length(point - own - facing.gap[:, None] * normal)


def _rim_and_edges(cylinders: PlacedCylinders, start: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Directions along which the rims face edges (P, E), (P, E, 2, 3), and along which the side does, (P, E, 3).

    If a rim has no such direction, its direction perpendicular to the edge is used instead.
    """
    axis = cylinders.axis[:, None]
    short, wide, sine, cosine = edge_frames(np.broadcast_to(axis, along.shape), along)
    short = short * np.where(dot(short, axis) < 0.0, -1.0, 1.0)[..., None]
    result = np.empty((*along.shape[:2], 2, 3))
    for cap, sign in enumerate((-1.0, 1.0)):
        spoke = start - (cylinders.center + sign * cylinders.half)[:, None]
        x, y = sign * dot(spoke, short), dot(spoke, wide)
        radius = np.broadcast_to(cylinders.radius[:, None], x.shape)
        t, exists = edge_normals(radius, sine, cosine, x, np.abs(y))
        t = np.where(exists, t, 0.0)
        towards = (sign * short) + (np.where(y < 0.0, -t, t))[..., None] * wide
        result[:, :, cap] = towards / np.sqrt(1.0 + t * t)[..., None]
    return result, wide


def _propose_vertices(
    best: BestDirection, cylinders: PlacedCylinders, cores: Polytopes, slack: Floats
) -> tuple[Ints, BestDirection]:
    """Propose the nearest feature to a vertex outside (cap, rim or side), and the side at a vertex inside.

    The side at a vertex beyond a cap belongs to an edge along the side. This edge also meets a rim. A candidate is
    valid if no other vertex is lower. Returns all candidates that are not worse than the best, and their pairs.
    """
    axis, height, radius = cylinders.axis[:, None], cylinders.height[:, None], cylinders.radius[:, None]
    spoke = cores.vertices - cylinders.center[:, None]
    level = dot(spoke, axis)
    outward = cylinders.away(spoke)
    beyond = np.maximum(np.abs(level) - height, 0.0) * np.where(level < 0.0, -1.0, 1.0)
    aside = np.maximum(dot(spoke, outward) - radius, 0.0)
    towards = normalized(beyond[..., None] * axis + aside[..., None] * outward, outward)
    if cores.large:
        lowest = -cores.greatest(-towards)
        own = dot(towards, cores.vertices) <= lowest + slack[:, None]
    else:
        heights = np.matmul(towards, cores.vertices.transpose(0, 2, 1))
        lowest = heights.min(axis=2)
        own = np.einsum("pkk->pk", heights) <= lowest + slack[:, None]
    gap = np.where(own, lowest - cylinders.reach(towards), -np.inf)
    best.propose(gap, towards, FeaturePair.VERTEX, slack)
    pair, vertex = np.nonzero(gap >= (best.gap - slack)[:, None])
    return pair, BestDirection(gap[pair, vertex], towards[pair, vertex], np.full(len(pair), FeaturePair.VERTEX), vertex)
