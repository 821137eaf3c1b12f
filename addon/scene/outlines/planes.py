# SPDX-License-Identifier: GPL-3.0-or-later
"""The planes of 2D checks: the world's coordinate planes, and the view plane of an orthographic camera."""

from typing import cast

import bpy

from .... import core
from ...model.errors import UserError
from ...system.late import np
from ..cameras.camera import SEES_NOTHING, UnusableCamera, camera_problem

PERSPECTIVE = 'Camera "{name}" is not orthographic'

REFUSALS = (PERSPECTIVE,)

# As in Blender's views from the top, the front and the right.
AXES = {
    "XY": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "XZ": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),
    "YZ": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
}

CAMERA = "CAMERA"


def plane_problem(scene: bpy.types.Scene, name: str) -> UnusableCamera | None:
    """The reason why a plane cannot be used. None if it can."""
    if name != CAMERA:
        return None
    camera, problem = scene.camera, camera_problem(scene)
    if camera is not None and problem is None and cast(bpy.types.Camera, camera.data).type != "ORTHO":
        return UnusableCamera(PERSPECTIVE, camera.name)
    return problem


def plane_of(context: bpy.types.Context, name: str) -> "core.planar.world.Plane":
    """A plane of the scene, in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    name : str
        XY, XZ or YZ; CAMERA: perpendicular to the view of the scene's active camera, whose scale is ignored.

    Raises
    ------
    UnusableCamera
        If there is no active camera, or it is not orthographic.
    UserError
        If the plane does not exist.
    """
    if name in AXES:
        return core.planar.world.Plane(np.array(AXES[name]))
    if name != CAMERA:
        names = ", ".join((*AXES, CAMERA))
        raise UserError("There is no plane {name}. Planes: {names}", name=repr(name), names=names)
    problem = plane_problem(context.scene, name)
    if problem is not None:
        raise problem
    camera = context.scene.camera
    assert camera is not None
    matrix = np.array(camera.evaluated_get(context.evaluated_depsgraph_get()).matrix_world, dtype=np.float64)
    columns = matrix[:3, :3].T
    size = core.numerics.vectors.length(columns)
    if not (np.isfinite(size).all() and (size > 0.0).all()):
        raise UnusableCamera(SEES_NOTHING, camera.name)
    # The nearest rotation, because a camera's matrix is float32 and may mirror, which exchanges left and right.
    left, _, right = np.linalg.svd(columns / size[:, None])
    axes = left @ right
    if np.linalg.det(axes) < 0.0:
        axes[0] *= -1.0
    return core.planar.world.Plane(_without_noise(axes))


def _without_noise(axes: "np.ndarray") -> "np.ndarray":
    """Axes rounded to world axes if they differ only by float32 rounding, so that flat objects stay flat."""
    nearest = np.rint(axes)
    straight = np.abs(axes - nearest).max() <= 4.0 * np.finfo(np.float32).eps
    return nearest + 0.0 if straight else axes
