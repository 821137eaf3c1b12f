# SPDX-License-Identifier: GPL-3.0-or-later
"""Run Blender's exporters, for the whole scene or for some objects."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..engines.levels import level_of
from . import animation
from . import objects as scene_objects
from .meshes.types import GEOMETRY_TYPES
from .objects.collision_settings import is_own
from .objects.moving import ancestors, family, has_animated_visibility, loose_colliders
from .objects.owners import Owners, is_collider
from .objects.structure import deforming_armature
from .objects.visibility import hidden_reason

if TYPE_CHECKING:
    from mathutils import Matrix

# Bytes of a name. File systems allow 255 for a whole name.
_LONGEST = 200
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}

# Properties that determine the transform of an object exactly.
_PLACEMENT = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")

# In the stubs, operators return nothing.
_operators: Any = bpy.ops


@contextmanager
def only(objects: Sequence[bpy.types.Object] | None) -> Iterator[str]:
    """The name of a collection with exactly these objects, for exporters. Empty for the whole scene.

    It is not linked to the scene, and is removed at the end. Selection and visibility do not matter.
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


class Hidden(NamedTuple):
    """The hidden objects with a surface, and hidden instances of collections.

    Attributes
    ----------
    left_out : list of bpy.types.Object
        What a file for an engine leaves out.
    colliders : list of bpy.types.Object
        Colliders of visible meshes. They are written, but a check without hidden objects does not test them.
    """

    left_out: list[bpy.types.Object]
    colliders: list[bpy.types.Object]


def hidden_objects(context: bpy.types.Context) -> Hidden:
    """The hidden objects of the scene.

    A hidden collider stays with its meshes, because artists hide colliders, and is only hidden with all of them. Levels
    of detail stay with a visible level, and objects whose visibility is animated and parents of visible objects stay.
    """
    scene, layer = context.scene, context.view_layer
    objects = list(scene.objects)
    hidden = {
        ob.session_uid: ob
        for ob in objects
        if (ob.type in GEOMETRY_TYPES or ob.instance_type == "COLLECTION")
        and hidden_reason(ob, layer)
        and not has_animated_visibility(ob)
    }
    if not hidden:
        return Hidden([], [])
    levels = {(one.before, one.after) for ob in objects if ob.session_uid not in hidden and (one := level_of(ob.name))}
    for uid, ob in list(hidden.items()):
        level = level_of(ob.name)
        if level is not None and (level.before, level.after) in levels:
            del hidden[uid]
    owners = Owners(objects)
    colliders = {
        uid: ob
        for uid, ob in hidden.items()
        if (is_collider(ob) or owners.is_of_ragdoll(ob)) and not _all_hidden(owners.meshes_of(ob), hidden)
    }
    hidden = {uid: ob for uid, ob in hidden.items() if uid not in colliders}
    needed = {above.session_uid for ob in objects if ob.session_uid not in hidden for above in ancestors(ob)}
    return Hidden([ob for uid, ob in hidden.items() if uid not in needed], list(colliders.values()))


def _all_hidden(meshes: Sequence[bpy.types.Object], hidden: Collection[int]) -> bool:
    """Whether there are meshes, and all of them are hidden."""
    return bool(meshes) and all(one.session_uid in hidden for one in meshes)


def assets(scene: bpy.types.Scene) -> dict[str, tuple[bpy.types.Object, ...]]:
    """The assets of a scene: each object with a surface that has no parent, or whose parent has no surface.

    Returns
    -------
    dict of str to tuple of bpy.types.Object
        By file name: the object, all of its descendants, its colliders, and the armatures that deform it.
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
        # Some file systems ignore case.
        while free.casefold() in taken:
            number += 1
            free = f"{name}_{number}"
        taken.add(free.casefold())
        found[free] = tuple(dict.fromkeys(members))
    return found


def _file_name(name: str) -> str:
    """Convert the name of an object to a file name that is valid in any file system.

    There is room for an extension and a number.
    """
    clean = bpy.path.clean_name(name).encode()[:_LONGEST].decode(errors="ignore")
    # For Windows these are devices, with any extension.
    return f"{clean}_" if clean.casefold() in _DEVICES else clean


def with_colliders(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> tuple[bpy.types.Object, ...]:
    """Objects, and their colliders anywhere in the scene."""
    return tuple(dict.fromkeys([*objects, *Owners(scene.objects).colliders_of(objects)]))


def sheared_within_parents(objects: Iterable[bpy.types.Object]) -> list[str]:
    """The names of objects whose transforms have shear relative to their parents.

    Most file formats do not support such a transform.

    A rotated object that keeps its transform when it is parented to an object with non-uniform scale is not sheared in
    world space, but relative to its parent.
    """
    children = list(dict.fromkeys(ob for ob in objects if ob.parent is not None))
    placed = scene_objects.transforms.of_matrices([ob.matrix_local for ob in children])
    sheared = ~placed.upright & ~placed.flat
    return [ob.name for ob, leans in zip(children, sheared.tolist(), strict=True) if leans]


@contextmanager
def unsheared(context: bpy.types.Context, objects: Sequence[bpy.types.Object] | None) -> Iterator[list[str]]:
    """Unparent objects that are sheared relative to their parents, keeping their transforms. Yields their names.

    Only for objects that are not sheared in world space and are not animated, so that they stay in place. Their parents
    are restored at the end. None: all objects of the scene.
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
    """Write an FBX file, with custom properties.

    Return the names of the objects that are in it without their parents, see `unsheared`.

    Raises
    ------
    RuntimeError, AttributeError
        If the exporter fails, or is not enabled.
    """
    context = bpy.context
    with unsheared(context, objects) as cleared, only(objects) as collection, animation.frames.all_frames_kept(context):
        _operators.export_scene.fbx(
            filepath=str(path), collection=collection, use_mesh_modifiers=modifiers, use_custom_props=True
        )
    return cleared
