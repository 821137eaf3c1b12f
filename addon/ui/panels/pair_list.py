# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of pairs: what they are to each other, both names, and the depth or gap."""

from typing import Any

import bpy

from ....core.constants import Verdict
from ...i18n.lookup import label_
from ...i18n.units import gap_text
from ...model.report import Body, PairResult
from ...scene.settings import results_list
from ...session.collision_results import last_check
from ..result_list import rows as results_rows
from ..result_list.rows import view
from ..result_list.view import NONE
from ..texts.folds import fold_text
from ..verdicts import VERDICTS
from .icons import ACCEPTED, NEW
from .layout import measure, scale, sidebar_width

# Pixels at a resolution scale of 1: what lies beside a row, its icon, its length, what a label keeps free, and how far
# a pair stands in under its object.
BESIDE = 74
ICON = 24
LENGTH = 46
PADDING = 14
INDENT = 14
# If a name has less than this, the length, which the panel below shows too, makes room for it.
LEAST_NAME = 36


class Rows:
    """What lists of pairs have in common: which line is at which place."""

    bitflag_filter_item: int

    def draw_heading(self, context: bpy.types.Context, layout: bpy.types.UILayout, body: Body, count: int) -> None:
        """Draw an object, and how many pairs of its are listed."""
        _draw_heading(context, layout, body, count)

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

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: object,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw what is at a place; dimmed where it is stale or accepted, unavailable where an object was deleted."""
        lines = results_rows.lines(results_list(context.window_manager))
        report = last_check.report
        if report is None or not 0 <= index < len(lines.pair):
            return
        row, body, fold = int(lines.pair[index]), int(lines.body[index]), int(lines.fold[index])
        if row == NONE and fold != NONE:
            opened: Any = "TRIA_DOWN" if view.is_open(lines.folds[fold][0]) else "TRIA_RIGHT"
            layout.label(text=fold_text(*lines.folds[fold], label_), icon=opened, translate=False)
            return
        if row == NONE:
            self.draw_heading(context, layout, report.bodies[body], int(lines.listed[body]))
            return
        pair = report.pairs[row]
        shown = [number for number in (pair.body_a, pair.body_b) if number != body]
        self.draw_pair(context, layout, row, pair, [report.bodies[number] for number in shown])

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Draw what is asked of the list less often than what is above it."""
        settings = results_list(context.window_manager).view
        row = layout.row(align=True)
        row.prop(settings, "depth")
        row.prop(settings, "reverse", text="", icon="SORT_DESC" if settings.reverse else "SORT_ASC")

    def filter_items(self, context: bpy.types.Context, data: Any, property: str) -> tuple[list[int], list[int]]:
        """Show as many rows as there are lines: which pair stands at which place is decided elsewhere."""
        shown = len(results_rows.lines(data).pair)
        return view.flags(shown, len(getattr(data, property)), self.bitflag_filter_item), []


class COLLISION_KIT_UL_pairs(Rows, bpy.types.UIList):  # type: ignore[misc]
    """The lines of `addon.ui.result_list.rows`: pairs, and objects above theirs."""


def icon_of(row: int, pair: PairResult) -> Any:
    """The icon of a pair: out of date, accepted, new or deeper, or its verdict."""
    marks = results_rows.marks()
    if last_check.pair_is_stale(pair):
        return "TIME"
    if row in marks.accepted or row in marks.ignored:
        return ACCEPTED
    changed = row in (marks.new or ()) or row in (marks.worse or ())
    return NEW if changed else VERDICTS[pair.verdict].icon


def _draw_heading(context: bpy.types.Context, layout: bpy.types.UILayout, body: Body, count: int) -> None:
    """An object, and how many pairs of its are listed."""
    pixel = scale(context)
    row = layout.row(align=True)
    room = sidebar_width(context) - (BESIDE + ICON + PADDING + LENGTH / 2.0) * pixel
    name = view.short_names.shortened(last_check.body_name(body), room, measure(context))
    row.label(text=name, icon="TRIA_RIGHT" if view.is_folded(body.key) else "TRIA_DOWN", translate=False)
    _draw_right(row, str(count))


def _draw_pair(
    context: bpy.types.Context, layout: bpy.types.UILayout, row: int, pair: PairResult, bodies: list[Body]
) -> None:
    """A pair, with the names of both bodies or, under the one, of the other."""
    marks = results_rows.marks()
    stale, accepted = last_check.pair_is_stale(pair), (row in marks.accepted or row in marks.ignored)
    text = VERDICTS[pair.verdict]
    # That they are duplicates says all of how deep they are.
    gap = "" if pair.verdict == Verdict.DUPLICATE else gap_text(pair, context.scene.unit_settings)
    value = label_("{count} faces", count=len(pair.faces)) if pair.faces else gap
    pixel, width = scale(context), measure(context)
    at_right = max(LENGTH, width(value) / pixel + PADDING)
    names = [last_check.body_name(body) for body in bodies]
    wanted = [width(name) / pixel + PADDING for name in names]
    beside = BESIDE + ICON + (INDENT if len(bodies) == 1 else 0)
    room = sidebar_width(context) / pixel - beside - at_right
    if sum(wanted) > room and room / len(names) - PADDING < LEAST_NAME:
        room, at_right, value = room + at_right - PADDING, PADDING, ""
    rooms = _rooms(wanted, room)
    names = [
        view.short_names.shortened(name, (room - PADDING) * pixel, width)
        for name, room in zip(names, rooms, strict=True)
    ]

    line = layout.row(align=True)
    line.active = not (stale or accepted)
    line.enabled = not any(last_check.body_is_gone(body) for body in last_check.bodies_of(pair))
    whole = ICON + sum(rooms) + at_right
    if len(bodies) == 1:
        line.separator(factor=INDENT / 10.0)
    first = line.split(factor=(ICON + rooms[0]) / whole, align=True)
    first.label(text=names[0], icon=icon_of(row, pair), translate=False)
    rest = first
    if len(names) == 2:
        rest = first.split(factor=rooms[1] / (rooms[1] + at_right), align=True)
        rest.label(text=names[1], translate=False)
    length = rest.row()
    length.alignment = "RIGHT"
    # Red cannot be read on the color of the chosen row.
    length.alert = text.alert and not stale and not accepted and row != last_check.chosen
    length.label(text=value, translate=False)


def _rooms(wanted: list[float], room: float) -> list[float]:
    """Divide a width between one or two names: in halves, but what one does not need the other gets."""
    half = room / len(wanted)
    if len(wanted) == 2:
        one, other = wanted
        first = min(one, max(half, room - other)) if one > half else max(one, min(half, room - other))
        return [max(first, PADDING), max(room - first, PADDING)]
    return [max(half, PADDING)]


def _draw_right(layout: bpy.types.UILayout, text: str) -> None:
    right = layout.row()
    right.alignment = "RIGHT"
    right.label(text=text, translate=False)
