# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of the check before that are none any more."""

import bpy

from ..result_list import rows as results_rows
from ..verdicts import VERDICTS
from .issues import MOST_ENTRIES, draw_count, draw_rest
from .tab import CollisionTab


class COLLISION_KIT_PT_gone(CollisionTab, bpy.types.Panel):
    """The faults of the check before that are none any more."""

    bl_label = "Resolved"
    bl_parent_id = "COLLISION_KIT_PT_results"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if something has gone."""
        return bool(results_rows.marks().gone)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Say how many, for those who do not open it."""
        draw_count(self.layout, len(results_rows.marks().gone or ()))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each pair as it was."""
        gone = results_rows.marks().gone or ()
        column = self.layout.column(align=True)
        for pair in gone[:MOST_ENTRIES]:
            name = f"{pair.name_a} × {pair.name_b}"
            column.label(text=name, icon=VERDICTS[pair.verdict].icon, translate=False)
        draw_rest(self.layout, len(gone) - MOST_ENTRIES)
