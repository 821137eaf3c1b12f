# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions as bodies: contacts without seams, the separating translation, holes."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar

FRAME = ([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
CUP = ([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)], [])


def floor():
    """Ground with a step below, cut into several pieces whose seams reach its level top."""
    outline = [
        (-9, 0),
        (-4, 0),
        (-4, -3),
        (-3, -3),
        (-3, 0),
        (2, 0),
        (2, -2),
        (4, -2),
        (4, 0),
        (9, 0),
        (9, 1),
        (0, 1),
        (-9, 1),
    ]
    return planar.Regions([(outline, [])])


def test_a_box_slides_over_seams_without_catching():
    ground = floor()
    assert len(ground.pieces) > 2
    x = np.linspace(-7, 7, 281)
    for sink in (0.0, 0.01, 0.2):
        boxes = planar.AABBs(np.stack([x - 0.5, np.full(281, 1 - sink)], 1), np.stack([x + 0.5, np.full(281, 2.0)], 1))
        touch = planar.contacts(ground, boxes)
        assert (np.unique(touch.pair, return_counts=True)[1] >= 2).all() and set(touch.pair) == set(range(281))
        np.testing.assert_allclose(touch.normal, np.tile([0.0, 1.0], (len(touch), 1)), atol=1e-12)
        np.testing.assert_allclose(touch.depth, sink, atol=1e-12)
        # Both ends of the box are among them.
        for row in range(0, 281, 20):
            places = touch.point[touch.pair == row, 0]
            assert (places.min(), places.max()) == pytest.approx((x[row] - 0.5, x[row] + 0.5))


def test_a_ball_rolls_over_seams_without_catching():
    x = np.linspace(-7, 7, 281)
    for height in (1.3, 1.45):
        touch = planar.contacts(floor(), planar.Circles(np.stack([x, np.full(281, height)], 1), np.full(281, 0.5)))
        assert touch.pair.tolist() == list(range(281))
        np.testing.assert_allclose(touch.normal, np.tile([0.0, 1.0], (281, 1)), atol=1e-9)
        np.testing.assert_allclose(touch.depth, 1.5 - height, atol=1e-12)


def test_a_falling_box_meets_the_top_wherever_the_seams_are():
    x = np.linspace(-7, 7, 57)
    boxes = planar.AABBs(np.stack([x - 0.5, np.full(57, 2.0)], 1), np.stack([x + 0.5, np.full(57, 3.0)], 1))
    hit = planar.time_of_impact(floor(), boxes, velocity_b=[0.3, -2.0])
    np.testing.assert_allclose(hit.time, 0.5, atol=1e-12)
    np.testing.assert_allclose(hit.normal, np.tile([0.0, 1.0], (57, 1)), atol=1e-12)


def test_a_ball_in_a_frame_is_neither_contained_nor_in_contact():
    frame = planar.Regions([FRAME])
    balls = planar.Circles([[2, 2], [2, 2], [0.5, 2], [2, 2]], [0.5, 1.0, 0.4, 9.0])
    verdict = planar.classify(frame, balls)
    assert verdict.tolist() == [ck.Verdict.SEPARATED, ck.Verdict.TOUCHING, ck.Verdict.CONTAINED, ck.Verdict.CONTAINED]
    assert planar.distance(frame, balls).distance[:3].tolist() == pytest.approx([0.5, 0.0, -0.9])
    assert not planar.contains(frame, planar.AABBs([[0, 0]], [[4, 4]]))[0]
    assert planar.contains(frame, planar.AABBs([[0, 0]], [[4, 1]]))[0]
    assert planar.contains(frame, frame)[0]


def test_the_separating_translation_may_lead_into_a_hole():
    frame = planar.Regions([FRAME])
    found = planar.distance(frame, planar.AABBs([[0.6, 1.8]], [[0.9, 2.2]]))
    assert found.distance[0] == pytest.approx(-0.4) and found.normal[0].tolist() == pytest.approx([1.0, 0.0])


def test_two_cups_hooked_into_each_other():
    """The wall of one in the mouth of the other: the nearest places are corners where two pieces' obstacles cross."""
    cup, other = planar.Regions([CUP]), planar.Regions([CUP], [[1.3, 1.6]], [np.pi])
    assert planar.overlap(cup, other)[0] == (planar.distance(cup, other).distance[0] <= 0.0)
    hooked = planar.Regions([CUP], [[4.6, 3.2]], [np.pi])
    assert planar.overlap(cup, hooked)[0]
    found = planar.distance(cup, hooked)
    moved = planar.Regions([CUP], [[4.6, 3.2] - found.distance[0] * found.normal[0] * (1 + 1e-8)], [np.pi])
    assert planar.distance(cup, moved).distance[0] >= -1e-7


def test_what_is_flat_and_lies_on_a_cut_is_inside():
    arrow = planar.Regions([([(0, 0), (4, 2), (0, 4), (1, 2)], [])])
    segment = planar.AABBs([[1.5, 2]], [[2.5, 2]])
    assert planar.distance(arrow, segment).distance[0] < -0.5
    assert planar.contains(arrow, segment)[0]
    assert not planar.contains(arrow, planar.AABBs([[0.5, 2]], [[2.5, 2]]))[0]


def test_deep_inside_there_is_one_contact_along_the_separating_translation():
    frame = planar.Regions([([(-9, -9), (9, -9), (9, 9), (1, 9), (0, 8), (-1, 9), (-9, 9)], [])])
    touch = planar.contacts(frame, planar.Circles([[0, 0]], [0.5]))
    found = planar.distance(frame, planar.Circles([[0, 0]], [0.5]))
    assert touch.depth[0] == pytest.approx(-found.distance[0]) and found.distance[0] == pytest.approx(-8.5, abs=0.8)


def test_the_first_touch_of_the_mouth_of_a_cup():
    cup = planar.Regions([CUP])
    ball = planar.Circles([[1.5, 5.0]], [0.4])
    hit = planar.time_of_impact(cup, ball, velocity_b=[[0, -8]])
    assert hit.time[0] == pytest.approx((5.0 - 1.4) / 8.0) and hit.point[0].tolist() == pytest.approx([1.5, 1.0])
    wide = planar.time_of_impact(cup, planar.Circles([[1.5, 5.0]], [0.6]), velocity_b=[[0, -8]])
    assert wide.time[0] == pytest.approx((2.0 - np.sqrt(0.36 - 0.25)) / 8.0)


def test_the_pieces_of_a_region_are_as_those_of_decompose():
    pieces = planar.decompose(*FRAME)
    assert len(planar.Regions([FRAME]).pieces) == len(pieces)
    lower, upper = planar.bounds(planar.Regions([FRAME], [[1, 2]]))
    assert lower.tolist() == [[1, 2]] and upper.tolist() == [[5, 6]]
