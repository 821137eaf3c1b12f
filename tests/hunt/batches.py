# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches that are asked about as a whole and in parts: the answers must be the same but for rounding.

`alone` asks all queries about pairs of few others. Here batches are as large as the blocks in which they are processed,
meshes have up to thousands of triangles, and the queries are also those of the plane, of fits, of hulls, of duplicates,
of intersection curves, of candidate axes, of a frustum and of persistent contacts.
"""

import itertools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import collision_kit.core as ck
from collision_kit.core import fit, planar
from collision_kit.core.shapes import Shapes
from tests.helpers import mesh_zoo, zoo
from tests.hunt import alone, meshes, pair_cases

# Subjects of a chunk: batches that are asked about.
COUNT = 36
# Most pairs of a batch: of shapes with closed forms or cheap searches, of shapes of the plane, of others.
_MANY, _PLANAR, _SLOW = 6000, 400, 24
# Sizes of the parts of a batch.
_PARTS = (1, 1, 2, 3, 8, 30, 200, 1000)
# Fractions of the size: of depths of contacts and of fits, of times of sweeps with rotation.
_EXACT, _FITTED, _TURNING = 1e-9, 1e-9, 4e-6

# For each name, the answer about each row and what may differ: a number for each row, or None if nothing may.
Answers = dict[str, tuple[Any, Any]]
Failure = dict[str, Any]


class Subject(NamedTuple):
    """A batch of `count` rows, and what to ask about some of them."""

    count: int
    ask: Callable[[np.ndarray], Answers]


def run(seed: int, count: int) -> list[Failure]:
    return [
        {"what": what, "case": {"seed": seed, "number": number, "row": row}}
        for number in range(count)
        for row, what in faults(seed, number)[:1]
    ]


def wrong(failure: Failure) -> str:
    case = failure["case"]
    return dict(faults(case["seed"], case["number"])).get(case["row"], "")


def faults(seed: int, number: int) -> list[tuple[int, str]]:
    """The rows whose answers differ, and in what."""
    rng = np.random.default_rng([seed, number])
    name = list(SUBJECTS)[number % len(SUBJECTS)]
    found: dict[int, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            subject = SUBJECTS[name](rng)
            whole = subject.ask(np.arange(subject.count))
            for rows in parts(rng, subject.count):
                for row, what in differences(whole, subject.ask(rows), rows):
                    found.setdefault(row, f"{name}: {what}")
        except Exception as error:
            found.setdefault(0, f"{name}: raises {type(error).__name__}")
    return sorted(found.items())


def parts(rng: np.random.Generator, count: int) -> list[np.ndarray]:
    """All rows once, in any order, in parts of several sizes."""
    order, result = rng.permutation(count), []
    while len(order):
        size = int(rng.choice(_PARTS[: 2 + np.searchsorted(_PARTS, count)]))
        result.append(order[:size])
        order = order[size:]
    return result


def differences(whole: Answers, part: Answers, rows: np.ndarray) -> list[tuple[int, str]]:
    """The rows that have another answer in the part than in the whole, and in what."""
    result = []
    for name, (values, allowed) in whole.items():
        others = part[name][0]
        for at, row in enumerate(rows.tolist()):
            one, other = np.asarray(values[row]), np.asarray(others[at])
            most = 0.0 if allowed is None else np.broadcast_to(allowed, len(values))[row]
            if one.shape != other.shape or not _same(one, other, most):
                result.append((row, name))
    return result


def _same(one: np.ndarray, other: np.ndarray, most: float) -> bool:
    if one.dtype.kind != "f":
        return bool((one == other).all())
    with np.errstate(all="ignore"):
        return bool((np.isclose(one, other, rtol=0.0, atol=most, equal_nan=True)).all())


def _contacts(name: str, found: Any, rows: int, size: np.ndarray, *, features: bool = True) -> Answers:
    """Return how many contacts each pair has, the greatest depth, and the features in order."""
    start = np.searchsorted(found.pair, np.arange(rows + 1))
    spans = [slice(first, last) for first, last in itertools.pairwise(start.tolist())]
    result: Answers = {
        f"{name}: number": (np.diff(start), None),
        f"{name}: depth": ([found.depth[span][:1] for span in spans], _EXACT * size),
    }
    if features:
        result[f"{name}: features"] = (
            [np.hstack([found.feature_a[span], found.feature_b[span]])[:1] for span in spans],
            None,
        )
    return result


def _pairs(a: Any, b: Any, margin: float, kit: Any = ck, *, features: bool = True) -> Callable[[np.ndarray], Answers]:
    """All questions about pairs of `a` and `b`, row by row."""
    low, high = (np.stack([kit.bounds(of)[side] for of in (a, b)]) for side in (0, 1))
    size = np.linalg.norm(np.where(np.isfinite(high - low), high - low, 0.0), axis=2).sum(axis=0)
    tolerance = size * 10.0 ** np.random.default_rng(len(a)).uniform(-8.0, -1.0, len(a))

    def ask(rows: np.ndarray) -> Answers:
        one, other = a.take(rows), b.take(rows)
        found = kit.distance(one, other)
        exact = alone.EXACT * found.rounding
        sure = np.abs(np.abs(found.distance) - found.rounding) > 2.0 * exact
        most = size[rows] + found.rounding / _EXACT
        inner, touching = kit.interference(one, other), tolerance[rows]
        clear = sure.copy()
        for length in (np.abs(found.distance), inner):
            clear &= np.abs(length - touching) > 0.01 * touching + exact
        result: Answers = {
            "distance": (found.distance, exact),
            "gap": (kit.separating_axis(one, other).gap, exact),
            "overlap": (kit.overlap(one, other) & sure, None),
            "contains": (kit.contains(one, other) & sure, None),
            "contained": (kit.contains(other, one) & sure, None),
            "verdict": (np.where(sure, kit.classify(one, other, clearance=margin), -1), None),
            "interference": (inner, 2e-3 * np.maximum(-found.distance, 0.0) + exact),
            "verdict within a tolerance": (np.where(clear, kit.classify(one, other, touching=touching), -1), None),
        }
        for name, reach in (("contacts", 0.0), ("contacts near", margin)):
            part = kit.contacts(one, other, margin=reach)
            part = part.take(np.flatnonzero(sure[part.pair]))
            result |= _contacts(name, part, len(rows), most, features=features)
        return result

    return ask


def _many(rng: np.random.Generator) -> Subject:
    """Pairs of shapes with closed forms or cheap searches, as many as several blocks."""
    kinds = [pair for pair in alone.KINDS if not {*pair} & (alone._PARTS | alone._MAPPED)]
    pair = kinds[rng.integers(len(kinds))]
    families = [alone._family(rng, int(rng.integers(1, _MANY // 6)), pair) for _ in range(6)]
    a, b = (alone.joined([family[side] for family in families]) for side in (0, 1))
    return Subject(len(a), _pairs(a, b, float(10.0 ** rng.uniform(-3.0, 0.0)), features=False))


def _mesh(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A mesh with about as many triangles as one of the blocks and trees, or any."""
    if rng.random() < 0.5:
        return meshes.mesh(rng)
    around = int(2.0 ** rng.uniform(1.6, 6.7))
    points, triangles = mesh_zoo.torus(around, max(3, around // 2))
    if rng.random() < 0.5:
        points = points + 0.02 * rng.normal(size=points.shape)
    return (points, triangles) if rng.random() < 0.8 else mesh_zoo.soup((points, triangles))


def _meshes(rng: np.random.Generator) -> Subject:
    """Meshes of many sizes with each other and with convex shapes."""
    count = int(rng.integers(2, _SLOW // 2))
    turns = zoo.quarter_turns(rng, count) if rng.random() < 0.3 else zoo.rotations(rng, count)
    places = rng.uniform(-0.9, 0.9, (2, count, 3))
    if rng.random() < 0.3:
        places = np.rint(2.0 * places) / 2.0
    b: Shapes = ck.Meshes.from_triangles([_mesh(rng) for _ in range(count)], places[1], turns)
    kind = [*meshes.OTHERS, *[ck.Kind.MESH] * 6][rng.integers(len(meshes.OTHERS) + 6)]
    if kind == ck.Kind.MESH:
        a: Shapes = ck.Meshes.from_triangles([_mesh(rng) for _ in range(count)], places[0], zoo.rotations(rng, count))
    else:
        a = pair_cases.made(kind, rng.choice(pair_cases.STYLES), rng, zoo.rotations(rng, count), places[0], 1.0)
    if rng.random() < 0.3:
        scale = 10.0 ** rng.uniform(-3.0, 6.0, count)
        a, b = (
            alone.joined(
                [zoo.placed(of.take(np.array([row])), np.eye(3), scale[row], np.zeros(3)) for row in range(count)]
            )
            for of in (a, b)
        )
    if rng.random() < 0.4:  # all but touching
        found = ck.distance(a, b)
        left = found.rounding * rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-2.0, 10.0)
        b = pair_cases.moved(b, (left - found.distance)[:, None] * found.normal)
    return Subject(count, _pairs(a, b, float(10.0 ** rng.uniform(-3.0, 0.0))))


def _planar_shapes(rng: np.random.Generator, kind: str, count: int) -> Any:
    """Shapes of the plane: of few and many corners, without width, with holes, and in parts."""
    places, turns = rng.uniform(-1.5, 1.5, (count, 2)), rng.uniform(0.0, 7.0, count)
    if rng.random() < 0.3:
        places, turns = np.rint(2.0 * places) / 2.0, np.pi / 2.0 * rng.integers(4, size=count)
    sizes = rng.choice([0.0, 0.5, 1.0, 1e-6], (count, 2), p=[0.1, 0.4, 0.4, 0.1])
    if kind == "circles":
        return planar.Circles(places, sizes[:, 0])
    if kind == "aabbs":
        return planar.AABBs(places - sizes, places + sizes)
    if kind == "rectangles":
        return planar.Rectangles(places, sizes, turns)
    if kind == "polygons":
        corners = [rng.normal(size=(int(2.0 ** rng.uniform(0.0, 7.0)), 2)) for _ in range(count)]
        return planar.Polygons([points[planar.convex_hull(points).outline] for points in corners], places, turns)
    return planar.Regions([_region(rng) for _ in range(count)], places, turns)


def _region(rng: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray]]:
    corners = int(2.0 ** rng.uniform(1.6, 5.0 if rng.random() < 0.8 else 8.0))
    angle = (np.arange(corners) + rng.uniform(0.0, 0.8, corners)) * 2.0 * np.pi / corners
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    outline = ring * rng.uniform(0.4, 1.0, corners)[:, None]
    return outline, [0.3 * ring[:: max(1, corners // 6)]] if rng.random() < 0.4 and corners > 5 else []


def _planar(rng: np.random.Generator) -> Subject:
    """Pairs of shapes of the plane, which may be far away, with all queries and sweeps."""
    kinds = [str(kind) for kind in rng.choice(["circles", "aabbs", "rectangles", "polygons", "regions"], 2)]
    count = int(rng.integers(2, _PLANAR if "regions" not in kinds else _PLANAR // 10))
    if "regions" not in kinds and rng.random() < 0.1:
        count *= 30
    a, b = (_planar_shapes(rng, kind, count) for kind in kinds)
    velocity, turn = rng.normal(size=(count, 2)) * 4.0, rng.normal(size=count) * (rng.random(count) < 0.5)
    pairs = _pairs(a, b, float(10.0 ** rng.uniform(-3.0, 0.0)), planar)

    def ask(rows: np.ndarray) -> Answers:
        one, other = a.take(rows), b.take(rows)
        straight = planar.time_of_impact(one, other, velocity_a=velocity[rows])
        turned = planar.time_of_impact(one, other, velocity_a=velocity[rows], angular_velocity_b=turn[rows])
        return pairs(rows) | _sweep("sweep", straight, _EXACT) | _sweep("turning sweep", turned, _TURNING)

    return Subject(count, ask)


def _sweep(name: str, found: ck.Impacts, allowed: float) -> Answers:
    return {
        f"{name}: hit": (found.hit, None),
        f"{name}: decided": (found.decided, None),
        f"{name}: time": (np.where(found.hit, found.time, 2.0), allowed),
    }


def _sweeps(rng: np.random.Generator) -> Subject:
    """Sweeps of all kinds but cones and ellipsoids, with and without rotation, forwards and backwards."""
    kinds = [pair for pair in alone.KINDS if not {*pair} & alone._MAPPED]
    pair = kinds[rng.integers(len(kinds))]
    slow, large = bool({*pair} & alone._PARTS), rng.random() < 0.1
    a, b = alone._family(rng, 6 if slow else _MANY if large else int(rng.integers(2, 200)), pair)
    bounded = b if pair[0] in alone.UNBOUNDED else a
    center, radius = alone._spheres(bounded)
    velocity = rng.choice([0.5, 2.0, 10.0], (len(a), 1)) * radius[:, None] * rng.normal(size=(len(a), 3))
    turn = rng.normal(size=(len(a), 3)) * (rng.random((len(a), 1)) < (0.01 if large else 0.5))

    def ask(rows: np.ndarray) -> Answers:
        one, other = a.take(rows), b.take(rows)
        moving = {"velocity_a": velocity[rows]}
        turning = moving | {"angular_velocity_b": turn[rows], "pivot_b": center[rows]}
        return (
            _sweep("sweep", ck.time_of_impact(one, other, **moving), 1e-7)
            | _sweep("turning sweep", ck.time_of_impact(one, other, **turning), 1e-4)
            | _sweep("last contact", ck.last_contact(one, other, **moving), 1e-7)
        )

    return Subject(len(a), ask)


def _point_sets(rng: np.random.Generator) -> list[np.ndarray]:
    """Points in general position, on lattices, on spheres, flat, on lines, the same; up to thousands; any size."""
    sets = []
    for _ in range(int(rng.integers(2, 24))):
        points = rng.normal(size=(int(2.0 ** rng.uniform(0.0, 8.0 if rng.random() < 0.9 else 13.0)), 3))
        match rng.integers(5):
            case 0:
                points = np.rint(2.0 * points)
            case 1:
                points /= np.linalg.norm(points, axis=1, keepdims=True)
            case 2:
                points *= 10.0 ** np.where(rng.random(3) < 0.5, rng.uniform(-18.0, 0.0, 3), 0.0)
            case 3:
                points = points @ np.diag(rng.integers(0, 2, 3)) @ zoo.rotations(rng, 1)[0]
        sets.append(10.0 ** rng.uniform(-6.0, 6.0) * (points + 10.0 ** rng.uniform(-3.0, 5.0) * rng.normal(size=3)))
    return sets


def _hulls(rng: np.random.Generator) -> Subject:
    """Hulls of point sets, and shapes that are fitted to them."""
    sets = _point_sets(rng)
    kind = fit.SIMPLEST_FIRST[rng.integers(len(fit.SIMPLEST_FIRST))]

    def ask(rows: np.ndarray) -> Answers:
        some = [sets[row] for row in rows]
        found, flat = ck.convex_hulls(some), planar.convex_hulls([points[:, :2] for points in some])
        fits = fit.fit_each(kind, some)
        size = np.array([np.ptp(points, axis=0).max() + np.abs(points).max() for points in some])
        return {
            "vertices": ([hull.vertices for hull in found], None),
            "faces": ([hull.normals for hull in found], 0.0),
            "edges": ([hull.edges for hull in found], None),
            "outline": ([hull.outline for hull in flat], None),
            "fit": ([one.volume for one in fits], _FITTED * size**3),
        }

    return Subject(len(sets), ask)


def _scene(rng: np.random.Generator) -> ck.World:
    """Shapes of several kinds near each other, some of them twice, and with margins."""
    batches = []
    for kind in rng.choice(np.array([*ck.Kind], dtype=object), 4):
        if kind in alone.UNBOUNDED:
            batches.append(zoo.generic(kind, rng, 2))
            continue
        count = int(rng.integers(2, 6))
        turns, places = zoo.rotations(rng, count), rng.uniform(-0.8, 0.8, (count, 3))
        batches.append(alone._shapes(rng, kind, turns, places))
    batches.append(batches[0])
    margin = np.concatenate([_margin(rng, of) for of in batches])
    return ck.World(batches, margin if rng.random() < 0.5 else None)


def _margin(rng: np.random.Generator, shapes: Shapes) -> np.ndarray:
    """Margins of half of the shapes, if their kind may have one."""
    may = shapes.kind not in (ck.Kind.PLANE, ck.Kind.COMPOUND)
    return 10.0 ** rng.uniform(-6.0, 0.0, len(shapes)) * (rng.random(len(shapes)) < 0.5 * may)


def _world(rng: np.random.Generator) -> Subject:
    """Pairs of a world of several kinds by their indices, with duplicates, and the pairs of another order."""
    world = _scene(rng)
    kinds = np.concatenate([np.full(len(batch), batch.kind in alone.UNBOUNDED) for batch in world.batches])
    pairs = np.stack(np.triu_indices(len(world), 1), axis=1)
    pairs = pairs[~kinds[pairs].all(axis=1)]
    pairs = pairs[rng.permutation(len(pairs))[:_SLOW]]
    low, high = world.bounds()
    size = np.linalg.norm(np.where(np.isfinite(high - low), high - low, 1.0), axis=1)[pairs].sum(axis=1)
    margin, tolerance = float(10.0 ** rng.uniform(-3.0, 0.0)), float(10.0 ** rng.uniform(-9.0, 0.0))

    def ask(rows: np.ndarray) -> Answers:
        some = pairs[rows]
        found = world.distance(some)
        loss = alone.EXACT * found.rounding + 1e-6 * size[rows]
        sure = np.abs(np.abs(found.distance) - found.rounding) > loss
        return {
            "distance": (found.distance, loss),
            "gap": (world.separating_axis(some).gap, loss),
            "overlap": (world.overlap(some) & sure, None),
            "contains": (world.contains(some) & sure, None),
            "verdict": (np.where(sure, world.classify(some, clearance=margin), -1), None),
            "interference": (world.interference(some), 2e-3 * np.abs(found.distance) + loss),
            "duplicates": (world.duplicates(some, tolerance=tolerance), None),
            "contacts": (np.bincount(world.contacts(some, margin).pair, minlength=len(rows)) * sure, None),
        }

    return Subject(len(pairs), ask)


def _duplicates(rng: np.random.Generator) -> Subject:
    """Shapes and copies of them, in other order, turned by symmetries and moved by about the tolerance."""
    kind = [of for of in ck.Kind if of not in alone.UNBOUNDED][rng.integers(len(ck.Kind) - 2)]
    count = int(rng.integers(2, 30))
    turns, places = zoo.rotations(rng, count), rng.uniform(-0.8, 0.8, (count, 3))
    a = alone._shapes(rng, kind, turns, places)
    shift = 10.0 ** rng.uniform(-12.0, 0.0, (count, 1)) * rng.normal(size=(count, 3)) * (rng.random((count, 1)) < 0.7)
    b = pair_cases.moved(a, shift)
    tolerance = 10.0 ** rng.uniform(-12.0, 0.0, count) * (rng.random(count) < 0.8)
    return Subject(
        count, lambda rows: {"duplicates": (ck.duplicates(a.take(rows), b.take(rows), tolerance=tolerance[rows]), None)}
    )


def _crossings(rng: np.random.Generator) -> Subject:
    """Triangles of meshes that cross each other and themselves."""
    count = int(rng.integers(2, 8))
    a, b = (
        ck.Meshes.from_triangles(
            [_mesh(rng) for _ in range(count)], rng.uniform(-0.5, 0.5, (count, 3)), zoo.rotations(rng, count)
        )
        for _ in range(2)
    )

    def ask(rows: np.ndarray) -> Answers:
        result: Answers = {}
        own, each = ck.self_crossing(a.take(rows)), ck.crossing(a.take(rows), b.take(rows))
        for name, found, of in (("own", own, own.row), ("each other", each, each.pair)):
            mine = [np.flatnonzero(of == row) for row in range(len(rows))]
            result[f"{name}: triangles"] = (
                [np.stack([found.triangle_a[rows], found.triangle_b[rows]]) for rows in mine],
                None,
            )
            result[f"{name}: ends"] = ([np.stack([found.start[rows], found.end[rows]]) for rows in mine], 1e-12)
        curves = each.curves()
        result["curves"] = ([sum(curve.pair == row for curve in curves) for row in range(len(rows))], None)
        return result

    return Subject(count, ask)


def _axes(rng: np.random.Generator) -> Subject:
    """The candidate axes of pairs of convex shapes."""
    kinds = [pair for pair in alone.KINDS if not {*pair} & alone._PARTS]
    pair = kinds[rng.integers(len(kinds))]
    a, b = alone._family(rng, 12, pair)
    size = sum(np.where(np.isfinite(alone._spheres(of)[1]), alone._spheres(of)[1], 0.0) for of in (a, b))
    rounding = alone.EXACT * ck.distance(a, b).rounding + alone._FLAT * size * bool({*pair} & alone._MAPPED)

    def ask(rows: np.ndarray) -> Answers:
        found = ck.candidate_axes(a.take(rows), b.take(rows))
        best = np.full(len(rows), -np.inf)
        np.maximum.at(best, found.pair, np.where(np.isfinite(found.gap), found.gap, -np.inf))
        return {"axes": (np.bincount(found.pair, minlength=len(rows)), None), "best": (best, rounding[rows])}

    return Subject(len(a), ask)


def _frustum(rng: np.random.Generator) -> Subject:
    """Shapes of all kinds and sizes before a frustum, and their bounds."""
    kind = [*ck.Kind][rng.integers(len(ck.Kind))]
    count = 6 if kind in alone._PARTS else int(rng.integers(2, 300 if rng.random() < 0.8 else 2 * _MANY))
    if kind in alone.UNBOUNDED:
        shapes = zoo.generic(kind, rng, count)
    else:
        places = np.array([0.0, 0.0, -1.0]) + rng.uniform(-2.0, 2.0, (count, 3))
        shapes = alone._shapes(rng, kind, zoo.rotations(rng, count), places)
    margin = _margin(rng, shapes)
    low, high = ck.bounds(shapes)

    def ask(rows: np.ndarray) -> Answers:
        result: Answers = {}
        for number, view in enumerate(alone._views()):
            for exact in (False, True):
                some = shapes.take(rows)
                result[f"shapes {number} {exact}"] = (view.classify(some, exact=exact), None)
                result[f"margins {number} {exact}"] = (view.classify(ck.World([some], margin[rows]), exact=exact), None)
                result[f"bounds {number} {exact}"] = (view.classify_bounds(low[rows], high[rows], exact=exact), None)
        return result

    return Subject(count, ask)


def _extents(rng: np.random.Generator) -> Subject:
    """Bounds, also of motions, and the distance of the farthest points along directions."""
    kind = [of for of in ck.Kind if of not in alone.UNBOUNDED][rng.integers(len(ck.Kind) - 2)]
    count = 6 if kind in alone._PARTS else int(rng.integers(2, 300 if rng.random() < 0.8 else _MANY))
    shapes = alone._shapes(rng, kind, zoo.rotations(rng, count), rng.uniform(-0.8, 0.8, (count, 3)))
    velocity, turn, way = rng.normal(size=(3, count, 3))
    low, high = shapes.bounds()
    allowed = 1e-14 * np.linalg.norm(np.abs(low) + np.abs(high) + np.abs(velocity), axis=1)

    def ask(rows: np.ndarray) -> Answers:
        some = shapes.take(rows)
        swept = np.hstack(ck.swept_bounds(some, velocity[rows], turn[rows], low[rows]))
        result: Answers = {
            "bounds": (np.hstack(ck.bounds(some)), allowed[rows]),
            "spheres": (ck.bounding_spheres(some)[1], 1e3 * allowed[rows]),
            "swept bounds": (swept, 1e3 * allowed[rows]),
        }
        if kind != ck.Kind.COMPOUND:
            farthest = (ck.support(some, way[rows]) * way[rows]).sum(axis=1)
            result["support"] = (farthest, 1e2 * allowed[rows])
        return result

    return Subject(count, ask)


def _persistent(rng: np.random.Generator) -> Subject:
    """Contacts of pairs that move, followed from one update to the next."""
    kinds = [pair for pair in alone.KINDS if not {*pair} & alone._MAPPED]
    pair = kinds[rng.integers(len(kinds))]
    a, b = alone._family(rng, 6 if {*pair} & alone._PARTS else int(rng.integers(2, 400)), pair)
    found = ck.distance(a, b)
    size = sum(np.where(np.isfinite(alone._spheres(of)[1]), alone._spheres(of)[1], 0.0) for of in (a, b))
    way = 10.0 ** rng.uniform(-6.0, -1.0) * size[:, None] * rng.normal(size=(4, len(a), 3))
    b = pair_cases.moved(b, -(found.distance + 1e-3 * size)[:, None] * found.normal)

    def ask(rows: np.ndarray) -> Answers:
        cache, result, most = ck.ContactCache(), {}, size[rows] + found.rounding[rows] / _EXACT
        for step in range(4):
            moved = pair_cases.moved(b, way[:step].sum(axis=0)).take(rows)
            update = cache.recompute if step == 2 else cache.update
            now = update(a.take(rows), moved, time=float(step))
            spans = [np.flatnonzero(now.contacts.pair == row) for row in range(len(rows))]
            result[f"step {step}: contacts"] = ([len(span) for span in spans], None)
            result[f"step {step}: ages"] = ([np.sort(now.age[span]) for span in spans], None)
            result[f"step {step}: depths"] = ([np.sort(now.contacts.depth[span]) for span in spans], _EXACT * most)
        return result

    return Subject(len(a), ask)


SUBJECTS: dict[str, Callable[[np.random.Generator], Subject]] = {
    "many": _many,
    "planar": _planar,
    "sweeps": _sweeps,
    "hulls": _hulls,
    "world": _world,
    "duplicates": _duplicates,
    "crossings": _crossings,
    "axes": _axes,
    "frustum": _frustum,
    "persistent": _persistent,
    "extents": _extents,
    "meshes": _meshes,
}
