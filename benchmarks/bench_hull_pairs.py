# SPDX-License-Identifier: GPL-3.0-or-later
"""Hull against hull, and Coal called in a loop, in one run: microseconds a pair, and how many times as fast.

    python benchmarks/bench_hull_pairs.py [--pairs N] [--vertices N ...] [--repeats N]

Wants Coal (`pip install coal`), and `collision_kit` on the path. Both are asked from world poses by index pairs,
about half of which overlap; Coal's objects are made beforehand. The two take turns, and the median of the ratios of
their processor times counts, so that it stands for something on a busy machine too.
"""

import argparse

import numpy as np
from peers import coal_loop, coal_objects, rotations
from turns import compared

import collision_kit.core as ck

GEOMETRIES = 20
BODIES = 2000


def bodies(rng: np.random.Generator, vertices: int) -> ck.Hulls:
    """Hulls of points on ellipsoids, in a space so small that about half of them overlap."""
    points = rng.normal(size=(GEOMETRIES, vertices, 3))
    points *= rng.uniform(0.4, 1.0, (GEOMETRIES, 1, 3)) / np.linalg.norm(points, axis=2, keepdims=True)
    index = rng.integers(0, GEOMETRIES, BODIES)
    place = rng.uniform(-0.85, 0.85, (BODIES, 3))
    return ck.Hulls(ck.convex_hulls(list(points)), index, place, rotations(rng, BODIES))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000, help="how many pairs (default: %(default)s)")
    parser.add_argument("--vertices", type=int, nargs="+", default=[8, 32, 128], help="of the hulls")
    parser.add_argument("--repeats", type=int, default=7, help="how often each is timed (default: %(default)s)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    print(f"{'vertices':>8} {'question':24}{'pairs':>7}{'ours, us':>10}{'Coal, us':>10}{'times as fast':>15}")
    for vertices in arguments.vertices:
        hulls = bodies(rng, vertices)
        pairs = rng.integers(0, BODIES, (arguments.pairs, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        hit = ck.overlap(hulls, hulls, pairs)
        theirs = coal_objects(hulls)
        for name, question, part in (
            ("overlap", "overlap", pairs),
            ("distance, all", "distance", pairs),
            ("distance, apart", "distance", pairs[~hit]),
            ("depth, overlapping", "distance", pairs[hit]),
        ):
            ours = getattr(ck, question)
            (mine, its), ratio = compared(
                lambda ours=ours, hulls=hulls, part=part: ours(hulls, hulls, part),
                coal_loop(question, theirs, theirs, part.tolist()),
                repeats=arguments.repeats,
            )
            scale = 1e6 / len(part)
            print(f"{vertices:8} {name:24}{len(part):7}{scale * mine:10.2f}{scale * its:10.2f}{ratio:15.2f}")


if __name__ == "__main__":
    main()
