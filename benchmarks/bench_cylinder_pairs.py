# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders against every kind, and Coal and FCL called in loops, in one run: microseconds a pair and ratios.

    python benchmarks/bench_cylinder_pairs.py [--pairs N] [--repeats N] [--only WORD]

Wants Coal and python-fcl, and `collision_kit` on the path. Ours is asked from world poses; their objects are made
beforehand. The three take turns, and the median of the ratios of their processor times counts. Theirs iterate to
about 1e-6, ours answers to rounding. A ratio above one: ours is as many times as fast.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import coal
import fcl
import numpy as np

import collision_kit.core as ck


def upright(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A rotation that takes +Z to the direction from start to end, and the middle."""
    axis = (end - start) / np.linalg.norm(end - start)
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(axis, side), axis], axis=1), (start + end) / 2.0


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
            turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
            turn *= np.linalg.det(turn)[:, None, None]
            return ck.Boxes(place, rng.uniform(0.1, 1.0, (count, 3)), turn)
        case _:
            return ck.HalfSpaces(along, rng.normal(size=count))


def theirs(library: ModuleType, shapes: Any, row: int) -> tuple[Any, np.ndarray, np.ndarray]:
    """One shape of Coal or FCL with its rotation and place."""
    match shapes:
        case ck.Spheres():
            return library.Sphere(shapes.radius[row]), np.eye(3), shapes.center[row]
        case ck.Capsules() | ck.Cylinders():
            turn, middle = upright(shapes.start[row], shapes.end[row])
            kind = library.Capsule if isinstance(shapes, ck.Capsules) else library.Cylinder
            return kind(shapes.radius[row], float(np.linalg.norm(shapes.end[row] - shapes.start[row]))), turn, middle
        case ck.Boxes():
            return library.Box(*(2.0 * shapes.half_extents[row])), shapes.rotation[row], shapes.center[row]
    return library.Halfspace(shapes.normal[row], shapes.offset[row]), np.eye(3), np.zeros(3)


def coal_loop(a: Any, b: Any) -> Callable[[], object]:
    """A loop of Coal's distances, its objects made."""
    pairs = []
    for row in range(len(a)):
        (one, *pose), (other, *other_pose) = theirs(coal, a, row), theirs(coal, b, row)
        pairs.append((one, coal.Transform3s(*pose), other, coal.Transform3s(*other_pose)))
    request = coal.DistanceRequest()
    return lambda: [coal.distance(*pair, request, coal.DistanceResult()) for pair in pairs]


def fcl_loop(a: Any, b: Any) -> Callable[[], object] | None:
    """A loop of FCL's distances, its objects made."""
    pairs = []
    for row in range(len(a)):
        (one, *pose), (other, *other_pose) = theirs(fcl, a, row), theirs(fcl, b, row)
        first = fcl.CollisionObject(one, fcl.Transform(*pose))
        pairs.append((first, fcl.CollisionObject(other, fcl.Transform(*other_pose))))
    if isinstance(b, ck.HalfSpaces):
        return None  # it has no such pair, and asking ends the process
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    return lambda: [fcl.distance(*pair, request, fcl.DistanceResult()) for pair in pairs]


def seconds(function: Callable[[], object] | None) -> float:
    """Processor time of one call."""
    if function is None:
        return float("nan")
    begin = time.process_time()
    function()
    return time.process_time() - begin


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
        contestants = (lambda a=a, b=b: ck.distance(a, b), coal_loop(a, b), fcl_loop(a, b))
        rounds = [[seconds(contestant) for contestant in contestants] for _ in range(arguments.repeats)]
        ours, by_coal, by_fcl = (1e6 * min(times) / arguments.pairs for times in zip(*rounds, strict=True))
        ratios = [statistics.median(times[i] / times[0] for times in rounds) for i in (1, 2)]
        print(f"{kind:26}{ours:10.2f}{by_coal:10.2f}{by_fcl:10.2f}{ratios[0]:9.2f}{ratios[1]:9.2f}")


if __name__ == "__main__":
    main()
