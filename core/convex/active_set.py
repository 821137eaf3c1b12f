# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points of pairs that GJK does not decide, from all triangles of the known support points.

The normal of an almost degenerate triangle is mostly rounding error. GJK keeps one simplex. If this simplex is such a
sliver, GJK ends with a distance that no direction proves. Here a set of support points grows instead. The candidate
directions are those of all its points, edges and triangles. The best one is the direction along which the whole set is
farthest from the origin. The direction of a sliver only wins if it is correct. The closest points are convex
combinations of support points. So they are points of the shapes, however thin the shapes are.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

import numpy as np

from ..kernels.supports import Side
from ..numerics.rows import RowTable
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, length, normalized, perpendicular, perpendicular_part
from ..shapes.sides import moved_side
from ..shapes.support_mapped import Supported

# Support points kept for a pair. A face of A - B and its neighborhood need fewer.
_MOST_POINTS = 12
# Maximum number of steps. Each adds up to two support points.
_MOST_STEPS = 128
# Maximum number of directions tried for an overlapping pair. Each gives a shorter separation than the one before it.
_MOST_TURNS = 8
# Radians between the normal and directions whose support points span the feature that is extreme along the normal.
_BESIDE = 1e-13
# Pairs whose triangles are tested at once. This bounds the memory.
_BLOCK = 256


@dataclass(frozen=True)
class Settled(RowTable):
    """The gap of each pair and its witness points.

    Attributes
    ----------
    lower : (P,) float64
        The gap along `normal`, a lower bound of the distance; at most zero for intersecting pairs.
    normal : (P, 3) float64
        Unit vector from A to B.
    point_a, point_b : (P, 3) float64
        Points of A and B. Of all candidates, those for which ``point_b - point_a`` is nearest to ``lower * normal``.
    miss : (P,) float64
        Distance between ``point_b - point_a`` and ``lower * normal``.
    """

    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    miss: Floats

    @classmethod
    def empty(cls, count: int) -> "Settled":
        """Allocate `count` rows."""
        normal, point_a, point_b = np.zeros((3, count, 3))
        return cls(np.full(count, -np.inf), normal, point_a, point_b, np.full(count, np.inf))


def settled(a: Supported, b: Supported, normal: Floats, tolerance: Floats, points: Floats | None = None) -> Settled:
    """Closest points of pairs (P), and the direction that proves them.

    The search begins at an approximate unit `normal` (P, 3) from A to B, and at known `points` (P, K, 6) of A - B, each
    followed by the point of A that it comes from. A pair is finished if its points agree with the bound within the
    `tolerance` (P,), or if their distance is at most that.
    """
    result = Settled.empty(len(a))
    result.normal[:] = normal
    if points is None:
        points = np.empty((len(a), 0, 6))
    for first in range(0, len(a), _BLOCK):
        rows = np.arange(first, min(first + _BLOCK, len(a)))
        part_a, part_b = a.take(rows), b.take(rows)
        active = np.concatenate([points[rows], extreme(part_a, part_b, normal[rows])[:, None]], axis=1)
        for _ in range(_MOST_STEPS):
            along, weights = candidate_directions(active[..., :3])
            reach = np.matmul(along, active[..., :3].transpose(0, 2, 1)).max(axis=2)
            best = _pick(along, np.where(along.any(axis=2), reach, np.inf).argmin(axis=1))
            # A single point at the origin has no direction of its own.
            best = np.where(best.any(axis=1, keepdims=True), best, result.normal[rows])
            nearest = np.matmul(weights, active)
            square = dot(nearest[..., :3], nearest[..., :3])
            # Of points that are equally near within rounding, take those whose direction has the largest gap.
            ways = normalized(-nearest[..., :3], best[:, None])
            shown = -np.matmul(ways, active[..., :3].transpose(0, 2, 1)).max(axis=2)
            level = np.sqrt(square) <= (np.sqrt(square.min(axis=1)) + tolerance[rows])[:, None]
            near = np.where(level, shown, -np.inf).argmax(axis=1)
            apart, towards = np.sqrt(_pick(square, near)), _pick(ways, near)
            more = np.stack([extreme(part_a, part_b, best), extreme(part_a, part_b, towards)], axis=1)
            lower, own = -dot(more[:, 0, :3], best), -dot(more[:, 1, :3], towards)
            # A bound that the points prove is the best one. By rounding, other bounds may seem as good.
            proved = apart - own <= tolerance[rows]
            better = np.flatnonzero(proved | (lower > result.lower[rows]))
            result.lower[rows[better]] = np.where(proved, own, lower)[better]
            result.normal[rows[better]] = np.where(proved[:, None], towards, best)[better]
            off = length(nearest[..., :3] + (result.lower[rows, None] * result.normal[rows])[:, None])
            # Coinciding points need no direction.
            meet = apart <= tolerance[rows]
            chosen = np.where(meet, near, off.argmin(axis=1))
            point = _pick(nearest, chosen)
            result.point_a[rows], result.point_b[rows] = point[:, 3:], point[:, 3:] - point[:, :3]
            result.miss[rows] = off[np.arange(len(rows)), chosen]
            known = (more[:, :, None, :3] == active[:, None, :, :3]).all(axis=3).any(axis=2).all(axis=1)
            alive = np.flatnonzero(~meet & ~known & ~proved & (result.miss[rows] > tolerance[rows]))
            if not len(alive):
                break
            rows, part_a, part_b = rows[alive], part_a.take(alive), part_b.take(alive)
            active = _grown(active[alive], more[alive], best[alive])
    return result


