# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets a scene to other frames and restores it: the frame, the active camera, and values without keys."""

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np

from ...model.errors import UserError

# Blender's limit, in both directions.
LAST_FRAME = 1048574

# Properties that animation sets for an object or a bone when the frame is set, replacing values changed by hand.
_TRANSFORM = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
_ANIMATED = (*_TRANSFORM, "hide_viewport")


def check_frames(first: int, end: int) -> None:
    """Raise `UserError` unless these are valid as the first and the last frame of a range."""
    if first > end:
        raise UserError("The frame range ends at {end}, before its start at {start}", start=first, end=end)
    if max(-first, end) > LAST_FRAME:
        raise UserError("Frame out of range: −{end} to {end}", end=LAST_FRAME)


def as_kept(frame: float) -> float:
    """The frame that Blender evaluates for a given one, because it stores the time as float32."""
    return float(np.float32(frame))


def split_frame(frame: float) -> tuple[int, float]:
    """A whole frame and the subframe, from 0 up to but not including 1, as Blender stores it in float32."""
    whole = math.floor(frame)
    subframe = float(np.float32(frame - whole))
    return (whole, subframe) if subframe < 1.0 else (whole + 1, 0.0)


def current_frame(scene: bpy.types.Scene) -> float:
    """The current frame with its subframe."""
    return float(scene.frame_current) + float(scene.frame_subframe)


def go_to(scene: bpy.types.Scene, frame: float) -> None:
    """Set the scene to a frame, which may be fractional."""
    whole, subframe = split_frame(frame)
    scene.frame_set(whole, subframe=subframe)


@contextmanager
def frame_kept(context: bpy.types.Context) -> Iterator[Callable[[float], None]]:
    """Set the scene to any frames inside this context, and restore it at the end.

    Yields
    ------
    function
        Sets the scene to a frame, which may be fractional.
    """
    scene = context.scene

    def go(number: float) -> None:
        whole = math.floor(number)
        scene.frame_set(whole, subframe=number - whole)

    with _scenes_kept(context, [scene]):
        yield go


@contextmanager
def all_frames_kept(context: bpy.types.Context) -> Iterator[None]:
    """Restore all scenes at the end, because Blender's exporters set them to other frames."""
    with _scenes_kept(context, list(bpy.data.scenes)):
        yield


@contextmanager
def _scenes_kept(context: bpy.types.Context, scenes: Sequence[bpy.types.Scene]) -> Iterator[None]:
    frames = [(scene, scene.frame_current, scene.frame_subframe) for scene in scenes]
    unkeyed = [value for scene, *_ in frames for value in _values(scene)]
    with _cameras_kept(context, scenes):
        try:
            yield
        finally:
            for scene, frame, subframe in frames:
                if (scene.frame_current, scene.frame_subframe) != (frame, subframe):
                    scene.frame_set(frame, subframe=subframe)
            for owner, name, value in unkeyed:
                if _plain(getattr(owner, name)) != value:
                    setattr(owner, name, value)
            context.view_layer.update()


def visited(
    context: bpy.types.Context, frames: Sequence[int] | None, camera: bpy.types.Object | None = None
) -> Generator[int, None, None]:
    """Set the scene to one frame after another, and restore it after the last one, or when this is closed.

    Parameters
    ----------
    context : bpy.types.Context
    frames : sequence of int, optional
        None: only the current frame, unchanged.
    camera : bpy.types.Object, optional
        The active camera in each frame. None: the scene's camera, which markers may change from frame to frame.

    Yields
    ------
    int
        The current frame.
    """
    if frames is None:
        with _cameras_kept(context, [context.scene]):
            _use(context.scene, camera)
            yield context.scene.frame_current
        return
    with frame_kept(context) as go:
        for number in frames:
            go(number)
            _use(context.scene, camera)
            yield number


@contextmanager
def _cameras_kept(context: bpy.types.Context, scenes: Sequence[bpy.types.Scene]) -> Iterator[None]:
    cameras = [(scene, scene.camera) for scene in scenes]
    try:
        yield
    finally:
        for scene, active in cameras:
            if scene.camera != active:
                scene.camera = active
                context.view_layer.update()


def _use(scene: bpy.types.Scene, camera: bpy.types.Object | None) -> None:
    if camera is not None and scene.camera != camera:
        scene.camera = camera


def _values(scene: Any) -> list[tuple[Any, str, Any]]:
    """The values that animation may replace: owner, property name and value."""
    owners: list[tuple[Any, tuple[str, ...]]] = []
    for ob in scene.objects:
        if ob.animation_data is not None:
            owners.append((ob, _ANIMATED))
            owners += [(bone, _TRANSFORM) for bone in (ob.pose.bones if ob.pose is not None else ())]
        keys = getattr(ob.data, "shape_keys", None)
        if keys is not None and keys.animation_data is not None:
            owners += [(block, ("value",)) for block in keys.key_blocks]
    return [(owner, name, _plain(getattr(owner, name))) for owner, names in owners for name in names]


def _plain(value: Any) -> Any:
    """A copy of a value that does not change with the scene."""
    return value if isinstance(value, bool | float) else tuple(value)
