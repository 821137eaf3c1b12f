# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes mesh objects that stand for other objects: placed, parented, named, in a collection of their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import bpy
import numpy as np
from mathutils import Matrix

from ....core.numerics.types import Floats
from ...engines.unreal_names import without_number
from ...model.errors import UserError

COLLECTION = "Colliders"

# How an object is displayed, beside its color.
_DISPLAY = ("display_type", "show_in_front", "show_name", "show_wire", "hide_render")

Faces = list[list[int]]


@dataclass(frozen=True, eq=False)
class Wanted:
    """A mesh object to be made.

    Attributes
    ----------
    name : str
    owner : bpy.types.Object
        Its parent, unless that is scaled to nothing.
    frame : (4, 4) float64, optional
        Where it is to be in the world, unscaled; None: in its owner's own space.
    mesh : callable
        Vertices and faces in the object's space, given where it came to be: a (4, 4) float64 matrix, rounded.
    """

    name: str
    owner: bpy.types.Object
    frame: Floats | None
    mesh: Callable[[Floats], tuple[Floats, Faces]]


class NameTooLong(UserError):
    """Blender cannot keep a name."""

    def __init__(self, name: str) -> None:
        super().__init__('Name "{name}" is too long for Blender: shorten the object\'s name', name=name)


def make_objects(context: bpy.types.Context, wanted: Sequence[Wanted]) -> list[bpy.types.Object]:
    """Make objects, drawn as wires and not rendered.

    Raises
    ------
    NameTooLong
        Then nothing was made.
    """
    made: list[bpy.types.Object] = []
    for one in wanted:
        ob = bpy.data.objects.new(one.name, bpy.data.meshes.new(one.name))
        made.append(ob)
        if ob.name != one.name:
            for each in made:
                _remove(each)
            raise NameTooLong(one.name)
    collection = collider_collection(context)
    for ob, one in zip(made, wanted, strict=True):
        collection.objects.link(ob)
        ob.display_type = "WIRE"
        ob.hide_render = True
        place(ob, one.owner, one.frame)
    context.view_layer.update()
    for ob, one in zip(made, wanted, strict=True):
        fill(ob, one)
    context.view_layer.update()
    return made


def copy_object(context: bpy.types.Context, ob: bpy.types.Object, wanted: Wanted) -> bpy.types.Object:
    """Make another object that differs in name, place and mesh only, in the same collections.

    Raises
    ------
    NameTooLong
        Then nothing was made.
    """
    made = ob.copy()
    made.data = bpy.data.meshes.new(wanted.name)
    for collection in ob.users_collection:
        collection.objects.link(made)
    try:
        remake_object(context, made, wanted)
    except NameTooLong:
        _remove(made)
        raise
    return made


def remake_object(context: bpy.types.Context, ob: bpy.types.Object, wanted: Wanted) -> None:
    """Give an object another name, place and mesh; what else it has stays.

    Raises
    ------
    NameTooLong
        Then it is as it was.
    """
    before = ob.name
    ob.name = wanted.name
    if ob.name != wanted.name:
        ob.name = before
        raise NameTooLong(wanted.name)
    old = cast(bpy.types.Mesh, ob.data)
    ob.data = bpy.data.meshes.new(wanted.name)
    if not old.users:
        bpy.data.meshes.remove(old)
    place(ob, wanted.owner, wanted.frame)
    context.view_layer.update()
    fill(ob, wanted)
    context.view_layer.update()


def collider_collection(context: bpy.types.Context) -> bpy.types.Collection:
    """The scene's collection for colliders, made where there is none."""
    for collection in context.scene.collection.children_recursive:
        if without_number(collection.name)[0] == COLLECTION and collection.is_editable:
            return collection
    made = bpy.data.collections.new(COLLECTION)
    context.scene.collection.children.link(made)
    return made


def place(ob: bpy.types.Object, owner: bpy.types.Object, frame: Floats | None) -> None:
    """Parent an object so that it keeps its place; one that is scaled to nothing would take it along into that."""
    matrix = np.array(owner.matrix_world, dtype=np.float64)
    follows = bool(np.linalg.matrix_rank(matrix[:3, :3]) == 3)
    ob.parent = owner if follows else None
    ob.matrix_parent_inverse = Matrix(np.linalg.inv(matrix).tolist()) if follows and frame is not None else Matrix()
    if frame is None:
        ob.matrix_basis = Matrix() if follows else Matrix(matrix.tolist())
        return
    ob.location = frame[:3, 3].tolist()
    ob.rotation_mode = "XYZ"
    ob.rotation_euler = Matrix(frame[:3, :3].tolist()).to_euler()
    ob.scale = (1.0, 1.0, 1.0)


def fill(ob: bpy.types.Object, wanted: Wanted) -> None:
    """Make the mesh of an object for the place where it is."""
    points, faces = wanted.mesh(_world(ob))
    mesh = cast(bpy.types.Mesh, ob.data)
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.update()


def display_as(ob: bpy.types.Object, other: bpy.types.Object) -> None:
    """Display an object as another one is."""
    for name in _DISPLAY:
        setattr(ob, name, getattr(other, name))
    ob.color = other.color


def move_beside(ob: bpy.types.Object, other: bpy.types.Object) -> None:
    """Put an object into the collections of another one and no others, as far as they can be changed."""
    wanted = [collection for collection in other.users_collection if collection.is_editable]
    if not wanted:
        return
    before = [collection for collection in ob.users_collection if collection.is_editable]
    for collection in wanted:
        if collection not in before:
            collection.objects.link(ob)
    for collection in before:
        if collection not in wanted:
            collection.objects.unlink(ob)


def select_only(context: bpy.types.Context, objects: Sequence[bpy.types.Object]) -> None:
    """Select these, as far as they can be seen, and make the first the active one; only in object mode."""
    seen = [ob for ob in objects if ob.visible_get(view_layer=context.view_layer)]
    if context.mode != "OBJECT" or not seen:
        return
    for ob in tuple(context.view_layer.objects.selected):
        ob.select_set(False)
    for ob in seen:
        ob.select_set(True)
    context.view_layer.objects.active = seen[0]


def _world(ob: bpy.types.Object) -> Floats:
    """Where an object is; Blender does not keep that up to date for what the view layer leaves out."""
    if ob.visible_get():
        return np.array(ob.matrix_world, dtype=np.float64)
    above = ob.parent.matrix_world @ ob.matrix_parent_inverse if ob.parent is not None else Matrix()
    return np.array(above @ ob.matrix_basis, dtype=np.float64)


def _remove(ob: bpy.types.Object) -> None:
    mesh = cast(bpy.types.Mesh, ob.data)
    bpy.data.objects.remove(ob)
    bpy.data.meshes.remove(mesh)
