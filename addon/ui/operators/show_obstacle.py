# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the configuration space obstacle of two objects."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_, tip_
from ...i18n.units import length_text
from ...model.errors import UserError
from ...viewport import obstacle

PLACEMENTS = (
    (
        "AT_A",
        "Around A",
        "Around the object that stays: the space that the other's origin must keep out of",
    ),
    ("ORIGIN", "At World Origin", "As A − B is defined: around the world's origin, which lies in it if they collide"),
)


class COLLISION_KIT_OT_show_obstacle(bpy.types.Operator):
    """Shows two bodies as one body and a point, which is how collision algorithms see them."""

    bl_idname = "collision_kit.show_obstacle"
    bl_label = "Show Configuration Space Obstacle"
    bl_description = (
        "Draw A − B, every difference between a point of A and a point of B. A is the active object, which "
        "stays; B is the other selected one, or both are those of the chosen result. They collide exactly if the "
        "origin that is drawn lies inside, and the arrow is the shortest way for B to touch or to get free"
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
            text = report_("The origin lies {length} deep in the obstacle: they collide", length=length)
        else:
            text = report_("The origin is {length} away from the obstacle: they are apart", length=length)
        self.report({"INFO"}, text)
        return {"FINISHED"}
