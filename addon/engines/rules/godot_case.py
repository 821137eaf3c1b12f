# SPDX-License-Identifier: GPL-3.0-or-later
"""Capitals."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider
from ..collider_roles import role_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return (
        {"name": role.mark} if role is not None and role.system == "godot" and role.mark != role.mark.lower() else None
    )


RULE = Rule(
    id="godot-capitals",
    severity="warning",
    engine="godot",
    sentence="Name suffix {name} has uppercase letters: older versions of Godot do not recognize it.",
    advice="Write the suffix in lowercase.",
    find=each_object(_find),
    fix="rename",
)
