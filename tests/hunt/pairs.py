# SPDX-License-Identifier: GPL-3.0-or-later
"""All pairs of convex kinds, all questions, in degenerate families: each answer's own certificate, checked.

Pairs that are apart: the axis shows the gap, and two points of the shapes are no farther apart, so that the distance is
known from both sides. Pairs that overlap: the axis shows the depth, and no facet of A - B is nearer, all of which are
tried where the cores are polytopes; against cylinders a search over directions finds nothing nearer. What fails in
float64 is worked out again with 64 digits before it counts.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import collision_kit.core as ck
from collision_kit.core.numerics.tolerances import COPLANAR, FACE_DEEPER, FACE_DEEPER_SIZE, PATCH_LEVEL
from collision_kit.core.shapes import Shapes
from tests.hunt import pair_cases
from tests.hunt.pair_oracles import Body, dot, largest_gap, norm, unit

COUNT = 60_000
_ROWS = 500
# Multiples of the rounding that the answer states: what an answer may be off by.
EXACT = 4.0
# Fractions of the size. Of points of contact, and of depths by a search.
CONTACT = 1e-9
_SEARCHED = 1e-9
# Of pairs of kinds known by their support mapping, fractions of the size that docs/conventions.md states: of distances,
# depths, of all else about shapes without an inside, and of witnesses and contacts.
_MAPPED = {ck.Kind.ELLIPSOID, ck.Kind.CONE}
# Those have a family of their own, `support_mapped_pairs`.
KINDS = [kinds for kinds in pair_cases.KINDS if not {*kinds} & _MAPPED]
_FAR, _DEEP, _FLAT, _POINT = 1e-12, 1e-8, 1e-6, 1e-7
# `separating_axis` may name a face that is this much worse than the best axis; see docs/conventions.md.
NAMED = 8e-6


class Answers(NamedTuple):
    """The answers about a batch of pairs."""

    distance: ck.Distances
    swapped: ck.Distances
    overlap: np.ndarray
    axis: ck.Separations
    contacts: ck.Contacts
    near: ck.Contacts
    margin: float
    verdict: np.ndarray
    holds: np.ndarray
    held: np.ndarray

    def take(self, rows: np.ndarray) -> "Answers":
        """The answers about these rows."""
        place = np.full(len(self.overlap), -1)
        place[rows] = np.arange(len(rows))

        def part(value: Any) -> Any:
            if isinstance(value, ck.Contacts):
                kept = value.take(np.flatnonzero(place[value.pair] >= 0))
                return replace(kept, pair=place[kept.pair])
            if isinstance(value, np.ndarray):
                return value[rows]
            return value if isinstance(value, float) else type(value)(*(part(v) for v in vars(value).values()))

        return Answers(*map(part, self))


def run(seed: int, count: int) -> list[dict[str, Any]]:
    return tried(seed, batches(seed, count))


def tried(seed: int, of_pairs: Iterable[tuple[Shapes, Shapes]]) -> list[dict[str, Any]]:
    """The errors in the answers about batches of pairs made from a seed."""
    failures: list[dict[str, Any]] = []
    for number, (a, b) in enumerate(of_pairs):
        margin = float(np.abs(ck.distance(a, b).distance).mean())
        for row, what in faults(a, b, margin):
            case = {"a": pair_cases.row_of(a, row), "b": pair_cases.row_of(b, row), "margin": margin}
            alone = [text for _, text in faults(a.take(np.array([row])), b.take(np.array([row])), margin)]
            if what not in alone:
                what = alone[0] if alone else f"{what}, in company"
                case |= {"seed": [seed, number], "row": int(row)}
            failures.append({"what": what, "kinds": [a.kind.name, b.kind.name], "case": case})
    return failures


def batches(seed: int, count: int, every: Sequence[tuple[ck.Kind, ck.Kind]] = KINDS) -> Iterator[tuple[Shapes, Shapes]]:
    """Pairs of the kinds of `every`, those of a pair of kinds together."""
    for number in range(-(-count // _ROWS)):
        rng = np.random.default_rng([seed, number])
        # In turn, so that each pair of kinds has its share.
        kinds = every[(seed * 31 + number) % len(every)]
        with np.errstate(all="ignore"):
            pairs = pair_cases.pairs(rng, min(_ROWS, count - number * _ROWS), kinds)
        yield pairs


def wrong(failure: dict[str, Any]) -> str:
    a, b = (pair_cases.shape_of(failure["case"][name]) for name in "ab")
    found = [what for _, what in faults(a, b, failure["case"]["margin"])]
    return failure["what"] if failure["what"] in found else next(iter(found), "")


def faults(a: Shapes, b: Shapes, margin: float) -> list[tuple[int, str]]:
    """The rows about which something is wrong, and what is: the first of each row."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            answers = asked(a, b, margin)
    except Exception as error:
        if len(a) > 1:
            singles = [(a.take(np.array([row])), b.take(np.array([row]))) for row in range(len(a))]
            return [(row, what) for row, pair in enumerate(singles) for _, what in faults(*pair, margin)]
        return [(0, f"raises {type(error).__name__}")]
    with np.errstate(all="ignore"):
        rows = np.arange(len(a))
        for digits in (np.float64, np.longdouble):
            first: dict[int, str] = {}
            of_these = (a.take(rows), b.take(rows), answers.take(rows), digits)
            for bad, what in checks(*of_these) if len(rows) else ():
                for row in rows[np.flatnonzero(bad)]:
                    first.setdefault(int(row), what)
            rows = np.array(sorted(first), dtype=np.int64)
    return sorted(first.items())


