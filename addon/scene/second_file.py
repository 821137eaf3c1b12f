# SPDX-License-Identifier: GPL-3.0-or-later
"""A second file in the open scene: the other side of a check, or the colliders of the meshes."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import bpy
from mathutils import Matrix

from ..engines.stems import stem
from . import coverage
from .colliders.imported_bodies import join_body
from .files import add_objects
from .meshes.geometry import geometry_of
from .meshes.types import GEOMETRY_TYPES
from .objects.owners import is_collider
from .settings import object_settings


class Sides(NamedTuple):
    """The collections with the objects of the two files, by name."""

    first: str
    second: str


def add_file(context: bpy.types.Context, first: Path, second: Path, *, unit: float = 1.0) -> Sides:
    """Add the objects of a file to the open scene, with their size in meters.

    Parameters
    ----------
    context : bpy.types.Context
    first : Path
        The file of the scene.
    second : Path
    unit : float
        Meters per unit of the second file, for formats without units.

    Raises
    ------
    UnreadableFile
        As for `files.add_objects`.
    """
    scene = context.scene
    sides = bpy.data.collections.new(first.name), bpy.data.collections.new(second.name)
    for ob in scene.objects:
        sides[0].objects.link(ob)
    scene.collection.children.link(sides[1])
    added, meters = add_objects(context, second, unit=unit)
    for ob in added:
        for collection in [one for one in ob.users_collection if one.users]:
            collection.objects.unlink(ob)
        sides[1].objects.link(ob)
    context.view_layer.update()
    factor = meters / float(scene.unit_settings.scale_length)
    if factor != 1.0:
        for ob in [ob for ob in added if ob.parent is None]:
            ob.matrix_world = Matrix.Scale(factor, 4) @ ob.matrix_world
    context.view_layer.update()
    coverage.note_second(scene, second.name)
    return Sides(sides[0].name, sides[1].name)


def use_as_colliders(context: bpy.types.Context, sides: Sides) -> None:
    """Make the meshes of the second file the colliders of those of the first.

    A mesh gets the colliders with the same name, ignoring words such as `collision` and numbers. All other colliders
    are used for the rest of the visible meshes of the first file, as one body.
    """
    first, second = (bpy.data.collections[name].all_objects for name in sides)
    seen = [ob for ob in first if ob.type in GEOMETRY_TYPES and not is_collider(ob)]
    solid = [ob for ob in second if ob.type in GEOMETRY_TYPES]
    for ob in solid:
        object_settings(ob).collider.kind = _kind(ob)
    named = {stem(ob.name): ob for ob in seen} if len(seen) > 1 else {}
    members: dict[bpy.types.Object, list[bpy.types.Object]] = {}
    for ob in solid:
        owner = named.get(stem(ob.name)) if len(seen) > 1 else next(iter(seen), None)
        if owner is not None:
            members.setdefault(owner, []).append(ob)
    for owner, colliders in members.items():
        _put_below(owner, colliders)
        join_body(owner, colliders, [])
    rest = [ob for ob in solid if not any(ob in some for some in members.values())]
    others = [ob for ob in seen if ob not in members]
    if rest and others:
        whole = bpy.data.objects.new(Path(sides.first).stem, None)
        context.scene.collection.objects.link(whole)
        _put_below(whole, [*rest, *(ob for ob in first if ob.parent is None)])
        join_body(whole, rest, others)
    context.view_layer.update()


def _kind(ob: bpy.types.Object) -> str:
    """The kind of a collider that is a mesh of another file."""
    geometry = geometry_of(ob.data) if isinstance(ob.data, bpy.types.Mesh) else None
    usable = geometry is not None and len(geometry.triangles) and geometry.is_finite
    return "HULL" if usable and geometry is not None and geometry.solidity.convex else "MESH"


def _put_below(parent: bpy.types.Object, objects: Iterable[bpy.types.Object]) -> None:
    """Parent objects to another one, keeping their transforms."""
    inverse = parent.matrix_world.inverted_safe()
    for ob in objects:
        world = ob.matrix_world.copy()
        ob.parent, ob.parent_type = parent, "OBJECT"
        ob.matrix_parent_inverse = inverse
        ob.matrix_world = world
