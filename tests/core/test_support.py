# SPDX-License-Identifier: GPL-3.0-or-later
"""The support mapping of every kind, against the formula for each kind's support function."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.minkowski import configuration_space_obstacle
from collision_kit.core.convex.support import support
from tests.helpers import zoo

BOUNDED = [ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL]


def reach(shapes, d):
    """The support function: the greatest inner product with a point of the shape."""
    size = np.linalg.norm(d, axis=1)
    match shapes:
        case ck.Spheres():
            return (shapes.center * d).sum(axis=1) + shapes.radius * size
        case ck.Capsules():
            ends = np.maximum((shapes.start * d).sum(axis=1), (shapes.end * d).sum(axis=1))
            return ends + shapes.radius * size
        case ck.Cylinders():
            axis = (shapes.end - shapes.start) / np.linalg.norm(shapes.end - shapes.start, axis=1, keepdims=True)
            ends = np.maximum((shapes.start * d).sum(axis=1), (shapes.end * d).sum(axis=1))
            return ends + shapes.radius * np.linalg.norm(np.cross(axis, d), axis=1)
        case ck.Ellipsoids():
            local = np.einsum("nij,ni->nj", shapes.rotation, d)
            return (shapes.center * d).sum(axis=1) + np.linalg.norm(shapes.radii * local, axis=1)
        case ck.Cones():
            axis = (shapes.apex - shapes.base) / np.linalg.norm(shapes.apex - shapes.base, axis=1, keepdims=True)
            rim = (shapes.base * d).sum(axis=1) + shapes.radius * np.linalg.norm(np.cross(axis, d), axis=1)
            return np.maximum(rim, (shapes.apex * d).sum(axis=1))
        case ck.Triangles():
            return np.einsum("nki,ni->nk", shapes.vertices, d).max(axis=1)
        case ck.Boxes():
            along = np.abs(np.einsum("nij,ni->nj", shapes.rotation, d))
            return (shapes.center * d).sum(axis=1) + (shapes.half_extents * along).sum(axis=1)
        case ck.Hulls():
            points = (shapes.geometry[i].points for i in shapes.index)
            placed = [p @ r.T + t for p, r, t in zip(points, shapes.rotation, shapes.translation, strict=True)]
            return np.array([(p @ one).max() for p, one in zip(placed, d, strict=True)])


def holds(shapes, points):
    """Whether each point is in its shape, touching included."""
    return ck.contains(shapes, ck.Spheres(points, np.zeros(len(points))))


@pytest.mark.parametrize("kind", BOUNDED)
@pytest.mark.parametrize("batch", [zoo.generic, zoo.degenerate])
def test_supports_are_in_the_shape_and_nothing_is_farther(kind, batch):
    rng = np.random.default_rng(int(kind))
    shapes = batch(kind, rng, 200)
    count = len(shapes)
    axes = np.eye(3)[rng.integers(0, 3, count)] * rng.choice([-1.0, 1.0], count)[:, None]
    for directions in (rng.normal(size=(count, 3)), axes, rng.normal(size=(count, 3)) * 1e-200, axes * 1e200):
        points = support(shapes, directions)
        assert points.shape == (count, 3)
        unit = directions / np.abs(directions).max(axis=1)[:, None]
        assert np.allclose((points * unit).sum(axis=1), reach(shapes, unit), rtol=0, atol=1e-13 * 50)
        assert holds(shapes, points).all()


@pytest.mark.parametrize("kind", BOUNDED)
def test_the_zero_direction_has_a_point_of_the_shape(kind):
    shapes = zoo.generic(kind, np.random.default_rng(1), 50)
    points = support(shapes, np.zeros((50, 3)))
    assert holds(shapes, points).all()
    match shapes:
        case ck.Spheres():
            assert np.array_equal(points, shapes.center)
        case ck.Capsules() | ck.Cylinders():
            assert np.allclose(points, shapes.start, rtol=0, atol=1e-15 * 8)
        case ck.Hulls():
            first = [shapes.geometry[i].points[shapes.geometry[i].vertices[0]] for i in shapes.index]
            assert np.allclose(support(shapes, np.zeros((1, 3))), points)
            local = np.einsum("nji,nj->ni", shapes.rotation, points - shapes.translation)
            assert np.allclose(local, first, rtol=0, atol=1e-14)


def test_ties_go_to_the_lowest_vertex():
    cube = ck.Boxes([[1, 2, 3]], [[1, 1, 1]])
    directions = [[1, 0, 0], [0, 1, 1], [-1, -1, 0], [1e300, 0, 0]]
    assert support(cube, directions).tolist() == [[2, 1, 2], [0, 3, 4], [0, 1, 2], [2, 1, 2]]
    corners = [[0, 0, 5], [1, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 1], [0, 0, 5]]
    assert support(ck.Hulls.from_points([corners]), [[1, 0, 0]]).tolist() == [[1, 1, 0]]
    capsule = ck.Capsules([[0, 0, 0]], [[2, 0, 0]], [0.5])
    assert support(capsule, [[0, 3, 0], [3, 0, 0]]).tolist() == [[0, 0.5, 0], [2.5, 0, 0]]
    cylinder = ck.Cylinders([[0, 0, 0]], [[2, 0, 0]], [0.5])
    assert support(cylinder, [[0, 3, 0], [3, 0, 0], [-1, 0, 0]]).tolist() == [[0, 0.5, 0], [2, 0, 0], [0, 0, 0]]


def test_hulls_of_all_sizes_go_together():
    rng = np.random.default_rng(2)
    geometry = [ck.convex_hull(rng.normal(size=(n, 3))) for n in (1, 2, 4, 300, 20, 3, 90)]
    index = rng.integers(0, 7, 500)
    shapes = ck.Hulls(geometry, index, rng.normal(size=(500, 3)), zoo.rotations(rng, 500))
    directions = rng.normal(size=(500, 3))
    points = support(shapes, directions)
    assert np.allclose((points * directions).sum(axis=1), reach(shapes, directions), rtol=0, atol=1e-13)


def test_one_shape_or_one_direction_goes_with_all():
    rng = np.random.default_rng(3)
    shapes, directions = zoo.generic(ck.Kind.BOX, rng, 20), rng.normal(size=(20, 3))
    one = support(shapes.take(np.array([4])), directions)
    assert np.array_equal(one[4], support(shapes, directions)[4]) and one.shape == (20, 3)
    assert np.array_equal(support(shapes, directions[4:5])[4], one[4])
    assert support(shapes.take(np.empty(0, np.int64)), np.empty((0, 3))).shape == (0, 3)
    with pytest.raises(ValueError, match="directions: 3 rows, but there are 20 shapes"):
        support(shapes, directions[:3])
    with pytest.raises(ValueError, match="directions: row 1 is not finite"):
        support(shapes, [[0, 0, 1], [0, np.nan, 0]])


def test_the_support_of_the_obstacle_is_the_difference_of_supports():
    rng = np.random.default_rng(4)
    a, b = (ck.convex_hull(rng.normal(size=(15, 3))) for _ in range(2))
    obstacle = configuration_space_obstacle(a.points, b.points)
    directions = rng.normal(size=(100, 3))
    whole, left, right = (
        support(ck.Hulls([hull], [0]), d) for hull, d in ((obstacle, directions), (a, directions), (b, -directions))
    )
    assert np.allclose(whole, left - right, rtol=0, atol=1e-14)


def test_half_spaces_answer_along_their_normal_only():
    normal = np.array([[0.0, 0.0, 2.0], [1.0, 2.0, -2.0], [0.3, -0.4, 1.2]])
    shapes = ck.HalfSpaces(normal, [4.0, 9.0, 0.0])
    points = support(shapes, normal * 7.0)
    assert np.allclose(points, [[0, 0, 2], [1, 2, -2], [0, 0, 0]], rtol=0, atol=1e-15)
    assert np.array_equal(support(shapes, np.zeros((3, 3))), points)
    for wrong in (-normal[1], [0.0, 1.0, 0.0], normal[1] + [1e-12, 0.0, 0.0]):
        with pytest.raises(ValueError, match="directions: row 1: the half-space has no farthest point"):
            support(shapes, [normal[0], wrong, normal[2]])


def test_planes_answer_along_their_normal_and_against_it():
    normal = np.array([[0.0, 0.0, 2.0], [1.0, 2.0, -2.0]])
    shapes = ck.Planes(normal, [4.0, 9.0])
    for directions in (normal, -normal, np.zeros((2, 3))):
        assert np.allclose(support(shapes, directions), [[0, 0, 2], [1, 2, -2]], rtol=0, atol=1e-15)
    with pytest.raises(ValueError, match="directions: row 0: the plane has no farthest point"):
        support(shapes, [[0.0, 1.0, 0.0], normal[1]])
