# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of a margin lies on the inflated surface."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.debug_draw.margins import margin_lines
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.shapes import shape_edges
from collision_kit.core import World, planar
from collision_kit.core.planar import queries as planar_queries
from collision_kit.core.planar.world import PlacedWorld, Plane
from collision_kit.core.query import queries
from tests.helpers import zoo
from tests.helpers.mesh_zoo import bracket


@pytest.mark.parametrize("kind", [ck.Kind.BOX, ck.Kind.HULL, ck.Kind.TRIANGLE, ck.Kind.CYLINDER])
def test_every_end_of_a_line_is_as_far_from_the_bare_shape_as_the_margin(kind):
    shapes = zoo.generic(kind, np.random.default_rng(int(kind)), 4)
    for row in range(4):
        one = shapes.take(np.array([row]))
        points = margin_lines(one, 0.3).reshape(-1, 3)
        assert len(points) >= 12
        far = queries.distance(one, ck.Spheres(points, np.zeros(len(points)))).distance
        np.testing.assert_allclose(far, 0.3, atol=1e-9)


def test_faces_of_a_mesh_move_outwards_by_the_margin():
    vertices, triangles = bracket()
    for turned in (triangles, triangles[:, ::-1]):
        mesh = ck.Meshes.from_triangles([(vertices, turned)])
        points = margin_lines(mesh, 0.2).reshape(-1, 3)
        far = queries.distance(mesh, ck.Spheres(points, np.zeros(len(points)))).distance
        # In a dent a face that moves outwards ends in the one beside it.
        assert (far <= 0.2 + 1e-9).all() and (np.abs(far - 0.2) < 1e-9).mean() > 0.5


def test_round_shapes_and_shapes_without_margin_have_no_lines_of_their_own():
    ball = ck.Spheres(np.zeros((1, 3)), np.ones(1))
    assert not len(margin_lines(ball, 0.1))
    box = ck.Boxes(np.zeros((2, 3)), np.ones((2, 3)))
    world = World([box], [0.0, 0.1])
    plain, grown = (len(shape_edges(world, row, Role.SHAPE_A).lines) for row in (0, 1))
    assert plain == 12 and grown > 12


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_outlines_move_outwards_by_the_margin(angle):
    groove = np.array([[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]], dtype=np.float64)
    batches = [
        planar.Rectangles([[0.0, 0.0]], [[1.0, 2.0]], [angle]),
        planar.Polygons([[[0.0, 0.0], [2.0, 0.0], [1.0, 1.0]]], angle=[angle]),
        planar.Regions([(groove, [])], angle=[angle]),
    ]
    world = PlacedWorld(planar.World(batches, [0.2] * 3), Plane(np.eye(3)), np.zeros(3))
    bare = PlacedWorld(planar_world(batches), Plane(np.eye(3)), np.zeros(3))
    for row, batch in enumerate(batches):
        old = len(shape_edges(bare, row, Role.SHAPE_A).lines)
        points = shape_edges(world, row, Role.SHAPE_A).lines[old:].reshape(-1, 3)[:, :2]
        far = planar_queries.distance(batch, planar.Circles(points, np.zeros(len(points)))).distance
        assert len(points) and (far <= 0.2 + 1e-9).all() and (far >= -1e-9).all()
        assert (np.abs(far - 0.2) < 1e-6).all() if row < 2 else (np.abs(far - 0.2) < 1e-6).mean() > 0.5


def planar_world(batches):
    return planar.World(batches)
