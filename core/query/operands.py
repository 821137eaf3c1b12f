# SPDX-License-Identifier: GPL-3.0-or-later
"""Operands of queries, the rows of the pairs that a query is about, and their batches.

An operand is a batch, or several batches with common row indices.
"""

from collections.abc import Iterator, Sized
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats, Ints
from ..numerics.validation import numbers
from ..shapes import Batch, Shapes, check_shapes


class Mixed(Protocol):
    """Batches of several kinds with common row indices, such as a `collision_kit.core.World`."""

    @property
    def batches(self) -> tuple[Any, ...]:
        """The batches. Each has one kind."""

    @property
    def batch(self) -> Ints:
        """The batch of each row, as an index into `batches`."""

    @property
    def slot(self) -> Ints:
        """The row within that batch."""

    @property
    def margin(self) -> Floats | None:
        """The margin of each row; None if no row has one."""

    def __len__(self) -> int:
        """Number of rows in all batches together."""


Operand = Shapes | Mixed

# Ascending indices into the rows of a query. `_EVERY` stands for all rows and needs no memory.
Place = Ints | slice
_EVERY = slice(None)


def index_pairs(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The validated rows of A and of B of each pair: (P, 2).

    Raises
    ------
    UnsupportedPair
        If one is a planar shape.
    ValueError
        If one is not a shape, the numbers of rows do not match, or a row does not exist; names the argument and the
        row.
    """
    check_shapes(a, "a")
    check_shapes(b, "b")
    return rows_of_pairs(a, b, pairs)


def rows_of_pairs(a: Sized, b: Sized, pairs: ArrayLike | None, names: tuple[str, str] = ("a", "b")) -> Ints:
    """Like `index_pairs`, for any two operands with a length, whose types are not checked. Messages have the names."""
    if pairs is None:
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            lengths = f"{names[0]} has {len(a)} rows and {names[1]} has {len(b)}"
            raise ValueError(f'{lengths}: equal lengths, or one of them 1, or pairs="all" are needed')
        count = len(b) if len(a) == 1 else len(a)
        result = np.zeros((count, 2), dtype=np.int64)
        if count > 1:
            for side, of in enumerate((a, b)):
                result[:, side] = np.arange(count) if len(of) == count else 0
        return result
    if isinstance(pairs, str) and pairs == "all":
        return np.stack([each.reshape(-1) for each in np.indices((len(a), len(b)))], axis=1)
    given = numbers(pairs, "pairs")
    if given.size == 0 and given.dtype.kind != "b":
        return np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or not np.issubdtype(given.dtype, np.integer):
        mask = "; pairs[mask] are those that a mask selects" if given.dtype.kind == "b" else ""
        raise ValueError(f"pairs: {given.dtype} of shape {given.shape}, but integers of shape (P, 2) are needed{mask}")
    if any(side.min() < 0 or side.max() >= len(of) for side, of in ((given[:, 0], a), (given[:, 1], b))):
        bad = (given < 0) | (given >= [len(a), len(b)])
        row, side = np.argwhere(bad)[0]
        name, size = names[side], (len(a), len(b))[side]
        raise ValueError(f"pairs: row {row} has index {given[row, side]} into {name} of length {size}")
    return given.astype(np.int64, copy=False)


def pair_margins(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Floats | None:
    """The margins of A and of B of each pair, (P, 2); None if all are zero."""
    margins = [None if isinstance(shapes, Batch) else shapes.margin for shapes in (a, b)]
    if all(margin is None for margin in margins):
        return None
    result = np.zeros(rows.shape)
    for side, margin in enumerate(margins):
        if margin is not None:
            result[:, side] = margin[rows[:, side]]
    return result if result.any() else None


def within(outer: Place, inner: Place) -> Place:
    """Compose two selections: the elements `inner` of the elements `outer`."""
    if isinstance(inner, slice):
        return outer
    return inner if isinstance(outer, slice) else outer[inner]


def indices(place: Place, count: int) -> Ints:
    """`place` as an index array, for `count` rows in all."""
    return np.arange(count) if isinstance(place, slice) else place


def shares(shapes: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Ints, Place]]:
    """The batches that contain the rows: the batch, the rows within it, and their positions in `rows`."""
    if isinstance(shapes, Batch):
        if len(rows):
            yield shapes, rows, _EVERY
        return
    batch = shapes.batch[rows]
    for number in np.unique(batch):
        place = np.flatnonzero(batch == number)
        every = len(place) == len(rows)
        yield shapes.batches[number], shapes.slot[rows if every else rows[place]], _EVERY if every else place


def split(shapes: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Ints, Ints]]:
    """Like `shares`, with the positions as an array."""
    for batch, index, place in shares(shapes, rows):
        yield batch, index, indices(place, len(index))


def pair_shares(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Any, Ints, Ints, Place]]:
    """The batches that contain the pairs (P, 2): A's and B's, the rows within each, and the positions in `rows`."""
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            yield batch_a, batch_b, index_a[place_b], index_b, within(place_a, place_b)


def split_pairs(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Any, Ints, Ints, Ints]]:
    """Like `pair_shares`, with the positions as an array."""
    for batch_a, batch_b, index_a, index_b, place in pair_shares(a, b, rows):
        yield batch_a, batch_b, index_a, index_b, indices(place, len(index_a))
