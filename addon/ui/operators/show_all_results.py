# SPDX-License-Identifier: GPL-3.0-or-later
"""List all results again."""

import bpy

from ...i18n.lookup import tip_
from ...scene.settings import results_list
from ...session.collision_results import last

# What hides results; the order and the grouping are left as they are.
FILTERS = ("contained", "penetrating", "touching", "within_clearance", "accepted", "only_new", "text", "depth")


class COLLISION_KIT_OT_show_all_results(bpy.types.Operator):
    """Takes every filter off the list."""

    bl_idname = "collision_kit.show_all_results"
    bl_label = "Show All Collision Results"
    bl_description = "Reset the filters so that all results are listed"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results."""
        if last.report is None:
            cls.poll_message_set(tip_("No results: run Check Collisions first"))
        return last.report is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset them."""
        view = results_list(context.window_manager).view
        for name in FILTERS:
            view.property_unset(name)
        return {"FINISHED"}
