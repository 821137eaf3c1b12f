# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a batch that are gathered when they are needed."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ..numerics.types import Floats, Ints
from .batch import Batch

Shape = TypeVar("Shape", bound=Batch)
Taken = TypeVar("Taken", covariant=True)

# Rows that are turned into components at once, so that they still are in the nearest cache.
_FEW = 512
# In bytes: what is no larger stays in the second cache, where it costs nothing that a shape's numbers lie apart.
_CACHED = 1 << 21


class Rows(Protocol[Taken]):
    """A batch, or rows of one that are gathered when they are needed."""

    def __len__(self) -> int: ...

    def take(self, rows: Ints | slice) -> Taken:
        """The shapes of these rows, in that order; those of a slice may come without their materials."""

    def gathered(self) -> Taken:
        """The shapes of all rows."""


class ComponentTable:
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
class BatchView(Generic[Shape]):
    """Rows of a batch that are gathered when they are needed.

    To gather everything first costs a closed form more than its arithmetic: block by block, the rows stay in the
    caches.
    """

    batch: Shape
    rows: Ints
    tables: dict[int, ComponentTable]

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Ints | slice) -> Shape:
        """The shapes of some of these rows, in that order; those of a block may come without their materials."""
        first = self._first
        if isinstance(rows, slice) and first is not None:
            return self.batch.take(slice(first + rows.start, first + rows.stop))  # as they lie, uncopied
        # Side by side, because every field of the batch is gathered by them.
        index = np.ascontiguousarray(self.rows[rows])
        if isinstance(rows, slice) and len(self.rows) >= len(self.batch):
            taken: Shape = self._table.take(index)
            return taken
        return self.batch.take(index)

    def gathered(self) -> Shape:
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
    def _table(self) -> ComponentTable:
        key = id(self.batch)
        if key not in self.tables:
            self.tables[key] = ComponentTable(self.batch)
        return self.tables[key]
