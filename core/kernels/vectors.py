# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors as tuples of three floats."""

from math import sqrt

from .arrays import Floats2, Floats3, Vector

# Squares outside this range are computed again in another scale.
LEAST_SQUARE, GREATEST_SQUARE = 1e-280, 1e300


def dot(a: Vector, b: Vector) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(a: Vector, b: Vector) -> Vector:
    """The sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """The vector from b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(factor: float, a: Vector) -> Vector:
    """The product with a number."""
    return factor * a[0], factor * a[1], factor * a[2]


def divided(a: Vector, by: float) -> Vector:
    """The quotient with a number."""
    return a[0] / by, a[1] / by, a[2] / by


def product(a: Vector, b: Vector) -> Vector:
    """The products of the components."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> float:
    """The Euclidean length, safe from overflow and underflow."""
    square = dot(a, a)
    if LEAST_SQUARE <= square <= GREATEST_SQUARE:
        return sqrt(square)
    most = max(max(abs(a[0]), abs(a[1])), abs(a[2]))
    if most == 0.0:
        return 0.0
    a = divided(a, most)
    return most * sqrt(dot(a, a))


def greatest_coordinate(a: Vector) -> float:
    """The greatest coordinate, without its sign."""
    return max(max(abs(a[0]), abs(a[1])), abs(a[2]))


def normalized(a: Vector) -> Vector:
    """The unit vector along a vector; zero if it is zero."""
    size = length(a)
    return divided(a, size if size > 0.0 else 1.0)


def least_aligned(a: Vector) -> Vector:
    """The coordinate axis that is least aligned with a vector."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    axis = 0.0, 0.0, 1.0
    if x <= y and x <= z:
        axis = 1.0, 0.0, 0.0
    elif y <= z:
        axis = 0.0, 1.0, 0.0
    return axis


def perpendicular(a: Vector) -> Vector:
    """A unit vector perpendicular to a unit vector: the least aligned coordinate axis, less its component along it."""
    helper = least_aligned(a)
    return normalized(minus(helper, scaled(dot(a, helper), a)))


def perpendicular_part(a: Vector, along: Vector) -> Vector:
    """The unit vector of the component of a vector that is perpendicular to another, accurate to the last digit, or 0.

    If `along` is zero, the unit vector of the whole.
    """
    unit = normalized(along)
    # The second pass removes the rounding that the first one left along a long vector.
    a = normalized(minus(a, scaled(dot(a, unit), unit)))
    return normalized(minus(a, scaled(dot(a, unit), unit)))


def row(values: Floats2, at: int) -> Vector:
    """The first three numbers of a row of a table."""
    return values[at, 0], values[at, 1], values[at, 2]


def put(values: Floats2, at: int, a: Vector) -> None:
    """Write the first three numbers of a row of a table."""
    values[at, 0], values[at, 1], values[at, 2] = a


def moved(start: Vector, along: Vector, by: float) -> Vector:
    """Return the point at a multiple of a vector from another point."""
    return start[0] + by * along[0], start[1] + by * along[1], start[2] + by * along[2]


def corner(values: Floats3, at: int, which: int) -> Vector:
    """Return the first three numbers of a row of a table."""
    return values[at, which, 0], values[at, which, 1], values[at, which, 2]
