# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can set for colliders in glTF files."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...i18n import CONTEXT

MESHES = (
    (
        "AUTO",
        "Automatic",
        "Meshes of colliders that were made for glTF are left out; those that an engine knows by name are kept",
    ),
    ("LEAVE_OUT", "Leave Out", "No mesh of a collider is seen in the file; what reads the shapes needs none"),
    ("KEEP", "Keep", "Every collider keeps its mesh, which is seen by whatever does not know what it is for"),
)

REVISIONS = (
    ("MESH", "2026: Mesh", "As the draft has it since January 2026"),
    ("NODE", "2025: Node", "As the draft had it before; older readers know nothing else"),
)


class COLLISION_KIT_PG_gltf(bpy.types.PropertyGroup):
    """Colliders in glTF files."""

    read: BoolProperty(
        name="Read Colliders",
        description="Colliders and triggers that the file declares become colliders here",
        default=True,
        options=set(),
    )
    write: BoolProperty(
        name="Write Colliders",
        description=(
            "Colliders, and objects with a collision shape or a rigid body, are declared in the file, for engines that "
            "know KHR_physics_rigid_bodies; others ignore it"
        ),
        default=True,
        options=set(),
    )
    meshes: EnumProperty(
        name="Their Meshes",
        translation_context=CONTEXT,
        description="Whether colliders that are there for collisions only keep the meshes by which one sees them",
        items=MESHES,
        default="AUTO",
        options=set(),
    )
    revision: EnumProperty(
        name="Draft",
        translation_context=CONTEXT,
        description="How the file names the mesh of a collider that is a convex hull or a triangle mesh",
        items=REVISIONS,
        default="MESH",
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_gltf,)
