# SPDX-License-Identifier: GPL-3.0-or-later
"""Floating objects: settings, button, and list."""

from typing import Any

import bpy

from ...i18n.lookup import label_, translated
from ...i18n.units import spoken_text, with_unit
from ...model.floating import Floating
from ...scene import open_file
from ...scene.settings import floating_list, floating_request, scene_settings
from ...session import floating_results
from ...session.floating_results import FloatingResult
from ..result_list.view import resize
from .layout import BUTTON, buttons, fields, measure, paragraph, scale
from .name_row import PADDING, Value, draw_name, draw_names, row_count
from .tab import SwitchedTab

# Argument of *Drop to Surface* for all rows.
ALL = -2

# Widths at a resolution scale of 1: the number of objects that a row holds, and a length.
HELD, LENGTH = 30, 62

# Rows of the list before it scrolls, and minimum rows.
MOST_ROWS = 10
FEWEST_ROWS = 2


class COLLISION_KIT_UL_floating(bpy.types.UIList):
    """The lowest object of each group, how far it can drop, and a button that drops it."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        item: object,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw one entry."""
        kept = floating_results.found_here(context)
        one = kept.row(index) if kept is not None else None
        if kept is None or one is None:
            return
        row = layout.row(align=True)
        row.active = kept.change is None
        held = f"+{len(one.others)}" if one.others else ""
        below = spoken_text(one.drop, context.scene.unit_settings, 3) if one.onto else label_("Nothing Below")
        values = [Value(text, room) for text, room in zip((held, below), _rooms(context, kept), strict=True)]

        def drop_button(line: bpy.types.UILayout) -> None:
            drop: Any = line.operator("collision_kit.drop_to_surface", text="", icon="TRIA_DOWN_BAR", emboss=False)
            drop.direction, drop.floating = "GRAVITY", index

        choose = "collision_kit.select_floating", index
        draw_names(context, row, [one.object], values, kept.short_names, "NONE", choose=choose, button=drop_button)

    def filter_items(self, context: bpy.types.Context, data: Any, property: str) -> tuple[list[int], list[int]]:
        """Keep the rows whose names contain the text of the search field."""
        kept = floating_results.found_here(context)
        wanted = self.filter_name.casefold()
        if kept is None or not wanted:
            return [], []
        names = [" ".join((one.object, *one.others)).casefold() for one in kept.found]
        return [self.bitflag_filter_item if wanted in name else 0 for name in names], []


class COLLISION_KIT_PT_floating(SwitchedTab, bpy.types.Panel):
    """Floating objects."""

    # Open at first, because it usually appears after a search for floating objects.
    bl_label = "Floating Objects"
    switch = "floating"

    @classmethod
    def has_results(cls, _context: bpy.types.Context) -> bool:
        """Return whether there are results."""
        return floating_results.latest.result is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the button and the list."""
        stored, layout = scene_settings(context).floating, self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        fields(column, context, stored, "gap", "ground", "below")
        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.find_floating", icon="TRIA_DOWN_BAR")
        kept = floating_results.found_here(context)
        if kept is None:
            return
        change = kept.change_for(floating_request(context))
        if change is not None:
            paragraph(layout.box(), context, label_(change.value), icon="TIME", in_box=True)
        if not kept.found:
            layout.label(text=label_("Nothing floats"), icon="CHECKMARK", translate=False)
            return
        listed = floating_list(context.window_manager)
        names = ([one.object] for one in kept.found)
        rows = row_count(context, [*_rooms(context, kept), BUTTON], names, MOST_ROWS, FEWEST_ROWS)
        layout.template_list("COLLISION_KIT_UL_floating", "", listed, "rows", listed, "active", rows=rows)
        select_all, drop_all = label_("Select All"), label_("Drop All")
        row = buttons(layout, context, select_all, drop_all)
        select: Any = row.operator(
            "collision_kit.select_floating", text=select_all, translate=False, icon="RESTRICT_SELECT_OFF"
        )
        select.row = -1
        drop: Any = row.operator("collision_kit.drop_to_surface", text=drop_all, translate=False, icon="TRIA_DOWN_BAR")
        drop.direction, drop.floating = "GRAVITY", ALL
        row.operator("collision_kit.clear_floating", text="", icon="X")
        one = kept.row(kept.chosen)
        if one is not None:
            self._draw_chosen(context, one, kept)

    def _draw_chosen(self, context: bpy.types.Context, one: Floating, kept: FloatingResult) -> None:
        """Draw the sentence about the chosen object, and the objects held only by it."""
        column = self.layout.column(align=True)
        draw_name(column, context, one.object, kept.short_names)
        said = with_unit(one.message, context.scene.unit_settings, spoken_text)
        paragraph(column, context, translated(said), "BLANK1")
        for name in one.others[:MOST_ROWS]:
            column.label(text=name, icon="BLANK1", translate=False)
        if len(one.others) > MOST_ROWS:
            column.label(text=label_("and {count} more", count=len(one.others) - MOST_ROWS), translate=False)


def _rooms(context: bpy.types.Context, kept: FloatingResult) -> tuple[float, float]:
    """Return the widths of both values, at a resolution scale of 1. All rows have the same, and as many lines."""
    held = HELD if any(one.others for one in kept.found) else 0.0
    if all(one.onto for one in kept.found):
        return held, LENGTH
    longest = label_("Nothing Below")
    return held, max(LENGTH, PADDING + measure(context)(longest) / scale(context))


@floating_results.latest.on_new.subscribe
def fit() -> None:
    """Give the list a row for each of the floating objects."""
    found = floating_results.latest.result
    for manager in open_file.window_managers():
        resize(floating_list(manager).rows, len(found.found) if found is not None else 0)
