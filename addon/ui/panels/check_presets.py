# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of a check, in the header of its panel."""

from pathlib import Path
from typing import Any

import bpy
from bl_ui.utils import PresetPanel

from ...collisions.presets import ADD, APPLY, FOLDER, OWN, SHIPPED
from ...i18n.lookup import label_


class COLLISION_KIT_PT_check_presets(PresetPanel, bpy.types.Panel):
    """Lists the presets of the add-on, and lists, adds and removes those of the user."""

    bl_label = "Check Presets"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the presets, with a field to add another."""
        self.layout.emboss = "PULLDOWN_MENU"
        self.layout.operator_context = "EXEC_DEFAULT"
        draw_presets(self, add_operator=ADD)


def draw_presets(menu: Any, **options: str) -> None:
    """Draw the presets into a menu or a popover, which has Blender's function for drawing the user's."""
    column = menu.layout.column(align=True)
    for identifier, name, _ in SHIPPED:
        if identifier != OWN:
            column.operator(APPLY, text=label_(name), translate=False).shipped = identifier
    draw_users_presets(menu, FOLDER, APPLY, **options)


def draw_users_presets(menu: Any, folder: str, apply: str, **options: str) -> None:
    """Draw the user's presets in a folder, with the operator that applies them."""
    folders = bpy.utils.preset_paths(folder)
    # Blender reports a folder that does not exist as missing.
    menu.path_menu(
        folders or [str(Path(__file__).parent)],
        apply,
        filter_ext=lambda ending: bool(folders) and ending == ".py",
        **options,
    )
