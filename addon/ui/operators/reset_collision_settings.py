# SPDX-License-Identifier: GPL-3.0-or-later
"""Set objects back to what they are without settings."""

import bpy

from ...i18n.lookup import report_, tip_
from ...scene.objects import collision_settings
from ...scene.objects.some_selected import may_be_selected, some_selected
from ...scene.objects.traits import is_own


class COLLISION_KIT_OT_reset_collision_settings(bpy.types.Operator):
    """Unsets the collision settings of the selected objects."""

    bl_idname = "collision_kit.reset_collision_settings"
    bl_label = "Reset Collision Settings"
    bl_description = "Reset the collision settings of the selected objects to their defaults. Collider data is kept"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must be selected that has settings."""
        text = ""
        if not some_selected(context):
            text = tip_("Select the objects to reset")
        elif not may_be_selected(context, _may_be_reset):
            text = tip_("The selected objects have default collision settings")
            if may_be_selected(context, collision_settings.is_set):
                text = tip_("The selected objects are linked: change them in their own file")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Unset them."""
        chosen = [ob for ob in context.selected_objects if _may_be_reset(ob)]
        for ob in chosen:
            collision_settings.reset(ob)
        if not chosen:
            self.report({"WARNING"}, report_("The selected objects have default collision settings"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("Collision settings of {count} objects reset", count=len(chosen)))
        return {"FINISHED"}


def _may_be_reset(ob: bpy.types.Object) -> bool:
    return collision_settings.is_set(ob) and is_own(ob)
