# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the configuration space obstacle of two objects, and hide it."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_, tip_
from ...i18n.units import length_text
from ...model.errors import UserError
from ...session.collision_results import last
from ...viewport import obstacle, stage
from ...viewport import pair as pair_overlay

PLACEMENTS = (
    (
        "AT_A",
        "Around A",
        "Around the first object: the region that the other object's origin must stay out of",
    ),
    ("ORIGIN", "At World Origin", "Around the world origin, as A − B is defined"),
)


class COLLISION_KIT_OT_show_obstacle(bpy.types.Operator):
    """Shows two bodies as one body and a point, which is how collision algorithms see them."""

    bl_idname = "collision_kit.show_obstacle"
    bl_label = "Show Configuration Space Obstacle"
    bl_description = (
        "Draw the Minkowski difference A − B of two objects. They collide if the origin is inside; "
        "the arrow is the shortest way out"
    )
    bl_options = {"REGISTER"}

    placement: EnumProperty(
        name="Placement",
        description="Where the obstacle is drawn",
        translation_context=CONTEXT,
        items=PLACEMENTS,
        default="AT_A",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be two objects, or a chosen result."""
        missing = obstacle.missing(context)
        if missing:
            cls.poll_message_set(tip_(missing))
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Draw it, and say where the origin is."""
        try:
            shown = obstacle.show(context, obstacle.find_subject(context), self.placement)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        length = length_text(abs(shown.distance), context.scene.unit_settings)
        if shown.distance < 0.0:
            text = report_("Collision: the origin is {length} deep inside the obstacle", length=length)
        else:
            text = report_("No collision: the origin is {length} away from the obstacle", length=length)
        self.report({"INFO"}, text)
        return {"FINISHED"}


class COLLISION_KIT_OT_hide_obstacle(bpy.types.Operator):
    """Takes the drawing of the obstacle away."""

    bl_idname = "collision_kit.hide_obstacle"
    bl_label = "Hide Configuration Space Obstacle"
    bl_description = "Remove the obstacle from the viewport and draw the active pair again"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """It must be drawn."""
        if obstacle.shown() is None:
            cls.poll_message_set(tip_("No obstacle is drawn"))
        return obstacle.shown() is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Draw the chosen pair, or nothing."""
        stage.clear()
        pair_overlay.show(context, last.chosen)
        return {"FINISHED"}
