# SPDX-License-Identifier: GPL-3.0-or-later
"""Points to fit a shape to, moved to the origin and scaled to a size of about one.

Only the vertices of their convex hull determine a fit. The hull is exact only within its tolerance, so the fitted shape
is finally enlarged until it contains every given point.

Also: distances of points from the surface of a hull or of a mesh.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..narrow_phase.mesh.boundary import hull_triangles
from ..narrow_phase.mesh.deepest import nearest_triangles
from ..narrow_phase.mesh.operands import mesh_rows
from ..numerics.rows import blocks
from ..numerics.tolerances import EPS
from ..numerics.types import Floats, Ints
from ..numerics.validation import SPACE, Range, check_range
from ..numerics.vectors import cross
from ..shapes import Meshes

_NUMBERS = 1 << 16
"""Heights computed at once: they fit in the cache of a processor."""


def to_hull(points: Floats, hull: ConvexHull) -> Floats:
    """Signed distances from the surface of a hull, negative inside: (K, 3) -> (K,).

    For a point inside, the nearest face is that of the greatest height; for others, surface triangles are searched.
    """
    result = highest(points, hull)
    outside = np.flatnonzero(result > 0.0)
    if len(outside):
        vertices = hull.points[hull.vertices]
        surface = Meshes.from_triangles([(vertices, hull_triangles(hull))], solid=False)
        result[outside] = to_surface(points[outside], surface)[0]
    return result


def highest(points: Floats, hull: ConvexHull) -> Floats:
    """The greatest height of each point above the faces of a hull, (K,); infinite for a flat hull."""
    result = np.full(len(points), np.inf)
    if hull.dimension == 3:
        for rows in blocks(len(points), max(1, _NUMBERS // len(hull.faces))):
            # One row for each face: the maximum of long rows is found several times as fast as that of short ones.
            heights = hull.normals @ points[rows].T
            heights -= hull.offsets[:, None]
            heights.max(axis=0, out=result[rows])
    return result


def to_surface(points: Floats, surface: Meshes) -> tuple[Floats, Ints]:
    """Distances of points (K, 3) from the triangles of one mesh, and the nearest triangles: (K,) each."""
    return nearest_triangles(mesh_rows(surface), np.zeros(len(points), np.int64), points)


# A limit for coordinates that allows for a shape whose ends lie several sizes of the point set outside of it.
_RANGE = Range(SPACE.least, SPACE.most / 16.0)


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points in a frame of their own.

    Attributes
    ----------
    hull : ConvexHull
        In the caller's coordinates.
    origin : (3,) float64
        The center of the bounds.
    scale : float
        A power of two near the size. A point x of the caller is ``(x - origin) / scale`` here, exact except for the
        rounding of the difference.
    vertices : (V, 3) float64
        The vertices of the hull, in this frame.
    """

    hull: ConvexHull
    origin: Floats
    scale: float
    vertices: Floats

    @classmethod
    def of(cls, points: ArrayLike | ConvexHull, name: str = "points") -> "Cloud":
        """From points, or from their hull if it is known already.

        Raises
        ------
        ValueError
            As for `convex_hull`, or if coordinates are out of range.
        """
        hull = points if isinstance(points, ConvexHull) else convex_hull(points)
        check_range(hull.points, name, _RANGE)
        corners = hull.points[hull.vertices]
        lower, upper = corners.min(axis=0), corners.max(axis=0)
        origin = lower + (upper - lower) / 2.0
        size = float(np.abs(corners - origin).max())
        scale = float(2.0 ** np.frexp(max(size, hull.tolerance))[1])
        return cls(hull, origin, scale, (corners - origin) / scale)

    @cached_property
    def axes(self) -> Floats:
        """Principal axes of the vertices as columns, a rotation; the first is the longest."""
        centered = self.vertices - self.vertices.mean(axis=0)
        # Computed from the points themselves, because their squares would lose the width of a set that is a million
        # times as long as wide.
        first, second, _ = np.linalg.svd(np.linalg.qr(centered, mode="r"))[2]
        return np.stack([first, second, cross(first, second)], axis=1)

    @cached_property
    def extremes(self) -> Ints:
        """The vertices that are farthest in the directions of a grid, ascending.

        The directions apply to the points stretched to equal extents along their principal axes. Otherwise, nearly all
        directions would find only the ends of a long thin set.
        """
        along = self.vertices @ self.axes
        span = np.ptp(along, axis=0)
        return extremes(along / np.maximum(span, EPS * span[0]), DIRECTIONS)

    def back(self, point: Floats) -> Floats:
        """A point of this frame in the caller's coordinates."""
        result: Floats = point * self.scale + self.origin
        return result


def extremes(vertices: Floats, directions: Floats) -> Ints:
    """The vertices farthest along and against each direction: (V, 3), (K, 3) -> ascending rows."""
    along = directions @ vertices.T
    result: Ints = np.union1d(along.argmax(axis=1), along.argmin(axis=1))
    return result


def hemisphere(count: int) -> Floats:
    """Directions spread evenly over half a sphere, (count, 3): a Fibonacci lattice (Swinbank and Purser 2006)."""
    row = np.arange(count) + 0.5
    height, turn = row / count, row * np.pi * (3.0 - np.sqrt(5.0))
    reach = np.sqrt(1.0 - height * height)
    return np.stack([reach * np.cos(turn), reach * np.sin(turn), height], axis=1)


DIRECTIONS = hemisphere(64)
"""While a fit is searched, at most two vertices of a hull are used for each of these directions."""
