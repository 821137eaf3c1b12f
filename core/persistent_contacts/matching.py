# SPDX-License-Identifier: GPL-3.0-or-later
"""Matching of found contacts to cached ones, and detection of duplicates."""

import numpy as np

from ..numerics.segmented import ragged_arange
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length
from ..results import Contacts

# Positions in the frames of A and of B.
Anchors = tuple[Floats, Floats]


def lookup(keys: Ints, wanted: Ints) -> Ints:
    """Row of `keys` (K, n), which are unique, that equals each row of `wanted` (W, n); -1 if none does."""
    _, number = np.unique(np.concatenate([keys, wanted]), axis=0, return_inverse=True)
    number = number.reshape(-1)  # numpy 2.0 gives it the shape of a column
    place = np.full(len(number), -1)
    place[number[: len(keys)]] = np.arange(len(keys))
    return place[number[len(keys) :]]


def match(
    known: Contacts,
    anchors: Anchors,
    anchors_now: Anchors,
    found: Contacts,
    found_anchors: Anchors,
    size: Floats,
    reach: float,
) -> Ints:
    """The found contact that each cached contact corresponds to: (K,), -1 if none; the matching is one-to-one.

    Candidates in order of priority: same features that have hardly moved on either shape; same place with any features;
    same features that have moved.

    Parameters
    ----------
    known, found : Contacts
        Of the same query.
    anchors, anchors_now, found_anchors : two of (K, 3), two of (K, 3), two of (F, 3) float64
        Positions in the frames of A and of B: cached contacts when last returned and as recomputed now; found contacts.
    size : (F,) float64
        Size of the smaller shape of each found contact's pair; limits how far contacts of the same features may have
        moved.
    reach : float
        Fraction of `size` within which contacts have hardly moved.
    """
    result = np.full(len(known), -1)
    one, other = _equal_pairs(known.pair, found.pair)
    same_part = (known.part_a[one] == found.part_a[other]) & (known.part_b[one] == found.part_b[other])
    one, other = one[same_part], other[same_part]
    same = (known.feature_a[one] == found.feature_a[other]).all(axis=1)
    same &= (known.feature_b[one] == found.feature_b[other]).all(axis=1)
    since, now = (
        np.maximum(*(length(k[one] - f[other]) for k, f in zip(places, found_anchors, strict=True)))
        for places in (anchors, anchors_now)
    )
    # If a shape was rebuilt, the same feature number may mean another feature, so recomputed anchors prove nothing.
    apart = np.where(same, since, np.minimum(since, now))
    near = apart <= reach * size[other]
    choice = np.select([same & near, near, same & (apart <= size[other])], [0, 1, 2], -1)
    candidate = choice >= 0
    one, other, choice, apart = one[candidate], other[candidate], choice[candidate], apart[candidate]
    order = np.lexsort((other, one, apart, choice))
    one, other = one[order], other[order]
    while len(one):
        # Accept the matches that are best for both sides; at least the overall best one is.
        first_one, first_other = np.zeros((2, len(one)), dtype=bool)
        first_one[np.unique(one, return_index=True)[1]] = True
        first_other[np.unique(other, return_index=True)[1]] = True
        taken = first_one & first_other
        result[one[taken]] = other[taken]
        left = ~(np.isin(one, one[taken]) | np.isin(other, other[taken]))
        one, other = one[left], other[left]
    return result


def duplicates(contacts: Contacts, size: Floats, reach: float) -> Bools:
    """Whether an earlier row of the same pair lies within `reach` times `size` of each contact."""
    one, other = _equal_pairs(contacts.pair, contacts.pair)
    earlier = one < other
    one, other = one[earlier], other[earlier]
    close = length(contacts.point[one] - contacts.point[other]) <= reach * size[other]
    close &= (contacts.part_a[one] == contacts.part_a[other]) & (contacts.part_b[one] == contacts.part_b[other])
    result = np.zeros(len(contacts), dtype=bool)
    result[other[close]] = True
    return result


def ranks(contacts: Contacts, eligible: Bools, order: Ints) -> Ints:
    """Rank of each contact within its pair: the deepest, then by `order`, then by depth; those not `eligible` last."""
    pair, depth = contacts.pair, np.where(eligible, contacts.depth, -np.inf)
    by_depth = np.lexsort((-depth, pair))
    starts = np.flatnonzero(np.diff(pair[by_depth], prepend=-1))
    deepest = np.zeros(len(pair), dtype=bool)
    deepest[by_depth[starts]] = True
    by_rank = np.lexsort((-depth, order, ~deepest, ~eligible, pair))
    starts = np.flatnonzero(np.diff(pair[by_rank], prepend=-1))
    result = np.empty(len(pair), dtype=np.int64)
    result[by_rank] = np.arange(len(pair)) - np.repeat(starts, np.diff(np.append(starts, len(pair))))
    return result


def _equal_pairs(first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """All combinations of a row of `first` and a row of `second` with equal values."""
    order = np.argsort(second, kind="stable")
    ascending = second[order]
    begin, end = np.searchsorted(ascending, first), np.searchsorted(ascending, first, side="right")
    row, number = ragged_arange(end - begin)
    return row, order[begin[row] + number]
