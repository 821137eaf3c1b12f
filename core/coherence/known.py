# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts that are remembered, and what is known of them at the present pose."""

from dataclasses import dataclass, field, replace

import numpy as np

from ..operands import Operand
from ..results import Bools, Contacts, Floats, Ints
from ..tolerances import COHERENT_INSIDE, COHERENT_NORMAL, rounding
from ..vectors import dot
from . import features
from .features import FACE_A, FACE_B, NO_FACE, Features


@dataclass(frozen=True)
class CachedContacts:
    """Contacts that are remembered, a row each.

    `anchor_a`, `anchor_b` and `normal` are in the frames that the shapes carry along, the normal in A's. `side` and
    `face` say whose face the normal is that of. Where `active` is false the contact is separating fast: it is watched,
    but not given.
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

    def take(self, rows: Ints) -> "CachedContacts":
        """The contacts of these rows, in that order."""
        values = {name: value.take(rows) if name == "contacts" else value[rows] for name, value in vars(self).items()}
        return CachedContacts(**values)


@dataclass(frozen=True)
class ContactQuery:
    """One update's pairs: the operands, their rows, and what the pairs are known by."""

    a: Operand
    b: Operand
    rows: Ints
    ids: Ints


def refresh(asked: ContactQuery, known: CachedContacts, pair: Ints) -> CachedContacts:
    """The known contacts computed from their features at the present pose; those that still meet are `active`."""
    old = known.contacts
    rows_a, rows_b = asked.rows[pair].T
    (turn_a, origin_a), (turn_b, origin_b) = (
        features.frames(asked.a, rows_a, old.part_a),
        features.frames(asked.b, rows_b, old.part_b),
    )
    of_a = Features.of(asked.a, rows_a, old.part_a, old.feature_a)
    of_b = Features.of(asked.b, rows_b, old.part_b, old.feature_b)
    named = np.stack([np.full(len(pair), features.FACE), np.maximum(known.face, 0)], axis=1)
    face_a = Features.of(asked.a, rows_a, old.part_a, named)
    face_b = Features.of(asked.b, rows_b, old.part_b, named)
    from_b = known.side == FACE_B
    face = replace(
        face_a,
        **{
            name: np.where(from_b if value.ndim == 1 else from_b[:, None], getattr(face_b, name), value)
            for name, value in vars(face_a).items()
            if name != "outlines"
        },
    )
    on_a = np.einsum("cij,cj->ci", turn_a, known.anchor_a) + origin_a
    on_b = np.einsum("cij,cj->ci", turn_b, known.anchor_b) + origin_b
    anchor = np.where(from_b[:, None], on_a, on_b)
    normal = np.einsum("cij,cj->ci", turn_a, known.normal)
    slack = COHERENT_INSIDE * pair_sizes(asked, pair, old)
    now = features.recompute(of_a, of_b, known.side, face, normal, anchor, slack)
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


def to_cached(asked: ContactQuery, found: Contacts) -> CachedContacts:
    """Contacts just found, with what has to be known of them to compute them again."""
    rows_a, rows_b = asked.rows[found.pair].T
    turn_a, origin_a = features.frames(asked.a, rows_a, found.part_a)
    turn_b, origin_b = features.frames(asked.b, rows_b, found.part_b)
    face_a, cosine_a = features.aligned_face(asked.a, rows_a, found.part_a, found.normal)
    face_b, cosine_b = features.aligned_face(asked.b, rows_b, found.part_b, -found.normal)
    # As the manifold was made: the better aligned face is the reference, A's of two that are equally good.
    side = np.select([(face_a >= 0) & (cosine_a >= cosine_b), face_b >= 0], [FACE_A, FACE_B], NO_FACE)
    count = len(found)
    return CachedContacts(
        asked.ids[found.pair],
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


def joined(first: CachedContacts, second: CachedContacts) -> CachedContacts:
    """The rows of both; contacts keep their order."""
    parts = {name: (value, getattr(second, name)) for name, value in vars(first).items()}
    one, other = parts.pop("contacts")
    both = Contacts(**{name: np.concatenate([value, getattr(other, name)]) for name, value in vars(one).items()})
    return CachedContacts(contacts=both, **{name: np.concatenate(values) for name, values in parts.items()})


def normals_agree(recomputed: Contacts, found: Contacts) -> Bools:
    """Whether the pair of each contact has been found to meet, and its normal is much the same as now."""
    pair, first = np.unique(found.pair, return_index=True)
    if not len(pair):
        return np.zeros(len(recomputed), dtype=bool)
    at = np.minimum(np.searchsorted(pair, recomputed.pair), len(pair) - 1)
    result: Bools = (pair[at] == recomputed.pair) & (dot(found.normal[first[at]], recomputed.normal) >= COHERENT_NORMAL)
    return result


def pair_sizes(asked: ContactQuery, pair: Ints, of: Contacts) -> Floats:
    """Diameter of the smaller shape of the pair of each contact."""
    rows_a, rows_b = asked.rows[pair].T
    radius_a, _ = features.sizes(asked.a, rows_a, of.part_a)
    radius_b, _ = features.sizes(asked.b, rows_b, of.part_b)
    smaller = np.minimum(radius_a, radius_b)
    larger = np.where(np.isfinite(np.maximum(radius_a, radius_b)), np.maximum(radius_a, radius_b), smaller)
    # A point has no size of its own, and goes by what it touches.
    return 2.0 * np.where(smaller > 0.0, smaller, larger)


def contact_tolerances(asked: ContactQuery, of: Contacts) -> Floats:
    """What cannot be told from zero at the coordinates of the pair of each contact."""
    rows_a, rows_b = asked.rows[of.pair].T
    radius_a, offset_a = features.sizes(asked.a, rows_a, of.part_a)
    radius_b, offset_b = features.sizes(asked.b, rows_b, of.part_b)
    size = np.where(np.isfinite(radius_a), radius_a, 0.0) + np.where(np.isfinite(radius_b), radius_b, 0.0)
    return rounding(size, np.maximum(offset_a, offset_b))
