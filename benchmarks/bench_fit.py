# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits of primitives to point sets whose hull is known: milliseconds, volume over the hull's, and what is proved.

    python benchmarks/bench_fit.py [--repeats N] [--only WORD] [--meshes FOLDER]

Wants `collision_kit` and the checkout on the path. Mesh files are read from the folder, if it is there.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from turns import best

from collision_kit.core import convex_hull, fit
from tests.helpers import mesh_files

FITS = (fit.fit_sphere, fit.fit_box, fit.fit_oriented_box, fit.fit_capsule, fit.fit_cylinder)


def on_sphere(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random points on the unit sphere: every one is a vertex."""
    points = rng.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def cases(folder: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Names and points."""
    rng = np.random.default_rng(1)
    yield "cube", np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    yield "30 normal", rng.normal(size=(30, 3))
    yield "10k normal", rng.normal(size=(10_000, 3)) * [1, 2, 3]
    yield "500 on an ellipsoid", on_sphere(rng, 500) * [1, 2, 3]
    yield "10k on an ellipsoid", on_sphere(rng, 10_000) * [1, 2, 3]
    yield "10k on a sphere", on_sphere(rng, 10_000)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.suffix.lower() in (".off", ".obj", ".ply", ".stl", ".glb"):
            yield path.name, mesh_files.vertices(path)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--only", default="", help="only cases with this word in their name")
    parser.add_argument("--meshes", type=Path, default=Path("../shared/data/meshes"), help="default: %(default)s")
    arguments = parser.parse_args()
    names = [one.__name__.removeprefix("fit_") for one in FITS]
    print(f"{'ms, ratio':22}{'vertices':>9}{'hull':>7}" + "".join(f"{name:>16}" for name in names), end="")
    print(f"{'box proved':>12}{'32 vertices':>16}{'nearest 32':>16}")
    for name, points in cases(arguments.meshes):
        if arguments.only not in name:
            continue
        hull = convex_hull(points)
        simple = partial(fit.simplify_hull, hull, vertices=32)
        asked = [partial(convex_hull, points), *(partial(one, hull) for one in FITS), simple]
        asked.append(partial(fit.simplify_hull, hull, vertices=32, enclose=False))
        times = [1e3 * seconds for seconds in best(asked, arguments.repeats)]
        made = [one() for one in asked[1:6]]
        row = f"{name:22}{len(hull.vertices):9}{times[0]:7.0f}"
        for one, time in zip(made, times[1:6], strict=True):
            row += f"{time:9.1f}{one.volume / hull.volume:7.3f}"
        box = made[2]
        row += f"{box.volume / box.lower_bound - 1.0:12.1e}"
        for one, time in zip(asked[6:], times[6:], strict=True):
            row += f"{time:9.0f}{one().volume_ratio:7.3f}"
        print(row)


if __name__ == "__main__":
    main()
