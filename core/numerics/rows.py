# SPDX-License-Identifier: GPL-3.0-or-later
"""Utilities for arrays with one entry per row: chunks of rows, tables, ragged arrays, and groups of rows."""

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import Field, dataclass
from enum import IntEnum
from functools import wraps
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .types import Bools, Floats, Ints
from .validation import items, selected_rows

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

    Index arrays of algorithms are passed on unchecked, because a check would take longer than the method. If they are
    out of range, numpy raises, and `selected_rows` names the row.
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


Equal = Callable[[NDArray[Any], NDArray[Any]], bool]

# Maximum number of rows that a table prints with their values, and of entries of an array that it prints.
_PRINTED_ROWS = 6
_PRINTED_ENTRIES = 24


class HasRows:
    """Base class of everything that has one entry per row: shapes, worlds, materials, motions and results.

    As with numpy's arrays, ``value[rows]`` selects rows by a mask, an index array or a slice, and is the same as
    ``value.take(rows)``. `concatenate` is the inverse.
    """

    # Name of the rows in messages.
    rows_are: ClassVar[str] = "rows"
    # Without it, Python would iterate by indices, which select no row here.
    __iter__: ClassVar[None] = None

    def __len__(self) -> int:
        raise NotImplementedError

    def take(self, rows: Any) -> Self:
        """These rows, in that order; `rows` may also be a mask of all rows."""
        raise NotImplementedError

    def __getitem__(self, rows: ArrayLike | slice) -> Self:
        return self.take(rows)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all parts. At least one part is needed."""
        raise NotImplementedError

    def compared(self) -> dict[str, Any]:
        """The values that `equals` compares, by name."""
        raise NotImplementedError

    def equals(self, other: object) -> bool:
        """Return whether the other has the same class and the same rows, in the same order. NaN equals NaN."""
        return _agree(self, other, lambda a, b: np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))

    def allclose(self, other: object, rtol: float = 1e-9, atol: float = 1e-12) -> bool:
        """Return whether the other has the same class and the same rows, with tolerances as in `numpy.allclose`.

        NaN equals NaN. Integers and bools must be the same.
        """

        def close(a: NDArray[Any], b: NDArray[Any]) -> bool:
            if a.dtype.kind == "f" == b.dtype.kind:
                return np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
            return np.array_equal(a, b)

        return _agree(self, other, close)

    def __repr__(self) -> str:
        count = len(self)
        name = self.rows_are[: -1 if count == 1 else None]
        if count > _PRINTED_ROWS:
            return f"{type(self).__name__}({count} {name})"
        said = ", ".join(f"{key}={_printed(key, value)}" for key, value in self.printed().items())
        return f"{type(self).__name__}({count} {name}{': ' if said else ''}{said})"

    def printed(self) -> dict[str, Any]:
        """The values that `repr` prints if there are few rows, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}


def _agree(a: Any, b: Any, equal: Equal) -> bool:
    """Whether two values are equal. Each may be an array, a table, or a sequence of these."""
    if a is b:
        return True
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and equal(a, b)
    if isinstance(a, HasRows):
        if type(a) is not type(b) or len(a) != len(b):
            return False
        ours, theirs = a.compared(), b.compared()
        return ours.keys() == theirs.keys() and all(_agree(ours[name], theirs[name], equal) for name in ours)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(_agree(one, other, equal) for one, other in zip(a, b, strict=True))
    return bool(a == b)


