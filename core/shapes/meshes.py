# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes: surfaces, and the solids that watertight ones bound."""

from collections.abc import Sequence
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from ..mesh.triangle_mesh import TriangleMesh
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import items, numbers
from .batch import Kind
from .geometries import Geometries
from .materials import Materials


class Meshes(Geometries):
    """Triangle meshes, of any shape; many rows may share one geometry.

    A solid is what its surface encloses: the points about which the surface winds a number of times other than zero. So
    a mesh whose triangles all face inwards bounds the same solid, where parts overlap the solid is both of them, and a
    part inside another that faces the other way is a cavity. A surface has no inside and no thickness.

    Parameters
    ----------
    geometry : sequence of TriangleMesh
        In their own frames; see `from_triangles`.
    index : (N,) array-like of int
        The geometry of each row.
    translation : (N, 3) array-like, optional
    rotation : (N, 3, 3) array-like, optional
        A row's point x lies at ``rotation @ x + translation`` in the world.
    solid : "auto" or (N,) array-like of bool
        "auto": rows whose geometry is watertight and consistently oriented are solids, all others surfaces.
    materials : Materials, optional

    Attributes
    ----------
    solid : (N,) bool
        What each row is taken for.

    Raises
    ------
    ValueError
        As the other batches; also if a row is to be solid and its mesh is not watertight: names the row, and what is
        wrong with the mesh.
    """

    geometry: tuple[TriangleMesh, ...]
    solid: Bools
    kind: ClassVar[Kind] = Kind.MESH

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
        meshes: Sequence[tuple[ArrayLike, ArrayLike]],
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        solid: Literal["auto"] | ArrayLike = "auto",
        materials: Materials | None = None,
    ) -> Self:
        """A row for each pair of vertices (k, 3) and triangles (m, 3), which are indices of vertices.

        Counter-clockwise seen from outside, though a solid does not depend on it. Vertices at the same coordinates are
        one vertex. Parameters and errors otherwise as for the class.
        """
        geometry = []
        for row, mesh in enumerate(items(meshes, "meshes")):
            given = items(mesh, f"meshes: row {row}")
            if len(given) != 2:
                raise ValueError(f"meshes: row {row} is not a pair of vertices and triangles")
            vertices, triangles = given
            geometry.append(TriangleMesh.checked(vertices, triangles, f"meshes[{row}]"))
        return cls(geometry, np.arange(len(geometry)), translation, rotation, solid, materials)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        lower, upper = np.empty((2, len(self), 3))
        for index in np.unique(self.index):
            rows = np.flatnonzero(self.index == index)
            mesh = self.geometry[index]
            points = mesh.points[mesh.used]
            # One coordinate axis at a time bounds the memory.
            for axis in range(3):
                along = self.rotation[rows, axis] @ points.T
                lower[rows, axis], upper[rows, axis] = along.min(axis=1), along.max(axis=1)
        return lower + self.translation, upper + self.translation

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """A ball about each shape: center (N, 3) and radius (N,)."""
        center, radius = np.empty((len(self), 3)), np.empty(len(self))
        for index in np.unique(self.index):
            rows = np.flatnonzero(self.index == index)
            local, radius[rows] = self.geometry[index].ball
            center[rows] = self.rotation[rows] @ local + self.translation[rows]
        return center, radius


def _solid(geometry: Sequence[TriangleMesh], index: Ints, wanted: Literal["auto"] | ArrayLike) -> Bools:
    """Which rows are solids, (N,)."""
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
        # Whoever says that a mesh is no solid does not wait for the proof.
        faults = {number: geometry[number].fault for number in np.unique(index[result])}
        for row in np.flatnonzero(result):
            if faults[index[row]]:
                raise ValueError(f"solid: row {row} is not watertight: {faults[index[row]]}")
    result.flags.writeable = False
    return result
