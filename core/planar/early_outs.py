# SPDX-License-Identifier: GPL-3.0-or-later
"""Cheap tests before the exact one (seed 000, "AABB"): each settles only what it proves.

Bounding boxes that are apart prove that the shapes are; circles inside both that overlap prove that the shapes do. Both
proofs leave twice the pair's rounding to spare, so that the exact test would say the same.
"""

import numpy as np

from .. import work
from ..results import Bools, Floats, Ints
from ..tolerances import rounding
from .cores import Convex

BOUNDING_BOXES = "bounding boxes"
INNER_CIRCLES = "inner circles"

_BLOCK = 8192


def settle(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> tuple[Bools, Ints]:
    """Which pairs certainly overlap, and which are still open; all others are apart. B is moved by `shift` (P, 2)."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    remaining = []
    whole = [
        len(shapes) == len(rows) and bool((rows == np.arange(len(rows))).all())
        for shapes, rows in ((a, rows_a), (b, rows_b))
    ]
    for first in range(0, len(rows_a), _BLOCK):
        block = slice(first, first + _BLOCK)
        # Rows that are taken in their order need not be gathered.
        of_a, of_b = (
            shapes.rows[block if all_of_them else rows[block]]
            for shapes, rows, all_of_them in ((a, rows_a, whole[0]), (b, rows_b, whole[1]))
        )
        size = of_a.reach + of_b.reach
        spare = 2.0 * rounding(size, np.maximum(of_a.magnitude, of_b.magnitude))
        sx, sy = (0.0, 0.0) if shift is None else shift[block].T
        apart = _beyond(of_a.low_x, of_a.high_x, of_b.low_x, of_b.high_x, sx, spare)
        apart |= _beyond(of_a.low_y, of_a.high_y, of_b.low_y, of_b.high_y, sy, spare)
        open_rows = np.flatnonzero(~apart)
        of_a, of_b, spare = of_a[open_rows], of_b[open_rows], spare[open_rows]
        if shift is not None:
            sx, sy = shift[block][open_rows].T
        apart = _beyond(of_a.low_up, of_a.high_up, of_b.low_up, of_b.high_up, sx + sy, 2.0 * spare)
        apart |= _beyond(of_a.low_down, of_a.high_down, of_b.low_down, of_b.high_down, sx - sy, 2.0 * spare)
        x, y = of_b.x - of_a.x + sx, of_b.y - of_a.y + sy
        inner = of_a.inner + of_b.inner - spare
        meet = ~apart & (inner > 0.0) & (x * x + y * y < inner * inner)
        result[first + open_rows[meet]] = True
        left = open_rows[~(apart | meet)]
        remaining.append(first + left)
        work.settled(INNER_CIRCLES, meet)
        work.settled(BOUNDING_BOXES, len(size) - len(left) - int(np.count_nonzero(meet)))
    return result, np.concatenate([np.empty(0, np.int64), *remaining])


def _beyond(
    low_a: Floats, high_a: Floats, low_b: Floats, high_b: Floats, shift: Floats | float, spare: Floats
) -> Bools:
    """Whether intervals, the second moved by `shift`, are farther apart than `spare`."""
    return (low_b + shift - high_a > spare) | (low_a - high_b - shift > spare)
