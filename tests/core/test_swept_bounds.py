# SPDX-License-Identifier: GPL-3.0-or-later
"""Swept bounds hold the shapes at all times, and the broad phase of motion loses no pair that ever overlaps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import collision_kit.core as ck
from tests.helpers import zoo
from tests.helpers.offline import slow

COUNT = 60
BOUNDED = [kind for kind in ck.Kind if kind not in (ck.Kind.HALF_SPACE, ck.Kind.PLANE)]
TIMES = np.linspace(0.0, 1.0, 41)
RADII = st.just(0.0) | st.floats(1e-6, 3.0)


def motions(rng, count):
    """Motions of every sort: still, displaced, turning in place, by many turns, about pivots near and far."""
    velocity, angular, pivot = rng.normal(size=(3, count, 3))
    sort = np.arange(count) % 6
    velocity[np.isin(sort, (0, 2))] = 0.0
    angular[np.isin(sort, (0, 1))] = 0.0
    angular[sort == 3] *= 12.0
    angular[sort == 4] = np.eye(3)[rng.integers(0, 3, np.count_nonzero(sort == 4))] * np.pi
    pivot[sort == 5] *= 30.0
    return velocity, angular, pivot


def at(shapes, motion, time):
    return shapes.placed(*motion.pose(np.full(len(shapes), time)))


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", BOUNDED, ids=lambda kind: kind.name.lower())
def test_the_bounds_hold_every_shape_at_every_time(kind, maker):
    rng = np.random.default_rng([1, kind])
    shapes = zoo.MAKERS[maker](kind, rng, COUNT)
    velocity, angular, pivot = motions(rng, COUNT)
    lower, upper = ck.swept_bounds(shapes, velocity, angular, pivot)
    motion = ck.RigidMotion(velocity, angular, pivot)
    poses = [at(shapes, motion, time).bounds() for time in TIMES]
    low, high = (np.array(side) for side in zip(*poses, strict=True))
    slack = 1e-13 * (1.0 + np.abs(pivot).max())
    assert (lower <= low.min(axis=0) + slack).all() and (upper >= high.max(axis=0) - slack).all()
    # What is displaced alone is at one end of its bounds at the start, and at the other at the end.
    straight = ~angular.any(axis=1)
    np.testing.assert_allclose(lower[straight], low.min(axis=0)[straight], atol=1e-13)
    np.testing.assert_allclose(upper[straight], high.max(axis=0)[straight], atol=1e-13)
    # No looser than the whole circle of the bounding sphere.
    center, radius = shapes.bounding_spheres()
    reach = (np.linalg.norm(center - pivot, axis=1) + radius)[:, None] + np.abs(velocity)
    assert (lower >= pivot - reach - slack).all() and (upper <= pivot + reach + slack).all()


def test_the_bounds_of_a_ball_that_turns_are_exact():
    """The arc of its center is followed to its extremes, with the displacement that goes on meanwhile."""
    rng = np.random.default_rng(2)
    shapes = zoo.generic(ck.Kind.SPHERE, rng, 300)
    velocity, angular, pivot = motions(rng, 300)
    lower, upper = ck.swept_bounds(shapes, velocity, angular, pivot)
    motion = ck.RigidMotion(velocity, angular, pivot)
    times = np.linspace(0.0, 1.0, 4001)
    places = np.array([at(shapes, motion, time).center for time in times])
    # Between two samples a center strays from their chord by its acceleration times an eighth of the square of a step.
    bend = (angular**2).sum(axis=1) * motion.distance_from_axis(shapes.center) / 4000.0**2 / 8.0
    slack = (1e-12 + bend)[:, None]
    radius = shapes.radius[:, None]
    assert (np.abs(lower - (places.min(axis=0) - radius)) <= slack).all()
    assert (np.abs(upper - (places.max(axis=0) + radius)) <= slack).all()


def test_a_small_turn_of_a_long_shape_costs_little():
    rod = ck.Boxes([[0, 0, 0]], [[10, 0.1, 0.1]])
    lower, upper = ck.swept_bounds(rod, angular_velocity=[[0, 0, 0.02]])
    assert upper[0, 1] < 0.1 + 0.02 * 10.1 + 1e-9 and upper[0, 2] < 0.1 + 1e-9 and upper[0, 0] < 10.11
    np.testing.assert_allclose(lower, -upper, rtol=0.05)


class Pushed:
    """Any motion: along an axis by the square of the time, turning meanwhile."""

    def __init__(self, way, angle):
        self.way, self.angle = way, angle

    def take(self, rows):
        return Pushed(self.way[rows], self.angle[rows])

    def pose(self, time):
        turn = ck.RigidMotion(0.0 * self.way, self.angle, 0.0 * self.way).pose(time)[0]
        return turn, self.way * (time * time)[:, None]

    def max_approach_speed(self, normal, center, radius, time):
        along = 2.0 * np.maximum(np.einsum("ni,ni->n", self.way, normal), 0.0)
        turning = np.linalg.norm(np.cross(normal, self.angle), axis=1)
        return along + turning * (np.linalg.norm(center, axis=1) + radius)

    def max_speed(self, center, radius, time):
        turning = np.linalg.norm(self.angle, axis=1)
        return 2.0 * np.linalg.norm(self.way, axis=1) + turning * (np.linalg.norm(center, axis=1) + radius)


def test_bounds_of_a_motion_of_ones_own():
    rng = np.random.default_rng(3)
    for kind in BOUNDED:
        shapes = zoo.generic(kind, rng, COUNT)
        motion = Pushed(*rng.normal(size=(2, COUNT, 3)))
        lower, upper = ck.swept_bounds(shapes, motion=motion)
        assert np.isfinite(lower).all() and np.isfinite(upper).all()
        for time in TIMES:
            low, high = at(shapes, motion, time).bounds()
            assert (lower <= low + 1e-12).all() and (upper >= high - 1e-12).all()


def test_what_is_unbounded_stays_so():
    floors = ck.HalfSpaces([[0, 0, 1], [0, 0, 1], [1, 1, 0]], [0, 0, 0])
    lower, upper = ck.swept_bounds(floors, [[0, 0, 2], [0, 0, 2], [0, 0, 2]], [[0, 0, 0], [1, 0, 0], [0, 0, 0]])
    assert np.isinf(lower).all()
    assert upper[0].tolist() == [np.inf, np.inf, 2.0] and np.isinf(upper[1:]).all()
    own = ck.swept_bounds(floors, motion=Pushed(np.ones((3, 3)), np.ones((3, 3))))
    assert np.isinf(own).all()


def test_bounds_of_a_world_are_those_of_its_batches():
    rng = np.random.default_rng(4)
    batches = [zoo.generic(kind, rng, 7) for kind in ck.Kind]
    world = ck.World(batches)
    velocity, angular, pivot = motions(rng, len(world))
    lower, upper = ck.swept_bounds(world, velocity, angular, pivot)
    for number, batch in enumerate(batches):
        rows = world.batch == number
        expected = ck.swept_bounds(batch, velocity[rows], angular[rows], pivot[rows])
        np.testing.assert_array_equal(lower[rows], expected[0])
        np.testing.assert_array_equal(upper[rows], expected[1])


def worlds(rng, kinds, count):
    """Shapes strewn wide enough that most pairs never meet."""
    batches = []
    for kind in kinds:
        if kind in (ck.Kind.HALF_SPACE, ck.Kind.PLANE):
            batches.append(zoo.generic(kind, rng, 2))
        else:
            shapes = zoo.generic(kind, rng, count)
            batches.append(zoo.moved(shapes, rng.uniform(-6.0, 6.0, (count, 3))))
    return ck.World(batches)


@pytest.mark.parametrize("count", [2, *slow(5)])
@pytest.mark.parametrize("turning", [False, True])
def test_the_swept_pairs_hold_every_pair_that_ever_overlaps(turning, count):
    rng = np.random.default_rng(5)
    # Of shapes that turn, those that are not convex take many steps.
    kinds = [kind for kind in ck.Kind if not turning or kind < ck.Kind.MESH]
    world = worlds(rng, kinds, count)
    velocity, angular, pivot = motions(rng, len(world))
    velocity *= 3.0
    if not turning:
        angular *= 0.0
    pairs, found = world.time_of_impact(velocity=velocity, angular_velocity=angular, pivot=pivot, max_iterations=40)
    assert found.hit.any() and len(found) == len(pairs)
    assert (pairs[:, 0] < pairs[:, 1]).all() and (np.diff(pairs @ [len(world), 1]) > 0).all()
    assert len(pairs) < 0.8 * len(world) ** 2 / 2
    motion = ck.RigidMotion(velocity, angular, pivot)
    every = {tuple(pair) for pair in pairs.tolist()}
    seen = set()
    for time in np.linspace(0.0, 1.0, 9):
        batches = [at(world.batches[k], motion.take(np.flatnonzero(world.batch == k)), time) for k in range(len(kinds))]
        now = ck.World(batches)
        close = now.pairs()
        seen |= {tuple(pair) for pair in close[now.overlap(close)].tolist()}
    assert seen <= every
    hit = {tuple(pair) for pair in pairs[found.hit | ~found.decided].tolist()}
    assert seen <= hit
    # The same of pairs that are given, in their order.
    some = np.flatnonzero(found.decided)[::-11]
    given_pairs, again = world.time_of_impact(pairs[some], velocity=velocity, angular_velocity=angular, pivot=pivot)
    np.testing.assert_array_equal(given_pairs, pairs[some])
    np.testing.assert_allclose(again.time, found.time[some], atol=1e-6)


def test_a_plane_and_a_floor_that_rise_meet_what_they_reach():
    balls = ck.Spheres([[0, 0, 1.0], [0, 0, 2.5], [0, 0, 9.0], [0, 0, -3.0]], [0.25] * 4)
    for surfaces in (ck.HalfSpaces, ck.Planes):
        world = ck.World([balls, surfaces([[0, 0, 1]], [0])])
        velocity = np.zeros((5, 3))
        velocity[4] = [5.0, 0.0, 2.5]
        pairs, found = world.time_of_impact(velocity=velocity)
        expected = [[0, 4], [1, 4], [3, 4]] if surfaces is ck.HalfSpaces else [[0, 4], [1, 4]]
        assert pairs.tolist() == expected
        np.testing.assert_allclose(found.time[:2], [0.3, 0.9], rtol=1e-12)
        # And falling it leaves behind what it came from.
        velocity[4] = [5.0, 0.0, -3.0]
        pairs, found = world.time_of_impact(velocity=velocity)
        assert [3, 4] in pairs.tolist() and [1, 4] not in pairs.tolist()
        time = 0.0 if surfaces is ck.HalfSpaces else 2.75 / 3.0
        np.testing.assert_allclose(found.time[pairs[:, 0] == 3], time, rtol=1e-12)
        # One that turns may reach everything.
        pairs, _ = world.time_of_impact(angular_velocity=np.full((5, 3), 0.1))
        assert {4} <= set(pairs[:, 1]) and np.count_nonzero(pairs[:, 1] == 4) == 4


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-4, 4), min_size=9, max_size=9), st.floats(0, 20), st.integers(0, 2), RADII)
def test_arcs_of_points_stay_within_for_any_numbers(numbers, angle, axis, radius):
    place, velocity, pivot = np.array(numbers).reshape(3, 1, 3)
    turn = np.zeros((1, 3))
    turn[0, axis] = angle
    lower, upper = ck.swept_bounds(ck.Spheres(place, [radius]), velocity, turn, pivot)
    motion = ck.RigidMotion(velocity, turn, pivot)
    for time in np.linspace(0.0, 1.0, 33):
        center = at(ck.Spheres(place, [radius]), motion, time).center
        assert (lower <= center - radius + 1e-12).all() and (upper >= center + radius - 1e-12).all()


def test_wrong_input_is_named():
    balls = ck.Spheres(np.zeros((3, 3)), np.ones(3))
    with pytest.raises(ValueError, match=r"^velocity: 2 rows, but the batch has 3"):
        ck.swept_bounds(balls, np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"^motion: given together with velocities"):
        ck.swept_bounds(balls, np.zeros((3, 3)), motion=Pushed(*np.zeros((2, 3, 3))))
