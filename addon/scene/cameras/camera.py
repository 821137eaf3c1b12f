# SPDX-License-Identifier: GPL-3.0-or-later
"""The frustum of the active camera of a scene.

It is computed from Blender's own projection: sensor fit, shift, resolution and pixel aspect. As in Blender's renders,
the scale of the camera and of its parents is ignored.
"""

from typing import TYPE_CHECKING, cast

import bpy

from .... import core
from ...model.errors import UserError
from ...system.late import np

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


NO_CAMERA = "The scene has no active camera"
UNKNOWN = 'Object "{name}" is not in the scene'
NOT_A_CAMERA = '"{name}" is not a camera'
PANORAMIC = 'Camera "{name}" is panoramic: only perspective and orthographic cameras are supported'
CUSTOM = 'Camera "{name}" has a custom projection, which is not supported'
SEES_NOTHING = 'Camera "{name}" has an empty clip range or zero scale'

REFUSALS = (NO_CAMERA, UNKNOWN, NOT_A_CAMERA, PANORAMIC, CUSTOM, SEES_NOTHING)

_REFUSED = {"PANO": PANORAMIC, "CUSTOM": CUSTOM}


class UnusableCamera(UserError):
    """A camera that has no frustum.

    Attributes
    ----------
    reason : str
        One of `REFUSALS`.
    name : str
        The name that is inserted into the message.
    """

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason, name=name)
        self.reason, self.name = reason, name


def camera_problem(scene: bpy.types.Scene) -> UnusableCamera | None:
    """The reason why the active camera of a scene cannot be used, if it is known without evaluation."""
    camera: bpy.types.Object | None = scene.camera
    if camera is None:
        return UnusableCamera(NO_CAMERA)
    return _problem(camera)


def named_camera(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """The camera of a scene with this name.

    Raises
    ------
    UnusableCamera
        If the camera does not exist, or it has no frustum.
    """
    camera: bpy.types.Object | None = scene.objects.get(name)
    if camera is None:
        raise UnusableCamera(UNKNOWN, name)
    problem = _problem(camera)
    if problem is not None:
        raise problem
    return camera


def camera_frustum(context: bpy.types.Context) -> "core.Frustum":
    """The frustum of the scene's active camera in the current frame, in world space and Blender units.

    Raises
    ------
    UnusableCamera
        If there is no active camera, or it has no frustum.
    """
    problem = camera_problem(context.scene)
    if problem is not None:
        raise problem
    camera = context.scene.camera
    assert camera is not None
    depsgraph = context.evaluated_depsgraph_get()
    evaluated = camera.evaluated_get(depsgraph)
    lens = cast(bpy.types.Camera, evaluated.data)
    render = context.scene.render
    projection = np.array(
        camera.calc_matrix_camera(
            depsgraph,
            x=render.resolution_x,
            y=render.resolution_y,
            scale_x=render.pixel_aspect_x,
            scale_y=render.pixel_aspect_y,
        ),
        dtype=np.float64,
    )
    # Blender's matrix is float32, in which the far plane of a long clip range would have a large error.
    depth = _depth_row(lens.clip_start, lens.clip_end, perspective=projection[3, 3] == 0.0)
    placement = np.array(evaluated.matrix_world, dtype=np.float64)
    scale = core.numerics.vectors.length(placement[:3, :3].T)
    if depth is None or not (scale > 0.0).all() or not np.isfinite(placement).all():
        raise UnusableCamera(SEES_NOTHING, camera.name)
    projection[2] = depth
    placement[:3, :3] /= scale
    try:
        return core.Frustum.from_matrix(projection @ np.linalg.inv(placement))
    except (ValueError, np.linalg.LinAlgError):
        raise UnusableCamera(SEES_NOTHING, camera.name) from None


def camera_uid(scene: bpy.types.Scene) -> int:
    """The `session_uid` of the active camera. 0 if there is none."""
    camera: bpy.types.Object | None = scene.camera
    return camera.session_uid if camera is not None else 0


def view_settings(scene: bpy.types.Scene) -> tuple[object, ...]:
    """The active camera and the scene's settings of its view, as a value to compare."""
    render = scene.render
    return (
        camera_uid(scene),
        render.resolution_x,
        render.resolution_y,
        render.pixel_aspect_x,
        render.pixel_aspect_y,
    )


def _problem(camera: bpy.types.Object) -> UnusableCamera | None:
    if not isinstance(camera.data, bpy.types.Camera):
        return UnusableCamera(NOT_A_CAMERA, camera.name)
    refused = _REFUSED.get(camera.data.type)
    return UnusableCamera(refused, camera.name) if refused else None


def _depth_row(near: float, far: float, *, perspective: bool) -> "Floats | None":
    """The row that transforms a point in front of the camera (view along -Z) to depth -w at `near` and w at `far`."""
    if not 0.0 < near < far:
        return None
    if perspective:
        return np.array([0.0, 0.0, -(far + near), -2.0 * far * near]) / (far - near)
    return np.array([0.0, 0.0, -2.0, -(far + near)]) / (far - near)
