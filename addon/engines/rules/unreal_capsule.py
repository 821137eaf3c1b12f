# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules that are none."""

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider
from ..collider_roles import role_of
from ..unreal_shapes import fit_capsule


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Unreal makes a capsule of anything, see `fitting`; of the mesh as it stands in the scene."""
    role = role_of(collider.name)
    if role is None or role.system != "unreal" or collider.kind != "CAPSULE":
        return None
    return None if fit_capsule(collider.hull).fits else {}


RULE = Rule(
    id="unreal-not-a-capsule",
    severity="warning",
    engine="unreal",
    sentence=(
        "Name says capsule (UCP_), but the mesh is not one: Unreal makes a capsule between its two farthest vertices."
    ),
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_find),
    fix="as-hull",
)
