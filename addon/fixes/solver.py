# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations that move units out of shapes that they penetrate, or into contact; does not need Blender.

Two overlapping convex shapes are separated when one is beyond the plane of least penetration. The shortest translation
beyond several planes is a least distance problem (Lawson and Hanson, "Solving Least Squares Problems", chapter 23). If
it has no solution, or another translation may be shorter, translations along straight lines are tried. Along a line, a
unit first becomes free where it leaves a shape, so only these places need to be tested.
"""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from ...core.numerics.types import Bools, Floats, Ints
from ...core.shapes import Kind
from ..model.tolerances import FLOAT32_EPS
from .obstacles import Near, Scenery, Swept

# Maximum number of rounds in which planes are collected. Each round but the last finds new obstacles.
_ROUNDS = 32
# Number of directions that are tried, and limit for rounds in which places along them are tested.
_DIRECTIONS, _MOST = 64, 4096
# Number of directions that are followed together at first, and the time in seconds above which it is halved.
_FIRST, _STEP = 4, 0.1
# Relative accuracy with which planes are satisfied, and the fraction of the longest translation that counts as
# rounding.
_SOLVED = 1e-9
# A translation to a clearance that is longer than this many times what is missing leads out of a hole, or elsewhere.
_FARTHEST = 8.0
# Fraction of the largest coordinate by which it is longer than needed, for the rounding of a location to float32.
_ROUNDING = 2.0 * FLOAT32_EPS
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
        The row of the scenery that it then touches; -1 for none.
    inside : (P, 2) int64
        The pairs that penetrate at the start, if any; then it does not move.
    """

    distance: float
    row: int
    inside: Ints


def separating_translation(
    scenery: Scenery, unit: int, offsets: Floats, basis: Floats, known: Floats | None = None
) -> Generator[None, None, Floats | None]:
    """Search in steps for the shortest translation that frees a unit of all penetrations.

    Parameters
    ----------
    scenery : Scenery
    unit : int
    offsets : (U, 3) float64
        Translations of all units.
    basis : (3, k) float64
        Orthonormal directions along which it may be moved.
    known : (3,) float64, optional
        A translation that is taken if the unit is free there.

    Returns
    -------
    (3,) float64, or None
        Zero if the unit is free already. None if no translation was found. For one convex obstacle and a convex unit
        that may move in all directions, its length is the penetration depth, which is the minimum.
    """
    if not len(scenery.penetrating([unit], offsets)):
        return np.zeros(3)
    if not basis.shape[1]:
        return None
    yield
    if known is not None:
        there = offsets.copy()
        there[unit] += known
        if not len(scenery.penetrating([unit], there)):
            return known
        yield
    start = scenery.near([unit], offsets)
    deep = start.take(np.flatnonzero(start.deep))
    least = float(deep.way.max(where=~deep.mesh, initial=0.0))
    ways = yield from separating_translations(scenery, [unit], offsets, [basis], start)
    best = None if ways is None else ways[0]
    if best is not None and np.linalg.norm(best) <= least * (1.0 + _SOLVED):
        return best
    pushes = scenery.directions(deep.take(np.argsort(-deep.way, kind="stable")), unit, offsets)
    yield
    limit = np.inf if best is None else float(np.linalg.norm(best))
    way = yield from _straight(scenery, unit, offsets, _directions(pushes, len(deep.pairs), best, basis), limit)
    return best if way is None else way


def separating_translations(
    scenery: Scenery, units: Sequence[int], offsets: Floats, bases: Sequence[Floats], start: Near | None = None
) -> Generator[None, None, Floats | None]:
    """Return translations (len(units), 3) that free units of each other and everything else.

    Their sum of squares is minimal.

    Two units that may both move freely are each moved by half. None if the planes of least penetration leave no
    solution. `start` has the pairs that are near at the start, if they are known.
    """
    planes, moved = _Planes(scenery, units, bases), np.zeros((len(units), 3))
    for _ in range(_ROUNDS):
        here = offsets.copy()
        here[list(units)] += moved
        near, start = start or scenery.near(units, here), None
        yield
        if not near.deep.any():
            return moved
        # Pairs that only touch must keep touching.
        if not planes.add(near.pairs, near.normal, np.where(near.deep, near.way, 0.0), near.deep, moved):
            return None
        found = planes.least()
        if found is None:
            return None
        moved = found
    return None


