# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes of one piece: spheres, capsules and cylinders, and shapes with flat faces.

Hulls and meshes can share geometries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, compute, convex_hulls
from ..mesh.triangle_mesh import TriangleMesh, find_convex
from ..numerics.rows import Table, blocks, joined_indices, rows_of_each
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import (
    SPACE,
    check_range,
    check_type,
    common_rows,
    coordinates,
    indices,
    items,
    numbers,
    sizes,
)
from ..numerics.vectors import length, moved, normalized, rotated
from .batch import Batch, Kind, Materials, rotations


@dataclass(frozen=True, eq=False, repr=False)
class Spheres(Batch):
    """Solid spheres.

    Parameters
    ----------
    center : (N, 3) array-like
    radius : (N,) array-like
        A sphere with radius zero is a point.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    center: Floats
    radius: Floats
    kind: ClassVar[Kind] = Kind.SPHERE

    def __init__(self, center: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        place = coordinates(center, "center", (-1, 3))
        size = sizes(radius, "radius", (-1,))
        place, size = common_rows(center=place, radius=size)
        self.fill(center=place, radius=size, materials=materials)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        return self.with_fields(center=moved(self.center, rotation, translation))

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        return self.center - self.radius[:, None], self.center + self.radius[:, None]

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The spheres themselves: center (N, 3) and radius (N,)."""
        return self.center, self.radius


@dataclass(frozen=True, eq=False, repr=False)
class _Segments(Batch):
    """Base class of capsules and cylinders: a segment with a radius."""

    start: Floats
    end: Floats
    radius: Floats

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        first, last = coordinates(start, "start", (-1, 3)), coordinates(end, "end", (-1, 3))
        size = sizes(radius, "radius", (-1,))
        first, last, size = common_rows(start=first, end=last, radius=size)
        self.fill(start=first, end=last, radius=size, materials=materials)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        ends = {name: moved(getattr(self, name), rotation, translation) for name in ("start", "end")}
        return self.with_fields(**ends)


