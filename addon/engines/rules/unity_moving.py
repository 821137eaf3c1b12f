# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes that move."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.moving and collider.kind == "MESH" else None


RULE = Rule(
    id="unity-moving-mesh",
    severity="error",
    engine="unity",
    sentence=(
        "It is tested triangle by triangle and moves: in Unity a rigid body that is not kinematic needs "
        "convex colliders."
    ),
    advice="Use convex colliders, or make the rigid body passive.",
    find=each_object(_find),
)
