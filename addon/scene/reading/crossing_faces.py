# SPDX-License-Identifier: GPL-3.0-or-later
"""The surfaces that an edited mesh is tested against, and selection of faces in it."""

from collections.abc import Set
from typing import cast

import bmesh
import bpy
import numpy as np

from ....core.mesh.triangle_mesh import TriangleMesh
from ....core.numerics.types import Ints
from ..meshes.geometry import GeometryReader
from ..meshes.types import GEOMETRY_TYPES
from ..objects.visibility import hidden_reason
from .scene_snapshot import instances_of


def surfaces_of(context: bpy.types.Context, uids: Set[int]) -> list[TriangleMesh]:
    """Read the world space surfaces of objects, and of what they instance, with modifiers.

    Parameters
    ----------
    context : bpy.types.Context
    uids : set of int
        The `session_uid` of each object. Hidden objects, and objects without faces or with an invalid coordinate, are
        left out.
    """
    depsgraph = context.evaluated_depsgraph_get()
    reader, found = GeometryReader(), []
    hidden: dict[int, bool] = {}
    for _, instance in instances_of(depsgraph):
        host = (instance.parent if instance.is_instance else instance.object).original
        uid = host.session_uid
        if uid not in uids or not instance.show_self or instance.object.type not in GEOMETRY_TYPES:
            continue
        if uid not in hidden:
            hidden[uid] = bool(hidden_reason(host, context.view_layer))
        geometry = None if hidden[uid] else reader.read(instance.object)
        if geometry is not None and len(geometry.triangles) and geometry.is_finite:
            matrix = np.array(instance.matrix_world, dtype=np.float64)
            points = geometry.points @ matrix[:3, :3].T + matrix[:3, 3]
            if np.isfinite(points).all():
                found.append(TriangleMesh(points, geometry.triangles))
    return found


def select_faces(ob: bpy.types.Object, faces: Ints, *, extend: bool) -> int:
    """Select these faces of a mesh in Edit Mode, and reveal hidden ones. Returns the number of selected faces."""
    mesh = cast(bpy.types.Mesh, ob.data)
    edit = bmesh.from_edit_mesh(mesh)
    edit.faces.ensure_lookup_table()
    if not extend:
        for face in edit.faces:
            face.select_set(False)
    for index in faces.tolist():
        edit.faces[index].hide_set(False)
        edit.faces[index].select_set(True)
    edit.select_flush_mode()
    count = sum(face.select for face in edit.faces)
    bmesh.update_edit_mesh(mesh, loop_triangles=False, destructive=False)
    return count
