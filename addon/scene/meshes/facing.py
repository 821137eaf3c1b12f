# SPDX-License-Identifier: GPL-3.0-or-later
"""The side that the faces of a flat mesh face. The hull that it is tested as has no such side."""

from typing import TYPE_CHECKING

import bpy

from ...model.report import ObjectKey
from ...system.late import np
from ..open_file import objects_by_uid

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


def facing(key: ObjectKey, name: str) -> "Floats | None":
    """The sum of an object's face normals in world space, weighted by area, (3,). None if unknown.

    Parameters
    ----------
    key : ObjectKey
        The body. Unknown for instances.
    name : str
        The name of the object of the body.
    """
    ob = objects_by_uid([key.session_uid]).get(key.session_uid)
    if ob is None or key.instancer_uid or ob.name != name:
        return None
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    if mesh is None:
        return None
    count = len(mesh.polygons)
    normals, areas = np.empty(3 * count, np.float32), np.empty(count, np.float32)
    mesh.polygons.foreach_get("normal", normals)
    mesh.polygons.foreach_get("area", areas)
    evaluated.to_mesh_clear()
    total = (normals.reshape(-1, 3).astype(np.float64) * areas[:, None]).sum(axis=0)
    linear = np.array(evaluated.matrix_world, dtype=np.float64)[:3, :3]
    # Normals are transformed by the cofactor matrix, which needs no inverse. A mirrored object shows the same sides.
    first, second, third = linear.T
    cofactors = np.stack([np.cross(second, third), np.cross(third, first), np.cross(first, second)], axis=1)
    turned: Floats = np.sign(first @ cofactors[:, 0]) * (cofactors @ total)
    return turned
