# SPDX-License-Identifier: GPL-3.0-or-later
"""Independence, affine hulls and barycentric coordinates, against exact rationals and their definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from collision_kit.core import convex_hull
from collision_kit.core.geometry import affine
from collision_kit.core.planar import convex_hull as planar_hull
from tests.helpers import zoo


def exact_rank(rows):
    """Rank by elimination over the rationals."""
    matrix = [[Fraction(x) for x in row] for row in rows]
    rank = 0
    for column in range(len(matrix[0]) if matrix else 0):
        pivot = next((r for r in range(rank, len(matrix)) if matrix[r][column]), None)
        if pivot is None:
            continue
        matrix[rank], matrix[pivot] = matrix[pivot], matrix[rank]
        for r in range(rank + 1, len(matrix)):
            factor = matrix[r][column] / matrix[rank][column]
            matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[rank], strict=True)]
        rank += 1
    return rank


def small_integers(least, most, width):
    return arrays(np.int64, st.tuples(st.integers(least, most), st.just(width)), elements=st.integers(-3, 3))


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5).flatmap(lambda width: small_integers(1, 6, width)), st.integers(-60, 60))
def test_linear_independence_is_that_of_the_rationals(vectors, power):
    expected = exact_rank(vectors.tolist()) == len(vectors)
    assert affine.linearly_independent(vectors) == expected
    # Scaling any of them changes nothing.
    scale = 10.0 ** (power * np.where(np.arange(len(vectors)) % 2, -1, 1))
    assert affine.linearly_independent(vectors * scale[:, None]) == expected


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 4).flatmap(lambda width: small_integers(1, 7, width)), st.integers(-(10**6), 10**6))
def test_affine_dimension_is_that_of_the_rationals(points, offset):
    expected = exact_rank((points - points[0]).tolist())
    for moved in (points, points * 1e-9, points * 1e9, points + offset):
        assert affine.affine_dimension(moved) == expected
        assert affine.affinely_independent(moved) == (expected == len(points) - 1)
        assert affine.affinely_independent(moved[::-1]) == (expected == len(points) - 1)


@pytest.mark.parametrize("width", [2, 3])
def test_dimension_agrees_with_the_hull(width):
    rng = np.random.default_rng(width)
    hull = planar_hull if width == 2 else convex_hull
    for _ in range(200):
        points = rng.integers(-2, 3, (rng.integers(1, 8), width)) * 0.1 + rng.choice([0.0, 7.3])
        assert affine.affine_dimension(points) == hull(points).dimension
        assert affine.affine_dimension(points.astype(np.float32)) == hull(points.astype(np.float32)).dimension


def test_rounding_makes_no_dimension():
    rng = np.random.default_rng(0)
    for turn in zoo.rotations(rng, 50):
        plane = rng.random((40, 3)) * [1.0, 1.0, 0.0] @ turn + 100.0
        line = rng.random((40, 3)) * [1.0, 0.0, 0.0] @ turn + 100.0
        assert affine.affine_dimension(np.stack((plane, line))).tolist() == [2, 1]
        assert affine.affine_dimension(plane + np.pad([[1e-9, 1e-9, 1e-9]], ((39, 0), (0, 0)))) == 3
        assert affine.affine_dimension(plane.astype(np.float32)) == 2
        u, v = rng.normal(size=(2, 3))
        assert not affine.linearly_independent([u, v, 0.3 * u + 0.7 * v])
        assert affine.linearly_independent([u, v, 0.3 * u + 0.7 * v + 1e-12 * np.cross(u, v)])


def test_independence_of_no_and_of_zero_vectors():
    assert affine.linearly_independent(np.empty((0, 3)))
    assert not affine.linearly_independent([[1.0, 0.0], [0.0, 0.0]])
    assert affine.linearly_independent([[1e-300, 0.0], [1e300, 1e300]])
    assert affine.linearly_independent(np.zeros((5, 2, 3))).tolist() == [False] * 5
    with pytest.raises(ValueError, match="empty"):
        affine.affine_dimension(np.empty((0, 3)))
    with pytest.raises(ValueError, match="points: row 1 is not finite"):
        affine.affine_dimension([[0.0, 0.0], [np.inf, 0.0]])
    with pytest.raises(ValueError, match="vectors: shape"):
        affine.linearly_independent([1.0, 2.0])


def test_combinations():
    rng = np.random.default_rng(1)
    points, weights = rng.integers(-5, 6, (20, 4, 3)), rng.integers(-8, 9, (20, 4)) / 8.0
    weights[:, 3] = 1.0 - weights[:, :3].sum(axis=1)
    combined = affine.affine_combination(points, weights)
    for row in range(20):
        for axis in range(3):
            terms = zip(points[row, :, axis].tolist(), weights[row].tolist(), strict=True)
            assert Fraction(combined[row, axis]) == sum(Fraction(p) * Fraction(w) for p, w in terms)
    assert affine.is_affine_combination(weights).all()
    assert affine.is_convex_combination(weights).tolist() == (weights >= 0).all(axis=1).tolist()
    assert not affine.is_affine_combination([0.5, 0.5 + 1e-12])
    assert affine.is_affine_combination([0.1] * 10) and affine.is_convex_combination([0.1] * 10)
    # Far from the origin nothing is lost but what the coordinates have lost.
    shifted = affine.affine_combination(points + 2.0**40, weights) - 2.0**40
    assert np.array_equal(np.round(shifted, 3), np.round(combined, 3))
    weights[7, 0] += 0.01
    with pytest.raises(ValueError, match="weights: row 7 sums to"):
        affine.affine_combination(points, weights)
    with pytest.raises(ValueError, match="weights: 3 for 4 points"):
        affine.affine_combination(points, weights[:, :3])


@pytest.mark.parametrize("width", [2, 3, 5])
def test_affine_hulls_hold_the_affine_combinations_and_nothing_else(width):
    rng = np.random.default_rng(width)
    for count in range(1, width + 1):
        for offset in (0.0, 1e3):
            points = rng.normal(size=(count, width)) + offset
            weights = rng.normal(size=(50, count)) * 3.0
            weights[:, 0] = 1.0 - weights[:, 1:].sum(axis=1)
            inside = np.concatenate((points, affine.affine_combination(points, weights)))
            hull = affine.affine_hull(np.concatenate((points, affine.affine_combination(points, weights[:9]))))
            assert hull.dimension == count - 1
            assert np.allclose(hull.basis @ hull.basis.T, np.eye(count - 1), rtol=0, atol=1e-15)
            assert affine.affinely_independent(inside[hull.spanning]) and len(hull.spanning) == count
            assert np.array_equal(hull.point, inside[hull.spanning[0]])
            assert hull.contains(inside).all()
            # Far along the flat too, where it is no better known than its points.
            far = weights * 1e7
            far[:, 0] = 1.0 - far[:, 1:].sum(axis=1)
            assert hull.contains(affine.affine_combination(points, far)).all()
            away = rng.normal(size=(len(inside), width))
            away -= away @ hull.basis.T @ hull.basis
            away *= 1e-8 / np.linalg.norm(away, axis=1)[:, None]
            assert not hull.contains(inside + away).any()
            assert np.allclose(hull.distance(inside + away), 1e-8, rtol=0, atol=1e-10)
            assert np.allclose(hull.project(inside + away), inside, rtol=0, atol=1e-10)
    assert affine.affine_hull(rng.normal(size=(9, width))).contains(rng.normal(size=(9, width)) * 1e6).all()
    with pytest.raises(ValueError, match="points: shape"):
        hull.contains(np.zeros((3, width + 1)))


def test_simplices():
    tetrahedron = np.vstack((np.zeros(3), np.eye(3)))
    for corners in range(1, 5):
        assert affine.is_simplex(tetrahedron[:corners])
        assert affine.affinely_independent(tetrahedron[:corners])
    with_more = np.vstack((tetrahedron, [[0.1, 0.1, 0.1], [0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]))
    assert affine.is_simplex(with_more) and not affine.affinely_independent(with_more)
    assert not affine.is_simplex(np.vstack((tetrahedron, [[1.0, 1.0, 1.0]])))
    assert affine.is_simplex([[0, 0], [2, 0], [0, 2], [1, 1]])
    assert not affine.is_simplex([[0, 0], [1, 0], [0, 1], [1, 1]])
    with pytest.raises(ValueError, match="points: not an array of numbers"):
        affine.is_simplex([[0, 0], [1, 0, 0]])


def test_barycentric_coordinates_are_those_of_the_rationals():
    rng = np.random.default_rng(2)
    for width in (1, 2, 3, 4):
        corners = rng.integers(-4, 5, (200, width + 1, width))
        corners = corners[affine.affinely_independent(corners)]
        weights = rng.integers(-16, 17, (len(corners), width + 1)) / 16.0
        weights[:, 0] = 1.0 - weights[:, 1:].sum(axis=1)
        points = affine.affine_combination(corners, weights)  # exact: sixteenths of small integers
        assert np.allclose(affine.barycentric_coordinates(corners, points), weights, rtol=0, atol=1e-12)
        scaled = affine.barycentric_coordinates(corners * 1e-150, points * 1e-150)
        assert np.allclose(scaled, weights, rtol=0, atol=1e-12)


def test_barycentric_coordinates_of_flat_simplices_project():
    rng = np.random.default_rng(3)
    for corners in range(1, 4):
        simplices, points = rng.normal(size=(50, corners, 3)), rng.normal(size=(50, 3))
        weights = affine.barycentric_coordinates(simplices, points)
        assert np.allclose(weights.sum(axis=1), 1.0)
        foot = affine.affine_combination(simplices, weights)
        across = np.einsum("nd,nkd->nk", points - foot, simplices - simplices[:, :1])
        assert np.abs(across).max() < 1e-10
    assert np.allclose(affine.barycentric_coordinates(simplices[:1], points)[0], weights[0])
    assert affine.barycentric_coordinates(simplices, points[:1]).shape == (50, 3)
    inside = affine.barycentric_coordinates([[[0, 0], [1, 0], [0, 1]]], [[0.2, 0.3], [2.0, 2.0]])
    assert affine.is_convex_combination(inside).tolist() == [True, False]


def test_degenerate_simplices_are_named():
    simplices = np.tile(np.vstack((np.zeros(3), np.eye(3))), (5, 1, 1))
    simplices[3, 3] = [0.3, 0.7, 0.0]
    with pytest.raises(ValueError, match="simplices: row 3 is degenerate"):
        affine.barycentric_coordinates(simplices, np.zeros((5, 3)))
    with pytest.raises(ValueError, match="points: 4 rows, but simplices has 5"):
        affine.barycentric_coordinates(simplices, np.zeros((4, 3)))
    with pytest.raises(ValueError, match="points: shape"):
        affine.barycentric_coordinates(simplices, np.zeros((5, 2)))
