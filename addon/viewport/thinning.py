# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many contacts are drawn with an arrow, so that arrows do not cover each other."""

import numpy as np

from ...core.numerics.types import Bools, Floats

# So many contacts all have arrows, however near they are: the corners of a face in contact, say.
MOST_ARROWS = 16

# Arrows stand at least this share of the length of the pair's axis apart; a head is a quarter as wide.
SPACING_SHARE = 0.4


def prominent(points: Floats, depths: Floats, spacing: float) -> Bools:
    """Choose the contacts that have an arrow.

    Up to `MOST_ARROWS` all have. Of more, the deepest has one, then the deepest of those that are farther from it than
    the spacing, and so on: no two are nearer to each other than that, and near each of the others is one that is as
    deep or deeper.

    Parameters
    ----------
    points : (K, 3) array
    depths : (K,) array
        Of equally deep ones the first is preferred.
    spacing : float
        In the unit of the points, above zero.

    Returns
    -------
    (K,) array of bool
    """
    chosen = np.ones(len(points), np.bool_)
    if len(points) <= MOST_ARROWS:
        return chosen
    chosen[:] = False
    left = np.argsort(-depths, kind="stable")
    while len(left):
        chosen[left[0]] = True
        away = points[left] - points[left[0]]
        left = left[np.einsum("ij,ij->i", away, away) > spacing * spacing]
    return chosen
