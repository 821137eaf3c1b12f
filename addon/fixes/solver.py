# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations that move units out of shapes that they penetrate, or into contact; does not need Blender.

Two overlapping convex shapes are separated when one is beyond the plane of least penetration. The shortest translation
beyond several planes is a least distance problem (Lawson and Hanson, "Solving Least Squares Problems", chapter 23). If
it has no solution, or another translation may be shorter, translations along straight lines are tried. Along a line, a
unit first becomes free where it leaves a shape, so only these places need to be tested.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from ...core.numerics.types import Bools, Floats, Ints
from .obstacles import Near, Scenery, Swept

# Maximum number of rounds in which planes are collected. Each round but the last finds new obstacles.
_ROUNDS = 32
# Number of directions that are tried, and of places along each.
_DIRECTIONS, _PLACES = 40, 16
# Approximate number of pairs of parts whose last contact is computed.
_MOST = 1 << 17
# Number of places that are tested together first. It is doubled each time.
_FIRST = 32
# Relative accuracy with which planes are satisfied, and the fraction of the longest translation that counts as
# rounding.
_SOLVED = 1e-9
# World axes, and the diagonals between two and between three of them.
_AROUND = np.array(sorted(product((-1.0, 0.0, 1.0), repeat=3), key=lambda way: np.abs(way).sum())[1:])
# A unit vector whose component in the subspace of a basis is less than this is perpendicular to it (float32 rounding).
_ACROSS = 1e-6


@dataclass(frozen=True, eq=False)
class Fall:
    """The result of moving a unit along a direction: what stops it, and where.

    Attributes
    ----------
    distance : float
        How far it can move. Infinite if nothing stops it.
    row : int
        Row of the scenery that it then touches. -1: none.
    inside : Near
        Pairs that penetrate at the start, if any. The unit does not move then.
    """

    distance: float
    row: int
    inside: Near


def way_out(scenery: Scenery, unit: int, offsets: Floats, basis: Floats) -> Floats | None:
    """Return the shortest translation found that frees a unit of all penetrations.

    Parameters
    ----------
    scenery : Scenery
    unit : int
    offsets : (U, 3) float64
        Translations of all units.
    basis : (3, k) float64
        Orthonormal directions along which it may be moved.

    Returns
    -------
    (3,) float64, or None
        Zero if the unit is free already. None if no translation was found. For one convex obstacle and a convex unit
        that may move in all directions, its length is the penetration depth, which is the minimum.
    """
    start = scenery.near([unit], offsets)
    deep = start.take(start.penetrating)
    if not len(deep.pairs):
        return np.zeros(3)
    if not basis.shape[1]:
        return None
    least = float(deep.depth.max())
    ways = ways_apart(scenery, [unit], offsets, [basis])
    best = None if ways is None else ways[0]
    if best is not None and np.linalg.norm(best) <= least * (1.0 + _SOLVED):
        return best
    push = np.where((scenery.unit[deep.pairs[:, 0]] == unit)[:, None], -1.0, 1.0) * deep.measured.normal
    tried = _directions(push[np.argsort(-deep.depth, kind="stable")], best, basis)
    # Triangles make many pairs, and a shorter limit leaves fewer of them. So one direction is tried before all others.
    for some in (tried[:1], tried[1:]) if scenery.has_meshes else (tried,):
        limit = np.inf if best is None else float(np.linalg.norm(best))
        way = _straight(scenery, unit, offsets, some, limit)
        best = best if way is None else way
    return best


def ways_apart(scenery: Scenery, units: Sequence[int], offsets: Floats, bases: Sequence[Floats]) -> Floats | None:
    """Return translations (len(units), 3) that free units of each other and everything else.

    Their sum of squares is minimal.

    Two units that may both move freely are each moved by half. None if the planes of least penetration leave no
    solution.
    """
    column = {unit: slice(*ends) for unit, ends in zip(units, _spans(bases), strict=True)}
    size = sum(basis.shape[1] for basis in bases)
    basis_of = dict(zip(units, bases, strict=True))
    planes: dict[tuple[int, int], tuple[Floats, float]] = {}
    moved = np.zeros((len(units), 3))
    for _ in range(_ROUNDS):
        here = offsets.copy()
        here[list(units)] += moved
        near = scenery.near(units, here)
        if not len(near.penetrating):
            return moved
        deep = set(near.penetrating.tolist())
        where = {unit: moved[place] for place, unit in enumerate(units)}
        for place, (a, b) in enumerate(near.pairs.tolist()):
            row, level = np.zeros(size), 0.0
            normal = near.measured.normal[place]
            for one, sign in ((int(scenery.unit[a]), -1.0), (int(scenery.unit[b]), 1.0)):
                if one in column:
                    row[column[one]] = sign * (basis_of[one].T @ normal)
                    level += sign * float(normal @ where[one])
            # Pairs that only touch must keep touching.
            level += float(near.depth[place]) if place in deep else 0.0
            norm = float(np.linalg.norm(row))
            if norm > _ACROSS:
                planes[a, b] = row / norm, level / norm
            elif place in deep:
                return None
        found = least_point(np.array([p[0] for p in planes.values()]), np.array([p[1] for p in planes.values()]))
        if found is None:
            return None
        moved = np.array([basis_of[unit] @ found[column[unit]] for unit in units])
    return None


