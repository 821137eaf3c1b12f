# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps of points without rotation against convex shapes of every kind, checked in decimals of 50 digits.

A point is a sphere, a capsule, a box, a triangle or a hull without any extent. Relative to the other shape it moves
along a line, as the rays of `ray_casts` do, so that the same functions tell how far outside it is at any time. The
sweep must find a contact if the least value is below zero by more than rounding. The point must be on the surface at
the first contact and at the last one, and not inside before and after. In half of the cases both shapes move.
"""

from decimal import Decimal, localcontext
from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import zoo
from tests.hunt import pair_cases
from tests.hunt.ray_casts import Line, extents, outside_of, rays, rounding_of, vector

COUNT = 1000
_ROWS = 50
_DIGITS = 50
_FORMS = (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Try so many sweeps, and return the failures."""
    failures = []
    for number in range(-(-count // _ROWS)):
        rng = np.random.default_rng([seed, number, 19])
        kind = pair_cases.CONVEX[(seed * 7 + number) % len(pair_cases.CONVEX)]
        form, swapped = rng.choice(np.array(_FORMS)), bool(rng.random() < 0.5)
        with np.errstate(all="ignore"):
            shapes, origin, way = rays(rng, kind, min(_ROWS, count - number * _ROWS))
            points = points_at(ck.Kind(form), origin, rng)
        # The target of a ray is somewhere on the way.
        size = np.linalg.norm(way, axis=1, keepdims=True)
        target = np.array([extents(shapes.take(np.array([row])), origin[row])[2] for row in range(len(way))])[:, None]
        velocity = way / size * np.maximum(target, 1e-3) * rng.choice([0.5, 1.0, 3.0], (len(way), 1))
        drift = rng.choice([0.0, 1.0]) * rng.normal(size=way.shape) * np.linalg.norm(velocity, axis=1, keepdims=True)
        given = velocity + drift, drift
        found = swept(points, shapes, *given, swapped)
        for row in range(len(origin)):
            some = np.array([row])
            one, velocities = (points.take(some), shapes.take(some)), [each[row] for each in given]
            what = fault(*one, *velocities, *(each.take(some) for each in found))
            if what:
                case = {"point": pair_cases.row_of(points, row), "shape": pair_cases.row_of(shapes, row)}
                case |= {"velocities": [each.tolist() for each in velocities], "swapped": swapped}
                failures.append({"what": f"{what}: {kind.name}", "case": case})
    return failures


def wrong(failure: dict[str, Any]) -> str:
    """Check the sweep of a failure again; returns the errors."""
    case = failure["case"]
    point, shape = pair_cases.shape_of(case["point"]), pair_cases.shape_of(case["shape"])
    velocities = [np.array(each) for each in case["velocities"]]
    what = fault(point, shape, *velocities, *swept(point, shape, *(each[None] for each in velocities), case["swapped"]))
    return f"{what}: {shape.kind.name}" if what else ""


def points_at(form: ck.Kind, place: np.ndarray, rng: np.random.Generator) -> Shapes:
    """Shapes of a kind without extent."""
    count, none = len(place), np.zeros(len(place))
    match form:
        case ck.Kind.SPHERE:
            return ck.Spheres(place, none)
        case ck.Kind.CAPSULE:
            return ck.Capsules(place, place, none)
        case ck.Kind.BOX:
            return ck.Boxes(place, np.zeros((count, 3)), zoo.rotations(rng, count))
        case ck.Kind.TRIANGLE:
            return ck.Triangles(np.repeat(place[:, None], 3, axis=1))
    return ck.Hulls.from_points(np.zeros((count, 4, 3)), place, zoo.rotations(rng, count))


def swept(
    points: Shapes, shapes: Shapes, velocity: np.ndarray, other: np.ndarray, swapped: bool
) -> tuple[ck.Impacts, ck.Impacts]:
    """The first and the last contacts, with the points as A, or as B if `swapped`."""
    a, b = (shapes, points) if swapped else (points, shapes)
    motion = dict(zip(("velocity_a", "velocity_b"), (other, velocity) if swapped else (velocity, other), strict=True))
    return ck.time_of_impact(a, b, **motion), ck.last_contact(a, b, **motion)


def fault(
    point: Shapes, shape: Shapes, velocity: np.ndarray, other: np.ndarray, first: ck.Impacts, last: ck.Impacts
) -> str:
    """The error in the sweep of a point; empty if there is none."""
    origin = point.bounding_spheres()[0][0]
    with localcontext() as context:
        context.prec = _DIGITS
        outside = outside_of(shape)
        if outside is None:
            return ""
        along = tuple(x - y for x, y in zip(vector(velocity), vector(other), strict=True))
        line = Line(vector(origin), along, outside)  # type: ignore[arg-type]
        speeds = sum(float(np.linalg.norm(each)) for each in (velocity, other))
        allowed = rounding_of(extents(shape, origin)[3] + speeds)
        if not (first.decided[0] and last.decided[0]):
            return "a sweep is not decided"
        # Rounding decides whether a point touches at the end of its way, and in which order it leaves and meets a face.
        if not (first.hit[0] and last.hit[0]):
            deepest = line.least(Decimal(0), Decimal(1))
            return "a sweep misses what it goes through" if deepest < -allowed else ""
        begin, end = (Decimal(float(each.time[0])) for each in (first, last))
        if not (0 <= begin <= 1 and 0 <= end <= 1):
            return "a time of contact is not within the sweep"
        if max(line.value(begin), line.value(end)) > allowed:
            return "a contact is off the shape"
        # A point that begins inside has its first contact then, and one that ends inside its last.
        if begin > 0 and line.least(Decimal(0), begin) < -allowed:
            return "a contact is not the first"
        if end < 1 and line.least(end, Decimal(1)) < -allowed:
            return "a contact is not the last"
    return ""
