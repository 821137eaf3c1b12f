# SPDX-License-Identifier: GPL-3.0-or-later
"""Hull against hull, and Coal called in a loop, in one run: microseconds a pair, and how many times as fast.

    python benchmarks/bench_hull_pairs.py [--pairs N] [--vertices N ...] [--repeats N]

Wants Coal (`pip install coal`), and `collision_kit` on the path. Both are asked from world poses by index pairs,
about half of which overlap; Coal's objects are made beforehand. The two take turns, and the median of the ratios of
their processor times counts, so that it stands for something on a busy machine too.
"""

import argparse
import time
from collections.abc import Callable

import coal
import numpy as np

import collision_kit.core as ck

GEOMETRIES = 20
BODIES = 2000


def rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations, (N, 3, 3)."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return turn * np.linalg.det(turn)[:, None, None]


def bodies(rng: np.random.Generator, vertices: int) -> ck.Hulls:
    """Hulls of points on ellipsoids, in a space so small that about half of them overlap."""
    points = rng.normal(size=(GEOMETRIES, vertices, 3))
    points *= rng.uniform(0.4, 1.0, (GEOMETRIES, 1, 3)) / np.linalg.norm(points, axis=2, keepdims=True)
    index = rng.integers(0, GEOMETRIES, BODIES)
    place = rng.uniform(-0.85, 0.85, (BODIES, 3))
    return ck.Hulls(ck.convex_hulls(list(points)), index, place, rotations(rng, BODIES))


class Coal:
    """The same questions asked of Coal, pair by pair."""

    def __init__(self, hulls: ck.Hulls, pairs: np.ndarray) -> None:
        geometry = []
        for hull in hulls.geometry:
            points = coal.StdVec_Vec3s()
            points.extend(list(hull.points[hull.vertices]))
            geometry.append(coal.Convex.convexHull(points, True, ""))
        self.shapes = [geometry[index] for index in hulls.index]
        self.poses = [coal.Transform3s(*pose) for pose in zip(hulls.rotation, hulls.translation, strict=True)]
        self.pairs = pairs.tolist()

    def overlap(self) -> list[bool]:
        """Whether each pair overlaps."""
        request, found = coal.CollisionRequest(), []
        request.num_max_contacts, request.enable_contact = 1, False
        for i, j in self.pairs:
            answer, a, b = coal.CollisionResult(), (self.shapes[i], self.poses[i]), (self.shapes[j], self.poses[j])
            found.append(coal.collide(*a, *b, request, answer) > 0)
        return found

    def distance(self) -> list[float]:
        """Signed distance of each pair."""
        request, found = coal.DistanceRequest(), []
        request.enable_signed_distance = True
        for i, j in self.pairs:
            answer, a, b = coal.DistanceResult(), (self.shapes[i], self.poses[i]), (self.shapes[j], self.poses[j])
            found.append(coal.distance(*a, *b, request, answer))
        return found


def compared(ours: Callable[[], object], theirs: Callable[[], object], repeats: int) -> tuple[float, float, float]:
    """The best times of two functions that take turns, in seconds, and the median of theirs over ours."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for function, record in zip((ours, theirs), times, strict=True):
            begin = time.process_time()
            function()
            record.append(time.process_time() - begin)
    return min(times[0]), min(times[1]), float(np.median(np.array(times[1]) / np.array(times[0])))


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
        for name, ours, theirs, part in (
            ("overlap", ck.overlap, Coal.overlap, pairs),
            ("distance, all", ck.distance, Coal.distance, pairs),
            ("distance, apart", ck.distance, Coal.distance, pairs[~hit]),
            ("depth, overlapping", ck.distance, Coal.distance, pairs[hit]),
        ):
            other = Coal(hulls, part)
            mine, its, ratio = compared(
                lambda ours=ours, hulls=hulls, part=part: ours(hulls, hulls, part),
                lambda theirs=theirs, other=other: theirs(other),
                arguments.repeats,
            )
            scale = 1e6 / len(part)
            print(f"{vertices:8} {name:24}{len(part):7}{scale * mine:10.2f}{scale * its:10.2f}{ratio:15.2f}")


if __name__ == "__main__":
    main()
