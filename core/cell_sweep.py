# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweep and prune within cells: the array algorithm under `sweep_and_prune` and `SweepAndPrune`.

One axis is swept; the other two are cut into cells about twice as wide as the boxes. A box enters every cell it touches.
Entries are sorted by cell and by where they begin on the swept axis, so that in each cell an entry meets those after it
which begin before it ends: one search for each entry. What clusters on one axis is told apart by the others.

The map from coordinates to cells is monotone and ends at the first and the last cell. That is all that correctness
needs: boxes that overlap share a cell, whatever the cells are. Outliers and infinite bounds end up in the outer cells.
Boxes far larger than the cells have a turn of their own, with cells of their own size.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .results import Bools, Floats, Ints

# Candidate pairs looked at together: a few megabytes at a time.
_BLOCK = 1 << 16
# A box that would enter more cells than this has its turn later, among larger cells.
_MOST_CELLS = 16
# As many boxes as that are compared with all others one by one: it costs less than a sweep of all others.
_FEW = 32
# Cells are chosen by this many boxes, evenly taken from all.
_SAMPLE = 1024
# Of the boxes that cells are chosen by, this share may be left for larger cells: each turn leaves fewer.
_LEFT_OVER = 0.25
# Bits of an integer for the numbers of a cell along both axes and an entry's rank; the rest is for `_Entries.new`.
_KEY_BITS = 60
# No more than 2 to this many cells along an axis.
_CELL_BITS = 20
# Coordinates count as no larger when cells are chosen, so that no difference of two is infinite.
_FAR = 1e300
# No cell is smaller, however small the boxes.
_LEAST = 1e-300

Pairs = tuple[Ints, Ints]


def among(low: Floats, high: Floats) -> Pairs:
    """Pairs of boxes that overlap, touching included: each once, in no particular order.

    Parameters
    ----------
    low, high : (3, N) float64
        Infinite where a box is; not NaN. A box with `low` above `high` meets nothing.
    """
    boxes = np.flatnonzero((low <= high).all(axis=0))
    found: list[Pairs] = []
    while len(boxes) > _FEW:
        some_low, some_high = low[:, boxes], high[:, boxes]
        cells, (places,) = _cells((some_low, some_high))
        large = places.entered > _MOST_CELLS
        rest = boxes[large]
        if len(rest):
            boxes, some_low, some_high = boxes[~large], some_low[:, ~large], some_high[:, ~large]
            places = places.take(~large)
            first, second = between(some_low, some_high, low[:, rest], high[:, rest])
            found.append((boxes[first], rest[second]))
        rank, end_rank = _ranks(some_low[cells.sweep], some_high[cells.sweep])
        entries = _Entries.of(cells, places, some_low, some_high, rank, end_rank, len(rank))
        stop = np.searchsorted(entries.key, entries.end_key)
        first, second = _met(entries, np.arange(1, len(stop) + 1), stop, entries)
        found.append((boxes[first], boxes[second]))
        boxes = rest
    first, second = np.triu_indices(len(boxes), 1)
    first, second = boxes[first], boxes[second]
    meets = ((low[:, first] <= high[:, second]) & (low[:, second] <= high[:, first])).all(axis=0)
    found.append((first[meets], second[meets]))
    return joined(found)


def between(low_a: Floats, high_a: Floats, low_b: Floats, high_b: Floats) -> Pairs:
    """Pairs of a box of A and a box of B that overlap; as `among`.

    Returns
    -------
    a, b : (P,) int64
        Indices into A and into B.
    """
    # Only what reaches the bounds of the other set can meet any of it.
    boxes_a = _reaching(low_a, high_a, low_b, high_b)
    low_a, high_a = low_a[:, boxes_a], high_a[:, boxes_a]
    boxes_b = _reaching(low_b, high_b, low_a, high_a)
    low_b, high_b = low_b[:, boxes_b], high_b[:, boxes_b]
    if len(boxes_b) <= _FEW:
        first, second = _one_by_one(low_a, high_a, low_b, high_b)
        return boxes_a[first], boxes_b[second]
    if len(boxes_a) <= _FEW:
        second, first = _one_by_one(low_b, high_b, low_a, high_a)
        return boxes_a[first], boxes_b[second]
    found: list[Pairs] = []
    cells, (places_a, places_b) = _cells((low_a, high_a), (low_b, high_b))
    large_a, large_b = places_a.entered > _MOST_CELLS, places_b.entered > _MOST_CELLS
    if large_a.any():
        first, second = between(low_a[:, large_a], high_a[:, large_a], low_b, high_b)
        found.append((boxes_a[large_a][first], boxes_b[second]))
        boxes_a, places_a = boxes_a[~large_a], places_a.take(~large_a)
        low_a, high_a = low_a[:, ~large_a], high_a[:, ~large_a]
    if large_b.any():
        first, second = between(low_a, high_a, low_b[:, large_b], high_b[:, large_b])
        found.append((boxes_a[first], boxes_b[large_b][second]))
        boxes_b, places_b = boxes_b[~large_b], places_b.take(~large_b)
        low_b, high_b = low_b[:, ~large_b], high_b[:, ~large_b]
    count = len(boxes_a)
    start, end = (np.concatenate([a[cells.sweep], b[cells.sweep]]) for a, b in ((low_a, low_b), (high_a, high_b)))
    rank, end_rank = _ranks(start, end)
    a = _Entries.of(cells, places_a, low_a, high_a, rank[:count], end_rank[:count], len(rank))
    b = _Entries.of(cells, places_b, low_b, high_b, rank[count:], end_rank[count:], len(rank))
    # Of two that overlap on the swept axis, one begins first and ends no earlier than the other begins.
    first, second = _met(a, np.searchsorted(b.key, a.key), np.searchsorted(b.key, a.end_key), b)
    found.append((boxes_a[first], boxes_b[second]))
    second, first = _met(b, np.searchsorted(a.key, b.key), np.searchsorted(a.key, b.end_key), a)
    found.append((boxes_a[first], boxes_b[second]))
    return joined(found)


