# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex colliders with too many vertices."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, limits: Limits) -> Values | None:
    """By the vertices of the hull, which are all that an engine keeps."""
    count = len(collider.local_hull.vertices)
    if collider.kind != "HULL" or count <= limits.vertices:
        return None
    return {"count": count, "limit": limits.vertices}


RULE = Rule(
    id="vertex-budget",
    severity="warning",
    engine="any",
    sentence="Convex hull has {count} vertices; the limit is {limit}.",
    advice="Reduce the hull; Fix All makes one with fewer vertices that encloses the mesh.",
    find=each_collider(_find),
    fix="simplify",
)
