# SPDX-License-Identifier: GPL-3.0-or-later
"""Cheap tests before the exact one: each settles only what it proves.

Bounding boxes that are apart prove that the shapes are; circles inside both that overlap prove that the shapes do. What
they leave of two polygons is looked at along a few directions. All proofs leave more than the pair's rounding to spare,
so that the exact test would say the same.
"""

import numpy as np

from ...numerics import counters
from ...numerics.types import Bools, Floats, Ints
from ..shapes.blocks import Convex
from ..shapes.convex import Polygons
from ..shapes.support_table import Complexes, verdicts

BOUNDING_BOXES = "bounding boxes"
INNER_CIRCLES = "inner circles"
FARTHEST_CORNERS = "farthest corners"

_BLOCK = 8192
# Eight comparisons that hold, as the bytes of one word.
_ALL = np.uint64(0x0101010101010101)


def settle(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> tuple[Bools, Ints]:
    """Which pairs certainly overlap, and which are still open; all others are apart. B is moved by `shift` (P, 2)."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    near = _near(a, b, rows_a, rows_b, shift)
    left, between = _not_by_circles(a, b, rows_a, rows_b, near, shift)
    counters.record_resolved(BOUNDING_BOXES, len(rows_a) - len(near))
    counters.record_resolved(INNER_CIRCLES, len(near) - len(left))
    result[near] = True
    result[left] = False
    if not (len(left) and isinstance(a, Polygons) and isinstance(b, Polygons)):
        return result, left
    i, j = rows_a.take(left), rows_b.take(left)
    spare = a.rows.guard.take(i) + b.rows.guard.take(j)
    known = verdicts(a.pool.directions, b.pool.directions, a.index.take(i), b.index.take(j), between, spare)
    counters.record_resolved(FARTHEST_CORNERS, known != 0)
    result[left] = known > 0
    return result, left[known == 0]


def _near(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None) -> Ints:
    """The pairs whose bounds, along the axes and the diagonals, are not apart."""
    in_order = [
        len(shapes) == len(rows) and bool((rows == np.arange(len(rows))).all())
        for shapes, rows in ((a, rows_a), (b, rows_b))
    ]
    found = [np.empty(0, np.int64)]
    for first in range(0, len(rows_a), _BLOCK):
        block = slice(first, first + _BLOCK)
        # Rows that are taken in their order need not be gathered.
        starts, ends = (
            bounds[block] if ordered else bounds.take(rows[block], axis=0)
            for bounds, rows, ordered in ((a.rows.starts, rows_a, in_order[0]), (b.rows.ends, rows_b, in_order[1]))
        )
        if shift is not None:
            x, y = shift[block].T
            moved = np.stack([x, y, x + y, x - y], axis=1)
            ends = ends + np.concatenate([moved, -moved], axis=1)
        found.append(first + np.flatnonzero((starts <= ends).view(np.uint64)[:, 0] == _ALL))
    return np.concatenate(found)


def _not_by_circles(
    a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, slots: Ints, shift: Floats | None
) -> tuple[Ints, Complexes]:
    """Those of some pairs whose inner circles do not overlap, and the place of B less the place of A."""
    left, between = [np.empty(0, np.int64)], [np.empty(0, np.complex128)]
    for first in range(0, len(slots), _BLOCK):
        part = slots[first : first + _BLOCK]
        i, j = rows_a.take(part), rows_b.take(part)
        place, inner = b.rows.place.take(j) - a.rows.place.take(i), a.rows.core.take(i) + b.rows.core.take(j)
        if shift is not None:
            place += shift[part, 0] + 1j * shift[part, 1]
        x, y = place.real, place.imag
        rest = np.flatnonzero((inner <= 0.0) | (x * x + y * y >= inner * inner))
        left.append(part.take(rest))
        between.append(place.take(rest))
    return np.concatenate(left), np.concatenate(between)
