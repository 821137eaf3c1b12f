# SPDX-License-Identifier: GPL-3.0-or-later
"""A tool without Blender: how far two meshes in .obj files are apart, or how deep they are in each other, and where.

    python examples/recipes/clearance_of_meshes.py first.obj second.obj [MINIMUM]

Needs ``pip install collision-kit``, which is numpy alone. The exit code is 1 if they are closer than MINIMUM (0).
"""

import itertools
import sys
from pathlib import Path

import numpy as np

import collision_kit.core as ck


def read(path: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices, (K, 3), and the triangles, (M, 3), of a file; polygons are split into fans."""
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words[:3]])
        elif kind == "f":
            # Indices begin at 1, and negative ones count from the last vertex.
            numbers = [int(word.split("/")[0]) for word in words]
            corners = [number - 1 if number > 0 else len(vertices) + number for number in numbers]
            triangles += [(corners[0], *pair) for pair in itertools.pairwise(corners)]
    return np.array(vertices), np.array(triangles)


def main(first: str, second: str, minimum: str = "0") -> int:
    """Measure and print; return the exit code."""
    a, b = (ck.Meshes.from_triangles([read(path)]) for path in (first, second))
    found = ck.distance(a, b)
    (distance,), (normal,) = found.distance, found.normal
    if distance < 0.0:
        print(f"{-distance:.6g} deep: move the second by {-distance:.6g} along {np.round(normal, 6)}")
        print(f"interference {ck.interference(a, b)[0]:.6g}")
    else:
        print(f"{distance:.6g} apart: from {np.round(found.point_a[0], 6)} to {np.round(found.point_b[0], 6)}")
    return int(distance < float(minimum))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
