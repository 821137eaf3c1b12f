# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure how long enabling the add-on takes in a fresh Blender, and how many modules that loads.

``python benchmarks/blender/bench_startup.py [--runs 10]``, in an environment that has bpy and the package. Beside it
what the first use of `core` takes, which is no part of it. The first run of all compiles everything, as after an
installation; the others find the bytecode that it has written.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from statistics import median

PROGRAM = """
import json, os, sys, time
import bpy

def taken(function):
    before, wall, processor = set(sys.modules), time.perf_counter(), time.process_time()
    function()
    spent = 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - processor)
    return [*spent, len(set(sys.modules) - before)]

def enable():
    import collision_kit
    collision_kit.register()

def use():
    import collision_kit.core
    collision_kit.core.World

print(json.dumps([taken(enable), taken(use)]))
sys.stdout.flush()
os._exit(0)
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = bytecode
        compiled, *found = [run(environment) for _ in range(options.runs + 1)]
    names = ("least", "median", "processor", "compiled", "modules")
    print(f"{'ms':20}" + "".join(f"{name:>10}" for name in names))
    for row, name in enumerate(("enable the add-on", "first use of core")):
        wall, processor, modules = zip(*(one[row] for one in found), strict=True)
        figures = min(wall), median(wall), min(processor), compiled[row][1]
        print(f"{name:20}{'{:10.0f}{:10.0f}{:10.0f}{:10.0f}'.format(*figures)}{modules[0]:10}")


def run(environment: dict[str, str]) -> list[list[float]]:
    """Return what a fresh Blender takes for each row of the table: wall clock, processor, modules."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    found: list[list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
