# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules that lie along another axis."""

import numpy as np

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider
from ...model.tolerances import OFF_CENTER
from ..unreal_shapes import Capsule
from .gltf_shapes import implicit_shape


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Blender's Z is glTF's Y, along which capsules are."""
    capsule = implicit_shape(collider) if collider.kind == "CAPSULE" else None
    if not isinstance(capsule, Capsule):
        return None
    along = capsule.end - capsule.start
    across = float(np.abs(along[:2]).max())
    # A ball has no axis.
    return {} if across > OFF_CENTER * (float(np.abs(along).max()) + capsule.radius) else None


RULE = Rule(
    id="gltf-capsule-axis",
    severity="info",
    engine="gltf",
    sentence="Capsule is not aligned with its local Z axis, as glTF requires.",
    advice=("Rotate the mesh in Edit Mode to align it with Z and the object back, or let the exporter add a node."),
    find=each_collider(_find),
)
