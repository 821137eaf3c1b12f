# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed meshes that are turned inside out."""

import numpy as np

from ...core.numerics.tolerances import RULE_ROUNDING
from ...core.numerics.vectors import length
from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """By the volume that closed triangles enclose, which is below zero if they face inward."""
    mesh = collider.local_mesh
    if not mesh.watertight:
        return None
    # About a point of the mesh: far from the origin the volume would drown in rounding.
    first, second, third = np.moveaxis(mesh.corners - mesh.corners[0, 0], 1, 0)
    volume = float(np.einsum("ij,ij->i", first, np.cross(second, third)).sum()) / 6.0
    area = float(length(np.cross(second - first, third - first)).sum()) / 2.0
    # More than rounding makes of a mesh that encloses nothing.
    return {} if volume < -RULE_ROUNDING * float(np.abs(mesh.corners).max()) * area else None


RULE = Rule(
    id="inside-out",
    severity="warning",
    engine="any",
    sentence="Normals of all faces point inward.",
    advice="Flip normals.",
    find=each_collider(_find),
    fix="outward",
)
