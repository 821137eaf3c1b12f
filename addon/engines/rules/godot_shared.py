# SPDX-License-Identifier: GPL-3.0-or-later
"""One mesh, several kinds of colliders."""

from collections.abc import Hashable, Iterator

from ...asset_rules.rule import Hit, Limits, Rule
from ...asset_rules.subject import Collider, Scene


def _find(scene: Scene, _limits: Limits) -> Iterator[Hit]:
    """Godot keeps the shapes of a mesh, of whatever kind they were when it met the mesh first."""
    first: dict[Hashable, Collider] = {}
    for _, collider in scene.colliders():
        if collider.data is None:
            continue
        other = first.setdefault(collider.data, collider)
        if (other.kind == "MESH") != (collider.kind == "MESH"):
            yield Hit(collider, {"other": other.name})


RULE = Rule(
    id="godot-shared-mesh",
    severity="warning",
    engine="godot",
    sentence=('Mesh is shared with "{other}", which has a different collider type: Godot uses one type for both.'),
    advice="Make the mesh single-user.",
    find=_find,
    fix="own-mesh",
)
