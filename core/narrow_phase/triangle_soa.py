# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles in component arrays, for pairs with round shapes."""

import numpy as np

from ..geometry.triangles import area_vectors
from ..numerics.soa import cross, dot, of_rows
from ..numerics.tolerances import NEAR_PARALLEL, PARALLEL, SLIVER, rounding
from ..numerics.types import Bools, Floats
from ..numerics.vectors import two_diff
from ..shapes import Triangles


class TriangleParts:
    """The triangles of a block, relative to `origin` (3, P).

    Attributes
    ----------
    corners, sides : (3, 3, P) float64
        `sides` are the edges. Edge k runs from corner k to the next.
    squares : (3, P) float64
        Squared lengths of the edges.
    normal : (3, P) float64
        Unit; zero if the corners are collinear.
    flat : (P,) bool
        Whether the triangle has an area.
    sliver : (P,) bool
        Whether the normal is too inaccurate.
    """

    def __init__(self, triangles: Triangles, origin: Floats) -> None:
        self.corners = of_rows(triangles.vertices)
        self._far = np.maximum(dot(self.corners[0], self.corners[0]), dot(self.corners[1], self.corners[1]))
        np.maximum(self._far, dot(self.corners[2], self.corners[2]), out=self._far)
        self.sides = np.empty_like(self.corners)
        for k in range(3):
            np.subtract(self.corners[(k + 1) % 3], self.corners[k], out=self.sides[k])
        self.corners -= origin
        first, second, third = self.sides
        self.squares = np.stack([dot(first, first), dot(second, second), dot(third, third)])
        # The cross product of the two shorter edges has the least rounding error.
        by_first = self.squares[0] >= np.maximum(self.squares[1], self.squares[2])
        by_second = self.squares[1] >= self.squares[2]
        one = np.where(by_first, second, np.where(by_second, third, first))
        other = np.where(by_first, third, np.where(by_second, first, second))
        self.normal = cross(one, other)
        area = dot(self.normal, self.normal)
        scale = dot(one, one) * dot(other, other)
        thin = np.flatnonzero(area < SLIVER * scale)
        if len(thin):
            corners = triangles.vertices[thin]
            self.normal[:, thin] = area_vectors(*two_diff(np.roll(corners, -1, axis=1), corners)).T
            area[thin] = dot(self.normal[:, thin], self.normal[:, thin])
        self.flat: Bools = area > PARALLEL * scale
        self.sliver: Bools = self.flat & (area < NEAR_PARALLEL * scale)
        np.sqrt(area, out=area)
        self.normal *= np.divide(1.0, area, out=np.zeros_like(area), where=self.flat)

    def pair(self, reach: Floats, far: Floats) -> tuple[Floats, Floats]:
        """Size and rounding error of pairs with shapes of size `reach` at squared distance `far` from the origin."""
        size = np.sqrt(np.maximum(self.squares[0], self.squares[2])) + reach
        return size, rounding(size, np.sqrt(np.maximum(self._far, far)))

    def over(self, point: Floats | float) -> Bools:
        """Whether points (3, P), relative to the origin, project into the triangle, boundary included."""
        result = self.flat.copy()
        for corner, side in zip(self.corners, self.sides, strict=True):
            result &= dot(cross(self.normal, side), corner - point) <= 0.0
        return result
