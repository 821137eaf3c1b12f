# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes against meshes and convex shapes, all questions, by brute force over triangles, winding numbers and peers.

Meshes are perturbed, self-touching, in loose parts, thin, soups, open, in random poses, scaled and far away. Two
surfaces cross where a side of one triangle pierces another, by far more than rounding; what does not, and is not inside
the other by winding numbers either, is apart by the least distance of vertices, edges and triangles. manifold3d says
how large the intersection of two solids is, where it is installed; python-fcl how far real meshes are apart.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import mesh_files, mesh_zoo, zoo
from tests.hunt import pair_cases

try:
    import fcl
    import manifold3d
except ImportError:
    fcl = manifold3d = None

COUNT = 300
PYTHON = "build/venv-peers/bin/python"
DATA = Path(os.environ.get("COLLISION_KIT_DATA", Path(__file__).parents[3] / "shared" / "data")) / "meshes"
# One case in so many is of real meshes.
_REAL = 50
OTHERS = (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)
# Fractions of the size and of the distance from the origin: what is certain in float64; what is said to the last digits
# of a translation that frees.
_SURE = 1e-9
_EXACT = 1e-12
_FREED = 1e-7
# A fraction of the interference, by which it may be too small.
_INTERFERENCE = 2e-3

Mesh = tuple[np.ndarray, np.ndarray]


def sphere(rng: np.random.Generator) -> Mesh:
    """A sphere of rings, as modelers make them."""
    around, levels = rng.integers(4, 11), rng.integers(2, 6)
    turn, tilt = 2.0 * np.pi * np.arange(around) / around, np.pi * np.arange(1, levels) / levels
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(around)], axis=1)
    rows = [np.sin(t) * ring + [0.0, 0.0, np.cos(t)] for t in tilt]
    points = np.concatenate([[[0.0, 0.0, 1.0]], *rows, [[0.0, 0.0, -1.0]]])
    last, triangles = len(points) - 1, []
    for k in range(around):
        n = (k + 1) % around
        triangles.append((0, 1 + k, 1 + n))
        triangles.append((last, last - around + n, last - around + k))
        for level in range(levels - 2):
            low, high = 1 + level * around, 1 + (level + 1) * around
            triangles += [(low + k, high + k, high + n), (low + k, high + n, low + n)]
    return points, np.array(triangles)


def mesh(rng: np.random.Generator) -> Mesh:
    """A mesh of about unit size with something wrong with it, or nothing."""
    base = [sphere, mesh_zoo.generic, mesh_zoo.degenerate, lambda _: mesh_zoo.torus(6, 4)]
    # Now and then one whose tree is as deep as those of modelers' meshes.
    large = mesh_zoo.torus(*rng.integers([8, 4], [41, 17])) if rng.random() < 0.05 else None
    points, triangles = base[rng.integers(len(base))](rng) if large is None else large
    match rng.integers(8):
        case 0:
            points = points + 10.0 ** rng.uniform(-12.0, -1.0) * rng.normal(size=points.shape)
        case 1:
            points = points.astype(np.float32).astype(float)
        case 2:  # vertices fall together, faces touch
            points = np.rint(points * 4.0) / 4.0
        case 3:
            points = points * 10.0 ** np.where(rng.random(3) < 0.4, rng.uniform(-9.0, 0.0, 3), 0.0)
        case 4:
            shift = rng.choice([0.0, 0.5, 1.0, rng.uniform(0.0, 2.0)], 3)
            points, triangles = mesh_zoo.joined([(points, triangles), (points + shift, triangles)])
        case 5:
            points, triangles = mesh_zoo.soup((points, triangles))
        case 6:
            triangles = triangles[rng.random(len(triangles)) < 0.9]
    return points, triangles if len(triangles) else np.array([[0, 1, 2]])


