# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlapping axis-aligned bounds in the plane, found by the sweep and prune of space with bounds without height."""

import numpy as np
from numpy.typing import ArrayLike

from ..broad_phase import sweep_and_prune as sweep_and_prune_in_space
from ..numerics.types import Ints
from ..numerics.validation import array


def sweep_and_prune(lower: ArrayLike, upper: ArrayLike) -> Ints:
    """All pairs of axis-aligned boxes that overlap; touching boxes overlap.

    Parameters
    ----------
    lower, upper : (N, 2) array-like
        Finite; no lower bound is above its upper bound. See `bounds`.

    Returns
    -------
    (P, 2) int64
        Index pairs, i < j, in lexicographic order, without duplicates.

    Raises
    ------
    ValueError
        If shapes differ, a number is not finite, or a lower bound is above its upper bound.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.sweep_and_prune([[0, 0], [1, 0], [5, 0]], [[2, 1], [3, 1], [6, 1]])
    array([[0, 1]])
    """
    low, high = (
        np.pad(array(side, name, (-1, 2)), ((0, 0), (0, 1))) for side, name in ((lower, "lower"), (upper, "upper"))
    )
    return sweep_and_prune_in_space(low, high)
