# SPDX-License-Identifier: GPL-3.0-or-later
"""A check of motion of 200 objects over 250 frames, Blender's own evaluation apart, and where its time goes.

    python benchmarks/blender/bench_motion_check.py [--objects N] [--frames N] [--repeats N] [--profile]

Wants bpy, and `collision_kit` on the path. The same frames are also evaluated without any check, in turn with the
checks. Times are processor seconds.
"""

import argparse
import cProfile
import pstats
import time
from collections.abc import Callable

import bpy
import numpy as np
from scenes import cube, made, moving, torus

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon.motion.check import motion
from collision_kit.core import convex_hull


def cubes(_rng: np.random.Generator) -> bpy.types.Mesh:
    """A cube of side 1."""
    return cube(1.0)


def hulls(rng: np.random.Generator) -> bpy.types.Mesh:
    """A convex mesh of 32 points on a sphere."""
    points = rng.normal(size=(32, 3))
    points /= 1.5 * np.linalg.norm(points, axis=1)[:, None]
    return made("Hull", points, [face.tolist() for face in convex_hull(points).faces])


def tori(_rng: np.random.Generator) -> bpy.types.Mesh:
    """A concave torus of 384 triangles."""
    return torus(24, 8)


def rings(_rng: np.random.Generator) -> bpy.types.Mesh:
    """A concave torus of 1,700 triangles."""
    return torus(50, 17)


def build(makers: list[Callable[[np.random.Generator], bpy.types.Mesh]], count: int, frames: int) -> None:
    """Objects of meshes that take turns, each on its own smooth way through a room."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rng = np.random.default_rng(0)
    moving(rng, [make(rng) for make in makers], count, frames)
    bpy.context.view_layer.update()


def evaluate(visits: int, frames: int) -> None:
    """Blender's evaluation of so many frames, without a check."""
    scene = bpy.context.scene
    for frame in np.linspace(1, frames, visits):
        whole = int(frame)
        scene.frame_set(whole, subframe=float(frame) - whole)


def measure(name: str, makers: list, options: argparse.Namespace) -> None:
    """Print the time of a check and of the evaluation of as many frames, and what was found."""
    build(makers, options.objects, options.frames)
    if options.profile:
        profile = cProfile.Profile(time.process_time)
        profile.runcall(motion, bpy.context, "ALL")
        pstats.Stats(profile).sort_stats("cumulative").print_stats(60)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    whole, blender = [], []
    for _ in range(options.repeats):
        begin = time.process_time()
        report = motion(bpy.context, "ALL")
        whole.append(time.process_time() - begin)
        begin = time.process_time()
        evaluate(report.frames_visited, options.frames)
        blender.append(time.process_time() - begin)
    ratio = np.median(np.array(whole) / np.array(blender))
    counts = ", ".join(f"{count} {status}" for status, count in sorted(report.counts().items()))
    print(
        f"{name}: {min(whole):.1f} s; Blender's evaluation {min(blender):.1f} s of {report.frames_visited} frames, "
        f"ratio {ratio:.1f}; {report.tested['candidates']} candidates, contacts: {counts}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--objects", type=int, default=200)
    parser.add_argument("--frames", type=int, default=250)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scene", choices=("boxes", "hulls", "tori", "rings", "mixed"))
    parser.add_argument("--profile", action="store_true", help="print where the time of one check goes instead")
    options = parser.parse_args()
    scenes = {"boxes": [cubes], "hulls": [hulls], "tori": [tori], "rings": [rings], "mixed": [cubes, hulls, tori]}
    for name, makers in scenes.items():
        if options.scene in (None, name):
            measure(f"{options.objects} {name}, {options.frames} frames", makers, options)


if __name__ == "__main__":
    main()
