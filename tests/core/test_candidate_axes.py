# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidate axes: intervals are the true projections, and the best of them decides the pair."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.table import PAIRS
from tests.helpers import zoo
from tests.helpers.offline import by_turns

UNBOUNDED = (ck.Kind.HALF_SPACE, ck.Kind.PLANE)
CONVEX = [kinds for kinds in PAIRS if max(kinds) <= ck.Kind.PLANE]
CELLS = [
    pytest.param(kinds, maker, id=f"{kinds[0].name}-{kinds[1].name}-{maker}".lower())
    for kinds, maker in itertools.product(CONVEX, zoo.MAKERS)
]


def cells(turn):
    """Each pair of kinds is drawn in one of the ways by the quick tests, and in the others by the slow ones."""
    return pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, len(zoo.MAKERS), turn))


TINY = 1e-11


def batches(kinds, maker, count=60):
    rng = np.random.default_rng([3, *kinds])
    return tuple(zoo.MAKERS[maker](kind, rng, count) for kind in kinds)


@cells(0)
def test_intervals_are_projections_and_the_best_gap_is_that_of_the_pair(kinds, maker):
    a, b = batches(kinds, maker)
    found = ck.candidate_axes(a, b)
    tested = found.status == ck.AxisStatus.TESTED
    rows, axis = found.pair[tested], found.axis[tested]
    np.testing.assert_allclose(np.linalg.norm(axis, axis=1), 1.0, atol=TINY)
    for shapes, interval in ((a.take(rows), found.interval_a[tested]), (b.take(rows), found.interval_b[tested])):
        expected = np.stack([-zoo.support(shapes, -axis), zoo.support(shapes, axis)], axis=1)
        np.testing.assert_allclose(interval, expected, atol=TINY)
    np.testing.assert_array_equal(found.gap[tested], found.interval_b[tested, 0] - found.interval_a[tested, 1])
    assert np.isnan(found.gap[~tested]).all()
    assert not found.axis[~tested].any()
    # The deciding axis is the one that the question about it answers.
    assert found.pair[found.best].tolist() == list(range(len(a)))
    best, decided = found.gap[found.best], ck.separating_axis(a, b).gap
    if ck.Kind.TRIANGLE in kinds and set(kinds) <= {ck.Kind.BOX, ck.Kind.TRIANGLE}:
        # The axes in the triangle's plane are shown always, and asked only where the others cannot tell.
        np.testing.assert_array_equal(best > TINY, decided > TINY)
        best, decided = np.minimum(best, 0.0), np.minimum(decided, 0.0)
    np.testing.assert_allclose(best, decided, atol=1e-9)
    assert (found.gap[tested] <= found.gap[found.best][rows]).all()


@cells(1)
def test_swapping_the_two_turns_every_axis_round(kinds, maker):
    a, b = batches(kinds, maker, 20)
    one, other = ck.candidate_axes(a, b), ck.candidate_axes(b, a)
    for pair in range(len(a)):
        first, second = one.of(pair), other.of(pair)
        np.testing.assert_allclose(np.sort(one.gap[first]), np.sort(other.gap[second]), atol=1e-9)


def test_two_boxes_have_fifteen_a_box_and_a_triangle_thirteen_and_two_triangles_eleven():
    for kinds, expected, in_plane in (
        ((ck.Kind.BOX, ck.Kind.BOX), 15, 0),
        ((ck.Kind.BOX, ck.Kind.TRIANGLE), 13, 3),
        ((ck.Kind.TRIANGLE, ck.Kind.TRIANGLE), 11, 6),
    ):
        a, b = batches(kinds, "generic")
        found = ck.candidate_axes(a, b)
        assert np.bincount(found.pair).tolist() == [expected + in_plane] * len(a)
        faces = found.source != ck.AxisSource.EDGES
        flat = (found.feature_a[:, 0] == ck.FeatureKind.EDGE) | (found.feature_b[:, 0] == ck.FeatureKind.EDGE)
        assert np.bincount(found.pair[faces & flat], minlength=len(a)).tolist() == [in_plane] * len(a)


