# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of numbers from outside, checked: what is wrong with them is a `ValueError` naming the field and the row."""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .types import Bools, Floats, Ints


class Range(NamedTuple):
    """What lengths may be, in the caller's unit. Between the two, nothing that decides overflows or underflows."""

    least: float
    most: float


# Kernels in space multiply up to four lengths with each other, and decide by differences of 1e-16 of them. All numbers
# that float32 has lie within.
SPACE = Range(1e-50, 1e50)
# Those in the plane multiply two.
PLANE = Range(1e-140, 1e140)

# A coordinate so many times smaller than the least size is lost to rounding next to any shape that has one, and may
# break what is divided by it: it is zero.
_NOTHING = 1e-20

# Numbers checked at a time, so that what is computed for them stays in the nearest cache.
_BLOCK = 1 << 13
# In lists of which there is nothing to look for.
_PLAIN = frozenset({bool, int, float})
# Kinds of types that are numbers: floats, integers and bools.
_NUMBERS = "fiub"


def numbers(value: ArrayLike, name: str) -> NDArray[Any]:
    """The value as an array of real numbers, in the type it comes in.

    Raises
    ------
    ValueError
        If it is none: names the field.
    """
    if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray) or value.dtype.kind == "O":
        _check_masks(value, name)
    try:
        with np.errstate(over="ignore"):  # infinity, which is refused wherever it matters
            given = np.asarray(value)
            if given.dtype.kind == "O":
                given = _plain(given)
            if given.dtype.kind not in _NUMBERS:
                raise TypeError(f"{given.dtype} of shape {given.shape}")
            return given if given.dtype.itemsize <= 8 else given.astype(np.float64)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"{name}: not an array of numbers ({error})") from None


def _plain(given: NDArray[Any]) -> NDArray[Any]:
    """Objects as the array that a list of them makes: integers stay integers, and strings are no numbers."""
    result = np.asarray(given.tolist())
    if result.dtype.kind != "O":
        return result
    for one in result.flat:
        if isinstance(one, str | bytes | bytearray):
            raise TypeError(f"{one!r}")
    # None becomes NaN, which is not finite; what is no number at all raises.
    return result.astype(np.float64)


def _check_masks(value: Any, name: str) -> None:
    """Raise `ValueError` if any entry of a masked array, or of a list of such, is masked: numpy would use it."""
    if isinstance(value, np.ma.MaskedArray) and value.ndim and _has_mask(value):
        raise ValueError(f"{name}: row {_first(np.ma.getmaskarray(value))} is masked")
    if isinstance(value, list | tuple):
        for row, one in enumerate(value):
            if _is_masked(one):
                raise ValueError(f"{name}: row {row} is masked")
    elif _is_masked(value):
        raise ValueError(f"{name}: masked")


def _has_mask(value: np.ma.MaskedArray[Any, Any]) -> bool:
    # The masks of records are records.
    return value.dtype.names is None and bool(np.ma.getmaskarray(value).any())


def _is_masked(value: Any) -> bool:
    """Whether anything in it is masked."""
    if isinstance(value, list | tuple):
        return not _PLAIN.issuperset(map(type, value)) and any(map(_is_masked, value))
    if not isinstance(value, np.ndarray):
        return False
    if isinstance(value, np.ma.MaskedArray) and _has_mask(value):
        return True
    return value.dtype.kind == "O" and any(_is_masked(one) for one in value.flat if one is not value)


