# SPDX-License-Identifier: GPL-3.0-or-later
"""Forget what the last check of motion found."""

import bpy

from ...i18n.lookup import tip_
from ...session import motion_results
from ...session.collision_results import last
from ...viewport import motion_contact as motion_overlay
from ...viewport import pair as pair_overlay


class COLLISION_KIT_OT_clear_motion(bpy.types.Operator):
    """Empties the list of contacts and takes the drawing away."""

    bl_idname = "collision_kit.clear_motion"
    bl_label = "Clear Motion Results"
    bl_description = "Clear the list of contacts and their drawing in the viewport. Timeline markers are kept"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """There must be something to forget."""
        if motion_results.latest.result is None:
            cls.poll_message_set(tip_("No results: run Check Motion first"))
        return motion_results.latest.result is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget it, and draw the chosen pair of the collision check again if a contact was drawn."""
        was_drawn = motion_overlay.is_drawn()
        motion_results.latest.forget()
        if was_drawn:
            pair_overlay.show(context, last.chosen)
        return {"FINISHED"}
