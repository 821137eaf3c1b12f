# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of numbers from outside, checked: points and vectors in whatever float type they come."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def float_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """The value as an array in its own type if that is a float of at most 64 bits, else as float64.

    Raises
    ------
    ValueError
        If it is not an array of real numbers, or one is not finite; names the row.
    """
    try:
        result = np.asarray(value)
        if result.dtype not in (np.float16, np.float32, np.float64):
            if result.dtype.kind == "c":
                raise TypeError("complex numbers")
            result = result.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: not an array of numbers ({error})") from None
    finite = np.isfinite(result)
    if not finite.all():
        raise ValueError(f"{name}: row {int(np.argwhere(np.atleast_1d(~finite))[0, 0])} is not finite")
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


def check_lengths(**lengths: ArrayLike) -> None:
    """Raise `ValueError` naming the first of these that has a number below zero or not finite."""
    for name, value in lengths.items():
        given = np.asarray(value)
        if not (np.isfinite(given) & (given >= 0.0)).all():
            raise ValueError(f"{name}: {given} is not a length of at least zero")
