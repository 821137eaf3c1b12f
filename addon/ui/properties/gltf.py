# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can set for colliders in glTF files."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...i18n import CONTEXT

MESHES = (
    (
        "AUTO",
        "Automatic",
        ("Omit the meshes of glTF colliders, and keep those of colliders that engines recognize by name"),
    ),
    ("LEAVE_OUT", "Omit", "Export colliders without visible meshes"),
    ("KEEP", "Keep", "Export all colliders with their meshes, which other programs show"),
)

REVISIONS = (
    ("MESH", "2026 (Mesh)", "By mesh, as specified since January 2026"),
    ("NODE", "2025 (Node)", "By node, for importers from before January 2026"),
)


class COLLISION_KIT_PG_gltf(bpy.types.PropertyGroup):
    """Colliders in glTF files."""

    read: BoolProperty(
        name="Import Colliders",
        description="Import the colliders and triggers that the file declares",
        default=True,
        options=set(),
    )
    write: BoolProperty(
        name="Export Colliders",
        description=(
            "Export colliders, and objects with a collision shape or rigid body, with the extension "
            "KHR_physics_rigid_bodies"
        ),
        default=True,
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
