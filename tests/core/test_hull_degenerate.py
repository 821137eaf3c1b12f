# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of points that are coplanar, collinear or equal, exactly, nearly, or about as nearly as counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collision_kit.core import convex_hull, convex_hulls
from tests.helpers.hull_certificate import check, counts, same
from tests.helpers.offline import MANY_SEEDS, many
from tests.helpers.point_sets import BOX, degenerate_points, near_tolerance, prism


def certify_near_tolerance(seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count // 40):
        sets = [near_tolerance(rng) for _ in range(40)]
        hulls = convex_hulls(sets)
        for hull in hulls:
            check(hull)
        pick = rng.integers(40)
        assert same(hulls[pick], convex_hull(sets[pick]))


def test_noise_at_the_tolerance_makes_certified_hulls():
    certify_near_tolerance(5, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MANY_SEEDS))
def test_noise_at_the_tolerance_makes_certified_hulls_for_long(seed):
    certify_near_tolerance(seed, many(400, 4000))


def test_faces_of_a_lens_as_thin_as_merging_allows_stay_apart():
    tolerance = convex_hull(BOX).tolerance
    poles = [[0.0, 0.0, 1.9 * tolerance], [0.0, 0.0, -1.9 * tolerance]]
    hull = check(convex_hull(np.concatenate((prism(12, 3)[12:24], poles))))
    assert hull.dimension == 3


def test_points_nearer_than_the_tolerance_count_once():
    rng = np.random.default_rng(23)
    points = np.concatenate((BOX, np.repeat(BOX, 9, axis=0)))
    points += 0.3 * convex_hull(BOX).tolerance * rng.uniform(-1.0, 1.0, points.shape)
    assert counts(check(convex_hull(points))) == (3, 8, 12, 6)


def test_the_ends_of_a_noisy_line_are_its_ends():
    points = np.array([[0.0, 0.0, -1.0], [-1e-15, 0.0, 0.3], [1e-15, 0.0, 0.5], [0.0, 0.0, 1.0]])
    assert check(convex_hull(points)).vertices.tolist() == [0, 3]


@settings(max_examples=120, deadline=None)
@given(degenerate_points())
def test_degenerate_points_make_certified_hulls(points):
    check(convex_hull(points))


@pytest.mark.slow
@settings(max_examples=many(1_000, 20_000), deadline=None)
@given(degenerate_points())
def test_degenerate_points_make_certified_hulls_for_long(points):
    check(convex_hull(points))


@settings(max_examples=50, deadline=None)
@given(st.lists(degenerate_points(), min_size=1, max_size=8))
def test_a_hull_does_not_depend_on_the_others(sets):
    for points, hull in zip(sets, convex_hulls(sets), strict=True):
        assert same(hull, convex_hull(points))


@settings(max_examples=100, deadline=None)
@given(degenerate_points(), st.integers(0, 2**32))
def test_the_order_of_the_points_does_not_matter(points, seed):
    order = np.random.default_rng(seed).permutation(len(points))
    # Points that round to the same step are duplicates, of which the lowest counts: leave none that differ.
    rough = convex_hull(points)
    points = np.rint(rough.points / rough.tolerance * rough._steps) * (rough.tolerance / rough._steps)
    hull, shuffled = convex_hull(points), convex_hull(points[order])
    assert shuffled.dimension == hull.dimension
    if hull.dimension:  # a hull that is one point within rounding is the first of the points
        assert corners(hull.points, hull.faces) == corners(shuffled.points, shuffled.faces)
        assert corners(hull.points, hull.edges) == corners(shuffled.points, shuffled.edges)


def corners(points, polygons):
    return sorted(sorted(map(tuple, points[polygon].tolist())) for polygon in polygons)