def array(value: ArrayLike, field: str, shape: tuple[int, ...]) -> Floats:
    """`value` as a float64 array of `shape`, where -1 stands for any length.

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
    """A float64 array of coordinates in a range; 1e-20 times its least counts as zero.

    Raises
    ------
    ValueError
        As `array`, or if a number is above the range; names the field and the first bad row.
    """
    result, nothing = _shaped(value, field, shape), _NOTHING * within.least
    for some in _in_blocks(result):
        size = np.abs(some)
        if not size.max() <= within.most:  # nor is NaN
            raise ValueError(f"{field}: {_out_of_range(result, within)}")
        if size.min() < nothing:
            np.putmask(some, size < nothing, 0.0)
    result.flags.writeable = False
    return result


def check_range(points: Floats, field: str, within: Range = SPACE) -> None:
    """Raise `ValueError` naming the field and a row unless finite coordinates (N, d) can be those of a shape.

    The largest is what counts: zero, or in the range.
    """
    largest = np.abs(points).max(axis=1).astype(np.float64)
    row = int(np.argmax(largest))
    if largest[row] > within.most or 0.0 < largest[row] < within.least:
        raise ValueError(
            f"{field}: row {row} is out of range: the largest coordinate is {largest[row]:.2g}, not {within.least:g} "
            f"to {within.most:g} or zero"
        )


def sizes(value: ArrayLike, field: str, shape: tuple[int, ...], within: Range = SPACE) -> Floats:
    """A float64 array of lengths that make the size of a shape: zero, or in the range.

    Raises
    ------
    ValueError
        As `array`, if one is negative, or is out of range; names the field and the first bad row.
    """
    result = _shaped(value, field, shape)
    for some in _in_blocks(result):
        if some.min() >= within.least and some.max() <= within.most:
            continue
        if not ((some >= within.least) & (some <= within.most) | (some == 0.0)).all():
            raise ValueError(f"{field}: {_out_of_range(result, within)}")
    result.flags.writeable = False
    return result


def _shaped(value: ArrayLike, field: str, shape: tuple[int, ...]) -> Floats:
    """An array of our own of a shape."""
    given = numbers(value, field)
    # Of a list, an array has just been made that nobody else holds.
    result = given.astype(np.float64, order="C", copy=not isinstance(value, list | tuple))
    if result.size == 0 and shape[0] < 0:
        result = result.reshape(0, *shape[1:])  # an empty list has no rows, whatever its shape
    if result.ndim != len(shape) or any(w >= 0 and n != w for n, w in zip(result.shape, shape, strict=True)):
        wanted = "(" + ", ".join("N" if n < 0 else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"
        raise ValueError(f"{field}: shape {result.shape}, but {wanted} is needed")
    return result


def _in_blocks(whole: Floats) -> Iterator[Floats]:
    """All numbers of a contiguous array, some at a time."""
    flat = whole.reshape(-1)
    for first in range(0, flat.size, _BLOCK):
        yield flat[first : first + _BLOCK]


def _out_of_range(given: Floats, within: Range) -> str:
    """Why a number is not in the range, and the first row that has such a one."""
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
    """The first row with anything bad."""
    return int(np.argwhere(bad)[0, 0])


def same_length(**fields: Floats | Ints) -> None:
    """Raise `ValueError` unless all arrays have as many rows as the first."""
    names = list(fields)
    for name in names[1:]:
        if len(fields[name]) != len(fields[names[0]]):
            raise ValueError(f"{name}: {len(fields[name])} rows, but {names[0]} has {len(fields[names[0]])}")


def float_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """The value as an array in its own type if that is a float of at most 64 bits, else as float64.

    Raises
    ------
    ValueError
        If it is not an array of real numbers, or one is not finite; names the row.
    """
    result = numbers(value, name)
    if result.dtype not in (np.float16, np.float32, np.float64):
        result = result.astype(np.float64)
    finite = np.isfinite(result)
    if not finite.all():
        raise ValueError(f"{name}: row {_first(np.atleast_1d(~finite))} is not finite")
    return result


def point_set(points: ArrayLike, name: str, widths: tuple[int, ...]) -> NDArray[Any]:
    """At least one point of as many coordinates as one of `widths`: (n, d), in its own float type.

    Raises
    ------
    ValueError
        As `float_array`; also if there is no point or the shape is wrong.
    """
    array = float_array(points, name)
    if array.shape in ((0,), *((0, width) for width in widths)):
        raise ValueError(f"{name}: empty, but a point is needed")
    if array.ndim != 2 or array.shape[1] not in widths:
        wanted = " or ".join(f"(N, {width})" for width in widths)
        raise ValueError(f"{name}: shape {array.shape}, but {wanted} is needed")
    return array


def items(value: Any, name: str) -> list[Any]:
    """What a sequence is made of; `ValueError` naming the field if it is none, or a string, or without an order."""
    none = isinstance(value, str | bytes | Mapping | Set) or (isinstance(value, np.ndarray) and not value.ndim)
    if isinstance(value, Iterable) and not none:
        return list(value)
    raise ValueError(f"{name}: {type(value).__name__}, but a sequence is needed")


def check_type(value: Any, wanted: type[Any] | tuple[type[Any], ...], name: str) -> None:
    """Raise `ValueError` naming the field unless the value is of one of these types."""
    if not isinstance(value, wanted):
        names = " or ".join(one.__name__ for one in (wanted if isinstance(wanted, tuple) else (wanted,)))
        raise ValueError(f"{name}: {type(value).__name__}, but {names} is needed")


def check_flag(value: Any, name: str) -> None:
    """Raise `ValueError` naming the field unless the value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name}: {value!r}, but True or False is needed")


