# SPDX-License-Identifier: GPL-3.0-or-later
"""The dimension of point sets within rounding, and points that span them.

Two points farther apart than the rounding span a line. A third point farther than that from the line spans a plane. Two
points farther apart than that along the plane's normal span space.
"""

from math import sqrt

from .arrays import Bools1, Floats1, Floats2, Ints1, Ints2, Vector, ints1
from .exact import accurate_cross
from .loading import kernel
from .vectors import cross, divided, dot, minus, row


@kernel
def spanning_simplices(
    points: Floats2, start: Ints1, excluded: Bools1, rounding: Floats1, dimension: Ints1, simplex: Ints2
) -> None:
    """Find the dimension of each of many sets, and points that span it.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points. Set h is ``points[start[h]:start[h + 1]]``.
    start : (H + 1,) int64
    excluded : (n,) bool
        Points that are not looked at. In each set there are others.
    rounding : (H,) float64
        In grid steps.
    dimension : (H,) int64
        Written: 0 to 3.
    simplex : (H, 4) int64
        Written: rows of `points`, one more than the dimension.
    """
    found = ints1(4)
    for h in range(len(rounding)):
        dimension[h] = spanning_simplex(points, start[h], start[h + 1], excluded, rounding[h], found)
        for k in range(4):
            simplex[h, k] = found[k]


def spanning_simplex(points: Floats2, begin: int, end: int, excluded: Bools1, rounding: float, simplex: Ints1) -> int:
    """Find the dimension of the points of these rows, and write points that span it."""
    first = begin
    while excluded[first]:
        first += 1
    simplex[0] = simplex[1] = simplex[2] = simplex[3] = first
    for _ in range(2):
        first = _farthest(points, begin, end, excluded, row(points, first))
    origin = row(points, first)
    second, length = -1, 0.0
    for k in range(begin, end):
        if not excluded[k]:
            offset = minus(row(points, k), origin)
            size = sqrt(dot(offset, offset))
            if second < 0 or size > length:
                second, length = k, size
    simplex[0], simplex[1] = first, second
    axis = minus(row(points, second), origin)
    if not length > rounding:
        return 0
    unit = divided(axis, length)
    third, width = -1, 0.0
    for k in range(begin, end):
        if not excluded[k]:
            across = cross(minus(row(points, k), origin), unit)
            size = sqrt(dot(across, across))
            if third < 0 or size > width:
                third, width = k, size
    simplex[2] = third
    if not width > rounding:
        return 1
    normal = accurate_cross(axis, minus(row(points, third), origin))
    normal = divided(normal, sqrt(dot(normal, normal)))
    highest, lowest, above, below = -1, -1, 0.0, 0.0
    for k in range(begin, end):
        if not excluded[k]:
            height = dot(minus(row(points, k), origin), normal)
            if highest < 0 or height > above:
                highest, above = k, height
            if lowest < 0 or -height > below:
                lowest, below = k, -height
    simplex[3] = highest if above >= below else lowest
    return 3 if above + below > rounding else 2


def _farthest(points: Floats2, begin: int, end: int, excluded: Bools1, origin: Vector) -> int:
    """The first of the points that are farthest from a point."""
    best, most = -1, 0.0
    for k in range(begin, end):
        if not excluded[k]:
            offset = minus(row(points, k), origin)
            square = dot(offset, offset)
            if best < 0 or square > most:
                best, most = k, square
    return best
