# SPDX-License-Identifier: GPL-3.0-or-later
"""When contacts are forgotten: by number, by depth, by velocity, and when their features meet no more."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import collision_kit.core as ck
from collision_kit.core import ContactState, RemovalReason
from tests.helpers.coherent_scenes import COUNT, FLOOR, sunk, turns


def test_forgotten_by_count():
    memory = ck.ContactCache(max_contacts=2)
    box = [[0.5, 0.5, 0.5]]
    tilt = Rotation.from_rotvec([0.02, 0.01, 0.0]).as_matrix()
    every = ck.contacts(FLOOR, ck.Boxes([[0, 0, 0.4]], box, [tilt]))
    found = memory.update(FLOOR, ck.Boxes([[0, 0, 0.4]], box, [tilt]))
    assert len(every) == 4
    np.testing.assert_allclose(found.contacts.depth, np.sort(every.depth)[::-1][:2])
    # Tilted the other way, the deepest is another; a known one goes for it.
    found = memory.update(FLOOR, ck.Boxes([[0, 0, 0.4]], box, [tilt.T]))
    assert len(found) == 2 and found.contacts.depth[0] == pytest.approx(every.depth.max())
    assert found.removal_reason.tolist() == [RemovalReason.COUNT]


def test_forgotten_by_depth():
    memory = ck.ContactCache(min_depth=0.1)
    first = memory.update(FLOOR, sunk([0.3, 0.2, 0.05]))
    assert first.contacts.pair.tolist() == [0, 1]
    found = memory.update(FLOOR, sunk([0.3, 0.09, 0.11]))
    assert found.contacts.pair.tolist() == [0, 2]
    assert found.state.tolist() == [ContactState.KEPT, ContactState.NEW]
    assert found.removed.tolist() == [1] and found.removal_reason.tolist() == [RemovalReason.DEPTH]


def test_kept_beyond_touching_with_a_least_depth_below_zero():
    memory = ck.ContactCache(min_depth=-0.5)
    assert memory.update(FLOOR, sunk([0.1, -0.4, -0.6])).contacts.pair.tolist() == [0, 1]
    found = memory.update(FLOOR, sunk([-0.3, -0.4, -0.6]))
    assert found.identity.tolist() == [0, 1]
    np.testing.assert_allclose(found.contacts.depth, [-0.3, -0.4], atol=1e-12)


def test_exact_touch_is_not_forgotten_for_its_rounding():
    rng = np.random.default_rng(12)
    turn, half = turns(rng), rng.uniform(0.3, 1.0, (COUNT, 3))
    lowest = np.abs(turn[:, 2] * half).sum(axis=1)
    place = rng.uniform(1.0, 9.0, (COUNT, 3))
    boxes = ck.Boxes(place, half, turn)
    floors = ck.HalfSpaces(np.tile([0.0, 0.0, 1.0], (COUNT, 1)), place[:, 2] - lowest)
    fresh = ck.contacts(floors, boxes)
    memory = ck.ContactCache()
    for found in (memory.update(floors, boxes), memory.update(floors, boxes), memory.recompute(floors, boxes)):
        np.testing.assert_array_equal(found.contacts.pair, fresh.pair)
    assert (found.contacts.depth < 0.0).any(), "each stands on a corner, above the floor by rounding at most"


BELOW = ck.Boxes([[0.0, 0.0, 0.0]], [[1.0, 1.0, 1.0]])


def test_what_leaves_the_outline_of_a_face_is_no_contact_of_it():
    memory = ck.ContactCache()
    assert len(memory.update(BELOW, ck.Boxes([[0.0, 0.0, 1.4]], [[0.5, 0.5, 0.5]]))) == 4
    again = memory.recompute(BELOW, ck.Boxes([[0.8, 0.0, 1.4]], [[0.5, 0.5, 0.5]]))
    np.testing.assert_allclose(np.sort(again.contacts.point[:, :2], axis=0), [[0.3, -0.5], [0.3, 0.5]], atol=1e-12)
    assert len(again.removed) == 2


def test_what_belongs_to_another_side_of_the_pair_is_no_contact_now():
    memory = ck.ContactCache(max_contacts=8)
    memory.update(BELOW, ck.Boxes([[1.0, 0.0, 1.4]], [[0.5, 0.5, 0.5]]))
    # Its lower corners are still below the upper face, but the separating translation is by the side.
    found = memory.update(BELOW, ck.Boxes([[1.45, 0.0, 0.8]], [[0.5, 0.5, 0.5]])).contacts
    np.testing.assert_allclose(found.normal, np.tile([1.0, 0.0, 0.0], (len(found), 1)), atol=1e-12)
    np.testing.assert_allclose(found.depth, 0.05)


def test_forgotten_by_separating_velocity():
    memory = ck.ContactCache(max_separation_speed=1.0)
    memory.update(FLOOR, sunk([0.4, 0.4, 0.4]), time=10.0)
    found = memory.update(FLOOR, sunk([0.35, 0.25, 0.45]), time=10.1)
    # Separating at 0.5, at 1.5, and approaching at 0.5.
    assert found.identity.tolist() == [0, 2]
    np.testing.assert_allclose(found.separation_speed, [0.5, -0.5])
    np.testing.assert_allclose(found.depth_change, [-0.05, 0.05])
    assert found.removed.tolist() == [1] and found.removal_reason.tolist() == [RemovalReason.SEPARATING]
    # Still fast, it stays away; slow, it is new.
    found = memory.update(FLOOR, sunk([0.35, 0.1, 0.45]), time=10.2)
    assert found.contacts.pair.tolist() == [0, 2] and not len(found.removed)
    found = memory.update(FLOOR, sunk([0.35, 0.09, 0.45]), time=10.3)
    assert found.contacts.pair.tolist() == [0, 1, 2]
    assert found.identity.tolist() == [0, 3, 2] and found.state.tolist() == [1, 0, 1]


def test_without_time_nothing_is_fast():
    memory = ck.ContactCache(max_separation_speed=0.0)
    memory.update(FLOOR, sunk([0.4]))
    found = memory.update(FLOOR, sunk([0.1]))
    assert found.identity.tolist() == [0] and np.isnan(found.separation_speed).all()
    found = memory.update(FLOOR, sunk([0.05]), time=1.0)
    assert found.identity.tolist() == [0] and np.isnan(found.separation_speed).all()


def test_moved_and_depth_change_are_differences_of_what_was_given():
    memory = ck.ContactCache()
    memory.update(FLOOR, sunk([0.4]))
    sphere = ck.Spheres([[0.3, 0.4, 0.7]], [1.0])
    found = memory.update(FLOOR, sphere)
    assert found.displacement[0] == pytest.approx(np.hypot(0.5, 0.05))
    assert found.depth_change[0] == pytest.approx(-0.1)
