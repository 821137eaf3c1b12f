# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of colliders in glTF files."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...i18n import CONTEXT
from .colliders import CAPSULES

MESHES = (
    (
        "AUTO",
        "Automatic",
        (
            "Omit the meshes of colliders for glTF and, with OMI, for Godot. Keep those of colliders that engines "
            "recognize by name"
        ),
    ),
    ("LEAVE_OUT", "Omit", "Export colliders without visible meshes"),
    ("KEEP", "Keep", "Export all colliders with their meshes, which other programs show"),
)

REVISIONS = (
    ("MESH", "2026 (Mesh)", "By mesh, as specified since January 2026"),
    ("NODE", "2025 (Node)", "By node, for importers from before January 2026"),
)


_CAPSULES = (
    ("AUTO", "Automatic", "Total if the engine of the scene is Godot, otherwise between centers"),
    *CAPSULES,
)


class COLLISION_KIT_PG_gltf(bpy.types.PropertyGroup):
    """Settings of colliders in glTF files."""

    read: BoolProperty(
        name="Import Colliders",
        description="Import the colliders and triggers that the file declares",
        default=True,
        options=set(),
    )
    write: BoolProperty(
        name="Export Colliders",
        description=("Export colliders, and objects with a collision shape or rigid body, with physics extensions"),
        default=True,
        options=set(),
    )
    validate: BoolProperty(
        name="Validate",
        description="Validate during export, as set in the preferences",
        default=True,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    khr: BoolProperty(
        name="KHR",
        description="Export the drafts of the Khronos Group, KHR_physics_rigid_bodies and KHR_implicit_shapes",
        default=True,
        options=set(),
    )
    omi: BoolProperty(
        name="OMI",
        description="Export OMI_physics_body and OMI_physics_shape, which Godot 4 imports",
        default=True,
        options=set(),
    )
    omi_capsules: EnumProperty(
        name="Capsule Height",
        translation_context=CONTEXT,
        description="What the height of a capsule is in OMI_physics_shape",
        items=_CAPSULES,
        default="AUTO",
        options=set(),
    )
    meshes: EnumProperty(
        name="Collider Meshes",
        translation_context=CONTEXT,
        description="Whether collision-only objects keep their visible meshes in the file",
        items=MESHES,
        default="AUTO",
        options=set(),
    )
    revision: EnumProperty(
        name="Spec Revision",
        translation_context=CONTEXT,
        description="How the mesh of a convex hull or triangle mesh collider is referenced",
        items=REVISIONS,
        default="MESH",
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_gltf,)
