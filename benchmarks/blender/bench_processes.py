# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole processes: `collision-kit check` of a file, beside a script that asks mathutils for yes or no.

python benchmarks/blender/bench_processes.py [--repeats N] [--only NAME …] [--evidence]

Both processes open the same file. The script reads the meshes with ``foreach_get``, makes a `BVHTree` in world space
for each object, and asks the pairs whose bounds overlap. The figures are the processor time of a process less that of
the same process with two cubes, each the least of the repeats, which take turns. `--evidence` measures a report as
JSON with the evidence of all pairs, instead of the list of verdicts and depths.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

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
}


def asked(path: str) -> None:
    """Ask mathutils about a file, and print how many pairs overlap."""
    bpy.ops.wm.open_mainfile(filepath=path)
    for mesh in bpy.data.meshes:
        mesh.calc_loop_triangles()
    print(with_mathutils())


def seconds(command: list[str]) -> float:
    """The processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    if code not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: ended with {code}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a table, a row for each scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--evidence", action="store_true")
    parser.add_argument("--ask", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        return asked(options.ask)
    with tempfile.TemporaryDirectory() as folder:
        output = ["--output", os.path.join(folder, "report.json")] if options.evidence else []
        commands: dict[str, tuple[list[str], list[str]]] = {}
        for name, count in {"two_cubes": 2, **{name: SIZES[name] for name in options.only}}.items():
            path = str(Path(folder, f"{name}.blend"))
            scenes.made_scene(getattr(scenes, name), count)
            bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
            check = [sys.executable, "-m", "collision_kit", "check", path, *output]
            commands[name] = check, [sys.executable, __file__, "--ask", path]
        best = {name: [float("inf"), float("inf")] for name in commands}
        for _ in range(options.repeats):
            for name, both in commands.items():
                best[name] = [min(old, seconds(one)) for old, one in zip(best[name], both, strict=True)]
    idle = best.pop("two_cubes")
    print(f"two cubes: check {idle[0]:.2f} s, script {idle[1]:.2f} s")
    print("| scene | objects | check, s | script, s | times |")
    print("|---|---|---|---|---|")
    for name, found in best.items():
        ours, theirs = found[0] - idle[0], found[1] - idle[1]
        print(f"| {name} | {SIZES[name]:,} | {ours:.2f} | {theirs:.3f} | {ours / theirs:.1f} |", flush=True)
    return None


if __name__ == "__main__":
    main()
