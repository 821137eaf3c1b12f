# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex mesh colliders with too many vertices."""

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider


def _find(collider: Collider, limits: Limits) -> Values | None:
    """By the vertices of the hull that Unity makes."""
    count = len(collider.local_hull.vertices)
    if collider.kind != "HULL" or count <= limits.unity_vertices:
        return None
    return {"count": count, "limit": limits.unity_vertices}


RULE = Rule(
    id="unity-vertices",
    severity="error",
    engine="unity",
    sentence="Convex hull has {count} vertices; a convex mesh collider in Unity has at most {limit}.",
    advice="Reduce the hull; Fix All makes one with fewer vertices that encloses the mesh.",
    find=each_collider(_find),
    fix="simplify",
)
