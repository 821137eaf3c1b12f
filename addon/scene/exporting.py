# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's exporters, of the whole scene or of some objects."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from . import animation
from . import objects as scene_objects
from .meshes.types import GEOMETRY_TYPES
from .objects.collision_settings import is_own
from .objects.moving import ancestors, family, loose_colliders
from .objects.owners import Owners, is_collider
from .objects.structure import deforming_armature

if TYPE_CHECKING:
    from mathutils import Matrix

# Bytes of a name: file systems allow 255 of a whole one.
_LONGEST = 200
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}

# What places an object, to the last bit.
_PLACEMENT = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")

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


def sheared_within_parents(objects: Iterable[bpy.types.Object]) -> list[str]:
    """The names of the objects whose transforms have shear relative to their parents, where most files have none.

    An object that is turned, and keeps its transform when it becomes a child of one with non-uniform scale, is not
    sheared in the world, but is relative to the parent.
    """
    children = list(dict.fromkeys(ob for ob in objects if ob.parent is not None))
    placed = scene_objects.transforms.of_matrices([ob.matrix_local for ob in children])
    sheared = ~placed.upright & ~placed.flat
    return [ob.name for ob, leans in zip(children, sheared.tolist(), strict=True) if leans]


@contextmanager
def unsheared(context: bpy.types.Context, objects: Sequence[bpy.types.Object] | None) -> Iterator[list[str]]:
    """Objects that are sheared within their parents, without their parents, where they are; their names.

    Only those that are not sheared in the world, and that nothing moves: they are at the same place then. Afterwards
    they have their parents again. None: of all objects of the scene.
    """
    cleared: list[tuple[bpy.types.Object, bpy.types.Object, Matrix, dict[str, tuple[float, ...]]]] = []
    names = set(sheared_within_parents(context.scene.objects if objects is None else objects))
    for ob in [ob for ob in context.scene.objects if ob.name in names]:
        world, parent = ob.matrix_world.copy(), ob.parent
        (upright,) = scene_objects.transforms.of_matrices([world]).upright
        free = is_own(ob) and not any(one.animation_data or one.constraints for one in (ob, *ancestors(ob)))
        if parent is None or ob.parent_type != "OBJECT" or not upright or not free:
            continue
        placement = {name: tuple(getattr(ob, name)) for name in _PLACEMENT}
        cleared.append((ob, parent, ob.matrix_parent_inverse.copy(), placement))
        ob.parent = None
        ob.matrix_world = world
    if not cleared:
        yield []
        return
    try:
        context.view_layer.update()
        yield [ob.name for ob, *_ in cleared]
    finally:
        for ob, parent, inverse, placement in cleared:
            ob.parent, ob.matrix_parent_inverse = parent, inverse
            for name, value in placement.items():
                setattr(ob, name, value)
        context.view_layer.update()


def export_fbx(path: Path, objects: Sequence[bpy.types.Object] | None, *, modifiers: bool) -> list[str]:
    """Write an FBX file; return the names of the objects that are in it without their parents, see `unsheared`.

    Raises
    ------
    RuntimeError, AttributeError
        If the exporter fails, or is not enabled.
    """
    context = bpy.context
    with unsheared(context, objects) as cleared, only(objects) as collection, animation.frames.all_frames_kept(context):
        _operators.export_scene.fbx(filepath=str(path), collection=collection, use_mesh_modifiers=modifiers)
    return cleared
