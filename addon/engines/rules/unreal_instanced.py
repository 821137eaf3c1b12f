# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that collection instances bring in."""

from ...asset_rules.rule import Limits, Rule, Values, each_object
from ...asset_rules.subject import Collider
from ..collider_roles import role_of


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """Blender's FBX exporter names what it takes out of instances after the instance, with bars in between."""
    role = role_of(collider.name)
    if not (collider.own and collider.instanced and role is not None and role.system == "unreal"):
        return None
    host = collider.instanced.partition("/")[0]
    return {"name": f"{host}|{collider.name}|Dupli|"}


RULE = Rule(
    id="unreal-instanced",
    severity="error",
    engine="unreal",
    sentence=(
        "Collider belongs to a collection instance: it is named {name} in an FBX file, which Unreal imports as a mesh."
    ),
    advice=("Make the instance real before export (Object > Apply > Make Instances Real), or export glTF."),
    find=each_object(_find),
)
