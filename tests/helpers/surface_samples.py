# SPDX-License-Identifier: GPL-3.0-or-later
"""Points on surfaces of shapes, and bounds of distances tested at them."""

import numpy as np
from scipy.spatial import ConvexHull, QhullError

import collision_kit.core as ck
from collision_kit.core.numerics.vectors import length


def directions(rng, count):
    return (lambda each: each / np.linalg.norm(each, axis=1)[:, None])(rng.normal(size=(count, 3)))


def on_triangles(corners, rng, count):
    """Points of triangles: corners, and points by area."""
    area = length(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    share = area / area.sum() if area.sum() > 0.0 else np.full(len(area), 1.0 / len(area))
    chosen = rng.choice(len(corners), count, p=share)
    weight = rng.dirichlet(np.ones(3), count)
    return np.concatenate([corners.reshape(-1, 3), np.einsum("nk,nki->ni", weight, corners[chosen])])


def around_axis(axis, rng, count):
    """Random unit vectors perpendicular to an axis."""
    axis = axis / np.linalg.norm(axis)
    out = np.cross(directions(rng, count), axis)
    return out / np.linalg.norm(out, axis=1)[:, None]


def hull_triangles(points):
    """The triangles of a convex hull, computed by Qhull; for a flat set, all triangles of its points."""
    try:
        return points[ConvexHull(points).simplices]
    except (QhullError, ValueError):
        number = np.array([(a, b, c) for a in range(len(points)) for b in range(a + 1) for c in range(b + 1)])
        return points[number]


def samples(shape, rng, count):
    """Points of the surface of one shape, sampled without patches."""
    match shape:
        case ck.Spheres():
            return shape.center[0] + shape.radius[0] * directions(rng, count)
        case ck.Ellipsoids():
            return shape.center[0] + (directions(rng, count) * shape.radii[0]) @ shape.rotation[0].T
        case ck.Capsules():
            axis, way = shape.end[0] - shape.start[0], directions(rng, count)
            side = np.concatenate([way, around_axis(axis, rng, count)]) if axis.any() else np.tile(way, (2, 1))
            place = np.concatenate([np.where(way @ axis > 0.0, 1.0, 0.0), rng.random(count)])
            return shape.start[0] + place[:, None] * axis + shape.radius[0] * side
        case ck.Cylinders():
            axis, radius = shape.end[0] - shape.start[0], shape.radius[0]
            place, out = rng.choice([0.0, 1.0, 2.0], count), around_axis(axis, rng, count)
            far = np.where(place == 2.0, 1.0, np.sqrt(rng.random(count))) * radius
            place = np.where(place == 2.0, rng.random(count), place)
            return shape.start[0] + place[:, None] * axis + far[:, None] * out
        case ck.Cones():
            axis, place = shape.apex[0] - shape.base[0], rng.random(count) * (rng.random(count) < 0.7)
            far = np.where(place > 0.0, 1.0 - place, np.sqrt(rng.random(count))) * shape.radius[0]
            return shape.base[0] + place[:, None] * axis + far[:, None] * around_axis(axis, rng, count)
        case ck.Boxes():
            signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            local = rng.uniform(-1.0, 1.0, (count, 3))
            local[np.arange(count), rng.integers(0, 3, count)] = rng.choice([-1.0, 1.0], count)
            return shape.center[0] + (np.concatenate([signs, local]) * shape.half_extents[0]) @ shape.rotation[0].T
        case ck.Triangles():
            return on_triangles(shape.vertices, rng, count)
        case ck.Hulls():
            hull = shape.geometry[shape.index[0]]
            points = hull.points[hull.vertices] @ shape.rotation[0].T + shape.translation[0]
            return on_triangles(hull_triangles(points), rng, count)
        case ck.Meshes():
            corners = shape.geometry[shape.index[0]].corners @ shape.rotation[0].T + shape.translation[0]
            return on_triangles(corners, rng, count)
    raise AssertionError(shape)


def apart(shapes, points):
    """Distances of points from several batches together, computed from each shape on its own."""
    least = np.full(len(points), np.inf)
    for batch in shapes:
        for row in range(len(batch)):
            least = np.minimum(least, ck.signed_distance(batch.take([row]), points))
    return np.maximum(least, 0.0)


def check(found, sampled, value, target):
    """Assert a result: no sample is farther than the bound, and the point is as far as reported."""
    slack = 1e-9 * (1.0 + np.abs(sampled).max(initial=0.0))
    assert value.max(initial=0.0) <= found.bound + slack
    assert found.distance <= found.bound <= found.distance + found.tolerance + slack
    if found.shape < 0:
        assert found.distance == 0.0
        return
    np.testing.assert_allclose(apart(target, found.point[None]), [found.distance], atol=slack)
