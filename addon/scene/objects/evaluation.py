# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are disabled, so that Blender does not evaluate them, enabled while they are read or changed."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy


@contextmanager
def evaluated(context: bpy.types.Context, objects: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Enable disabled objects: without that, they have no modifiers, no constraints, and no placement after loading.

    Afterwards they are disabled as they were.
    """
    graph = context.evaluated_depsgraph_get()
    off = [ob for ob in dict.fromkeys(objects) if not ob.evaluated_get(graph).is_evaluated]
    if not off:
        yield
        return
    # A collection that is enabled, whatever others they are in.
    enabled = bpy.data.collections.new("Evaluated")
    context.scene.collection.children.link(enabled)
    disabled = [ob for ob in off if ob.hide_viewport]
    for ob in off:
        enabled.objects.link(ob)
        ob.hide_viewport = False
    context.view_layer.update()
    try:
        yield
    finally:
        for ob in disabled:
            ob.hide_viewport = True
        bpy.data.collections.remove(enabled)
        context.view_layer.update()
