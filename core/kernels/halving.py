# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounding volume hierarchies: sets of points halved at the median of their coordinates along an axis, and boxes.

Points are moved in memory, not indices, so that later rounds read what is near in memory.
"""

from math import inf

from .arrays import Floats2, Floats3, Ints1
from .loading import kernel

# Number of points up to which they are sorted.
_FEW = 12
# A linear congruential generator chooses pivots, so no order of the points is slow.
_FACTOR, _STEP, _MODULUS = 1103515245, 12345, 1073741824


@kernel
def centers(corners: Floats3, center: Floats2) -> None:
    """Find the centers of the bounds of triangles (m, 3, 3): the first m rows of `center`."""
    for at in range(len(corners)):
        for axis in range(3):
            lower, upper = _bounds(corners, at, axis)
            center[at, axis] = lower + (upper - lower) / 2.0


@kernel
def fill(corners: Floats3, triangle: Ints1, empty: float, first: int, end: int, span: Floats2) -> None:
    """Write the boxes of some nodes in heap order, from the triangles (m, 3, 3) and the triangle of each leaf.

    A box has its lower bounds and its negated upper bounds. Leaves without a triangle have -1, and all bounds `empty`.
    The boxes of children are written before.
    """
    inner = len(triangle) - 1
    for node in range(end - 1, first - 1, -1):
        for axis in range(3):
            if node < inner:
                for k in range(axis, 6, 3):
                    span[node, k] = min(span[2 * node + 1, k], span[2 * node + 2, k])
            elif triangle[node - inner] >= 0:
                lower, upper = _bounds(corners, triangle[node - inner], axis)
                span[node, axis], span[node, axis + 3] = lower, -upper
            else:
                span[node, axis], span[node, axis + 3] = empty, empty


def _bounds(corners: Floats3, at: int, axis: int) -> tuple[float, float]:
    """The bounds of a triangle along an axis."""
    one, other, third = corners[at, 0, axis], corners[at, 1, axis], corners[at, 2, axis]
    return min(one, other, third), max(one, other, third)


@kernel
def extents(place: Floats2, index: Ints1, missing: int, width: int, low: Floats2, high: Floats2) -> None:
    """Find the bounds of each set of `width` points, (R, 3) each, without those with the index `missing`."""
    for row in range(len(low)):
        for axis in range(3):
            low[row, axis], high[row, axis] = inf, -inf
        for at in range(row * width, row * width + width):
            if index[at] != missing:
                for axis in range(3):
                    low[row, axis] = min(low[row, axis], place[at, axis])
                    high[row, axis] = max(high[row, axis], place[at, axis])


@kernel
def halve(place: Floats2, index: Ints1, axis: Ints1, width: int, size: int, missing: int) -> None:
    """Move the lower half of each set of points, along its axis, before the upper half.

    Points are compared by their coordinates and then by their indices. Sets of up to four points are sorted.

    Parameters
    ----------
    place : (R * width, 3) float64
        Changed.
    index : (R * width,) int64
        The index of each point. Changed.
    axis : (R,) int64
    width : int
        Number of points of a set, a power of two.
    size : int
        Number of points of the last set that are not missing.
    missing : int
        The index of missing points. Their coordinates are larger than those of others.
    """
    half, quarter = width // 2, width // 4
    for row in range(len(axis)):
        first = row * width
        if row < len(axis) - 1 or size > half + quarter:
            _select(place, index, axis[row], first, first + width, first + half)
            continue
        # Part of the first half is left empty, so that the nodes of the second half are not nearly empty.
        _select(place, index, axis[row], first, first + width, first + half + quarter)
        _select(place, index, axis[row], first, first + half + quarter, first + quarter)
        for at in range(first + half + quarter - 1, first + quarter - 1, -1):
            _swap(place, index, at, at + quarter)
        for at in range(first + quarter, first + half):
            index[at] = missing
            for k in range(3):
                place[at, k] = inf


def _select(place: Floats2, index: Ints1, axis: int, first: int, end: int, middle: int) -> None:
    """Move points so that none before `middle` is above one after it (Hoare, "Algorithm 65: Find", 1961)."""
    left, right, chance = first, end - 1, 1
    while right - left >= _FEW:
        for k in range(3):
            chance = (_FACTOR * chance + _STEP) % _MODULUS
            _swap(place, index, left + k, left + chance // 8 % (right - left + 1))
        chosen = _median(place, index, axis, left)
        value, number = place[chosen, axis], index[chosen]
        i, j = left, right
        while i <= j:
            while place[i, axis] < value or (place[i, axis] == value and index[i] < number):
                i += 1
            while place[j, axis] > value or (place[j, axis] == value and index[j] > number):
                j -= 1
            if i <= j:
                _swap(place, index, i, j)
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return
    for at in range(left + 1, right + 1):
        i = at
        while i > left and _is_above(place, index, axis, i - 1, i):
            _swap(place, index, i - 1, i)
            i -= 1


def _median(place: Floats2, index: Ints1, axis: int, first: int) -> int:
    """The middle one of three points."""
    low, high = first, first + 1
    if _is_above(place, index, axis, low, high):
        low, high = high, low
    if _is_above(place, index, axis, low, first + 2):
        return low
    return high if _is_above(place, index, axis, first + 2, high) else first + 2


def _is_above(place: Floats2, index: Ints1, axis: int, one: int, other: int) -> bool:
    """Whether a point comes after another along an axis."""
    if place[one, axis] != place[other, axis]:
        return place[one, axis] > place[other, axis]
    return index[one] > index[other]


def _swap(place: Floats2, index: Ints1, one: int, other: int) -> None:
    """Exchange two points."""
    number = index[one]
    index[one] = index[other]
    index[other] = number
    for k in range(3):
        value = place[one, k]
        place[one, k] = place[other, k]
        place[other, k] = value
