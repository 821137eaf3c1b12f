# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are scaled to nothing."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider
from .transform import transform_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return {} if transform_of(collider.linear).collapsed else None


RULE = Rule(
    id="zero-scale",
    severity="error",
    engine="any",
    sentence="Scale is zero along at least one axis.",
    advice="Reset the scale of the object or of its parent.",
    find=each_collider(_find),
)
