# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of arrays of numbers from callers. An error is a `ValueError` that names the field and the row."""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .types import Bools, Floats, Ints


class Range(NamedTuple):
    """Permitted range of lengths, in the caller's unit: results cannot be affected by overflow or underflow."""

    least: float
    most: float


# In 3D, algorithms multiply up to four lengths and compare values that differ by 1e-16 of their size. All float32
# numbers are within this range.
SPACE = Range(1e-50, 1e50)
# In the plane, they multiply two lengths.
PLANE = Range(1e-140, 1e140)

# A coordinate below this multiple of the smallest size is lost to rounding next to any shape with a size, and divisions
# by it may overflow. It is replaced by zero.
_NOTHING = 1e-20

# Number of values checked at a time, so that temporary arrays stay in the L1 cache.
_BLOCK = 1 << 13
# Types of list items that need no check for masked entries.
_PLAIN = frozenset({bool, int, float})
# dtype kinds of numbers: floats, integers and bools.
_NUMBERS = "fiub"


def numbers(value: ArrayLike, name: str) -> NDArray[Any]:
    """The value as an array of real numbers. Its type is kept.

    Raises
    ------
    ValueError
        If the value is not such an array; names the field.
    """
    if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray) or value.dtype.kind == "O":
        _check_masks(value, name)
    try:
        with np.errstate(over="ignore"):  # becomes infinity, which callers reject
            given = np.asarray(value)
            if given.dtype.kind == "O":
                given = _plain(given)
            if given.dtype.kind not in _NUMBERS:
                raise TypeError(f"{given.dtype} of shape {given.shape}")
            return given if given.dtype.itemsize <= 8 else given.astype(np.float64)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"{name}: not an array of numbers ({error})") from None


def _plain(given: NDArray[Any]) -> NDArray[Any]:
    """The array that numpy makes from a list of these objects. Integers stay integers, and strings are an error."""
    result = np.asarray(given.tolist())
    if result.dtype.kind != "O":
        return result
    for one in result.flat:
        if isinstance(one, str | bytes | bytearray):
            raise TypeError(f"{one!r}")
    # None becomes NaN, which callers reject as not finite. Objects that are not numbers raise here.
    return result.astype(np.float64)


def _check_masks(value: Any, name: str) -> None:
    """Raise `ValueError` if a masked array, or a list that contains one, has a masked entry. numpy ignores masks."""
    if isinstance(value, np.ma.MaskedArray) and value.ndim and _has_mask(value):
        raise ValueError(f"{name}: row {_first(np.ma.getmaskarray(value))} is masked")
    if isinstance(value, list | tuple):
        for row, one in enumerate(value):
            if _is_masked(one):
                raise ValueError(f"{name}: row {row} is masked")
    elif _is_masked(value):
        raise ValueError(f"{name}: masked")


def _has_mask(value: np.ma.MaskedArray[Any, Any]) -> bool:
    # The mask of a structured array is itself structured, so it is not tested.
    return value.dtype.names is None and bool(np.ma.getmaskarray(value).any())


def _is_masked(value: Any) -> bool:
    """Whether the value contains a masked entry."""
    if isinstance(value, list | tuple):
        return not _PLAIN.issuperset(map(type, value)) and any(map(_is_masked, value))
    if not isinstance(value, np.ndarray):
        return False
    if isinstance(value, np.ma.MaskedArray) and _has_mask(value):
        return True
    return value.dtype.kind == "O" and any(_is_masked(one) for one in value.flat if one is not value)


def array(value: ArrayLike, field: str, shape: tuple[int, ...]) -> Floats:
    """`value` as a float64 array of `shape`, in which -1 stands for any length.

    Raises
    ------
    ValueError
        If the shape differs or a number is not finite; names the field and the first bad row.
    """
    result = _shaped(value, field, shape)
    if not np.isfinite(result).all():
        raise ValueError(f"{field}: row {_first(~np.isfinite(result))} is not finite")
    result.flags.writeable = False
    return result


