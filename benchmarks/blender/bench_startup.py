# SPDX-License-Identifier: GPL-3.0-or-later
"""How long it takes to enable the add-on in a fresh Blender, and how many modules that loads.

``python benchmarks/blender/bench_startup.py [--runs 10]``, in an environment that has bpy and the package. Beside it
what the first use of `core` takes, which is no part of it.
"""

import argparse
import json
import subprocess
import sys
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
    found = []
    for _ in range(options.runs):
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))
    print(f"{'':20}{'least':>10}{'median':>10}{'processor':>12}{'modules':>10}   ms, of {options.runs} runs")
    for row, name in enumerate(("enable the add-on", "first use of core")):
        wall, processor, modules = zip(*(run[row] for run in found), strict=True)
        print(f"{name:20}{min(wall):10.0f}{median(wall):10.0f}{min(processor):12.0f}{modules[0]:10}")


if __name__ == "__main__":
    main()
