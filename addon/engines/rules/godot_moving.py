# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes that move."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.moving and collider.kind == "MESH" else None


RULE = Rule(
    id="godot-moving-mesh",
    severity="error",
    engine="godot",
    sentence="It is tested triangle by triangle and moves: in Godot such a collider can only stand still.",
    advice="Use convex colliders, or make the rigid body passive.",
    find=each_object(_find),
)
