# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points of pairs that GJK leaves in doubt: all triangles of the support points found so far.

The normal of a triangle that is all but a segment is mostly rounding. GJK keeps one simplex, and where that is such a
sliver it ends with a distance that no direction proves. Here a set of support points grows instead. Of the directions
of all its points, edges and triangles the one counts along which the whole set is farthest from the origin: that of
a sliver only if it is right. The closest points are weighted means of support points, no weight below zero, and so
they are points of the shapes, however thin those are.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from ..numerics.rows import RowTable
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, length, normalized
from .support_map import Supported

# Support points kept for a pair: more than a face of A - B and what is beside it need.
_MOST_POINTS = 12
# Steps at most, each with up to two new support points.
_MOST_STEPS = 128
# Directions tried for a pair that overlaps, each the shorter way out after the one before it.
_MOST_TURNS = 8
# Pairs whose triangles are tried at once; bounds the memory.
_BLOCK = 256


@dataclass(frozen=True)
class Settled(RowTable):
    """The gap of each pair and the points that show it.

    Attributes
    ----------
    lower : (P,) float64
        The gap along `normal`, a lower bound on the distance; zero or less for pairs that meet.
    normal : (P, 3) float64
        Unit vector from A to B.
    point_a, point_b : (P, 3) float64
        Points of A and B: of those found the ones for which ``point_b - point_a`` is nearest to ``lower * normal``.
    miss : (P,) float64
        How near that is.
    """

    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    miss: Floats

    @classmethod
    def empty(cls, count: int) -> "Settled":
        """Room for this many answers."""
        normal, point_a, point_b = np.zeros((3, count, 3))
        return cls(np.full(count, -np.inf), normal, point_a, point_b, np.full(count, np.inf))


def settled(a: Supported, b: Supported, normal: Floats, tolerance: Floats, points: Floats | None = None) -> Settled:
    """Closest points and the direction that proves them.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    normal : (P, 3) float64
        About the direction from A to B, unit.
    points : (P, K, 6) float64, optional
        Points of A - B, each followed by the point of A it comes from: those that are known.
    tolerance : (P,) float64
        A pair is done when its points are where the bound has them up to this, or no farther apart than this.
    """
    result = Settled.empty(len(a))
    result.normal[:] = normal
    if points is None:
        points = np.empty((len(a), 0, 6))
    for first in range(0, len(a), _BLOCK):
        rows = np.arange(first, min(first + _BLOCK, len(a)))
        part_a, part_b = a.take(rows), b.take(rows)
        active = np.concatenate([points[rows], _extreme(part_a, part_b, normal[rows])[:, None]], axis=1)
        for _ in range(_MOST_STEPS):
            along, weights = _candidates(active[..., :3])
            reach = np.matmul(along, active[..., :3].transpose(0, 2, 1)).max(axis=2)
            best = _pick(along, np.where(along.any(axis=2), reach, np.inf).argmin(axis=1))
            # One point, and that the origin, has no direction of its own.
            best = np.where(best.any(axis=1, keepdims=True), best, result.normal[rows])
            nearest = np.matmul(weights, active)
            square = dot(nearest[..., :3], nearest[..., :3])
            # Of points that are as near to rounding, those whose direction shows the largest gap are the closest ones.
            ways = normalized(-nearest[..., :3], best[:, None])
            shown = -np.matmul(ways, active[..., :3].transpose(0, 2, 1)).max(axis=2)
            level = np.sqrt(square) <= (np.sqrt(square.min(axis=1)) + tolerance[rows])[:, None]
            near = np.where(level, shown, -np.inf).argmax(axis=1)
            apart, towards = np.sqrt(_pick(square, near)), _pick(ways, near)
            more = np.stack([_extreme(part_a, part_b, best), _extreme(part_a, part_b, towards)], axis=1)
            lower, own = -dot(more[:, 0, :3], best), -dot(more[:, 1, :3], towards)
            # A bound that the points prove is the best one; rounding may show others that are as good.
            proved = apart - own <= tolerance[rows]
            better = np.flatnonzero(proved | (lower > result.lower[rows]))
            result.lower[rows[better]] = np.where(proved, own, lower)[better]
            result.normal[rows[better]] = np.where(proved[:, None], towards, best)[better]
            off = length(nearest[..., :3] + (result.lower[rows, None] * result.normal[rows])[:, None])
            # Points that coincide need no direction.
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
    """Witnesses of pairs that overlap: where the two touch when B is moved out of A.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    normal, gap : (P, 3), (P,) float64
        Unit, and the gap along it: minus the depth, or a little more depth than that. Where the two are still apart
        when they should touch, another direction is the shorter way out, and becomes the normal.
    tolerance : (P,) float64
        Points that come together up to this are good enough.

    Returns
    -------
    Settled
        Its `lower` is the gap along its normal.
    """
    result = Settled.empty(len(a))
    rows = np.arange(len(a))
    for _ in range(_MOST_TURNS):
        shift = gap[:, None] * normal
        part_a, part_b = a.take(rows), Moved(b.take(rows), -shift)
        touch = settled(part_a, part_b, normal, tolerance)
        point_b = touch.point_b + shift
        miss = length(touch.point_b - touch.point_a)
        better = np.flatnonzero(miss < result.miss[rows])
        if not len(better):
            break
        found = Settled(gap, normal, touch.point_a, point_b, miss)
        result.put(rows[better], found.take(better))
        # Still apart, along a direction in which less depth is proved.
        shorter = touch.lower + gap * dot(normal, touch.normal)
        left = better[(miss[better] > tolerance[better]) & (shorter[better] > gap[better])]
        if not len(left):
            break
        rows, gap, normal, tolerance = rows[left], shorter[left], touch.normal[left], tolerance[left]
    return result


