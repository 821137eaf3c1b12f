# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by a Blender with a window: mend the faults of three scenes with the fewest clicks, and count them.

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
import second_day
from mouse import DRAWN, STRIDE, Hand, Pauses
from stage import Stage, addon, run

# Pixels of a row of the results list.
ROW = 20
# What is done, and the panels that it needs.
STORIES = {
    "quick_start": "check results fixes colliders validation",
    "room": "check results fixes",
    "mechanism": "check results fixes",
    "animation": "motion",
    "hall": "probe walk_issue",
    "bearings": "check results fixes",
    "level_kit": "check results fixes",
    "file": "check results fixes",
    "stacks": "check results fixes",
}
# In the folder: the file of the story of that name.
FILE = "opened.blend"
# Panels that one has to open first, as Blender keeps them closed until somebody has.
CLOSED = {"colliders", "validation", "motion", "probe"}
# Seconds, more than until a screen repeats a key that is held.
HELD = 1.0
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

    def type_in(self, keys: str) -> Pauses:
        """Press keys in the 3D view, one after the other."""
        for key in keys.split():
            yield from self.press(key, self.middle())


class Clicks(Stage):
    """The tasks in each scene, and the number of clicks that they take."""

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
        yield from self.opened(getattr(faults, name, None) or getattr(second_day, name, None))
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

    def quick_start(self, seen: dict[str, Any]) -> Pauses:
        """Steps 2 to 6 of docs/quickstart.md."""
        with self.in_view():
            bpy.ops.object.duplicate_move(TRANSFORM_OT_translate={"value": (1.5, 0.0, 0.0)})
            bpy.ops.ed.undo_push(message="Duplicated")
        yield from self.check()
        seen["found"] = self.listed()
        yield from self.choose(0)
        yield from self.mend("Cube")
        seen["separated"] = self.listed()
        yield from self.undo()
        seen["undone"] = [[name, bpy.data.objects[name].location.x] for name in ("Cube", "Cube.001")]
        yield from self.hand.to_top()
        yield from self.hand.click("live")
        yield from self.until(lambda: addon("live.live_mode").status().name == "CURRENT")
        yield from self.hand.click("live")
        self.select("Cube")
        yield from self.hand.click("collision_kit.make_collider(kind='BOX'", 0.25)
        seen["collider"] = [ob.name for ob in bpy.data.objects if ob.name.startswith("UBX_")]
        yield from self.hand.click("collision_kit.validate_colliders(")
        yield from self.until(lambda: addon("session.validation_results").latest.result is not None)
        seen["issues"] = [one.rule.id for one in addon("session.validation_results").latest.result.report.issues]

    def room(self, seen: dict[str, Any]) -> Pauses:
        """Push three things out of what they are sunk into, nudge two off the wall, and undo the last of these."""
        yield from self.mend_all(seen)
        yield from self.undo()
        live = addon("live.live_mode")
        yield from self.until(lambda: not live.catches_up())
        seen["undone"] = self.listed()

    def mechanism(self, seen: dict[str, Any]) -> Pauses:
        """Push out what reaches too far."""
        yield from self.mend_all(seen)

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

    def hall(self, seen: dict[str, Any]) -> Pauses:
        """Walk, accept the gap, save the file, and open it."""
        results, overlay = addon("session.probe_results"), addon("viewport.probe")
        yield from self.hand.click("collision_kit.walk_level(")
        yield from self.until(lambda: results.latest.result is not None and not self.operators())
        report = results.latest.result.report
        seen["found"] = [[one.kind, *one.objects] for one in report.found]
        yield from self.redraw()
        yield from self.hand.find("active", NAME)
        x, _ = self.hand.middle("UI")
        yield from self.hand.press("LEFTMOUSE", (x, self.hand.top - STRIDE // 2))
        seen["selected"] = sorted(ob.name for ob in bpy.context.selected_objects)
        yield from self.hand.click("collision_kit.accept_walk_issue(", 0.75)
        yield from self.hand.press("RET", self.hand.middle())
        seen["accepted"] = len(addon("scene.accepted_walk_issues").reasons(bpy.context.scene))
        path = str(self.folder / "walked.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        yield DRAWN
        clicks, keys = self.hand.clicks, self.hand.keys
        self.enter()
        self.hand.clicks, self.hand.keys = clicks, keys
        yield from self.show_tab()
        yield from self.until(overlay.is_drawn)
        found = results.latest.result
        seen["again"] = found is not None and [[one.kind, *one.objects] for one in found.report.found]
        seen["drawn"], seen["changed"] = overlay.is_drawn(), found is None or found.change is not None

    def bearings(self, seen: dict[str, Any]) -> Pauses:
        """Work on the mechanism for two days."""
        yield from self.two_days(second_day.DAYS["bearings"], seen)

    def level_kit(self, seen: dict[str, Any]) -> Pauses:
        """Work on the level for two days."""
        yield from self.two_days(second_day.DAYS["level_kit"], seen)

    def two_days(self, day: second_day.Day, seen: dict[str, Any]) -> Pauses:
        """Push apart until there is no fault, save, open the file, move three objects, check, and undo a fix."""
        rule = addon("model.rules").IgnoreRule
        rules = [rule((a,), (b,), depth, reason) for a, b, depth, reason in day.rules]
        addon("scene.rules").store_ignore_rules(bpy.context.scene, rules)
        seen["moved"] = list(day.later)
        live, seen["fixes"] = addon("live.live_mode"), []
        yield from self.check()
        seen["found"] = self.open_faults()
        yield from self.choose(0)
        # After a fix the next fault is chosen and framed.
        while (faults_left := self.open_faults()) and len(seen["fixes"]) < len(seen["found"]) + 2:
            before = live.tested()
            yield from self.mend(bpy.context.view_layer.objects.active.name)
            yield from self.until(lambda: not live.catches_up())
            fix = [len(faults_left) - len(self.open_faults()), live.tested() - before, round(live.seconds(), 3)]
            seen["fixes"].append(fix)
        seen["left"] = self.open_faults()
        path = str(self.folder / "work.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        yield DRAWN
        clicks, keys = self.hand.clicks, self.hand.keys
        self.enter()
        self.hand.clicks, self.hand.keys = clicks, keys
        yield from self.show_tab()
        session = addon("session.collision_results").last_check
        yield from self.until(lambda: session.report is not None)
        with self.in_view():
            for name, by in day.later.items():
                second_day.move(name, by)
            bpy.ops.ed.undo_push(message="Moved")
        yield from self.check()
        seen["new"], seen["on top"], seen["open"] = self.new(), self.top_rows(3), self.open_faults()
        yield from self.choose(0)
        rows, before = len(session.report.pairs), live.tested()
        yield from self.mend(bpy.context.view_layer.objects.active.name)
        yield from self.undo()
        yield from self.until(lambda: not live.catches_up())
        stale = sum(map(session.pair_is_stale, session.report.pairs))
        seen["undone"] = {
            "rows before": rows,
            "rows": len(session.report.pairs),
            "stale": stale,
            "tested": live.tested() - before,
            "open": self.open_faults(),
        }

    def file(self, seen: dict[str, Any]) -> Pauses:
        """Open a file, and push and undo there."""
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / FILE), load_ui=False)
        yield DRAWN
        self.enter()
        yield from self.show_tab()
        yield from self.push_and_undo(seen)

    def stacks(self, seen: dict[str, Any]) -> Pauses:
        """Push and undo in a long list."""
        yield from self.push_and_undo(seen)

    def push_and_undo(self, seen: dict[str, Any]) -> Pauses:
        """Check, push one object of the first pair that a push separates, and press Ctrl+Z."""
        yield from self.check()
        session, live = addon("session.collision_results").last_check, addon("live.live_mode")
        found, rows = self.open_faults(), len(session.report.pairs)
        for row in range(len(found)):
            yield from self.choose(row)
            pair, places = session.pair(session.chosen), self.places()
            if pair is None or pair.verdict.name not in {"PENETRATING", "CONTAINED"}:
                continue
            before, chosen = session.report, self.named([session.chosen])
            way = addon("fixes.shortest_ways").ways(bpy.context, pair)[0]
            yield from self.hand.click(f"collision_kit.push_apart(objects='{way.which}'")
            yield from self.until(lambda before=before: session.report is not before and not self.operators())
            yield from self.until(lambda: not live.catches_up())
            if chosen[0] not in self.open_faults():
                break
        seen |= {"found": found, "rows": rows, "pushed": chosen[0], "left": self.open_faults()}
        seen["moved"] = [name for name, place in self.places().items() if place != places[name]]
        seen["rows after the push"] = len(session.report.pairs)
        yield from self.undo()
        yield from self.until(lambda: self.places() == places and not live.catches_up())
        seen["back"] = self.places() == places
        seen["rows after undo"] = len(session.report.pairs)
        seen["stale"] = sum(map(session.pair_is_stale, session.report.pairs))
        seen["found again"], seen["chosen"] = self.open_faults(), self.named([session.chosen])

    def places(self) -> dict[str, list[float]]:
        """The place of each object, by name."""
        return {ob.name: [value for line in ob.matrix_world for value in line] for ob in bpy.context.scene.objects}

    def open_faults(self) -> list[list[str]]:
        """The names of the pairs that are faults, and neither accepted nor ignored."""
        report, marks = addon("session.collision_results").last_check.report, addon("ui.result_list.rows").marks()
        return self.named(marks.open_rows(report, addon("model.verdict_names").FAULTS))

    def new(self) -> list[list[str]]:
        """The names of the pairs that are marked as new."""
        report, marks = addon("session.collision_results").last_check.report, addon("ui.result_list.rows").marks()
        return self.named(sorted(marks.news(report)))

    def top_rows(self, count: int) -> list[list[str]]:
        """The names of the pairs that the list shows first."""
        lines = addon("ui.result_list.rows").lines(bpy.context.window_manager.collision_kit)
        return self.named([int(row) for row in lines.pair[:count]])

    def named(self, rows: list[int]) -> list[list[str]]:
        """The names of both bodies of pairs of the report, in alphabetical order."""
        session = addon("session.collision_results").last_check
        return [
            sorted(session.body_name(body) for body in session.bodies_of(session.report.pairs[row])) for row in rows
        ]

    def mend_all(self, seen: dict[str, Any]) -> Pauses:
        """Check, and mend the worst pair by its active object until there is no fault."""
        yield from self.check()
        seen["found"] = self.listed()
        seen["moved"] = []
        for _ in range(len(seen["found"]) + 2):
            if not self.listed():
                break
            yield from self.choose(0)
            active = bpy.context.view_layer.objects.active.name
            seen["moved"].append(active)
            yield from self.mend(active)
        seen["left"] = self.listed()

    # What the hand does.

    def check(self) -> Pauses:
        """Click Check Collisions, and wait for the results."""
        session = addon("session.collision_results").last_check
        before = session.report
        yield from self.hand.to_top()
        yield from self.hand.click("collision_kit.check_collisions(")
        yield from self.until(lambda: session.report is not before and not self.operators())

    def choose(self, row: int) -> Pauses:
        """Click a row of the results list."""
        yield from self.redraw()
        yield from self.hand.to_top()
        x, _ = yield from self.hand.find("active", NAME)
        # The list has an edge above its first row.
        yield from self.hand.press("LEFTMOUSE", (x, self.hand.top - STRIDE // 2 - ROW * row))

    def undo(self) -> Pauses:
        """Press Ctrl+Z, as long as a busy machine may hold it."""
        yield from self.hand.press("Z", self.hand.middle(), ctrl=True, held=HELD)

    def mend(self, name: str) -> Pauses:
        """Click the button that moves this object of the chosen pair, after which the pair is checked again."""
        session = addon("session.collision_results").last_check
        before, pair = session.report, session.pair(session.chosen)
        which = "A" if session.body_name(session.bodies_of(pair)[0]) == name else "B"
        nudge, push = "collision_kit.nudge(", f"collision_kit.push_apart(objects='{which}'"
        yield from self.hand.click(nudge if pair.verdict.name == "COPLANAR" else push)
        yield from self.until(lambda: session.report is not before and not self.operators())

    def listed(self) -> list[list[Any]]:
        """The pairs that are faults, by names, and how deep they are in millimeters."""
        session, faults = addon("session.collision_results").last_check, addon("model.verdict_names").FAULTS
        bad = [pair for pair in session.report.pairs if pair.verdict in faults]
        return [
            [*sorted(session.body_name(body) for body in session.bodies_of(one)), round(-1000.0 * one.distance, 3)]
            for one in bad
        ]

    def select(self, name: str) -> None:
        """Select an object alone, as a click in the viewport does, and count that click."""
        with self.in_view():
            bpy.ops.object.select_all(action="DESELECT")
        bpy.data.objects[name].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[name]
        self.hand.clicks += 1


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    story, *arguments = sys.argv[sys.argv.index("--") + 1 :]
    run(Clicks(*arguments).played(story))
