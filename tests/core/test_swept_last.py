# SPDX-License-Identifier: GPL-3.0-or-later
"""Last contact: they touch then, and after it no more; the same as the first contact of the motion backwards."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.continuous.motion import ReversedMotion
from tests.helpers import zoo

K = ck.Kind
COUNT = 40


class Swing:
    """To and fro along one axis, with a turn that is fast at first: no even motion, and not the same backwards."""

    def __init__(self, way, angle):
        self.way, self.angle = way, angle

    def take(self, rows):
        return Swing(self.way[rows], self.angle[rows])

    def pose(self, time):
        turned = self.angle * (1.0 - (1.0 - time) ** 2)[:, None]
        rotation = ck.RigidMotion(0.0 * self.way, turned, 0.0 * self.way).pose(np.ones(len(time)))[0]
        return rotation, self.way * np.sin(2.0 * time)[:, None]

    def max_approach_speed(self, normal, center, radius, time):
        turning = 2.0 * np.linalg.norm(np.cross(normal, self.angle), axis=1)
        arm = np.linalg.norm(center, axis=1) + radius
        along = np.einsum("ni,ni->n", self.way, normal)
        # Twice the way at first, and 0.84 of it back at the end.
        return np.maximum(2.0 * along, -0.8323 * along) + turning * arm

    def max_speed(self, center, radius, time):
        arm = np.linalg.norm(center, axis=1) + radius
        return 2.0 * np.linalg.norm(self.way, axis=1) + 2.0 * np.linalg.norm(self.angle, axis=1) * arm


def placed(shapes, motion, time):
    return shapes.placed(*motion.pose(np.broadcast_to(time, (len(shapes),)).astype(float)))


def cases():
    for kinds in ((K.SPHERE, K.SPHERE), (K.BOX, K.BOX), (K.CAPSULE, K.TRIANGLE), (K.BOX, K.PLANE)):
        for sort in ("straight", "turning", "own"):
            if kinds[1] < K.HALF_SPACE or sort == "straight":
                yield pytest.param(kinds, sort, id=f"{kinds[0].name}-{kinds[1].name}-{sort}".lower())


@pytest.mark.parametrize(("kinds", "sort"), list(cases()))
def test_after_the_last_contact_they_are_apart(kinds, sort):
    rng = np.random.default_rng([1, *kinds])
    a, b = (zoo.generic(kind, rng, COUNT) for kind in kinds)
    way, spin, pivot = rng.normal(size=(3, 2, COUNT, 3)) * np.array([3.0, 1.0, 1.0])[:, None, None, None]
    b = zoo.moved(b, rng.normal(scale=1.5, size=(COUNT, 3)))
    if sort == "own":
        motions = [Swing(way[k], spin[k]) for k in range(2)]
    else:
        motions = [ck.RigidMotion(way[k], spin[k] * (sort == "turning"), pivot[k]) for k in range(2)]
    found = ck.last_contact(a, b, motion_a=motions[0], motion_b=motions[1])
    assert found.decided.mean() > 0.9 and 3 < found.hit.sum() < COUNT
    first = ck.time_of_impact(a, b, motion_a=motions[0], motion_b=motions[1])
    both = first.decided & found.decided
    near = 1e-12 if sort == "straight" else 1e-8
    # Turning pairs that just graze may be told to touch one way only.
    differ = first.hit[both] != found.hit[both]
    assert not differ.any()
    assert (found.time >= first.time - near)[found.hit & both].all()
    np.testing.assert_array_equal(found.safe[found.decided], np.where(found.hit, found.time, 0.0)[found.decided])
    last = np.flatnonzero(found.hit & (found.time < 1.0))
    pair = [placed(x.take(last), m.take(last), found.time[last]) for x, m in zip((a, b), motions, strict=True)]
    np.testing.assert_allclose(ck.distance(*pair).distance, 0.0, atol=1e-11 if sort == "straight" else 1e-7)
    spot = ck.Spheres(found.point[last], np.zeros(len(last)))
    for shapes in pair:
        np.testing.assert_allclose(ck.distance(shapes, spot).distance, 0.0, atol=1e-7)
    for time in np.linspace(0.0, 1.0, 60):
        after = np.flatnonzero(time > found.safe + 1e-9)
        then = (placed(x.take(after), m.take(after), time) for x, m in zip((a, b), motions, strict=True))
        assert not ck.overlap(*then).any()
    at_end = ck.overlap(*(placed(x, m, 1.0) for x, m in zip((a, b), motions, strict=True)))
    np.testing.assert_array_equal(found.time[both] == 1.0, at_end[both])


def test_a_ball_that_passes_a_ball():
    fixed, flying = ck.Spheres([[0, 0, 0]], [1.0]), ck.Spheres([[-4, 0, 0]], [1.0])
    found = ck.last_contact(fixed, flying, velocity_b=[[8, 0, 0]])
    np.testing.assert_allclose(found.time, 0.75, rtol=1e-14)
    np.testing.assert_allclose(found.point, [[1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(found.normal, [[1, 0, 0]], atol=1e-12)
    still = ck.last_contact(fixed, ck.Spheres([[1, 0, 0]], [1.0]))
    assert still.time[0] == 1.0
    never = ck.last_contact(fixed, flying, velocity_b=[[-1, 0, 0]])
    assert not never.hit[0] and np.isinf(never.time[0]) and never.safe[0] == 0.0 and np.isnan(never.point).all()


def test_a_hand_leaves_a_peg():
    """Of a clock: it passes a peg, which it touches for the last time on the other side."""
    hand, peg = ck.Capsules([[0, 0, 0]], [[2, 0, 0]], [0.1]), ck.Spheres([[0, 1.5, 0]], [0.2])
    found = ck.last_contact(hand, peg, angular_velocity_a=[[0, 0, np.pi]])
    np.testing.assert_allclose(found.time, 0.5 + np.arcsin(0.3 / 1.5) / np.pi, atol=1e-7)


def test_in_worlds_and_by_pairs():
    rng = np.random.default_rng(2)
    batches = [zoo.generic(kind, rng, 5) for kind in (K.SPHERE, K.BOX, K.CAPSULE)]
    world, velocity = ck.World(batches), rng.normal(scale=3.0, size=(15, 3))
    pairs = np.array([[0, 7], [12, 3], [6, 9], [13, 8]])
    found = ck.last_contact(world, world, pairs, velocity_a=velocity, velocity_b=velocity)
    for row, (i, j) in enumerate(pairs):
        one, other = (batches[k // 5].take(np.array([k % 5])) for k in (i, j))
        alone = ck.last_contact(one, other, velocity_a=velocity[[i]], velocity_b=velocity[[j]])
        np.testing.assert_allclose(found.time[row], alone.time[0], atol=1e-12)
        np.testing.assert_allclose(found.normal[row], alone.normal[0], atol=1e-9)


@pytest.mark.parametrize("sort", ["even", "own"])
def test_a_motion_backwards_runs_through_the_same_poses(sort):
    rng = np.random.default_rng(3)
    velocity, spin, pivot = rng.normal(size=(3, 9, 3))
    forward = ck.RigidMotion(velocity, spin, pivot) if sort == "even" else Swing(velocity, spin)
    backward = forward.reversed() if sort == "even" else ReversedMotion.of(forward, 9)
    boxes = zoo.generic(K.BOX, rng, 9)
    end = placed(boxes, forward, 1.0)
    for time in (0.0, 0.3, 1.0):
        there, here = placed(boxes, forward, 1.0 - time), placed(end, backward, time)
        np.testing.assert_allclose(here.center, there.center, atol=1e-13)
        np.testing.assert_allclose(here.rotation, there.rotation, atol=1e-13)
