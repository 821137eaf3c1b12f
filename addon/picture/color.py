# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of colors between sRGB and linear light, in which colors can be added."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.numerics.types import Floats

Image = NDArray[np.float32]


def linear(color: ArrayLike) -> Floats:
    """Convert colors (..., 3) from sRGB to linear."""
    value = np.asarray(color, np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(light: Image) -> Image:
    """Convert linear colors to sRGB, clipped at white."""
    value = np.clip(light, 0.0, 1.0)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1.0 / 2.4) - 0.055).astype(np.float32)
