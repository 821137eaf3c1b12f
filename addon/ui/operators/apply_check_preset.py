# SPDX-License-Identifier: GPL-3.0-or-later
"""Take over the settings of a preset."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty, StringProperty

from ...collisions.presets import MENU, OWN, SHIPPED, apply_shipped
from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene.settings import scene_settings


class COLLISION_KIT_OT_apply_check_preset(bpy.types.Operator):
    """Runs a preset of the user's as Blender does, but so that it can be undone."""

    bl_idname = "collision_kit.apply_check_preset"
    bl_label = "Apply Check Preset"
    bl_description = "Apply the check settings of a preset to the scene"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    shipped: EnumProperty(
        name="Preset",
        translation_context=CONTEXT,
        description="Built-in preset",
        items=SHIPPED,
        default=OWN,
        options={"SKIP_SAVE"},
    )
    filepath: StringProperty(
        name="File",
        description="File of a user preset",
        subtype="FILE_PATH",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What the preset is for, in a tooltip."""
        shipped = getattr(properties, "shipped", OWN)
        return next((tip_(text) for name, _, text in SHIPPED if name == shipped != OWN), "")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set what it says."""
        if self.shipped != OWN:
            apply_shipped(scene_settings(context), self.shipped, context.scene.unit_settings.scale_length)
            return {"FINISHED"}
        if not Path(self.filepath).is_file():
            self.report({"ERROR"}, report_("Preset not found"))
            return {"CANCELLED"}
        return set(bpy.ops.script.execute_preset(filepath=self.filepath, menu_idname=MENU))
