# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixes of transforms: applying scale and shear to the mesh, and centering origins."""

from typing import Any, cast

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.numerics.types import Floats
from ...asset_rules.linear_maps import transform_of
from ..meshes.geometry import geometry_of


def is_free(ob: bpy.types.Object) -> bool:
    """Whether an object's transform is not affected by constraints, animation or deltas, and its scale is not zero.

    Also, no child is parented to a triangle of its mesh. Such a child follows the triangle and would move.
    """
    if any(child.parent_type == "VERTEX_3" for child in ob.children):
        return False
    if ob.parent is not None and (ob.parent_type != "OBJECT" or transform_of(_linear(_world(ob.parent))).collapsed):
        return False
    if any(not constraint.mute for constraint in ob.constraints) or ob.animation_data is not None:
        return False
    plain = Matrix.LocRotScale(ob.delta_location, ob.delta_rotation_euler, ob.delta_scale) == Matrix()
    return plain and not transform_of(_linear(_world(ob))).collapsed


def apply(ob: bpy.types.Object) -> None:
    """Apply scale and shear to the mesh. The object and its children stay in place.

    A sheared object gets the rotation of its parent, so that the parent's non-uniform scale no longer shears it.
    """
    mesh = cast(bpy.types.Mesh, ob.data)
    world = _world(ob)
    linear = _linear(world)
    found = transform_of(linear)
    if found.sheared:
        rotation = _rotation(_linear(_world(ob.parent))) if ob.parent is not None else np.eye(3)
    else:
        rotation = _rotation(linear)
    target: Floats = np.eye(4)
    target[:3, :3], target[:3, 3] = rotation, world[:3, 3]
    inner: Floats = np.eye(4)
    inner[:3, :3] = rotation.T @ linear
    mesh.transform(_matrix(inner))
    if found.mirrored or np.linalg.det(linear) < 0.0:
        mesh.flip_normals()
    mesh.update()
    _move_to(ob, world, target)


def center_origin(ob: bpy.types.Object) -> None:
    """Move the origin to the center of the mesh's bounds. Nothing visible moves."""
    mesh = cast(bpy.types.Mesh, ob.data)
    points = geometry_of(mesh).points
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    step: Floats = np.eye(4)
    step[:3, 3] = -center
    mesh.transform(_matrix(step))
    mesh.update()
    world = _world(ob)
    target = world.copy()
    target[:3, 3] += _linear(world) @ center
    _move_to(ob, world, target)


def _move_to(ob: bpy.types.Object, world: Floats, target: Floats) -> None:
    """Set the world matrix of an object, and leave its children in place."""
    change: Floats = np.linalg.inv(target) @ world
    for child in ob.children:
        # A child that is parented to a vertex follows its position in the world.
        if child.parent_type == "VERTEX":
            continue
        child.matrix_parent_inverse = _matrix(change @ np.array(child.matrix_parent_inverse, dtype=np.float64))
    if ob.parent is not None:
        ob.matrix_parent_inverse = _matrix(np.linalg.inv(_world(ob.parent)))
    ob.matrix_basis = _matrix(target)


def _world(ob: bpy.types.Object) -> Floats:
    """The world matrix from the object and its parents, because Blender does not update that of hidden objects."""
    basis = np.array(ob.matrix_basis, dtype=np.float64)
    if ob.parent is None:
        return basis
    if ob.parent_type != "OBJECT":
        return np.array(ob.matrix_world, dtype=np.float64)
    inverse = np.array(ob.matrix_parent_inverse, dtype=np.float64)
    result: Floats = _world(ob.parent) @ inverse @ basis
    return result


def _linear(matrix: Floats) -> Floats:
    return matrix[:3, :3]


def _rotation(linear: Floats) -> Floats:
    """The proper rotation nearest to a matrix. For a mirroring matrix, its first axis is reversed before."""
    turned = linear / np.sqrt((linear**2).sum(axis=0))
    if np.linalg.det(turned) < 0.0:
        turned[:, 0] *= -1.0
    left, _, right = np.linalg.svd(turned)
    result: Floats = left @ right
    return result


def _matrix(values: NDArray[np.floating[Any]]) -> Matrix:
    return Matrix(values.tolist())
