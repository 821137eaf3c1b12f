# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of a list with one or two names and values: in one line, or below each other in a narrow sidebar."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import bpy

from ...i18n.wrapping import ShortNames
from .layout import BOX, BUTTON, MARGIN, measure, scale, sidebar_width

# Pixels at a resolution scale of 1: the margins of list rows with scroll bar, an icon, the margins of a label, and the
# indentation of a name under a heading.
BESIDE = 80
ICON = 26
PADDING = 13
INDENT = 14
# Margins of a line of heads above a list, for `UILayout.separator`.
HEAD = 0.2
# Before the second of two names that are below each other if there is room, as between those of a pair elsewhere.
WITH = "× "
# Names that are mostly longer than this many times the space of one beside another are below each other. Beside each
# other, they would lose more than a third of their letters.
LEGIBLE = 1.5
# Minimum width of a name beside something else. If there is less, it has a line of its own.
LEAST_NAME = 60


class Value(NamedTuple):
    """A text at the right end of a row.

    Attributes
    ----------
    text : str
    room : float
        Usual width of such values, in pixels at a resolution scale of 1.
    alert : bool
        Whether it is red.
    """

    text: str
    room: float
    alert: bool = False


def line_count(
    context: bpy.types.Context, values: Sequence[float], names: int = 2, short: ShortNames | None = None
) -> int:
    """Return the number of lines of rows with one or two names, in a list with values of these widths.

    Two names are below each other in a narrow sidebar, and if most of the names `short` of the list are long.

    1: all in one line. 2: names below each other, and the last value beside the second one. 3: values below both names.
    With one name, the values are below it if there is no room for it beside them.
    """
    room = sidebar_width(context) / scale(context) - BESIDE - ICON
    if names == 1:
        return 1 if room - sum(values) >= LEAST_NAME else 2
    if (half := (room - sum(values)) / 2.0) >= LEAST_NAME:
        longest = LEGIBLE * (half - PADDING) * scale(context)
        if short is None or short.mostly_fit(longest, measure(context)):
            return 1
    return 2 if room - max(values) >= LEAST_NAME else 3


def draw_name(
    layout: bpy.types.UILayout, context: bpy.types.Context, name: str, short: ShortNames, *, in_box: bool = False
) -> None:
    """Draw the name of an object below a list, shortened to the available space as in the list."""
    room = sidebar_width(context) - (MARGIN + ICON + (BOX if in_box else 0)) * scale(context)
    layout.label(text=short.shortened(name, room, measure(context)), icon="OBJECT_DATA", translate=False)


def draw_heads(
    context: bpy.types.Context, column: bpy.types.UILayout, names: Sequence[str], values: Sequence[Value]
) -> None:
    """Draw the heads of columns above a list, as far from the borders as the rows of the list."""
    row = column.row()
    row.separator(factor=HEAD)
    draw_names(context, row, names, values, None, "BLANK1")
    row.separator(factor=HEAD)


def draw_names(
    context: bpy.types.Context,
    layout: bpy.types.UILayout,
    names: Sequence[str],
    values: Sequence[Value],
    short: ShortNames | None,
    icon: Any,
    *,
    indented: bool = False,
    choose: tuple[str, int] = ("", 0),
    button: Callable[[bpy.types.UILayout], None] | None = None,
) -> None:
    """Draw one or two names, shortened to the available space, and values in full.

    Parameters
    ----------
    context : bpy.types.Context
    layout : bpy.types.UILayout
    names : sequence of str
    values : sequence of Value
        If names are below each other, the last value is beside the second one or, in a very narrow sidebar, all values
        are below the names.
    short : ShortNames or None
        All names of the list. None: the names are heads of columns, which are not shortened.
    icon : str
    indented : bool
        Whether the row is under a heading.
    choose : (str, int)
        Operator that chooses the row, and its property `row`. Blender itself handles clicks only on the first line.
    button : callable, optional
        Draws a button at the end of the first line.
    """
    inner = sidebar_width(context) - (BESIDE - (ICON if icon == "NONE" else 0.0)) * scale(context)
    end = BUTTON if button is not None else 0.0
    lines = line_count(context, [*(value.room for value in values), end], len(names), short)
    if lines > 1:
        column = layout.column(align=True)
        first, inner_of_first = column.row(align=True), inner - end * scale(context)
        above, beside, below = (values[:-1], values[-1:], ()) if lines == 2 else ((), (), values)
        if len(names) == 1:
            above, below = (), values
        _draw_line(context, first, names[:1], above, short, inner_of_first, lambda cell, text: _label(cell, text, icon))
        if button is not None:
            button(first)
        if len(names) > 1:
            second = choose if choose[0] else None
            left = inner - (ICON + sum(value.room for value in beside) + LEAST_NAME) * scale(context)
            mark = WITH if left >= measure(context)(WITH) else ""
            _draw_line(
                context,
                column,
                names[1:],
                beside,
                short,
                inner - measure(context)(mark),
                lambda cell, text: _button(cell, f"{mark}{text}", *choose),
                second,
            )
        _draw_below(column, below, choose if choose[0] else None)
        return
    inner -= end * scale(context)
    line = layout.row(align=True)
    if indented:
        line.separator(factor=INDENT / 10.0)
        inner -= INDENT * scale(context)
    _draw_line(context, line, names, values, short, inner, lambda cell, text: _label(cell, text, icon))
    if button is not None:
        button(line)


