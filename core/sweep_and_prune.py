# SPDX-License-Identifier: GPL-3.0-or-later
"""Broad phase: which axis-aligned bounds overlap, without looking at all pairs.

Sweep and prune (seed 001; Ericson 7.5.1) along one axis, within cells of the other two: boxes that cluster on the swept
axis, such as everything that stands on one floor, are told apart by their cells and do not cost n².
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from .results import Bools, Floats, Ints
from .shapes import array

# Candidate pairs looked at together: a few megabytes at a time.
_BLOCK = 1 << 17
# A box that would enter more cells than this is tested against all others instead.
_MOST_CELLS = 64


def sweep_and_prune(lower: ArrayLike, upper: ArrayLike) -> Ints:
    """All pairs of axis-aligned boxes that overlap; touching counts.

    Parameters
    ----------
    lower, upper : (N, 3) array-like
        Finite, lower nowhere above upper.

    Returns
    -------
    (P, 2) int64
        Index pairs, i < j, in lexicographic order, each once.

    Raises
    ------
    ValueError
        If shapes differ, a number is not finite, or a lower bound is above its upper bound.
    """
    low, high = array(lower, "lower", (-1, 3)), array(upper, "upper", (-1, 3))
    if len(low) != len(high):
        raise ValueError(f"upper: {len(high)} rows, but lower has {len(low)}")
    inverted = (low > high).any(axis=1)
    if inverted.any():
        raise ValueError(f"lower: row {int(np.argmax(inverted))} is above its upper bound")
    if len(low) < 2:
        return np.empty((0, 2), dtype=np.int64)
    sweep, *across = np.argsort(-(high.max(axis=0) - low.min(axis=0)), kind="stable")
    first, last = _cells(low[:, across], high[:, across])
    large = (last - first + 1).prod(axis=1) > _MOST_CELLS
    found = _among_cells(low, high, int(sweep), first, last, np.flatnonzero(~large))
    found += [_against_all(low, high, int(box), large) for box in np.flatnonzero(large)]
    pairs = np.concatenate(found) if found else np.empty((0, 2), dtype=np.int64)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _cells(low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """First and last cell of each box on two axes, (N, 2) each; cells are about twice as wide as the boxes."""
    side = 2.0 * np.median(high - low, axis=0)
    extent = high.max(axis=0) - low.min(axis=0)
    # No more cells than boxes along an axis, and one where all is flat.
    side = np.maximum(side, extent / len(low))
    side = np.where(side > 0.0, side, 1.0)
    origin = low.min(axis=0)
    return ((low - origin) / side).astype(np.int64), ((high - origin) / side).astype(np.int64)


def _among_cells(low: Floats, high: Floats, sweep: int, first: Ints, last: Ints, boxes: Ints) -> list[Ints]:
    """Overlapping pairs among these boxes, each found in one cell only."""
    found = []
    for a, b, cell in _candidates(low[:, sweep], high[:, sweep], first, last, boxes):
        overlap = ((low[a] <= high[b]) & (low[b] <= high[a])).all(axis=1)
        # Boxes that share several cells are paired in the one that holds the greater of their first cells.
        overlap &= (np.maximum(first[a], first[b]) == cell).all(axis=1)
        found.append(np.sort(np.stack([a[overlap], b[overlap]], axis=1), axis=1))
    return found


def _candidates(start: Floats, end: Floats, first: Ints, last: Ints, boxes: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Pairs of boxes in one cell whose intervals on the swept axis overlap, and the cell, in blocks."""
    if len(boxes) < 2:
        return
    box, cell = _entries(first, last, boxes)
    key = cell[:, 0] * (int(last[boxes, 1].max()) + 1) + cell[:, 1]
    order = np.lexsort((start[box], key))
    box, key, cell = box[order], key[order], cell[order]
    # In each cell, an entry meets those after it that begin no later than it ends. Ranks make one search do for all.
    level = np.sort(start[box])
    rank = np.searchsorted(level, start[box], side="left")
    end_rank = np.searchsorted(level, end[box], side="right")
    span = len(box) + 1
    stop = np.searchsorted(key * span + rank, key * span + end_rank, side="left")
    count = stop - np.arange(len(box)) - 1
    total = np.cumsum(count)
    begin = 0
    while begin < len(box):
        before = total[begin] - count[begin]
        stop_at = max(begin + 1, int(np.searchsorted(total, before + _BLOCK, side="right")))
        mine = np.repeat(np.arange(begin, stop_at), count[begin:stop_at])
        other = mine + 1 + np.arange(len(mine)) - (total[mine] - count[mine] - before)
        yield box[mine], box[other], cell[mine]
        begin = stop_at


def _entries(first: Ints, last: Ints, boxes: Ints) -> tuple[Ints, Ints]:
    """Each box once for every cell it touches: the box and the cell (M, 2)."""
    width = last[boxes] - first[boxes] + 1
    count = width.prod(axis=1)
    box = np.repeat(boxes, count)
    number = np.arange(len(box)) - np.repeat(np.cumsum(count) - count, count)
    depth = np.repeat(width[:, 1], count)
    return box, first[box] + np.stack([number // depth, number % depth], axis=1)


def _against_all(low: Floats, high: Floats, box: int, large: Bools) -> Ints:
    """Pairs of one large box with all others; two large boxes meet at the lower index's turn."""
    meets = ((low <= high[box]) & (low[box] <= high)).all(axis=1)
    meets &= ~large | (np.arange(len(low)) > box)
    others = np.flatnonzero(meets)
    others = others[others != box]
    return np.sort(np.stack([np.full(len(others), box), others], axis=1), axis=1)
