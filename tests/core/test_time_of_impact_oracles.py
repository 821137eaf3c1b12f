# SPDX-License-Identifier: GPL-3.0-or-later
"""No impact is missed: sweeps against exact arithmetic and dense sampling, thousands quick and millions offline."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.numerics.tolerances import ADVANCEMENT
from tests.helpers import zoo
from tests.helpers.offline import MANY, by_turns, many

K = ck.Kind
CONVEX = [kinds for kinds in PAIRS if max(kinds) <= K.PLANE]
PARTED = [*(kinds for kinds in PAIRS if max(kinds) > K.PLANE), *((kind, K.COMPOUND) for kind in K)]
# Shapes made at a time; the same ones are swept in many ways.
SHAPES = 500


def name(kinds):
    return f"{kinds[0].name}-{kinds[1].name}".lower()


CELLS = [pytest.param(kinds, id=name(kinds)) for kinds in CONVEX]


def counts(quick, slow):
    return pytest.mark.parametrize("count", [quick, pytest.param(slow, marks=pytest.mark.slow)])


# Exact: corners on a lattice, so that entries are quotients of integers.


def lattice(kind, rng, count):
    """Integer corners (N, V, 3), directions with those of the edges among them (N, E, 3), and the polytopes."""
    place = rng.integers(-3, 4, (count, 1, 3)).astype(float)
    match kind:
        case K.BOX:
            half, turn = rng.integers(0, 4, (count, 1, 3)), zoo.quarter_turns(rng, count)
            signs = np.array(list(itertools.product((-1, 1), repeat=3)))
            corners = place + (signs * half) @ turn.transpose(0, 2, 1)
            return corners, turn, ck.Boxes(place[:, 0], half[:, 0], turn)
        case K.TRIANGLE:
            corners = place + rng.integers(-3, 4, (count, 3, 3))
            return corners, corners - np.roll(corners, 1, axis=1), ck.Triangles(corners)
        case K.HULL:
            made = rng.integers(-3, 4, (60, 5, 3)).astype(float)
            index = rng.integers(0, len(made), count)
            corners = made[index] + place
            first, second = np.triu_indices(5, 1)
            shapes = ck.Hulls(ck.convex_hulls(list(made)), index, place[:, 0])
            return corners, corners[:, first] - corners[:, second], shapes


def exact_contact(corners_a, corners_b, ways, path):
    """First contact by the moving separating axis test in integers, of pairs (P, V, 3) and B's path (P, 3): hit, time.

    Every facet of B - A contains two of its edges, and these are edges of A or of B, so that the cross products of
    `ways` (P, E, 3) are normals enough. Where B - A is flat, those with the coordinate axes take the place of normals
    within its plane, and the coordinate axes themselves that of the direction of a segment. All numbers are integers
    below 2^53 in float64, so that no arithmetic but the quotients rounds.
    """
    count = len(path)
    ways = np.concatenate([ways, np.broadcast_to(np.eye(3), (count, 3, 3))], axis=1)
    first, second = np.triu_indices(ways.shape[1], 1)
    axes = np.concatenate([np.cross(ways[:, first], ways[:, second]), ways[:, -3:]], axis=1)
    on_a, on_b = (axes @ corners.transpose(0, 2, 1) for corners in (corners_a, corners_b))
    speed = (axes @ path[:, :, None])[:, :, 0]
    ahead, behind = on_b.min(axis=2) - on_a.max(axis=2), on_b.max(axis=2) - on_a.min(axis=2)
    never = (speed == 0) & ((ahead > 0) | (behind < 0))
    # Numerators and denominators, these above zero, of when the projections meet and when they part.
    moving, rate = speed != 0, np.where(speed == 0, 1, np.abs(speed))
    meet = np.where(speed < 0, ahead, -behind)
    part = np.where(speed < 0, behind, -ahead)
    entry, leave = np.where(moving, meet / rate, -np.inf), np.where(moving, part / rate, np.inf)
    at, last, first = np.arange(count), entry.argmax(axis=1), leave.argmin(axis=1)
    # Fractions of small numbers that differ do so by far more than rounding, so the largest is found by its quotient.
    begin, begin_rate = meet[at, last], rate[at, last]
    end, end_rate = part[at, first], rate[at, first]
    still = ~moving.any(axis=1)
    hit = ~never.any(axis=1) & (still | ((begin * end_rate <= end * begin_rate) & (begin <= begin_rate) & (end >= 0)))
    return hit, np.where(hit, np.maximum(entry[at, last], 0.0), np.inf)


LATTICE = list(itertools.combinations_with_replacement((K.BOX, K.TRIANGLE, K.HULL), 2))


@counts(600, MANY)
@pytest.mark.parametrize("kinds", LATTICE, ids=name)
def test_displaced_polytopes_meet_exactly_when_integers_say_so(kinds, count):
    rng = np.random.default_rng([1, *kinds])
    for start in range(0, count, 2000):
        rows = min(2000, count - start)
        (corners_a, ways_a, a), (corners_b, ways_b, b) = (lattice(kind, rng, rows) for kind in kinds)
        ways = np.concatenate([ways_a, ways_b], axis=1)
        away = rng.integers(-9, 10, (rows, 3))
        path = np.where(np.arange(rows)[:, None] % 3 > 0, -2 * away, 0) + rng.integers(-2, 3, (rows, 3))
        half = rng.integers(-2, 3, (rows, 3))  # a part of the motion is A's
        hit, time = exact_contact(corners_a, corners_b + away[:, None], ways, path)
        found = ck.time_of_impact(a, zoo.moved(b, away), velocity_a=half, velocity_b=path + half)
        assert found.decided.all()
        np.testing.assert_array_equal(found.hit, hit)
        np.testing.assert_allclose(found.time, time, rtol=0.0, atol=1e-12)
        leaving = ck.last_contact(a, zoo.moved(b, away), velocity_a=half, velocity_b=path + half)
        back, until = exact_contact(corners_a, corners_b + (away + path)[:, None], ways, -path)
        np.testing.assert_array_equal(leaving.hit, back)
        np.testing.assert_array_equal(back, hit)
        np.testing.assert_allclose(leaving.time[hit], 1.0 - until[hit], rtol=0.0, atol=1e-12)


# Dense sampling: what overlaps at some time has been hit by then.


def thrown(kinds, rng, count):
    """Pairs and motions that take about half of them into each other."""
    a, b = (zoo.generic(kind, rng, min(count, SHAPES)) for kind in kinds)
    a, b = (shapes.take(rng.integers(0, len(shapes), count)) for shapes in (a, b))
    away = rng.normal(size=(count, 3))
    away *= rng.uniform(0.0, 5.0, count)[:, None] / np.linalg.norm(away, axis=1, keepdims=True)
    still = np.broadcast_to(np.eye(3), (count, 3, 3))
    va = rng.normal(size=(count, 3))
    return a, b.placed(still, away), va, va - 1.6 * away + rng.normal(size=(count, 3))


def size(a, b):
    radii = [shapes.bounding_spheres()[1] for shapes in (a, b)]
    return sum(np.where(np.isfinite(radius), radius, 0.0) for radius in radii)


def placed(shapes, motion, time):
    return shapes.placed(*motion.pose(np.broadcast_to(time, (len(shapes),)).astype(float)))


def sampled(a, b, motions, found, times, slack):
    """Nothing overlaps before it is hit; what is undecided does not overlap as far as the proof got."""
    late = np.zeros(len(a), dtype=bool)
    for time in times:
        before = np.flatnonzero(time < found.safe - slack)
        pair = (placed(x.take(before), motion.take(before), time) for x, motion in zip((a, b), motions, strict=True))
        late[before] |= ck.overlap(*pair)
    assert not late.any(), np.flatnonzero(late)


def nearest(a, b, motions, end, steps=45):
    """The least distance before `end`, by golden section: of convex shapes in straight motion it is a convex one."""
    ratio = (np.sqrt(5.0) - 1.0) / 2.0

    def gap(time):
        return ck.distance(*(placed(x, motion, time) for x, motion in zip((a, b), motions, strict=True))).distance

    low, high = np.zeros(len(a)), np.array(end)
    for _ in range(steps):
        step = ratio * (high - low)
        left, right = high - step, low + step
        falls = gap(left) > gap(right)
        low, high = np.where(falls, left, low), np.where(falls, high, right)
    return gap((low + high) / 2.0)


def exactness(kinds):
    return 1e-8 if K.CYLINDER in kinds else 1e-11


@counts(100, many(2_000, 100_000))
@pytest.mark.parametrize("kinds", by_turns(CELLS, 3, 0))
def test_no_impact_of_displaced_shapes_is_missed(kinds, count):
    rng = np.random.default_rng([2, *kinds])
    for start in range(0, count, 5000):
        rows = min(5000, count - start)
        a, b, va, vb = thrown(kinds, rng, rows)
        found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
        assert found.decided.all()
        motions = [ck.RigidMotion(v, 0.0 * v, 0.0 * v) for v in (va, vb)]
        sampled(a, b, motions, found, np.linspace(0.0, 1.0, 17 if count > 1000 else 7), 1e-9)
        hit = np.flatnonzero(found.hit & (found.time > 0.0))
        assert 0.05 * rows < len(hit) < 0.95 * rows
        # At the time they touch, and at the point: it is as near to both.
        then = [placed(x.take(hit), m.take(hit), found.time[hit]) for x, m in zip((a, b), motions, strict=True)]
        met = ck.distance(*then)
        np.testing.assert_allclose(met.distance, 0.0, atol=exactness(kinds))
        spot = ck.Spheres(found.point[hit], np.zeros(len(hit)))
        for shapes in then:
            np.testing.assert_allclose(ck.distance(shapes, spot).distance, 0.0, atol=1e-5)


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        pytest.param(kinds, count, marks=[pytest.mark.slow] * (count > 100), id=f"{name(kinds)}-{count}")
        for count, some in (
            (60, [(K.SPHERE, K.BOX), (K.CAPSULE, K.TRIANGLE), (K.BOX, K.BOX)]),
            (many(200, 10_000), CONVEX),
        )
        for kinds in some
    ],
)
def test_between_the_samples_nothing_is_missed_either(kinds, count):
    """The least distance before the touch, and of those that never touch, is above zero."""
    rng = np.random.default_rng([6, *kinds])
    a, b, va, vb = thrown(kinds, rng, count)
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    some = np.flatnonzero(found.time > 1e-6)
    end = np.where(found.hit, found.time * (1.0 - 1e-6), 1.0)[some]
    motions = [ck.RigidMotion(v, 0.0 * v, 0.0 * v).take(some) for v in (va, vb)]
    assert (nearest(a.take(some), b.take(some), motions, end) > 0.0).all()


@counts(12, many(120, 5_000))
@pytest.mark.parametrize("kinds", by_turns(CELLS, 3, 2))
def test_no_impact_of_turning_shapes_is_missed(kinds, count):
    rng = np.random.default_rng([3, *kinds])
    a, b, va, vb = thrown(kinds, rng, count)
    spin_a, spin_b, pivot_a, pivot_b = rng.normal(scale=1.5, size=(4, count, 3))
    if kinds[1] >= K.HALF_SPACE:
        spin_b *= np.arange(count)[:, None] % 2
    motions = [ck.RigidMotion(va, spin_a, pivot_a), ck.RigidMotion(vb, spin_b, pivot_b)]
    # What comes near and near without touching would take very many steps.
    found = ck.time_of_impact(a, b, motion_a=motions[0], motion_b=motions[1], max_iterations=120)
    assert found.decided.mean() > 0.7 and (found.decided.all() or kinds[1] < K.HALF_SPACE)
    sampled(
        a,
        b,
        motions,
        found,
        np.linspace(0.0, 1.0, 201 if count > 100 else 21),
        0.0 if K.CYLINDER not in kinds else 1e-7,
    )
    # Early by no more than the tolerance: it is that near already.
    hit = np.flatnonzero(found.hit & (found.time > 0.0))
    met = ck.distance(
        *(placed(x.take(hit), m.take(hit), found.time[hit]) for x, m in zip((a, b), motions, strict=True))
    )
    near = ADVANCEMENT * size(a.take(hit), b.take(hit)) + 2.0 * met.rounding
    assert (met.distance <= near + (1e-8 if K.CYLINDER in kinds else 0.0)).all()
    assert (met.distance >= -exactness(kinds)).all()


@pytest.mark.parametrize(
    ("kinds", "count"),
    [((K.SPHERE, K.MESH), 6), ((K.BOX, K.COMPOUND), 6)]
    + [pytest.param(kinds, many(40, 200), marks=pytest.mark.slow) for kinds in PARTED],
)
def test_no_impact_of_meshes_and_bodies_is_missed(kinds, count):
    rng = np.random.default_rng([4, *kinds])
    a, b = (zoo.generic(kind, rng, count) for kind in kinds)
    va, away = rng.normal(size=(2, count, 3))
    b = zoo.moved(b, 3.0 * away)
    vb = va - 5.0 * away
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb, max_iterations=120)
    motions = [ck.RigidMotion(v, 0.0 * v, 0.0 * v) for v in (va, vb)]
    sampled(a, b, motions, found, np.linspace(0.0, 1.0, 41 if count > 100 else 9), 1e-9)
    hit = np.flatnonzero(found.hit & (found.time > 0.0))
    met = ck.distance(
        *(placed(x.take(hit), m.take(hit), found.time[hit]) for x, m in zip((a, b), motions, strict=True))
    )
    np.testing.assert_allclose(met.distance, 0.0, atol=1e-8)


@pytest.mark.parametrize(
    ("kinds", "count"),
    [((K.BOX, K.MESH), 8), ((K.MESH, K.MESH), 8), ((K.HALF_SPACE, K.MESH), 20), ((K.PLANE, K.MESH), 20)]
    + [pytest.param(kinds, many(24, 200), marks=pytest.mark.slow) for kinds in PAIRS if kinds[1] == K.MESH],
)
@pytest.mark.parametrize("spin", [0.2, 4.0])
def test_no_impact_of_turning_meshes_is_missed(kinds, count, spin):
    rng = np.random.default_rng([5, *kinds])
    a, b = (zoo.generic(kind, rng, count) for kind in kinds)
    va, away = rng.normal(size=(2, count, 3))
    b = zoo.moved(b, 3.0 * away)
    vb = va - 5.0 * away + rng.normal(size=(count, 3))
    spin_a, spin_b, pivot_a, pivot_b = rng.normal(scale=spin, size=(4, count, 3))
    motions = [ck.RigidMotion(va, spin_a, pivot_a), ck.RigidMotion(vb, spin_b, pivot_b + 3.0 * away)]
    found = ck.time_of_impact(a, b, motion_a=motions[0], motion_b=motions[1])
    assert found.decided.all()
    # Of shapes that rotate far, nearly all hit half-spaces, and few hit each other.
    assert spin > 1.0 or 0 < found.hit.sum() < count
    sampled(a, b, motions, found, np.linspace(0.0, 1.0, 201 if count > 100 else 41), 1e-9)
    hit = np.flatnonzero(found.hit & (found.time > 0.0))
    met = ck.distance(
        *(placed(x.take(hit), m.take(hit), found.time[hit]) for x, m in zip((a, b), motions, strict=True))
    )
    np.testing.assert_allclose(met.distance, 0.0, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(found.normal[hit], axis=1), 1.0, atol=1e-9)


# Thin and fast: ten thousand times their size in one interval, through what has no thickness.


def targets(rng, count):
    """Things without thickness about the origin, with their normals: rectangles, triangles, flat hulls, planes."""
    turn = zoo.rotations(rng, count)
    ring = np.array([[np.cos(k), np.sin(k), 0.0] for k in range(6)])
    normal = turn[:, :, 2]
    corners = np.array([[3, 0, 0], [-2, 2, 0], [-2, -2, 0]], dtype=float)
    return normal, {
        "rectangle": ck.Boxes(np.zeros((count, 3)), np.tile([2.0, 1.5, 0.0], (count, 1)), turn),
        "triangle": ck.Triangles(corners @ turn.transpose(0, 2, 1)),
        "hull": ck.Hulls(ck.convex_hulls([2.0 * ring]), np.zeros(count, dtype=int), np.zeros((count, 3)), turn),
        "plane": ck.Planes(normal, np.zeros(count)),
    }


@counts(500, MANY)
def test_bullets_do_not_pass_through_paper(count):
    rng = np.random.default_rng(5)
    normal, sheets = targets(rng, count)
    small = 10.0 ** rng.uniform(-4.0, -2.0, count)
    side = np.where(rng.random(count) < 0.5, 1.0, -1.0)[:, None] * normal
    aim = np.cross(normal, rng.normal(size=(count, 3)))
    aim *= (rng.uniform(0.0, 0.5, count) / np.linalg.norm(aim, axis=1))[:, None]
    way = -side + 0.3 * rng.normal(size=(count, 3))
    way += side * np.maximum(np.einsum("ni,ni->n", way, side) + 0.2, 0.0)[:, None] * -1.0
    velocity = way * (1e4 * small / np.linalg.norm(way, axis=1))[:, None]
    start = aim - rng.uniform(0.1, 0.9, count)[:, None] * velocity
    turn = zoo.rotations(rng, count)
    half = small[:, None] * rng.uniform(0.2, 1.0, (count, 3))
    for shots, reach in (
        (ck.Spheres(start, small), small),
        (ck.Boxes(start, half, turn), (np.abs(np.einsum("nij,ni->nj", turn, normal)) * half).sum(axis=1)),
    ):
        falling = -np.einsum("ni,ni->n", velocity, side)
        expected = np.maximum((np.einsum("ni,ni->n", start, side) - reach) / falling, 0.0)
        for sheet in sheets.values():
            found = ck.time_of_impact(sheet, shots, velocity_b=velocity)
            assert found.hit.all()
            np.testing.assert_allclose(found.time, expected, atol=1e-10)
            flying = expected > 0.0
            facing = np.einsum("ni,ni->n", found.normal, side)
            np.testing.assert_allclose(facing[flying], 1.0, atol=1e-9)
