# SPDX-License-Identifier: GPL-3.0-or-later
"""The same thing again and again in one Blender: memory must level off after the first hundred rounds.

    python tests/hunt/blender_memory.py [KIND ...] [--rounds 1000]

As a family, a case is a round of every kind. A failure is a kind of which later rounds go on to take memory, in the
process as a whole or as objects of Python's that are never given back.

Blender is the Python environment with bpy in it: the one that runs this file or, as a family, as `blender_operations`.
"""

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

COUNT = 1000
KINDS = ("check", "live", "validate", "colliders", "motion", "undo", "load", "enable")
# Rounds until memory has leveled off; seconds that those of one kind may take.
FIRST, LIMIT = 100, 7200
# What 1,000 rounds may take beyond what the first have taken: bytes (of a process of 300 to 400 MB, in which what is
# free lies scattered), and objects.
BYTES, OBJECTS = 12_000_000, 300
# Blender 4.2 keeps six objects of each operator that has ever reported anything and is unregistered.
KEPT_BY_BLENDER = {"enable": 7000}

Failure = dict[str, Any]


def run(seed: int, count: int) -> list[Failure]:
    """Do so many rounds of each kind."""
    from tests.hunt.blender_operations import _blender

    return [failure for kind in KINDS for failure in [measured(_blender(seed), kind, count)] if failure["what"]]


def measured(python: str, kind: str, rounds: int) -> Failure:
    """The memory that rounds of one kind have taken, in a Blender of their own."""
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        environment = os.environ | {"BLENDER_USER_RESOURCES": folder, "TMPDIR": folder, "PYTHONPATH": ""}
        done = subprocess.run(
            [python, __file__, "--inside", kind, "--rounds", str(rounds)],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=folder,
            timeout=LIMIT,
            check=False,
        )
    if done.returncode:
        return {"what": f"{kind} ends with {done.returncode}", "told": (done.stdout + done.stderr)[-2000:]}
    return dict(json.loads(done.stdout.rpartition("\0")[2]))


def judged(kind: str, sizes: list[int], objects: list[int], every: int, rounds: int) -> str:
    """The errors in sizes and numbers of objects that were taken at every so many rounds."""
    share = rounds / 1000
    first = -(-FIRST // every)
    if len(sizes) <= first + 1:
        return ""
    late = sizes[first:]
    half = len(late) // 2
    if min(late[half:]) - max(late[:half]) > BYTES * share:
        return f"{kind}: memory grows"
    kept = objects[-1] - max(objects[first : first + half])
    return f"{kind}: objects are kept" if kept > (KEPT_BY_BLENDER.get(kind, 0) + OBJECTS) * share else ""


def inside(kind: str, rounds: int) -> Failure:
    """Do the rounds in this process."""
    import bpy

    from tests.hunt.blender_extension import install

    install()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with tempfile.TemporaryDirectory() as folder:
        round_of = begun(kind, Path(folder))
        sizes, objects, every = [], [], max(rounds // 20, 1)
        for number in range(rounds + 1):
            if number % every == 0:
                gc.collect()
                sizes.append(resident())
                objects.append(len(gc.get_objects()))
            if number == rounds // 2:
                middle = types_of_objects()
            round_of(number)
    what = judged(kind, sizes, objects, every, rounds)
    more = (types_of_objects() - middle).most_common(8)
    told = f"MB at every {every} rounds: {[round(size / 1e6, 1) for size in sizes]}; objects: {objects}; more: {more}"
    return {"what": what, "kind": kind, "told": told}


def types_of_objects() -> Counter[str]:
    """Return how many objects of each type there are."""
    return Counter(f"{type(one).__module__}.{type(one).__name__}" for one in gc.get_objects())


def resident() -> int:
    """Resident memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024
    return pages * resource.getpagesize()


def begun(kind: str, folder: Path) -> Callable[[int], object]:
    """A scene of cubes and balls that penetrate, and what is done in a round of this kind."""
    import bpy

    from tests.hunt.blender_extension import EXTENSION, kit

    for number in range(3):
        bpy.ops.mesh.primitive_cube_add(location=(1.5 * number, 0.0, 0.0))
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=1, location=(1.5 * number, 1.5, 0.0))
    bpy.context.scene.collision_kit.scope = "VISIBLE"
    bpy.context.scene.frame_end = 3
    first = bpy.context.view_layer.objects[0]
    first.keyframe_insert("location", frame=1)
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Begin")

    def live(on: bool = True) -> None:
        bpy.context.window_manager.collision_kit.live = on

    def step() -> None:
        if not kit("addon.live.live_mode").update(bpy.context, 60.0):
            raise RuntimeError("live mode never finishes")

    def move(number: int) -> None:
        bpy.context.view_layer.objects[1].location.x = number % 7 / 10.0
        bpy.context.view_layer.update()

    def do_check(number: int) -> None:
        move(number)
        bpy.ops.collision_kit.check_collisions()
        bpy.ops.collision_kit.select_pair(row=0)
        bpy.ops.collision_kit.show_all_results()

    def do_live(number: int) -> None:
        move(number)
        step()

    def do_colliders(_number: int) -> None:
        ob = bpy.data.objects["Icosphere"]
        bpy.context.view_layer.objects.active = ob
        for other in bpy.context.view_layer.objects:
            other.select_set(other == ob)
        before = set(bpy.data.objects)
        bpy.ops.collision_kit.make_collider()
        made = set(bpy.data.objects) - before
        assert made
        bpy.data.batch_remove([*made, *(one.data for one in made)])

    def do_undo(number: int) -> None:
        move(number)
        bpy.ops.ed.undo_push(message="Moved")
        step()
        bpy.ops.ed.undo()
        step()
        bpy.ops.ed.redo()
        step()

    def do_load(_number: int) -> None:
        bpy.ops.wm.open_mainfile(filepath=str(folder / "scene.blend"))
        bpy.ops.collision_kit.check_collisions()
        live()
        step()

    def do_enable(_number: int) -> None:
        bpy.ops.preferences.addon_disable(module=EXTENSION)
        bpy.ops.preferences.addon_enable(module=EXTENSION)
        bpy.ops.collision_kit.check_collisions()

    def do_validate(number: int) -> None:
        move(number)
        bpy.ops.collision_kit.validate_colliders()

    def do_motion(_number: int) -> None:
        bpy.ops.collision_kit.check_motion()

    if kind in {"live", "undo"}:
        live()
    if kind == "validate":
        bpy.ops.collision_kit.make_collider()
    if kind == "load":
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))
    found: Callable[[int], object] = {
        "check": do_check,
        "live": do_live,
        "validate": do_validate,
        "colliders": do_colliders,
        "motion": do_motion,
        "undo": do_undo,
        "load": do_load,
        "enable": do_enable,
    }[kind]
    return found


def main() -> int:
    """Print what rounds take, and return 1 if anything goes on to take more."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--inside", choices=KINDS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print("\0" + json.dumps(inside(options.inside, options.rounds)), flush=True)
        os._exit(0)  # 4.2 may crash where it tidies up
    failures = []
    for kind in options.kinds or KINDS:
        failure = measured(sys.executable, kind, options.rounds)
        print(f"{kind}, {options.rounds} rounds: {failure['what'] or 'levels off'}\n{failure['told']}", flush=True)
        failures += [failure] if failure["what"] else []
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
