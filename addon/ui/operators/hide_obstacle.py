# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the drawing of the configuration space obstacle away."""

import bpy

from ...i18n.lookup import tip_
from ...session.collision_results import last
from ...viewport import obstacle, stage
from ...viewport import pair as pair_overlay


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
