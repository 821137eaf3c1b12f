# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that disagree on what is outside."""

import numpy as np

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Two triangles agree if they run along their common edge in opposite directions."""
    edges = collider.local_mesh.edges
    count = int(np.count_nonzero(edges.open & (edges.uses % 2 == 0)))
    return {"count": count} if count else None


RULE = Rule(
    id="inconsistent-normals",
    severity="warning",
    engine="any",
    sentence="Normals are inconsistent at {count} edges.",
    advice="Recalculate normals outside.",
    find=each_collider(_find),
    fix="outward",
)
