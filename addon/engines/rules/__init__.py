# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of single engines, a file for each engine, and the list of all rules.

They are about names and about what importers accept, so they stand beside `engines.unreal_names` and
`engines.unreal_shapes`, which know both; nothing in here reads Blender's data. The rules of any engine are in
`addon.asset_rules`.
"""

from ...asset_rules.catalog import RULES as GENERAL
from ...asset_rules.rule import Rule
from . import gltf, godot, unity, unreal, usd

RULES: tuple[Rule, ...] = (*GENERAL, *unreal.RULES, *godot.RULES, *unity.RULES, *gltf.RULES, *usd.RULES)
"""Every rule there is, those of any engine first."""


def rules_for(engine: str) -> tuple[Rule, ...]:
    """The rules that hold for an engine: its own, and those of any."""
    return tuple(rule for rule in RULES if rule.engine in ("any", engine))
