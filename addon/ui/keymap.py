# SPDX-License-Identifier: GPL-3.0-or-later
"""The key that opens the pie menu: none, until the user chooses one in the preferences."""

from typing import Any

import bpy

from ..i18n.lookup import label_

# F3 leaves out menus with such an ending: what they hold is in other menus, too.
PIE = "COLLISION_KIT_MT_pie_context_menu"

_CALL = "wm.call_menu_pie"
_MAP = "3D View"

_added: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []


def register() -> None:
    """Add an entry without a key to the 3D view's keymap; Blender remembers the key that the user gives it."""
    keyconfig: bpy.types.KeyConfig | None = bpy.context.window_manager.keyconfigs.addon
    if keyconfig is None:  # without a window there are no keys
        return
    keymap = keyconfig.keymaps.new(name=_MAP, space_type="VIEW_3D")
    item = keymap.keymap_items.new(_CALL, type="NONE", value="PRESS")
    properties: Any = item.properties
    properties.name = PIE
    _added.append((keymap, item))


def unregister() -> None:
    """Take it out again."""
    for keymap, item in _added:
        keymap.keymap_items.remove(item)
    _added.clear()


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the entry as Blender's own preferences do, for the user to give it a key."""
    import rna_keymap_ui

    keyconfig: bpy.types.KeyConfig | None = context.window_manager.keyconfigs.user
    keymap = keyconfig.keymaps.get(_MAP) if keyconfig is not None else None
    found = _entry(keymap) if keymap is not None else None
    if keymap is None or found is None:
        layout.label(text=label_("The shortcut was removed from the 3D View keymap"), translate=False, icon="INFO")
        return
    column = layout.column()
    column.use_property_split = False
    column.context_pointer_set("keymap", keymap)
    rna_keymap_ui.draw_kmi([], keyconfig, keymap, found, column, 0)


def _entry(keymap: bpy.types.KeyMap) -> bpy.types.KeyMapItem | None:
    for item in keymap.keymap_items:
        if item.idname == _CALL and getattr(item.properties, "name", "") == PIE:
            return item
    return None
