# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and triangles against python-fcl and Coal called in a loop, all in one run: nanoseconds a pair, and ratios.

    python benchmarks/bench_flat_pairs.py [--shapes N] [--pairs P] [--repeats N]

Wants python-fcl and coal, and `collision_kit` on the path. Ours answer `separating_axis`, and `overlap` for comparison,
from world poses by index pairs; theirs say yes or no about objects made beforehand, triangles as meshes of one. All
take turns and the best time of each counts, so that the ratios stand for something on a busy machine too.
"""

import argparse

import numpy as np
from peers import coal_loop, coal_objects, fcl_loop, fcl_objects, rotations
from turns import best

import collision_kit.core as ck


def make_shapes(rng: np.random.Generator, count: int, spread: float) -> tuple[ck.Boxes, ck.Triangles]:
    """Boxes and triangles of about unit size, strewn over a cube."""
    turn, place = rotations(rng, count), rng.uniform(-spread, spread, (count, 3))
    boxes = ck.Boxes(place, rng.uniform(0.2, 1.0, (count, 3)), turn)
    corners = rng.uniform(-spread, spread, (count, 1, 3)) + rng.normal(size=(count, 3, 3))
    return boxes, ck.Triangles(corners)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shapes", type=int, default=10_000, help="of each kind (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=400_000, help="index pairs of each case (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--spread", type=float, default=2.0, help="half the side of the cube (default: %(default)s)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    boxes, triangles = make_shapes(rng, arguments.shapes, arguments.spread)
    rows = rng.integers(0, arguments.shapes, (arguments.pairs, 2))
    pairs = rows.tolist()
    theirs = {id(shapes): (fcl_objects(shapes), coal_objects(shapes)) for shapes in (boxes, triangles)}
    titles = ("axis", "overlap", "fcl", "coal", "axis, times", "overlap, times")
    print(f"{'ns a pair':20}{'hits':>6}" + "".join(f"{title:>16}" for title in titles))
    for name, a, b in (
        ("box-box", boxes, boxes),
        ("box-triangle", boxes, triangles),
        ("triangle-triangle", triangles, triangles),
    ):
        (fcl_a, coal_a), (fcl_b, coal_b) = theirs[id(a)], theirs[id(b)]
        seconds = best(
            [
                lambda a=a, b=b: ck.separating_axis(a, b, pairs=rows),
                lambda a=a, b=b: ck.overlap(a, b, pairs=rows),
                fcl_loop("overlap", fcl_a, fcl_b, pairs),
                coal_loop("overlap", coal_a, coal_b, pairs),
            ],
            arguments.repeats,
        )
        axis, overlap, fcl_time, coal_time = (1e9 * value / len(rows) for value in seconds)
        hits = ck.overlap(a, b, pairs=rows).mean()
        peer = min(fcl_time, coal_time)
        figures = "".join(f"{value:16.0f}" for value in (axis, overlap, fcl_time, coal_time))
        print(f"{name:20}{hits:6.2f}{figures}{peer / axis:16.1f}{peer / overlap:16.1f}", flush=True)


if __name__ == "__main__":
    main()
