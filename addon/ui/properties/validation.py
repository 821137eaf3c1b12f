# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of validations of colliders."""

import bpy
from bpy.props import CollectionProperty, EnumProperty, FloatProperty, IntProperty

from ...asset_rules.limits import Limits
from ...i18n import CONTEXT
from ..callbacks import results as callbacks_results
from .lengths import length_setting

ENGINES = (
    ("ANY", "Any Engine", "Check only rules that apply to all engines. New colliders are named as for Unreal"),
    (
        "UNREAL",
        "Unreal",
        (
            "Names such as UCX_Name_01 (UBX_ box, USP_ sphere, UCP_ capsule, UCX_ convex). Check names, pairing, boxes "
            "and spheres as the Unreal importer reads them"
        ),
    ),
    (
        "GODOT",
        "Godot",
        "Names such as Name_01-convcolonly. Check suffixes and shared meshes as Godot's scene importer handles them",
    ),
    (
        "UNITY",
        "Unity",
        (
            "Names such as Name_collider, for an import script in your project. Check the size limits of convex mesh "
            "colliders, and which may move"
        ),
    ),
    ("GLTF", "glTF", "Names such as Name_collider. Check what the glTF physics extensions can express"),
    ("USD", "USD", "Names such as Name_collider. Check what UsdPhysics allows for rigid bodies and colliders"),
)

SCOPES = (
    ("ALL", "Whole Scene", "All objects in the scene, including hidden ones, which are exported as well"),
    ("VISIBLE", "Visible Objects", "All visible objects and their colliders"),
    ("SELECTED", "Selected Objects", "All selected objects and their colliders"),
)

_USUAL = Limits()


class COLLISION_KIT_PG_validation(bpy.types.PropertyGroup):
    """Scope and limits of a validation."""

    scope: EnumProperty(
        name="Objects",
        translation_context=CONTEXT,
        description="Objects whose colliders are validated",
        items=SCOPES,
        default="ALL",
        options=set(),
    )
    smallest: length_setting(
        name="Min Thickness",
        description="Report colliders that are thinner than this",
        default=_USUAL.smallest,
        fine=True,
    )
    vertices: IntProperty(
        name="Max Vertices",
        description="Maximum number of vertices of a convex collider",
        default=_USUAL.vertices,
        min=4,
        soft_max=256,
        options=set(),
    )
    triangles: IntProperty(
        name="Max Triangles",
        description="Maximum number of triangles of a triangle mesh collider",
        default=_USUAL.triangles,
        min=4,
        soft_max=10000,
        options=set(),
    )
    sticking_out: FloatProperty(
        name="Max Protrusion",
        description=(
            "How far render mesh and colliders may protrude from each other, as a fraction of the "
            "diagonal of the render mesh's bounds"
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
            "How deep two colliders of one body may overlap, as a fraction of the diagonal of the smaller one's bounds"
        ),
        default=100.0 * _USUAL.overlap,
        min=0.0,
        max=100.0,
        precision=1,
        subtype="PERCENTAGE",
        options=set(),
    )


class COLLISION_KIT_PG_issue(bpy.types.PropertyGroup):
    """A row of the list of one rule's issues: the issue with the number of the row."""


class COLLISION_KIT_PG_issue_group(bpy.types.PropertyGroup):
    """The list of issues of one rule, named by the rule's id. It belongs to the window manager, like other results."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_issue)
    active: IntProperty(
        name="Issue",
        description="Click to select and frame the object of this issue. A hidden object is shown",
        update=callbacks_results.issue_chosen,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_validation, COLLISION_KIT_PG_issue, COLLISION_KIT_PG_issue_group)
