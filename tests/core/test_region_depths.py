# SPDX-License-Identifier: GPL-3.0-or-later
"""The depth of a region of contact: what moves that far along its normal is past, as the deepest contact says."""

import tracemalloc

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from tests import mesh_zoo
from tests.offline import slow


def solid(points):
    """The surface of the hull of points, faces outwards."""
    hull = ConvexHull(points)
    triangles = hull.simplices.copy()
    p, q, r = points[triangles].transpose(1, 0, 2)
    inwards = (np.cross(q - p, r - p) * hull.equations[:, :3]).sum(axis=1) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    return points, triangles


def scattered(rng):
    return rng.normal(size=(rng.integers(4, 20), 3))


def on_an_ellipsoid(rng):
    points = rng.normal(size=(rng.integers(6, 40), 3))
    return points / np.linalg.norm(points, axis=1)[:, None] * rng.uniform(0.2, 2.0, 3)


def frustum(rng):
    angle = np.arange(sides := rng.integers(3, 12)) * (2.0 * np.pi / sides)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    low, high = (np.column_stack([ring * rng.uniform(0.1, 1.0), np.full(sides, z)]) for z in (-1.0, 1.0))
    return np.concatenate([low, high]) * [1.0, 1.0, rng.uniform(0.3, 3.0)]


@pytest.mark.parametrize("maker", [scattered, *slow(on_an_ellipsoid, frustum)])
@pytest.mark.parametrize("seed", [1, *slow(2)])
def test_the_deepest_contact_of_convex_meshes_is_as_deep_as_the_pair(maker, seed):
    """Edges inside each other, of which no two triangles cross, count as vertices do."""
    rng = np.random.default_rng(seed)
    count = 80
    first, second = ([maker(rng) for _ in range(count)] for _ in range(2))
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))[:, None, None]
    shift = rng.normal(scale=0.6, size=(count, 3))
    depth = -ck.distance(ck.Hulls.from_points(first), ck.Hulls.from_points(second, shift, turn)).distance
    a = ck.Meshes.from_triangles([solid(points) for points in first])
    b = ck.Meshes.from_triangles([solid(points) for points in second], shift, turn)
    found = ck.contacts(a, b)
    deepest = np.full(count, -np.inf)
    np.maximum.at(deepest, found.pair, found.depth)
    deep = depth > 1e-6
    assert np.count_nonzero(deep) > 30
    np.testing.assert_allclose(deepest[deep], depth[deep], rtol=1e-9)
    # All contacts of what is convex push one way.
    normal = ck.distance(a, b).normal
    assert ((found.normal * normal[found.pair]).sum(axis=1) > 0.0).all()


def roof(along, across, height):
    """A prism with a level ridge of length 2 along one axis, three units above its base, which is two wide."""
    points = np.zeros((6, 3))
    points[:, along] = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]
    points[:, across] = [-1.0, 1.0, 0.0, -1.0, 1.0, 0.0]
    points[:, 2] = [height - 3.0, height - 3.0, height, height - 3.0, height - 3.0, height]
    return solid(points)


def test_regions_of_one_pair_keep_their_own_depths():
    """Two ridges in one long one, which is of two triangles a side: 0.2 and 0.3 deep."""
    parts = [roof(1, 0, 0.2), roof(1, 0, 0.3)]
    parts[1] = parts[1][0] + [10.0, 0.0, 0.0], parts[1][1]
    a = np.concatenate([points for points, _ in parts]), np.concatenate([parts[0][1], parts[1][1] + 6])
    points, triangles = roof(0, 1, 0.0)
    b = points * [8.0, 1.0, -1.0] + [5.0, 0.0, 0.0], triangles[:, ::-1]
    found = ck.contacts(ck.Meshes.from_triangles([a]), ck.Meshes.from_triangles([b]))
    for x, depth in ((0.0, 0.2), (10.0, 0.3)):
        here = np.abs(found.point[:, 0] - x) < 2.0
        np.testing.assert_allclose(found.depth[here].max(), depth, rtol=1e-9)
        np.testing.assert_allclose(found.normal[here], [[0.0, 0.0, 1.0]] * np.count_nonzero(here), atol=1e-12)


@pytest.mark.slow
def test_detailed_meshes_deep_in_each_other_take_no_more_memory_than_they_need():
    """Whatever is nearest when they are freed is found without listing all triangles that might be."""
    rng = np.random.default_rng(0)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    ring = ck.Meshes.from_triangles([mesh_zoo.torus(200, 100)])
    other = ring.with_fields(
        rotation=turn[None] * np.sign(np.linalg.det(turn)), translation=np.array([[-0.3, 0.4, 0.2]])
    )
    ck.overlap(ring, other)
    tracemalloc.start()
    try:
        assert ck.distance(ring, other).distance < -0.1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500e6