def coordinates(value: ArrayLike, field: str, shape: tuple[int, ...], within: Range = SPACE) -> Floats:
    """A float64 array of coordinates within a range. Values below 1e-20 times its minimum are replaced by zero.

    Raises
    ------
    ValueError
        As for `array`, or if a magnitude is above the range; names the field and the first bad row.
    """
    result, nothing = _shaped(value, field, shape), _NOTHING * within.least
    for some in _in_blocks(result):
        size = np.abs(some)
        if not size.max() <= within.most:  # also true for NaN
            raise ValueError(f"{field}: {_out_of_range(result, within)}")
        if size.min() < nothing:
            np.putmask(some, size < nothing, 0.0)
    result.flags.writeable = False
    return result


def check_range(points: Floats, field: str, within: Range = SPACE) -> None:
    """Raise `ValueError` that names the field and the row unless finite coordinates (N, d) are in the range of shapes.

    The largest coordinate of each row must be zero or in the range.
    """
    largest = np.abs(points).max(axis=1).astype(np.float64)
    row = int(np.argmax(largest))
    if largest[row] > within.most or 0.0 < largest[row] < within.least:
        raise ValueError(
            f"{field}: row {row} is out of range: the largest coordinate is {largest[row]:.2g}, not {within.least:g} "
            f"to {within.most:g} or zero"
        )


def sizes(value: ArrayLike, field: str, shape: tuple[int, ...], within: Range = SPACE) -> Floats:
    """A float64 array of sizes of shapes: each is zero or in the range. One number stands for a row of equal sizes.

    Raises
    ------
    ValueError
        As for `array`, or if a value is negative or out of range; names the field and the first bad row.
    """
    result = _shaped(value, field, shape, fill=True)
    for some in _in_blocks(result):
        if some.min() >= within.least and some.max() <= within.most:
            continue
        if not ((some >= within.least) & (some <= within.most) | (some == 0.0)).all():
            raise ValueError(f"{field}: {_out_of_range(result, within)}")
    result.flags.writeable = False
    return result


