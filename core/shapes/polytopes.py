# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes with flat faces: boxes, triangles and convex hulls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hulls
from ..numerics.types import Floats
from ..numerics.validation import check_range, coordinates, same_length, sizes
from ..numerics.vectors import length, moved, rotated
from .batch import Batch, Kind, rotations
from .geometries import Geometries
from .materials import Materials


@dataclass(frozen=True, eq=False)
class Boxes(Batch):
    """Solid boxes, oriented as one likes.

    Parameters
    ----------
    center : (N, 3) array-like
    half_extents : (N, 3) array-like
        Half the side lengths along the box's own axes; zeros make rectangles, segments and points.
    rotation : (N, 3, 3) array-like, optional
        Columns are the box's axes in the world; none: aligned with the world.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    center: Floats
    half_extents: Floats
    rotation: Floats
    kind: ClassVar[Kind] = Kind.BOX

    def __init__(
        self,
        center: ArrayLike,
        half_extents: ArrayLike,
        rotation: ArrayLike | None = None,
        materials: Materials | None = None,
    ) -> None:
        place = coordinates(center, "center", (-1, 3))
        size = sizes(half_extents, "half_extents", (-1, 3))
        turn = rotations(rotation, len(place))
        same_length(center=place, half_extents=size, rotation=turn)
        self.fill(center=place, half_extents=size, rotation=turn, materials=materials)

    def __len__(self) -> int:
        return len(self.center)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Each shape turned by its rotation (N, 3, 3) about the origin, then moved by its translation (N, 3)."""
        center = moved(self.center, rotation, translation)
        return self.with_fields(center=center, rotation=rotation @ self.rotation)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        reach = np.einsum("nij,nj->ni", np.abs(self.rotation), self.half_extents)
        return self.center - reach, self.center + reach

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest ball about each: center (N, 3) and radius (N,)."""
        return self.center, length(self.half_extents)


@dataclass(frozen=True, eq=False)
class Triangles(Batch):
    """Flat triangles, two-sided and without thickness.

    Parameters
    ----------
    vertices : (N, 3, 3) array-like
        Three corners each. Corners in a line or in one point make segments and points.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    vertices: Floats
    kind: ClassVar[Kind] = Kind.TRIANGLE

    def __init__(self, vertices: ArrayLike, materials: Materials | None = None) -> None:
        self.fill(vertices=coordinates(vertices, "vertices", (-1, 3, 3)), materials=materials)

    def __len__(self) -> int:
        return len(self.vertices)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Each shape turned by its rotation (N, 3, 3) about the origin, then moved by its translation (N, 3)."""
        return self.with_fields(vertices=rotated(rotation, self.vertices) + translation[:, None])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        return self.vertices.min(axis=1), self.vertices.max(axis=1)


class Hulls(Geometries):
    """Solid convex hulls; many rows may share one geometry.

    Parameters
    ----------
    geometry : sequence of ConvexHull
        In their own frames.
    index : (N,) array-like of int
        The geometry of each row.
    translation : (N, 3) array-like
    rotation : (N, 3, 3) array-like, optional
        A row's point x lies at ``rotation @ x + translation`` in the world.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    geometry: tuple[ConvexHull, ...]
    kind: ClassVar[Kind] = Kind.HULL

    def __init__(
        self,
        geometry: Sequence[ConvexHull],
        index: ArrayLike,
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        materials: Materials | None = None,
    ) -> None:
        self.place(geometry, ConvexHull, index, translation, rotation, materials)

    @classmethod
    def from_points(
        cls,
        points: Sequence[ArrayLike],
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        materials: Materials | None = None,
    ) -> Self:
        """The convex hull of each point set, (k, 3) each; see `collision_kit.core.convex_hull`."""
        hulls = convex_hulls(points)
        for row, hull in enumerate(hulls):
            check_range(hull.points, f"points[{row}]")
        return cls(hulls, np.arange(len(hulls)), translation, rotation, materials)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        lower, upper = np.empty((2, len(self), 3))
        for index in np.unique(self.index):
            rows = self.index == index
            hull = self.geometry[index]
            turned = self.rotation[rows] @ hull.points[hull.vertices].T
            lower[rows], upper[rows] = turned.min(axis=2), turned.max(axis=2)
        return lower + self.translation, upper + self.translation

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """A ball about each: center (N, 3) and radius (N,), the same for all rows of one geometry."""
        used, row = np.unique(self.index, return_inverse=True)
        balls = [self.geometry[index].bounding_sphere for index in used]
        center = np.array([ball[0] for ball in balls]).reshape(-1, 3)[row.reshape(-1)]
        radius = np.array([ball[1] for ball in balls])[row.reshape(-1)]
        return rotated(self.rotation, center[:, None])[:, 0] + self.translation, radius
