# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts of the early tests of polygons: always those of the exact test."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.planar.narrow_phase import convex
from tests.helpers.offline import MANY, many, slow
from tests.helpers.planar_bodies import degenerate, lattice_outline

SIZES = (3, 4, 6, 8, 16, 32, 64)


def outlines(rng, count, corners):
    """Convex outlines inscribed in ellipses, each of so many corners."""
    found = []
    for size in np.broadcast_to(corners, count):
        turn = np.sort(rng.uniform(0.0, 2.0 * np.pi, size))
        found.append(np.stack([np.cos(turn), np.sin(turn)], axis=1) * rng.uniform(0.05, 1.0, 2))
    return found


def polygons(rng, count, corners, spread):
    return planar.Polygons(
        outlines(rng, count, corners), rng.uniform(-spread, spread, (count, 2)), rng.uniform(0, 7, count)
    )


def by_edges(a, b):
    """The verdict of the exact test alone: the separations of all edges from all corners."""
    rows = np.arange(len(a))
    result = np.empty(len(a), bool)
    for block in convex.blocks(a, b, rows, rows):
        result[block.slots] = block.facets().gap <= block.slack
    return result


def touching(a, b, steps):
    """B moved so that the gap is `steps` roundings, which may be negative."""
    axes, rounding = planar.separating_axis(a, b), planar.distance(a, b).rounding
    move = (steps * rounding - axes.gap)[:, None] * axes.axis
    local = np.split(np.stack([b.pool.x, b.pool.y], axis=1), b.pool.start[1:-1])
    return planar.Polygons(local, np.stack([b.rows.x, b.rows.y], axis=1) + move)


@pytest.mark.parametrize("corners", [3, 64, "mixed", *slow(*SIZES[1:-1])])
def test_random_pairs_are_settled_as_the_exact_test_would(corners):
    rng = np.random.default_rng([SIZES.index(corners) if corners in SIZES else 9])
    size = rng.choice(SIZES, 2_000) if corners == "mixed" else corners
    a, b = polygons(rng, 2_000, size, 0.5), polygons(rng, 2_000, size, 0.5)
    with ck.QueryStats() as work:
        found = planar.overlap(a, b)
    np.testing.assert_array_equal(found, by_edges(a, b))
    assert 0.2 < found.mean() < 0.9
    # That is what they are there for: what is left to the exact test are pairs that touch.
    assert work.resolved_by["exact"] <= 2 and work.resolved_by["farthest corners"] > 300


@pytest.mark.parametrize("count", [600, *slow(MANY)])
@pytest.mark.parametrize("place", [0.0, 1e5])
def test_near_touching_pairs_are_left_to_the_exact_test(count, place):
    rng = np.random.default_rng([count, int(place)])
    a, b = (polygons(rng, count, rng.integers(3, 40, count), 0.7) for _ in range(2))
    steps = rng.choice([-100.0, -8.0, -2.0, -1.1, -0.5, 0.0, 0.5, 0.9, 1.1, 2.0, 4.0, 8.0, 100.0], count)
    if place:
        a, b = (
            planar.Polygons(outlines(rng, count, 7), np.array([[place, -place]]) + rng.uniform(-0.7, 0.7, (count, 2)))
            for _ in range(2)
        )
    b = touching(a, b, steps)
    with ck.QueryStats() as work:
        found = planar.overlap(a, b)
    np.testing.assert_array_equal(found, by_edges(a, b))
    assert 0.2 < found.mean() < 0.9 and work.resolved_by["exact"] > count / 20


@pytest.mark.parametrize("count", [200, *slow(many(1_000, 10_000))])
def test_degenerate_pairs_are_settled_as_the_exact_test_would(count):
    rng = np.random.default_rng(count)
    a, b = degenerate("polygon", rng, count).batch(), degenerate("polygon", rng, count).batch()
    with np.errstate(invalid="raise", divide="raise"):
        found = planar.overlap(a, b)
    np.testing.assert_array_equal(found, by_edges(a, b))


def test_points_that_are_apart_by_little_have_no_circle_inside():
    """Farther apart than rounding, nearer than an early out may tell apart."""
    place = np.array([[1e5, 0.0]] * 3)
    apart = np.array([[0.0, 0.0], [2e-10, 0.0], [0.0, 1e-9]])
    for points in (lambda at: planar.Circles(at, np.zeros(3)), lambda at: planar.Polygons([[(0, 0)]] * 3, at)):
        assert planar.overlap(points(place), points(place + apart)).tolist() == [True, True, False]


