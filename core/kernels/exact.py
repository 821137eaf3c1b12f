# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences and cross products that keep all digits.

The cross product of two nearly parallel edges suffers cancellation. Here each product and each difference carries its
own rounding error (Dekker, "A floating-point technique for extending the available precision", 1971), so the result is
accurate whenever the sine of the angle is above eps.
"""

from .arrays import Vector

# Splits a float into two halves of 26 bits. Products of such halves are exact: 2^27 + 1.
SPLIT = 134217729.0


def difference(a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """The vector from b to a, rounded, and its rounding error."""
    x, x_low = two_difference(a[0], b[0])
    y, y_low = two_difference(a[1], b[1])
    z, z_low = two_difference(a[2], b[2])
    return (x, y, z), (x_low, y_low, z_low)


def exact_cross(a: Vector, a_low: Vector, b: Vector, b_low: Vector) -> Vector:
    """The cross product of ``a + a_low`` and ``b + b_low``, rounded once. Low parts are rounding errors, or zero."""
    return (
        minor(a[1], a[2], a_low[1], a_low[2], b[1], b[2], b_low[1], b_low[2]),
        minor(a[2], a[0], a_low[2], a_low[0], b[2], b[0], b_low[2], b_low[0]),
        minor(a[0], a[1], a_low[0], a_low[1], b[0], b[1], b_low[0], b_low[1]),
    )


def accurate_cross(a: Vector, b: Vector) -> Vector:
    """The cross product with components that are accurate to a few ulp despite cancellation."""
    return (
        product_difference(a[1], b[2], a[2], b[1]),
        product_difference(a[2], b[0], a[0], b[2]),
        product_difference(a[0], b[1], a[1], b[0]),
    )


def product_difference(a: float, b: float, c: float, d: float) -> float:
    """The difference ``a * b - c * d``, accurate to a few ulp."""
    first, first_error = two_product(a, b)
    second, second_error = two_product(c, d)
    return (first - second) + (first_error - second_error)


def minor(a: float, b: float, a_low: float, b_low: float, c: float, d: float, c_low: float, d_low: float) -> float:
    """The determinant ``a * d - b * c`` of numbers with low parts."""
    first, first_low = two_product(a, d)
    second, second_low = two_product(b, c)
    head, low = two_difference(first, second)
    low += first_low - second_low
    low += (a * d_low + a_low * d) - (b * c_low + b_low * c)
    return head + low


def two_difference(a: float, b: float) -> tuple[float, float]:
    """``a - b`` rounded, and its rounding error: their exact sum is the difference."""
    head = a - b
    back = head - a
    return head, (a - (head - back)) - (b + back)


def two_product(a: float, b: float) -> tuple[float, float]:
    """``a * b`` rounded, and its rounding error; exact unless it over- or underflows."""
    head = a * b
    large = SPLIT * a
    a_high = large - (large - a)
    a_low = a - a_high
    large = SPLIT * b
    b_high = large - (large - b)
    b_low = b - b_high
    return head, a_low * b_low - (((head - a_high * b_high) - a_low * b_high) - a_high * b_low)
