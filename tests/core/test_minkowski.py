# SPDX-License-Identifier: GPL-3.0-or-later
"""Minkowski sums and A - B against their definitions, Qhull, mixed areas and exact arithmetic.

Distance and depth of the origin carry their proofs: a point of A - B bounds the distance from above, the gap
along the normal from below. The last tests hold the questions of the core against them.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import nnls
from scipy.spatial import ConvexHull as Qhull

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.convex import minkowski
from collision_kit.core.convex.minkowski import (
    configuration_space_obstacle,
    distance_to_origin,
    minkowski_sum,
    penetration_depth_of_origin,
    reflection,
)
from tests.helpers import point_sets, zoo
from tests.helpers.hull_certificate import check
from tests.helpers.offline import slow

CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def support(points, directions):
    """The support function of a point set along each direction."""
    return (directions @ points.T).max(axis=1)


def moved(points, offset):
    return points + np.array(offset)


def corners(polytope):
    return polytope.points[polytope.vertices]


def pairs(rng, width, count, most=12):
    """Point sets of every dimension, near enough to each other that about half of them overlap."""
    for _ in range(count):
        a = rng.normal(size=(rng.integers(1, most), width))
        yield a, rng.normal(size=(rng.integers(1, most), width)) + rng.normal(size=width)


def doubled_area(outline):
    """Twice the area of a polygon of integers, exactly."""
    return sum(
        int(a[0]) * int(b[1]) - int(a[1]) * int(b[0]) for a, b in zip(outline, np.roll(outline, -1, 0), strict=True)
    )


@pytest.mark.parametrize("count", [40, *slow(150)])
@pytest.mark.parametrize("width", [2, 3])
def test_supports_of_sums_and_obstacles_add_up(width, count):
    rng = np.random.default_rng(width)
    directions = rng.normal(size=(300, width))
    for a, b in pairs(rng, width, count):
        total, obstacle = minkowski_sum(a, b), configuration_space_obstacle(a, b)
        assert np.allclose(support(corners(total), directions), support(a, directions) + support(b, directions))
        expected = support(a, directions) + support(b, -directions)
        assert np.allclose(support(corners(obstacle), directions), expected, rtol=0, atol=1e-13)
        # Every vertex is the sum of two points.
        sums = (a[:, None] - b).reshape(-1, width)
        assert all(np.abs(sums - corner).max(axis=1).min() < 1e-15 * 16 for corner in corners(obstacle))


@pytest.mark.parametrize("count", [20, *slow(60)])
@pytest.mark.parametrize("width", [2, 3])
def test_supports_are_exact_on_lattices(width, count):
    rng = np.random.default_rng(10 + width)
    directions = rng.integers(-9, 10, (200, width))
    for _ in range(count):
        a, b = (rng.integers(-5, 6, (rng.integers(1, 30), width)) for _ in range(2))
        obstacle = configuration_space_obstacle(a, b)
        expected = (directions @ a.T).max(axis=1) + (directions @ -b.T).max(axis=1)
        assert np.array_equal(support(corners(obstacle), directions), expected)
        sums = {tuple(row) for row in (a[:, None] - b).reshape(-1, width).tolist()}
        assert {tuple(row) for row in corners(obstacle).astype(int).tolist()} <= sums
        alone = (planar.convex_hull if width == 2 else ck.convex_hull)((a[:, None] - b).reshape(-1, width))
        assert sorted(corners(alone).tolist()) == sorted(corners(obstacle).tolist())


def test_area_is_that_of_the_mixed_area_identity():
    """area(A + B) = area(A) + 2 V(A, B) + area(B), and 2 V is the sum of h_A over B's edges, in integers."""
    rng = np.random.default_rng(4)
    for reach, most in ((2, 6), (6, 30), (1000, 100)):
        for _ in range(60):
            a, b = (rng.integers(-reach, reach + 1, (rng.integers(1, most), 2)) for _ in range(2))
            rings = [points[planar.convex_hull(points).outline] for points in (a, b)]
            mixed = 0
            for start, end in zip(rings[1], np.roll(rings[1], -1, 0), strict=True):
                mixed += int((a @ [end[1] - start[1], start[0] - end[0]]).max())
            expected = doubled_area(rings[0]) + 2 * mixed + doubled_area(rings[1])
            assert 2.0 * minkowski_sum(a, b).area == expected
    a, b = rng.normal(size=(2, 50, 2))
    total = minkowski_sum(a, b)
    edges = b[Qhull(b).simplices]
    reach = support(a, Qhull(b).equations[:, :2])
    mixed = reach @ np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    assert total.area == pytest.approx(Qhull(a).volume + mixed + Qhull(b).volume, rel=1e-12)
    assert total.perimeter == pytest.approx(Qhull(a).area + Qhull(b).area, rel=1e-12)


