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
    sentence="Mesh has no faces: engines import nothing or an empty collider.",
    advice="Add faces, make a convex hull of the vertices, or delete the object.",
    find=each_object(_find),
    fix="hull",
)
