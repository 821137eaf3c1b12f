# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports beside the checks that they are of, and the validation of many colliders: seconds of processor time.

    python benchmarks/blender/bench_reports.py [--objects N] [--colliders N] [--repeats N]

Wants bpy, and `collision_kit` on the path.
"""

import argparse
import time
from collections.abc import Callable
from typing import TypeVar

import bpy
import numpy as np
from scenes import boxes, colliders

import collision_kit
from collision_kit.addon import api

Answer = TypeVar("Answer")


def timed(function: Callable[[], Answer], repeats: int) -> tuple[float, Answer]:
    """The median of some calls, and what the last one gave."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        answer = function()
        times.append(time.process_time() - start)
    return float(np.median(times)), answer


def scene(build: Callable[[], None]) -> None:
    """An empty file with these objects."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    build()
    bpy.context.view_layer.update()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=5000)
    parser.add_argument("--colliders", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    wanted = parser.parse_args()
    collision_kit.register()
    scene(lambda: boxes(np.random.default_rng(0), wanted.objects))
    checked, report = timed(api.check_collisions, wanted.repeats)
    print(f"{wanted.objects} boxes, {len(report.pairs)} pairs: check {checked:.2f} s", flush=True)
    for format in ("json", "html", "junit", "text"):
        seconds, text = timed(lambda format=format: api.report_text(report, format), wanted.repeats)
        print(
            f"  {format}: {seconds:.2f} s, {seconds / checked:.2f} of the check, {len(text) / 1e6:.1f} MB", flush=True
        )
    scene(lambda: colliders(np.random.default_rng(0), wanted.colliders))
    seconds, _ = timed(lambda: api.validate_colliders(engine="UNREAL"), wanted.repeats)
    each = 1e3 * seconds / wanted.colliders
    print(f"validate {wanted.colliders} colliders: {seconds:.2f} s, {each:.1f} ms each", flush=True)
    collision_kit.unregister()