def test_volumes_in_space():
    rng = np.random.default_rng(5)
    for _ in range(20):
        a, b = rng.normal(size=(2, 12, 3))
        total = check(minkowski_sum(a, b))
        assert total.volume == pytest.approx(Qhull((a[:, None] + b).reshape(-1, 3)).volume, rel=1e-12)
        alone = ck.convex_hull(a)
        assert minkowski_sum(a, a).volume == pytest.approx(8.0 * alone.volume, rel=1e-12)
        # With a segment: the volume swept is the shadow times the length.
        along = rng.normal(size=3)
        areas = [
            np.linalg.norm(sum(np.cross(p, q) for p, q in zip(f, np.roll(f, -1, 0), strict=True))) / 2.0
            for f in (alone.points[face] for face in alone.faces)
        ]
        swept = np.abs(alone.normals @ along) @ areas / 2.0
        assert minkowski_sum(a, [np.zeros(3), along]).volume == pytest.approx(alone.volume + swept, rel=1e-12)
    turn = zoo.rotations(rng, 1)[0]
    boxes = minkowski_sum(CUBE @ turn, CUBE * [1.0, 2.0, 3.0] @ turn)
    assert len(boxes.vertices) == 8 and len(boxes.faces) == 6
    assert boxes.volume == pytest.approx(4 * 6 * 8)


def test_sums_in_space_are_named_by_their_vertices():
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(2, 20, 3))
    left, right = corners(ck.convex_hull(a)), corners(ck.convex_hull(b))
    total = minkowski_sum(a, b)
    first, second = np.divmod(total.vertices, len(right))
    assert np.array_equal(corners(total), left[first] + right[second])


LATTICE = np.stack(np.meshgrid(*[np.arange(-4.0, 5.0)] * 3), axis=-1).reshape(-1, 3)
PRISM = point_sets.prism(40, 2)


@pytest.mark.parametrize("per_block", [1 << 21, *slow(100)])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (point_sets.on_sphere(np.random.default_rng(7), 60), point_sets.on_sphere(np.random.default_rng(8), 90)),
        (LATTICE[(LATTICE**2).sum(axis=1) <= 16.5], LATTICE[(LATTICE**2).sum(axis=1) <= 12.5]),
        (PRISM, PRISM * [2.0, 2.0, 0.5]),
        (PRISM, CUBE),
        (PRISM * [1.0, 1.0, 0.0], PRISM * [0.0, 1.0, 1.0]),
        (PRISM * [1.0, 1.0, 0.0], PRISM * [1.0, 1.0, 0.0]),
        (PRISM, np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])),
        (PRISM * 1e4, PRISM * 1e-4),
    ],
)
def test_of_many_sums_those_are_made_that_are_vertices(a, b, per_block, monkeypatch):
    whole = minkowski_sum(a, b)
    monkeypatch.setattr(minkowski, "_ALL_SUMS", 0)
    monkeypatch.setattr(minkowski, "_SUMS_PER_BLOCK", per_block)
    parts = minkowski_sum(a, b)
    assert sorted(corners(parts).tolist()) == sorted(corners(whole).tolist())
    if len(a) == 60:
        assert len(parts.points) < len(whole.points) / 3


