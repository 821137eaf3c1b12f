# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes, triangles and hulls of any floats: verdicts against exact ones of the very floats, 100,000 a kind offline.

A share of the pairs is moved until they all but touch, down to a rounding apart or deep.
"""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import exact_floats, zoo
from tests.helpers import exact_polytopes as exact
from tests.helpers.offline import MANY_EXACT

BOX, TRIANGLE, HULL = ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL
PAIRS = list(itertools.combinations_with_replacement((BOX, TRIANGLE, HULL), 2))
amounts = pytest.mark.parametrize("count", [200, pytest.param(MANY_EXACT, marks=pytest.mark.slow)])
kinds_of_pairs = pytest.mark.parametrize(
    "kinds", PAIRS, ids=lambda kinds: "-".join(kind.name for kind in kinds).lower()
)
# Pairs at a time: what is known of them exactly takes memory.
BATCH = 10_000
CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def shapes(kind, rng, count):
    """Of about unit size; hulls of six points, a tenth of them prisms that have parallel edges."""
    if kind != HULL:
        return zoo.generic(kind, rng, count)
    points = 0.6 * rng.normal(size=(max(count // 20, 5), 6, 3))
    points[::10, 3:] = points[::10, :3] + rng.normal(size=(len(points[::10]), 1, 3))
    index = rng.integers(0, len(points), count)
    place = rng.uniform(-1.0, 1.0, (count, 3))
    return ck.Hulls(ck.convex_hulls(list(points)), index, place, zoo.rotations(rng, count))


def nearly_touching(a, b, rng, share):
    """B with a share of the rows moved along the normal, until a gap or depth of 1e-9 down to 1e-16 is left."""
    found = ck.distance(a, b)
    left = rng.choice([-1.0, 1.0], len(a)) * 10.0 ** rng.uniform(-16.0, -9.0, len(a))
    way = np.where(rng.random(len(a)) < share, left - found.distance, 0.0)
    return zoo.moved(b, way[:, None] * found.normal)


def check(a, b):
    """No verdict is wrong where more than rounding is at stake, and no gap is larger than the true one."""
    truth, doubtful = exact_floats.gaps(a, b)
    bound = ck.distance(a, b).rounding
    for first, second in ((a, b), (b, a)):
        overlap, axes, found = ck.overlap(first, second), ck.separating_axis(first, second), ck.distance(first, second)
        # The gap is known to within the bound, and is compared with it.
        np.testing.assert_array_equal(overlap[truth > 2.0 * bound], False)
        np.testing.assert_array_equal(overlap[truth <= 0.0], True)
        clear = np.abs(truth) > bound
        for gap in (found.distance, axes.gap):
            np.testing.assert_array_equal((gap > 0.0)[clear], (truth > 0.0)[clear])
        np.testing.assert_allclose(found.distance[truth < 0.0], truth[truth < 0.0], atol=2e-11)
    assert (truth > 1e-9).any() and (truth < -1e-9).any()
    return doubtful


@kinds_of_pairs
@amounts
def test_verdicts_on_random_floats_are_exact(kinds, count):
    asked, doubted = 0, 0
    for number in range(-(-count // BATCH)):
        rng = np.random.default_rng([23, number, *kinds])
        a, b = (shapes(kind, rng, min(count, BATCH)) for kind in kinds)
        b = nearly_touching(a, b, rng, 0.1 if count < BATCH else 0.01)
        doubted += check(a, b).sum()
        asked += len(a)
    assert doubted > asked // 200


@kinds_of_pairs
def test_what_is_certain_in_floating_point_is_so_in_integers(kinds):
    """The oracle itself: what it took for certain, worked out in integers after all."""
    rng = np.random.default_rng([24, *kinds])
    a, b = (shapes(kind, rng, 25) for kind in kinds)
    gaps, doubtful = exact_floats.gaps(a, b)
    assert not doubtful.all()
    np.testing.assert_array_equal(np.sign(gaps), np.sign(exact_floats.gaps(a, b, doubt=np.inf)[0]))


@amounts
def test_hulls_turned_by_rational_rotations_never_get_a_wrong_verdict(count):
    """Cubes cut at the corners, on the lattice, turned by fractions: their faces meet, their edges are parallel."""
    for number in range(-(-count // BATCH)):
        rng = np.random.default_rng([25, number])
        size = min(count, BATCH)
        points = rng.integers(-3, 4, (40, 6, 3))
        points[::4] = rng.permuted(CUBE.astype(int), axis=0)[:6]
        solid = np.array([np.linalg.matrix_rank(one - one[0]) == 3 for one in points])
        points = points[solid]
        hulls = ck.convex_hulls(list(points.astype(float)))
        chosen, turns = rng.integers(0, len(points), (2, size)), [rational(rng, size) for _ in range(2)]
        place = rng.integers(-4, 5, (2, size, 3))
        (first, p), (second, q) = turns
        a, b = (
            ck.Hulls(hulls, chosen[side], place[side].astype(float), matrix / denominator[:, None, None])
            for side, (matrix, denominator) in enumerate(turns)
        )
        world = [
            np.einsum("nij,nkj->nki", matrix, points[chosen[side]]) * other[:, None, None]
            + (place[side] * (p * q)[:, None])[:, None]
            for side, (matrix, other) in enumerate(((first, q), (second, p)))
        ]
        truth = exact_floats.gaps_of_integers(*world) / (p * q)
        bound = ck.distance(a, b).rounding
        overlap = ck.overlap(a, b)
        # The gap is known to within the bound, and is compared with it.
        np.testing.assert_array_equal(overlap[truth > 2.0 * bound], False)
        np.testing.assert_array_equal(overlap[truth <= 0.0], True)
        assert (truth == 0.0).any() and (truth > bound).any() and (truth < -bound).any()


def rational(rng, count):
    """Rotations as integers and denominators; a third of them quarter turns, so that faces are parallel."""
    matrix, denominator = exact.rational_rotations(rng, count)
    matrix[::3], denominator[::3] = zoo.quarter_turns(rng, len(matrix[::3])).astype(int), 1
    return matrix, denominator
