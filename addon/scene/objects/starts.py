# SPDX-License-Identifier: GPL-3.0-or-later
"""Start points of a character: the origins of empties and objects, and the list of them in a scene."""

import math
from collections.abc import Iterable, Sequence

import bpy
from mathutils import Vector

from ...model.errors import UserError
from ...model.probe_report import CharacterPreset
from ..settings import NAME, listed_starts

# Prefixes of the names of starts, if none are given.
_USUAL = ("start", "spawn")


def starts_of(scene: bpy.types.Scene, names: Sequence[str]) -> list[tuple[str, int | None, tuple[float, float, float]]]:
    """The name, the uid and the origin of each start; of a point, such as "1.5,0,2", no uid.

    Raises
    ------
    UserError
        If the scene does not contain an object with a given name, or no name is given and no object has the name of a
        start.
    """
    if names:
        return [_start(scene, name) for name in names]
    objects = _usual(scene)
    if not objects:
        raise UserError("No start: name an empty or an object from which the character begins")
    return [(ob.name, ob.session_uid, _point(ob.matrix_world.translation)) for ob in objects]


def _start(scene: bpy.types.Scene, name: str) -> tuple[str, int | None, tuple[float, float, float]]:
    ob = scene.objects.get(name)
    if ob is not None:
        return ob.name, ob.session_uid, _point(ob.matrix_world.translation)
    try:
        x, y, z = map(float, name.split(","))
    except ValueError:
        raise UserError("There is no object {name} to start from", name=repr(name)) from None
    if not all(map(math.isfinite, (x, y, z))):
        raise UserError("There is no object {name} to start from", name=repr(name))
    return name, None, (x, y, z)


def begins_somewhere(scene: bpy.types.Scene, names: Sequence[str]) -> bool:
    """Whether there are starts for `starts_of`."""
    return bool(names or _usual(scene))


def _usual(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the objects with default names of starts."""
    return [ob for ob in scene.objects if ob.name.lower().startswith(_USUAL)]


def add_starts(scene: bpy.types.Scene, objects: Iterable[bpy.types.Object]) -> int:
    """Add objects to the list of starts of a scene, and remove deleted ones. Return how many are new."""
    stored = getattr(scene, NAME).probe
    kept = listed_starts(scene)
    for row in reversed(range(len(stored.starts))):
        if stored.starts[row].object not in kept:
            stored.starts.remove(row)
    known = {entry.object for entry in stored.starts}
    new = [ob for ob in objects if ob not in known]
    for ob in new:
        stored.starts.add().object = ob
    stored.active_start = len(stored.starts) - 1
    return len(new)


def remove_start(scene: bpy.types.Scene, row: int) -> None:
    """Remove a row of the list of starts of a scene. If the row does not exist, the last one is removed."""
    stored = getattr(scene, NAME).probe
    stored.starts.remove(row if 0 <= row < len(stored.starts) else len(stored.starts) - 1)
    stored.active_start = min(max(row, 0), max(len(stored.starts) - 1, 0))


def apply_character(scene: bpy.types.Scene, preset: CharacterPreset) -> None:
    """Set the character of an engine for a scene, in its units."""
    stored, scale = getattr(scene, NAME).probe, scene.unit_settings.scale_length
    stored.shape, stored.slope = "CAPSULE", math.radians(preset.slope)
    for name in ("radius", "height", "step"):
        setattr(stored, name, getattr(preset, name) / scale)


def _point(vector: Vector) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def gravity_of(scene: bpy.types.Scene) -> tuple[float, float, float]:
    """The direction of gravity. Down if the scene has none."""
    x, y, z = _point(scene.gravity)
    return (x, y, z) if max(abs(x), abs(y), abs(z)) > 0.0 else (0.0, 0.0, -1.0)
