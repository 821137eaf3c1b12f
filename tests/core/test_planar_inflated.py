# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines with margins against circles, which can be inflated, and certificates for what is concave."""

import numpy as np
import pytest

from collision_kit.core import planar
from collision_kit.core.planar import queries

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
# A block three wide and three high with a groove one wide and two deep.
GROOVE = np.array([[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]], dtype=np.float64)


def points_and_circles(rng: np.random.Generator, count: int, margin: np.ndarray) -> tuple[list, list]:
    """Circles, rectangles and polygons, the latter two of one point each, and the same as circles inflated."""
    place, radius = rng.normal(size=(3 * count, 2)), rng.uniform(0.0, 0.5, count)
    batches = [
        planar.Circles(place[:count], radius),
        planar.Rectangles(place[count : 2 * count], np.zeros((count, 2))),
        planar.Polygons([[one] for one in place[2 * count :]]),
    ]
    return batches, [planar.Circles(place, np.concatenate([radius, np.zeros(2 * count)]) + margin)]


@pytest.mark.parametrize("seed", range(3))
def test_the_answers_are_those_of_circles_that_are_really_inflated(seed):
    rng = np.random.default_rng(seed)
    margin = np.where(rng.random(30) < 0.3, 0.0, rng.uniform(0.0, 0.8, 30))
    batches, circles = points_and_circles(rng, 10, margin)
    world, same = planar.World(batches, margin), planar.World(circles)
    np.testing.assert_allclose(world.bounds(), same.bounds(), atol=1e-12)
    np.testing.assert_array_equal(world.pairs(0.1), same.pairs(0.1))
    pairs = np.array([(i, j) for i in range(30) for j in range(30) if i != j])
    found, expected = world.distance(pairs), same.distance(pairs)
    np.testing.assert_allclose(found.distance, expected.distance, atol=1e-9)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-9)
    np.testing.assert_array_equal(world.contains(pairs), same.contains(pairs))
    assert world.contains(pairs).any()
    meet, expected = world.contacts(pairs, 0.1), same.contacts(pairs, 0.1)
    np.testing.assert_array_equal(meet.pair, expected.pair)
    np.testing.assert_allclose(meet.depth, expected.depth, atol=1e-9)
    np.testing.assert_allclose(meet.point, expected.point, atol=1e-9)


@pytest.mark.parametrize("margin", [0.2, 0.31, 0.45, 0.6, 2.0])
def test_a_region_is_left_all_the_way(margin):
    batches = [planar.Circles([[1.3, 2.0]], [0.0]), planar.Regions([(GROOVE, [])])]
    world = planar.World(batches, [0.0, margin])
    for pair, sign in (([[0, 1]], 1.0), ([[1, 0]], -1.0)):
        found = world.distance(pair)
        if margin < 0.3:
            assert abs(found.distance[0] - (0.3 - margin)) < 1e-12
            continue
        assert found.distance[0] <= 0.3 - margin + 1e-9
        moved = planar.Circles(batches[0].center + sign * found.distance[:, None] * found.normal, [0.0])
        assert queries.distance(moved, batches[1]).distance[0] >= margin - 1e-9


def test_two_regions_are_parted_with_their_margins():
    batches = [planar.Regions([(GROOVE, []), (0.5 * GROOVE, [])], translation=[[0.0, 0.0], [0.8, 2.9]])]
    bare = planar.World(batches).distance([[0, 1]]).distance[0]
    found = planar.World(batches, [0.3, 0.2]).distance([[0, 1]])
    assert found.distance[0] <= bare - 0.5 + 1e-9
    shift = -found.distance[:, None] * found.normal
    moved = planar.Regions([(0.5 * GROOVE, [])], translation=np.array([[0.8, 2.9]]) + shift)
    assert queries.distance(planar.Regions([(GROOVE, [])]), moved).distance[0] >= 0.5 - 1e-9


def test_what_holds_what():
    square = planar.Polygons([SQUARE])
    inner = planar.Rectangles([[0.5, 0.5]], [[0.25, 0.25]])
    ring = planar.Regions([(4.0 * SQUARE - 1.5, [])])
    for batches, pair, margin, held in (
        ([square, inner], [0, 1], [0.0, 0.25], True),
        ([square, inner], [0, 1], [0.0, 0.26], False),
        ([square, inner], [1, 0], [0.0, 0.25 * 2**0.5 + 1e-9], True),
        ([square, inner], [1, 0], [0.0, 0.25], False),
        ([ring, inner], [0, 1], [0.0, 1.74], True),
        ([ring, inner], [0, 1], [0.0, 1.76], False),
        ([ring, inner], [0, 1], [0.1, 1.84], True),
        ([inner, ring], [0, 1], [2.5, 0.0], True),
        ([inner, ring], [0, 1], [2.4, 0.0], False),
    ):
        assert planar.World(batches, margin).contains([pair])[0] == held, (margin, pair)


