# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of consecutive triangles of a mesh that form a convex quad, as most polygons do."""

from math import sqrt

from .arrays import Floats2, Floats3
from .loading import kernel
from .vectors import corner, cross, dot, minus

# Fraction of the diagonal of a quad: its greatest height. Coordinates in float32 have this much rounding and more.
_FLAT = 1e-6


@kernel
def quads(corners: Floats3, found: Floats2) -> None:
    """Find triangles that form a convex quad with the one before or after, as those of a polygon of four corners do.

    Parameters
    ----------
    corners : (T, 3, 3) float64
        The triangles of a mesh.
    found : (T, 2) float64
        Written: 1 if the other half is the next triangle, -1 if it is the one before, otherwise 0; and twice the height
        of the corner of the second half over the plane of the first.
    """
    at = 0
    while at < len(corners):
        found[at, 0], found[at, 1] = 0.0, 0.0
        height = _quad_height(corners, at) if at + 1 < len(corners) else -1.0
        if height < 0.0:
            at += 1
            continue
        found[at, 0], found[at + 1, 0] = 1.0, -1.0
        found[at, 1], found[at + 1, 1] = 2.0 * height, 2.0 * height
        at += 2


def _quad_height(corners: Floats3, at: int) -> float:
    """The height of a triangle's corner over the plane of the one before it. Negative if the two are no flat quad."""
    for m in range(3):
        a, b, c = corner(corners, at, m), corner(corners, at, (m + 1) % 3), corner(corners, at, (m + 2) % 3)
        for n in range(3):
            one, two = corner(corners, at + 1, n), corner(corners, at + 1, (n + 1) % 3)
            if one[0] != b[0] or one[1] != b[1] or one[2] != b[2] or two[0] != a[0] or two[1] != a[1] or two[2] != a[2]:
                continue
            d = corner(corners, at + 1, (n + 2) % 3)
            edge, left, right = minus(b, a), minus(c, a), minus(d, a)
            normal = cross(edge, left)
            square = dot(normal, normal)
            # The corners c and d are on both sides of the edge, and less than half a turn apart at both of its ends.
            if (
                square == 0.0
                or dot(normal, cross(right, edge)) <= 0.0
                or dot(normal, cross(right, left)) <= 0.0
                or dot(normal, cross(minus(c, b), minus(d, b))) <= 0.0
            ):
                return -1.0
            height = abs(dot(normal, right)) / sqrt(square)
            return height if height <= _FLAT * sqrt(dot(edge, edge)) else -1.0
    return -1.0
