# SPDX-License-Identifier: GPL-3.0-or-later
"""World matrices of many objects, decomposed into place, rotation, scale and shear."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mathutils import Matrix

from ....core.numerics.types import Bools, Floats
from ....core.numerics.vectors import dot, length
from ...model import tolerances


@dataclass(frozen=True, eq=False)
class Placements:
    """N world matrices; a point x of the object lies at ``linear @ x + translation``.

    The translation is kept separate: if it were added to the vertices, they would lose digits far from the origin.

    Attributes
    ----------
    linear : (N, 3, 3) float64
    translation : (N, 3) float64
    finite : (N,) bool
    flat : (N,) bool
        Scaled to zero in at least one direction. The three fields below are meaningless then.
    upright : (N,) bool
        No shear: boxes remain boxes. Within `tolerances.SHEAR`, like the next.
    uniform : (N,) bool
        Neither shear nor non-uniform scale: spheres remain spheres. Mirroring is allowed.
    rotation, scale : (N, 3, 3), (N, 3) float64
        ``linear == rotation * scale`` with a proper rotation (a mirrored object has a negative scale), accurate to the
        last bits of float32. If the matrix is not such a product, the rotation is the identity and the scale NaN.
    stretch : (N,) float64
        The scale of a uniform matrix, positive.
    """

    linear: Floats
    translation: Floats
    finite: Bools
    flat: Bools
    upright: Bools
    uniform: Bools
    rotation: Floats
    scale: Floats
    stretch: Floats


def take_apart(matrices: Floats) -> Placements:
    """Decompose (N, 4, 4) world matrices."""
    linear, translation = matrices[:, :3, :3].copy(), matrices[:, :3, 3].copy()
    finite: Bools = np.asarray((np.abs(matrices[:, :3]) < tolerances.FLOAT32_MAX).all(axis=(1, 2)))
    linear[~finite], translation[~finite] = np.eye(3), 0.0
    stretches = np.linalg.svd(linear, compute_uv=False)
    flat = stretches[:, 2] <= tolerances.FLAT * stretches[:, 0]
    columns = linear.transpose(0, 2, 1)
    size = length(columns)
    axes = columns / np.where(size > 0.0, size, 1.0)[:, :, None]
    lean = np.abs(dot(axes, np.roll(axes, 1, axis=1))).max(axis=1, initial=0.0)
    uneven = size.max(axis=1) / np.where(flat, 1.0, size.min(axis=1)) - 1.0
    exact = ~flat & (lean <= tolerances.ROTATION_AND_SCALE)
    rotation, scale = _rotation_and_scale(axes, size, exact)
    return Placements(
        linear=linear,
        translation=translation,
        finite=finite,
        flat=flat,
        upright=~flat & (lean <= tolerances.SHEAR),
        uniform=~flat & (lean <= tolerances.SHEAR) & (uneven <= tolerances.SHEAR),
        rotation=rotation,
        scale=scale,
        stretch=_without_noise(np.cbrt(size.prod(axis=1))),
    )


def of_matrices(matrices: Sequence[Matrix]) -> Placements:
    """Decompose matrices as Blender has them."""
    return take_apart(np.array(matrices, dtype=np.float64).reshape(-1, 4, 4))


def _rotation_and_scale(axes: Floats, size: Floats, exact: Bools) -> tuple[Floats, Floats]:
    rotation = axes.transpose(0, 2, 1).copy()
    scale = _without_noise(size)
    mirrored = np.linalg.det(rotation) < 0.0
    # Mirroring along one axis differs from mirroring along another only by a rotation; the first axis is used.
    rotation[mirrored, :, 0] *= -1.0
    scale[mirrored, 0] *= -1.0
    rotation[~exact], scale[~exact] = np.eye(3), np.nan
    return rotation, scale


def _without_noise(size: Floats) -> Floats:
    """Lengths without float32's rounding, so that all objects of scale 2 share the geometry of scale 2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        digits = 5.0 - np.floor(np.log10(size))
        # Only powers of ten with exponents of at least zero are exact, so small numbers are multiplied and large ones
        # divided.
        up, down = 10.0 ** np.maximum(digits, 0.0), 10.0 ** np.maximum(-digits, 0.0)
        short = np.round(size * up / down) * down / up
        near = np.abs(short - size) <= tolerances.ROTATION_AND_SCALE * size
    return np.where(near, short, size)
