# SPDX-License-Identifier: GPL-3.0-or-later
"""The collision shape of an object, and the source of this choice.

The sources are, in this order: the object's own setting; the shape of its rigid body; the geometry type of a Phobos
collision object, handled like a setting; a collider name; its mesh. An empty only has a shape if one is set, with its
display size, because empties are mostly markers, targets of constraints, or handles.

The size of the shape depends on the source. For a setting, it is computed from the bounds of the evaluated mesh along
the object's axes, about their center: a sphere as wide as their longest side, a capsule along it, a cylinder along the
axis along which the mesh looks round, a cone with its apex up along Z. The shape of a rigid body has the size and the
place that it has in Blender's simulation: the same, but about the object's origin, and a capsule along Z. For a name,
the mesh already is that shape, which is decided as in Unreal. A mesh is tested as its convex hull if it is convex,
otherwise as its triangles.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import bpy

from ...engines.unreal_names import PREFIXES, collider_prefix
from ...model.message import Message
from .. import meshes
from .collision_settings import settings_of
from .structure import link_part, link_shape

# Custom property of Phobos collision objects.
PHOBOS = Message("Phobos geometry")
SETTING, RIGID_BODY, MESH = Message("setting"), Message("rigid body"), Message("mesh")
# Type of an object without a shape of its own.
TYPE = "type"
NAME = "name"

# Blender's names for the shapes of rigid bodies, where they differ from the add-on's.
_RIGID_BODY_SHAPES = {"CONVEX_HULL": "HULL"}

_TRIGGER = Message("Triggers do not block anything.")
_SHAPELESS = Message("Collision shape is set to None.")

_EMPTY = Message("Empties have no shape unless one is set.")
_BODILESS = {
    "inertial": Message("Inertial of a robot: it has only a mass."),
    "sensor": Message("Sensor of a robot: it only shows where one is."),
}


@dataclass(frozen=True)
class ShapeChoice:
    """The collision shape of an object.

    Attributes
    ----------
    shape : str
        BOX, SPHERE, ELLIPSOID, CAPSULE, CYLINDER, CONE, HULL, HALF_SPACE, MESH; COMPOUND, whose shape consists of its
        children; NONE.
    source : str
        Source of the choice: one of the constants above.
    note : str
        For NONE, the reason. For NAME, the prefix.
    axis : int, optional
        For CYLINDER, the local axis that is stored with a collider.
    """

    shape: str
    source: str
    note: str = ""
    axis: int | None = None

    @property
    def reason(self) -> str:
        """The source, as named in the report."""
        return Message("name {prefix}_", prefix=self.note) if self.source == NAME else self.source

    @property
    def needs_hull(self) -> bool:
        """Whether the convex hull of the mesh is certainly needed. For a mesh, it shows whether the mesh is convex."""
        return self.shape in {"HULL", "MESH"} or (self.shape, self.source) == (
            "CAPSULE",
            NAME,
        )


# Equal choices are the same object, so that comparing the choices of thousands of objects is fast.
_choice = cache(ShapeChoice)


def setting_of(ob: bpy.types.Object) -> str:
    """The shape that the user has set for an object. AUTO if nothing is set."""
    return str(settings_of(ob).shape)


def made_as_collider(ob: bpy.types.Object) -> bool:
    """Whether an object was made as a collider of its parent, whatever its name is."""
    return bool(settings_of(ob).collider.kind != "NONE")


def axis_by(settings: Any) -> int | None:
    """The local axis that is stored with a round collider. None if there is none."""
    return {"X": 0, "Y": 1, "Z": 2}.get(settings.collider.axis)


def is_trigger(ob: bpy.types.Object) -> bool:
    """Whether an object is a trigger: it detects overlaps and does not block."""
    return bool(settings_of(ob).collider.trigger)


def choose(ob: bpy.types.Object) -> ShapeChoice:
    """The collision shape of an original object."""
    return choice_by(settings_of(ob), ob)


def shape_of(ob: bpy.types.Object) -> ShapeChoice:
    """The shape of an original object, tested or not."""
    return _shape_by(settings_of(ob), ob)


def choice_by(settings: Any, ob: bpy.types.Object) -> ShapeChoice:
    """Run `choose` with the object's settings as an argument."""
    if settings.collider.trigger:
        return _choice("NONE", SETTING, _TRIGGER)
    return _shape_by(settings, ob)


def _shape_by(settings: Any, ob: bpy.types.Object) -> ShapeChoice:
    setting = settings.shape
    if setting == "NONE":
        return _choice("NONE", SETTING, _SHAPELESS)
    if setting != "AUTO":
        return _choice(setting, SETTING, "", axis_by(settings) if setting == "CYLINDER" else None)
    body, kind = ob.rigid_body, ob.type
    if body is not None:
        shape = str(body.collision_shape)
        return _choice(_RIGID_BODY_SHAPES.get(shape, shape), RIGID_BODY)
    if kind in meshes.types.GEOMETRY_TYPES:
        part = link_part(ob)
        if part in _BODILESS:
            return _choice("NONE", MESH, _BODILESS[part])
        if shape := link_shape(ob):
            return _choice(shape, PHOBOS if shape != "MESH" else MESH)
        prefix = collider_prefix(ob.name)
        return _choice(PREFIXES[prefix], NAME, prefix) if prefix else _choice("MESH", MESH)
    if kind == "EMPTY":
        return _choice("NONE", TYPE, _EMPTY)
    if kind in meshes.types.NODE_TYPES and any(one.type == "NODES" and one.show_viewport for one in ob.modifiers):
        return _choice("MESH", MESH)
    return _choice("NONE", TYPE, no_surface(kind))


def no_surface(kind: str) -> Message:
    """Return why an object of a type without a surface is not tested."""
    return Message("An object of type {type} has no surface.", type=_type_name(kind))


@cache
def _type_name(kind: str) -> Message:
    """The name of a type of objects in Blender's interface."""
    values = cast(bpy.types.EnumProperty, bpy.types.Object.bl_rna.properties["type"])
    return Message(values.enum_items[kind].name)
