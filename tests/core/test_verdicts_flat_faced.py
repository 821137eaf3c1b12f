# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and triangles: verdicts and depths against integers, which cannot round, wherever rounding does not decide."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.numerics.tolerances import AXIS_NAMED
from tests.helpers import exact_polytopes as exact
from tests.helpers import zoo
from tests.helpers.offline import many, slow

FEW, MANY = 1500, many(10_000, 100_000)
amounts = pytest.mark.parametrize("count", [FEW, *slow(MANY)])


def named(a, b):
    """Return how much less than the best gap that of the axis may be that is named: faces come before edges."""
    return 7.0 * AXIS_NAMED * np.abs(np.concatenate([*a.bounds(), *b.bounds()], axis=1)).sum(axis=1)


def check(a, b, truth, scale=1.0):
    """No verdict is wrong where more than rounding is at stake, touching is contact, and depths are the true ones."""
    bound = ck.distance(a, b).rounding
    axes, overlap = ck.separating_axis(a, b), ck.overlap(a, b)
    np.testing.assert_array_equal(overlap[truth > bound], False)
    np.testing.assert_array_equal(overlap[truth <= 0.0], True)
    deep = truth <= 0.0
    np.testing.assert_allclose(ck.distance(a, b).distance[deep], truth[deep], atol=2e-11 * scale)
    assert (truth - axes.gap <= named(a, b) + 2e-11 * scale)[deep].all()
    # Boxes and triangles that are apart have the largest gap over their own axes, which is at most the distance.
    assert (axes.gap <= truth + 1e-12 * scale).all()
    assert ((axes.gap > bound) == (truth > bound)).all()
    assert (truth < -1e-9).any() and (truth > 1e-9).any() and (truth == 0.0).any()


def rational_boxes(rng, count, flat):
    """Boxes with rational rotations: as floats, and what makes their vertices as integers times the denominator."""
    center, half = rng.integers(-4, 5, (count, 3)), rng.integers(0 if flat else 1, 4, (count, 3))
    matrix, denominator = exact.rational_rotations(rng, count)
    boxes = ck.Boxes(center / 2.0, half / 2.0, matrix / denominator[:, None, None])
    return boxes, center, half, matrix, denominator


@amounts
@pytest.mark.parametrize("flat", [False, True])
def test_boxes_with_rational_rotations_never_get_a_wrong_verdict(count, flat):
    rng = np.random.default_rng([3, flat])
    count = count // 10 if flat and count == MANY else count
    a, center_a, half_a, matrix_a, p = rational_boxes(rng, count, flat)
    b, center_b, half_b, matrix_b, q = rational_boxes(rng, count, flat)
    corners_a = exact.box_vertices(center_a * (p * q)[:, None], half_a * q[:, None], matrix_a)
    corners_b = exact.box_vertices(center_b * (p * q)[:, None], half_b * p[:, None], matrix_b)
    faces = np.concatenate([matrix_a, matrix_b], axis=2).transpose(0, 2, 1)
    # Columns stand for the edges, which a flat box may lack.
    edges = exact.cross(faces[:, :3, None], faces[:, None, 3:]).reshape(count, 9, 3)
    axes = np.concatenate([faces, edges], axis=1)
    gap = exact.gaps(corners_a, exact.BOX_EDGES, corners_b, exact.BOX_EDGES, axes, thorough=flat)
    truth = gap / (2.0 * p * q)
    axes_only = exact.gaps(corners_a, exact.BOX_EDGES, corners_b, exact.BOX_EDGES, axes, thorough=False) / (2.0 * p * q)
    check(a, b, truth)
    less = axes_only - ck.separating_axis(a, b).gap
    assert (less >= -2e-11).all() and (less <= named(a, b) + 2e-11).all()


@amounts
@pytest.mark.parametrize("flat", [False, True])
def test_boxes_and_triangles_never_get_a_wrong_verdict(count, flat):
    rng = np.random.default_rng([4, flat])
    a, center, half, matrix, p = rational_boxes(rng, count, flat)
    corners = center[:, None] + rng.integers(-6, 7, (count, 1, 3)) + rng.integers(-3, 4, (count, 3, 3))
    if flat:
        # In the plane of a flat box; and in one plane with a box that is but a segment, askew to its other two axes.
        half[::3, 2] = half[1::3, 1:] = 0
        a = ck.Boxes(a.center, half / 2.0, a.rotation)
        plane = matrix[:, :, :2].transpose(0, 2, 1).copy()
        plane[1::3, 1] += matrix[1::3, :, 2]
        in_plane = center[:, None] + rng.integers(-2, 3, (count, 3, 2)) @ plane
        corners[::3], corners[1::3] = in_plane[::3], in_plane[1::3]
    b = ck.Triangles(corners / 2.0)
    corners_a = exact.box_vertices(center * p[:, None], half, matrix)
    corners_b = corners * p[:, None, None]
    columns = matrix.transpose(0, 2, 1)
    sides = np.roll(corners, -1, axis=1) - corners
    normal = exact.cross(sides[:, :1], sides[:, 1:2])
    edges = exact.cross(columns[:, :, None], sides[:, None]).reshape(count, 9, 3)
    axes = np.concatenate([columns, normal, edges], axis=1)
    check(a, b, exact.gaps(corners_a, exact.BOX_EDGES, corners_b, exact.SIDES, axes) / (2.0 * p))


@amounts
@pytest.mark.parametrize("reach", [2, 12, 2000])
def test_triangles_with_integer_corners_never_get_a_wrong_verdict(count, reach):
    rng = np.random.default_rng([5, reach])
    a, b = rng.integers(-reach, reach + 1, (2, count, 3, 3))
    if reach > 2:
        # What rounding would get wrong: one corner of B in A's plane, on a side or at a corner; or all three.
        weight = rng.integers(-1, 3, (count, 3, 2))
        in_plane = a[:, :1] + weight @ (a[:, 1:] - a[:, :1])
        b[::2, 0], b[1::8] = in_plane[::2, 0], in_plane[1::8]
    sides = [np.roll(s, -1, axis=1) - s for s in (a, b)]
    normals = np.stack([exact.cross(s[:, 0], s[:, 1]) for s in sides], axis=1)
    truth = exact.gaps(a, exact.SIDES, b, exact.SIDES, normals)
    check(ck.Triangles(a), ck.Triangles(b), truth, scale=float(reach))


@pytest.mark.parametrize("count", [60, *slow(many(500, 3_000))])
def test_verdicts_on_random_floats_agree_with_integers_made_from_them(count):
    """The very floats, rotations that are not quite orthogonal included, scaled to integers."""
    rng = np.random.default_rng(6)
    boxes = [zoo.generic(ck.Kind.BOX, rng, count) for _ in range(2)]
    triangles = [zoo.generic(ck.Kind.TRIANGLE, rng, count) for _ in range(2)]
    for a, b in (boxes, (boxes[0], triangles[0]), triangles):
        truth = exact.gaps_of_floats(a, b)
        np.testing.assert_array_equal(ck.overlap(a, b), truth <= 0.0)
        axes = ck.separating_axis(a, b)
        np.testing.assert_allclose(axes.gap[truth <= 0.0], truth[truth <= 0.0], atol=1e-13)
        assert (axes.gap <= truth + 1e-13).all()
