# SPDX-License-Identifier: GPL-3.0-or-later
"""The depth of a region of contact: what moves that far along its normal is past, as the deepest contact says."""

import tracemalloc

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from tests.helpers import mesh_zoo


def solid(points):
    """The surface of the hull of points, faces outwards."""
    hull = ConvexHull(points)
    triangles = hull.simplices.copy()
    p, q, r = points[triangles].transpose(1, 0, 2)
    inwards = (np.cross(q - p, r - p) * hull.equations[:, :3]).sum(axis=1) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    return points, triangles


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
        # The ridge of the one is that far from both slopes of the other.
        np.testing.assert_allclose(found.depth[here].max(), depth / np.sqrt(10.0), rtol=1e-3)
        assert (found.normal[here, 2] >= 0.3).all()
    # Both ridges have a contact in both regions.
    edges = (found.feature_a[:, 0] == ck.FeatureKind.EDGE) & (np.abs(found.normal[:, 1]) > 0.9)
    assert np.count_nonzero(edges & (np.abs(found.point[:, 0]) < 2.0)) > 0


@pytest.mark.slow
def test_detailed_meshes_deep_in_each_other_take_no_more_memory_than_they_need():
    """The nearest triangles are found without listing all triangles that might be."""
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