def clearing_translation(
    scenery: Scenery, unit: int, offsets: Floats, basis: Floats, pairs: Ints, clearance: float
) -> Generator[None, None, Floats | None]:
    """Search in steps for a short translation after which a unit keeps a clearance from some shapes.

    It penetrates no convex shape that it did not penetrate before.

    Parameters
    ----------
    scenery : Scenery
    unit : int
    offsets : (U, 3) float64
        Translations of all units.
    basis : (3, k) float64
        Orthonormal directions along which it may be moved.
    pairs : (P, 2) int64
        A row of the unit, and the row from which it is to keep the clearance.
    clearance : float

    Returns
    -------
    (3,) float64, or None
        The shortest one for two convex shapes with nothing else in the way. None if no translation was found, or only
        one that is many times as long as what is missing.
    """
    # A little more than the clearance, so that the rounding of a location does not bring it back.
    reach = np.abs([scenery.lower[pairs], scenery.upper[pairs]])
    more = _ROUNDING * float(reach.max(where=np.isfinite(reach), initial=0.0))
    concave = (scenery.world.kind[pairs] == Kind.MESH).any(axis=1)
    inside = _keys(scenery, scenery.penetrating([unit], offsets))
    planes, moved, most = _Planes(scenery, [unit], [basis]), np.zeros((1, 3)), np.inf
    for turn in range(_ROUNDS):
        here = offsets.copy()
        here[unit] += moved[0]
        measured = scenery.measured(pairs, here)
        yield
        missing = clearance + more - measured.distance
        short = np.flatnonzero(missing > more / 2.0)
        most = most if turn else _FARTHEST * float(missing.max(initial=0.0))
        near = scenery.near([unit], here)
        yield
        near = near.take(np.flatnonzero(~near.mesh & ~np.isin(_keys(scenery, near.pairs), inside)))
        if not len(short) and not near.deep.any():
            return moved[0]
        # Another place of a mesh may be nearest after a translation, so its planes are collected.
        places = np.where(concave[short], turn, -1)
        if not planes.add(
            pairs[short], measured.normal[short], missing[short], np.ones(len(short), dtype=bool), moved, places
        ):
            return None
        if not planes.add(near.pairs, near.normal, np.where(near.deep, near.way, 0.0), near.deep, moved):
            return None
        found = planes.least()
        if found is None or np.linalg.norm(found) > most:
            return None
        moved = found
    return None


def _keys(scenery: Scenery, pairs: Ints) -> Ints:
    """Return a number for each pair of rows, whatever their order."""
    low, high = np.sort(pairs, axis=1).T
    return np.asarray(low * len(scenery.unit) + high)


class _Planes:
    """Planes that units must be beyond, and the least translations that bring them there.

    Parameters
    ----------
    scenery : Scenery
    units : sequence of int
    bases : sequence of (3, k) float64
        Orthonormal directions along which each unit may be moved.
    """

    def __init__(self, scenery: Scenery, units: Sequence[int], bases: Sequence[Floats]) -> None:
        self._scenery, self._units = scenery, units
        self._basis = dict(zip(units, bases, strict=True))
        self._column = {unit: slice(*ends) for unit, ends in zip(units, _spans(bases), strict=True)}
        self._size = sum(basis.shape[1] for basis in bases)
        self._planes: dict[tuple[int, int, int], tuple[Floats, float]] = {}

    def add(
        self, pairs: Ints, normal: Floats, missing: Floats, needed: Bools, moved: Floats, places: Ints | None = None
    ) -> bool:
        """Add a plane for each pair. Return whether all that are needed can be reached.

        Parameters
        ----------
        pairs : (P, 2) int64
        normal : (P, 3) float64
            Unit vectors from the first row to the second.
        missing : (P,) float64
            How far the rows are still to move apart along the normal.
        needed : (P,) bool
            Whether the rows have to move. The others may not approach each other.
        moved : (U, 3) float64
            Translations of the units so far.
        places : (P,) int64, optional
            A plane replaces that of the same pair and place.
        """
        where = {unit: moved[place] for place, unit in enumerate(self._units)}
        places = np.full(len(pairs), -1) if places is None else places
        for number, (a, b) in enumerate(pairs.tolist()):
            row, level = np.zeros(self._size), float(missing[number])
            for one, sign in ((int(self._scenery.unit[a]), -1.0), (int(self._scenery.unit[b]), 1.0)):
                if one in self._column:
                    row[self._column[one]] = sign * (self._basis[one].T @ normal[number])
                    level += sign * float(normal[number] @ where[one])
            norm = float(np.linalg.norm(row))
            if norm > _ACROSS:
                self._planes[a, b, int(places[number])] = row / norm, level / norm
            elif needed[number]:
                return False
        return True

    def least(self) -> Floats | None:
        """Return the translations (U, 3) with the least sum of squares. None if there are none."""
        planes = self._planes.values()
        found = least_point(np.array([normal for normal, _ in planes]), np.array([level for _, level in planes]))
        if found is None:
            return None
        return np.array([self._basis[unit] @ found[self._column[unit]] for unit in self._units])


