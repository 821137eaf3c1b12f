# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of triangles that wait in a search, in rows of numbers."""

from math import inf

from .arrays import Floats2, Vector
from .vectors import dot, minus, row

# Columns of a waiting piece: its corners, the depths of these and of the center, the keys of the same points, the upper
# bound of its depth, whether it is completely inside, and the triangle that it is a part of.
DEPTHS, KEYS, BOUND, CLEAR, SOURCE, COLUMNS = 9, 13, 17, 18, 19, 20


def point_of(waiting: Floats2, at: int, which: int) -> Vector:
    """A corner of a piece, or its center."""
    if which < 3:
        return waiting[at, 3 * which], waiting[at, 3 * which + 1], waiting[at, 3 * which + 2]
    third = 1.0 / 3.0
    return (
        third * (waiting[at, 0] + waiting[at, 3] + waiting[at, 6]),
        third * (waiting[at, 1] + waiting[at, 4] + waiting[at, 7]),
        third * (waiting[at, 2] + waiting[at, 5] + waiting[at, 8]),
    )


def put_part(waiting: Floats2, of: int, to: int, cut: Floats2, which: int, clear: bool) -> bool:
    """Write a part of a piece that has been cut: its corners, and the data from the piece. False if it is degenerate.

    Rows of `cut`: the corner on one side, the cut points of its two edges, and the other two corners.
    """
    tip, left, right = 0, 1, 2
    if which == 1:
        tip, left, right = 1, 3, 4
    if which == 2:
        tip, left, right = 1, 4, 2
    for k in range(3):
        waiting[to, k], waiting[to, 3 + k], waiting[to, 6 + k] = cut[tip, k], cut[left, k], cut[right, k]
    waiting[to, KEYS + 3] = waiting[of, KEYS + 3]
    waiting[to, CLEAR], waiting[to, SOURCE] = 1.0 if clear else 0.0, waiting[of, SOURCE]
    waiting[to, BOUND] = -inf
    one, other = minus(row(cut, left), row(cut, tip)), minus(row(cut, right), row(cut, tip))
    return dot(one, one) > 0.0 and dot(other, other) > 0.0
