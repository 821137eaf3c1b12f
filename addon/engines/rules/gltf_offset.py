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
    sentence=("Center is {length} away from the origin: glTF shapes are centered on the origin of their node."),
    advice="Set the origin to the center of the bounds.",
    find=each_collider(_find),
    fix="origin",
)
