# SPDX-License-Identifier: GPL-3.0-or-later
"""The pixels of an antialiased line, for images that are drawn without a graphics card."""

import numpy as np

from ...core.numerics.types import Floats, Ints


def distances(start: Floats, end: Floats, low: Ints, high: Ints) -> tuple[Floats, Floats]:
    """Return the distance of pixel centers from a line segment, and the position of the nearest point on it.

    Parameters
    ----------
    start, end : (2,) float64
        Ends of the segment in pixels. They may be equal.
    low, high : (2,) int64
        First column and row, and one past the last.

    Returns
    -------
    (H, W) float64
        Distance of each center.
    (H, W) float64
        Position of the nearest point along the segment, from 0 to 1.
    """
    x = np.arange(low[0], high[0])[None, :] + 0.5 - start[0]
    y = np.arange(low[1], high[1])[:, None] + 0.5 - start[1]
    along = end - start
    square = float(along @ along)
    share = np.clip((x * along[0] + y * along[1]) / square, 0.0, 1.0) if square > 0.0 else np.zeros((len(y), x.size))
    return np.hypot(x - share * along[0], y - share * along[1]), share


def coverage(distance: Floats, radius: float) -> Floats:
    """Return the covered fraction of each pixel for a line of this radius, from the distance of the pixel's center."""
    covered: Floats = np.clip(radius - distance + 0.5, 0.0, 1.0)
    return covered
