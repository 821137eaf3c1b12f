# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that pair with another mesh."""

from collections.abc import Iterator

from ...asset_rules.rule import Hit, Limits, Rule
from ...asset_rules.subject import Scene
from ..collider_roles import role_of
from .unreal_pairing import paired


def _find(scene: Scene, _limits: Limits) -> Iterator[Hit]:
    names = set(scene.render_names)
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if body.render is None or role is None or role.system != "unreal":
            continue
        taken = paired(collider.name, names)
        if taken and taken != body.render.name:
            yield Hit(collider, {"name": taken, "other": body.render.name})


RULE = Rule(
    id="unreal-other-mesh",
    severity="error",
    engine="unreal",
    sentence='Name makes it a collider of "{name}" in Unreal, not of "{other}".',
    advice=("Name the collider after its render mesh: UCX_, the name of the mesh, and a number such as _01."),
    find=_find,
    fix="rename",
)
