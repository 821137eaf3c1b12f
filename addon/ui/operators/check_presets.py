# SPDX-License-Identifier: GPL-3.0-or-later
"""Save and apply presets of the settings of a check."""

import bpy
from bl_operators.presets import AddPresetBase
from bpy.props import EnumProperty, StringProperty

from ...collisions.presets import FOLDER, MENU, OWN, SHIPPED, VALUES, apply_shipped
from ...i18n import CONTEXT
from ...i18n.lookup import tip_
from ...scene.settings import NAME, scene_settings
from .run_preset import run_preset


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
        return run_preset(self, MENU)


class COLLISION_KIT_OT_add_check_preset(AddPresetBase, bpy.types.Operator):  # type: ignore[misc]
    """Writes a preset where Blender keeps the user's."""

    bl_idname = "collision_kit.add_check_preset"
    bl_label = "Add Check Preset"
    bl_description = "Save the check settings as a preset, or remove a preset"

    preset_menu = MENU
    preset_subdir = FOLDER
    # In full: with Python 3.13 Blender before 5.1 does not see what `preset_defines` defines.
    preset_values = tuple(f"bpy.context.scene.{NAME}.{path}" for path in VALUES)
