# SPDX-License-Identifier: GPL-3.0-or-later
"""Needles, plates, hairs, sheets and discs: witnesses and contacts lie on the surfaces, however thin these are."""

from dataclasses import replace

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.active_set import brought_together, settled
from collision_kit.core.gjk import closest
from tests import zoo
from tests.core.test_gjk_and_epa import Clouds
from tests.hunt import thin_shapes


def off(shapes, point):
    """How far points are outside one shape."""
    return ck.distance(ck.Spheres(point, np.zeros(len(point))), shapes.take(np.zeros(len(point), int))).distance


@pytest.mark.parametrize("count", [300, pytest.param(8000, marks=pytest.mark.slow)])
def test_random_thin_pairs_have_their_certificates(count):
    assert thin_shapes.run(count, count) == []


@pytest.mark.parametrize(("field", "what"), [("point_b", "outside"), ("distance", "gap"), ("normal", "unit")])
def test_the_certificates_notice_an_answer_that_is_off(monkeypatch, field, what):
    distance = ck.distance

    def worse(a, b):
        found = distance(a, b)
        return replace(found, **{field: getattr(found, field) * 1.000001 + 1e-6})

    monkeypatch.setattr(ck, "distance", worse)
    finds = thin_shapes.run(1, 60)
    assert len({str(find["case"]) for find in finds}) > 50 and any(what in find["what"] for find in finds)


def test_contacts_of_a_needle_lie_on_the_cylinder_too():
    rng = np.random.default_rng(6)
    for _ in range(12):
        # All of it is level to a millionth, so any of its edges may be taken to face the rim.
        needle = np.array([[0, 0.78229, 1.49982]]) + rng.uniform(-1, 1, (10, 3)) * [1.2, 2e-6, 2e-6]
        a, b = ck.Cylinders([[0, 0, 0]], [[0.5, 0.5, 1.5]], [1.0]), ck.Hulls.from_points([needle])
        touch = ck.contacts(a, b)
        half = touch.normal * touch.depth[:, None] / 2.0
        assert len(touch) and off(a, touch.point + half).max() <= 1e-5 and off(b, touch.point - half).max() <= 1e-5


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6, 2.0**20])
def test_a_plate_deep_in_a_hull_has_its_witnesses_on_both(scale):
    rng = np.random.default_rng(7)
    cube = 0.5 * np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    cube = cube + 1e-16 * rng.choice([-1, 0, 1], cube.shape)
    for turn, place in zip(zoo.rotations(rng, 20), rng.uniform(-0.8, 0.8, (20, 3)), strict=True):
        a = ck.Boxes([scale * place], [[1.5 * scale, 3e-3 * scale, 7e-9 * scale]], zoo.quarter_turns(rng, 1))
        b = ck.Hulls.from_points([scale * cube], [[0, 0, 0]], turn[None])
        found = ck.distance(a, b)
        assert max(off(a, found.point_a)[0], off(b, found.point_b)[0]) <= 1e-14 * scale


@pytest.mark.parametrize("tilt", [1e-12, 1e-9, 1e-7, 1e-5])
@pytest.mark.parametrize("radius", [1.0, 1e-4, 1e-9])
def test_cylinders_tilted_by_little_have_their_witnesses_on_both(tilt, radius):
    rng = np.random.default_rng(10)
    along = np.array([0.0, 0.0, 1.0]) + tilt * rng.normal(size=(200, 3))
    place = rng.uniform(-1, 1, (200, 3)) * [radius, radius, 1.0] + [2.05 * radius, 0.0, 0.0]
    a = ck.Cylinders([[0, 0, -1]], [[0, 0, 1]], [radius]).take(np.zeros(200, int))
    b = ck.Cylinders(place - along, place + along, np.full(200, radius))
    found = ck.distance(a, b)
    np.testing.assert_allclose(
        found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-14, rtol=0.0
    )
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=1e-14, rtol=0.0)
    for shapes, point in ((a, found.point_a), (b, found.point_b)):
        assert ck.distance(ck.Spheres(point, np.zeros(200)), shapes).distance.max() <= 1e-14


def slivers(rng, count):
    """Points in boxes of any aspect ratio down to 1e-9, along common axes but for a small turn."""
    thin = 10.0 ** rng.uniform(-9, 0, (count, 1, 3))
    turn = np.eye(3) + 10.0 ** rng.uniform(-12, -2, (count, 1, 1)) * rng.normal(size=(count, 3, 3))
    return rng.uniform(-1, 1, (count, 8, 3)) * thin @ turn + rng.uniform(-1.5, 1.5, (count, 1, 3)) * thin


def test_points_and_direction_of_slivers_prove_the_same_distance():
    rng = np.random.default_rng(12)
    a, b = Clouds(slivers(rng, 1000)), Clouds(slivers(rng, 1000))
    found = closest(a, b)
    rows = np.flatnonzero(~found.overlap & (found.distance > 1e-14))
    assert len(rows) > 300
    gap = np.einsum("pi,pi->p", b.support(-found.normal) - a.support(found.normal), found.normal)
    across = found.point_b - found.point_a - found.distance[:, None] * found.normal
    assert np.abs(gap - found.distance)[rows].max() <= 1e-13
    assert np.linalg.norm(across, axis=1)[rows].max() <= 1e-13
    assert not found.doubtful[rows].any()


def test_a_direction_alone_is_enough_to_find_the_closest_points():
    rng = np.random.default_rng(13)
    a, b = Clouds(slivers(rng, 300)), Clouds(slivers(rng, 300) + np.array([4.0, 0.0, 0.0]))
    found = settled(a, b, np.eye(3)[np.zeros(300, int)], np.full(300, 1e-14))
    np.testing.assert_allclose(found.lower, closest(a, b).distance, atol=1e-13, rtol=0.0)
    assert found.miss.max() <= 1e-13


def test_a_direction_that_is_not_the_shortest_way_out_is_left_for_a_shorter_one():
    cube = np.array(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0])).reshape(3, 8).T
    a, b = Clouds(cube[None]), Clouds(cube[None] + [1.5, 0.25, 0.0])
    tilted = np.array([[np.cos(0.1), np.sin(0.1), 0.0]])
    gap = np.einsum("pi,pi->p", b.support(-tilted) - a.support(tilted), tilted)
    found = brought_together(a, b, tilted, gap, np.full(1, 1e-14))
    np.testing.assert_allclose(found.lower, -0.5, atol=1e-13)
    np.testing.assert_allclose(found.normal, [[1.0, 0.0, 0.0]], atol=1e-13)
    np.testing.assert_allclose(found.point_a - found.point_b, [[0.5, 0.0, 0.0]], atol=1e-13)
