# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences and cross products that keep all their digits.

The cross product of two nearly parallel edges is what is left when almost everything cancels; in plain float64 its
direction may be lost altogether. Here each product and each difference carries its own rounding error along (Dekker,
"A floating-point technique for extending the available precision", 1971), so that the result is right to the last
digits whenever the sine between the two is above eps.
"""

import numpy as np

from .results import Floats

# Splits a float64 into two halves of 26 bits, whose products do not round.
_SPLIT = float(2**27 + 1)


def difference(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """``a - b`` as the nearest float64 and what it lacks: their exact sum is the difference."""
    high = a - b
    back = high - a
    return high, (a - (high - back)) - (b + back)


def cross(a: Floats, b: Floats, a_low: Floats, b_low: Floats) -> Floats:
    """Cross products of ``a + a_low`` and ``b + b_low``, rounded once: (..., 3), (..., 3) -> (..., 3).

    Broadcasts. The low parts are those of `difference`, or zero.
    """
    columns = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        first, first_low = product(a[..., i], b[..., j])
        second, second_low = product(a[..., j], b[..., i])
        high, low = difference(first, second)
        low += first_low - second_low
        low += (a[..., i] * b_low[..., j] + a_low[..., i] * b[..., j]) - (
            a[..., j] * b_low[..., i] + a_low[..., j] * b[..., i]
        )
        columns.append(high + low)
    return np.stack(columns, axis=-1)


def product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """``a * b`` as the nearest float64 and what it lacks."""
    high = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return high, low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    large = _SPLIT * a
    high = large - (large - a)
    return high, a - high