def pair(rng: np.random.Generator) -> tuple[Shapes, Shapes]:
    """Two meshes, or a convex shape and a mesh, anywhere from deep in each other to far apart."""
    level = rng.random() < 0.3
    turns = zoo.quarter_turns(rng, 2) if level else zoo.rotations(rng, 2)
    places = rng.integers(-2, 3, (2, 3)) / 2.0 if level else rng.uniform(-0.8, 0.8, (2, 3))
    if rng.random() < 0.2:
        turns[1] = turns[0] @ pair_cases.small_turns(rng, 10.0 ** rng.uniform(-15.0, -1.0, 1))[0]
    size = 10.0 ** rng.uniform(-2.0, 0.0) if rng.random() < 0.2 else 1.0
    one, other = mesh(rng), mesh(rng)
    if rng.random() < 0.2:  # perturbed copies of each other
        other = one[0] + 10.0 ** rng.uniform(-16.0, -2.0) * rng.normal(size=one[0].shape), one[1]
    b = ck.Meshes.from_triangles([(size * other[0], other[1])], places[1:], turns[1:])
    if rng.random() < 0.6:
        a: Shapes = ck.Meshes.from_triangles([one], places[:1], turns[:1])
    else:
        kind = OTHERS[rng.integers(len(OTHERS))]
        a = pair_cases.made(kind, rng.choice(pair_cases.STYLES), rng, turns[:1], places[:1], 1.0)
    a, b = pair_cases.everywhere(rng, a, b)
    if rng.random() < 0.3:
        found = ck.distance(a, b)
        left = found.rounding * rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-2.0, 10.0)
        b = pair_cases.moved(b, (left - found.distance)[:, None] * found.normal)
    return (b, a) if rng.random() < 0.2 else (a, b)


def run(seed: int, count: int) -> list[dict[str, Any]]:
    failures = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        if number % _REAL == _REAL - 1 and fcl and DATA.is_dir():
            if what := real(rng):
                failures.append({"what": what, "seed": [seed, number]})
            continue
        try:
            a, b = pair(rng)
        except Exception as error:  # in moving them until they touch
            failures.append({"what": f"raises {type(error).__name__}", "seed": [seed, number], "error": str(error)})
            continue
        if what := fault(a, b):
            failures.append({"what": what, "case": {"a": row_of(a), "b": row_of(b)}})
    return failures


def wrong(failure: dict[str, Any]) -> str:
    return fault(*(shape_of(failure["case"][name]) for name in "ab"))


def row_of(shapes: Shapes) -> dict[str, Any]:
    if not isinstance(shapes, ck.Meshes):
        return pair_cases.row_of(shapes, 0)
    geometry = shapes.geometry[shapes.index[0]]
    pose = {"translation": shapes.translation[0].tolist(), "rotation": shapes.rotation[0].tolist()}
    return {"kind": "MESH", "points": geometry.points.tolist(), "triangles": geometry.triangles.tolist(), **pose}


def shape_of(entry: dict[str, Any]) -> Shapes:
    if entry["kind"] != "MESH":
        return pair_cases.shape_of(entry)
    return ck.Meshes.from_triangles(
        [(entry["points"], entry["triangles"])], [entry["translation"]], [entry["rotation"]]
    )


def fault(a: Shapes, b: Shapes) -> str:
    """The errors in the answers about one pair; empty if there are none."""
    try:
        with np.errstate(all="raise", under="ignore"):
            return next(faults(a, b), "")
    except Exception as error:
        return f"raises {type(error).__name__}"


