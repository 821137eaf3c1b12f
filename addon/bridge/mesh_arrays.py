# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrays of a mesh, as it is now: one in edit mode is written back before."""

from typing import cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.results import Bools, Ints


def own_mesh(ob: bpy.types.Object) -> bpy.types.Mesh:
    """The mesh of a mesh object, without modifiers and with what has been edited."""
    if ob.mode == "EDIT":
        ob.update_from_editmode()
    return cast(bpy.types.Mesh, ob.data)


def positions(mesh: bpy.types.Mesh) -> NDArray[np.float32]:
    """The vertices, (n, 3)."""
    # In edit mode the attributes are those of another copy; the vertices are what was last written back.
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def triangle_vertices(mesh: bpy.types.Mesh) -> Ints:
    """The vertices of each triangle, (m, 3)."""
    return _of_triangles(mesh, "vertices", 3).reshape(-1, 3)


def triangle_corners(mesh: bpy.types.Mesh) -> Ints:
    """The corners of faces (`loops`) that each triangle has, (m, 3)."""
    return _of_triangles(mesh, "loops", 3).reshape(-1, 3)


def triangle_faces(mesh: bpy.types.Mesh) -> Ints:
    """The face that each triangle is part of, (m,)."""
    return _of_triangles(mesh, "polygon_index", 1)


def selected_faces(mesh: bpy.types.Mesh) -> Bools:
    """Whether each face is selected, (f,)."""
    found = np.empty(len(mesh.polygons), bool)
    mesh.polygons.foreach_get("select", found)
    return found


def _of_triangles(mesh: bpy.types.Mesh, name: str, columns: int) -> Ints:
    mesh.calc_loop_triangles()
    found = np.empty(columns * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get(name, found)
    return found.astype(np.int64)
