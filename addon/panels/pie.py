# SPDX-License-Identifier: GPL-3.0-or-later
"""What is used most, around the mouse; and the same and more in the Object menu."""

import bpy

from ..keymap import PIE
from ..language import label_
from ..stored import results_list


class COLLISION_KIT_MT_pie(bpy.types.Menu):
    """Left and right go through the results, down checks, up keeps checking; what is done about them is around."""

    bl_label = "Collision Kit"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the eight slices: left, right, below, above, and the corners from the upper left."""
        pie = self.layout.menu_pie()
        pie.operator("collision_kit.previous_result", text=label_("Previous Result"), translate=False, icon="TRIA_LEFT")
        pie.operator("collision_kit.next_result", text=label_("Next Result"), translate=False, icon="TRIA_RIGHT")
        pie.operator("collision_kit.check_collisions", text=label_("Check"), translate=False, icon="MOD_PHYSICS")
        pie.prop(results_list(context.window_manager), "live", icon="PLAY")
        pie.operator("collision_kit.separate", text=label_("Separate"), translate=False, icon="FULLSCREEN_ENTER")
        pie.operator("collision_kit.isolate_pair", text=label_("Isolate"), translate=False, icon="SOLO_ON")
        pie.operator("collision_kit.make_collider", text=label_("Make Colliders"), translate=False, icon="MESH_CUBE")
        column = pie.column(align=True)
        column.scale_y = 1.2
        column.operator("collision_kit.validate_colliders", text=label_("Validate"), translate=False, icon="CHECKMARK")
        column.operator("collision_kit.clear_results", text=label_("Clear Results"), translate=False, icon="X")


class COLLISION_KIT_MT_object(bpy.types.Menu):
    """The add-on's part of the Object menu."""

    bl_label = "Collision Kit"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the entries."""
        layout = self.layout
        layout.operator("wm.call_menu_pie", text=label_("Pie Menu"), translate=False, icon="MENU_PANEL").name = PIE
        layout.separator()
        layout.operator("collision_kit.check_collisions", icon="MOD_PHYSICS")
        layout.operator("collision_kit.separate")
        layout.operator("collision_kit.rest_on")
        layout.separator()
        layout.operator("collision_kit.make_collider", icon="MESH_CUBE")
        layout.operator("collision_kit.validate_colliders")
        layout.separator()
        layout.operator("collision_kit.copy_collision_settings")
        layout.operator("collision_kit.reset_collision_settings")


def draw_in_object_menu(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the add-on's part of the Object menu."""
    menu.layout.separator()
    menu.layout.menu(COLLISION_KIT_MT_object.__name__, icon="MOD_PHYSICS")


def register() -> None:
    """Add the part to the Object menu."""
    bpy.types.VIEW3D_MT_object.append(draw_in_object_menu)


def unregister() -> None:
    """Take it out again."""
    bpy.types.VIEW3D_MT_object.remove(draw_in_object_menu)
