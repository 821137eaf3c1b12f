# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of meshes by Unreal's rules, and the colliders of their bounds."""

import numpy as np
import pytest

from collision_kit.addon.engines.unreal_shapes import fit_box, fit_capsule, fit_sphere
from collision_kit.addon.scene.reading.bounds import bounds_capsule, bounds_sphere
from collision_kit.core.hull import convex_hull
from tests.helpers.blender.bridge_scene import CUBE_FACES, CUBE_VERTICES

CUBE = np.array(CUBE_VERTICES)
TRIANGLES = np.array([triangle for a, b, c, d in CUBE_FACES for triangle in ((a, b, c), (a, c, d))])


def rotation(seed: int) -> np.ndarray:
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return matrix * np.sign(np.linalg.det(matrix))


def subdivided(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each triangle in four, with vertices of its own."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    corners = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))])
    return corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3)


def as_float32(points: np.ndarray) -> np.ndarray:
    return points.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize("seed", range(30))
def test_a_box_is_found_however_it_is_turned_and_subdivided(seed: int) -> None:
    generator = np.random.default_rng(seed)
    half = 10.0 ** generator.uniform(-2.0, 1.0, size=3)
    axes, center = rotation(seed), generator.normal(size=3) * 10.0
    points, triangles = CUBE * half @ axes.T + center, TRIANGLES
    for _ in range(seed % 5):
        points, triangles = subdivided(points, triangles)
    box = fit_box(as_float32(points), triangles)
    assert box is not None
    # Certificates: a rotation; the corners of the box are the corners of the mesh.
    np.testing.assert_allclose(box.axes.T @ box.axes, np.eye(3), atol=1e-12)
    corners = CUBE * box.half @ box.axes.T + box.center
    expected = CUBE * half @ axes.T + center
    apart = np.linalg.norm(corners[:, None] - expected[None], axis=2)
    assert apart.min(axis=1).max() < 1e-5 and apart.min(axis=0).max() < 1e-5


