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


def beside(place: Floats, away: Floats, size: Floats, offset: Floats, room: Floats, margin: float) -> Floats:
    """Return lower left corners (M, 2) of plates of these sizes (M, 2), each beside a place, away from another place.

    It is on the other side if there is room only there: then it is below its place if the other place is above, so that
    it does not cover what is between the two.

    Parameters
    ----------
    place : (M, 2) array
    away : (M, 2) array
        NaN: the plate may be on either side, and is on the right.
    size : (M, 2) array
    offset : (2,) array
        Distance from a place to its plate, which is to the right or to the left of it, and above.
    room : (4,) array
        Left, low, right and high border.
    margin : float
        Free margin along the borders.
    """
    corner, has_side = place + offset, np.isfinite(away).all(axis=1)
    wants_left = has_side & (away[:, 0] > place[:, 0])
    left_of = place[:, 0] - offset[0] - size[:, 0]
    fits_left, fits_right = left_of >= room[0] + margin, corner[:, 0] + size[:, 0] <= room[2] - margin
    to_left = np.where(wants_left, fits_left | ~fits_right, has_side & fits_left & ~fits_right)
    corner[to_left, 0] = left_of[to_left]
    below = has_side & (to_left != wants_left) & (away[:, 1] > place[:, 1])
    corner[below, 1] = place[below, 1] - offset[1] - size[below, 1]
    return corner


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
