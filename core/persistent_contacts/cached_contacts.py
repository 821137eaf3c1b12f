# SPDX-License-Identifier: GPL-3.0-or-later
"""Cached contacts, their state at the current pose, and matching of newly found contacts with them."""

from dataclasses import dataclass, field, replace

import numpy as np

from ..numerics.rows import RowTable, of_each, smallest_per_group
from ..numerics.tolerances import COHERENT_INSIDE, COHERENT_NORMAL, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length
from ..query.operands import Operand
from ..results import Contacts
from . import features
from .features import FACE_A, FACE_B, NO_FACE, Features

# Positions in the frames of A and of B.
Anchors = tuple[Floats, Floats]


def lookup(keys: Ints, wanted: Ints) -> Ints:
    """Row of `keys` (K, n) that equals each row of `wanted` (W, n), or -1. The rows of `keys` are unique."""
    _, number = np.unique(np.concatenate([keys, wanted]), axis=0, return_inverse=True)
    number = number.reshape(-1)  # in numpy 2.0 it is a column
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
    """The found contact that corresponds to each cached contact: (K,), -1 if none. The matching is one-to-one.

    Candidates in order of priority: the same features, hardly moved on either shape; any features at the same place;
    the same features, moved.

    Parameters
    ----------
    known, found : Contacts
        Results of the same query.
    anchors, anchors_now, found_anchors : two of (K, 3), two of (K, 3), two of (F, 3) float64
        Positions in the frames of A and of B: of the cached contacts when they were last returned; of the cached
        contacts as recomputed now; of the found contacts.
    size : (F,) float64
        Size of the smaller shape of each found contact's pair. It limits how far contacts of the same features may have
        moved.
    reach : float
        Fraction of `size`. Contacts closer than this have hardly moved.
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
    # If a shape was rebuilt, the same feature index may refer to another feature. Recomputed anchors then prove
    # nothing.
    apart = np.where(same, since, np.minimum(since, now))
    near = apart <= reach * size[other]
    choice = np.select([same & near, near, same & (apart <= size[other])], [0, 1, 2], -1)
    candidate = choice >= 0
    one, other, choice, apart = one[candidate], other[candidate], choice[candidate], apart[candidate]
    order = np.lexsort((other, one, apart, choice))
    one, other = one[order], other[order]
    while len(one):
        # Accept the matches that are best for both sides. The best match of all is always among them.
        first_one, first_other = np.zeros((2, len(one)), dtype=bool)
        first_one[np.unique(one, return_index=True)[1]] = True
        first_other[np.unique(other, return_index=True)[1]] = True
        taken = first_one & first_other
        result[one[taken]] = other[taken]
        left = ~(np.isin(one, one[taken]) | np.isin(other, other[taken]))
        one, other = one[left], other[left]
    return result


def duplicates(contacts: Contacts, size: Floats, reach: float) -> Bools:
    """Whether an earlier row of the same pair is within `reach` times `size` of each contact."""
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
    deepest = np.zeros(len(pair), dtype=bool)
    deepest[smallest_per_group(pair, -depth)] = True
    by_rank = np.lexsort((-depth, order, ~deepest, ~eligible, pair))
    starts = np.flatnonzero(np.diff(pair[by_rank], prepend=-1))
    result = np.empty(len(pair), dtype=np.int64)
    result[by_rank] = np.arange(len(pair)) - np.repeat(starts, np.diff(np.append(starts, len(pair))))
    return result


def _equal_pairs(first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """All pairs of a row of `first` and a row of `second` with equal values."""
    order = np.argsort(second, kind="stable")
    row, place = of_each(first, second[order])
    return row, order[place]


@dataclass(frozen=True)
class CachedContacts(RowTable):
    """Cached contacts, one per row.

    `anchor_a`, `anchor_b` and `normal` are in the local frames of the shapes; the normal is in that of A. `side` and
    `face` are the shape and the face that define the normal. A contact that is not `active` is separating fast: it is
    tracked but not returned.
    """

    ids: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    contacts: Contacts = field(default_factory=lambda: Contacts.joined([]))
    side: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    face: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    anchor_a: Floats = field(default_factory=lambda: np.empty((0, 3)))
    anchor_b: Floats = field(default_factory=lambda: np.empty((0, 3)))
    normal: Floats = field(default_factory=lambda: np.empty((0, 3)))
    identity: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    age: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    active: Bools = field(default_factory=lambda: np.empty(0, dtype=bool))


@dataclass(frozen=True)
class ContactQuery:
    """The pairs of an update: operands, rows and pair ids."""

    a: Operand
    b: Operand
    rows: Ints
    ids: Ints


def refresh(query: ContactQuery, known: CachedContacts, pair: Ints) -> CachedContacts:
    """Recompute cached contacts from their features at the current pose. Contacts that still touch stay `active`."""
    old = known.contacts
    rows_a, rows_b = query.rows[pair].T
    (turn_a, origin_a), (turn_b, origin_b) = (
        features.frames(query.a, rows_a, old.part_a),
        features.frames(query.b, rows_b, old.part_b),
    )
    features_a = Features.of(query.a, rows_a, old.part_a, old.feature_a)
    features_b = Features.of(query.b, rows_b, old.part_b, old.feature_b)
    named = np.stack([np.full(len(pair), features.FACE), np.maximum(known.face, 0)], axis=1)
    face_a = Features.of(query.a, rows_a, old.part_a, named)
    face_b = Features.of(query.b, rows_b, old.part_b, named)
    on_a = np.einsum("cij,cj->ci", turn_a, known.anchor_a) + origin_a
    on_b = np.einsum("cij,cj->ci", turn_b, known.anchor_b) + origin_b
    anchor = np.where((known.side == FACE_B)[:, None], on_a, on_b)
    normal = np.einsum("cij,cj->ci", turn_a, known.normal)
    slack = COHERENT_INSIDE * pair_sizes(query, pair, old)
    now = features.recompute(features_a, features_b, known.side, face_a, face_b, normal, anchor, slack)
    contacts_now = replace(old, pair=pair, point=now.point, normal=now.normal, depth=now.depth)
    moved_a = np.einsum("cji,cj->ci", turn_a, now.point - origin_a)
    moved_b = np.einsum("cji,cj->ci", turn_b, now.point - origin_b)
    kept_normal = np.einsum("cji,cj->ci", turn_a, now.normal)
    valid = now.valid[:, None]
    return replace(
        known,
        contacts=contacts_now,
        anchor_a=np.where(valid, moved_a, known.anchor_a),
        anchor_b=np.where(valid, moved_b, known.anchor_b),
        normal=np.where(valid, kept_normal, known.normal),
        active=known.active & now.valid,
    )


def to_cached(query: ContactQuery, found: Contacts) -> CachedContacts:
    """Found contacts with the data needed to recompute them."""
    rows_a, rows_b = query.rows[found.pair].T
    turn_a, origin_a = features.frames(query.a, rows_a, found.part_a)
    turn_b, origin_b = features.frames(query.b, rows_b, found.part_b)
    face_a, cosine_a = features.aligned_face(query.a, rows_a, found.part_a, found.normal)
    face_b, cosine_b = features.aligned_face(query.b, rows_b, found.part_b, -found.normal)
    # As in the manifold, the better aligned face is the reference face. Ties go to A.
    side = np.select([(face_a >= 0) & (cosine_a >= cosine_b), face_b >= 0], [FACE_A, FACE_B], NO_FACE)
    count = len(found)
    return CachedContacts(
        query.ids[found.pair],
        found,
        side,
        np.select([side == FACE_A, side == FACE_B], [face_a, face_b], -1),
        np.einsum("cji,cj->ci", turn_a, found.point - origin_a),
        np.einsum("cji,cj->ci", turn_b, found.point - origin_b),
        np.einsum("cji,cj->ci", turn_a, found.normal),
        np.full(count, -1),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=bool),
    )


def concatenate(first: CachedContacts, second: CachedContacts) -> CachedContacts:
    """Concatenate two sets of cached contacts."""
    parts = {name: (value, getattr(second, name)) for name, value in vars(first).items()}
    one, other = parts.pop("contacts")
    both = Contacts(**{name: np.concatenate([value, getattr(other, name)]) for name, value in vars(one).items()})
    return CachedContacts(contacts=both, **{name: np.concatenate(values) for name, values in parts.items()})


def normals_agree(recomputed: Contacts, found: Contacts) -> Bools:
    """Whether the pair of each recomputed contact was found in contact with nearly the same normal."""
    pair, first = np.unique(found.pair, return_index=True)
    if not len(pair):
        return np.zeros(len(recomputed), dtype=bool)
    at = np.minimum(np.searchsorted(pair, recomputed.pair), len(pair) - 1)
    result: Bools = (pair[at] == recomputed.pair) & (dot(found.normal[first[at]], recomputed.normal) >= COHERENT_NORMAL)
    return result


def pair_sizes(query: ContactQuery, pair: Ints, contacts: Contacts) -> Floats:
    """Diameter of the smaller shape of each contact's pair."""
    rows_a, rows_b = query.rows[pair].T
    radius_a, _ = features.sizes(query.a, rows_a, contacts.part_a)
    radius_b, _ = features.sizes(query.b, rows_b, contacts.part_b)
    smaller = np.minimum(radius_a, radius_b)
    larger = np.where(np.isfinite(np.maximum(radius_a, radius_b)), np.maximum(radius_a, radius_b), smaller)
    # A point has no size: use the size of the other shape.
    return 2.0 * np.where(smaller > 0.0, smaller, larger)


def contact_tolerances(query: ContactQuery, contacts: Contacts) -> Floats:
    """Rounding of depths at the coordinates of each contact's pair: (C,)."""
    rows_a, rows_b = query.rows[contacts.pair].T
    radius_a, offset_a = features.sizes(query.a, rows_a, contacts.part_a)
    radius_b, offset_b = features.sizes(query.b, rows_b, contacts.part_b)
    size = np.where(np.isfinite(radius_a), radius_a, 0.0) + np.where(np.isfinite(radius_b), radius_b, 0.0)
    return rounding(size, np.maximum(offset_a, offset_b))
