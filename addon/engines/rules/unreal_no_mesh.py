# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that pair with nothing."""

from collections.abc import Iterator

from ...asset_rules.rule import Hit, Limits, Rule
from ...asset_rules.subject import Scene
from ..collider_roles import role_of
from .unreal_pairing import candidates, paired


def _find(scene: Scene, _limits: Limits) -> Iterator[Hit]:
    """Of bodies that have a render mesh; the others have a rule of their own. Capitals have one, too."""
    names = {name.casefold() for name in scene.render_names}
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if body.render is None or role is None or role.system != "unreal":
            continue
        if not paired(collider.name.casefold(), names):
            yield Hit(collider, {"name": candidates(collider.name)[0], "other": body.render.name})


RULE = Rule(
    id="unreal-no-render-mesh",
    severity="error",
    engine="unreal",
    sentence=(
        'Name makes Unreal look for a mesh "{name}", which does not exist: not imported as a collider of "{other}".'
    ),
    advice=("Name the collider after its render mesh: UCX_, the name of the mesh, and a number such as _01."),
    find=_find,
    fix="rename",
)
