# SPDX-License-Identifier: GPL-3.0-or-later
"""Make mesh objects for other objects: place, parent and name them, in a separate collection."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import bpy
import numpy as np
from mathutils import Matrix

from ....core.numerics.types import Floats
from ...engines.unreal_names import without_number
from ...model.errors import UserError
from ..objects.own_data import check_own_object, check_own_scene, holds_objects
from ..objects.owners import Owners
from ..objects.structure import bone_above, space_of
from ..settings import object_settings
from .repair_mesh import thin_out

COLLECTION = "Colliders"

# The display settings of an object, other than its color.
_DISPLAY = ("display_type", "show_in_front", "show_name", "show_wire", "hide_render")

Faces = list[list[int]]


@dataclass(frozen=True, eq=False)
class NewCollider:
    """A mesh object to be made.

    Attributes
    ----------
    name : str
    parent : bpy.types.Object
        Its parent, unless that has a scale of zero.
    frame : (4, 4) float64, optional
        Its placement in the world, unscaled; None: the space of its parent, or of the bone.
    mesh : callable
        Returns vertices and faces in object space for the actual placement, a (4, 4) float64 matrix of rounded factors.
    bone : str
        The bone of its parent that it follows; empty: none.
    convex : bool
        Whether the mesh is a convex hull. It is made without triangles that have no area after rounding.
    """

    name: str
    parent: bpy.types.Object
    frame: Floats | None
    mesh: Callable[[Floats], tuple[Floats, Faces]]
    bone: str = ""
    convex: bool = False


class NameTooLong(UserError):
    """Raised for a name that is too long for Blender."""

    def __init__(self, name: str) -> None:
        super().__init__('Name "{name}" is too long for Blender: shorten the object\'s name', name=name)


def too_long(name: str) -> bool:
    """Whether a name is too long for Blender."""
    # Including the zero at its end.
    return len(name.encode()) >= cast(bpy.types.StringProperty, bpy.types.ID.bl_rna.properties["name"]).length_max


def make_objects(context: bpy.types.Context, wanted: Sequence[NewCollider]) -> list[bpy.types.Object]:
    """Make objects that are displayed as wire and not rendered.

    Raises
    ------
    NameTooLong
        Nothing is made then.
    UserError
        If the scene is linked.
    """
    made: list[bpy.types.Object] = []
    if not wanted:
        return made
    check_own_scene(context.scene)
    for one in wanted:
        ob = bpy.data.objects.new(one.name, bpy.data.meshes.new(one.name))
        made.append(ob)
        if ob.name != one.name:
            remove_objects(made)
            raise NameTooLong(one.name)
    collection = collider_collection(context)
    for ob, one in zip(made, wanted, strict=True):
        collection.objects.link(ob)
        ob.display_type = "WIRE"
        ob.hide_render = True
        place(ob, one)
    context.view_layer.update()
    for ob, one in zip(made, wanted, strict=True):
        fill(ob, one)
    context.view_layer.update()
    return made


def copy_object(context: bpy.types.Context, ob: bpy.types.Object, wanted: NewCollider) -> bpy.types.Object:
    """Copy an object with another name, placement and mesh, in the same collections.

    The copy of an override is an ordinary object.

    Raises
    ------
    NameTooLong
        Nothing is made then.
    """
    made = ob.copy()
    if made.override_library is not None:
        made.make_local(clear_liboverride=True)
    made.data = bpy.data.meshes.new(wanted.name)
    for collection in _open(ob.users_collection) or [collider_collection(context)]:
        collection.objects.link(made)
    try:
        remake_object(context, made, wanted)
    except NameTooLong:
        remove_objects([made])
        raise
    return made


def remake_object(context: bpy.types.Context, ob: bpy.types.Object, wanted: NewCollider) -> None:
    """Change the name, placement and mesh of an object, and nothing else.

    Raises
    ------
    NameTooLong
        The object is not changed then.
    UserError
        If it is linked.
    """
    check_own_object(ob)
    before = ob.name
    ob.name = wanted.name
    if ob.name != wanted.name:
        ob.name = before
        raise NameTooLong(wanted.name)
    old = cast(bpy.types.Mesh, ob.data)
    ob.data = bpy.data.meshes.new(wanted.name)
    if not old.users:
        bpy.data.meshes.remove(old)
        # While another mesh had this name, Blender added a number.
        ob.data.name = wanted.name
    place(ob, wanted)
    context.view_layer.update()
    fill(ob, wanted)
    context.view_layer.update()


class Renamed(NamedTuple):
    """An object and the name that it is to have."""

    object: bpy.types.Object
    name: str


def rename_objects(renamed: Sequence[Renamed]) -> None:
    """Rename objects, and their meshes if nothing else uses them. Names can be swapped.

    Raises
    ------
    NameTooLong
        Nothing is renamed then.
    UserError
        If an object is linked. Nothing is renamed then, either.
    """
    for one in renamed:
        check_own_object(one.object)
    before = [one.object.name for one in renamed]
    _rename_to_none(renamed)
    for one in renamed:
        one.object.name = one.name
        if one.object.name != one.name:
            _rename_to_none(renamed)
            for other, old in zip(renamed, before, strict=True):
                other.object.name = old
            raise NameTooLong(one.name)
    for one in renamed:
        data = one.object.data
        if data is not None and data.users == 1 and data.library is None:
            data.name = one.name


def _rename_to_none(renamed: Sequence[Renamed]) -> None:
    """Give objects temporary unused names."""
    for number, one in enumerate(renamed):
        one.object.name = f"{number} being renamed"


def keep_as_collider(ob: bpy.types.Object, owner: bpy.types.Object, kind: str) -> None:
    """Make an object a collider of its owner, whatever its name and parent are."""
    settings = object_settings(ob)
    if settings.collider.kind == "NONE":
        settings.collider.kind = kind
    if Owners(ob.users_scene[0].objects).of(ob) != owner:
        settings.part_of = owner


def remove_objects(objects: Iterable[bpy.types.Object]) -> None:
    """Remove mesh objects, and their meshes unless others use them."""
    for ob in tuple(objects):
        mesh = ob.data
        bpy.data.objects.remove(ob)
        if isinstance(mesh, bpy.types.Mesh) and not mesh.users:
            bpy.data.meshes.remove(mesh)


def collider_collection(context: bpy.types.Context) -> bpy.types.Collection:
    """The scene's collection for colliders. It is made if there is none."""
    for collection in _open(context.scene.collection.children_recursive):
        if without_number(collection.name)[0] == COLLECTION:
            return collection
    made = bpy.data.collections.new(COLLECTION)
    context.scene.collection.children.link(made)
    return made


