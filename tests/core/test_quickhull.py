# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplicial hulls on the grid, against determinants of Python integers."""

from itertools import pairwise

import numpy as np
import pytest

from collision_kit.core.hull.quickhull import SimplicialHulls, run_starts, simplicial_hulls, spanning_simplices
from collision_kit.core.kernels import quickhull
from collision_kit.core.numerics.types import Bools, Floats, Ints


def determinant(corners: Floats, point: Floats) -> int:
    """Six times the volume of the tetrahedron of a triangle and a point above it, without rounding."""
    origin = [int(x) for x in corners[0]]
    a, b, p = ([int(x) - o for x, o in zip(row, origin, strict=True)] for row in (*corners[1:], point))
    normal = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return sum(x * y for x, y in zip(p, normal, strict=True))


def grid_sets(rng: np.random.Generator) -> list[Floats]:
    """Point sets of whole numbers that span space, without duplicates: scattered, in layers, nearly flat, in lumps."""
    large, sets = 2.0**51, []
    for number in range(24):
        count = int(rng.integers(5, 40))
        points = rng.uniform(-1.0, 1.0, (count, 3)) * large
        if number % 4 == 1:
            points = rng.integers(-2, 3, (count, 3)) * 2.0 ** rng.integers(0, 50)
        elif number % 4 == 2:
            points = points @ np.diag([1.0, 1.0, 0.0]) + rng.integers(-2, 3, (count, 3))
        elif number % 4 == 3:
            points = rng.integers(-1, 2, (count, 3)) * large / 2.0 + rng.integers(-1, 2, (count, 3))
        points = np.unique(np.rint(points), axis=0)
        if spanning_simplices(points, np.array([0, len(points)]), np.zeros(1))[0][0] == 3:
            sets.append(points)
    return sets


def together(sets: list[Floats]) -> tuple[Floats, Ints, Ints]:
    """All points, the starts of the sets, and a simplex of each."""
    points, start = np.concatenate(sets), run_starts(np.array([len(one) for one in sets]))
    return points, start, spanning_simplices(points, start, np.zeros(len(sets)))[1]


def check_surface(points: Floats, hulls: SimplicialHulls, members: Ints) -> None:
    """Assert that the facets of a set are a closed convex surface, and that no member is above any of them."""
    mine = np.flatnonzero(np.isin(hulls.corners[:, 0], members))
    for facet in mine.tolist():
        corners = hulls.corners[facet]
        assert max(determinant(points[corners], points[member]) for member in members) <= 0
        for side in range(3):
            other = hulls.neighbors[facet, side]
            at = hulls.corners[other].tolist().index(corners[(side + 1) % 3])
            assert hulls.corners[other, (at + 1) % 3] == corners[side]
            assert hulls.neighbors[other, at] == facet
    assert len(mine) == 2 * len(np.unique(hulls.corners[mine])) - 4


@pytest.mark.parametrize("seed", range(3))
def test_no_point_is_above_a_facet_of_its_closed_surface(seed: int) -> None:
    sets = grid_sets(np.random.default_rng(seed))
    assert len(sets) > 12
    points, start, simplex = together(sets)
    found = simplicial_hulls(points, start, simplex)
    for first, end in pairwise(start.tolist()):
        check_surface(points, found, np.arange(first, end))
    alone = [
        simplicial_hulls(one, np.array([0, len(one)]), simplex[k : k + 1] - start[k]) for k, one in enumerate(sets)
    ]
    np.testing.assert_array_equal(
        found.corners, np.concatenate([one.corners + first for one, first in zip(alone, start, strict=False)])
    )
    np.testing.assert_array_equal(found.normals, np.concatenate([one.normals for one in alone]))


@pytest.mark.parametrize("seed", range(3))
def test_excluded_points_are_inserted_only_if_they_are_too_high(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = [np.unique(np.rint(rng.normal(size=(30, 3)) * 1e6), axis=0) for _ in range(6)]
    points, start, simplex = together(sets)
    excluded: Bools = rng.random(len(points)) < 0.5
    excluded[simplex] = False
    limit = rng.choice([0.0, 1e5, 1e6, 1e7], len(sets))
    found = simplicial_hulls(points, start, simplex, excluded, limit)
    for number, (first, end) in enumerate(pairwise(start.tolist())):
        members = np.arange(first, end)
        used = np.isin(members, found.corners)
        check_surface(points, found, members[used | ~excluded[members]])
        mine = np.flatnonzero(np.isin(found.corners[:, 0], members))
        height = (points[members] - points[found.corners[mine, :1]]) @ found.normals[mine][:, :, None]
        highest = np.maximum(height[:, :, 0].max(axis=1), 0.0)
        np.testing.assert_allclose(found.offset_slack[mine], highest, atol=1e-6)
        assert (found.offset_slack[mine] <= limit[number]).all()
    # Without a limit, all of them are left out.
    none = simplicial_hulls(points, start, simplex, excluded, np.full(len(sets), np.inf))
    assert not excluded[none.corners].any() and excluded[found.corners].any()


def one_facet(points: Floats) -> quickhull.Facets:
    """The first three points as a facet, without room for a hull."""
    ints, floats = np.empty((4, 5), np.int64), np.empty((4, 8))
    corners, one = np.array([[0, 1, 2]]), np.empty(4, np.int64)
    return quickhull.Facets(points, corners, corners, floats, ints, ints, one, one, one, ints)


@pytest.mark.parametrize("seed", range(3))
def test_the_side_of_a_plane_is_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen = set()
    for number in range(120):
        points = np.rint(rng.uniform(-1.0, 1.0, (4, 3)) * 2.0 ** (51 if number % 3 else 3))
        along = rng.uniform(-1.0, 1.0, 2) if number % 2 else rng.integers(-1, 3, 2)
        points[3] = np.rint(points[0] + (points[1:3] - points[0]).T @ along / 2.0) + rng.integers(-1, 2, 3)
        points[3] = np.clip(points[3], -(2.0**52), 2.0**52)
        facets = one_facet(points)
        expected = determinant(points[:3], points[3])
        assert quickhull.exactly_above(facets, 0, 3) == (expected > 0)
        seen.add(np.sign(expected))
    assert seen == {-1, 0, 1}
