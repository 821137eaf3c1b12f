# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross products of rows, against those of numpy."""

import numpy as np
import pytest

from collision_kit.core.numerics.vectors import cross

SHAPES = [((3,), (3,)), ((5, 3), (5, 3)), ((4, 1, 3), (6, 3)), ((0, 3), (3,)), ((7, 3), (3,))]


@pytest.mark.parametrize(("of_a", "of_b"), SHAPES)
@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e150])
def test_cross_products_are_those_of_numpy(of_a: tuple[int, ...], of_b: tuple[int, ...], scale: float) -> None:
    random = np.random.default_rng(3)
    a, b = random.normal(size=of_a) * scale, random.normal(size=of_b)
    np.testing.assert_array_equal(cross(a, b), np.cross(a, b), strict=True)
    np.testing.assert_array_equal(cross(a, a), np.zeros(of_a))


def test_cross_products_take_sequences_and_keep_single_precision() -> None:
    assert cross((1, 0, 0), (0, 1, 0)).tolist() == [0, 0, 1]
    assert cross(np.ones((2, 3), np.float32), np.eye(3, dtype=np.float32)[:2]).dtype == np.float32
