# SPDX-License-Identifier: GPL-3.0-or-later
"""The meshes of colliders: closed, outward, as large as they should be."""

import numpy as np
import pytest

from collision_kit.addon.colliders import meshes
from collision_kit.addon.colliders.fit import _up
from collision_kit.addon.engines.collider_names import Names
from collision_kit.core.convexity import check_convexity
from collision_kit.core.hull import convex_hull


def triangles_of(faces: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    fans = [(face[0], face[i], face[i + 1], row) for row, face in enumerate(faces) for i in range(1, len(face) - 1)]
    found = np.array(fans)
    return found[:, :3], found[:, 3]


def volume(mesh: meshes.Mesh) -> float:
    points, faces = mesh
    corner = points[triangles_of(faces)[0]]
    return float(np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum()) / 6.0


MESHES = {
    "box": meshes.box_mesh(np.array([-1.0, 0.0, 2.0]), np.array([3.0, 0.5, 5.0])),
    "sphere": meshes.round_mesh(1.5, 0.0),
    "capsule": meshes.round_mesh(0.5, 2.0),
    "cylinder": meshes.cylinder_mesh(0.75, -1.0, 2.0),
    "coarse sphere": meshes.round_mesh(1.5, 0.0, meshes.SPHERE_SEGMENTS, meshes.MESH_RINGS),
    "coarse capsule": meshes.round_mesh(0.5, 2.0, meshes.CAPSULE_SEGMENTS, meshes.MESH_RINGS),
    "coarse cylinder": meshes.cylinder_mesh(0.75, -1.0, 2.0, meshes.MESH_SEGMENTS),
    "hull": meshes.hull_mesh(convex_hull(np.random.default_rng(0).normal(size=(60, 3)))),
}


@pytest.mark.parametrize("name", MESHES)
def test_they_are_convex_closed_and_outward(name: str) -> None:
    points, faces = MESHES[name]
    found = check_convexity(points.astype(np.float32), *triangles_of(faces))
    assert found.convex
    assert not found.inside_out
    assert volume(MESHES[name]) > 0.0
    assert len(np.unique(points, axis=0)) == len(points)
    assert set(np.concatenate([np.array(face) for face in faces])) == set(range(len(points)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sphere", 4.0 / 3.0 * np.pi * 1.5**3),
        ("capsule", 4.0 / 3.0 * np.pi * 0.5**3 + np.pi * 0.5**2 * 4.0),
        ("cylinder", np.pi * 0.75**2 * 3.0),
    ],
)
def test_they_are_inscribed_and_nearly_as_large_as_the_shape(name: str, expected: float) -> None:
    assert 0.97 * expected < volume(MESHES[name]) < expected


def test_their_bounds_are_those_of_the_shape_exactly() -> None:
    for name, half in {
        "sphere": (1.5, 1.5, 1.5),
        "capsule": (0.5, 0.5, 2.5),
        "coarse capsule": (0.5, 0.5, 2.5),
    }.items():
        points = MESHES[name][0]
        np.testing.assert_array_equal(points.max(axis=0), half)
        np.testing.assert_array_equal(points.min(axis=0), -np.array(half))
    points = MESHES["cylinder"][0]
    np.testing.assert_array_equal(points.max(axis=0), (0.75, 0.75, 2.0))
    np.testing.assert_array_equal(points.min(axis=0), (-0.75, -0.75, -1.0))


@pytest.mark.parametrize("segments", [8, 16, 24])
def test_insets_are_where_the_faces_come_nearest(segments: int) -> None:
    for rings in (4, 6, 12):
        points, faces = meshes.round_mesh(1.0, 0.0, segments, rings)
        hull = convex_hull(points)
        # The planes of the hull's faces, from a hull that was built without looking at ours.
        assert meshes.ball_inset(segments, rings) == pytest.approx(float(hull.offsets.min()), abs=1e-12)
        assert len(faces) == len(hull.faces)
    wall = meshes.cylinder_mesh(1.0, -1.0, 1.0, segments)[0]
    middle = 0.5 * (wall[0] + wall[1])
    assert meshes.circle_inset(segments) == pytest.approx(float(np.hypot(*middle[:2])))


def test_rounding_up_gives_the_least_number_of_float32_that_is_not_below() -> None:
    given = np.random.default_rng(0).normal(size=1000) * 10.0 ** np.arange(-5, 5).repeat(100)
    found = _up(given)
    assert (found.astype(np.float32) == found).all()
    assert (found >= given).all()
    assert (np.nextafter(found.astype(np.float32), np.float32(-np.inf)) < given).all()
    assert _up(0.5) == 0.5


def test_names_are_given_once_and_may_be_given_back() -> None:
    names = Names(["Rock", "UBX_Rock_01"])
    assert names.take("UNREAL", "BOX", "Rock") == "UBX_Rock_02"
    assert names.take("UNREAL", "BOX", "Rock") == "UBX_Rock_03"
    assert names.take("UNREAL", "CYLINDER", "Rock") == "UCX_Rock_01"
    names.give_back("UBX_Rock_01")
    assert names.take("UNREAL", "BOX", "Rock") == "UBX_Rock_01"
    assert names.next_of("MCDCX_Rock_01", "Rock") == "UCX_Rock_02"
    assert names.next_of("Rock_07-convcolonly.001", "Rock") == "Rock_01-convcolonly"
    assert names.next_of("Rock_collider", "Rock") == "Rock_collider"
    assert names.next_of("Rock_collider", "Rock") == "Rock_collider_02"
