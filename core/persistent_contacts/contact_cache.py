# SPDX-License-Identifier: GPL-3.0-or-later
"""Persistent contacts: identity, age and removal from one update to the next (Lee 2018, section 13.5).

Contacts are recognized by their features. If a shape was rebuilt and its features have other numbers, contacts are
recognized by their position on the two shapes. No contact is returned twice. Contacts are removed by count, by depth
and by separation speed.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import items, numbers, one_number, whole_number
from ..numerics.vectors import length
from ..query.dispatch import Operand, index_pairs, pair_margins, separated_by_bounds
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
    """What happened to a contact since the last update.

    Attributes
    ----------
    NEW
        Found, and not known before.
    KEPT
        Known, and found again.
    RECOMPUTED
        Known, not found again, and its features still meet.
    """

    NEW = 0  # found, not known before
    KEPT = 1  # known and found again
    RECOMPUTED = 2  # known, not found again, but its features still touch


class RemovalReason(IntEnum):
    """Why a contact was removed.

    Attributes
    ----------
    SEPARATED
        Its features no longer meet, or its pair was not asked about.
    COUNT
        Its pair has more contacts than are kept.
    DEPTH
        It is not deep enough.
    SEPARATING
        Its surfaces separate too fast.
    """

    SEPARATED = 0  # its features no longer touch, or its pair was not queried
    COUNT = 1  # its pair had too many contacts
    DEPTH = 2  # too shallow
    SEPARATING = 3  # its surfaces separate too fast


@dataclass(frozen=True)
class PersistentContacts:
    """Contacts of one update and what changed since the previous one.

    Attributes
    ----------
    contacts : Contacts
        Rows of one pair are adjacent, deepest first; `pair` is the row of the query. A recomputed contact has the
        normal of its own features.
    identity : (C,) int64
        Constant for the life of a contact; never reused.
    age : (C,) int64
        Updates since the contact was new.
    state : (C,) int8
        `ContactState`.
    displacement : (C,) float64
        Distance that the contact point moved in the world; 0 for a new contact.
    depth_change : (C,) float64
        Depth minus previous depth; 0 for a new contact.
    separation_speed : (C,) float64
        Minus the change of depth per unit of time. NaN for a new contact and where no time has passed.
    removed, removal_reason : (G,) int64, (G,) int8
        Identities that were returned last time and are removed now, and why: `RemovalReason`.
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
    """Caches the contacts of pairs from one update to the next.

    Parameters
    ----------
    max_contacts : int
        Contacts per pair. The deepest is always kept. The others are ranked: contacts found in this update before
        recomputed ones, known before new, deep before shallow.
    min_depth : float
        Contacts shallower than this are removed, in the caller's unit, up to rounding. If negative, contacts are also
        kept (and searched for) between surfaces that are apart by at most this much.
    max_separation_speed : float
        Contacts whose surfaces separate faster than this, in the caller's unit of length per its unit of time, have
        bounced. They are removed even if they still touch. When they slow down, they count as new.
    match_distance : float
        Fraction of the size of the pair's smaller shape. Contacts of different features within this distance of each
        other, on both shapes, are the same contact. Contacts of the same features are the same contact if they are no
        farther apart than the shape is large.

    Raises
    ------
    ValueError
        If `max_contacts` is not a whole number of at least 1, `match_distance` is negative, or an argument is not a
        number, or not finite (`max_separation_speed` may be infinite). Names the argument.

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
            Integers that identify the rows of `a` and of `b` between updates, whatever their order. None: the row
            numbers.
        time : float, optional
            Time of this update, in the caller's unit. Without it there are no separation speeds.

        Returns
        -------
        PersistentContacts

        Raises
        ------
        ValueError
            If a pair is given twice, `ids` do not fit the shapes, `time` is before that of the last update, or a shape
        has a margin.
        """
        return self._step(self._question(a, b, pairs, ids), time, search=True)

    def recompute(
        self,
        a: Operand,
        b: Operand,
        pairs: ArrayLike | None = None,
        *,
        ids: tuple[ArrayLike, ArrayLike] | None = None,
        time: float | None = None,
    ) -> PersistentContacts:
        """Recompute the cached contacts from their features, without searching for new ones; cheaper than `update`.

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
        return self._step(self._question(a, b, pairs, ids), time, search=False)

    def axes(
        self,
        a: Operand,
        b: Operand,
        pairs: ArrayLike | None = None,
        *,
        ids: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> Floats:
        """The axis from A to B that separated each pair in the last update: (P, 3), zeros where there is none.

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
        return self._axes(self._question(a, b, pairs, ids).ids)

    def _question(
        self, a: Operand, b: Operand, pairs: ArrayLike | None, ids: tuple[ArrayLike, ArrayLike] | None
    ) -> ContactQuery:
        rows = index_pairs(a, b, pairs)
        if pair_margins(a, b, rows) is not None:
            raise ValueError("margin: contacts of shapes with margins have no features of their own to be kept by")
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
        # Newly found contacts come first; of the known ones among them, at most the features have changed.
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
        """Apply the removal rules and report what changed; `before` is each contact's row in `known`."""
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
        # A bounced contact stays cached while it is found, so that it does not immediately count as new.
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
        """The identities in `known` that are no longer active, and why."""
        reason = np.full(len(known.identity), int(RemovalReason.SEPARATED))
        stays = np.zeros(len(known.identity), dtype=bool)
        here = np.flatnonzero(before >= 0)
        reason[before[here]], stays[before[here]] = why[here], active[here]
        lost = known.active & ~stays
        return known.identity[lost], reason[lost]

    def _elapsed(self, time: float | None) -> float:
        """Time since the last update; 0 if unknown."""
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
        """Contacts of the current pose, found from scratch; stores the separating axes of all pairs."""
        margin = max(0.0, -self.min_depth)
        axis = self._axes(query.ids)
        limit = np.full(len(query.rows), margin)
        near = np.flatnonzero(~separated_by_bounds(query.a, query.b, query.rows, limit, axis))
        found = contacts(query.a, query.b, query.rows[near], margin)
        axis[near[found.pair]] = found.normal
        # Only for separated pairs whose cached axis did not prove it.
        apart = np.setdiff1d(near, near[found.pair])
        axis[apart] = distance(query.a, query.b, query.rows[apart]).normal
        self._axis_ids, self._axis = query.ids, axis
        return replace(found, pair=near[found.pair])


def _finite(value: ArrayLike, name: str, minimum: float = -np.inf) -> float:
    """A single finite number of at least `minimum`; raises `ValueError` naming the argument."""
    result = one_number(value, name, minimum)
    if not np.isfinite(result):
        raise ValueError(f"{name}: {result} is not finite")
    return result