def fall(scenery: Scenery, unit: int, offsets: Floats, direction: Floats, most: float = np.inf) -> Fall:
    """Return how far a unit can move along a unit vector until something stops it.

    This is a swept test, which is exact for convex shapes.

    Nothing beyond the length `most` stops it.

    A shape that it only slides along, such as the side of a neighbor on the same grid, does not stop it.
    """
    near = scenery.near([unit], offsets)
    inside = near.take(near.penetrating)
    if len(inside.pairs):
        return Fall(0.0, -1, inside)
    reach = min(scenery.reach(unit, offsets, direction), most)
    if reach == 0.0:
        return Fall(np.inf, -1, inside)
    swept = scenery.swept(unit, offsets, reach * direction[None])
    first = swept.first()
    # If a time is not decided, the unit stops at the safe time, so that it never passes through anything.
    time = np.where(first.decided, first.time, first.safe)
    met = np.flatnonzero(np.isfinite(time))
    swept, time, decided = swept.take(met), time[met], first.decided[met]
    time[decided & ~_stops(scenery, unit, swept, time, direction, reach)] = np.inf
    if not len(time) or np.isinf(time.min()):
        return Fall(np.inf, -1, inside)
    place = int(np.argmin(time))
    return Fall(float(time[place]) * reach, int(swept.other[place]), inside)


def _stops(scenery: Scenery, unit: int, swept: Swept, first: Floats, direction: Floats, size: float) -> Bools:
    """Return whether convex parts that first touch at these times would penetrate if they moved on."""
    if not len(first):
        return np.zeros(0, dtype=np.bool_)
    last = swept.last()
    final = np.where(last.hit & last.decided, np.minimum(last.time, 1.0), 1.0)
    # The depth is a concave function of time: if it is zero halfway, it is zero throughout.
    half_way = swept.at((first + final) / 2.0)
    level = np.maximum(scenery.level[swept.other], scenery.level[scenery.unit == unit].max())
    level = np.maximum(level, half_way.rounding)
    result: Bools = -half_way.distance > level
    # Flat parts perpendicular to the motion overlap only for an instant. They stop the unit if they also touch when
    # they are shifted a little.
    flat = np.flatnonzero(
        ~result & ((final - first) * size <= level) & (swept.extent(direction) <= level[:, None]).all(axis=1)
    )
    if len(flat):
        parts, share = swept.take(flat), first[flat]
        meets = np.ones(len(flat), dtype=bool)
        _, _, across = np.linalg.svd(direction[None])
        for step in (across[1], -across[1], across[2], -across[2]):
            meets &= parts.at(share, 4.0 * float(level[flat].max()) * step).distance <= level[flat]
        result[flat] = meets
    return result


def least_point(normals: Floats, levels: Floats) -> Floats | None:
    """Return the point nearest to the origin with ``normals @ x >= levels``. None if there is none.

    Parameters
    ----------
    normals : (m, n) float64
        Unit vectors.
    levels : (m,) float64
    """
    size = float(levels.max(initial=0.0))
    if size <= 0.0:
        return np.zeros(normals.shape[1])
    system = np.concatenate([normals.T, levels[None] / size])
    target = np.zeros(len(system))
    target[-1] = 1.0
    residual = system @ _nonnegative(system, target) - target
    if abs(residual[-1]) <= _SOLVED:
        return None
    point = -residual[:-1] / residual[-1]
    if (normals @ point - levels / size).min() < -_SOLVED * (1.0 + np.abs(point).max()):
        return None
    return size * point


