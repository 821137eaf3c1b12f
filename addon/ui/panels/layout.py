# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in a panel: sentences, which Blender would truncate, and pairs of a name and a value."""

from typing import Any

import blf
import bpy

from ...i18n.lookup import label_
from ...i18n.wrapping import Measure, wrapped

# The font of the interface, by its number in `blf`.
FONT = 0

# Pixels at a resolution scale of 1: margins of a panel, additional margins of a box, an icon, and the part of a button
# with an icon beside its text.
MARGIN = 58
BOX = 14
ICON = 20
BUTTON = 24

# Beside the title of a panel with a button in its header: the arrow, the button, the grip and the tabs.
HEADER = 112
# Minimum widths of a region for property names in Blender's split layout: short names, long names.
NARROW = 200
NARROW_FOR_LONG_NAMES = 240

# Fraction of the width for a value beside its name, as in Blender.
VALUE_SHARE = 0.6

# Default width of the sidebar, and a usual height. Scripts draw panels without a region, only to read them.
USUAL_WIDTH, USUAL_HEIGHT = 280, 800


def paragraph(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    text: str,
    icon: Any = "NONE",
    *,
    in_box: bool = False,
    after: float = 0.0,
) -> None:
    """Add text, wrapped to the width of the sidebar or a box in it, without the width `after` of what is beside it.

    The icon is before the first line.
    """
    has_icon = icon != "NONE"
    beside = MARGIN + (ICON if has_icon else 0) + (BOX if in_box else 0) + after
    room = sidebar_width(context) - beside * scale(context)
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, line in enumerate(wrapped(text, room, measure(context))):
        column.label(text=line, icon="BLANK1" if number and has_icon else icon, translate=False)


def is_narrow(context: bpy.types.Context, least: float = NARROW_FOR_LONG_NAMES) -> bool:
    """Return whether there is no room for a name and a value in one row, as in a narrow sidebar."""
    return sidebar_width(context) < least * scale(context)


def has_header_room(context: bpy.types.Context, title: str) -> bool:
    """Return whether a button in the header of a panel leaves enough room for its title."""
    return measure(context)(title) + HEADER * scale(context) <= sidebar_width(context)


def has_room(context: bpy.types.Context, *texts: str) -> bool:
    """Return whether buttons with an icon and these texts fit in one row."""
    width, pixel = measure(context), scale(context)
    room = (sidebar_width(context) - MARGIN * pixel) / len(texts)
    return all(width(text) + BUTTON * pixel <= room for text in texts)


def buttons(layout: bpy.types.UILayout, context: bpy.types.Context, *texts: str) -> bpy.types.UILayout:
    """Return the layout for these buttons: a row or, if a text would be truncated, a column."""
    return layout.row(align=True) if has_room(context, *texts) else layout.column(align=True)


def field(layout: bpy.types.UILayout, data: Any, name: str, *, above: bool) -> None:
    """Add a property, with its name beside it or above it."""
    if above:
        layout.label(text=label_(data.bl_rna.properties[name].name), translate=False)
        layout.prop(data, name, text="")
    else:
        layout.prop(data, name)


def fields(layout: bpy.types.UILayout, context: bpy.types.Context, data: Any, *names: str) -> None:
    """Add properties. In a narrow sidebar, their names are above them, and those of switches to the right."""
    above = is_narrow(context)
    for name in names:
        if data.bl_rna.properties[name].type == "BOOLEAN":
            row = layout.row()
            row.use_property_split = not above
            row.prop(data, name)
        else:
            field(layout, data, name, above=above)


def opened(layout: bpy.types.UILayout, name: str, title: str, *, closed: bool = True) -> bpy.types.UILayout | None:
    """Add a section that is closed at first. Return its layout, or None while it is closed.

    Blender stores its state by its name.
    """
    parts: Any = layout.panel(name, default_closed=closed)
    header, body = parts
    header.label(text=title, translate=False)
    found: bpy.types.UILayout | None = body
    return found


def fact(layout: bpy.types.UILayout, name: str, value: str, *, above: bool = False) -> None:
    """Add a name, which is translated, and a value, which is not: aligned like a split property, or below it."""
    if above:
        column = layout.column(align=True)
        column.label(text=label_(name), translate=False)
        column.label(text=value, translate=False)
        return
    split = layout.split(factor=1.0 - VALUE_SHARE)
    left = split.row()
    left.alignment = "RIGHT"
    left.label(text=label_(name), translate=False)
    split.label(text=value, translate=False)


def scale(context: bpy.types.Context) -> float:
    """Return the pixels of this screen for one of the interface."""
    # Without a window, Blender has none.
    return context.preferences.system.ui_scale or 1.0


def sidebar_width(context: bpy.types.Context) -> float:
    """Return the width of the region in pixels."""
    return context.region.width if context.region is not None else USUAL_WIDTH * scale(context)


def sidebar_height(context: bpy.types.Context) -> float:
    """Return the height of the region in pixels."""
    return context.region.height if context.region is not None else USUAL_HEIGHT * scale(context)


def measure(context: bpy.types.Context) -> Measure:
    """Return a function that measures text, as panels show it, in pixels."""
    blf.size(FONT, context.preferences.ui_styles[0].widget.points * scale(context))

    def width(text: str) -> float:
        size: Any = blf.dimensions(FONT, text)
        return float(size[0])

    return width
