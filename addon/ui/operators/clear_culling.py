# SPDX-License-Identifier: GPL-3.0-or-later
"""Forget what the last culling found."""

import bpy

from ...i18n.lookup import tip_
from ...session import culling_results
from ...session.collision_results import last
from ...viewport import camera_view as culling_overlay
from ...viewport import pair as pair_overlay


class COLLISION_KIT_OT_clear_culling(bpy.types.Operator):
    """Empties the panel and takes the drawing away."""

    bl_idname = "collision_kit.clear_culling"
    bl_label = "Clear Camera Culling"
    bl_description = "Clear the results of camera culling and their drawing in the viewport"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """There must be something to forget."""
        if culling_results.latest.result is None:
            cls.poll_message_set(tip_("No results: run Cull to Camera first"))
        return culling_results.latest.result is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget it, and draw the chosen pair again if the view was drawn."""
        was_drawn = culling_overlay.is_drawn()
        culling_results.latest.forget()
        if was_drawn:
            pair_overlay.show(context, last.chosen)
        return {"FINISHED"}
