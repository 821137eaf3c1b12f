# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose collider an object is, and which colliders an object has.

A collider is an object that was made as one, or that is called like one of Unreal's.
"""

from collections.abc import Iterable

import bpy

from ..bridge.meshes import GEOMETRY_TYPES
from ..bridge.naming import RenderMeshes, collider_prefix
from ..stored import object_settings


def is_collider(ob: bpy.types.Object) -> bool:
    """Whether an object stands for another."""
    return ob.type in GEOMETRY_TYPES and (object_settings(ob).collider.kind != "NONE" or bool(collider_prefix(ob.name)))


def render_mesh_above(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The render mesh that a collider is parented to, directly or through other colliders."""
    parent: bpy.types.Object | None = ob.parent
    while parent is not None and is_collider(parent):
        parent = parent.parent
    return parent if parent is not None and parent.type in GEOMETRY_TYPES else None


class Owners:
    """The render meshes of a scene, for looking up whose a collider is."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._colliders = [ob for ob in scene.objects if is_collider(ob)]
        self._meshes = RenderMeshes(
            (ob.name, ob) for ob in scene.objects if ob.type in GEOMETRY_TYPES and not is_collider(ob)
        )

    def of(self, collider: bpy.types.Object) -> bpy.types.Object | None:
        """What a collider stands for: by its name if that says it, as Unreal reads it, else what it is parented to."""
        above = render_mesh_above(collider)
        if collider_prefix(collider.name):
            return self._meshes.of_collider(collider.name, [] if above is None else [(above.name, above)])
        return above

    def colliders_of(self, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
        """The colliders that stand for any of some objects."""
        wanted = {ob.session_uid for ob in objects}
        owned = ((collider, self.of(collider)) for collider in self._colliders)
        return [collider for collider, owner in owned if owner is not None and owner.session_uid in wanted]
