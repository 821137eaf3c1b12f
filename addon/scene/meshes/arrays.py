# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrays of a mesh: an evaluated one, or an object's own, to which Edit Mode is written back first."""

from typing import Any, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.numerics.types import Bools, Ints


def own_mesh(ob: bpy.types.Object) -> bpy.types.Mesh:
    """The mesh of a mesh object, without modifiers and with the changes of edit mode."""
    if cast(bpy.types.Mesh, ob.data).is_editmode:
        ob.update_from_editmode()
    return cast(bpy.types.Mesh, ob.data)


def positions(mesh: bpy.types.Mesh) -> NDArray[np.float32]:
    """The positions of the vertices, (n, 3)."""
    # In Edit Mode, attributes belong to another copy of the mesh. The vertices are those written back last.
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def evaluated_positions(mesh: bpy.types.Mesh) -> NDArray[np.float32]:
    """`positions` of a mesh, many times faster if it is not in Edit Mode."""
    if mesh.is_editmode:
        return positions(mesh)
    found = np.empty(3 * len(mesh.vertices), np.float32)
    if len(found):
        cast(bpy.types.FloatVectorAttribute, mesh.attributes["position"]).data.foreach_get("vector", found)
    return found.reshape(-1, 3)


def edge_vertices(mesh: bpy.types.Mesh) -> Ints:
    """The vertices of each edge, (e, 2)."""
    return _integers(mesh.edges, "vertices", 2).reshape(-1, 2)


def corner_vertices(mesh: bpy.types.Mesh) -> Ints:
    """The vertex of each face corner, the faces one after another, (c,)."""
    return _integers(mesh.loops, "vertex_index")


def corner_edges(mesh: bpy.types.Mesh) -> Ints:
    """The edge from each face corner to the next, (c,)."""
    return _integers(mesh.loops, "edge_index")


def face_starts(mesh: bpy.types.Mesh) -> Ints:
    """The first corner of each face, followed by the number of all corners, (f + 1,)."""
    return np.append(_integers(mesh.polygons, "loop_start"), len(mesh.loops))


def triangle_vertices(mesh: bpy.types.Mesh) -> Ints:
    """The vertices of each triangle, (m, 3)."""
    return _of_triangles(mesh, "vertices", 3).reshape(-1, 3)


def triangle_corners(mesh: bpy.types.Mesh) -> Ints:
    """The face corners (`loops`) of each triangle, (m, 3)."""
    return _of_triangles(mesh, "loops", 3).reshape(-1, 3)


def triangle_faces(mesh: bpy.types.Mesh) -> Ints:
    """The face that each triangle belongs to, (m,)."""
    return _of_triangles(mesh, "polygon_index")


def selected_faces(mesh: bpy.types.Mesh) -> Bools:
    """Whether each face is selected, (f,)."""
    found = np.empty(len(mesh.polygons), bool)
    mesh.polygons.foreach_get("select", found)
    return found


def _of_triangles(mesh: bpy.types.Mesh, name: str, columns: int = 1) -> Ints:
    mesh.calc_loop_triangles()
    return _integers(mesh.loop_triangles, name, columns)


def _integers(elements: Any, name: str, columns: int = 1) -> Ints:
    found = np.empty(columns * len(elements), np.int32)
    elements.foreach_get(name, found)
    return found.astype(np.int64)


def strongest_groups(evaluated: bpy.types.Object) -> Ints:
    """The vertex group in which each vertex of an evaluated object has its largest weight, (n,). -1: none."""
    try:
        mesh = evaluated.to_mesh()
        best = [max(vertex.groups, key=lambda one: one.weight, default=None) for vertex in mesh.vertices]
        return np.array([-1 if one is None or not one.weight else one.group for one in best], dtype=np.int64)
    finally:
        evaluated.to_mesh_clear()
