# SPDX-License-Identifier: GPL-3.0-or-later
"""Visits frames of a scene and puts everything back: the frame, the active camera, and what is not keyed."""

from collections.abc import Generator, Sequence
from typing import Any

import bpy

# What animation writes to an object when the frame is set, over whatever was dragged there by hand.
_TRANSFORM = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def visited(
    context: bpy.types.Context, frames: Sequence[int] | None, camera: bpy.types.Object | None = None
) -> Generator[int, None, None]:
    """Set the scene to one frame after another, and to what it was when the last is done or this is closed.

    Parameters
    ----------
    context : bpy.types.Context
    frames : sequence of int, optional
        None: the current frame, as it is.
    camera : bpy.types.Object, optional
        The active camera in each frame. None: the scene's, which markers may change from frame to frame.

    Yields
    ------
    int
        The frame that is set.
    """
    scene: Any = context.scene
    frame, subframe, active = scene.frame_current, scene.frame_subframe, scene.camera
    unkeyed = _transforms(scene) if frames is not None else {}
    try:
        for number in (frame,) if frames is None else frames:
            if frames is not None:
                scene.frame_set(number)
            if camera is not None and scene.camera != camera:
                scene.camera = camera
            yield number
    finally:
        if frames is not None:
            scene.frame_set(frame, subframe=subframe)
        if scene.camera != active:
            scene.camera = active
        for ob, transform in unkeyed.items():
            for name, value in zip(_TRANSFORM, transform, strict=True):
                if tuple(getattr(ob, name)) != value:
                    setattr(ob, name, value)
        context.view_layer.update()


def _transforms(scene: bpy.types.Scene) -> dict[bpy.types.Object, list[tuple[float, ...]]]:
    return {
        ob: [tuple(getattr(ob, name)) for name in _TRANSFORM] for ob in scene.objects if ob.animation_data is not None
    }
