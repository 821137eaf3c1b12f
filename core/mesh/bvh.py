# SPDX-License-Identifier: GPL-3.0-or-later
"""A hierarchy of boxes over the triangles of a mesh, built once in the mesh's own frame.

A perfect binary tree in heap order: node i has the children 2i + 1 and 2i + 2, and every leaf is one triangle. That
is all there is to its shape, so that it is built, and walked, a whole level at a time. Leaves that no triangle fills
are empty.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics.types import Floats, Ints

# Lower bounds of an empty box, and minus its upper ones: no gap to it is ever small, and its square is still a number.
EMPTY = 1e150


@dataclass(frozen=True, eq=False)
class Tree:
    """Boxes in heap order.

    Attributes
    ----------
    span : (2 * leaves - 1, 6) float64
        The lower bounds of each box and minus its upper ones, so that one comparison tells two boxes apart; `EMPTY`
        where no triangle is.
    triangle : (leaves,) int64
        The triangle of each leaf, -1 where none is.
    levels : int
        Steps from the root to a leaf: there are ``2 ** levels`` leaves.
    """

    span: Floats
    triangle: Ints
    levels: int


def tree_of(corners: Floats) -> Tree:
    """The tree over triangles (m, 3, 3), m at least 1.

    Triangles are ordered along a curve that fills space (Morton 1966), so that neighbors in the order are neighbors
    in space; a node is a run of that order.
    """
    count = len(corners)
    levels = max(0, int(count - 1).bit_length())
    leaves = 1 << levels
    first, second, third = corners[:, 0], corners[:, 1], corners[:, 2]
    lower = np.minimum(np.minimum(first, second), third)
    upper = np.maximum(np.maximum(first, second), third)
    order = np.argsort(_places(lower + (upper - lower) / 2.0), kind="stable")
    span = np.full((2 * leaves - 1, 6), EMPTY)
    span[leaves - 1 : leaves - 1 + count, :3] = lower[order]
    span[leaves - 1 : leaves - 1 + count, 3:] = -upper[order]
    for level in range(levels - 1, -1, -1):
        begin, end = (1 << level) - 1, (2 << level) - 1
        np.minimum(span[end : 2 * end + 1 : 2], span[end + 1 : 2 * end + 1 : 2], out=span[begin:end])
    return Tree(span, np.concatenate([order, np.full(leaves - count, -1)]), levels)


# Cells of the curve along each axis, as a power of two: three times it are the bits of a key.
_BITS = 16


def _places(points: Floats) -> Ints:
    """Place of each point (m, 3) along the curve."""
    low = points.min(axis=0)
    extent = float((points.max(axis=0) - low).max())
    cell = ((points - low) * ((1 << _BITS) - 1) / (extent if extent > 0.0 else 1.0)).astype(np.int64)
    result = np.zeros(len(points), dtype=np.int64)
    for axis in range(3):
        spread = cell[:, axis]
        # Two empty bits after each: 16 bits become 48.
        for shift, mask in (
            (16, 0x00FF0000FF0000FF),
            (8, 0x700F00F00F00F00F),
            (4, 0x30C30C30C30C30C3),
            (2, 0x1249249249249249),
        ):
            spread = (spread | (spread << shift)) & mask
        result |= spread << axis
    return result
