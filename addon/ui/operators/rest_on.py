# SPDX-License-Identifier: GPL-3.0-or-later
"""Move objects along a direction until they touch something."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ... import fixes, scene
from ...i18n import CONTEXT
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
        chosen, active = list(context.selected_objects), context.view_layer.objects.active
        if not chosen and active is not None:
            chosen = [active]
        self._count = len(chosen)
        return self._run(context, chosen)

    def _run(self, context: bpy.types.Context, chosen: list[bpy.types.Object]) -> Steps:
        ways = {ob.session_uid: scene.objects.directions.direction(context, ob, self.direction) for ob in chosen}
        return (yield from fixes.moving.rest_on_steps(context, ways, separate_first=self.separate_first))
