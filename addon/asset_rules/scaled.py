# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale that has not been applied."""

from .rule import Limits, Rule, Values, each_collider
from .subject import Collider
from .transform import transform_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Sheared, mirrored and collapsed matrices have rules of their own."""
    found = transform_of(collider.linear)
    if found.collapsed or found.sheared or found.mirrored or not found.scaled:
        return None
    return {"scale": " × ".join(f"{value:.4g}" for value in found.scale)}


RULE = Rule(
    id="unapplied-scale",
    severity="warning",
    engine="any",
    sentence=("Scale is {scale} instead of 1: physics engines may ignore it, distort the shape or run slower."),
    advice="Apply the scale.",
    find=each_collider(_find),
    fix="apply",
)
