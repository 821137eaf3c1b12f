# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of the results of the last check, pair by pair."""

from typing import Any

import bpy

from ...i18n.lookup import enumerated, label_, translated
from ...live import live_mode as live
from ...model.marks import PairMarks
from ...model.report import ONE_ASSET, Report
from ...scene import events
from ...scene.settings import check_settings, results_list
from ...session import isolation
from ...session.collision_results import last_check
from ..result_list import rows as results_rows
from ..result_list.part import ALL
from ..result_list.rows import SWITCHES
from ..result_list.view import ListLines
from ..verdicts import VERDICTS
from .icons import ACCEPTED, GONE, NEW
from .layout import ICON, NARROW, buttons, fact, is_narrow, paragraph, scale, sidebar_height
from .list_rows import draw_search, draw_show, draw_switch, first_names
from .name_row import row_count
from .pair_list import LENGTH
from .tab import CollisionTab

# Lines of the list before it scrolls, and minimum rows.
MOST_ROWS = 10
FEWEST_ROWS = 2
# Pixels at a resolution scale of 1: a line of the list or above it, and what else is above it and below it down to the
# buttons of Fixes for both objects, which remain visible in a low sidebar.
LINE, AROUND = 20, 340


class COLLISION_KIT_PT_results(CollisionTab, bpy.types.Panel):
    """The list, changes since the check, and the evidence for the chosen pair."""

    bl_label = "Results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it after a check."""
        return last_check.report is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the report."""
        report = last_check.report
        if report is None:
            return
        results, marks = results_list(context.window_manager), results_rows.marks()
        self._draw_changes(context, report)
        if report.pairs:
            lines = results_rows.lines(results)
            self._draw_counts(context, report, marks, results.view)
            draw_search(self.layout, results.view)
            self._draw_part(results.view)
            self._draw_list(context, results, report, lines, marks)
            hidden = 0 if results.view.accepted else len(marks.accepted) + len(marks.ignored)
            if lines.shown < len(report.pairs) - hidden:
                self._draw_filtered(len(report.pairs) - hidden, lines)
        self._draw_summary(context, report)
        _draw_news(self.layout, marks, report)
        column = self.layout.column(align=True)
        row = draw_show(context, column, results, "show_overlay")
        row.operator("collision_kit.select_checked", text="", icon="RESTRICT_SELECT_OFF")
        row.operator("collision_kit.copy_report", text="", icon="COPYDOWN")
        row.operator("collision_kit.save_report", text="", icon="FILE_TICK")
        row.operator("collision_kit.clear_results", text="", icon="X")

    def _draw_changes(self, context: bpy.types.Context, report: Report) -> None:
        if events.place(context) != last_check.place:
            change = label_('Results of scene "{name}"', name=report.scene)
        elif live.catches_up() or (live.is_on() and live.status() is not live.Status.STUCK):
            return  # the first panel shows the progress
        else:
            happened = last_check.change_for(check_settings(context))
            if happened is None:
                return
            change = label_(happened.value)
        paragraph(self.layout.box(), context, change, icon="TIME", in_box=True)

    def _draw_counts(self, context: bpy.types.Context, report: Report, marks: PairMarks, view: Any) -> None:
        """Draw the number of pairs for each verdict, line by line. The checkbox in a line shows or hides them."""
        column = self.layout.column(align=True)
        counts, total, narrow = marks.open_counts(report), report.counts(), is_narrow(context, NARROW)
        for verdict, name in SWITCHES.items():
            if total[verdict]:
                shown = VERDICTS[verdict]
                text = label_(shown.counted, count=counts[verdict])
                icon, after = ("", 0) if narrow else (shown.icon, ICON)
                row = draw_switch(column, context, view, name, text, icon, after=after)
                if narrow:  # the text needs the room
                    continue
                select: Any = row.operator(
                    "collision_kit.select_by_verdict", text="", icon="RESTRICT_SELECT_OFF", emboss=False
                )
                select.verdict = name.upper()
        accepted, ignored = len(marks.accepted), len(marks.ignored)
        if accepted and ignored:
            text = label_("{accepted} accepted, {ignored} ignored", accepted=accepted, ignored=ignored)
        elif ignored:
            text = label_("{count} ignored", count=ignored)
        else:
            text = label_("{count} accepted", count=accepted)
        if accepted or ignored:
            if not view.accepted:
                text = label_("{count} hidden: {reasons}", count=accepted + ignored, reasons=text)
            draw_switch(column, context, view, "accepted", text, ACCEPTED)
        news = marks.news(report)
        if news or view.only_new:
            text = label_("Only {count} new", count=len(news))
            draw_switch(column, context, view, "only_new", text, NEW)

    def _draw_part(self, view: Any) -> None:
        """Draw the part and the status that the list is limited to, and a button that lists all again."""
        part = "" if results_rows.part == ALL else results_rows.parts().text(results_rows.part)
        status = label_("Status: {status}", status=view.status) if view.status else ""
        if not part and not status:
            return
        row = self.layout.row(align=True)
        row.label(text=enumerated(filter(None, (part, status))), icon="FILTER", translate=False)
        row.operator("collision_kit.filter_results", text="", icon="X", emboss=False)

    def _draw_list(
        self, context: bpy.types.Context, results: Any, report: Report, lines: ListLines, marks: PairMarks
    ) -> None:
        above = sum(map(bool, report.counts().values()))
        room = int(sidebar_height(context) / scale(context) - AROUND) // LINE - above
        first = first_names(last_check, report.pairs, lines, MOST_ROWS)
        count = row_count(context, [LENGTH], first, min(MOST_ROWS, room), FEWEST_ROWS)
        self.layout.template_list(
            "COLLISION_KIT_UL_pairs",
            "",
            results,
            "rows",
            results,
            "active",
            item_dyntip_propname="tip",
            rows=count,
            # Otherwise Blender shows five rows, which are fifteen lines in a narrow sidebar.
            maxrows=count,
        )
        self._draw_buttons(context, marks)

    def _draw_buttons(self, context: bpy.types.Context, marks: PairMarks) -> None:
        """Draw the buttons for the active pair in one row, or those with a text below the others if it is narrow."""
        column = self.layout.column(align=True)
        first = row = column.row(align=True)
        row.operator("collision_kit.previous_result", text="", icon="TRIA_UP")
        row.operator("collision_kit.next_result", text="", icon="TRIA_DOWN")
        is_accepted = last_check.chosen in marks.accepted
        isolate, accept = label_("Isolate"), label_("Accepted") if is_accepted else label_("Accept")
        if is_narrow(context):
            row = buttons(column, context, isolate, accept)
        alone = isolation.is_on(context)
        row.operator("collision_kit.isolate_pair", text=isolate, translate=False, depress=alone)
        row.operator(
            "collision_kit.stop_accepting_pair" if is_accepted else "collision_kit.accept_pair",
            text=accept,
            translate=False,
            depress=is_accepted,
        )
        first.menu("COLLISION_KIT_MT_results", text="", icon="DOWNARROW_HLT")

    def _draw_filtered(self, total: int, lines: ListLines) -> None:
        row = self.layout.row()
        text = label_("{count} of {total} listed", count=lines.shown, total=total)
        row.label(text=text, icon="FILTER", translate=False)
        row.operator("collision_kit.show_all_results", text="", icon="X", emboss=False)

    def _draw_summary(self, context: bpy.types.Context, report: Report) -> None:
        column = self.layout.column(align=True)
        left_out = report.tested.get("left_out", 0)
        if left_out:
            fact(column, "Excluded", label_("{count} pairs by collision layers", count=left_out))
        tested = label_("{count} bodies tested", count=len(report.tested_bodies))
        if len(report.bodies) < 2:
            paragraph(
                column,
                context,
                label_("Nothing to test: fewer than two bodies have a collision shape"),
                icon="INFO",
            )
        elif not report.pairs:
            column.label(text=label_("No collisions"), icon="CHECKMARK", translate=False)
            column.label(text=tested, icon="BLANK1", translate=False)
        else:
            column.label(text=tested, icon="INFO", translate=False)
        for issue in report.issues:
            # Explains why pairs of one asset are not folded, as they are beside others.
            if issue.id == ONE_ASSET:
                text = label_("{name}: {text}", name=issue.object, text=translated(issue.message))
                paragraph(column, context, text, "BLANK1")


def _draw_news(layout: bpy.types.UILayout, marks: PairMarks, report: Report) -> None:
    """Draw the numbers of new or deeper faults, and of resolved ones, since the previous check."""
    new, gone = len(marks.news(report)), len(marks.gone or ())
    if not new and not gone:
        return
    if not gone:
        text = label_("{count} new", count=new)
    elif not new:
        text = label_("{count} resolved", count=gone)
    else:
        text = label_("{new} new, {gone} resolved", new=new, gone=gone)
    layout.label(text=text, icon=NEW if new else GONE, translate=False)
