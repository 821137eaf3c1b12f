# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays and points at round shapes, decided in fractions and measured with fifty digits.

A ray is clipped by the planes and the quadric of a shape, whose coefficients are integers. A point is measured in the
half-plane through it and the axis of a shape of revolution, and for an ellipsoid by Newton's method (Eberly, "Distance
from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013). Where an answer depends on rounding, the shape
scaled by a little more and a little less bounds it.
"""

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import loading
from tests.helpers.offline import many

CASES = many(1_000, 200_000) if loading.mode == loading.COMPILED else 200
POINTS = CASES // 4
DIGITS = 50
# Dimensionless: by how much a shape is scaled so that rounding does not decide.
SLACK = Fraction(1, 10**11)
TINY = 1e-11

Numbers = list[Fraction]
Span = tuple[Decimal, Decimal]
Clip = Callable[[Numbers, Numbers], Span | None]
ENDLESS = Decimal(10) ** 40


def dot(a, b) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def number(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def root(value: Fraction) -> Decimal:
    return number(value).sqrt()


def between(start: Fraction, speed: Fraction, low: Fraction, high: Fraction) -> Span | None:
    """The times at which start + t speed is in [low, high]."""
    if speed == 0:
        return (-ENDLESS, ENDLESS) if low <= start <= high else None
    first, last = sorted(((low - start) / speed, (high - start) / speed))
    return number(first), number(last)


def below_zero(a: Fraction, b: Fraction, c: Fraction) -> list[Span]:
    """The times at which a t² + b t + c is at most 0."""
    if a == 0:
        if b == 0:
            return [(-ENDLESS, ENDLESS)] if c <= 0 else []
        return [(-ENDLESS, number(-c / b))] if b > 0 else [(number(-c / b), ENDLESS)]
    square = b * b - 4 * a * c
    if square < 0:
        return [] if a > 0 else [(-ENDLESS, ENDLESS)]
    half, middle = root(square) / number(2 * abs(a)), number(-b / (2 * a))
    if a > 0:
        return [(middle - half, middle + half)]
    return [(-ENDLESS, middle - half), (middle + half, ENDLESS)]


def common(spans: list[Span], limit: Span | None) -> Span | None:
    """The part of convex `spans` within a limit."""
    if limit is None:
        return None
    parts = [(max(low, limit[0]), min(high, limit[1])) for low, high in spans]
    parts = [part for part in parts if part[0] <= part[1]]
    return (min(low for low, _ in parts), max(high for _, high in parts)) if parts else None


def ball(center: Numbers, radius: Fraction) -> Clip:
    def clip(origin: Numbers, way: Numbers) -> Span | None:
        w = [o - c for o, c in zip(origin, center, strict=True)]
        return common(below_zero(dot(way, way), 2 * dot(way, w), dot(w, w) - radius**2), (-ENDLESS, ENDLESS))

    return clip


def revolved(start: Numbers, axis: Numbers, radius: Fraction, end: Fraction) -> Clip:
    """A cylinder, or a cone whose radius at the far end is `end`."""
    square = dot(axis, axis)

    def clip(origin: Numbers, way: Numbers) -> Span | None:
        w = [o - s for o, s in zip(origin, start, strict=True)]
        height, rise = dot(w, axis), dot(way, axis)
        slope = (end - radius) / square
        # The squared distance from the axis is at most the square of radius + slope height.
        at, more = radius + slope * height, slope * rise
        quadric = (
            dot(way, way) * square - rise**2 - more**2 * square,
            2 * (dot(w, way) * square - height * rise - at * more * square),
            dot(w, w) * square - height**2 - at**2 * square,
        )
        return common(below_zero(*quadric), between(height, rise, Fraction(0), square))

    return clip


def capsule(start: Numbers, axis: Numbers, radius: Fraction) -> Clip:
    ends = ball(start, radius), ball([s + a for s, a in zip(start, axis, strict=True)], radius)
    parts = (*ends, revolved(start, axis, radius, radius)) if any(axis) else ends

    def clip(origin: Numbers, way: Numbers) -> Span | None:
        spans = [span for span in (part(origin, way) for part in parts) if span is not None]
        return (min(low for low, _ in spans), max(high for _, high in spans)) if spans else None

    return clip


def ellipsoid(center: Numbers, radii: Numbers) -> Clip:
    def clip(origin: Numbers, way: Numbers) -> Span | None:
        w = [(o - c) / r for o, c, r in zip(origin, center, radii, strict=True)]
        return ball([Fraction(0)] * 3, Fraction(1))(w, [v / r for v, r in zip(way, radii, strict=True)])

    return clip


def entry(clip: Clip, inner: Numbers, scale: Fraction, origin: Numbers, way: Numbers) -> Decimal | None:
    """The first time from 0 on at which a ray is in the shape, scaled about a point in it."""
    span = clip(
        [c + (o - c) / scale for o, c in zip(origin, inner, strict=True)], [component / scale for component in way]
    )
    return None if span is None or span[1] < 0 else max(span[0], Decimal(0))


def fractions(values) -> Numbers:
    return [Fraction(float(value)) for value in values]


def turns(rng: np.random.Generator, count: int) -> np.ndarray:
    """Rotations by quarter turns, which have no rounding."""
    every = []
    for order in permutations(range(3)):
        matrix = np.eye(3)[list(order)]
        every.append(matrix * np.linalg.det(matrix))
    return np.array(every)[rng.integers(0, len(every), count)]


def drawn(kind: ck.Kind, rng: np.random.Generator, count: int):
    """Shapes with integer coordinates; for each, its clip, a point in it, and points that rays are aimed at."""
    place, axis = rng.integers(-3, 4, (2, count, 3)).astype(float)
    axis[~axis.any(axis=1), 2] = 2.0
    radius = rng.integers(1, 4, count).astype(float)
    turn, radii = turns(rng, count), rng.integers(1, 5, (count, 3)).astype(float)
    shapes = {
        ck.Kind.SPHERE: lambda: ck.Spheres(place, radius),
        ck.Kind.CAPSULE: lambda: ck.Capsules(place, place + axis, radius),
        ck.Kind.CYLINDER: lambda: ck.Cylinders(place, place + axis, radius),
        ck.Kind.CONE: lambda: ck.Cones(place, place + axis, radius),
        ck.Kind.ELLIPSOID: lambda: ck.Ellipsoids(place, radii, turn),
    }[kind]()
    clips, inner = [], place + axis / 4.0
    for row in range(count):
        start, way, size = fractions(place[row]), fractions(axis[row]), Fraction(int(radius[row]))
        match kind:
            case ck.Kind.SPHERE:
                clips.append(ball(start, size))
            case ck.Kind.CAPSULE:
                clips.append(capsule(start, way, size))
            case ck.Kind.ELLIPSOID:
                clips.append(ellipsoid(start, fractions(np.abs(turn[row]) @ radii[row])))
            case _:
                clips.append(revolved(start, way, size, size if kind == ck.Kind.CYLINDER else Fraction(0)))
    if kind in (ck.Kind.SPHERE, ck.Kind.ELLIPSOID):
        inner = place
    return shapes, clips, inner, (place, place + axis, inner)


def rays(rng: np.random.Generator, place: np.ndarray, targets: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Integer rays: some at ends, tips and centers, some along an axis of the world, most anywhere near the shape."""
    count = len(place)
    origin = np.round(place) + rng.integers(-5, 6, (count, 3))
    way = rng.integers(-3, 4, (count, 3)).astype(float)
    aimed = rng.random(count) < 0.4
    way[aimed] = (np.choose(rng.integers(0, len(targets), count)[:, None], targets) - origin)[aimed] * 4.0
    along = rng.random(count) < 0.2
    way[along] = np.eye(3)[rng.integers(0, 3, np.count_nonzero(along))] * rng.choice([-1.0, 1.0])
    way[~way.any(axis=1), 0] = 1.0
    return origin, way


