# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand on the mouse and the keyboard of a Blender with a window.

It moves the mouse of the screen with xdotool. If Blender was started with ``--enable-event-simulate``, it takes
simulated events instead, and no others.

Blender does not tell where on the screen a button is. It does tell what the pointer is over: the command of an
operator's button, or the property that a field, a switch or a row of a list is for. So buttons are found as people find
them who cannot read, by running the pointer over the sidebar.
"""

import subprocess
from collections.abc import Iterator
from typing import Any

import bpy

# What the functions here give to Blender's event loop between two events: the seconds until the next.
Pauses = Iterator[float]

# Seconds until Blender has taken an event; until it has done what a click asks for, and drawn it.
TAKEN, DRAWN = 0.01, 0.6
# Seconds between two events of a drag, which an operator begins and ends.
DRAGGED = 0.2

# Pixels from one place to the next while looking for a button, and the height of a button.
STRIDE, BUTTON = 12, 20
# Where in the sidebar's width, as shares of it: a button alone in its row, the left of two, and a small one at the end.
MIDDLE, END = 0.5, 0.86
# Pixels from the middle of the last button of a panel down to the middle of the next panel's header.
HEADER = 32
# Pixels from the header of a closed panel within another one to the next header.
CLOSED = 26
# Turns of the wheel that lead to the top of the sidebar, or on by less than its height.
TO_TOP, ONWARD = 60, 8
MOST_PAGES = 5

# What X calls buttons and keys, where Blender has other names.
BUTTONS = {"LEFTMOUSE": "1", "MIDDLEMOUSE": "2", "RIGHTMOUSE": "3", "WHEELUPMOUSE": "4", "WHEELDOWNMOUSE": "5"}
KEYS = {"ESC": "Escape", "RET": "Return", "PAGE_UP": "Prior", "PAGE_DOWN": "Next"}


class Hand:
    """Points, clicks, types and turns the wheel in a window's 3D view and its sidebar."""

    def __init__(self, window: bpy.types.Window, area: bpy.types.Area) -> None:
        self.window, self.area = window, area
        # The highest place at which the last button that was found was touched; of a list, in its first row.
        self.top = 0
        # Where buttons were found last, by what was looked for and in which column.
        self.known: dict[tuple[str, float], tuple[int, int]] = {}

    def region(self, kind: str) -> bpy.types.Region:
        """Return the 3D view's region of this type."""
        return next(region for region in self.area.regions if region.type == kind)

    def middle(self, kind: str = "WINDOW") -> tuple[int, int]:
        """Return the middle of a region, in the window's pixels."""
        region = self.region(kind)
        return region.x + region.width // 2, region.y + region.height // 2

    def send(self, kind: Any, value: Any, at: tuple[int, int], *, ctrl: bool = False) -> None:
        """Move the mouse, or press or release a button or a key; the wheel turns when it is pressed."""
        if bpy.app.use_event_simulate:
            self.window.event_simulate(type=kind, value=value, x=at[0], y=at[1], ctrl=ctrl)
            return
        # The window fills the screen, whose rows are counted from the top.
        steps = ["mousemove", str(at[0]), str(self.window.height - 1 - at[1])]
        if value != "NOTHING":
            down = value == "PRESS"
            held = ["keydown" if down else "keyup", "ctrl"] if ctrl else []
            if kind.startswith("WHEEL"):
                steps += ["click", BUTTONS[kind]]
            elif kind in BUTTONS:
                steps += ["mousedown" if down else "mouseup", BUTTONS[kind]]
            else:
                steps += ["keydown" if down else "keyup", KEYS.get(kind, kind.lower())]
            steps = [*held, *steps] if down else [*steps, *held]
        subprocess.run(["xdotool", *steps], check=True)

    def press(self, kind: str, at: tuple[int, int], *, ctrl: bool = False, held: float = TAKEN) -> Pauses:
        """Move there, press a key or a button, hold it for so many seconds, and let it go."""
        self.send("MOUSEMOVE", "NOTHING", at)
        yield TAKEN
        self.send(kind, "PRESS", at, ctrl=ctrl)
        yield held
        self.send(kind, "RELEASE", at, ctrl=ctrl)
        yield DRAWN

    def drag(self, kind: str, start: tuple[int, int], end: tuple[int, int]) -> Pauses:
        """Press a button, move, and let it go."""
        for event, value, at in (
            ("MOUSEMOVE", "NOTHING", start),
            (kind, "PRESS", start),
            ("MOUSEMOVE", "NOTHING", end),
            (kind, "RELEASE", end),
        ):
            self.send(event, value, at)
            yield DRAGGED

    def click(self, name: str, column: float = MIDDLE) -> Pauses:
        """Look for a button of the sidebar, as `find` does, and click it."""
        at = yield from self.find(name, column)
        yield from self.press("LEFTMOUSE", at)

    def find(self, name: str, column: float = MIDDLE) -> Iterator[Any]:
        """Return where the button is that runs this command or shows this property.

        Parameters
        ----------
        name : str
            How the command begins, such as ``collision_kit.push_apart(``, or the last part of the property's path.
        column : float, optional
            Where to look for it, as a share of the sidebar's width.
        """
        if (name, column) in self.known:
            at = self.known[name, column]
            if (yield from self._is_at(name, at)):
                return at
        # Where the sidebar is, a page further, and then from the top to the end.
        for wheel, count in (
            ("WHEELDOWNMOUSE", 0),
            ("WHEELDOWNMOUSE", ONWARD),
            ("WHEELUPMOUSE", TO_TOP),
            *[("WHEELDOWNMOUSE", ONWARD)] * MOST_PAGES,
        ):
            yield from self._turn(wheel, count)
            at = yield from self._look(name, column)
            if at is not None:
                return at
        raise AssertionError(f"there is no button for {name} in the sidebar")

    def to_top(self) -> Pauses:
        """Turn the sidebar back to its top, where the pointer need not run far to the first buttons."""
        yield from self._turn("WHEELUPMOUSE", TO_TOP)

    def further(self, count: int) -> Pauses:
        """Turn the sidebar down by so many steps of the wheel."""
        yield from self._turn("WHEELDOWNMOUSE", count)

    def press_header(self, name: str, place: int) -> Pauses:
        """Click the header of a panel that comes after the one which this button ends: 0 for the next one.

        Those between are closed.
        """
        x, y = yield from self.find(name)
        if y - self.region("UI").y < 2 * HEADER + place * CLOSED:
            yield from self._turn("WHEELDOWNMOUSE", 3)
            x, y = yield from self.find(name)
        yield from self.press("LEFTMOUSE", (x, y - HEADER - place * CLOSED))

    def pointed_at(self) -> tuple[str, str]:
        """Return the command and the property of the button under the pointer; empty where there is none."""
        manager = bpy.context.window_manager
        manager.clipboard = ""
        sidebar = self.region("UI")
        with bpy.context.temp_override(window=self.window, area=self.area, region=sidebar):
            if bpy.ops.ui.copy_python_command_button.poll():
                bpy.ops.ui.copy_python_command_button()
            shown = bpy.context.property
        # Before 5.0 the path was the property's own name.
        return manager.clipboard.removeprefix("bpy.ops."), shown[1].rpartition(".")[2] if shown else ""

    def _look(self, name: str, column: float) -> Iterator[Any]:
        """Run the pointer down the sidebar at this share of its width; return the middle of the button."""
        sidebar = self.region("UI")
        x = sidebar.x + round(sidebar.width * column)
        touched = []
        for y in range(sidebar.y + sidebar.height - 1, sidebar.y, -STRIDE):
            if (yield from self._is_at(name, (x, y))):
                touched.append(y)
            elif touched:
                break
        self.top = touched[0] if touched else 0
        if not touched:
            return None
        at = x, (touched[0] + touched[-1]) // 2
        # A list is higher, and its first row may be elsewhere the next time.
        if touched[0] - touched[-1] <= BUTTON:
            self.known[name, column] = at
        return at

    def _is_at(self, name: str, at: tuple[int, int]) -> Iterator[Any]:
        """Move the pointer there; return whether it is over the button."""
        self.send("MOUSEMOVE", "NOTHING", at)
        yield TAKEN
        command, shown = self.pointed_at()
        return command.startswith(name) or shown == name

    def _turn(self, wheel: str, count: int) -> Pauses:
        if not count:
            return
        at = self.middle("UI")
        self.send("MOUSEMOVE", "NOTHING", at)
        yield TAKEN
        if bpy.app.use_event_simulate:
            for _ in range(count):
                self.send(wheel, "PRESS", at)
        else:
            subprocess.run(["xdotool", "click", "--repeat", str(count), "--delay", "1", BUTTONS[wheel]], check=True)
        yield DRAWN