def place(ob: bpy.types.Object, wanted: NewCollider) -> None:
    """Parent an object without moving it, unless the parent has a scale of zero, which would shrink the object."""
    space, frame = space_of(wanted.parent, wanted.bone), wanted.frame
    follows = bool(np.linalg.matrix_rank(space[:3, :3]) == 3)
    ob.parent = wanted.parent if follows else None
    ob.parent_type = "BONE" if follows and wanted.bone else "OBJECT"
    ob.parent_bone = wanted.bone if follows else ""
    ob.matrix_parent_inverse = Matrix()
    if frame is None:
        ob.matrix_basis = Matrix() if follows else Matrix(space.tolist())
        return
    location = frame[:3, 3]
    if follows:
        # Without the location of the parent, so that the size of the mesh does not depend on the distance.
        location = location - space[:3, 3]
        ob.matrix_parent_inverse = Matrix(np.linalg.inv(space[:3, :3]).tolist()).to_4x4()
    ob.location = location.tolist()
    ob.rotation_mode = "XYZ"
    ob.rotation_euler = Matrix(frame[:3, :3].tolist()).to_euler()
    ob.scale = (1.0, 1.0, 1.0)


def fill(ob: bpy.types.Object, wanted: NewCollider) -> None:
    """Make the mesh of an object for its placement."""
    points, faces = wanted.mesh(_world(ob))
    mesh = cast(bpy.types.Mesh, ob.data)
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.update()
    if wanted.convex:
        thin_out(ob)


def display_as(ob: bpy.types.Object, other: bpy.types.Object) -> None:
    """Copy the display settings of another object."""
    for name in _DISPLAY:
        setattr(ob, name, getattr(other, name))
    ob.color = other.color


def move_beside(ob: bpy.types.Object, other: bpy.types.Object) -> None:
    """Move an object to the editable collections of another one."""
    wanted = _open(other.users_collection)
    if not wanted:
        return
    before = _open(ob.users_collection)
    for collection in wanted:
        if collection not in before:
            collection.objects.link(ob)
    for collection in before:
        if collection not in wanted:
            collection.objects.unlink(ob)


def _open(collections: Iterable[bpy.types.Collection]) -> list[bpy.types.Collection]:
    return [collection for collection in collections if holds_objects(collection)]


def select_only(context: bpy.types.Context, objects: Sequence[bpy.types.Object]) -> None:
    """Select exactly these objects, if they are visible, and activate the first. Only in Object Mode."""
    seen = [ob for ob in objects if ob.visible_get(view_layer=context.view_layer)]
    if context.mode != "OBJECT" or not seen:
        return
    for ob in tuple(context.view_layer.objects.selected):
        ob.select_set(False)
    for ob in seen:
        ob.select_set(True)
    context.view_layer.objects.active = seen[0]


def _world(ob: bpy.types.Object) -> Floats:
    """The placement of an object from its components, which are rounded less than `matrix_world`.

    Only `matrix_world` includes constraints.
    """
    if any(constraint.enabled and constraint.influence for constraint in ob.constraints):
        return np.array(ob.matrix_world, dtype=np.float64)
    basis = np.array(ob.matrix_basis, dtype=np.float64)
    if ob.parent is None:
        return basis
    inverse = np.array(ob.matrix_parent_inverse, dtype=np.float64)
    placed: Floats = space_of(ob.parent, bone_above(ob)) @ inverse @ basis
    return placed
