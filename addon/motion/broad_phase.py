# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase of motion: bounds of all rows over each span between two samples, and the pairs that overlap.

Pairs of two rows that do not move are left out. Of the others, most meshes only pass by each other. They are proved to
be apart during many spans at once: what is farther apart in a sample than both move from there is apart until then.
"""

from collections.abc import Generator, Sequence

import numpy as np

from ...core.broad_phase.sweep_and_prune import pack_pairs, sweep_and_prune, sweep_and_prune_between
from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.vectors import length
from ...core.results import Distances
from ..collisions.pairing import Pairing
from ..model.shapes import Mesh
from ..scene.animation.moving_shapes import Sample, same_place
from .queries import apart_steps, bounds, bulges, half_space, levels, travels
from .sampling import Span

# Dimensionless, as a multiple of the coordinates: a generous bound of the rounding of bounds.
_HAIR = 8.0 * float(np.finfo(np.float64).eps)

_NO_PAIRS = np.empty((0, 2), dtype=np.int64)


class Block:
    """Consecutive spans, with the bounds and tolerances of all rows.

    Attributes
    ----------
    samples : list of Sample
        One more than spans, each with N rows.
    even, moved : (S, N) bool
        For each span.
    lower, upper : (S + 1, N, 3) float64
    level : (S + 1, N) float64
        The touching tolerance.
    clearance : float
        Pairs that come nearer than this are candidates, too.
    """

    def __init__(self, spans: Sequence[Span], clearance: float) -> None:
        count = len(spans[-1].end)
        self.spans, self.clearance = spans, clearance
        self.samples = [sample.widened(count) for sample in (spans[0].begin, *(span.end for span in spans))]
        self.even = np.stack([np.pad(span.even, (0, count - len(span.even))) for span in spans])
        neighbors = zip(self.samples[:-1], self.samples[1:], strict=True)
        self.moved: Bools = np.stack([~same_place(*both) for both in neighbors])
        self.lower, self.upper = bounds(self.samples, self.moved)
        self.level = levels(self.lower, self.upper)

    def candidates(self, pairing: Pairing) -> tuple[Ints, Ints]:
        """Return pairs whose bounds overlap during a span: the spans (P,), ascending, and the rows (P, 2)."""
        spans, found = [np.empty(0, dtype=np.int64)], [_NO_PAIRS]
        for number in range(len(self.spans)):
            pairs = pairing.ordered(self._meeting(number))
            spans.append(np.full(len(pairs), number))
            found.append(pairs)
        return np.concatenate(spans), np.concatenate(found)

    def others(self, number: int, pairs: Ints) -> tuple[Sample, ...]:
        """Return samples inside and beside a span, if all rows of these pairs move uniformly in it."""
        if not self.even[number][pairs].all():
            return ()
        beside = number - 1 if number else min(1, len(self.spans) - 1)
        also = beside != number and self.even[beside][pairs].all()
        return (self.spans[number].middle, *([self.spans[beside].middle] if also else []))

    def near_at(self, at: Ints, pairs: Ints) -> Ints:
        """Return the pairs whose bounds overlap in a sample, `at` (P,)."""
        a, b = pairs.T
        reach = (self.level[at, a] + self.level[at, b])[:, None] + self.clearance
        meets = (self.lower[at, a] <= self.upper[at, b] + reach) & (self.lower[at, b] <= self.upper[at, a] + reach)
        return np.flatnonzero(meets.all(axis=1))

    def clear(self, span: Ints, pairs: Ints) -> Generator[None, None, Bools]:
        """Return which candidates (P,) stay farther apart than the clearance during their spans. Yields after queries.

        Only rows that move uniformly are tested. Consecutive spans of a pair are tested together, in the sample in
        their middle. If the pair is not far enough apart there, each half is tested.
        """
        result = np.zeros(len(pairs), dtype=bool)
        code = pack_pairs(*pairs.T)
        order = np.lexsort((span, code))
        order = order[self._of_meshes(pairs[order]) & self.even[span[order, None], pairs[order]].all(axis=1)]
        if not len(order):
            return result
        span, pairs, code = span[order], pairs[order], code[order]
        way = np.zeros(len(order))
        for number in np.unique(span).tolist():
            mine = np.flatnonzero(span == number)
            way[mine] = travels(self.samples[number], self.samples[number + 1], pairs[mine]).sum(axis=1)
        reach = 2.0 * self.level.max(axis=0)[pairs].max(axis=1) + self.clearance
        until = np.concatenate([[0.0], np.cumsum(way)])
        first = np.flatnonzero((np.diff(code, prepend=-1) != 0) | (np.diff(span, prepend=-2) != 1))
        last = np.append(first[1:], len(order))
        while len(first):
            middle = (first + last + 1) // 2
            moved = np.maximum(until[middle] - until[first], until[last] - until[middle])
            asked = middle - 1
            far = yield from apart_steps(self.samples, span[asked] + 1, pairs[asked], reach[asked] + moved)
            for begin, end in zip(first[far].tolist(), last[far].tolist(), strict=True):
                result[order[begin:end]] = True
            open_ones = ~far & (last - first > 1)
            first, middle, last = first[open_ones], middle[open_ones], last[open_ones]
            first, last = np.concatenate([first, middle]), np.concatenate([middle, last])
        return result

    def room_left(self, span: Ints, pairs: Ints, near: Ints, found: Distances) -> Floats:
        """Return by how much, (P,), the distances of candidates at both ends of their spans exceed their motion.

        A pair that moves uniformly, and less far than both distances together, does not touch in between. For other
        pairs, it is minus infinity.

        Parameters
        ----------
        near : (K,) int64
            Candidates whose distance at the end of their span is known.
        found : Distances
        """
        a, b = pairs.T
        low, high = self.lower, self.upper
        begin, end = (
            length(np.maximum(0.0, np.maximum(low[at, a] - high[at, b], low[at, b] - high[at, a])))
            for at in (span, span + 1)
        )
        end[near] = found.distance - np.maximum(found.rounding, 0.0)
        order = np.lexsort((span, pack_pairs(a, b)))
        before, after = order[:-1], order[1:]
        same = (span[after] == span[before] + 1) & (pairs[after] == pairs[before]).all(axis=1)
        begin[after[same]] = end[before[same]]
        result = np.full(len(pairs), -np.inf)
        for number in np.unique(span).tolist():
            mine = np.flatnonzero(span == number)
            mine = mine[self.even[number][pairs[mine]].all(axis=1)]
            way = travels(self.samples[number], self.samples[number + 1], pairs[mine], parts=2).sum(axis=1)
            result[mine] = begin[mine] + end[mine] - way
        return result - 2.0 * self.level.max(axis=0)[pairs].max(axis=1, initial=0.0)

    def _of_meshes(self, pairs: Ints) -> Bools:
        """Return the pairs with a row that begins or ends as a mesh, (P,). Others are swept as fast as proved apart."""
        mesh = np.zeros(len(self.samples[0]), dtype=bool)
        for row in np.unique(pairs).tolist():
            forms = self.samples[0].basis.form[row], self.samples[-1].basis.form[row]
            mesh[row] = any(form is not None and isinstance(form.shape, Mesh) for form in forms)
        return np.asarray(mesh[pairs].any(axis=1))

    def _meeting(self, number: int) -> Ints:
        begin, end = self.samples[number], self.samples[number + 1]
        lower, upper = self.lower[number + 1].copy(), self.upper[number + 1].copy()
        both = np.flatnonzero(begin.there & end.there & self.moved[number])
        lower[both] = np.minimum(lower[both], self.lower[number, both])
        upper[both] = np.maximum(upper[both], self.upper[number, both])
        turning = both[self.even[number, both]]
        bulge = bulges(begin, end, turning)[:, None]
        lower[turning] -= bulge
        upper[turning] += bulge
        level = np.maximum(self.level[number], self.level[number + 1])
        there = end.there
        movers, still = np.flatnonzero(there & self.moved[number]), np.flatnonzero(there & ~self.moved[number])
        if not len(movers):
            return _NO_PAIRS
        low, high = inflated(lower, upper, level + self.clearance / 2.0)
        among = movers[sweep_and_prune(low[movers], high[movers])]
        between = sweep_and_prune_between(low[movers], high[movers], low[still], high[still])
        found = np.concatenate([among, np.stack([movers[between[:, 0]], still[between[:, 1]]], axis=1)])
        found = without_endless(found, lower)
        return near_half_spaces([begin, end], found, lower, upper, level + self.clearance)


def inflated(lower: Floats, upper: Floats, level: Floats) -> tuple[Floats, Floats]:
    """Return bounds enlarged so that those of all touching pairs overlap."""
    size = np.where(np.isfinite(lower) & np.isfinite(upper), np.maximum(np.abs(lower), np.abs(upper)), 0.0).max(axis=1)
    reach = (level + _HAIR * size)[:, None]
    return lower - reach, upper + reach


def without_endless(pairs: Ints, lower: Floats) -> Ints:
    """Return the pairs without those of two half-spaces, which are not tested."""
    endless: Bools = np.asarray(np.isinf(lower).any(axis=1))
    return pairs[~endless[pairs].all(axis=1)]


def near_half_spaces(samples: Sequence[Sample], pairs: Ints, lower: Floats, upper: Floats, level: Floats) -> Ints:
    """Return the pairs without those of a fixed half-space and a shape that does not come near it."""
    endless: Bools = np.asarray(np.isinf(lower).any(axis=1))
    keep = np.ones(len(pairs), dtype=bool)
    for row in np.unique(pairs[endless[pairs]]).tolist():
        surface = half_space(samples[0], row)
        if surface is None or not all(same_place(samples[0], other)[row] for other in samples[1:]):
            continue
        normal, offset = surface
        mine = np.flatnonzero((pairs == row).any(axis=1))
        other = pairs[mine].sum(axis=1) - row
        nearest = np.where(normal > 0.0, lower[other], upper[other])
        slack = level[other] + _HAIR * (np.abs(nearest).max(axis=1, initial=0.0) + abs(offset))
        keep[mine] = nearest @ normal - offset <= slack
    return pairs[keep]
