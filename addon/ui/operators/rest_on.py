# SPDX-License-Identifier: GPL-3.0-or-later
"""Move objects along a direction until they touch something."""

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty
from mathutils import Vector

from ....core.numerics.types import Floats
from ...fixes.moving import rest_on_steps
from ...i18n import CONTEXT
from ...model.errors import UserError
from ...scene.objects import moving
from ...scene.objects.selection import view_3d
from .modal_steps import Steps
from .separate import MovesObjects

DIRECTIONS = (
    ("DOWN", "Down", "Along the world's −Z axis"),
    ("GRAVITY", "Gravity", "Along the scene's gravity"),
    ("VIEW", "View", "Along the view direction of the 3D viewport"),
    ("X", "Local X", "Along each object's local X axis"),
    ("Y", "Local Y", "Along each object's local Y axis"),
    ("Z", "Local Z", "Along each object's local Z axis"),
    ("NEGATIVE_X", "Local −X", "Against each object's local X axis"),
    ("NEGATIVE_Y", "Local −Y", "Against each object's local Y axis"),
    ("NEGATIVE_Z", "Local −Z", "Against each object's local Z axis"),
)


class COLLISION_KIT_OT_rest_on(MovesObjects):
    """Puts things down where they stand."""

    bl_idname = "collision_kit.rest_on"
    bl_label = "Drop to Surface"
    bl_description = (
        "Drop each selected object along a direction until it touches something. Objects that "
        "already overlap or would hit nothing stay put"
    )
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(
        name="Direction",
        description="Direction in which the objects are moved",
        translation_context=CONTEXT,
        items=DIRECTIONS,
        default="DOWN",
    )
    separate_first: BoolProperty(
        name="Push Apart First",
        description="Push overlapping objects apart before they are dropped. Otherwise they stay put",
        default=False,
    )

    def begin(self, context: bpy.types.Context) -> Steps:
        """Move the selected objects or, if none are, the active one."""
        chosen = list(context.selected_objects) or [context.view_layer.objects.active]
        self._count = len(chosen)
        return self._run(context, chosen)

    def _run(self, context: bpy.types.Context, chosen: list[bpy.types.Object]) -> Steps:
        directions = {ob.session_uid: direction(context, ob, self.direction) for ob in chosen}
        return (yield from rest_on_steps(context, directions, separate_first=self.separate_first))


def direction(context: bpy.types.Context, ob: bpy.types.Object, name: str) -> Floats:
    """Return the direction of this name for an object, a unit vector (3,).

    Raises
    ------
    ValueError
        If there is none.
    """
    if name == "DOWN":
        return np.array([0.0, 0.0, -1.0])
    if name == "GRAVITY":
        return _unit(np.array(context.scene.gravity, dtype=np.float64), UserError("The scene has no gravity"))
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


def _unit(vector: Floats, problem: UserError) -> Floats:
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise problem
    return vector / length
