# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweep and prune within grid cells: the array algorithm behind `sweep_and_prune` and `SweepAndPrune`.

One axis is swept; the other two are divided into cells about twice as wide as the boxes. A box enters every cell that
it touches. Entries are sorted by cell and by start on the swept axis, so the candidates of an entry are those after it
that start before it ends: one binary search per entry. Boxes that cluster on one axis are separated by the others.

The map from coordinates to cells is monotone and clamped at the first and last cell. This alone makes the result
correct: overlapping boxes share a cell, whatever the cells are. Outliers and infinite bounds are in the outer cells.
Boxes far larger than the cells are processed separately with cells of their own size. So are the boxes of a cell in
which many far smaller boxes cluster.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.rows import RowTable, ragged_arange, ragged_blocks
from ..numerics.types import Floats, Ints

# Boxes that would enter more cells than this are processed later, with larger cells.
MAX_CELLS = 16
# Cells are chosen by a sample of this many boxes.
_SAMPLE = 1024
# At most this fraction of the sample may be left for larger cells, so that each round leaves fewer boxes.
_LARGE_FRACTION = 0.25
# Bits of a key for the cell indices on both axes and an entry's rank. The remaining bits are for `Entries.first_cell`.
_KEY_BITS = 60
# At most 2 to this many cells along an axis.
_CELL_BITS = 20
# Coordinates are clamped to this when cells are chosen, so that differences are finite.
_MAX_COORDINATE = 1e300
# Smallest size of a cell, for very small boxes.
_MIN_CELL = 1e-300


Pairs = tuple[Ints, Ints]


@dataclass(frozen=True)
class CellRanges(RowTable):
    """First and last cell of each box on the two gridded axes."""

    first_y: Ints
    last_y: Ints
    first_z: Ints
    last_z: Ints

    @property
    def cell_count(self) -> Ints:
        """Number of cells that each box overlaps."""
        return (self.last_y - self.first_y + 1) * (self.last_z - self.first_z + 1)


@dataclass(frozen=True)
class Cells:
    """Cells of one size on two axes, (2,) each; the third axis is swept."""

    sweep: int
    across: Ints
    origin: Floats
    side: Floats
    count: Ints

    def of(self, low: Floats, high: Floats) -> CellRanges:
        """The cell ranges of boxes on both axes."""
        place = []
        for axis, origin, side, count in zip(self.across, self.origin, self.side, self.count, strict=True):
            for bound in (low, high):
                with np.errstate(over="ignore"):
                    cell = (bound[axis] - origin) / side
                place.append(np.clip(cell, 0.0, count - 1.0, out=cell).astype(np.int64))
        return CellRanges(*place)


