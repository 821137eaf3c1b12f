# SPDX-License-Identifier: GPL-3.0-or-later
"""Random pairs of every two kinds for the hunt: degenerate shapes in degenerate positions, of any scale, anywhere."""

from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import zoo

STYLES = ("generic", "lattice", "thin", "zero", "float32")
TURNS = ("any", "same", "quarter", "tilted", "level")
PLACES = ("any", "lattice", "concentric", "feature", "touching", "nested")
UNBOUNDED = (ck.Kind.HALF_SPACE, ck.Kind.PLANE)
CONVEX = [kind for kind in ck.Kind if kind not in (ck.Kind.MESH, ck.Kind.COMPOUND)]
KINDS = [(a, b) for a in CONVEX for b in CONVEX if not {a, b} <= {*UNBOUNDED}]
# Hulls of a batch; many rows share one.
_GEOMETRIES = 12
_BOX = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


def pairs(rng: np.random.Generator, count: int, kinds: tuple[ck.Kind, ck.Kind]) -> tuple[Shapes, Shapes]:
    """Pairs of these kinds, all of one family drawn at random."""
    styles = rng.choice(STYLES, 2) if rng.random() < 0.5 else [rng.choice(STYLES)] * 2
    turn, place = rng.choice(TURNS), rng.choice(PLACES)
    level = turn == "level" or ("lattice" in styles and rng.random() < 0.5)
    turn_a = zoo.quarter_turns(rng, count) if level else zoo.rotations(rng, count)
    turn_b = {
        "any": lambda: zoo.rotations(rng, count),
        "level": lambda: zoo.quarter_turns(rng, count),
        "same": lambda: turn_a,
        "quarter": lambda: turn_a @ zoo.quarter_turns(rng, count),
        "tilted": lambda: turn_a @ small_turns(rng, 10.0 ** rng.uniform(-15.0, -1.0, count)),
    }[turn]()
    place_a = rng.integers(-2, 3, (count, 3)) / 2.0 if place == "lattice" else rng.uniform(-1.0, 1.0, (count, 3))
    place_b = rng.integers(-2, 3, (count, 3)) / 2.0 if place == "lattice" else rng.uniform(-1.0, 1.0, (count, 3))
    if place in ("concentric", "nested"):
        place_b = place_a + (0.0 if place == "concentric" else 0.1 * rng.normal(size=(count, 3)))
    size = 10.0 ** rng.uniform(-2.0, 0.0) if place == "nested" else 1.0
    a = made(kinds[0], styles[0], rng, turn_a, place_a, 1.0)
    b = made(kinds[1], styles[1], rng, turn_b, place_b, size)
    a, b = everywhere(rng, a, b)
    if place == "feature" and not {*kinds} & {*UNBOUNDED}:
        b = moved(b, features(rng, a) - features(rng, b))
    if place == "touching":
        found = ck.distance(a, b)
        left = found.rounding * rng.choice([-1.0, 0.0, 1.0], count) * 10.0 ** rng.uniform(-2.0, 10.0, count)
        b = moved(b, (left - found.distance)[:, None] * found.normal)
    return a, b


def moved(shapes: Shapes, way: np.ndarray) -> Shapes:
    """The batch with each row moved its own way, or as it is where the length of a cylinder or a cone would be lost."""
    try:
        return zoo.moved(shapes, way)
    except ValueError:
        return shapes


def small_turns(rng: np.random.Generator, angle: np.ndarray) -> np.ndarray:
    """Rotations by these angles about random axes, (N, 3, 3)."""
    x, y, z = (lambda v: v / np.linalg.norm(v, axis=0))(rng.normal(size=(3, len(angle))))
    zero = np.zeros_like(x)
    k = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    return np.eye(3) + np.sin(angle)[:, None, None] * k + (2.0 * np.sin(angle / 2.0) ** 2)[:, None, None] * (k @ k)


