# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of single engines, a file each, and the list of all rules.

They are about names and about what importers accept, so they stand beside `engines.unreal_names` and
`engines.unreal_shapes`, which know both; nothing in here reads Blender's data. The rules of any engine are in
`addon.asset_rules`.
"""

from ...asset_rules import RULES as GENERAL
from ...asset_rules import Rule
from . import (
    gltf_axis,
    gltf_offset,
    gltf_shape,
    gltf_uneven,
    godot_case,
    godot_empty,
    godot_moving,
    godot_name,
    godot_number,
    godot_shared,
    unity_moving,
    unity_postprocessor,
    unity_triangles,
    unity_vertices,
    unreal_ambiguous,
    unreal_box,
    unreal_capsule,
    unreal_case,
    unreal_instanced,
    unreal_name,
    unreal_no_mesh,
    unreal_other_mesh,
    unreal_sphere,
)

RULES: tuple[Rule, ...] = (
    *GENERAL,
    *(
        module.RULE
        for module in (
            unreal_name,
            unreal_instanced,
            unreal_no_mesh,
            unreal_other_mesh,
            unreal_case,
            unreal_ambiguous,
            unreal_box,
            unreal_sphere,
            unreal_capsule,
            godot_name,
            godot_number,
            godot_empty,
            godot_case,
            godot_shared,
            godot_moving,
            unity_postprocessor,
            unity_vertices,
            unity_triangles,
            unity_moving,
            gltf_shape,
            gltf_uneven,
            gltf_offset,
            gltf_axis,
        )
    ),
)
"""Every rule there is, those of any engine first."""


def rules_for(engine: str) -> tuple[Rule, ...]:
    """The rules that hold for an engine: its own, and those of any."""
    return tuple(rule for rule in RULES if rule.engine in ("any", engine))
