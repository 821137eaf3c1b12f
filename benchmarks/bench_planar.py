# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex polygons in the plane against Shapely's vectorised `intersects` and `distance`: nanoseconds a pair.

    python benchmarks/bench_planar.py [--repeats N] [--pairs N] [--only WORD]

Wants Shapely, and `collision_kit` on the path. Index pairs among 10,000 polygons on either side: *half* are pairs at
random of which half overlap, *broad phase* those of one set whose bounds overlap, as `sweep_and_prune` gives them,
*sparse* pairs at random of which one in twenty overlaps. *Rows* are pairs of two batches row by row, half of them
overlapping, every polygon in one pair only.

The two take turns and the best time of each counts, so that the ratio stands for something on a busy machine too. Both
are given shapes that are made already, and both have been asked once. Shapely's are not prepared: that helps one
polygon against many points, not pairs. It is given the arrays of pairs; ours are asked by index, the gathering
included. Shapely says whether, and how far; ours says so with witnesses and the normal, and the depth of those that
overlap.
"""

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np
import shapely
from turns import best

from collision_kit.core import QueryStats, planar

SIZES = (3, 4, 6, 8, 16, 32, 64)
COUNT = 10_000


def outlines(rng: np.random.Generator, count: int, corners: int | np.ndarray) -> list[np.ndarray]:
    """Random convex polygons of about unit size around the origin, of so many corners each."""
    found = []
    for size in np.broadcast_to(corners, count).tolist():
        angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, size))
        found.append(np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1.0, 2))
    return found


def placed(shapes: list[np.ndarray], place: np.ndarray) -> list[np.ndarray]:
    """The outlines, each at its place."""
    return [shape + at for shape, at in zip(shapes, place, strict=True)]


def spread(rng: np.random.Generator, shapes: list[np.ndarray], share: float) -> float:
    """The side of the square over which these have to be strewn for this share of the pairs to overlap."""
    few = [shapes[row] for row in rng.integers(len(shapes), size=2_000)]
    place = rng.uniform(-0.5, 0.5, (2_000, 2))
    low, high = 0.0, 64.0
    for _ in range(20):
        side = (low + high) / 2.0
        polygons = planar.Polygons(placed(few, side * place))
        overlap = planar.overlap(polygons.take(np.arange(1_000)), polygons.take(np.arange(1_000, 2_000)))
        low, high = (side, high) if overlap.mean() > share else (low, side)
    return low


def cases(count: int) -> Iterator[tuple[str, list[np.ndarray], list[np.ndarray], np.ndarray | None]]:
    """Names, two sets of outlines, and index pairs, or None for row by row."""
    rng = np.random.default_rng(1)
    for corners in (*SIZES, "mixed"):
        size = rng.choice(SIZES, COUNT) if corners == "mixed" else int(corners)
        shapes = [outlines(rng, COUNT, size) for _ in range(2)]
        for name, share in (("half", 0.5), ("sparse", 0.05)):
            side = spread(rng, shapes[0], share)
            ours = [placed(one, rng.uniform(0.0, side, (COUNT, 2))) for one in shapes]
            yield f"{corners} corners, {name}", *ours, rng.integers(COUNT, size=(count, 2))
        ours = placed(shapes[0], rng.uniform(0.0, 30.0, (COUNT, 2)))
        pairs = planar.sweep_and_prune(*planar.Polygons(ours).bounds())
        yield f"{corners} corners, broad phase", ours, ours, rng.permutation(pairs)[:count]
        if corners == 8:
            side = spread(rng, shapes[0], 0.5)
            rows = [placed(outlines(rng, count, 8), rng.uniform(0.0, side, (count, 2))) for _ in range(2)]
            yield "8 corners, rows", *rows, None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=7, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=100_000, help="pairs of each case (default: %(default)s)")
    parser.add_argument("--only", default="", help="only cases with this word in their name")
    arguments = parser.parse_args()
    print(f"{'case':26}{'hits':>6}{'question':>10}{'ours, ns':>10}{'Shapely':>9}{'ratio':>7}  what settled it")
    for name, left, right, pairs in cases(arguments.pairs):
        if arguments.only not in name:
            continue
        ours = (planar.Polygons(left), planar.Polygons(right), pairs)
        theirs = [np.array([shapely.Polygon(one) for one in side]) for side in (left, right)]
        if pairs is not None:
            theirs = [side[rows] for side, rows in zip(theirs, pairs.T, strict=True)]
        with QueryStats() as work:
            hits = planar.overlap(*ours)
        assert (hits == shapely.intersects(*theirs)).all()
        questions = [("overlap", planar.overlap, shapely.intersects)]
        if name.endswith("half"):
            questions.append(("distance", planar.distance, shapely.distance))
        for question, mine, other in questions:
            times = best((partial(mine, *ours), partial(other, *theirs)), arguments.repeats)
            nanoseconds = [1e9 * seconds / len(hits) for seconds in times]
            settled = str(work).partition(": ")[2] if question == "overlap" else ""
            print(
                f"{name:26}{hits.mean():6.0%}{question:>10}{nanoseconds[0]:10.0f}{nanoseconds[1]:9.0f}"
                f"{nanoseconds[1] / nanoseconds[0]:7.1f}  {settled}",
                flush=True,
            )


if __name__ == "__main__":
    main()
