# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy what is set for one object to others."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene.objects import collision_settings
from ...scene.objects.some_selected import may_be_selected
from ...scene.objects.traits import is_own

WHAT = (
    ("SHAPE", "Shape", "Shape that the object is tested as"),
    ("MARGIN", "Margin", "Distance by which the shape is enlarged"),
    ("GROUPS", "Collision Layers", "Collision layers and mask"),
    ("SURFACE", "Surface Response", "Friction and bounciness"),
    ("BODY", "Part Of", "Object whose body the object belongs to"),
)


class COLLISION_KIT_OT_copy_collision_settings(bpy.types.Operator):
    """Gives the selected objects the settings of the active one."""

    bl_idname = "collision_kit.copy_collision_settings"
    bl_label = "Copy Collision Settings to Selected"
    bl_description = "Copy the collision settings of the active object to the other selected objects"
    bl_options = {"REGISTER", "UNDO"}

    what: EnumProperty(
        name="Settings",
        translation_context=CONTEXT,
        description="Settings to copy",
        items=WHAT,
        options={"ENUM_FLAG"},
        default={"SHAPE", "MARGIN", "GROUPS", "SURFACE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an active object, and others selected."""
        text, active = "", context.active_object
        if active is None:
            text = tip_("No active object to copy from")
        elif not may_be_selected(context, lambda ob: ob != active and is_own(ob)):
            text = tip_("Select the objects to copy to in addition to the active object")
            if may_be_selected(context, lambda ob: ob != active):
                text = tip_("The selected objects are linked: change them in their own file")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy them."""
        active = context.active_object
        assert active is not None  # As `poll` says.
        others = [ob for ob in context.selected_objects if ob != active and is_own(ob)]
        if not others:
            self.report({"WARNING"}, report_("Select the objects to copy to in addition to the active object"))
            return {"CANCELLED"}
        for ob in others:
            collision_settings.copy_settings(active, ob, self.what)
        self.report({"INFO"}, report_("Collision settings copied to {count} objects", count=len(others)))
        return {"FINISHED"}
