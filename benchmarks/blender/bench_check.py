# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole check of large scenes, reading them from Blender included, and where its time goes.

python benchmarks/blender/bench_check.py [--repeats N]
"""

import argparse
import cProfile
import pstats
import time
from collections.abc import Callable

import bpy
import numpy as np

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon.collisions.check import check, steps
from collision_kit.addon.model.report import Settings
from collision_kit.core import convex_hull

BOX_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
# The functions under which the time is told, in the order in which a check calls them.
STAGES = ("reading", "pairs", "distance", "contains", "contacts")


def boxes(rng: np.random.Generator, count: int = 5000) -> None:
    """Turned cubes of one mesh, five candidates each."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    mesh = bpy.data.meshes.new("Cube")
    mesh.from_pydata(corners, [], BOX_FACES)
    for _ in range(count):
        link(mesh, rng.uniform(-22, 22, 3), rng.uniform(-3, 3, 3))


def hulls(rng: np.random.Generator, count: int = 500) -> None:
    """Convex meshes of 64 points on a sphere, each its own."""
    for _ in range(count):
        points = rng.normal(size=(64, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        mesh = bpy.data.meshes.new("Hull")
        mesh.from_pydata(points.tolist(), [], [face.tolist() for face in convex_hull(points).faces])
        link(mesh, rng.uniform(-7, 7, 3), np.zeros(3))


def tori(rng: np.random.Generator, count: int = 100) -> None:
    """Concave tori of 1,152 triangles and one mesh, two neighbors each."""
    mesh = torus(48, 12)
    for _ in range(count):
        link(mesh, rng.uniform(0, 9.5, 3), rng.uniform(-3, 3, 3))


def far_tori(_rng: np.random.Generator) -> None:
    """Two concave tori of 100,000 triangles, each its own, with nothing near."""
    for place in (0.0, 5.0):
        link(torus(500, 100), np.array([place, 0.0, 0.0]), np.zeros(3))


def torus(around: int, across: int) -> bpy.types.Mesh:
    """A mesh of two triangles for each of so many places around the ring, and across it."""
    u, v = np.meshgrid(*(2.0 * np.pi * np.arange(count) / count for count in (around, across)), indexing="ij")
    reach = 1.0 + 0.3 * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), 0.3 * np.sin(v)], axis=-1).reshape(-1, 3)
    at = np.arange(around * across).reshape(around, across)
    corners = [np.roll(at, shift, axis=(0, 1)).ravel() for shift in ((0, 0), (-1, 0), (-1, -1), (0, -1))]
    faces = np.concatenate([np.stack([corners[k] for k in one], axis=1) for one in ((0, 1, 2), (0, 2, 3))])
    mesh = bpy.data.meshes.new("Torus")
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    return mesh


def link(mesh: bpy.types.Mesh, location: np.ndarray, rotation: np.ndarray) -> None:
    """An object of the mesh, at this place."""
    made = bpy.data.objects.new(mesh.name, mesh)
    made.location, made.rotation_euler = location, rotation
    bpy.context.scene.collection.objects.link(made)


def measure(name: str, build: Callable[[np.random.Generator], None], repeats: int) -> None:
    """Print the median time of a check, and how it is made up."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    build(np.random.default_rng(0))
    bpy.context.view_layer.update()
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
    measure("5,000 boxes", boxes, wanted.repeats)
    measure("500 hulls of 64 vertices", hulls, wanted.repeats)
    measure("100 concave tori of 1,152 triangles", tori, wanted.repeats)
    measure("2 tori of 100,000 triangles, nothing near", far_tori, wanted.repeats)
