# SPDX-License-Identifier: GPL-3.0-or-later
"""From a question about many pairs to questions about pairs of the same two kinds, and back.

Pairs are checked, grouped by the two kinds, and put in the order in which the matrix of pairs has them.
"""

from collections.abc import Iterator, Sized
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .inputs import numbers
from .results import Floats, Ints, UnsupportedPair
from .shapes import Shapes, check_shapes
from .shapes.batch import Batch


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

    def __len__(self) -> int:
        """Rows in all batches together."""


Operand = Shapes | Mixed
Kind = TypeVar("Kind", bound=Batch)

# Places among the rows of a question, in ascending order: where they are all rows, `_EVERY`, which takes no memory.
Place = Ints | slice
_EVERY = slice(None)

# Rows that are turned into components at once, so that they still are in the nearest cache.
_FEW = 512
# In bytes: what is no larger stays in the second cache, where it costs nothing that a shape's numbers lie apart.
_CACHED = 1 << 21


class Packed:
    """A batch whose shapes are gathered as components.

    All about a shape lies in one row, because two lines of memory are read faster than one for each number; unless the
    batch is small: then the numbers lie as components already.
    """

    def __init__(self, batch: Batch) -> None:
        every = {name: value for name, value in vars(batch).items() if name not in ("materials", *batch.shared)}
        self._batch = batch
        fields = {name: value.reshape(len(batch), -1) for name, value in every.items() if value.dtype == np.float64}
        self._table = np.concatenate(list(fields.values()), axis=1)
        self._columns = np.ascontiguousarray(self._table.T) if self._table.nbytes <= _CACHED else None
        self._others = {name: value for name, value in every.items() if name not in fields}
        ends = np.cumsum([value.shape[1] for value in fields.values()]).tolist()
        # The columns of each field, their shape, and the order of the dimensions that makes them rows again.
        self._fields = [
            (
                name,
                slice(end - flat.shape[1], end),
                every[name].shape[1:],
                (every[name].ndim - 1, *range(every[name].ndim - 1)),
            )
            for (name, flat), end in zip(fields.items(), ends, strict=True)
        ]

    def take(self, rows: Ints) -> Any:
        """The shapes of these rows without their materials, each component contiguous, as kernels want it."""
        count = len(rows)
        if self._columns is not None:
            # All rows are there; clipping saves asking.
            columns = self._columns.take(rows, axis=1, mode="clip")
        else:
            columns = np.empty((self._table.shape[1], count))
            for first in range(0, count, _FEW):
                few = slice(first, first + _FEW)
                columns[:, few] = self._table.take(rows[few], axis=0).T
        result = {name: value.take(rows, axis=0) for name, value in self._others.items()}
        for name, where, shape, order in self._fields:
            result[name] = columns[where].reshape(*shape, count).transpose(order)
        return self._batch.with_fields(materials=None, **result)


@dataclass(frozen=True)
class Chosen(Generic[Kind]):
    """Rows of a batch that are gathered when they are needed.

    To gather everything first costs a closed form more than its arithmetic: block by block, the rows stay in the
    caches.
    """

    batch: Kind
    rows: Ints
    known: dict[int, Packed]

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Ints | slice) -> Kind:
        """The shapes of some of these rows, in that order; those of a block may come without their materials."""
        first = self._first
        if isinstance(rows, slice) and first is not None:
            return self.batch.take(slice(first + rows.start, first + rows.stop))  # as they lie, uncopied
        # Side by side, because every field of the batch is gathered by them.
        index = np.ascontiguousarray(self.rows[rows])
        if isinstance(rows, slice) and len(self.rows) >= len(self.batch):
            taken: Kind = self._packed.take(index)
            return taken
        return self.batch.take(index)

    def everything(self) -> Kind:
        """The shapes of all of these rows."""
        return self.batch.take(np.ascontiguousarray(self.rows))

    def of_each(self, values: Floats) -> Floats:
        """Of numbers that belong to the shapes of the batch, (N, ...), those of each row: as they lie, or copied."""
        first = self._first
        return values.take(self.rows, axis=0) if first is None else values[first : first + len(self.rows)]

    @cached_property
    def _first(self) -> int | None:
        """The first of the rows, if the others follow it one by one."""
        rows = self.rows
        follow = len(rows) > 0 and rows[-1] - rows[0] == len(rows) - 1 and bool((np.diff(rows) == 1).all())
        return int(rows[0]) if follow else None

    @cached_property
    def _packed(self) -> Packed:
        key = id(self.batch)
        if key not in self.known:
            self.known[key] = Packed(self.batch)
        return self.known[key]


