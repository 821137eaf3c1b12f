# SPDX-License-Identifier: GPL-3.0-or-later
"""The pie menu of the most used operators."""

import bpy

from ...i18n.lookup import label_
from ...scene.settings import results_list


class COLLISION_KIT_MT_pie_context_menu(bpy.types.Menu):
    """Left and right step through the results, down checks, up toggles live mode, and the corners are fixes."""

    bl_label = "Collision Kit"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the eight slices: left, right, below, above, and the corners from the upper left."""
        pie = self.layout.menu_pie()
        pie.operator("collision_kit.previous_result", icon="TRIA_LEFT")
        pie.operator("collision_kit.next_result", icon="TRIA_RIGHT")
        pie.operator("collision_kit.check_collisions", text=label_("Check"), translate=False, icon="MOD_PHYSICS")
        pie.prop(results_list(context.window_manager), "live", icon="PLAY")
        pie.operator("collision_kit.push_apart", text=label_("Push Apart"), translate=False, icon="FULLSCREEN_ENTER")
        pie.operator("collision_kit.isolate_pair", text=label_("Isolate"), translate=False, icon="SOLO_ON")
        pie.operator("collision_kit.make_collider", icon="MESH_CUBE")
        column = pie.column(align=True)
        column.scale_y = 1.2
        column.operator("collision_kit.validate_colliders", text=label_("Validate"), translate=False, icon="CHECKMARK")
        column.operator("collision_kit.clear_results", text=label_("Clear Results"), translate=False, icon="X")