def test_worlds_without_margins_are_plain_and_wrong_margins_are_named():
    batches = [planar.Circles(np.zeros((2, 2)), np.ones(2))]
    assert planar.World(batches).margin is None and planar.World(batches, np.zeros(2)).margin is None
    assert planar.World(batches, [0.0, 0.5]).bounds()[1].tolist() == [[1.0, 1.0], [1.5, 1.5]]
    with pytest.raises(ValueError, match="margin"):
        planar.World(batches, [0.1, -0.1])
    with pytest.raises(ValueError, match="2 shapes"):
        planar.World(batches, [0.1])


def test_many_pairs_at_once_are_held_as_each_of_them_alone():
    """Circles, boxes and regions of one and of several pieces, in pairs of every sort and of different batches."""
    rng = np.random.default_rng(5)
    outlines = [(4.0 * GROOVE - 4.0, []), (GROOVE / 4.0, []), (np.array([[-3.0, -3], [3, -3], [3, 3], [-3, 3]]), [])]
    batches = [
        planar.Circles(rng.uniform(-2.0, 2.0, (4, 2)), rng.uniform(0.1, 3.0, 4)),
        planar.Regions(outlines, translation=rng.uniform(-0.5, 0.5, (3, 2))),
        planar.Rectangles(rng.uniform(-2.0, 2.0, (4, 2)), rng.uniform(0.1, 3.0, (4, 2)), rng.uniform(0.0, 3.0, 4)),
    ]
    world = planar.World(batches, np.where(np.arange(11) % 3, rng.uniform(0.0, 0.5, 11), 0.0))
    pairs = np.stack(np.meshgrid(np.arange(11), np.arange(11)), axis=-1).reshape(-1, 2)
    held = world.contains(pairs)
    assert held.tolist() == [bool(world.contains([pair])[0]) for pair in pairs]
    for kind in (world.batch == 1, world.batch != 1):
        assert held[kind[pairs[:, 0]]].any() and not held[kind[pairs[:, 0]]].all()


def test_functions_and_methods_answer_alike_and_a_side_may_be_a_batch():
    rng = np.random.default_rng(4)
    margin = np.where(rng.random(12) < 0.3, 0.0, rng.uniform(0.0, 0.5, 12))
    batches, circles = points_and_circles(rng, 4, margin)
    world, same = planar.World(batches, margin), planar.World(circles)
    pairs = np.stack(np.triu_indices(12, 1), axis=1)
    for name in ("overlap", "contains", "classify", "interference"):
        by_function, by_method = getattr(planar, name)(world, world, pairs), getattr(world, name)(pairs)
        np.testing.assert_array_equal(by_function, by_method)
        np.testing.assert_allclose(by_method, getattr(same, name)(pairs), atol=1e-12)
    np.testing.assert_array_equal(planar.distance(world, world, pairs).distance, world.distance(pairs).distance)
    gaps = planar.separating_axis(world, world, pairs)
    np.testing.assert_array_equal(gaps.gap, world.separating_axis(pairs).gap)
    assert (gaps.gap <= world.distance(pairs).distance + 1e-12).all()
    np.testing.assert_array_equal(planar.contacts(world, world, pairs, 0.2).depth, world.contacts(pairs, 0.2).depth)
    np.testing.assert_array_equal(planar.bounds(world)[0], world.bounds()[0])
    across = np.stack([rng.integers(12, size=30), rng.integers(4, size=30)], axis=1)
    found, expected = (planar.distance(shapes, batches[0], across) for shapes in (world, same))
    np.testing.assert_allclose(found.distance, expected.distance, atol=1e-12)
    velocity = rng.normal(size=(12, 2))
    (near, found), (other, expected) = (shapes.time_of_impact(pairs, velocity=velocity) for shapes in (world, same))
    np.testing.assert_array_equal(near, other)
    np.testing.assert_array_equal(found.hit, expected.hit)
    np.testing.assert_allclose(found.time, expected.time, atol=1e-7)
