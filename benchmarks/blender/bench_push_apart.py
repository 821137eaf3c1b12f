# SPDX-License-Identifier: GPL-3.0-or-later
"""*Separate* of objects that penetrate each other: processor time, and where they end.

python benchmarks/blender/bench_push_apart.py [--objects N …] [--rings N …]

The cubes have side 2, at random places within a cube of twice that size, turned and straight. The rings are tori of 576
triangles, turned, with centers in a cube of side 1.2. The way is the sum of the distances by which they are moved;
equal ways of two versions show that they find the same places.
"""

import argparse
import time

import bpy
import numpy as np
import scenes

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon import api


def crowd(turned: bool) -> scenes.Build:
    """Cubes of side 2 within a cube of side 4."""

    def build(rng: np.random.Generator, count: int) -> None:
        mesh = scenes.cube()
        for _ in range(count):
            scenes.link(mesh, rng.uniform(-1.0, 1.0, 3), rng.uniform(-3.0, 3.0, 3) * turned)

    return build


def rings(rng: np.random.Generator, count: int) -> None:
    """Tori of radius 1 whose middles are within a cube of side 1.2."""
    mesh = scenes.torus(24, 12)
    for _ in range(count):
        scenes.link(mesh, rng.uniform(-0.6, 0.6, 3), rng.uniform(-3.0, 3.0, 3))


def main() -> None:
    """Print a table, a row for each scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, nargs="+", default=[12, 30])
    parser.add_argument("--rings", type=int, nargs="+", default=[4, 8, 20])
    options = parser.parse_args()
    rows = [
        *(
            (f"{n} {kind} cubes", crowd(kind == "turned"), n)
            for n in options.objects
            for kind in ("turned", "straight")
        ),
        *((f"{n} rings", rings, n) for n in options.rings),
    ]
    print("| objects | seconds | way | moved | still penetrate |")
    print("|---|---|---|---|---|")
    for name, build, count in rows:
        scenes.made_scene(build, count)
        objects = [*bpy.context.scene.objects]
        start = time.process_time()
        outcome = api.push_apart(objects)
        seconds = time.process_time() - start
        way = sum(float(np.linalg.norm(moved)) for moved in outcome.moved.values())
        print(f"| {name} | {seconds:.1f} | {way:.5f} | {len(outcome.moved)} | {len(outcome.left)} |", flush=True)


if __name__ == "__main__":
    main()
