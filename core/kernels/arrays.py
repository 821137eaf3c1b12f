# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of kernel arguments: numbers, vectors and contiguous arrays; and functions that make work arrays.

A class that derives from ``NamedTuple``, with fields of these types, is a type, too.
"""

import math
from typing import Any, Literal, TypeAlias

from ..numerics.types import Bools, Floats, Ints

Vector: TypeAlias = tuple[float, float, float]

# Contiguous arrays with their number of dimensions. All indices must be given: `points[0, at]`.
Floats1: TypeAlias = Floats
Floats2: TypeAlias = Floats
Floats3: TypeAlias = Floats
Ints1: TypeAlias = Ints
Ints2: TypeAlias = Ints
Bools1: TypeAlias = Bools


def floats1(rows: int) -> Any:
    """Make an array of zeros, (rows,) float64. In a kernel, the number must be a constant."""
    return _zeros("d", rows)


def floats2(rows: int, columns: int) -> Any:
    """Make an array of zeros, (rows, columns) float64. In a kernel, both must be constants."""
    return _zeros("d", rows, columns)


def ints1(rows: int) -> Any:
    """Make an array of zeros, (rows,) int64. In a kernel, the number must be a constant."""
    return _zeros("q", rows)


def ints2(rows: int, columns: int) -> Any:
    """Make an array of zeros, (rows, columns) int64. In a kernel, both must be constants."""
    return _zeros("q", rows, columns)


def _zeros(letter: Literal["d", "q"], *shape: int) -> Any:
    memory = memoryview(bytearray(8 * math.prod(shape)))
    return memory.cast("d", shape) if letter == "d" else memory.cast("q", shape)
