# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that hide a suffix."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider
from ..collider_roles import role_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Digits, spaces and underscores behind the suffix do not count, a minus does."""
    role = role_of(collider.name)
    return None if role is None or role.read else {"name": role.mark}


RULE = Rule(
    id="godot-number",
    severity="error",
    engine="godot",
    sentence=("Name suffix {name} is not recognized by Godot: a number may follow it after _, not after -."),
    advice="Put the number before the suffix, or an underscore before the number.",
    find=each_object(_find),
    fix="rename",
)
