# SPDX-License-Identifier: GPL-3.0-or-later
"""Round shapes, half-spaces and planes against python-fcl and Coal called in a loop, all in one run.

    python benchmarks/bench_round_pairs.py [--repeats N] [--pairs N] [--only WORD]

Wants Coal and python-fcl, and `collision_kit` on the path. Nanoseconds of processor time a pair, from shapes in the
world by index pairs: ours for all pairs at once, theirs pair by pair with objects made beforehand. They take turns, and
medians count. The last column is the faster of the two over ours; a dash where neither answers. python-fcl has no
triangles and crashes on half-spaces; it is asked about spheres, capsules and boxes.
"""

import argparse
import itertools
import statistics
import time
from collections.abc import Callable

import coal
import fcl
import numpy as np

import collision_kit.core as ck

SHAPES = 10_000
PEER_PAIRS = 10_000
REACH = 3.0

Pairs = np.ndarray


def rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations, (N, 3, 3)."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn[:, :, 0] *= np.linalg.det(turn)[:, None]
    return turn


class Kind:
    """The same shapes three times: ours, Coal's and python-fcl's, made beforehand."""

    def __init__(self, name: str, rng: np.random.Generator) -> None:
        place, turn = rng.uniform(-REACH, REACH, (SHAPES, 3)), rotations(rng, SHAPES)
        radius, half = rng.uniform(0.1, 1.0, SHAPES), rng.uniform(0.1, 1.0, (SHAPES, 3))
        normal, local = turn[:, :, 0], rng.normal(size=(SHAPES, 3, 3))
        still = np.broadcast_to(np.eye(3), (SHAPES, 3, 3)), np.zeros((SHAPES, 3))
        pose = turn, place
        if name == "sphere":
            self.ours = ck.Spheres(place, radius)
            solids = [[library.Sphere(r) for r in radius] for library in (coal, fcl)]
        elif name == "capsule":
            along = turn[:, :, 2] * half[:, 2:]
            self.ours = ck.Capsules(place - along, place + along, radius / 2.0)
            sizes = list(zip(radius / 2.0, 2.0 * half[:, 2], strict=True))
            solids = [[library.Capsule(*size) for size in sizes] for library in (coal, fcl)]
        elif name == "box":
            self.ours = ck.Boxes(place, half, turn)
            solids = [[library.Box(*size) for size in 2.0 * half] for library in (coal, fcl)]
        elif name == "triangle":
            self.ours = ck.Triangles(np.einsum("nij,nkj->nki", turn, local) + place[:, None])
            solids = [[coal.TriangleP(*corners) for corners in local], None]
        elif name == "hull":
            hulls = ck.convex_hulls(list(rng.normal(size=(200, 20, 3))))
            index = rng.integers(0, len(hulls), SHAPES)
            self.ours = ck.Hulls(hulls, index, place, turn)
            made = [self._convex(hull) for hull in hulls]
            solids = [[made[i] for i in index], None]
        else:
            batch, solid = {"half_space": (ck.HalfSpaces, "Halfspace"), "plane": (ck.Planes, "Plane")}[name]
            self.ours, pose = batch(normal, radius), still
            solids = [[getattr(coal, solid)(n, d) for n, d in zip(normal, radius, strict=True)], None]
        self.coal = [(s, coal.Transform3s(r, t)) for s, r, t in zip(solids[0], *pose, strict=True)]
        self.fcl = solids[1] and [
            fcl.CollisionObject(s, fcl.Transform(r, t)) for s, r, t in zip(solids[1], *pose, strict=True)
        ]

    @staticmethod
    def _convex(hull: ck.ConvexHull) -> "coal.Convex":
        points = coal.StdVec_Vec3s()
        points.extend(list(hull.points[hull.vertices]))
        number = {vertex: i for i, vertex in enumerate(hull.vertices)}
        triangles = coal.StdVec_Triangle()
        for face in hull.faces:
            for second, third in itertools.pairwise(face[1:]):
                triangles.append(coal.Triangle(number[face[0]], number[second], number[third]))
        return coal.Convex(points, triangles)


def coal_loops(a: Kind, b: Kind, pairs: list[list[int]], question: str) -> Callable[[], None]:
    """Coal's loop over the pairs."""
    request, result, ask = {
        "overlap": (coal.CollisionRequest(), coal.CollisionResult(), coal.collide),
        "distance": (coal.DistanceRequest(), coal.DistanceResult(), coal.distance),
    }[question]

    def loop() -> None:
        for i, j in pairs:
            result.clear()
            ask(*a.coal[i], *b.coal[j], request, result)

    return loop


def fcl_loops(a: Kind, b: Kind, pairs: list[list[int]], question: str) -> Callable[[], None]:
    """The loop of python-fcl over the pairs."""
    if question == "overlap":
        request = fcl.CollisionRequest()

        def loop() -> None:
            for i, j in pairs:
                fcl.collide(a.fcl[i], b.fcl[j], request, fcl.CollisionResult())
    else:
        measure = fcl.DistanceRequest()

        def loop() -> None:
            for i, j in pairs:
                fcl.distance(a.fcl[i], b.fcl[j], measure, fcl.DistanceResult())

    return loop


def timed(function: Callable[[], object], count: int) -> float:
    """Nanoseconds of processor time a pair: a busy machine disturbs it less than time on the clock."""
    begin = time.process_time()
    function()
    return 1e9 * (time.process_time() - begin) / count


ROUND = ["sphere-sphere", "sphere-capsule", "sphere-box", "sphere-triangle"]
ROUND += ["capsule-capsule", "capsule-box", "capsule-triangle"]
FLAT = [
    f"{kind}-{flat}" for flat in ("half_space", "plane") for kind in ("sphere", "capsule", "box", "triangle", "hull")
]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=400_000, help="index pairs for ours (default: %(default)s)")
    parser.add_argument("--only", default="", help="only pairs with this word in their name")
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    kinds = {name: Kind(name, rng) for name in ("sphere", "capsule", "box", "triangle", "hull", "half_space", "plane")}
    pairs = rng.integers(0, SHAPES, (arguments.pairs, 2))
    few = pairs[:PEER_PAIRS].tolist()
    print(f"{'pair':22}{'question':10}{'ours':>8}{'Coal':>8}{'fcl':>8}{'ratio':>8}")
    for name in ROUND + FLAT:
        if arguments.only not in name:
            continue
        a, b = (kinds[kind] for kind in name.split("-"))
        for question in ("overlap", "distance", "contacts"):
            contestants = {"ours": (lambda a=a, b=b, q=question: getattr(ck, q)(a.ours, b.ours, pairs), len(pairs))}
            # Coal has no distance from a lone triangle.
            if question != "contacts" and not (question == "distance" and "triangle" in name):
                contestants["Coal"] = coal_loops(a, b, few, question), len(few)
            if question != "contacts" and a.fcl and b.fcl:
                contestants["fcl"] = fcl_loops(a, b, few, question), len(few)
            times: dict[str, list[float]] = {who: [] for who in contestants}
            for _ in range(arguments.repeats):
                for who, (function, count) in contestants.items():
                    times[who].append(timed(function, count))
            middle = {who: statistics.median(record) for who, record in times.items()}
            peers = [middle[who] for who in ("Coal", "fcl") if who in middle]
            cells = [f"{middle[who]:8.0f}" if who in middle else f"{'-':>8}" for who in ("ours", "Coal", "fcl")]
            ratio = f"{min(peers) / middle['ours']:8.1f}" if peers else f"{'-':>8}"
            print(f"{name:22}{question:10}{''.join(cells)}{ratio}", flush=True)


if __name__ == "__main__":
    main()
