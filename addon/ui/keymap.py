# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys: for the next and the previous result, and for the pie menu if the user assigns one in the preferences."""

from typing import Any, NamedTuple

import bpy

from ..i18n.lookup import label_

# F3 leaves out menus with this suffix. Their entries are in other menus, too.
PIE = "COLLISION_KIT_MT_pie_context_menu"


class Shortcut(NamedTuple):
    """An entry of a keymap.

    Attributes
    ----------
    operator : str
    keymap : str
        Blender's name of the keymap.
    space : str
        Editor of the keymap. EMPTY: any.
    key : str
        NONE: the user can assign one.
    menu : str
        Menu for an operator that opens a menu.
    """

    operator: str
    keymap: str
    space: Any
    key: Any
    menu: str = ""


# In the 3D view, Blender's own keymaps use these two keys in other modes only. Without results the operators are not
# available, and Blender passes the keys on.
SHORTCUTS = (
    Shortcut("collision_kit.next_result", "Object Mode", "EMPTY", "PAGE_DOWN"),
    Shortcut("collision_kit.previous_result", "Object Mode", "EMPTY", "PAGE_UP"),
    Shortcut("wm.call_menu_pie", "3D View", "VIEW_3D", "NONE", PIE),
)

_added: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []


def register() -> None:
    """Add the entries to the keymap of add-ons. Blender stores the keys that the user assigns to them."""
    keyconfig: bpy.types.KeyConfig | None = bpy.context.window_manager.keyconfigs.addon
    if keyconfig is None:  # without a window there are no keys
        return
    for shortcut in SHORTCUTS:
        keymap = keyconfig.keymaps.new(name=shortcut.keymap, space_type=shortcut.space)
        item = keymap.keymap_items.new(shortcut.operator, type=shortcut.key, value="PRESS", repeat=not shortcut.menu)
        if shortcut.menu:
            properties: Any = item.properties
            properties.name = shortcut.menu
        _added.append((keymap, item))


def unregister() -> None:
    """Remove the entries."""
    for keymap, item in _added:
        keymap.keymap_items.remove(item)
    _added.clear()


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the entries like Blender's preferences do, so that the user can assign other keys."""
    import rna_keymap_ui

    keyconfig: bpy.types.KeyConfig | None = context.window_manager.keyconfigs.user
    column = layout.column()
    column.use_property_split = False
    for shortcut in SHORTCUTS:
        keymap = keyconfig.keymaps.get(shortcut.keymap) if keyconfig is not None else None
        found = _entry(keymap, shortcut) if keymap is not None else None
        if keymap is None or found is None:
            text = label_('A shortcut was removed from the keymap "{name}"', name=label_(shortcut.keymap))
            column.label(text=text, translate=False, icon="INFO")
            continue
        column.context_pointer_set("keymap", keymap)
        rna_keymap_ui.draw_kmi([], keyconfig, keymap, found, column, 0)


def _entry(keymap: bpy.types.KeyMap, shortcut: Shortcut) -> bpy.types.KeyMapItem | None:
    for item in keymap.keymap_items:
        if item.idname == shortcut.operator and getattr(item.properties, "name", "") == shortcut.menu:
            return item
    return None