def overlapping_one(low: Floats, high: Floats, box_low: Floats, box_high: Floats) -> Ints:
    """Indices of the boxes (3, N) that overlap the one box (3,)."""
    meets = (low <= box_high[:, None]).all(axis=0) & (high >= box_low[:, None]).all(axis=0)
    return np.flatnonzero(meets)


def joined(found: list[Pairs]) -> Pairs:
    """All these pairs in one."""
    none = np.empty(0, dtype=np.int64)
    return np.concatenate([none, *(part[0] for part in found)]), np.concatenate([none, *(part[1] for part in found)])


@dataclass(frozen=True)
class _Places:
    """The first and the last cell of each box, on the two axes that are cut into cells."""

    first_y: Ints
    last_y: Ints
    first_z: Ints
    last_z: Ints

    @property
    def entered(self) -> Ints:
        """How many cells each box enters."""
        return (self.last_y - self.first_y + 1) * (self.last_z - self.first_z + 1)

    def take(self, rows: Ints | Bools) -> "_Places":
        """The places of these rows."""
        return _Places(self.first_y[rows], self.last_y[rows], self.first_z[rows], self.last_z[rows])


@dataclass(frozen=True)
class _Cells:
    """Cells of one size on two axes, (2,) each; the third axis is swept."""

    sweep: int
    across: Ints
    origin: Floats
    side: Floats
    count: Ints

    def of(self, low: Floats, high: Floats) -> _Places:
        """The first and the last cell of each box, on both axes."""
        place = []
        for axis, origin, side, count in zip(self.across, self.origin, self.side, self.count, strict=True):
            for bound in (low, high):
                with np.errstate(over="ignore"):
                    cell = (bound[axis] - origin) / side
                place.append(np.clip(cell, 0.0, count - 1.0, out=cell).astype(np.int64))
        return _Places(*place)


