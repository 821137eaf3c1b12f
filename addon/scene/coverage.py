# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the open file that a check of one scene leaves out, and temporary visibility of hidden objects."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..model.report import Coverage, OtherScene
from .background_sets import background_scenes, may_collide
from .open_file import newer_version

# The name of the second file in a scene, by the `session_uid` of the scene.
_second: dict[int, str] = {}

# Scenes whose hidden objects are currently shown, by `session_uid`.
_revealed: set[int] = set()


def coverage_of(scene: bpy.types.Scene) -> Coverage:
    """Return what a check of this scene leaves out: other scenes with objects, and data from a newer Blender."""
    known = {ob.session_uid for one in (scene, *background_scenes(scene)) for ob in one.objects}
    others: list[OtherScene] = []
    for other in bpy.data.scenes:
        own = [ob for ob in other.objects if ob.session_uid not in known and may_collide(ob)]
        if own and other.library is None:
            others.append(OtherScene(other.name, len(own)))
    second = _second.get(scene.session_uid, "")
    return Coverage(tuple(others), newer_version(), scene.session_uid in _revealed, second_file=second)


def note_second(scene: bpy.types.Scene, file: str) -> None:
    """Store the name of a second file whose objects are in a scene."""
    _second.clear()
    _second[scene.session_uid] = file


@contextmanager
def hidden_shown(context: bpy.types.Context, wanted: bool = True) -> Iterator[None]:
    """Show the hidden objects of the scene's view layer, and hide them again at the end.

    Objects of collections that are excluded from the view layer stay hidden. Objects hidden by animation are hidden
    when the frame is set.
    """
    if not wanted:
        yield
        return
    scene, undo = context.scene, list[Callable[[], Any]]()
    try:
        _show(context, undo)
        _revealed.add(scene.session_uid)
        yield
    finally:
        _revealed.discard(scene.session_uid)
        for restore in reversed(undo):
            restore()
        context.view_layer.update()


def _show(context: bpy.types.Context, undo: list[Callable[[], Any]]) -> None:
    layer = context.view_layer
    layers = [layer.layer_collection]
    while layers:
        one = layers.pop()
        if not one.exclude:
            _set(one, "hide_viewport", undo)
            layers += one.children
    objects, collections = dict[int, bpy.types.Object](), dict[int, bpy.types.Collection]()
    waiting = [ob for ob in context.scene.objects if ob.name in layer.objects and layer.objects[ob.name] == ob]
    own = {ob.session_uid for ob in waiting}
    while waiting:
        ob = waiting.pop()
        if ob.session_uid not in objects:
            objects[ob.session_uid] = ob
            if ob.instance_type == "COLLECTION" and ob.instance_collection is not None:
                inner = [ob.instance_collection, *ob.instance_collection.children_recursive]
                collections.update((one.session_uid, one) for one in inner)
                waiting += ob.instance_collection.all_objects
    collections.update((one.session_uid, one) for one in context.scene.collection.children_recursive)
    for owner in (*collections.values(), *objects.values()):
        _set(owner, "hide_viewport", undo)
    for uid in own:
        _open_eye(objects[uid], layer, undo)
    layer.update()


def _open_eye(ob: bpy.types.Object, layer: bpy.types.ViewLayer, undo: list[Callable[[], Any]]) -> None:
    if ob.hide_get(view_layer=layer):
        ob.hide_set(False, view_layer=layer)
        undo.append(lambda: ob.hide_set(True, view_layer=layer))


def _set(owner: Any, name: str, undo: list[Callable[[], Any]]) -> None:
    if getattr(owner, name):
        setattr(owner, name, False)
        undo.append(lambda: setattr(owner, name, True))