def asked(a: Shapes, b: Shapes, margin: float) -> Answers:
    return Answers(
        ck.distance(a, b),
        ck.distance(b, a),
        ck.overlap(a, b),
        ck.separating_axis(a, b),
        ck.contacts(a, b),
        ck.contacts(a, b, margin=margin),
        margin,
        ck.classify(a, b, clearance=margin),
        ck.contains(a, b),
        ck.contains(b, a),
    )


def checks(a: Shapes, b: Shapes, answers: Answers, digits: type) -> Iterator[tuple[np.ndarray, str]]:
    """Each of the things that must be true: the rows where it is not, and its name."""
    found, swapped, axes = answers.distance, answers.swapped, answers.axis
    rounding, distance = found.rounding, found.distance
    exact = EXACT * rounding
    unbounded = isinstance(a, ck.HalfSpaces | ck.Planes), isinstance(b, ck.HalfSpaces | ck.Planes)
    origin = (a if unbounded[1] else b).bounding_spheres()[0] if not unbounded[1] or not unbounded[0] else None
    size = np.sum([s.bounding_spheres()[1] for s, no in zip((a, b), unbounded, strict=True) if not no], axis=0)
    mapped = bool({a.kind, b.kind} & _MAPPED) and not any(unbounded)
    loss_of_depth = loss_of_point = np.zeros(len(a))
    if mapped:
        solid = _solid(a) & _solid(b)
        loss_of_depth = size * np.where(distance > rounding, _FAR, np.where(solid, _DEEP, _FLAT))
        loss_of_point = size * np.where(solid, _POINT, _FLAT)
    every = np.concatenate([x.reshape(len(a), -1) for x in vars(found).values()], axis=1)
    yield ~np.isfinite(every).all(axis=1) | ~np.isfinite(axes.axis).all(axis=1) | ~np.isfinite(axes.gap), "not finite"
    yield np.abs(norm(found.normal) - 1.0) > 1e-12, "the normal is no unit vector"
    yield np.abs(norm(axes.axis) - 1.0) > 1e-12, "the axis is no unit vector"
    apart = found.point_b - found.point_a
    yield norm(apart - distance[:, None] * found.normal) > exact, "the witnesses are not the distance apart"
    yield np.abs(distance - swapped.distance) > exact + loss_of_depth, "another distance when swapped"
    meet = distance <= rounding
    yield answers.overlap != meet, "overlap and distance disagree"
    yield (answers.verdict == ck.Verdict.SEPARATED) != (distance > np.maximum(answers.margin, rounding)), "the verdict"
    deep = np.isin(answers.verdict, (ck.Verdict.PENETRATING, ck.Verdict.CONTAINED))
    yield deep != (distance < -rounding), "the verdict"
    yield (answers.verdict == ck.Verdict.CONTAINED) != (deep & (answers.holds | answers.held)), "the verdict"
    yield (answers.holds | answers.held) & ~meet, "contained and apart"
    yield (axes.gap > rounding) != (distance > rounding), "the gap and the distance differ in sign"
    yield axes.gap > distance + exact, "a gap larger than the distance"
    flat_faced = {a.kind, b.kind} <= {ck.Kind.BOX, ck.Kind.TRIANGLE}
    loss = NAMED * size if flat_faced else exact
    yield meet & (axes.gap < distance - loss - exact), "the gap is not that of the depth"
    if not flat_faced:
        yield axes.gap < distance - exact, "the gap is not the distance"
    for touch, margin in ((answers.contacts, 0.0), (answers.near, answers.margin)):
        has = np.bincount(touch.pair, minlength=len(a)) > 0
        # Which pairs overlap is decided once. Which are within a margin, distance and contacts measure on their own.
        allowed = exact if margin else 0.0
        yield has & (distance > margin + rounding + allowed), "contacts and distance disagree"
        yield ~has & (distance <= margin + rounding - allowed), "contacts and distance disagree"

        # A face may show more depth than the pair has, or less, as docs/conventions.md states.
        deepest = np.full(len(a), -np.inf)
        np.maximum.at(deepest, touch.pair, touch.depth)
        reach = size + (0.0 if any(unbounded) else norm(a.bounding_spheres()[0] - origin))
        less = exact + loss_of_depth + CONTACT * size + PATCH_LEVEL * reach + COPLANAR * size
        less += FACE_DEEPER * np.maximum(distance, 0.0)
        more = exact + loss_of_depth + CONTACT * size + FACE_DEEPER * np.abs(distance) + FACE_DEEPER_SIZE * size
        yield has & (deepest < -distance - less), "no contact is as deep as the pair"
        yield has & (deepest > -distance + more), "a contact is deeper than the pair"

    ends = a, b
    bodies = [None if no else Body(s, origin, digits) for s, no in zip(ends, unbounded, strict=True)]
    heights = [_height(s, body, origin) for s, body in zip(ends, bodies, strict=True)]
    normal, axis = found.normal.astype(digits), axes.axis.astype(digits)
    gap = -heights[1](-normal) - heights[0](normal)
    # Of cores that are nearly as close as rounding, the direction of the closest points is known no better.
    radii = sum(0.0 if body is None or body.curved else body.radius for body in bodies)
    core = np.abs(distance + radii)
    doubt = exact * (1.0 + size / np.maximum(core, rounding))
    yield np.abs(gap - distance) > doubt, "the normal does not show the distance"
    yield np.abs(gap - distance) > exact, "the normal of cores that all but touch does not show the distance"
    yield (distance > rounding) & ~(gap > 0.0), "apart along no axis"
    yield np.abs(-heights[1](-axis) - heights[0](axis) - axes.gap) > exact, "the axis does not show its gap"
    # Witnesses belong to the shapes; that none of the shape lies beyond them is what the gap says.
    points = [(p.astype(np.longdouble) - origin).astype(digits) for p in (found.point_a, found.point_b)]
    for shapes, body, point, name in zip(ends, bodies, points, "AB", strict=True):
        yield _off(shapes, body, origin, point) > exact + loss_of_point, f"the witness of {name} is off the shape"
    for touch, kind in ((answers.contacts, "contact"), (answers.near, "contact within the margin")):
        yield from _contacts(ends, bodies, origin, touch, size, exact + loss_of_point, kind, digits)
    if any(unbounded):
        return
    pair_a, pair_b = bodies
    if pair_a.curved or pair_b.curved:
        rows = np.flatnonzero(distance <= rounding)[:32]
        better = np.full(len(a), -np.inf)
        if len(rows):
            better[rows] = _searched(pair_a, pair_b, rows, normal)
        yield better > distance + exact + np.maximum(_SEARCHED * size, loss_of_depth), "a shorter translation"
    else:
        core = distance + pair_a.radius + pair_b.radius
        rows = np.flatnonzero(core <= exact)
        if len(rows):
            of_rows = [Body(s.take(rows), origin[rows], digits) for s in ends]
            truth = largest_gap(*of_rows)[0]
            volume = truth < -exact[rows]
            yield _at(rows, volume & (truth > core[rows] + exact[rows]), len(a)), "a shorter translation"
            yield _at(rows, volume & (core[rows] > truth + exact[rows]), len(a)), "not as deep as said"
            within = np.minimum(truth, 0.0) - exact[rows]
            yield _at(rows, ~volume & (core[rows] < within), len(a)), "overlap of what only touches"
            yield _at(rows, (truth > exact[rows]) & (core[rows] <= 0.0), len(a)), "overlap of what is apart"
    for holds, outer, inner in ((answers.holds, 0, 1), (answers.held, 1, 0)):
        # A round shape contains what is outside by as much as a distance may be off.
        yield from _holding(holds, bodies[outer], bodies[inner], exact + (_FAR * size if mapped else 0.0))


