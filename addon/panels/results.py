# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last check found, pair by pair."""

import bpy

from .. import live, watch
from ..language import label_
from ..report import Report
from ..session import last
from ..stored import check_settings, results_list
from ..verdicts import found
from .tab import CollisionTab
from .text import paragraph

# Rows of the list before it scrolls, and those that it has however short it is.
MOST_ROWS = 10
FEWEST_ROWS = 2


class COLLISION_KIT_PT_results(CollisionTab, bpy.types.Panel):
    """The list, what has happened since, and the evidence for the chosen pair."""

    bl_label = "Results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it once something has been checked."""
        return last.report is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the report."""
        report = last.report
        if report is None:
            return
        watch.review(context)
        layout = self.layout
        self._draw_changes(context, report)
        self._draw_summary(context, report)
        results = results_list(context.window_manager)
        if report.pairs:
            layout.template_list(
                "COLLISION_KIT_UL_pairs",
                "",
                results,
                "rows",
                results,
                "active",
                rows=min(max(len(report.pairs), FEWEST_ROWS), MOST_ROWS),
            )
        row = layout.row(align=True)
        row.prop(results, "show_overlay", icon="OVERLAY")
        row.operator("collision_kit.select_checked", text="", icon="RESTRICT_SELECT_OFF")
        row.operator("collision_kit.clear_results", text="", icon="X")

    def _draw_changes(self, context: bpy.types.Context, report: Report) -> None:
        if watch.place(context) != last.place:
            change = label_("These are the results of the scene “{name}”", name=report.scene)
        elif live.is_on() and live.status() is not live.Status.STUCK:
            return  # The first panel tells how far it is.
        else:
            happened = last.change(check_settings(context))
            if happened is None:
                return
            change = label_(happened.value)
        box = self.layout.box()
        paragraph(box, context, change, icon="TIME")

    def _draw_summary(self, context: bpy.types.Context, report: Report) -> None:
        column = self.layout.column(align=True)
        tested = label_("{count} bodies tested", count=len(report.bodies))
        if len(report.bodies) < 2:
            paragraph(
                column,
                context,
                label_("Fewer than two bodies could be tested: nothing to collide"),
                icon="INFO",
            )
        elif not report.pairs:
            column.label(text=label_("No collisions"), icon="CHECKMARK", translate=False)
            column.label(text=tested, icon="BLANK1", translate=False)
        else:
            grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
            for text, count in found(report.counts()):
                grid.label(text=label_(text.counted, count=count), icon=text.icon, translate=False)
            column.label(text=tested, icon="BLANK1", translate=False)
