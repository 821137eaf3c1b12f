# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the drawing of convex pieces away."""

import bpy

from ...i18n.lookup import tip_
from ...viewport import convex_pieces


class COLLISION_KIT_OT_hide_convex_pieces(bpy.types.Operator):
    """Takes the drawing of the pieces away."""

    bl_idname = "collision_kit.hide_convex_pieces"
    bl_label = "Hide Convex Pieces of Outline"
    bl_description = "Remove the convex pieces from the viewport and draw the active pair again"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """They must be drawn."""
        if convex_pieces.shown() is None:
            cls.poll_message_set(tip_("No convex pieces are drawn"))
        return convex_pieces.shown() is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Draw the chosen pair, or nothing."""
        convex_pieces.hide_and_show_pair(context)
        return {"FINISHED"}
