# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of heat maps, for the viewport and for pictures."""

import numpy as np
from numpy.typing import ArrayLike

from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross
from .palette import HEAT, HEAT_DARK, HEAT_LIGHT, HEAT_LIT


def heat_colors(grade: ArrayLike) -> Floats:
    """Return the sRGB colors (..., 3) of grades (...), 0 to 1."""
    value = np.asarray(grade, np.float64)
    places, colors = [place for place, _ in HEAT], np.array([color for _, color in HEAT])
    return np.stack([np.interp(value, places, channel) for channel in colors.T], axis=-1)


def lit_colors(corners: ArrayLike, grade: ArrayLike) -> Floats:
    """Return the colors of triangles (T, 3, 3) with grades (T, 3), shaded by a light so that edges are visible."""
    points = np.asarray(corners, np.float64)
    normal = cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    size = np.linalg.norm(normal, axis=1)
    facing = np.abs(normal @ np.array(HEAT_LIGHT)) / np.where(size > 0.0, size, 1.0)
    bright = HEAT_DARK + (HEAT_LIT - HEAT_DARK) * np.minimum(facing, 1.0)
    return heat_colors(grade) * bright[:, None, None]
