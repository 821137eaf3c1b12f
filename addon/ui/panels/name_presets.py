# SPDX-License-Identifier: GPL-3.0-or-later
"""User presets of name templates, in the header of the panel that makes colliders."""

import bpy
from bl_ui.utils import PresetPanel

from ..operators.settings import (
    NAME_FOLDER,
    COLLISION_KIT_OT_add_name_preset,
    COLLISION_KIT_OT_apply_name_preset,
)
from .check_presets import draw_users_presets


class COLLISION_KIT_PT_name_presets(PresetPanel, bpy.types.Panel):
    """Lists, adds and removes presets."""

    bl_label = "Name Presets"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the presets, with a field to add another."""
        self.layout.emboss = "PULLDOWN_MENU"
        self.layout.operator_context = "EXEC_DEFAULT"
        draw_users_presets(
            self,
            NAME_FOLDER,
            COLLISION_KIT_OT_apply_name_preset.bl_idname,
            add_operator=COLLISION_KIT_OT_add_name_preset.bl_idname,
        )
