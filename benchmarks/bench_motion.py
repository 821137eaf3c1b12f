# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps against python-fcl's conservative advancement called in a loop, all in one run: times, and impacts missed.

    python benchmarks/bench_motion.py [--sweeps N] [--movers N] [--repeats N]

Wants python-fcl, and `collision_kit` on the path. Theirs are asked about objects and transforms made beforehand, in
translation mode; for turning boxes there is no mode of theirs that moves as ours do, so ours are shown alone. All take
turns and the best time of each counts.

Then every answer for boxes is proved: that they touch at the time, and that they are apart before it; some of them in
exact rational arithmetic of the very numbers given.
"""

import argparse
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
from turns import best

import collision_kit.core as ck
from collision_kit.core.kernels import loading

Sweeps = tuple[ck.Boxes, ck.Boxes, np.ndarray, np.ndarray]


def rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn[np.linalg.det(turn) < 0.0, :, 0] *= -1.0
    return turn


def shapes(kind: str, rng: np.random.Generator, place: np.ndarray) -> object:
    """Shapes of about unit size at these places."""
    count = len(place)
    match kind:
        case "box":
            return ck.Boxes(place, rng.uniform(0.2, 1.0, (count, 3)), rotations(rng, count))
        case "sphere":
            return ck.Spheres(place, rng.uniform(0.2, 1.0, count))
        case "capsule":
            along = rng.normal(size=(count, 3))
            return ck.Capsules(place - along / 2.0, place + along / 2.0, rng.uniform(0.2, 0.6, count))
        case _:
            points = rng.normal(size=(200, 32, 3))
            geometry = ck.convex_hulls(list(points / np.linalg.norm(points, axis=2, keepdims=True)))
            return ck.Hulls(geometry, np.arange(count) % 200, place, rotations(rng, count))


def fcl_objects(batch: object) -> tuple[list, Callable[[np.ndarray], list]]:
    """Objects of python-fcl, and how to make the transforms of the end of their ways."""
    import fcl

    if isinstance(batch, ck.Boxes):
        made = [fcl.Box(*(2.0 * half)) for half in batch.half_extents]
        turn, place = batch.rotation, batch.center
    elif isinstance(batch, ck.Spheres):
        made = [fcl.Sphere(radius) for radius in batch.radius]
        turn, place = np.broadcast_to(np.eye(3), (len(batch), 3, 3)), batch.center
    elif isinstance(batch, ck.Capsules):
        along = batch.end - batch.start
        far = np.linalg.norm(along, axis=1)
        made = [fcl.Capsule(radius, size) for radius, size in zip(batch.radius, far, strict=True)]
        place, z = (batch.start + batch.end) / 2.0, along / far[:, None]
        x = np.cross(z, np.eye(3)[np.abs(z).argmin(axis=1)])
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        turn = np.stack([x, np.cross(z, x), z], axis=2)
    else:
        made = []
        for hull in batch.geometry:
            corners = hull.points[hull.vertices]
            number = {int(vertex): k for k, vertex in enumerate(hull.vertices)}
            faces = [[len(face), *(number[int(vertex)] for vertex in face)] for face in hull.faces]
            made.append(fcl.Convex(corners, len(faces), np.concatenate(faces)))
        made = [made[index] for index in batch.index]
        turn, place = batch.rotation, batch.translation
    objects = [fcl.CollisionObject(shape, fcl.Transform(*pose)) for shape, *pose in zip(made, turn, place, strict=True)]
    return objects, lambda path: [fcl.Transform(*pose) for pose in zip(turn, place + path, strict=True)]


def fcl_loop(a: object, b: object, path_a: np.ndarray, path_b: np.ndarray) -> Callable[[], np.ndarray]:
    """The times that python-fcl finds, 1 where there is none."""
    import fcl

    (objects_a, ends_a), (objects_b, ends_b) = fcl_objects(a), fcl_objects(b)
    rows = list(zip(objects_a, ends_a(path_a), objects_b, ends_b(path_b), strict=True))
    request = fcl.ContinuousCollisionRequest(
        ccd_motion_type=fcl.CCDMotionType.CCDM_TRANS,
        ccd_solver_type=fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    )

    def loop() -> np.ndarray:
        return np.array([fcl.continuousCollide(*row, request, fcl.ContinuousCollisionResult()) for row in rows])

    return loop


def sweeps(kind: str, rng: np.random.Generator, count: int, spread: float) -> tuple:
    """Pairs in a cube and their displacements, of which most never meet."""
    a, b = (shapes(kind, rng, rng.uniform(-spread, spread, (count, 3))) for _ in range(2))
    path_a, path_b = rng.normal(scale=spread, size=(2, count, 3))
    return a, b, path_a, path_b


def aimed(rng: np.random.Generator, count: int) -> tuple:
    """Boxes of which two in three hit each other."""
    place, away = rng.uniform(-4.0, 4.0, (count, 3)), rng.normal(size=(count, 3))
    away *= (rng.uniform(3.5, 6.0, count) / np.linalg.norm(away, axis=1))[:, None]
    path = rng.normal(size=(count, 3))
    onto = path - away * rng.uniform(0.5, 2.0, count)[:, None] + rng.normal(scale=1.2, size=(count, 3))
    return shapes("box", rng, place), shapes("box", rng, place + away), path, onto


def moved(batch: ck.Boxes, path: np.ndarray, time: np.ndarray) -> ck.Boxes:
    """Boxes at a time of their ways."""
    return ck.Boxes(batch.center + path * time[:, None], batch.half_extents, batch.rotation)


def prove(a: ck.Boxes, b: ck.Boxes, path_a: np.ndarray, path_b: np.ndarray, found: ck.Impacts, exactly: int) -> None:
    """Print how many impacts are proved, by distances at times beside them, and how many in rational numbers."""
    hit = np.flatnonzero(found.hit & (found.time > 0.0))
    time = found.time[hit]
    size = np.linalg.norm(a.half_extents[hit], axis=1) + np.linalg.norm(b.half_extents[hit], axis=1)
    gaps = [
        ck.distance(moved(a.take(hit), path_a[hit], when), moved(b.take(hit), path_b[hit], when)).distance
        for when in (time, np.maximum(time - 1e-6, 0.0))
    ]
    touch, apart = np.abs(gaps[0]) <= 1e-12 * size, gaps[1] > 0.0
    print(
        f"  impacts later than the start: {len(hit)}; touching at the time: {touch.sum()}, apart before: {apart.sum()}"
    )
    sample = hit[:exactly]
    proved = sum(_proved(a, b, path_a, path_b, row, float(found.time[row])) for row in sample)
    print(
        f"  in rational numbers, of {len(sample)}: {proved} with an axis that parts them before the time and lets them"
    )
    print("  in within rounding of it, and all axes overlapping just after")


def _proved(a: ck.Boxes, b: ck.Boxes, path_a: np.ndarray, path_b: np.ndarray, row: int, time: float) -> bool:
    """Entry and exit along the fifteen axes, in rational numbers of what the boxes are given by."""
    exact = np.vectorize(Fraction)
    axes_a, axes_b = exact(a.rotation[row].T), exact(b.rotation[row].T)
    half_a, half_b = exact(a.half_extents[row]), exact(b.half_extents[row])
    apart = exact(b.center[row]) - exact(a.center[row])
    path = exact(path_b[row]) - exact(path_a[row])
    entry, leave = Fraction(0), Fraction(1)
    axes = [*axes_a, *axes_b, *(np.cross(first, second) for first, second in product(axes_a, axes_b))]
    for axis in axes:
        reach = sum(half * abs(side @ axis) for half, side in zip(half_a, axes_a, strict=True))
        reach += sum(half * abs(side @ axis) for half, side in zip(half_b, axes_b, strict=True))
        shift, speed = apart @ axis, path @ axis
        if speed == 0:
            if abs(shift) > reach:
                return False
            continue
        ends = sorted(((-reach - shift) / speed, (reach - shift) / speed))
        entry, leave = max(entry, ends[0]), min(leave, ends[1])
    return entry <= leave and abs(entry - Fraction(time)) <= Fraction(1, 10**11)


def bench_sweeps(arguments: argparse.Namespace) -> None:
    """Print the table of sweeps."""
    rng = np.random.default_rng(1)
    count = arguments.sweeps
    titles = ("hits", "ours, us", "fcl, us", "fcl/ours", "fcl misses", "fcl late", "fcl early")
    print(f"kernels: {loading.mode}\n{'a sweep':24}" + "".join(f"{title:>12}" for title in titles))
    cases = {"box-box": sweeps("box", rng, count, 4.0), "box-box, aimed": aimed(rng, count)}
    for kind in ("sphere", "capsule", "hull"):
        cases[f"{kind}-{kind}"] = sweeps(kind, rng, count, 4.0)
    proofs = []
    for name, (a, b, path_a, path_b) in cases.items():
        ours, theirs = [], []

        def here(case: tuple = (a, b, path_a, path_b), answer: list = ours) -> None:
            answer[:] = [ck.time_of_impact(*case[:2], velocity_a=case[2], velocity_b=case[3])]

        loop = fcl_loop(a, b, path_a, path_b)

        def there(loop: Callable[[], np.ndarray] = loop, answer: list = theirs) -> None:
            answer[:] = [loop()]

        seconds = best([here, there], arguments.repeats)
        found, times = ours[0], theirs[0]
        hits = times < 1.0
        both = found.hit & hits
        late, early = (times - found.time)[both] > 1e-3, (found.time - times)[both] > 1e-3
        figures = [f"{1e6 * value / len(a):12.2f}" for value in seconds] + [f"{seconds[1] / seconds[0]:12.1f}"]
        missed = f"{(found.hit & ~hits).sum():12}{late.sum():12}{early.sum():12}"
        print(f"{name:24}{found.hit.mean():12.2f}{''.join(figures)}{missed}", flush=True)
        if isinstance(a, ck.Boxes):
            proofs.append((name, (a, b, path_a, path_b, found)))
        if (hits & ~found.hit).any():
            print(f"  {(hits & ~found.hit).sum()} that FCL reports are misses here")
    for name, answers in proofs:
        print(f"{name}:")
        prove(*answers, arguments.exactly)


def bench_turning(arguments: argparse.Namespace) -> None:
    """Print how long boxes and hulls that turn take, in batches of two sizes."""
    for kind, count in product(("box", "hull"), (arguments.sweeps // 10, arguments.sweeps)):
        rng = np.random.default_rng(2)
        a, b, path_a, path_b = sweeps(kind, rng, count, 4.0)
        spin_a, spin_b = rng.normal(size=(2, count, 3))
        pivot_a, pivot_b = (shapes.center if kind == "box" else shapes.translation for shapes in (a, b))
        moves = ck.RigidMotion(path_a, spin_a, pivot_a), ck.RigidMotion(path_b, spin_b, pivot_b)
        answer = []

        def here(case: tuple = (a, b), moves: tuple = moves, answer: list = answer) -> None:
            answer[:] = [ck.time_of_impact(*case, motion_a=moves[0], motion_b=moves[1])]

        (seconds,) = best([here], arguments.repeats)
        found = answer[0]
        print(
            f"{count} turning pairs, {kind}-{kind}: {1e6 * seconds / count:.1f} us each, {found.hit.mean():.2f} hit,"
            f" all decided: {bool(found.decided.all())}",
            flush=True,
        )


def bench_world(arguments: argparse.Namespace) -> None:
    """Print how long thousands of movers take, with pairs to be found."""
    rng = np.random.default_rng(3)
    count = arguments.movers
    side = 1.2 * count ** (1.0 / 3.0)
    world = ck.World([shapes("box", rng, rng.uniform(-side, side, (count, 3)))])
    path, spin = rng.normal(size=(2, count, 3))
    for name, velocities in (
        ("displaced", {"velocity": path}),
        ("turning too", {"velocity": path, "angular_velocity": 0.3 * spin, "pivot": world.batches[0].center}),
    ):
        answer = []

        def bounds(given: dict = velocities) -> None:
            ck.swept_bounds(world, **given)

        def pairs(given: dict = velocities, answer: list = answer) -> None:
            answer[:] = world.time_of_impact(**given)

        seconds = best([bounds, pairs], max(arguments.repeats // 2, 1))
        rows, found = answer
        print(
            f"{count} movers, {name}: bounds {1e3 * seconds[0]:.1f} ms, with pairs and impacts"
            f" {1e3 * seconds[1]:.0f} ms;"
            f" {len(rows)} pairs of {count * (count - 1) // 2}, {found.hit.sum()} impacts"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sweeps", type=int, default=10_000, help="of each kind (default: %(default)s)")
    parser.add_argument("--movers", type=int, default=10_000, help="in one world (default: %(default)s)")
    parser.add_argument("--exactly", type=int, default=200, help="impacts proved exactly (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=7, help="how often each is timed (default: %(default)s)")
    arguments = parser.parse_args()
    bench_sweeps(arguments)
    bench_turning(arguments)
    bench_world(arguments)


if __name__ == "__main__":
    main()
