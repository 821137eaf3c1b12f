# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the properties of every convex hull, and of the equality of two hulls."""

import numpy as np

from collision_kit.core import ConvexHull

FIELDS = ("vertices", "normals", "offsets", "edges", "edge_faces", "volume", "area", "centroid", "dimension")


def counts(hull):
    return hull.dimension, len(hull.vertices), len(hull.edges), len(hull.faces)


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in FIELDS) and all(
        np.array_equal(f, g) for f, g in zip(a.faces, b.faces, strict=True)
    )


def check(hull: ConvexHull) -> ConvexHull:
    """Assert every property of `ConvexHull`; returns the hull."""
    points, tolerance = hull.points, hull.tolerance
    assert points.dtype == np.float64 and points.shape[1:] == (3,)
    assert tolerance > 0.0
    assert (np.diff(hull.vertices) > 0).all()
    for vertex in hull.vertices:  # the lowest index of duplicates
        assert vertex == np.flatnonzero((points == points[vertex]).all(axis=1))[0] or hull.dimension == 0
    for array in (
        points,
        hull.vertices,
        hull.normals,
        hull.offsets,
        hull.edges,
        hull.edge_faces,
        *hull.faces,
    ):
        assert not array.flags.writeable

    if hull.dimension < 2:
        assert len(hull.vertices) == hull.dimension + 1
        assert hull.edges.tolist() == [hull.vertices.tolist()] * hull.dimension
        assert hull.faces == () and len(hull.normals) == len(hull.offsets) == 0
        assert (hull.edge_faces == -1).all() and hull.volume == hull.area == 0.0
        assert_on_segment(points, points[hull.vertices[0]], points[hull.vertices[-1]], tolerance)
        return hull
    check_planes(hull)
    check_topology(hull)
    return hull


def assert_on_segment(points, start, end, tolerance):
    along = end - start
    length = np.linalg.norm(along)
    axis = along / length if length else along
    reach = (points - start) @ axis
    assert -4 * tolerance <= reach.min() and reach.max() <= length + 4 * tolerance
    assert np.linalg.norm(points - start - reach[:, None] * axis, axis=1).max() <= 4 * tolerance


def check_planes(hull):
    # Products of coordinates must not underflow in the test either.
    scale = 2.0 ** -np.frexp(np.abs(hull.points).max())[1]
    points, tolerance, offsets = hull.points * scale, hull.tolerance * scale, hull.offsets * scale
    assert np.abs(np.linalg.norm(hull.normals, axis=1) - 1.0).max() < 1e-15
    for normal, offset, face in zip(hull.normals, offsets, hull.faces, strict=True):
        assert (points @ normal).max() <= offset + tolerance / 4
        assert (points[face] @ normal).min() >= offset - 4 * tolerance
        corner = points[face] - points[face[0]]
        along = np.roll(corner, -1, axis=0) - corner
        inward = np.cross(normal, along)
        inward /= np.linalg.norm(inward, axis=1)[:, None]
        from_side = ((corner[None] - corner[:, None]) * inward[:, None]).sum(axis=2)
        assert from_side.min() >= -4 * tolerance  # convex: every corner on the inner side of every edge


def check_topology(hull):
    vertices, edges, faces = len(hull.vertices), len(hull.edges), len(hull.faces)
    assert vertices - edges + faces == 2
    if hull.dimension == 2:
        assert faces == 2 and edges == vertices >= 3 and hull.volume == 0.0
        assert np.array_equal(hull.normals[0], -hull.normals[1])
        assert hull.faces[0].tolist() == np.roll(hull.faces[1][::-1], 1).tolist()
    sides = {}
    for index, face in enumerate(hull.faces):
        assert len(face) >= 3 and len(set(face.tolist())) == len(face) and face[0] == face.min()
        for a, b in zip(face.tolist(), np.roll(face, -1).tolist(), strict=True):
            assert (a, b) not in sides
            sides[a, b] = index
    assert [f.tolist() for f in hull.faces] == sorted(f.tolist() for f in hull.faces)
    assert np.array_equal(hull.vertices, np.unique(np.concatenate(hull.faces)))
    assert hull.edges.tolist() == sorted([a, b] for a, b in sides if a < b)
    assert hull.edge_faces.tolist() == [[sides[a, b], sides[b, a]] for a, b in hull.edges.tolist()]
    assert 2 * edges == len(sides)
    if hull.dimension == 3:
        assert np.bincount(hull.edges.ravel())[hull.vertices].min() >= 3
        pairs = np.sort(hull.edge_faces, axis=1)
        assert len(np.unique(pairs, axis=0)) == len(pairs)  # two faces share at most one edge
        inside = hull.normals @ hull.centroid - hull.offsets
        assert inside.max() < 0.0
        assert hull.volume > 0.0 or np.abs(hull.points).max() < 1e-90  # only the volume may underflow
