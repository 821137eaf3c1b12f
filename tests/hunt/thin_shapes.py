# SPDX-License-Identifier: GPL-3.0-or-later
"""Needles, plates, hairs, sheets and discs that lie almost along each other: distances, witnesses and contacts.

A case is a pair of shapes, one of them a cylinder or a hull. The second has the frame of the first, its axes in any
order, tilted by 1e-1 to 1e-14 or not at all; its features are put level with those of the first, or near that. Aspect
ratios go to 1e-9, sizes from 1e-6 to 1e6, and the pair lies up to 1e7 sizes from the origin.

The certificates are worked out here. The gap along the normal is the distance. The witnesses are the distance apart
along the normal, each in its shape and as far along the normal as the shape reaches. No direction of a sample shows
less depth. What the floats of this check leave open is decided in fractions.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

import collision_kit.core as ck
from tests.helpers import zoo
from tests.hunt.exact_triangles import squared

COUNT = 4000
# Multiples of the rounding of float64 at a pair's coordinates by which an answer may be off.
WITNESS, DEPTH = 64.0, 64.0
# The share of a hull's tolerance by which an answer may be off for each of those multiples: four tolerances in all.
HULL = 4.0 / WITNESS
# Dimensionless: a fraction of the size of a pair. Contacts of faces that are level up to 1e-5 may be off by that much.
CONTACT = 2e-5
EPS = float(np.finfo(np.float64).eps)

KINDS = {kind.name.lower(): kind for kind in ck.Kind}
PAIRS = [
    ("cylinder", "sphere"),
    ("cylinder", "capsule"),
    ("cylinder", "cylinder"),
    ("cylinder", "cylinder"),
    ("cylinder", "box"),
    ("cylinder", "triangle"),
    ("cylinder", "hull"),
    ("cylinder", "hull"),
    ("cylinder", "half_space"),
    ("cylinder", "plane"),
    ("hull", "capsule"),
    ("hull", "box"),
    ("hull", "triangle"),
    ("hull", "hull"),
    ("hull", "hull"),
]
# All vertices of a box but for its half extents.
SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Try `count` pairs made from `seed`; the failures, each with the pair as numbers."""
    failures = []
    for cases in _cases(seed, count):
        for case, what in zip(cases, judged(cases), strict=True):
            failures += [{"what": said, "off": off, "case": case} for said, off in what.items()]
    return failures


def batches(seed: int, count: int) -> Iterator[tuple[Any, Any]]:
    """The pairs of `run`, those of a pair of kinds together."""
    for cases in _cases(seed, count):
        yield batch([case["a"] for case in cases]), batch([case["b"] for case in cases])


def _cases(seed: int, count: int) -> Iterator[list[dict[str, Any]]]:
    for number, kinds in enumerate(PAIRS):
        share = count // len(PAIRS) + (number < count % len(PAIRS))
        rng = np.random.default_rng([seed, number])
        for first in range(0, share, 500):
            yield [made(kinds, rng) for _ in range(min(500, share - first))]


def wrong(failure: dict[str, Any]) -> str:
    """Check the pair of a failure again; returns the errors, empty if there are none."""
    said = judged([failure["case"]])[0]
    return failure["what"] if failure["what"] in said else ", ".join(said)


def size_of(rng: np.random.Generator) -> np.ndarray:
    """Half extents of about one: of a cube, a needle, a plate, a hair or a sheet."""
    thin, other = 10.0 ** rng.uniform(-9.0, -1.0, 2)
    sorts = [[1, 1, 1], [1, thin, other], [1, 1, thin], [1, thin, thin], [1, 1, 0], [1, thin, 0]]
    return rng.permutation(np.array(sorts[rng.integers(6)]) * rng.choice([1.0, rng.uniform(0.3, 1.5)]))


def frame_of(rng: np.random.Generator) -> np.ndarray:
    return np.eye(3) if rng.random() < 0.3 else zoo.rotations(rng, 1)[0]


