# SPDX-License-Identifier: GPL-3.0-or-later
"""Long-running operators: they work in steps, show progress, and can be canceled between two steps."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import Any, cast

import bpy

from ...i18n.lookup import error_text, label_, report_
from ...model.errors import UserError
from ...scene import events
from .base import Operator

# Operators in the 3D viewport's keymap that only change the view.
_NAVIGATION = {
    "view3d.dolly",
    "view3d.move",
    "view3d.ndof_all",
    "view3d.ndof_orbit",
    "view3d.ndof_orbit_zoom",
    "view3d.ndof_pan",
    "view3d.rotate",
    "view3d.view_all",
    "view3d.view_axis",
    "view3d.view_orbit",
    "view3d.view_pan",
    "view3d.view_persportho",
    "view3d.view_roll",
    "view3d.view_selected",
    "view3d.zoom",
}

# Events that scroll lists and panels. With a modifier, they change values.
_SCROLLING = {"MIDDLEMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "WHEELDOWNMOUSE", "WHEELUPMOUSE"}


def navigates(context: bpy.types.Context, event: bpy.types.Event) -> bool:
    """Return whether an event orbits, pans or zooms the 3D view under the pointer, or scrolls elsewhere."""
    screen = context.screen
    areas = screen.areas if screen is not None else ()
    area = next((area for area in areas if _is_over(event, area)), None)
    if area is None:
        return False
    region = next((region for region in area.regions if region.type != "WINDOW" and _is_over(event, region)), None)
    if area.type != "VIEW_3D" or region is not None:
        return event.type in _SCROLLING and not (event.alt or event.ctrl or event.oskey or event.shift)
    return _called(context, area, event) in _NAVIGATION


def clicks_sidebar(context: bpy.types.Context, event: bpy.types.Event) -> bool:
    """Whether an event moves the pointer over a sidebar of a 3D view, or clicks there."""
    screen = context.screen
    areas = [area for area in screen.areas if area.type == "VIEW_3D"] if screen is not None else []
    sidebars = [region for area in areas for region in area.regions if region.type == "UI"]
    return event.type in {"LEFTMOUSE", "MOUSEMOVE"} and any(_is_over(event, region) for region in sidebars)


def _is_over(event: bpy.types.Event, place: bpy.types.Area | bpy.types.Region) -> bool:
    """Return whether the pointer is over an area or region. Hidden regions have no extent."""
    return 0 <= event.mouse_x - place.x < place.width and 0 <= event.mouse_y - place.y < place.height


def _called(context: bpy.types.Context, area: bpy.types.Area, event: bpy.types.Event) -> str:
    """Return the operator that an event calls in a 3D view, by the user's keymap."""
    keyconfig: bpy.types.KeyConfig | None = context.window_manager.keyconfigs.user
    keymap = keyconfig.keymaps.get("3D View") if keyconfig is not None else None
    if keymap is None:
        return ""
    region = next(region for region in area.regions if region.type == "WINDOW")
    with context.temp_override(area=area, region=region):
        item = keymap.keymap_items.match_event(event)
    return item.idname if item is not None else ""


# Seconds of work before canceling is offered. Shorter work is done at once, without flickering.
AT_ONCE = 0.3
# Seconds of work between two checks for events.
SLICE = 0.1
# Seconds until the next work, in which Blender redraws.
PAUSE = 0.01

CANCELS = {"ESC", "RIGHTMOUSE"}
CONFIRMS = {"RET", "NUMPAD_ENTER"}

# The steps yield their progress, and return the result.
Steps = Generator[Any, None, Any]


@dataclass(eq=False)
class _Waiting:
    """An operator that waits for events between its steps."""

    steps: Steps
    context: bpy.types.Context
    timer: bpy.types.Timer
    # The text about the preview that waits for confirmation, and the answer of the buttons in the panel.
    shown: str = ""
    confirmed: bool | None = None

    def end(self) -> None:
        """Restore the scene, the pointer and the status bar."""
        _waiting.remove(self)
        self.steps.close()
        self.context.window_manager.event_timer_remove(self.timer)
        self.context.window_manager.progress_end()
        self.context.workspace.status_text_set(None)


