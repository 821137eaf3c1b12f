# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale below zero."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider
from .transform import transform_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return {} if transform_of(collider.linear).mirrored else None


RULE = Rule(
    id="negative-scale",
    severity="warning",
    engine="any",
    sentence="Scale is negative: some engines turn the collider inside out, others ignore it.",
    advice="Apply the scale.",
    find=each_collider(_find),
    fix="apply",
)