def faults(a: Shapes, b: Shapes) -> Iterator[str]:
    found, swapped, axes = ck.distance(a, b), ck.distance(b, a), ck.separating_axis(a, b)
    distance, normal, rounding = found.distance[0], found.normal[0], found.rounding[0]
    margin = abs(distance) * 0.5
    touch, near = ck.contacts(a, b), ck.contacts(a, b, margin=margin)
    overlap, verdict = ck.overlap(a, b)[0], ck.Verdict(ck.classify(a, b)[0])
    holds, held = ck.contains(a, b)[0], ck.contains(b, a)[0]
    with np.errstate(all="ignore"):
        size = sum(shapes.bounding_spheres()[1][0] for shapes in (a, b))
        exact = _EXACT * size + 4.0 * rounding
        if not np.isfinite([distance, *normal, *found.point_a[0], *found.point_b[0], axes.gap[0]]).all():
            yield "not finite"
        if abs(np.linalg.norm(normal) - 1.0) > 1e-12:
            yield "the normal is no unit vector"
        if np.linalg.norm(found.point_b[0] - found.point_a[0] - distance * normal) > exact:
            yield "the witnesses are not the distance apart"
        if overlap != (distance <= rounding):
            yield "overlap and distance disagree"
        if abs(distance - swapped.distance[0]) > (exact if distance > rounding else _FREED * size):
            yield "another distance when swapped"
        if (len(touch) > 0) != overlap or (len(near) > 0) != (distance <= margin + rounding):
            yield "contacts and distance disagree"
        if not all(np.isfinite(x).all() for c in (touch, near) for x in (c.point, c.normal, c.depth)):
            yield "a contact is not finite"
        if (verdict == ck.Verdict.SEPARATED and overlap) or (verdict == ck.Verdict.CONTAINED and not (holds or held)):
            yield "the verdict"
        if (holds or held) and not overlap:
            yield "contained and apart"
        if axes.gap[0] > distance + exact:
            yield "a gap larger than the distance"
        yield from _against_brute_force(a, b, found, bool(overlap), size, exact)
        for one, other, says in ((a, b, holds), (b, a, held)):
            if says and isinstance(one, ck.Meshes) and one.solid[0] and isinstance(other, ck.Meshes):
                clear = _off_surface(corners(one), corners(other).reshape(-1, 3), _SURE * size + exact)
                if (np.abs(np.rint(mesh_zoo.winding(corners(one), clear))) == 0).any():
                    yield "holds what reaches out"
        if isinstance(a, ck.Meshes) and isinstance(b, ck.Meshes) and a.solid[0] and b.solid[0]:
            yield from _interference(a, b, distance, exact)
        yield from _verdicts(a, b, distance, exact)


def _verdicts(a: Shapes, b: Shapes, distance: float, exact: float) -> Iterator[str]:
    """With tolerances above and below the distance or the interference, which the verdicts do not measure."""
    inner = ck.interference(a, b)[0]
    for factor in (0.5, 2.0):
        if distance > 4.0 * exact:
            near = ck.classify(a, b, touching=factor * distance)[0]
            clear = ck.classify(a, b, clearance=factor * distance)[0]
            if (near, clear) != ((2, 1) if factor > 1.0 else (0, 0)):
                yield "the verdict on a gap"
        elif inner > 4.0 * exact and -distance > 4.0 * exact:
            deep = ck.classify(a, b, touching=factor * inner)[0] >= ck.Verdict.PENETRATING
            if deep != (factor < 1.0):
                yield "the verdict on an interference"
    if manifold3d and isinstance(a, ck.Meshes) and isinstance(b, ck.Meshes) and a.solid[0] and b.solid[0]:
        size = sum(shapes.bounding_spheres()[1][0] for shapes in (a, b))
        if common_volume(a, b, size) > 1e-6 * size**3 and ck.classify(a, b)[0] < ck.Verdict.PENETRATING:
            yield "no verdict on a common volume"


def _interference(a: ck.Meshes, b: ck.Meshes, distance: float, exact: float) -> Iterator[str]:
    """No vertex of one is deeper in the other than is said, and it is no more than what frees them."""
    found = ck.interference(a, b)[0]
    if found > max(-distance, 0.0) + exact:
        yield "more interference than depth"
    for one, other in ((a, b), (b, a)):
        vertices, triangles = np.unique(corners(one).reshape(-1, 3), axis=0), corners(other)
        within = np.abs(np.rint(mesh_zoo.winding(triangles, vertices))) == 1
        if (_off(triangles, vertices[within]) > found * (1.0 + _INTERFERENCE) + 2.0 * exact).any():
            yield "a vertex is deeper than the interference"


def corners(shapes: Shapes) -> np.ndarray:
    """Triangles in the world, (m, 3, 3)."""
    return mesh_zoo.world(shapes, 0)


def _against_brute_force(
    a: Shapes, b: Shapes, found: ck.Distances, overlap: bool, size: float, exact: float
) -> Iterator[str]:
    distance, normal = found.distance[0], found.normal[0]
    state, least = surfaces(a, b, _SURE * size + exact)
    if state == "apart" and overlap:
        yield "overlap of what is apart"
    if state == "meet" and not overlap:
        yield "apart where they meet"
    if state == "apart" and abs(least - distance) > exact + _EXACT * size:
        yield "not the least distance"
    if distance < -_SURE * size:
        away = zoo.moved(b, (1e-6 * size - distance) * normal[None])
        if surfaces(a, away, _SURE * size + exact)[0] == "meet":
            yield "the translation does not free"
    if manifold3d and isinstance(a, ck.Meshes) and isinstance(b, ck.Meshes) and a.solid[0] and b.solid[0]:
        volume = common_volume(a, b, size)
        if volume > 1e-6 * size**3 and distance > -_SURE * size:
            yield "no depth where there is a common volume"
    if state == "apart":
        points = found.point_a[0], found.point_b[0]
        for shapes, point, name in zip((a, b), points, "AB", strict=True):
            if isinstance(shapes, ck.Meshes) and _off(corners(shapes), point[None])[0] > exact + _EXACT * size:
                yield f"the witness of {name} is off the surface"


