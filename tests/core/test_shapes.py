# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches say what is wrong with their input, and bounds hold their shapes."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from tests.helpers import zoo

ONE = np.eye(3)[None]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ck.Spheres([[0, 0]], [1]), r"center: shape \(1, 2\)"),
        (lambda: ck.Spheres([[0, 0, 0]], [[1]]), r"radius: shape \(1, 1\)"),
        (lambda: ck.Spheres([[0, 0, 0], [0, np.nan, 0]], [1, 1]), "center: row 1 is not finite"),
        (lambda: ck.Spheres([[0, 0, 0], [1, 1, 1]], [1, -1]), "radius: row 1 is negative"),
        (lambda: ck.Spheres([[0, 0, 0]] * 3, [1, 1]), "radius: 2 rows, but center has 3"),
        (lambda: ck.Spheres("here", [1]), "center: not an array of numbers"),
        (lambda: ck.Capsules([[0, 0, 0]], [[0, 0, np.inf]], [1]), "end: row 0 is not finite"),
        (lambda: ck.Boxes([[0, 0, 0]], [[1, 1, -1]]), "half_extents: row 0 is negative"),
        (lambda: ck.Boxes([[0, 0, 0]], [[1, 1, 1]], 1.1 * ONE), "rotation: row 0 is not a rotation"),
        (lambda: ck.Boxes([[0, 0, 0]], [[1, 1, 1]], -ONE), "rotation: row 0 is a reflection"),
        (lambda: ck.HalfSpaces([[0, 0, 0]], [1]), "normal: row 0 has no length"),
        (lambda: ck.Hulls.from_points([[[0, 0, 0]], [[np.nan, 0, 0]]]), r"points\[1\]"),
        (lambda: ck.Hulls([], [0]), "geometry: empty, but index has 1 rows"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_rotations_off_by_float32_are_made_orthonormal():
    turn = zoo.rotations(np.random.default_rng(0), 5).astype(np.float32)
    made = ck.Boxes(np.zeros((5, 3)), np.ones((5, 3)), turn).rotation
    np.testing.assert_allclose(made @ made.transpose(0, 2, 1), np.broadcast_to(np.eye(3), (5, 3, 3)), atol=1e-15)
    np.testing.assert_allclose(made, turn, atol=1e-6)


def test_batches_cannot_be_changed_behind_their_back():
    center = np.zeros((1, 3))
    spheres = ck.Spheres(center, [1])
    center[0] = 7.0
    assert (spheres.center == 0.0).all()
    with pytest.raises(ValueError, match="read-only"):
        spheres.center[0] = 7.0


def test_a_normal_not_of_unit_length_scales_its_offset_too():
    half_space = ck.HalfSpaces([[0, 0, 4]], [2])
    assert half_space.normal.tolist() == [[0, 0, 1]]
    assert half_space.offset.tolist() == [0.5]


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", ck.Kind)
def test_bounds_reach_exactly_as_far_as_the_shape(kind, maker):
    shapes = zoo.MAKERS[maker](kind, np.random.default_rng(3), 100)
    lower, upper = ck.bounds(shapes)
    for axis in range(3):
        direction = np.broadcast_to(np.eye(3)[axis], (100, 3))
        np.testing.assert_allclose(upper[:, axis], zoo.support(shapes, direction), atol=1e-13)
        np.testing.assert_allclose(lower[:, axis], -zoo.support(shapes, -direction), atol=1e-13)


def test_questions_refuse_rows_that_are_not_there():
    a, b = ck.Spheres(np.zeros((2, 3)), [1, 1]), ck.Spheres(np.zeros((3, 3)), [1, 1, 1])
    with pytest.raises(ValueError, match='a has 2 rows and b has 3: equal lengths, or one of them 1, or pairs="all"'):
        ck.overlap(a, b)
    with pytest.raises(ValueError, match="pairs: row 1 has index 2 into a of length 2"):
        ck.overlap(a, b, pairs=[[0, 0], [2, 0]])
    with pytest.raises(ValueError, match="pairs: row 0 has index -1 into b of length 3"):
        ck.overlap(a, b, pairs=[[0, -1]])
    with pytest.raises(ValueError, match="integers of shape"):
        ck.overlap(a, b, pairs=[[0.0, 1.0]])
    with pytest.raises(ValueError, match="margin: -1"):
        ck.contacts(a, a, margin=-1.0)
    with pytest.raises(ValueError, match="clearance: nan"):
        ck.classify(a, a, clearance=np.nan)


def test_all_pairs_are_those_of_each_row_with_each_row():
    a, b = ck.Spheres([[0, 0, 0], [9, 0, 0]], 1.0), ck.Boxes([[0, 0, 3], [9, 0, 4], [5, 0, 0]], 1.0)
    rows = [[i, j] for i in range(2) for j in range(3)]
    assert ck.distance(a, b, "all").equals(ck.distance(a, b, rows))
    assert ck.ray_cast(b, a.center, [0, 0, 1], "all").distance.tolist() == [2, np.inf, np.inf, 3, np.inf, np.inf]
    flat = planar.Circles([[0, 0], [9, 0]], 1.0)
    assert planar.distance(flat, flat, "all").distance.tolist() == [-2, 7, 7, -2]
    with pytest.raises(ValueError, match="pairs: 'all', but rows of this world are needed"):
        ck.World([a]).distance("all")


def test_concentric_spheres_part_upwards():
    found = ck.distance(ck.Spheres([[1, 2, 3]], [1]), ck.Spheres([[1, 2, 3]], [2]))
    assert found.distance.tolist() == [-3.0]
    assert found.normal.tolist() == [[0.0, 0.0, 1.0]]


def test_only_batches_of_one_kind_are_joined():
    spheres, boxes = ck.Spheres([[0, 0, 0]], [1]), ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    assert len(ck.Spheres.joined([spheres, spheres])) == 2
    for batches in ([], [spheres, boxes]):
        with pytest.raises(ValueError, match="batches: at least one is needed, and all must be Spheres"):
            ck.Spheres.joined(batches)


def test_cones_seen_from_elsewhere_are_joined_with_others():
    cones = zoo.generic(ck.Kind.CONE, np.random.default_rng(2), 3)
    seen = cones.seen_from(np.ones((3, 3)))
    for parts in ([seen, cones], [cones, seen]):
        both = ck.Cones.joined(parts)
        for name in ("base", "apex", "radius", "along"):
            np.testing.assert_allclose(
                getattr(both, name), np.concatenate([getattr(part, name) for part in parts]), rtol=0.0, atol=1e-14
            )