_waiting: list[_Waiting] = []


def end_all() -> None:
    """End all waiting operators, because Blender does not cancel operators that are unregistered meanwhile."""
    for waiting in reversed(_waiting):
        waiting.end()


def shown_text() -> str:
    """Return the text about a preview that waits for confirmation. Empty if there is none."""
    return _waiting[-1].shown if _waiting else ""


def answer_shown(*, confirmed: bool) -> None:
    """Confirm or cancel the preview that waits for confirmation."""
    if shown_text():
        _waiting[-1].confirmed = confirmed


class RunInSteps(Operator):
    """Runs the steps of a generator: in a window between events, and cancelable; otherwise all at once.

    In a window, the result can be shown first, to be confirmed. The generator restores what it changes, also when it is
    closed before its end. If it cannot, `leave` reports what remains. Not registered itself.
    """

    _steps: Steps
    # Ends it while it waits. Not annotated, because Blender would make it a property.
    _waits = cast("_Waiting | None", None)
    # The result that is shown for confirmation, and the text of the status bar.
    _shown = cast("tuple[Any, str] | None", None)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Return the steps for the settings of the operator."""
        raise NotImplementedError

    def is_short(self) -> bool:
        """Return whether the steps of `begin` are too fast to be canceled."""
        return False

    def share(self, progress: Any) -> float:
        """Return the finished fraction, from 0 to 1."""
        raise NotImplementedError

    def status(self, progress: Any) -> str:
        """Return the text of the status bar while the operator runs."""
        raise NotImplementedError

    def finish(self, context: bpy.types.Context, found: Any) -> set[str]:
        """Use the result as the operator does."""
        raise NotImplementedError

    def show(self, context: bpy.types.Context, found: Any) -> str:
        """Show the result for confirmation, and return a text about it. Empty: `finish` follows at once."""
        return ""

    def hide(self, context: bpy.types.Context) -> None:
        """Stop showing the result."""

    def leave(self, context: bpy.types.Context) -> set[str]:
        """Clean up if the work ends before its last step. `finish` is not called then."""
        return {"CANCELLED"}

    def run(self, context: bpy.types.Context) -> set[str]:
        """Run all steps without interruption."""
        self._steps = self.begin(context)
        return self._take_all(context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Run the steps in a cancelable way, unless there are few or they are soon done."""
        self._steps, self._waits, self._shown = self.begin(context), None, None
        if self.is_short() or context.window is None:
            return self._take_all(context)
        answer = self._take_some(context, AT_ONCE)
        if answer is not None:
            return answer
        timer = context.window_manager.event_timer_add(PAUSE, window=context.window)
        self._waits = _Waiting(self._steps, context, timer)
        _waiting.append(self._waits)
        context.window_manager.progress_begin(0, 1)
        context.window_manager.modal_handler_add(self)
        self._say(context, None)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Run more steps, or stop. Other events only pass if they change the view or click the sidebar."""
        answer_of_panel = self._waits.confirmed if self._waits is not None else None
        if (event.type in CANCELS and event.value == "PRESS") or answer_of_panel is False:
            self._stop(context)
            answer = self.leave(context)
            if answer == {"CANCELLED"}:
                self.report({"INFO"}, report_("Canceled: nothing was changed"))
            return answer
        if self._shown is not None and (answer_of_panel or (event.type in CONFIRMS and event.value == "PRESS")):
            found, _ = self._shown
            self._stop(context)
            return self._finish(context, found)
        if event.type != "TIMER":
            passes = navigates(context, event) or (self._shown is not None and clicks_sidebar(context, event))
            return {"PASS_THROUGH"} if passes else {"RUNNING_MODAL"}
        if self._shown is not None:
            return {"RUNNING_MODAL"}
        return self._take_some(context, SLICE) or {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Restore the scene when Blender ends the operator. If nothing was begun, there is nothing to restore."""
        if self._waits is not None:
            self._stop(context)
            self.leave(context)

    def _take_some(self, context: bpy.types.Context, seconds: float) -> set[str] | None:
        """Run steps for this time. Return the operator's result as soon as there is one."""
        progress, begin = None, monotonic()
        try:
            while monotonic() - begin < seconds:
                progress = next(self._steps)
        except StopIteration as end:
            text = self.show(context, end.value)
            if not text:
                self._stop(context)
                return self._finish(context, end.value)
            self._shown = end.value, text
        except UserError as error:
            self._stop(context)
            return self._refuse(context, error)
        except Exception:
            self._stop(context)
            raise
        self._say(context, progress)
        return None

    def _say(self, context: bpy.types.Context, progress: Any) -> None:
        """Show in the status bar the progress, or the text of the shown result."""
        if self._waits is None:
            return
        if self._shown is not None:
            self._waits.shown = self._shown[1]
            events.redraw()
            context.window_manager.progress_end()
            context.workspace.status_text_set(_status_bar(self._shown[1], confirms=True))
        elif progress is not None:
            context.window_manager.progress_update(self.share(progress))
            context.workspace.status_text_set(_status_bar(self.status(progress)))

    def _take_all(self, context: bpy.types.Context) -> set[str]:
        manager = context.window_manager
        manager.progress_begin(0, 1)
        try:
            while True:
                manager.progress_update(self.share(next(self._steps)))
        except StopIteration as end:
            return self._finish(context, end.value)
        except UserError as error:
            return self._refuse(context, error)
        finally:
            manager.progress_end()
            events.redraw()

    def _stop(self, context: bpy.types.Context) -> None:
        self._steps.close()
        if self._shown is not None:
            self._shown = None
            self.hide(context)
        if self._waits is not None and self._waits in _waiting:
            self._waits.end()
        # Redraw after the event, so that changes by `finish` or `leave` are visible, too.
        events.redraw()

    def _finish(self, context: bpy.types.Context, found: Any) -> set[str]:
        try:
            return self.finish(context, found)
        except UserError as error:
            return self._refuse(context, error)

    def _refuse(self, context: bpy.types.Context, error: UserError) -> set[str]:
        self.report({"ERROR"}, error_text(error))
        return self.leave(context)


