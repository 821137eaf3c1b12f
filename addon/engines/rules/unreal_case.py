# SPDX-License-Identifier: GPL-3.0-or-later
"""Capitals."""

from collections.abc import Iterator

from ...asset_rules.rule import Hit, Limits, Rule
from ...asset_rules.subject import Scene
from ..collider_roles import role_of
from .unreal_pairing import paired


def _find(scene: Scene, _limits: Limits) -> Iterator[Hit]:
    """The prefix, or what pairs only where capitals do not count."""
    names = set(scene.render_names)
    any_case = {name.casefold() for name in names}
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if role is None or role.system != "unreal" or body.render is None:
            continue
        pairs = paired(collider.name.casefold(), any_case)
        if pairs and (role.mark != role.mark.upper() or not paired(collider.name, names)):
            yield Hit(collider, {"other": body.render.name})


RULE = Rule(
    id="unreal-capitals",
    severity="warning",
    engine="unreal",
    sentence=(
        'Upper and lower case differ from "{other}" or from the prefix: only Unreal\'s legacy importer accepts that.'
    ),
    advice="Write the prefix in uppercase and the name exactly as that of the render mesh.",
    find=_find,
    fix="rename",
)
