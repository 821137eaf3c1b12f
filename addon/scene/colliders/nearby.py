# SPDX-License-Identifier: GPL-3.0-or-later
"""Find objects near given boxes, by their bounding boxes."""

import bpy
import numpy as np

from ....core.broad_phase import sweep_and_prune
from ....core.numerics.types import Floats
from ...model.tolerances import FLOAT32_MAX
from ..meshes.types import GEOMETRY_TYPES

# Modifiers that can show other objects, outside the object's own bounds.
_INSTANCING = frozenset({"NODES", "PARTICLE_SYSTEM"})


def nearby(context: bpy.types.Context, lower: Floats, upper: Floats) -> set[int]:
    """The `session_uid` of all objects whose bounds overlap any of these boxes, and of objects without bounds.

    Parameters
    ----------
    context : bpy.types.Context
    lower, upper : (K, 3) float64
        The boxes, in world space.
    """
    graph = context.evaluated_depsgraph_get()
    everywhere: set[int] = set()
    bounded: list[bpy.types.Object] = []
    for ob in context.scene.objects:
        if ob.type in GEOMETRY_TYPES and ob.instance_type == "NONE" and not _instances(ob):
            bounded.append(ob)
        else:
            everywhere.add(ob.session_uid)
    if not bounded:
        return everywhere
    found = [ob.evaluated_get(graph) for ob in bounded]
    corners = np.array([ob.bound_box for ob in found], dtype=np.float64).reshape(-1, 8, 3)
    matrix = np.array([ob.matrix_world for ob in found], dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        placed = corners @ matrix[:, :3, :3].transpose(0, 2, 1) + matrix[:, None, :3, 3]
    # A coordinate that is not finite gives no place.
    finite = np.flatnonzero((np.abs(placed) < FLOAT32_MAX).all(axis=(1, 2)))
    count = len(finite)
    low, high = placed[finite].min(axis=1), placed[finite].max(axis=1)
    pairs = sweep_and_prune(np.concatenate([low, lower]), np.concatenate([high, upper]))
    rows = finite[np.unique(pairs[(pairs[:, 0] < count) & (pairs[:, 1] >= count), 0])]
    return everywhere | {bounded[row].session_uid for row in rows.tolist()}


def _instances(ob: bpy.types.Object) -> bool:
    return any(modifier.type in _INSTANCING for modifier in ob.modifiers)
