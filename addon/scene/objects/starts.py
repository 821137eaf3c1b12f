# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character begins: the origins of empties and objects."""

from collections.abc import Sequence

import bpy
from mathutils import Vector

from ...model.errors import UserError

# What the names of starts begin with, if none are given.
_USUAL = ("start", "spawn")


def starts_of(scene: bpy.types.Scene, names: Sequence[str]) -> list[tuple[str, int, tuple[float, float, float]]]:
    """The name, the uid and the origin of each start.

    Raises
    ------
    UserError
        If the scene has no object of a name, or no name is given and no object is called like a start.
    """
    if names:
        objects = []
        for name in names:
            ob = scene.objects.get(name)
            if ob is None:
                raise UserError("There is no object {name} to start from", name=repr(name))
            objects.append(ob)
    else:
        objects = [ob for ob in scene.objects if ob.name.lower().startswith(_USUAL)]
        if not objects:
            raise UserError("No start: name an empty or an object from which the character begins")
    return [(ob.name, ob.session_uid, _point(ob.matrix_world.translation)) for ob in objects]


def _point(vector: Vector) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def gravity_of(scene: bpy.types.Scene) -> tuple[float, float, float]:
    """The direction of gravity; down if the scene has none."""
    x, y, z = _point(scene.gravity)
    return (x, y, z) if max(abs(x), abs(y), abs(z)) > 0.0 else (0.0, 0.0, -1.0)
