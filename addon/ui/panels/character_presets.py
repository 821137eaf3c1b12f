# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters of engines and of the user, in the header of the panel *Walk the Level*."""

from typing import Any

import bpy
from bl_ui.utils import PresetPanel

from ...i18n.lookup import label_
from ...model.probe_report import CHARACTERS
from ..operators.probe import (
    CHARACTER_FOLDER,
    COLLISION_KIT_OT_add_character_preset,
    COLLISION_KIT_OT_apply_character_preset,
)
from .check_presets import draw_users_presets

APPLY = COLLISION_KIT_OT_apply_character_preset.bl_idname
ADD = COLLISION_KIT_OT_add_character_preset.bl_idname


class COLLISION_KIT_PT_character_presets(PresetPanel, bpy.types.Panel):
    """Lists the characters of the add-on, and lists, adds and removes those of the user."""

    bl_label = "Character Presets"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the presets, with a field to add another."""
        self.layout.emboss = "PULLDOWN_MENU"
        self.layout.operator_context = "EXEC_DEFAULT"
        draw_characters(self, add_operator=ADD)


def draw_characters(menu: Any, **options: str) -> None:
    """Draw the presets into a menu or a popover, which has Blender's function for drawing the user's."""
    column = menu.layout.column(align=True)
    for name, preset in CHARACTERS.items():
        column.operator(APPLY, text=label_(preset.title), translate=False).shipped = name.upper()
    draw_users_presets(menu, CHARACTER_FOLDER, APPLY, **options)
