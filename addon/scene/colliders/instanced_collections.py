# SPDX-License-Identifier: GPL-3.0-or-later
"""Collection instances of a scene as engines import them: all members of the collections, including hidden ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ...model.tolerances import SHEAR
from ..objects.owners import Owners, is_collider


@dataclass(frozen=True, eq=False)
class Instance:
    """A placed collection.

    Attributes
    ----------
    collection : bpy.types.Collection
    host : bpy.types.Object
        The object of the scene that instances it, directly or through other instances.
    label : str
        Names of the objects that instance it, beginning with the object of the scene.
    matrix : (4, 4) float64
        From the collection's space to the world.
    """

    collection: bpy.types.Collection
    host: bpy.types.Object
    label: str
    matrix: Floats


def instances_without_colliders(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The objects of a scene that instance a collection in which a mesh has no collider."""
    found, bare = list[bpy.types.Object](), dict[int, bool]()
    for ob in scene.objects:
        collection = ob.instance_collection if ob.instance_type == "COLLECTION" else None
        if collection is None:
            continue
        uid = collection.session_uid
        if uid not in bare:
            members = list(collection.all_objects)
            with_colliders = {mesh.session_uid for mesh in Owners(members).stood_for()}
            meshes = [one for one in members if one.type == "MESH" and not is_collider(one)]
            bare[uid] = any(one.session_uid not in with_colliders for one in meshes)
        if bare[uid]:
            found.append(ob)
    return found


def distinct_instances(
    scene: bpy.types.Scene, matrix_of: Callable[[bpy.types.Object], Floats]
) -> tuple[list[Instance], list[set[int]]]:
    """The collections that a scene instances, once for all instances that differ only by a rigid motion.

    Parameters
    ----------
    scene : bpy.types.Scene
    matrix_of : function
        Returns the placement of an object: in world space for the scene, in collection space for a collection.

    Returns
    -------
    list of Instance
        In the order of the scene's objects.
    list of set of int
        The `session_uid` of the hosts of all instances that are equal to each.
    """
    known: dict[tuple[int, bytes], int] = {}
    found: list[Instance] = []
    hosts: list[set[int]] = []
    for ob in scene.objects:
        for one in _within(ob, ob, ob.name, matrix_of(ob), matrix_of):
            key = (one.collection.session_uid, stretch(one.matrix))
            if key not in known:
                known[key] = len(found)
                found.append(one)
                hosts.append(set())
            hosts[known[key]].add(one.host.session_uid)
    return found, hosts


def _within(
    ob: bpy.types.Object,
    host: bpy.types.Object,
    label: str,
    matrix: Floats,
    matrix_of: Callable[[bpy.types.Object], Floats],
) -> Iterator[Instance]:
    """The instances of an object, and nested ones. Blender does not allow a collection within itself."""
    collection = ob.instance_collection if ob.instance_type == "COLLECTION" else None
    if collection is None:
        return
    place = matrix.copy()
    place[:3, 3] -= matrix[:3, :3] @ np.array(collection.instance_offset, dtype=np.float64)
    yield Instance(collection, host, label, place)
    for member in collection.all_objects:
        yield from _within(member, host, f"{label}/{member.name}", place @ matrix_of(member), matrix_of)


def stretch(matrix: Floats) -> bytes:
    """The part of a matrix that affects lengths and angles, without position and rotation, rounded."""
    linear = matrix[:3, :3]
    gram = linear.T @ linear
    size = max(float(np.abs(gram).max()), np.finfo(np.float64).tiny)
    mirrored = bool(np.linalg.det(linear) < 0.0)
    return np.rint(np.append(gram.ravel() / size, np.log(size)) / SHEAR).astype(np.int64).tobytes() + bytes([mirrored])
