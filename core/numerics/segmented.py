# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations on groups of rows: least rows, counting, connected components."""

import numpy as np

from .types import Floats, Ints


def smallest_per_group(group: Ints, key: Floats, count: int = 1) -> Ints:
    """Rows with the `count` least keys of each group, groups ascending; ties go to the first row, NaN is last."""
    order = np.lexsort((key, group))
    ordered = group[order]
    start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else order
    rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
    result: Ints = order[rank < count]
    return result


def ragged_arange(count: Ints) -> tuple[Ints, Ints]:
    """Repeat each index `count` times and number its repeats from zero: [2, 1] -> [0, 0, 1] and [0, 1, 0]."""
    index = np.repeat(np.arange(len(count)), count)
    return index, np.arange(len(index)) - (np.cumsum(count) - count)[index]


def connected_components(count: int, a: Ints, b: Ints) -> Ints:
    """Label each of `count` nodes with the lowest node of its component; ``a[i]`` and ``b[i]`` are connected."""
    label = np.arange(count, dtype=np.int64)
    while True:
        first, second = label[a], label[b]
        apart = first != second
        if not apart.any():
            return label
        first, second = first[apart], second[apart]
        np.minimum.at(label, np.maximum(first, second), np.minimum(first, second))
        while True:
            shorter = label[label]
            if np.array_equal(shorter, label):
                break
            label = shorter


def of_each(asked: Ints, group: Ints) -> tuple[Ints, Ints]:
    """The rows of each group that is asked for, `group` (N,) being ascending: which of `asked` (K,), and the row."""
    first = np.searchsorted(group, asked)
    which, place = ragged_arange(np.searchsorted(group, asked, side="right") - first)
    return which, first[which] + place
