# SPDX-License-Identifier: GPL-3.0-or-later
"""From a question about many pairs to questions about pairs of the same two kinds, and back.

A question is asked about rows of a batch, or of several batches in one index space. Pairs are grouped by their two
kinds, and put in the order in which the table of pairs has them.
"""

from collections.abc import Iterator, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics.types import Floats, Ints
from ..numerics.validation import numbers
from ..results import UnsupportedPair
from ..shapes import Batch, Kind, Shapes, check_shapes
from ..shapes.batch_view import BatchView, ComponentTable


class Mixed(Protocol):
    """Batches of several kinds in one index space, such as a `collision_kit.core.World`."""

    @property
    def batches(self) -> tuple[Any, ...]:
        """The batches, of one kind each."""

    @property
    def batch(self) -> Ints:
        """Which batch each row lies in."""

    @property
    def slot(self) -> Ints:
        """And where in it."""

    @property
    def margin(self) -> Floats | None:
        """The margin of each row; None where no row has one."""

    def __len__(self) -> int:
        """Rows in all batches together."""


Operand = Shapes | Mixed

# Places among the rows of a question, in ascending order: where they are all rows, `_EVERY`, which takes no memory.
Place = Ints | slice
_EVERY = slice(None)


def index_pairs(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The rows of A and of B of each pair, checked: (P, 2).

    Raises
    ------
    UnsupportedPair
        If one is a shape of the plane.
    ValueError
        If one is no shape, numbers of rows do not go together, or a row is not there; names the argument and the row.
    """
    check_shapes(a, "a")
    check_shapes(b, "b")
    return rows_of_pairs(a, b, pairs)


def rows_of_pairs(a: Sized, b: Sized, pairs: ArrayLike | None) -> Ints:
    """Like `index_pairs`, for any two operands of some length, whose types are not checked."""
    if pairs is None:
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            raise ValueError(f"a has {len(a)} rows and b has {len(b)}: equal lengths, or one of them 1, are needed")
        count = len(b) if len(a) == 1 else len(a)
        every = np.arange(count)
        return np.stack([every if len(a) == count else every * 0, every if len(b) == count else every * 0], axis=1)
    given = numbers(pairs, "pairs")
    if given.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"pairs: {given.dtype} of shape {given.shape}, but integers of shape (P, 2) are needed")
    if any(side.min() < 0 or side.max() >= len(of) for side, of in ((given[:, 0], a), (given[:, 1], b))):
        bad = (given < 0) | (given >= [len(a), len(b)])
        row, side = np.argwhere(bad)[0]
        name, size = (("a", len(a)), ("b", len(b)))[side]
        raise ValueError(f"pairs: row {row} has index {given[row, side]} into {name} of length {size}")
    return given.astype(np.int64, copy=False)


def pair_margins(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Floats | None:
    """The margins of A and of B of each pair, (P, 2); None where all are zero."""
    margins = [None if isinstance(shapes, Batch) else shapes.margin for shapes in (a, b)]
    if all(margin is None for margin in margins):
        return None
    result = np.zeros(rows.shape)
    for side, margin in enumerate(margins):
        if margin is not None:
            result[:, side] = margin[rows[:, side]]
    return result if result.any() else None


def within(outer: Place, inner: Place) -> Place:
    """The places that are `inner` among those that are `outer`."""
    if isinstance(inner, slice):
        return outer
    return inner if isinstance(outer, slice) else outer[inner]


def indices(place: Place, count: int) -> Ints:
    """So many places as an array."""
    return np.arange(count) if isinstance(place, slice) else place


def shares(shapes: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Ints, Place]]:
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows`."""
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
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows` as an array."""
    for batch, index, place in shares(shapes, rows):
        yield batch, index, indices(place, len(index))


@dataclass(frozen=True)
class Group:
    """Pairs of the same two kinds, in the table's order: A and B are swapped where `flipped`."""

    place: Place
    a: BatchView[Any]
    b: BatchView[Any]
    pair: PairAlgorithm[Any, Any]
    flipped: bool

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def rows(self) -> Ints:
        """Which of the rows asked about these are, in ascending order."""
        return indices(self.place, len(self))

    @property
    def span(self) -> Place:
        """`rows` as a slice where no others are between them."""
        if isinstance(self.place, slice):
            return self.place
        first, last = self.place[0], self.place[-1]
        return slice(first, last + 1) if last - first + 1 == len(self) else self.place

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """What belongs to the asker's A and B in the order of this group, or the other way round."""
        return (second, first) if self.flipped else (first, second)


def groups(a: Operand, b: Operand, rows: Ints, compounds: PairAlgorithm[Any, Any]) -> Iterator[Group]:
    """The pairs by kinds; `compounds` answers where one of the two is made of parts.

    Raises
    ------
    UnsupportedPair
        If two kinds are not in the table: two unbounded shapes.
    """
    tables: dict[int, ComponentTable] = {}
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            flipped = batch_a.kind > batch_b.kind
            kinds = (batch_b.kind, batch_a.kind) if flipped else (batch_a.kind, batch_b.kind)
            pair = compounds if kinds[1] == Kind.ASSEMBLY else PAIRS.get(kinds)
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            first, second = BatchView(batch_a, index_a[place_b], tables), BatchView(batch_b, index_b, tables)
            if flipped:
                first, second = second, first
            yield Group(within(place_a, place_b), first, second, pair, flipped)
