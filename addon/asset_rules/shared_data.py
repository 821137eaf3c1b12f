# SPDX-License-Identifier: GPL-3.0-or-later
"""One mesh, several scales."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

import numpy as np

from ...core.numerics.tolerances import RULE_MATRIX
from .rule import Hit, Limits, Rule
from .subject import Collider, Scene
from .transform import transform_of


def _find(scene: Scene, _limits: Limits) -> Iterator[Hit]:
    sharing: defaultdict[Hashable, list[Collider]] = defaultdict(list)
    for _, collider in scene.colliders():
        if collider.data is not None and collider.finite:
            sharing[collider.data].append(collider)
    for users in sharing.values():
        scales = [transform_of(user.linear).scale for user in users]
        first = scales[0]
        for user, scale in zip(users, scales, strict=True):
            if (np.abs(scale - first) > RULE_MATRIX * first.max()).any():
                yield Hit(user, {"other": users[0].name})


RULE = Rule(
    id="shared-mesh-scales",
    severity="warning",
    engine="any",
    sentence=(
        'Mesh is shared with "{other}", which has a different scale: engines with one shape per mesh '
        "use one size for both."
    ),
    advice="Make the mesh single-user and apply the scale.",
    find=_find,
    fix="own-mesh",
)