@dataclass(frozen=True)
class Group:
    """Pairs of the same two kinds, in the matrix's order: A and B are swapped where `flipped`."""

    place: Place
    chosen_a: Chosen[Any]
    chosen_b: Chosen[Any]
    pair: ModuleType
    flipped: bool
    by_blocks: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.chosen_a)

    @cached_property
    def rows(self) -> Ints:
        """Which of the rows asked about these are, in ascending order."""
        return indices(self.place, len(self))

    @cached_property
    def a(self) -> Any:
        """The first shape of each pair."""
        return self.chosen_a.everything()

    @cached_property
    def b(self) -> Any:
        """The second."""
        return self.chosen_b.everything()

    def ask(self, question: str) -> Any:
        """The answer of the pair's module; one that works block by block gathers its rows itself."""
        operands = (self.chosen_a, self.chosen_b) if question in self.by_blocks else (self.a, self.b)
        return getattr(self.pair, question)(*operands)

    @property
    def has_interference(self) -> bool:
        """Whether the pair's module tells the interference; else it is the penetration depth."""
        return hasattr(self.pair, "interference")

    @property
    def span(self) -> Place:
        """`rows` as a slice where no others are between them."""
        if isinstance(self.place, slice):
            return self.place
        first, last = self.place[0], self.place[-1]
        return slice(first, last + 1) if last - first + 1 == len(self) else self.place

    def turned(self, vectors: Floats) -> Floats:
        """Normals from the asker's A to the asker's B."""
        return -vectors if self.flipped else vectors

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """What belongs to the asker's A, and to the asker's B."""
        return (second, first) if self.flipped else (first, second)


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
    """The same of anything that has rows."""
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


def groups(a: Operand, b: Operand, rows: Ints) -> Iterator[Group]:
    """The pairs by kinds.

    Raises
    ------
    UnsupportedPair
        If two kinds are not in the matrix: two unbounded shapes.
    """
    # Not above: the pairs of what is made of parts ask questions about the parts, by way of this module.
    from .pairs import BY_BLOCKS, PAIRS

    known: dict[int, Packed] = {}
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            flipped = batch_a.kind > batch_b.kind
            first, second = (batch_b, batch_a) if flipped else (batch_a, batch_b)
            pair = PAIRS.get((first.kind, second.kind))
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            chosen_a, chosen_b = Chosen(batch_a, index_a[place_b], known), Chosen(batch_b, index_b, known)
            if flipped:
                chosen_a, chosen_b = chosen_b, chosen_a
            yield Group(within(place_a, place_b), chosen_a, chosen_b, pair, flipped, BY_BLOCKS.get(pair, ()))


def within(outer: Place, inner: Place) -> Place:
    """The places that are `inner` among those that are `outer`."""
    if isinstance(inner, slice):
        return outer
    return inner if isinstance(outer, slice) else outer[inner]


def indices(place: Place, count: int) -> Ints:
    """So many places as an array."""
    return np.arange(count) if isinstance(place, slice) else place


def shares(shapes: Operand, rows: Ints) -> Iterator[tuple[Shapes, Ints, Place]]:
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows`."""
    if isinstance(shapes, Shapes):
        if len(rows):
            yield shapes, rows, _EVERY
        return
    batch = shapes.batch[rows]
    for number in np.unique(batch):
        place = np.flatnonzero(batch == number)
        every = len(place) == len(rows)
        yield shapes.batches[number], shapes.slot[rows if every else rows[place]], _EVERY if every else place


def split(shapes: Operand, rows: Ints) -> Iterator[tuple[Shapes, Ints, Ints]]:
    """The same with the places as arrays."""
    for batch, index, place in shares(shapes, rows):
        yield batch, index, indices(place, len(index))
