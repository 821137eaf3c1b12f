# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces that lie in one plane, face the same way and overlap."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.query import coplanar
from tests.helpers import mesh_zoo, zoo

shapely = pytest.importorskip("shapely")


def as_mesh(boxes):
    """The same boxes as meshes of triangles."""
    corners, triangles = mesh_zoo.box()
    unit = (np.asarray(corners) - (np.max(corners, axis=0) + np.min(corners, axis=0)) / 2.0) / (
        np.ptp(corners, axis=0) / 2.0
    )
    return ck.Meshes.from_triangles(
        [(unit * half, triangles) for half in boxes.half_extents], boxes.center, boxes.rotation
    )


def as_hulls(boxes):
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return ck.Hulls.from_points([signs * half for half in boxes.half_extents], boxes.center, boxes.rotation)


FORMS = {"boxes": lambda boxes: boxes, "meshes": as_mesh, "hulls": as_hulls}


def rectangle_overlap(low_a, high_a, low_b, high_b, axis):
    """The area in which two rectangles across an axis overlap."""
    kept = [k for k in range(3) if k != axis]
    sides = [max(min(high_a[k], high_b[k]) - max(low_a[k], low_b[k]), 0.0) for k in kept]
    return sides[0] * sides[1]


@pytest.mark.parametrize("form_b", FORMS)
@pytest.mark.parametrize("form_a", FORMS)
def test_boxes_on_a_grid_overlap_where_their_faces_do(form_a, form_b):
    rng = np.random.default_rng([*form_a.encode(), *form_b.encode()])
    count = 60
    low_a, low_b = rng.integers(-2, 2, (2, count, 3)).astype(float)
    size_a, size_b = rng.integers(1, 4, (2, count, 3)).astype(float)
    high_a, high_b = low_a + size_a, low_b + size_b
    rotation = zoo.rotations(rng, 1)[0]
    boxes = [
        ck.Boxes((low + high) / 2.0 @ rotation.T, (high - low) / 2.0, np.broadcast_to(rotation, (count, 3, 3)))
        for low, high in ((low_a, high_a), (low_b, high_b))
    ]
    found = ck.coplanar_faces(FORMS[form_a](boxes[0]), FORMS[form_b](boxes[1]), tolerance=1e-9)
    expected = np.zeros(count)
    for pair in range(count):
        for axis in range(3):
            area = rectangle_overlap(low_a[pair], high_a[pair], low_b[pair], high_b[pair], axis)
            for side_a, side_b in ((low_a, low_b), (high_a, high_b)):
                expected[pair] += area * (side_a[pair, axis] == side_b[pair, axis])
    np.testing.assert_allclose(np.bincount(found.pair, found.area, minlength=count), expected, atol=1e-9)
    assert 0 < np.count_nonzero(expected) < count


def test_triangles_in_a_plane_overlap_as_polygons_do():
    rng = np.random.default_rng(4)
    count = 500
    flat_a, flat_b = rng.uniform(-1, 1, (2, count, 3, 2))
    for flat in (flat_a, flat_b):
        (x, y), (u, v) = (flat[:, 1] - flat[:, 0]).T, (flat[:, 2] - flat[:, 0]).T
        twice = x * v - y * u
        flat[twice < 0.0] = flat[twice < 0.0][:, ::-1]
    rotation, shift = zoo.rotations(rng, 1)[0], rng.normal(size=3)

    def placed(flat):
        return np.pad(flat, ((0, 0), (0, 0), (0, 1))) @ rotation.T + shift

    found = ck.coplanar_faces(ck.Triangles(placed(flat_a)), ck.Triangles(placed(flat_b)), tolerance=1e-9)
    expected = np.array(
        [
            shapely.Polygon(one).intersection(shapely.Polygon(other)).area
            for one, other in zip(flat_a, flat_b, strict=True)
        ]
    )
    np.testing.assert_allclose(np.bincount(found.pair, found.area, minlength=count), expected, atol=1e-8)
    np.testing.assert_allclose(found.normal, np.broadcast_to(rotation[:, 2], found.normal.shape), atol=1e-12)
    for row in range(len(found)):
        inside = shapely.Polygon((found.outline[row] - shift) @ rotation[:, :2])
        assert inside.is_valid
        assert inside.area == pytest.approx(found.area[row], abs=1e-9)
        both = shapely.Polygon(flat_a[found.pair[row]]).intersection(shapely.Polygon(flat_b[found.pair[row]]))
        assert both.symmetric_difference(inside).area < 1e-8
    # Turned over, they face opposite ways.
    turned = ck.Triangles(placed(flat_b)[:, ::-1])
    assert len(ck.coplanar_faces(ck.Triangles(placed(flat_a)), turned, tolerance=1e-9)) == 0


