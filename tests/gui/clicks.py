# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by a Blender with a window: find the fault of a scene with the fewest clicks, and count them.

``blender --enable-event-simulate --python clicks.py -- STORY ZIP FOLDER SCREEN``. STORY is a name of `STORIES`. FOLDER
gets ``seen.json`` and, if SCREEN is not empty but the file in which Xvfb keeps what is on the screen, a picture.
"""

import json
import sys
from pathlib import Path
from typing import Any

import bpy

sys.path.append(str(Path(__file__).parent))

import faults
from mouse import DRAWN, Hand, Pauses
from stage import Stage, addon, run

# Pixels of a row of the results list.
ROW = 20
# What is done, and the panels that it needs.
STORIES = {"animation": "motion"}
# Panels that one has to open first, as Blender keeps them closed until somebody has.
CLOSED = {"motion"}
# Where in the width of the sidebar a row of a list has its name.
NAME = 0.3


class CountingHand(Hand):
    """Counts presses of the left button, and of keys; looking for a button and scrolling do not count."""

    def __init__(self, window: bpy.types.Window, area: bpy.types.Area) -> None:
        super().__init__(window, area)
        self.clicks = self.keys = 0

    def send(self, kind: Any, value: Any, at: tuple[int, int], *, ctrl: bool = False) -> None:
        """Count what is pressed."""
        self.clicks += kind == "LEFTMOUSE" and value == "PRESS"
        self.keys += value == "PRESS" and kind not in {"LEFTMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE"}
        super().send(kind, value, at, ctrl=ctrl)


class Clicks(Stage):
    """What is done in each scene, and how many clicks it takes."""

    def enter(self) -> None:
        """Take the window's largest 3D view, and count from zero."""
        super().enter()
        self.hand: CountingHand = CountingHand(self.hand.window, self.hand.area)

    def played(self, name: str) -> Pauses:
        """Go through one scene."""
        bpy.context.preferences.view.show_tooltips = False
        bpy.context.preferences.view.smooth_view = 0
        self.install_zip()
        panels = STORIES[name].split()
        self.open_panels(panels)
        yield from self.opened(getattr(faults, name, None))
        # One for each panel that is closed after installation.
        self.hand.clicks += len(CLOSED.intersection(panels))
        yield from getattr(self, name)(self.seen)
        self.seen |= {"clicks": self.hand.clicks, "keys": self.hand.keys}
        yield from self.picture(f"clicks_{name}")
        (self.folder / "seen.json").write_text(json.dumps(self.seen, indent=1), encoding="utf-8")

    def opened(self, build: Any) -> Pauses:
        """Open Blender's own scene or, with a function that builds one, an empty one, and show the tab."""
        bpy.ops.wm.read_homefile(use_empty=False, use_factory_startup=False)
        yield DRAWN
        self.enter()
        if build is not None:
            bpy.data.batch_remove(list(bpy.data.objects))
            with self.in_view():
                build()
                bpy.ops.object.select_all(action="DESELECT")
                bpy.ops.view3d.view_all()
                bpy.ops.ed.undo_push(message="Built")
        yield from self.show_tab()
        yield DRAWN

    def animation(self, seen: dict[str, Any]) -> Pauses:
        """Find when the cart first touches the post, and go there."""
        yield from self.hand.click("collision_kit.check_motion(")
        results = addon("session.motion_results")
        yield from self.until(lambda: results.latest.result is not None and not self.operators())
        report = results.latest.result.report
        seen["found"] = [[report.bodies[one.body_a].name, report.bodies[one.body_b].name] for one in report.contacts]
        yield from self.choose(0)
        scene = bpy.context.scene
        seen["frame"] = scene.frame_current + scene.frame_subframe

    # What the hand does.

    def choose(self, row: int) -> Pauses:
        """Click a row of the results list."""
        yield from self.redraw()
        yield from self.hand.to_top()
        x, _ = yield from self.hand.find("active", NAME)
        yield from self.hand.press("LEFTMOUSE", (x, self.hand.top - ROW * row))


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    story, *arguments = sys.argv[sys.argv.index("--") + 1 :]
    run(Clicks(*arguments).played(story))
