# SPDX-License-Identifier: GPL-3.0-or-later
"""Structures of a scene that combine several objects into one body: bones, ragdolls, links of robots, imports.

The robots are those of Phobos. Its objects have the custom property ``phobostype``, a number in its list of types or
the name of a type. An object below a link may also be in the collection that Phobos names after the type.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ...system.late import np

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


# The types of the objects of Phobos that belong to a link, by the numbers that it stores.
_TYPE = "phobostype"
_LINK: tuple[object, ...] = (1, "link")
_PARTS = {2: "inertial", 3: "visual", 4: "collision", 5: "sensor"}
# Objects that only store a mass, or show the place of a sensor.
BODILESS = frozenset({"inertial", "sensor"})
# Custom property of a collision object with its type in a simulator, and the shapes for these types.
_GEOMETRY = "geometry/type"
_SHAPES = {"box": "BOX", "sphere": "SPHERE", "capsule": "CAPSULE", "cylinder": "CYLINDER", "mesh": "MESH"}

# Bone constraints that make the bone follow another object.
_FOLLOWING = frozenset({"CHILD_OF", "COPY_TRANSFORMS", "COPY_LOCATION", "COPY_ROTATION"})


class Structure(NamedTuple):
    """The place of an object in the structure of a scene. Objects are given by `session_uid`, 0 for none.

    Attributes
    ----------
    deformed_by : int
        The armature that deforms it.
    bone_of : int
        The armature whose bone it follows.
    bones : tuple of str
        That bone and its ancestors, nearest first.
    followed : tuple of int
        For an armature: the objects that its bones follow.
    rigid : bool
        Whether it is a rigid body.
    seen : bool
        Whether it is rendered, and not displayed as wire or bounds.
    link_part : str
        Its part in a link of a robot: "visual", "collision", "inertial" or "sensor". Empty: none.
    within : bool
        Whether the object that it is *Part Of* is an ancestor, or has the same parent, so that files and engines know
        it as well.
    """

    deformed_by: int = 0
    bone_of: int = 0
    bones: tuple[str, ...] = ()
    followed: tuple[int, ...] = ()
    rigid: bool = False
    seen: bool = True
    link_part: str = ""
    within: bool = False


# Most objects share this one.
USUAL = Structure()


def structure_of(ob: bpy.types.Object, settings: Any) -> Structure:
    """Read the structure of an original object with the given settings."""
    if ob.type == "ARMATURE":
        followed = tuple(dict.fromkeys(_followed(ob)))
        return Structure(followed=followed) if followed else USUAL
    if ob.type == "EMPTY":
        return USUAL
    armature, target = deforming_armature(ob), settings.part_of
    found = Structure(
        armature.session_uid if armature is not None else 0,
        ob.parent.session_uid if ob.parent is not None and bone_above(ob) else 0,
        bones_above(ob),
        (),
        ob.rigid_body is not None,
        not ob.hide_render and ob.display_type not in {"WIRE", "BOUNDS"},
        link_part(ob),
        target is not None and is_within(ob, target),
    )
    return USUAL if found == USUAL else found


def is_within(ob: bpy.types.Object, body: bpy.types.Object) -> bool:
    """Whether an object is a descendant of another one, or has the same parent."""
    above = ob.parent
    if above is not None and above == body.parent:
        return True
    while above is not None and above != body:
        above = above.parent
    return above is not None


def link_part(ob: bpy.types.Object) -> str:
    """The part of an object in a link of a robot, as in `Structure`. Empty: none."""
    parent = ob.parent
    if parent is None or parent.get(_TYPE) not in _LINK:
        return ""
    kind = ob.get(_TYPE)
    name = _PARTS.get(kind) if isinstance(kind, int) else kind
    if name in _PARTS.values():
        return str(name)
    collections = bpy.data.collections
    return next((one for one in _PARTS.values() if one in collections and ob.name in collections[one].objects), "")


def link_shape(ob: bpy.types.Object) -> str:
    """The shape of a collision object of a link, named as in the settings. Empty if there is none or it is unknown."""
    return _SHAPES.get(str(ob.get(_GEOMETRY, "")), "") if link_part(ob) == "collision" else ""


def _followed(armature: bpy.types.Object) -> list[int]:
    """The objects that the bones of an armature follow."""
    bones: Any = armature.pose.bones if armature.pose is not None else ()
    following = (one for bone in bones for one in bone.constraints if one.type in _FOLLOWING)
    return [one.target.session_uid for one in following if one.target is not None and one.target != armature]


def space_of(parent: bpy.types.Object, bone: str = "") -> "Floats":
    """The matrix that places children of an object in the world.

    Parameters
    ----------
    parent : bpy.types.Object
    bone : str
        For an armature: a bone in its current pose. Its children are placed from its tail, unless it has *Relative
        Parenting*. Empty, or not a bone of the armature: the object itself.

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
    """The name of the bone that an object is parented to. Empty: none."""
    on_bone = ob.parent is not None and ob.parent_type == "BONE" and ob.parent.type == "ARMATURE"
    return ob.parent_bone if on_bone else ""


def bones_above(ob: bpy.types.Object) -> tuple[str, ...]:
    """The names of the bone that an object is parented to and of its ancestors, nearest first."""
    name = bone_above(ob)
    armature = ob.parent.data if name and ob.parent is not None else None
    if not isinstance(armature, bpy.types.Armature) or name not in armature.bones:
        return ()
    bone = armature.bones[name]
    return (name, *(one.name for one in bone.parent_recursive))


def mirrored_bone(ob: bpy.types.Object) -> tuple[bpy.types.Object, str] | None:
    """The armature of the bone that an object follows, and the opposite bone by name, or the same bone."""
    armature, bone = ob.parent, bone_above(ob)
    if armature is None or armature.pose is None or not bone:
        return None
    other = bpy.utils.flip_name(bone)
    return armature, other if other in armature.pose.bones else bone


def deforming_armature(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The armature whose bones deform an object, by a modifier or as its parent."""
    for modifier in ob.modifiers:
        if isinstance(modifier, bpy.types.ArmatureModifier) and modifier.use_vertex_groups and modifier.object:
            return modifier.object
    return ob.parent if ob.parent_type == "ARMATURE" else None


def meshes_of_bone(ob: bpy.types.Object, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The meshes deformed by the armature whose bone an object follows."""
    armature = ob.parent if bone_above(ob) else None
    if armature is None:
        return []
    return [one for one in objects if one.type == "MESH" and deforming_armature(one) == armature]
