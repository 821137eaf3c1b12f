# SPDX-License-Identifier: GPL-3.0-or-later
"""Resolved faults of the previous check."""

import bpy

from ..result_list import rows as results_rows
from ..verdicts import VERDICTS
from .issues import MOST_ENTRIES, draw_count, draw_rest
from .tab import CollisionTab


class COLLISION_KIT_PT_gone(CollisionTab, bpy.types.Panel):
    """Resolved faults of the previous check."""

    bl_label = "Resolved"
    bl_parent_id = "COLLISION_KIT_PT_results"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if a fault was resolved."""
        return bool(results_rows.marks().gone)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        draw_count(self.layout, len(results_rows.marks().gone or ()))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each pair as it was."""
        gone = results_rows.marks().gone or ()
        column = self.layout.column(align=True)
        for pair in gone[:MOST_ENTRIES]:
            name = f"{pair.name_a} × {pair.name_b}"
            column.label(text=name, icon=VERDICTS[pair.verdict].icon, translate=False)
        draw_rest(self.layout, len(gone) - MOST_ENTRIES)
