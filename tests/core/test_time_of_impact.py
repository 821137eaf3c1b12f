# SPDX-License-Identifier: GPL-3.0-or-later
"""Time of impact: the shapes touch then, and did not before; certificates and closed forms."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.table import PAIRS
from tests.helpers import zoo
from tests.helpers.offline import by_turns, slow

CONVEX = [kinds for kinds in PAIRS if max(kinds) <= ck.Kind.PLANE]


def name(kinds):
    return f"{kinds[0].name}-{kinds[1].name}".lower()


CELLS = [
    pytest.param(kinds, maker, id=f"{name(kinds)}-{maker}") for kinds, maker in itertools.product(CONVEX, zoo.MAKERS)
]


def cells(turn):
    """Of every two pairs of kinds, the quick tests draw one in one of the ways; the slow ones draw the others."""
    return pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, 2 * len(zoo.MAKERS), turn))


SMOOTH = (ck.Kind.CYLINDER,)
POLYTOPES = (ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)
COUNT = 40


def sweeps(kinds, maker, seed=1):
    """Shapes of which some start together and most apart, and velocities that take some of them through each other."""
    rng = np.random.default_rng([seed, *kinds])
    a, b = (zoo.MAKERS[maker](kind, rng, COUNT) for kind in kinds)
    if maker == "generic":
        away = rng.normal(size=(COUNT, 3))
        away *= rng.uniform(0.0, 5.0, COUNT)[:, None] / np.linalg.norm(away, axis=1, keepdims=True)
        return a, zoo.moved(b, away), rng.normal(size=(COUNT, 3)), -1.5 * away + rng.normal(size=(COUNT, 3))
    away = rng.integers(-3, 4, (COUNT, 3)) * 1.0
    return a, zoo.moved(b, away), rng.integers(-1, 2, (COUNT, 3)) * 1.0, -2.0 * away + rng.integers(-1, 2, (COUNT, 3))


def at(shapes, velocity, time):
    return zoo.moved(shapes, velocity * np.reshape(time, (-1, 1)))


def exactness(kinds):
    return 1e-8 if set(kinds) & set(SMOOTH) else 1e-11


@cells(0)
def test_at_the_time_of_impact_they_touch_and_before_it_they_do_not(kinds, maker):
    a, b, va, vb = sweeps(kinds, maker)
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    assert found.decided.all()
    assert 3 < found.hit.sum() < COUNT
    hit = np.flatnonzero(found.hit)
    time = found.time[hit]
    assert ((time >= 0.0) & (time <= 1.0)).all()
    then = ck.distance(at(a.take(hit), va[hit], time), at(b.take(hit), vb[hit], time))
    moving = time > 0.0
    np.testing.assert_allclose(then.distance[moving], 0.0, atol=exactness(kinds))
    assert (then.distance[~moving] <= then.rounding[~moving]).all()
    if maker == "generic":  # faces on faces touch at many points
        np.testing.assert_allclose(found.point[hit], (then.point_a + then.point_b) / 2.0, atol=1e-6)
    np.testing.assert_array_equal(found.safe, np.where(found.hit, found.time, 1.0))
    assert np.isinf(found.time[~found.hit]).all() and np.isnan(found.point[~found.hit]).all()
    for step in np.linspace(0.0, 1.0, 13):
        gap = ck.distance(at(a, va, np.full(COUNT, step)), at(b, vb, np.full(COUNT, step))).distance
        assert (gap[step < found.safe - 1e-9] > -exactness(kinds)).all()


@cells(1)
def test_the_largest_entry_over_the_axes_is_the_time_of_impact_of_polytopes(kinds, maker):
    a, b, va, vb = sweeps(kinds, maker)
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    swept = ck.swept_axes(a, b, velocity_a=va, velocity_b=vb)
    entry, leave = swept.entry[swept.first], swept.exit[swept.last]
    hit = found.hit & (found.time > 0.0)
    # No axis lets them in later than they touch, or out before.
    assert (entry[hit] <= found.time[hit] + 1e-9).all()
    assert (leave[hit] >= found.time[hit] - 1e-9).all()
    unbounded = {ck.Kind.HALF_SPACE, ck.Kind.PLANE} & {*kinds}
    if set(kinds) <= set(POLYTOPES) or unbounded:
        np.testing.assert_allclose(entry[hit], found.time[hit], atol=1e-9)
        clear = ~np.isclose(entry, leave) & (np.abs(entry) > 1e-6) & (np.abs(leave) > 1e-6)
        clear &= np.abs(entry - 1.0) > 1e-6
        # A segment has too few directions of its own to tell what passes it by.
        thin = (swept.axes.status == ck.AxisStatus.DEGENERATE) & (swept.axes.source != ck.AxisSource.EDGES)
        clear[swept.axes.pair[thin]] = False
        expected = (entry <= leave) & (entry <= 1.0) & (leave >= 0.0)
        np.testing.assert_array_equal(found.hit[clear], expected[clear])


@pytest.mark.parametrize("kinds", [*CONVEX[::2], *slow(*CONVEX[1::2])], ids=name)
def test_swapping_and_taking_one_at_a_time_change_nothing(kinds):
    a, b, va, vb = sweeps(kinds, "generic", seed=2)
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    turned = ck.time_of_impact(b, a, velocity_a=vb, velocity_b=va)
    np.testing.assert_array_equal(found.hit, turned.hit)
    np.testing.assert_allclose(found.time, turned.time, atol=1e-7 if set(kinds) & set(SMOOTH) else 1e-9)
    relative = ck.time_of_impact(a, b, velocity_b=vb - va)
    np.testing.assert_allclose(relative.time, found.time, atol=1e-7 if set(kinds) & set(SMOOTH) else 1e-9)
    for row in range(0, COUNT, 12):
        one = np.array([row])
        alone = ck.time_of_impact(a.take(one), b.take(one), velocity_a=va[one], velocity_b=vb[one])
        np.testing.assert_allclose(alone.time, found.time[one], atol=1e-7 if set(kinds) & set(SMOOTH) else 1e-9)


def test_the_point_of_boxes_that_overlap_at_the_start_is_midway_between_their_surfaces():
    rng = np.random.default_rng(8)
    a, b = (zoo.generic(ck.Kind.BOX, rng, 400) for _ in range(2))
    b = zoo.moved(b, a.center - b.center + rng.normal(scale=0.5, size=(400, 3)))
    found = ck.time_of_impact(a, b, velocity_a=rng.normal(size=(400, 3)))
    start = np.flatnonzero(found.hit & (found.time == 0.0))
    a, b, point, normal = a.take(start), b.take(start), found.point[start], found.normal[start]
    axes = ck.separating_axis(a, b)
    assert len(start) > 200 and (axes.gap < -0.1).sum() > 100
    np.testing.assert_allclose(normal, axes.axis, atol=1e-12)
    half = normal * (axes.gap / 2.0)[:, None]
    np.testing.assert_allclose(ck.signed_distance(a, point - half), 0.0, atol=1e-12)
    np.testing.assert_allclose(ck.signed_distance(b, point + half), 0.0, atol=1e-12)


def ball(center, radius=1.0):
    return ck.Spheres([center], [radius])


def test_two_balls_meet_when_the_quadratic_says():
    rng = np.random.default_rng(4)
    a, b = (zoo.generic(ck.Kind.SPHERE, rng, 4000) for _ in range(2))
    b = zoo.moved(b, rng.normal(scale=3.0, size=(4000, 3)))
    v = rng.normal(scale=4.0, size=(4000, 3))
    apart, reach = b.center - a.center, a.radius + b.radius
    square, half, rest = (v * v).sum(axis=1), (v * apart).sum(axis=1), (apart * apart).sum(axis=1) - reach**2
    root = half**2 - square * rest
    time = (-half - np.sqrt(np.maximum(root, 0.0))) / square
    hit = (rest <= 0.0) | ((root >= 0.0) & (time >= 0.0) & (time <= 1.0))
    found = ck.time_of_impact(a, b, velocity_b=v)
    np.testing.assert_array_equal(found.hit, hit)
    np.testing.assert_allclose(found.time[hit], np.where(rest <= 0.0, 0.0, time)[hit], atol=1e-12)


@pytest.mark.parametrize(
    ("start", "velocity", "time"),
    [
        ([4, 0, 0], [-4, 0, 0], 0.5),
        ([4, 0, 0], [-2, 0, 0], 1.0),  # at the very end
        ([4, 0, 0], [-1.999999, 0, 0], np.inf),
        ([4, 0, 0], [4, 0, 0], np.inf),
        ([4, 2, 0], [-8, 0, 0], 0.5),  # grazing
        ([4, 2.000001, 0], [-8, 0, 0], np.inf),
        ([4, 0, 0], [0, 0, 0], np.inf),
        ([1, 0, 0], [0, 0, 0], 0.0),  # overlapping, at rest
        ([2, 0, 0], [5, 0, 0], 0.0),  # touching at the start, and leaving
        ([2, 0, 0], [0, 5, 0], 0.0),
        ([3, 0, 0], [0, 5, 0], np.inf),
    ],
)
def test_each_case_of_two_balls_is_defined(start, velocity, time):
    found = ck.time_of_impact(ball([0, 0, 0]), ball(start), velocity_b=[velocity])
    assert found.hit[0] == np.isfinite(time)
    np.testing.assert_allclose(found.time[0], time, atol=1e-7 if start[1] else 1e-12)


@pytest.mark.parametrize(
    ("start", "velocity", "time"),
    [
        ([4, 0, 0], [-4, 0, 0], 0.5),
        ([4, 2, 0], [-4, 0, 0], 0.5),  # face slides along face, and an edge meets an edge
        ([4, 2, 2], [-4, 0, 0], 0.5),  # corner meets corner
        ([4, 4, 4], [-4, -4, -4], 0.5),
        ([4, 4, 0], [-2, -4, 0], 1.0),
        ([4, 4, 0], [-2, -1.99, 0], np.inf),
        ([2, 0, 0], [0, 9, 0], 0.0),
        ([2.5, 0, 0], [0, 9, 0], np.inf),
        ([0, 0, 0], [9, 0, 0], 0.0),
    ],
)
def test_each_case_of_two_aligned_boxes_is_defined(start, velocity, time):
    cube = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    found = ck.time_of_impact(cube, ck.Boxes([start], [[1, 1, 1]]), velocity_b=[velocity])
    np.testing.assert_allclose(found.time[0], time, atol=1e-12)


def test_a_bullet_does_not_pass_through_paper():
    rng = np.random.default_rng(6)
    paper = ck.Triangles(np.array([[[-9, -9, 0], [9, -9, 0], [0, 12, 0]]], dtype=float))
    sheet = ck.Boxes([[0, 0, 0]], [[5, 5, 0]])
    start = np.column_stack([rng.uniform(-1, 1, (500, 2)), rng.uniform(50, 100, 500)])
    shots = ck.Spheres(start, np.full(500, 1e-3))
    velocity = np.column_stack([rng.uniform(-1, 1, (500, 2)), -rng.uniform(1e3, 1e4, 500)])
    for target in (paper, sheet):
        found = ck.time_of_impact(target, shots, velocity_b=velocity)
        assert found.hit.all()
        np.testing.assert_allclose(found.time, (start[:, 2] - 1e-3) / -velocity[:, 2], rtol=1e-11)
        np.testing.assert_allclose(found.normal, np.tile([0, 0, 1], (500, 1)), atol=1e-9)


TURNING = [kinds for kinds in CONVEX if not {ck.Kind.CYLINDER} & {*kinds}]


@pytest.mark.parametrize("kinds", [*TURNING[::2], *slow(*TURNING[1::2])], ids=name)
def test_turning_shapes_touch_when_they_are_said_to_and_not_before(kinds):
    a, b, va, vb = sweeps(kinds, "generic", seed=3)
    rng = np.random.default_rng(7)
    spin_a, spin_b, pivot_a, pivot_b = rng.normal(scale=2.0, size=(4, COUNT, 3))
    pivot_b = pivot_b + vb
    if kinds[1] in (ck.Kind.HALF_SPACE, ck.Kind.PLANE):
        spin_b *= np.arange(COUNT)[:, None] % 2  # some of them turn, others are only displaced
    moves = ck.RigidMotion(va, spin_a, pivot_a), ck.RigidMotion(vb, spin_b, pivot_b)
    found = ck.time_of_impact(
        a,
        b,
        velocity_a=va,
        velocity_b=vb,
        angular_velocity_a=spin_a,
        angular_velocity_b=spin_b,
        pivot_a=pivot_a,
        pivot_b=pivot_b,
    )
    assert found.decided.mean() > 0.9  # a box that stands on a turning plane comes near it and near it
    assert found.hit.any()

    def gap(time, rows):
        placed = [
            shapes.take(rows).placed(*move.take(rows).pose(time[rows]))
            for shapes, move in zip((a, b), moves, strict=True)
        ]
        return ck.distance(*placed).distance

    hit = np.flatnonzero(found.hit & (found.time > 0.0))
    np.testing.assert_allclose(gap(found.time, hit), 0.0, atol=1e-7)
    for step in np.linspace(0.0, 1.0, 25):
        before = np.flatnonzero(step < found.safe - 1e-9)
        assert (gap(np.full(COUNT, step), before) > 0.0).all()


def test_a_clock_hand_meets_a_peg_at_the_right_angle():
    """A hand of length 2 and radius 0.1 turns a quarter, a peg of radius 0.2 stands in its way."""
    hand = ck.Capsules([[0, 0, 0]], [[2, 0, 0]], [0.1])
    angle = np.radians(50.0)
    peg = ball(1.5 * np.array([np.cos(angle), np.sin(angle), 0.0]), 0.2)
    found = ck.time_of_impact(hand, peg, angular_velocity_a=[[0, 0, np.pi / 2.0]])
    np.testing.assert_allclose(found.time, (angle - np.arcsin(0.3 / 1.5)) / (np.pi / 2.0), atol=1e-7)
    # The other way round it has a long way to go.
    back = ck.time_of_impact(hand, peg, angular_velocity_a=[[0, 0, -2.0 * np.pi]])
    np.testing.assert_allclose(back.time, 1.0 - (angle + np.arcsin(0.3 / 1.5)) / (2.0 * np.pi), atol=1e-7)


def test_a_full_turn_ends_where_it_began():
    hand = ck.Capsules([[0, 0, 0]], [[2, 0, 0]], [0.1])
    peg = ball([1.5, -0.35, 0], 0.2)
    found = ck.time_of_impact(hand, peg, angular_velocity_a=[[0, 0, 2.0 * np.pi]])
    beside = np.arcsin(0.35 / np.hypot(1.5, 0.35)) + np.arcsin(0.3 / np.hypot(1.5, 0.35))
    np.testing.assert_allclose(found.time, 1.0 - beside / (2.0 * np.pi), atol=1e-7)


def test_what_is_not_settled_says_how_far_the_proof_got():
    hand = ck.Capsules([[0, 0, 0]], [[2, 0, 0]], [0.1])
    peg = ball([0, 1.5, 0], 0.2)
    full = ck.time_of_impact(hand, peg, angular_velocity_a=[[0, 0, np.pi]])
    cut = ck.time_of_impact(hand, peg, angular_velocity_a=[[0, 0, np.pi]], max_iterations=2)
    assert not cut.decided[0] and not cut.hit[0]
    assert 0.0 < cut.safe[0] < full.time[0]


def test_motions_of_ones_own():
    class Spring:
        """Along z, half a unit up and down again."""

        def __init__(self, count):
            self.count = count

        def take(self, rows):
            return Spring(len(rows))

        def pose(self, time):
            up = np.zeros((self.count, 3))
            up[:, 2] = 0.5 * np.sin(np.pi * time)
            return np.tile(np.eye(3), (self.count, 1, 1)), up

        def max_approach_speed(self, normal, center, radius, time):
            return 0.5 * np.pi * np.abs(normal[:, 2])

        def max_speed(self, center, radius, time):
            return np.full(self.count, 0.5 * np.pi)

    lid = ck.Boxes(np.array([[0, 0, 2.25], [0, 0, 2.6]]), np.ones((2, 3)))
    found = ck.time_of_impact(ck.Boxes([[0, 0, 0], [0, 0, 0]], np.ones((2, 3))), lid, motion_a=Spring(2))
    assert found.hit.tolist() == [True, False]
    np.testing.assert_allclose(found.time[0], np.arcsin(0.5) / np.pi, atol=1e-6)
    with pytest.raises(ValueError, match="motion_a: given together"):
        ck.time_of_impact(lid, lid, motion_a=Spring(2), velocity_a=[[0, 0, 1]])


def test_pairs_broadcasting_and_bad_input():
    rng = np.random.default_rng(8)
    shapes, velocity = zoo.generic(ck.Kind.BOX, rng, 20), rng.normal(size=(20, 3))
    pairs = rng.integers(0, 20, (40, 2))
    found = ck.time_of_impact(shapes, shapes, pairs, velocity_a=velocity, velocity_b=-velocity)
    i, j = pairs.T
    alone = ck.time_of_impact(shapes.take(i), shapes.take(j), velocity_a=velocity[i], velocity_b=-velocity[j])
    np.testing.assert_allclose(found.time, alone.time, atol=1e-12)
    same = ck.time_of_impact(shapes, shapes, pairs, velocity_a=[[1, 0, 0]], velocity_b=[[1, 0, 0]])
    np.testing.assert_array_equal(same.hit, ck.overlap(shapes, shapes, pairs))
    with pytest.raises(ValueError, match="velocity_b: 3 rows, but b has 20"):
        ck.time_of_impact(shapes, shapes, pairs, velocity_b=np.zeros((3, 3)))
    with pytest.raises(ValueError, match="pivot_a: row 1 is not finite"):
        ck.time_of_impact(shapes, shapes, pivot_a=np.where(np.arange(20)[:, None] == 1, np.nan, np.zeros((20, 3))))
    floors = ck.HalfSpaces([[0, 0, 1]], [0])
    with pytest.raises(ck.UnsupportedPair):
        ck.time_of_impact(floors, floors)


RING = [[1, 0], [0.5, 0.9], [-0.5, 0.9], [-1, 0], [-0.5, -0.9], [0.5, -0.9]]


def tube(length, inner=0.6):
    """A hexagonal tube along z, open at its ends: nothing convex about it."""
    outside = np.array([[*corner, z] for z in (-length, length) for corner in RING])
    points = np.vstack([outside, outside * [inner, inner, 1.0]])
    faces = []
    for k in range(6):
        a, b = k, (k + 1) % 6
        for p, q, r, s in ((a, b, b + 6, a + 6), (a + 12, a + 18, b + 18, b + 12)):
            faces += [[p, q, r], [p, r, s]]
        for p, q, r, s in ((a + 6, b + 6, b + 18, a + 18), (a, a + 12, b + 12, b)):
            faces += [[p, q, r], [p, r, s]]
    return ck.Meshes.from_triangles([(points, faces)])


@pytest.mark.parametrize(
    ("start", "velocity", "time"),
    [
        ([0, 0, 5], [0, 0, -10], np.inf),  # through the bore
        ([0, 0.45, 5], [0, 0, -10], 0.4 - 0.02),  # against the rim, which is at z = 1
        ([0, 0, 0], [0, 2, 0], (0.54 - 0.2) / 2.0),  # from within against the bore
        ([0.8, 0, 5], [0, 0, -2], np.inf),
        ([0.8, 0, 5], [0, 0, -10], 0.38),
    ],
)
def test_a_ball_flies_through_a_tube_or_hits_it(start, velocity, time):
    found = ck.time_of_impact(tube(1.0), ball(start, 0.2), velocity_b=[velocity])
    assert found.decided[0]
    if np.isinf(time):
        assert not found.hit[0]
        return
    # The ball meets faces, edges and corners; where it does not meet a face head on, it comes closer first.
    then = ck.distance(tube(1.0), ball(np.add(start, np.multiply(velocity, found.time[0])), 0.2))
    np.testing.assert_allclose(then.distance, 0.0, atol=1e-7)
    assert found.time[0] == pytest.approx(time, abs=0.02)


def test_assemblies_touch_with_their_first_part():
    dumbbell = ck.Assemblies([[ck.Spheres([[0, 0, 1.0], [0, 0, -1.0]], [0.5, 0.5])]])
    passing, hitting = ([5, 0, 0], [-10, 0, 0]), ([5, 0, 1.2], [-10, 0, 0])
    for (start, velocity), hit in ((passing, False), (hitting, True)):
        found = ck.time_of_impact(dumbbell, ball(start, 0.4), velocity_b=[velocity])
        assert found.decided[0] and found.hit[0] == hit
    np.testing.assert_allclose(found.time, (5.0 - np.sqrt(0.9**2 - 0.2**2)) / 10.0, atol=1e-7)
