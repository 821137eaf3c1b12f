# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of bodies over time, and the smallest distance of those that never touch.

The distances are those of samples. Between two samples, the distance of rigid bodies changes by at most their
displacement. If it may be less than in all samples, its minimum is searched on an estimate of the transforms, and the
scene is evaluated once in the frame that was found.
"""

from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...core.broad_phase.sweep_and_prune import pack_pairs, unpack_pair
from ...core.numerics.rows import smallest_per_group
from ...core.numerics.types import Floats, Ints
from ...core.results import Distances
from ..scene.animation.moving_shapes import Sample
from ..scene.animation.poses import PoseReader
from .approach import Gap, least_gaps
from .broad_phase import Block
from .contact_records import ContactRecord
from .queries import distance_steps, travels
from .sampling import Span

# Number of placements in samples that are kept for distances that may not be asked for: about 200 MB.
_MOST_KEPT = 1 << 21

Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class _Pass:
    """A span in which two bodies may be nearer than in all samples.

    `bound` is a lower bound of their distance there.
    """

    bound: float
    span: Span
    pairs: Ints


class _Passing(NamedTuple):
    """Pairs of rows (P, 2) that pass by each other: their samples, and their bodies as one number."""

    samples: list[Sample]
    which: Ints
    pairs: Ints
    bodies: Ints


@dataclass(eq=False)
class _Nearest:
    """Smallest gap of two bodies in samples, and the spans in which it may be smaller."""

    gap: Gap | None = None
    passes: list[_Pass] = field(default_factory=list)

    @property
    def distance(self) -> float:
        return np.inf if self.gap is None else self.gap.distance


class NearMisses:
    """Collects distances during the search.

    Parameters
    ----------
    clearance : float
        Bodies that come nearer than this are near misses. 0: only the curves are collected.
    """

    def __init__(self, clearance: float) -> None:
        self._clearance = clearance
        self._nearest: dict[int, _Nearest] = {}
        self._measured: list[tuple[Ints, Floats, Floats]] = []  # the bodies as one number, frames, distances
        self._put_off: list[_Passing] = []

    def measure(self, samples: list[Sample], which: Ints, pairs: Ints, bodies: Ints, found: Distances) -> None:
        """Record the distances of pairs of rows (P, 2) of `bodies` (P,), each pair in its own sample, `which` (P,)."""
        rows = self._record(samples, which, bodies, found)
        if not self._clearance:
            return
        for row in rows[(found.distance[rows] > 0.0) & (found.distance[rows] < self._clearance)].tolist():
            near = self._nearest.setdefault(int(bodies[row]), _Nearest())
            distance = float(found.distance[row])
            if distance < near.distance:
                point = (found.point_a[row] + found.point_b[row]) / 2.0
                near.gap = Gap(samples[which[row]], distance, 0.0, pairs[row], point, found.normal[row])

    def _record(self, samples: list[Sample], which: Ints, bodies: Ints, found: Distances) -> Ints:
        """Record the smallest distance of each two bodies in each sample, and return the rows that have it."""
        if not len(bodies):
            return np.empty(0, dtype=np.int64)
        frames = np.array([sample.frame for sample in samples])
        code, group = np.unique(np.stack([bodies, which]), axis=1, return_inverse=True)
        rows = smallest_per_group(group.reshape(-1), found.distance)
        self._measured.append((code[0], frames[code[1]], found.distance[rows]))
        return rows

    def put_off(self, samples: list[Sample], which: Ints, pairs: Ints, bodies: Ints) -> None:
        """Keep pairs that are farther apart than the clearance. They are measured if their bodies have a curve.

        The arguments are those of `measure`.
        """
        if len(pairs):
            self._put_off.append(_Passing(samples, which, pairs, bodies))

    @property
    def full(self) -> bool:
        """Whether so much is put off that more takes too much memory."""
        return sum(len(one.samples) * len(one.samples[0]) for one in self._put_off) > _MOST_KEPT

    def measure_rest(self, contacts: Collection[tuple[int, int]]) -> Generator[None, None, None]:
        """Measure what was put off of bodies with a contact or near miss. Yields after each query."""
        codes = pack_pairs(*np.array(list(contacts), dtype=np.int64).reshape(-1, 2).T)
        for one in self._put_off:
            kept = np.flatnonzero(np.isin(one.bodies, codes))
            found = yield from distance_steps(one.samples, one.which[kept], one.pairs[kept])
            self._record(one.samples, one.which[kept], one.bodies[kept], found)
        self._put_off.clear()

    def follow(self, block: Block, at: Ints, pairs: Ints, bodies: Ints, ends: tuple[Floats, Floats]) -> None:
        """Record the spans `at` (P,) in which pairs (P, 2) may come nearer than in samples.

        `ends` are lower bounds of their distances at both ends of the span.
        """
        if not self._clearance or not len(pairs):
            return
        spans = block.spans
        bound = np.full(len(pairs), np.inf)
        for number in np.unique(at).tolist():
            mine = np.flatnonzero(at == number)
            mine = mine[block.even[number][pairs[mine]].all(axis=1)]
            way = travels(block.samples[number], block.samples[number + 1], pairs[mine], parts=2).sum(axis=1)
            bound[mine] = (ends[0][mine] + ends[1][mine] - way) / 2.0
        kept = np.flatnonzero(bound < self._clearance)
        code, group = np.unique(np.stack([bodies[kept], at[kept]]), axis=1, return_inverse=True)
        for one, (body, number) in enumerate(code.T.tolist()):
            mine = kept[group.reshape(-1) == one]
            near = self._nearest.setdefault(body, _Nearest())
            lowest = float(bound[mine].min())
            if lowest < near.distance:
                near.passes.append(_Pass(lowest, spans[number], pairs[mine]))

    def curves(self) -> dict[tuple[int, int], Curve]:
        """Return the distances of each pair of bodies in samples."""
        if not self._measured:
            return {}
        bodies, frames, distances = (np.concatenate(column) for column in zip(*self._measured, strict=True))
        order = np.lexsort((distances, frames, bodies))
        # Shapes of the same two bodies may have been measured apart from each other.
        order = order[(np.diff(bodies[order], prepend=-1) != 0) | (np.diff(frames[order], prepend=np.nan) != 0.0)]
        bodies, frames, distances = bodies[order], frames[order], distances[order]
        begin = np.flatnonzero(np.diff(bodies, prepend=-1))
        result: dict[tuple[int, int], Curve] = {}
        for first, last in zip(begin.tolist(), [*begin[1:].tolist(), len(bodies)], strict=True):
            result[unpack_pair(int(bodies[first]))] = tuple(
                zip(frames[first:last].tolist(), distances[first:last].tolist(), strict=True)
            )
        return result

    def find(
        self, reader: PoseReader, records: Mapping[tuple[int, int], ContactRecord], moved: set[int]
    ) -> Generator[None, None, dict[tuple[int, int], ContactRecord]]:
        """Return the near misses: pairs of bodies without a contact record, one of which has moved.

        Yields after each evaluation of the scene.
        """
        open_ones = {
            code: near
            for code, near in self._nearest.items()
            if unpack_pair(code) not in records and not moved.isdisjoint(unpack_pair(code))
        }
        asked = [
            (code, one.span, one.pairs)
            for code, near in open_ones.items()
            for one in near.passes
            if one.bound < min(near.distance, self._clearance)
        ]
        below = [min(open_ones[code].distance, self._clearance) for code, _, _ in asked]
        found = yield from least_gaps(
            reader,
            [(span.begin, span.end, (span.middle,), pairs) for _, span, pairs in asked],
            np.array([code for code, _, _ in asked], dtype=np.int64),
            np.array(below),
        )
        for code, gap in found.items():
            if 0.0 < gap.distance < open_ones[code].distance:
                open_ones[code].gap = gap
        result = {}
        for code, near in open_ones.items():
            if near.gap is not None and near.gap.distance < self._clearance:
                record = ContactRecord()
                record.begin(near.gap.touch(near.gap.sample.frame), reader)
                record.gap = near.gap.distance
                result[unpack_pair(code)] = record
        return result
