# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with holes."""

import numpy as np

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """An edge that an odd number of triangles have is the rim of a hole; flat meshes have a rule of their own."""
    edges = collider.local_mesh.edges
    count = int(np.count_nonzero(edges.open & (edges.uses % 2 == 1)))
    return {"count": count} if count and collider.local_hull.dimension == 3 else None


RULE = Rule(
    id="open-mesh",
    severity="warning",
    engine="any",
    sentence="Mesh is open ({count} boundary edges): objects can get inside and stay there.",
    advice="Fill the holes, or replace a convex collider by its convex hull.",
    find=each_collider(_find),
    fix="hull",
)
