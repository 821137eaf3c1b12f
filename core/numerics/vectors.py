# SPDX-License-Identifier: GPL-3.0-or-later
"""Row-wise vector algebra on arrays of shape (..., 3)."""

import numpy as np

from .types import Floats

# Squares within these limits keep full precision: digits that a smaller term loses are below the rounding of the sum.
_LEAST_SQUARE, _GREATEST_SQUARE = 1e-280, 1e300


def dot(a: Floats, b: Floats) -> Floats:
    """Inner product of the last axes, broadcasting: (..., 3), (..., 3) -> (...)."""
    result: Floats = np.einsum("...i,...i->...", a, b)
    return result


def length(a: Floats) -> Floats:
    """Euclidean length of the last axis, safe from overflow and underflow: (..., 3) -> (...)."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    with np.errstate(over="ignore"):
        square = np.asarray(x * x + y * y + z * z)
    result = np.sqrt(square)
    if not (square.min(initial=1.0) >= _LEAST_SQUARE and square.max(initial=1.0) <= _GREATEST_SQUARE):
        # `hypot` is safe, but takes five times as long.
        unsafe = ~((square >= _LEAST_SQUARE) & (square <= _GREATEST_SQUARE))
        result = np.where(unsafe, 0.0, result)
        result[unsafe] = np.hypot(np.hypot(x[unsafe], y[unsafe]), z[unsafe])
    return result[()]


def normalized(a: Floats, fallback: Floats) -> Floats:
    """Unit vectors along `a`. Where `a` is zero: `fallback`, which is broadcast."""
    size = length(a)[..., None]
    return np.where(size > 0.0, a / np.where(size > 0.0, size, 1.0), fallback)


def perpendicular(a: Floats) -> Floats:
    """A unit vector perpendicular to each of the unit vectors `a`: (N, 3) -> (N, 3).

    The result is the coordinate axis that is least aligned with `a`, with its component along `a` removed. It is
    therefore never zero. Where `a` is zero, the result is a coordinate axis.
    """
    helper = np.zeros_like(a)
    helper[np.arange(len(a)), np.argmin(np.abs(a), axis=1)] = 1.0
    return normalized(helper - a * dot(a, helper)[:, None], helper)


def rotated(rotation: Floats, a: Floats) -> Floats:
    """Apply each matrix to its vectors: (N, 3, 3), (N, K, 3) -> (N, K, 3)."""
    return a @ rotation.transpose(0, 2, 1)


def moved(points: Floats, rotation: Floats, translation: Floats) -> Floats:
    """Rotate each point by its matrix about the origin, then translate it: (N, 3), (N, 3, 3), (N, 3) -> (N, 3)."""
    result: Floats = np.matmul(rotation, points[:, :, None])[:, :, 0] + translation
    return result