def common_volume(a: ck.Meshes, b: ck.Meshes, size: float) -> float:
    """Volume of the intersection of two solids by manifold3d; -1 where it does not take one of them."""
    solids = []
    for shapes in (a, b):
        geometry = shapes.geometry[shapes.index[0]]
        points = geometry.points @ shapes.rotation[0].T + shapes.translation[0] - b.translation[0]
        triangles = geometry.triangles.astype(np.uint64)
        solid = manifold3d.Manifold(manifold3d.Mesh64(vert_properties=points, tri_verts=triangles))
        if solid.status() != manifold3d.Error.NoError or solid.volume() <= 0.0:
            return -1.0
        solids.append(solid)
    return (solids[0] ^ solids[1]).volume()


def surfaces(a: Shapes, b: Shapes, doubt: float) -> tuple[str, float]:
    """Return how two surfaces stand: "meet", "apart" with the distance, or "unsure" within `doubt` of each other."""
    if isinstance(a, ck.Meshes) and isinstance(b, ck.Meshes):
        p, q = corners(a), corners(b)
        if _pierce(p, q, doubt) or _pierce(q, p, doubt):
            return "meet", 0.0
        least = _least(p, q)
    else:
        body, solid = (a, b) if isinstance(b, ck.Meshes) else (b, a)
        # A convex shape against one triangle is the business of `pairs`.
        every = ck.distance(body, ck.Triangles(corners(solid)))
        if every.distance.min() < -doubt:
            return "meet", 0.0
        least = float(every.distance.min())
    if least <= doubt:
        return "unsure", least
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ck.Meshes):
            inner = corners(other)[:, 0] if isinstance(other, ck.Meshes) else _a_point(other)
            if one.solid[0] and (np.rint(mesh_zoo.winding(corners(one), inner)) != 0).any():
                return "meet", 0.0
    return "apart", least


def _a_point(shapes: Shapes) -> np.ndarray:
    return shapes.start if isinstance(shapes, ck.Cylinders) else zoo.cores(shapes)[0][0][:1]


def _pierce(p: np.ndarray, q: np.ndarray, doubt: float) -> bool:
    """Whether a side of a triangle of the one goes through a triangle of the other, clear of its sides and ends."""
    start, end = p[:, [0, 1, 2]].reshape(-1, 3), p[:, [1, 2, 0]].reshape(-1, 3)
    normal = np.cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0])
    area = np.linalg.norm(normal, axis=1)
    q, normal = q[area > 0.0], (normal / np.where(area > 0.0, area, 1.0)[:, None])[area > 0.0]
    low, high = (np.einsum("ekj,kj->ek", x[:, None] - q[None, :, 0], normal) for x in (start, end))
    e, k = np.nonzero((np.minimum(low, high) < -doubt) & (np.maximum(low, high) > doubt))
    t = low[e, k] / (low[e, k] - high[e, k])
    point = start[e] + t[:, None] * (end[e] - start[e])
    clear = np.full(len(e), np.inf)
    for x, y in ((0, 1), (1, 2), (2, 0)):
        side = q[k, y] - q[k, x]
        inward = np.cross(normal[k], side)
        length = np.linalg.norm(side, axis=1)
        clear = np.minimum(clear, np.einsum("ni,ni->n", inward, point - q[k, x]) / np.where(length > 0.0, length, 1.0))
    return bool((clear > doubt).any())


