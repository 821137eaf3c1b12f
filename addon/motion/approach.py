# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the first contact of two bodies between two samples, by evaluating the scene.

For rigid bodies, the first guess is the time of impact of uniform motion. The scene is evaluated there, which gives a
shorter interval with more nearly uniform motion, and the next guess. For deforming bodies, it is the root of their
distance, bracketed by a sample in which they are apart and one in which they touch.

If more samples of uniform motion are known, the search is first made on an estimate of the transforms in between. The
scene is then usually evaluated only once, at the estimated frame, to confirm it.

Each search is a generator of the queries that it needs next, so that the queries of all searches are made together. A
query for one pair takes as long as one for hundreds.
"""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np

from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.vectors import cross, dot
from ...core.results import Impacts
from ..model.steps import exhausted
from ..scene.animation.frames import as_kept
from ..scene.animation.moving_shapes import Sample, motions, same_form
from ..scene.animation.poses import PoseReader
from .course import Course, course_of
from .queries import distances_and_levels, impacts, travel, travels

# Frames. Two guesses that differ by at most this are equal: a hundredth of what a timeline shows, a thousandth of what
# matters. At high frame numbers, Blender's float32 has a coarser resolution.
SAME_FRAME = 1e-5

# Maximum number of guesses; then the best one is returned. Each guess has at most a quarter of the error of the one
# before. A bracketed root is halved at least every second time.
MOST_GUESSES = 48

# Frames: accuracy of the frame of a smallest gap. Near it, the gap hardly changes.
LEAST_FRAME = 1e-4

# Dimensionless: an estimated gap is confirmed if it differs from the evaluated one by at most this fraction.
SAME_GAP = 1e-4

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0

# Maximum number of Newton steps along the slope of the gap. Each squares the error, so a root not found by then is not
# near.
MOST_STEPS = 5


@dataclass(frozen=True, eq=False)
class Touch:
    """The first contact of two bodies.

    Attributes
    ----------
    frame : float
    sample : Sample
        A sample at the frame, or within `SAME_FRAME` of it.
    pair : (2,) int64
        Rows that touch, of the first and of the second body.
    point, normal : (3,) float64
    apart_until : float
        Last frame in which they were found apart, on the side from which the contact was approached.
    speed : float
        Approximate closing speed of the gap before the contact, per frame. 0 if unknown.
    """

    frame: float
    sample: Sample
    pair: Ints
    point: Floats
    normal: Floats
    apart_until: float
    speed: float = 0.0


@dataclass(frozen=True, eq=False)
class Gap:
    """Gap between some pairs in a sample: the smallest distance, and its pair."""

    sample: Sample
    distance: float
    level: float  # a gap up to this is contact
    pair: Ints
    point: Floats
    normal: Floats

    @property
    def touches(self) -> bool:
        """Whether the gap counts as contact."""
        return self.distance <= self.level

    def touch(self, apart_until: float, speed: float = 0.0) -> Touch:
        """The contact as a `Touch`."""
        return Touch(self.sample.frame, self.sample, self.pair, self.point, self.normal, apart_until, speed)


@dataclass(frozen=True, eq=False)
class _When:
    """Query for the first impact of some pairs that move uniformly between two samples."""

    begin: Sample
    end: Sample
    pairs: Ints


@dataclass(frozen=True, eq=False)
class Impact:
    """Return the result: the frame, the pair, point and normal, and the closing speed per frame."""

    frame: float
    pair: Ints
    point: Floats
    normal: Floats
    speed: float


@dataclass(frozen=True, eq=False)
class _Look:
    """Query for the gap between some pairs in a frame.

    `near` is a sample that has most of the required geometry. If it is a sample of this frame, it is used itself.
    """

    frame: float
    near: Sample
    pairs: Ints


Found = TypeVar("Found")
# Returns the samples that searches, by number, want to see.
_Sampling = Callable[[Mapping[int, _Look]], Generator[None, None, list[Sample]]]
Asking = Generator[_When | _Look, Impact | Gap | None, Touch | None]


@dataclass(frozen=True, eq=False)
class Way:
    """An interval from a sample in which two bodies are apart to another sample.

    Attributes
    ----------
    begin, end : Sample
        `end` may be the earlier one. Then the search goes back in time.
    pairs : (P, 2) int64
        Rows of the two bodies.
    even : (N,) bool
        Rows that move uniformly between the two samples.
    touching : bool
        Whether a pair touches in `end`.
    impact : Impact, optional
        First impact of the uniform motion, if known.
    accuracy : float
        Frames: required accuracy of the first contact.
    others : tuple of Sample
        Other samples in between and beside, if the pairs move uniformly.
    """

    begin: Sample
    end: Sample
    pairs: Ints
    even: Bools
    touching: bool
    impact: Impact | None = None
    accuracy: float = SAME_FRAME
    others: tuple[Sample, ...] = ()


def approach(reader: PoseReader, ways: Sequence[Way]) -> Generator[None, None, list[Touch | None]]:
    """Find the first contact in each interval.

    Yields
    ------
    None
        After each evaluation of the scene, and after each block of objects that keys place.

    Returns
    -------
    list of Touch or None
        None if they do not touch after all; never None if they touch at the end.
    """
    estimates = _estimates(reader, ways)
    searches: list[Asking] = [
        _search(way) if touch is None else _confirmed(way, touch) for way, touch in zip(ways, estimates, strict=True)
    ]
    return (yield from _answered(searches, _read(reader, [way.pairs for way in ways])))


def _estimates(reader: PoseReader, ways: Sequence[Way]) -> list[Touch | None]:
    """Return the first contact of each interval according to estimates. None without an estimate.

    No estimate is made if the transforms are known without evaluating the scene.
    """
    courses = {}
    rows = [np.unique(way.pairs) for way in ways]
    keyed = reader.keyed([(way.begin, mine) for way, mine in zip(ways, rows, strict=True)])
    for number, way in enumerate(ways):
        if keyed[number]:
            continue
        course = course_of(way.begin, way.end, way.others, rows[number])
        if course is not None:
            courses[number] = course
    chosen = list(courses)
    searches = [_search(replace(ways[number], accuracy=ways[number].accuracy / 8.0)) for number in chosen]
    found = exhausted(_answered(searches, _estimated([courses[number] for number in chosen])))
    known = dict(zip(chosen, found, strict=True))
    return [known.get(number) for number in range(len(ways))]


def least_gaps(
    reader: PoseReader,
    spans: Sequence[tuple[Sample, Sample, tuple[Sample, ...], Ints]],
    of: Ints,
    below: Floats,
) -> Generator[None, None, dict[int, Gap]]:
    """Find the smallest gap of uniformly moving pairs in some spans. Yields after each evaluation of the scene.

    Parameters
    ----------
    reader : PoseReader
    spans : sequence of (begin, end, others, pairs)
        Two samples, others in between, and rows (P, 2) of two bodies.
    of : (S,) int64
        Number of the two bodies of each span. Only their smallest gap over all spans is returned.
    below : (S,) float64
        Gaps that are not smaller are left out.

    Returns
    -------
    dict of int to Gap
        By number of the bodies.
    """
    courses = {}
    for number, (begin, end, others, pairs) in enumerate(spans):
        course = course_of(begin, end, others, np.unique(pairs))
        if course is not None:
            courses[number] = course
    chosen = list(courses)
    searches = [_least(spans[number][0], spans[number][1], spans[number][3]) for number in chosen]
    estimates = exhausted(_answered(searches, _estimated([courses[number] for number in chosen])))
    best: dict[int, tuple[int, Gap]] = {}
    for number, gap in zip(chosen, estimates, strict=True):
        if gap is not None and gap.distance < min(
            below[number], best[of[number]][1].distance if of[number] in best else np.inf
        ):
            best[int(of[number])] = number, gap
    confirmed = yield from _answered(
        [_least_confirmed(*spans[number][:2], spans[number][3], gap) for number, gap in best.values()],
        _read(reader, [spans[number][3] for number, _ in best.values()]),
    )
    return {code: gap for code, gap in zip(best, confirmed, strict=True) if gap is not None}


def _least(begin: Sample, end: Sample, pairs: Ints) -> Generator[_Look, Gap, Gap]:
    """Find the smallest gap between two samples by golden-section search. There is one minimum in between."""
    low, high = begin.frame, end.frame
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = (yield _Look(left, begin, pairs)), (yield _Look(right, begin, pairs))
    while high - low > LEAST_FRAME:
        if at_left.distance <= at_right.distance:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = yield _Look(left, begin, pairs)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = yield _Look(right, begin, pairs)
    return at_left if at_left.distance <= at_right.distance else at_right


def _least_confirmed(begin: Sample, end: Sample, pairs: Ints, estimate: Gap) -> Generator[_Look, Gap, Gap]:
    """Find the smallest gap near an estimated one. If it is not confirmed, it is searched by evaluations."""
    seen = yield _Look(as_kept(estimate.sample.frame), begin, pairs)
    if abs(seen.distance - estimate.distance) <= max(SAME_GAP * abs(estimate.distance), seen.level):
        return seen
    found = yield from _least(begin, end, pairs)
    return found if found.distance < seen.distance else seen


def _read(reader: PoseReader, pairs: Sequence[Ints]) -> _Sampling:
    """Return the function that reads the bodies of these pairs (P, 2) of each search."""
    body = np.array(reader.body, dtype=np.int64)
    bodies = [np.flatnonzero(np.isin(body, body[mine])) for mine in pairs]
    return lambda looks: reader.samples([(one.frame, one.near, bodies[number]) for number, one in looks.items()])


def _estimated(courses: Sequence[Course]) -> _Sampling:
    """Return the function that estimates what each search wants to see."""

    def samples(looks: Mapping[int, _Look]) -> Generator[None, None, list[Sample]]:
        yield from ()
        return [courses[number].sample(one.frame) for number, one in looks.items()]

    return samples


def _answered(
    searches: Sequence[Generator[_When | _Look, Any, Found | None]], sampled: _Sampling
) -> Generator[None, None, list[Found | None]]:
    """Answer the queries of searches until all have ended. `sampled` returns the samples that they want to see."""
    answers: list[Impact | Gap | None] = [None] * len(searches)
    results: list[Found | None] = [None] * len(searches)
    running = list(range(len(searches)))
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
        samples = {number: one.near for number, one in looks.items()}
        apart = {number: one for number, one in looks.items() if one.frame != one.near.frame}
        samples.update(zip(apart, (yield from sampled(apart)), strict=True))
        pairs = [one.pairs for one in looks.values()]
        for number, found in zip(looks, gaps(list(samples.values()), pairs), strict=True):
            answers[number] = found
    return results


def gaps(samples: Sequence[Sample], pairs: Sequence[Ints]) -> list[Gap]:
    """Return the smallest gap between some pairs of rows in each sample. Infinite if no pair exists there."""
    there = [mine[sample.there[mine].all(axis=1)] for sample, mine in zip(samples, pairs, strict=True)]
    which = np.repeat(np.arange(len(samples)), [len(mine) for mine in there])
    rows = np.concatenate([np.empty((0, 2), dtype=np.int64), *there])
    found, level = distances_and_levels(samples, which, rows)
    result = []
    for number, sample in enumerate(samples):
        mine = slice(*np.searchsorted(which, [number, number + 1]))
        if mine.start == mine.stop:
            nowhere = np.full(3, np.nan)
            result.append(Gap(sample, np.inf, 0.0, np.zeros(2, dtype=np.int64), nowhere, nowhere))
            continue
        # The nearest pair relative to its touching tolerance, which differs between pairs.
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
    """Return the impacts of these rows of the result of an impact query. All of them are hits."""
    velocity, time = np.zeros((2, len(rows), 3)), found.time[rows][:, None]
    for side in (0, 1):
        motion = motions(begins, ends, which[rows], pairs[rows, side])
        spoke = found.point[rows] - (motion.pivot + time * motion.velocity)
        velocity[side] = motion.velocity + cross(motion.angular_velocity, spoke)
    width = np.array([abs(end.frame - begin.frame) for begin, end in zip(begins, ends, strict=True)])
    speed = dot(velocity[0] - velocity[1], found.normal[rows]) / width[which[rows]]
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


def _confirmed(way: Way, estimate: Touch) -> Asking:
    """Find the first contact near an estimate. If it is not there, search without an estimate."""
    onward, fastest = np.sign(way.end.frame - way.begin.frame), _fastest(way, estimate.pair)
    if way.accuracy > SAME_FRAME:
        # A frame in which they touch, within the allowed distance of the first contact.
        for beyond in (0.0, way.accuracy / 4.0):
            frame = as_kept(estimate.frame + onward * beyond)
            if (way.end.frame - frame) * onward > 0.0 and estimate.speed > 0.0:
                seen = cast(Gap, (yield _Look(frame, way.begin, way.pairs)))
                if -way.accuracy * estimate.speed <= seen.distance - seen.level <= 0.0:
                    return seen.touch(as_kept(frame - onward * way.accuracy))
        return (yield from _search(way))
    seen = cast(Gap, (yield _Look(as_kept(estimate.frame), way.begin, way.pairs)))
    if np.isfinite(seen.distance) and estimate.speed > 0.0:
        speed = estimate.speed * onward
        closed = yield from _closed(seen, speed, fastest, way.begin, way.end, way.pairs)
        if closed is not None:
            return closed[0].touch(way.begin.frame)
    return (yield from _search(way))


def _by_impacts(way: Way) -> Asking:
    """Guess the first contact by the time of impact, and improve it with the gap there. None: they do not touch."""
    pairs, onward = way.pairs, np.sign(way.end.frame - way.begin.frame)
    # Intervals to be searched, in order, and the known contact at the end of the last one.
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
                where = impact.pair, impact.point, impact.normal
                return Touch(impact.frame, seen.sample, *where, begin.frame, impact.speed)
            # There is no contact: a jump was mistaken for motion.
            intervals = intervals[1:]
            continue
        seen = cast(Gap, (yield _Look(as_kept(impact.frame), begin, pairs)))
        if not same_form(begin.widened(len(seen.sample)), seen.sample)[pairs].all() or np.isinf(seen.distance):
            return None
        closed = yield from _closed(seen, impact.speed * onward, fastest, begin, end, pairs)
        if closed is not None:
            gap, speed = closed
            return gap.touch(begin.frame, speed * onward)
        if seen.distance <= 0.0:
            intervals, touching = [(begin, seen.sample)], seen
        else:
            # The contact can be on either side of the guess.
            intervals = [(begin, seen.sample), (seen.sample, end), *intervals[1:]]
    return touching.touch(way.begin.frame) if touching is not None else None


def _fastest(way: Way, pair: Ints) -> float:
    """Return the approximate maximum closing speed of two rows in an interval, per frame.

    The shorter the interval that contains a jump, the faster the jump appears.
    """
    begin, end = (sample.widened(max(len(way.begin), len(way.end))) for sample in (way.begin, way.end))
    if same_form(begin, end)[pair].all():
        both = float(travels(begin, end, pair).sum())
    else:
        both = sum(travel(begin, end, row) for row in pair.tolist())
    return 2.0 * both / abs(way.end.frame - way.begin.frame)


def _closed(
    seen: Gap, speed: float, fastest: float, begin: Sample, end: Sample, pairs: Ints
) -> Generator[_Look, Gap, tuple[Gap, float] | None]:
    """Follow the slope of the gap from a guess to contact.

    Return the gap there and its speed, or None if it is not near.

    Parameters
    ----------
    speed : float
        Closing speed of the gap, per frame. Negative when going back in time.
    fastest : float
        Maximum closing speed of any gap.
    """
    low, high = sorted((begin.frame, end.frame))
    for _ in range(MOST_STEPS):
        finest = max(SAME_FRAME, float(np.spacing(np.float32(abs(seen.sample.frame)))))
        if abs(seen.distance) <= finest * min(abs(speed), fastest):
            return seen, speed
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
    """Find the root of the distance between a sample in which the pairs are apart and one in which they touch.

    This is the Illinois variant of regula falsi, with a bisection whenever two steps have not halved the bracket,
    because jumps and objects that appear have no slope.
    """
    before = cast(Gap, (yield _Look(way.begin.frame, way.begin, way.pairs)))
    after = cast(Gap, (yield _Look(way.end.frame, way.end, way.pairs)))
    # If rounding keeps the gap open, the target is a gap within the touching tolerance.
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
        # The value at an end that has not moved for two steps is halved, so that it moves as well.
        if found.distance <= target:
            low = low / 2.0 if moved_last > 0 else low
            after, high, moved_last = found, found.distance - target, 1
        else:
            high = high / 2.0 if moved_last < 0 else high
            before, low, moved_last = found, found.distance - target, -1
    width = abs(after.sample.frame - before.sample.frame)
    speed = (before.distance - after.distance) / width if width else 0.0
    return after.touch(before.sample.frame, speed if np.isfinite(speed) else 0.0)


def _tolerance(frame: float) -> float:
    """Return the difference up to which two frames are equal."""
    return max(SAME_FRAME, 2.0 * float(np.spacing(np.float32(abs(frame)))))
