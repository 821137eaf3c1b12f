# SPDX-License-Identifier: GPL-3.0-or-later
"""Save and apply presets of the templates for names of colliders, one template for each engine."""

import bpy
from bl_operators.presets import AddPresetBase
from bpy.props import StringProperty

from ...engines.kinds import ENGINES, template_name
from ...scene.settings import NAME
from .run_preset import run_preset

# Below `presets` in the user's scripts folder.
FOLDER = "collision_kit/names"
# The panel that lists the presets; the operators of its entries are below.
MENU = "COLLISION_KIT_PT_name_presets"


class COLLISION_KIT_OT_apply_name_preset(bpy.types.Operator):
    """Runs a preset of the user's as Blender does, but so that it can be undone."""

    bl_idname = "collision_kit.apply_name_preset"
    bl_label = "Apply Name Preset"
    bl_description = "Apply the name templates of a preset to the scene"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    filepath: StringProperty(
        name="File",
        description="File of a user preset",
        subtype="FILE_PATH",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Set what it says."""
        return run_preset(self, MENU)


class COLLISION_KIT_OT_add_name_preset(AddPresetBase, bpy.types.Operator):  # type: ignore[misc]
    """Writes a preset where Blender keeps the user's."""

    bl_idname = "collision_kit.add_name_preset"
    bl_label = "Add Name Preset"
    bl_description = "Save the name templates of all engines as a preset, or remove a preset"

    preset_menu = MENU
    preset_subdir = FOLDER
    # In full: with Python 3.13 Blender before 5.1 does not see what `preset_defines` defines.
    preset_values = tuple(f"bpy.context.scene.{NAME}.colliders.{template_name(engine)}" for engine, *_ in ENGINES)