def _printed(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        # Zeros are printed without a sign.
        shown = value + 0.0 if value.dtype.kind == "f" else value
        text = np.array2string(shown, separator=", ", threshold=_PRINTED_ENTRIES, edgeitems=2)
        return " ".join(text.split()).replace("'", "")
    return repr(value)


def concatenate(parts: Sequence[Rows]) -> Rows:
    """Concatenate the rows of all parts, as `numpy.concatenate` does for arrays.

    Parameters
    ----------
    parts : sequence of batches, materials, motions, worlds or results
        At least one, all of the same class. Indices of pairs in results are not changed.

    Returns
    -------
    the class of the parts

    Raises
    ------
    ValueError
        If there is no part, or they have different classes. A `World` can have batches of several kinds.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> balls = ck.Spheres([[0, 0, 0], [5, 0, 0]], 0.5)
    >>> ck.concatenate([balls, balls[1:]]).center[:, 0]
    array([0., 5., 5.])
    """
    given = items(parts, "parts")
    if not given:
        raise ValueError("parts: empty, but at least one is needed")
    for row, part in enumerate(given):
        if not isinstance(part, HasRows):
            raise ValueError(f"parts: row {row} is a {type(part).__name__}, which has no rows of this library")
        if type(part) is not type(given[0]):
            one, other = type(given[0]).__name__, type(part).__name__
            raise ValueError(f"parts: row 0 is {one} and row {row} is {other}; a World can have batches of both")
    result: Rows = type(given[0]).joined(given)
    return result


class RowTable(HasRows):
    """Base class of dataclasses whose fields are arrays, or other such tables, with one entry per row."""

    # Only the fields are copied. All other attributes are cached values that are computed from the fields.
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    # The enumeration of each field that has one, or of the kinds of features (N, 2), for printing names.
    enums: ClassVar[dict[str, type[IntEnum]]] = {}

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
        fields: dict[str, Any] = {}
        for name in cls.__dataclass_fields__:
            values = [vars(part)[name] for part in parts]
            fields[name] = np.concatenate(values) if isinstance(values[0], np.ndarray) else concatenate(values)
        return cls(**fields)

    def compared(self) -> dict[str, Any]:
        """The values that `equals` compares, by name."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}

    def printed(self) -> dict[str, Any]:
        """The values that `repr` prints if there are few rows: the fields, with the names of enumerations."""
        return {name: self._named(name) for name in self.__dataclass_fields__}

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the fields as columns (N,) by name, for `pandas.DataFrame`.

        Vectors have a column for each component, such as ``point_x``, and features one for their kind and one for their
        index. Enumerations are names.
        """
        result: dict[str, NDArray[Any]] = {}
        for name in self.__dataclass_fields__:
            value = self._named(name)
            if not isinstance(value, np.ndarray):
                result |= value.columns()
            elif value.ndim == 1:
                result[name] = value
            else:
                flat = value.reshape(len(value), -1)
                if name in self.enums:
                    result |= {f"{name}_kind": flat[:, 0], f"{name}_index": vars(self)[name][:, 1]}
                    continue
                axes = "xyz" if value.dtype.kind == "f" and flat.shape[1] <= 3 else range(flat.shape[1])
                result |= {f"{name}_{end}": column for end, column in zip(axes, flat.T, strict=False)}
        return result

    def _named(self, name: str) -> Any:
        """The values of a field, with the names of its enumeration if it has one."""
        value = vars(self)[name]
        if name not in self.enums:
            return value
        names = {int(one): one.name for one in self.enums[name]}
        result = value.astype(object)
        # For features (N, 2), the first column is the kind.
        kinds = result.reshape(len(result), -1)
        kinds[:, 0] = [names.get(one, "NONE") for one in kinds[:, 0]]
        return result


def joined_indices(indices: Sequence[Ints], sizes: Sequence[int]) -> Ints:
    """Indices into several tables of these sizes, converted to indices into the concatenated table."""
    before = np.repeat(np.cumsum([0, *sizes[:-1]]), [len(one) for one in indices])
    result: Ints = np.concatenate(indices) + before
    return result


Results = TypeVar("Results", bound=RowTable)


def with_positive_zeros(table: Results) -> Results:
    """The table with zeros made positive in place, so that it prints no ``-0.``."""
    for value in vars(table).values():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.flags.writeable:
            np.add(value, 0.0, out=value)
    return table


def smallest_per_group(group: Ints, key: Floats, count: int = 1) -> Ints:
    """Rows with the `count` smallest keys of each group, groups ascending.

    Of equal keys, the first is used. NaN is last.
    """
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
    """The end of each row's path if its step to another row is repeated. A row that leads to itself is an end."""
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
    """Each number that occurs, in ascending order, and its rows."""
    order = np.argsort(number, kind="stable")
    used, start = np.unique(number[order], return_index=True)
    return zip(used.tolist(), np.split(order, start[1:]), strict=False)


def of_each(wanted: Ints, group: Ints) -> tuple[Ints, Ints]:
    """All rows whose group is in `wanted` (K,): the index into `wanted`, and the row. `group` (N,) must ascend."""
    first = np.searchsorted(group, wanted)
    return ragged_arange(np.searchsorted(group, wanted, side="right") - first, first)
