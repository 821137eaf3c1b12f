# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments in which triangles cross: their ends lie on both, nothing beyond does, and the features hold them."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo

VERTEX, EDGE, FACE = ck.FeatureKind


def triangles(maker, count=600):
    rng = np.random.default_rng(1)
    return tuple(zoo.MAKERS[maker](ck.Kind.TRIANGLE, rng, count) for _ in range(2))


def piercings(a, b):
    """Where the edges of one triangle pierce the other, by solving for each: points, and (edge of A, edge of B)."""
    found = []
    for one, other, side in ((a, b, 0), (b, a, 1)):
        for k in range(3):
            start, along = one[k], one[(k + 1) % 3] - one[k]
            t, u, v = np.linalg.solve(
                np.stack([-along, other[1] - other[0], other[2] - other[0]], axis=1), start - other[0]
            )
            if 0.0 <= t <= 1.0 and min(u, v, 1.0 - u - v) >= 0.0:
                found.append((tuple(start + t * along), (side, k)))
    return sorted(found)


def test_generic_triangles_cross_between_the_two_places_where_an_edge_pierces_a_face():
    a, b = triangles("generic")
    found = ck.crossing_segments(a, b)
    assert not found.coplanar.any()
    assert 50 < found.overlap.sum() < 550
    for row in range(len(found)):
        expected = piercings(a.vertices[row], b.vertices[row])
        assert len(expected) == 2 * found.overlap[row]
        if not expected:
            assert np.isnan([found.start[row], found.end[row]]).all()
            assert {found.start_a[row, 0], found.end_b[row, 0]} == {-1}
            continue
        ends = ((found.start, found.start_a, found.start_b), (found.end, found.end_a, found.end_b))
        for (point, (side, edge)), (ours, in_a, in_b) in zip(expected, ends, strict=True):
            np.testing.assert_allclose(ours[row], point, atol=1e-9)
            features = [(EDGE, edge), (FACE, 0)]
            assert [tuple(in_a[row]), tuple(in_b[row])] == (features if side == 0 else features[::-1])


def in_features(points, shapes, features):
    """Whether each point lies in the vertex, the edge or the face of its triangle."""
    kind, index = features.T
    at = np.arange(len(points))
    first = shapes.vertices[at, np.where(kind == FACE, 0, index)]
    last = shapes.vertices[at, np.where(kind == EDGE, (index + 1) % 3, index)]
    balls = ck.Spheres(points, np.full(len(points), 1e-12))
    on_edge = ck.overlap(balls, ck.Capsules(first, last, np.zeros(len(points))))
    return np.where(kind == FACE, ck.overlap(balls, shapes), on_edge)


@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_the_ends_lie_on_the_features_named_and_nothing_beyond_them_on_both(maker):
    a, b = triangles(maker, 4000)
    found = ck.crossing_segments(a, b)
    np.testing.assert_array_equal(found.overlap, ck.overlap(a, b))
    rows = np.flatnonzero(found.overlap & ~found.coplanar)
    left, right = a.take(rows), b.take(rows)
    sides = [np.roll(s.vertices, -1, axis=1) - s.vertices for s in (left, right)]
    line = np.cross(*[np.cross(side[:, 0], side[:, 1]) for side in sides])
    along = found.end[rows] - found.start[rows]
    line *= np.where(np.einsum("ni,ni->n", line, along) < 0.0, -1.0, 1.0)[:, None]
    long = line.any(axis=1)
    line[long] /= np.linalg.norm(line[long], axis=1)[:, None]
    for end, in_a, in_b, way in (
        (found.start, found.start_a, found.start_b, -1.0),
        (found.end, found.end_a, found.end_b, 1.0),
    ):
        assert in_features(end[rows], left, in_a[rows]).all()
        assert in_features(end[rows], right, in_b[rows]).all()
        # A little farther on along the line of both planes, one of the two has ended.
        beyond = ck.Spheres(end[rows] + 1e-3 * way * line, np.full(len(rows), 1e-9))
        assert not (ck.overlap(beyond, left) & ck.overlap(beyond, right))[long].any()
    assert all(tuple(s) <= tuple(e) for s, e in zip(found.start[rows], found.end[rows], strict=True))
    if maker == "degenerate":
        points = (along == 0.0).all(axis=1).sum()
        assert 10 < points < len(rows) - 10
        assert set(found.start_a[rows, 0]) == {VERTEX, EDGE, FACE}


def test_sides_that_touch_are_both_named():
    a = ck.Triangles([[[0, 0, 0], [2, 0, 0], [0, -2, 0]]])
    b = ck.Triangles([[[1, 0, -1], [1, 0, 1], [1, 2, 0]]])
    found = ck.crossing_segments(a, b)
    np.testing.assert_array_equal(found.start, [[1, 0, 0]])
    np.testing.assert_array_equal(found.end, found.start)
    for features in (found.start_a, found.start_b, found.end_a, found.end_b):
        assert features.tolist() == [[EDGE, 0]]


def test_coplanar_triangles_are_flagged_and_no_others():
    """By integers: all corners of one lie in the plane of the other."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(-2, 3, (2, 4000, 3, 3))
    b[::3, :, 2] = 0
    a[::3, :, 2] = 0
    found = ck.crossing_segments(ck.Triangles(a), ck.Triangles(b))
    normal_a, normal_b = (np.cross(s[:, 1] - s[:, 0], s[:, 2] - s[:, 0]) for s in (a, b))
    in_a = (np.einsum("nki,ni->nk", b - a[:, :1], normal_a) == 0).all(axis=1) & normal_a.any(axis=1)
    in_b = (np.einsum("nki,ni->nk", a - b[:, :1], normal_b) == 0).all(axis=1) & normal_b.any(axis=1)
    lines = ~normal_a.any(axis=1) & ~normal_b.any(axis=1)
    np.testing.assert_array_equal(found.coplanar, found.overlap & (in_a | in_b | lines))
    assert np.isnan(found.start[found.coplanar]).all() and (found.end_a[found.coplanar] == -1).all()
    assert found.coplanar.sum() > 300 and (found.overlap & ~found.coplanar).sum() > 300


def test_pairs_by_index_and_other_shapes():
    a, b = triangles("generic", 20)
    every = np.array(list(itertools.product(range(20), range(20))))
    table, row = ck.crossing_segments(a, b, pairs=every), ck.crossing_segments(a, b.take(np.array([4])))
    np.testing.assert_array_equal(table.start.reshape(20, 20, 3)[:, 4], row.start)
    assert len(ck.crossing_segments(a, b, pairs=[])) == 0
    with pytest.raises(TypeError, match="b: Boxes"):
        ck.crossing_segments(a, ck.Boxes([[0, 0, 0]], [[1, 1, 1]]))
