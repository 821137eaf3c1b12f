# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed forms of motion answer what the advancement does, and settle nearly all; the early out loses none."""

import importlib

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import results
from collision_kit.core.continuous.first_contacts import swept_spheres_disjoint
from tests.helpers import zoo
from tests.helpers.offline import slow

# The function has the name of its module, and hides it.
module = importlib.import_module("collision_kit.core.continuous.time_of_impact")
K = ck.Kind
FORMS = [(K.SPHERE, K.SPHERE), (K.SPHERE, K.CAPSULE), (K.CAPSULE, K.CAPSULE), (K.BOX, K.BOX)]
forms = pytest.mark.parametrize("kinds", FORMS, ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())


def thrown(kinds, rng, count, maker="generic"):
    a, b = (zoo.MAKERS[maker](kind, rng, count) for kind in kinds)
    away = rng.normal(size=(count, 3)) * 2.5 if maker == "generic" else rng.integers(-4, 5, (count, 3)) * 1.0
    noise = rng.normal(size=(2, count, 3)) if maker == "generic" else rng.integers(-1, 2, (2, count, 3))
    return a, zoo.moved(b, away), noise[0], noise[0] + noise[1] - 1.6 * away


def asked(monkeypatch, closed, *case, **more):
    a, b, va, vb = case
    with monkeypatch.context() as patch:
        if not closed:
            patch.setattr(module, "_CLOSED_FORMS", {})
            patch.setattr(module, "_KERNELS", {})
            patch.setattr(module, "swept_spheres_disjoint", lambda a, b, radius, *_: np.zeros(len(radius), dtype=bool))
        return ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb, **more)


@forms
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_the_closed_forms_answer_what_the_advancement_does(monkeypatch, kinds, maker):
    rng = np.random.default_rng([1, *kinds])
    case = thrown(kinds, rng, 1500, maker)
    found, expected = (asked(monkeypatch, closed, *case) for closed in (True, False))
    np.testing.assert_array_equal(found.hit, expected.hit)
    np.testing.assert_array_equal(found.decided, expected.decided)
    # Round shapes on a lattice graze each other exactly: rounding of a touch is a root's worth of time then.
    near = 1e-7 if maker == "degenerate" and kinds != (K.BOX, K.BOX) else 1e-11
    np.testing.assert_allclose(found.time, expected.time, rtol=0.0, atol=near)
    np.testing.assert_allclose(found.safe, expected.safe, rtol=0.0, atol=near)
    if maker == "generic":
        np.testing.assert_allclose(found.normal, expected.normal, atol=1e-6)
        np.testing.assert_allclose(found.point, expected.point, atol=1e-6)
    # Where many normals and points would do, theirs need not be the same, but they are unit vectors and in reach.
    hit = found.hit
    np.testing.assert_allclose(np.linalg.norm(found.normal[hit], axis=1), 1.0, atol=1e-12)
    a, b, va, vb = case
    spot = ck.Spheres(found.point[hit], np.zeros(np.count_nonzero(hit)))
    then = [
        zoo.moved(shapes, velocity * np.where(hit, found.time, 0.0)[:, None]).take(np.flatnonzero(hit))
        for shapes, velocity in ((a, va), (b, vb))
    ]
    gaps = [ck.distance(shapes, spot).distance for shapes in then]
    # Along the normal they are as far apart as they are at all: not at all, or by minus the depth at the start.
    along = -zoo.support(then[0], found.normal[hit]) - zoo.support(then[1], -found.normal[hit])
    np.testing.assert_allclose(along, ck.distance(*then).distance, atol=1e-9)
    later = found.time[hit] > 0.0
    np.testing.assert_allclose(np.array(gaps)[:, later], 0.0, atol=1e-9)


@forms
def test_nearly_all_pairs_are_settled_without_advancement(monkeypatch, kinds):
    rng = np.random.default_rng([2, *kinds])
    case = thrown(kinds, rng, 3000)
    found = asked(monkeypatch, True, *case, max_iterations=0)
    asleep = asked(monkeypatch, True, *case)
    started = asleep.time == 0.0
    if kinds == (K.BOX, K.BOX):
        assert found.decided.mean() > 0.995 and found.decided[started].mean() > 0.99
    else:
        assert found.decided[~started].mean() > 0.995
    # None was settled wrong, and an undecided pair claims nothing.
    np.testing.assert_array_equal(found.hit[found.decided], asleep.hit[found.decided])
    assert not found.hit[~found.decided].any() and (found.safe[~found.decided] == 0.0).all()