@dataclass(frozen=True)
class Moved(RowTable):
    """Shapes moved by a vector each."""

    shapes: Supported
    shift: Floats

    @property
    def size(self) -> Floats:
        """As of the shapes."""
        return self.shapes.size

    def support(self, direction: Floats) -> Floats:
        """The points farthest along each direction."""
        return self.shapes.support(direction) + self.shift


def _extreme(a: Supported, b: Supported, normal: Floats) -> Floats:
    """The point of each A - B farthest along its direction, and the point of A it comes from: (P, 6)."""
    on_a = a.support(normal)
    return np.concatenate([on_a - b.support(-normal), on_a], axis=1)


def _pick(values: Floats, index: Ints) -> Floats:
    return values[np.arange(len(values)), index]


def _grown(active: Floats, new: Floats, normal: Floats) -> Floats:
    """The set with more points; where they are too many, without those farthest below the support plane."""
    result = np.concatenate([active, new], axis=1)
    if result.shape[1] <= _MOST_POINTS:
        return result
    old = active.shape[1]
    below = np.einsum("pki,pi->pk", result[..., :3], normal)
    # A point that is there already is of no use; the new ones stay.
    same = (result[:, :, None, :3] == result[:, None, :, :3]).all(axis=3)
    below[np.tril(same, -1).any(axis=2)] = -np.inf
    below[:, old:] = np.inf
    keep = np.argsort(-below, axis=1, kind="stable")[:, :_MOST_POINTS]
    return np.take_along_axis(result, keep[..., None], axis=1)


@cache
def _simplices(count: int) -> tuple[Ints, Ints]:
    """All pairs, a point with itself included, and all triples of so many points: (S, 2), (T, 3)."""
    pairs = [(k, k) for k in range(count)] + list(combinations(range(count), 2))
    return np.array(pairs), np.array(list(combinations(range(count), 3)), dtype=np.int64).reshape(-1, 3)


def _candidates(points: Floats) -> tuple[Floats, Floats]:
    """Directions away from the origin's side of all simplices of some points, and weights of their nearest points.

    Parameters
    ----------
    points : (P, K, 3) float64

    Returns
    -------
    along : (P, C, 3) float64
        Towards the origin from each point, across each segment and across each triangle: unit, or zero where there
        is none.
    weights : (P, S, K) float64
        Of the points: not negative, and their sum is one.
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
    # Twice, because once leaves a residue along the first edge when the two are nearly parallel.
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
    across = np.cross(unit, normalized(upright, np.zeros(3)))
    across *= np.where(dot(across, p) > 0.0, -1.0, 1.0)[..., None]
    return np.concatenate([_across(start, run), across], axis=1), weights


def _across(start: Floats, run: Floats) -> Floats:
    """Unit directions towards the origin from lines, at right angles to them; from the start if there is no run."""
    unit = normalized(run, np.zeros(3))
    towards = -start
    for _ in range(2):
        # A short way off a long line, what is left along it would be felt at its ends.
        towards = normalized(towards - dot(towards, unit)[..., None] * unit, np.zeros(3))
    return towards
