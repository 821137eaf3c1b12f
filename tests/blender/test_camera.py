# SPDX-License-Identifier: GPL-3.0-or-later
"""The active camera's frustum holds exactly what Blender says is in the picture."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.scene.cameras import camera as cameras
from collision_kit.addon.scene.cameras.camera import UnusableCamera, camera_frustum, camera_problem
from tests.helpers.blender.bridge_scene import add
from tests.helpers.blender.camera_scene import FITS, add_camera, in_picture, points_around, random_camera

pytestmark = pytest.mark.usefixtures("scene")

# Share of the picture below which Blender's own float32 decides.
ROUNDING = 2e-4


def inside(points: np.ndarray) -> np.ndarray:
    planes = camera_frustum(bpy.context).planes
    return (points @ planes[:, :3].T + planes[:, 3] >= 0.0).all(axis=1)


def assert_agrees(camera: bpy.types.Object, generator: np.random.Generator, count: int = 60) -> int:
    """The frustum and Blender agree about points around the view; return how many of them were seen."""
    points = points_around(camera, generator, count)
    seen, clear = in_picture(camera, points)
    sure = clear > ROUNDING
    np.testing.assert_array_equal(inside(points)[sure], seen[sure])
    return int(seen[sure].sum())


def test_random_cameras_see_what_blender_says() -> None:
    generator = np.random.default_rng(24)
    seen = 0
    for number in range(120):
        seen += assert_agrees(random_camera(generator, number), generator)
    assert seen > 1000, "the points must be on both sides"


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("resolution", [(1920, 1080), (1080, 1920), (512, 512)])
@pytest.mark.parametrize("kind", ["PERSP", "ORTHO"])
def test_the_corners_are_those_of_the_picture(fit: str, resolution: tuple[int, int], kind: str) -> None:
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y = resolution
    render.pixel_aspect_x = 1.25
    lens = {"sensor_fit": fit, "type": kind, "shift_x": 0.1, "shift_y": -0.2, "clip_start": 0.5, "clip_end": 80.0}
    camera = add_camera(at=(1, 2, 3), rotation_euler=(1.0, 0.2, -0.7), sensor_width=36.0, sensor_height=20.0, **lens)
    frame = np.array([tuple(corner) for corner in camera.data.view_frame(scene=bpy.context.scene)])[[2, 1, 0, 3]]
    matrix = np.array(camera.matrix_world, dtype=np.float64)
    corners = camera_frustum(bpy.context).corners
    for depth, found in ((0.5, corners[:4]), (80.0, corners[4:])):
        local = frame / -frame[:, 2:] * depth if kind == "PERSP" else np.c_[frame[:, :2], np.full(4, -depth)]
        np.testing.assert_allclose(found, local @ matrix[:3, :3].T + matrix[:3, 3], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["PERSP", "ORTHO"])
@pytest.mark.parametrize(("start", "end"), [(1e-3, 1e5), (0.01, 1e4), (0.1, 0.11)])
def test_the_far_plane_is_where_the_clip_range_ends_however_long_it_is(kind: str, start: float, end: float) -> None:
    add_camera(type=kind, clip_start=start, clip_end=end)
    corners = camera_frustum(bpy.context).corners
    np.testing.assert_allclose(corners[:4, 2], -start, rtol=1e-6)
    np.testing.assert_allclose(corners[4:, 2], -end, rtol=1e-6)


def test_changes_count_without_an_update() -> None:
    camera = add_camera(clip_end=10.0)
    before = camera_frustum(bpy.context).corners
    camera.data.shift_x = 0.5
    camera.data.clip_end = 20.0
    camera.location.z = 7.0
    corners = camera_frustum(bpy.context).corners
    assert corners[4, 2] == pytest.approx(7.0 - 20.0)
    assert corners[0, 0] > before[0, 0]


def test_the_scale_of_the_camera_does_not_count() -> None:
    camera = add_camera(at=(0, 0, 4))
    before = camera_frustum(bpy.context).corners
    camera.scale = (3.0, -0.5, 0.01)
    after = camera_frustum(bpy.context).corners
    # Turned over, so what was below is above, and the picture is symmetric.
    np.testing.assert_allclose(np.sort(after, axis=0), np.sort(before, axis=0), atol=1e-4)


def test_what_has_no_frustum_is_refused_and_the_reason_said() -> None:
    scene = bpy.context.scene

    def refused(reason: str, *, at_a_glance: bool = True) -> None:
        with pytest.raises(UnusableCamera) as caught:
            camera_frustum(bpy.context)
        assert caught.value.reason == reason
        problem = camera_problem(scene)
        assert (problem is not None) == at_a_glance
        assert problem is None or str(problem) == str(caught.value)

    refused(cameras.NO_CAMERA)
    scene.camera = add("Not a Camera")
    refused(cameras.NOT_A_CAMERA)
    camera = add_camera()
    assert camera_problem(scene) is None
    camera.data.type = "PANO"
    refused(cameras.PANORAMIC)
    if "CUSTOM" in camera.data.bl_rna.properties["type"].enum_items:
        camera.data.type = "CUSTOM"
        refused(cameras.CUSTOM)
    camera.data.type = "PERSP"
    camera.scale = (0.0, 0.0, 0.0)
    refused(cameras.SEES_NOTHING, at_a_glance=False)
    camera.scale = (1.0, 1.0, 1.0)
    camera.data.clip_start, camera.data.clip_end = 5.0, 5.0
    refused(cameras.SEES_NOTHING, at_a_glance=False)
    camera.data.clip_end = 50.0
    camera.location.x = float("nan")
    refused(cameras.SEES_NOTHING, at_a_glance=False)
