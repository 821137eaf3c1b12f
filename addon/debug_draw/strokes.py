# SPDX-License-Identifier: GPL-3.0-or-later
"""The pixels of a line with smooth edges, for pictures that are drawn without a graphics card."""

import numpy as np

from ...core.numerics.types import Floats, Ints


def distances(start: Floats, end: Floats, low: Ints, high: Ints) -> tuple[Floats, Floats]:
    """Return how far the centers of pixels are from a line segment, and where on it the nearest point is.

    Parameters
    ----------
    start, end : (2,) float64
        The ends of the segment in pixels. They may be equal.
    low, high : (2,) int64
        The first column and row, and those after the last.

    Returns
    -------
    (H, W) float64
        The distance of each center.
    (H, W) float64
        The share of the segment before its nearest point, from 0 to 1.
    """
    x = np.arange(low[0], high[0])[None, :] + 0.5 - start[0]
    y = np.arange(low[1], high[1])[:, None] + 0.5 - start[1]
    along = end - start
    square = float(along @ along)
    share = np.clip((x * along[0] + y * along[1]) / square, 0.0, 1.0) if square > 0.0 else np.zeros((len(y), x.size))
    return np.hypot(x - share * along[0], y - share * along[1]), share


def coverage(distance: Floats, radius: float) -> Floats:
    """Return the share of each pixel that a line of this radius covers, given the distance of the pixel's center."""
    covered: Floats = np.clip(radius - distance + 0.5, 0.0, 1.0)
    return covered
