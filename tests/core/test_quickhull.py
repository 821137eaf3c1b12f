# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplicial hulls on the grid, against determinants of Python integers."""

from typing import NamedTuple

import numpy as np
import pytest

from collision_kit.core.hull.grid import spanning_simplices
from collision_kit.core.hull.rooms import facet_room, surface_room
from collision_kit.core.kernels import quickhull
from collision_kit.core.numerics.types import Bools, Floats, Ints


class Found(NamedTuple):
    """The facets of a simplicial hull: corners, neighbors, normals, and heights of excluded points above them."""

    corners: Ints
    neighbors: Ints
    normals: Floats
    slack: Floats


def simplicial_hull(points: Floats, excluded: Bools | None = None, limit: float = -1.0) -> Found:
    """The simplicial hull of grid points."""
    room, surface = facet_room(len(points)), surface_room(len(points))
    room.points[:] = points
    out = np.zeros(len(points), np.bool_) if excluded is None else excluded.copy()
    used = quickhull.simplicial_hull(room, len(points), simplex_of(points), out, limit)
    count = quickhull.take_surface(room, used, np.arange(len(points)), surface)
    planes = surface.planes[:count]
    return Found(surface.corners[:count], surface.neighbors[:count], planes[:, :3], planes[:, quickhull.LIFT])


def simplex_of(points: Floats) -> Ints:
    """Four points that are not in one plane."""
    return spanning_simplices(points, np.array([0, len(points)]), np.zeros(1))[1][0]


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


def check_surface(points: Floats, hull: Found, members: Ints) -> None:
    """Assert that the facets are a closed convex surface, and that no member is above any of them."""
    for facet, corners in enumerate(hull.corners):
        assert max(determinant(points[corners], points[member]) for member in members) <= 0
        for side in range(3):
            other = hull.neighbors[facet, side]
            at = hull.corners[other].tolist().index(corners[(side + 1) % 3])
            assert hull.corners[other, (at + 1) % 3] == corners[side]
            assert hull.neighbors[other, at] == facet
    assert len(hull.corners) == 2 * len(np.unique(hull.corners)) - 4


@pytest.mark.parametrize("seed", range(3))
def test_no_point_is_above_a_facet_of_its_closed_surface(seed: int) -> None:
    sets = grid_sets(np.random.default_rng(seed))
    assert len(sets) > 12
    for points in sets:
        check_surface(points, simplicial_hull(points), np.arange(len(points)))


@pytest.mark.parametrize("seed", range(3))
def test_excluded_points_are_inserted_only_if_they_are_too_high(seed: int) -> None:
    rng = np.random.default_rng(seed)
    included = 0
    for limit in (0.0, 1e5, 1e6, 1e7):
        points = np.unique(np.rint(rng.normal(size=(30, 3)) * 1e6), axis=0)
        excluded: Bools = rng.random(len(points)) < 0.5
        excluded[simplex_of(points)] = False
        found = simplicial_hull(points, excluded, limit)
        members = np.arange(len(points))
        used = np.isin(members, found.corners)
        check_surface(points, found, members[used | ~excluded])
        height = (points - points[found.corners[:, :1]]) @ found.normals[:, :, None]
        highest = np.maximum(height[:, :, 0].max(axis=1), 0.0)
        np.testing.assert_allclose(found.slack, highest, atol=1e-6)
        assert (found.slack <= limit).all()
        included += int(excluded[found.corners].any())
        # Without a limit, all of them are left out.
        assert not excluded[simplicial_hull(points, excluded, np.inf).corners].any()
    assert included


def one_facet(points: Floats) -> quickhull.Facets:
    """The first three points as a facet, without room for a hull."""
    ints, floats = np.empty((4, 5), np.int64), np.empty((4, quickhull.PLANE_COLUMNS))
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
