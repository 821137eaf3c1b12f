# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart or how deep in each other any two convex shapes are, through their cores.

GJK measures cores that are apart, the expanding polytope those that are not. Both prove what they say; where they
cannot, because the cores touch, are flat, or have two ways out that are equally short, the separating axis test
goes through all facets of A - B. Radii are subtracted and added afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..numerics.tolerances import EPS, NEAR, ON_SURFACE, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length
from ..results import FeatureKind, Separations
from ..shapes import Spheres
from .active_set import brought_together
from .contact_manifold import meeting_points, sharpened
from .epa import penetration
from .gjk import Closest, closest
from .polytope_support import PolytopeSupport
from .polytopes import Polytopes, polytopes
from .sat import best_facet

# Numbers in the largest intermediate array of a block of like sizes: about 16 MB of float64, near the caches.
_BLOCK = 1 << 21
# Multiples of what counts as touching. GJK goes on to there, as the facets may have pairs touch that it has just apart.
_FAR = 4.0
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Gap:
    """How the two shapes of each pair stand, in their frame.

    Attributes
    ----------
    distance : (P,) float64
        Signed, radii included. Of pairs beyond the limit, a lower bound that is beyond it too.
    normal : (P, 3) float64
    middle : (P, 3) float64
        Midway between the witnesses; NaN for pairs beyond the limit.
    slack : (P,) float64
        Rounding of the pair: it overlaps where the distance is no greater.
    """

    distance: Floats
    normal: Floats
    middle: Floats
    slack: Floats


@dataclass(frozen=True)
class Judged:
    """What a better method than this has found: which pairs overlap, how deep, and along which axis.

    `axes` are its answers, one a pair; a gap no larger than `slack` (P,) is contact.
    """

    axes: Separations
    slack: Floats

    def take(self, rows: Ints) -> "Judged":
        """What was found about these pairs."""
        return Judged(Separations(**{name: value[rows] for name, value in vars(self.axes).items()}), self.slack[rows])


def meets(a: Polytopes, b: Polytopes, offset: Floats) -> Bools:
    """Whether the shapes of each pair have a point in common; `offset` (P,) is as for `measured`."""
    slack = rounding(a.size + b.size, offset)
    radii = a.radius + b.radius
    # Where balls inside the two overlap, so do they.
    result = length(a.centers - b.centers) < a.inner + b.inner + radii - slack
    rows = np.flatnonzero(~result)
    result[rows] = _meets(a.take(rows), b.take(rows), slack[rows])
    return result


def _meets(a: Polytopes, b: Polytopes, slack: Floats) -> Bools:
    """Whether pairs that no bounding sphere settles have a point in common."""
    radii = a.radius + b.radius
    near, vague = _cores(a, b, _FAR * slack + radii)
    result = near.overlap | (~near.beyond & (near.distance <= slack + radii))
    # Cores that touch, or nearly, and no radius that settles it.
    vague = vague[radii[vague] <= near.distance[vague] + slack[vague]]
    for rows, left, right in like_sizes(a, b, vague):
        gap = best_facet(left, right).gap
        together = np.where(gap <= slack[rows], gap, near.distance[rows])
        result[rows] = together - radii[rows] <= slack[rows]
    return result


def measured(a: Polytopes, b: Polytopes, offset: Floats, limit: float | None = None) -> Gap:
    """Distance or depth of each pair.

    Parameters
    ----------
    a, b : Polytopes
        P rows each, seen from somewhere near.
    offset : (P,) float64
        Distance of the pair from the world's origin, for rounding.
    limit : float, optional
        Pairs farther apart than this need no measuring.
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
        # The bound from below of what is all but flat is that of slivers, whose normals are worth little.
        sure = found.converged & ~found.tied & (found.depth > NEAR * (a.size + b.size)[deep])
        core[deep], normal[deep] = -found.depth, found.normal
        point_a[deep], point_b[deep] = found.point_a, found.point_b
        doubtful = np.concatenate([vague, deep[~sure]])
    tilt = ((a.radius - b.radius) / 2.0)[:, None]
    middle = (point_a + point_b) / 2.0 + normal * tilt
    middle[near.beyond] = np.nan
    for rows, left, right in like_sizes(a, b, doubtful):
        facets = best_facet(left, right)
        # Closer than rounding is overlap; the facet then gives the normal, even of a gap just above zero.
        meet = np.flatnonzero(facets.gap <= np.where(near.overlap[rows], np.inf, slack[rows]))
        where = rows[meet]
        core[where], normal[where] = facets.gap[meet], facets.axis[meet]
        # Where they share more than a boundary, GJK's common point may be any of theirs.
        inside = near.overlap[where] | (np.maximum(-facets.gap[meet], near.distance[where]) > slack[where])
        touch = np.where(inside[:, None], np.nan, (near.point_a[where] + near.point_b[where]) / 2.0)
        edges = facets.edge_a[meet], facets.edge_b[meet]
        left, right = left.take(meet), right.take(meet)
        middle[where], _, _ = meeting_points(left, right, normal[where], *edges, touch, slack[where])
        _bring_together(left, right, where, core, normal, middle, slack[where])
    return Gap(core - radii, normal, middle, slack)


def _bring_together(
    a: Polytopes, b: Polytopes, rows: Ints, core: Floats, normal: Floats, middle: Floats, slack: Floats
) -> None:
    """Replace middles that are not midway between points of the shapes by those where the two touch when parted.

    Parameters
    ----------
    a, b : Polytopes
        Of these rows, pairs that overlap or touch.
    core, normal, middle : (P,), (P, 3), (P, 3) float64
        Of all pairs: the gaps of the cores, their normals, and midway between the witnesses.
    slack : float64
        Of these rows.
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
    # What touches by its facets does so whatever rounding the points have.
    core[where], normal[where] = np.minimum(found.lower, slack[wrong])[better], found.normal[better]
    point = (found.point_a[better] + found.point_b[better]) / 2.0
    middle[where] = point + found.normal[better] * tilt[better, None]


