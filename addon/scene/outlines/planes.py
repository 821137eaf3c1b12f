# SPDX-License-Identifier: GPL-3.0-or-later
"""The planes in which a scene is looked at: those of the world's axes, and that of an orthographic camera."""

from typing import cast

import bpy

from .... import core
from ...model.errors import UserError
from ...system.late import np
from ..cameras.camera import SEES_NOTHING, UnusableCamera, camera_problem

PERSPECTIVE = 'Camera "{name}" is not orthographic'

REFUSALS = (PERSPECTIVE,)

# As Blender's views have them: from the top, from the front, from the right.
AXES = {
    "XY": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "XZ": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),
    "YZ": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
}

CAMERA = "CAMERA"


def plane_problem(scene: bpy.types.Scene, name: str) -> UnusableCamera | None:
    """Return why a plane cannot be looked at; None if it can."""
    if name != CAMERA:
        return None
    camera, problem = scene.camera, camera_problem(scene)
    if camera is not None and problem is None and cast(bpy.types.Camera, camera.data).type != "ORTHO":
        return UnusableCamera(PERSPECTIVE, camera.name)
    return problem


def plane_of(context: bpy.types.Context, name: str) -> "core.planar.world.Plane":
    """Return a plane of the scene, in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    name : str
        XY, XZ or YZ; CAMERA: at right angles to the view of the scene's active camera, whose scale does not count.

    Raises
    ------
    UnusableCamera
        If there is no active camera, or it does not see in parallel.
    UserError
        If there is no such plane.
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
    # The nearest rotation: a camera is turned by float32, and may be mirrored, which turns left into right.
    left, _, right = np.linalg.svd(columns / size[:, None])
    axes = left @ right
    if np.linalg.det(axes) < 0.0:
        axes[0] *= -1.0
    return core.planar.world.Plane(_without_noise(axes))


def _without_noise(axes: "np.ndarray") -> "np.ndarray":
    """Axes of the world where these are some but for the rounding of float32, so that flat things stay flat."""
    nearest = np.rint(axes)
    straight = np.abs(axes - nearest).max() <= 4.0 * np.finfo(np.float32).eps
    return nearest + 0.0 if straight else axes
