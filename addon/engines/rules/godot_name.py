# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders without a suffix."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider
from ..collider_roles import role_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return {} if collider.own and (role is None or role.system != "godot") else None


RULE = Rule(
    id="godot-name",
    severity="error",
    engine="godot",
    sentence="Name has no Godot collision suffix: imported as a visible mesh.",
    advice="End the name with -convcolonly, or with -colonly for a triangle mesh.",
    find=each_object(_find),
    fix="rename",
)
