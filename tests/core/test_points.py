# SPDX-License-Identifier: GPL-3.0-or-later
"""Points against shapes: how far they are from the surface, on which side, and where it is nearest."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.numerics.vectors import length
from tests.helpers import mesh_zoo, zoo


def around(shapes, rng, count=1):
    """Points in and around each shape."""
    lower, upper = ck.bounds(shapes)
    if shapes.kind in (ck.Kind.HALF_SPACE, ck.Kind.PLANE):
        lower, upper = np.full((len(shapes), 3), -3.0), np.full((len(shapes), 3), 3.0)
    middle, extent = (lower + upper) / 2.0, np.maximum(upper - lower, 0.1)
    points = middle[:, None] + 0.8 * (2.0 * rng.random((len(shapes), count, 3)) - 1.0) * extent[:, None]
    return points.reshape(-1, 3)


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", [kind for kind in ck.Kind if kind != ck.Kind.MESH])
def test_points_are_spheres_without_a_radius(kind, maker):
    rng = np.random.default_rng([kind, *maker.encode()])
    shapes = zoo.MAKERS[maker](kind, rng, 60)
    points = around(shapes, rng)
    found, balls = ck.closest_points(shapes, points), ck.Spheres(points, 0.0)
    np.testing.assert_array_equal(found.distance, ck.distance(shapes, balls).distance)
    np.testing.assert_array_equal(ck.signed_distance(shapes, points), found.distance)
    np.testing.assert_array_equal(ck.contains_points(shapes, points), ck.overlap(shapes, balls))
    np.testing.assert_allclose(points - found.point, found.distance[:, None] * found.normal, atol=1e-12)
    np.testing.assert_allclose(length(found.normal), 1.0, atol=1e-12)
    assert np.isin(found.feature[:, 0], ck.FeatureKind).all()


def brute_force(corners, points):
    """The distance of points from triangles: the least of edges and faces, one triangle after the other."""
    least = np.full(len(points), np.inf)
    for a, b, c in corners:
        for start, end in ((a, b), (b, c), (c, a)):
            edge = end - start
            square = edge @ edge
            share = np.clip((points - start) @ edge / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(points))
            least = np.minimum(least, length(points - start - share[:, None] * edge))
        normal = np.cross(b - a, c - a)
        size = np.sqrt(normal @ normal)
        if size > 0.0:
            height = (points - a) @ normal / size
            foot = points - height[:, None] * normal / size
            sides = [np.cross(y - x, foot - x) @ normal for x, y in ((a, b), (b, c), (c, a))]
            least = np.where((np.array(sides) >= 0.0).all(axis=0), np.minimum(least, np.abs(height)), least)
    return least


@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_points_at_meshes_are_measured_from_the_nearest_triangle(maker):
    rng = np.random.default_rng(2)
    shapes = zoo.MAKERS[maker](ck.Kind.MESH, rng, 40)
    points = around(shapes, rng, 30)
    pairs = np.stack([np.repeat(np.arange(40), 30), np.arange(1200)], axis=1)
    found = ck.closest_points(shapes, points, pairs)
    for row in range(40):
        mine = slice(30 * row, 30 * row + 30)
        corners = mesh_zoo.world(shapes, row)
        np.testing.assert_allclose(np.abs(found.distance[mine]), brute_force(corners, points[mine]), atol=1e-12)
        inside = shapes.solid[row] & (np.rint(mesh_zoo.winding(corners, points[mine])) != 0)
        clear = np.abs(found.distance[mine]) > 1e-12
        np.testing.assert_array_equal((found.distance[mine] < 0.0)[clear], inside[clear])
    np.testing.assert_allclose(points - found.point, found.distance[:, None] * found.normal, atol=1e-12)
    np.testing.assert_allclose(length(found.normal), 1.0, atol=1e-12)
    assert (found.distance < 0.0).sum() > 50


def test_parts_that_overlap_are_one_solid():
    corners, triangles = mesh_zoo.box()
    size = np.ptp(corners[:, 0])
    two = mesh_zoo.joined([(corners, triangles), mesh_zoo.moved((corners, triangles), (size / 2.0, 0, 0))])
    mesh = ck.Meshes.from_triangles([two])
    step = np.array([size, 0.0, 0.0])
    middle = corners.mean(axis=0) + step / 4.0
    assert ck.contains_points(mesh, [middle, middle + step]).tolist() == [True, False]
    assert ck.signed_distance(mesh, middle)[0] < 0.0


def test_features_of_meshes_are_those_of_contacts():
    corners = np.array([[0.0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 0, 0], [2, 2, 0]])
    sheet = ck.Meshes.from_triangles([(corners, [[0, 1, 2], [3, 4, 2]])])
    found = ck.closest_points(sheet, [[0.5, 0.5, 1], [-1, -1, 0], [2.5, 0.0, 1], [1, -1, 0.5], [1.0, 1.0, 0.5]])
    # Vertices that coincide have the lowest index, and edges are in the order of their vertices.
    assert found.feature[:4].tolist() == [[2, 0], [0, 0], [0, 1], [1, 0]]
    assert found.normal[0].tolist() == [0.0, 0.0, 1.0]
    np.testing.assert_allclose(found.distance, [1.0, np.sqrt(2.0), np.sqrt(1.25), np.sqrt(1.25), 0.5])
    on = ck.closest_points(sheet, [0.5, 0.5, 0.0])
    assert on.distance.tolist() == [0.0]
    assert on.normal.tolist() == [[0.0, 0.0, 1.0]]
    assert ck.contains_points(sheet, [[0.5, 0.5, 0], [0.5, 0.5, 1e-6]]).tolist() == [True, False]


def test_the_normal_is_the_gradient_of_the_distance():
    rng = np.random.default_rng(3)
    for kind in ck.Kind:
        shapes = zoo.generic(kind, rng, 20)
        points = around(shapes, rng)
        found = ck.closest_points(shapes, points)
        step = 1e-6
        for axis in range(3):
            ahead, behind = (ck.signed_distance(shapes, points + sign * step * np.eye(3)[axis]) for sign in (1, -1))
            slope = (ahead - behind) / (2.0 * step)
            # Where the nearest feature changes within the step, there is no gradient.
            assert (np.abs(slope - found.normal[:, axis]) < 1e-3).mean() > 0.9, kind


@pytest.mark.parametrize("ask", [ck.signed_distance, ck.contains_points, ck.closest_points])
def test_wrong_points_are_named(ask):
    shapes = ck.Spheres(np.zeros((2, 3)), 1.0)
    for points, message in (
        ([[0, 0]], r"points: shape \(1, 2\)"),
        ([[0, 0, np.inf]], "points: row 0 is not finite"),
        (np.zeros((3, 3)), "shapes has 2 rows and points has 3"),
    ):
        with pytest.raises(ValueError, match=message):
            ask(shapes, points)
    with pytest.raises(ValueError, match="pairs: row 0 has index 5 into points of length 3"):
        ask(shapes, np.zeros((3, 3)), pairs=[[0, 5]])
    with pytest.raises(ValueError, match="points: "):
        ck.World([]).closest([0, 0, 0])


def test_points_with_margins_are_nearer():
    shapes = ck.Boxes([[0, 0, 0], [5, 0, 0]], 1.0)
    world = ck.World([shapes], margin=[0.25, 0.0])
    found = ck.closest_points(world, [[0, 0, 3], [5, 0, 3]])
    assert found.distance.tolist() == [1.75, 2.0]
    assert found.point.tolist() == [[0, 0, 1.25], [5, 0, 1]]
