# SPDX-License-Identifier: GPL-3.0-or-later
"""Rounding of point sets to integer grids, without duplicates, in lexicographic order.

See `collision_kit.core.hull.grid` for the grid.
"""

from math import copysign
from typing import NamedTuple

from .arrays import Floats1, Floats2, Ints1, Ints2
from .loading import kernel

# Numbers of at most this size, 2^52, lose their fraction when it is added: float64 has 53 bits.
_NO_FRACTION = 4503599627370496.0

# Rows that are put in order one by one, before they are merged.
_RUN = 8


class Sorting(NamedTuple):
    """Room for putting the points of one set in order.

    Attributes
    ----------
    rows : (n, 3) float64
    order : (n, 2) int64
    """

    rows: Floats2
    order: Ints2


@kernel
def round_to_grid(
    points: Floats2,
    first: Ints1,
    scale: Floats1,
    sorting: Sorting,
    distinct: Floats2,
    index: Ints1,
    start: Ints1,
) -> None:
    """Round the points of many sets.

    Parameters
    ----------
    points : (n, 3) float64
        Set h is ``points[first[h]:first[h + 1]]``.
    first : (H + 1,) int64
    scale : (H,) float64
        Grid steps in a unit of each set, a power of two. Coordinates are at most 2^52 grid steps.
    sorting : Sorting
        For the points of the largest set.
    distinct : (n, 3) float64
        Written: one set after another, each in lexicographic order without duplicates.
    index : (n,) int64
        Written: rows of `points`. Of points that coincide, the lowest.
    start : (H + 1,) int64
        Written: where each set starts in `distinct`.
    """
    start[0] = 0
    for h in range(len(scale)):
        at = start[h]
        start[h + 1] = at + round_set(points, first[h], first[h + 1], scale[h], sorting, distinct, index, at)
        for place in range(at, start[h + 1]):
            index[place] += first[h]


def round_set(
    points: Floats2, begin: int, end: int, scale: float, sorting: Sorting, distinct: Floats2, index: Ints1, at: int
) -> int:
    """Round the points of one set, and write them from a row of `distinct` on. Returns their number.

    The `index` is counted from the beginning of the set.
    """
    count = end - begin
    for k in range(count):
        for axis in range(3):
            sorting.rows[k, axis] = nearest_integer(points[begin + k, axis] * scale)
    column = _sort(sorting, count)
    made = 0
    for k in range(count):
        row = sorting.order[k, column]
        x, y, z = sorting.rows[row, 0], sorting.rows[row, 1], sorting.rows[row, 2]
        last = at + made - 1
        if made == 0 or x != distinct[last, 0] or y != distinct[last, 1] or z != distinct[last, 2]:
            distinct[last + 1, 0], distinct[last + 1, 1], distinct[last + 1, 2] = x, y, z
            index[last + 1] = row
            made += 1
    return made


def nearest_integer(value: float) -> float:
    """The nearest integer, the even one of two, of a number of at most 2^52."""
    large = copysign(_NO_FRACTION, value)
    return copysign((value + large) - large, value)


def _sort(sorting: Sorting, count: int) -> int:
    """Put rows in lexicographic order by merging; equal rows keep their order. Returns the column of `order`."""
    for begin in range(0, count, _RUN):
        for k in range(begin, min(begin + _RUN, count)):
            place = k
            while place > begin and _is_before(sorting, k, sorting.order[place - 1, 0]):
                sorting.order[place, 0] = sorting.order[place - 1, 0]
                place -= 1
            sorting.order[place, 0] = k
    column, width = 0, _RUN
    while width < count:
        end = 0
        while end < count:
            a = end
            middle = min(a + width, count)
            end = min(middle + width, count)
            b = middle
            for place in range(a, end):
                if b < end and (a == middle or _is_before(sorting, sorting.order[b, column], sorting.order[a, column])):
                    sorting.order[place, 1 - column] = sorting.order[b, column]
                    b += 1
                else:
                    sorting.order[place, 1 - column] = sorting.order[a, column]
                    a += 1
        column, width = 1 - column, 2 * width
    return column


def _is_before(sorting: Sorting, a: int, b: int) -> bool:
    """Whether a row is before another in lexicographic order."""
    for axis in range(2):
        if sorting.rows[a, axis] != sorting.rows[b, axis]:
            return sorting.rows[a, axis] < sorting.rows[b, axis]
    return sorting.rows[a, 2] < sorting.rows[b, 2]
