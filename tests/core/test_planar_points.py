# SPDX-License-Identifier: GPL-3.0-or-later
"""Points, rays and moving shapes against shapes of the plane and worlds of them."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from tests.helpers.planar_bodies import KINDS, LETTERS, MAKERS, rotation

COUNT = 24


def around(shapes, rng, count):
    """Points in and around each shape, row after row."""
    lower, upper = planar.bounds(shapes)
    middle, extent = (lower + upper) / 2.0, np.maximum(upper - lower, 0.1)
    return (middle[:, None] + 0.8 * (2.0 * rng.random((len(shapes), count, 2)) - 1.0) * extent[:, None]).reshape(-1, 2)


def from_outlines(outlines, points):
    """The signed distance of points from a polygon with holes: the nearest of its sides, and the crossing number."""
    least, inside = np.full(len(points), np.inf), np.zeros(len(points), bool)
    x, y = points.T
    for outline in outlines:
        corners = np.asarray(outline, np.float64)
        for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            square = (bx - ax) ** 2 + (by - ay) ** 2
            share = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square, 0.0, 1.0)
            least = np.minimum(least, np.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)))
            above = (ay > y) != (by > y)
            with np.errstate(divide="ignore", invalid="ignore"):
                crossing = ax + (y - ay) / (by - ay) * (bx - ax)
            inside ^= above & (x < crossing)
    return np.where(inside, -least, least)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_nearest_point_proves_the_distance(kind, maker):
    rng = np.random.default_rng([KINDS.index(kind), *maker.encode()])
    bodies = MAKERS[maker](kind, rng, COUNT)
    shapes = bodies.batch()
    points = around(shapes, rng, 1)
    found = planar.closest_points(shapes, points)
    np.testing.assert_allclose(points - found.point, found.distance[:, None] * found.normal, atol=1e-12)
    np.testing.assert_allclose(np.hypot(*found.normal.T), 1.0, atol=1e-12)
    np.testing.assert_array_equal(planar.signed_distance(shapes, points), found.distance)
    np.testing.assert_array_equal(planar.contains_points(shapes, points), planar.overlap(shapes, dots(points)))
    # The nearest point is on the boundary: the shape has it, and it has points outside at any distance.
    assert (np.abs(planar.signed_distance(shapes, found.point)) <= 1e-12).all()


def dots(points):
    return planar.Circles(points, 0.0)


def test_regions_with_holes_are_measured_from_the_nearest_side():
    rng = np.random.default_rng(5)
    outside = 0
    for outer, holes, _ in LETTERS:
        shift, angle = rng.normal(size=2), rng.uniform(-3, 3)
        outlines = [np.asarray(each, np.float64) @ rotation(angle).T + shift for each in (outer, *holes)]
        region = planar.Regions([(outlines[0], outlines[1:])])
        points = around(region, rng, 400)
        expected = from_outlines(outlines, points)
        found = planar.closest_points(region, points)
        np.testing.assert_allclose(found.distance, expected, atol=1e-12)
        np.testing.assert_array_equal(planar.contains_points(region, points), expected <= 0.0)
        np.testing.assert_allclose(from_outlines(outlines, found.point), 0.0, atol=1e-12)
        outside += int((expected > 0.0).sum())
    assert 200 < outside < 1400


@pytest.mark.parametrize("margin", [False, True])
def test_a_world_has_the_first_of_all_shapes(margin):
    rng = np.random.default_rng([7, margin])
    batches = [MAKERS["generic"](kind, rng, 6).batch() for kind in KINDS]
    count = 6 * len(KINDS)
    world = planar.World(batches, margin=rng.uniform(0.0, 0.4, count) if margin else None)
    origin, direction = rng.uniform(-6, 6, (80, 2)), rng.normal(size=(80, 2))
    everything = [list(pair) for pair in itertools.product(range(count), range(80))]
    each = planar.ray_cast(world, origin, direction, everything).distance.reshape(count, 80)
    hits = world.ray_cast(origin, direction)
    np.testing.assert_array_equal(hits.distance, each.min(axis=0))
    np.testing.assert_array_equal(hits.shape, np.where(hits.hit, each.argmin(axis=0), -1))
    assert 10 < hits.hit.sum() < 80
    assert len(world.ray_cast(origin, direction, all_hits=True)) == np.isfinite(each).sum()

    each = planar.signed_distance(world, origin, everything).reshape(count, 80)
    nearest = world.closest(origin)
    np.testing.assert_array_equal(nearest.distance, each.min(axis=0))
    np.testing.assert_array_equal(nearest.shape, each.argmin(axis=0))
    assert nearest.point.shape == (80, 2)


def test_moving_shapes_touch_the_first_of_a_world():
    rng = np.random.default_rng(8)
    world = planar.World([MAKERS["generic"](kind, rng, 6).batch() for kind in KINDS])
    moving, velocity = planar.Circles(rng.uniform(-9, 9, (40, 2)), 0.2), 9.0 * rng.normal(size=(40, 2))
    found = world.sweep(moving, velocity)
    each = planar.time_of_impact(moving, world, "all", velocity_a=velocity)
    time = each.time.reshape(40, len(world))
    np.testing.assert_array_equal(found.time, time.min(axis=1))
    np.testing.assert_array_equal(found.shape, np.where(found.hit, time.argmin(axis=1), -1))
    assert 5 < found.hit.sum() < 40


def test_the_nearest_pairs_of_a_world():
    world = planar.World([planar.Circles([[0, 0], [3, 0], [3.5, 0], [9, 0]], 0.5)])
    pairs, distances = world.nearest_pairs(2.5)
    assert pairs.tolist() == [[1, 2], [0, 1], [0, 2]]
    np.testing.assert_allclose(distances.distance, [-0.5, 2.0, 2.5])
    assert world.nearest_pairs(2.5, count=1)[0].tolist() == [[1, 2]]


def test_shapes_of_space_are_named():
    for ask in (planar.signed_distance, planar.contains_points, planar.closest_points):
        with pytest.raises(ck.UnsupportedPair, match="shapes: Spheres are no shapes of the plane"):
            ask(ck.Spheres([0, 0, 0], 1.0), [[0, 0]])
        with pytest.raises(ValueError, match=r"points: shape \(1, 3\)"):
            ask(planar.Circles([0, 0], 1.0), [[0, 0, 0]])