def test_the_features_named_are_those_that_make_the_axis():
    a, b = batches((ck.Kind.BOX, ck.Kind.BOX), "generic")
    found = ck.candidate_axes(a, b)
    for shapes, feature, source, sign in (
        (a, found.feature_a, ck.AxisSource.FACE_A, 1.0),
        (b, found.feature_b, ck.AxisSource.FACE_B, -1.0),
    ):
        rows = np.flatnonzero(found.source == source)
        assert (feature[rows, 0] == ck.FeatureKind.FACE).all()
        # Face 2k looks along -k, face 2k + 1 along +k.
        way = np.where(feature[rows, 1] % 2 == 1, 1.0, -1.0)[:, None]
        normal = way * shapes.rotation[found.pair[rows], :, feature[rows, 1] // 2]
        np.testing.assert_allclose(found.axis[rows], sign * normal, atol=TINY)
    rows = np.flatnonzero(found.source == ck.AxisSource.EDGES)
    along_a = a.rotation[found.pair[rows], :, found.feature_a[rows, 1] // 4]
    along_b = b.rotation[found.pair[rows], :, found.feature_b[rows, 1] // 4]
    for along in (along_a, along_b):
        np.testing.assert_allclose(np.einsum("ki,ki->k", along, found.axis[rows]), 0.0, atol=TINY)


def test_a_triangle_has_one_face_on_either_side():
    a, b = batches((ck.Kind.BOX, ck.Kind.TRIANGLE), "generic")
    found = ck.candidate_axes(a, b)
    rows = np.flatnonzero((found.source == ck.AxisSource.FACE_B) & (found.feature_b[:, 0] == ck.FeatureKind.FACE))
    p, q, r = b.vertices[found.pair[rows]].transpose(1, 0, 2)
    along = np.einsum("ki,ki->k", np.cross(q - p, r - p), found.axis[rows])
    # The axis goes from A to B, so the face that looks back at A is the one that counts.
    np.testing.assert_array_equal(found.feature_b[rows, 1], np.where(along < 0.0, 0, 1))


def test_hull_features_are_faces_and_edges_of_the_hull():
    a, b = batches((ck.Kind.HULL, ck.Kind.HULL), "generic", 12)
    found = ck.candidate_axes(a, b)
    for row in range(len(found)):
        pair = found.pair[row]
        for shapes, feature, sign in ((a, found.feature_a[row], 1.0), (b, found.feature_b[row], -1.0)):
            hull, turn = shapes.geometry[shapes.index[pair]], shapes.rotation[pair]
            if feature[0] == ck.FeatureKind.FACE:
                np.testing.assert_allclose(turn @ hull.normals[feature[1]], sign * found.axis[row], atol=TINY)
            elif feature[0] == ck.FeatureKind.EDGE:
                start, end = hull.points[hull.edges[feature[1]]]
                assert abs(found.axis[row] @ turn @ (end - start)) < TINY


def test_what_is_skipped_says_why():
    aligned = ck.Boxes([[0, 0, 0], [3, 0, 0]], [[1, 1, 1], [1, 1, 1]])
    found = ck.candidate_axes(aligned, aligned, [[0, 1]])
    edges = found.source == ck.AxisSource.EDGES
    assert np.bincount(found.status[edges], minlength=3).tolist() == [6, 0, 3]
    flat = ck.Triangles([[[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 0, 1], [0, 0, 1], [1, 1, 1]]])
    found = ck.candidate_axes(flat, aligned, [[0, 0], [1, 0]])
    first = found.pair == 0
    face = first & (found.source == ck.AxisSource.FACE_A) & (found.feature_a[:, 0] == ck.FeatureKind.FACE)
    assert found.status[face].tolist() == [ck.AxisStatus.DEGENERATE]
    no_length = ~first & (found.source == ck.AxisSource.EDGES) & (found.feature_a[:, 1] == 0)
    assert found.status[no_length].tolist() == [ck.AxisStatus.DEGENERATE] * 3


@pytest.mark.parametrize("seed", range(3))
def test_worlds_and_pairs_are_taken_like_everywhere(seed):
    rng = np.random.default_rng(seed)
    world = ck.World([zoo.generic(kind, rng, 5) for kind in (ck.Kind.SPHERE, ck.Kind.BOX, ck.Kind.HULL)])
    pairs = np.array([[0, 7], [12, 3], [8, 9], [14, 11]])
    found = ck.candidate_axes(world, world, pairs)
    assert (np.diff(found.pair) >= 0).all()
    for row, (i, j) in enumerate(pairs):
        batch = [world.batches[k // 5].take(np.array([k % 5])) for k in (i, j)]
        np.testing.assert_allclose(found.gap[found.pair == row], ck.candidate_axes(*batch).gap)
    assert len(ck.candidate_axes(world, world, [])) == 0


def test_unbounded_pairs_raise():
    planes = ck.HalfSpaces([[0, 0, 1]], [0])
    with pytest.raises(ck.UnsupportedPair, match="unbounded"):
        ck.candidate_axes(planes, planes)
