# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are sheared."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider
from .transform import transform_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return {} if transform_of(collider.linear).sheared else None


RULE = Rule(
    id="sheared",
    severity="error",
    engine="any",
    sentence=(
        "It is sheared (a parent is scaled unevenly): engines know location, rotation and scale only, and "
        "place it otherwise."
    ),
    advice="Apply its transform, or the scale of its parent.",
    find=each_collider(_find),
    fix="apply",
)
