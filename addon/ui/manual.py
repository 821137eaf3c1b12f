# SPDX-License-Identifier: GPL-3.0-or-later
"""Where *Online Manual*, in the menu of the right mouse button, finds commands and settings."""

import bpy

# The website of the extension, as in blender_manifest.toml; its sections are named after the files in docs/.
WEBSITE = "https://extensions.blender.org/add-ons/collision-kit/"

# What each page is about: operators by their names, settings by their groups. The first that fits counts.
PAGES = {
    "fixes": ("separate", "rest_on", "snap_contact", "select_crossing_faces"),
    "colliders": (
        "make_collider",
        "make_collider_pieces",
        "compare_fits",
        "convert_collider",
        "mirror_collider",
        "copy_collider_settings",
        "rename_colliders",
        "apply_name_preset",
        "add_name_preset",
        "display_colliders",
        "hide_colliders",
        "select_colliders",
        "select_render_mesh",
        "export_gltf",
        "save_engine_script",
        "export_fbx",
        "export_usd",
        "export_urdf",
        "PG_collider",
        "PG_colliders",
        "PG_gltf",
    ),
    "validation": ("validate_colliders", "select_finding", "fix_finding", "fix_all", "PG_validation", "PG_issue_group"),
    "motion": (
        "check_motion",
        "jump_to_contact",
        "add_contact_markers",
        "remove_contact_markers",
        "clear_motion",
        "PG_motion",
        "PG_marker",
        "PG_contact",
        "PG_contacts",
    ),
    "planar": ("show_convex_pieces", "hide_convex_pieces", "make_convex_pieces", "PG_planar"),
    "culling": ("cull_to_camera", "select_outside_camera", "hide_outside_camera", "clear_culling"),
    "definitions": ("check_convexity", "show_obstacle", "hide_obstacle"),
    "evidence": ("step_axis", "PG_axis", "PG_explanation"),
    "configuration": (
        "ignore_pair",
        "suggest_rules",
        "edit_rules",
        "import_configuration",
        "export_configuration",
        "PG_pair_test",
        "PG_ignore_rule",
    ),
    "report": (
        "accept_pair",
        "unaccept_pair",
        "pair_matrix",
        "filter_results",
        "copy_report",
        "save_report",
        "load_topics",
        "select_duplicates",
        "PG_accepted",
        "PG_topic",
        "PG_view",
    ),
    "settings": (
        "copy_collision_settings",
        "reset_collision_settings",
        "apply_check_preset",
        "add_check_preset",
        "PG_object",
        "PG_scene",
    ),
    "quickstart": (
        "check_collisions",
        "select_pair",
        "next_result",
        "previous_result",
        "isolate_pair",
        "select_checked",
        "select_verdict",
        "results_table",
        "show_all_results",
        "clear_results",
        "PG_row",
        "PG_results",
    ),
}


def manual_map() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address, and what comes after it for each operator and setting, in lower case as Blender looks."""
    return WEBSITE, tuple((_pattern(name), f"#{page}") for page, names in PAGES.items() for name in names)


def _pattern(name: str) -> str:
    group = name.startswith("PG_")
    return f"bpy.types.collision_kit_{name.lower()}.*" if group else f"bpy.ops.collision_kit.{name}"


def register() -> None:
    """Tell Blender where to look."""
    bpy.utils.register_manual_map(manual_map)


def unregister() -> None:
    """Have it look no more."""
    bpy.utils.unregister_manual_map(manual_map)
