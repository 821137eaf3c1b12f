# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex colliders of several pieces."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Triangles that share a vertex are of one piece."""
    count = len(collider.local_mesh.representatives)
    return {"count": count} if collider.kind == "HULL" and count > 1 else None


RULE = Rule(
    id="several-pieces",
    severity="warning",
    engine="any",
    sentence="Convex collider has {count} loose parts: engines enclose all of them in one hull.",
    advice="Separate the mesh by loose parts.",
    find=each_collider(_find),
    fix="separate",
)
