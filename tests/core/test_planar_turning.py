# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps of shapes that turn in the plane, against their convex parts put where they are at many times."""

import itertools

import numpy as np
import pytest

from collision_kit.core import planar
from collision_kit.core.numerics.tolerances import ADVANCEMENT
from tests.helpers.offline import by_turns
from tests.helpers.planar_bodies import KINDS, MAKERS, Bodies, of_origin, rotation, signed_distance

COUNT = 4
# Of shapes and places of a few units.
CLOSE = 20.0 * ADVANCEMENT
# Between points as near as that a direction has lost most of its digits.
ALONG = 1e-5
CELLS = [
    pytest.param(kinds, maker, id=f"{kinds[0]}-{kinds[1]}-{maker}")
    for kinds, maker in itertools.product(itertools.combinations_with_replacement(KINDS, 2), MAKERS)
]


def at(bodies: Bodies, row: int, time: float, speed, turn, pivot) -> Bodies:
    """A row alone, where it is at a time."""
    shift = pivot[row] + time * speed[row] - rotation(time * turn[row]) @ pivot[row]
    return bodies.take([row]).placed(angle=time * turn[row], shift=shift)


@pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, len(MAKERS), 0))
def test_the_first_touch_is_that_of_parts_put_where_they_are(kinds, maker):
    rng = np.random.default_rng([7, *map(KINDS.index, kinds)])
    a, b = (MAKERS[maker](kind, rng, COUNT) for kind in kinds)
    away = rng.uniform(-4.0, 4.0, (COUNT, 2))
    b = Bodies(b.kind, b.local, b.radius, b.translation + away, b.angle)
    moves = [
        (rng.uniform(-1.0, 1.0, (COUNT, 2)) - sign * away / 2.0, rng.uniform(-7.0, 7.0, COUNT), place + away * sign)
        for sign, place in ((0.0, a.translation), (1.0, rng.normal(size=(COUNT, 2))))
    ]
    # Of two that turn one way, one does not.
    moves[0][1][::3] = 0.0
    (speed_a, turn_a, pivot_a), (speed_b, turn_b, pivot_b) = moves
    found = planar.time_of_impact(
        a.batch(),
        b.batch(),
        velocity_a=speed_a,
        velocity_b=speed_b,
        angular_velocity_a=turn_a,
        angular_velocity_b=turn_b,
        pivot_a=pivot_a,
        pivot_b=pivot_b,
    )
    assert found.decided.all()
    for row in range(COUNT):

        def apart(time, row=row):
            return signed_distance(at(a, row, time, *moves[0]), at(b, row, time, *moves[1]), 0)

        if not found.hit[row]:
            assert min(map(apart, np.linspace(0.0, 1.0, 40))) > 0.0
            assert found.time[row] == np.inf and np.isnan(found.normal[row]).all()
            continue
        time = found.time[row]
        if time == 0.0:
            assert apart(0.0) <= CLOSE
            continue
        assert -CLOSE <= apart(time) <= CLOSE
        assert min(map(apart, np.linspace(0.0, time, 40)[:-1])) > 0.0
        assert np.hypot(*found.normal[row]) == pytest.approx(1.0)
        for body, move, sign in ((a, moves[0], 1.0), (b, moves[1], -1.0)):
            there = at(body, row, time, *move)
            beside = min(max(of_origin(part - found.point[row]), 0.0) for part in there.parts(0)) - there.radius[0]
            assert beside <= CLOSE
            if body.kind != "region":
                outward = sign * found.normal[row]
                assert there.support(0, outward) - outward @ found.point[row] <= ALONG


def test_a_hand_of_a_clock_reaches_a_ball():
    """The time is that at which the ball subtends the hand, and a margin makes the ball larger."""
    hand = planar.Rectangles([[1.0, 0.0]], [[1.0, 0.0]])
    angle, away, radius = np.array([0.5, 1.5, 3.0, 6.0]), 1.5, 0.25
    balls = planar.Circles(away * np.stack([np.cos(angle), np.sin(angle)], axis=1), np.full(4, radius))
    for margin in (0.0, 0.1):
        found = planar.time_of_impact(hand, balls, angular_velocity_a=5.0, margin=margin)
        time = (angle - np.arcsin((radius + margin) / away)) / 5.0
        np.testing.assert_array_equal(found.hit, time <= 1.0)
        np.testing.assert_allclose(found.time[:3], time[:3], rtol=1e-7)
        assert np.isinf(found.time[3])
    beyond = planar.Circles([[2.0 + radius + 1e-4, 0.0]], [radius])
    assert not planar.time_of_impact(hand, beyond, angular_velocity_a=[6.0], velocity_a=[[0.0, 0.0]]).hit[0]


def test_what_is_only_displaced_keeps_its_exact_time_beside_what_turns():
    squares = planar.Rectangles([[0.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]])
    balls = planar.Circles([[4.0, 0.0], [4.0, 0.0]], [1.0, 1.0])
    found = planar.time_of_impact(squares, balls, velocity_b=[[-4.0, 0.0]], angular_velocity_a=[0.0, 0.1])
    assert found.time[0] == 0.5 and found.time[1] < 0.5
    few = planar.time_of_impact(squares, balls, velocity_b=[[-4.0, 0.0]], angular_velocity_a=0.1, max_iterations=1)
    assert not few.decided.any() and not few.hit.any() and (few.safe < found.time).all()


def test_a_world_finds_the_pairs_that_its_turning_shapes_meet():
    rng = np.random.default_rng(3)
    batches = [MAKERS["generic"](kind, rng, 4).batch() for kind in KINDS]
    margin = np.where(rng.random(20) < 0.5, 0.0, rng.uniform(0.0, 0.2, 20))
    world = planar.World(batches, margin)
    speed, turn, pivot = rng.normal(size=(20, 2)), rng.uniform(-3.0, 3.0, 20), rng.normal(size=(20, 2))
    pairs, found = world.time_of_impact(velocity=speed, angular_velocity=turn, pivot=pivot)
    every = np.stack(np.triu_indices(20, 1), axis=1)
    _, expected = world.time_of_impact(every, velocity=speed, angular_velocity=turn, pivot=pivot)
    hit = {tuple(pair) for pair in every[expected.hit].tolist()}
    assert hit == {tuple(pair) for pair in pairs[found.hit].tolist()} and len(hit) > 5
    assert len(pairs) < len(every)
    alone = planar.time_of_impact(
        batches[1],
        batches[4],
        velocity_a=speed[4:8],
        velocity_b=speed[16:],
        angular_velocity_a=turn[4:8],
        angular_velocity_b=turn[16:],
        pivot_a=pivot[4:8],
        pivot_b=pivot[16:],
        margin=margin[4:8] + margin[16:],
    )
    of_pairs = [int(np.flatnonzero((every == [4 + row, 16 + row]).all(axis=1))[0]) for row in range(4)]
    np.testing.assert_array_equal(alone.time, expected.time[of_pairs])


def test_wrong_turns_are_named():
    balls = planar.Circles(np.zeros((3, 2)), np.ones(3))
    for field, value in (("angular_velocity_a", [1.0, 2.0]), ("pivot_b", [[0.0, 0.0]] * 2), ("margin", -1.0)):
        with pytest.raises(ValueError, match=field):
            planar.time_of_impact(balls, balls, **{field: value})
