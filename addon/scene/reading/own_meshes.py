# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluated meshes of the tested objects, for a check of each mesh against itself."""

from collections.abc import Mapping
from typing import NamedTuple

import bpy
import numpy as np

from ....core.numerics.types import Floats, Ints
from ...model.report import ObjectKey
from ..meshes.arrays import triangle_faces
from ..meshes.geometry import geometry_of
from .scene_snapshot import instances_of, take_snapshot


class OwnMesh(NamedTuple):
    """The evaluated mesh of an object or instance.

    Attributes
    ----------
    key : ObjectKey
    name : str
        The name of the object.
    points : (n, 3) float64
        In world space.
    local : (n, 3) float64
        As stored.
    matrix : (4, 4) float64
        From `local` to the world.
    triangles : (m, 3) int64
    faces : (m,) int64
        The face of each triangle.
    """

    key: ObjectKey
    name: str
    points: Floats
    local: Floats
    matrix: Floats
    triangles: Ints
    faces: Ints


def own_meshes(context: bpy.types.Context, wanted: Mapping[ObjectKey, int], *, every: bool = False) -> list[OwnMesh]:
    """Read the meshes of these objects and instances. Each instanced object is read once, unless `every`.

    Parameters
    ----------
    context : bpy.types.Context
    wanted : mapping of ObjectKey to int
        What to read; the values are not used. Objects without faces, or with a coordinate that is not finite, are left
        out.
    every : bool
        Whether each instance is read.
    """
    depsgraph = context.evaluated_depsgraph_get()
    snapshot, _ = take_snapshot(context, depsgraph)
    keys = {shown.position: ObjectKey(shown.uid, shown.host, shown.persistent_id) for shown in snapshot.shown}
    found, seen = [], set[int]()
    for position, instance in instances_of(depsgraph):
        key = keys.get(position)
        ob = instance.object
        if key is None or key not in wanted or ob.type != "MESH":
            continue
        if key.instancer_uid and key.session_uid in seen and not every:
            continue
        seen.add(key.session_uid)
        try:
            mesh = ob.to_mesh()
            geometry, faces = geometry_of(mesh), triangle_faces(mesh)
        finally:
            ob.to_mesh_clear()
        if not len(geometry.triangles) or not geometry.is_finite:
            continue
        matrix = np.array(instance.matrix_world, dtype=np.float64)
        points = geometry.points @ matrix[:3, :3].T + matrix[:3, 3]
        if np.isfinite(points).all():
            found.append(OwnMesh(key, ob.original.name, points, geometry.points, matrix, geometry.triangles, faces))
    return found
