# SPDX-License-Identifier: GPL-3.0-or-later
"""When two bodies first touch between two samples, by what Blender evaluates there.

Rigid bodies: the time of impact of the even motion is a guess; the scene is evaluated there, which leaves a shorter
interval in which the motion is more nearly even, and the next guess. Bodies that deform: the root of their distance,
bracketed by a sample in which they are apart and one in which they touch.

Each search is a generator of what it needs to know next, so that all searches ask the core together: a question about
one pair takes it as long as one about hundreds.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.vectors import dot
from ...core.results import Impacts
from ..scene.animation.frames import as_kept
from ..scene.animation.moving_shapes import Sample, motion_of, same_form
from ..scene.animation.poses import PoseReader
from .queries import distances, impacts, levels_of, travel

# Frames. Two guesses that differ by no more than this are the same: a hundredth of what a timeline shows, a thousandth
# of what matters. Far along the timeline Blender's float32 cannot tell apart as much.
SAME_FRAME = 1e-5

# Guesses after which the best one is taken. Each has at most a quarter of the error of the one before; a root that is
# bracketed is halved at least every other time.
MOST_GUESSES = 48

# Steps along the slope of the gap; each squares the error, so what needs more is not where it was looked for.
MOST_STEPS = 5


@dataclass(frozen=True, eq=False)
class Touch:
    """Where and when two bodies touch.

    Attributes
    ----------
    frame : float
    sample : Sample
        Evaluated there, or no farther from it than `SAME_FRAME`.
    pair : (2,) int64
        The rows that touch, of the pair's first body and of its second.
    point, normal : (3,) float64
    apart_until : float
        The last frame in which they were seen to be apart, on the side from which they were approached.
    """

    frame: float
    sample: Sample
    pair: Ints
    point: Floats
    normal: Floats
    apart_until: float


@dataclass(frozen=True, eq=False)
class Gap:
    """How far apart some pairs are in a sample: the least of their distances, and of which pair it is."""

    sample: Sample
    distance: float
    level: float  # no farther apart than this is touching
    pair: Ints
    point: Floats
    normal: Floats

    @property
    def touches(self) -> bool:
        """Whether they are near enough to count as touching."""
        return self.distance <= self.level

    def touch(self, apart_until: float) -> Touch:
        """The touch that this is."""
        return Touch(self.sample.frame, self.sample, self.pair, self.point, self.normal, apart_until)


@dataclass(frozen=True, eq=False)
class _When:
    """Asks for the first impact of some pairs that move evenly between two samples."""

    begin: Sample
    end: Sample
    pairs: Ints


@dataclass(frozen=True, eq=False)
class Impact:
    """The answer: the frame, which of the pairs, where and how, and how fast the two close in, by the frame."""

    frame: float
    pair: Ints
    point: Floats
    normal: Floats
    speed: float


@dataclass(frozen=True, eq=False)
class _Look:
    """Asks how far apart some pairs are in a frame; `near` has most forms that they will have there."""

    frame: float
    near: Sample
    pairs: Ints


Asking = Generator[_When | _Look, Impact | Gap | None, Touch | None]


@dataclass(frozen=True, eq=False)
class Way:
    """From one sample, in which two bodies are apart, to another.

    Attributes
    ----------
    begin, end : Sample
        `end` may be the earlier one: then the search goes back in time.
    pairs : (P, 2) int64
        Rows of the two bodies.
    even : (N,) bool
        Rows that move evenly between the two.
    touching : bool
        Whether some pair touches in `end`.
    impact : Impact, optional
        The first impact of the even motion, where it is known.
    accuracy : float
        Frames: how well the first touch is to be known.
    """

    begin: Sample
    end: Sample
    pairs: Ints
    even: Bools
    touching: bool
    impact: Impact | None = None
    accuracy: float = SAME_FRAME


def approach(reader: PoseReader, ways: Sequence[Way]) -> Generator[None, None, list[Touch | None]]:
    """Find the first touch on each way.

    Yields
    ------
    None
        After each evaluation of the scene.

    Returns
    -------
    list of Touch or None
        None: they do not touch after all; never where they are touching at the end.
    """
    searches = [_search(way) for way in ways]
    answers: list[Impact | Gap | None] = [None] * len(ways)
    results: list[Touch | None] = [None] * len(ways)
    running = list(range(len(ways)))
    while running:
        asked: dict[int, _When | _Look] = {}
        for number in running:
            try:
                asked[number] = searches[number].send(answers[number])
            except StopIteration as finished:
                results[number] = finished.value
        running = list(asked)
        impacts_of = {number: one for number, one in asked.items() if isinstance(one, _When)}
        for number, impact in zip(impacts_of, _first_impacts(list(impacts_of.values())), strict=True):
            answers[number] = impact
        looks = {number: one for number, one in asked.items() if isinstance(one, _Look)}
        samples = []
        for one in looks.values():
            samples.append(reader.sample(one.frame, one.near))
            yield
        for number, found in zip(looks, gaps(samples, [one.pairs for one in looks.values()]), strict=True):
            answers[number] = found
    return results


def gaps(samples: Sequence[Sample], pairs: Sequence[Ints]) -> list[Gap]:
    """How far apart the nearest of some pairs of rows is in each sample; infinitely if none is there."""
    there = [mine[sample.there[mine].all(axis=1)] for sample, mine in zip(samples, pairs, strict=True)]
    which = np.repeat(np.arange(len(samples)), [len(mine) for mine in there])
    rows = np.concatenate([np.empty((0, 2), dtype=np.int64), *there])
    found = distances(samples, which, rows)
    level = levels_of(samples, which, rows)
    result = []
    for number, sample in enumerate(samples):
        mine = slice(*np.searchsorted(which, [number, number + 1]))
        if mine.start == mine.stop:
            nowhere = np.full(3, np.nan)
            result.append(Gap(sample, np.inf, 0.0, np.zeros(2, dtype=np.int64), nowhere, nowhere))
            continue
        # The nearest by what counts as touching, which is not the same for all.
        best = mine.start + int(np.argmin(found.distance[mine] - level[mine]))
        result.append(
            Gap(
                sample,
                float(found.distance[best]),
                max(float(level[best]), float(found.rounding[best])),
                rows[best],
                (found.point_a[best] + found.point_b[best]) / 2.0,
                found.normal[best],
            )
        )
    return result


def _first_impacts(asked: Sequence[_When]) -> list[Impact | None]:
    which = np.repeat(np.arange(len(asked)), [len(one.pairs) for one in asked])
    pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *(one.pairs for one in asked)])
    begins, ends = [one.begin for one in asked], [one.end for one in asked]
    found = impacts(begins, ends, which, pairs)
    first = [int(np.argmin(np.where(which == number, found.time, np.inf))) for number in range(len(asked))]
    rows = np.array([row for row in first if found.hit[row]], dtype=np.int64)
    known = dict(zip(rows.tolist(), impacts_at(begins, ends, which, pairs, found, rows), strict=True))
    return [known.get(row) for row in first]


def impacts_at(
    begins: Sequence[Sample], ends: Sequence[Sample], which: Ints, pairs: Ints, found: Impacts, rows: Ints
) -> list[Impact]:
    """What is known of these rows of the answer to a question about impacts; all of them are hits."""
    speed = np.zeros(len(rows))
    for number in np.unique(which[rows]).tolist():
        mine = np.flatnonzero(which[rows] == number)
        velocity = np.zeros((2, len(mine), 3))
        for side in (0, 1):
            motion = motion_of(begins[number], ends[number], pairs[rows[mine], side])
            time = found.time[rows[mine]][:, None]
            spoke = found.point[rows[mine]] - (motion.pivot + time * motion.velocity)
            velocity[side] = motion.velocity + np.cross(motion.angular_velocity, spoke)
        closing = dot(velocity[0] - velocity[1], found.normal[rows[mine]])
        speed[mine] = closing / abs(ends[number].frame - begins[number].frame)
    result = []
    for row, fast in zip(rows.tolist(), speed.tolist(), strict=True):
        begin, end = begins[which[row]].frame, ends[which[row]].frame
        frame = begin + float(found.time[row]) * (end - begin)
        result.append(Impact(frame, pairs[row], found.point[row], found.normal[row], max(fast, 0.0)))
    return result


def _search(way: Way) -> Asking:
    if way.even[way.pairs].all():
        found = yield from _by_impacts(way)
        if found is not None or not way.touching:
            return found
    elif not way.touching:
        return None
    return (yield from _by_root(way))


def _by_impacts(way: Way) -> Asking:
    """Guess by the time of impact, and improve that by the gap that is there; None: they do not touch."""
    pairs, onward = way.pairs, np.sign(way.end.frame - way.begin.frame)
    # Intervals in the order in which they are gone through; and the touch in which the last one is known to end.
    intervals = [(way.begin, way.end)]
    touching: Gap | None = None
    seen: Gap | None = None
    for _ in range(MOST_GUESSES):
        if not intervals:
            break
        begin, end = intervals[0]
        impact = way.impact if seen is None else None
        if impact is None:
            impact = cast("Impact | None", (yield _When(begin, end, pairs)))
        if impact is None:
            intervals = intervals[1:]
            continue
        same, fastest = _tolerance(impact.frame), _fastest(way, impact.pair)
        if seen is not None and abs(impact.frame - seen.sample.frame) <= same:
            if seen.distance <= max(seen.level, same * fastest):
                return Touch(impact.frame, seen.sample, impact.pair, impact.point, impact.normal, begin.frame)
            # It is not there: what jumps from one place to another was taken to go the way between.
            intervals = intervals[1:]
            continue
        seen = cast(Gap, (yield _Look(as_kept(impact.frame), begin, pairs)))
        if not same_form(begin.widened(len(seen.sample)), seen.sample)[pairs].all() or np.isinf(seen.distance):
            return None
        closed = yield from _closed(seen, impact.speed * onward, fastest, begin, end, pairs)
        if closed is not None:
            return closed.touch(begin.frame)
        if seen.distance <= 0.0:
            intervals, touching = [(begin, seen.sample)], seen
        else:
            # The truth may be on either side of the guess.
            intervals = [(begin, seen.sample), (seen.sample, end), *intervals[1:]]
    return touching.touch(way.begin.frame) if touching is not None else None


def _fastest(way: Way, pair: Ints) -> float:
    """How fast at most two rows close on a way, by the frame, give or take how evenly they move.

    A jump from one place to another looks the faster the shorter the time in which it is known to happen.
    """
    begin, end = (sample.widened(max(len(way.begin), len(way.end))) for sample in (way.begin, way.end))
    both = sum(travel(begin, end, row) for row in pair.tolist())
    return 2.0 * both / abs(way.end.frame - way.begin.frame)


def _closed(
    seen: Gap, speed: float, fastest: float, begin: Sample, end: Sample, pairs: Ints
) -> Generator[_Look, Gap, Gap | None]:
    """Go from a guess to where the gap closes, by its slope; None: it is not to be found near by.

    Parameters
    ----------
    speed : float
        How fast the gap closes, by the frame; negative going back in time.
    fastest : float
        No gap closes faster.
    """
    low, high = sorted((begin.frame, end.frame))
    for _ in range(MOST_STEPS):
        if abs(seen.distance) <= SAME_FRAME * min(abs(speed), fastest):
            return seen
        frame = as_kept(seen.sample.frame + seen.distance / speed) if speed else np.inf
        if not low < frame < high or frame == seen.sample.frame:
            return None
        found = yield _Look(frame, begin, pairs)
        before, seen = seen, found
        slope = (before.distance - seen.distance) / (seen.sample.frame - before.sample.frame)
        if not np.isfinite(slope) or slope * speed <= 0.0:
            return None
        speed = slope
    return None


def _by_root(way: Way) -> Asking:
    """The root of the distance between a sample in which the pairs are apart and one in which they touch.

    The Illinois variant of regula falsi, with a bisection wherever two steps have not halved the bracket: what jumps or
    appears has no slope.
    """
    before = cast(Gap, (yield _Look(way.begin.frame, way.begin, way.pairs)))
    after = cast(Gap, (yield _Look(way.end.frame, way.end, way.pairs)))
    # Where rounding keeps a gap open, to be as near as counts for touching is to touch.
    target = after.level if after.distance > 0.0 else 0.0
    low, high = before.distance - target, after.distance - target
    width = abs(after.sample.frame - before.sample.frame)
    moved_last = 0
    for step in range(MOST_GUESSES):
        begin, end = before.sample.frame, after.sample.frame
        if abs(end - begin) <= max(way.accuracy, _tolerance(end)):
            break
        bisect = step % 3 == 2 and abs(end - begin) > width / 4.0
        if step % 3 == 2:
            width = abs(end - begin)
        share = 0.5 if bisect or not np.isfinite(low) or high > 0.0 or low <= high else low / (low - high)
        frame = as_kept(begin + share * (end - begin))
        if frame in (begin, end):
            frame = as_kept((begin + end) / 2.0)
            if frame in (begin, end):
                break
        found = cast(Gap, (yield _Look(frame, way.begin, way.pairs)))
        # An end that stays for two steps counts for half, so that it is left behind as well.
        if found.distance <= target:
            low = low / 2.0 if moved_last > 0 else low
            after, high, moved_last = found, found.distance - target, 1
        else:
            high = high / 2.0 if moved_last < 0 else high
            before, low, moved_last = found, found.distance - target, -1
    return after.touch(before.sample.frame)


def _tolerance(frame: float) -> float:
    """How near two frames are that count as the same."""
    return max(SAME_FRAME, 2.0 * float(np.spacing(np.float32(abs(frame)))))
