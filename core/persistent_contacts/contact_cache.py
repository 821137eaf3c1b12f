# SPDX-License-Identifier: GPL-3.0-or-later
"""Persistent contacts: identity, age and removal of contacts over several updates (Lee 2018, section 13.5).

Contacts are recognized by their features. If a shape was rebuilt and its features have other indices, contacts are
recognized by their positions on the two shapes. No contact is returned twice. Contacts are removed if a pair has too
many, if they are too shallow, and if their surfaces separate too fast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import items, numbers, one_number, whole_number
from ..numerics.vectors import length
from ..query.early_outs import separated_by_bounds
from ..query.operands import Operand, index_pairs, pair_margins
from ..query.queries import contacts, distance
from ..results import Contacts
from .cached_contacts import (
    CachedContacts,
    ContactQuery,
    concatenate,
    contact_tolerances,
    duplicates,
    lookup,
    match,
    normals_agree,
    pair_sizes,
    ranks,
    refresh,
    to_cached,
)


class ContactState(IntEnum):
    """The fate of a contact since the last update.

    Attributes
    ----------
    NEW
        Found in this update, and not known before.
    KEPT
        Known, and found again in this update.
    RECOMPUTED
        Known and not found again, but its features still touch.
    """

    NEW = 0
    KEPT = 1
    RECOMPUTED = 2


class RemovalReason(IntEnum):
    """Reason why a contact was removed.

    Attributes
    ----------
    SEPARATED
        Its features no longer touch, or its pair was not queried.
    COUNT
        Its pair has more contacts than the limit.
    DEPTH
        It is too shallow.
    SEPARATING
        Its surfaces separate too fast.
    """

    SEPARATED = 0
    COUNT = 1
    DEPTH = 2
    SEPARATING = 3


@dataclass(frozen=True)
class PersistentContacts:
    """Contacts of one update, and changes since the previous one.

    Attributes
    ----------
    contacts : Contacts
        Rows of the same pair are consecutive, deepest first. `pair` is the index of the pair in the query. A
        recomputed contact has the normal of its own features.
    identity : (C,) int64
        Constant for the lifetime of a contact, never reused.
    age : (C,) int64
        Number of updates since the contact was new.
    state : (C,) int8
        `ContactState`.
    displacement : (C,) float64
        Distance that the contact point has moved in the world; 0 for a new contact.
    depth_change : (C,) float64
        Depth minus previous depth; 0 for a new contact.
    separation_speed : (C,) float64
        Negated change of depth per unit of time. NaN for a new contact, and if no time has passed.
    removed, removal_reason : (G,) int64, (G,) int8
        Identities that the previous update returned and that are removed now, and the reasons: `RemovalReason`.
    """

    contacts: Contacts
    identity: Ints
    age: Ints
    state: NDArray[np.int8]
    displacement: Floats
    depth_change: Floats
    separation_speed: Floats
    removed: Ints
    removal_reason: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.identity)


__all__ = ["ContactCache", "ContactState", "PersistentContacts", "RemovalReason"]

_WHY = [RemovalReason.DEPTH, RemovalReason.SEPARATING, RemovalReason.SEPARATED]


class ContactCache:
    """Cache of the contacts of pairs, from one update to the next.

    Parameters
    ----------
    max_contacts : int
        Most contacts per pair. The deepest is always kept. The others are ranked: contacts found in this update before
        recomputed ones, known ones before new ones, deep ones before shallow ones.
    min_depth : float
        Contacts shallower than this are removed, in the caller's unit, to rounding. If negative, contacts between
        surfaces that are at most this far apart are also searched for and kept.
    max_separation_speed : float
        Contacts whose surfaces separate faster than this, in the caller's unit of length per its unit of time, have
        bounced. They are removed even if they still touch. When they become slower, they count as new.
    match_distance : float
        Fraction of the size of the smaller shape of a pair. Contacts of different features within this distance of each
        other, on both shapes, are the same contact. Contacts of the same features are the same contact if the distance
        between them is at most that size.

    Raises
    ------
    ValueError
        If `max_contacts` is not an integer of at least 1, `match_distance` is negative, or an argument is not a finite
        number (`max_separation_speed` may be infinite); names the argument.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> memory = ck.ContactCache()
    >>> floor = ck.HalfSpaces([[0, 0, 1]], [0])
    >>> memory.update(floor, ck.Boxes([[0, 0, 0.9]], [[1, 1, 1]]), time=0.0).identity.tolist()
    [0, 1, 2, 3]
    >>> found = memory.update(floor, ck.Boxes([[0.1, 0, 0.9]], [[1, 1, 1]]), time=1.0)
    >>> sorted(found.identity.tolist()), found.age.tolist()
    ([0, 1, 2, 3], [1, 1, 1, 1])
    """

    def __init__(
        self,
        max_contacts: int = 4,
        min_depth: float = 0.0,
        max_separation_speed: float = np.inf,
        match_distance: float = 0.02,
    ) -> None:
        self.max_contacts = whole_number(max_contacts, "max_contacts", 1)
        self.min_depth = _finite(min_depth, "min_depth")
        self.max_separation_speed = one_number(max_separation_speed, "max_separation_speed")
        self.match_distance = _finite(match_distance, "match_distance", 0.0)
        self.clear()

    def __len__(self) -> int:
        return int(np.count_nonzero(self._known.active))

    def clear(self) -> None:
        """Remove all contacts. Identities are not reused."""
        self._known = CachedContacts()
        self._time: float | None = None
        self._next = getattr(self, "_next", 0)
        self._axis_ids: Ints = np.empty((0, 2), dtype=np.int64)
        self._axis: Floats = np.empty((0, 3))

    def update(
        self,
        a: Operand,
        b: Operand,
        pairs: ArrayLike | None = None,
        *,
        ids: tuple[ArrayLike, ArrayLike] | None = None,
        time: float | None = None,
    ) -> PersistentContacts:
        """Find the contacts of these pairs and merge them with the cached ones.

        Contacts of pairs that are not in `pairs` are removed.

        Parameters
        ----------
        a, b, pairs
            As for `collision_kit.core.contacts`.
        ids : (ids of a, ids of b), optional
            Integers that identify the rows of `a` and of `b` between updates, in any order. None: the row numbers.
        time : float, optional
            Time of this update, in the caller's unit. If None, there are no separation speeds.

        Returns
        -------
        PersistentContacts

        Raises
        ------
        ValueError
            If a pair is given twice, `ids` do not match the shapes, `time` is before that of the previous update, or a
            shape has a margin.
        """
        return self._step(self._query(a, b, pairs, ids), time, search=True)

    def recompute(
        self,
        a: Operand,
        b: Operand,
        pairs: ArrayLike | None = None,
        *,
        ids: tuple[ArrayLike, ArrayLike] | None = None,
        time: float | None = None,
    ) -> PersistentContacts:
        """Recompute the cached contacts from their features without a search for new ones; faster than `update`.

        Parameters
        ----------
        a, b, pairs, ids, time
            As for `update`.

        Returns
        -------
        PersistentContacts

        Raises
        ------
        ValueError
            As for `update`.
        """
        return self._step(self._query(a, b, pairs, ids), time, search=False)

    def axes(
        self, a: Operand, b: Operand, pairs: ArrayLike | None = None, *, ids: tuple[ArrayLike, ArrayLike] | None = None
    ) -> Floats:
        """The axis from A to B that separated each pair in the previous update: (P, 3), zeros if there is none.

        Pass it as `axis` to `overlap`, `contacts` and `classify`.

        Parameters
        ----------
        a, b, pairs, ids
            As for `update`.

        Returns
        -------
        (P, 3) float64

        Raises
        ------
        ValueError
            As for `update`.
        """
        return self._axes(self._query(a, b, pairs, ids).ids)

    def _query(
        self, a: Operand, b: Operand, pairs: ArrayLike | None, ids: tuple[ArrayLike, ArrayLike] | None
    ) -> ContactQuery:
        rows = index_pairs(a, b, pairs)
        if pair_margins(a, b, rows) is not None:
            raise ValueError("margin: contacts of shapes with margins have no features to be recognized by")
        names = []
        of_sides = [np.arange(len(a)), np.arange(len(b))] if ids is None else items(ids, "ids")
        if len(of_sides) != 2:
            raise ValueError(f"ids: {len(of_sides)} sequences, but those of a and of b are needed")
        for side, shapes in enumerate((a, b)):
            values = numbers(of_sides[side], "ids")
            if values.shape != (len(shapes),) or not np.issubdtype(values.dtype, np.integer):
                raise ValueError(f"ids: {values.dtype} of shape {values.shape} for {len(shapes)} shapes")
            names.append(values.astype(np.int64)[rows[:, side]])
        pair_ids = np.stack(names, axis=1)
        if len(np.unique(pair_ids, axis=0)) != len(pair_ids):
            raise ValueError("pairs: one pair is given twice")
        return ContactQuery(a, b, rows, pair_ids)

    def _axes(self, ids: Ints) -> Floats:
        at = lookup(self._axis_ids, ids)
        result = np.zeros((len(ids), 3))
        result[at >= 0] = self._axis[at[at >= 0]]
        return result

    def _step(self, query: ContactQuery, time: float | None, *, search: bool) -> PersistentContacts:
        elapsed = self._elapsed(time)
        pair = lookup(query.ids, self._known.ids)
        not_queried = self._known.take(np.flatnonzero(pair < 0))
        known, pair = self._known.take(np.flatnonzero(pair >= 0)), pair[pair >= 0]
        now = refresh(query, known, pair)
        found = self._found(query) if search else Contacts.joined([])
        fresh = to_cached(query, found)
        of_known = match(
            now.contacts,
            (known.anchor_a, known.anchor_b),
            (now.anchor_a, now.anchor_b),
            found,
            (fresh.anchor_a, fresh.anchor_b),
            pair_sizes(query, found.pair, found),
            self.match_distance,
        )
        # Found contacts come first. Those that are known have kept everything but perhaps their features.
        alone = np.flatnonzero(of_known < 0)
        alone = alone[now.active[alone]]
        if search:
            alone = alone[normals_agree(now.contacts.take(alone), found)]
        everything = concatenate(fresh, now.take(alone))
        count = len(found)
        before = np.full(count + len(alone), -1)
        hit = np.flatnonzero(of_known >= 0)
        before[of_known[hit]] = hit
        before[count:] = alone
        from_memory = np.arange(count + len(alone)) >= count
        return self._apply_rules(query, everything, known, before, from_memory, not_queried, elapsed)

    def _apply_rules(
        self,
        query: ContactQuery,
        now: CachedContacts,
        known: CachedContacts,
        before: Ints,
        from_memory: Bools,
        not_queried: CachedContacts,
        elapsed: float,
    ) -> PersistentContacts:
        """Apply the removal rules and report the changes. `before` is the row of each contact in `known`, or -1."""
        row = np.maximum(before, 0)
        had = before >= 0
        old = known.take(row[had])
        was_active = np.zeros(len(before), dtype=bool)
        was_active[had] = old.active
        change, moved, separation = np.zeros((3, len(before)))
        separation[:] = np.nan
        change[had] = now.contacts.depth[had] - old.contacts.depth
        moved[had] = length(now.contacts.point[had] - old.contacts.point)
        if elapsed > 0.0:
            separation[had] = -change[had] / elapsed
        shallow = now.contacts.depth < self.min_depth - contact_tolerances(query, now.contacts)
        bounced = separation > self.max_separation_speed
        duplicate = from_memory & duplicates(
            now.contacts, pair_sizes(query, now.contacts.pair, now.contacts), self.match_distance
        )
        left = ~(shallow | bounced | duplicate)
        rank = ranks(now.contacts, left, from_memory.astype(np.int64) * 2 + ~was_active)
        active = left & (rank < self.max_contacts)

        removed, reason = self._removed(
            known, before, active, np.select([shallow, bounced, duplicate], _WHY, RemovalReason.COUNT)
        )
        removed = np.concatenate([not_queried.identity[not_queried.active], removed])
        reason = np.concatenate([np.full(np.count_nonzero(not_queried.active), RemovalReason.SEPARATED), reason])

        identity, age = np.full(len(before), -1), np.zeros(len(before), dtype=np.int64)
        identity[was_active] = known.identity[before[was_active]]
        age[was_active] = known.age[before[was_active]] + 1
        new = active & ~was_active
        identity[new] = self._next + np.arange(np.count_nonzero(new))
        self._next += int(np.count_nonzero(new))
        kept = replace(now, identity=identity, age=age, active=active)
        # A bounced contact stays cached as long as it is found, so that it does not count as new at once.
        self._known = kept.take(np.flatnonzero(active | (bounced & ~from_memory & ~shallow)))

        state = np.where(
            was_active, np.where(from_memory, ContactState.RECOMPUTED, ContactState.KEPT), ContactState.NEW
        )
        order = np.lexsort((-now.contacts.depth, now.contacts.pair))
        order = order[active[order]]
        fresh = ~was_active[order]
        return PersistentContacts(
            now.contacts.take(order),
            identity[order],
            age[order],
            state[order].astype(np.int8),
            np.where(fresh, 0.0, moved[order]),
            np.where(fresh, 0.0, change[order]),
            np.where(fresh, np.nan, separation[order]),
            removed,
            reason.astype(np.int8),
        )

    def _removed(self, known: CachedContacts, before: Ints, active: Bools, why: Ints) -> tuple[Ints, Ints]:
        """The identities in `known` that are no longer active, and the reasons."""
        reason = np.full(len(known.identity), int(RemovalReason.SEPARATED))
        stays = np.zeros(len(known.identity), dtype=bool)
        here = np.flatnonzero(before >= 0)
        reason[before[here]], stays[before[here]] = why[here], active[here]
        lost = known.active & ~stays
        return known.identity[lost], reason[lost]

    def _elapsed(self, time: float | None) -> float:
        """Time since the previous update; 0 if unknown."""
        if time is not None:
            time = _finite(time, "time")
        last, self._time = self._time, time
        if time is None or last is None:
            return 0.0
        if time < last:
            self._time = last
            raise ValueError(f"time: {time} is before the last update's, {last}")
        return time - last

    def _found(self, query: ContactQuery) -> Contacts:
        """Search for the contacts of the current pose, and store the separating axes of all pairs."""
        margin = max(0.0, -self.min_depth)
        axis = self._axes(query.ids)
        limit = np.full(len(query.rows), margin)
        near = np.flatnonzero(~separated_by_bounds(query.a, query.b, query.rows, limit, axis))
        found = contacts(query.a, query.b, query.rows[near], margin)
        axis[near[found.pair]] = found.normal
        # Only needed for separated pairs whose cached axis is no longer separating.
        apart = np.setdiff1d(near, near[found.pair])
        axis[apart] = distance(query.a, query.b, query.rows[apart]).normal
        self._axis_ids, self._axis = query.ids, axis
        return replace(found, pair=near[found.pair])


def _finite(value: ArrayLike, name: str, minimum: float = -np.inf) -> float:
    """A single finite number of at least `minimum`; otherwise `ValueError` that names the argument."""
    result = one_number(value, name, minimum)
    if not np.isfinite(result):
        raise ValueError(f"{name}: {result} is not finite")
    return result