def _cells(*sets: tuple[Floats, Floats]) -> tuple[_Cells, list[_Places]]:
    """Cells of which most boxes of each set enter few, and the places of all boxes in them."""
    steps = [-(-low.shape[1] // _SAMPLE) for low, _ in sets]
    most = 1 << min(_CELL_BITS, (_KEY_BITS - sum(low.shape[1] for low, _ in sets).bit_length()) // 2)
    cells = _cells_by([(low[:, ::step], high[:, ::step]) for step, (low, high) in zip(steps, sets, strict=True)], most)
    places = [cells.of(*boxes) for boxes in sets]
    # A sample may be unlike the rest; what it leaves over must not be nearly all.
    if any(np.count_nonzero(part.entered > _MOST_CELLS) > 2.0 * _LEFT_OVER * len(part.first_y) for part in places):
        cells = _cells_by(list(sets), most)
        places = [cells.of(*boxes) for boxes in sets]
    return cells, places


def _cells_by(sets: list[tuple[Floats, Floats]], most: int) -> _Cells:
    """Cells chosen by all of these boxes, at most so many along an axis."""
    near = [(np.clip(low, -_FAR, _FAR), np.clip(high, -_FAR, _FAR)) for low, high in sets]
    size = np.max([np.median(high - low, axis=1) for low, high in near], axis=0)
    begin = np.sort(np.concatenate([low for low, _ in near], axis=1), axis=1)
    lowest, quarter, three_quarters, highest = begin[:, [0, begin.shape[1] // 4, 3 * begin.shape[1] // 4, -1]].T
    spread = three_quarters - quarter
    # Sweeping tells boxes apart exactly, cells only roughly: swept is the axis on which there is most to tell.
    sweep = int(np.argmax(np.where(spread > 0.0, spread / np.maximum(size, np.maximum(spread / most, _LEAST)), 0.0)))
    across = np.delete(np.arange(3), sweep)
    # A few far away must not make the cells of the others so large: what is not near the middle half shares a cell.
    crowded = ((highest - lowest) / most > 2.0 * size) & (spread > 0.0)
    origin = np.where(crowded, quarter - spread, lowest)[across]
    extent = np.where(crowded, 3.0 * spread, highest - lowest)[across]
    side = np.maximum(np.maximum(2.0 * size[across], extent / most), _LEAST)
    while True:
        cells = _Cells(sweep, across, origin, side, (extent / side).astype(np.int64) + 1)
        entered = [cells.of(*boxes).entered for boxes in sets]
        if all(np.count_nonzero(part > _MOST_CELLS) <= _LEFT_OVER * len(part) for part in entered):
            return cells
        side = 2.0 * side


def _ranks(start: Floats, end: Floats) -> tuple[Ints, Ints]:
    """Place of each start among all starts, and the number of starts that are not after each end."""
    order = np.argsort(start, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank, np.searchsorted(start[order], end, side="right")


@dataclass(frozen=True)
class _Entries:
    """Boxes, each once for every cell that it enters, by cell and by where they begin on the swept axis.

    Attributes
    ----------
    key, end_key : (E,) int64
        The cell and the rank of the box's start in it, ascending; the cell and the rank where the box ends.
    box : (E,) int64
    new : (E,) uint8
        One if the cell is the box's first on one axis, plus two if it is on the other.
    low_y, high_y, low_z, high_z : (E,) float64
    """

    key: Ints
    end_key: Ints
    box: Ints
    new: NDArray[np.uint8]
    low_y: Floats
    high_y: Floats
    low_z: Floats
    high_z: Floats

    @classmethod
    def of(
        cls, cells: _Cells, places: _Places, low: Floats, high: Floats, rank: Ints, end_rank: Ints, ranks: int
    ) -> "_Entries":
        """The entries of these boxes; ranks are below `ranks`, those of ends up to it."""
        row_box, row = _counted(places.last_y - places.first_y + 1)
        entry_row, column = _counted((places.last_z - places.first_z + 1)[row_box])
        box, row = row_box[entry_row], row[entry_row]
        cell = (places.first_y[box] + row) * cells.count[1] + places.first_z[box] + column
        new = (row == 0) + 2 * (column == 0)
        bits = ranks.bit_length()
        # One integer for all: it sorts without an index, and what it was made of can be read from it again.
        key = np.sort((((cell << bits) + rank[box]) << 2) + new)
        at = np.empty(ranks, dtype=np.int64)
        at[rank] = np.arange(len(rank))
        box = at[(key >> 2) & ((1 << bits) - 1)]
        end_key = ((key >> (bits + 2) << bits) + end_rank[box]) << 2
        y, z = cells.across
        return cls(key, end_key, box, (key & 3).astype(np.uint8), low[y, box], high[y, box], low[z, box], high[z, box])


def _counted(count: Ints) -> Pairs:
    """Each index as often as `count` says, and numbers from zero for each: [2, 1] gives [0, 0, 1] and [0, 1, 0]."""
    index = np.repeat(np.arange(len(count)), count)
    return index, np.arange(len(index)) - (np.cumsum(count) - count)[index]


def _met(a: _Entries, start: Ints, stop: Ints, b: _Entries) -> Pairs:
    """Boxes of A and of B that overlap: entry i of A has the entries ``start[i]:stop[i]`` of B for candidates."""
    found = []
    for i, j in _candidates(start, stop):
        # Boxes that share several cells are paired in the one that is the first of either on both axes.
        meets = (a.new[i] | b.new[j]) == 3
        meets &= a.low_y[i] <= b.high_y[j]
        meets &= b.low_y[j] <= a.high_y[i]
        i, j = i[meets], j[meets]
        meets = (a.low_z[i] <= b.high_z[j]) & (b.low_z[j] <= a.high_z[i])
        found.append((a.box[i[meets]], b.box[j[meets]]))
    return joined(found)


def _candidates(start: Ints, stop: Ints) -> Iterator[Pairs]:
    """Each i with all of ``start[i]:stop[i]``, in blocks."""
    count = np.maximum(stop - start, 0)
    total = np.cumsum(count)
    begin = 0
    while begin < len(count):
        before = total[begin] - count[begin]
        end = max(begin + 1, int(np.searchsorted(total, before + _BLOCK, side="right")))
        i, number = _counted(count[begin:end])
        i += begin
        yield i, start[i] + number
        begin = end


def _one_by_one(low: Floats, high: Floats, few_low: Floats, few_high: Floats) -> Pairs:
    """Pairs of a box and one of a few, which are looked at one after another."""
    found = []
    for k in range(few_low.shape[1]):
        boxes = overlapping_one(low, high, few_low[:, k], few_high[:, k])
        found.append((boxes, np.full(len(boxes), k)))
    return joined(found)


def _reaching(low: Floats, high: Floats, other_low: Floats, other_high: Floats) -> Ints:
    """Indices of the boxes that overlap the bounds of all others together; none if there are no others."""
    return overlapping_one(low, high, other_low.min(axis=1, initial=np.inf), other_high.max(axis=1, initial=-np.inf))
