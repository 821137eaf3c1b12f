# SPDX-License-Identifier: GPL-3.0-or-later
"""Select again what the last check tested."""

import bpy

from ...i18n.lookup import report_, tip_
from ...scene import events
from ...scene.objects import selection
from ...session.collision_results import last


class COLLISION_KIT_OT_select_checked(bpy.types.Operator):
    """The way back from one pair to all that was checked, so that the same selection can be checked again."""

    bl_idname = "collision_kit.select_checked"
    bl_label = "Select Checked Objects"
    bl_description = "Select all objects that the last check tested, for example to check them again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a report of this scene."""
        if last.report is None:
            cls.poll_message_set(tip_("No results: run Check Collisions first"))
            return False
        if events.place(context) != last.place:
            cls.poll_message_set(tip_("The results belong to another scene or view layer"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, as far as they still exist and can be seen."""
        keys = [body.key for body in last.report.bodies] if last.report is not None else []
        selected = selection.select_objects(context, keys)
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"} if selected else {"CANCELLED"}
