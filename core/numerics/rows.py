# SPDX-License-Identifier: GPL-3.0-or-later
"""Utilities for arrays with one entry per row: chunks of rows, tables, ragged arrays, and groups of rows."""

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import Field, dataclass
from functools import wraps
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .types import Bools, Floats, Ints
from .validation import selected_rows

# Rows per chunk: arrays of 64 kB fit in cache and are long enough to amortize the cost of numpy calls.
BLOCK = 8192


def blocks(count: int, size: int = BLOCK) -> Iterator[slice]:
    """Slices of consecutive chunks of rows."""
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))


def ragged_blocks(count: Ints, most: int) -> Iterator[slice]:
    """Slices of consecutive rows whose counts add up to at most `most`; a row with a larger count is alone."""
    total = np.cumsum(count)
    first = 0
    while first < len(count):
        before = total[first - 1] if first else 0
        end = max(first + 1, int(np.searchsorted(total, before + most, side="right")))
        yield slice(first, end)
        first = end


Scalar = TypeVar("Scalar", np.float64, np.int64)


@dataclass(frozen=True)
class Table(Generic[Scalar]):
    """A ragged array: row i is ``values[start[i] : start[i] + count[i]]``."""

    values: NDArray[Scalar]
    start: Ints
    count: Ints

    @classmethod
    def of(cls, rows: Sequence[NDArray[Scalar]]) -> "Table[Scalar]":
        """Build from a sequence of rows."""
        count = np.array([len(row) for row in rows], dtype=np.int64)
        return cls(np.concatenate(rows), np.cumsum(count) - count, count)

    @classmethod
    def joined(cls, tables: Sequence["Table[Scalar]"]) -> "Table[Scalar]":
        """Concatenate the rows of several arrays, without gaps."""
        count = np.concatenate([table.count for table in tables])
        return cls(np.concatenate([table.values for table in tables]), np.cumsum(count) - count, count)

    def padded(self, rows: Ints, width: int | None = None) -> NDArray[Scalar]:
        """These rows as an array (P, width, ...). If `width` is None, it is the greatest count.

        Shorter rows repeat their last entry. Empty rows are an error.
        """
        width = int(self.count[rows].max(initial=1)) if width is None else width
        at = self.start[rows, None] + np.minimum(np.arange(width), self.count[rows, None] - 1)
        return self.values[at]


Rows = TypeVar("Rows", bound=Sized)
Taken = TypeVar("Taken")


def takes_rows(take: Callable[[Rows, Any], Taken]) -> Callable[[Rows, ArrayLike | slice], Taken]:
    """Decorate a method that takes indices (N,) or a slice, so that it takes all that `selected_rows` does.

    Index arrays of algorithms are passed on as they are, because a check would take longer than the method. If they are
    out of range, numpy notices, and `selected_rows` names the row.
    """

    @wraps(take)
    def checked(self: Rows, rows: ArrayLike | slice) -> Taken:
        plain = type(rows) is np.ndarray and rows.ndim == 1 and rows.dtype.kind == "i"
        try:
            return take(self, rows if plain else selected_rows(rows, len(self)))
        except IndexError:
            selected_rows(rows, len(self))
            raise

    return checked


class RowTable:
    """Base class of dataclasses whose fields are arrays, or other such tables, with one entry per row."""

    # Only the fields are copied. All other attributes are cached values that are computed from the fields.
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __len__(self) -> int:
        return len(next(iter(vars(self).values())))

    @takes_rows
    def take(self, rows: Ints | slice) -> Self:
        """These rows, in that order; `rows` may also be a mask of all rows."""
        own = vars(self)
        every = [own[name] for name in self.__dataclass_fields__]
        return type(self)(*[value[rows] if isinstance(value, np.ndarray) else value.take(rows) for value in every])

    def put(self, rows: Ints | Bools | slice, answers: Self) -> None:
        """Overwrite these rows with those of another table."""
        for name in self.__dataclass_fields__:
            getattr(self, name)[rows] = getattr(answers, name)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all parts. At least one part is needed."""
        return cls(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})


def smallest_per_group(group: Ints, key: Floats, count: int = 1) -> Ints:
    """Rows with the `count` least keys of each group, groups ascending. The first of equal keys wins; NaN is last."""
    order = np.lexsort((key, group))
    ordered = group[order]
    start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else order
    rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
    result: Ints = order[rank < count]
    return result


def ragged_arange(count: Ints, start: Ints | int = 0) -> tuple[Ints, Ints]:
    """Repeat each index `count` times and number its repetitions from `start`: [2, 1] -> [0, 0, 1] and [0, 1, 0]."""
    index = np.repeat(np.arange(len(count), dtype=np.int64), count)
    return index, np.arange(len(index), dtype=np.int64) + np.repeat(start - (np.cumsum(count) - count), count)


def cyclic_successors(count: Ints) -> Ints:
    """The next row of each row in consecutive runs of these lengths; for the last row of a run, the first."""
    end, filled = np.cumsum(count), count > 0
    result = np.arange(1, int(count.sum()) + 1, dtype=np.int64)
    result[end[filled] - 1] = (end - count)[filled]
    return result


def repeated(step: Ints) -> Ints:
    """Where each row leads if its step to another row is repeated to the end: a row that leads to itself."""
    while True:
        further = step[step]
        if np.array_equal(further, step):
            return step
        step = further


def connected_components(count: int, a: Ints, b: Ints) -> Ints:
    """Label each of `count` nodes with the lowest node of its component; ``a[i]`` and ``b[i]`` are connected."""
    label = np.arange(count, dtype=np.int64)
    while True:
        first, second = label[a], label[b]
        apart = first != second
        if not apart.any():
            return label
        first, second = first[apart], second[apart]
        np.minimum.at(label, np.maximum(first, second), np.minimum(first, second))
        label = repeated(label)


def numbered_components(count: int, a: Ints, b: Ints) -> Ints:
    """Number the `connected_components` from zero, in the order of their lowest nodes: the number of each node."""
    return np.unique(connected_components(count, a, b), return_inverse=True)[1].reshape(-1).astype(np.int64)


def rows_of_each(number: Ints) -> Iterator[tuple[int, Ints]]:
    """Each number that occurs, in ascending order, and the rows that have it."""
    order = np.argsort(number, kind="stable")
    used, start = np.unique(number[order], return_index=True)
    return zip(used.tolist(), np.split(order, start[1:]), strict=False)


def of_each(wanted: Ints, group: Ints) -> tuple[Ints, Ints]:
    """All rows whose group is in `wanted` (K,): the index into `wanted`, and the row. `group` (N,) must ascend."""
    first = np.searchsorted(group, wanted)
    return ragged_arange(np.searchsorted(group, wanted, side="right") - first, first)