ROUND = (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.CONE, ck.Kind.ELLIPSOID)


@pytest.mark.parametrize("kind", ROUND)
def test_rays_at_round_shapes_hit_what_fractions_say(kind):
    rng = np.random.default_rng([11, kind])
    shapes, clips, inner, targets = drawn(kind, rng, CASES)
    origin, way = rays(rng, targets[0], targets)
    hits = ck.ray_cast(shapes, origin, way)
    length = np.linalg.norm(way, axis=1)
    missed = unsure = 0
    with localcontext() as context:
        context.prec = DIGITS
        for row, clip in enumerate(clips):
            ray = fractions(inner[row]), fractions(origin[row]), fractions(way[row])
            least, most = (entry(clip, ray[0], 1 + by, *ray[1:]) for by in (-SLACK, SLACK))
            if most is None:
                assert not hits.hit[row], row
                missed += 1
            elif least is None:
                unsure += 1
            else:
                assert hits.hit[row], row
                far, near = (float(time) * length[row] for time in (least, most))
                assert near - TINY <= hits.distance[row] <= far + TINY, row
                assert not hits.inside[row] or near == 0.0, row
                assert hits.inside[row] or far > 0.0, row
    assert CASES // 20 < missed < CASES * 19 // 20 and unsure < CASES // 10


def to_outline(corners: list[tuple[Decimal, Decimal]], x: Decimal, y: Decimal) -> Decimal:
    """The signed distance of a point from a convex polygon, counterclockwise."""
    inside, least = True, ENDLESS
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        ux, uy, wx, wy = bx - ax, by - ay, x - ax, y - ay
        inside = inside and ux * wy - uy * wx >= 0
        along = min(max((ux * wx + uy * wy) / (ux * ux + uy * uy), Decimal(0)), Decimal(1))
        least = min(least, ((wx - along * ux) ** 2 + (wy - along * uy) ** 2).sqrt())
    return -least if inside else least


