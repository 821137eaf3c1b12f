# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the markers of contacts out of the timeline."""

import bpy

from ...i18n.lookup import report_, tip_
from ...scene import animation


class COLLISION_KIT_OT_remove_contact_markers(bpy.types.Operator):
    """Removes what Add Contact Markers has added."""

    bl_idname = "collision_kit.remove_contact_markers"
    bl_label = "Remove Contact Markers"
    bl_description = "Remove the timeline markers of contacts, except those that were renamed or moved"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be one."""
        if not animation.markers.ours(context.scene):
            cls.poll_message_set(tip_("The timeline has no contact markers"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove them."""
        count = animation.markers.remove(context.scene)
        self.report({"INFO"}, report_("{count} markers removed", count=count))
        return {"FINISHED"}
