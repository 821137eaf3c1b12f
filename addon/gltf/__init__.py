# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in glTF files: KHR_implicit_shapes and KHR_physics_rigid_bodies, read and written with Blender's add-on.

Both extensions are drafts of the Khronos Group. Of KHR_physics_rigid_bodies two revisions are in use: up to October
2025 a geometry that is a mesh names a `node` that has it, since January 2026 the `mesh` itself. Both are read.
"""

SHAPES, PHYSICS = "KHR_implicit_shapes", "KHR_physics_rigid_bodies"

# In the extras of a collider whose mesh is there for it only.
OWN = "collision_kit_only"

# The extensions of the Open Metaverse Interoperability Group, which say the same, and which Godot reads.
OMI_BODY, OMI_SHAPES = "OMI_physics_body", "OMI_physics_shape"
