# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls against SciPy's Qhull called in a loop, both in one run: milliseconds, and ours over theirs.

    python benchmarks/bench_hull.py [--repeats N] [--only WORD]

Wants SciPy, and `collision_kit` on the path. The two take turns and the best time of each counts, so that the
ratio stands for something on a busy machine too. SciPy returns triangles; ours also have merged faces, edges
and measures.
"""

import argparse
import itertools
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.spatial import ConvexHull
from turns import best

from collision_kit.core import convex_hull, convex_hulls

BOX = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def turned(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Points under a random rotation, whose rounding makes coplanar ones nearly so."""
    return points @ np.linalg.qr(rng.normal(size=(3, 3)))[0]


def on_sphere(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random points on the unit sphere: every one is a vertex."""
    points = rng.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def grid_cube(per_edge: int) -> np.ndarray:
    """The vertices of a cube whose faces are subdivided, shared ones repeated."""
    line = np.linspace(-1.0, 1.0, per_edge)
    side = np.stack(np.meshgrid(line, line, [-1.0, 1.0], indexing="ij"), axis=-1).reshape(-1, 3)
    return np.concatenate((side, side[:, [1, 2, 0]], side[:, [2, 0, 1]]))


def cases() -> Iterator[tuple[str, list[np.ndarray]]]:
    """Names and point sets."""
    rng = np.random.default_rng(1)
    yield "1 box", [turned(BOX, rng)]
    yield "500 boxes", [turned(BOX * rng.uniform(0.1, 2.0, 3), rng) for _ in range(500)]
    yield "5000 boxes", [turned(BOX * rng.uniform(0.1, 2.0, 3), rng) for _ in range(5000)]
    yield "1 x 64 normal", [rng.normal(size=(64, 3))]
    yield "500 x 64 normal", [rng.normal(size=(64, 3)) for _ in range(500)]
    yield "500 x 64 on a sphere", [on_sphere(rng, 64) for _ in range(500)]
    yield "500 x 64 lattice", [rng.integers(0, 4, (64, 3)).astype(float) for _ in range(500)]
    yield "10k in a cube", [rng.random((10_000, 3))]
    yield "200k in a cube", [rng.random((200_000, 3))]
    yield "10k on a sphere", [on_sphere(rng, 10_000)]
    yield "100k on a sphere", [on_sphere(rng, 100_000)]
    yield "60k subdivided cube", [turned(grid_cube(100), rng)]


def milliseconds(first: Callable[[], object], second: Callable[[], object], repeats: int) -> list[float]:
    """The best times of two functions that take turns."""
    return [1e3 * seconds for seconds in best((first, second), repeats)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--only", default="", help="only cases with this word in their name")
    arguments = parser.parse_args()
    print(f"{'case':24}{'ours, ms':>10}{'one by one':>12}{'Qhull, ms':>11}{'ratio':>8}")
    for name, sets in cases():
        if arguments.only not in name:
            continue
        ours, theirs = milliseconds(
            lambda sets=sets: convex_hulls(sets),
            lambda sets=sets: [ConvexHull(one) for one in sets],
            arguments.repeats,
        )
        alone = ""
        if 1 < len(sets) <= 500:
            few = sets[:20]
            begin = time.perf_counter()
            for one in few:
                convex_hull(one)
            alone = f"{1e3 * (time.perf_counter() - begin) * len(sets) / len(few):.0f}"
        print(f"{name:24}{ours:10.1f}{alone:>12}{theirs:11.1f}{ours / theirs:8.1f}")


if __name__ == "__main__":
    main()
