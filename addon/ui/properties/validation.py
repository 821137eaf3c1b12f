# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can set for validations of colliders."""

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ...asset_rules import Limits
from ...i18n import CONTEXT

ENGINES = (
    ("ANY", "Any Engine", "Only the rules that hold in every engine"),
    ("UNREAL", "Unreal", "Names and pairing as Unreal's importer reads them, and what it accepts as box or sphere"),
    ("GODOT", "Godot", "Suffixes as Godot's scene importer reads them, and what it makes of shared meshes"),
    ("UNITY", "Unity", "How large convex mesh colliders may be in Unity, and which of them may move"),
    ("GLTF", "glTF", "What the physics extensions of glTF can express"),
)

SCOPES = (
    ("ALL", "Whole Scene", "All objects of the scene, hidden ones too: they are exported all the same"),
    ("VISIBLE", "Visible Objects", "Objects that can be seen, with all of their colliders"),
    ("SELECTED", "Selected Objects", "Selected objects, with all of their colliders"),
)

_USUAL = Limits()


class COLLISION_KIT_PG_validation(bpy.types.PropertyGroup):
    """What a validation looks at, and what it holds colliders against."""

    engine: EnumProperty(
        name="Engine",
        translation_context=CONTEXT,
        description="The engine that the colliders are for: its own rules count as well",
        items=ENGINES,
        default="ANY",
        options=set(),
    )
    scope: EnumProperty(
        name="Objects",
        translation_context=CONTEXT,
        description="Whose colliders are validated",
        items=SCOPES,
        default="ALL",
        options=set(),
    )
    smallest: FloatProperty(
        name="Least Thickness",
        description="Colliders that are thinner than this are reported",
        default=_USUAL.smallest,
        min=0.0,
        soft_max=1.0,
        step=0.1,
        precision=4,
        subtype="DISTANCE",
        options=set(),
    )
    vertices: IntProperty(
        name="Hull Vertices",
        description="The most vertices that a convex collider may have",
        default=_USUAL.vertices,
        min=4,
        soft_max=256,
        options=set(),
    )
    triangles: IntProperty(
        name="Mesh Triangles",
        description="The most triangles that a collider may have which is tested triangle by triangle",
        default=_USUAL.triangles,
        min=4,
        soft_max=10000,
        options=set(),
    )
    sticking_out: FloatProperty(
        name="Sticking Out",
        description=(
            "How far a mesh may stick out of its colliders, and they out of it, before it is reported: a share of the "
            "diagonal of the mesh's bounds"
        ),
        default=100.0 * _USUAL.sticking_out,
        min=0.0,
        max=100.0,
        precision=1,
        subtype="PERCENTAGE",
        options=set(),
    )
    overlap: FloatProperty(
        name="Overlap",
        description=(
            "How deep two colliders of one body may be in each other before it is reported: a share of the diagonal of "
            "the smaller one's bounds"
        ),
        default=100.0 * _USUAL.overlap,
        min=0.0,
        max=100.0,
        precision=1,
        subtype="PERCENTAGE",
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_validation,)
