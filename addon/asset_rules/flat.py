# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders without a volume."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Triangle meshes may be flat: a ground is. What is flat because of its scale has a rule of its own."""
    return {} if collider.kind != "MESH" and collider.local_hull.dimension < 3 else None


RULE = Rule(
    id="flat",
    severity="error",
    engine="any",
    sentence="Mesh is flat, without volume: engines reject it or give it minimum thickness.",
    advice="Give the mesh thickness.",
    find=each_collider(_find),
)
