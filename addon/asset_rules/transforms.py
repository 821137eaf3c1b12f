# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale, shear and reflection of a matrix, and the rules about them."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from ...core.numerics.tolerances import RULE_MATRIX
from ...core.numerics.types import Floats
from ...core.numerics.vectors import length
from .limits import Limits, Values
from .rule import Place, Rule, each_collider
from .subject import Collider, Scene


@dataclass(frozen=True)
class Transform:
    """Properties of a linear map that physics engines do not support well.

    Attributes
    ----------
    collapsed : bool
        Whether the scale is zero in at least one direction.
    sheared : bool
        Whether the object's axes are not perpendicular in world space.
    mirrored : bool
    scale : (3,) float64
        Scale along each local axis.
    """

    collapsed: bool
    sheared: bool
    mirrored: bool
    scale: Floats

    @property
    def even(self) -> bool:
        """Whether all axes have the same scale."""
        return float(np.ptp(self.scale)) <= RULE_MATRIX * float(self.scale.max())

    @property
    def scaled(self) -> bool:
        """Whether an axis is scaled at all."""
        return bool((np.abs(self.scale - 1.0) > RULE_MATRIX).any())


def transform_of(linear: Floats) -> Transform:
    """Decompose a finite matrix (3, 3). A collapsed matrix counts as neither sheared nor mirrored."""
    scale = length(linear.T)
    collapsed = not scale.all()
    if not collapsed:
        axes = linear / scale
        collapsed = bool(np.linalg.svd(axes, compute_uv=False)[-1] <= RULE_MATRIX)
    if collapsed:
        return Transform(True, False, False, scale)
    lean = np.abs(axes.T @ axes - np.eye(3)).max()
    return Transform(False, bool(lean > RULE_MATRIX), bool(np.linalg.det(axes) < 0.0), scale)


def uneven_round_shape(collider: Collider, _limits: Limits) -> Values | None:
    """Spheres and capsules with a non-uniform scale. Sheared and collapsed matrices have their own rules."""
    found = transform_of(collider.linear)
    if collider.kind not in {"SPHERE", "CAPSULE"} or found.collapsed or found.sheared:
        return None
    return None if found.even else {}


def _collapsed(collider: Collider, _limits: Limits) -> Values | None:
    return {} if transform_of(collider.linear).collapsed else None


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
    return {} if transform_of(collider.linear).sheared else None


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
    return {} if transform_of(collider.linear).mirrored else None


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
    found = transform_of(collider.linear)
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
        scales = [transform_of(user.linear).scale for user in users]
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
