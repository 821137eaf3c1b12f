# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the chosen pair alone, and everything again."""

import bpy

from ...i18n.lookup import report_, tip_
from ...scene.objects import local_view
from ...session import isolation
from ...session.collision_results import last
from .results_poll import chosen_missing


class COLLISION_KIT_OT_isolate_pair(bpy.types.Operator):
    """Takes everything else out of sight, for as long as one looks."""

    bl_idname = "collision_kit.isolate_pair"
    bl_label = "Isolate Pair"
    bl_description = (
        "Show only the objects of the active result in this 3D viewport, or restore what was shown. "
        "Visibility settings are not changed"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a chosen pair and a 3D view, or one that shows a pair alone."""
        if isolation.is_on(context):
            return True
        missing = chosen_missing(context)
        if not missing and local_view.of(context) is None:
            missing = tip_("No 3D viewport")
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Start it, or end it."""
        if isolation.is_on(context):
            isolation.stop(context)
        elif not isolation.start(context):
            self.report({"WARNING"}, report_("Both objects are hidden: nothing to show"))
            return {"CANCELLED"}
        else:
            # Seen alone, it has been looked at: the next result comes after it.
            last.framed = True
        return {"FINISHED"}
