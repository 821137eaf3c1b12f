# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices of objects that are moved only by their own keys: from the curves, without evaluating the scene."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector

from ....core.numerics.types import Floats
from ..objects.moving import curves_of

# Properties of an object that determine its matrix, with the numbers of their components.
_PLACE = {"location": 3, "rotation_euler": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "scale": 3}


class KeyedObject:
    """An object whose matrix depends only on its location, rotation and scale, and on curves of these.

    Parameters
    ----------
    ob : bpy.types.Object
        One for which `is_keyed` is true.
    """

    def __init__(self, ob: bpy.types.Object) -> None:
        mode = ob.rotation_mode
        turn = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
        self._rotation: Callable[..., Any] = {
            "rotation_quaternion": lambda turn: Quaternion(turn).normalized(),
            "rotation_axis_angle": lambda turn: Quaternion(turn[1:], turn[0]),
        }.get(turn, lambda turn: Euler(turn, mode))
        self._values = {path: list(getattr(ob, path)) for path in ("location", turn, "scale")}
        self._turn = turn
        animation = ob.animation_data
        self._curves = [
            (self._values[curve.data_path], curve.array_index, curve.evaluate)
            for curve in (curves_of(animation) if animation is not None else ())
            if curve.data_path in self._values and not _is_muted(curve)
        ]

    def matrix(self, frame: float) -> Floats:
        """The world matrix at a frame, (4, 4)."""
        for values, component, evaluate in self._curves:
            values[component] = evaluate(frame)
        place, turn, scale = self._values["location"], self._values[self._turn], self._values["scale"]
        return np.array(Matrix.LocRotScale(Vector(place), self._rotation(turn), Vector(scale)), dtype=np.float64)


def is_keyed(scene: bpy.types.Scene, ob: bpy.types.Object) -> bool:
    """Return whether only its own location, rotation and scale, and their curves, determine where an object is."""
    if ob.parent is not None or len(ob.constraints) or ob.rigid_body is not None or not _has_no_delta(ob):
        return False
    animation = ob.animation_data
    if animation is None:
        return True
    return (
        scene.render.frame_map_old == scene.render.frame_map_new
        and not len(animation.drivers)
        and not len(animation.nla_tracks)
        and animation.action_blend_type == "REPLACE"
        and animation.action_influence == 1.0
        and all(_is_of_place(curve) for curve in curves_of(animation))
    )


def _has_no_delta(ob: bpy.types.Object) -> bool:
    turned, straight = np.array(ob.delta_rotation_euler), [0.0, 0.0, 0.0]
    if ob.rotation_mode == "QUATERNION":
        turned, straight = np.array(ob.delta_rotation_quaternion), [1.0, 0.0, 0.0, 0.0]
    return (
        np.array_equal(turned, straight)
        and np.array_equal(np.array(ob.delta_location), [0.0, 0.0, 0.0])
        and np.array_equal(np.array(ob.delta_scale), [1.0, 1.0, 1.0])
    )


def _is_of_place(curve: Any) -> bool:
    """Whether a curve has keys and sets a component of the location, rotation or scale."""
    known = 0 <= curve.array_index < _PLACE.get(curve.data_path, 0)
    return bool(known and curve.is_valid and not curve.is_empty)


def _is_muted(curve: Any) -> bool:
    return bool(curve.mute or (curve.group is not None and curve.group.mute))
