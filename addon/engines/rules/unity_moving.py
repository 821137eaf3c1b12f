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
    sentence=("Triangle mesh collider moves: Unity requires convex colliders for non-kinematic rigid bodies."),
    advice="Use convex colliders, or set the rigid body to Passive.",
    find=each_object(_find),
)
