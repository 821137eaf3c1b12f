# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors of three numbers."""

from .arrays import Floats2, Vector


def row(values: Floats2, at: int) -> Vector:
    """Return the first three numbers of a row."""
    return values[at, 0], values[at, 1], values[at, 2]


def dot(a: Vector, b: Vector) -> float:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def minus(a: Vector, b: Vector) -> Vector:
    """Return the difference."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(factor: float, a: Vector) -> Vector:
    """Return the product with a number."""
    return factor * a[0], factor * a[1], factor * a[2]


def divided(a: Vector, by: float) -> Vector:
    """Return the quotient with a number that is not zero."""
    return a[0] / by, a[1] / by, a[2] / by


def put(values: Floats2, at: int, a: Vector) -> None:
    """Write the first three numbers of a row."""
    values[at, 0], values[at, 1], values[at, 2] = a
