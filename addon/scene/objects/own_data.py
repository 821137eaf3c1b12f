# SPDX-License-Identifier: GPL-3.0-or-later
"""Editable data of the open file: scenes, objects and collections that are not linked."""

import bpy

from ...model.errors import UserError
from .collision_settings import is_own


def check_own_object(ob: bpy.types.Object) -> None:
    """Raise if an object cannot be changed.

    Raises
    ------
    UserError
        If it is linked.
    """
    if not is_own(ob):
        raise UserError('"{name}" is linked: change it in its own file', name=ob.name)


def check_own_scene(scene: bpy.types.Scene) -> None:
    """Raise if objects cannot be added to a scene.

    Raises
    ------
    UserError
        If it is linked.
    """
    if scene.library is not None:
        raise UserError(
            'Scene "{scene}" is linked from {file}: open that file instead',
            scene=scene.name,
            file=scene.library.filepath,
        )


def comes_back(ob: bpy.types.Object) -> bool:
    """Whether a removed object would be there again when the file is opened, because it comes from another file."""
    return ob.library is not None or ob.override_library is not None


def holds_objects(collection: bpy.types.Collection) -> bool:
    """Whether objects can be added to and removed from a collection: it is neither linked nor an override."""
    return bool(collection.is_editable) and collection.override_library is None
