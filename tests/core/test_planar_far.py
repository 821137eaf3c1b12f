# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the plane far from the origin are measured where they are: as exactly as next to it."""

import numpy as np
import pytest

from collision_kit.core import planar
from tests.helpers.planar_bodies import LETTERS


def placed(numbers, places, angles):
    """Letters, whose corners are whole numbers, as regions at places."""
    return planar.Regions([LETTERS[number][:2] for number in numbers], places, angles)


def test_the_separating_translation_is_as_short_as_at_the_origin():
    rng = np.random.default_rng(11)
    numbers, angles = rng.integers(0, len(LETTERS), (2, 24)), rng.uniform(0.0, 7.0, (2, 24))
    places = np.round(rng.uniform(-1.5, 1.5, (2, 24, 2)) * 16.0) / 16.0
    expected = planar.distance(*map(placed, numbers, places, angles)).distance
    assert np.count_nonzero(expected < -0.1) > 12
    for offset in (1e5, 1e6, 1e7, 2.0**26):
        found = planar.distance(*map(placed, numbers, places + offset, angles)).distance
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-8 + 1e-15 * offset)


def test_a_letter_and_a_plate_a_million_sizes_away():
    blade = [[0.816, 0.268], [0.18, 0.961], [-0.074, 0.291], [-0.852, -0.25]]
    frame = [[-1, -1], [1, -1], [1, 1], [-1, 1]], [[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]]
    for offset in (0.0, 1e6, 1e7):
        a = planar.Regions([(blade, [])], [[offset, offset]])
        b = planar.Regions([frame], [[offset - 0.316, offset - 0.763]], [4.336])
        assert planar.distance(a, b).distance[0] == pytest.approx(-0.71992568, abs=1e-8 + 4e-16 * offset)


def test_corners_given_far_away_are_as_good_as_a_translation():
    """Coordinates that are exact either way: the pieces lie where their corners say, to the last bit."""
    rng = np.random.default_rng(3)
    for offset in (1e6, 2.0**30):
        for _ in range(6):
            outlines = [np.round(np.array(LETTERS[number][0]) * 8.0) / 8.0 for number in rng.integers(0, 4, 2)]
            places = np.round(rng.uniform(-1.5, 1.5, (2, 2)) * 8.0) / 8.0
            near = [planar.Regions([(o + p, [])]) for o, p in zip(outlines, places, strict=True)]
            far = [planar.Regions([(o + p + offset, [])]) for o, p in zip(outlines, places, strict=True)]
            length = planar.distance(*near).distance[0]
            if length < 0.0:
                assert planar.distance(*far).distance[0] == pytest.approx(length, abs=1e-9)


def test_the_best_axis_is_no_worse_than_any_candidate():
    rng = np.random.default_rng(5)
    outlines = [rng.normal(size=(rng.integers(1, 8), 2)) * rng.choice([1.0, 1e-3, 1e-6], 2) for _ in range(400)]
    outlines = [points[planar.convex_hull(points).outline] for points in outlines]
    place, angle = rng.normal(size=(400, 2)) * 2.0, rng.uniform(0.0, 7.0, 400)
    shapes = planar.Polygons(outlines, place, angle)
    a, b = shapes.take(np.arange(200)), shapes.take(np.arange(200, 400))
    best, candidates, measured = planar.separating_axis(a, b), planar.candidate_axes(a, b), planar.distance(a, b)
    largest = np.full(200, -np.inf)
    np.maximum.at(largest, candidates.pair, candidates.gap)
    np.testing.assert_allclose(best.gap, largest, atol=1e-13)
    assert (best.gap <= measured.distance + 1e-13).all()
    for row in range(200):
        corners = []
        for number in (row, row + 200):
            c, s = np.cos(angle[number]), np.sin(angle[number])
            corners.append(outlines[number] @ np.array([[c, s], [-s, c]]) + place[number])
        ahead = (corners[1] @ best.axis[row]).min() - (corners[0] @ best.axis[row]).max()
        assert ahead == pytest.approx(best.gap[row], abs=1e-13)
