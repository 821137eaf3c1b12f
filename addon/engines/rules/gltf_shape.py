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
        "It is called a box, a sphere or a capsule and is none: glTF knows such shapes by their size only, "
        "and its form is lost."
    ),
    advice="Model it anew, or make it a convex collider: UCX_.",
    find=each_collider(_find),
    fix="as-hull",
)
