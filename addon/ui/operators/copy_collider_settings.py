# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy settings from one collider to others."""

import bpy
from bpy.props import EnumProperty

from ... import scene
from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene.objects.owners import is_collider
from ...scene.objects.some_selected import may_be_selected
from ...scene.objects.traits import is_own

WHAT = (
    ("DISPLAY", "Display", "Display type and render visibility"),
    ("COLLECTION", "Collections", "Collections that the collider is in"),
    ("SHAPE", "Shape", "Collision shape setting"),
)


class COLLISION_KIT_OT_copy_collider_settings(bpy.types.Operator):
    """Makes colliders alike in all but form and place."""

    bl_idname = "collision_kit.copy_collider_settings"
    bl_label = "Copy Collider Settings"
    bl_description = (
        "Copy display, collections and, optionally, collision shape of the active collider to the "
        "other selected colliders"
    )
    bl_options = {"REGISTER", "UNDO"}

    what: EnumProperty(
        name="Settings",
        translation_context=CONTEXT,
        description="Settings to copy",
        items=WHAT,
        options={"ENUM_FLAG"},
        default={"DISPLAY", "COLLECTION"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """The active object and another selected one must be colliders."""
        text = "" if context.mode == "OBJECT" else tip_("Not in Object Mode")
        active = context.active_object
        if not text and (active is None or not is_collider(active)):
            text = tip_("The active object is not a collider to copy from")
        if not text and not may_be_selected(context, lambda ob: ob != active and is_collider(ob) and is_own(ob)):
            text = tip_("Select the colliders to copy to in addition to the active one")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy them."""
        active, others = context.active_object, _others(context)
        if not others:
            self.report({"WARNING"}, report_("Select the colliders to copy to in addition to the active one"))
            return {"CANCELLED"}
        assert active is not None  # As `poll` says.
        for ob in others:
            scene.colliders.copied_settings.copy_settings(active, ob, self.what)
        self.report({"INFO"}, report_("Settings copied to {count} colliders", count=len(others)))
        return {"FINISHED"}


def _others(context: bpy.types.Context) -> list[bpy.types.Object]:
    return [ob for ob in context.selected_objects if ob != context.active_object and is_collider(ob) and is_own(ob)]
