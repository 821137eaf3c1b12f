# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated meshes as numpy arrays, each datablock read once."""

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
        All vertices, loose ones too.
    triangles : (m, 3) int64
        Indices into `points`.
    """

    points: Floats
    triangles: Ints

    @cached_property
    def is_finite(self) -> bool:
        """Whether every coordinate is a number and none is as large as float32 goes."""
        return bool((np.abs(self.points) < FLOAT32_MAX).all())

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lower and upper corner, (3,) each; there must be a vertex."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def surface(self) -> "Geometry":
        """What has faces, without vertices and edges of no face; all of it where there are none of these, or no face.

        Always the same object.
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
        """The convex hull of the vertices; there must be one, and all finite."""
        return convex_hull(_as_kept(self.points))

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The triangles as they are; there must be one, and all vertices finite."""
        return TriangleMesh(self.points, self.triangles)

    @cached_property
    def solidity(self) -> Solidity:
        """How the mesh compares with its hull."""
        return solidity(self.hull, self.triangles)


def make_hulls(geometries: Iterable[Geometry]) -> None:
    """Make the hulls of many geometries and compare them, much faster than each by itself."""
    usable = [geometry for geometry in dict.fromkeys(geometries) if len(geometry.points) and geometry.is_finite]
    hulls = convex_hulls([_as_kept(geometry.points) for geometry in usable])
    compared = solidities(hulls, [geometry.triangles for geometry in usable])
    for geometry, hull, one in zip(usable, hulls, compared, strict=True):
        _keep(geometry, hull, one)


class HullMemory:
    """The hulls of the last scene that was read, so that another frame computes only those that it changes."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[ConvexHull, Solidity]] = {}

    def make_hulls(self, geometries: Iterable[Geometry]) -> None:
        """As the function of this name, but for what is known."""
        digests = {geometry: _digest(geometry) for geometry in geometries}
        for geometry, digest in digests.items():
            if digest in self._known:
                _keep(geometry, *self._known[digest])
        make_hulls(geometry for geometry, digest in digests.items() if digest not in self._known)
        self._known = {
            digest: (geometry.hull, geometry.solidity)
            for geometry, digest in digests.items()
            if "hull" in vars(geometry)
        }


def _digest(geometry: Geometry) -> bytes:
    content = hashlib.blake2b(_as_kept(geometry.points).tobytes())
    content.update(geometry.triangles.tobytes())
    content.update(len(geometry.points).to_bytes(8, "little"))
    return content.digest()


def _keep(geometry: Geometry, hull: ConvexHull, one: Solidity) -> None:
    vars(geometry).update(hull=hull, solidity=one)  # where the cached properties keep them


def _as_kept(points: Floats) -> NDArray[np.float32]:
    """The points as Blender keeps them: the type tells how much of a coordinate is rounding."""
    return points.astype(np.float32)


NO_GEOMETRY = Geometry(np.empty((0, 3)), np.empty((0, 3), np.int64))


class GeometryReader:
    """Reads the meshes of one depsgraph, and the same mesh only once.

    It keeps addresses of evaluated datablocks, so it must not outlive the evaluation that it reads.
    """

    def __init__(self) -> None:
        self._known: dict[int, Geometry] = {}

    def read(self, evaluated: bpy.types.Object) -> Geometry:
        """Return the geometry of an evaluated object.

        Objects without modifiers share the evaluated mesh of their datablock, and so do instances; those with
        modifiers have each its own. The address of the evaluated mesh tells them apart.
        """
        data = evaluated.data
        if isinstance(data, bpy.types.Mesh) and not data.is_editmode:
            address = data.as_pointer()
            if address not in self._known:
                self._known[address] = geometry_of(data)
            return self._known[address]
        # Curves, texts and metaballs are no meshes yet, and a mesh in edit mode keeps its vertices elsewhere.
        try:
            return geometry_of(evaluated.to_mesh())
        finally:
            evaluated.to_mesh_clear()


def geometry_of(mesh: bpy.types.Mesh) -> Geometry:
    """Copy the vertices and triangles of a mesh that nobody edits."""
    points = evaluated_positions(mesh)
    return Geometry(points.astype(np.float64), triangle_vertices(mesh)) if len(points) else NO_GEOMETRY
