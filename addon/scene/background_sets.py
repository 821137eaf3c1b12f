# SPDX-License-Identifier: GPL-3.0-or-later
"""Background sets: scenes that Blender shows and renders behind another one. Checks do not test them."""

from collections.abc import Iterator

import bpy

from ..model.message import Message
from ..model.report import BACKGROUND, Skipped
from .meshes.types import GEOMETRY_TYPES

# Scopes that include all objects of the scene, or all visible ones. The others are chosen among its own objects.
_WHOLE = ("ALL", "VISIBLE", "CAMERA")


def background_objects(scene: bpy.types.Scene, scope: str = "ALL") -> tuple[Skipped, ...]:
    """The objects with a surface in the background sets of a scene, listed as not tested.

    Parameters
    ----------
    scene : bpy.types.Scene
    scope : str
        As for `scope_objects`. A scope that names or selects objects leaves out those of background sets.
    """
    if scope not in _WHOLE:
        return ()
    known = {ob.session_uid for ob in scene.objects}
    found = []
    for behind in background_scenes(scene):
        reason = Message("In the background set {scene}, which is not tested.", scene=behind.name)
        for ob in sorted(behind.objects, key=lambda one: one.name):
            if ob.session_uid not in known and may_collide(ob):
                known.add(ob.session_uid)
                found.append(Skipped(ob.name, reason, BACKGROUND))
    return tuple(found)


def may_collide(ob: bpy.types.Object) -> bool:
    """Whether an object has a surface, or instances a collection, so that a check may test it."""
    return ob.type in GEOMETRY_TYPES or ob.instance_type == "COLLECTION"


def background_scenes(scene: bpy.types.Scene) -> Iterator[bpy.types.Scene]:
    """The background set of a scene, that of the set, and so on, without repetition."""
    seen = {scene.session_uid}
    behind = scene.background_set
    while behind is not None and behind.session_uid not in seen:
        seen.add(behind.session_uid)
        yield behind
        behind = behind.background_set
