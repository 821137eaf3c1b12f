# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex mesh colliders with too many triangles."""

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider


def _find(collider: Collider, limits: Limits) -> Values | None:
    """By the triangles of the hull that Unity makes."""
    count = sum(len(face) - 2 for face in collider.local_hull.faces)
    if collider.kind != "HULL" or count <= limits.unity_triangles:
        return None
    return {"count": count, "limit": limits.unity_triangles}


RULE = Rule(
    id="unity-triangles",
    severity="error",
    engine="unity",
    sentence="Convex hull has {count} triangles; a convex mesh collider in Unity has at most {limit}.",
    advice="Reduce the hull; Fix All makes one with fewer vertices that encloses the mesh.",
    find=each_collider(_find),
    fix="simplify",
)
