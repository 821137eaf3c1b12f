# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders without a surface."""

from .rule import Limits, Rule, Values, each_object
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.finite and not len(collider.triangles) else None


RULE = Rule(
    id="no-faces",
    severity="error",
    engine="any",
    sentence="It has no faces, so engines import nothing or a collider of nothing.",
    advice="Model it, make a convex hull of its vertices, or delete it.",
    find=each_object(_find),
    fix="hull",
)
