# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries of scripts, against Coal and python-fcl in one run: cold hulls, one pair a call, half overlapping, meshes.

    python benchmarks/bench_users_work.py [--repeats N] [--only WORD]

Wants Coal and python-fcl, and `collision_kit` on the path. Both sides take turns. A ratio is the median of the
processor time of the faster peer over ours: above one, ours is as many times as fast. The peers' objects are made
beforehand but for cold hulls, which both sides make from points. Frusta are measured against a copy of their arrays,
and a hundred moves of single boxes against `SweepAndPrune` made anew once: a hundredth of that ratio is one move's.
Where py-parry3d is installed, its batch of many poses of a mesh is a row of its own.
"""

import argparse
import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from peers import coal_hull, coal_loop, coal_mesh, coal_objects, fcl_loop, fcl_mesh, fcl_objects, parry_batch, rotations
from turns import rounds

import collision_kit.core as ck
from collision_kit.core.kernels import loading

Call = Callable[[], object]
Case = tuple[str, float, list[Call]]


def hull_points(rng: np.random.Generator, count: int, vertices: int) -> list[np.ndarray]:
    """Points on spheres of several radii, as many sets as hulls."""
    points = rng.normal(size=(count, vertices, 3))
    points *= rng.uniform(0.4, 1.0, (count, 1, 1)) / np.linalg.norm(points, axis=2, keepdims=True)
    return list(points)


def poses(rng: np.random.Generator, count: int, reach: float = 0.85) -> tuple[np.ndarray, np.ndarray]:
    """Places in a cube, in which about half of the pairs overlap, and rotations."""
    return rng.uniform(-reach, reach, (count, 3)), rotations(rng, count)


def cold_hulls(rng: np.random.Generator) -> Iterator[Case]:
    """Hulls made from points, five pairs each asked once; and the same hulls again."""
    import coal

    for count, vertices in ((1000, 8), (1000, 32), (250, 128)):
        points, (place, turn) = hull_points(rng, count, vertices), poses(rng, count)
        first = rng.integers(0, count, 5 * count)
        rows = np.stack([first, (first + rng.integers(1, count, 5 * count)) % count], axis=1)
        pairs = rows.tolist()

        def ours(points: list = points, place: Any = place, turn: Any = turn, rows: Any = rows) -> None:
            hulls = ck.Hulls.from_points(points, place, turn)
            ck.overlap(hulls, hulls, rows)
            ck.distance(hulls, hulls, rows)

        def theirs(points: list = points, place: Any = place, turn: Any = turn, pairs: list = pairs) -> None:
            posed = zip(points, turn, place, strict=True)
            hulls = [(coal_hull(one), coal.Transform3s(*pose)) for one, *pose in posed]
            coal_loop("overlap", hulls, hulls, pairs)()
            coal_loop("distance", hulls, hulls, pairs)()

        yield f"cold hulls of {vertices}: made, overlap, distance", count, [ours, theirs]
        hulls = ck.Hulls.from_points(points, place, turn)
        objects = coal_objects(hulls)
        for question in ("overlap", "distance"):
            ask = getattr(ck, question)
            calls: list[Call] = [lambda ask=ask, hulls=hulls, rows=rows: ask(hulls, hulls, rows)]
            calls.append(coal_loop(question, objects, objects, pairs))
            yield f"own hulls of {vertices} warm: {question}", len(rows), calls


def shapes_of(kind: str, rng: np.random.Generator, count: int) -> Any:
    """Shapes of about unit size in so small a space that about half of their pairs overlap."""
    place, turn = poses(rng, count)
    match kind:
        case "sphere":
            return ck.Spheres(place, rng.uniform(0.3, 1.0, count))
        case "box":
            return ck.Boxes(place, rng.uniform(0.2, 0.8, (count, 3)), turn)
        case "cylinder":
            along = turn[:, :, 2] * rng.uniform(0.3, 0.8, (count, 1))
            return ck.Cylinders(place - along, place + along, rng.uniform(0.2, 0.8, count))
        case "triangle":
            return ck.Triangles(0.4 * place[:, None] + rng.normal(size=(count, 3, 3)))
    return ck.Hulls.from_points(hull_points(rng, count, 32), place, turn)


def against_peers(
    question: str, a: Any, b: Any, rows: np.ndarray, ours: Call, *, fcl: bool = True, coal: bool = True
) -> list[Call]:
    """Our call and the loops of those peers that know the kinds."""
    calls, pairs = [ours], rows.tolist()
    if coal:
        calls.append(coal_loop(question, coal_objects(a), coal_objects(b), pairs))
    if fcl:
        calls.append(fcl_loop(question, fcl_objects(a), fcl_objects(b), pairs))
    return calls


def one_pair(rng: np.random.Generator) -> Iterator[Case]:
    """Pairs that overlap, each asked about in a call of its own."""
    for kinds, question in (
        ("sphere-box", "distance"),
        ("box-box", "overlap"),
        ("box-box", "distance"),
        ("box-box", "contacts"),
        ("hull-hull", "overlap"),
        ("hull-hull", "distance"),
        ("hull-hull", "contacts"),
        ("triangle-triangle", "overlap"),
    ):
        first, second = kinds.split("-")
        a, b = shapes_of(first, rng, 200), shapes_of(second, rng, 200)
        rows = np.flatnonzero(ck.overlap(a, b))[:30]
        singles = [(a.take(row), b.take(row)) for row in rows[:, None]]
        ask, pairs = getattr(ck, question), np.stack([rows, rows], axis=1)
        ours: Call = lambda ask=ask, singles=singles: [ask(*single) for single in singles]  # noqa: E731
        yield f"one pair: {kinds} {question}", len(rows), against_peers(question, a, b, pairs, ours, fcl=False)


def half_overlapping(rng: np.random.Generator) -> Iterator[Case]:
    """Batches of which half of the pairs overlap."""
    for kinds, question in (
        ("box-box", "overlap"),
        ("box-box", "distance"),
        ("box-box", "contacts"),
        ("box-triangle", "overlap"),
        ("triangle-triangle", "overlap"),
        ("cylinder-cylinder", "overlap"),
    ):
        first, second = kinds.split("-")
        a, b = shapes_of(first, rng, 4000), shapes_of(second, rng, 4000)
        rows = rng.integers(0, 4000, (10_000, 2))
        ask = getattr(ck, question)
        ours: Call = lambda ask=ask, a=a, b=b, rows=rows: ask(a, b, rows)  # noqa: E731
        share = 100 * ck.overlap(a, b, rows).mean()
        yield f"{kinds} {question}, {share:.0f} % overlap", len(rows), against_peers(question, a, b, rows, ours)


def torus(around: int, tube: int) -> tuple[np.ndarray, np.ndarray]:
    """A wavy torus about z, of radius 1, of twice as many triangles as it has vertices."""
    u, v = (grid.ravel() for grid in np.meshgrid(np.arange(around), np.arange(tube), indexing="ij"))
    wide, along = 2.0 * np.pi * u / around, 2.0 * np.pi * v / tube
    thick = 0.3 + 0.02 * np.sin(7.0 * wide) * np.cos(3.0 * along)
    far = 1.0 + thick * np.cos(along)
    points = np.stack([far * np.cos(wide), far * np.sin(wide), thick * np.sin(along)], axis=1)
    right, above = (u + 1) % around * tube + v, u * tube + (v + 1) % tube
    across, here = (u + 1) % around * tube + (v + 1) % tube, u * tube + v
    return points, np.concatenate([np.stack([here, right, across], axis=1), np.stack([here, across, above], axis=1)])


def meshes(rng: np.random.Generator) -> Iterator[Case]:
    """Two tori linked like a chain, of 20,000 and of 100,000 triangles, and many poses of one mesh."""
    import coal
    import fcl

    linked = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    for around, tube in ((200, 50), (500, 100)):
        points, triangles = torus(around, tube)
        a = ck.Meshes.from_triangles([(points, triangles)])
        b = ck.Meshes.from_triangles([(points, triangles)], [[1.0, 0.0, 0.0]], [linked])
        still, moved = (np.eye(3), np.zeros(3)), (linked, np.array([1.0, 0.0, 0.0]))
        with_coal = [[(coal_mesh(points, triangles), coal.Transform3s(*pose))] for pose in (still, moved)]
        with_fcl = [[fcl.CollisionObject(fcl_mesh(points, triangles), fcl.Transform(*pose))] for pose in (still, moved)]
        calls: list[Call] = [lambda a=a, b=b: ck.distance(a, b)]
        calls += [coal_loop("distance", *with_coal, [(0, 0)]), fcl_loop("distance", *with_fcl, [(0, 0)])]
        yield f"two tori of {len(triangles)} triangles apart: distance", 1, calls
    points, triangles = torus(40, 16)
    place, turn = poses(rng, 1000, 1.2)
    mesh = ck.Meshes.from_triangles([(points, triangles)])
    many = ck.Meshes(mesh.geometry, np.zeros(1000, dtype=int), place, turn)
    rows = rng.integers(0, 1000, (1000, 2))
    model, fcl_model = coal_mesh(points, triangles), fcl_mesh(points, triangles)
    posed = [(model, coal.Transform3s(*pose)) for pose in zip(turn, place, strict=True)]
    objects = [fcl.CollisionObject(fcl_model, fcl.Transform(*pose)) for pose in zip(turn, place, strict=True)]
    calls = [lambda: ck.overlap(many, many, rows)]
    calls += [coal_loop("overlap", posed, posed, rows.tolist()), fcl_loop("overlap", objects, objects, rows.tolist())]
    name = f"1,000 poses of a mesh of {len(triangles)} triangles: overlap"
    yield name, len(rows), calls
    if importlib.util.find_spec("py_parry3d"):
        matrices = np.tile(np.eye(4), (1000, 1, 1))
        matrices[:, :3, :3], matrices[:, :3, 3] = turn, place
        batch = parry_batch(points, triangles, *matrices[rows.T])
        yield f"{name}, parry", len(rows), [calls[0], batch]
    apart = rows[~ck.overlap(many, many, rows)][:200]
    calls = [lambda: ck.distance(many, many, apart)]
    calls += [
        coal_loop("distance", posed, posed, apart.tolist()),
        fcl_loop("distance", objects, objects, apart.tolist()),
    ]
    yield f"{len(apart)} poses of the same mesh apart: distance", len(apart), calls


def frusta(rng: np.random.Generator) -> Iterator[Case]:
    """A million shapes in a view, against a copy of their arrays."""
    count = 1_000_000
    eye = np.array([[1.5, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, -1.02, -2.02], [0.0, 0.0, -1.0, 0.0]])
    view = ck.Frustum.from_matrix(eye)
    place = rng.uniform(-100.0, 100.0, (count, 3))
    spheres = ck.Spheres(place, rng.uniform(0.1, 1.0, count))
    yield (
        "frustum: spheres, against a copy",
        count,
        [lambda: view.classify(spheres), lambda: (spheres.center.copy(), spheres.radius.copy())],
    )
    boxes = ck.Boxes(place, rng.uniform(0.1, 1.0, (count, 3)), rotations(rng, count))
    yield (
        "frustum: boxes, against a copy",
        count,
        [
            lambda: view.classify(boxes),
            lambda: (boxes.center.copy(), boxes.half_extents.copy(), boxes.rotation.copy()),
        ],
    )
    low, high = boxes.bounds()
    yield (
        "frustum: bounds, against a copy",
        count,
        [lambda: view.classify_bounds(low, high), lambda: (low.copy(), high.copy())],
    )


def moved_box(rng: np.random.Generator) -> Iterator[Case]:
    """One of 10,000 boxes moves by 0.3 of its size, a hundred times over, against a sweep of them all."""
    count, times = 10_000, 100
    place = rng.uniform(0.0, 27.0, (count, 3))
    size = rng.uniform(0.5, 1.5, (count, 3))
    low, high = place - size / 2.0, place + size / 2.0
    kept = ck.SweepAndPrune(low, high)

    def ours() -> None:
        way = rng.normal(size=(times, 3))
        for row, step in zip(rng.integers(0, count, times), way, strict=True):
            step = 0.3 * size[row].mean() * step / np.linalg.norm(step)
            low[row] += step
            high[row] += step
            kept.update([row], low[row : row + 1], high[row : row + 1])

    yield "a hundred of 10,000 boxes moved by 0.3 sizes, one by one", times, [ours, lambda: ck.SweepAndPrune(low, high)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--only", default="", help="only cases with this word in their name")
    arguments = parser.parse_args()
    columns = "ours, us", "peers, us", "peers / ours"
    print(f"{f'kernels: {loading.mode}':58}" + "".join(f"{column:>16}" for column in columns))
    for group in (cold_hulls, one_pair, half_overlapping, meshes, frusta, moved_box):
        for name, count, calls in group(np.random.default_rng(1)):
            if arguments.only in name:
                calls[0]()
                times = rounds(calls, arguments.repeats)
                ours, theirs = times[:, 0], times[:, 1:].min(axis=1)
                found = 1e6 * ours.min() / count, 1e6 * theirs.min() / count, np.median(theirs / ours)
                print(f"{name:58}" + "".join(f"{value:16.4f}" for value in found), flush=True)


if __name__ == "__main__":
    main()
