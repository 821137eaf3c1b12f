# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's exporters, of the whole scene or of some objects."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy

# In the stubs, operators return nothing.
_operators: Any = bpy.ops


@contextmanager
def only(objects: Sequence[bpy.types.Object] | None) -> Iterator[str]:
    """The name of a collection with exactly these objects, for exporters; empty for the whole scene.

    It is not part of the scene, and it is removed at the end. Neither the selection nor hidden objects matter.
    """
    if objects is None:
        yield ""
        return
    collection = bpy.data.collections.new("Collision Kit Export")
    try:
        for ob in objects:
            collection.objects.link(ob)
        yield collection.name
    finally:
        bpy.data.collections.remove(collection)


def export_fbx(path: Path, objects: Sequence[bpy.types.Object] | None, *, modifiers: bool) -> None:
    """Write an FBX file.

    Raises
    ------
    RuntimeError, AttributeError
        If the exporter fails, or is not enabled.
    """
    with only(objects) as collection:
        _operators.export_scene.fbx(filepath=str(path), collection=collection, use_mesh_modifiers=modifiers)
