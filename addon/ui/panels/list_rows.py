# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists arranged by `addon.ui.result_list`: the line at each place, the search, and the switches."""

from collections.abc import Collection, Sequence
from typing import Any

import bpy

from ...i18n.lookup import label_
from ...i18n.wrapping import wrapped
from ..result_list.view import NONE, ListLines
from ..texts.folds import fold_text
from .layout import ICON, is_narrow, measure, scale, sidebar_width
from .name_row import BESIDE
from .name_row import ICON as ICON_BESIDE

# Pixels at a resolution scale of 1: the margins of a panel, and a checkbox beside its text.
SWITCH = 78


class ListRows:
    """A base class of lists whose rows are entries, headings above them, and lines of folded pairs."""

    bitflag_filter_item: int

    def listed(self) -> Any:
        """Return the module that arranges the lines: `result_list.rows` or `result_list.contacts`."""
        raise NotImplementedError

    def settings(self, context: bpy.types.Context) -> Any:
        """Return the properties of the list, including the filters."""
        raise NotImplementedError

    def draw_above(self, context: bpy.types.Context, layout: bpy.types.UILayout, body: int, count: int) -> None:
        """Draw an object as a heading, with the number of its pairs."""
        raise NotImplementedError

    def draw_row(self, context: bpy.types.Context, layout: bpy.types.UILayout, row: int, body: int) -> None:
        """Draw an entry of the report, under the heading of a body or, for `NONE`, without a heading."""
        raise NotImplementedError

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
        """Draw the line at a place. Stale and accepted lines are dimmed; those of deleted objects are disabled."""
        listed = self.listed()
        lines = listed.lines(self.settings(context))
        if not 0 <= index < len(lines.pair):
            return
        row, body, fold = int(lines.pair[index]), int(lines.body[index]), int(lines.fold[index])
        if row != NONE:
            self.draw_row(context, layout, row, body)
        elif fold != NONE:
            folded, count = lines.folds[fold]
            opened: Any = "TRIA_DOWN" if listed.view.is_open(folded) else "TRIA_RIGHT"
            column, room = layout.column(align=True), sidebar_width(context) - (BESIDE + ICON_BESIDE) * scale(context)
            for number, text in enumerate(wrapped(fold_text(folded, count, label_), room, measure(context))):
                column.label(text=text, icon="BLANK1" if number else opened, translate=False)
        else:
            self.draw_above(context, layout, body, int(lines.listed[body]))

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Draw the filters that are needed less often than those above the list."""
        settings = self.settings(context).view
        row = layout.row(align=True)
        row.prop(settings, "depth")
        row.prop(settings, "reverse", text="", icon="SORT_DESC" if settings.reverse else "SORT_ASC")

    def filter_items(self, context: bpy.types.Context, data: Any, property: str) -> tuple[list[int], list[int]]:
        """Show as many rows as there are lines. The entry at each place is decided elsewhere."""
        listed = self.listed()
        shown = len(listed.lines(data).pair)
        return listed.view.flags(shown, len(getattr(data, property)), self.bitflag_filter_item), []


def first_names(found: Any, entries: Sequence[Any], lines: ListLines, count: int) -> list[list[str]]:
    """Return the names in each of the first lines of a list: two of an entry, and one in all lines of other kinds.

    Parameters
    ----------
    found : CollisionResult or MotionResult
    entries : sequence of PairResult or of MotionContact
        What the lines refer to.
    lines : ListLines
    count : int
        Maximum number of lines.
    """
    named = (lines.pair[:count] != NONE) & (lines.body[:count] == NONE)
    return [
        list(map(found.body_name, found.bodies_of(entries[row]))) if has_both else [""]
        for row, has_both in zip(lines.pair[:count].tolist(), named.tolist(), strict=True)
    ]


def search_by_name(
    of: bpy.types.UIList, names: Sequence[str], shown: Collection[int] | None = None
) -> tuple[list[int], list[int]]:
    """Return the result of `filter_items`: the rows whose names contain the text of the search, by name if requested.

    Parameters
    ----------
    of : bpy.types.UIList
    names : sequence of str
        One for each row.
    shown : collection of int, optional
        Rows to search. None: all.
    """
    folded, wanted = [name.casefold() for name in names], of.filter_name.casefold()
    flags = list[int]()
    if wanted or shown is not None:
        listed = range(len(folded)) if shown is None else shown
        flags = [of.bitflag_filter_item if row in listed and wanted in name else 0 for row, name in enumerate(folded)]
    order = [0] * len(folded) if of.use_filter_sort_alpha else []
    for place, row in enumerate(sorted(range(len(folded)), key=folded.__getitem__) if order else ()):
        order[row] = place
    return flags, order


def draw_search(layout: bpy.types.UILayout, view: Any) -> None:
    """Draw the search and the order of a list, from the group of its filters."""
    row = layout.row(align=True)
    row.use_property_split = False
    # Blender's own word for it is not translated in every version.
    row.prop(view, "text", text="", icon="VIEWZOOM", placeholder=label_("Search"))
    row.prop(view, "order", text="", icon_only=True)


def draw_switch(
    column: bpy.types.UILayout,
    context: bpy.types.Context,
    view: Any,
    name: str,
    text: str,
    icon: Any,
    *,
    after: float = 0.0,
) -> bpy.types.UILayout:
    """Draw the number of entries of a kind, with a checkbox that shows or hides them. Return the line.

    An empty `icon` leaves more room for the text. Without the width `after` of what the caller adds to the line, the
    rest of a long text is below it.
    """
    row = column.row(align=True)
    row.use_property_split = False
    if icon:
        row.label(text="", icon=icon)
    room = sidebar_width(context) - (SWITCH + after + (ICON if icon else 0)) * scale(context)
    first, *rest = wrapped(text, room, measure(context)) or [""]
    row.prop(view, name, text=first, translate=False)
    for line in rest:
        column.label(text=line, icon="BLANK1", translate=False)
    return row


def draw_show(context: bpy.types.Context, column: bpy.types.UILayout, data: Any, name: str) -> bpy.types.UILayout:
    """Draw the switch of a drawing in the viewport. Return the row for buttons beside it, or below it if narrow."""
    narrow = is_narrow(context)
    row = column.row(align=True)
    row.use_property_split = False
    row.prop(data, name, icon="NONE" if narrow else "OVERLAY", toggle=True)
    return column.row(align=True) if narrow else row