def brought_together(a: Supported, b: Supported, normal: Floats, gap: Floats, tolerance: Floats) -> Settled:
    """Witness points of overlapping pairs: where the shapes touch after B has moved out of A.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    normal, gap : (P, 3), (P,) float64
        Unit normal, and the gap along it: minus the depth or a slightly greater depth. If they are separated after this
        translation, another direction has a shorter separating translation. It becomes the normal.
    tolerance : (P,) float64
        Points that coincide within this are accurate enough.

    Returns
    -------
    Settled
        `lower` is the gap along the normal.
    """
    result = Settled.empty(len(a))
    rows = np.arange(len(a))
    for _ in range(_MOST_TURNS):
        shift = gap[:, None] * normal
        part_a, part_b = a.take(rows), Moved(b.take(rows), -shift)
        touch = settled(part_a, part_b, normal, tolerance, extreme_feature(part_a, part_b, normal))
        point_b = touch.point_b + shift
        miss = length(touch.point_b - touch.point_a)
        better = np.flatnonzero(miss < result.miss[rows])
        if not len(better):
            break
        found = Settled(gap, normal, touch.point_a, point_b, miss)
        result.put(rows[better], found.take(better))
        # Still separated, along a direction that proves less depth.
        shorter = touch.lower + gap * dot(normal, touch.normal)
        left = better[(miss[better] > tolerance[better]) & (shorter[better] > gap[better])]
        if not len(left):
            break
        rows, gap, normal, tolerance = rows[left], shorter[left], touch.normal[left], tolerance[left]
    return result


@dataclass(frozen=True)
class Moved(RowTable):
    """Shapes with a translation each."""

    shapes: Supported
    shift: Floats

    @cached_property
    def side(self) -> Side | None:
        """The shapes as kernels read them, if they have such a form."""
        own = getattr(self.shapes, "side", None)
        return None if own is None else moved_side(own, self.shift)

    @property
    def size(self) -> Floats:
        """The size of the shapes."""
        return self.shapes.size

    def support(self, direction: Floats) -> Floats:
        """The support points along each direction."""
        return self.shapes.support(direction) + self.shift


def extreme(a: Supported, b: Supported, normal: Floats) -> Floats:
    """Support points of each A - B along its direction, and the points of A that they come from, (P, 6)."""
    on_a = a.support(normal)
    return np.concatenate([on_a - b.support(-normal), on_a], axis=1)