def test_near_parallel_edges_do_not_spoil_the_outline():
    rng = np.random.default_rng(8)
    for _ in range(100):
        angle = np.sort(rng.random(30)) * 2.0 * np.pi
        a = np.stack((np.cos(angle), np.sin(angle)), axis=1) * rng.choice([1.0, 1e3])
        b = a * rng.choice([1.0, -1.0, 0.3]) + rng.normal(size=2) + rng.choice([0.0, 1e-15]) * rng.normal(size=a.shape)
        total = minkowski_sum(a, b)
        alone = planar.convex_hull((a[:, None] + b).reshape(-1, 2))
        directions = rng.normal(size=(200, 2))
        error = support(corners(total), directions) - support(corners(alone), directions)
        assert np.abs(error).max() <= 4 * total.tolerance
        assert len(total.vertices) <= 60


def test_reflection():
    points = np.array([[0.0, 1.0], [2.0, -3.0]])
    assert reflection(points).tolist() == [[0.0, -1.0], [-2.0, 3.0]]
    assert not np.signbit(reflection(points)[0, 0])


def proven(a, b):
    """Distance and depth of the origin to A - B, each with its proof checked."""
    obstacle = configuration_space_obstacle(a, b)
    width, slack = a.shape[1], 16 * obstacle.tolerance
    near, deep = distance_to_origin(obstacle), penetration_depth_of_origin(obstacle)
    for answer in (near, deep):
        assert np.linalg.norm(answer.normal) == pytest.approx(1.0, abs=1e-14)
        assert np.linalg.norm(answer.point) == pytest.approx(answer.distance, abs=slack)
        gap = (b @ answer.normal).min() - (a @ answer.normal).max()
        # A translation by the gap along the normal parts them; no distance is less than a gap.
        assert gap == pytest.approx(near.distance - deep.distance, abs=slack)
    assert near.distance == 0.0 or deep.distance == 0.0
    # The point is one of A - B: a convex combination of differences.
    sums = (a[:, None] - b).reshape(-1, width)
    size = np.abs(sums).max() + 1.0
    weights, residual = nnls(np.vstack((sums.T / size, np.ones(len(sums)))), np.append(near.point / size, 1.0))
    assert residual < 1e-12 and (weights >= 0.0).all()
    if obstacle.dimension < width:
        assert deep.distance == 0.0
    elif deep.distance > 0.0:
        # A ball of that radius fits: no direction parts them cheaper, by another program's faces.
        assert deep.distance <= (-Qhull(sums).equations[:, -1]).min() + slack
        assert np.allclose(deep.point, deep.distance * deep.normal, rtol=0, atol=slack)
    return near, deep


@pytest.mark.parametrize("count", [30, *slow(200)])
@pytest.mark.parametrize("width", [2, 3])
def test_distance_and_depth_carry_their_proofs(width, count):
    rng = np.random.default_rng(20 + width)
    inside = 0
    for a, b in pairs(rng, width, count):
        _, deep = proven(a, b)
        inside += deep.distance > 0.0
    assert 0.2 * count < inside < 0.8 * count


@settings(max_examples=100, deadline=None)
@given(
    st.integers(2, 3).flatmap(
        lambda width: st.tuples(
            *(arrays(np.int64, st.tuples(st.integers(1, 7), st.just(width)), elements=st.integers(-2, 2)),) * 2
        )
    ),
    st.sampled_from([1.0, 0.1, 1e-6, 1e6]),
)
def test_touching_flat_and_repeated_points_carry_their_proofs(sets, scale):
    proven(sets[0] * scale, sets[1] * scale)


