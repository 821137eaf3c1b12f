# SPDX-License-Identifier: GPL-3.0-or-later
"""Round shapes that are scaled unevenly."""

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider
from ...asset_rules.transform import transform_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Sheared and collapsed matrices have rules of their own."""
    found = transform_of(collider.linear)
    if collider.kind not in {"SPHERE", "CAPSULE"} or found.collapsed or found.sheared:
        return None
    return None if found.even else {}


RULE = Rule(
    id="gltf-uneven-scale",
    severity="error",
    engine="gltf",
    sentence="Scale is not uniform: glTF has no ellipsoids and no capsules with oval ends.",
    advice="Make the scale uniform, or change it to a convex collider (UCX_).",
    find=each_collider(_find),
    fix="as-hull",
)
