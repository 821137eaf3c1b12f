# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the mesh in Edit Mode, before modifiers, for checks that report its edges, and select edges in it."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.numerics.types import Floats, Ints
from ...model.errors import UserError
from ...model.tolerances import FLOAT32_MAX
from .arrays import own_mesh, positions, triangle_faces, triangle_vertices


@dataclass(frozen=True, eq=False)
class EditableMesh:
    """The vertices and triangles of a mesh that can be edited.

    Attributes
    ----------
    points : (n, 3) float32
        Relative to the object's origin, rotated and scaled like the object. The type float32 implies the rounding.
    triangles : (m, 3) int64
    polygons : (m,) int64
        The face that each triangle belongs to.
    """

    points: NDArray[np.float32]
    triangles: Ints
    polygons: Ints


class Fingerprint(NamedTuple):
    """A value that is constant while an object's own mesh, rotation and scale are unchanged."""

    vertices: int
    position: int
    corners: int
    linear: bytes


def read_editable(ob: bpy.types.Object) -> EditableMesh | None:
    """Read the mesh of an original mesh object, also in Edit Mode. None if it has no vertices.

    Raises
    ------
    UserError
        If a coordinate is not finite.
    """
    mesh = own_mesh(ob)
    if not len(mesh.vertices):
        return None
    points = (positions(mesh).astype(np.float64) @ _linear(ob).T).astype(np.float32)
    if not (np.abs(points) < FLOAT32_MAX).all():
        raise UserError('"{name}" has a vertex coordinate that is infinite or not a number', name=ob.name)
    return EditableMesh(points, triangle_vertices(mesh), triangle_faces(mesh))


def is_modified(ob: bpy.types.Object) -> bool:
    """Whether an object displays another mesh than the one that is edited."""
    return any(modifier.show_viewport for modifier in ob.modifiers)


def fingerprint(ob: bpy.types.Object) -> Fingerprint:
    """The fingerprint of a mesh object. In Edit Mode, that of the mesh when Edit Mode was entered."""
    mesh = cast(bpy.types.Mesh, ob.data)
    corner = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corner)
    linear = _linear(ob).astype(np.float32).tobytes()
    return Fingerprint(len(mesh.vertices), zlib.crc32(positions(mesh).tobytes()), zlib.crc32(corner.tobytes()), linear)


def select_edges(ob: bpy.types.Object, pairs: Ints, polygons: Iterable[int]) -> int:
    """Select these edges of a mesh in Edit Mode, and all edges of these faces. Hidden ones are revealed.

    Parameters
    ----------
    ob : bpy.types.Object
        In Edit Mode, in edge selection mode, with nothing selected.
    pairs : (K, 2) array of int
        The vertices of each edge, the lower first. Pairs that are not edges are ignored.
    polygons : iterable of int

    Returns
    -------
    int
        The number of selected edges.
    """
    mesh = cast(bpy.types.Mesh, ob.data)
    edit = bmesh.from_edit_mesh(mesh)
    edit.verts.ensure_lookup_table()
    edit.faces.ensure_lookup_table()
    chosen = [edit.edges.get([edit.verts[a], edit.verts[b]]) for a, b in pairs.tolist()]
    wanted = {edge for edge in chosen if edge is not None}
    wanted.update(edge for polygon in polygons for edge in edit.faces[polygon].edges)
    for edge in wanted:
        edge.hide_set(False)
        edge.select_set(True)
    edit.select_flush_mode()
    bmesh.update_edit_mesh(mesh, loop_triangles=False, destructive=False)
    return len(wanted)


def _linear(ob: bpy.types.Object) -> Floats:
    return np.array(ob.matrix_world, dtype=np.float64)[:3, :3]
