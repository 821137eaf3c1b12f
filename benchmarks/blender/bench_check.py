# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole check of large scenes, reading them from Blender included, and where its time goes.

python benchmarks/blender/bench_check.py [--repeats N]
"""

import argparse
import cProfile
import pstats
import time

import bpy
import numpy as np
import scenes

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon.collisions.check import check, steps
from collision_kit.addon.model.report import Settings

# The functions under which the time is told, in the order in which a check calls them.
STAGES = ("reading", "pairs", "distance", "contains", "contacts")


def measure(name: str, build: scenes.Build, count: int, repeats: int) -> None:
    """Print the median time of a check, and how it is made up."""
    scenes.made_scene(build, count)
    times, in_steps, longest = [], [], 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        report, _ = check(bpy.context, "ALL")
        times.append(time.perf_counter() - start)
        start = before = time.perf_counter()
        for _ in steps(bpy.context, Settings("ALL", "", "", None, 0.0)):
            now = time.perf_counter()
            longest, before = max(longest, now - before), now
        in_steps.append(time.perf_counter() - start)
    profile = cProfile.Profile()
    profile.runcall(check, bpy.context, "ALL")
    # Of functions of one name the one with the most time: the question about the whole world, not about its parts.
    spent = dict.fromkeys(STAGES, 0.0)
    whole = 0.0
    for (_, _, function), (_, _, _, total, _) in pstats.Stats(profile).stats.items():
        whole = max(whole, total)
        if function in spent:
            spent[function] = max(spent[function], total)
    parts = ", ".join(f"{stage} {100 * spent[stage] / whole:.0f} %" for stage in STAGES)
    found = f"{report.tested['candidates']} candidates, {len(report.pairs)} pairs"
    divided = f"in steps {np.median(in_steps):.2f} s, the longest {longest:.2f} s"
    print(f"{name}: {np.median(times):.2f} s, {divided}, {found}; {parts}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    wanted = parser.parse_args()
    measure("5,000 boxes", scenes.boxes, 5000, wanted.repeats)
    measure("500 hulls of 64 vertices", scenes.hulls, 500, wanted.repeats)
    measure("100 concave tori of 1,152 triangles", scenes.tori, 100, wanted.repeats)
    measure("2 tori of 100,000 triangles, nothing near", scenes.far_tori, 2, wanted.repeats)
