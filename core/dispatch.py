# SPDX-License-Identifier: GPL-3.0-or-later
"""From a question about many pairs to questions about pairs of the same two kinds, and back.

Pairs are checked, grouped by the two kinds, and put in the order in which the matrix of pairs has them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .results import Floats, Ints, UnsupportedPair
from .shapes import Shapes
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
Scalar = TypeVar("Scalar", np.float64, np.int64)


@dataclass(frozen=True)
class Chosen(Generic[Kind]):
    """Rows of a batch that are gathered when they are needed.

    To gather everything first costs a closed form more than its arithmetic: block by block, the rows stay in the
    caches.
    """

    batch: Kind
    rows: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Ints | slice) -> Kind:
        """The shapes of some of these rows, in that order."""
        # Side by side, because every field of the batch is gathered by them.
        return self.batch.take(np.ascontiguousarray(self.rows[rows]))


@dataclass(frozen=True)
class Group:
    """Pairs of the same two kinds, in the matrix's order: A and B are swapped where `flipped`."""

    rows: Ints
    chosen_a: Chosen[Any]
    chosen_b: Chosen[Any]
    pair: ModuleType
    flipped: bool
    by_blocks: tuple[str, ...]

    @cached_property
    def a(self) -> Any:
        """The first shape of each pair."""
        return self.chosen_a.take(slice(None))

    @cached_property
    def b(self) -> Any:
        """The second."""
        return self.chosen_b.take(slice(None))

    def ask(self, question: str) -> Any:
        """The answer of the pair's module; one that works block by block gathers its rows itself."""
        operands = (self.chosen_a, self.chosen_b) if question in self.by_blocks else (self.a, self.b)
        return getattr(self.pair, question)(*operands)

    @property
    def span(self) -> Ints | slice:
        """`rows`, which are in ascending order, as a slice where no others are between them."""
        first, last = self.rows[0], self.rows[-1]
        return slice(first, last + 1) if last - first + 1 == len(self.rows) else self.rows

    def turned(self, vectors: Floats) -> Floats:
        """Normals from the asker's A to the asker's B."""
        return -vectors if self.flipped else vectors

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """What belongs to the asker's A, and to the asker's B."""
        return (second, first) if self.flipped else (first, second)


def index_pairs(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The rows of A and of B of each pair, checked: (P, 2)."""
    if pairs is None:
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            raise ValueError(f"a has {len(a)} rows and b has {len(b)}: equal lengths, or one of them 1, are needed")
        count = len(b) if len(a) == 1 else len(a)
        every = np.arange(count)
        return np.stack([every if len(a) == count else every * 0, every if len(b) == count else every * 0], axis=1)
    given = np.asarray(pairs)
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

    for batch_a, index_a, place_a in split(a, rows[:, 0]):
        for batch_b, index_b, place_b in split(b, at_places(rows[:, 1], place_a)):
            flipped = batch_a.kind > batch_b.kind
            first, second = (batch_b, batch_a) if flipped else (batch_a, batch_b)
            pair = PAIRS.get((first.kind, second.kind))
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            place, at_a = at_places(place_a, place_b), at_places(index_a, place_b)
            chosen_a, chosen_b = Chosen(batch_a, at_a), Chosen(batch_b, index_b)
            if flipped:
                chosen_a, chosen_b = chosen_b, chosen_a
            yield Group(place, chosen_a, chosen_b, pair, flipped, BY_BLOCKS.get(pair, ()))


def at_places(values: NDArray[Scalar], place: Ints) -> NDArray[Scalar]:
    """The values at these places, which are in ascending order: as many places as values are all of them."""
    return values if len(place) == len(values) else values[place]


def split(shapes: Operand, rows: Ints) -> Iterator[tuple[Shapes, Ints, Ints]]:
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows`."""
    if isinstance(shapes, Shapes):
        if len(rows):
            yield shapes, rows, np.arange(len(rows))
        return
    batch = shapes.batch[rows]
    for number in np.unique(batch):
        place = np.flatnonzero(batch == number)
        yield shapes.batches[number], shapes.slot[rows[place]], place
