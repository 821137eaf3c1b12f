# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that follow bones, and the space that a parent, or a bone of it, places its children in."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import bpy

from ...system.late import np

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


def space_of(parent: bpy.types.Object, bone: str = "") -> "Floats":
    """The matrix that places children of an object in the world.

    Parameters
    ----------
    parent : bpy.types.Object
    bone : str
        Of an armature: a bone, as it is posed now. Its children are placed from its tail, unless it has *Relative
        Parenting*. Empty, or no bone of the armature: the object itself.

    Returns
    -------
    (4, 4) float64
        The product of the matrices of the armature and of the bone, without rounding it to float32.
    """
    matrix = np.array(parent.matrix_world, dtype=np.float64)
    posed = parent.pose.bones.get(bone) if bone and parent.pose is not None else None
    if posed is None:
        return matrix
    if posed.bone.use_relative_parent:
        local = np.array(posed.matrix_channel, dtype=np.float64)
    else:
        local = np.array(posed.matrix, dtype=np.float64)
        local[:3, 3] += float(posed.bone.length) * local[:3, 1]
    space: Floats = matrix @ local
    return space


def bone_above(ob: bpy.types.Object) -> str:
    """The name of the bone that an object is parented to; empty: none."""
    on_bone = ob.parent is not None and ob.parent_type == "BONE" and ob.parent.type == "ARMATURE"
    return ob.parent_bone if on_bone else ""


def bones_above(ob: bpy.types.Object) -> tuple[str, ...]:
    """The names of the bone that an object is parented to and of those above it, the nearest first."""
    name = bone_above(ob)
    armature = ob.parent.data if name and ob.parent is not None else None
    if not isinstance(armature, bpy.types.Armature) or name not in armature.bones:
        return ()
    bone = armature.bones[name]
    return (name, *(one.name for one in bone.parent_recursive))


def mirrored_bone(ob: bpy.types.Object) -> tuple[bpy.types.Object, str] | None:
    """The armature of the bone that an object follows, and its bone of the other side by name, or the same bone."""
    armature, bone = ob.parent, bone_above(ob)
    if armature is None or armature.pose is None or not bone:
        return None
    other = bpy.utils.flip_name(bone)
    return armature, other if other in armature.pose.bones else bone


def deforming_armature(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The armature whose bones move the vertices of an object, by a modifier or as its parent."""
    for modifier in ob.modifiers:
        if isinstance(modifier, bpy.types.ArmatureModifier) and modifier.use_vertex_groups and modifier.object:
            return modifier.object
    return ob.parent if ob.parent_type == "ARMATURE" else None


def meshes_of_bone(ob: bpy.types.Object, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The meshes that the armature deforms whose bone an object follows."""
    armature = ob.parent if bone_above(ob) else None
    if armature is None:
        return []
    return [one for one in objects if one.type == "MESH" and deforming_armature(one) == armature]