def check_lengths(**lengths: ArrayLike) -> None:
    """Raise `ValueError` naming the first of these, and the row, that has a number that is no length."""
    for name, value in lengths.items():
        given = numbers(value, name).astype(np.float64, copy=False)
        fine: Bools = np.asarray((given >= 0.0) & (given <= PLANE.most))  # NaN is neither
        if not fine.all():
            first = tuple(np.argwhere(~fine)[0])
            row = f"row {first[0]}, " if first else ""
            raise ValueError(f"{name}: {row}{given[first]} is not a length from 0 to {PLANE.most:g}")


def one_length(value: ArrayLike, name: str) -> float:
    """A single length, checked.

    Raises
    ------
    ValueError
        If it is not a number of at least zero and finite, or is more than one; names the field.
    """
    given = numbers(value, name)
    if given.ndim:
        raise ValueError(f"{name}: shape {given.shape}, but one number is needed")
    check_lengths(**{name: given})
    return float(given)


def one_number(value: ArrayLike, name: str, least: float = -np.inf) -> float:
    """A single number, at least so much and not NaN; else `ValueError` naming the field."""
    given = numbers(value, name).astype(np.float64, copy=False)
    if given.ndim:
        raise ValueError(f"{name}: shape {given.shape}, but one number is needed")
    if not given >= least:
        raise ValueError(f"{name}: {given}, but {'a number' if least == -np.inf else f'at least {least:g}'} is needed")
    return float(given)


def whole_number(value: ArrayLike, name: str, least: int) -> int:
    """A single integer, at least so much; else `ValueError` naming the field."""
    given = numbers(value, name)
    if given.ndim or given.dtype.kind not in "iu" or given < least:
        raise ValueError(f"{name}: {value!r}, but at least {least}, a whole number, is needed")
    return int(given)


def row_lengths(value: ArrayLike, name: str, count: int) -> Floats:
    """A length for each of `count` rows, (count,), of which one number stands for all.

    Raises
    ------
    ValueError
        If one is no length, or there are as many as neither; names the field and the row.
    """
    given = numbers(value, name)
    if given.ndim > 1 or (given.ndim == 1 and len(given) != count):
        raise ValueError(f"{name}: shape {given.shape}, but one number or ({count},) is needed")
    check_lengths(**{name: given})
    return np.broadcast_to(given.astype(np.float64, copy=False), (count,))


def indices(value: ArrayLike, name: str, count: int, of: str) -> Ints:
    """Row indices (N,), each below `count`.

    Raises
    ------
    ValueError
        If they are no integers, of another shape, or out of range; names the field and the row. `of` says of what.
    """
    given = numbers(value, name)
    if given.size == 0 and given.ndim <= 1:
        return np.empty(0, dtype=np.int64)
    if given.ndim > 1 or given.dtype.kind not in "iu":
        raise ValueError(f"{name}: {given.dtype} of shape {given.shape}, but integers of shape (N,) are needed")
    rows = np.atleast_1d(given)
    bad = (rows < 0) | (rows >= count)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{name}: row {row} is {rows[row]}, but there are {count} {of}")
    return rows.astype(np.int64)


def corners_of(triangles: ArrayLike, name: str, count: int) -> Ints:
    """Triangles (m, 3) as indices of `count` points, perhaps none; else `ValueError` naming the field and the row."""
    given = numbers(triangles, name)
    if given.size == 0:
        return np.empty((0, 3), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 3 or given.dtype.kind not in "iu":
        raise ValueError(f"{name}: {given.dtype} of shape {given.shape}, but integers of shape (m, 3) are needed")
    bad = ((given < 0) | (given >= count)).any(axis=1)
    if bad.any():
        raise ValueError(f"{name}: row {int(np.argmax(bad))} has a vertex that is not among the {count} points")
    return given.astype(np.int64)
