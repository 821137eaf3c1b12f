# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows that belong to groups, such as the axes of each pair."""

import numpy as np

from .results import Floats, Ints


def smallest_per_group(group: Ints, key: Floats, count: int = 1) -> Ints:
    """Rows with the `count` least keys of each group, groups in ascending order; of equal keys the first, NaN last."""
    order = np.lexsort((key, group))
    ordered = group[order]
    start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else order
    rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
    result: Ints = order[rank < count]
    return result
