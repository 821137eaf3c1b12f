# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions between two poses: both are met, the way between is the shortest, and nothing turns that need not."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import collision_kit.core as ck
from tests.helpers import zoo

COUNT = 2000
EPS = np.finfo(np.float64).eps


def poses(rng, count):
    """Random poses, and others that differ from them by turns of every size, down to rounding and up to half-turns."""
    before, place = zoo.rotations(rng, count), rng.normal(scale=5.0, size=(2, count, 3))
    axis = rng.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    small = 10.0 ** rng.uniform(-14.0, 0.0, count)
    angle = np.select(
        [np.arange(count) % 3 == k for k in range(3)], [small, np.pi - small, rng.uniform(0, np.pi, count)]
    )
    return before, place, axis * angle[:, None]


def test_both_poses_are_met_and_the_turn_is_the_shortest():
    rng = np.random.default_rng(1)
    before, place, vector = poses(rng, COUNT)
    after = Rotation.from_rotvec(vector).as_matrix() @ before
    motion = ck.motion_between(before, place[0], after, place[1])
    np.testing.assert_array_equal(motion.velocity, place[1] - place[0])
    np.testing.assert_array_equal(motion.pivot, place[0])
    # Near a half-turn the sign of a vector is sure only as far as its length is below pi.
    np.testing.assert_allclose(motion.angular_velocity, vector, atol=1e-15 * 8)
    body = rng.normal(size=(COUNT, 3))
    for time, rotation, translation in ((0.0, before, place[0]), (1.0, after, place[1])):
        turn, shift = motion.pose(np.full(COUNT, time))
        np.testing.assert_allclose(turn @ before, rotation, atol=12 * EPS)
        start = np.einsum("nij,nj->ni", before, body) + place[0]
        there = np.einsum("nij,nj->ni", turn, start) + shift
        expected = np.einsum("nij,nj->ni", rotation, body) + translation
        np.testing.assert_allclose(there, expected, atol=12 * EPS * (np.abs(place).max() + np.abs(body).max()))


def test_halfway_the_origin_is_midway_and_half_the_turn_is_done():
    rng = np.random.default_rng(2)
    before, place, vector = poses(rng, 200)
    motion = ck.motion_between(before, place[0], Rotation.from_rotvec(vector).as_matrix() @ before, place[1])
    turn, shift = motion.pose(np.full(200, 0.5))
    np.testing.assert_allclose(np.einsum("nij,nj->ni", turn, place[0]) + shift, place.mean(axis=0), atol=1e-14)
    np.testing.assert_allclose(turn, Rotation.from_rotvec(vector / 2.0).as_matrix(), atol=1e-14)


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [-1, 2, -3], [0, -1, 0]])
def test_a_half_turn_goes_the_way_that_is_documented(axis):
    axis = np.array(axis) / np.linalg.norm(axis)
    for before in (np.eye(3), zoo.rotations(np.random.default_rng(3), 1)[0]):
        after = (2.0 * np.outer(axis, axis) - np.eye(3)) @ before
        found = ck.motion_between(before[None], [[0, 0, 0]], after[None], [[0, 0, 0]]).angular_velocity[0]
        largest = np.argmax(np.abs(found))
        assert found[largest] > 0.0
        np.testing.assert_allclose(np.abs(found), np.pi * np.abs(axis), atol=1e-14)
        np.testing.assert_allclose(np.cross(found, axis), 0.0, atol=1e-14)


def test_what_does_not_turn_is_swept_as_a_displacement_alone():
    rng = np.random.default_rng(4)
    rotation = zoo.rotations(rng, COUNT)
    motion = ck.motion_between(rotation, np.zeros((COUNT, 3)), rotation, np.ones((COUNT, 3)))
    np.testing.assert_array_equal(motion.angular_velocity, 0.0)
    noisy = Rotation.from_matrix(Rotation.from_matrix(rotation).as_matrix()).as_matrix()
    assert (noisy != rotation).any()
    motion = ck.motion_between(rotation, np.zeros((COUNT, 3)), noisy, np.ones((COUNT, 3)))
    np.testing.assert_array_equal(motion.angular_velocity, 0.0)
    # A turn that is more than rounding is kept.
    hair = Rotation.from_rotvec(1e-13 * np.eye(3)[rng.integers(0, 3, COUNT)]).as_matrix() @ rotation
    turned = ck.motion_between(rotation, np.zeros((COUNT, 3)), hair, np.ones((COUNT, 3)))
    assert (np.linalg.norm(turned.angular_velocity, axis=1) > 0.9e-13).all()


def test_quarter_turns_are_exact():
    rng = np.random.default_rng(5)
    before, after = zoo.quarter_turns(rng, 300), zoo.quarter_turns(rng, 300)
    motion = ck.motion_between(before, np.zeros((300, 3)), after, np.zeros((300, 3)))
    np.testing.assert_allclose(motion.pose(np.ones(300))[0] @ before, after, atol=2 * EPS)
    angle = np.linalg.norm(motion.angular_velocity, axis=1)
    expected = np.pi * np.array([0.0, 1 / 2, 2 / 3, 1.0])
    assert (np.abs(angle[:, None] - expected).min(axis=1) < 4 * EPS).all()


def test_a_door_swings_against_a_peg():
    """The frame of the door is at the hinge, the door beside it; it is given closed and half a right angle open."""
    door = ck.Boxes([[1, 0, 0]], [[1, 0.05, 1]])
    quarter = [[[0, -1, 0], [1, 0, 0], [0, 0, 1]]]
    motion = ck.motion_between([np.eye(3)], [[0, 0, 0]], quarter, [[0, 0, 0]])
    peg = ck.Spheres([[1.2, 1.2, 0]], [0.25])
    found = ck.time_of_impact(door, peg, motion_a=motion)
    reach = 1.2 * np.sqrt(2.0)
    np.testing.assert_allclose(found.time, (np.pi / 4.0 - np.arcsin(0.3 / reach)) / (np.pi / 2.0), atol=1e-8)


def test_wrong_input_is_named():
    eye, zero = [np.eye(3)], [[0, 0, 0]]
    with pytest.raises(ValueError, match="rotation_1: row 0 is a reflection"):
        ck.motion_between(eye, zero, [-np.eye(3)], zero)
    with pytest.raises(ValueError, match="rotation_0: 3 rows, but translation_0 has 2"):
        ck.motion_between(eye * 3, zero * 2, eye, zero * 2)
    with pytest.raises(ValueError, match="translation_1: row 0 is not finite"):
        ck.motion_between(eye, zero, eye, [[0, np.inf, 0]])
    with pytest.raises(ValueError, match="rotation_0: shape"):
        ck.motion_between(np.eye(2), zero, eye, zero)
