# SPDX-License-Identifier: GPL-3.0-or-later
"""Make mesh objects from polygons, as pieces of another object."""

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ....core.numerics.types import Floats
from ..objects.own_data import holds_objects
from ..objects.transforms import origin_of


def make_pieces(context: bpy.types.Context, ob: bpy.types.Object, polygons: Sequence[Floats]) -> list[bpy.types.Object]:
    """Make a mesh object from each polygon.

    They are named ``NAME_piece_1`` and so on, after the object, and are in the collection ``NAME_pieces`` beside it.
    They are unscaled children of the object with the same origin, and their collision shape is NONE.

    Parameters
    ----------
    context : bpy.types.Context
    ob : bpy.types.Object
    polygons : sequence of (k, 3) float64
        Corners in world coordinates.
    """
    collection = _collection(context, ob)
    matrix = np.array(ob.matrix_world, dtype=np.float64)
    origin = origin_of(ob)
    # An object with a scale of zero would shrink its children to nothing.
    follows = bool(np.linalg.matrix_rank(matrix[:3, :3]) == 3)
    inverse = Matrix(np.linalg.inv(matrix).tolist()) if follows else None
    made = []
    for number, corners in enumerate(polygons, 1):
        mesh = bpy.data.meshes.new(f"{ob.name}_piece_{number}")
        mesh.from_pydata((corners - origin).tolist(), [], [list(range(len(corners)))])
        piece = bpy.data.objects.new(mesh.name, mesh)
        piece.location = origin.tolist()
        if inverse is not None:
            piece.parent = ob
            piece.matrix_parent_inverse = inverse
        piece.collision_kit.shape = "NONE"  # type: ignore[attr-defined]
        collection.objects.link(piece)
        made.append(piece)
    return made


def _collection(context: bpy.types.Context, ob: bpy.types.Object) -> bpy.types.Collection:
    """The collection of an object's pieces, beside the object."""
    name = f"{ob.name}_pieces"
    beside = _beside(context, ob)
    found = next((child for child in beside.children if child.name == name and holds_objects(child)), None)
    if found is None:
        found = bpy.data.collections.new(name)
        beside.children.link(found)
    return found


def _beside(context: bpy.types.Context, ob: bpy.types.Object) -> bpy.types.Collection:
    """The first collection of an object that is visible in the view layer and editable."""
    layers = [context.view_layer.layer_collection]
    for layer in layers:
        layers += layer.children
    shown = {layer.collection for layer in layers if not layer.exclude and holds_objects(layer.collection)}
    return next((collection for collection in ob.users_collection if collection in shown), context.scene.collection)
