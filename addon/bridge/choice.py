# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shape an object stands for, and who says so.

In this order: the object's own setting; its rigid body's shape; its name, if that is a collider's; its mesh.
Empties have the shape that they are displayed as.

How large the shape is depends on who says so. A setting goes by the bounds of the evaluated mesh along the
object's axes, about their centre: a sphere as wide as their longest side, a capsule along it. A rigid body's
shape has the size and the place that Blender's simulation gives it: the same, but about the object's origin,
and a capsule along Z. A name means that the mesh is that shape already, which `fitting` decides as Unreal
does. A mesh is what it is: its convex hull if it is convex, else its triangles.
"""

from dataclasses import dataclass
from typing import cast

import bpy

from .meshes import GEOMETRY_TYPES
from .naming import PREFIXES, collider_prefix

SETTING, RIGID_BODY, NAME, MESH, EMPTY = "setting", "rigid body", "name", "mesh", "empty"

# Blender's own names for the shapes of rigid bodies, where ours differ.
_RIGID_BODY_SHAPES = {"CONVEX_HULL": "HULL"}

_EMPTY_SHAPES = {"SPHERE": "SPHERE", "CUBE": "BOX"}


@dataclass(frozen=True)
class Choice:
    """What an object is to be tested as.

    Attributes
    ----------
    shape : str
        BOX, SPHERE, CAPSULE, CYLINDER, HULL, HALF_SPACE, MESH; CONE, which has no shape of its own yet; COMPOUND,
        whose shape is that of its children; NONE.
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
        return f"{NAME} {self.note}_" if self.source == NAME else self.source

    @property
    def needs_hull(self) -> bool:
        """Whether the convex hull of the mesh is sure to be needed: for a mesh, to tell whether it is convex."""
        return self.shape in {"HULL", "MESH", "CONE"} or (self.shape, self.source) == (
            "CAPSULE",
            NAME,
        )


def setting_of(ob: bpy.types.Object) -> str:
    """Return the shape that the user has set for an object; AUTO where nothing is set."""
    return str(getattr(getattr(ob, "collision_kit", None), "shape", "AUTO"))


def made_as_collider(ob: bpy.types.Object) -> bool:
    """Whether an object was made as a collider of what it is parented to, whatever it is called."""
    made = getattr(getattr(ob, "collision_kit", None), "collider", None)
    return str(getattr(made, "kind", "NONE")) != "NONE"


def is_trigger(ob: bpy.types.Object) -> bool:
    """Whether an object tells what is in it and stops nothing."""
    return bool(getattr(getattr(getattr(ob, "collision_kit", None), "collider", None), "trigger", False))


def choose(ob: bpy.types.Object) -> Choice:
    """Return what an original object is to be tested as."""
    return Choice("NONE", SETTING, "as a trigger it stops nothing") if is_trigger(ob) else shape_of(ob)


def shape_of(ob: bpy.types.Object) -> Choice:
    """Return the shape that an original object stands for, tested or not."""
    setting = setting_of(ob)
    if setting == "NONE":
        return Choice("NONE", SETTING, "its collision shape is set to nothing")
    if setting != "AUTO":
        return Choice(setting, SETTING)
    if ob.rigid_body is not None:
        shape = str(ob.rigid_body.collision_shape)
        return Choice(_RIGID_BODY_SHAPES.get(shape, shape), RIGID_BODY)
    if ob.type in GEOMETRY_TYPES:
        prefix = collider_prefix(ob.name)
        return Choice(PREFIXES[prefix], NAME, prefix) if prefix else Choice("MESH", MESH)
    if ob.type == "EMPTY":
        shape = _EMPTY_SHAPES.get(ob.empty_display_type, "NONE")
        return Choice(shape, EMPTY, f"an empty shown as {_ui_name(ob, 'empty_display_type')} has no shape")
    return Choice("NONE", EMPTY, f"an object of type {_ui_name(ob, 'type')} has no surface to test")


def _ui_name(ob: bpy.types.Object, field: str) -> str:
    """Return an enum's value as Blender's interface spells it."""
    values = cast(bpy.types.EnumProperty, ob.bl_rna.properties[field])
    return str(values.enum_items[getattr(ob, field)].name)
