# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays and points at a mesh against trimesh and Embree, all in one run: microseconds each, and theirs over ours.

    python benchmarks/bench_rays.py [--repeats N] [--count N]

Wants trimesh, rtree and embreex, and `collision_kit` on the path. Embree computes in float32, and may let rays pass
between triangles. Trimesh asks it for the triangles, and computes the points in float64. All take turns, and the best
processor time of each counts.
"""

import argparse

import numpy as np
import trimesh
from trimesh.ray.ray_pyembree import RayMeshIntersector as Embree
from trimesh.ray.ray_triangle import RayMeshIntersector as Plain

import collision_kit.core as ck
from benchmarks.turns import best


def main() -> None:
    """Measure, and print a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--count", type=int, default=5_000)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    mesh = trimesh.creation.torus(1.0, 0.3, major_sections=48, minor_sections=24)
    solid = ck.Meshes.from_triangles([mesh])
    surface = ck.Meshes.from_triangles([mesh], solid=False)
    origin = 3.0 * rng.normal(size=(options.count, 3))
    direction = rng.normal(size=origin.shape) - origin
    points = 1.5 * rng.uniform(-1.0, 1.0, origin.shape)
    embree, plain = Embree(mesh), Plain(mesh)
    few = slice(0, options.count // 20)  # for what takes long
    cases = [
        (
            "first hits, Embree",
            lambda: ck.ray_cast(solid, origin, direction),
            lambda: embree.intersects_location(origin, direction, multiple_hits=False),
        ),
        (
            "first hits from near the mesh, Embree",
            lambda: ck.ray_cast(surface, points, direction),
            lambda: embree.intersects_location(points, direction, multiple_hits=False),
        ),
        (
            "contained points, Embree",
            lambda: ck.contains_points(solid, points),
            lambda: embree.contains_points(points),
        ),
    ]
    slow = [
        (
            "first hits, trimesh alone",
            lambda: ck.ray_cast(solid, origin, direction),
            lambda: plain.intersects_location(origin[few], direction[few], multiple_hits=False),
        ),
        (
            "signed distances, trimesh alone",
            lambda: ck.signed_distance(solid, points),
            lambda: trimesh.proximity.signed_distance(mesh, points[few]),
        ),
    ]
    print(f"{len(mesh.faces)} triangles; microseconds for each ray or point: ours, theirs, theirs over ours")
    for group, count in ((cases, options.count), (slow, len(origin[few]))):
        for name, ours, theirs in group:
            mine, other = best([ours, theirs], options.repeats)
            mine, other = 1e6 * mine / options.count, 1e6 * other / count
            print(f"{name:40} {mine:8.2f} {other:8.2f} {other / mine:8.2f}")


if __name__ == "__main__":
    main()
