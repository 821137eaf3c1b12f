# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex polygons in the plane against Shapely's vectorised `intersects` and `distance`: nanoseconds a pair.

    python benchmarks/bench_planar.py [--repeats N] [--pairs N] [--only WORD]

Wants Shapely, and `collision_kit` on the path. The two take turns and the best time of each counts, so that the ratio
stands for something on a busy machine too. Both are given shapes that are made already. Shapely says whether, and how
far; ours says so with witnesses and the normal, and the depth of those that overlap.
"""

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np
import shapely
from turns import best

from collision_kit.core import Work, planar


def outlines(rng: np.random.Generator, count: int, corners: int) -> np.ndarray:
    """Random convex polygons of about unit size around the origin, (count, corners, 2)."""
    angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, (count, corners)), axis=1)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=2)
    return circle * rng.uniform(0.3, 1.0, (count, 1, 2))


def cases(count: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Names and two sets of outlines."""
    rng = np.random.default_rng(1)
    for corners in (4, 8, 16, 32):
        for name, spread in (("dense", 0.7), ("half", 1.4), ("sparse", 5.0)):
            sides = [outlines(rng, count, corners) + rng.uniform(-spread, spread, (count, 1, 2)) for _ in range(2)]
            yield f"{corners} corners, {name}", sides[0], sides[1]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=7, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=50_000, help="pairs of each case (default: %(default)s)")
    parser.add_argument("--only", default="", help="only cases with this word in their name")
    arguments = parser.parse_args()
    print(f"{'case':24}{'hits':>6}{'question':>12}{'ours, ns':>10}{'Shapely':>9}{'ratio':>7}  what settled it")
    for name, left, right in cases(arguments.pairs):
        if arguments.only not in name:
            continue
        ours = [planar.Polygons(list(side)) for side in (left, right)]
        theirs = [shapely.polygons(side) for side in (left, right)]
        with Work() as work:
            hits = planar.overlap(*ours)
        assert (hits == shapely.intersects(*theirs)).all()
        for question, mine, other in (
            ("overlap", planar.overlap, shapely.intersects),
            ("distance", planar.distance, shapely.distance),
        ):
            times = best((partial(mine, *ours), partial(other, *theirs)), arguments.repeats)
            nanoseconds = [1e9 * seconds / len(left) for seconds in times]
            settled = str(work).partition(": ")[2] if question == "overlap" else ""
            print(
                f"{name:24}{hits.mean():6.0%}{question:>12}{nanoseconds[0]:10.0f}{nanoseconds[1]:9.0f}"
                f"{nanoseconds[1] / nanoseconds[0]:7.1f}  {settled}"
            )


if __name__ == "__main__":
    main()
