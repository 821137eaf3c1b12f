# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of single engines, one file for each engine, and the list of all rules.

They concern names and importers, so they are beside `engines.unreal_names` and `engines.unreal_shapes`, which know
both. Nothing in here reads Blender data. Rules for any engine are in `addon.asset_rules`.
"""

from ...asset_rules.catalog import RULES as GENERAL
from ...asset_rules.rule import Rule
from . import gltf, godot, unity, unreal, usd

RULES: tuple[Rule, ...] = (*GENERAL, *unreal.RULES, *godot.RULES, *unity.RULES, *gltf.RULES, *usd.RULES)
"""Return every rule, those for any engine first."""


def rules_for(engine: str) -> tuple[Rule, ...]:
    """Return the rules that apply to an engine: its own, and those for any engine."""
    return tuple(rule for rule in RULES if rule.engine in ("any", engine))
