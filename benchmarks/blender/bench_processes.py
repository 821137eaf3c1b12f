# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole processes: `collision-kit check`, `motion` and `validate` of a file, beside a script for the same question.

python benchmarks/blender/bench_processes.py [--repeats N] [--only NAME …] [--evidence]

Both processes open the same file. For a check, the script reads the meshes with ``foreach_get``, makes a `BVHTree` in
world space for each object, and asks the pairs whose bounds overlap for yes or no. For motion, it does so in each
frame, and finds nothing between frames. For a validation, it reads each mesh with bmesh, and asks whether all edges
are convex. In each round, every scene is run right after the same two
processes with two cubes, and their processor time is subtracted. The figure is the median of these differences, next to
half of the range of the middle half of them. A process with two cubes takes 1.5 s, so that a short time is uncertain:
"inside" is the processor time in the process after the file is open, which is not. There, the check is one by the
function that the command calls, with its list of lines; modules that are imported late count in both.

`--evidence` measures a report as JSON with the evidence of all pairs, instead of the list of verdicts and depths.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import scenes
from bench_scenes import with_mathutils

SIZES = {
    "kit": 400,
    "mechanism": 44,
    "heap": 60,
    "props": 1_500,
    "boxes": 4_000,
    "terrain": 100,
    "moving_rings": 50,
    "moving_boxes": 200,
    "colliders": 2_000,
}
# The scenes that are not for `check`.
COMMANDS = {
    "moving_rings": ["motion", "--frames", "scene"],
    "moving_boxes": ["motion", "--frames", "scene"],
    "colliders": ["validate", "--engine", "unreal"],
}


def asked(path: str, command: str) -> None:
    """Ask mathutils or bmesh about a file, and print what they find and the processor time after opening it."""
    bpy.ops.wm.open_mainfile(filepath=path)
    start = time.process_time()
    for mesh in bpy.data.meshes:
        mesh.calc_loop_triangles()
    scene = bpy.context.scene
    if command == "validate":
        print(with_bmesh())
    elif command == "motion":
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            print(with_mathutils())
    else:
        print(with_mathutils())
    print(time.process_time() - start, file=sys.stderr)


def with_bmesh() -> int:
    """The number of meshes with an edge that is not convex."""
    import bmesh

    concave = 0
    for ob in bpy.context.scene.objects:
        edit = bmesh.new()
        edit.from_mesh(ob.data)
        concave += not all(edge.is_convex for edge in edit.edges)
        edit.free()
    return concave


def checked(arguments: list[str]) -> None:
    """Run a command in this process, and print the processor time after opening the file."""
    from collision_kit.addon.cli import commands
    from collision_kit.command import usage

    opened: list[float] = []
    original: Callable[..., Any] = commands.open_scene

    def opening(*given: Any, **named: Any) -> Any:
        result = original(*given, **named)
        opened.append(time.process_time())
        return result

    commands.open_scene = opening
    code, line = commands.main(usage.read(arguments).options)
    print(time.process_time() - opened[0], file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if not line and code in (0, 1) else 2)


def seconds(command: list[str]) -> float:
    """The processor time of a process and of those that it waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    if code not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: ended with {code}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def inside(command: list[str]) -> float:
    """The processor time of a process after it has opened the file, which it prints last."""
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return float(ran.stderr.strip().splitlines()[-1])


def told(times: list[float]) -> str:
    """The median of some times, and half of the range of their middle half."""
    ordered = sorted(times)
    low, high = ordered[len(ordered) // 4], ordered[-1 - len(ordered) // 4]
    return f"{statistics.median(ordered):.3f} ± {(high - low) / 2.0:.3f}"


def main() -> None:
    """Print a table, a row for each scene."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--evidence", action="store_true")
    parser.add_argument("--ask", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--check", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        return asked(*options.ask)
    if options.check:
        return checked(options.check)
    with tempfile.TemporaryDirectory() as folder:
        output = ["--output", os.path.join(folder, "report.json")] if options.evidence else []
        whole: dict[str, list[list[str]]] = {}
        within: dict[str, list[list[str]]] = {}
        for name, count in {"two_cubes": 2, **{name: SIZES[name] for name in options.only}}.items():
            path = str(Path(folder, f"{name}.blend"))
            scenes.made_scene(getattr(scenes, name), count)
            bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
            every = [["check"], *COMMANDS.values()] if name == "two_cubes" else [COMMANDS.get(name, ["check"])]
            for command, *arguments in every:
                ask = [sys.executable, __file__, "--ask", path, command]
                check = [command, path, *arguments, *output]
                key = f"two_cubes {command}" if name == "two_cubes" else name
                whole[key] = [[sys.executable, "-m", "collision_kit", *check], ask]
                within[key] = [[sys.executable, __file__, "--check", *check], ask]
        more: dict[str, list[list[float]]] = {name: [[], [], [], []] for name in options.only}
        for _ in range(options.repeats):
            for name, found in more.items():
                least = f"two_cubes {COMMANDS.get(name, ['check'])[0]}"
                for side in (0, 1):
                    idle = seconds(whole[least][side])
                    found[side].append(seconds(whole[name][side]) - idle)
                    idle = inside(within[least][side])
                    found[2 + side].append(inside(within[name][side]) - idle)
    print("| scene | objects | check, s | script, s | times | check inside, s | script inside, s | times |")
    print("|---|---|---|---|---|---|---|---|")
    for name, found in more.items():
        cells = [f"{name}", f"{SIZES[name]:,}"]
        for ours, theirs in (found[:2], found[2:]):
            script = statistics.median(theirs)
            # Below the noise, there is no ratio.
            times = f"{statistics.median(ours) / script:.1f}" if script > 0.01 else "–"
            cells += [told(ours), told(theirs), times]
        print(f"| {' | '.join(cells)} |", flush=True)
    return None


if __name__ == "__main__":
    main()
