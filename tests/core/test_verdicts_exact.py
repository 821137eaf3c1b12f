# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts on shapes with integer coordinates, against a separating axis test in integers, which cannot round."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo


def exact_gap_sign(a, b):
    """Sign of the gap between two solid integer point sets: 1 apart, 0 touching, -1 overlapping.

    Every facet of A - B has a normal that is the cross product of two differences within A or B: all are tried, in
    int64, which coordinates below a thousand cannot overflow.
    """
    edges = np.array([q - p for s in (a, b) for p, q in itertools.combinations(s, 2)], dtype=np.int64)
    normals = np.cross(edges[:, None], edges[None]).reshape(-1, 3)
    normals = np.unique(normals[(normals != 0).any(axis=1)], axis=0)
    gap = (b @ normals.T).min(axis=0) - (a @ normals.T).max(axis=0)
    return int(np.sign(gap.max()))


@pytest.mark.parametrize("reach", [3, 12, 400])
def test_hulls_with_integer_vertices_never_get_a_wrong_verdict(reach):
    rng = np.random.default_rng(reach)
    signs = []
    pairs = [[solid_points(rng, reach), solid_points(rng, reach)] for _ in range(300)]
    for pair in pairs:
        pair[1] = pair[1] + rng.integers(-reach, reach + 1, 3)
        signs.append(exact_gap_sign(*pair))
    a, b = (ck.Hulls.from_points([pair[side] for pair in pairs]) for side in (0, 1))
    found = ck.distance(a, b)
    verdict = ck.classify(a, b)
    np.testing.assert_array_equal(ck.overlap(a, b), np.array(signs) <= 0)
    np.testing.assert_array_equal(verdict == ck.Verdict.SEPARATED, np.array(signs) > 0)
    np.testing.assert_array_equal(verdict == ck.Verdict.TOUCHING, np.array(signs) == 0)
    np.testing.assert_array_equal(found.distance < -found.rounding, np.array(signs) < 0)
    assert len(set(signs)) == 3 or reach > 3  # the smallest lattice is small enough for all three to occur


def solid_points(rng, reach):
    while True:
        points = rng.integers(-reach, reach + 1, (rng.integers(4, 9), 3))
        if np.linalg.matrix_rank(points - points[0]) == 3:
            return points


def test_boxes_on_the_lattice_never_get_a_wrong_verdict():
    rng = np.random.default_rng(8)
    center, half = rng.integers(-3, 4, (2, 2000, 3)), rng.integers(1, 4, (2, 2000, 3))
    turn = [zoo.quarter_turns(rng, 2000) for _ in range(2)]
    a, b = (ck.Boxes(center[k] / 2, half[k] / 2, turn[k]) for k in range(2))
    extent = [np.abs(np.einsum("nij,nj->ni", turn[k], half[k])).astype(int) for k in range(2)]
    gap = (np.abs(center[0] - center[1]) - extent[0] - extent[1]).max(axis=1)
    np.testing.assert_array_equal(ck.overlap(a, b), gap <= 0)
    np.testing.assert_array_equal(ck.separating_axis(a, b).gap, gap / 2)
    np.testing.assert_array_equal(ck.classify(a, b) == ck.Verdict.TOUCHING, gap == 0)
