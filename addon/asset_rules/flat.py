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
    sentence="It is flat and has no volume: engines refuse it, or make it as thin as they can.",
    advice="Give it a thickness.",
    find=each_collider(_find),
)