def extreme_feature(a: Supported, b: Supported, normal: Floats) -> Floats:
    """Points (P, 4, 6) of the vertex, edge or face of A - B that is extreme along the normal: those beside the normal.

    Each is followed by the point of A that it comes from.
    """
    side = _BESIDE * perpendicular(normal)
    up = np.cross(normal, side)
    return np.stack([extreme(a, b, normal + turn) for turn in (side, up, -side, -up)], axis=1)


def _pick(values: Floats, index: Ints) -> Floats:
    return values[np.arange(len(values)), index]


def _grown(active: Floats, new: Floats, normal: Floats) -> Floats:
    """The set with more points. If they are too many, those farthest below the support plane are dropped."""
    result = np.concatenate([active, new], axis=1)
    if result.shape[1] <= _MOST_POINTS:
        return result
    old = active.shape[1]
    below = np.einsum("pki,pi->pk", result[..., :3], normal)
    # Duplicates are useless. The new points are kept.
    same = (result[:, :, None, :3] == result[:, None, :, :3]).all(axis=3)
    below[np.tril(same, -1).any(axis=2)] = -np.inf
    below[:, old:] = np.inf
    keep = np.argsort(-below, axis=1, kind="stable")[:, :_MOST_POINTS]
    return np.take_along_axis(result, keep[..., None], axis=1)


@cache
def _simplices(count: int) -> tuple[Ints, Ints]:
    """All pairs, including a point with itself, and all triples of `count` points: (S, 2), (T, 3)."""
    pairs = [(k, k) for k in range(count)] + list(combinations(range(count), 2))
    return np.array(pairs), np.array(list(combinations(range(count), 3)), dtype=np.int64).reshape(-1, 3)


def candidate_directions(points: Floats) -> tuple[Floats, Floats]:
    """Directions from all simplices of some points towards the origin, and weights of their nearest points.

    Parameters
    ----------
    points : (P, K, 3) float64

    Returns
    -------
    along : (P, C, 3) float64
        Towards the origin from each point, perpendicular to each segment and to each triangle. Unit, or zero if there
        is none.
    weights : (P, S, K) float64
        Weights of the points. They are not negative, and their sum is one.
    """
    count, (pairs, triples) = points.shape[1], _simplices(points.shape[1])
    start, end = points[:, pairs[:, 0]], points[:, pairs[:, 1]]
    run = end - start
    square = dot(run, run)
    share = np.clip(-dot(start, run) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    weights = np.zeros((len(points), len(pairs) + len(triples), count))
    numbers = np.arange(len(pairs))
    weights[:, numbers, pairs[:, 1]] = share
    weights[:, numbers, pairs[:, 0]] += 1.0 - share
    p, q, r = (points[:, triples[:, k]] for k in range(3))
    first, second = q - p, r - p
    unit = normalized(first, np.zeros(3))
    # Twice: one pass leaves a residue along the first edge if the edges are nearly parallel.
    upright = second - dot(second, unit)[..., None] * unit
    upright -= dot(upright, unit)[..., None] * unit
    height = dot(upright, upright)
    t = -dot(p, upright) / np.where(height > 0.0, height, 1.0)
    s = -dot(p + t[..., None] * second, unit) / np.where(unit.any(axis=-1), length(first), 1.0)
    t = np.clip(t, 0.0, 1.0)
    s = np.clip(s, 0.0, 1.0 - t)
    numbers = len(pairs) + np.arange(len(triples))
    weights[:, numbers, triples[:, 0]] = 1.0 - s - t
    weights[:, numbers, triples[:, 1]] = s
    weights[:, numbers, triples[:, 2]] = t
    # The upright direction of a sliver may be rounding, nearly parallel to the edge.
    across = normalized(np.cross(unit, normalized(upright, np.zeros(3))), np.zeros(3))
    across *= np.where(dot(across, p) > 0.0, -1.0, 1.0)[..., None]
    return np.concatenate([perpendicular_part(-start, run), across], axis=1), weights
