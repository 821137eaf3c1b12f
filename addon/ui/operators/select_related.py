# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the colliders of render meshes, and the render meshes of colliders."""

import bpy

from ... import scene
from ...i18n.lookup import report_, tip_
from ...scene.objects.owners import Owners, is_collider
from ...scene.objects.some_selected import may_be_selected, some_selected


class COLLISION_KIT_OT_select_colliders(bpy.types.Operator):
    """From what is seen in the game to what it collides with."""

    bl_idname = "collision_kit.select_colliders"
    bl_label = "Select Colliders"
    bl_description = "Select all colliders of the selected objects, paired by name or by parent"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must be selected, in object mode."""
        text = "" if context.mode == "OBJECT" else tip_("Not in Object Mode")
        text = text or ("" if some_selected(context) else tip_("Select an object"))
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, or say that there are none."""
        owners = Owners(context.scene.objects)
        chosen = [owners.of(ob) if is_collider(ob) else ob for ob in context.selected_objects]
        found = owners.colliders_of(ob for ob in chosen if ob is not None)
        seen = [ob for ob in found if ob.visible_get()]
        if not seen:
            text = report_("The colliders are hidden") if found else report_("No colliders found")
            self.report({"WARNING"}, text)
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, seen)
        self.report({"INFO"}, report_("{count} colliders selected", count=len(seen)))
        return {"FINISHED"}


class COLLISION_KIT_OT_select_render_mesh(bpy.types.Operator):
    """From a collider to what is seen in the game."""

    bl_idname = "collision_kit.select_render_mesh"
    bl_label = "Select Render Mesh"
    bl_description = "Select the render meshes of the selected colliders, paired by name or by parent"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A collider must be selected, in object mode."""
        text = "" if context.mode == "OBJECT" else tip_("Not in Object Mode")
        if not text and not may_be_selected(context, is_collider):
            text = tip_("Select a collider")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, or say that there are none."""
        owners = Owners(context.scene.objects)
        found = [owners.of(ob) for ob in context.selected_objects if is_collider(ob)]
        seen = list(dict.fromkeys(ob for ob in found if ob is not None and ob.visible_get()))
        if not seen:
            text = (
                report_("The render mesh is hidden")
                if any(found)
                else report_("No render mesh found by name or parent")
            )
            self.report({"WARNING"}, text)
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, seen)
        return {"FINISHED"}
