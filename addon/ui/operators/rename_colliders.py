# SPDX-License-Identifier: GPL-3.0-or-later
"""Give colliders the names that an engine or a template asks for."""

import bpy
from bpy.props import StringProperty

from ... import colliders
from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...scene.meshes.types import GEOMETRY_TYPES
from ...scene.objects.owners import Owners, is_collider
from ...scene.objects.some_selected import may_be_selected
from ..properties.colliders import engine_setting
from .collider_settings import take_from_scene


class COLLISION_KIT_OT_rename_colliders(bpy.types.Operator):
    """Renames the selected colliders, and those of the selected render meshes."""

    bl_idname = "collision_kit.rename_colliders"
    bl_label = "Rename Colliders"
    bl_description = "Rename the selected colliders and those of the selected render meshes for the engine"
    bl_options = {"REGISTER", "UNDO"}

    engine: engine_setting()
    template: StringProperty(
        name="Name Template",
        description="Template for names. Empty: the one of the scene for this engine, or the engine's own names",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A collider or a render mesh must be selected."""
        text = "" if context.mode == "OBJECT" else tip_("Not in Object Mode")
        if not text and not may_be_selected(context, lambda ob: ob.type in GEOMETRY_TYPES):
            text = tip_("Select colliders or their render meshes")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Rename them."""
        take_from_scene(self, context, "engine")
        owners = Owners(context.scene.objects)
        selected = context.selected_objects
        chosen = dict.fromkeys([*filter(is_collider, selected), *owners.colliders_of(selected)])
        try:
            renamed = colliders.naming.rename(context, chosen, self.engine, self.template)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} colliders renamed", count=len(renamed)))
        return {"FINISHED"}
