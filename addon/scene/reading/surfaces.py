# SPDX-License-Identifier: GPL-3.0-or-later
"""The visible surfaces of objects, as world space triangles for pictures."""

from dataclasses import dataclass
from typing import cast

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ....core.numerics.vectors import cross
from ...model.report import ObjectKey
from ..meshes.arrays import positions, triangle_corners, triangle_vertices
from ..meshes.types import GEOMETRY_TYPES
from .body_tree import body_tree, is_collider
from .items import scene_items
from .scene_snapshot import instances_of


@dataclass(frozen=True)
class ObjectSurface:
    """The triangles of one object or of one instance of it.

    Attributes
    ----------
    body : ObjectKey or None
        The body that it belongs to, as in a report. None: made for a picture.
    collider : bool
        Whether it is a collider for another surface of its body, which is the visible one.
    shown : bool
        Whether a picture of the scene shows it: it is rendered, and not displayed as wire or bounds.
    triangles : (T, 3, 3) float64
        Corners in world coordinates.
    normals : (T, 3, 3) float64
        Unit normals at the corners, as used for shading.
    """

    body: ObjectKey | None
    collider: bool
    shown: bool
    triangles: Floats
    normals: Floats


def scene_surfaces(context: bpy.types.Context) -> list[ObjectSurface]:
    """Every surface that the view layer shows in the current frame, including instances."""
    depsgraph = context.evaluated_depsgraph_get()
    items, matrices, _ = scene_items(context, depsgraph)
    root = body_tree(items).root
    row_at = {item.position: row for row, item in enumerate(items) if item.position >= 0}
    # By object and datablock, because the iteration yields the same temporary object for all.
    local: dict[tuple[int, int], tuple[Floats, Floats]] = {}
    surfaces = []
    for position, instance in instances_of(depsgraph):
        evaluated, row = instance.object, row_at.get(position)
        if row is None or evaluated.type not in GEOMETRY_TYPES or not np.isfinite(matrices[row]).all():
            continue
        source = evaluated.original.session_uid, cast(bpy.types.ID, evaluated.data).as_pointer()
        if source not in local:
            local[source] = _local_triangles(evaluated)
        triangles, normals = local[source]
        if not len(triangles):
            continue
        linear, translation = matrices[row, :3, :3], matrices[row, :3, 3]
        surfaces.append(
            ObjectSurface(
                body=items[root[row]].key,
                collider=root[row] != row and is_collider(items[row]),
                shown=not evaluated.hide_render and evaluated.display_type not in {"WIRE", "BOUNDS"},
                triangles=triangles @ linear.T + translation,
                normals=_turned(normals, linear),
            )
        )
    return surfaces


def _local_triangles(evaluated: bpy.types.Object) -> tuple[Floats, Floats]:
    """Triangles and corner normals (T, 3, 3) of an evaluated object, in object space."""
    data = evaluated.data
    # The mesh of an instance made by nodes is only available here. That of a mesh in Edit Mode, or of an object without
    # a mesh, is only available below.
    if isinstance(data, bpy.types.Mesh) and not data.is_editmode:
        return _mesh_triangles(data)
    try:
        mesh = evaluated.to_mesh()
        return _mesh_triangles(mesh) if mesh is not None else (np.empty((0, 3, 3)), np.empty((0, 3, 3)))
    finally:
        evaluated.to_mesh_clear()


def _mesh_triangles(mesh: bpy.types.Mesh) -> tuple[Floats, Floats]:
    normal = np.empty(3 * len(mesh.loops), np.float32)
    mesh.corner_normals.foreach_get("vector", normal)
    triangles = positions(mesh)[triangle_vertices(mesh)].astype(np.float64)
    normals = normal.reshape(-1, 3)[triangle_corners(mesh)].astype(np.float64)
    usable = np.isfinite(triangles).all(axis=(1, 2)) & np.isfinite(normals).all(axis=(1, 2))
    return triangles[usable], normals[usable]


def _turned(normals: Floats, linear: Floats) -> Floats:
    """Normals under a linear map, by its cofactor matrix, which exists even if the map is singular."""
    cofactors = np.stack([cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1])])
    turned = normals @ cofactors.T
    size = np.linalg.norm(turned, axis=-1, keepdims=True)
    return np.divide(turned, size, out=np.zeros_like(turned), where=size > 0.0)
