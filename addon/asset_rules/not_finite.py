# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates that are no numbers."""

from .rule import Limits, Rule, Values, each_object
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return None if collider.finite else {}


RULE = Rule(
    id="non-finite",
    severity="error",
    engine="any",
    sentence="Coordinate, location, rotation or scale is infinite or not a number.",
    advice="Delete the invalid vertices, or reset the transform.",
    find=each_object(_find),
)
