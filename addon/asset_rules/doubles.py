# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices at the same place."""

import numpy as np

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Exactly at the same place; what is near is a matter of taste. What one sees has seams, and may."""
    if not collider.own:
        return None
    names = collider.local_mesh.names
    count = int(np.count_nonzero(names != np.arange(len(names))))
    return {"count": count} if count else None


RULE = Rule(
    id="duplicate-vertices",
    severity="info",
    engine="any",
    sentence="Mesh has {count} duplicate vertices.",
    advice="Merge vertices by distance.",
    find=each_collider(_find),
    fix="clean",
)
