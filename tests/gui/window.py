# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by a Blender with a window: do what an artist does on a first day, and write down what the window showed.

``blender --enable-event-simulate --python window.py -- STORY ZIP FOLDER SCREEN``. STORY is `first_day`, `waiting`,
`interrupted` or `left_on`.
FOLDER gets ``seen.json`` and, if SCREEN is not empty but the file in which Xvfb keeps what is on the screen, pictures.
"""

import json
import logging
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import bpy
import gpu
import numpy as np

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1] / "helpers" / "blender")]

from counting import Counts
from footprint import footprint
from mouse import DRAWN, END, Pauses
from stage import EXTENSION, STARTED, Stage, addon, run

KOREAN = "ko_KR"

# Colors, from 0 to 1, that differ by less look the same.
LIKE = 0.05
# What the error of an operator says.
FAULT = "no such luck"


class Camera:
    """Keeps what the 3D view showed last, read back after everything else was drawn into it."""

    def __init__(self) -> None:
        self.pixels = np.zeros(0)
        self._handle = bpy.types.SpaceView3D.draw_handler_add(self._expose, (), "WINDOW", "POST_PIXEL")

    def remove(self) -> None:
        """Take no more pictures."""
        bpy.types.SpaceView3D.draw_handler_remove(self._handle, "WINDOW")

    def _expose(self) -> None:
        x, y, width, height = gpu.state.viewport_get()
        buffer = gpu.state.active_framebuffer_get().read_color(x, y, width, height, 4, 0, "FLOAT")
        buffer.dimensions = width * height * 4
        self.pixels = np.array(buffer).reshape(height, width, 4)


def changed(before: np.ndarray, after: np.ndarray) -> int:
    """Count the pixels that differ visibly."""
    return int((np.abs(before - after)[..., :3].max(axis=-1) > LIKE).sum())


class Told(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.texts.append(record.getMessage())


class Story(Stage):
    """The steps, and the observations after each."""

    def first_day(self) -> Pauses:
        """Install it, use it, remove it."""
        yield from self.install()
        yield from self.check()
        yield from self.choose_a_row()
        yield from self.step_axes()
        yield from self.separate_and_undo()
        yield from self.draw_a_thousand_contacts()
        yield from self.speak_korean()
        yield from self.remove()

    def waiting(self) -> Pauses:
        """Start what takes long: look around meanwhile, cancel it, change the scene under it, and let it end."""
        yield from self.install()
        yield from self.have_much_to_do()
        yield from self.look_around_and_cancel()
        yield from self.cancel_with_the_right_button()
        yield from self.change_the_scene_meanwhile()
        yield from self.let_it_end()
        yield from self.look_through_the_camera()
        yield from self.close_the_file_browser()
        yield from self.fail_to_draw()
        yield from self.answer_before_an_export()

    def interrupted(self) -> Pauses:
        """Start what takes long, and have it fail, another file opened, and the add-on disabled before its end."""
        yield from self.install()
        yield from self.have_much_to_do()
        self.seen["before"] = yield from self.left_open()
        yield from self.fail_on_the_way()
        yield from self.open_a_file_meanwhile()
        yield from self.disable_meanwhile()

    def left_on(self) -> Pauses:
        """Switch live mode on, and have Blender end while a pair is drawn."""
        yield from self.install()
        yield from self.hand.click("live")
        yield from self.until(lambda: addon("session.collision_results").last_check.report is not None)
        yield from self.redraw()
        self.seen = {
            "pictures": [],
            "live": bpy.context.window_manager.collision_kit.live,
            "row drawn": addon("viewport.pair").shown_row(),
        }

    def told(self, story: str) -> Pauses:
        """Play a story, one thing after another; between two of them Blender takes events and draws."""
        yield from getattr(self, story)()
        (self.folder / "seen.json").write_text(json.dumps(self.seen, indent=1), encoding="utf-8")

    def install(self) -> Pauses:
        """Install the zip with Blender's own installer, make three cubes that penetrate, and open the tab."""
        seen = self.seen
        self.install_zip()
        with self.in_view():
            seen["enabled"] = EXTENSION in bpy.context.preferences.addons
            bpy.data.objects["Cube"].name = "A"
            for name, x in (("B", 1.5), ("C", -1.8)):
                bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
                bpy.context.object.name = name
            bpy.ops.object.select_all(action="DESELECT")
            bpy.ops.ed.undo_push(message="Three cubes")
        yield from self.show_tab()
        self.seen["draws over 3D views"] = [addon("viewport.handler").is_installed()]
        self.camera = Camera()  # Its handler comes after the overlay's own.
        yield from self.redraw()
        empty = self.camera.pixels
        yield from self.redraw()
        seen["pixels changed by the same view drawn twice"] = changed(empty, self.camera.pixels)
        seen["tab"] = self.hand.region("UI").active_panel_category
        self.empty = empty

    def check(self) -> Pauses:
        """Click Check Collisions."""
        yield from self.hand.to_top()
        yield from self.hand.click("collision_kit.check_collisions(")
        yield from self.until(lambda: addon("session.collision_results").last_check.report is not None)
        report = addon("session.collision_results").last_check.report
        self.seen["verdicts"] = [pair.verdict.name for pair in report.pairs]
        self.seen["depths"] = [round(-pair.distance, 5) for pair in report.pairs]
        self.seen["rows"] = len(bpy.context.window_manager.collision_kit.rows)
        yield from self.redraw()
        self.seen["pixels changed by the overlay"] = changed(self.empty, self.camera.pixels)
        yield from self.picture("1_checked")

    def choose_a_row(self) -> Pauses:
        """Click the second row of the results list."""
        session = addon("session.collision_results").last_check
        x, middle = yield from self.hand.find("active")
        # Two rows, one above the other: the middle of both is where they meet.
        yield from self.hand.press("LEFTMOUSE", (x, middle - 10))
        pair = session.pair(addon("viewport.pair").shown_row())
        self.seen["row drawn"] = addon("viewport.pair").shown_row()
        self.seen["row chosen"] = sorted(session.body_name(body) for body in session.bodies_of(pair))
        self.seen["selected"] = sorted(ob.name for ob in bpy.context.view_layer.objects.selected)
        yield from self.redraw()
        palette = addon("viewport.palette")
        colors = {"A": palette.COLOR_A, "B": palette.COLOR_B, "depth": palette.FAULT, "contact": palette.BRIGHT}
        self.seen["pixels in the color of"] = {name: self.pixels_like(color) for name, color in colors.items()}
        yield from self.picture("2_row_chosen")

    def step_axes(self) -> Pauses:
        """Open Separating Axes, step on twice, and go back to the axis that decides."""
        explorer = addon("viewport.axis_explorer")
        # Close Fixes and Active Pair, which are as high as their texts are long, and open the panel after them.
        for place in range(3):
            yield from self.hand.press_header("show_overlay", place)
        yield from self.redraw()
        places, pictures = [explorer.place()], [self.camera.pixels]
        arrow = yield from self.hand.find("collision_kit.step_axis(step='NEXT'", END)
        for _ in range(2):
            yield from self.hand.press("LEFTMOUSE", arrow)
            yield from self.redraw()
            places.append(explorer.place())
            pictures.append(self.camera.pixels)
        yield from self.picture("3_third_axis")
        yield from self.hand.click("collision_kit.step_axis(step='DECIDING'")
        places.append(explorer.place())
        for place in (1, 0):
            yield from self.hand.press_header("show_overlay", place)
        self.seen["places in the list of axes"] = places
        self.seen["pixels changed by stepping"] = [changed(*two) for two in pairwise(pictures)]

    def separate_and_undo(self) -> Pauses:
        """Push the active object out, which is followed by a check, undo with Ctrl Z, check again."""
        session = addon("session.collision_results").last_check
        active = bpy.context.view_layer.objects.active.name
        self.seen["active"] = active
        self.seen["places"] = [self.place(active)]
        first = session.bodies_of(session.pair(session.chosen))[0].name == active
        before = session.report
        yield from self.hand.click(f"collision_kit.push_apart(objects='{'A' if first else 'B'}'")
        yield from self.until(lambda: session.report is not before)
        self.seen["places"].append(self.place(active))
        self.seen["change told"] = [self.change()]
        self.seen["verdicts after separating"] = self.verdicts_of(active)
        yield from self.picture("4_separated")
        yield from self.hand.press("Z", self.hand.middle(), ctrl=True)
        yield from self.until(lambda: not addon("live.live_mode").catches_up())
        self.seen["places"].append(self.place(active))
        self.seen["change told"].append(self.change())
        self.seen["rows after undoing"] = len(session.report.pairs)
        yield from self.check_again()
        self.seen["verdicts after undoing"] = self.verdicts_of(active)
        with self.in_view():
            bpy.ops.object.select_all(action="DESELECT")
        yield from self.redraw()
        drawn = self.camera.pixels
        with self.in_view():
            assert bpy.ops.collision_kit.clear_results() == {"FINISHED"}
        yield from self.redraw()
        self.seen["pixels changed by clearing"] = changed(drawn, self.camera.pixels)

    def draw_a_thousand_contacts(self) -> Pauses:
        """Check two balls half in a floor, one with a thousand corners in it, and count what drawing them takes."""
        with self.in_view():
            bpy.ops.mesh.primitive_plane_add(size=8.0, location=(0.0, 12.0, 0.0))
            bpy.context.object.collision_kit.shape = "HALF_SPACE"
            for x, segments, rings in ((-3.0, 16, 8), (3.0, 64, 32)):
                bpy.ops.mesh.primitive_uv_sphere_add(segments=segments, ring_count=rings, location=(x, 12.0, 0.0))
            bpy.ops.object.select_all(action="DESELECT")
        yield DRAWN
        yield from self.check_again()
        session, wanted = addon("session.collision_results").last_check, []
        for row, pair in enumerate(session.report.pairs):
            if "Plane" in [body.name for body in session.bodies_of(pair)] and len(pair.contact_points) > 4:
                wanted.append((len(pair.contact_points), row))
        for contacts, row in sorted(wanted):
            with self.in_view():
                bpy.ops.collision_kit.select_pair(row=row)
            yield from self.redraw()
            with Counts(addon("viewport.gpu")) as counts:
                # The same primitives once more, as after a check: nothing of them is on the graphics card yet.
                addon("viewport.pair").show(bpy.context, row)
                yield from self.redraw()
                first = counts.taken()
                yield from self.redraw()
                second = counts.taken()
            self.seen.setdefault("contacts drawn", []).append([contacts, first, second])
        yield from self.picture("5_thousand_contacts")
        with self.in_view():
            assert bpy.ops.collision_kit.clear_results() == {"FINISHED"}

    def speak_korean(self) -> Pauses:
        """Switch to Korean, find and click the same button, and switch back."""
        view = bpy.context.preferences.view
        was = view.language
        try:
            view.language = KOREAN
        except TypeError:  # A Blender that was built without languages has no such one.
            self.seen["korean"] = None
            return
        view.use_translate_interface = True
        yield DRAWN
        self.seen["korean"] = names()
        look_up = addon("i18n.lookup").label_
        self.seen["words in korean"] = [
            look_up("Convex Hull"),
            look_up("Lattice") == bpy.app.translations.pgettext_iface("Lattice") != "Lattice",
            look_up("{count} bodies tested", count=1),
        ]
        self.seen["words of blender"] = self.words_of_blender()
        yield from self.hand.to_top()
        yield from self.hand.click("collision_kit.check_collisions(")
        yield from self.until(lambda: addon("session.collision_results").last_check.report is not None)
        self.seen["rows in korean"] = len(bpy.context.window_manager.collision_kit.rows)
        session = addon("session.collision_results").last_check
        bodies = [[session.body_name(body) for body in session.bodies_of(pair)] for pair in session.report.pairs]
        with self.in_view():
            bpy.ops.collision_kit.select_pair(row=bodies.index(["A", "B"]))
        yield from self.write_labels()
        yield from self.picture("6_korean")
        view.language = was
        yield DRAWN
        yield from self.write_labels()
        self.seen["english again"] = names()

    def words_of_blender(self) -> list[str]:
        """Return the names of properties and of their choices for which Blender has another word than the add-on."""
        own, found = addon("i18n.catalogs").catalogs()[KOREAN], []
        context = addon("i18n").CONTEXT
        for group in addon("ui.properties.scene").CLASSES:
            for name in group.__annotations__:
                shown = group.bl_rna.properties[name]
                if shown.type in {"POINTER", "COLLECTION"}:
                    continue
                for text in [shown.name, *(choice.name for choice in getattr(shown, "enum_items_static", ()))]:
                    word = bpy.app.translations.pgettext_iface(text, shown.translation_context)
                    if own.get((context, text), word) != word:
                        found.append(f"{group.__name__}.{name}: {text} is {word}")
        return found

    def write_labels(self) -> Pauses:
        """Take note of what is written in the 3D view."""
        with Counts(addon("viewport.gpu")) as counts:
            yield from self.redraw()
        self.seen.setdefault("labels", []).append(sorted(counts.written))

    def remove(self) -> Pauses:
        """Disable the extension while a pair is drawn, and remove it."""
        with self.in_view():
            bpy.ops.preferences.addon_disable(module=EXTENSION)
        self.seen["draws over 3D views"].append(addon("viewport.handler").is_installed())
        yield from self.redraw()
        self.seen["left behind"] = sorted(footprint(EXTENSION))
        with self.in_view():
            bpy.ops.object.select_all(action="DESELECT")
            repositories = bpy.context.preferences.extensions.repos
            index = next(i for i, repository in enumerate(repositories) if repository.module == "user_default")
            bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="collision_kit")
        self.seen["files left"] = sorted(
            str(path) for path in Path(repositories[index].directory).glob("collision_kit*")
        )
        yield from self.redraw()
        yield from self.picture("7_removed")
        self.camera.remove()

    # While an operator waits.

    def have_much_to_do(self) -> Pauses:
        """Have C move through many frames, give each cube a collider, and have operators take one step at a time."""
        steps = addon("ui.operators.modal_steps")
        steps.AT_ONCE, steps.SLICE = 0.0, 1e-5
        moving, scene = bpy.data.objects["C"], bpy.context.scene
        scene.frame_end = 2000
        for frame, x in ((1, -1.8), (20, -6.0)):
            moving.location.x = x
            moving.keyframe_insert("location", frame=frame)
        scene.frame_set(1)
        for name in "ABC":
            owner = bpy.data.objects[name]
            collider = bpy.data.objects.new(f"UCX_{name}_01", owner.data)
            collider.parent = owner
            scene.collection.objects.link(collider)
        yield DRAWN

    def look_around_and_cancel(self) -> Pauses:
        """Check the motion; turn the view, try to move an object and to click a button, and press Esc."""
        view, middle, seen = self.hand.area.spaces.active.region_3d, self.hand.middle(), self.seen
        button = yield from self.hand.find("collision_kit.check_collisions(")
        bpy.context.view_layer.objects.active = bpy.data.objects["A"]
        bpy.data.objects["A"].select_set(True)
        yield from self.start("check_motion")
        seen["waiting"] = [self.operators()]
        turned = view.view_matrix.copy()
        yield from self.hand.drag("MIDDLEMOUSE", middle, (middle[0] + 90, middle[1] + 30))
        seen["view turned"] = view.view_matrix != turned
        yield from self.hand.press("G", middle)
        yield from self.hand.press("LEFTMOUSE", button)
        seen["waiting"].append(self.operators())
        seen["frames visited"] = bpy.context.scene.frame_current > 1
        yield from self.hand.press("ESC", middle)
        seen["waiting"].append(self.operators())
        seen["frame after Esc"] = bpy.context.scene.frame_current
        seen["nothing found"] = [
            addon("session.motion_results").latest.result is None,
            addon("session.collision_results").last_check.report is None,
            not addon("scene.events").is_paused(),
        ]

    def cancel_with_the_right_button(self) -> Pauses:
        """Select what is outside the camera's view in all frames, and click with the right button."""
        bpy.context.scene.collision_kit.cull_frames = "RANGE"
        yield from self.start("select_outside_camera")
        self.seen["waiting"].append(self.operators())
        yield from self.hand.press("RIGHTMOUSE", self.hand.middle())
        self.seen["waiting"].append(self.operators())
        self.seen["frame after right-click"] = bpy.context.scene.frame_current
        self.seen["culled"] = addon("session.culling_results").latest.result is not None
        bpy.context.scene.collision_kit.cull_frames = "CURRENT"

    def change_the_scene_meanwhile(self) -> Pauses:
        """Validate the colliders, and move one before that has come to its end."""
        yield from self.start("validate_colliders")
        bpy.data.objects["B"].location.y += 0.1
        yield from self.until(lambda: not self.operators())
        self.seen["validated"] = addon("session.validation_results").latest.result is not None
        self.seen["told"] = self.reports()

    def let_it_end(self) -> Pauses:
        """Check the motion in few frames, and validate."""
        bpy.context.scene.frame_end = 20
        for name in ("check_motion", "validate_colliders"):
            yield from self.start(name)
            yield from self.until(lambda: not self.operators())
        self.seen["contacts"] = len(addon("session.motion_results").latest.result.report.contacts)
        self.seen["validated in the end"] = addon("session.validation_results").latest.result is not None

    def look_through_the_camera(self) -> Pauses:
        """Cull to the camera, and see what is drawn from elsewhere and from it."""
        yield from self.start("cull_to_camera")
        self.seen["lines drawn"] = []
        for _ in range(2):
            with Counts(addon("viewport.gpu")) as counts:
                yield from self.redraw()
                self.seen["lines drawn"].append(sorted(counts.roles))
            with self.in_view():
                bpy.ops.view3d.view_camera()
            yield DRAWN

    def close_the_file_browser(self) -> Pauses:
        """Ask for a place to save a report, and cancel that."""
        yield from self.start("check_collisions")
        yield from self.until(lambda: not self.operators())
        yield from self.start("save_report")
        self.seen["name suggested"] = yield from self.cancel_file_browser()
        self.seen["windows left"] = len(bpy.context.window_manager.windows)

    def answer_before_an_export(self) -> Pauses:
        """Export for an engine that does not read the names of the colliders, confirm the question, and cancel."""
        bpy.context.scene.collision_kit.engine = "GODOT"
        yield from self.start("export_fbx")
        yield from self.redraw()
        yield from self.hand.press("RET", self.hand.middle())
        self.seen["export suggested"] = yield from self.cancel_file_browser()
        self.seen["colliders renamed"] = sorted(ob.name for ob in bpy.data.objects if ob.parent is not None)

    def cancel_file_browser(self) -> Iterator[Any]:
        """Wait for a file browser and cancel it; return the name that it suggested."""
        windows = bpy.context.window_manager.windows

        def browsers() -> list[Any]:
            return [(w, a) for w in windows for a in w.screen.areas if a.type == "FILE_BROWSER"]

        yield from self.until(browsers)
        window, area = browsers()[0]
        suggested = area.spaces.active.params.filename
        with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
            bpy.ops.file.cancel()
        yield DRAWN
        return suggested

    def fail_to_draw(self) -> Pauses:
        """Have drawing fail: that is told once, and nothing is drawn any more."""
        drawing, handler = addon("viewport.gpu"), addon("viewport.handler")
        log, told, calls, draw = logging.getLogger(handler.__name__), Told(), [], drawing.draw_view

        def broken(*arguments: Any, **_options: Any) -> None:
            calls.append(arguments)
            raise RuntimeError("no such luck")

        log.addHandler(told)
        log.propagate, drawing.draw_view = False, broken
        for _ in range(2):
            yield from self.redraw()
        log.propagate, drawing.draw_view = True, draw
        log.removeHandler(told)
        self.seen["tries to draw"], self.seen["told in the log"] = len(calls), told.texts

    # What ends operators that wait.

    def fail_on_the_way(self) -> Pauses:
        """Start an operator that has an error in it, and that comes to it when it was looked at."""
        closed, looked_at = [], []

        class Failing(addon("ui.operators.modal_steps").RunInSteps):  # type: ignore[misc]
            bl_idname = "collision_kit.failing"
            bl_label = "Failing"

            def begin(self, _context: Any) -> Any:
                return self.failing()

            def failing(self) -> Any:
                try:
                    while not looked_at:
                        yield 0
                    raise ZeroDivisionError(FAULT)
                finally:
                    closed.append(True)

            def share(self, number: int) -> float:
                return float(number)

            def status(self, number: int) -> str:
                return str(number)

        bpy.utils.register_class(Failing)
        yield from self.start("failing")
        self.seen["waiting"] = [self.operators()]
        self.seen["while waiting"] = yield from self.left_open()
        looked_at.append(True)
        yield from self.until(lambda: not self.operators())
        self.seen["steps closed"] = closed
        self.seen["after a fault"] = yield from self.left_open()
        bpy.utils.unregister_class(Failing)

    def open_a_file_meanwhile(self) -> Pauses:
        """Check the motion, and open the file again before that has come to its end."""
        path = str(self.folder / "cubes.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        yield from self.start("check_motion")
        self.seen["waiting"].append(self.operators())
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
        yield DRAWN
        self.seen["waiting"].append(self.operators())
        self.seen["after opening"] = yield from self.left_open()
        self.seen["frame after opening"] = bpy.context.scene.frame_current

    def disable_meanwhile(self) -> Pauses:
        """Check the motion, and disable the add-on before that has come to its end."""
        yield from self.start("check_motion")
        self.seen["waiting"].append(self.operators())
        with self.in_view():
            bpy.ops.preferences.addon_disable(module=EXTENSION)
        # Blender forgets an operator whose class is gone with the next event.
        self.seen["after disabling"] = yield from self.left_open()
        self.seen["waiting"].append(self.operators())
        self.seen["frame after disabling"] = bpy.context.scene.frame_current

    # What the steps have in common.

    def left_open(self) -> Any:
        """Whether timers run, and whether the status bar says how to cancel while the pointer moves about."""
        yield from self.redraw()
        steps, seen, written = addon("ui.operators.modal_steps"), [], []
        usual = steps.label_

        def label_(text: str, **parts: object) -> Any:
            written.append(text)
            return usual(text, **parts)

        steps.label_ = label_

        class Watching(bpy.types.Operator):
            bl_idname = "wm.watching_timers"
            bl_label = "Watching Timers"

            def invoke(self, context: Any, _event: Any) -> set[str]:
                context.window_manager.modal_handler_add(self)
                return {"RUNNING_MODAL"}

            def modal(self, _context: Any, event: Any) -> set[str]:
                seen.append(event.type)
                return {"FINISHED"} if event.type == "F24" else {"PASS_THROUGH"}

        bpy.utils.register_class(Watching)
        with self.in_view():
            bpy.ops.wm.watching_timers("INVOKE_DEFAULT")
        yield STARTED
        yield from self.hand.press("F24", self.hand.middle())
        # On a busy machine the key comes later.
        yield from self.until(lambda: "F24" in seen)
        bpy.utils.unregister_class(Watching)
        for kind in ("UI", "WINDOW"):
            self.hand.send("MOUSEMOVE", "NOTHING", self.hand.middle(kind))
            yield DRAWN
        steps.label_ = usual
        return ["TIMER" in seen, "Cancel" in written]

    def reports(self) -> str:
        """The reports of operators so far, as the Info editor has them."""
        area = next(area for area in self.hand.window.screen.areas if area.type == "DOPESHEET_EDITOR")
        was, area.type = area.type, "INFO"
        with bpy.context.temp_override(window=self.hand.window, area=area, region=area.regions[-1]):
            bpy.ops.info.select_all(action="SELECT")
            bpy.ops.info.report_copy()
        area.type = was
        return bpy.context.window_manager.clipboard

    def check_again(self) -> Pauses:
        """Click Check Collisions, and wait for another report."""
        session = addon("session.collision_results").last_check
        before = session.report
        yield from self.hand.to_top()
        yield from self.hand.click("collision_kit.check_collisions(")
        yield from self.until(lambda: session.report is not before)
        yield from self.redraw()

    def pixels_like(self, color: tuple[float, ...]) -> int:
        """Count the pixels of the 3D view that look like this color."""
        return int((np.abs(self.camera.pixels[..., :3] - color).max(axis=-1) < LIKE).sum())

    def place(self, name: str) -> list[float]:
        """Return where an object is."""
        return [round(float(value), 5) for value in bpy.data.objects[name].matrix_world.translation]

    def change(self) -> str | None:
        """The changes since the check that the panel lists."""
        found = addon("session.collision_results").last_check.change_for(
            addon("scene.settings").check_settings(bpy.context)
        )
        return found.name if found is not None else None

    def verdicts_of(self, name: str) -> list[str]:
        """The verdicts on an object's pairs."""
        session = addon("session.collision_results").last_check
        pairs = session.report.pairs
        return [p.verdict.name for p in pairs if name in [session.body_name(body) for body in session.bodies_of(p)]]


def names() -> list[str]:
    """The names of a button and of a panel now."""
    translate = bpy.app.translations.pgettext_iface
    return [translate("Check Collisions", "Operator"), translate("Separating Axes")]


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    name, *arguments = sys.argv[sys.argv.index("--") + 1 :]
    run(Story(*arguments).told(name))
