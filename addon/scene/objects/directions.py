# SPDX-License-Identifier: GPL-3.0-or-later
"""Named directions in which objects are moved."""

import bpy
import numpy as np
from mathutils import Vector

from ....core.numerics.types import Floats
from ...model.errors import UserError
from . import moving
from .selection import view_3d

NAMES = ("DOWN", "GRAVITY", "VIEW", "X", "Y", "Z", "NEGATIVE_X", "NEGATIVE_Y", "NEGATIVE_Z")


def direction(context: bpy.types.Context, ob: bpy.types.Object, name: str) -> Floats:
    """The direction with this name, one of `NAMES`, for an object: a unit vector (3,).

    Raises
    ------
    UserError
        If there is no such direction.
    """
    if name == "DOWN":
        return np.array([0.0, 0.0, -1.0])
    if name == "GRAVITY":
        return _gravity(context.scene)
    if name == "VIEW":
        view = view_3d(context)
        space = view[1].spaces.active if view is not None else None
        if not isinstance(space, bpy.types.SpaceView3D) or space.region_3d is None:
            raise UserError("No 3D viewport to take the direction from")
        return _unit(
            np.array(space.region_3d.view_rotation @ Vector((0.0, 0.0, -1.0)), dtype=np.float64),
            UserError("No 3D viewport to take the direction from"),
        )
    axis = moving.axis_of(ob, "XYZ".index(name[-1]))
    sign = -1.0 if name.startswith("NEGATIVE") else 1.0
    return _unit(sign * axis, UserError('"{name}" has zero scale along that axis', name=ob.name))


def direction_of_gravity(scene: bpy.types.Scene) -> Floats:
    """The direction in which things fall: that of the scene's gravity, or −Z if it has none; a unit vector (3,)."""
    try:
        return _gravity(scene)
    except UserError:
        return np.array([0.0, 0.0, -1.0])


def _gravity(scene: bpy.types.Scene) -> Floats:
    return _unit(np.array(scene.gravity, dtype=np.float64), UserError("The scene has no gravity"))


def _unit(vector: Floats, problem: UserError) -> Floats:
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise problem
    return vector / length
