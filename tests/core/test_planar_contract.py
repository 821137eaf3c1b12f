# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every pair of kinds of the plane: one test for each promise, over all of them.

Certificates: the axis separates by the gap, the witnesses lie on the shapes and prove the distance, the translation
frees, no shorter one does. Invariances: swap, rigid motion, scale, one at a time or all at once.
"""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from tests.helpers.offline import by_turns
from tests.helpers.planar_bodies import KINDS, MAKERS, of_origin, rotation, signed_distance

COUNT = 10
# Of shapes of about unit size.
TINY = 1e-12

# Every two kinds, in either order; the slow run has both.
QUICK = {
    pair[:: 1 if number % 2 else -1] for number, pair in enumerate(itertools.combinations_with_replacement(KINDS, 2))
}
CELLS = [
    pytest.param(kinds, maker, id=f"{kinds[0]}-{kinds[1]}-{maker}", marks=() if kinds in QUICK else pytest.mark.slow)
    for kinds, maker in itertools.product(itertools.product(KINDS, KINDS), MAKERS)
]


def cells(turn):
    """Each pair of kinds is drawn in one of the ways by the quick tests, and in the others by the slow ones."""
    return pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, len(MAKERS), turn))


def bodies(kinds, maker, seed=1, count=COUNT):
    rng = np.random.default_rng([seed, *map(KINDS.index, kinds)])
    return tuple(MAKERS[maker](kind, rng, count) for kind in kinds)


def gap_along(a, b, row, normal):
    return -b.support(row, -normal) - a.support(row, normal)


def belongs(body, row, point):
    """Return how far a point is outside of a body, over its parts."""
    return min(max(of_origin(part - point), 0.0) for part in body.parts(row)) - body.radius[row]


@cells(0)
def test_distances_and_depths_are_those_of_a_minus_b(kinds, maker):
    a, b = bodies(kinds, maker)
    found = planar.distance(a.batch(), b.batch())
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=TINY)
    np.testing.assert_allclose(np.hypot(*found.normal.T), 1.0, atol=TINY)
    for row in range(0, len(a), 2):
        expected = signed_distance(a, b, row)
        if "region" not in kinds or expected > TINY:
            assert found.distance[row] == pytest.approx(expected, abs=TINY)
            for body, point in ((a, found.point_a[row]), (b, found.point_b[row])):
                assert belongs(body, row, point) <= TINY
            if "region" not in kinds:
                assert gap_along(a, b, row, found.normal[row]) == pytest.approx(expected, abs=TINY)
        else:
            assert found.distance[row] <= expected + TINY


@cells(1)
def test_moving_by_the_depth_frees_and_nothing_shorter_does(kinds, maker):
    a, b = bodies(kinds, maker)
    found = planar.distance(a.batch(), b.batch())
    around = np.arange(16) * (np.pi / 8.0)
    compass = np.stack([np.cos(around), np.sin(around)], axis=1)
    for row in np.flatnonzero(found.distance < -1e-6)[:6].tolist():
        one, other = a.take([row]), b.take([row])

        def apart(shift, one=one, other=other):
            return signed_distance(one, other.placed(shift=shift), 0)

        depth, normal = -found.distance[row], found.normal[row]
        assert apart(depth * normal) > -TINY
        assert max(apart(depth * normal + 1e-6 * step) for step in compass) > 1e-8
        assert max(apart(0.999 * depth * step) for step in compass) < TINY


@cells(0)
def test_the_axis_separates_by_its_gap_or_overlaps_by_the_depth(kinds, maker):
    a, b = bodies(kinds, maker)
    axes, found = planar.separating_axis(a.batch(), b.batch()), planar.distance(a.batch(), b.batch())
    np.testing.assert_allclose(np.hypot(*axes.axis.T), 1.0, atol=TINY)
    if "region" not in kinds:
        gaps = [gap_along(a, b, row, axes.axis[row]) for row in range(len(a))]
        np.testing.assert_allclose(axes.gap, gaps, atol=TINY)
    assert (axes.gap <= found.distance + TINY).all()
    meet = found.distance <= 0.0
    np.testing.assert_allclose(axes.gap[meet], found.distance[meet], atol=TINY)
    assert ((axes.gap > TINY) == (found.distance > TINY)).all()


@cells(1)
def test_candidate_axes_prove_the_verdict(kinds, maker):
    a, b = bodies(kinds, maker)
    shapes = a.batch(), b.batch()
    found = planar.candidate_axes(*shapes)
    np.testing.assert_allclose(np.hypot(*found.axis.T), 1.0, atol=TINY)
    gap = np.maximum(found.interval_b[:, 0] - found.interval_a[:, 1], found.interval_a[:, 0] - found.interval_b[:, 1])
    np.testing.assert_allclose(found.gap, gap, atol=TINY)
    tested = found.status == planar.AxisStatus.TESTED
    pieces = np.unique(np.stack([found.pair, found.piece_a, found.piece_b]), axis=1)
    largest = {tuple(key): -np.inf for key in pieces.T.tolist()}
    for row in np.flatnonzero(tested):
        key = int(found.pair[row]), int(found.piece_a[row]), int(found.piece_b[row])
        largest[key] = max(largest[key], found.gap[row])
    together = np.zeros(len(a), bool)
    for (pair, _, _), gap_of_pieces in largest.items():
        together[pair] |= gap_of_pieces <= TINY
    np.testing.assert_array_equal(together, planar.distance(*shapes).distance <= TINY)
    if "region" not in kinds and "circle" not in kinds:
        for row in range(0, len(found), 7):
            pair, axis = found.pair[row], found.axis[row]
            for body, interval in ((a, found.interval_a[row]), (b, found.interval_b[row])):
                assert interval == pytest.approx([-body.support(pair, -axis), body.support(pair, axis)], abs=TINY)


@cells(0)
@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_contacts_lie_midway_between_surfaces_that_meet(kinds, maker, margin):
    a, b = bodies(kinds, maker)
    found, touch = planar.distance(a.batch(), b.batch()), planar.contacts(a.batch(), b.batch(), margin=margin)
    near = found.distance <= margin + found.rounding
    assert (np.bincount(touch.pair, minlength=len(a)) > 0).tolist() == near.tolist()
    assert (np.diff(touch.pair) >= 0).all()
    assert (touch.depth >= -margin).all()
    assert (np.diff(touch.depth)[np.diff(touch.pair) == 0] <= 0.0).all()
    np.testing.assert_allclose(np.hypot(*touch.normal.T), 1.0, atol=TINY)
    if "region" in kinds:
        return
    assert np.bincount(touch.pair).max(initial=0) <= 2
    np.testing.assert_allclose(touch.normal, found.normal[touch.pair], atol=TINY)
    first = np.unique(touch.pair, return_index=True)[1]
    np.testing.assert_allclose(touch.depth[first], -found.distance[touch.pair[first]], atol=TINY)
    for pair, point, normal, depth in zip(touch.pair, touch.point, touch.normal, touch.depth, strict=True):
        # Half the depth either way along the normal lies on the one and on the other surface.
        assert belongs(a, pair, point + 0.5 * depth * normal) <= TINY
        assert belongs(b, pair, point - 0.5 * depth * normal) <= TINY


@cells(1)
def test_overlap_and_classify_agree_with_the_distance(kinds, maker):
    a, b = (body.batch() for body in bodies(kinds, maker, count=100 if "region" not in kinds else COUNT))
    found = planar.distance(a, b)
    np.testing.assert_array_equal(planar.overlap(a, b), found.distance <= found.rounding)
    verdict = planar.classify(a, b, touching=0.05, clearance=0.2)
    for value, expected in (
        (ck.Verdict.SEPARATED, found.distance > 0.2),
        (ck.Verdict.WITHIN_CLEARANCE, (found.distance > 0.05) & (found.distance <= 0.2)),
        (ck.Verdict.TOUCHING, np.abs(found.distance) <= 0.05),
    ):
        np.testing.assert_array_equal(verdict == value, expected)
    held = planar.contains(a, b) | planar.contains(b, a)
    np.testing.assert_array_equal(verdict == ck.Verdict.CONTAINED, (found.distance < -0.05) & held)


@cells(0)
def test_what_is_contained_has_all_its_points_inside(kinds, maker):
    a, b = bodies(kinds, maker)
    b = b.placed(scale=0.4)
    held = planar.contains(a.batch(), b.batch())
    weights = np.random.default_rng(3).dirichlet(np.ones(3), 20)
    for row in range(0, len(a), 3):
        points = []
        for part in b.parts(row):
            corner = part[np.arange(20 * 3).reshape(20, 3) % len(part)]
            inner = np.concatenate([np.einsum("nk,nkd->nd", weights, corner), part, (part + np.roll(part, 1, 0)) / 2.0])
            rim = np.arange(12) * (np.pi / 6.0)
            points += [
                inner + b.radius[row] * np.array([np.cos(t), np.sin(t)]) for t in rim[: 12 if b.radius[row] else 1]
            ]
        outside = max(belongs(a, row, point) for point in np.concatenate(points)[:: 1 if held[row] else 5])
        if held[row]:
            assert outside <= 1e-9
        elif "region" not in kinds and b.kind != "circle":
            assert max(belongs(a, row, point) for point in b.parts(row)[0]) > 0.0


@cells(1)
def test_first_contact_is_a_touch_and_nothing_came_before(kinds, maker):
    a, b = bodies(kinds, maker, count=12)
    rng = np.random.default_rng(5)
    if maker == "degenerate":
        speeds = rng.integers(-3, 4, (2, len(a), 2)).astype(float)
    else:
        speeds = rng.normal(size=(2, len(a), 2)) * 2.0
    a, b = a.placed(shift=[1.5, 0.0]), b.placed(shift=[-1.5, 0.0])
    shapes = a.batch(), b.batch()
    found = planar.time_of_impact(*shapes, velocity_a=speeds[0], velocity_b=speeds[1])
    assert (found.hit == np.isfinite(found.time)).all()
    assert found.decided.all() and isinstance(found, ck.Impacts)
    np.testing.assert_array_equal(found.safe, np.where(found.hit, found.time, 1.0))
    now = planar.overlap(*shapes)
    assert (found.time[now] == 0.0).all() and (found.time[found.hit & ~now] > 0.0).all()
    for row in range(len(a)):
        one, other = a.take([row]), b.take([row])

        def apart(t, one=one, other=other, row=row):
            return signed_distance(one.placed(shift=t * speeds[0, row]), other.placed(shift=t * speeds[1, row]), 0)

        until = found.time[row] if found.hit[row] else 1.0
        if not now[row]:
            assert min(apart(t) for t in np.linspace(0.0, 0.999 * until, 6)) > -TINY
        if not found.hit[row]:
            assert np.isnan(found.point[row]).all() and np.isnan(found.normal[row]).all()
        elif not now[row]:
            assert abs(apart(until)) <= 1e-11
            at_a, at_b = (body.placed(shift=until * v[row]) for body, v in ((one, speeds[0]), (other, speeds[1])))
            assert max(belongs(at_a, 0, found.point[row]), belongs(at_b, 0, found.point[row])) <= 1e-11
            assert np.hypot(*found.normal[row]) == pytest.approx(1.0)
            if maker == "generic":  # what has no extent may be touched from either side at once
                assert found.normal[row] @ (speeds[1, row] - speeds[0, row]) <= 1e-9


@cells(0)
def test_swapping_the_two_turns_the_answer_round(kinds, maker):
    a, b = (body.batch() for body in bodies(kinds, maker))
    one, other = planar.distance(a, b), planar.distance(b, a)
    np.testing.assert_allclose(one.distance, other.distance, atol=1e-8 if "region" in kinds else TINY)
    unique = one.distance > 1e-6
    if "region" not in kinds:
        np.testing.assert_allclose(one.normal[unique], -other.normal[unique], atol=1e-9)
    np.testing.assert_array_equal(planar.overlap(a, b), planar.overlap(b, a))
    forward, back = planar.contacts(a, b), planar.contacts(b, a)
    assert np.unique(forward.pair).tolist() == np.unique(back.pair).tolist()
    speed = np.random.default_rng(2).normal(size=(2, COUNT, 2))
    times = (
        planar.time_of_impact(*pair, velocity_a=moves[0], velocity_b=moves[1]).time
        for pair, moves in (((a, b), speed), ((b, a), speed[::-1]))
    )
    np.testing.assert_allclose(*times, atol=1e-11)


@cells(1)
@pytest.mark.parametrize(
    ("scale", "shift"),
    [(1e4, 0.0), (1.0, 1e5), *(pytest.param(scale, 0.0, marks=pytest.mark.slow) for scale in (1.0, 1e-4))],
)
def test_rigid_motion_and_scale_change_nothing(kinds, maker, scale, shift):
    a, b = bodies(kinds, maker, count=16)
    angle, move = 0.7, shift * np.array([0.6, -0.7])
    # Boxes along the axes cannot be turned; as rectangles they can.
    before = planar.distance(a.batch(), b.batch())
    after = planar.distance(*(body.placed(angle, scale, move).batch() for body in (a, b)))
    # Coordinates 1e5 away are stored with an error of 1e5 eps to begin with.
    tolerance = scale * (TINY + 20.0 * np.finfo(float).eps * shift)
    np.testing.assert_allclose(after.distance, scale * before.distance, atol=tolerance)
    unique = before.distance > 1e-3
    if "region" not in kinds:
        np.testing.assert_allclose(after.normal[unique], before.normal[unique] @ rotation(angle).T, atol=1e-6)


@cells(0)
def test_one_at_a_time_is_the_same_as_all_at_once(kinds, maker):
    a, b = (body.batch() for body in bodies(kinds, maker, count=8))
    speed = np.random.default_rng(2).normal(size=(2, 8, 2))
    together, touch = planar.distance(a, b), planar.contacts(a, b)
    times, held = planar.time_of_impact(a, b, velocity_a=speed[0], velocity_b=speed[1]).time, planar.contains(a, b)
    for row in range(len(a)):
        one, other = a.take(np.array([row])), b.take(np.array([row]))
        assert planar.distance(one, other).distance[0] == pytest.approx(together.distance[row], abs=TINY)
        assert len(planar.contacts(one, other)) == (touch.pair == row).sum()
        assert planar.contains(one, other)[0] == held[row]
        time = planar.time_of_impact(one, other, velocity_a=speed[0, row], velocity_b=speed[1, row]).time[0]
        assert time == pytest.approx(times[row], abs=TINY)


@pytest.mark.parametrize("scale", [1.0, 3.0, 16.0])
def test_a_segment_that_moves_along_its_normal_grazes_a_corner_when_it_is_there(scale):
    segment = planar.Polygons([scale * np.array([[-2.0, -2.0], [-1.0, 1.0]])], [[-3.0 * scale, scale]])
    triangle = planar.Polygons([scale * np.array([[0.0, -2.0], [1.0, 0.0], [1.0, 1.0]])], [[-scale, 3.0 * scale]])
    velocity = [[9.0 * scale, -3.0 * scale]]
    for found in (
        planar.time_of_impact(segment, triangle, velocity_a=velocity),
        planar.time_of_impact(triangle, segment, velocity_b=velocity),
    ):
        assert found.time[0] == pytest.approx(1.0 / 3.0, abs=TINY)
        np.testing.assert_allclose(found.point[0], [-scale, scale], atol=TINY * scale)


@cells(1)
def test_index_pairs_and_broadcasting(kinds, maker):
    a, b = (body.batch() for body in bodies(kinds, maker, count=6))
    every = np.array(list(itertools.product(range(6), range(6))))
    for question in (lambda *given: planar.distance(*given).distance, planar.overlap, planar.contains):
        table = question(a, b, every).reshape(6, 6)
        np.testing.assert_allclose(question(a, b), np.diag(table), atol=TINY)
        np.testing.assert_allclose(question(a.take(np.array([3])), b), table[3], atol=TINY)
        np.testing.assert_allclose(question(a, b.take(np.array([5]))), table[:, 5], atol=TINY)
        assert len(question(a, b, [])) == 0
    for question in (planar.contacts, planar.candidate_axes, planar.separating_axis, planar.classify):
        assert len(question(a, b, np.empty((0, 2), int))) == 0
    assert len(planar.time_of_impact(a, b, pairs=[])) == 0