def _solid(shapes: Shapes) -> np.ndarray:
    """Return which shapes have an inside as thick as a hundred millionth of their size."""
    match shapes:
        case ck.Spheres() | ck.Capsules():
            return shapes.radius > 0.0
        case ck.Cylinders() | ck.Cones():
            height = norm(shapes.end - shapes.start if isinstance(shapes, ck.Cylinders) else shapes.apex - shapes.base)
            thickness = np.minimum(shapes.radius, height)
        case ck.Ellipsoids():
            thickness = shapes.radii.min(axis=1)
        case ck.Boxes():
            thickness = shapes.half_extents.min(axis=1)
        case ck.Triangles():
            return np.zeros(len(shapes), dtype=bool)
        case ck.Hulls():
            return np.array([len(hull.faces) > 3 and hull.volume > 0.0 for hull in shapes.geometry])[shapes.index]
    return thickness > 1e-8 * shapes.bounding_spheres()[1]


def _at(rows: np.ndarray, bad: np.ndarray, count: int) -> np.ndarray:
    result = np.zeros(count, dtype=bool)
    result[rows[bad]] = True
    return result


def _height(shapes: Shapes, body: Body | None, origin: np.ndarray) -> Any:
    """Return how far a shape reaches along unit directions from the origin; an unbounded one only along its normal."""
    if body is not None:
        return body.height

    def height(direction: np.ndarray) -> np.ndarray:
        normal = shapes.normal.astype(np.longdouble)
        level = shapes.offset - dot(normal, origin)
        along = dot(normal, direction)
        front = np.where(along > 1.0 - 1e-12, level, np.inf)
        return np.where(along < -1.0 + 1e-12, -level, front) if isinstance(shapes, ck.Planes) else front

    return height


