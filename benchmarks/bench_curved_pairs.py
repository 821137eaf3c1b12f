# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders, cones and ellipsoids against every kind, and Coal and FCL called in loops, in one run.

    python benchmarks/bench_curved_pairs.py [--question WORD] [--pairs N] [--repeats N] [--only WORD] [--touching]

Microseconds a pair and ratios. With `--touching`, each pair is moved until it touches, and FCL is left out.

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

CURVED = ("cylinder", "cone", "ellipsoid")


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
        case "cone":
            return ck.Cones(place, place + along, rng.uniform(0.05, 0.8, count))
        case "ellipsoid":
            return ck.Ellipsoids(place, rng.uniform(0.1, 1.0, (count, 3)), rotations(rng, count))
        case "box":
            return ck.Boxes(place, rng.uniform(0.1, 1.0, (count, 3)), rotations(rng, count))
        case _:
            return ck.HalfSpaces(along, rng.normal(size=count))


def touching(a: Any, b: Any) -> Any:
    """A, moved along the normals until each pair touches."""
    found = ck.distance(a, b)
    turns = np.broadcast_to(np.eye(3), (len(a), 3, 3))
    return a.placed(turns, found.distance[:, None] * found.normal)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--question", choices=("overlap", "distance", "contacts"), default="distance")
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs of each kind (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--touching", action="store_true", help="pairs that touch")
    parser.add_argument("--only", default="", help="only kinds with this word in their name")
    arguments = parser.parse_args()
    print(f"{arguments.question:26}{'ours, us':>10}{'Coal, us':>10}{'FCL, us':>10}{'x Coal':>9}{'x FCL':>9}")
    for at, curved in enumerate(CURVED):
        for kind in ("sphere", "capsule", *CURVED[: at + 1], "box", "half-space"):
            name = f"{curved}-{kind}"
            if arguments.only not in name:
                continue
            rng = np.random.default_rng(1)
            a, b = batch(curved, rng, arguments.pairs), batch(kind, rng, arguments.pairs)
            if arguments.touching:
                a = touching(a, b)
            rows = [(row, row) for row in range(arguments.pairs)]
            contestants = [
                lambda a=a, b=b: getattr(ck, arguments.question)(a, b),
                coal_loop(arguments.question, coal_objects(a), coal_objects(b), rows),
            ]
            # FCL has no pairs with half-spaces, and may end the process where the distance is zero.
            if kind != "half-space" and not arguments.touching:
                contestants.append(fcl_loop(arguments.question, fcl_objects(a), fcl_objects(b), rows))
            times = rounds(contestants, arguments.repeats)
            ours, by_coal, by_fcl = [*(1e6 * np.median(times, axis=0) / arguments.pairs), np.nan][:3]
            ratios = [*np.median(times[:, 1:] / times[:, :1], axis=0), np.nan]
            print(f"{name:26}{ours:10.2f}{by_coal:10.2f}{by_fcl:10.2f}{ratios[0]:9.2f}{ratios[1]:9.2f}", flush=True)


if __name__ == "__main__":
    main()