def test_known_answers():
    near = distance_to_origin(configuration_space_obstacle(CUBE, moved(CUBE, [5.0, 0.0, 0.0])))
    assert near.distance == 3.0 and near.normal.tolist() == [1, 0, 0] and near.point.tolist() == [-3, 0, 0]
    corner = distance_to_origin(configuration_space_obstacle(CUBE, moved(CUBE, [5.0, 6.0, 14.0])))
    assert corner.distance == 13.0 and np.allclose(corner.normal, np.array([3, 4, 12]) / 13)
    deep = penetration_depth_of_origin(configuration_space_obstacle(CUBE, moved(CUBE, [0.0, -1.5, 0.0])))
    assert deep.distance == 0.5 and deep.normal.tolist() == [0, -1, 0] and deep.point.tolist() == [0, -0.5, 0]
    touching = configuration_space_obstacle(CUBE, moved(CUBE, [0.0, 2.0, 0.5]))
    for answer in (distance_to_origin(touching), penetration_depth_of_origin(touching)):
        assert answer.distance == 0.0 and answer.normal.tolist() == [0, 1, 0] and not answer.point.any()
    # The same point: no direction is better than another.
    point = configuration_space_obstacle([[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]])
    assert distance_to_origin(point).normal.tolist() == [0, 0, 1]
    assert penetration_depth_of_origin(planar.convex_hull([[0.0, 0.0]])).normal.tolist() == [0, 1]


def test_the_origin_in_a_flat_polytope():
    rng = np.random.default_rng(32)
    for turn in zoo.rotations(rng, 50):
        square = CUBE[CUBE[:, 2] > 0.0] * [1.0, 3.0, 0.0] @ turn
        near, deep = proven(square, np.zeros((1, 3)))
        assert near.distance < 1e-14 and abs(near.normal @ turn[2]) == pytest.approx(1.0)
        segment = np.array([[-1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]) @ turn
        near, deep = proven(segment, np.zeros((1, 3)))
        assert near.distance < 1e-14 and abs(near.normal @ turn[0]) < 1e-14 and deep.distance == 0.0


@pytest.mark.parametrize("count", [30, *slow(300)])
def test_the_core_agrees_with_the_definition(count):
    rng = np.random.default_rng(30)
    sets = list(pairs(rng, 3, count, most=20))
    turned = [(CUBE * rng.random(3) @ zoo.rotations(rng, 1)[0], b) for _, b in sets[: count // 6]]
    sets += turned
    answers = ck.distance(*(ck.Hulls.from_points(side) for side in zip(*sets, strict=True)))
    for row, (a, b) in enumerate(sets):
        answer = answers.take(np.array([row]))
        obstacle = configuration_space_obstacle(a, b)
        near, deep = distance_to_origin(obstacle), penetration_depth_of_origin(obstacle)
        signed = near.distance - deep.distance
        assert answer.distance[0] == pytest.approx(signed, abs=1e-12)
        if near.distance > 1e-6:
            assert np.allclose(answer.normal[0], near.normal, rtol=0, atol=1e-7)
        assert np.allclose(answer.point_b - answer.point_a, signed * answer.normal, rtol=0, atol=1e-12)


def test_prisms_have_the_distance_of_their_outlines():
    rng = np.random.default_rng(31)
    for a, b in pairs(rng, 2, 100):
        obstacle = configuration_space_obstacle(a, b)
        signed = distance_to_origin(obstacle).distance - penetration_depth_of_origin(obstacle).distance
        tall = [np.vstack([np.column_stack((p, np.full(len(p), z))) for z in (-50.0, 50.0)]) for p in (a, b)]
        answer = ck.distance(ck.Hulls.from_points(tall[:1]), ck.Hulls.from_points(tall[1:]))
        assert answer.distance[0] == pytest.approx(signed, abs=1e-11)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([[0, 0]], [[0, 0, 0]], r"b_points: shape \(1, 3\), but a_points has \(1, 2\)"),
        ([], [[0, 0, 0]], "a_points: empty"),
        ([[0, 0, 0]], [[0, 0, 0], [0, np.nan, 0]], "b_points: row 1 is not finite"),
        ([[0, 0, 0, 0]], [[0, 0, 0]], "a_points: shape"),
    ],
)
def test_bad_input_is_named(a, b, message):
    for question in (minkowski_sum, configuration_space_obstacle):
        with pytest.raises(ValueError, match=message):
            question(a, b)
