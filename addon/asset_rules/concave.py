# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex colliders that are not convex."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Of one piece that is closed and knows its outside; what is not has rules of its own, and is asked again then."""
    if collider.kind != "HULL" or collider.local_hull.dimension < 3 or collider.solidity.convex:
        return None
    if not collider.local_mesh.watertight or len(collider.local_mesh.representatives) > 1:
        return None
    filled = 1.0 - collider.solidity.volume / collider.local_hull.volume
    return {"percent": f"{100.0 * max(filled, 0.0):.3g}"}


RULE = Rule(
    id="not-convex",
    severity="warning",
    engine="any",
    sentence=("Convex collider is not convex: engines use its convex hull, {percent} % of which is empty."),
    advice="Split the mesh into convex parts, or replace it by its convex hull.",
    find=each_collider(_find),
    fix="hull",
)
