# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders against every kind, and Coal and FCL called in loops, in one run: microseconds a pair and ratios.

    python benchmarks/bench_cylinder_pairs.py [--pairs N] [--repeats N] [--only WORD]

Wants Coal and python-fcl, and `collision_kit` on the path. Ours is asked from world poses; their objects are made
beforehand. The three take turns, and the median of the ratios of their processor times counts. Theirs iterate to
about 1e-6, ours answers to rounding. A ratio above one: ours is as many times as fast.
"""

import argparse
from typing import Any

import numpy as np
from peers import coal_loop, coal_objects, fcl_loop, fcl_objects, rotations
from turns import rounds

import collision_kit.core as ck


def batch(kind: str, rng: np.random.Generator, count: int) -> Any:
    """Shapes of about unit size, about a third of whose pairs overlap."""
    place = rng.uniform(-1.0, 1.0, (count, 3))
    along = rng.normal(size=(count, 3))
    match kind:
        case "sphere":
            return ck.Spheres(place, rng.uniform(0.1, 1.0, count))
        case "capsule":
            return ck.Capsules(place, place + along, rng.uniform(0.05, 0.6, count))
        case "cylinder":
            return ck.Cylinders(place, place + along, rng.uniform(0.05, 0.8, count))
        case "box":
            return ck.Boxes(place, rng.uniform(0.1, 1.0, (count, 3)), rotations(rng, count))
        case _:
            return ck.HalfSpaces(along, rng.normal(size=count))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs of each kind (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--only", default="", help="only kinds with this word in their name")
    arguments = parser.parse_args()
    print(f"{'distance of cylinder and':26}{'ours, us':>10}{'Coal, us':>10}{'FCL, us':>10}{'x Coal':>9}{'x FCL':>9}")
    for kind in ("sphere", "capsule", "cylinder", "box", "half-space"):
        if arguments.only not in kind:
            continue
        rng = np.random.default_rng(1)
        a, b = batch("cylinder", rng, arguments.pairs), batch(kind, rng, arguments.pairs)
        rows = [(row, row) for row in range(arguments.pairs)]
        contestants = [
            lambda a=a, b=b: ck.distance(a, b),
            coal_loop("distance", coal_objects(a), coal_objects(b), rows),
        ]
        if kind != "half-space":  # FCL has no such pair, and asking ends the process
            contestants.append(fcl_loop("distance", fcl_objects(a), fcl_objects(b), rows))
        times = rounds(contestants, arguments.repeats)
        ours, by_coal, by_fcl = [*(1e6 * times.min(axis=0) / arguments.pairs), np.nan][:3]
        ratios = [*np.median(times[:, 1:] / times[:, :1], axis=0), np.nan]
        print(f"{kind:26}{ours:10.2f}{by_coal:10.2f}{by_fcl:10.2f}{ratios[0]:9.2f}{ratios[1]:9.2f}")


if __name__ == "__main__":
    main()