def _status_bar(text: str, *, confirms: bool = False) -> Callable[[bpy.types.Header, bpy.types.Context], None]:
    """Return a function that draws a text in the status bar, with the keys that end the operator."""

    def draw(header: bpy.types.Header, _context: bpy.types.Context) -> None:
        row = header.layout.row(align=True)
        if confirms:
            row.label(text=label_("Confirm"), icon="EVENT_RETURN", translate=False)
        row.label(text="", icon="EVENT_ESC")
        # The icon of this key is wider than others.
        row.separator(factor=2.0)
        row.label(text=label_("Cancel"), icon="MOUSE_RMB", translate=False)
        header.layout.separator()
        header.layout.label(text=text, translate=False)

    return draw


def undisturbed(
    context: bpy.types.Context,
    steps: Steps,
    around: Callable[[bpy.types.Context], AbstractContextManager[Any]] = nullcontext,
) -> Steps:
    """Yield the steps of reading the scene, as long as nothing changes it.

    The waiting window only allows view changes. Other windows, timers of other add-ons, and scripts continue.

    Parameters
    ----------
    context : bpy.types.Context
    steps : generator
    around : function
        Context manager that is active during each step, and not in between.

    Raises
    ------
    UserError
        If the scene has changed, another scene or view layer is shown, an undo happened, or a file was loaded.
    """
    # Evaluate earlier changes now, so that they do not count.
    context.view_layer.update()
    place = events.place(context)
    with events.recorded_changes(context) as recorded:
        while not recorded.any_changes(context) and events.place(context) == place:
            with around(context):
                try:
                    progress = next(steps)
                except StopIteration as end:
                    return end.value
            yield progress
    raise UserError("The scene changed while the operator ran, so its result was discarded. Run it again")
