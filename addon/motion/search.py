# SPDX-License-Identifier: GPL-3.0-or-later
"""Search for contacts between bodies from sample to sample, in blocks of samples with joint queries.

The broad phase takes the bounds of everything over each span, and sweeps them for pairs. Pairs of two rows that do not
move are left out. At the end of each span, the distance of near pairs is measured. Between two samples in which a pair
is apart, rigid bodies are tested by their time of impact, and deforming ones by more samples. Contacts found this way
are then refined by evaluating the scene in their frames.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...core.broad_phase.sweep_and_prune import pack_pairs, sweep_and_prune, unpack_pair, unpack_pairs
from ...core.numerics.types import Bools, Floats, Ints
from ...core.results import Distances, Impacts
from ..collisions.pairing import Pairing
from ..scene.animation.frames import as_kept
from ..scene.animation.moving_shapes import Sample, same_form
from ..scene.animation.poses import PoseReader
from .approach import Touch, Way, approach, gaps, impacts_at
from .broad_phase import Block, inflated, near_half_spaces, without_endless
from .contact_records import ContactRecord, Leaving
from .depths import deepen
from .near_misses import NearMisses
from .queries import bounds, distance_steps, distances, distances_and_levels, impact_steps, levels, travel
from .sampling import FINEST, Span

# Frames: accuracy of the last frame of contact, which needs less accuracy than the first.
LAST_ACCURACY = 1e-3


class Search:
    """All contacts of the samples so far.

    Parameters
    ----------
    reader : PoseReader
    pairing : function
        Returns the pairing of the bodies that have appeared so far.
    clearance : float
        As in `MotionRequest`.

    Attributes
    ----------
    records : dict of (int, int) to ContactRecord
        By the two bodies, lower number of the reader first.
    candidates : int
        Number of pairs of shapes from the broad phase.
    contacts : int
        Number of pairs of bodies that are known to touch.
    moved : set of int
        Bodies that have moved or deformed.
    near_misses : NearMisses
        Distances of pairs of bodies over time.
    """

    def __init__(self, reader: PoseReader, pairing: Callable[[], Pairing], clearance: float = 0.0) -> None:
        self.records: dict[tuple[int, int], ContactRecord] = {}
        self.candidates = 0
        self.moved: set[int] = set()
        self._reader, self._pairing = reader, pairing
        self.near_misses = NearMisses(clearance)
        self._clearance = clearance
        self._touching: Ints = np.empty(0, dtype=np.int64)  # pairs of rows, each as one number
        self.contacts = 0

    def begin(self, sample: Sample) -> Generator[None, None, None]:
        """Find the pairs that touch in the first sample. Yields after each query."""
        lower, upper = bounds([sample], np.empty((0, len(sample)), dtype=bool))
        level = levels(lower[0], upper[0])
        there = np.flatnonzero(sample.there)
        low, high = inflated(lower[0][there], upper[0][there], level[there] + self._clearance / 2.0)
        pairs = self._pairing().ordered(there[sweep_and_prune(low, high)])
        pairs = without_endless(pairs, lower[0])
        pairs = near_half_spaces([sample], pairs, lower[0], upper[0], level + self._clearance)
        self.candidates += len(pairs)
        which = np.zeros(len(pairs), dtype=np.int64)
        found = yield from distance_steps([sample], which, pairs)
        touches = found.distance <= np.maximum(level[pairs].max(axis=1, initial=0.0), found.rounding)
        self._touching = np.sort(pack_pairs(*pairs[touches].T))
        for row in _least_of_each([self._bodies(pairs)], found.distance, np.flatnonzero(touches)):
            record = self._record(pairs[row])
            point = (found.point_a[row] + found.point_b[row]) / 2.0
            record.started = True
            record.begin(Touch(sample.frame, sample, pairs[row], point, found.normal[row], sample.frame), self._reader)
        self._count()
        self._deepen([sample], which, pairs, found, level[pairs].max(axis=1, initial=0.0))
        self.near_misses.measure([sample], which, pairs, self._bodies(pairs), found)

    def block(self, spans: Sequence[Span]) -> Generator[None, None, None]:
        """Find the pairs that touch in consecutive spans. Yields after each evaluation of the scene and each query."""
        block = Block(spans, self._clearance)
        self.moved.update(self._body()[np.flatnonzero(block.moved.any(axis=0))].tolist())
        span, pairs = block.candidates(self._pairing())
        self.candidates += len(pairs)
        yield
        body = self._bodies(pairs)
        clear = yield from block.clear(span, pairs)
        near = block.near_at(span + 1, pairs)
        later = clear[near] & (not self.near_misses.full)
        passing, near = near[later], near[~later]
        found = yield from distance_steps(block.samples, span[near] + 1, pairs[near])
        level = block.level[span[near, None] + 1, pairs[near]].max(axis=1, initial=0.0)
        touching = found.distance <= np.maximum(level, found.rounding)
        states = self._states(block, span[near[touching]], pairs[near[touching]])
        close = ~clear & (block.room_left(span, pairs, near, found) <= 0.0)
        leaving = yield from self._follow(block, span, pairs, body, states, close)
        for row in _least_of_each([span[near], body[near]], found.distance, np.flatnonzero(touching)):
            frame = block.samples[span[near[row]] + 1].frame
            point = (found.point_a[row] + found.point_b[row]) / 2.0
            self._record_of(int(body[near[row]])).note(frame, point)
        self._deepen(block.samples, span[near] + 1, pairs[near], found, level)
        yield
        self.near_misses.measure(block.samples, span[near] + 1, pairs[near], body[near], found)
        self.near_misses.put_off(block.samples, span[passing] + 1, pairs[passing], body[passing])
        self._follow_gaps(block, span, pairs, near, found, clear)
        for code in np.unique(self._bodies(unpack_pairs(states[-1]))).tolist():
            record = self._record_of(code)
            record.last = max(record.last, block.samples[-1].frame)
            leaving.pop(code, None)
        yield from self._part(leaving)

    def _follow_gaps(self, block: Block, span: Ints, pairs: Ints, near: Ints, found: Distances, clear: Bools) -> None:
        """Look for spans in which pairs may be nearer to each other than at both ends."""
        if not self._clearance:
            return
        # Bounds that do not overlap are farther apart than the clearance.
        begin, end = np.full((2, len(pairs)), self._clearance)
        end[near] = found.distance
        near_before = block.near_at(span, pairs)
        near_before = near_before[~clear[near_before]]
        before = distances(block.samples, span[near_before], pairs[near_before])
        begin[near_before] = before.distance
        rest = np.flatnonzero(~clear)
        some = pairs[rest]
        self.near_misses.follow(block, span[rest], some, self._bodies(some), (begin[rest], end[rest]))

    def _states(self, block: Block, span: Ints, pairs: Ints) -> list[Ints]:
        """Return the pairs of rows that touch in each sample of the block, each as one number, ascending."""
        code = pack_pairs(*pairs.T)
        states = [self._touching]
        for number in range(len(block.spans)):
            first, second = unpack_pairs(states[-1]).T
            moved = block.moved[number]
            carried = states[-1][~moved[first] & ~moved[second]]
            states.append(np.union1d(carried, code[span == number]))
        self._touching = states[-1]
        return states

    def _follow(
        self, block: Block, span: Ints, pairs: Ints, body: Ints, states: list[Ints], close: Bools
    ) -> Generator[None, None, dict[int, Leaving]]:
        """Find new contacts, contacts inside spans, and where each pair of bodies last separates.

        Pairs that are not `close` (P,) cannot touch if they move uniformly.
        """
        of_bodies = [np.unique(self._bodies(unpack_pairs(state))) for state in states]
        even = block.even[span[:, None], pairs].all(axis=1)
        apart, meeting = np.zeros((2, len(pairs)), dtype=bool)  # apart at both ends; apart only at the first
        for number in range(len(block.spans)):
            here = slice(*np.searchsorted(span, [number, number + 1]))
            touching = np.isin(body[here], of_bodies[number + 1])
            before = np.isin(body[here], of_bodies[number])
            apart[here], meeting[here] = ~before & ~touching, ~before & touching
        known = np.array([code for code in np.unique(body).tolist() if self._touched(code)], dtype=np.int64)
        swept = np.flatnonzero(even & close & (apart | (meeting & ~np.isin(body, known))))
        unseen = np.flatnonzero(~even & apart)
        begins, ends = block.samples[:-1], block.samples[1:]
        found = yield from impact_steps(begins, ends, span[swept], pairs[swept])
        hits = _least_of_each([span[swept], body[swept]], found.time, np.flatnonzero(found.hit))
        at = impacts_at(begins, ends, span[swept], pairs[swept], found, np.array(hits, dtype=np.int64))
        impact_of = {
            (int(span[swept[row]]), int(body[swept[row]])): impact for row, impact in zip(hits, at, strict=True)
        }
        events: list[_Event] = []
        partings: list[tuple[int, int, Leaving]] = []
        for number in range(len(block.spans)):
            begin, end = block.samples[number], block.samples[number + 1]
            within = slice(*np.searchsorted(span, [number, number + 1]))
            were, are = of_bodies[number], of_bodies[number + 1]
            touched = unpack_pairs(states[number])
            of_touched = self._bodies(touched)
            begun = np.setdiff1d(are, were)
            passing = body[swept[found.hit & apart[swept] & (span[swept] == number)]]
            for code in np.unique(np.concatenate([begun, passing])).tolist():
                mine = pairs[within][body[within] == code]
                impact = impact_of.get((number, code))
                others = block.others(number, mine)
                way = Way(begin, end, mine, block.even[number], code in begun, impact, others=others)
                events.append(_Event(number, code, way))
            for code in np.setdiff1d(were, are).tolist():
                self._record_of(code).parted = True
                mine = np.concatenate([touched[of_touched == code], pairs[within][body[within] == code]])
                mine = np.unique(mine, axis=0)
                leaving = Leaving(begin, end, block.even[number], mine, others=block.others(number, mine))
                partings.append((number, code, leaving))
            for code in np.unique(body[unseen[span[unseen] == number]]).tolist():
                mine = pairs[within][body[within] == code]
                seen = yield from self._looked_at(begin, end, mine)
                if seen is not None:
                    way, last = seen
                    events.append(_Event(number, code, way))
                    partings.append((number, code, last))
        yield from self._doubt(block, span[swept], pairs[swept], found)
        partings += yield from self._begin_all(events)
        last_of = {code: leaving for _, code, leaving in sorted(partings, key=lambda entry: entry[0])}
        return last_of

    def _begin_all(self, events: Sequence["_Event"]) -> Generator[None, None, list[tuple[int, int, Leaving]]]:
        """Confirm the impacts of uniform motion: for each pair of bodies, one event after the other until one is true.

        For bodies that have touched before, only contacts that no sample shows matter, because their end may be the
        last contact.
        """
        passed: list[tuple[int, int, Leaving]] = []
        waiting = list(events)
        while waiting:
            known = {event.code for event in waiting if self._touched(event.code)}
            waiting = [event for event in waiting if not (event.way.touching and event.code in known)]
            taken: set[int] = set()
            now: list[_Event] = []
            later: list[_Event] = []
            for event in waiting:
                (later if event.code in taken and event.code not in known else now).append(event)
                taken.add(event.code)
            touches = yield from approach(self._reader, [event.way for event in now])
            for event, touch in zip(now, touches, strict=True):
                if touch is None:
                    continue
                record, way = self._record_of(event.code), event.way
                if record.touched:
                    record.note(touch.frame, touch.point)
                else:
                    record.begin(touch, self._reader)
                if not way.touching:
                    leaving = Leaving(way.begin, way.end, way.even, way.pairs, touch.frame, way.others)
                    passed.append((event.number, event.code, leaving))
            self._count()
            waiting = later
        return passed

    def _doubt(self, block: Block, span: Ints, pairs: Ints, found: Impacts) -> Generator[None, None, None]:
        """Record where the search for an impact stopped at its limit."""
        for row in np.flatnonzero(~found.decided).tolist():
            begin, end = block.samples[span[row]], block.samples[span[row] + 1]
            frame = as_kept(begin.frame + float(found.safe[row]) * (end.frame - begin.frame))
            sample = self._reader.sample(frame, begin)
            yield
            (near,) = gaps([sample], [pairs[[row]]])
            self._record(pairs[row]).doubt(near.touch(begin.frame), self._reader)

    def _looked_at(self, begin: Sample, end: Sample, pairs: Ints) -> Generator[None, None, tuple[Way, Leaving] | None]:
        """Sample between two samples with bodies apart, one of which deforms, as long as they might touch there.

        If all points moved in straight lines from sample to sample, no point would come nearer to the other body than
        its distance minus its displacement. Unless both displacements together exceed the distances at both ends, the
        bodies cannot touch.
        """
        deforms = ~same_form(begin, end)
        there = (begin.there & end.there)[pairs].all(axis=1)
        pairs = pairs[there & deforms[pairs].any(axis=1)]
        if not len(pairs) or end.frame - begin.frame <= FINEST:
            return None
        none = np.zeros(len(pairs), dtype=np.int64)
        before, after = (distances([sample], none, pairs).distance for sample in (begin, end))
        ways = {row: travel(begin, end, row) for row in np.unique(pairs).tolist()}
        way = np.array([ways[a] + ways[b] for a, b in pairs.tolist()])
        pairs = pairs[before + after < way]
        if not len(pairs):
            return None
        middle = self._reader.sample(as_kept((begin.frame + end.frame) / 2.0), begin)
        yield
        begin, end = begin.widened(len(middle)), end.widened(len(middle))
        (found,) = gaps([middle], [pairs])
        if found.touches:
            uneven = np.zeros(len(middle), dtype=bool)
            self._record(found.pair).note(middle.frame, found.point)
            self._deepen_at([middle], [pairs])
            return Way(begin, middle, pairs, uneven, touching=True), Leaving(middle, end, uneven, pairs)
        first = yield from self._looked_at(begin, middle, pairs)
        second = yield from self._looked_at(middle, end, pairs)
        if first is None or second is None:
            return first or second
        return first[0], second[1]

    def _part(self, partings: Mapping[int, Leaving]) -> Generator[None, None, None]:
        """Find the last frame of contact of pairs of bodies, going back from where they are apart."""
        codes, leavings = list(partings), list(partings.values())
        ways = []
        for one in leavings:
            # If a sample shows the contact, following the gap leads back to it, much faster than a sweep.
            touching = one.entry is None
            even = np.zeros_like(one.even) if touching else one.even
            way = Way(one.end, one.begin, one.pairs, even, touching, accuracy=LAST_ACCURACY, others=one.others)
            ways.append(way)
        touches = yield from approach(self._reader, ways)
        looked: list[tuple[int, Sample, Ints]] = []
        for code, leaving, touch in zip(codes, leavings, touches, strict=True):
            if touch is None:
                continue
            self._record_of(code).note(touch.frame, touch.point)
            if leaving.entry is not None:
                # No sample shows the contact.
                for share in (0.25, 0.5, 0.75):
                    frame = as_kept(leaving.entry + share * (touch.frame - leaving.entry))
                    looked.append((code, self._reader.sample(frame, leaving.begin), leaving.pairs))
                    yield
        samples, asked = [sample for _, sample, _ in looked], [pairs for _, _, pairs in looked]
        for (code, sample, _), seen in zip(looked, gaps(samples, asked), strict=True):
            if seen.touches:
                self._record_of(code).note(sample.frame, seen.point)
        self._deepen_at(samples, asked)

    def _deepen_at(self, samples: Sequence[Sample], pairs: Sequence[Ints]) -> None:
        """Record the depth of bodies in samples, with the pairs of rows (P, 2) of each sample that may touch."""
        there = [mine[sample.there[mine].all(axis=1)] for sample, mine in zip(samples, pairs, strict=True)]
        which = np.repeat(np.arange(len(samples)), [len(mine) for mine in there])
        rows = np.concatenate([np.empty((0, 2), dtype=np.int64), *there])
        self._deepen(samples, which, rows, *distances_and_levels(samples, which, rows))

    def _deepen(self, samples: Sequence[Sample], which: Ints, pairs: Ints, found: Distances, level: Floats) -> None:
        """Record the depth of pairs with known distances, each in its sample `which`, and with its tolerance."""
        touching = np.flatnonzero(found.distance <= np.maximum(level, found.rounding))
        code, of_record = np.unique(self._bodies(pairs[touching]), return_inverse=True)
        records = [self._record_of(one) for one in code.tolist()]
        some = found.take(touching)
        own = pairs[touching]
        deepen(records, of_record.reshape(-1), samples, which[touching], own, some, level[touching])

    def _count(self) -> None:
        self.contacts = sum(record.touched for record in self.records.values())

    def _body(self) -> Ints:
        return np.array(self._reader.body, dtype=np.int64)

    def _bodies(self, pairs: Ints) -> Ints:
        """Return the two bodies of each pair of rows, as one number."""
        if not len(pairs):
            return np.empty(0, dtype=np.int64)
        return pack_pairs(*self._body()[pairs].T)

    def _touched(self, code: int) -> bool:
        """Return whether a contact of these bodies is known."""
        record = self.records.get(unpack_pair(code))
        return record is not None and record.touched

    def _record(self, pair: Ints) -> ContactRecord:
        return self._record_of(int(self._bodies(pair[None])[0]))

    def _record_of(self, code: int) -> ContactRecord:
        bodies = unpack_pair(code)
        record = self.records.get(bodies)
        if record is None:
            record = self.records[bodies] = ContactRecord()
        return record


class _Event(NamedTuple):
    """Two bodies that may touch in an interval. They do if they touch at its end."""

    number: int  # of the span
    code: int  # both bodies
    way: Way


def _least_of_each(groups: Sequence[Ints], value: Floats, rows: Ints) -> list[int]:
    """Return the row with the smallest value of each group.

    The arrays in `groups` together identify the group of each row.
    """
    order = rows[np.lexsort((value[rows], *(group[rows] for group in reversed(groups))))]
    new = np.zeros(len(order), dtype=bool)
    for group in groups:
        new |= np.diff(group[order], prepend=-1) != 0
    result: list[int] = order[new].tolist()
    return result
