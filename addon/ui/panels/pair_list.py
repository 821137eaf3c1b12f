# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of pairs: verdict, both names, and depth or gap."""

from typing import Any

import bpy

from ...model.report import Body, PairResult
from ...scene.settings import results_list
from ...session.collision_results import last_check
from ...viewport import spoken
from ..result_list import rows as results_rows
from ..result_list.rows import view
from ..verdicts import VERDICTS
from .icons import ACCEPTED, NEW
from .list_rows import ListRows
from .name_row import Value, draw_names

CHOOSE = "collision_kit.select_pair"

# Usual widths of a length and of a number of pairs, in pixels at a resolution scale of 1.
LENGTH = 50
COUNT = 22


class Rows(ListRows):
    """A base class of lists of pairs."""

    def listed(self) -> Any:
        """Return the module that arranges the lines."""
        return results_rows

    def settings(self, context: bpy.types.Context) -> Any:
        """Return the list's properties."""
        return results_list(context.window_manager)

    def draw_above(self, context: bpy.types.Context, layout: bpy.types.UILayout, body: int, count: int) -> None:
        """Draw the object above its pairs."""
        if last_check.report is not None:
            self.draw_heading(context, layout, last_check.report.bodies[body], count)

    def draw_heading(self, context: bpy.types.Context, layout: bpy.types.UILayout, body: Body, count: int) -> None:
        """Draw an object, and the number of its listed pairs."""
        _draw_heading(context, layout, body, count)

    def draw_row(self, context: bpy.types.Context, layout: bpy.types.UILayout, row: int, body: int) -> None:
        """Draw a pair, with the names of both bodies or, under a heading, of the other body."""
        report = last_check.report
        if report is None:
            return
        pair = report.pairs[row]
        shown = [number for number in (pair.body_a, pair.body_b) if number != body]
        self.draw_pair(context, layout, row, pair, [report.bodies[number] for number in shown])

    def draw_pair(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        row: int,
        pair: PairResult,
        bodies: list[Body],
    ) -> None:
        """Draw a pair, with the names of these bodies."""
        _draw_pair(context, layout, row, pair, bodies)


class COLLISION_KIT_UL_pairs(Rows, bpy.types.UIList):  # type: ignore[misc]
    """Lines of `addon.ui.result_list.rows`: pairs, and objects above theirs."""


def icon_of(row: int, pair: PairResult) -> Any:
    """Return the icon of a pair: out of date, accepted, new or deeper, or its verdict."""
    marks = results_rows.marks()
    if last_check.pair_is_stale(pair):
        return "TIME"
    if row in marks.accepted or row in marks.ignored:
        return ACCEPTED
    changed = row in (marks.new or ()) or row in (marks.worse or ())
    return NEW if changed else VERDICTS[pair.verdict].icon


def _draw_heading(context: bpy.types.Context, layout: bpy.types.UILayout, body: Body, count: int) -> None:
    """Draw an object, and the number of its listed pairs."""
    icon = "TRIA_RIGHT" if view.is_folded(body.key) else "TRIA_DOWN"
    counted = Value(str(count), COUNT)
    draw_names(context, layout, [last_check.body_name(body)], [counted], view.short_names, icon)


def _draw_pair(
    context: bpy.types.Context, layout: bpy.types.UILayout, row: int, pair: PairResult, bodies: list[Body]
) -> None:
    """Draw a pair, with the names of both bodies or, under a heading, of the other body."""
    marks = results_rows.marks()
    stale, accepted = last_check.pair_is_stale(pair), (row in marks.accepted or row in marks.ignored)
    text = spoken.in_list(pair, context.scene.unit_settings)
    line = layout.row(align=True)
    line.active = not (stale or accepted)
    line.enabled = not any(last_check.body_is_gone(body) for body in last_check.bodies_of(pair))
    # Red is unreadable on the color of the chosen row.
    alert = VERDICTS[pair.verdict].alert and not stale and not accepted and row != last_check.chosen
    names = [last_check.body_name(body) for body in bodies]
    value, under = Value(text, LENGTH, alert), len(names) == 1
    draw_names(
        context, line, names, [value], view.short_names, icon_of(row, pair), indented=under, choose=(CHOOSE, row)
    )
