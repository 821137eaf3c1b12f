# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale, shear and reflection of a matrix."""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.tolerances import RULE_MATRIX
from ...core.numerics.types import Bools, Floats
from ...core.numerics.vectors import length


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
    """Decompose a finite matrix (3, 3); see `transforms_of`."""
    return transforms_of(linear[None])[0]


def transforms_of(linear: Floats) -> list[Transform]:
    """Decompose finite matrices (N, 3, 3). A collapsed matrix counts as neither sheared nor mirrored."""
    scale = length(linear.transpose(0, 2, 1))
    whole: Bools = np.asarray(scale.all(axis=1))
    axes = np.where(whole[:, None, None], linear / np.where(whole[:, None], scale, 1.0)[:, None], 0.0)
    collapsed = np.linalg.svd(axes, compute_uv=False)[:, -1] <= RULE_MATRIX
    lean = np.abs(axes.transpose(0, 2, 1) @ axes - np.eye(3)).max(axis=(1, 2))
    sheared, mirrored = ~collapsed & (lean > RULE_MATRIX), ~collapsed & (np.linalg.det(axes) < 0.0)
    return [Transform(*row) for row in zip(collapsed.tolist(), sheared.tolist(), mirrored.tolist(), scale, strict=True)]