def _draw_line(
    context: bpy.types.Context,
    layout: bpy.types.UILayout,
    names: Sequence[str],
    values: Sequence[Value],
    short: ShortNames | None,
    inner: float,
    draw_first: Callable[[bpy.types.UILayout, str], None],
    choose: tuple[str, int] | None = None,
) -> None:
    """Draw names and values in one line of this width in pixels, the first name with an icon.

    Values are buttons if they `choose` their row.
    """
    width, pixel = measure(context), scale(context)
    padding = PADDING * pixel
    right = [max(value.room * pixel, width(value.text) + padding) for value in values]
    wanted = [width(name) + padding for name in names]
    rooms = _rooms(wanted, inner - ICON * pixel - sum(right))
    shown = short.beside(names, [room - padding for room in rooms], width) if short is not None else names
    cells = [ICON * pixel + rooms[0], *rooms[1:], *right]
    rest = layout
    for number, cell in enumerate(cells):
        if number < len(cells) - 1:
            rest = rest.split(factor=cell / sum(cells[number:]), align=True)
        if number == 0:
            draw_first(rest, shown[0])
        elif number < len(names):
            _label(rest, shown[number])
        else:
            _draw_value(rest, values[number - len(names)], choose)


def _draw_below(column: bpy.types.UILayout, values: Sequence[Value], choose: tuple[str, int] | None) -> None:
    """Draw the values that have a text in a line of their own, in columns of the same width."""
    values = [value for value in values if value.text]
    if values:
        rest: bpy.types.UILayout = column.row(align=True)
        for left in range(len(values), 0, -1):
            rest = rest.split(factor=1.0 / left, align=True) if left > 1 else rest
            _draw_value(rest, values[-left], choose)


def _draw_value(layout: bpy.types.UILayout, value: Value, choose: tuple[str, int] | None = None) -> None:
    """Draw a value. Below the first line of a row, it is a button.

    Blender gives labels of a selected row the color of text on the highlight, which only the first line has. A red
    button would be filled, and a selected row has no red text.
    """
    end = layout.row()
    end.alignment, end.alert = "RIGHT", value.alert
    if choose is None or value.alert:
        _label(end, value.text)
    else:
        button: Any = end.operator(choose[0], text=value.text, translate=False, emboss=False)
        button.row = choose[1]


def _label(layout: bpy.types.UILayout, text: str, icon: Any = "NONE") -> None:
    layout.label(text=text, icon=icon, translate=False)


def _button(layout: bpy.types.UILayout, text: str, operator: str, row: int) -> None:
    """Draw a name that chooses its row, below one with an icon."""
    line = layout.row()
    line.alignment = "LEFT"
    button: Any = line.operator(operator, text=text, translate=False, icon="BLANK1", emboss=False)
    button.row = row


def _rooms(wanted: Sequence[float], room: float) -> list[float]:
    """Divide a width between one or two names: half each, but the unused part of one is given to the other."""
    least = float(PADDING)
    if len(wanted) == 1:
        return [max(room, least)]
    one, other = wanted
    half = room / 2.0
    first = min(one, max(half, room - other)) if one > half else max(one, min(half, room - other))
    return [max(first, least), max(room - first, least)]
