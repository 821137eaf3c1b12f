# SPDX-License-Identifier: GPL-3.0-or-later
"""Frusta of every convention against clip coordinates, and the planes' test of shapes."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers.cameras import DEPTHS, PROJECTIONS, VECTORS, clip, placed, projection, seen

UNIT_CUBE = np.diag([1.0, 1.0, -1.0, 1.0])  # orthographic: what is seen is [-1, 1]³


def some_points(frustum, rng, count=400):
    """Points in and around the frustum, as often near the near plane as far off."""
    corners = frustum.corners_within(60.0)
    weight = rng.dirichlet(np.full(8, 0.5), count)
    middle = weight @ corners
    return np.concatenate([middle, middle + rng.normal(0, 0.3, (count, 3)) * np.ptp(corners, axis=0)])


@pytest.mark.parametrize("space", ["view", "world"])
@pytest.mark.parametrize("vectors", VECTORS)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", PROJECTIONS)
def test_a_point_is_inside_exactly_if_its_clip_coordinates_are(name, depth, vectors, space):
    rng = np.random.default_rng(0)
    matrix = projection(name, depth)
    if space == "world":
        matrix = matrix @ placed(rng)
    given = matrix if vectors == "column" else matrix.T
    frustum = ck.Frustum.from_matrix(given, depth=depth, vectors=vectors)
    points = some_points(frustum, rng)
    inside, room = seen(matrix, points, depth)
    clear = np.abs(room) > 1e-9
    assert np.count_nonzero(clear) > len(points) / 2
    assert np.count_nonzero(inside & clear) > 50 and np.count_nonzero(~inside & clear) > 50
    levels = np.column_stack([points, np.ones(len(points))]) @ frustum.planes.T
    np.testing.assert_array_equal((levels >= 0.0).all(axis=1)[clear], inside[clear])
    found = frustum.classify(ck.Spheres(points, np.zeros(len(points))))
    np.testing.assert_array_equal(found[clear], np.where(inside, 1, -1)[clear])
    found = frustum.classify_bounds(points, points)
    np.testing.assert_array_equal(found[clear], np.where(inside, 1, -1)[clear])


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", PROJECTIONS)
def test_planes_and_corners_are_where_the_projection_has_them(name, depth):
    matrix = projection(name, depth) @ placed(np.random.default_rng(1))
    frustum = ck.Frustum.from_matrix(matrix, depth=depth)
    assert frustum.planes.shape == (6, 4)
    endless = "endless" in name
    normals = np.linalg.norm(frustum.planes[:, :3], axis=1)
    np.testing.assert_allclose(normals, [1, 0 if endless else 1, 1, 1, 1, 1], rtol=1e-12)
    corners = frustum.corners
    assert corners.shape == (8, 3)
    assert np.isfinite(corners[:4]).all() and np.isfinite(corners[4:]).all() == (not endless)
    finite = corners[:4] if endless else corners
    x, y, z, w = clip(matrix, finite).T
    accuracy = 1e-6 if name == "long" else 1e-9
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)] * 2)[: len(finite)]
    np.testing.assert_allclose(np.column_stack([x / w, y / w]), signs, atol=accuracy)
    least = -1.0 if depth == "opengl" else 0.0
    near, far = (1.0, least) if "reversed" in name else (least, 1.0)
    np.testing.assert_allclose(z / w, [near] * 4 + [far] * (len(finite) - 4), atol=accuracy)
    # Each corner lies on its three planes.
    of_corner = [(0, 2, 4), (0, 3, 4), (0, 3, 5), (0, 2, 5), (1, 2, 4), (1, 3, 4), (1, 3, 5), (1, 2, 5)]
    for corner, planes in zip(finite, of_corner, strict=False):
        level = frustum.planes[list(planes)] @ np.append(corner, 1.0)
        np.testing.assert_allclose(level, 0.0, atol=accuracy * np.abs(corners[np.isfinite(corners)]).max())


def test_the_sign_of_the_planes_is_that_of_the_documentation_not_of_the_seed():
    frustum = ck.Frustum.from_matrix(projection("perspective"))
    np.testing.assert_allclose(frustum.planes[0], [0, 0, -1, -0.5], atol=1e-12)
    np.testing.assert_allclose(frustum.planes[1], [0, 0, 1, 40], rtol=1e-9)


@pytest.mark.parametrize("name", ["perspective", "endless", "orthographic"])
def test_edges_join_corners_that_share_two_planes(name):
    frustum = ck.Frustum.from_matrix(projection(name))
    corners = frustum.corners_within(20.0)
    assert np.isfinite(corners).all()
    assert frustum.edges.shape == (12, 2)
    assert len(np.unique(np.sort(frustum.edges, axis=1), axis=0)) == 12
    hull = ck.convex_hull(corners)
    assert len(hull.faces) == 6
    edges = {tuple(sorted(edge)) for edge in hull.edges.tolist()}
    assert {tuple(sorted(edge)) for edge in frustum.edges.tolist()} == edges
    # Cut off in a plane at that distance, where the far plane is farther.
    np.testing.assert_allclose(corners[4:, 2], -20.5, rtol=1e-12)
    near = frustum.corners_within(1e9)
    assert np.abs(near[4:, 2] + 40.0).max() < 1e-6 or name == "endless"
    with pytest.raises(ValueError, match="distance"):
        frustum.corners_within(0.0)


BAD = {
    "singular": np.zeros((4, 4)),
    "no width": projection("perspective") * np.array([[0], [1], [1], [1]]),
    "no depth": projection("perspective") * np.array([[1], [1], [0], [1]]),
    "no w": projection("perspective") * np.array([[1], [1], [1], [0]]),
    "width is height": projection("perspective")[[0, 0, 2, 3]],
    "all behind the eye": -projection("perspective"),
    "near and far swapped behind the eye": projection("perspective") * np.array([[1], [1], [-1], [-1]]),
    "projected flat": projection("perspective") @ np.diag([1.0, 1.0, 0.0, 1.0]),
    "not a projection": np.ones((4, 4)),
    "thinner than rounding": projection("perspective") * np.array([[1e20], [1], [1], [1]]),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("depth", DEPTHS)
def test_a_matrix_that_shows_nothing_is_an_error(name, depth):
    with pytest.raises(ValueError, match="clip_from_world: no frustum"):
        ck.Frustum.from_matrix(BAD[name], depth=depth)


@pytest.mark.parametrize("depth", DEPTHS)
def test_whatever_matrix_is_taken_its_frustum_is_what_clip_coordinates_say(depth):
    """Cameras no one would build: skewed, with planes at any angle. Taken or not, none is wrong."""
    rng = np.random.default_rng(8)
    taken = 0
    for _ in range(400):
        matrix = projection("perspective", depth) + rng.normal(size=(4, 4)) * rng.choice([0.05, 0.3, 1.0])
        try:
            frustum = ck.Frustum.from_matrix(matrix, depth=depth)
        except ValueError:
            continue
        taken += 1
        corners = frustum.corners_within(60.0)
        size = np.abs(corners).max()
        levels = corners @ frustum.planes[:, :3].T + frustum.planes[:, 3]
        assert (levels > -1e-9 * size).all()
        points = some_points(frustum, rng, 60)
        inside, room = seen(matrix, points, depth)
        found = frustum.classify_bounds(points, points)
        clear = np.abs(room) > 1e-9
        np.testing.assert_array_equal(found[clear], np.where(inside, 1, -1)[clear])
    assert taken > 40


def test_other_bad_input_is_named():
    good = projection("perspective")
    with pytest.raises(ValueError, match="clip_from_world: shape"):
        ck.Frustum.from_matrix(np.eye(3))
    with pytest.raises(ValueError, match="clip_from_world: row 2 is not finite"):
        ck.Frustum.from_matrix(np.where(np.arange(4)[:, None] == 2, np.nan, good))
    with pytest.raises(ValueError, match="depth: 'vulkan'"):
        ck.Frustum.from_matrix(good, depth="vulkan")
    with pytest.raises(ValueError, match="vectors: 'rows'"):
        ck.Frustum.from_matrix(good, vectors="rows")
    frustum = ck.Frustum.from_matrix(good)
    with pytest.raises(ValueError, match="upper: 2 rows"):
        frustum.classify_bounds(np.zeros((1, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="lower: row 1 is above"):
        frustum.classify_bounds([[0, 0, 0], [2, 0, 0]], [[1, 1, 1], [1, 1, 1]])
    with pytest.raises(ValueError, match="lower: row 1 lies at infinity"):
        frustum.classify_bounds([[0, 0, 0], [np.inf, 0, 0]], [[1, 1, 1], [np.inf, 1, 1]])
    with pytest.raises(ValueError, match="upper: row 0 is not a number"):
        frustum.classify_bounds([[0, 0, 0]], [[1, np.nan, 1]])


@pytest.mark.parametrize("exact", [False, True])
def test_touching_from_outside_crosses_and_touching_from_inside_is_inside(exact):
    frustum = ck.Frustum.from_matrix(UNIT_CUBE)
    at = np.array([1.5, 0.5, 0.0, 1.5 + 1e-9, 0.5 + 1e-9, 1.0])
    wanted = [0, 1, 1, -1, 0, 0]
    for axis in range(3):
        for sign in (-1.0, 1.0):
            center = np.zeros((6, 3))
            center[:, axis] = sign * at
            half = np.full((6, 3), 0.5)
            box = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
            assert frustum.classify(ck.Spheres(center, half[:, 0]), exact).tolist() == wanted
            assert frustum.classify(ck.Boxes(center, half), exact).tolist() == wanted
            assert frustum.classify(ck.Hulls.from_points([box] * 6, center), exact).tolist() == wanted
            assert frustum.classify(ck.Capsules(center, center, half[:, 0]), exact).tolist() == wanted
            assert frustum.classify_bounds(center - half, center + half, exact).tolist() == wanted


def batches(rng, count, spread):
    """Shapes of every bounded kind that has a support, near the origin."""
    center = rng.normal(0, spread, (count, 3))
    size = rng.uniform(0.05, 4.0, count)
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))[:, None, None]
    ends = center + rng.normal(0, 2, (count, 3))
    points = [rng.normal(size=(rng.integers(1, 12), 3)) * scale for scale in size]
    return {
        "spheres": ck.Spheres(center, size),
        "capsules": ck.Capsules(center, ends, size / 2),
        "cylinders": ck.Cylinders(center, ends, size),
        "boxes": ck.Boxes(center, rng.uniform(0, 4, (count, 3)), turn),
        "triangles": ck.Triangles(center[:, None] + rng.normal(0, 2, (count, 3, 3))),
        "hulls": ck.Hulls.from_points(points, center, turn),
        "meshes": ck.Meshes.from_triangles(
            [(rng.normal(0, 2, (5, 3)), [[0, 1, 2], [2, 3, 4], [0, 3, 4]]) for _ in range(count)], center, turn
        ),
    }


def farthest(shapes, direction):
    """Return how far each shape reaches along a unit vector."""
    if isinstance(shapes, ck.Cylinders):
        # The rim of a cap, all the way round.
        axis = shapes.end - shapes.start
        axis = axis / np.linalg.norm(axis, axis=1)[:, None]
        across = direction - axis * (axis @ direction)[:, None]
        rim = shapes.radius[:, None] * across / np.linalg.norm(across, axis=1)[:, None]
        return np.maximum((shapes.start + rim) @ direction, (shapes.end + rim) @ direction)
    if isinstance(shapes, ck.Meshes):
        return np.array([(mesh @ direction).max() for mesh in world_points(shapes)])
    return ck.support(shapes, direction[None]) @ direction


def world_points(meshes):
    for index, turn, place in zip(meshes.index, meshes.rotation, meshes.translation, strict=True):
        yield meshes.geometry[index].points @ turn.T + place


@pytest.mark.parametrize("name", ["perspective", "shifted", "endless", "orthographic"])
def test_the_planes_test_is_that_of_support_points(name):
    rng = np.random.default_rng(3)
    frustum = ck.Frustum.from_matrix(projection(name) @ placed(rng, 1.0))
    for kind, shapes in batches(rng, 300, 10.0).items():
        outside, inside = np.zeros(300, dtype=bool), np.ones(300, dtype=bool)
        for plane in frustum.planes:
            if plane[:3].any():
                outside |= farthest(shapes, plane[:3]) + plane[3] < 0.0
                inside &= -farthest(shapes, -plane[:3]) + plane[3] >= 0.0
        found = frustum.classify(shapes)
        assert found.dtype == np.int8
        np.testing.assert_array_equal(found, np.where(outside, -1, np.where(inside, 1, 0)), err_msg=kind)
        assert len(set(found.tolist())) == 3


def test_bounds_are_classified_as_boxes_are_however_many():
    rng = np.random.default_rng(5)
    frustum = ck.Frustum.from_matrix(projection("perspective") @ placed(rng))
    center, half = rng.uniform(-40, 40, (40_000, 3)), rng.uniform(0, 3, (40_000, 3))
    boxes = ck.Boxes(center, half)
    for exact in (False, True):
        found = frustum.classify_bounds(center - half, center + half, exact)
        np.testing.assert_array_equal(found, frustum.classify(boxes, exact))
        assert np.bincount(found + 1).min() > 50
    assert frustum.classify_bounds(np.empty((0, 3)), np.empty((0, 3))).tolist() == []
    assert frustum.classify(ck.Boxes(np.empty((0, 3)), np.empty((0, 3)))).tolist() == []


def test_bounds_on_the_planes_are_classified_as_boxes_are():
    frustum = ck.Frustum.from_matrix(UNIT_CUBE)
    lower, size = (
        grid.reshape(3, -1).T for grid in np.split(np.stack(np.meshgrid(*[[-2, -1, 0, 1]] * 3, *[[0, 1, 2]] * 3)), 2)
    )
    found = frustum.classify_bounds(lower, lower + size)
    outside = ((lower > 1) | (lower + size < -1)).any(axis=1)
    inside = ((lower >= -1) & (lower + size <= 1)).all(axis=1)
    np.testing.assert_array_equal(found, np.where(outside, -1, np.where(inside, 1, 0)))


@pytest.mark.parametrize("name", ["orthographic", "perspective", "endless"])
@pytest.mark.parametrize("exact", [False, True])
def test_infinite_bounds(name, exact):
    frustum = ck.Frustum.from_matrix(projection(name))
    inf = np.inf
    lower = np.array(
        [[-inf, -inf, -inf], [-inf, -inf, 0.0], [-inf, -inf, -inf], [100.0, -inf, -50.0], [-inf, -1, -inf]]
    )
    upper = np.array([[inf, inf, inf], [inf, inf, inf], [inf, inf, -39.0], [inf, inf, inf], [inf, 1, inf]])
    assert frustum.classify_bounds(lower, upper, exact).tolist() == [0, -1, 0, -1, 0]
    # One endless box among many leaves the others as they are.
    rng = np.random.default_rng(0)
    center = rng.uniform(-20, 20, (500, 3))
    alone = frustum.classify_bounds(center - 1, center + 1, exact)
    both = frustum.classify_bounds(np.vstack([lower, center - 1]), np.vstack([upper, center + 1]), exact)
    np.testing.assert_array_equal(both[5:], alone)


def test_a_world_is_classified_row_by_row():
    rng = np.random.default_rng(6)
    frustum = ck.Frustum.from_matrix(projection("perspective") @ placed(rng))
    parts = list(batches(rng, 30, 10.0).values())
    found = frustum.classify(ck.World(parts))
    np.testing.assert_array_equal(found, np.concatenate([frustum.classify(part) for part in parts]))
    assert frustum.classify(ck.World([])).tolist() == []


def test_an_assembly_is_where_all_of_its_parts_are():
    frustum = ck.Frustum.from_matrix(UNIT_CUBE)
    inside, outside, crossing = [0, 0, 0], [3, 0, 0], [1, 0, 0]

    def body(*places):
        return [ck.Spheres([place], [0.25]) for place in places] + [ck.Boxes([places[0]], [[0.1, 0.1, 0.1]])]

    bodies = [body(inside, [0, 0.5, 0]), body(outside, [0, 5, 0]), body(inside, outside), body(crossing, outside)]
    assert frustum.classify(ck.Assemblies(bodies)).tolist() == [1, -1, 0, 0]
    moved = ck.Assemblies(bodies, [[0, 4, 0], [-3, 0, 0], [0, 0, 0], [0, 0, 9]])
    assert frustum.classify(moved).tolist() == [-1, 0, 0, -1]


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_a_scene_scaled_or_moved_keeps_its_verdicts(scale, offset):
    rng = np.random.default_rng(7)
    view = placed(rng, 3.0)
    center, half = rng.uniform(-10, 10, (300, 3)), rng.uniform(0, 3, (300, 3))
    wanted = ck.Frustum.from_matrix(projection("perspective") @ view).classify(ck.Boxes(center, half), exact=True)
    moved = np.eye(4)
    moved[:3, :3] /= scale
    moved[:3, 3] = -offset
    frustum = ck.Frustum.from_matrix(projection("perspective") @ view @ moved)
    boxes = ck.Boxes((center + offset) * scale, half * scale)
    np.testing.assert_array_equal(frustum.classify(boxes, exact=True), wanted)
    assert set(wanted.tolist()) == {-1, 0, 1}