@pytest.mark.parametrize("scale", [1e-138, 1.0, 1e139, *slow(1e-120, 1e-90, 1e-4, 1e4, 1e90)])
def test_slivers_are_settled_as_the_exact_test_would_at_any_scale(scale):
    rng = np.random.default_rng(3)
    shapes = []
    for _ in range(2):
        thin = [one * [1.0, 10.0 ** rng.uniform(-18, 0)] for one in outlines(rng, 150, rng.integers(3, 20, 150))]
        turn, place = rng.uniform(0, 7, 150), rng.uniform(-0.6, 0.6, (150, 2))
        shapes.append(planar.Polygons([scale * one for one in thin], scale * place, turn))
    np.testing.assert_array_equal(planar.overlap(*shapes), by_edges(*shapes))


@pytest.mark.parametrize("power", [-450, -300, 300])
def test_what_is_nothing_or_everything_when_squared_decides_nothing(power):
    """Gaps and depths of 1e-5 of the size, where products of two lengths have lost all but a few bits."""
    rng = np.random.default_rng(4)
    a, b = (polygons(rng, 400, 7, 0.7) for _ in range(2))
    b = touching(a, b, rng.choice([-1e10, 1e10], 400))
    scaled = []
    for shapes in (a, b):
        pool, place = shapes.pool, np.stack([shapes.rows.x, shapes.rows.y], axis=1)
        local = np.split(np.stack([pool.x, pool.y], axis=1), pool.start[1:-1])
        scaled.append(planar.Polygons([2.0**power * one for one in local], 2.0**power * place))
    np.testing.assert_array_equal(planar.overlap(*scaled), planar.overlap(a, b))


def test_segments_that_cross_in_the_middle_have_no_way_round_it():
    with np.errstate(invalid="raise", divide="raise"):
        assert planar.overlap(planar.Polygons([[(-1, 0), (1, 0)]]), planar.Polygons([[(0, -2), (0, 2)]]))[0]


def test_the_table_has_the_farthest_corners():
    rng = np.random.default_rng(5)
    flat = [one for one in (lattice_outline(rng) for _ in range(200)) if np.ptp(one, axis=0).any()]
    some = outlines(rng, 300, rng.integers(3, 70, 300)) + flat
    shapes = planar.Polygons(some, angle=rng.uniform(0, 7, len(some)))
    table, pool = shapes.pool.directions, shapes.pool
    assert table.orderly.all()
    # Along the sides of a square that stands on its corner.
    count = len(table.farthest) // len(shapes)
    quarter = np.linspace(0.0, 1.0, count // 4, endpoint=False)
    along = np.concatenate([np.stack([quarter, quarter - 1.0], axis=1)])
    along = np.concatenate([along @ np.array([[c, s], [-s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    chosen = table.corner[table.farthest].reshape(len(shapes), count)
    for row in range(len(shapes)):
        corners = slice(*pool.start[row : row + 2])
        farthest = (np.stack([pool.x, pool.y], axis=1)[corners] @ along.T).max(axis=0)
        reached = along[:, 0] * chosen[row].real + along[:, 1] * chosen[row].imag
        np.testing.assert_allclose(reached, farthest, rtol=0, atol=1e-15)


def test_normals_that_change_places_make_no_table():
    """Two sides all but on one line, turned into a direction of the table: in rounding, their normals go backwards."""
    rng = np.random.default_rng(8)
    shapes = []
    for _ in range(2):
        turn = rng.uniform(0.0, 2.0 * np.pi, 150)
        rings = []
        for one, middle in zip(turn, rng.uniform(0.2, 0.8, 150), strict=True):
            along = np.array([np.cos(one), np.sin(one)])
            rings.append([-along, middle * along, along, [-0.5 * along[1], 0.5 * along[0]]])
        place = rng.uniform(-0.7, 0.7, (150, 2))
        shapes.append(planar.Polygons(rings, place, np.arctan2(-0.875, 0.125) + np.pi / 2.0 - turn))
    orderly = shapes[0].pool.directions.orderly
    assert 0 < (~orderly).sum() < 40
    np.testing.assert_array_equal(planar.overlap(*shapes), by_edges(*shapes))


def test_pieces_of_regions_have_tables():
    cup = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
    assert planar.Regions([(cup, [])], angle=[0.3]).pieces.pool.directions.orderly.all()


def test_stars_of_many_corners_part_along_the_way_that_their_distance_tells():
    """In their pieces rounding had the search between two directions go back and forth for ever."""
    angle = np.linspace(0.0, 6.28, 20, endpoint=False)
    reach = 1.5 * (1.0 + 0.3 * (np.arange(20) % 2))
    star = np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=1)
    place = np.array([1.3, 0.7])
    still, other = planar.Regions([(star, [])]), planar.Regions([(star, [])], [place])
    found = planar.distance(still, other)
    assert found.distance[0] < 0.0
    for share, meets in ((0.999, True), (1.0 + 1e-9, False)):
        way = -share * found.distance[0] * found.normal[0]
        moved = planar.Regions([(star, [])], [place + way])
        assert planar.overlap(still, moved)[0] == meets
