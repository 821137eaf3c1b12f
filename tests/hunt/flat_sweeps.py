# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps of things without thickness through things without thickness, checked in rational numbers.

Points, segments, triangles, plates, flat hulls, meshes, assemblies and planes are made on a lattice of small integers,
so that a point of one is met by a point of the other at a known fraction of the way: inside, on an edge or at a corner,
at any angle or along the surface, and at the very start or end. An integer matrix of a turn, an integer offset and a
power of two take that to floats without rounding, from 1 to 10^7 sizes away. What the moving separating axis test says
of the lattice, in integers, is then what is true of the floats.
"""

from fractions import Fraction
from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.numerics.tolerances import EPS

COUNT = 20_000
_ROWS = 1000
# Multiples of eps x (size + distances from the origin + lengths of the ways): up to that a gap may count as touching.
_ROUNDING = 64.0
# Of the unit normal. What it may be off by beside that, as a fraction of the size.
_NORMAL = 1e-8
# Corners of the lattice are multiples of it, and all shares of sides that are aimed at are twelfths.
_UNIT = 12
_SHARES = np.array([[12, 0, 0], [0, 12, 0], [6, 6, 0], [8, 0, 4], [4, 4, 4], [1, 5, 6], [2, 9, 1], [10, 1, 1]])

# How many corners each sort may have. Four are those of a parallelogram.
SORTS = {
    "sphere": (1,),
    "capsule": (1, 2),
    "triangle": (1, 2, 3),
    "hull": (1, 2, 3, 4),
    "box": (1, 2, 4),
    "mesh": (3, 4),
    "assembly": (3, 4),
    "plane": (3,),
}
_PARTED = ("mesh", "assembly")
_FACES = {3: [[0, 1, 2]], 4: [[0, 1, 2], [0, 2, 3]]}
_AXES = np.eye(3, dtype=np.int64)

# How fast B moves along each axis in a step, how far its low end lies above A's high end, and its high end above A's
# low end, in the unit of the floats, when there is to be a contact: (P, K) each.
Gaps = tuple[np.ndarray, ...]


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Try cases and return the failures."""
    failures: list[dict[str, Any]] = []
    for number in range(-(-count // _ROWS)):
        rng = np.random.default_rng([seed, number])
        failures += Batch(rng, min(_ROWS, count - number * _ROWS)).failures()
    return failures


def wrong(failure: dict[str, Any]) -> str:
    """Check the case of a failure again: a whole case in fractions, whatever its numbers are."""
    case = failure["case"]
    corners, sorts = [np.array(case[side]) for side in "ab"], (case["sort_a"], case["sort_b"])
    va, vb = (np.array([case[name]]) for name in ("velocity_a", "velocity_b"))
    if sorts[1] == "plane":
        # Any large triangle of it will do.
        reach = 4.0 * (np.abs(corners[0]).max() + np.abs([*va, *vb]).max() + np.abs(corners[1]).max())
        exact_b = corners[1] + [[0.0], [1.0], [1.0]] * (corners[1] - corners[1][0]) * round(reach)
    else:
        exact_b = corners[1]
    whole = [[[Fraction(x) for x in point] for point in side] for side in (corners[0], exact_b)]
    way = np.array([[Fraction(y) - Fraction(x) for x, y in zip(va[0], vb[0], strict=True)]], dtype=object)
    first, last, _ = met(np.array([whole[0]], dtype=object), np.array([whole[1]], dtype=object), way)
    if first is None:
        return ""
    entry, leave = first[0] / Fraction(1), last[0] / Fraction(1)
    hit = entry <= leave and entry <= 1 and leave >= 0
    shapes = [made(sort, side[None]) for sort, side in zip(sorts, corners, strict=True)]
    near = failure.get("near", 1e-9)
    if sorts[1] == "plane":
        # Along a plane, whose normal is rounded, the time is as uncertain as the speed is low.
        slack = (
            _ROUNDING
            * EPS
            * (np.abs(corners[0]).max() + np.abs(corners[1]).max() + np.abs(va).max() + np.abs(vb).max())
        )
        near += slack / max(abs(float((shapes[1].normal * way.astype(float)).sum())), slack)
    for name, question, time in (
        ("time_of_impact", ck.time_of_impact, max(entry, Fraction(0))),
        ("last_contact", ck.last_contact, min(leave, Fraction(1))),
    ):
        found = question(*shapes, velocity_a=va, velocity_b=vb)
        if not found.decided[0]:
            return f"{name} is undecided"
        if found.hit[0] != hit:
            return f"{name} misses" if hit else f"{name} hits what is never met"
        if hit and abs(found.time[0] - float(time)) > near:
            return f"{name} has a wrong time"
    return ""


def met(a: np.ndarray, b: np.ndarray, way: np.ndarray) -> tuple[Any, Any, Any]:
    """The moving separating axis test without rounding, of corners (P, V, 3) and B's way (P, 3), all exact numbers.

    Every facet of B - A contains two of its edges, and these are edges of A or of B. Where B - A is flat, products with
    the coordinate axes take the place of normals within its plane, and the coordinate axes themselves that of the
    direction of a segment. Products of edges and the way part what is parted at all times.

    Returns
    -------
    entry, leave : pair of (P,) each
        Numerators, and denominators above zero, of the last entry and of the first exit: an entry after the exit is a
        miss. As a pair of fractions where the numbers are some.
    axes : tuple
        All axes (P, K, 3), the speed of B along them (P, K), and how far B's low end lies above A's high end, and B's
        high end above A's low end (P, K).
    """
    ways = np.concatenate([edges(a), edges(b), way[:, None], np.broadcast_to(_AXES, (len(way), 3, 3))], axis=1)
    i, j = np.triu_indices(ways.shape[1], 1)
    axes = np.concatenate([cross(ways[:, i], ways[:, j]), ways[:, -3:]], axis=1)
    on_a, on_b = ((axes[:, :, None] * of[:, None]).sum(axis=3) for of in (a, b))
    speed = (axes * way[:, None]).sum(axis=2)
    ahead, behind = on_b.min(axis=2) - on_a.max(axis=2), on_b.max(axis=2) - on_a.min(axis=2)
    count = len(way)
    one = np.ones(count, dtype=way.dtype)
    begin, begin_rate, end, end_rate = -(10**9) * one, one, 10**9 * one, one
    for k in range(axes.shape[1]):
        s, low, high = speed[:, k], ahead[:, k], behind[:, k]
        moving = s != 0
        rate = np.where(moving, np.abs(s), one)
        enters, leaves = np.where(s < 0, low, -high), np.where(s < 0, high, -low)
        never = ~moving & ((low > 0) | (high < 0))
        later = moving & (enters * begin_rate > begin * rate)
        sooner = moving & (leaves * end_rate < end * rate)
        begin, begin_rate = np.where(later, enters, begin), np.where(later, rate, begin_rate)
        end, end_rate = np.where(sooner, leaves, end), np.where(sooner, rate, end_rate)
        # Parted at all times: later than any exit.
        begin, begin_rate = np.where(never, 10**9, begin), np.where(never, one, begin_rate)
        end, end_rate = np.where(never, -(10**9), end), np.where(never, one, end_rate)
    if way.dtype == object and isinstance(way.flat[0], Fraction):
        return begin / begin_rate, end / end_rate, (axes, speed, ahead, behind)
    return (begin, begin_rate), (end, end_rate), (axes, speed, ahead, behind)


def edges(corners: np.ndarray) -> np.ndarray:
    """All differences of two corners: (P, E, 3)."""
    i, j = np.triu_indices(corners.shape[1], 1)
    return corners[:, j] - corners[:, i]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of numbers of any type."""
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.stack(parts, axis=-1)


def made(sort: str, corners: np.ndarray) -> Any:
    """Shapes of a sort with these corners (P, V, 3); those of boxes lie along the coordinate axes."""
    count, size = corners.shape[:2]
    none, place = np.zeros(count), corners[:, 0]
    if sort == "sphere":
        return ck.Spheres(place, none)
    if sort == "capsule":
        return ck.Capsules(place, corners[:, -1], none)
    if sort == "triangle":
        return ck.Triangles(corners[:, np.minimum([0, 1, 2], size - 1)])
    if sort == "box":
        low, high = corners.min(axis=1), corners.max(axis=1)
        return ck.Boxes((low + high) / 2.0, (high - low) / 2.0)
    if sort == "plane":
        first, second = corners[:, 1] - place, corners[:, 2] - place
        normal = np.cross(*(of / np.abs(of).max(axis=1, keepdims=True) for of in (first, second)))
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        return ck.Planes(normal, (normal * place).sum(axis=1))
    if sort == "hull":
        return ck.Hulls.from_points(list(corners - corners[:, :1]), place)
    if sort == "mesh":
        return ck.Meshes.from_triangles([(of - of[0], _FACES[size]) for of in corners], place)
    return ck.Assemblies([[ck.Triangles(of[_FACES[size]])] for of in corners])


class Batch:
    """Cases of one pair of sorts at about one distance.

    `whole_a` and `whole_b` (P, V, 3) are the corners on the lattice when a point of one is in about the place of one of
    the other, after `step` of `steps` displacements by `way` (P, 3). `turn` (3, 3), `scale` and `offset` take them to
    floats.
    """

    def __init__(self, rng: np.random.Generator, count: int) -> None:
        names = list(SORTS)
        self.sorts = tuple(rng.choice(names[: 8 - (side == 0)]) for side in range(2))
        self.count = count
        boxes = "box" in self.sorts
        # Misses by a small part of the size are made on a finer lattice, of Python's integers.
        fine = 2 ** int(rng.integers(8, 17)) if rng.random() < 0.03 else 1
        if fine > 1:
            self.count = count = min(count, 25)
        self.distance = 10.0 ** (rng.uniform(0.0, 5.0) if rng.random() < 0.9 or fine > 1 else rng.uniform(5.0, 7.0))
        whole = []
        for sort in self.sorts:
            size = int(rng.choice(SORTS[sort]))
            whole.append(_corners(rng, count, size, sort == "box"))
        aim = [_aimed(rng, of) for of in whole]
        way = rng.integers(-16, 17, (count, 3))
        straight = rng.random(count) < 0.3
        way[straight] = 16 * rng.integers(-1, 2, (np.count_nonzero(straight), 3))
        # Along the surface of one of the two.
        along = np.flatnonzero(rng.random(count) < 0.15)
        for side in range(2):
            some = along[rng.random(len(along)) < 0.5]
            if whole[side].shape[1] > 2:
                plane = whole[side][some]
                share = rng.integers(-1, 2, (2, len(some), 1))
                way[some] = (share[0] * (plane[:, 1] - plane[:, 0]) + share[1] * (plane[:, 2] - plane[:, 0])) // _UNIT
        way[(way == 0).all(axis=1), 2] = 1
        off = rng.integers(-3, 4, (count, 3)) * (rng.random(count) < 0.35)[:, None]
        off += rng.integers(-60, 61, (count, 3)) * (rng.random(count) < 0.15)[:, None]
        if fine > 1:
            whole, aim, way, off = [of * fine for of in whole], [of * fine for of in aim], way * fine, off
            whole, aim = ([of.astype(object) for of in group] for group in (whole, aim))
            way, off = way.astype(object), off.astype(object)
        self.whole_a, self.whole_b = whole[0], whole[1] + (aim[0] - aim[1] + off)[:, None]
        far = np.sqrt((way.astype(float) ** 2).sum(axis=1))
        self.way = way
        self.steps = np.maximum(np.round(self.distance * 60.0 * fine / far), 1.0).astype(np.int64)
        share = np.where(rng.random(count) < 0.1, rng.integers(0, 2, count), rng.random(count))
        self.step = np.round(share * self.steps).astype(np.int64)
        # What is left of 53 bits is for the turn.
        most = float(np.abs(way * self.steps[:, None]).max()) + 400.0 * fine
        bits = 50 - int(np.ceil(np.log2(most)))
        self.turn = _turn(rng, bits, boxes)
        size = 2.0**bits * 100.0 * fine
        room = 2.0**52
        far_off = rng.choice([0.0, size, min(1e3 * size, room / 4), room / 4])
        self.offset = np.round(rng.uniform(-far_off, far_off, 3)).astype(np.int64)
        self.scale = 2.0 ** (int(rng.integers(-20, 21)) - bits)
        self.half = (way * self.steps[:, None]).astype(np.int64) // 2 * int(rng.integers(0, 2))

    def floats(self) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Corners at the start, (P, V, 3), and velocities, (P, 3), of A and of B: as exact as integers."""
        turn = self.turn.astype(self.way.dtype)
        # A goes half of the way or none of it, backwards.
        go_a = -self.half.astype(self.way.dtype)
        go_b = self.way * self.steps[:, None] + go_a
        offset = self.offset.astype(self.way.dtype)
        corners, velocities = [], []
        for whole, go, back in ((self.whole_a, go_a, 0), (self.whole_b, go_b, 1)):
            start = whole - (self.way * self.step[:, None])[:, None] * back
            corners.append(((start[..., None, :] * turn).sum(axis=-1) + offset).astype(float) * self.scale)
            velocities.append((go[:, None] * turn).sum(axis=-1).astype(float) * self.scale)
        return corners, velocities

    def failures(self) -> list[dict[str, Any]]:
        """The wrong answers."""
        corners, velocities = self.floats()
        shapes = [made(sort, of) for sort, of in zip(self.sorts, corners, strict=True)]
        before, after = -self.step, self.steps - self.step
        if self.sorts[1] == "plane":
            hit, entry, leave, gaps = self.through(shapes[1], corners[0], velocities)
        else:
            hit, entry, leave, gaps = self.lattice()
        extent = sum(np.abs(of).max(axis=(1, 2)) for of in corners) + sum(np.abs(v).max(axis=1) for v in velocities)
        slack = _ROUNDING * EPS * extent
        check = _Check(self, gaps, slack, hit)
        result = []
        for name, question, time, sign in (
            ("time_of_impact", ck.time_of_impact, np.maximum(entry, before), 1.0),
            ("last_contact", ck.last_contact, np.minimum(leave, after), -1.0),
        ):
            found = question(*shapes, velocity_a=velocities[0], velocity_b=velocities[1])
            for what, rows in check.faults(found, time, sign, shapes, velocities).items():
                result += [self.find(f"{name} {what}", row, corners, velocities, found) for row in rows]
        return result

    def lattice(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, Gaps]:
        """Return which pairs meet, from when to when in steps after the contact, and the gaps: of integers."""
        (begin, begin_rate), (end, end_rate), axes = met(self.whole_a, self.whole_b, self.way)
        hit = (begin * end_rate <= end * begin_rate) & (begin <= (self.steps - self.step) * begin_rate)
        hit &= end >= -self.step * end_rate
        with np.errstate(all="ignore"):
            entry, leave = (of.astype(float) for of in (begin / begin_rate, end / end_rate))
        axis, speed, ahead, behind = (of.astype(float) for of in axes)
        # As long as unit vectors of the floats.
        turn = self.turn.astype(float) * self.scale
        long = np.linalg.norm(axis @ np.linalg.inv(turn), axis=2)
        scale = 1.0 / np.where(long > 0.0, long, np.inf)
        return hit.astype(bool), entry, leave, (speed * scale, ahead * scale, behind * scale)

    def through(
        self, planes: ck.Planes, corners: np.ndarray, velocities: list[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, Gaps]:
        """The same of planes as they are, whose normals are no integers: in fractions."""
        hit, entry, leave = np.zeros(self.count, dtype=bool), *np.zeros((2, self.count))
        gaps = np.zeros((3, self.count, 1))
        for row in range(self.count):
            normal, offset = [Fraction(x) for x in planes.normal[row]], Fraction(planes.offset[row])
            heights = [sum(n * Fraction(x) for n, x in zip(normal, of, strict=True)) for of in corners[row]]
            way = [Fraction(y) - Fraction(x) for x, y in zip(velocities[0][row], velocities[1][row], strict=True)]
            speed = sum(n * x for n, x in zip(normal, way, strict=True))
            ahead, behind = offset - max(heights), offset - min(heights)
            times = [Fraction(-(10**9)), Fraction(10**9)]
            if speed:
                times = sorted((-ahead / speed, -behind / speed))
            meets = ahead <= 0 <= behind if not speed else times[0] <= 1 and times[1] >= 0
            steps, step = int(self.steps[row]), int(self.step[row])
            hit[row] = meets
            entry[row], leave[row] = (float(time * steps - step) for time in times)
            at_contact = [of + speed * step / steps for of in (ahead, behind)]
            gaps[:, row, 0] = [float(of) for of in (speed / steps, *at_contact)]
        return hit, entry, leave, tuple(gaps)

    def find(
        self, what: str, row: int, corners: list[np.ndarray], velocities: list[np.ndarray], found: ck.Impacts
    ) -> dict[str, Any]:
        case = {"sort_a": str(self.sorts[0]), "sort_b": str(self.sorts[1])}
        case |= {name: of[row].tolist() for name, of in zip("ab", corners, strict=True)}
        case |= {f"velocity_{name}": of[row].tolist() for name, of in zip("ab", velocities, strict=True)}
        rows = {name: value[row].astype(float) for name, value in vars(found).items()}
        told = {name: np.nan_to_num(value, posinf=9.0).tolist() for name, value in rows.items()}
        return {"what": what, "case": case, "distance": self.distance, "answer": told}


class _Check:
    """Check the answers to a batch in floats: the exact test has told hits from misses and the times."""

    def __init__(self, batch: Batch, gaps: Gaps, slack: np.ndarray, hit: np.ndarray) -> None:
        self.batch, self.slack, self.hit = batch, slack, hit
        self.speed, self.ahead, self.behind = gaps
        # How far they are apart all the way, along the best axis.
        low, high = -batch.step[:, None].astype(float), (batch.steps - batch.step)[:, None].astype(float)
        up = np.minimum(self.ahead + self.speed * low, self.ahead + self.speed * high)
        down = np.minimum(-self.behind - self.speed * low, -self.behind - self.speed * high)
        self.clear = np.maximum(up, down).max(axis=1)
        self.size = np.abs(batch.turn.astype(float)).sum() * batch.scale * 100.0

    def faults(
        self, found: ck.Impacts, time: np.ndarray, sign: float, shapes: list[Any], velocities: list[np.ndarray]
    ) -> dict[str, np.ndarray]:
        batch, slack = self.batch, self.slack
        clear = ~self.hit & (self.clear > slack)
        result = {
            "is undecided": ~found.decided,
            "misses": self.hit & found.decided & ~found.hit,
            "hits what is never met": clear & found.hit,
        }
        both = self.hit & found.hit
        told = np.where(both, found.time, 0.0)
        expected = (batch.step + np.where(both, time, 0.0)) / batch.steps
        # In steps of the way, from the contact on.
        at = told * batch.steps - batch.step
        gap = np.maximum(self.ahead + self.speed * at[:, None], -self.behind - self.speed * at[:, None])
        result["is apart at its time"] = both & (gap.max(axis=1) > slack)
        # Along the axis that lets it in, or out, fastest.
        due = np.where(both, time, 0.0)[:, None]
        outward = (
            np.where(sign * self.speed < 0.0, self.ahead, -self.behind)
            + np.where(sign * self.speed < 0.0, 1.0, -1.0) * self.speed * due
        )
        deciding = (np.abs(outward) <= slack[:, None]) & (self.speed != 0.0)
        fastest = np.where(deciding, np.abs(self.speed), 0.0).max(axis=1) * batch.steps
        near = slack / np.where(fastest > 0.0, fastest, np.inf) + 8.0 * EPS
        inner = (np.minimum(expected, told) > 0.0) & (np.maximum(expected, told) < 1.0)
        result["has a wrong time"] = both & (fastest > 0.0) & (np.abs(told - expected) > near)
        normal = np.where(both[:, None], found.normal, 0.0)
        result["has no unit normal"] = both & (np.abs(np.linalg.norm(normal, axis=1) - 1.0) > 1e-12)
        relative = velocities[1] - velocities[0]
        far = np.linalg.norm(relative, axis=1)
        steep = sign * (normal * relative).sum(axis=1) / far
        result["has a normal that parts"] = both & inner & (steep > _NORMAL)
        spot = ck.Spheres(np.where(both[:, None], found.point, 0.0), np.zeros(batch.count))
        for shape, velocity, outside in zip(shapes, velocities, (1.0, -1.0), strict=True):
            there = shape.placed(np.broadcast_to(np.eye(3), (batch.count, 3, 3)), velocity * told[:, None])
            off = ck.distance(there, spot).distance
            elsewhere = both & inner & (off > slack)
            result["has a point elsewhere"] = result.get("has a point elsewhere", False) | elsewhere
            if batch.sorts[1] != "plane" and not {*batch.sorts} & {*_PARTED}:
                # No part of either lies on the other's side of the plane of contact.
                reach = ((ck.support(there, outside * normal) - spot.center) * outside * normal).sum(axis=1)
                beyond = both & inner & (reach > slack + _NORMAL * self.size)
                result["has a wrong normal"] = result.get("has a wrong normal", False) | beyond
        return {what: np.flatnonzero(rows) for what, rows in result.items()}


def _corners(rng: np.random.Generator, count: int, size: int, box: bool) -> np.ndarray:
    """Corners on the lattice, (P, V, 3), those of a triangle not in a line."""
    corners = np.empty((count, size, 3), dtype=np.int64)
    corners[:, 0] = rng.integers(-4, 5, (count, 3))
    if size > 1:
        sides = rng.integers(-4, 5, (2, count, 3))
        if box:
            axis = rng.permuted(np.tile(np.arange(3), (count, 1)), axis=1)
            sides = np.stack([_AXES[axis[:, k]] * rng.integers(1, 5, (count, 1)) for k in range(2)])
        sides[0][(sides[0] == 0).all(axis=1), 0] = 1
        flat = (cross(sides[0], sides[1]) == 0).all(axis=1)
        sides[1][flat] = np.roll(sides[0][flat], 1, axis=1)
        still = (cross(sides[0], sides[1]) == 0).all(axis=1)
        sides[1][still] = sides[0][still] + _AXES[0]
        corners[:, 1] = corners[:, 0] + sides[0]
        if size > 2:
            corners[:, size - 1] = corners[:, 0] + sides[1]
        if size > 3:
            corners[:, 2] = corners[:, 1] + sides[1]
    return corners * (2 * _UNIT)


def _aimed(rng: np.random.Generator, corners: np.ndarray) -> np.ndarray:
    """A point of each shape, on the lattice: (P, 3)."""
    count, size = corners.shape[:2]
    share = rng.permuted(_SHARES[rng.integers(0, len(_SHARES), count)], axis=1)
    pick = np.stack([rng.permutation(max(size, 3))[:3] % size for _ in range(count)])
    chosen = np.take_along_axis(corners, pick[:, :, None], axis=1)
    return (chosen * share[:, :, None]).sum(axis=1) // 12


def _turn(rng: np.random.Generator, bits: int, quarter: bool) -> np.ndarray:
    """An integer matrix near a multiple of a rotation; of quarter turns alone if so asked."""
    if quarter:
        matrix = np.zeros((3, 3), dtype=np.int64)
        matrix[rng.permutation(3), np.arange(3)] = rng.choice([-1, 1], 3) * 2**bits
        return matrix
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return np.round(rotation * 2.0**bits).astype(np.int64)
