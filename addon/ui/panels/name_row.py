# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of a list with one or two names and values: in one line, or names below each other where they need it."""

from collections.abc import Callable, Iterable, Sequence
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
# A name longer than this many times its space beside another is above or below it. Beside it, it would lose more than
# a third of its letters.
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


def is_wide(context: bpy.types.Context, values: Sequence[float], names: int = 2) -> bool:
    """Return whether a row has room for this many names beside values of these widths."""
    room = sidebar_width(context) / scale(context) - BESIDE - ICON
    return (room - sum(values)) / names >= LEAST_NAME


def line_count(context: bpy.types.Context, values: Sequence[float], names: Sequence[str]) -> int:
    """Return the number of lines of a row with one or two names, and values of these widths.

    Two names are below each other in a narrow sidebar, and if one of them is long.

    1: all in one line. 2: names below each other, with values beside them. 3: values below both names, in a very narrow
    sidebar. With one name, the values are below it if there is no room for it beside them.
    """
    if is_wide(context, values, len(names)):
        if len(names) == 1:
            return 1
        width, pixel = measure(context), scale(context)
        padding = PADDING * pixel
        wanted = [width(name) + padding for name in names]
        rooms = _rooms(wanted, sidebar_width(context) - (BESIDE + ICON + sum(values)) * pixel)
        legible = (one - padding <= LEGIBLE * (room - padding) for one, room in zip(wanted, rooms, strict=True))
        return 1 if all(legible) else 2
    return 2 if len(names) == 1 or is_wide(context, [max(values)], 1) else 3


def row_count(
    context: bpy.types.Context, values: Sequence[float], rows: Iterable[Sequence[str]], most: int, fewest: int
) -> int:
    """Return how many rows a list shows, so that the first ones have no more than `most` lines together.

    Parameters
    ----------
    context : bpy.types.Context
    values : sequence of float
        Widths of the values of a row, at a resolution scale of 1.
    rows : iterable of sequence of str
        The names in each row, from the first.
    most : int
        Lines before the list scrolls.
    fewest : int
        Minimum number of rows.
    """
    lines = shown = 0
    for names in rows:
        lines += line_count(context, values, names)
        if lines > most:
            break
        shown += 1
    return max(shown, fewest)


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
        If names are below each other, values are beside the first one or, in a narrow sidebar, the last one is beside
        the second name. In a very narrow one, all values are below the names.
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
    rooms = [*(value.room for value in values), end]
    lines = line_count(context, rooms, names)
    if lines > 1:
        column = layout.column(align=True)
        first, inner_of_first = column.row(align=True), inner - end * scale(context)
        above, beside, below = (values[:-1], values[-1:], ()) if lines == 2 else ((), (), values)
        if len(names) == 1:
            above, below = (), values
        elif is_wide(context, rooms):
            above, beside = values, ()  # in the same columns as in rows with one line
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
