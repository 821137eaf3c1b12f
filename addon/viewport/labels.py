# SPDX-License-Identifier: GPL-3.0-or-later
"""Place labels on the screen so that they do not overlap and are not covered."""

import numpy as np

from ...core.numerics.types import Bools, Floats

# Overlap in pixels that counts as touching, because of rounding.
ROUNDING = 1e-6

# Maximum displacement of a label, as a fraction of its height.
REACH = 0.5


def moved_into(room: Floats, corner: Floats, size: Floats, margin: float) -> Floats:
    """Return lower left corners (M, 2) of plates of these sizes (M, 2), moved as little as possible into a rectangle.

    Parameters
    ----------
    room : (4,) array
        Left, low, right and high border.
    corner, size : (M, 2) array
    margin : float
        Free margin along the borders. A plate that is too large for the rectangle is at its left or low border.
    """
    most = room[2:] - margin - size
    return np.maximum(np.minimum(corner, most), room[:2] + margin)


def laid_out(corner: Floats, size: Floats) -> tuple[Floats, Bools]:
    """Return lower left corners (M, 2) of plates of these sizes (M, 2), moved up or down until no two overlap.

    Earlier plates have priority. Each of the others moves to the nearest free place above or below. If that is farther
    than `REACH` of its height, it would be at the place of another label, so it is left out. Therefore, from far away,
    the first of many labels remain.

    Returns
    -------
    placed : (M, 2) array
    shown : (M,) array of bool
        Which of them are not left out.
    """
    placed, shown = corner.copy(), np.ones(len(corner), np.bool_)
    for row in range(1, len(placed)):
        others, sizes = placed[:row][shown[:row]], size[:row][shown[:row]]
        beside = (others[:, 0] < placed[row, 0] + size[row, 0]) & (placed[row, 0] < others[:, 0] + sizes[:, 0])
        low, high = others[beside, 1], others[beside, 1] + sizes[beside, 1]
        # It touches another one above or below, or is at its requested place.
        heights = np.concatenate([corner[row, 1:], high, low - size[row, 1]])
        reaches, begins = heights[:, None] < high - ROUNDING, low + ROUNDING < heights[:, None] + size[row, 1]
        free = ~(reaches & begins).any(axis=1)
        heights = heights[free]
        placed[row, 1] = heights[np.argmin(np.abs(heights - corner[row, 1]))]
        shown[row] = abs(placed[row, 1] - corner[row, 1]) <= REACH * size[row, 1]
    return placed, shown
