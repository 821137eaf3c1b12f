# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender of `blender_operations`: rounds of random operations, played in this process with the extension in it.

``python tests/hunt/blender_session.py JSON``: seed, number (of the first round), rounds, count (of operations), steps
(of a round that is played again, or null), told (a file: a line of JSON before each operation and after each round).
"""

import io
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402
import numpy as np  # noqa: E402

from tests.helpers.blender.footprint import footprint  # noqa: E402
from tests.helpers.blender.panel_recorder import drawn  # noqa: E402
from tests.hunt.blender_actions import DOING, FOLDER, OPERATIONS, Found, last_line, operator, populate  # noqa: E402
from tests.hunt.blender_extension import EXTENSION, enabled, install, kit  # noqa: E402

ROUND = 40
# Seconds of processor time that an update of live mode may take that has no time. A pair of meshes is measured in one
# go, which takes up to 3 here where meshes of some hundred triangles that are not closed lie deep in each other.
SLOW = 8.0


# What must hold after each.


def settle(rng: random.Random) -> None:
    """Bring live mode up to date, with no time at all or with all of it."""
    mode = kit("addon.live.live_mode")
    bpy.context.view_layer.update()
    seconds = rng.choice([0.0, 0.001, 60.0])
    for _ in range(rng.choice([1, 3, 2000])):
        begin = time.process_time()
        done = mode.update(bpy.context, seconds) if mode.is_on() else True
        took = time.process_time() - begin
        if seconds < 1.0 and took > SLOW:
            raise Found("a step of live mode takes long", f"{took:.2f} s")
        STEPS.append(took if seconds < 1.0 else 0.0)
        if mode.is_on() and mode.status().name == "STUCK" and "Error" in str(mode.status_values()["reason"]):
            raise Found(f"live mode is stuck: {LOG.getvalue() and last_line(LOG.getvalue(), 'live')}", LOG.getvalue())
        if done:
            return


def compare() -> None:
    """Live mode, once it is up to date, says what a check of everything says."""
    mode = kit("addon.live.live_mode")
    if not mode.is_on():
        return
    # An update that is not told of is not known; those of the panels are not either.
    bpy.context.view_layer.update()
    for _ in range(5000):
        # The second time takes what has changed during the first.
        if mode.update(bpy.context, 60.0) and mode.update(bpy.context, 60.0):
            break
    else:
        raise Found("live mode never finishes")
    asked = kit("addon.scene.settings").check_settings(bpy.context)._replace(tests=(), self_check=False)
    if mode.status().name != "CURRENT" or asked.scope in {"SELECTED", "ACTIVE"}:
        return
    report = kit("addon.session.collision_results").last_check.report
    fresh, shapes = kit("addon.collisions.check").check(bpy.context, **asked._asdict())
    for name in ("scope", "bodies", "shapes", "issues", "skipped", "scene"):
        if getattr(report, name) != getattr(fresh, name):
            told = f"{getattr(report, name)}\n{getattr(fresh, name)}"
            raise Found(f"live mode says other {name} than a check", told)
    bounds = np.stack(shapes.world.bounds()) if len(shapes.world) else np.zeros((2, 0, 3))
    size = np.where(np.isfinite(bounds), np.abs(bounds), 0.0).max(initial=1.0)
    ours, theirs = ({(pair.body_a, pair.body_b): pair for pair in one.pairs} for one in (report, fresh))
    for key in ours.keys() | theirs.keys():
        one, other = ours.get(key), theirs.get(key)
        there = one or other
        level = [fresh.touching, asked.clearance]
        near_level = any(abs(abs(there.distance) - each) < 1e-9 * size for each in level)
        if one is None or other is None or one.verdict != other.verdict:
            if not near_level:
                names = [fresh.bodies[row].name for row in key]
                raise Found("live mode judges a pair otherwise than a check", f"{names}\n{one}\n{other}")
        elif abs(one.distance - other.distance) > 1e-8 * size:
            raise Found("live mode measures a pair otherwise than a check", f"{one}\n{other}")


def draw_panels() -> None:
    """Every panel can be drawn."""
    for panel in kit("addon.ui.panels").CLASSES:
        if issubclass(panel, bpy.types.Panel) and hasattr(panel, "draw"):
            drawn(panel, bpy.context)


STEPS: list[float] = []
LOG = io.StringIO()


class _Tee(io.TextIOBase):
    """Standard error, which is kept as well: Blender prints the exceptions of handlers there."""

    def write(self, text: str) -> int:
        LOG.write(text)
        return sys.__stderr__.write(text)

    def flush(self) -> None:
        sys.__stderr__.flush()


def do(step: int, seed: str, tell: Callable[[dict[str, Any]], None]) -> None:
    """Do one operation, and see what came of it."""
    rng = random.Random(f"{seed} {step}")
    operation = rng.choice(OPERATIONS)
    DOING[:] = [operation.__name__]
    LOG.seek(0)
    LOG.truncate()
    if operation is operator:
        # Said before it is done, for crashes.
        DOING.append("operator")
    tell({"doing": operation.__name__})
    try:
        operation(rng)
    except Found:
        raise
    except RuntimeError as error:
        # Blender's own operators refuse; ours do so by `operator`.
        if "Traceback" in str(error):
            raise Found(last_line(str(error), DOING[0]), str(error)) from None
    tell({"doing": f"undo push after {operation.__name__}"})
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Operation")
    tell({"doing": f"live update after {' '.join(DOING[:2])}"})
    settle(rng)
    if "Traceback" in LOG.getvalue():
        raise Found(last_line(LOG.getvalue(), DOING[0]), LOG.getvalue())
    if rng.random() < 0.3:
        tell({"doing": f"panels after {DOING[0]}"})
        draw_panels()
    if rng.random() < 0.25:
        tell({"doing": f"fresh check after {DOING[0]}"})
        compare()


def play(seed: str, steps: list[int], tell: Callable[[dict[str, Any]], None]) -> tuple[int, str, str]:
    """Play a round: how many steps it went, and what was found at the last."""
    if not enabled():
        bpy.ops.preferences.addon_enable(module=EXTENSION)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for file in FOLDER.glob("*.blend*"):
        file.unlink()
    populate(random.Random(seed))
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="New")
    for done, step in enumerate(steps, start=1):
        try:
            do(step, seed, lambda line, done=done: tell(line | {"round": seed, "steps": done}))
        except Found as found:
            return done, str(found), f"{DOING}\n{found.told}"
        except Exception as error:
            return done, last_line(traceback.format_exc(), DOING[0]), f"{DOING}\n{traceback.format_exc()}\n{error}"
    return len(steps), "", ""


def main(asked: dict[str, Any]) -> None:
    """Install the extension in this process's profile, and play."""
    install()
    sys.stderr = _Tee()
    with Path(asked["told"]).open("a", encoding="utf-8") as file:

        def tell(line: dict[str, Any]) -> None:
            print(json.dumps(line), file=file, flush=True)

        left = asked["count"]
        for number in range(asked["number"], asked["number"] + asked["rounds"]):
            steps = asked["steps"] or list(range(min(ROUND, left)))
            seed = f"{asked['seed']} {number}"
            done, what, told = play(seed, steps, tell)
            left -= done
            slowest = max(STEPS, default=0.0)
            STEPS.clear()
            tell({"round": seed, "steps": done, "what": what, "told": told[-3000:], "slowest": round(slowest, 3)})
            if left <= 0:
                break
        tell({"doing": "disabling", "round": "end", "steps": 0})
        bpy.ops.preferences.addon_disable(module=EXTENSION)
        if left_behind := footprint(EXTENSION):
            tell({"round": "end", "steps": 0, "what": "something is left at the end", "told": str(left_behind)})


if __name__ == "__main__":
    try:
        main(json.loads(sys.argv[1]))
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 3
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