class Capsules(_Segments):
    """Solid capsules: all points within `radius` of a segment.

    Parameters
    ----------
    start, end : (N, 3) array-like
        Ends of the segment, which are the centers of the two caps. If they are equal, the shape is a sphere.
    radius : (N,) array-like
        A capsule with radius zero is a segment.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    kind: ClassVar[Kind] = Kind.CAPSULE

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        radius = self.radius[:, None]
        return np.minimum(self.start, self.end) - radius, np.maximum(self.start, self.end) + radius

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        half = (self.end - self.start) / 2.0
        return self.start + half, length(half) + self.radius


class Cylinders(_Segments):
    """Solid cylinders with flat caps.

    Parameters
    ----------
    start, end : (N, 3) array-like
        The centers of the two caps. Equal ends are an error, because the caps would have no direction.
    radius : (N,) array-like
        A cylinder with radius zero is a segment.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, if numbers of rows differ, or if the two ends
        of a row are equal; names the field and the row.
    """

    kind: ClassVar[Kind] = Kind.CYLINDER

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        super().__init__(start, end, radius, materials)
        short = (self.start == self.end).all(axis=1)
        if short.any():
            raise ValueError(f"end: row {int(np.argmax(short))} is its start: a cylinder must have a length")

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        axis = normalized(self.end - self.start, np.zeros(3))
        # A cap is a disc: along a coordinate axis, its extent is the radius times the sine of the angle to the
        # cylinder's axis.
        sine = np.hypot(axis[:, [1, 2, 0]], axis[:, [2, 0, 1]])
        reach = self.radius[:, None] * sine
        return np.minimum(self.start, self.end) - reach, np.maximum(self.start, self.end) + reach

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        half = (self.end - self.start) / 2.0
        return self.start + half, np.hypot(length(half), self.radius)


# Attribute of a geometry that has been validated. Geometries are immutable, and many batches may share one.
_CHECKED = "_checked_as"

# Number of points rotated at a time.
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class Geometries(Batch):
    """Base class of hulls and meshes.

    A point x of the geometry ``geometry[index]`` is at ``rotation @ x + translation`` in the world.
    """

    geometry: tuple[Any, ...]
    index: Ints
    translation: Floats
    rotation: Floats
    shared: ClassVar[tuple[str, ...]] = ("geometry",)
    refers: ClassVar[tuple[str, ...]] = ("index",)
    sequence: ClassVar[type[tuple[Any, ...]]] = tuple

    def place(
        self,
        geometry: Sequence[Any],
        made_of: type[Any],
        index: ArrayLike,
        translation: ArrayLike | None,
        rotation: ArrayLike | None,
        materials: Materials | None,
        **fields: Any,
    ) -> None:
        """Validate and set the fields of a batch during construction."""
        made_of_these = items(geometry, "geometry")
        for row, one in enumerate(made_of_these):
            if getattr(one, _CHECKED, None) is not made_of:
                _check_geometry(one, made_of, row)
                _check_range(one, row)
                vars(one)[_CHECKED] = made_of
        if not made_of_these and np.size(index):
            raise ValueError(f"geometry: empty, but index has {np.size(index)} rows")
        rows = indices(index, "index", len(made_of_these), "geometries")
        rows.flags.writeable = False
        place = coordinates(np.zeros((len(rows), 3)) if translation is None else translation, "translation", (-1, 3))
        turn = rotations(rotation, len(rows))
        rows, place, turn = common_rows(index=rows, translation=place, rotation=turn)
        common = {"geometry": self.sequence(made_of_these), "index": rows, "translation": place, "rotation": turn}
        self.fill(materials=materials, **common, **fields)

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def joined_shared(cls, batches: Sequence[Self]) -> dict[str, Any]:
        """The shared fields of `joined`, and those that refer to them, by name."""
        every = [one.geometry for one in batches]
        index = joined_indices([one.index for one in batches], [*map(len, every)])
        return {"geometry": cls.sequence(one for geometry in every for one in geometry), "index": index}

    def row_geometry(self) -> list[tuple[Any, ...]]:
        """The points of each row, and the triangles of a mesh."""
        used = [self.geometry[index] for index in self.index.tolist()]
        return [(one.points, getattr(one, "triangles", None)) for one in used]

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        place = moved(self.translation, rotation, translation)
        return self.with_fields(translation=place, rotation=rotation @ self.rotation)


def _check_geometry(one: Any, made_of: type[Any], row: int) -> None:
    """Raise `ValueError` unless a geometry is of the class, with the function that makes a batch of arrays."""
    try:
        check_type(one, made_of, f"geometry: row {row}")
    except ValueError as error:
        call = (
            "Hulls.from_points([points])" if made_of is ConvexHull else "Meshes.from_triangles([(vertices, triangles)])"
        )
        raise ValueError(f"{error}; for arrays, there is {call}") from None


def _check_range(geometry: Any, row: int) -> None:
    """Raise `ValueError` unless the coordinates are in range."""
    largest = np.abs(geometry.points).max()
    if largest > SPACE.most or 0.0 < largest < SPACE.least:
        wanted = f"{SPACE.least:g} to {SPACE.most:g} or zero"
        raise ValueError(f"geometry: row {row} is out of range: its largest coordinate is {largest:.2g}, not {wanted}")


@dataclass(frozen=True, eq=False, repr=False)
class Boxes(Batch):
    """Solid boxes with any orientation.

    Parameters
    ----------
    center : (N, 3) array-like
    half_extents : (N, 3) array-like
        Half the side lengths along the box's own axes. With zeros, boxes are rectangles, segments and points.
    rotation : (N, 3, 3) array-like, optional
        Columns are the box's axes in the world. None: the axes of the world.
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
        place, size, turn = common_rows(center=place, half_extents=size, rotation=turn)
        self.fill(center=place, half_extents=size, rotation=turn, materials=materials)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        center = moved(self.center, rotation, translation)
        return self.with_fields(center=center, rotation=rotation @ self.rotation)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        reach = np.einsum("nij,nj->ni", np.abs(self.rotation), self.half_extents)
        return self.center - reach, self.center + reach

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        return self.center, length(self.half_extents)


