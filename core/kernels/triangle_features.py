# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles with sorted corners, so that results do not depend on the order in which the corners were given."""

from math import sqrt

from ..numerics.tolerances import PARALLEL
from .arrays import Floats2, Floats3, Ints1, Vector
from .axes import EDGE, FACE, VERTEX, unit
from .exact import difference, exact_cross
from .vectors import corner, dot, put, row


def sorted_into(triangles: Floats3, at: int, order: Ints1, corners: Floats2) -> None:
    """Write the corners of a triangle in lexicographic order, and their indices."""
    for k in range(3):
        order[k] = k
    for last in range(2, 0, -1):
        for k in range(last):
            if comes_after(corner(triangles, at, order[k]), corner(triangles, at, order[k + 1])):
                order[k], order[k + 1] = order[k + 1], order[k]
    for k in range(3):
        put(corners, k, corner(triangles, at, order[k]))


def comes_after(a: Vector, b: Vector) -> bool:
    """Whether a point comes after another in lexicographic order."""
    if a[0] != b[0]:
        return a[0] > b[0]
    if a[1] != b[1]:
        return a[1] > b[1]
    return a[2] > b[2]


def exact_sides(corners: Floats2, sides: Floats2, errors: Floats2) -> None:
    """Write the sides of a triangle, each from a corner to the next, and their rounding errors."""
    for k in range(3):
        side, low = difference(row(corners, (k + 1) % 3), row(corners, k))
        put(sides, k, side)
        put(errors, k, low)


def longest_side(sides: Floats2) -> float:
    """The length of the longest side."""
    longest = 0.0
    for k in range(3):
        longest = max(longest, dot(row(sides, k), row(sides, k)))
    return sqrt(longest)


def exact_normal(sides: Floats2, errors: Floats2) -> Vector:
    """The unit normal of a triangle from its sides and their rounding errors; zero if it has no area."""
    one, other = row(sides, 0), row(sides, 1)
    normal = exact_cross(one, row(errors, 0), other, row(errors, 1))
    if dot(normal, normal) <= PARALLEL * dot(one, one) * dot(other, other):
        return 0.0, 0.0, 0.0
    return unit(normal)


def renamed(order: Ints1, kind: int, index: int) -> int:
    """The index of a feature in the given triangle, from that in the triangle with sorted corners."""
    if kind == VERTEX:
        return order[index]
    if kind == EDGE:
        # Side k is opposite corner k + 2.
        return (order[(index + 2) % 3] + 1) % 3
    if kind == FACE and (order[1] - order[0] + 3) % 3 == 2:
        return 1 - index
    return index
