# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache of box pairs: whether they overlap, and the pairs of each box."""

import numpy as np

from ..numerics.segmented import ragged_arange
from ..numerics.types import Bools, Ints


class PairCache:
    """Pairs of objects, each once, to which others can be added.

    Parameters
    ----------
    first, second : (C,) int64
        Objects; the first index of a pair is below the second.
    objects : int
        Above all indices.

    Attributes
    ----------
    count : int
        C, including what was added.
    swept : int
        C at first.
    """

    def __init__(self, first: Ints, second: Ints, objects: int) -> None:
        self.count = self.swept = len(first)
        self._first, self._second = first, second
        self._overlaps = np.zeros(self.count, dtype=bool)
        self._reported = np.zeros(self.count, dtype=bool)
        self._allowed = np.ones(self.count, dtype=bool)
        self._object_count = objects
        # Where each object's pairs begin in `_by_object`, made when first asked for; pairs added later; what was found.
        self._start: Ints | None = None
        self._by_object: Ints = np.empty(0, dtype=np.int64)
        self._added: dict[int, list[int]] = {}
        self._pairs_by_object: dict[int, tuple[Ints, Ints]] = {}

    @property
    def first(self) -> Ints:
        """The first object of each pair: (C,)."""
        return self._first[: self.count]

    @property
    def second(self) -> Ints:
        """The second object of each pair: (C,)."""
        return self._second[: self.count]

    @property
    def overlaps(self) -> Bools:
        """Whether the objects of each pair overlap now: (C,), to be written to."""
        return self._overlaps[: self.count]

    @property
    def reported(self) -> Bools:
        """Whether they overlapped when last reported: (C,), to be written to."""
        return self._reported[: self.count]

    @property
    def allowed(self) -> Bools:
        """Whether they may overlap at all: (C,), to be written to."""
        return self._allowed[: self.count]

    def pairs_of(self, index: int) -> tuple[Ints, Ints]:
        """The pairs of one box, and the other box of each."""
        known = self._pairs_by_object.get(index)
        if known is None:
            start = self._starts()
            own = self._by_object[start[index] : start[index + 1]] if index < self._object_count else start[:0]
            pairs = np.concatenate([own, np.array(self._added.get(index, ()), dtype=np.int64)])
            known = self._pairs_by_object[index] = pairs, self._first[pairs] + self._second[pairs] - index
        return known

    def pairs_of_any(self, indices: Ints) -> Ints:
        """The pairs of any of these boxes; a pair of two of them appears twice."""
        start = self._starts()
        swept = indices[indices < self._object_count]
        row, number = ragged_arange(start[swept + 1] - start[swept])
        added = [self._added[index] for index in indices.tolist() if index in self._added] if self._added else []
        late = np.array([pair for pairs in added for pair in pairs], dtype=np.int64)
        return np.concatenate([self._by_object[start[swept][row] + number], late])

    def add(self, first: Ints, second: Ints) -> None:
        """Add pairs that are not cached yet; they neither overlap nor are reported."""
        begin, end = self.count, self.count + len(first)
        if end > len(self._first):
            spare = max(end - len(self._first), len(self._first) // 2)
            self._first, self._second, self._overlaps, self._reported, self._allowed = (
                np.concatenate([part, np.zeros(spare, dtype=part.dtype)])
                for part in (self._first, self._second, self._overlaps, self._reported, self._allowed)
            )
        self._first[begin:end], self._second[begin:end] = first, second
        self._overlaps[begin:end] = self._reported[begin:end] = False
        self._allowed[begin:end] = True
        self.count = end
        for side in (first, second):
            for pair, index in enumerate(side.tolist(), begin):
                self._added.setdefault(index, []).append(pair)
                self._pairs_by_object.pop(index, None)

    def _starts(self) -> Ints:
        """Start of each box's swept pairs in `_by_object`: (N + 1,)."""
        if self._start is None:
            ends = np.concatenate([self._first[: self.swept], self._second[: self.swept]])
            # Small integers are sorted digit by digit, several times as fast.
            small = ends.astype(np.uint16) if self._object_count <= 1 << 16 else ends
            self._by_object = np.argsort(small, kind="stable") % max(self.swept, 1)
            self._start = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=self._object_count))])
        return self._start
