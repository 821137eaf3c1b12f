# SPDX-License-Identifier: GPL-3.0-or-later
"""The display geometry of evaluated objects: triangles, faces, and edges and curves that belong to no face."""

import hashlib
from dataclasses import dataclass
from typing import cast

import bpy
import numpy as np

from ....core.numerics.types import Ints
from .arrays import corner_edges, corner_vertices, edge_vertices, face_starts, triangle_faces
from .geometry import NO_GEOMETRY, Geometry, geometry_of


@dataclass(frozen=True, eq=False)
class DisplayGeometry:
    """The display geometry of one evaluated datablock, in object space.

    Attributes
    ----------
    geometry : Geometry
    triangle_face : (m,) int64
        The face that each triangle belongs to.
    corners, face_start : (c,), (f + 1,) int64
        The vertices of the faces, concatenated, and the first corner of each face.
    wires : (w, 2) int64
        The edges that belong to no face.
    curves : tuple of int
        For a filled curve, the number of vertices of each closed spline, in order.
    """

    geometry: Geometry
    triangle_face: Ints
    corners: Ints
    face_start: Ints
    wires: Ints
    curves: tuple[int, ...] = ()

    @property
    def has_lines(self) -> bool:
        """Whether it has more than single vertices."""
        return bool(len(self.geometry.triangles) or len(self.wires))


class DrawnReader:
    """Reads the objects of an evaluation, each mesh only once. Equal geometry gives the same object."""

    def __init__(self) -> None:
        self._known: dict[int, DisplayGeometry] = {}
        self._same: dict[bytes, DisplayGeometry] = {}

    def begin(self) -> None:
        """Start another iteration over the instances: addresses of meshes are no longer valid."""
        self._known.clear()

    def read(self, evaluated: bpy.types.Object, original: bpy.types.Object) -> DisplayGeometry:
        """The display geometry of an evaluated object. `original` is its original object, or the one it is part of."""
        data = evaluated.data
        if isinstance(data, bpy.types.Mesh) and not data.is_editmode:
            address = data.as_pointer()
            if address not in self._known:
                self._known[address] = self._shared(_drawn(data, original))
            return self._known[address]
        # Curves and texts have no mesh yet, and a mesh in edit mode stores its vertices elsewhere.
        try:
            mesh = evaluated.to_mesh()
            return self._shared(_drawn(mesh, original)) if mesh is not None else NOTHING_DRAWN
        finally:
            evaluated.to_mesh_clear()

    def _shared(self, drawn: DisplayGeometry) -> DisplayGeometry:
        return self._same.setdefault(_digest(drawn), drawn)


NOTHING_DRAWN = DisplayGeometry(
    NO_GEOMETRY, np.empty(0, np.int64), np.empty(0, np.int64), np.zeros(1, np.int64), np.empty((0, 2), np.int64)
)


def _drawn(mesh: bpy.types.Mesh, original: bpy.types.Object) -> DisplayGeometry:
    geometry = geometry_of(mesh)
    if not len(geometry.points):
        return NOTHING_DRAWN
    edges = edge_vertices(mesh)
    loose = np.ones(len(edges), np.bool_)
    loose[corner_edges(mesh)] = False
    sizes = _closed_splines(original) if len(mesh.polygons) else ()
    return DisplayGeometry(
        geometry=geometry,
        triangle_face=triangle_faces(mesh),
        corners=corner_vertices(mesh),
        face_start=face_starts(mesh),
        wires=edges[loose],
        curves=sizes if sum(sizes) == len(geometry.points) else (),
    )


def _digest(drawn: DisplayGeometry) -> bytes:
    content = hashlib.blake2b(repr(drawn.curves).encode())
    geometry = drawn.geometry
    arrays = (geometry.points, geometry.triangles, drawn.corners, drawn.face_start, drawn.wires)
    for array in arrays:
        content.update(len(array).to_bytes(8, "little"))
        content.update(array.tobytes())
    return content.digest()


def _closed_splines(original: bpy.types.Object) -> tuple[int, ...]:
    """The number of vertices of each spline of a filled curve. Empty if the curve is not flat or has open splines.

    The fill keeps the vertices of all splines, concatenated, whatever faces it makes.
    """
    if original.type != "CURVE":
        return ()
    curve = cast(bpy.types.Curve, original.data)
    if curve.dimensions != "2D" or not all(spline.use_cyclic_u for spline in curve.splines):
        return ()
    return tuple(_vertices_of(spline) for spline in curve.splines)


def _vertices_of(spline: bpy.types.Spline) -> int:
    if spline.type == "POLY":
        return len(spline.points)
    if spline.type == "NURBS":
        return spline.resolution_u * len(spline.points)
    points = list(spline.bezier_points)
    straight = [
        one.handle_right_type == "VECTOR" and other.handle_left_type == "VECTOR"
        for one, other in zip(points, [*points[1:], *points[:1]], strict=True)
    ]
    return sum(1 if flat else spline.resolution_u for flat in straight)
