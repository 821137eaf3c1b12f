# SPDX-License-Identifier: GPL-3.0-or-later
"""Used by scripts that a Blender with a window runs: the installed add-on, its operators, and when they are done."""

import shutil
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy
from mouse import DRAWN, TAKEN, Hand, Pauses

EXTENSION = "bl_ext.user_default.collision_kit"

PREFIX = "COLLISION_KIT_PT_"

# Seconds until an operator has taken a few of its steps.
STARTED = 0.2


def addon(name: str) -> Any:
    """Return a module of the installed add-on."""
    return import_module(f"{EXTENSION}.addon.{name}")


class Stage:
    """A window with a 3D view, the zip that is installed into it, and the folder that gets what was seen."""

    def __init__(self, extension_zip: str, folder: str, screen: str) -> None:
        self.zip, self.folder, self.screen = extension_zip, Path(folder), screen
        self.seen: dict[str, Any] = {"pictures": []}
        self.enter()

    def enter(self) -> None:
        """Take the window's largest 3D view, as it is now."""
        window = bpy.context.window_manager.windows[0]
        area = max((a for a in window.screen.areas if a.type == "VIEW_3D"), key=lambda a: a.width * a.height)
        self.hand = Hand(window, area)

    def install_zip(self) -> None:
        """Install the zip with Blender's own installer."""
        with self.in_view():
            bpy.ops.extensions.package_install_files(filepath=self.zip, repo="user_default", enable_on_install=True)

    def show_tab(self) -> Pauses:
        """Open the sidebar at the tab "Collision"."""
        self.hand.area.spaces.active.show_region_ui = True
        yield DRAWN
        # Blender says which tab is open only after it has drawn the sidebar.
        self.hand.region("UI").active_panel_category = "Collision"

    def open_panels(self, wanted: list[str]) -> None:
        """Have these panels open, and all others closed, in a sidebar that has not been drawn yet."""
        classes = [cls for cls in addon("ui.panels").CLASSES if cls.__name__.startswith(PREFIX)]
        for cls in reversed(classes):
            bpy.utils.unregister_class(cls)
        for cls in classes:
            options = set(getattr(cls, "bl_options", ())) - {"DEFAULT_CLOSED"}
            cls.bl_options = options if cls.__name__.removeprefix(PREFIX) in wanted else options | {"DEFAULT_CLOSED"}
            bpy.utils.register_class(cls)

    def in_view(self) -> Any:
        """The context of an operator that is called in the 3D view."""
        hand = self.hand
        return bpy.context.temp_override(window=hand.window, area=hand.area, region=hand.region("WINDOW"))

    def redraw(self) -> Pauses:
        """Have the 3D view drawn with the pointer outside the sidebar, where it would light up a button."""
        self.hand.send("MOUSEMOVE", "NOTHING", self.hand.middle())
        self.hand.area.tag_redraw()
        yield DRAWN

    def until(self, done: Any) -> Pauses:
        """Wait for what an operator does between events."""
        for _ in range(50):
            if done():
                break
            yield DRAWN

    def start(self, name: str) -> Pauses:
        """Call an operator as a button does, and let it begin."""
        with self.in_view():
            getattr(bpy.ops.collision_kit, name)("INVOKE_DEFAULT")
        yield STARTED

    def operators(self) -> list[str]:
        """The operators that wait for events."""
        return [operator.bl_idname for operator in self.hand.window.modal_operators]

    def picture(self, name: str) -> Pauses:
        """Keep what is on the screen."""
        if self.screen:
            yield DRAWN
            shutil.copy(self.screen, self.folder / f"{name}.xwd")
            self.seen["pictures"].append(name)


def run(todo: Pauses) -> None:
    """Take a step now and the next ones in the pauses of Blender's event loop, then end Blender."""
    waited = False

    def step() -> float | None:
        nonlocal waited
        # Blender takes what comes from the screen after its timers, so one turn later than simulated events.
        waited = not waited and not bpy.app.use_event_simulate
        if waited:
            return TAKEN
        try:
            return next(todo)
        except StopIteration:
            pass
        except Exception:
            traceback.print_exc()
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(step, first_interval=1.0, persistent=True)
