# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by a Blender with a window: play the clip, and keep a still of the screen for each of its steps.

``blender --enable-event-simulate --python reel.py -- ZIP FOLDER SCREEN SCENES``. Without a graphics card Blender draws
slowly, so the clip has a clock of its own: FOLDER gets stills, and ``clip.json`` with the still and the pointer of each
frame.
"""

import json
import shutil
import sys
import traceback
from pathlib import Path
from typing import Any

import blf
import bpy

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tests" / "gui")]

import steps
from mouse import DRAWN, Pauses
from stage import run
from studio import Studio
from table import ENGLISH, VIEW, Picture

FPS = 12
# Seconds for Blender to draw while something is dragged.
STEP = 0.25
# From the upper left corner of the view: below its name, and away from the legend and the controls of a player.
CAPTION_SIZE, CAPTION_AT = 26, (24, 112)
ROW = 20  # pixels of a row in a list


class Reel(Studio):
    """A studio in which the pointer is seen, and which counts frames."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(*arguments)
        self.frames: list[tuple[int, int, int, bool]] = []
        self.stills, self.pointer, self.caption = 0, (300, 300), ""
        self.poster, self.failed = 0, False
        bpy.types.SpaceView3D.draw_handler_add(self._draw_caption, (), "WINDOW", "POST_PIXEL")

    def _draw_caption(self) -> None:
        blf.size(0, CAPTION_SIZE)
        blf.enable(0, blf.SHADOW)
        blf.shadow(0, 5, 0.0, 0.0, 0.0, 1.0)
        blf.position(0, CAPTION_AT[0], bpy.context.region.height - CAPTION_AT[1], 0)
        blf.color(0, 1.0, 1.0, 1.0, 1.0)
        blf.draw(0, self.caption)
        blf.disable(0, blf.SHADOW)

    def played(self) -> Pauses:
        """Play the clip, one scene after the other."""
        yield from self.prepared()
        # The first check of a session takes longer, since it loads modules.
        yield from self.scene("two_cubes", "check", "")
        yield from steps.check(self)
        for scene in (self.drag_live, self.click_through_results, self.touch_first, self.make_and_validate):
            try:
                yield from scene()
            except Exception:
                traceback.print_exc()
                self.failed = True
        seen = {"frames": self.frames, "fps": FPS, "poster": self.poster, "failed": self.failed}
        (self.folder / "clip.json").write_text(json.dumps(seen), encoding="utf-8")

    # What a scene is made of.

    def scene(self, scene: str, panels: str, caption: str) -> Pauses:
        """Open a scene with these panels open."""
        self.caption = caption
        yield from self.set_up(Picture("clip", scene, panels, "", VIEW), ENGLISH)
        yield from self.settled()

    def still(self) -> int:
        """Keep what is on the screen; return its number."""
        shutil.copy(self.screen, self.folder / f"clip_{self.stills}.xwd")
        self.stills += 1
        return self.stills - 1

    def hold(self, seconds: float) -> Pauses:
        """Show what is on the screen for a while."""
        self.hand.area.tag_redraw()
        yield DRAWN
        self.frames += [(self.still(), *self.pointer, False)] * round(seconds * FPS)

    def step(self) -> Pauses:
        """Show what is on the screen for one frame."""
        self.hand.area.tag_redraw()
        yield STEP
        self.frames.append((self.still(), *self.pointer, False))

    def point(self, at: tuple[int, int], seconds: float = 0.6) -> Pauses:
        """Move the pointer, with the screen as it is."""
        still, start, count = self.still(), self.pointer, round(seconds * FPS)
        for number in range(1, count + 1):
            share = number / count
            eased = share * share * (3.0 - 2.0 * share)
            x, y = (round(a + eased * (b - a)) for a, b in zip(start, at, strict=True))
            self.frames.append((still, x, y, False))
        self.pointer = at
        self.hand.send("MOUSEMOVE", "NOTHING", at)
        yield DRAWN

    def click(self, at: tuple[int, int], seconds: float = 1.0) -> Pauses:
        """Move the pointer there, click, and show what comes of it."""
        yield from self.point(at)
        self.frames += [(self.still(), *at, True)] * 3
        yield from self.hand.press("LEFTMOUSE", at)
        yield from self.until(lambda: not self.operators())
        yield from self.hold(seconds)

    def row(self, number: int, rows: int) -> Any:
        """Find a row of a list, of which so many are seen."""
        x, y = yield from self.hand.find("active")
        return x, round(y + (0.5 * (rows - 1) - number) * ROW)

    def glide(self, to: tuple[Any, Any, float], frames: int = 7) -> Pauses:
        """Turn and move the view evenly from where it was."""
        view = self.view
        place, turn, distance = view.view_location.copy(), view.view_rotation.copy(), view.view_distance
        for number in range(1, frames + 1):
            share = number / frames
            eased = share * share * (3.0 - 2.0 * share)
            view.view_location = place.lerp(to[0], eased)
            view.view_rotation = turn.slerp(to[1], eased)
            view.view_distance = distance + eased * (to[2] - distance)
            yield from self.step()

    def eye(self) -> tuple[Any, Any, float]:
        """Return where the view is."""
        return self.view.view_location.copy(), self.view.view_rotation.copy(), self.view.view_distance

    # The scenes.

    def drag_live(self) -> Pauses:
        """Switch live mode on, and move a cube out of another and back."""
        yield from self.scene("two_cubes", "check results pair", "Live: depth, axis and contacts follow what moves")
        self.turn(32.0, 26.0)
        self.select("Cube")
        steps.frame(self, 3.0, (0.12, -0.05))
        bpy.ops.object.select_all(action="DESELECT")
        yield from self.hold(0.7)
        live = yield from self.hand.find("live", 0.6)
        yield from self.click(live, 0.5)
        eye = self.eye()
        at = yield from self.row(0, 1)
        yield from self.click((at[0], at[1] + 14), 0.2)
        here = self.eye()
        self.view.view_location, self.view.view_rotation, self.view.view_distance = eye
        steps_to = (here[0] + self.view.view_rotation @ self.vector((0.14 * here[2], 0.0, 0.0)), here[1], 1.5 * here[2])
        yield from self.glide(steps_to)
        yield from self.hold(0.8)
        self.poster = len(self.frames) - 1
        moved = bpy.data.objects["Cube.001"]
        for tenths in (*range(15, 27), *range(26, 4, -1), *range(5, 16)):
            moved.location.x = 0.1 * tenths
            yield from self.step()
        yield from self.hold(1.0)

    def click_through_results(self) -> Pauses:
        """Check the warehouse, and click four results."""
        yield from self.scene("warehouse", "check results pair", "Check Collisions, and click through the results")
        self.turn(28.0, 32.0)
        steps.frame_all(self, 0.75, 0.12)
        yield from self.hold(0.8)
        at = yield from self.hand.find("collision_kit.check_collisions(")
        yield from self.click(at, 0.8)
        # Once, for the list stays where it is.
        x, top = yield from self.row(0, 10)
        for number in (1, 4, 5):
            before = self.eye()
            yield from self.click((x, top - number * ROW), 0.0)
            steps.frame(self, 1.8, (0.14, 0.0))
            here = self.eye()
            self.view.view_location, self.view.view_rotation, self.view.view_distance = before
            yield from self.glide(here)
            yield from self.hold(0.9)

    def touch_first(self) -> Pauses:
        """Check the motion, and swing the door until it first touches the post."""
        yield from self.scene("motion", "motion contact", "Check Motion: the subframe of the first touch")
        self.turn(105.0, 24.0)
        self.select("Door")
        self.select("Post", add=True)
        steps.frame(self, 1.3, (0.12, 0.0))
        bpy.ops.object.select_all(action="DESELECT")
        at = yield from self.hand.find("collision_kit.check_motion(")
        yield from self.click(at, 0.6)
        eye = self.eye()
        for frame in range(1, 22):
            bpy.context.scene.frame_set(frame)
            yield from self.step()
        at = yield from self.row(2, 5)
        yield from self.click(at, 0.0)
        self.view.view_location, self.view.view_rotation, self.view.view_distance = eye
        yield from self.hold(1.4)
        yield from self.glide((eye[0], eye[1], 0.6 * eye[2]))
        yield from self.hold(1.2)

    def make_and_validate(self) -> Pauses:
        """Make a hull, stretch it, validate, and read what is wrong."""
        yield from self.scene("three_meshes", "colliders", "Make a collider for your engine")
        bpy.context.scene.collision_kit.engine = "UNREAL"
        self.turn(20.0, 14.0)
        steps.frame_all(self, 1.05, 0.15)
        self.select("Pebble")
        yield from self.hold(0.5)
        at = yield from self.hand.find("collision_kit.make_collider(kind='BUDGET_HULL'", 0.3)
        yield from self.click(at, 1.2)
        self.select("Buoy")
        at = yield from self.hand.find("collision_kit.make_collider(kind='CAPSULE'", 0.7)
        yield from self.click(at, 1.2)
        bpy.data.objects["UCX_Pebble_01"].scale = (1.3, 1.0, 1.0)
        made = self.eye()
        self.caption = "Validate colliders by the rules of your engine"
        yield from self.validate(made)

    def validate(self, eye: tuple[Any, Any, float]) -> Pauses:
        """Close Colliders, open Validation, validate and open an issue."""
        at = yield from self.header_of("colliders")
        yield from self.click(at, 0.3)
        sidebar = self.hand.region("UI")
        at = (sidebar.x + 80, at[1] - 24)
        yield from self.click(at, 0.3)
        at = yield from self.hand.find("collision_kit.validate_colliders(")
        yield from self.click(at, 0.8)
        yield from self.point(self.hand.middle(), 0.3)
        yield from steps.open_issue(self, "unapplied-scale")
        self.view.view_location, self.view.view_rotation, self.view.view_distance = eye
        yield from self.hold(2.2)

    def header_of(self, _name: str) -> Any:
        """Find the header above the first property of the panel Colliders."""
        x, y = yield from self.hand.find("engine")
        return x - 80, y + 27


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    run(Reel(*sys.argv[sys.argv.index("--") + 1 :]).played())
