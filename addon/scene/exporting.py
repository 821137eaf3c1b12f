# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's exporters, of the whole scene or of some objects."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy

from . import animation
from .meshes.types import GEOMETRY_TYPES
from .objects.moving import ancestors, family, loose_colliders
from .objects.owners import Owners, is_collider
from .objects.parents import deforming_armature

# Bytes of a name: file systems allow 255 of a whole one.
_LONGEST = 200
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}

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


def assets(scene: bpy.types.Scene) -> dict[str, tuple[bpy.types.Object, ...]]:
    """The assets of a scene: each object with a surface that has no parent, or that is below one without a surface.

    Returns
    -------
    dict of str to tuple of bpy.types.Object
        By a name for a file: the object, everything that is parented to it, its colliders, and the armatures that
        deform it.
    """
    colliders = loose_colliders(scene)
    found: dict[str, tuple[bpy.types.Object, ...]] = {}
    taken: set[str] = set()
    for ob in scene.objects:
        if ob.type not in GEOMETRY_TYPES or is_collider(ob) or any(one.type in GEOMETRY_TYPES for one in ancestors(ob)):
            continue
        members = family(ob)
        members = (*members, *(one for member in members for one in colliders.get(member.session_uid, ())))
        members = (*members, *(rig for member in members if (rig := deforming_armature(member)) is not None))
        name = _file_name(ob.name)
        number, free = 1, name
        # Some file systems do not tell capitals from small letters.
        while free.casefold() in taken:
            number += 1
            free = f"{name}_{number}"
        taken.add(free.casefold())
        found[free] = tuple(dict.fromkeys(members))
    return found


def _file_name(name: str) -> str:
    """A name of an object as that of a file in any file system, to which an ending and a number can be added."""
    clean = bpy.path.clean_name(name).encode()[:_LONGEST].decode(errors="ignore")
    # For Windows these are devices, whatever ending they have.
    return f"{clean}_" if clean.casefold() in _DEVICES else clean


def with_colliders(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> tuple[bpy.types.Object, ...]:
    """Objects, and their colliders wherever they are in the scene."""
    return tuple(dict.fromkeys([*objects, *Owners(scene.objects).colliders_of(objects)]))


def export_fbx(path: Path, objects: Sequence[bpy.types.Object] | None, *, modifiers: bool) -> None:
    """Write an FBX file.

    Raises
    ------
    RuntimeError, AttributeError
        If the exporter fails, or is not enabled.
    """
    with only(objects) as collection, animation.frames.all_frames_kept(bpy.context):
        _operators.export_scene.fbx(filepath=str(path), collection=collection, use_mesh_modifiers=modifiers)
