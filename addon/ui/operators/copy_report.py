# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy results as text."""

import bpy
from bpy.props import EnumProperty

from ... import reports
from ...i18n import CONTEXT
from ...i18n.lookup import report_
from ...scene.settings import results_list
from ...session.collision_results import last
from ..result_list import rows as results_rows
from .results_poll import chosen_missing, report_missing, results_missing

WHAT = (
    ("REPORT", "Report", "The whole report, as the command line prints it"),
    ("LISTED", "Listed Pairs", "One line for each listed pair, in the order of the list"),
    ("CHOSEN", "Active Pair", "The line of the active pair"),
)


class COLLISION_KIT_OT_copy_report(bpy.types.Operator):
    """Makes results something that can be pasted into a message."""

    bl_idname = "collision_kit.copy_report"
    bl_label = "Copy Collision Report"
    bl_description = "Copy the results to the clipboard as text, in English"
    bl_options = {"REGISTER"}

    what: EnumProperty(
        name="Copy",
        description="What to copy to the clipboard",
        translation_context=CONTEXT,
        items=WHAT,
        default="REPORT",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene."""
        missing = report_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy them."""
        report, marks = last.report, results_rows.marks()
        missing = {"REPORT": report_missing, "LISTED": results_missing, "CHOSEN": chosen_missing}[self.what](context)
        if report is None or missing:
            self.report({"WARNING"}, missing)
            return {"CANCELLED"}
        if self.what == "REPORT":
            context.window_manager.clipboard = reports.documents.document("text", report, marks)
            self.report({"INFO"}, report_("Report copied"))
            return {"FINISHED"}
        listed = results_rows.lines(results_list(context.window_manager)).pair.tolist()
        rows = [last.chosen] if self.what == "CHOSEN" else list(dict.fromkeys(row for row in listed if row >= 0))
        lines = [line.strip() for line in reports.text.pair_lines(report, rows, marks)]
        context.window_manager.clipboard = "\n".join(lines) + "\n" if len(lines) > 1 else "".join(lines)
        self.report({"INFO"}, report_("{count} pairs copied", count=len(rows)))
        return {"FINISHED"}
