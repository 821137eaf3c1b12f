# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by a Blender with a window: play the steps of pictures, and keep what is on the screen after each.

``blender --enable-event-simulate --python studio.py -- ZIP FOLDER SCREEN SCENES NAME …``. SCENES is the folder with the
files of the example scenes. FOLDER gets the pictures, and ``seen.json`` with the part of each that is kept.
"""

import json
import sys
import traceback
from math import radians
from pathlib import Path
from typing import Any

import bpy
from mathutils import Euler, Vector

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tests" / "gui")]

import scenes
import steps
from mouse import DRAWN, Hand, Pauses
from stage import Stage, addon, run
from table import ENGLISH, REGION, SIDEBAR, VIEW, WINDOW, Picture, image_of

# Pixels around what is kept of the sidebar, and the width of its tabs.
TABS = 22


class Studio(Stage):
    """Blender's window with a 3D view and its sidebar alone."""

    addon = staticmethod(addon)
    vector = Vector

    def __init__(self, extension_zip: str, folder: str, screen: str, scene_files: str) -> None:
        super().__init__(extension_zip, folder, screen)
        self.scene_files = Path(scene_files)
        self.parts: dict[str, Any] = {}

    def prepared(self) -> Pauses:
        """Install the zip, leave nothing but the 3D view, and keep that as the file that each picture begins with."""
        preferences = bpy.context.preferences
        preferences.view.smooth_view = 0
        preferences.view.show_tooltips = False
        preferences.view.use_save_prompt = False
        self.install_zip()
        window = self.hand.window
        for area in [area for area in window.screen.areas if area != self.hand.area]:
            with bpy.context.temp_override(window=window, area=area):
                bpy.ops.screen.area_close()
            yield DRAWN
        self.enter()
        space = self.hand.area.spaces.active
        space.show_region_toolbar = space.show_region_tool_header = False
        space.overlay.show_cursor = False
        bpy.data.batch_remove(list(bpy.data.objects))
        self.empty = str(self.folder / "empty.blend")
        bpy.ops.wm.save_as_mainfile(filepath=self.empty)

    def taken(self, names: list[str]) -> Pauses:
        """Take the pictures of these names."""
        yield from self.prepared()
        for picture in WINDOW:
            for language in picture.languages if picture.name in names else ():
                try:
                    yield from self.take(picture, language)
                except Exception:
                    traceback.print_exc()
        (self.folder / "seen.json").write_text(json.dumps(self.parts), encoding="utf-8")

    def set_up(self, picture: Picture, language: str) -> Pauses:
        """Open the scene with the right panels open."""
        self.language = language
        view = bpy.context.preferences.view
        view.language = language
        view.use_translate_interface = language != ENGLISH
        view.use_translate_new_dataname = False
        self.open_panels(picture.panels.split())
        bpy.ops.wm.open_mainfile(filepath=self.empty, load_ui=True)
        yield DRAWN
        self.enter()
        file = self.scene_files / f"{picture.scene}.blend"
        if file.exists():
            bpy.ops.wm.open_mainfile(filepath=str(file), load_ui=False)
            yield DRAWN
            self.enter()
        else:
            with self.in_view():
                getattr(scenes, picture.scene)()
                bpy.ops.object.select_all(action="DESELECT")
        # What is behind the empty part of the sidebar has to be plain for it to be found.
        self.hand.area.spaces.active.overlay.show_overlays = picture.crop != SIDEBAR
        self.focus, self.region = self.hand.middle(), self.hand.region("UI")
        yield from self.show_tab()
        yield DRAWN

    def take(self, picture: Picture, language: str) -> Pauses:
        """Open the scene, play the steps, and keep the screen."""
        yield from self.set_up(picture, language)
        yield from getattr(steps, picture.steps)(self)
        if not picture.popup:
            yield from self.redraw()
        # Once more: edges grow smoother from redraw to redraw.
        yield from self.settled()
        image = image_of(picture.name, language)
        yield from self.picture(image)
        self.parts[image] = self.part(picture.crop)
        if picture.popup:
            yield from self.hand.press("ESC", self.hand.middle())

    def settled(self) -> Pauses:
        """Draw until the view has its smooth edges."""
        for _ in range(3):
            self.hand.area.tag_redraw()
            yield DRAWN

    def part(self, crop: Any) -> dict[str, Any]:
        """Part of the screen that is kept: left, top, width, height, from the upper left; and whether it is trimmed."""
        height = self.hand.window.height
        if isinstance(crop, tuple):
            x, y = self.focus
            box = (x - crop[0] // 2, y - crop[1] // 2, *crop)
        else:
            kept = {VIEW: self.hand.area, REGION: self.region, SIDEBAR: self.region}[crop]
            box = (kept.x, kept.y, kept.width - (TABS if crop == SIDEBAR else 0), kept.height)
        return {"box": [box[0], height - box[1] - box[3], box[2], box[3]], "trim": crop in {SIDEBAR, REGION}}

    # What steps use.

    @property
    def view(self) -> bpy.types.RegionView3D:
        """The 3D view's point of view."""
        return self.hand.area.spaces.active.region_3d

    def enter_dialog(self) -> None:
        """Take the file browser that has come in place of the 3D view."""
        self.hand = Hand(self.hand.window, next(a for a in self.hand.window.screen.areas if a.type == "FILE_BROWSER"))

    def turn(self, around: float, above: float, *, orthographic: bool = False) -> None:
        """Look from a direction, in degrees: around Z from the front, and above the horizon."""
        self.view.view_rotation = Euler((radians(90.0 - above), 0.0, radians(around))).to_quaternion()
        self.view.view_perspective = "ORTHO" if orthographic else "PERSP"

    def do(self, name: str, /, **settings: Any) -> None:
        """Call an operator of the add-on."""
        with self.in_view():
            assert getattr(bpy.ops.collision_kit, name)(**settings) == {"FINISHED"}, name

    def select(self, name: str, *, add: bool = False) -> bpy.types.Object:
        """Select an object, and make it active."""
        chosen = bpy.data.objects[name]
        for ob in bpy.context.view_layer.objects:
            ob.select_set(ob == chosen or (add and ob.select_get()))
        bpy.context.view_layer.objects.active = chosen
        return chosen


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    *arguments, names = sys.argv[sys.argv.index("--") + 1 :]
    run(Studio(*arguments).taken(names.split(",")))
