# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of the results that are drawn in the viewport."""

import bpy

from ...scene.settings import results_list
from ...session.collision_results import last_check
from .tab import CollisionTab


class COLLISION_KIT_PT_drawing(CollisionTab, bpy.types.Panel):
    """Switches for the parts of the overlay."""

    bl_label = "Drawing"
    bl_parent_id = "COLLISION_KIT_PT_results"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there are results."""
        return last_check.report is not None

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch for the whole overlay."""
        self.layout.prop(results_list(context.window_manager), "show_overlay", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each part."""
        results = results_list(context.window_manager)
        column = self.layout.column(align=True)
        column.active = results.show_overlay
        shown = results.explanation
        column.prop(shown, "ruler")
        column.prop(shown, "separating_translation")
        column.prop(shown, "contacts")
        arrows = column.row()
        arrows.active = shown.contacts
        arrows.separator()
        arrows.prop(shown, "every_arrow")
        column.prop(shown, "crossing")
        column.prop(shown, "by_verdict")
