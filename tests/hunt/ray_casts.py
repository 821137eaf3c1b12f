# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays at convex shapes of every kind, checked in decimals of 50 digits.

How far a point is outside a shape is a convex function of the point. Along a ray it has one minimum, which is found by
dividing the ray again and again. A ray must hit if the minimum is below zero by more than rounding, and must miss if it
is above. The hit must be on the surface, and nothing before it inside. So no root is computed as the library does.

Rays go through the middle, through features, along faces, edges and axes, and past the shape, from near and far, and
some begin inside.
"""

from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import zoo
from tests.hunt import pair_cases
from tests.hunt.pair_oracles import outward_normals

COUNT = 1000
_ROWS = 50
_DIGITS = 50
# Parts in three of the range in which the least value is searched.
_STEPS = 260
# Multiples of sixteen roundings at the coordinates of the ray and the shape: what a hit may be off by.
_EXACT = 8.0
_EPS = float(np.finfo(np.float64).eps)

Vector = tuple[Decimal, Decimal, Decimal]
# How far a point is outside a shape: at most the distance. Negative inside. The second is convex along lines, and has
# the same sign; None if the first is convex.
Outside = tuple[Callable[[Vector], Decimal], Callable[[Vector], Decimal] | None]


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Try so many rays, and return the failures."""
    failures = []
    for number in range(-(-count // _ROWS)):
        rng = np.random.default_rng([seed, number, 17])
        kind = pair_cases.CONVEX[(seed * 7 + number) % len(pair_cases.CONVEX)]
        with np.errstate(all="ignore"):
            shapes, origin, way = rays(rng, kind, min(_ROWS, count - number * _ROWS))
        found = ck.ray_cast(shapes, origin, way)
        for row in range(len(origin)):
            case = {"shape": pair_cases.row_of(shapes, row), "origin": origin[row].tolist(), "way": way[row].tolist()}
            what = fault(shapes.take(np.array([row])), origin[row], way[row], found.take(np.array([row])))
            if what:
                failures.append({"what": f"{what}: {kind.name}", "case": case})
    return failures


def wrong(failure: dict[str, Any]) -> str:
    """Check the ray of a failure again; returns the errors."""
    case = failure["case"]
    shape, origin, way = pair_cases.shape_of(case["shape"]), np.array(case["origin"]), np.array(case["way"])
    what = fault(shape, origin, way, ck.ray_cast(shape, origin[None], way[None]))
    return f"{what}: {shape.kind.name}" if what else ""


def rays(rng: np.random.Generator, kind: ck.Kind, count: int) -> tuple[Shapes, np.ndarray, np.ndarray]:
    """Shapes of one kind and style, and a ray for each."""
    style, level = rng.choice(pair_cases.STYLES), rng.random() < 0.4
    turns = zoo.quarter_turns(rng, count) if level else zoo.rotations(rng, count)
    shapes = pair_cases.made(kind, style, rng, turns, rng.uniform(-1.0, 1.0, (count, 3)), 1.0)
    shapes, _ = pair_cases.everywhere(rng, shapes, shapes)
    if kind in pair_cases.UNBOUNDED:
        center, size = shapes.normal * shapes.offset[:, None], np.ones(count)
    else:
        center, size = shapes.bounding_spheres()
    size = np.where(size > 0.0, size, 1.0)[:, None]
    target = center + size * rng.choice([0.0, 0.3, 1.0, 1.3], (count, 1)) * rng.normal(size=(count, 3)) / 1.7
    if kind not in pair_cases.UNBOUNDED:
        some = rng.random((count, 1)) < 0.3
        target = np.where(some, pair_cases.features(rng, shapes), target)
    way = rng.normal(size=(count, 3))
    # Along an axis of the shape, or all but along it.
    axis = turns[np.arange(count), :, rng.integers(0, 3, count)] * rng.choice([-1.0, 1.0], (count, 1))
    tilt = 10.0 ** rng.uniform(-16.0, -1.0, (count, 1)) * way * (rng.random((count, 1)) < 0.5)
    way = np.where(rng.random((count, 1)) < 0.5, axis + tilt, way)
    back = size * rng.choice([0.0, 0.5, 3.0, 100.0, 1e5], (count, 1), p=[0.1, 0.2, 0.4, 0.2, 0.1])
    return shapes, target - back * way, way * 10.0 ** rng.uniform(-3.0, 3.0, (count, 1))


def fault(shape: Shapes, origin: np.ndarray, way: np.ndarray, found: ck.RayHits) -> str:
    """The error in the hit of a ray; empty if there is none."""
    with localcontext() as context:
        context.prec = _DIGITS
        outside = outside_of(shape)
        if outside is None:
            return ""
        line = Line(vector(origin), _unit(vector(way)), outside)
        unbounded, size, away, reach = extents(shape, origin)
        time = float(found.distance[0]) if found.hit[0] else 0.0
        allowed = rounding_of(max(reach, time))

        if not found.hit[0]:
            deepest = line.least(Decimal(0), Decimal(away + size) * (1000 if unbounded else 2))
            return "a ray misses what it goes through" if deepest < -allowed else ""
        hit = Decimal(time)
        value = line.value(hit)
        if value > allowed:
            return "a hit is off the shape"
        if time == 0.0:
            return ""
        if value < -allowed:
            return "a hit is inside the shape"
        if line.least(Decimal(0), hit) < -allowed:
            return "a hit is not the first"
        off = max(abs(Decimal(float(x)) - y) for x, y in zip(found.point[0], line.at(hit), strict=True))
        if off > allowed:
            return "the point of a hit is not on the ray"
        against = sum(Decimal(float(x)) * y for x, y in zip(found.normal[0], line.along, strict=True))
        length = sum(Decimal(float(x)) ** 2 for x in found.normal[0])
        if abs(length - 1) > Decimal("1e-12") or against > Decimal("1e-12"):
            return "the normal of a hit is not against the ray"
    return ""


def extents(shape: Shapes, origin: np.ndarray) -> tuple[bool, float, float, float]:
    """Whether a shape is unbounded, its size, how far its center is from a point, and the sum of all coordinates."""
    unbounded = isinstance(shape, ck.HalfSpaces | ck.Planes)
    center = shape.normal[0] * shape.offset[0] if unbounded else shape.bounding_spheres()[0][0]
    size = 1.0 if unbounded else float(shape.bounding_spheres()[1][0])
    away = float(np.linalg.norm(origin - center))
    return unbounded, size, away, size + away + float(np.linalg.norm(center)) + float(np.linalg.norm(origin))


def rounding_of(reach: float) -> Decimal:
    """The allowed error at such coordinates."""
    return Decimal(_EXACT * 16.0 * _EPS * reach)


class Line:
    """The points of a line, and how far outside a shape they are."""

    def __init__(self, start: Vector, along: Vector, outside: Outside) -> None:
        self.start, self.along = start, along
        self.exact, self.convex = outside

    def at(self, t: Decimal) -> Vector:
        """The point at a multiple of the vector along the line."""
        return tuple(s + t * w for s, w in zip(self.start, self.along, strict=True))  # type: ignore[return-value]

    def value(self, t: Decimal) -> Decimal:
        """Return how far the point is outside."""
        return self.exact(self.at(t))

    def least(self, begin: Decimal, end: Decimal) -> Decimal:
        """The least value between two points."""
        low, high = begin, end
        value = self.convex or self.exact
        for _ in range(_STEPS):
            one, other = (2 * low + high) / 3, (low + 2 * high) / 3
            if value(self.at(one)) <= value(self.at(other)):
                high = other
            else:
                low = one
        return min(map(self.value, (low, high, begin, end)))


def vector(values: Any) -> Vector:
    return tuple(Decimal(float(x)) for x in values)  # type: ignore[return-value]


def _dot(a: Vector, b: Vector) -> Decimal:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _length(a: Vector) -> Decimal:
    return _dot(a, a).sqrt()


def _unit(a: Vector) -> Vector:
    size = _length(a)
    return a[0] / size, a[1] / size, a[2] / size


def outside_of(shape: Shapes) -> Outside | None:
    """The function of one shape; None for slivers, and for hulls without a volume."""
    match shape:
        case ck.Spheres():
            center, radius = vector(shape.center[0]), Decimal(float(shape.radius[0]))
            return lambda p: _length(_minus(p, center)) - radius, None
        case ck.Capsules():
            return _of_capsule(shape), None
        case ck.Cylinders():
            return _of_cylinder(shape), None
        case ck.Cones():
            return _of_cone(shape), None
        case ck.Ellipsoids():
            return _of_ellipsoid(shape)
        case ck.Boxes():
            center, half = vector(shape.center[0]), vector(shape.half_extents[0])
            axes = [vector(shape.rotation[0][:, k]) for k in range(3)]
            return lambda p: max(abs(_dot(_minus(p, center), a)) - h for a, h in zip(axes, half, strict=True)), None
        case ck.Triangles():
            return _of_triangle(shape)
        case ck.Hulls():
            return _of_hull(shape)
        case ck.HalfSpaces() | ck.Planes():
            normal, offset = vector(shape.normal[0]), Decimal(float(shape.offset[0]))
            sides = isinstance(shape, ck.Planes)
            return lambda p: abs(_dot(normal, p) - offset) if sides else _dot(normal, p) - offset, None
    raise TypeError(shape.kind)


def _of_capsule(shape: ck.Capsules) -> Callable[[Vector], Decimal]:
    start, end, radius = vector(shape.start[0]), vector(shape.end[0]), Decimal(float(shape.radius[0]))
    run = _minus(end, start)
    square = _dot(run, run)

    def outside(p: Vector) -> Decimal:
        spoke = _minus(p, start)
        t = min(max(_dot(spoke, run) / square, Decimal(0)), Decimal(1)) if square else Decimal(0)
        return _length(_minus(spoke, (t * run[0], t * run[1], t * run[2]))) - radius

    return outside


def _of_cylinder(shape: ck.Cylinders) -> Callable[[Vector], Decimal]:
    start, end, radius = vector(shape.start[0]), vector(shape.end[0]), Decimal(float(shape.radius[0]))
    axis, height = _unit(_minus(end, start)), _length(_minus(end, start))

    def outside(p: Vector) -> Decimal:
        spoke = _minus(p, start)
        along = _dot(spoke, axis)
        return max(-along, along - height, _length(_cross(spoke, axis)) - radius)

    return outside


def _of_cone(shape: ck.Cones) -> Callable[[Vector], Decimal]:
    base, apex, radius = vector(shape.base[0]), vector(shape.apex[0]), Decimal(float(shape.radius[0]))
    axis, height = _unit(_minus(apex, base)), _length(_minus(apex, base))
    slant = (height * height + radius * radius).sqrt()

    def outside(p: Vector) -> Decimal:
        spoke = _minus(p, base)
        along, aside = _dot(spoke, axis), _length(_cross(spoke, axis))
        return max(-along, (aside * height + (along - height) * radius) / slant)

    return outside


def _of_ellipsoid(shape: ck.Ellipsoids) -> Outside:
    """The first order of the distance; and the convex function by which the ellipsoid is a ball."""
    center, axes = vector(shape.center[0]), [vector(shape.rotation[0][:, k]) for k in range(3)]
    # A semi-axis of zero is one that no digit shows.
    least = Decimal(float(shape.radii[0].max()) or 1.0) * Decimal("1e-24")
    radii = [max(Decimal(float(r)), least) for r in shape.radii[0]]

    def ball(p: Vector) -> Decimal:
        return _length(tuple(_dot(_minus(p, center), a) / r for a, r in zip(axes, radii, strict=True))) - 1  # type: ignore[arg-type]

    def outside(p: Vector) -> Decimal:
        local = [_dot(_minus(p, center), a) for a in axes]
        slope = _length(tuple(x / (r * r) for x, r in zip(local, radii, strict=True)))  # type: ignore[arg-type]
        value = ball(p)
        # Nothing is deeper inside than the least semi-axis.
        return max(value * (value + 1) / slope, -min(radii)) if slope else -min(radii)

    return outside, ball


def _of_triangle(shape: ck.Triangles) -> Outside | None:
    corners = [vector(corner) for corner in shape.vertices[0]]
    normal = _cross(_minus(corners[1], corners[0]), _minus(corners[2], corners[0]))
    if _length(normal) <= Decimal("1e-5") * max(_length(_minus(a, b)) for a in corners for b in corners) ** 2:
        return None
    normal = _unit(normal)
    sides = [(a, _unit(_cross(_minus(b, a), normal))) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]

    def outside(p: Vector) -> Decimal:
        plane = abs(_dot(_minus(p, corners[0]), normal))
        return max(plane, *(_dot(_minus(p, a), side) for a, side in sides))

    return outside, None


def _of_hull(shape: ck.Hulls) -> Outside | None:
    hull = shape.geometry[shape.index[0]]
    if len(hull.faces) <= 3 or hull.volume <= 1e-9 * float(np.ptp(hull.points, axis=0).max()) ** 3:
        return None
    points, planes = [vector(p) for p in hull.points], []
    for normal in outward_normals(hull.points):
        if any(normal):
            unit = _unit(tuple(Decimal(int(x)) for x in normal))  # type: ignore[arg-type]
            planes.append((unit, max(_dot(unit, p) for p in points)))
    place, turn = vector(shape.translation[0]), [vector(shape.rotation[0][:, k]) for k in range(3)]

    def outside(p: Vector) -> Decimal:
        spoke = _minus(p, place)
        local = (_dot(spoke, turn[0]), _dot(spoke, turn[1]), _dot(spoke, turn[2]))
        return max(_dot(unit, local) - offset for unit, offset in planes)

    return outside, None
