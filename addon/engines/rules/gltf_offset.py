# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that are not about their origin."""

from ....core.numerics.vectors import length
from ...asset_rules.rule import Length, Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider
from ...model.tolerances import OFF_CENTER


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """An implicit shape is centered on its node."""
    if collider.kind not in {"BOX", "SPHERE", "CAPSULE"}:
        return None
    lower, upper = collider.points.min(axis=0), collider.points.max(axis=0)
    center = (lower + upper) / 2.0
    if float(length(center)) <= OFF_CENTER * float(length(upper - lower)):
        return None
    return {"length": Length(float(length(collider.linear @ center)))}


RULE = Rule(
    id="gltf-offset",
    severity="info",
    engine="gltf",
    sentence="Its middle is {length} from its origin, and the shapes of glTF are about the origin of their node.",
    advice="Set its origin to the middle of its bounds.",
    find=each_collider(_find),
    fix="origin",
)
