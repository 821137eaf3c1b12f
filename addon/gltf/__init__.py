# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in glTF files: KHR_implicit_shapes and KHR_physics_rigid_bodies, with Blender's glTF add-on.

Both extensions are drafts of the Khronos Group. Two revisions of KHR_physics_rigid_bodies are in use. Up to October
2025, a mesh geometry refers to a `node` that has the mesh; since January 2026, to the `mesh` itself. Both are read.
"""

SHAPES, PHYSICS = "KHR_implicit_shapes", "KHR_physics_rigid_bodies"

# In the extras of a collider whose mesh is only for the collider.
OWN = "collision_kit_only"

# Extensions of the Open Metaverse Interoperability Group with the same content, which Godot reads.
OMI_BODY, OMI_SHAPES, OMI_JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"

# Extensions for surfaces, textures, lights and notes. Files may require them, but they change no shape.
APPEARANCE = (
    *("KHR_lights_punctual", "EXT_lights_ies", "EXT_lights_image_based", "KHR_materials_anisotropy"),
    *("KHR_materials_clearcoat", "KHR_materials_diffuse_transmission", "KHR_materials_dispersion"),
    *("KHR_materials_emissive_strength", "KHR_materials_ior", "KHR_materials_iridescence"),
    *("KHR_materials_pbrSpecularGlossiness", "KHR_materials_sheen", "KHR_materials_specular"),
    *("KHR_materials_subsurface", "KHR_materials_transmission", "KHR_materials_unlit", "KHR_materials_variants"),
    *("KHR_materials_volume", "KHR_techniques_webgl", "KHR_texture_basisu", "KHR_texture_transform"),
    *("EXT_texture_avif", "EXT_texture_procedurals", "EXT_texture_video", "EXT_texture_webp", "MSFT_texture_dds"),
    *("MSFT_packing_normalRoughnessMetallic", "MSFT_packing_occlusionRoughnessMetallic", "GOOGLE_texture_basis"),
    *("ADOBE_materials_clearcoat_specular", "ADOBE_materials_clearcoat_tint", "ADOBE_materials_thin_transparency"),
    *("KHR_xmp", "KHR_xmp_json_ld", "VRMC_materials_mtoon"),
)
