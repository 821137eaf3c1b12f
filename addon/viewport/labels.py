# SPDX-License-Identifier: GPL-3.0-or-later
"""Where labels stand on the screen, so that none covers another, and nothing covers them."""

import numpy as np

from ...core.numerics.types import Bools, Floats

# Pixels by which plates may overlap and only touch: a height is found by subtraction, and rounded.
ROUNDING = 1e-6

# A label moves at most this share of its height from where it is asked for.
REACH = 0.5


def moved_into(room: Floats, corner: Floats, size: Floats, margin: float) -> Floats:
    """Lower left corners (M, 2) of plates of these sizes (M, 2), moved as little as brings them into a room.

    Parameters
    ----------
    room : (4,) array
        Left, low, right and high border.
    corner, size : (M, 2) array
    margin : float
        What stays free along the borders. What is too large for the room stands at its left or low border.
    """
    most = room[2:] - margin - size
    return np.maximum(np.minimum(corner, most), room[:2] + margin)


def laid_out(corner: Floats, size: Floats) -> tuple[Floats, Bools]:
    """Lower left corners (M, 2) of plates of these sizes (M, 2), moved up or down until no two overlap.

    The first stay where they are asked for; each of the others goes to the free place above or below that is nearest.
    If that is farther than `REACH` of its height, it would stand at what another label names: it is left out. So seen
    from far away, what has many labels keeps the first.

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
        # It touches what is above or below it, or stands where it is asked to.
        heights = np.concatenate([corner[row, 1:], high, low - size[row, 1]])
        reaches, begins = heights[:, None] < high - ROUNDING, low + ROUNDING < heights[:, None] + size[row, 1]
        free = ~(reaches & begins).any(axis=1)
        heights = heights[free]
        placed[row, 1] = heights[np.argmin(np.abs(heights - corner[row, 1]))]
        shown[row] = abs(placed[row, 1] - corner[row, 1]) <= REACH * size[row, 1]
    return placed, shown