def from_revolved(point: Numbers, start: Numbers, axis: Numbers, radius: Fraction, end: Fraction) -> Decimal:
    """The signed distance of a point from a cylinder or a cone."""
    w = [p - s for p, s in zip(point, start, strict=True)]
    size, square = root(dot(axis, axis)), dot(axis, axis)
    height = number(dot(w, axis)) / size
    around = root(dot(w, w) - dot(w, axis) ** 2 / square)
    low, high = number(radius), number(end)
    outline = [(Decimal(0), -low), (size, -high), (size, high), (Decimal(0), low)]
    return to_outline([corner for k, corner in enumerate(outline) if corner != outline[k - 1]], height, around)


def from_ellipsoid(point: Numbers, center: Numbers, radii: Numbers) -> Decimal:
    """The signed distance of a point from an ellipsoid whose axes are those of the world."""
    y = [number(abs(p - c)) for p, c in zip(point, center, strict=True)]
    e = [number(r) for r in radii]
    least = min(range(3), key=lambda k: e[k])
    inside = sum((a / b) ** 2 for a, b in zip(y, e, strict=True)) <= 1

    def value(t: Decimal) -> Decimal:
        return sum((s * p / (t + s * s)) ** 2 for s, p in zip(e, y, strict=True)) - 1

    low = -(e[least] ** 2)
    # The nearest point may lie off the plane of symmetry in which the point lies.
    flat = [k for k in range(3) if e[k] == e[least]]
    if all(y[k] == 0 for k in flat):
        rest = [k for k in range(3) if k not in flat]
        x = {k: e[k] ** 2 * y[k] / (e[k] ** 2 - e[least] ** 2) for k in rest}
        left = 1 - sum((x[k] / e[k]) ** 2 for k in rest)
        if left >= 0:
            gap = sum((x[k] - y[k]) ** 2 for k in rest) + e[least] ** 2 * left
            return -gap.sqrt() if inside else gap.sqrt()
    high = low + max(e) * sum(y) + sum(s * p for s, p in zip(e, y, strict=True)) + 1
    for _ in range(170):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > 0 else (low, middle)
    t = (low + high) / 2
    x = [s * s * p / (t + s * s) if p else Decimal(0) for s, p in zip(e, y, strict=True)]
    gap = sum((a - b) ** 2 for a, b in zip(x, y, strict=True)).sqrt()
    return -gap if inside else gap


def measured(shapes, row: int, point: Numbers) -> Decimal:
    """The signed distance of a point from a round shape."""
    if isinstance(shapes, ck.Spheres):
        w = [p - c for p, c in zip(point, fractions(shapes.center[row]), strict=True)]
        return root(dot(w, w)) - number(Fraction(float(shapes.radius[row])))
    if isinstance(shapes, ck.Ellipsoids):
        radii = fractions(np.abs(shapes.rotation[row]) @ shapes.radii[row])
        return from_ellipsoid(point, fractions(shapes.center[row]), radii)
    ends = (shapes.base, shapes.apex) if isinstance(shapes, ck.Cones) else (shapes.start, shapes.end)
    start, axis = fractions(ends[0][row]), fractions(ends[1][row] - ends[0][row])
    radius = Fraction(float(shapes.radius[row]))
    if isinstance(shapes, ck.Capsules):
        along = min(max(dot([p - s for p, s in zip(point, start, strict=True)], axis) / dot(axis, axis), 0), 1)
        w = [p - s - along * a for p, s, a in zip(point, start, axis, strict=True)]
        return root(dot(w, w)) - number(radius)
    return from_revolved(point, start, axis, radius, Fraction(0) if isinstance(shapes, ck.Cones) else radius)


@pytest.mark.parametrize("kind", ROUND)
def test_points_at_round_shapes_are_as_far_as_fifty_digits_say(kind):
    rng = np.random.default_rng([12, kind])
    shapes, _, _, targets = drawn(kind, rng, POINTS)
    points = np.round(targets[0] + rng.normal(size=(POINTS, 3)) * 4.0) / rng.choice([1.0, 2.0], POINTS)[:, None]
    special = rng.random(POINTS) < 0.2
    points[special] = np.choose(rng.integers(0, len(targets), POINTS)[:, None], targets)[special]
    found, nearest = ck.signed_distance(shapes, points), ck.closest_points(shapes, points)
    held = ck.contains_points(shapes, points)
    sign = np.zeros(2, dtype=int)
    with localcontext() as context:
        context.prec = DIGITS
        for row in range(POINTS):
            exact = measured(shapes, row, fractions(points[row]))
            assert abs(Decimal(found[row]) - exact) <= TINY, row
            assert abs(Decimal(nearest.distance[row]) - exact) <= TINY, row
            on_surface = measured(shapes, row, fractions(nearest.point[row]))
            assert abs(on_surface) <= TINY, row
            assert abs(np.linalg.norm(nearest.point[row] - points[row]) - abs(float(exact))) <= TINY, row
            if abs(exact) > TINY:
                assert held[row] == (exact < 0), row
                sign[int(exact < 0)] += 1
    assert sign.min() > POINTS // 20
