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
    sentence="Its convex hull has {count} vertices; the budget is {limit}.",
    advice="Simplify it; a hull of fewer vertices that holds all of it is made for you.",
    find=each_collider(_find),
    fix="simplify",
)
