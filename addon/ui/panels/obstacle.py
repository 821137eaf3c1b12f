# SPDX-License-Identifier: GPL-3.0-or-later
"""Two objects as one body and a point: the configuration space obstacle."""

import bpy

from ...i18n.lookup import label_
from ...i18n.units import direction_text, spoken_text
from ...scene.objects.selection import some_selected
from ...session.collision_results import last_check
from ...viewport import obstacle
from .layout import fact, paragraph
from .tab import SwitchedTab

SHOW = "collision_kit.show_obstacle"


class COLLISION_KIT_PT_obstacle(SwitchedTab, bpy.types.Panel):
    """Draws the obstacle of two objects, and shows the position of the origin."""

    bl_label = "Configuration Space"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "obstacle"

    @classmethod
    def applies(cls, context: bpy.types.Context) -> bool:
        """Return whether there are two objects: two are selected, or a pair is chosen."""
        return len(some_selected(context)) == 2 or last_check.pair(last_check.chosen) is not None

    @classmethod
    def has_results(cls, _context: bpy.types.Context) -> bool:
        """Return whether an obstacle is drawn."""
        return obstacle.shown() is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons, and the position of the origin relative to the obstacle."""
        layout = self.layout
        buttons = layout.column(align=True)
        # Blender would look these up among the names of operators.
        around = buttons.operator(SHOW, text=label_("Around A"), translate=False, icon="PIVOT_ACTIVE")
        around.placement = "AT_A"
        row = buttons.row(align=True)
        about = row.operator(SHOW, text=label_("At World Origin"), translate=False, icon="PIVOT_CURSOR")
        about.placement = "ORIGIN"
        row.operator("collision_kit.hide_obstacle", text="", icon="X")
        shown = obstacle.shown()
        if shown is None:
            return
        column = layout.column(align=True)
        fact(column, "Object A", shown.name_a)
        fact(column, "Object B", shown.name_b)
        inside = shown.distance < 0.0
        fact(column, "Origin", label_("inside the obstacle") if inside else label_("outside the obstacle"))
        fact(column, "Depth" if inside else "Distance", spoken_text(abs(shown.distance), context.scene.unit_settings))
        if shown.distance != 0.0:
            fact(column, "Direction", direction_text(shown.way / abs(shown.distance)))
        if shown.drawn < shown.pieces:
            text = label_("Only the deepest or nearest of {count} pairs of parts is drawn", count=shown.pieces)
            paragraph(layout, context, text, "INFO")