def _shaped(value: ArrayLike, field: str, shape: tuple[int, ...], *, fill: bool = False) -> Floats:
    """A new float64 array of the given shape.

    If the number of rows is free, one row may be given without brackets. With `fill`, one number is a row of that
    number.
    """
    given = numbers(value, field)
    if fill and given.ndim == 0:
        given = np.full(shape[1:], given)
    if shape[0] < 0 and given.ndim == len(shape) - 1 and given.shape == shape[1:]:
        given = given[None]
    # `numbers` has just made an array from a list, and nothing else refers to it.
    result = given.astype(np.float64, order="C", copy=not isinstance(value, list | tuple))
    if result.size == 0 and shape[0] < 0:
        result = result.reshape(0, *shape[1:])  # an empty list has no rows, whatever its shape
    if result.ndim != len(shape) or any(w >= 0 and n != w for n, w in zip(result.shape, shape, strict=True)):
        wanted = "(" + ", ".join("N" if n < 0 else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"
        raise ValueError(f"{field}: shape {result.shape}, but {wanted} is needed")
    return result


def _in_blocks(whole: Floats) -> Iterator[Floats]:
    """All numbers of a contiguous array, in blocks."""
    flat = whole.reshape(-1)
    for first in range(0, flat.size, _BLOCK):
        yield flat[first : first + _BLOCK]


def _out_of_range(given: Floats, within: Range) -> str:
    """The reason why a number is out of range, with the first such row."""
    small = (given > 0.0) & (given < within.least)
    for bad, why in (
        (~np.isfinite(given), "is not finite"),
        (np.abs(given) > within.most, f"is out of range: above {within.most:g}"),
        (given < 0.0, "is negative"),
        (small, f"is out of range: below {within.least:g} and not zero"),
    ):
        if bad.any():
            return f"row {_first(bad)} {why}"
    raise AssertionError("all is in range")


def _first(bad: Bools) -> int:
    """The first row that contains a true entry."""
    return int(np.argwhere(bad)[0, 0])


def common_rows(**fields: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Broadcast arrays to the same number of rows. One row applies to all rows of the others.

    Raises
    ------
    ValueError
        If two arrays have different numbers of rows, and neither is 1. The message names both.
    """
    counts = {name: len(value) for name, value in fields.items()}
    # The first array with more or less than one row determines the number. If all have one, it is one.
    leading = next((name for name, count in counts.items() if count != 1), next(iter(counts)))
    wanted = counts[leading]
    for name, count in counts.items():
        if count not in (1, wanted):
            raise ValueError(f"{name}: {count} rows, but {leading} has {wanted}")
    return tuple(value if len(value) == wanted else _repeated(value, wanted) for value in fields.values())


def _repeated(value: NDArray[Any], count: int) -> NDArray[Any]:
    """Repeat the only row of an array for `count` rows, read-only."""
    result = np.ascontiguousarray(np.broadcast_to(value, (count, *value.shape[1:])))
    result.flags.writeable = False
    return result


def float_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """The value as a float array, with its own type if that is a float of at most 64 bits, otherwise as float64.

    Raises
    ------
    ValueError
        If it is not an array of real numbers, or a number is not finite; names the row.
    """
    result = numbers(value, name)
    if result.dtype not in (np.float16, np.float32, np.float64):
        result = result.astype(np.float64)
    finite = np.isfinite(result)
    if not finite.all():
        raise ValueError(f"{name}: row {_first(np.atleast_1d(~finite))} is not finite")
    return result


def point_set(points: ArrayLike, name: str, widths: tuple[int, ...]) -> NDArray[Any]:
    """One or more points, (n, d), in their own float type. The number of coordinates d must be one of `widths`.

    Raises
    ------
    ValueError
        As for `float_array`, or if there is no point or the shape is wrong.
    """
    array = float_array(points, name)
    if array.shape in ((0,), *((0, width) for width in widths)):
        raise ValueError(f"{name}: empty, but a point is needed")
    if array.ndim != 2 or array.shape[1] not in widths:
        wanted = " or ".join(f"(N, {width})" for width in widths)
        raise ValueError(f"{name}: shape {array.shape}, but {wanted} is needed")
    return array


def items(value: Any, name: str) -> list[Any]:
    """The items of a sequence; `ValueError` that names the field for strings, mappings, sets and non-sequences."""
    none = isinstance(value, str | bytes | Mapping | Set) or (isinstance(value, np.ndarray) and not value.ndim)
    if isinstance(value, Iterable) and not none:
        return list(value)
    raise ValueError(f"{name}: {type(value).__name__}, but a sequence is needed")


def check_type(value: Any, wanted: type[Any] | tuple[type[Any], ...], name: str) -> None:
    """Raise `ValueError` that names the field unless the value has one of these types."""
    if not isinstance(value, wanted):
        names = " or ".join(one.__name__ for one in (wanted if isinstance(wanted, tuple) else (wanted,)))
        raise ValueError(f"{name}: {type(value).__name__}, but {names} is needed")


def check_flag(value: Any, name: str) -> None:
    """Raise `ValueError` that names the field unless the value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name}: {value!r}, but True or False is needed")


def check_lengths(**lengths: ArrayLike) -> None:
    """Raise `ValueError` that names the first argument, and its row, with a value that is not a valid length."""
    for name, value in lengths.items():
        given = numbers(value, name).astype(np.float64, copy=False)
        fine: Bools = np.asarray((given >= 0.0) & (given <= PLANE.most))  # false for NaN
        if not fine.all():
            first = tuple(np.argwhere(~fine)[0])
            row = f"row {first[0]}, " if first else ""
            raise ValueError(f"{name}: {row}{given[first]} is not a length from 0 to {PLANE.most:g}")


def one_length(value: ArrayLike | float, name: str) -> float:
    """A single length, checked.

    Raises
    ------
    ValueError
        If it is not a single finite number of at least zero; names the field.
    """
    if isinstance(value, float) and 0.0 <= value <= PLANE.most:  # numpy takes as long as a whole call with one pair
        return float(value)
    given = numbers(value, name)
    if given.ndim:
        raise ValueError(f"{name}: shape {given.shape}, but one number is needed")
    check_lengths(**{name: given})
    return float(given)


def one_number(value: ArrayLike, name: str, least: float = -np.inf) -> float:
    """A single number of at least `least`, not NaN; otherwise `ValueError` that names the field."""
    given = numbers(value, name).astype(np.float64, copy=False)
    if given.ndim:
        raise ValueError(f"{name}: shape {given.shape}, but one number is needed")
    if not given >= least:
        raise ValueError(f"{name}: {given}, but {'a number' if least == -np.inf else f'at least {least:g}'} is needed")
    return float(given)


def whole_number(value: ArrayLike, name: str, least: int) -> int:
    """A single integer of at least `least`; otherwise `ValueError` that names the field."""
    given = numbers(value, name)
    if given.ndim or given.dtype.kind not in "iu" or given < least:
        raise ValueError(f"{name}: {value!r}, but at least {least}, a whole number, is needed")
    return int(given)


def row_lengths(value: ArrayLike, name: str, count: int) -> Floats:
    """A length for each of `count` rows, (count,). A single number applies to all rows.

    Raises
    ------
    ValueError
        If a value is not a valid length, or there are neither 1 nor `count` values; names the field and the row.
    """
    given = numbers(value, name)
    if given.ndim > 1 or (given.ndim == 1 and len(given) != count):
        raise ValueError(f"{name}: shape {given.shape}, but one number or ({count},) is needed")
    check_lengths(**{name: given})
    return np.broadcast_to(given.astype(np.float64, copy=False), (count,))


def indices(value: ArrayLike, name: str, count: int, of: str, *, from_end: bool = False) -> Ints:
    """Row indices (N,), each below `count`.

    Raises
    ------
    ValueError
        If they are not integers of shape (N,), or one is out of range; names the field and the row. `of` names the
        indexed items in the message. A negative index is out of range unless `from_end` lets it count from the end.
    """
    given = numbers(value, name)
    if given.size == 0 and given.ndim <= 1 and given.dtype.kind != "b":
        return np.empty(0, dtype=np.int64)
    if given.ndim > 1 or given.dtype.kind not in "iu":
        raise ValueError(f"{name}: {given.dtype} of shape {given.shape}, but integers of shape (N,) are needed")
    rows = np.atleast_1d(given)
    bad = (rows < (-count if from_end else 0)) | (rows >= count)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{name}: row {row} is {rows[row]}, but there are {count} {of}")
    return rows.astype(np.int64)


def selected_rows(rows: ArrayLike | slice, count: int, name: str = "rows") -> Ints | slice:
    """The rows that a mask, an index array or a slice selects from `count` rows: indices (N,), or the slice.

    As with numpy's brackets, a mask of `count` bools selects the rows where it is true, and negative indices count from
    the end.

    Raises
    ------
    ValueError
        If a mask has another length, indices are not integers of shape (N,), or one is out of range. The message names
        the argument, and the row of the index. Also for a single index, because there is no single shape.
    """
    if isinstance(rows, slice):
        try:
            rows.indices(count)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from None
        return rows
    given = numbers(rows, name)
    if given.ndim == 0:
        one = f"[[{given}]] or [{given}:{given + 1}] selects one row" if given.dtype.kind in "iu" else "a mask has N"
        raise ValueError(f"{name}: {given} is no selection of rows: {one}")
    if given.dtype.kind != "b":
        return indices(given, name, count, "rows", from_end=True)
    if given.shape != (count,):
        raise ValueError(f"{name}: a mask of shape {given.shape}, but there are {count} rows")
    return np.flatnonzero(given)


def corners_of(triangles: ArrayLike, name: str, count: int) -> Ints:
    """Triangles (m, 3) as indices of `count` points; m may be 0.

    Otherwise `ValueError` that names the field and the row.
    """
    given = numbers(triangles, name)
    if given.size == 0:
        return np.empty((0, 3), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 3 or given.dtype.kind not in "iu":
        raise ValueError(f"{name}: {given.dtype} of shape {given.shape}, but integers of shape (m, 3) are needed")
    bad = ((given < 0) | (given >= count)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{name}: row {row} is {given[row].tolist()}, but there are {count} points")
    return given.astype(np.int64)
