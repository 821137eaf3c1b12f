# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are disabled, so that Blender does not evaluate them, enabled while they are read or changed."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy

from .. import open_file
from .own_data import check_own_scene


@contextmanager
def evaluated(context: bpy.types.Context, objects: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Enable disabled objects: without that, they have no modifiers, no constraints, and no placement after loading.

    Afterwards they are disabled as they were.

    Raises
    ------
    UserError
        If there are such objects and the scene is linked.
    """
    graph = context.evaluated_depsgraph_get()
    off = [ob for ob in dict.fromkeys(objects) if not ob.evaluated_get(graph).is_evaluated]
    if not off:
        yield
        return
    check_own_scene(context.scene)
    hidden = [ob.session_uid for ob in off if ob.hide_viewport]
    # A collection that is enabled, whatever others they are in.
    enabled = bpy.data.collections.new("Evaluated")
    try:
        context.scene.collection.children.link(enabled)
        for ob in off:
            enabled.objects.link(ob)
            ob.hide_viewport = False
        context.view_layer.update()
        yield
    finally:
        bpy.data.collections.remove(enabled)
        # Those that are left.
        for ob in open_file.objects_by_uid(hidden).values():
            ob.hide_viewport = True
        context.view_layer.update()


def disable_like(objects: Iterable[bpy.types.Object], others: Iterable[bpy.types.Object]) -> None:
    """Disable or enable each object as another one is, and not only the collections that this is in."""
    for ob, other in zip(objects, others, strict=True):
        ob.hide_viewport = other.hide_viewport
