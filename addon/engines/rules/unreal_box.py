# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes that are none."""

from ...asset_rules.rule import Limits, Rule, Values, each_collider
from ...asset_rules.subject import Collider
from ..collider_roles import role_of
from ..unreal_shapes import fit_box


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """By Unreal's own test, see `fitting`; of the mesh as it stands in the scene."""
    role = role_of(collider.name)
    if role is None or role.system != "unreal" or collider.kind != "BOX":
        return None
    points = collider.world_points - collider.world_points.mean(axis=0)
    return {} if fit_box(points, collider.triangles) is None else None


RULE = Rule(
    id="unreal-not-a-box",
    severity="error",
    engine="unreal",
    sentence="Name says box (UBX_), but the mesh is not one: Unreal rejects it.",
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_find),
    fix="as-hull",
)
