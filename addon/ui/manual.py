# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages for *Online Manual*, in the context menu of operators and settings."""

from collections.abc import Iterator

import bpy

from . import operators

# Website of the extension, as in blender_manifest.toml.
WEBSITE = "https://collision-kit.github.io/collision-kit/"

# Page of each group of settings. An operator names its own page.
PAGES = {
    "colliders": ("PG_collider", "PG_colliders", "PG_gltf"),
    "validation": ("PG_validation", "PG_issue_group"),
    "coverage": ("PG_coverage", "PG_compared_object", "PG_compared_objects"),
    "motion": ("PG_motion", "PG_marker", "PG_contact", "PG_contact_view", "PG_contacts"),
    "probe": ("PG_probe", "PG_start", "PG_accepted_walk_issue", "PG_walk_issue", "PG_walk_issues"),
    "planar": ("PG_planar",),
    "fixes": ("PG_floating", "PG_floating_list"),
    "evidence": ("PG_axis", "PG_explanation"),
    "configuration": ("PG_pair_test", "PG_ignore_rule"),
    "report": ("PG_accepted", "PG_topic", "PG_view"),
    "settings": ("PG_object", "PG_scene"),
    "quickstart": ("PG_row", "PG_results"),
}


def manual_map() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address, and the page of each operator and setting, in lower case as Blender compares names."""
    return WEBSITE, tuple((name, f"{page}.html") for name, page in _pages())


def _pages() -> Iterator[tuple[str, str]]:
    for operator in operators.CLASSES:
        yield f"bpy.ops.{operator.bl_idname}", operator.manual
    for page, groups in PAGES.items():
        for group in groups:
            yield f"bpy.types.collision_kit_{group.lower()}.*", page


def register() -> None:
    """Register the manual map."""
    bpy.utils.register_manual_map(manual_map)


def unregister() -> None:
    """Unregister the manual map."""
    bpy.utils.unregister_manual_map(manual_map)
