# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that two render meshes could be meant by."""

from collections.abc import Iterator

from ...asset_rules.rule import Hit, Limits, Rule
from ...asset_rules.subject import Scene
from ..collider_roles import role_of
from .unreal_pairing import candidates


def _find(scene: Scene, _limits: Limits) -> Iterator[Hit]:
    names = set(scene.render_names)
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        first, second = candidates(collider.name)
        if role is None or role.system != "unreal" or body.render is None or body.render.name != first:
            continue
        if second in names:
            yield Hit(collider, {"name": first, "other": second})


RULE = Rule(
    id="unreal-ambiguous",
    severity="warning",
    engine="unreal",
    sentence=(
        'Name matches both "{name}" and, with a number, "{other}": Unreal uses the first if both are imported together.'
    ),
    advice="Add a number such as _01 to the name.",
    find=_find,
    fix="rename",
)