def test_nearly_parallel_boxes_are_told_apart(monkeypatch):
    """Turned against each other by from 1e-16 to 0.1 radians, about an axis of theirs and about any."""
    rng = np.random.default_rng(3)
    a, b, va, vb = thrown((K.BOX, K.BOX), rng, 2000)
    angle = 10.0 ** rng.uniform(-16.0, -1.0, 2000)
    axis = np.where(np.arange(2000)[:, None] % 2 == 0, a.rotation[:, :, 0], rng.normal(size=(2000, 3)))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    turn = ck.RigidMotion(0.0 * va, axis * angle[:, None], 0.0 * va).pose(np.ones(2000))[0]
    b = ck.Boxes(b.center, b.half_extents, turn @ a.rotation)
    found, expected = (asked(monkeypatch, closed, a, b, va, vb) for closed in (True, False))
    np.testing.assert_array_equal(found.hit, expected.hit)
    np.testing.assert_allclose(found.time, expected.time, rtol=0.0, atol=1e-10)


def test_rods_that_cross_at_a_small_angle(monkeypatch):
    """Edge on edge: what decides is a cross product that has lost digits, or nothing of which is left."""
    rng = np.random.default_rng(8)
    count = 1000
    angle = 10.0 ** rng.uniform(-7.0, -1.0, count)
    angle[::10] = 0.0
    roll = np.array([[1, 0, 0], [0, 1, -1], [0, 1, 1]]) / np.array([[1.0], [np.sqrt(2.0)], [np.sqrt(2.0)]])
    across = ck.RigidMotion(np.zeros((count, 3)), np.eye(3)[2] * angle[:, None], np.zeros((count, 3)))
    half = np.tile([5.0, 0.1, 0.1], (count, 1))
    a = ck.Boxes(np.zeros((count, 3)), half, np.tile(roll, (count, 1, 1)))
    b = ck.Boxes(np.tile([0.0, 0.0, 2.0], (count, 1)), half, across.pose(np.ones(count))[0] @ roll)
    path = np.column_stack([rng.uniform(-1.0, 1.0, (count, 2)) * [[1.0, 1e-3]], np.full(count, -3.0)])
    found, expected = (asked(monkeypatch, closed, a, b, 0.0 * path, path) for closed in (True, False))
    assert found.hit.all()
    np.testing.assert_allclose(found.time, expected.time, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(found.normal, expected.normal, atol=1e-6)


def test_boxes_with_parallel_edges_need_no_advancement(monkeypatch):
    rng = np.random.default_rng(9)
    a, b, va, vb = thrown((K.BOX, K.BOX), rng, 2000)
    b = ck.Boxes(b.center, b.half_extents, a.rotation)
    found = asked(monkeypatch, True, a, b, va, vb, max_iterations=0)
    assert found.decided.mean() > 0.995 and found.hit.mean() > 0.1


def test_flat_boxes_segments_and_points_meet_as_they_should(monkeypatch):
    rng = np.random.default_rng(4)
    a, b, va, vb = thrown((K.BOX, K.BOX), rng, 3000)
    flat = rng.integers(0, 2, (2, 3000, 3))
    a, b = (ck.Boxes(x.center, x.half_extents * keep, x.rotation) for x, keep in zip((a, b), flat, strict=True))
    found, expected = (asked(monkeypatch, closed, a, b, va, vb) for closed in (True, False))
    assert found.hit.mean() > 0.05
    np.testing.assert_array_equal(found.hit, expected.hit)
    np.testing.assert_allclose(found.time, expected.time, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(found.normal, expected.normal, atol=1e-6)


@pytest.mark.parametrize("alike", [False, True])
def test_boxes_that_are_nearly_parallel_meet_in_a_point_of_both(alike):
    """Up to a tilt by from 1e-17 to 0.1 radians: edges and faces are level, or nearly.

    Where axes differ by rounding, each may be preferred. The point is then beside a box by that divided by the tilt.
    """
    rng = np.random.default_rng(6)
    count = 20_000 if alike else 3000
    half = rng.integers(0, 4, (2, count, 3)) / 2.0 if alike else 10.0 ** rng.uniform(-9.0, 3.0, (2, count, 3))
    tilt = np.eye(3) + 10.0 ** rng.uniform(-17.0, -1.0, (2, count, 1, 1)) * rng.normal(size=(2, count, 3, 3))
    left, _, right = np.linalg.svd(tilt)
    a, b = (
        ck.Boxes(np.zeros((count, 3)), *of) for of in zip(half, left @ right @ zoo.rotations(rng, count), strict=True)
    )
    way = zoo.rotations(rng, count)[:, 0]
    path = (zoo.support(a, way) + zoo.support(b, -way))[:, None] * way
    b = zoo.moved(b, path * rng.uniform(1.0, 2.5, (count, 1)))
    found = ck.time_of_impact(a, b, velocity_b=-3.0 * path)
    assert found.hit.all()
    size = np.linalg.norm(half, axis=2).sum(axis=0)
    for box in (a, zoo.moved(b, -3.0 * path * found.time[:, None])):
        local = np.einsum("nij,ni->nj", box.rotation, found.point - box.center)
        outside = np.linalg.norm(np.maximum(np.abs(local) - box.half_extents, 0.0), axis=1)
        assert (outside <= 1e-8 * size).all()


@pytest.mark.parametrize("count", [500, *slow(3000)])
def test_capsules_that_cross_at_any_angle(monkeypatch, count):
    """Parallel ones, nearly parallel ones, segments without radius and ones without length."""
    rng = np.random.default_rng(5)
    along = rng.normal(size=(count, 3))
    bend = 10.0 ** rng.uniform(-17.0, 0.0, count)
    other = along * rng.choice([-1.0, 1.0, 0.5], count)[:, None] + bend[:, None] * rng.normal(size=(count, 3))
    place, away = rng.normal(size=(count, 3)), 3.0 * rng.normal(size=(count, 3))
    radius = np.where(rng.random((2, count)) < 0.3, 0.0, rng.uniform(0.01, 0.5, (2, count)))
    along[: count // 15] = 0.0
    a = ck.Capsules(place, place + along, radius[0])
    b = ck.Capsules(place + away, place + away + other, radius[1])
    # Straight at a point of the other's axis, so that thin ones meet too.
    aim = rng.uniform(-0.2, 1.2, (count, 1))
    velocity = -1.5 * (away + 0.5 * other - aim * along)
    found, expected = (asked(monkeypatch, closed, a, b, 0.0 * velocity, velocity) for closed in (True, False))
    assert found.hit.mean() > 0.3
    np.testing.assert_array_equal(found.hit, expected.hit)
    np.testing.assert_allclose(found.time, expected.time, rtol=0.0, atol=1e-9)


def test_work_tells_what_settled_the_pairs(monkeypatch):
    rng = np.random.default_rng(6)
    case = thrown((K.BOX, K.BOX), rng, 2000)
    with ck.QueryStats() as seen:
        found = asked(monkeypatch, True, *case)
    assert seen.pairs == 2000
    assert (
        min(seen.resolved_by[stage] for stage in (results.BOUNDING_SPHERES, results.FACE_AXES, results.EDGE_AXES)) > 20
    )
    assert abs(seen.resolved_by[results.EXACT] - np.count_nonzero(found.hit)) < 10


def test_balls_that_come_near_are_never_left_out():
    rng = np.random.default_rng(7)
    count = 20_000
    a, b, path = rng.normal(size=(3, 3, count)) * np.array([1.0, 1.0, 3.0])[:, None, None]
    radius = rng.uniform(0.0, 1.5, count)
    far = swept_spheres_disjoint(a, b, radius, path)
    times = np.linspace(0.0, 1.0, 201)
    least = np.min([np.linalg.norm(b - a + path * time, axis=0) for time in times], axis=0)
    assert 0.2 < far.mean() < 0.95
    assert (least[far] > radius[far]).all()
    # And what stays clear of it is left out: between two samples the way is not longer than this.
    clear = least > radius + np.linalg.norm(path, axis=0) / 200.0
    assert far[clear].all()
    deviation = rng.uniform(0.0, 1.0, count)
    np.testing.assert_array_equal(
        swept_spheres_disjoint(a, b, radius, path, deviation), swept_spheres_disjoint(a, b, radius + deviation, path)
    )
