# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that are not what they are called."""

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider
from .gltf_shapes import implicit_shape


def _find(collider: Collider, _limits: Limits) -> Values | None:
    if collider.kind not in {"BOX", "SPHERE", "CAPSULE"}:
        return None
    return {} if implicit_shape(collider) is None else None


RULE = Rule(
    id="gltf-not-the-shape",
    severity="warning",
    engine="gltf",
    sentence=(
        "Name says box, sphere or capsule, but the mesh is not one: glTF stores only the size of "
        "such shapes, so the form is lost."
    ),
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_find),
    fix="as-hull",
)
