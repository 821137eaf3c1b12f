# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about the scale, shear and reflection of matrices."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

import numpy as np

from ...core.numerics.tolerances import RULE_MATRIX
from .limits import Limits, Values
from .rule import Place, Rule, each_collider
from .subject import Collider, Scene


def uneven_round_shape(collider: Collider, _limits: Limits) -> Values | None:
    """Spheres and capsules with a non-uniform scale. Sheared and collapsed matrices have their own rules."""
    found = collider.transform
    if collider.kind not in {"SPHERE", "CAPSULE"} or found.collapsed or found.sheared:
        return None
    return None if found.even else {}


def _collapsed(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.transform.collapsed else None


COLLAPSED = Rule(
    id="zero-scale",
    title="Zero Scale",
    severity="error",
    engine="any",
    sentence="Scale is zero along at least one axis.",
    advice="Reset the scale of the object or of its parent.",
    find=each_collider(_collapsed),
    of_scale=True,
)


def _sheared(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.transform.sheared else None


SHEARED = Rule(
    id="sheared",
    title="Sheared Transform",
    severity="error",
    engine="any",
    sentence=("Transform is sheared by a parent with non-uniform scale: engines import it without shear."),
    advice="Apply the transform, or the scale of the parent.",
    find=each_collider(_sheared),
    fix="apply",
    of_scale=True,
)


def _mirrored(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.transform.mirrored else None


MIRRORED = Rule(
    id="negative-scale",
    title="Negative Scale",
    severity="warning",
    engine="any",
    sentence="Scale is negative: some engines turn the collider inside out, others ignore it.",
    advice="Apply the scale.",
    find=each_collider(_mirrored),
    fix="apply",
    of_scale=True,
)


def _scaled(collider: Collider, _limits: Limits) -> Values | None:
    """Sheared, mirrored and collapsed matrices have their own rules."""
    found = collider.transform
    if found.collapsed or found.sheared or found.mirrored or not found.scaled:
        return None
    return {"scale": " × ".join(f"{value:.4g}" for value in found.scale)}


SCALED = Rule(
    id="unapplied-scale",
    title="Unapplied Scale",
    severity="warning",
    engine="any",
    sentence=("Scale is {scale} instead of 1: physics engines may ignore it, distort the shape or run slower."),
    advice="Apply the scale.",
    find=each_collider(_scaled),
    fix="apply",
    of_scale=True,
)


def _shared_data(scene: Scene, _limits: Limits) -> Iterator[Place]:
    sharing: defaultdict[Hashable, list[Collider]] = defaultdict(list)
    for _, collider in scene.colliders():
        if collider.data is not None and collider.finite:
            sharing[collider.data].append(collider)
    for users in sharing.values():
        scales = [user.transform.scale for user in users]
        first = scales[0]
        for user, scale in zip(users, scales, strict=True):
            if (np.abs(scale - first) > RULE_MATRIX * first.max()).any():
                yield user, {"other": users[0].name}


SHARED_DATA = Rule(
    id="shared-mesh-scales",
    title="Shared Mesh, Different Scales",
    severity="warning",
    engine="any",
    sentence=(
        'Mesh is shared with "{other}", which has a different scale: engines with one shape per mesh '
        "use one size for both."
    ),
    advice="Make the mesh single-user and apply the scale.",
    find=_shared_data,
    fix="own-mesh",
)
