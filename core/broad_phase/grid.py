# SPDX-License-Identifier: GPL-3.0-or-later
"""Grid cells for sweep and prune: choice of cell size, and boxes as cell entries."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.segmented import ragged_arange
from ..numerics.types import Bools, Floats, Ints

# A box that would enter more cells than this has its turn later, among larger cells.
MAX_CELLS = 16
# Cells are chosen by this many boxes, evenly taken from all.
_SAMPLE = 1024
# Of the boxes that cells are chosen by, this share may be left for larger cells: each turn leaves fewer.
_LARGE_FRACTION = 0.25
# Bits of a key for the cell indices on both axes and an entry's rank; the rest is for `Entries.first_cell`.
_KEY_BITS = 60
# No more than 2 to this many cells along an axis.
_CELL_BITS = 20
# Coordinates count as no larger when cells are chosen, so that no difference of two is infinite.
_MAX_COORDINATE = 1e300
# No cell is smaller, however small the boxes.
_MIN_CELL = 1e-300


Pairs = tuple[Ints, Ints]


@dataclass(frozen=True)
class CellRanges:
    """First and last cell of each box on the two gridded axes."""

    first_y: Ints
    last_y: Ints
    first_z: Ints
    last_z: Ints

    @property
    def cell_count(self) -> Ints:
        """Number of cells that each box overlaps."""
        return (self.last_y - self.first_y + 1) * (self.last_z - self.first_z + 1)

    def take(self, rows: Ints | Bools) -> "CellRanges":
        """The ranges of these rows."""
        return CellRanges(self.first_y[rows], self.last_y[rows], self.first_z[rows], self.last_z[rows])


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
    # A sample may be unlike the rest; what it leaves over must not be nearly all.
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
    # Sweeping tells boxes apart exactly, cells only roughly: swept is the axis on which there is most to tell.
    sweep = int(
        np.argmax(np.where(spread > 0.0, spread / np.maximum(size, np.maximum(spread / max_cells, _MIN_CELL)), 0.0))
    )
    across = np.delete(np.arange(3), sweep)
    # A few far away must not make the cells of the others so large: what is not near the middle half shares a cell.
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
        # One integer for all: it sorts without an index, and what it was made of can be read from it again.
        key = np.sort((((cell << bits) + rank[box]) << 2) + first_cell)
        at = np.empty(ranks, dtype=np.int64)
        at[rank] = np.arange(len(rank))
        box = at[(key >> 2) & ((1 << bits) - 1)]
        end_key = ((key >> (bits + 2) << bits) + end_rank[box]) << 2
        y, z = cells.across
        first_cell = (key & 3).astype(np.uint8)
        return cls(key, end_key, box, first_cell, low[y, box], high[y, box], low[z, box], high[z, box], bits + 2)
