# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep the settings of checks as a preset, or remove one."""

import bpy
from bl_operators.presets import AddPresetBase

from ...collisions.presets import FOLDER, MENU, VALUES
from ...scene.settings import NAME


class COLLISION_KIT_OT_add_check_preset(AddPresetBase, bpy.types.Operator):
    """Writes a preset where Blender keeps the user's."""

    bl_idname = "collision_kit.add_check_preset"
    bl_label = "Add Check Preset"
    bl_description = "Save the check settings as a preset, or remove a preset"

    preset_menu = MENU
    preset_subdir = FOLDER
    # In full: with Python 3.13 Blender before 5.1 does not see what `preset_defines` defines.
    preset_values = tuple(f"bpy.context.scene.{NAME}.{path}" for path in VALUES)