@dataclass(frozen=True, eq=False, repr=False)
class Triangles(Batch):
    """Flat triangles without thickness. Both sides collide.

    Parameters
    ----------
    vertices : (N, 3, 3) array-like
        Three corners each. If they are collinear or coincide, the shape is a segment or a point.
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

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        return self.with_fields(vertices=rotated(rotation, self.vertices) + translation[:, None])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        return self.vertices.min(axis=1), self.vertices.max(axis=1)


class HullGeometries(tuple[ConvexHull, ...]):
    """Hulls that the rows of a batch share, with cached values that are computed for all of them at once."""

    @cached_property
    def corners(self) -> Table[np.float64]:
        """(K, 3) `ConvexHull.corners` of each hull."""
        missing = [hull for hull in self if "corners" not in vars(hull) and hull.large]
        if missing:
            compute(missing)
        return Table.of([hull.corners for hull in self])

    @cached_property
    def balls(self) -> tuple[Floats, Floats]:
        """Bounding sphere of each hull around the center of its bounds: center (G, 3) and radius (G,)."""
        points, start = self.corners.values, self.corners.start
        center = (np.minimum.reduceat(points, start) + np.maximum.reduceat(points, start)) / 2.0
        away = length(points - np.repeat(center, self.corners.count, axis=0))
        # Points that are not vertices may be above the faces by the tolerance.
        return center, np.maximum.reduceat(away, start) + np.array([hull.tolerance for hull in self])


class Hulls(Geometries):
    """Solid convex hulls. Many rows may share a geometry.

    Parameters
    ----------
    geometry : sequence of ConvexHull
        Hulls in their own frames.
    index : (N,) array-like of int
        The geometry of each row.
    translation : (N, 3) array-like
    rotation : (N, 3, 3) array-like, optional
        A point x of a row is at ``rotation @ x + translation`` in the world.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    geometry: HullGeometries
    kind: ClassVar[Kind] = Kind.HULL
    sequence: ClassVar[type[tuple[Any, ...]]] = HullGeometries

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
        corners, lower, upper = self.geometry.corners, *np.empty((2, len(self), 3))
        count = corners.count[self.index]
        for size, rows in rows_of_each(count):
            step = max(1, _BLOCK // size)
            for some in (rows[first : first + step] for first in range(0, len(rows), step)):
                points = corners.padded(self.index[some])
                turned = self.rotation[some] @ points.transpose(0, 2, 1)
                lower[some], upper[some] = turned.min(axis=2), turned.max(axis=2)
        return lower + self.translation, upper + self.translation

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """Bounding sphere: center (N, 3) and radius (N,). The radius is the same for all rows of a geometry."""
        center, radius = (of.take(self.index, axis=0) for of in self.geometry.balls)
        return rotated(self.rotation, center[:, None])[:, 0] + self.translation, radius


class MeshGeometries(tuple[TriangleMesh, ...]):
    """Meshes that the rows of a batch share, with cached values that are computed for all of them at once."""

    @cached_property
    def convex(self) -> Bools:
        """Return which meshes are the boundaries of their hulls, as solids, (G,)."""
        find_convex(self)
        return np.array([mesh.watertight and mesh.convex for mesh in self], dtype=bool)

    @cached_property
    def hulls(self) -> HullGeometries:
        """The hulls of the convex meshes."""
        return HullGeometries(self[number].hull for number in np.flatnonzero(self.convex).tolist())


class Meshes(Geometries):
    """Triangle meshes of any shape. Many rows may share a geometry.

    A solid is the region that its surface encloses. If closed parts overlap, the solid is their union, regardless of
    the direction of their triangles. A part inside another that does not touch it is a cavity if it faces the other
    way. So a mesh whose triangles all face inward bounds the same solid. A surface has no inside and no thickness.

    Parameters
    ----------
    geometry : sequence of TriangleMesh
        Meshes in their own frames; see `from_triangles`.
    index : (N,) array-like of int
        The geometry of each row.
    translation : (N, 3) array-like, optional
    rotation : (N, 3, 3) array-like, optional
        A point x of a row is at ``rotation @ x + translation`` in the world.
    solid : "auto" or (N,) array-like of bool
        "auto": rows whose geometry is watertight and consistently oriented are solids, all others are surfaces.
    materials : Materials, optional

    Attributes
    ----------
    solid : (N,) bool
        Whether each row is a solid.

    Raises
    ------
    ValueError
        As for the other batches, or if a row should be solid but its mesh is not watertight. The message names the row
        and the defect of the mesh.
    """

    geometry: MeshGeometries
    solid: Bools
    kind: ClassVar[Kind] = Kind.MESH
    sequence: ClassVar[type[tuple[Any, ...]]] = MeshGeometries

    def __init__(
        self,
        geometry: Sequence[TriangleMesh],
        index: ArrayLike,
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        solid: Literal["auto"] | ArrayLike = "auto",
        materials: Materials | None = None,
    ) -> None:
        self.place(geometry, TriangleMesh, index, translation, rotation, materials)
        self.fill(solid=_solid(self.geometry, self.index, solid), materials=materials)

    @classmethod
    def from_triangles(
        cls,
        meshes: Sequence[tuple[ArrayLike, ArrayLike] | Any],
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        solid: Literal["auto"] | ArrayLike = "auto",
        materials: Materials | None = None,
    ) -> Self:
        """A row for each pair of vertices (k, 3) and triangles (m, 3), which are indices of vertices.

        Instead of a pair, any object with ``vertices`` and ``faces``, or ``triangles``, is accepted, such as a mesh of
        trimesh or Open3D.

        Triangles should be counterclockwise as seen from outside, but the solid does not depend on it. Vertices with
        the same coordinates are one vertex. Other parameters and errors are those of the class.
        """
        geometry = []
        every = [meshes] if _arrays_of(meshes) is not None else items(meshes, "meshes")
        for row, mesh in enumerate(every):
            given = _arrays_of(mesh) or items(mesh, f"meshes: row {row}")
            if len(given) != 2:
                hint = "; for one mesh, write [(vertices, triangles)]" if len(every) == 2 else ""
                raise ValueError(f"meshes: row {row} is not a pair of vertices and triangles{hint}")
            vertices, triangles = given
            geometry.append(TriangleMesh.checked(vertices, triangles, f"meshes[{row}]"))
        return cls(geometry, np.arange(len(geometry)), translation, rotation, solid, materials)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        lower, upper = np.empty((2, len(self), 3))
        for index, rows in rows_of_each(self.index):
            mesh = self.geometry[index]
            columns = np.ascontiguousarray(mesh.used_points.T)
            # One coordinate axis of a few rows at a time, so that what is computed stays in cache.
            for block in blocks(len(rows), max(_BLOCK // max(columns.shape[1], 1), 1)):
                some = rows[block]
                for axis in range(3):
                    along = self.rotation[some, axis] @ columns
                    lower[some, axis], upper[some, axis] = along.min(axis=1), along.max(axis=1)
        return lower + self.translation, upper + self.translation

    def hulls(self) -> Hulls:
        """The hull of each row whose mesh is convex. Other rows have an arbitrary hull. At least one mesh is convex."""
        hull = np.maximum(np.cumsum(self.geometry.convex) - 1, 0)
        fields = {"geometry": self.geometry.hulls, "index": hull[self.index]}
        result = object.__new__(Hulls)
        result.fill(**fields, translation=self.translation, rotation=self.rotation, materials=self.materials)
        return result

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """Bounding sphere of each shape: center (N, 3) and radius (N,)."""
        center, radius = np.empty((len(self), 3)), np.empty(len(self))
        for index, rows in rows_of_each(self.index):
            local, radius[rows] = self.geometry[index].ball
            center[rows] = self.rotation[rows] @ local + self.translation[rows]
        return center, radius


def _arrays_of(mesh: Any) -> tuple[Any, Any] | None:
    """The vertices and triangles of a mesh of another library; None if it is not an object of that kind."""
    for name in ("faces", "triangles"):
        if hasattr(mesh, "vertices") and hasattr(mesh, name):
            return np.asarray(mesh.vertices), np.asarray(getattr(mesh, name))
    return None


def _solid(geometry: Sequence[TriangleMesh], index: Ints, wanted: Literal["auto"] | ArrayLike) -> Bools:
    """Return which rows are solids, (N,)."""
    if isinstance(wanted, str):
        if wanted != "auto":
            raise ValueError(f'solid: {wanted!r}, but "auto", True or False is needed')
        used, place = np.unique(index, return_inverse=True)
        result = np.array([geometry[number].watertight for number in used], dtype=bool)[place.reshape(-1)]
    else:
        given = numbers(wanted, "solid")
        if given.dtype != np.bool_ or given.shape not in ((), (len(index),)):
            raise ValueError(f'solid: {given.dtype} of shape {given.shape}, but "auto" or bools (N,) are needed')
        result = np.broadcast_to(given, (len(index),)).copy()
        # Only test meshes for watertightness that should be solid.
        faults = {number: geometry[number].fault for number in np.unique(index[result])}
        for row in np.flatnonzero(result):
            if faults[index[row]]:
                raise ValueError(f"solid: row {row} is not watertight: {faults[index[row]]}")
    result.flags.writeable = False
    return result