def test_neighbors_and_what_rests_on_something_have_none():
    tiles = ck.Boxes([[0, 0, 0], [2, 0, 0]], [[1, 1, 0.1]])
    assert len(ck.coplanar_faces(tiles[:1], tiles[1:], tolerance=1e-5)) == 0
    nearer = ck.Boxes([[2 - 1e-6, 0, 0]], [[1, 1, 0.1]])
    assert len(ck.coplanar_faces(tiles[:1], nearer, tolerance=1e-5)) == 0, "an overlap no wider than the tolerance"
    assert len(ck.coplanar_faces(tiles[:1], nearer, tolerance=1e-8)) > 0
    crate = ck.Boxes([[0, 0, 0.6]], [[0.5, 0.5, 0.5]])
    assert len(ck.coplanar_faces(tiles[:1], crate, tolerance=1e-5)) == 0


def test_the_tolerance_is_how_far_faces_may_be_apart():
    wall, poster = ck.Boxes([0, 0, 0], [2, 0.1, 1]), ck.Boxes([0, 0.0509, 0], [0.5, 0.05, 0.5])
    assert len(ck.coplanar_faces(wall, poster, tolerance=0.0005)) == 0
    found = ck.coplanar_faces(wall, poster, tolerance=0.001)
    assert found.area.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found.center[:, 1], 0.1, atol=1e-12)


def test_a_face_that_rises_from_the_plane_overlaps_up_to_the_tolerance():
    floor = ck.Triangles([[[0, 0, 0], [10, 0, 0], [0, 10, 0]]])
    ramp = ck.Triangles([[[1, 1, 0], [3, 1, 0.02], [1, 3, 0.0]]])
    found = ck.coplanar_faces(floor, ramp, tolerance=0.01)
    # The part of the triangle below half of its rise: three quarters of its area.
    assert found.area.sum() == pytest.approx(2.0 * 0.75, rel=1e-3)


def test_a_body_has_the_overlaps_of_its_parts():
    shelf = ck.Compounds([[ck.Boxes([0, 0, 0], [1, 0.1, 1])], [ck.Spheres([0, 0, 0], 1)]])
    poster = ck.Boxes([[0.2, 0.05, 0]], [[0.5, 0.05, 0.5]])
    found = ck.coplanar_faces(shelf, poster, [[0, 0], [1, 0]], tolerance=1e-6)
    assert set(found.pair.tolist()) == {0}
    assert found.area.sum() == pytest.approx(1.0)
    swapped = ck.coplanar_faces(poster, shelf, [[0, 1], [0, 0]], tolerance=1e-6)
    assert set(swapped.pair.tolist()) == {1}
    assert swapped.area.sum() == pytest.approx(1.0)


def test_many_overlaps_of_one_pair_do_not_need_more_room_than_there_is(monkeypatch):
    monkeypatch.setattr(coplanar, "_ROOM", 4)
    place = np.linspace(0.0, 1.0, 9)
    x, y = np.meshgrid(place, place, indexing="ij")
    points = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    number = np.arange(81).reshape(9, 9)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    triangles = np.concatenate(
        [np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)]
    )
    sheet = ck.Meshes.from_triangles([(points, triangles)])
    found = ck.coplanar_faces(sheet, sheet.with_fields(translation=np.array([[0.25, 0.1, 0.0]])), tolerance=1e-7)
    assert len(found) > 128
    assert found.area.sum() == pytest.approx(0.75 * 0.9, rel=1e-6)


def test_other_kinds_have_no_flat_faces():
    balls, box = ck.Spheres(np.zeros((2, 3)), 1.0), ck.Boxes([0, 0, 0], 1.0)
    assert len(ck.coplanar_faces(balls, box, tolerance=0.1)) == 0
    assert len(ck.coplanar_faces(ck.World([balls, box]), ck.World([box]), tolerance=0.1)) == 12
    with pytest.raises(ValueError, match="tolerance"):
        ck.coplanar_faces(balls, box, tolerance=-1.0)