def _off(shapes: Shapes, body: Body | None, origin: np.ndarray, point: np.ndarray) -> np.ndarray:
    if body is not None:
        return body.off(point)
    normal = shapes.normal.astype(np.longdouble)
    height = dot(normal, point) - (shapes.offset - dot(normal, origin))
    return np.abs(height) if isinstance(shapes, ck.Planes) else np.maximum(height, 0.0)


def _contacts(
    ends: tuple[Shapes, Shapes],
    bodies: list[Body | None],
    origin: np.ndarray,
    touch: ck.Contacts,
    size: np.ndarray,
    exact: np.ndarray,
    name: str,
    digits: type,
) -> Iterator[tuple[np.ndarray, str]]:
    """Half the depth either way along the normal lies on the one and on the other surface."""
    count, rows = len(size), touch.pair
    yield _at(rows, np.abs(norm(touch.normal) - 1.0) > 1e-12, count), f"the normal of a {name} is no unit vector"
    yield _at(rows, ~np.isfinite(touch.point).all(axis=1), count), f"a {name} is not finite"
    for shapes, body, side, sign in zip(ends, bodies, "AB", (0.5, -0.5), strict=True):
        surface = touch.point.astype(np.longdouble) + sign * touch.depth[:, None] * touch.normal - origin[rows]
        chosen = None if body is None else Body(shapes.take(rows), origin[rows], digits)
        off = _off(shapes.take(rows), chosen, origin[rows], surface.astype(digits))
        yield _at(rows, off > exact[rows] + CONTACT * size[rows], count), f"a {name} is off {side}"


def _searched(a: Body, b: Body, rows: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The largest gap of some pairs that a search over directions comes upon."""
    rng = np.random.default_rng(len(rows))
    taken = [Body(body.shapes.take(rows), body.origin[rows]) for body in (a, b)]
    starts = [np.broadcast_to(unit(rng.normal(size=(64, 3))), (len(rows), 64, 3)), normal[rows, None].astype(float)]
    edges = [body.edges()[0] for body in taken]
    crosses = np.cross(edges[0][:, :, None], edges[1][:, None]).reshape(len(rows), -1, 3)
    starts += [sign * unit(each) for each in (*edges, crosses) for sign in (1.0, -1.0)]

    def gap(direction: np.ndarray) -> np.ndarray:
        return np.where(direction.any(axis=2), -taken[1].height(-direction) - taken[0].height(direction), -np.inf)

    direction = np.concatenate(starts, axis=1)
    best = np.argsort(-gap(direction), axis=1)[:, :6]
    direction = np.take_along_axis(direction, best[..., None], axis=1)
    value, step = gap(direction), 0.3
    for _ in range(80):
        tried = unit(direction + step * rng.normal(size=direction.shape))
        level = gap(tried)
        better = level > value
        direction, value = np.where(better[..., None], tried, direction), np.where(better, level, value)
        step *= 0.8
    return value.max(axis=1)


def _holding(holds: np.ndarray, outer: Body, inner: Body, exact: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
    """Contained shapes reach no farther along any facet's normal; others do so along one."""
    facets = outer.facets()
    level = [np.where(axis.any(axis=1), inner.height(axis) - outer.height(axis), -np.inf) for axis in facets]
    beyond = np.max(level, axis=0)
    yield holds & (beyond > exact), "holds what reaches out"
    vertices = [inner.points[:, k] for k in range(inner.points.shape[1])]
    if isinstance(outer.shapes, ck.Spheres | ck.Capsules) and not inner.curved:
        beyond = np.max([outer.off_core(v) for v in vertices], axis=0) + inner.radius - outer.radius
        yield holds & (beyond > exact), "holds what reaches out"
        yield ~holds & (beyond < -exact), "does not hold what is inside"
    elif isinstance(outer.shapes, ck.Boxes | ck.Hulls):
        yield ~holds & outer.solid & (beyond < -exact), "does not hold what is inside"
    if holds.any():
        yield holds & (np.max([outer.off(v) for v in vertices], axis=0) > exact), "holds what reaches out"
