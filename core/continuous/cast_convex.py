# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of two translating convex shapes, by an interval of times that converges to it.

Whenever the shapes are separated, their closest points define a separating plane. Along its normal, the gap is a linear
function of time. It gives the earliest time at which the two can touch if they approach each other along the normal,
or the latest time if they move apart (Ericson, "Real-Time Collision Detection", 2005, section 5.5). The next plane is
computed at that time. Entry times are steps of Newton's method on the distance, which is a convex function of time.

Because of rounding, a pair may appear to be past a contact that it barely reaches, and a shape without thickness is
then seen from behind. Each time therefore has a bound on its rounding error, and the interval from the last entry to
the first exit is extended by these bounds: a pair is a miss only if the entry is later than the exit by more than both
bounds. Even the thinnest sheet is not missed, however long the displacement is.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..convex.gjk import closest
from ..convex.polytopes.placed import CORED, PolytopeSupport, polytopes
from ..convex.support import support
from ..narrow_phase.algorithm import PairAlgorithm
from ..numerics.tolerances import EPS, NORMAL_SHARE, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, two_diff, two_product
from ..results import Distances, Impacts, put_hits
from ..shapes.batch import UNBOUNDED, Batch

Algorithm = PairAlgorithm[Any, Any]

_STILL = np.eye(3)[None]

# Maximum number of measurements at which the entry is not before the exit: one at each of the two times, and two more.
_MOST_CROSSINGS = 4

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0

# Half width of the interval in which a contact is first searched: multiples of the time needed to close the present
# gap.
_AROUND = 64.0


def first_contacts(
    pair: Algorithm, a: Batch, b: Batch, velocity_a: Floats, velocity_b: Floats, margin: Floats, max_iterations: int
) -> Impacts:
    """First contact in [0, 1] of each pair of rows (P), for the `pair` algorithm of their kinds.

    Velocities are (P, 3). Pairs that are `margin` (P,) apart already touch.
    """
    result = Impacts.misses(len(margin))
    pairs = _Pairs(np.arange(len(margin)), a, b, velocity_a, velocity_b, margin)
    for _ in range(max_iterations):
        if not len(pairs.rows):
            break
        pairs.step(pair, result)
    result.decided[pairs.rows] = False
    result.safe[pairs.rows] = np.clip(pairs.entry_lower, 0.0, 1.0)
    return result