def made(
    kind: ck.Kind, style: str, rng: np.random.Generator, turn: np.ndarray, place: np.ndarray, size: float
) -> Shapes:
    """Shapes of one kind and style, turned and placed row by row."""
    count = len(place)
    stretch = np.ones((count, 3))
    if style in ("thin", "zero"):
        few = rng.random((count, 3)) < 0.5
        stretch[few] = 0.0 if style == "zero" else 10.0 ** rng.uniform(-10.0, 0.0, few.sum())
    stretch *= size
    lattice = style == "lattice"
    width = rng.integers(0, 3, (count, 3)) / 2.0 if lattice else rng.uniform(0.1, 1.0, (count, 3))
    if style == "float32":
        turn, place, width = (x.astype(np.float32).astype(float) for x in (turn, place, width))
    half = width * stretch
    match kind:
        case ck.Kind.SPHERE:
            return ck.Spheres(place, half[:, 0])
        case ck.Kind.ELLIPSOID:
            return ck.Ellipsoids(place, half, turn)
        case ck.Kind.CAPSULE | ck.Kind.CYLINDER | ck.Kind.CONE:
            along = half[:, 1, None] * turn[:, :, 2]
            if kind == ck.Kind.CAPSULE:
                return ck.Capsules(place - along, place + along, half[:, 0])
            short = (place - along == place + along).all(axis=1)
            along[short] = (size * turn[:, :, 2])[short]
            batch = ck.Cylinders if kind == ck.Kind.CYLINDER else ck.Cones
            return batch(place - along, place + along, half[:, 0])
        case ck.Kind.BOX:
            return ck.Boxes(place, half, turn)
        case ck.Kind.TRIANGLE:
            corner = rng.integers(-1, 2, (count, 3, 3)) if lattice else rng.normal(size=(count, 3, 3))
            return ck.Triangles(np.einsum("nij,nkj->nki", turn, corner * stretch[:, None]) + place[:, None])
        case ck.Kind.HULL:
            return ck.Hulls(geometries(style, rng, stretch), rng.integers(0, _GEOMETRIES, count), place, turn)
        case ck.Kind.HALF_SPACE | ck.Kind.PLANE:
            normal = turn[:, :, 2]
            batch = ck.HalfSpaces if kind == ck.Kind.HALF_SPACE else ck.Planes
            return batch(normal, (normal * place).sum(axis=1))
    raise TypeError(kind)


def geometries(style: str, rng: np.random.Generator, stretch: np.ndarray) -> list[ck.ConvexHull]:
    """Hulls of four to ten points, a third of them boxes and prisms, which have parallel edges."""
    points = []
    for number in range(_GEOMETRIES):
        count = rng.integers(4, 11)
        these = rng.integers(-1, 2, (count, 3)) / 2.0 if style == "lattice" else 0.6 * rng.normal(size=(count, 3))
        if number % 3 == 0:
            these = _BOX * rng.integers(1, 3, 3) / 2.0 if number % 2 else _prism(these)
        points.append(these * stretch[number % len(stretch)])
    return ck.convex_hulls(points)


def _prism(points: np.ndarray) -> np.ndarray:
    """The points and themselves moved."""
    return np.concatenate([points[:4], points[:4] + points[3] - points[2] + [0.0, 0.0, 0.5]])


def everywhere(rng: np.random.Generator, a: Shapes, b: Shapes) -> tuple[Shapes, Shapes]:
    """The pairs scaled and moved far away together, half of the time."""
    scale = rng.choice([1.0, 2.0 ** rng.integers(-20, 21), 10.0 ** rng.uniform(-6.0, 6.0)])
    shift = rng.choice([0.0, 0.0, 10.0 ** rng.uniform(0.0, 7.0)]) * rng.uniform(-1.0, 1.0, 3)
    if scale == 1.0 and not shift.any():
        return a, b
    if rng.random() < 0.5:
        shift = np.rint(shift)
    try:
        return zoo.placed(a, np.eye(3), scale, scale * shift), zoo.placed(b, np.eye(3), scale, scale * shift)
    except ValueError:  # a cylinder or a cone whose length is lost so far away
        return a, b


def features(rng: np.random.Generator, shapes: Shapes) -> np.ndarray:
    """A vertex, or the middle of two or three, of each shape: (N, 3)."""
    if isinstance(shapes, ck.Cylinders):
        return np.where(rng.random((len(shapes), 1)) < 0.5, shapes.start, shapes.end)
    if isinstance(shapes, ck.Cones):
        return np.where(rng.random((len(shapes), 1)) < 0.5, shapes.base, shapes.apex)
    if isinstance(shapes, ck.Ellipsoids):
        # The end of a semi-axis.
        axis, sign = rng.integers(0, 3, len(shapes)), rng.choice([-1.0, 1.0], (len(shapes), 1))
        every = np.arange(len(shapes))
        return shapes.center + sign * shapes.radii[every, axis, None] * shapes.rotation[every, :, axis]
    points = zoo.cores(shapes)[0]
    return np.array([p[rng.integers(0, len(p), rng.integers(1, 4))].mean(axis=0) for p in points])


def row_of(shapes: Shapes, row: int) -> dict[str, Any]:
    """One shape as JSON can hold it, every digit of it."""
    fields = {name: value[row].tolist() for name, value in vars(shapes).items() if isinstance(value, np.ndarray)}
    if isinstance(shapes, ck.Hulls):
        fields["points"] = shapes.geometry[fields.pop("index")].points.tolist()
    return {"kind": shapes.kind.name, **fields}


def shape_of(entry: dict[str, Any]) -> Shapes:
    """The batch of one that `row_of` was made of."""
    fields = {name: [value] for name, value in entry.items() if name != "kind"}
    if entry["kind"] == "HULL":
        return ck.Hulls.from_points(**fields)
    round_ones = (ck.Spheres, ck.Capsules, ck.Cylinders, ck.Ellipsoids, ck.Cones)
    batches = (*round_ones, ck.Boxes, ck.Triangles, ck.HalfSpaces, ck.Planes)
    return {batch.kind.name: batch for batch in batches}[entry["kind"]](**fields)
