# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shape an object stands for, and who says so.

In this order: the object's own setting; its rigid body's shape; its name, if that is a collider's; its mesh.
Empties have the shape that they are displayed as.

How large the shape is depends on who says so. A setting goes by the bounds of the evaluated mesh along the
object's axes, about their center: a sphere as wide as their longest side, a capsule along it, a cone with its apex
up along Z. A rigid body's shape has the size and the place that Blender's simulation gives it: the same, but about
the object's origin, and a capsule along Z. A name means that the mesh is that shape already, which `fitting`
decides as Unreal does. A mesh is what it is: its convex hull if it is convex, else its triangles.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import bpy

from ...engines.unreal_names import PREFIXES, collider_prefix
from ...model.message import Message
from .. import meshes
from .traits import settings_of

SETTING, RIGID_BODY, MESH, EMPTY = Message("setting"), Message("rigid body"), Message("mesh"), Message("empty")
NAME = "name"

# Blender's own names for the shapes of rigid bodies, where ours differ.
_RIGID_BODY_SHAPES = {"CONVEX_HULL": "HULL"}

_TRIGGER = Message("Triggers do not block anything.")
_SHAPELESS = Message("Collision shape is set to None.")

_EMPTY_SHAPES = {"SPHERE": "SPHERE", "CUBE": "BOX"}


@dataclass(frozen=True)
class Choice:
    """What an object is to be tested as.

    Attributes
    ----------
    shape : str
        BOX, SPHERE, ELLIPSOID, CAPSULE, CYLINDER, CONE, HULL, HALF_SPACE, MESH; COMPOUND, whose shape is that of its
        children; NONE.
    source : str
        Who says so: one of the constants above.
    note : str
        For NONE: why. For NAME: the prefix.
    """

    shape: str
    source: str
    note: str = ""

    @property
    def reason(self) -> str:
        """The source as the report names it."""
        return Message("name {prefix}_", prefix=self.note) if self.source == NAME else self.source

    @property
    def needs_hull(self) -> bool:
        """Whether the convex hull of the mesh is sure to be needed: for a mesh, to tell whether it is convex."""
        return self.shape in {"HULL", "MESH"} or (self.shape, self.source) == (
            "CAPSULE",
            NAME,
        )


# The same object for the same choice: comparing those of thousands of objects costs nothing then.
_choice = cache(Choice)


def setting_of(ob: bpy.types.Object) -> str:
    """Return the shape that the user has set for an object; AUTO where nothing is set."""
    return str(settings_of(ob).shape)


def made_as_collider(ob: bpy.types.Object) -> bool:
    """Whether an object was made as a collider of what it is parented to, whatever it is called."""
    return bool(settings_of(ob).collider.kind != "NONE")


def is_trigger(ob: bpy.types.Object) -> bool:
    """Whether an object tells what is in it and stops nothing."""
    return bool(settings_of(ob).collider.trigger)


def choose(ob: bpy.types.Object) -> Choice:
    """Return what an original object is to be tested as."""
    return choice_by(settings_of(ob), ob)


def shape_of(ob: bpy.types.Object) -> Choice:
    """Return the shape that an original object stands for, tested or not."""
    return _shape_by(settings_of(ob), ob)


def choice_by(settings: Any, ob: bpy.types.Object) -> Choice:
    """`choose`, with the object's settings at hand."""
    if settings.collider.trigger:
        return _choice("NONE", SETTING, _TRIGGER)
    return _shape_by(settings, ob)


def _shape_by(settings: Any, ob: bpy.types.Object) -> Choice:
    setting = settings.shape
    if setting == "NONE":
        return _choice("NONE", SETTING, _SHAPELESS)
    if setting != "AUTO":
        return _choice(setting, SETTING)
    body, kind = ob.rigid_body, ob.type
    if body is not None:
        shape = str(body.collision_shape)
        return _choice(_RIGID_BODY_SHAPES.get(shape, shape), RIGID_BODY)
    if kind in meshes.types.GEOMETRY_TYPES:
        prefix = collider_prefix(ob.name)
        return _choice(PREFIXES[prefix], NAME, prefix) if prefix else _choice("MESH", MESH)
    if kind == "EMPTY":
        shown = ob.empty_display_type
        note = Message("An empty displayed as {type} has no shape.", type=_ui_name("empty_display_type", shown))
        return _choice(_EMPTY_SHAPES.get(shown, "NONE"), EMPTY, note)
    return _choice("NONE", EMPTY, Message("An object of type {type} has no surface.", type=_ui_name("type", kind)))


@cache
def _ui_name(field: str, value: str) -> Message:
    """Return an enum's value as Blender's interface spells it."""
    values = cast(bpy.types.EnumProperty, bpy.types.Object.bl_rna.properties[field])
    return Message(values.enum_items[value].name)
