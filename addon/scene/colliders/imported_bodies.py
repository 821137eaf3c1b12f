# SPDX-License-Identifier: GPL-3.0-or-later
"""Combine imported objects into the bodies that their file declares."""

from collections.abc import Sequence

import bpy
from mathutils import Matrix

from ..objects.owners import is_collider, render_mesh_above
from ..settings import object_settings


def join_body(
    body: bpy.types.Object,
    solid: Sequence[bpy.types.Object],
    seen: Sequence[bpy.types.Object],
    *,
    triggers: bool = False,
) -> None:
    """Make objects part of a body.

    Parameters
    ----------
    body : bpy.types.Object
        The object that the body is named after. It may be one of the others.
    solid : sequence of bpy.types.Object
        Objects that the file declares as colliders.
    seen : sequence of bpy.types.Object
        Objects that are only visible. If the only colliders are visible meshes themselves, nothing else excludes these
        from the check, so they get the shape None.
    triggers : bool
        Whether the body has triggers. The visible objects of a body that has only triggers get the shape None, too.
    """
    for ob in solid:
        above = render_mesh_above(ob) if is_collider(ob) else None
        # A body may be named after a collider that belongs to the mesh above it.
        if above is None or ob != body:
            _join(above or ob, body)
    for ob in seen:
        if solid:
            _join(ob, body)
        if (solid or triggers) and not any(is_collider(one) for one in solid):
            object_settings(ob).shape = "NONE"


def take_place(mesh: bpy.types.Object, empty: bpy.types.Object) -> bool:
    """Replace the empty that an importer has left at the place of a skinned mesh by that mesh.

    Children of the empty become children of the mesh and keep their place. An animated empty is kept, because its
    children follow it.

    Returns
    -------
    bool
        Whether the empty was removed.
    """
    if empty.type != "EMPTY" or empty.animation_data is not None:
        return False
    inverse, name = mesh.matrix_world.inverted_safe(), empty.name
    for child in list(empty.children):
        world = child.matrix_world.copy()
        child.parent, child.matrix_parent_inverse = mesh, Matrix()
        child.matrix_basis = inverse @ world
    bpy.data.objects.remove(empty)
    mesh.name = name
    return True


def _join(ob: bpy.types.Object, body: bpy.types.Object) -> None:
    if ob != body:
        object_settings(ob).part_of = body
