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
    sentence=("Transform is sheared by a parent with non-uniform scale: engines import it without shear."),
    advice="Apply the transform, or the scale of the parent.",
    find=each_collider(_find),
    fix="apply",
)
