# SPDX-License-Identifier: GPL-3.0-or-later
"""The integer grid on which hulls are found, with exact predicates (`kernels.quickhull`).

Points are scaled by a power of two so that the largest coordinate is between 2^51 and 2^52, and rounded to integers
that are stored as float64. A grid step is one to two units in the last place of the largest coordinate, so this
rounding is that of the coordinates themselves. Differences of points are then exact in float64, and a determinant of
such differences is a sum of 24 exact terms. The side of a plane on which a point lies is therefore always
certain, for any scale and offset of the input. The dimension of a point set is determined within rounding, and a large
initial simplex is found for each set.
"""

from math import frexp
from typing import Any

import numpy as np

from ..kernels import grids, spanning
from ..numerics.tolerances import HULL_ROUNDING, HULL_SINGLE_ROUNDING
from ..numerics.types import Floats, Ints
from ..numerics.vectors import two_product
from .rooms import sorting_room

GRID_BITS = 52
"""The largest coordinate is below 2^52 grid steps, so that differences stay within the 53 bits of float64."""

SMALLEST_EXPONENT = -960
"""Lower limit of the exponent of the largest coordinate, so that a grid step is a normal float64 number."""


def grid_exponent(points: Floats) -> int:
    """Exponent of a grid step for these points, which is a power of two in their unit."""
    return max(frexp(np.abs(points).max())[1], SMALLEST_EXPONENT) - GRID_BITS


def run_starts(lengths: Ints) -> Ints:
    """Start of each of consecutive runs with these lengths, and the end of the last."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


def grid_points(points: Floats, first: Ints, exponent: Ints) -> tuple[Floats, Ints, Ints]:
    """Round points to grid steps. The order of the input does not matter for the result.

    Parameters
    ----------
    points : (n, 3) float64
        Set h is ``points[first[h]:first[h + 1]]``.
    first : (H + 1,) int64
    exponent : (H,) int64
        Of a grid step of each set.

    Returns
    -------
    distinct : (m, 3) float64
        One set after another, each in lexicographic order without duplicates.
    index : (m,) int64
        Rows of `points`. Of points that coincide, the lowest.
    start : (H + 1,) int64
        Where each set starts in `distinct`.
    """
    distinct, index, start = np.empty_like(points), np.empty(len(points), np.int64), np.empty_like(first)
    room = sorting_room(int(np.diff(first).max()))
    grids.round_to_grid(points, first, np.ldexp(1.0, -exponent), room, distinct, index, start)
    return distinct[: start[-1]], index[: start[-1]], start


def rounding_in_steps(dtype: np.dtype[Any]) -> float:
    """Number of grid steps that count as rounding for points of a type.

    float32 and float16 coordinates contain the rounding of their type, which is added.
    """
    if dtype.kind == "f" and dtype.itemsize < 8:
        return HULL_ROUNDING + HULL_SINGLE_ROUNDING * float(np.finfo(dtype).eps) * 2.0**GRID_BITS
    return HULL_ROUNDING


def dot(a: Floats, b: Floats) -> Floats:
    """Inner products of rows, added in a fixed order. The order of einsum depends on the memory layout.

    A hull must be the same whether it is built alone or with others.
    """
    terms = a * b
    total: Floats = terms[:, 0] + terms[:, 1]
    total += terms[:, 2]
    return total


def accurate_cross(a: Floats, b: Floats) -> Floats:
    """Cross product whose components are accurate to a few ulp despite cancellation.

    Normals of needles and slivers are therefore as accurate as those of other triangles.
    """
    following, preceding = [1, 2, 0], [2, 0, 1]
    a1, b1, a2, b2 = a[:, following], b[:, preceding], a[:, preceding], b[:, following]
    (first, first_error), (second, second_error) = two_product(a1, b1), two_product(a2, b2)
    result: Floats = (first - second) + (first_error - second_error)
    return result


def spanning_simplices(points: Floats, start: Ints, rounding: Floats) -> tuple[Ints, Ints]:
    """Find the dimension of each point set, and points that span it. See `kernels.spanning`.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all sets, one set after another. No set is empty.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    rounding : (H,) float64
        In grid steps.

    Returns
    -------
    dimension : (H,) int64
        0 to 3.
    simplex : (H, 4) int64
        Indices of points. The first ``dimension + 1`` of each row are valid.
    """
    dimension, simplex = np.empty(len(rounding), np.int64), np.empty((len(rounding), 4), np.int64)
    nothing = np.zeros(len(points), np.bool_)
    spanning.spanning_simplices(np.ascontiguousarray(points), start, nothing, rounding, dimension, simplex)
    return dimension, simplex
