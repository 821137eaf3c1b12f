# SPDX-License-Identifier: GPL-3.0-or-later
"""Existing colliders: the points in them, which a new kind has to enclose, and mirror images."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ...core.query.queries import distance
from ...core.shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres
from ..engines.collider_names import Names
from ..model.tolerances import FLOAT32_EPS
from ..scene import open_file
from ..scene.colliders.objects import Faces, NewCollider, copy_object, remake_object
from ..scene.colliders.sources import Source, holder_of, source_reader, world_matrix, world_polygons
from ..scene.meshes.geometry import NO_GEOMETRY
from ..scene.objects.owners import Owners, is_collider
from ..scene.objects.structure import mirrored_bone, space_of
from ..scene.reading.read_scene import read_scene
from ..scene.settings import object_settings
from . import fit_record as colliders_record
from .fit import FitRequest, Fitted, frame_for, nearest_axes, world_mesh
from .fit_copies import Progress, fit_steps

# Dimensionless: fraction of the size of the enclosed points. Colliders contain their points up to rounding.
_HELD = 32.0 * FLOAT32_EPS

# Shapes that are given by the bounds of their mesh.
BY_BOUNDS = frozenset({"BOX", "SPHERE", "CAPSULE", "CYLINDER"})


def with_owners(
    context: bpy.types.Context, objects: Iterable[bpy.types.Object]
) -> list[tuple[bpy.types.Object, bpy.types.Object]]:
    """Return the mesh colliders among some objects, each with its owner. Those without owners are left out."""
    owners = Owners(context.scene.objects)
    chosen = [ob for ob in objects if ob.type == "MESH" and is_collider(ob)]
    found = ((ob, owners.of(ob)) for ob in chosen)
    return [(ob, owner) for ob, owner in found if owner is not None]


def convert_steps(
    context: bpy.types.Context, pairs: Sequence[tuple[bpy.types.Object, bpy.types.Object]], request: FitRequest
) -> Generator[Progress, None, list[Fitted]]:
    """Fit other shapes to the points in colliders; see `held_by`."""
    return (yield from fit_steps(held_by(context, pairs), request))


def held_by(context: bpy.types.Context, pairs: Sequence[tuple[bpy.types.Object, bpy.types.Object]]) -> list[Source]:
    """Return the points in colliders, to make other colliders around them.

    If a collider is unchanged and was made around points of its owner only, these are the owner's vertices in it.
    Otherwise, they are those of the collider itself.

    Raises
    ------
    UserError
        If a collider has no vertices, or has a coordinate that is not finite.
    """
    shapes = _as_read(context, [ob for ob, _ in pairs])
    whole = source_reader(context)
    found = []
    for ob, owner in pairs:
        record = colliders_record.known(ob)
        shape = shapes.get(ob.name)
        own = replace(_own_points(ob, shape, whole(ob)), owner_uid=owner.session_uid, owner=owner.name)
        own = replace(own, matrix=world_matrix(owner), alone=False, holder=holder_of(ob))
        if record is None or not record.alone or shape is None or colliders_record.is_stale(ob, owner, record):
            found.append(own)
            continue
        found.append(_inside(whole(owner), shape) or own)
    return found


def _as_read(context: bpy.types.Context, objects: Sequence[bpy.types.Object]) -> dict[str, Any]:
    """Return the shape that a check would use for each object, as a batch of one row."""
    read = read_scene(context, objects, margins=False)
    world = read.world
    return {
        shape.object: world.batches[world.batch[row]].take(np.array([world.slot[row]]))
        for row, shape in enumerate(read.shapes)
    }


def _own_points(ob: bpy.types.Object, shape: Any, itself: Source) -> Source:
    """Return the points of the collider itself. For a round shape, the corners of a mesh around it."""
    if isinstance(shape, Spheres | Capsules | Cylinders):
        points = world_mesh(shape, True, np.eye(3))[0]
        return Source(ob.session_uid, ob.name, world_matrix(ob), points, NO_GEOMETRY.triangles)
    return itself


def _inside(source: Source, shape: Hulls | Spheres | Capsules | Cylinders | Boxes | Meshes) -> Source | None:
    """Return the part of a source that is in a shape. None if it is empty."""
    size = float(np.abs(source.points - source.points[0]).max(initial=0.0)) + float(np.abs(source.points[0]).max())
    kept = distance(Spheres(source.points, np.zeros(len(source.points))), shape).distance <= _HELD * size
    if not kept.any():
        return None
    place = np.cumsum(kept) - 1
    triangles = source.triangles[kept[source.triangles].all(axis=1)]
    return replace(source, points=source.points[kept], triangles=place[triangles])


def mirror(
    context: bpy.types.Context, ob: bpy.types.Object, owner: bpy.types.Object, axis: int, copy: bool
) -> bpy.types.Object:
    """Mirror a collider across the plane through the owner's origin perpendicular to an axis of the owner.

    The mesh is mirrored, and its modifiers and scale are applied. Its axes stay right-handed. If it follows a bone, it
    then follows the opposite bone, by Blender's naming rules.

    Parameters
    ----------
    context : bpy.types.Context
    ob, owner : bpy.types.Object
    axis : int
        0, 1 or 2: X, Y or Z.
    copy : bool
        Keep the collider and mirror a copy of it.

    Raises
    ------
    NameTooLong
        As for `colliders.make`. Nothing is changed then.
    """
    matrix = world_matrix(owner)
    normal = nearest_axes(matrix)[:, axis]
    points, faces = world_polygons(context, ob)
    points = points - 2.0 * ((points - matrix[:3, 3]) @ normal)[:, None] * normal
    faces = [face[::-1] for face in faces]
    placed = world_matrix(ob)
    place = placed[:3, 3] - 2.0 * ((placed[:3, 3] - matrix[:3, 3]) @ normal) * normal
    axes = (np.eye(3) - 2.0 * np.outer(normal, normal)) @ nearest_axes(placed) @ np.diag([-1.0, 1.0, 1.0])
    parent, bone = mirrored_bone(ob) or (owner, "")
    frame, own = frame_for(space_of(parent, bone), axes, place)
    settings = object_settings(ob)
    kind = settings.collider.kind

    def mesh(found: Floats) -> tuple[Floats, Faces]:
        inward = bool(np.linalg.det(found[:3, :3]) < 0.0)
        inverse = np.linalg.inv(found[:3, :3]).T
        return (points - found[:3, 3]) @ inverse, [face[::-1] for face in faces] if inward else faces

    if copy:
        name = Names(open_file.object_names().values()).next_of(ob.name, owner.name)
        made = copy_object(context, ob, NewCollider(name, parent, frame, mesh, bone))
    else:
        remake_object(context, ob, NewCollider(ob.name, parent, frame, mesh, bone))
        made = ob
    colliders_record.mark(made, kind)
    if not own and settings.shape in BY_BOUNDS:
        object_settings(made).shape = "HULL"
    return made
