# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar shapes of several kinds in one world, the same world laid into space, and what is drawn of it."""

import numpy as np
import pytest

from collision_kit.addon.debug_draw.planar import (
    boundary,
    convex_parts,
    outline_counts,
    outline_primitives,
    piece_primitives,
)
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.shapes import shape_edges
from collision_kit.addon.debug_draw.surfaces import shape_triangles
from collision_kit.core import planar
from collision_kit.core.planar.world import PlacedWorld, Plane, World

L = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]]
FRAME = ([[0, 0], [4, 0], [4, 4], [0, 4]], [[[1, 1], [1, 3], [3, 3], [3, 1]]])
BATCHES = [
    planar.Circles([[0.0, 0.0], [5.0, 5.0]], [1.0, 2.0]),
    planar.AABBs([[1.0, -1.0]], [[2.0, 2.0]]),
    planar.Rectangles([[3.0, 1.0]], [[1.0, 0.5]], [0.4]),
    planar.Polygons([[[0, 0], [2, 0], [0, 2]], [[0, 0], [1, 1]]], [[4.0, 4.0], [0.5, 0.5]]),
    planar.Regions([(L, []), FRAME], [[2.0, 2.0], [-1.0, 1.0]], [0.3, 0.0]),
]
# Right-handed, along no axis of the world.
TURN = np.linalg.qr(np.array([[1.0, 2.0, 0.5], [-1.0, 1.0, 3.0], [0.3, -2.0, 1.0]]))[0]
TURN = TURN * np.sign(np.linalg.det(TURN))


@pytest.fixture
def world():
    return World(BATCHES)


@pytest.fixture
def placed(world):
    return PlacedWorld(world, Plane(TURN), np.arange(len(world)) * 0.5 - 1.0)


def every_pair(world):
    return np.array([(i, j) for i in range(len(world)) for j in range(len(world)) if i != j])


def alone(world, row):
    return world.batches[world.batch[row]].take(world.slot[[row]])


def test_a_world_answers_as_its_batches_do(world):
    pairs = every_pair(world)
    measured, held = world.distance(pairs), world.contains(pairs)
    contacts = world.contacts(pairs, margin=0.5)
    for number, (i, j) in enumerate(pairs.tolist()):
        a, b = alone(world, i), alone(world, j)
        for name, value in vars(planar.distance(a, b)).items():
            np.testing.assert_array_equal(getattr(measured, name)[number], value[0])
        assert held[number] == planar.contains(a, b)[0]
        wanted = planar.contacts(a, b, margin=0.5)
        np.testing.assert_array_equal(contacts.point[contacts.pair == number], wanted.point)
        np.testing.assert_array_equal(contacts.depth[contacts.pair == number], wanted.depth)
    assert held.any()
    assert (np.diff(contacts.pair) >= 0).all()


@pytest.mark.parametrize("margin", [0.0, 0.7])
def test_pairs_are_those_whose_bounds_are_near(world, margin):
    low, high = world.bounds()
    wanted = [
        (i, j)
        for i in range(len(world))
        for j in range(i + 1, len(world))
        if (low[i] <= high[j] + margin).all() and (low[j] <= high[i] + margin).all()
    ]
    assert [tuple(pair) for pair in world.pairs(margin).tolist()] == wanted


def test_an_empty_world_has_no_answers():
    world = PlacedWorld(World([]), Plane(np.eye(3)), np.empty(0))
    none = np.empty((0, 2), np.int64)
    assert len(world) == len(world.pairs()) == len(world.distance(none)) == len(world.contacts(none)) == 0
    assert len(world.contains(none)) == 0
    assert world.bounds()[0].shape == (0, 3)
    assert world.contacts(none).point.shape == (0, 3)