def tilted(frame: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A frame along the same axes in some order, but for a small turn; or any other."""
    if rng.random() < 0.15:
        return frame_of(rng)
    result = frame @ zoo.quarter_turns(rng, 1)[0]
    if rng.random() < 0.2:
        return result
    axis = rng.normal(size=3) if rng.random() < 0.5 else np.eye(3)[rng.integers(3)]
    x, y, z = axis / np.linalg.norm(axis)
    angle = 10.0 ** rng.uniform(-14.0, -1.0)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return result @ (np.eye(3) + np.sin(angle) * skew + 2.0 * np.sin(angle / 2.0) ** 2 * skew @ skew)


def hull_points(half: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Corners of a box, points in it, a prism, or two ends and some points between them; perhaps with noise."""
    sort = rng.integers(4)
    if sort == 0:
        points = SIGNS * half
    elif sort == 1:
        points = rng.uniform(-1.0, 1.0, (rng.integers(4, 11), 3)) * half
    elif sort == 2:
        turn = np.arange(rng.integers(3, 6)) + rng.random()
        turn = turn * (2.0 * np.pi / len(turn))
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        points = np.concatenate([np.insert(circle, 2, end, axis=1) for end in (-1.0, 1.0)]) * half
    else:
        points = np.concatenate([[[-1, 0, 0], [1, 0, 0]], rng.uniform(-1.0, 1.0, (rng.integers(2, 7), 3))]) * half
    if rng.random() < 0.2:
        points = points + 10.0 ** rng.uniform(-16.0, -5.0) * rng.normal(size=points.shape)
    return points


def made(kinds: tuple[str, str], rng: np.random.Generator) -> dict[str, Any]:
    """A pair of these kinds, as numbers."""
    half_a, half_b = size_of(rng), size_of(rng)
    if rng.random() < 0.3:
        half_b = half_b * 10.0 ** rng.uniform(-4.0, 0.0)
    frame_a = frame_of(rng)
    frame_b = tilted(frame_a, rng)
    # Beside each other within their extents, and level along one axis.
    reach_b = np.abs(frame_a.T @ frame_b) @ half_b
    away = rng.choice([rng.uniform(-1.0, 1.0), 0.0, 1.0], 3, p=[0.8, 0.1, 0.1]) * rng.uniform(-1.0, 1.0, 3)
    offset = away * (half_a + reach_b)
    axis = rng.integers(3)
    sort = rng.integers(5)
    if sort < 4:
        off = (0.0, 10.0 ** rng.uniform(-12.0, 0.0), -(10.0 ** rng.uniform(-12.0, -0.5)), -rng.random())[sort]
        level = rng.choice([half_a[axis] + reach_b[axis], half_a[axis] - reach_b[axis]], p=[0.85, 0.15])
        offset[axis] = level + off * rng.choice([level, 1.0])
    scale = 1.0 if rng.random() < 0.4 else 10.0 ** rng.uniform(-6.0, 6.0)
    shift = np.zeros(3) if rng.random() < 0.6 else 10.0 ** rng.uniform(0.0, 7.0) * scale * rng.normal(size=3)
    place_b = shift + scale * (frame_a @ offset)
    return {
        "a": shape(kinds[0], scale * half_a, frame_a, shift, rng),
        "b": shape(kinds[1], scale * half_b, frame_b, place_b, rng),
    }


def shape(
    kind: str, half: np.ndarray, frame: np.ndarray, place: np.ndarray, rng: np.random.Generator
) -> dict[str, Any]:
    """One shape as its kind and the fields of a batch."""
    along, side = half[2] * frame[:, 2], float(max(half[0], half[1]))
    match kind:
        case "sphere":
            fields = {"center": place, "radius": float(half.max())}
        case "capsule":
            fields = {"start": place - along, "end": place + along, "radius": rng.choice([0.0, side])}
        case "cylinder":
            along = max(half[2], 1e-9 * half.max()) * frame[:, 2]
            while (place - along == place + along).all():
                along = along * 2.0
            fields = {"start": place - along, "end": place + along, "radius": rng.choice([0.0, side], p=[0.05, 0.95])}
        case "box":
            fields = {"center": place, "half_extents": half, "rotation": frame}
        case "triangle":
            flat = rng.choice([rng.uniform(-1.0, 1.0), -1.0, 1.0], (3, 3)) * half
            fields = {"vertices": place + flat @ frame.T}
        case "hull":
            fields = {
                "points": hull_points(half / half.max(), rng) * half.max(),
                "translation": place,
                "rotation": frame,
            }
        case _:
            fields = {"normal": frame[:, 2], "offset": float(frame[:, 2] @ place)}
    return {"kind": kind, **{name: np.asarray(value).tolist() for name, value in fields.items()}}


def batch(shapes: list[dict[str, Any]]) -> Any:
    """Shapes of one kind as a batch."""
    kind = shapes[0]["kind"]
    fields = {name: [shape[name] for shape in shapes] for name in shapes[0] if name != "kind"}
    match kind:
        case "hull":
            return ck.Hulls.from_points([np.array(p) for p in fields.pop("points")], **fields)
        case _:
            name = {"box": "Boxes", "triangle": "Triangles", "half_space": "HalfSpaces"}.get(kind, kind.title() + "s")
            return getattr(ck, name)(**fields)


def judged(cases: list[dict[str, Any]]) -> list[dict[str, float]]:
    """The errors in the answers about pairs of the same two kinds: for each, how far off in which respect."""
    a, b = batch([case["a"] for case in cases]), batch([case["b"] for case in cases])
    with np.errstate(all="raise", under="ignore"):
        found, contacts = ck.distance(a, b), ck.contacts(a, b)
    size, coordinates = np.zeros(len(a)), np.zeros(len(a))
    for shapes, point in ((a, found.point_a), (b, found.point_b)):
        if not isinstance(shapes, ck.HalfSpaces | ck.Planes):
            center, radius = shapes.bounding_spheres()
            size, coordinates = size + radius, np.maximum(coordinates, np.linalg.norm(center, axis=1))
        else:
            coordinates = np.maximum(coordinates, np.linalg.norm(point, axis=1))
    slack = EPS * (size + coordinates)
    for shapes in (a, b):
        if isinstance(shapes, ck.Hulls):
            # What a hull leaves out as rounding, in units of what else may be off.
            slack = slack + HULL * np.array([hull.tolerance for hull in shapes.geometry])[shapes.index]
    result: list[dict[str, float]] = [{} for _ in cases]

    def check(what: str, off: np.ndarray, least: float, scale: np.ndarray = slack) -> None:
        for row in np.flatnonzero(~(off <= least * scale)):
            result[row][what] = max(float(off[row] / scale[row]), result[row].get(what, 0.0))

    normal, distance = found.normal, found.distance
    check("the normal is no unit vector", np.abs(np.linalg.norm(normal, axis=1) - 1.0), 16.0, np.full(len(a), EPS))
    across = found.point_b - found.point_a - distance[:, None] * normal
    check("the witnesses are not the distance apart", np.linalg.norm(across, axis=1), 8.0)
    reach_a, reach_b = zoo.support(a, normal), zoo.support(b, -normal)
    planar = isinstance(b, ck.HalfSpaces | ck.Planes)
    if planar:
        reach_b = -np.where(np.einsum("ni,ni->n", b.normal, normal) < 0.0, -1.0, 1.0) * b.offset
    check("the gap along the normal is not the distance", np.abs(-reach_b - reach_a - distance), DEPTH)
    for name, shapes, point, reach, sign in (
        ("A", a, found.point_a, reach_a, 1.0),
        ("B", b, found.point_b, reach_b, -1.0),
    ):
        level = np.abs(sign * np.einsum("ni,ni->n", normal, point) - reach)
        check(f"the witness of {name} is not on its support plane", level, WITNESS)
        if not isinstance(shapes, ck.HalfSpaces | ck.Planes):
            check(f"the witness of {name} is outside it", outside(shapes, point, WITNESS * slack), WITNESS)
    if not planar:
        axes = np.stack([directions(case, n) for case, n in zip(cases, normal, strict=True)], axis=1)
        for along in axes:
            gap = -zoo.support(b, -along) - zoo.support(a, along)
            check("a direction shows a larger gap", gap - distance, DEPTH)
        pair = contacts.pair
        half = contacts.normal * (contacts.depth / 2.0)[:, None]
        for name, shapes, point in (("A", a, contacts.point + half), ("B", b, contacts.point - half)):
            off = np.zeros(len(a))
            np.maximum.at(off, pair, outside(shapes.take(pair), point, CONTACT * size[pair]))
            check(f"a contact is outside {name}", off, CONTACT, size + 1e7 * slack)
    return result


def directions(case: dict[str, Any], normal: np.ndarray) -> np.ndarray:
    """Directions of a pair that may show a larger gap: along features, across two, and near the normal; (K, 3)."""
    axes = []
    for one in (case["a"], case["b"]):
        match one:
            case {"rotation": rotation}:
                axes += list(np.array(rotation).T)
            case {"vertices": vertices}:
                axes += list(np.roll(vertices, -1, axis=0) - np.array(vertices))
            case {"start": start, "end": end}:
                axes.append(np.array(end) - start)
    axes = np.array(axes or [[0.0, 0.0, 1.0]])
    axes = np.array([*axes, *(np.cross(first, second) for first, second in combinations(axes, 2))])
    around = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    near = [normal + t * turn for t in 10.0 ** np.arange(-12.0, 0.0) for turn in (around, np.cross(normal, around))]
    near += [2.0 * normal - other for other in near]
    result = np.zeros((80, 3)) + normal
    every = np.concatenate([axes, -axes, near])[:80]
    length = np.linalg.norm(every, axis=1)
    usable = length > 0.0
    result[: np.count_nonzero(usable)] = every[usable] / length[usable, None]
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def outside(shapes: Any, point: np.ndarray, doubt: np.ndarray) -> np.ndarray:
    """Return how far each point is from its shape at most; what is more than the doubt is so in fractions too."""
    if isinstance(shapes, ck.Cylinders):
        run = shapes.end - shapes.start
        length = np.linalg.norm(run, axis=1)
        axis = run / length[:, None]
        # From the nearer end, so that nothing of a long axis is lost.
        swap = np.linalg.norm(point - shapes.end, axis=1) < np.linalg.norm(point - shapes.start, axis=1)
        spoke = point - np.where(swap[:, None], shapes.end, shapes.start)
        level = np.einsum("ni,ni->n", spoke, axis)
        beyond = np.where(swap, np.maximum(level, -length - level), np.maximum(-level, level - length))
        aside = np.linalg.norm(np.cross(axis, spoke), axis=1) - shapes.radius
        return np.hypot(np.maximum(beyond, 0.0), np.maximum(aside, 0.0))
    cores, radius = zoo.cores(shapes)
    result = np.zeros(len(point))
    for row, (corners, at) in enumerate(zip(cores, point, strict=True)):
        corners = np.unique(corners, axis=0)
        off = from_triangles(corners, at)
        if off - radius[row] > doubt[row]:
            off = exactly(corners, at)
        result[row] = max(off - radius[row], 0.0)
    return result


def triples(corners: np.ndarray) -> np.ndarray:
    count = len(corners)
    if count < 3:
        return np.array([[0, 0, count - 1]])
    return np.array(list(combinations(range(count), 3)))


def from_triangles(corners: np.ndarray, point: np.ndarray) -> float:
    """Distance of a point from the triangles of all corners, or more: from points that are in them for certain."""
    p, q, r = (corners[index] - point for index in triples(corners).T)
    best = [on_segment(p, q), on_segment(q, r), on_segment(r, p)]
    one, other = q - p, r - p
    square = np.einsum("ni,ni->n", one, one)
    share = np.einsum("ni,ni->n", other, one) / np.where(square > 0.0, square, 1.0)
    upright = other - share[:, None] * one
    height = np.einsum("ni,ni->n", upright, upright)
    s = -np.einsum("ni,ni->n", p, upright) / np.where(height > 0.0, height, 1.0)
    t = -np.einsum("ni,ni->n", p + s[:, None] * other, one) / np.where(square > 0.0, square, 1.0)
    s, t = np.clip(s, 0.0, 1.0), np.clip(t, 0.0, 1.0)
    total = np.maximum(s + t, 1.0)
    best.append(np.linalg.norm(p + (t / total)[:, None] * one + (s / total)[:, None] * other, axis=1))
    return float(np.min(best))


def on_segment(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distance of the origin from segments."""
    run = end - start
    square = np.einsum("ni,ni->n", run, run)
    t = np.clip(-np.einsum("ni,ni->n", start, run) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return np.linalg.norm(start + t[:, None] * run, axis=1)


def exactly(corners: np.ndarray, point: np.ndarray) -> float:
    """Distance of a point from the triangles of all corners, in fractions."""
    exact = [
        [Fraction(float(x)) - Fraction(float(y)) for x, y in zip(corner, point, strict=True)] for corner in corners
    ]
    return float(min(squared(*(exact[k] for k in index)) for index in triples(corners))) ** 0.5
