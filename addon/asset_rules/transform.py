# SPDX-License-Identifier: GPL-3.0-or-later
"""What a matrix does besides moving and turning."""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.tolerances import RULE_MATRIX
from ...core.numerics.types import Floats
from ...core.numerics.vectors import length


@dataclass(frozen=True)
class Transform:
    """The parts of a linear map that physics engines dislike.

    Attributes
    ----------
    collapsed : bool
        Something of at least one direction is scaled to nothing.
    sheared : bool
        The axes of the object are not at right angles in the world.
    mirrored : bool
    scale : (3,) float64
        How much each of the object's axes is stretched.
    """

    collapsed: bool
    sheared: bool
    mirrored: bool
    scale: Floats

    @property
    def even(self) -> bool:
        """Whether all axes are stretched alike."""
        return float(np.ptp(self.scale)) <= RULE_MATRIX * float(self.scale.max())

    @property
    def scaled(self) -> bool:
        """Whether an axis is stretched at all."""
        return bool((np.abs(self.scale - 1.0) > RULE_MATRIX).any())


def transform_of(linear: Floats) -> Transform:
    """Take a finite matrix (3, 3) apart. What is collapsed counts as neither sheared nor mirrored."""
    scale = length(linear.T)
    collapsed = not scale.all()
    if not collapsed:
        axes = linear / scale
        collapsed = bool(np.linalg.svd(axes, compute_uv=False)[-1] <= RULE_MATRIX)
    if collapsed:
        return Transform(True, False, False, scale)
    lean = np.abs(axes.T @ axes - np.eye(3)).max()
    return Transform(False, bool(lean > RULE_MATRIX), bool(np.linalg.det(axes) < 0.0), scale)
