# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale, shear and reflection of a matrix."""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.tolerances import RULE_MATRIX
from ...core.numerics.types import Floats
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