def fall(scenery: Scenery, unit: int, offsets: Floats, direction: Floats, most: float = np.inf) -> Fall:
    """Return how far a unit can move along a unit vector until something stops it.

    This is a swept test, which is exact for convex shapes.

    Nothing beyond the length `most` stops it.

    A shape that it only slides along, such as the side of a neighbor on the same grid, does not stop it.
    """
    inside = scenery.penetrating([unit], offsets)
    if len(inside):
        return Fall(0.0, -1, inside)
    reach = min(scenery.reach(unit, offsets, direction), most)
    if reach == 0.0:
        return Fall(np.inf, -1, inside)
    swept = scenery.swept(unit, offsets, reach * direction)
    first = swept.first()
    # If a time is not decided, the unit stops at the safe time, so that it never passes through anything.
    share = np.where(first.decided, first.time, first.safe)
    met = np.flatnonzero(np.isfinite(share))
    swept, share, decided = swept.take(met), share[met], first.decided[met]
    share[decided & ~_stops(scenery, unit, swept, share, direction, reach)] = np.inf
    if not len(share) or np.isinf(share.min()):
        return Fall(np.inf, -1, inside)
    place = int(np.argmin(share))
    return Fall(float(share[place]) * reach, int(swept.other[place]), inside)


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


def _directions(pushes: Floats, first: int, best: Floats | None, basis: Floats) -> Floats:
    """Return unit vectors to try, in the span of the basis: first pushes, axes, diagonals, the best, other pushes."""
    known = np.empty((0, 3)) if best is None else [best]
    tried = np.concatenate([pushes[:first], _AROUND, basis.T, -basis.T, known, pushes[first:]])
    tried = _units(_units(tried) @ basis @ basis.T)
    _, kept = np.unique(np.round(tried, 6) + 0.0, axis=0, return_index=True)
    return tried[np.sort(kept)][:_DIRECTIONS]


def _units(vectors: Floats) -> Floats:
    """Return the given vectors normalized, without those that are rounding errors."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = np.flatnonzero(length > _ACROSS)
    return vectors[kept] / length[kept]


def _straight(
    scenery: Scenery, unit: int, offsets: Floats, directions: Floats, limit: float
) -> Generator[None, None, Floats | None]:
    """Return the shortest translation along some directions after which a unit is free, if shorter than the limit.

    Along each direction, the unit moves until it has left an obstacle, and is tested there. The directions along which
    it has moved least are continued first. So no direction is followed further than the shortest translation.
    """
    reach = np.array([scenery.reach(unit, offsets, direction) for direction in directions])
    directions, reach = directions[reach > 0.0], reach[reach > 0.0]
    way, left = np.zeros(len(directions)), np.full(len(directions), -1)
    best, together = -1, _FIRST
    for _ in range(_MOST):
        # Of translations of equal length, except for rounding, the first direction is taken.
        room = np.where(np.arange(len(way)) < best, _SOLVED, -_SOLVED)
        asked = np.flatnonzero(way < limit * (1.0 + room))
        if not len(asked):
            break
        asked = asked[np.argsort(way[asked], kind="stable")[:together]]
        start = time.thread_time()
        most = np.minimum(reach[asked], limit) - way[asked]
        ways = way[asked, None] * directions[asked]
        ahead, left[asked] = scenery.exits(unit, offsets, ways, directions[asked], most, left[asked])
        together = max(together // 2, 1) if time.thread_time() - start > _STEP else 2 * together
        free = asked[ahead == 0.0]
        way[asked] += ahead
        for place in free.tolist():
            if way[place] < limit * (1.0 - _SOLVED) or (place < best and way[place] <= limit * (1.0 + _SOLVED)):
                best, limit = place, way[place]
        way[free] = np.inf
        # Beyond this, only unbounded shapes are obstacles.
        way[way >= reach] = np.inf
        yield
    return None if best < 0 else limit * directions[best]


def straight_translation(
    scenery: Scenery, unit: int, direction: Floats, limit: float
) -> Generator[None, None, Floats | None]:
    """Search in steps for the shortest translation along a unit vector after which a unit is free.

    None if it is longer than the limit.
    """
    offsets = np.zeros((unit + 1, 3))
    return (yield from _straight(scenery, unit, offsets, direction[None], limit))


def others_of(scenery: Scenery, pairs: Ints, unit: int) -> Ints:
    """Return the row of each pair (P, 2) that does not belong to the unit."""
    return np.where(scenery.unit[pairs[:, 0]] == unit, pairs[:, 1], pairs[:, 0])