@dataclass
class _Pairs:
    """Pairs without a result yet.

    `time`: when they are measured next. `entry` and `exit`: the largest entry time and the smallest exit time so far.
    `entry_lower` and `exit_upper`: the same, extended by rounding. `normal`: of the plane of the entry. `crossed`: how
    often the entry was not before the exit. `touch_bound`: the largest gap that counted as touching. `drift`: rounding
    of the offset of a plane that is translated.
    """

    rows: Ints
    a: Batch
    b: Batch
    velocity_a: Floats
    velocity_b: Floats
    margin: Floats
    time: Floats = field(init=False)
    entry: Floats = field(init=False)
    entry_lower: Floats = field(init=False)
    exit: Floats = field(init=False)
    exit_upper: Floats = field(init=False)
    normal: Floats = field(init=False)
    crossed: Ints = field(init=False)
    touch_bound: Floats = field(init=False)
    drift: Floats = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.rows)
        self.time, self.normal, self.crossed = np.zeros(count), np.zeros((count, 3)), np.zeros(count, dtype=np.int64)
        self.entry, self.entry_lower = np.full((2, count), -np.inf)
        self.exit, self.exit_upper = np.full((2, count), np.inf)
        self.touch_bound, self.drift = np.zeros((2, count))
        for shapes, velocity in ((self.a, self.velocity_a), (self.b, self.velocity_b)):
            if shapes.kind in UNBOUNDED:
                self.drift += ROUNDING_STEPS * EPS * length(velocity)

    def take(self, rows: Ints) -> None:
        """Keep only these pairs."""
        for name, value in vars(self).items():
            setattr(self, name, value.take(rows) if isinstance(value, Batch) else value.take(rows, axis=0))

    def step(self, pair: Algorithm, result: Impacts) -> None:
        """Measure all pairs at their times, write the results of those that touch or miss, and keep the others."""
        found, level, direction = self._measured(pair)
        distance, gap = found.distance, level - self.margin
        slack = found.rounding + ROUNDING_STEPS * EPS * self.margin + self.drift
        way = self.velocity_a - self.velocity_b
        closing, far = _closing(direction, self.velocity_a, self.velocity_b), length(way)
        touch = distance - self.margin <= slack
        enters, leaves = ~touch & (closing > 0.0), ~touch & (closing < 0.0)
        rate = np.where(enters | leaves, closing, 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            onward = gap / rate
            then = self.time + onward
            # Errors of the gap, of the direction of such a small gap, of the speed along it, and of the time.
            tilt = (NORMAL_SHARE * slack / np.where(gap > slack, gap, slack) + 4.0 * EPS) * far
            error = (slack + tilt * np.abs(onward)) / np.abs(rate) + 2.0 * EPS * np.abs(then)
            error = np.fmin(error, np.finfo(np.float64).max)
        later = enters & (then - error > self.entry)
        self.normal[later] = direction[later]
        self.entry = np.where(enters, np.maximum(self.entry, then), self.entry)
        self.entry_lower = np.where(enters, np.maximum(self.entry_lower, then - error), self.entry_lower)
        self.exit = np.where(leaves, np.minimum(self.exit, then), self.exit)
        self.exit_upper = np.where(leaves, np.minimum(self.exit_upper, then + error), self.exit_upper)
        self.touch_bound = np.maximum(self.touch_bound, slack)
        exit_upper = np.minimum(self.exit_upper, 1.0)
        missed = ~touch & (~(enters | leaves) | (self.entry_lower > exit_upper) | (exit_upper < 0.0))
        following = np.clip(np.where(enters, self.entry, self.exit), 0.0, 1.0)
        self.crossed += self.entry >= self.exit
        # The remaining step is below the rounding of the time, or steps alternate across the contact.
        last = ~(touch | missed) & ((following == self.time) | (self.crossed >= _MOST_CROSSINGS))
        near = distance - self.margin <= self._near(far)
        touch |= last & near
        # The direction between such close points may not separate the shapes.
        lost = np.flatnonzero(~(touch | missed) & (last | (gap < (distance - self.margin) / 2.0)))
        if len(lost):
            time, touches = self._first_touch(pair, lost, distance[lost] - self.margin[lost])
            self.time[lost[touches]] = time[touches]
            touch[lost], missed[lost] = touches, ~touches
        self._write(result, pair, np.flatnonzero(touch), found, lost)
        go = ~(touch | missed)
        self.time = following
        if not go.all():
            self.take(np.flatnonzero(go))

    def _measured(self, pair: Algorithm) -> tuple[Distances, Floats, Floats]:
        """For each pair at its time: distance, separation along a direction, and that direction."""
        a, b = _displaced(self.a, self.velocity_a, self.time), _displaced(self.b, self.velocity_b, self.time)
        found = pair.distance(a, b)
        distance, normal = found.distance, found.normal.copy()
        level = _separation(a, b, distance, normal)
        # An axis that is only approximately the best is not accurate enough for pairs that almost touch.
        poor = np.flatnonzero(level < distance - found.rounding)
        if len(poor) and CORED.issuperset((self.a.kind, self.b.kind)):
            core_a, core_b = polytopes(a.take(poor)), polytopes(b.take(poor))
            seen = [PolytopeSupport.of(core.take(slice(None), core_a.translation)) for core in (core_a, core_b)]
            near = closest(seen[0], seen[1], core_a.centers - core_b.centers)
            lower = near.lower - core_a.radius - core_b.radius
            better = ~near.overlap & (lower > level[poor])
            level[poor[better]], normal[poor[better]] = lower[better], near.normal[better]
        return found, level, normal

    def _near(self, far: Floats) -> Floats:
        """Greatest distance of touching pairs that rounding can leave, wherever the pair was measured."""
        return 2.0 * self.touch_bound + 4.0 * EPS * far

    def _first_touch(self, pair: Algorithm, at: Ints, distance: Floats) -> tuple[Floats, Bools]:
        """The first time at which some pairs touch within rounding, and whether they do, from distances alone.

        The distance is a convex function of time. Its minimum is found by golden-section search, first near the time at
        which the pair almost touches, and then in the whole interval.
        """
        a, b, margin, touch_bound = self.a.take(at), self.b.take(at), self.margin[at], self.touch_bound[at]
        velocity_a, velocity_b = self.velocity_a[at], self.velocity_b[at]
        far = length(velocity_a - velocity_b)
        near = self._near(length(self.velocity_a - self.velocity_b))[at]

        def gap(rows: Ints, time: Floats) -> Floats:
            placed = (_displaced(of.take(rows), v[rows], time) for of, v in ((a, velocity_a), (b, velocity_b)))
            found = pair.distance(*placed)
            return found.distance - margin[rows]

        first, last = (np.clip(of[at], 0.0, 1.0) for of in (self.entry_lower, self.exit_upper))
        best, least = self.time[at].copy(), distance.copy()
        for around in (_AROUND * distance / np.where(far > 0.0, far, 1.0), np.ones(len(at))):
            rows = np.flatnonzero(least > near)
            if not len(rows):
                break
            low = np.maximum(first, self.time[at] - around)[rows]
            high = np.minimum(last, self.time[at] + around)[rows]
            time, found = _least(partial(gap, rows), low, high)
            nearer = found < least[rows]
            best[rows[nearer]], least[rows[nearer]] = time[nearer], found[nearer]
        # The first time at which the pair touches, or is at its minimum distance.
        hit = least <= near
        level = np.maximum(least, touch_bound)
        low, high, every = np.minimum(first, best), best, np.arange(len(at))
        while True:
            middle = (low + high) / 2.0
            if (~hit | (middle <= low) | (middle >= high) | ((high - low) * far <= EPS * level)).all():
                return high, hit
            inside = gap(every, middle) <= level
            low, high = np.where(inside, low, middle), np.where(inside, middle, high)

    def _write(self, result: Impacts, pair: Algorithm, at: Ints, found: Distances, lost: Ints) -> None:
        """Write the results of pairs that touch, with the last normal that separated them.

        `found`: distances of all pairs. Those of the pairs `lost` are of another time.
        """
        if not len(at):
            return
        where, time = self.rows[at], self.time[at]
        a = _displaced(self.a.take(at), self.velocity_a[at], time)
        b = _displaced(self.b.take(at), self.velocity_b[at], time)
        found, again = found.take(at), np.flatnonzero(np.isin(at, lost))
        if len(again):
            found.put(again, pair.distance(a.take(again), b.take(again)))
        normal = found.normal
        # Closest points that coincide to rounding define no direction. Then the normal of the entry is used.
        level = _separation(a, b, found.distance, normal)
        separates = level >= found.distance - 4.0 * found.rounding
        separates &= dot(normal, (self.velocity_a - self.velocity_b)[at]) > 0.0
        stale = ~separates & np.isfinite(self.entry[at]) & (time > 0.0)
        normal[stale] = self.normal[at[stale]]
        put_hits(result, where, time, (found.point_a + found.point_b) / 2.0, normal)


def _least(gap: Callable[[Floats], Floats], low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The minimum of each convex function in an interval, by golden-section search: its position and its value."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    on_left, on_right = gap(left), gap(right)
    while (high - low > 2.0 * EPS * high).any() and (left < right).any():
        falls = on_left > on_right
        low, high = np.where(falls, left, low), np.where(falls, high, right)
        new = np.where(falls, low + _GOLDEN * (high - low), high - _GOLDEN * (high - low))
        on_new = gap(new)
        left, right = np.where(falls, right, new), np.where(falls, new, left)
        on_left, on_right = np.where(falls, on_right, on_new), np.where(falls, on_new, on_left)
    falls = on_left > on_right
    return np.where(falls, right, left), np.minimum(on_left, on_right)


def _closing(direction: Floats, velocity_a: Floats, velocity_b: Floats) -> Floats:
    """Speed at which A approaches B along each direction. Its sign is correct even if nearly all digits cancel."""
    way, way_low = two_diff(velocity_a, velocity_b)
    part, part_low = two_product(direction, way)
    low: Floats = (part_low + direction * way_low).sum(axis=1)
    total = part[:, 0]
    for axis in (1, 2):
        total, lacks = two_diff(total, -part[:, axis])
        low = low + lacks
    return total + low


def _displaced(shapes: Batch, velocity: Floats, time: Floats) -> Any:
    """The shapes at their times. Rounding depends only on their positions at that time, not on the displacement."""
    way, rest = two_product(velocity, time[:, None])
    turn = np.broadcast_to(_STILL, (len(time), 3, 3))
    result = shapes.placed(turn, way)
    return result.placed(turn, rest) if rest.any() else result


def _separation(a: Any, b: Any, distance: Floats, normal: Floats) -> Floats:
    """Separation of the shapes of each pair along the normal of their distance."""
    if not {a.kind, b.kind}.isdisjoint(UNBOUNDED):
        return distance.copy()
    return np.minimum(dot(support(b, -normal) - support(a, normal), normal), distance)