def test_in_space_the_answers_are_the_same_at_the_front_of_each_pair(world, placed):
    pairs = every_pair(world)
    flat, measured = world.distance(pairs), placed.distance(pairs)
    np.testing.assert_array_equal(measured.distance, flat.distance)
    np.testing.assert_allclose(
        measured.point_b - measured.point_a, measured.distance[:, None] * measured.normal, atol=1e-12
    )
    np.testing.assert_allclose(placed.plane.down(measured.point_a), flat.point_a, atol=1e-12)
    height = placed.front[pairs].max(axis=1)
    np.testing.assert_allclose(placed.plane.height(measured.point_a), height, atol=1e-12)
    np.testing.assert_allclose(placed.plane.height(measured.normal), 0.0, atol=1e-12)
    contacts = placed.contacts(pairs)
    np.testing.assert_allclose(placed.plane.height(contacts.point), height[contacts.pair], atol=1e-12)
    np.testing.assert_allclose(placed.plane.down(contacts.normal), world.contacts(pairs).normal, atol=1e-12)
    np.testing.assert_array_equal(placed.contains(pairs), world.contains(pairs))
    np.testing.assert_array_equal(placed.pairs(0.2), world.pairs(0.2))


def test_bounds_in_space_hold_what_is_drawn(placed):
    low, high = placed.bounds()
    for row in range(len(placed)):
        ends = outline_primitives(placed, row, Role.SHAPE_A).lines.reshape(-1, 3)
        assert (ends >= low[row] - 1e-12).all()
        assert (ends <= high[row] + 1e-12).all()


def fan_area(triangles):
    a, b, c = np.moveaxis(triangles, 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0


AREAS = [np.pi, 4 * np.pi, 3.0, 2.0, 2.0, 0.0, 5.0, 12.0]
PERIMETERS = [2 * np.pi, 4 * np.pi, 8.0, 6.0, 4 + 8**0.5, 2 * 2**0.5, 12.0, 24.0]


@pytest.mark.parametrize("row", range(8))
def test_an_outline_is_drawn_as_long_and_as_large_as_it_is(placed, row):
    shown = outline_primitives(placed, row, Role.SHAPE_B)
    run = np.linalg.norm(shown.lines[:, 1] - shown.lines[:, 0], axis=1).sum()
    assert run == pytest.approx(PERIMETERS[row], rel=2e-3)
    assert fan_area(shown.triangles) == pytest.approx(AREAS[row], rel=2e-3, abs=1e-12)
    assert outline_counts(placed, row)[2] == pytest.approx(AREAS[row], rel=2e-3, abs=1e-12)
    assert set(shown.line_role) | set(shown.triangle_role) <= {Role.SHAPE_B}
    np.testing.assert_allclose(placed.plane.height(shown.lines), placed.front[row], atol=1e-12)
    there = outline_primitives(placed, row, Role.SHAPE_B, focus=7.0 * TURN[2])
    np.testing.assert_allclose(placed.plane.height(there.lines), 7.0, atol=1e-12)
    # What draws shapes of space takes these as well.
    np.testing.assert_array_equal(shape_edges(placed, row, Role.SHAPE_B).lines, shown.lines)
    np.testing.assert_array_equal(shape_triangles(placed, row), shown.triangles)


def test_a_hole_is_not_filled_and_its_rim_is_drawn(world):
    frame = alone(world, 7)
    corners = boundary(frame).reshape(-1, 2) - [-1.0, 1.0]
    assert {tuple(np.round(c, 12)) for c in corners} == {tuple(map(float, c)) for r in (FRAME[0], *FRAME[1]) for c in r}
    middle = np.array([1.0, 3.0])
    for part in convex_parts(frame):
        assert not planar.overlap(planar.Polygons([part]), planar.Circles([middle], [0.5]))[0]


def test_pieces_are_drawn_as_large_as_they_are():
    pieces = planar.decompose(*FRAME)
    shown = piece_primitives(pieces, Plane(TURN), 2.0, Role.OBSTACLE)
    np.testing.assert_allclose(Plane(TURN).height(shown.lines), 2.0, atol=1e-12)
    assert fan_area(shown.triangles) == pytest.approx(12.0)
    assert len(shown.lines) == sum(map(len, pieces))


def test_going_down_and_up_again_is_the_same_place():
    plane, rng = Plane(TURN), np.random.default_rng(1)
    points = rng.normal(size=(20, 3))
    np.testing.assert_allclose(plane.up(plane.down(points), plane.height(points)), points, atol=1e-12)
    assert np.linalg.det(TURN) > 0.0