def _nonnegative(system: Floats, target: Floats) -> Floats:
    """Return the x >= 0 that minimizes ``|system @ x - target|`` (NNLS).

    Uses active sets (Lawson and Hanson, chapter 23).
    """
    count = system.shape[1]
    x, passive = np.zeros(count), np.zeros(count, dtype=bool)
    tolerance = 1e-13 * (1.0 + float(np.abs(system).max(initial=0.0)))
    for _ in range(3 * count + 16):
        gain = system.T @ (target - system @ x)
        gain[passive] = -np.inf
        best = int(np.argmax(gain)) if count else -1
        if best < 0 or gain[best] <= tolerance:
            break
        passive[best] = True
        while True:
            trial = np.zeros(count)
            trial[passive] = np.linalg.lstsq(system[:, passive], target, rcond=None)[0]
            bad = passive & (trial <= 0.0)
            if not bad.any():
                break
            share = float((x[bad] / np.maximum(x[bad] - trial[bad], np.finfo(np.float64).tiny)).min())
            x = x + share * (trial - x)
            passive &= x > tolerance
            x[~passive] = 0.0
            if not passive.any():
                break
        x = np.where(passive, trial, 0.0)
    return x


def _spans(bases: Sequence[Floats]) -> list[tuple[int, int]]:
    ends = np.cumsum([0, *(basis.shape[1] for basis in bases)]).tolist()
    return list(pairwise(ends))


def _directions(push: Floats, best: Floats | None, basis: Floats) -> Floats:
    """Return unit vectors to try, in the span of the basis: penetration normals, axes, diagonals, the best so far."""
    tried = np.concatenate([push, _AROUND, basis.T, -basis.T, np.empty((0, 3)) if best is None else [best]])
    tried = _units(_units(tried) @ basis @ basis.T)
    _, first = np.unique(np.round(tried, 6) + 0.0, axis=0, return_index=True)
    return tried[np.sort(first)][:_DIRECTIONS]


def _units(vectors: Floats) -> Floats:
    """Return the given vectors normalized, without those that are rounding errors."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = np.flatnonzero(length > _ACROSS)
    return vectors[kept] / length[kept]


def _straight(scenery: Scenery, unit: int, offsets: Floats, directions: Floats, limit: float) -> Floats | None:
    """Return the shortest translation along some directions after which a unit is free, if shorter than the limit."""
    # Longer translations than the limit are of no use, so shapes beyond it are not tested.
    reach = np.array([min(scenery.reach(unit, offsets, direction), limit) for direction in directions])
    directions, reach = directions[reach > 0.0], reach[reach > 0.0]
    if not len(directions):
        return None
    swept = scenery.swept(unit, offsets, reach[:, None] * directions, _MOST)
    impacts = swept.last()
    ended = impacts.hit & impacts.decided
    end = np.unique(np.stack([swept.which, impacts.time * reach[swept.which]], axis=1)[ended], axis=0)
    which, length = end[:, 0].astype(np.int64), end[:, 1]
    rank = np.arange(len(which)) - np.searchsorted(which, which)
    # The last place of a direction is beyond everything, so it is free where many others are not.
    last = np.diff(which, append=-1) != 0
    kept = (last | (rank < _PLACES)) & (length < limit * (1.0 - _SOLVED))
    which, length = which[kept], length[kept]
    # Of translations with the same length up to rounding, the one whose direction comes first is used.
    order = np.lexsort((which, np.round(length / (_SOLVED * length.max(initial=1.0)))))
    ways = length[order, None] * directions[which[order]]
    blocker, count = -1, _FIRST
    while len(ways):
        blocked, near = scenery.tried(unit, offsets, ways[:count])
        for place in np.flatnonzero(~blocked).tolist():
            here = offsets.copy()
            here[unit] += ways[place]
            # The last blocker is tested first, because it often still blocks a little farther on.
            blocker = scenery.blocker(unit, here, blocker) if near[place] else -1
            if blocker < 0:
                return _until_touching(scenery, unit, offsets, ways[place], swept.coarse)
        ways, count = ways[count:], 2 * count
    return None


def _until_touching(scenery: Scenery, unit: int, offsets: Floats, way: Floats, most: float) -> Floats:
    """Return a translation that frees a unit, shortened by at most a length until the unit touches what it has left."""
    if not most:
        return way
    here, length = offsets.copy(), float(np.linalg.norm(way))
    here[unit] += way
    back = fall(scenery, unit, here, -way / length, min(most, length)).distance
    if not np.isfinite(back):
        return way
    shorter = way * (1.0 - back / length)
    here[unit] = offsets[unit] + shorter
    return way if scenery.blocker(unit, here) >= 0 else shorter


def others_of(scenery: Scenery, near: Near, unit: int) -> Ints:
    """Return the row of each pair that does not belong to the unit."""
    return np.where(scenery.unit[near.pairs[:, 0]] == unit, near.pairs[:, 1], near.pairs[:, 0])
