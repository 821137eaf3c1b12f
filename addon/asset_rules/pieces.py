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
    sentence="It is to be convex and has {count} loose pieces, of which engines make one hull.",
    advice="Make an object of each piece.",
    find=each_collider(_find),
    fix="separate",
)
