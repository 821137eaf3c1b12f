# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls placed in the world: the heights of points above their faces, which are exact distances inside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...kernels import points as kernels
from ...kernels.rays import Surfaces
from ...mesh.triangle_mesh import Tree, tree_of
from ...narrow_phase.mesh.boundary import boundary
from ...numerics.rows import blocks
from ...numerics.types import Floats, Ints
from ...numerics.vectors import length
from ...shapes import Hulls

# Number of heights that are computed at once, to limit the memory.
_NUMBERS = 1 << 21


@dataclass(frozen=True, eq=False)
class PlacedHull:
    """A hull with a volume.

    Attributes
    ----------
    normals, offsets : (F, 3), (F,) float64
        The planes of its faces.
    low, high : (3,) float64
        Its bounds.
    corners : (T, 3, 3) float64
        The triangles of its surface.
    """

    normals: Floats
    offsets: Floats
    low: Floats
    high: Floats
    corners: Floats

    def highest(self, points: Floats) -> Floats:
        """The greatest height of each point (P, 3) above the planes of the faces, (P,).

        Inside, it is the signed distance. Outside, it is a lower bound of the distance.
        """
        result = np.empty(len(points))
        for rows in blocks(len(points), max(1, _NUMBERS // len(self.offsets))):
            result[rows] = (points[rows] @ self.normals.T - self.offsets).max(axis=1)
        return result

    @cached_property
    def tree(self) -> Tree:
        """The bounding volume hierarchy over the triangles."""
        return tree_of(self.corners)

    def distance(self, points: Floats) -> Floats:
        """The distance of each point (P, 3), all outside, from the surface, (P,)."""
        place, _ = nearest_on(self.tree, self.corners, np.ascontiguousarray(points))
        return length(points - place)

    def may_contain(self, points: Floats) -> Ints:
        """The rows of points (P, 3) within the bounds."""
        return np.flatnonzero(((self.low <= points) & (points <= self.high)).all(axis=1))


def placed_hulls(batch: Hulls) -> list[PlacedHull | None]:
    """The hulls of a batch, row by row; None for those without volume."""
    lower, upper = batch.bounds()
    found = list[PlacedHull | None]()
    for row, number in enumerate(batch.index.tolist()):
        hull = batch.geometry[number]
        if hull.dimension < 3:
            found.append(None)
            continue
        normals = hull.normals @ batch.rotation[row].T
        offsets = hull.offsets + normals @ batch.translation[row]
        corners = np.ascontiguousarray(boundary(batch.take([row])).corner)
        found.append(PlacedHull(normals, offsets, lower[row], upper[row], corners))
    return found


def nearest_on(tree: Tree, corners: Floats, points: Floats) -> tuple[Floats, Ints]:
    """The nearest points of triangles (T, 3, 3) to points (P, 3), and their triangles."""
    rows = np.zeros((len(points), 4), dtype=np.int64)
    rows[:, 3] = len(tree.triangle)
    place, part = np.empty((len(points), 3)), np.empty((len(points), 3), np.int64)
    kernels.nearest(Surfaces(tree.span, tree.triangle, corners, rows), points, place, part)
    return place, part[:, 0]
