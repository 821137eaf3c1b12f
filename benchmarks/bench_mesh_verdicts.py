# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts on all pairs of a scene of meshes, beside yes or no by Blender's own trees: seconds, and ours over theirs.

    python benchmarks/bench_mesh_verdicts.py [--repeats N] [--only WORD]

Wants bpy, whose `mathutils.bvhtree` is asked for each pair whether any two triangles meet. It is given triangles in the
world, and its trees are made anew in each round, as a script does it. Ours are asked `overlap` and `classify`, with
meshes made anew from arrays, and with meshes that have been asked before. Candidates are the pairs whose bounds
overlap, for both. Trees of triangles know no insides. For `overlap` and `classify`, a part inside another overlaps it.
"""

import argparse
import time
from collections.abc import Callable

import bpy  # noqa: F401 - makes mathutils importable
import numpy as np
from mathutils.bvhtree import BVHTree
from mesh_scenes import SCENES, Scene

import collision_kit.core as ck

# Meters: what touches in `classify`. Blender's coordinates are float32.
TOUCHING = 1e-5


def candidates(shapes: ck.Meshes) -> np.ndarray:
    """The pairs whose bounds overlap."""
    return ck.sweep_and_prune(*ck.bounds(shapes))


def by_trees(scene: Scene, pairs: list[list[int]]) -> int:
    """Yes or no for each pair by Blender's trees: how many pairs meet."""
    trees: dict[int, BVHTree] = {}
    for row in {row for pair in pairs for row in pair}:
        points, triangles = scene.meshes[scene.index[row]]
        placed = points @ scene.turn[row].T + scene.place[row]
        trees[row] = BVHTree.FromPolygons(placed.tolist(), triangles.tolist(), all_triangles=True)
    return sum(bool(trees[a].overlap(trees[b])) for a, b in pairs)


def timed(scene: Scene, kept: ck.Meshes, pairs: np.ndarray) -> list[Callable[[], object]]:
    """Return the timed functions: the trees; `overlap` and `classify` of new meshes, and of meshes asked before."""
    listed = pairs.tolist()
    return [
        lambda: by_trees(scene, listed),
        lambda: ck.overlap(shapes := scene.shapes(), shapes, pairs),
        lambda: ck.overlap(kept, kept, pairs),
        lambda: ck.classify(shapes := scene.shapes(), shapes, pairs, touching=TOUCHING),
        lambda: ck.classify(kept, kept, pairs, touching=TOUCHING),
    ]


def main() -> None:
    """Print a line for each scene."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    columns = ("pairs", 7), ("meet", 6), ("trees", 9), ("overlap", 9), ("again", 9), ("classify", 10), ("again", 9)
    print(f"{'':26}" + "".join(f"{name:>{width}}" for name, width in columns) + "  ours / trees")
    for name, made in SCENES.items():
        if options.only not in name:
            continue
        scene = made()
        kept = scene.shapes()
        pairs = candidates(kept)
        found = int(np.count_nonzero(ck.overlap(kept, kept, pairs)))
        functions = timed(scene, kept, pairs)
        best = [np.inf] * len(functions)
        for _ in range(options.repeats):
            for number, function in enumerate(functions):
                start = time.process_time()
                function()
                best[number] = min(best[number], time.process_time() - start)
        seconds = "".join(f"{one:9.3f}" for one in best[:3]) + f"{best[3]:10.3f}{best[4]:9.3f}"
        ratios = "  ".join(f"{one / best[0]:.1f}" for one in best[1:])
        print(f"{name:26}{len(pairs):7}{found:6}{seconds}  {ratios}", flush=True)


if __name__ == "__main__":
    main()
