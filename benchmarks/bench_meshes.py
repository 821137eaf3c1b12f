# SPDX-License-Identifier: GPL-3.0-or-later
"""Crossing triangles of two meshes against FCL and Coal, all in one run: milliseconds, and theirs over ours.

    python benchmarks/bench_meshes.py [--repeats N] [--only WORD]

Wants python-fcl and coal, and `collision_kit` on the path. Each line is one case twice: with everything built anew
from arrays of vertices and triangles, and with meshes that were built and asked before. All take turns and the best
time of each counts, so that the ratio stands for something on a busy machine too. FCL and Coal give all contacts, one
for each pair of triangles that meet; ours are the pairs, ordered, and nothing else either.
"""

import argparse
import time
from collections.abc import Callable, Iterator

import coal
import fcl
import numpy as np
from mesh_scenes import Mesh, icosphere, terrain

import collision_kit.core as ck
from collision_kit.core.narrow_phase.mesh.leaf_queries import meeting
from collision_kit.core.narrow_phase.mesh.operands import side

MOST_CONTACTS = 200_000


def cases() -> Iterator[tuple[str, Mesh, Mesh, np.ndarray, np.ndarray]]:
    """Names, meshes, and where the second one is: rotation and translation."""
    ball, ground = icosphere(5), terrain(100)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    yield "spheres offset", ball, ball, np.eye(3), np.array([1.3, 0.2, 0.1])
    yield "spheres offset, turned", ball, ball, turn, np.array([1.3, 0.2, 0.1])
    yield "spheres nearly coincident", ball, ball, np.eye(3), np.array([1e-3, 2e-3, 1e-3])
    yield "sphere in terrain", ball, ground, np.eye(3), np.array([0.1, 0.05, 0.6])


def ours(first: Mesh, second: Mesh, rotation: np.ndarray, translation: np.ndarray) -> tuple[Callable, Callable]:
    """Built and asked; asked again."""

    def build() -> tuple[ck.Meshes, ck.Meshes]:
        return (
            ck.Meshes.from_triangles([first], solid=False),
            ck.Meshes.from_triangles([second], [translation], [rotation], solid=False),
        )

    def ask(a: ck.Meshes, b: ck.Meshes) -> int:
        return len(meeting(side(a), side(b)))

    kept = build()
    return lambda: ask(*build()), lambda: ask(*kept)


def with_fcl(first: Mesh, second: Mesh, rotation: np.ndarray, translation: np.ndarray) -> tuple[Callable, Callable]:
    """The same with FCL."""

    def build() -> list[fcl.CollisionObject]:
        result = []
        for (points, triangles), where in ((first, fcl.Transform()), (second, fcl.Transform(rotation, translation))):
            model = fcl.BVHModel()
            model.beginModel(len(points), len(triangles))
            model.addSubModel(points, triangles)
            model.endModel()
            result.append(fcl.CollisionObject(model, where))
        return result

    def ask(a: fcl.CollisionObject, b: fcl.CollisionObject) -> int:
        result = fcl.CollisionResult()
        fcl.collide(a, b, fcl.CollisionRequest(num_max_contacts=MOST_CONTACTS, enable_contact=True), result)
        return len({(contact.b1, contact.b2) for contact in result.contacts})

    kept = build()
    return lambda: ask(*build()), lambda: ask(*kept)


def with_coal(first: Mesh, second: Mesh, rotation: np.ndarray, translation: np.ndarray) -> tuple[Callable, Callable]:
    """The same with Coal."""
    places = coal.Transform3s(), coal.Transform3s(rotation, translation)

    def build() -> list[coal.BVHModelOBBRSS]:
        result = []
        for points, triangles in (first, second):
            model = coal.BVHModelOBBRSS()
            model.beginModel(len(triangles), len(points))
            model.addVertices(points)
            model.addTriangles(triangles)
            model.endModel()
            result.append(model)
        return result

    def ask(a: coal.BVHModelOBBRSS, b: coal.BVHModelOBBRSS) -> int:
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.num_max_contacts = MOST_CONTACTS
        coal.collide(a, places[0], b, places[1], request, result)
        return result.numContacts()

    kept = build()
    return lambda: ask(*build()), lambda: ask(*kept)


def main() -> None:
    """Print a line for each case, built and cached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(
        f"{'':34}{'pairs':>7}{'fcl':>7}{'coal':>7}{'ours ms':>10}{'fcl ms':>9}{'coal ms':>9}"
        f"{'fcl/ours':>10}{'coal/ours':>11}"
    )
    for name, *case in cases():
        if options.only not in name:
            continue
        runs = [make(*case) for make in (ours, with_fcl, with_coal)]
        for which, label in enumerate(("built", "cached")):
            best, counts = [np.inf] * 3, [0] * 3
            for _ in range(options.repeats):
                for k, run in enumerate(runs):
                    start = time.perf_counter()
                    counts[k] = run[which]()
                    best[k] = min(best[k], 1e3 * (time.perf_counter() - start))
            print(
                f"{name + ', ' + label:34}{counts[0]:7}{counts[1]:7}{counts[2]:7}"
                f"{best[0]:10.2f}{best[1]:9.2f}{best[2]:9.2f}"
                f"{best[1] / best[0]:10.2f}{best[2] / best[0]:11.2f}"
            )


if __name__ == "__main__":
    main()
