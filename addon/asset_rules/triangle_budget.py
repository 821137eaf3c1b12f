# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes with too many triangles."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, limits: Limits) -> Values | None:
    count = len(collider.triangles)
    if collider.kind != "MESH" or count <= limits.triangles:
        return None
    return {"count": count, "limit": limits.triangles}


RULE = Rule(
    id="triangle-budget",
    severity="warning",
    engine="any",
    sentence="Triangle mesh collider has {count} triangles; the limit is {limit}.",
    advice="Decimate the mesh, or use convex colliders.",
    find=each_collider(_find),
)