def outside(shapes: Polytopes, points: Floats) -> Floats:
    """How far points (P, 3) are outside the cores."""
    point = polytopes(Spheres(points, np.zeros(len(points))))
    return closest(PolytopeSupport.of(shapes), PolytopeSupport.of(point), shapes.centers - points).distance


def believed(a: Polytopes, b: Polytopes, judged: Judged) -> Gap:
    """The gap of pairs without radii that were judged before; GJK measures those that are apart."""
    axes, slack = judged.axes, judged.slack
    meet, inside = axes.gap <= slack, axes.gap < -slack
    distance, normal = axes.gap.copy(), axes.axis.copy()
    middle = np.full((len(a), 3), np.nan)
    rows = np.flatnonzero(~inside)
    part_a, part_b = a.take(rows), b.take(rows)
    start = part_a.centers - part_b.centers
    near = closest(PolytopeSupport.of(part_a), PolytopeSupport.of(part_b), start)
    middle[rows] = (near.point_a + near.point_b) / 2.0
    middle[rows[near.overlap | (meet[rows] & (near.distance > slack[rows]))]] = np.nan
    # Of pairs apart the direction of the closest points is the normal.
    apart = np.flatnonzero(~meet[rows] & ~near.overlap)
    distance[rows[apart]], normal[rows[apart]] = near.distance[apart], near.normal[apart]
    both = (axes.feature_a[:, 0] == FeatureKind.EDGE) & (axes.feature_b[:, 0] == FeatureKind.EDGE)
    edge_a, edge_b = (np.where(both, feature[:, 1], -1) for feature in (axes.feature_a, axes.feature_b))
    for rows, left, right in like_sizes(a, b, np.flatnonzero(meet)):
        edges = edge_a[rows], edge_b[rows]
        normal[rows] = sharpened(left, right, normal[rows], *edges)
        middle[rows], depth, known = meeting_points(left, right, normal[rows], *edges, middle[rows], slack[rows])
        distance[rows] = np.where(inside[rows], -depth, distance[rows])
        lost = np.flatnonzero(~known)
        if len(lost):
            part = left.take(lost), right.take(lost)
            _bring_together(*part, rows[lost], distance, normal, middle, slack[rows[lost]])
    return Gap(distance, normal, middle, slack)


def _cores(a: Polytopes, b: Polytopes, limit: Floats | None) -> tuple[Closest, Ints]:
    """What GJK finds, and the rows of which it cannot say whether they overlap."""
    near = closest(PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers, limit)
    close = near.doubtful | (near.distance <= NEAR * (a.size + b.size))
    vague = np.flatnonzero(~near.overlap & ~near.beyond & close)
    return near, vague


def like_sizes(a: Polytopes, b: Polytopes, rows: Ints) -> Iterator[tuple[Ints, Polytopes, Polytopes]]:
    """Blocks of pairs with like numbers of vertices, so that padding wastes little: rows, A and B."""
    if not len(rows):
        return
    cost_a, cost_b = _cost(a, rows), _cost(b, rows)
    group = cost_a * 64 + cost_b
    for key in np.unique(group):
        members = rows[group == key]
        largest = (1 << int(key) // 64) * (1 << int(key) % 64)
        step = max(1, _BLOCK // (9 * largest))
        for first in range(0, len(members), step):
            block = members[first : first + step]
            yield block, a.take(block), b.take(block)


def _cost(shapes: Polytopes, rows: Ints) -> Ints:
    """Size class of each row: the binary logarithm of its vertices, points and segments apart from all else."""
    result: Ints = np.ceil(np.log2(shapes.pool.vertices.count[shapes.geometry[rows]])).astype(np.int64)
    return result
