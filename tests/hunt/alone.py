# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of all kinds, all questions, asked alone and among others: the answer must be the same but for rounding.

The others are pairs of the same kinds of other families, and extremes: meshes and hulls with many vertices, shapes
without volume, very large, very small and far away. They are asked about in one batch with the pair, in another order,
many times over, and by index pairs of worlds of several kinds, in which other rows have margins.
"""

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import mesh_zoo, zoo
from tests.hunt import meshes, pair_cases

# Every pair of kinds once.
COUNT = 560
# Pairs that are asked about alone, and others of each family.
_ROWS, _OTHERS = 4, 6
# Now and then, each of the others is asked about so often.
_TIMES = 60
_MANY = 20
UNBOUNDED = pair_cases.UNBOUNDED
KINDS = [(a, b) for a in ck.Kind for b in ck.Kind if not {a, b} <= {*UNBOUNDED}]
_MAPPED = {ck.Kind.ELLIPSOID, ck.Kind.CONE}
_PARTS = {ck.Kind.MESH, ck.Kind.COMPOUND}
# Multiples of the rounding that the answer states.
EXACT = 4.0
# Fractions of the size: of depths, gaps and distances of shapes known by their support mapping, and of sweeps.
_DEEP, _FLAT, _TURNING = 1e-8, 1e-6, 4e-6
# A fraction of the interference.
_INTERFERENCE = 2e-3

Pair = tuple[Shapes, Shapes]


class Moves(NamedTuple):
    """Displacement of A and rotation of B, (P, 3) each, and where its axis is."""

    velocity: np.ndarray
    turn: np.ndarray
    pivot: np.ndarray

    def take(self, rows: np.ndarray) -> "Moves":
        return Moves(*(each[rows] for each in self))


class Case(NamedTuple):
    """Pairs of one pair of kinds, the first `_ROWS` of which are asked about alone too."""

    a: Shapes
    b: Shapes
    moves: Moves
    margin: float

    def take(self, rows: np.ndarray) -> "Case":
        return Case(self.a.take(rows), self.b.take(rows), self.moves.take(rows), self.margin)


def run(seed: int, count: int) -> list[dict[str, Any]]:
    failures = []
    for number in range(-(-count // _ROWS)):
        for row, what in faults(seed, number):
            kinds = [kind.name for kind in KINDS[(seed * 31 + number) % len(KINDS)]]
            failures.append({"what": what, "kinds": kinds, "case": {"seed": seed, "number": number, "row": row}})
    return failures


def wrong(failure: dict[str, Any]) -> str:
    case = failure["case"]
    found = [what for row, what in faults(case["seed"], case["number"]) if row == case["row"]]
    return failure["what"] if failure["what"] in found else next(iter(found), "")


def faults(seed: int, number: int) -> list[tuple[int, str]]:
    """The rows whose answers differ, and in what: the first of each row."""
    rng = np.random.default_rng([seed, number])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case = made(rng, KINDS[(seed * 31 + number) % len(KINDS)])
        first: dict[int, str] = {}
        try:
            alone = [answers(case.take(np.array([row]))) for row in range(_ROWS)]
            for name, company, place in companies(rng, case, number):
                for row in range(_ROWS):
                    for what in differences(alone[row], 0, company, int(place[row])):
                        first.setdefault(row, f"{what}, {name}")
        except Exception as error:
            first.setdefault(0, f"raises {type(error).__name__}")
    return sorted(first.items())


def made(rng: np.random.Generator, kinds: tuple[ck.Kind, ck.Kind]) -> Case:
    """The pairs, others of other families, and extremes."""
    families = [_family(rng, _ROWS, kinds), _family(rng, _OTHERS, kinds), _family(rng, _OTHERS, kinds)]
    margin = float(10.0 ** rng.uniform(-3.0, 0.0))
    families.append(_extremes(rng, kinds))
    a, b = (joined([family[side] for family in families]) for side in (0, 1))
    bounded = b if kinds[0] in UNBOUNDED else a
    center, radius = _spheres(bounded)
    count = len(a)
    scale = np.where(np.isfinite(radius), radius, 1.0)[:, None]
    velocity = rng.choice([0.5, 2.0, 10.0], (count, 1)) * scale * rng.normal(size=(count, 3))
    # Half of the rows rotate.
    turn = rng.normal(size=(count, 3)) * (rng.random((count, 1)) < 0.5)
    if ck.Kind.MESH in kinds:  # sweeps of large meshes take too long
        still = np.arange(count) >= count - len(families[-1][0])
        velocity[still], turn[still] = 0.0, 0.0
    return Case(a, b, Moves(velocity, turn, center), margin * float(np.median(scale[:_ROWS])))


def _spheres(shapes: Shapes) -> tuple[np.ndarray, np.ndarray]:
    low, high = shapes.bounds()
    return (low + high) / 2.0, np.linalg.norm(high - low, axis=1) / 2.0


def joined(parts: list[Shapes]) -> Shapes:
    if isinstance(parts[0], ck.Compounds):
        return ck.Compounds([zoo.parts(part, row) for part in parts for row in range(len(part))])
    return type(parts[0]).joined(parts)


def _family(rng: np.random.Generator, count: int, kinds: tuple[ck.Kind, ck.Kind]) -> Pair:
    if not {*kinds} & _PARTS:
        with np.errstate(all="ignore"):
            return pair_cases.pairs(rng, count, kinds)
    turns = zoo.quarter_turns(rng, count) if rng.random() < 0.3 else zoo.rotations(rng, count)
    a, b = (_shapes(rng, kind, turns, rng.uniform(-0.7, 0.7, (count, 3))) for kind in kinds)
    return pair_cases.everywhere(rng, a, b) if rng.random() < 0.5 else (a, b)


def _shapes(rng: np.random.Generator, kind: ck.Kind, turns: np.ndarray, places: np.ndarray) -> Shapes:
    if kind == ck.Kind.MESH:
        return ck.Meshes.from_triangles([meshes.mesh(rng) for _ in places], places, turns)
    if kind == ck.Kind.COMPOUND:
        return zoo.assemblies(rng, len(places), rng.choice(["generic", "degenerate"]))
    return pair_cases.made(kind, rng.choice(pair_cases.STYLES), rng, turns, places, 1.0)


def _extremes(rng: np.random.Generator, kinds: tuple[ck.Kind, ck.Kind]) -> Pair:
    """Pairs of the largest and the smallest, far away, without volume, and of many vertices."""
    parts = []
    for scale, shift in ((rng.choice([1e6, 1e12]), 0.0), (1e-6, 0.0), (1.0, 1e7)):
        turns, places = zoo.rotations(rng, 2), rng.uniform(-0.7, 0.7, (2, 3))
        a, b = (_shapes(rng, kind, turns, places) for kind in kinds)
        try:
            parts.append(tuple(zoo.placed(of, np.eye(3), scale, np.full(3, shift)) for of in (a, b)))
        except ValueError:  # a cylinder or a cone whose length is lost so far away
            parts.append((a, b))
    turns, places = zoo.rotations(rng, 2), rng.uniform(-0.7, 0.7, (2, 3))
    special, other = (_special(rng, kinds[0], turns, places), _shapes(rng, kinds[1], turns, places))
    parts.append((special, other if kinds[0] == ck.Kind.MESH else _special(rng, kinds[1], turns, places)))
    a, b = (joined([part[side] for part in parts]) for side in (0, 1))
    return a, b


def _special(rng: np.random.Generator, kind: ck.Kind, turns: np.ndarray, places: np.ndarray) -> Shapes:
    """One with many vertices and one without volume, where the kind has such."""
    if kind == ck.Kind.HULL:
        return ck.Hulls([_large_hull(), *ck.convex_hulls([rng.normal(size=(1, 3))])], [0, 1], places, turns)
    if kind == ck.Kind.MESH:
        return ck.Meshes.from_triangles([mesh_zoo.torus(90, 50), mesh_zoo.degenerate(rng)], places, turns)
    if kind == ck.Kind.COMPOUND:
        return ck.Compounds([[_special(rng, of, turns, places)] for of in (ck.Kind.HULL, ck.Kind.SPHERE)])
    return pair_cases.made(kind, "zero", rng, turns, places, 1.0)


@cache
def _large_hull() -> ck.ConvexHull:
    points = np.random.default_rng(0).normal(size=(400, 3))
    return ck.convex_hull(points / np.linalg.norm(points, axis=1, keepdims=True))


class Answers(NamedTuple):
    """The answers about the pairs of a batch."""

    distance: ck.Distances
    overlap: np.ndarray
    gap: np.ndarray
    touch: ck.Contacts
    near: ck.Contacts
    contains: np.ndarray
    contained: np.ndarray
    verdict: np.ndarray
    interference: np.ndarray
    impact: ck.Impacts
    turning: ck.Impacts
    last: ck.Impacts
    views: np.ndarray
    # Of the pair, for what is allowed: the sum of the sizes, the relative speed, and the kinds.
    size: np.ndarray
    speed: np.ndarray
    kinds: tuple[ck.Kind, ck.Kind]


def answers(case: Case, worlds: tuple[Any, Any, np.ndarray] | None = None) -> Answers:
    """Of batches row by row, or of worlds by index pairs, the rows of `case`."""
    a, b, pairs = worlds or (case.a, case.b, None)
    of_a, of_b = (np.arange(len(case.a)),) * 2 if pairs is None else (pairs[:, 0], pairs[:, 1])
    velocity, turn, pivot = (np.zeros((len(a), 3)), *(np.zeros((2, len(b), 3))))
    velocity[of_a], turn[of_b], pivot[of_b] = case.moves
    moving = {"velocity_a": velocity}
    turning = {"velocity_a": velocity, "angular_velocity_b": turn, "pivot_b": pivot}
    # Sweeps of cones and ellipsoids take too long.
    straight, turned, back = (
        [ck.Impacts.misses(len(case.a))] * 3
        if {case.a.kind, case.b.kind} & _MAPPED
        else [
            ck.time_of_impact(a, b, pairs, **moving),
            ck.time_of_impact(a, b, pairs, **turning),
            ck.last_contact(a, b, pairs, **moving),
        ]
    )
    sizes = [_spheres(of)[1] for of in (case.a, case.b)]
    size = np.sum([np.where(np.isfinite(of), of, 0.0) for of in sizes], axis=0)
    return Answers(
        ck.distance(a, b, pairs),
        ck.overlap(a, b, pairs),
        ck.separating_axis(a, b, pairs).gap,
        ck.contacts(a, b, pairs),
        ck.contacts(a, b, pairs, margin=case.margin),
        ck.contains(a, b, pairs),
        ck.contains(b, a, None if pairs is None else pairs[:, ::-1]),
        ck.classify(a, b, pairs, clearance=case.margin),
        ck.interference(a, b, pairs),
        straight,
        turned,
        back,
        np.stack([view.classify(a, exact)[of_a] for view in _views() for exact in (False, True)]),
        size,
        np.linalg.norm(case.moves.velocity, axis=1),
        (case.a.kind, case.b.kind),
    )


@cache
def _views() -> tuple[ck.Frustum, ck.Frustum]:
    """A frustum, and one whose far plane is at infinity."""
    camera = np.eye(4)
    camera[:3, :3] = zoo.rotations(np.random.default_rng(1), 1)[0]
    camera[2, 3] = -1.0
    result = []
    for near, far in ((0.1, 3.0), (0.1, np.inf)):
        matrix = np.diag([2.0, 2.0, -1.0, 0.0])
        matrix[2, 3], matrix[3, 2] = -2.0 * near, -1.0
        if np.isfinite(far):
            matrix[2, 2:] = (near + far) / (near - far), 2.0 * near * far / (near - far)
        result.append(ck.Frustum.from_matrix(matrix @ camera))
    return result[0], result[1]


def companies(rng: np.random.Generator, case: Case, number: int) -> Iterator[tuple[str, Answers, np.ndarray]]:
    """Answers among others, and the places of the first rows in them."""
    count = len(case.a)
    few, order = np.arange(_ROWS), rng.permutation(count)
    yield "among others", answers(case.take(order)), np.argsort(order)[:_ROWS]
    if number % _MANY == 0 and not {case.a.kind, case.b.kind} & (_PARTS | _MAPPED):
        order = np.concatenate([rng.permutation(np.repeat(np.arange(_ROWS, count), _TIMES)), few])
        yield "among many", answers(case.take(order)), len(order) - _ROWS + few
    # Worlds with margins, in which there are batches of other kinds before and after these.
    balls, boxes = (zoo.generic(kind, rng, 3) for kind in (ck.Kind.SPHERE, ck.Kind.BOX))
    margin = np.zeros(count + 6)
    margin[:3], margin[-1] = rng.uniform(0.0, 1.0, 3), 1e3
    first, second = (ck.World([balls, of, boxes], margin) for of in (case.a, case.b))
    pairs = np.stack([np.arange(3, count + 3)] * 2, axis=1)
    yield "in a world", answers(case, (first, second, pairs)), few


def differences(one: Answers, i: int, other: Answers, j: int) -> Iterator[str]:
    """In what row `i` of one differs from row `j` of the other."""
    found, again = one.distance, other.distance
    distance, rounding, size = found.distance[i], found.rounding[i], one.size[i]
    exact = EXACT * rounding
    loss = exact
    if {*one.kinds} & (_MAPPED | {ck.Kind.COMPOUND}):
        loss += size * (_DEEP if distance > rounding else _FLAT)
    if not abs(distance - again.distance[j]) <= loss:
        yield "distance"
    # That of the witnesses, which may be others that are as near.
    if not 0.5 <= again.rounding[j] / rounding <= 2.0:
        yield "rounding"
    # Where rounding decides, so may the last digit.
    sure = abs(abs(distance) - rounding) > loss + 1e-3 * rounding
    if not abs(one.gap[i] - other.gap[j]) <= loss:
        yield "gap"
    if sure:
        for name in ("overlap", "contains", "contained", "verdict"):
            if getattr(one, name)[i] != getattr(other, name)[j]:
                yield name
        for name in ("touch", "near"):
            yield from _contacts(name, getattr(one, name), i, getattr(other, name), j, loss)
    interference = one.interference[i], other.interference[j]
    if not abs(interference[0] - interference[1]) <= _INTERFERENCE * max(interference) + loss:
        yield "interference"
    for name in ("impact", "turning", "last"):
        before, after = getattr(one, name), getattr(other, name)
        slack = (_TURNING if name == "turning" else 0.0) * size + 16.0 * loss
        if before.hit[i] != after.hit[j] or before.decided[i] != after.decided[j]:
            yield f"{name}: hit"
        elif before.hit[i] and abs(before.time[i] - after.time[j]) * max(one.speed[i], size) > slack:
            yield f"{name}: time"
    if (one.views[:, i] != other.views[:, j]).any():
        yield "classification by a frustum"


def _contacts(name: str, one: ck.Contacts, i: int, other: ck.Contacts, j: int, loss: float) -> Iterator[str]:
    mine, theirs = (np.flatnonzero(of.pair == row) for of, row in ((one, i), (other, j)))
    if (len(mine) > 0) != (len(theirs) > 0):
        yield f"{name}: whether there are contacts"
    elif len(mine) and not abs(one.depth[mine[0]] - other.depth[theirs[0]]) <= loss:
        yield f"{name}: depth"
    elif len(mine) != len(theirs):
        yield f"{name}: number of contacts"