def _least(p: np.ndarray, q: np.ndarray) -> float:
    """The least distance of two sets of triangles that do not cross: of sides, and of corners and triangles."""
    result = np.inf
    starts, ends = ([s[:, order].reshape(-1, 3) for s in (p, q)] for order in ([0, 1, 2], [1, 2, 0]))
    for rows in np.array_split(np.arange(len(starts[0])), max(1, len(starts[0]) * len(starts[1]) // 50_000)):
        result = min(
            result, _segments(starts[0][rows, None], ends[0][rows, None], starts[1], ends[1]).min(initial=np.inf)
        )
    for points, triangles in ((p.reshape(-1, 3), q), (q.reshape(-1, 3), p)):
        result = min(result, _off(triangles, np.unique(points, axis=0)).min(initial=np.inf))
    return float(result)


def _dot(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (x * y).sum(axis=-1)


def _segments(p: np.ndarray, p2: np.ndarray, q: np.ndarray, q2: np.ndarray) -> np.ndarray:
    """Distances of segments: at an end of one of them, or where both lines are nearest."""
    u, v, w = p2 - p, q2 - q, p - q
    a, b, c, d, e = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)

    def at(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1)

    def ratio(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.clip(x / np.where(y > 0.0, y, 1.0), 0.0, 1.0)

    zero, one, flat = np.zeros_like(b), np.ones_like(b), a * c - b * b
    found = [at(zero, ratio(e, c)), at(one, ratio(e + b, c)), at(ratio(-d, a), zero), at(ratio(b - d, a), one)]
    s = ratio(b * e - c * d, flat)
    found.append(at(s, ratio(b * s + e, c)))
    return np.min(found, axis=0)


def _off(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return how far points (k, 3) are from the nearest of some triangles, (k,)."""
    result = np.full(len(points), np.inf)
    p, q, r = np.moveaxis(triangles, 1, 0)
    normal = np.cross(q - p, r - p)
    area = np.linalg.norm(normal, axis=1)
    unit = normal / np.where(area > 0.0, area, 1.0)[:, None]
    for rows in np.array_split(np.arange(len(points)), max(1, len(points) * len(triangles) // 50_000)):
        x = points[rows, None]
        off = np.min([_segments(x, x, *ends) for ends in ((p, q), (q, r), (r, p))], axis=0)
        height = _dot(x - p, unit)
        foot = x - height[..., None] * unit
        turns = [_dot(np.cross(end - start, foot - start), unit) for start, end in ((p, q), (q, r), (r, p))]
        within = (np.min(turns, axis=0) >= 0.0) & (area > 0.0)
        result[rows] = np.where(within, np.minimum(np.abs(height), off), off).min(axis=1)
    return result


def _off_surface(triangles: np.ndarray, points: np.ndarray, doubt: float) -> np.ndarray:
    return points[_off(triangles, points) > doubt]


@lru_cache
def real_meshes() -> list[Mesh]:
    """The files of the data folder that are meshes."""
    paths = [path for path in sorted(DATA.iterdir()) if path.suffix in (".off", ".obj", ".ply")]
    return [(mesh_files.vertices(path), mesh_files.triangles(path)) for path in paths]


def real(rng: np.random.Generator) -> str:
    """Two real meshes in random poses against FCL: the verdict where the distance is clear, and the distance."""
    both = [real_meshes()[k] for k in rng.integers(0, len(real_meshes()), 2)]
    turns, objects, sizes = zoo.rotations(rng, 2), [], []
    places = rng.normal(size=(2, 3))
    for k, (points, triangles) in enumerate(both):
        size = np.ptp(points, axis=0).max()
        points = (points - points.mean(axis=0)) / size
        model = fcl.BVHModel()
        model.beginModel(len(points), len(triangles))
        model.addSubModel(points, triangles)
        model.endModel()
        objects.append(fcl.CollisionObject(model, fcl.Transform(turns[k], places[k])))
        sizes.append((points, triangles))
    a, b = (ck.Meshes.from_triangles([sizes[k]], places[[k]], turns[[k]]) for k in range(2))
    found = ck.distance(a, b)
    apart = fcl.distance(*objects, fcl.DistanceRequest(), fcl.DistanceResult())
    if apart > 1e-6 and found.distance[0] > 0.0 and abs(apart - found.distance[0]) > 1e-6:
        return "another distance than FCL"
    hit = fcl.collide(*objects, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
    if hit and found.distance[0] > 1e-6:
        return "apart where FCL finds a collision"
    return ""