def test_an_aligned_box_is_found_exactly() -> None:
    box = fit_box(CUBE * (1.0, 2.0, 3.0) + (4.0, 5.0, 6.0), TRIANGLES)
    assert box is not None
    assert sorted(box.half) == [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(box.center, (4.0, 5.0, 6.0))
    assert set(np.abs(box.axes).ravel()) == {0.0, 1.0}


def test_slivers_between_the_vertices_of_a_face_do_not_matter() -> None:
    points = np.concatenate([CUBE, [(-1.0, -1.0, 0.0), (-1.0, 0.0, 0.0), (-1.0, 1.0, 0.0)]])
    slivers = np.array([(0, 8, 1), (8, 9, 10), (0, 0, 1)])
    for seed in range(10):
        turned = as_float32(points @ rotation(seed).T)
        assert fit_box(turned, np.concatenate([TRIANGLES, slivers])) is not None


def changed(row: int, column: int, by: float) -> np.ndarray:
    points = CUBE.copy()
    points[row, column] += by
    return points


@pytest.mark.parametrize(
    ("points", "triangles"),
    [
        (CUBE @ np.array([[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]), TRIANGLES),  # sheared
        (CUBE, TRIANGLES[:-2]),  # open
        (changed(7, 2, 0.01), TRIANGLES),  # one corner up
        (changed(7, 2, -0.01), TRIANGLES),  # one corner down
        (np.concatenate([CUBE, CUBE * 0.5]), np.concatenate([TRIANGLES, TRIANGLES + 8])),  # a box in a box
        (CUBE * (1.0, 1.0, 0.0), TRIANGLES),  # flat
        (CUBE * 0.0, TRIANGLES),  # a point
        (
            changed(7, 2, 0.01) * (5.0, 0.1, 0.01),
            TRIANGLES,
        ),  # a board with a corner off by a hair of its length
        (CUBE, np.empty((0, 3), np.int64)),  # no faces
        (
            np.concatenate([CUBE, CUBE + np.array([3, 0, 0])]),
            np.concatenate([TRIANGLES, TRIANGLES + 8]),
        ),  # two boxes
    ],
)
def test_what_is_no_box_is_not_taken_for_one(points: np.ndarray, triangles: np.ndarray) -> None:
    for seed in range(3):
        assert fit_box(as_float32(points @ rotation(seed).T), triangles) is None


def sphere_points(radius: float = 2.0) -> np.ndarray:
    points = np.random.default_rng(3).normal(size=(200, 3))
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    return radius * np.concatenate([points / np.linalg.norm(points, axis=1, keepdims=True), axes])


def test_a_sphere_has_half_its_longest_side_as_radius() -> None:
    sphere = fit_sphere(sphere_points(2.0) * (1.0, 0.96, 1.0) + (1.0, 2.0, 3.0))
    assert sphere is not None
    assert sphere.radius == pytest.approx(2.0)
    np.testing.assert_allclose(sphere.center, (1.0, 2.0, 3.0), atol=1e-12)


def test_beyond_five_percent_it_is_no_sphere() -> None:
    assert fit_sphere(sphere_points() * (1.0, 0.96, 1.0)) is not None
    assert fit_sphere(sphere_points() * (1.0, 0.94, 1.0)) is None
    assert fit_sphere(CUBE) is None
    ends_cut_off = sphere_points()[np.abs(sphere_points()[:, 2]) < 1.6]
    assert fit_sphere(ends_cut_off) is None
    inner = np.concatenate([sphere_points(), [[1.88, 0.0, 0.0]]])
    assert fit_sphere(inner) is None


def capsule_points(radius: float, half_length: float) -> np.ndarray:
    points = sphere_points(radius)
    shift = np.where(points[:, 2:] >= 0.0, half_length, -half_length) * (0.0, 0.0, 1.0)
    return np.concatenate([points + shift, points * (1, 1, 0) / np.hypot(points[:, :1], points[:, 1:2]).max() * radius])


@pytest.mark.parametrize("seed", range(5))
def test_a_capsule_is_found_in_any_direction(seed: int) -> None:
    axes = rotation(seed)
    capsule = fit_capsule(convex_hull(capsule_points(0.5, 1.5) @ axes.T + 7.0))
    assert capsule.fits
    assert capsule.radius == pytest.approx(0.5, rel=0.03)
    ends = sorted([capsule.start, capsule.end], key=lambda end: float((end - 7.0) @ axes[:, 2]))
    np.testing.assert_allclose(ends, [7.0 - 1.5 * axes[:, 2], 7.0 + 1.5 * axes[:, 2]], atol=0.03)


def test_anything_is_made_a_capsule_between_its_farthest_vertices() -> None:
    capsule = fit_capsule(convex_hull(CUBE * (1.0, 1.0, 4.0)))
    assert not capsule.fits
    span = np.linalg.norm(capsule.end - capsule.start) + 2.0 * capsule.radius
    assert span == pytest.approx(2.0 * np.sqrt(18.0))


def test_a_capsule_as_wide_as_long_is_a_sphere() -> None:
    triangle = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, np.sqrt(0.75), 0.0)])
    capsule = fit_capsule(convex_hull(triangle))
    np.testing.assert_allclose(capsule.start, capsule.end, atol=1e-12)


@pytest.mark.parametrize("points", [np.zeros((1, 3)), np.array([[0, 0, 0], [0, 0, 2.0]]), CUBE * (1, 1, 0)])
def test_a_capsule_of_a_point_a_segment_or_a_plate_is_still_one(points: np.ndarray) -> None:
    capsule = fit_capsule(convex_hull(points))
    assert np.isfinite([*capsule.start, *capsule.end, capsule.radius]).all()
    assert capsule.radius >= 0.0


def test_bounds_are_read_as_blenders_rigid_bodies_read_them() -> None:
    center, half = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0])
    assert bounds_sphere(center, half).radius == 5.0
    capsule = bounds_capsule(center, half, 2)
    np.testing.assert_array_equal([capsule.start, capsule.end], [(1, 2, 0), (1, 2, 6)])
    assert capsule.radius == 2.0
    short = bounds_capsule(center, half, 0)
    np.testing.assert_array_equal(short.start, short.end)
    assert short.radius == 5.0
