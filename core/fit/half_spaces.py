# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplify a convex polytope: remove half-spaces from its intersection, which only ever grows.

Half-spaces n · x <= d around the origin correspond to the dual points n / d. The convex hull of these points has a
triangle for each corner of the intersection, and a vertex for each of its faces. Removing a face removes that vertex
from the dual hull, and triangles between its neighbors take its place. The intersection grows by a cap over the face,
which the planes of the neighbors bound. The face with the smallest cap is removed first. See `kernels/removal.py`.
"""

import numpy as np

from ..hull import ConvexHull, convex_hull
from ..kernels import removal
from ..narrow_phase.mesh.boundary import hull_triangles
from ..numerics.tolerances import FIT_BOUNDED, FIT_GENERAL
from ..numerics.types import Floats, Ints


class Removal:
    """Half-spaces with a bounded intersection, of which the least important are removed."""

    def __init__(self, normals: Floats, offsets: Floats) -> None:
        """Start with half-spaces n · x <= d, normals (F, 3) and offsets (F,) above zero."""
        self.points = normals / offsets[:, None]
        # Each plane is moved a little, so that no four of them meet in one corner: every step is then unambiguous.
        moved = 1.0 + FIT_GENERAL * np.random.default_rng(0).random(len(offsets))
        self._dual = _dual(convex_hull(self.points / moved[:, None]))
        self._count = len(self.left)

    @property
    def left(self) -> Ints:
        """The half-spaces that are left and not redundant, ascending."""
        return np.flatnonzero(self._dual.at >= 0)

    def leave(self, most: int) -> bool:
        """Remove half-spaces until at most so many are left. Returns False if there are more and all are needed."""
        self._count = removal.remove(self._dual, self._count, most)
        return self._count <= most

    def corners(self) -> Floats | None:
        """Corners of the intersection of what is left of the given half-spaces; None if it is not bounded."""
        hull = convex_hull(self.points[self.left])
        if hull.dimension < 3 or (hull.offsets <= FIT_BOUNDED * np.abs(hull.points).max()).any():
            return None
        corners: Floats = hull.normals / hull.offsets[:, None]
        return corners


def _dual(hull: ConvexHull) -> removal.Dual:
    """The triangles of a hull, with faces triangulated as fans, and room for their removal."""
    count = len(hull.points)
    corners = hull.vertices[hull_triangles(hull)]
    start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    order = np.argsort(start * count + end)
    beyond = order[np.searchsorted((start * count + end)[order], end * count + start)]
    at = np.full(count, -1)
    at[start] = np.arange(len(start)) // 3
    return removal.Dual(
        np.ascontiguousarray(hull.points),
        np.ascontiguousarray(corners),
        (beyond // 3).reshape(-1, 3),
        at,
        np.full(count, -1.0),
        np.zeros((count, removal.ROOM_COLUMNS), np.int64),
        np.zeros((count, removal.PLACE_COLUMNS)),
    )
