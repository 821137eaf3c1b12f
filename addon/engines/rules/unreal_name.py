# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders without a prefix."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider
from ..collider_roles import role_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return {} if collider.own and (role is None or role.system != "unreal") else None


RULE = Rule(
    id="unreal-name",
    severity="error",
    engine="unreal",
    sentence="Name has no Unreal collision prefix: imported as a visible mesh.",
    advice="Start the name with UBX_, USP_, UCP_ or UCX_, followed by the name of the render mesh.",
    find=each_object(_find),
    fix="rename",
)
