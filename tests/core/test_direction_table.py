# SPDX-License-Identifier: GPL-3.0-or-later
"""Support by table against the greatest of all inner products."""

import numpy as np
import pytest

from collision_kit.core.convex.polytopes.pools import Cores
from collision_kit.core.convex.polytopes.support_table import DirectionTable, direction_tables
from collision_kit.core.numerics.rows import Table

# Relative to the largest coordinate: two sums of three products, each rounded.
ROUNDING = 8.0 * np.finfo(float).eps


def clouds(rng, counts):
    """Points of all sorts: solid, flat, in a line, stretched, on a grid, away from their origin."""
    for place, count in enumerate(counts):
        points = rng.normal(size=(count, 3))
        if place % 2:
            points /= np.linalg.norm(points, axis=1, keepdims=True)
        points *= [[1.0, 0.7, 0.5], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1e-6, 1e3]][place % 4]
        if place % 5 == 0:
            points = np.round(2.0 * points)
        yield points @ np.linalg.qr(rng.normal(size=(3, 3)))[0] + (place % 3) * rng.normal(size=3)


def directions(rng, count):
    """Random directions, the axes, the borders of the cells and of the hemispheres, and none."""
    special = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], dtype=float)
    along = rng.normal(size=(count, 3)) * 10.0 ** rng.integers(-8, 9, (count, 1))
    along[: len(special)] = special
    along[len(special) : 3 * len(special)] = np.round(8.0 * rng.normal(size=(2 * len(special), 3))) / 8.0
    along[-1000:, 2] = 0.0
    return along


def check(table, points, rng):
    """The support of random rows is as far along as any vertex."""
    count = np.array([len(cloud) for cloud in points])
    first = np.cumsum(count) - count
    vertices = np.concatenate(points)
    which = rng.integers(0, len(points), 4000)
    along = directions(rng, 4000)
    found = table.farthest(which, along.T, vertices.T, first[which])[0]
    assert ((found >= first[which]) & (found < first[which] + count[which])).all()
    heights = along @ vertices.T
    owner = np.repeat(np.arange(len(points)), count)
    best = np.where(owner == which[:, None], heights, -np.inf).max(axis=1)
    scale = np.abs(along).sum(axis=1) * np.abs(vertices[found]).max(axis=1, initial=1.0)
    assert (best - heights[np.arange(4000), found] <= ROUNDING * scale).all()


@pytest.mark.parametrize("count", [1, 2, 4, 5, 8, 17, 64, 200])
def test_the_support_is_the_farthest_of_all_vertices(count):
    rng = np.random.default_rng(count)
    points = list(clouds(rng, [count] * 12))
    sizes = np.full(12, count)
    check(direction_tables(np.concatenate(points), np.cumsum(sizes) - sizes, sizes), points, rng)


def test_polytopes_of_all_sizes_share_one_table():
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 90, 40)
    points = list(clouds(rng, sizes))
    table = direction_tables(np.concatenate(points), np.cumsum(sizes) - sizes, sizes)
    check(table, points, rng)
    check(DirectionTable.joined([table.one(place) for place in range(40)]), points, rng)


def test_a_cell_has_few_candidates_whatever_the_number_of_vertices():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(400, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    table = direction_tables(points, np.array([0]), np.array([400]))
    count = np.diff(table.start)
    assert count.min() >= 1
    assert count.mean() < 6.0


def test_a_search_of_all_vertices_and_a_table_find_the_same_vertex():
    rng = np.random.default_rng(11)
    lattice = [rng.integers(-1, 2, (count, 3)).astype(float) for count in (20, 30, 40)]
    points = [*clouds(rng, [1, 20, 33, 40, 64, 50, 60]), *lattice]
    cores = Cores(Table.of(points))
    which, along = rng.integers(0, len(points), 500), directions(rng, 500).T
    along[:, ~along.any(axis=0)] = 1.0
    base = cores.vertices.start[which]
    # Ties go to the first vertex, as in a search of all.
    searched = base + np.array([int(np.argmax(points[k] @ way)) for k, way in zip(which, along.T, strict=True)])
    np.testing.assert_array_equal(searched, cores.table.farthest(which, along, cores.columns, base)[0])
    assert len(np.unique(searched)) > 40
