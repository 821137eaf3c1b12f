# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that are a suffix and nothing else."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider
from ..collider_roles import role_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return {} if role is not None and role.system == "godot" and not role.stem.strip(" _-$") else None


RULE = Rule(
    id="godot-empty-name",
    severity="error",
    engine="godot",
    sentence="Name is only a suffix: Godot skips objects without a name before it.",
    advice="Add a name before the suffix.",
    find=each_object(_find),
    fix="rename",
)
