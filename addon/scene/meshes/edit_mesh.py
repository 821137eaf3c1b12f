# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh that one edits, before modifiers: read for checks that name its edges, and edges selected in it."""

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
        Turned and scaled as the object is, about its origin; float32 tells how far they are rounded.
    triangles : (m, 3) int64
    polygons : (m,) int64
        The face that each triangle is part of.
    """

    points: NDArray[np.float32]
    triangles: Ints
    polygons: Ints


class Fingerprint(NamedTuple):
    """What is equal as long as an object's own mesh and its turning and scaling are."""

    vertices: int
    position: int
    corners: int
    linear: bytes


def read_editable(ob: bpy.types.Object) -> EditableMesh | None:
    """Read the mesh of an original mesh object, as it is now in edit mode, too; None if it has no vertices.

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
    """Whether an object shows a mesh other than the one that is edited."""
    return any(modifier.show_viewport for modifier in ob.modifiers)


def fingerprint(ob: bpy.types.Object) -> Fingerprint:
    """Return the fingerprint of a mesh object; of one in edit mode, as it was when that was entered."""
    mesh = cast(bpy.types.Mesh, ob.data)
    corner = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corner)
    linear = _linear(ob).astype(np.float32).tobytes()
    return Fingerprint(len(mesh.vertices), zlib.crc32(positions(mesh).tobytes()), zlib.crc32(corner.tobytes()), linear)


def select_edges(ob: bpy.types.Object, pairs: Ints, polygons: Iterable[int]) -> int:
    """Select these edges of a mesh in edit mode, and all edges of these faces; show what of it is hidden.

    Parameters
    ----------
    ob : bpy.types.Object
        In edit mode, with nothing selected, edges being what is selected.
    pairs : (K, 2) array of int
        The vertices of each edge, the lower first. Those of no edge are passed over.
    polygons : iterable of int

    Returns
    -------
    int
        How many edges are selected now.
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
