# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated meshes as numpy arrays. Each datablock is read once."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.convexity import Solidity, solidities, solidity
from ....core.hull import ConvexHull, convex_hull, convex_hulls
from ....core.mesh.triangle_mesh import TriangleMesh
from ....core.numerics.types import Floats, Ints
from ...model.tolerances import FLOAT32_MAX
from .arrays import evaluated_positions, triangle_vertices


@dataclass(frozen=True, eq=False)
class Geometry:
    """The evaluated geometry of one datablock, in object space.

    Attributes
    ----------
    points : (n, 3) float64
        All vertices, including loose ones.
    triangles : (m, 3) int64
        Indices into `points`.
    """

    points: Floats
    triangles: Ints

    @cached_property
    def is_finite(self) -> bool:
        """Whether every coordinate is finite in float32."""
        return bool((np.abs(self.points) < FLOAT32_MAX).all())

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lower and upper corner, (3,) each. There must be at least one vertex."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def surface(self) -> "Geometry":
        """The geometry without loose vertices and edges. The whole geometry if it has none of these, or no faces.

        Repeated calls return the same object.
        """
        return self._of_faces or self

    @cached_property
    def _of_faces(self) -> "Geometry | None":
        used = np.zeros(len(self.points), dtype=np.bool_)
        used[self.triangles] = True
        if used.all() or not used.any():
            return None
        number = np.cumsum(used) - 1
        return Geometry(self.points[used], number[self.triangles])

    @cached_property
    def hull(self) -> ConvexHull:
        """The convex hull of the vertices. There must be at least one, and all must be finite."""
        return convex_hull(_as_kept(self.points))

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The triangles. There must be at least one, with finite vertices."""
        return TriangleMesh(self.points, self.triangles)

    @cached_property
    def solidity(self) -> Solidity:
        """The comparison of the mesh with its hull."""
        return solidity(self.hull, self.triangles)


def make_hulls(geometries: Iterable[Geometry]) -> None:
    """Compute the hulls of many geometries and compare the meshes with them, much faster than one by one."""
    usable = [geometry for geometry in dict.fromkeys(geometries) if len(geometry.points) and geometry.is_finite]
    hulls = convex_hulls([_as_kept(geometry.points) for geometry in usable])
    compared = solidities(hulls, [geometry.triangles for geometry in usable])
    for geometry, hull, one in zip(usable, hulls, compared, strict=True):
        _keep(geometry, hull, one)


class HullMemory:
    """The hulls of the last scene that was read. For the next frame, only changed ones are computed."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[ConvexHull, Solidity]] = {}

    def make_hulls(self, geometries: Iterable[Geometry]) -> None:
        """The same as the function with this name, but reusing known hulls."""
        digests = {geometry: digest(geometry) for geometry in geometries}
        for geometry, known in digests.items():
            if known in self._known:
                _keep(geometry, *self._known[known])
        make_hulls(geometry for geometry, known in digests.items() if known not in self._known)
        self._known = {
            known: (geometry.hull, geometry.solidity) for geometry, known in digests.items() if "hull" in vars(geometry)
        }


def digest(geometry: Geometry) -> bytes:
    """A value that is equal for equal geometry, even in another session."""
    content = hashlib.blake2b(_as_kept(geometry.points).tobytes())
    content.update(geometry.triangles.tobytes())
    content.update(len(geometry.points).to_bytes(8, "little"))
    return content.digest()


def _keep(geometry: Geometry, hull: ConvexHull, one: Solidity) -> None:
    vars(geometry).update(hull=hull, solidity=one)  # the values of the cached properties


def _as_kept(points: Floats) -> NDArray[np.float32]:
    """The points in the type in which Blender stores them, which implies the rounding of coordinates."""
    return points.astype(np.float32)


NO_GEOMETRY = Geometry(np.empty((0, 3)), np.empty((0, 3), np.int64))


class GeometryReader:
    """Reads the meshes of one depsgraph, each mesh only once.

    It stores addresses of evaluated datablocks, so it must not be used after the evaluation has changed.
    """

    def __init__(self) -> None:
        self._known: dict[int, Geometry] = {}

    def read(self, evaluated: bpy.types.Object) -> Geometry:
        """The geometry of an evaluated object.

        Objects without modifiers share the evaluated mesh of their datablock, and so do instances. Each object with
        modifiers has its own mesh. Meshes are distinguished by the address of the evaluated mesh.
        """
        data = evaluated.data
        if isinstance(data, bpy.types.Mesh) and not data.is_editmode:
            address = data.as_pointer()
            if address not in self._known:
                self._known[address] = geometry_of(data)
            return self._known[address]
        # Curves, texts and metaballs have no mesh yet, and a mesh in Edit Mode stores its vertices elsewhere.
        try:
            mesh = evaluated.to_mesh()
            return geometry_of(mesh) if mesh is not None else NO_GEOMETRY  # None: a curve without splines
        finally:
            evaluated.to_mesh_clear()


def geometry_of(mesh: bpy.types.Mesh) -> Geometry:
    """Copy the vertices and triangles of a mesh that is not in Edit Mode."""
    points = evaluated_positions(mesh)
    return Geometry(points.astype(np.float64), triangle_vertices(mesh)) if len(points) else NO_GEOMETRY
