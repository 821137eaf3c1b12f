# SPDX-License-Identifier: GPL-3.0-or-later
"""The first check of scenes of every kind and size, next to what a script would do with FCL or mathutils.

python benchmarks/blender/bench_scenes.py [--meshes FOLDER] [--only NAME …]

Each check runs in a process of its own, so it is cold, and its peak memory is known. Times are processor time without
making the scene and without Blender's evaluation of it. A check measures depth, axis and contacts of each pair. The
two others answer yes or no: both read the meshes with ``foreach_get``. FCL (python-fcl) has a mesh for each object, a
dynamic AABB tree, and a callback that asks for one contact. The script with mathutils makes a `BVHTree` in world space
for each object, and asks the pairs whose bounds overlap, which `sweep_and_prune` finds for it. Last comes the
exponent of growth: the logarithm of the ratio of the times of two sizes over that of the sizes.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

import bpy
import numpy as np
import scenes

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon.collisions.check import check
from collision_kit.core import sweep_and_prune

SIZES = {
    "boxes": (1_000, 10_000, 100_000),
    "hulls": (100, 1_000),
    "kit": (100, 1_000),
    "instances": (1_000, 10_000),
    "tori": (10, 100),
    "far_tori": (2, 20),
    "scans": (10, 50),
}


def checked() -> dict[str, float]:
    """A whole check."""
    report, _ = check(bpy.context, "ALL")
    return {"candidates": report.tested["candidates"], "pairs": len(report.pairs)}


def shown() -> list[tuple[np.ndarray, np.ndarray, str, np.ndarray]]:
    """Points, triangles, mesh and matrix of each object that the scene shows, each mesh read once."""
    meshes: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    result = []
    for found in bpy.context.evaluated_depsgraph_get().object_instances:
        if found.object.type != "MESH":
            continue
        mesh = found.object.data
        if mesh.name not in meshes:
            points, faces = np.empty(3 * len(mesh.vertices)), np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
            mesh.vertices.foreach_get("co", points)
            mesh.loop_triangles.foreach_get("vertices", faces)
            meshes[mesh.name] = points.reshape(-1, 3), faces.reshape(-1, 3)
        result.append((*meshes[mesh.name], mesh.name, np.array(found.matrix_world)))
    return result


def with_fcl() -> dict[str, float]:
    """Yes or no for each pair by python-fcl."""
    import fcl

    models, objects = {}, []
    for points, faces, name, matrix in shown():
        if name not in models:
            models[name] = fcl.BVHModel()
            models[name].beginModel(len(points), len(faces))
            models[name].addSubModel(points, faces)
            models[name].endModel()
        objects.append(fcl.CollisionObject(models[name], fcl.Transform(matrix[:3, :3], matrix[:3, 3])))
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(objects)
    manager.setup()
    found = [0, 0]
    request = fcl.CollisionRequest()

    def ask(one: object, other: object, _data: object) -> bool:
        found[0] += 1
        found[1] += bool(fcl.collide(one, other, request, fcl.CollisionResult()))
        return False

    manager.collide(None, ask)
    return {"candidates": found[0], "pairs": found[1]}


def with_mathutils() -> dict[str, float]:
    """Yes or no for each pair by `mathutils.bvhtree.BVHTree.overlap`."""
    from mathutils.bvhtree import BVHTree

    trees, low, high = [], [], []
    for points, faces, _, matrix in shown():
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        trees.append(BVHTree.FromPolygons(placed.tolist(), faces.tolist(), all_triangles=True))
        low.append(placed.min(axis=0))
        high.append(placed.max(axis=0))
    pairs = sweep_and_prune(np.array(low), np.array(high))
    return {"candidates": len(pairs), "pairs": sum(bool(trees[i].overlap(trees[j])) for i, j in pairs)}


WAYS = {"check": checked, "fcl": with_fcl, "mathutils": with_mathutils}


def one(name: str, count: int, way: str, folder: Path | None) -> None:
    """Print processor time, what was found, and the growth of the peak memory."""
    scenes.made_scene(scenes.scans(folder) if name == "scans" and folder else getattr(scenes, name), count)
    for mesh in bpy.data.meshes:
        mesh.calc_loop_triangles()
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    found = WAYS[way]()
    seconds, after = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "memory": (after - before) / 1024.0, **found}))


def in_a_process(name: str, count: int, way: str, folder: Path | None) -> dict[str, float]:
    """The figures of `one`, in a process of its own."""
    command = [sys.executable, __file__, "--one", name, str(count), way]
    command += ["--meshes", str(folder)] if folder else []
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
    return found


def main() -> None:
    """Print a table, a row for each scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--meshes", type=Path, help="a folder of scanned meshes (OBJ, PLY, STL); without it, no scans")
    parser.add_argument("--only", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, count, way = options.one
        return one(name, int(count), way, options.meshes)
    print("| scene | objects | candidates | pairs | check, s | memory, MB | growth | FCL, s | mathutils, s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.only:
        if name == "scans" and not options.meshes:
            continue
        last = None
        for count in SIZES[name]:
            found = {way: in_a_process(name, count, way, options.meshes) for way in WAYS}
            ours = found["check"]
            growth = f"{math.log(ours['seconds'] / last[1]) / math.log(count / last[0]):.2f}" if last else "–"
            last = count, ours["seconds"]
            print(
                f"| {name} | {count:,} | {ours['candidates']:,} | {ours['pairs']:,} | {ours['seconds']:.2f}"
                f" | {ours['memory']:.0f} | {growth} | {found['fcl']['seconds']:.2f}"
                f" | {found['mathutils']['seconds']:.2f} |",
                flush=True,
            )
    return None


if __name__ == "__main__":
    main()
