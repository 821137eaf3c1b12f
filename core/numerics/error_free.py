# SPDX-License-Identifier: GPL-3.0-or-later
"""Error-free differences and products, and cross products in double-double arithmetic.

The cross product of two nearly parallel edges suffers cancellation; in plain float64 its direction may be lost. Here
each product and each difference carries its own rounding error (Dekker, "A floating-point technique for extending the
available precision", 1971), so the result is accurate whenever the sine of the angle is above eps.
"""

import numpy as np

from .types import Floats

# Splits a float64 into two halves of 26 bits. Products of such halves are exact.
_SPLIT = float(2**27 + 1)


def two_diff(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """``a - b`` rounded, and its rounding error: their exact sum is the difference."""
    head = a - b
    back = head - a
    return head, (a - (head - back)) - (b + back)


def cross_dd(a: Floats, b: Floats, a_low: Floats, b_low: Floats) -> Floats:
    """Cross products of ``a + a_low`` and ``b + b_low``, rounded once: (..., 3), (..., 3) -> (..., 3).

    Broadcasts. The low parts are rounding errors from `two_diff`, or zero.
    """
    columns = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        first, first_low = two_product(a[..., i], b[..., j])
        second, second_low = two_product(a[..., j], b[..., i])
        head, low = two_diff(first, second)
        low += first_low - second_low
        low += (a[..., i] * b_low[..., j] + a_low[..., i] * b[..., j]) - (
            a[..., j] * b_low[..., i] + a_low[..., j] * b[..., i]
        )
        columns.append(head + low)
    return np.stack(columns, axis=-1)


def two_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """``a * b`` rounded, and its rounding error; exact unless it over- or underflows."""
    head = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    low = a_low * b_low - (((head - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return head, low


def _split(a: Floats) -> tuple[Floats, Floats]:
    large = _SPLIT * a
    head = large - (large - a)
    return head, a - head