def choose_cells(*sets: tuple[Floats, Floats]) -> tuple[Cells, list[CellRanges]]:
    """Cells such that most boxes of each set overlap few, and the cell ranges of all boxes."""
    steps = [-(-low.shape[1] // _SAMPLE) for low, _ in sets]
    max_cells = 1 << min(_CELL_BITS, (_KEY_BITS - sum(low.shape[1] for low, _ in sets).bit_length()) // 2)
    cells = _cells_by(
        [(low[:, ::step], high[:, ::step]) for step, (low, high) in zip(steps, sets, strict=True)], max_cells
    )
    ranges = [cells.of(*boxes) for boxes in sets]
    # A sample may differ from the rest: choose again if too many boxes are left for larger cells.
    if any(
        np.count_nonzero(part.cell_count > MAX_CELLS) > 2.0 * _LARGE_FRACTION * len(part.first_y) for part in ranges
    ):
        cells = _cells_by(list(sets), max_cells)
        ranges = [cells.of(*boxes) for boxes in sets]
    return cells, ranges


def _cells_by(sets: list[tuple[Floats, Floats]], max_cells: int) -> Cells:
    """Cells chosen for these boxes, at most `max_cells` along an axis."""
    near = [
        (np.clip(low, -_MAX_COORDINATE, _MAX_COORDINATE), np.clip(high, -_MAX_COORDINATE, _MAX_COORDINATE))
        for low, high in sets
    ]
    size = np.max([np.median(high - low, axis=1) for low, high in near], axis=0)
    begin = np.sort(np.concatenate([low for low, _ in near], axis=1), axis=1)
    lowest, quarter, three_quarters, highest = begin[:, [0, begin.shape[1] // 4, 3 * begin.shape[1] // 4, -1]].T
    spread = three_quarters - quarter
    # The sweep separates boxes exactly, cells only roughly: sweep the axis with the largest spread relative to the
    # boxes.
    sweep = int(
        np.argmax(np.where(spread > 0.0, spread / np.maximum(size, np.maximum(spread / max_cells, _MIN_CELL)), 0.0))
    )
    across = np.delete(np.arange(3), sweep)
    # A few distant boxes must not enlarge the cells of the others: all boxes far from the middle half share the outer
    # cells.
    clustered = ((highest - lowest) / max_cells > 2.0 * size) & (spread > 0.0)
    origin = np.where(clustered, quarter - spread, lowest)[across]
    extent = np.where(clustered, 3.0 * spread, highest - lowest)[across]
    side = np.maximum(np.maximum(2.0 * size[across], extent / max_cells), _MIN_CELL)
    while True:
        cells = Cells(sweep, across, origin, side, (extent / side).astype(np.int64) + 1)
        cell_count = [cells.of(*boxes).cell_count for boxes in sets]
        if all(np.count_nonzero(part > MAX_CELLS) <= _LARGE_FRACTION * len(part) for part in cell_count):
            return cells
        side = 2.0 * side


def ranks(start: Floats, end: Floats) -> tuple[Ints, Ints]:
    """Rank of each start among all starts, and the number of starts that are not after each end."""
    order = np.argsort(start, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank, np.searchsorted(start[order], end, side="right")


@dataclass(frozen=True)
class Entries:
    """Boxes, once for every cell that they overlap, sorted by cell and by start on the swept axis.

    Attributes
    ----------
    key, end_key : (E,) int64
        Cell and rank of the box's start, ascending; cell and rank of the box's end.
    box : (E,) int64
    first_cell : (E,) uint8
        Bit 0 if the cell is the box's first on one axis, bit 1 if on the other.
    low_y, high_y, low_z, high_z : (E,) float64
    bits : int
        Number of key bits below the cell number.
    """

    key: Ints
    end_key: Ints
    box: Ints
    first_cell: NDArray[np.uint8]
    low_y: Floats
    high_y: Floats
    low_z: Floats
    high_z: Floats
    bits: int

    def __len__(self) -> int:
        return len(self.key)

    def of_cell(self, cell: int) -> slice:
        """The entries of one cell."""
        begin, end = np.searchsorted(self.key, np.array([cell, cell + 1]) << self.bits)
        return slice(begin, end)

    @classmethod
    def of(
        cls, cells: Cells, ranges: CellRanges, low: Floats, high: Floats, rank: Ints, end_rank: Ints, ranks: int
    ) -> "Entries":
        """The entries of these boxes; `ranks` is an upper bound of all ranks."""
        row_box, row = ragged_arange(ranges.last_y - ranges.first_y + 1)
        entry_row, column = ragged_arange((ranges.last_z - ranges.first_z + 1)[row_box])
        box, row = row_box[entry_row], row[entry_row]
        cell = (ranges.first_y[box] + row) * cells.count[1] + ranges.first_z[box] + column
        first_cell = (row == 0) + 2 * (column == 0)
        bits = ranks.bit_length()
        # A single integer for all of them is sorted without an index array, and its parts can be read from it again.
        key = np.sort((((cell << bits) + rank[box]) << 2) + first_cell)
        at = np.empty(ranks, dtype=np.int64)
        at[rank] = np.arange(len(rank))
        box = at[(key >> 2) & ((1 << bits) - 1)]
        end_key = ((key >> (bits + 2) << bits) + end_rank[box]) << 2
        y, z = cells.across
        first_cell = (key & 3).astype(np.uint8)
        return cls(key, end_key, box, first_cell, low[y, box], high[y, box], low[z, box], high[z, box], bits + 2)


# Candidate pairs per chunk, so that intermediate results stay in CPU cache.
_BLOCK = 1 << 14
# Up to this many boxes are compared with all others one by one, which is faster than a sweep.
_FEW = 32
# A cell is overfull if it has more candidates than the first number, and more per entry than the second. Boxes that
# fill a larger fraction of one cell than the third number are not divided again: new cells would be no better.
_OVERFULL_CANDIDATES, _OVERFULL_RATIO, _MAX_CELL_FRACTION = 1 << 16, 32, 0.75


def self_pairs(low: Floats, high: Floats) -> Pairs:
    """Pairs of boxes that overlap, touching included: each once, in no particular order.

    Parameters
    ----------
    low, high : (3, N) float64
        Infinite for unbounded boxes; not NaN. A box with `low` above `high` overlaps nothing.
    """
    boxes = np.flatnonzero((low <= high).all(axis=0))
    found: list[Pairs] = []
    while len(boxes) > _FEW:
        some_low, some_high = low[:, boxes], high[:, boxes]
        cells, (ranges,) = choose_cells((some_low, some_high))
        large = ranges.cell_count > MAX_CELLS
        rest = boxes[large]
        if len(rest):
            boxes, some_low, some_high = boxes[~large], some_low[:, ~large], some_high[:, ~large]
            ranges = ranges.take(~large)
            first, second = cross_pairs(some_low, some_high, low[:, rest], high[:, rest])
            found.append((boxes[first], rest[second]))
        rank, end_rank = ranks(some_low[cells.sweep], some_high[cells.sweep])
        entries = Entries.of(cells, ranges, some_low, some_high, rank, end_rank, len(rank))
        start, stop = np.arange(1, len(entries) + 1), np.searchsorted(entries.key, entries.end_key)
        for cell in _overfull_cells([entries], [stop - start], len(boxes)):
            rows = entries.of_cell(cell)
            own, first_cell = entries.box[rows], entries.first_cell[rows]
            first, second = self_pairs(some_low[:, own], some_high[:, own])
            here = (first_cell[first] | first_cell[second]) == 3
            found.append((boxes[own[first[here]]], boxes[own[second[here]]]))
            stop[rows] = start[rows]
        first, second = _overlapping_pairs(entries, start, stop, entries)
        found.append((boxes[first], boxes[second]))
        boxes = rest
    first, second = np.triu_indices(len(boxes), 1)
    first, second = boxes[first], boxes[second]
    meets = ((low[:, first] <= high[:, second]) & (low[:, second] <= high[:, first])).all(axis=0)
    found.append((first[meets], second[meets]))
    return concatenate_pairs(found)


def cross_pairs(low_a: Floats, high_a: Floats, low_b: Floats, high_b: Floats) -> Pairs:
    """Pairs of a box of A and a box of B that overlap or touch; see `self_pairs`.

    Returns
    -------
    a, b : (P,) int64
        Indices into A and into B.
    """
    # Only boxes that overlap the bounds of the other set can overlap a box of it.
    boxes_a = _within_bounds(low_a, high_a, low_b, high_b)
    low_a, high_a = low_a[:, boxes_a], high_a[:, boxes_a]
    boxes_b = _within_bounds(low_b, high_b, low_a, high_a)
    low_b, high_b = low_b[:, boxes_b], high_b[:, boxes_b]
    if len(boxes_b) <= _FEW:
        first, second = _pairs_with_few(low_a, high_a, low_b, high_b)
        return boxes_a[first], boxes_b[second]
    if len(boxes_a) <= _FEW:
        second, first = _pairs_with_few(low_b, high_b, low_a, high_a)
        return boxes_a[first], boxes_b[second]
    found: list[Pairs] = []
    cells, (ranges_a, ranges_b) = choose_cells((low_a, high_a), (low_b, high_b))
    large_a, large_b = ranges_a.cell_count > MAX_CELLS, ranges_b.cell_count > MAX_CELLS
    if large_a.any():
        first, second = cross_pairs(low_a[:, large_a], high_a[:, large_a], low_b, high_b)
        found.append((boxes_a[large_a][first], boxes_b[second]))
        boxes_a, ranges_a = boxes_a[~large_a], ranges_a.take(~large_a)
        low_a, high_a = low_a[:, ~large_a], high_a[:, ~large_a]
    if large_b.any():
        first, second = cross_pairs(low_a, high_a, low_b[:, large_b], high_b[:, large_b])
        found.append((boxes_a[first], boxes_b[large_b][second]))
        boxes_b, ranges_b = boxes_b[~large_b], ranges_b.take(~large_b)
        low_b, high_b = low_b[:, ~large_b], high_b[:, ~large_b]
    count = len(boxes_a)
    start, end = (np.concatenate([a[cells.sweep], b[cells.sweep]]) for a, b in ((low_a, low_b), (high_a, high_b)))
    rank, end_rank = ranks(start, end)
    a = Entries.of(cells, ranges_a, low_a, high_a, rank[:count], end_rank[:count], len(rank))
    b = Entries.of(cells, ranges_b, low_b, high_b, rank[count:], end_rank[count:], len(rank))
    # If two boxes overlap on the swept axis, one of them starts first and does not end before the other starts.
    start_a, stop_a = np.searchsorted(b.key, a.key), np.searchsorted(b.key, a.end_key)
    start_b, stop_b = np.searchsorted(a.key, b.key), np.searchsorted(a.key, b.end_key)
    for cell in _overfull_cells([a, b], [stop_a - start_a, stop_b - start_b], len(rank)):
        rows_a, rows_b = a.of_cell(cell), b.of_cell(cell)
        own_a, own_b = a.box[rows_a], b.box[rows_b]
        first, second = cross_pairs(low_a[:, own_a], high_a[:, own_a], low_b[:, own_b], high_b[:, own_b])
        here = (a.first_cell[rows_a][first] | b.first_cell[rows_b][second]) == 3
        found.append((boxes_a[own_a[first[here]]], boxes_b[own_b[second[here]]]))
        stop_a[rows_a], stop_b[rows_b] = start_a[rows_a], start_b[rows_b]
    first, second = _overlapping_pairs(a, start_a, stop_a, b)
    found.append((boxes_a[first], boxes_b[second]))
    second, first = _overlapping_pairs(b, start_b, stop_b, a)
    found.append((boxes_a[first], boxes_b[second]))
    return concatenate_pairs(found)


def boxes_overlapping(low: Floats, high: Floats, box_low: Floats, box_high: Floats) -> Ints:
    """Indices of the boxes (3, N) that overlap one box (3,)."""
    meets = (low <= box_high[:, None]).all(axis=0) & (high >= box_low[:, None]).all(axis=0)
    return np.flatnonzero(meets)


def concatenate_pairs(found: list[Pairs]) -> Pairs:
    """Concatenate lists of pairs."""
    none = np.empty(0, dtype=np.int64)
    return np.concatenate([none, *(part[0] for part in found)]), np.concatenate([none, *(part[1] for part in found)])


def _overlapping_pairs(a: Entries, start: Ints, stop: Ints, b: Entries) -> Pairs:
    """Overlapping boxes of A and B; entry i of A has the candidates ``start[i]:stop[i]`` of B."""
    found = []
    for i, j in _candidates(start, stop):
        # Boxes that share several cells are paired only in the cell that is the first of either box on both axes.
        meets = (a.first_cell[i] | b.first_cell[j]) == 3
        meets &= a.low_y[i] <= b.high_y[j]
        meets &= b.low_y[j] <= a.high_y[i]
        i, j = i[meets], j[meets]
        meets = (a.low_z[i] <= b.high_z[j]) & (b.low_z[j] <= a.high_z[i])
        found.append((a.box[i[meets]], b.box[j[meets]]))
    return concatenate_pairs(found)


def _overfull_cells(sets: list[Entries], counts: list[Ints], boxes: int) -> list[int]:
    """Cells whose entries have far more candidates than expected; `counts` is per entry."""
    count = np.maximum(np.concatenate(counts), 0)
    if count.sum() <= max(_OVERFULL_CANDIDATES, _OVERFULL_RATIO * len(count)):
        return []
    cell, place = np.unique(np.concatenate([entries.key >> entries.bits for entries in sets]), return_inverse=True)
    size, candidates = np.bincount(place), np.bincount(place, count)
    clustered = (candidates > np.maximum(_OVERFULL_CANDIDATES, _OVERFULL_RATIO * size)) & (
        size <= _MAX_CELL_FRACTION * boxes
    )
    result: list[int] = cell[clustered].tolist()
    return result


def _candidates(start: Ints, stop: Ints) -> Iterator[Pairs]:
    """Each i with all elements of ``start[i]:stop[i]``, in chunks."""
    count = np.maximum(stop - start, 0)
    for block in ragged_blocks(count, _BLOCK):
        i, number = ragged_arange(count[block])
        i += block.start
        yield i, start[i] + number


def _pairs_with_few(low: Floats, high: Floats, few_low: Floats, few_high: Floats) -> Pairs:
    """Overlapping pairs of any box and one of a few, which are tested one by one."""
    found = []
    for k in range(few_low.shape[1]):
        boxes = boxes_overlapping(low, high, few_low[:, k], few_high[:, k])
        found.append((boxes, np.full(len(boxes), k)))
    return concatenate_pairs(found)


def _within_bounds(low: Floats, high: Floats, other_low: Floats, other_high: Floats) -> Ints:
    """Indices of the boxes that overlap the common bounds of the other set; none if that set is empty."""
    return boxes_overlapping(low, high, other_low.min(axis=1, initial=np.inf), other_high.max(axis=1, initial=-np.inf))
