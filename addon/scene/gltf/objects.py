# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert objects of Blender's glTF importer to colliders, and read properties that its exporter does not write."""

from collections.abc import Iterable

import bpy
import numpy as np

from ....core.mesh.triangle_mesh import welded as first_of_equal
from ....core.numerics.types import Floats
from ..colliders.objects import Faces, collider_collection
from ..colliders.sources import world_matrix
from ..meshes.arrays import positions

# Dimensionless, relative to the largest side: bounds that differ by less are equal, because files have seven digits.
_SAME_BOUNDS = 1e-6


def polygons_of(objects: Iterable[bpy.types.Object], root: bpy.types.Object) -> tuple[Floats, Faces]:
    """The vertices and faces of mesh objects, as imported and without modifiers, in the space of another object."""
    inverse = np.linalg.inv(world_matrix(root))
    points: list[Floats] = []
    faces: Faces = []
    count = 0
    for ob in objects:
        if not isinstance(ob.data, bpy.types.Mesh):
            continue
        # In an object's own space, coordinates remain exact.
        into = np.eye(4) if ob == root else inverse @ world_matrix(ob)
        points.append(positions(ob.data).astype(np.float64) @ into[:3, :3].T + into[:3, 3])
        turn = -1 if np.linalg.det(into[:3, :3]) < 0.0 else 1
        faces += [[count + vertex for vertex in polygon.vertices][::turn] for polygon in ob.data.polygons]
        count += len(ob.data.vertices)
    return np.concatenate([np.empty((0, 3)), *points]), faces


def welded(points: Floats, faces: Faces) -> tuple[Floats, Faces]:
    """Merge vertices in the same place. Files have one for each normal.

    Edges without length and faces without area are removed.
    """
    used, of = np.unique(first_of_equal(points), return_inverse=True)
    found = []
    for face in faces:
        corners = of.ravel()[face].tolist()
        around = [corner for at, corner in enumerate(corners) if corner != corners[at - 1]]
        if len(set(around)) == len(around) > 2:
            found.append(around)
    return points[used], found


def weld(ob: bpy.types.Object) -> None:
    """Merge the vertices of an imported mesh that is only a collider, if no other object uses it."""
    if isinstance(ob.data, bpy.types.Mesh) and ob.data.users == 1:
        points, faces = welded(*polygons_of([ob], ob))
        if len(points) < len(ob.data.vertices):
            give_mesh(ob, points, faces)


def has_bounds_of(ob: bpy.types.Object, points: Floats) -> bool:
    """Whether the imported mesh of an object has the same bounds as some points in its space, within rounding."""
    if not isinstance(ob.data, bpy.types.Mesh) or len(ob.modifiers) or not len(ob.data.vertices):
        return False
    found, _ = polygons_of([ob], ob)
    apart = np.abs([found.min(axis=0) - points.min(axis=0), found.max(axis=0) - points.max(axis=0)])
    return bool(apart.max() <= _SAME_BOUNDS * np.ptp(points, axis=0).max())


def give_mesh(ob: bpy.types.Object, points: Floats, faces: Faces) -> None:
    """Replace the mesh of an object. The old mesh is removed if it has no other user."""
    old = ob.data
    mesh = bpy.data.meshes.new(ob.name)
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.update()
    ob.data = mesh
    if isinstance(old, bpy.types.Mesh) and not old.users:
        bpy.data.meshes.remove(old)
        # While another mesh had this name, Blender added a number.
        mesh.name = ob.name


def keep_apart(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Display an object as a collider, and move it to the collection for colliders."""
    ob.display_type = "WIRE"
    ob.hide_render = True
    wanted = collider_collection(context)
    for collection in ob.users_collection:
        if collection != wanted:
            collection.objects.unlink(ob)
    if ob.name not in wanted.objects:
        wanted.objects.link(ob)


def is_modified(ob: bpy.types.Object) -> bool:
    """Whether an object has modifiers."""
    return bool(len(ob.modifiers))


def remove(ob: bpy.types.Object) -> None:
    """Remove an object, and its mesh if it has no other user."""
    data = ob.data
    bpy.data.objects.remove(ob)
    if isinstance(data, bpy.types.Mesh) and not data.users:
        bpy.data.meshes.remove(data)
