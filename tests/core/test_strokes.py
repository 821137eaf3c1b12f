# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines with smooth edges: distances of pixels against points on the line, covered area against that of a capsule."""

import numpy as np
import pytest

from collision_kit.addon.debug_draw.strokes import coverage, distances

LOW, HIGH = np.array([3, -5]), np.array([43, 35])


@pytest.mark.parametrize("kind", ["any", "upright", "level", "a point", "outside"])
def test_distances_are_those_of_the_nearest_point(kind):
    rng = np.random.default_rng(0)
    for _ in range(20):
        start, end = rng.uniform((0.0, -8.0), (46.0, 38.0), (2, 2))
        if kind in ("upright", "level"):
            end[kind == "level"] = start[kind == "level"]
        if kind == "a point":
            end = start.copy()
        if kind == "outside":
            start, end = start + 1000.0, end + 1000.0
        distance, share = distances(start, end, LOW, HIGH)
        assert distance.shape == share.shape == (40, 40)
        steps = np.linspace(0.0, 1.0, 2001)
        points = start + steps[:, None] * (end - start)
        for row, column in rng.integers(0, 40, (10, 2)):
            center = np.array([LOW[0] + column, LOW[1] + row]) + 0.5
            least = np.hypot(*(points - center).T).min()
            assert least - np.linalg.norm(end - start) / 2000.0 <= distance[row, column] <= least + 1e-9
            found = np.hypot(*(start + share[row, column] * (end - start) - center))
            assert found == pytest.approx(distance[row, column], abs=1e-9)


@pytest.mark.parametrize("radius", [0.75, 2.0, 5.0])
def test_a_line_covers_the_area_of_a_capsule(radius):
    rng = np.random.default_rng(1)
    low, high = np.array([0, 0]), np.array([60, 60])
    for _ in range(10):
        start, end = rng.uniform(10.0, 50.0, (2, 2))
        covered = coverage(distances(start, end, low, high)[0], radius)
        assert covered.min() == 0.0 and covered.max() <= 1.0
        area = 2.0 * radius * np.linalg.norm(end - start) + np.pi * radius**2
        assert covered.sum() == pytest.approx(area, rel=0.03, abs=1.0)
