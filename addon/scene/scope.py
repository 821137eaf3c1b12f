# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that a check tests."""

from dataclasses import dataclass

import bpy

from ..model.errors import UserError
from . import cameras


@dataclass(frozen=True)
class ScopeSelection:
    """The objects to test: `set_a` against each other or, if `set_b` is not None, against those of `set_b`."""

    set_a: list[bpy.types.Object]
    set_b: list[bpy.types.Object] | None = None


def scope_objects(
    context: bpy.types.Context, scope: str, collection_a: str = "", collection_b: str = ""
) -> ScopeSelection:
    """The objects of a scope. Hidden ones are included unless the scope means visible objects.

    Parameters
    ----------
    context : bpy.types.Context
        Provides the scene and view layer.
    scope : str
        SELECTED: the selected objects. ACTIVE: the active object against the other selected ones. VISIBLE: visible
        objects. CAMERA: visible objects that are not outside the active camera's view. ALL: the whole scene.
        COLLECTION: all objects of `collection_a` and its children. COLLECTIONS: those of `collection_a` against those
        of `collection_b`.
    collection_a, collection_b : str
        Names of collections of this file.

    Raises
    ------
    UserError
        If the scope or a collection does not exist, no object is active, or the active camera has no frustum.
    """
    view_layer = context.view_layer
    if scope == "SELECTED":
        return ScopeSelection(list(view_layer.objects.selected))
    if scope == "ACTIVE":
        active = view_layer.objects.active
        if active is None:
            raise UserError("No active object")
        return ScopeSelection([active], [ob for ob in view_layer.objects.selected if ob != active])
    if scope == "VISIBLE":
        return ScopeSelection([ob for ob in view_layer.objects if ob.visible_get(view_layer=view_layer)])
    if scope == "CAMERA":
        return ScopeSelection(cameras.camera_view.in_view(context))
    if scope == "ALL":
        return ScopeSelection(list(context.scene.objects))
    if scope == "COLLECTION":
        return ScopeSelection(_members(collection_a))
    if scope == "COLLECTIONS":
        return ScopeSelection(_members(collection_a), _members(collection_b))
    raise UserError("There is no scope {name}", name=repr(scope))


def _members(name: str) -> list[bpy.types.Object]:
    collection: bpy.types.Collection | None = bpy.data.collections.get(name)
    if collection is None:
        raise UserError("There is no collection {name}", name=repr(name))
    return list(collection.all_objects)
