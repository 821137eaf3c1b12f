# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact coherence: contacts that keep an identity from one check to the next (Lee 2018, section 13.5).

What is kept of a contact is the two features that made it; point, normal and depth are computed from them anew, at the
present pose. Contacts found again are recognised by their features or, where a shape was rebuilt and its features have
other numbers, by where they are on the two shapes. None is given twice. Contacts are forgotten by their number, by
their depth and by how fast they separate.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..early_outs import proved_apart
from ..inputs import items, numbers, one_number, whole_number
from ..operands import Operand, index_pairs
from ..queries import contacts, distance
from ..results import Bools, Contacts, Floats, Ints
from ..vectors import length
from .known import (
    CachedContacts,
    ContactQuery,
    contact_tolerances,
    joined,
    normals_agree,
    pair_sizes,
    refresh,
    to_cached,
)
from .matching import duplicates, lookup, match, ranks
from .results import ContactState, PersistentContacts, RemovalReason

__all__ = ["ContactCache", "ContactState", "PersistentContacts", "RemovalReason"]

_WHY = [RemovalReason.DEPTH, RemovalReason.SEPARATING, RemovalReason.SEPARATED]


class ContactCache:
    """Remembers the contacts of pairs from one update to the next.

    Parameters
    ----------
    max_contacts : int
        The most contacts that a pair is given. The deepest always is; then those found now before those recomputed,
        known ones before new ones, deep ones before shallow ones.
    min_depth : float
        Contacts less deep than this are forgotten, in the caller's unit; rounding aside. Below zero, contacts are kept
        (and looked for) whose surfaces are apart by no more.
    max_separation_speed : float
        Contacts whose surfaces part faster than this, in the caller's unit of length per its unit of time, have bounced
        and are forgotten, although they may still meet. When they slow down they are new.
    match_distance : float
        Fraction of the size of the pair's smaller shape. Contacts of other features no farther from each other than
        this, on both shapes, are the same contact. Those of the same features are if they are no farther apart than
        the shape is large.

    Raises
    ------
    ValueError
        If `max_contacts` is no whole number of at least one, `match_distance` is negative, or one of the others, which but for
        `max_separation_speed` are finite, is not a number; names the argument.

    Examples
    --------
    >>> memory = ContactMemory()
    >>> floor = HalfSpaces([[0, 0, 1]], [0])
    >>> memory.update(floor, Boxes([[0, 0, 0.9]], [[1, 1, 1]]), time=0.0).identity.tolist()
    [0, 1, 2, 3]
    >>> found = memory.update(floor, Boxes([[0.1, 0, 0.9]], [[1, 1, 1]]), time=1.0)
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
        """Begin anew; identities are not used again."""
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
        """The contacts of these pairs as they are now, those found now and those remembered.

        Contacts of pairs that are not among them are forgotten.

        Parameters
        ----------
        a, b, pairs
            As for every question.
        ids : (ids of a, ids of b), optional
            Integers by which the rows of `a` and of `b` are known, however they are ordered this time. None: the rows.
        time : float, optional
            When this is, in the caller's unit; without it there are no velocities.

        Raises
        ------
        ValueError
            If a pair is asked about twice, ids do not fit, or time does not go on.
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
        """As `update`, from the remembered features alone: cheap, and finds nothing new."""
        return self._step(self._question(a, b, pairs, ids), time, search=False)

    def axes(
        self,
        a: Operand,
        b: Operand,
        pairs: ArrayLike | None = None,
        *,
        ids: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> Floats:
        """The axis from A to B that parted each pair when last updated: (P, 3), zeros where there is none.

        What `overlap`, `contacts` and `classify` take as `axis`.
        """
        return self._axes(self._question(a, b, pairs, ids).ids)

    def _question(
        self, a: Operand, b: Operand, pairs: ArrayLike | None, ids: tuple[ArrayLike, ArrayLike] | None
    ) -> ContactQuery:
        rows = index_pairs(a, b, pairs)
        names = []
        of_sides = [np.arange(len(a)), np.arange(len(b))] if ids is None else items(ids, "ids")
        if len(of_sides) != 2:
            raise ValueError(f"ids: {len(of_sides)} sequences, but those of a and of b are needed")
        for side, shapes in enumerate((a, b)):
            values = numbers(of_sides[side], "ids")
            if values.shape != (len(shapes),) or not np.issubdtype(values.dtype, np.integer):
                raise ValueError(f"ids: {values.dtype} of shape {values.shape} for {len(shapes)} shapes")
            names.append(values.astype(np.int64)[rows[:, side]])
        known_by = np.stack(names, axis=1)
        if len(np.unique(known_by, axis=0)) != len(known_by):
            raise ValueError("pairs: one pair is asked about twice")
        return ContactQuery(a, b, rows, known_by)

    def _axes(self, ids: Ints) -> Floats:
        at = lookup(self._axis_ids, ids)
        result = np.zeros((len(ids), 3))
        result[at >= 0] = self._axis[at[at >= 0]]
        return result

    def _step(self, asked: ContactQuery, time: float | None, *, search: bool) -> PersistentContacts:
        passed = self._passed(time)
        pair = lookup(asked.ids, self._known.ids)
        unasked = self._known.take(np.flatnonzero(pair < 0))
        known, pair = self._known.take(np.flatnonzero(pair >= 0)), pair[pair >= 0]
        now = refresh(asked, known, pair)
        found = self._found(asked) if search else Contacts.joined([])
        fresh = to_cached(asked, found)
        of_known = match(
            now.contacts,
            (known.anchor_a, known.anchor_b),
            (now.anchor_a, now.anchor_b),
            found,
            (fresh.anchor_a, fresh.anchor_b),
            pair_sizes(asked, found.pair, found),
            self.match_distance,
        )
        # Found ones first; of those that are known, the features have changed at most.
        alone = np.flatnonzero(of_known < 0)
        alone = alone[now.active[alone]]
        if search:
            alone = alone[normals_agree(now.contacts.take(alone), found)]
        everything = joined(fresh, now.take(alone))
        count = len(found)
        before = np.full(count + len(alone), -1)
        hit = np.flatnonzero(of_known >= 0)
        before[of_known[hit]] = hit
        before[count:] = alone
        from_memory = np.arange(count + len(alone)) >= count
        return self._settled(asked, everything, known, before, from_memory, unasked, passed)

    def _settled(
        self,
        asked: ContactQuery,
        now: CachedContacts,
        known: CachedContacts,
        before: Ints,
        from_memory: Bools,
        unasked: CachedContacts,
        passed: float,
    ) -> PersistentContacts:
        """Apply the rules, keep what remains, and say what changed. `before` is each contact's row of `known`."""
        row = np.maximum(before, 0)
        had = before >= 0
        old = known.take(row[had])
        was_given = np.zeros(len(before), dtype=bool)
        was_given[had] = old.active
        change, moved, separation = np.zeros((3, len(before)))
        separation[:] = np.nan
        change[had] = now.contacts.depth[had] - old.contacts.depth
        moved[had] = length(now.contacts.point[had] - old.contacts.point)
        if passed > 0.0:
            separation[had] = -change[had] / passed
        shallow = now.contacts.depth < self.min_depth - contact_tolerances(asked, now.contacts)
        bounced = separation > self.max_separation_speed
        twice = from_memory & duplicates(
            now.contacts, pair_sizes(asked, now.contacts.pair, now.contacts), self.match_distance
        )
        left = ~(shallow | bounced | twice)
        rank = ranks(now.contacts, left, from_memory.astype(np.int64) * 2 + ~was_given)
        active = left & (rank < self.max_contacts)

        gone, reason = self._gone(
            known, before, active, np.select([shallow, bounced, twice], _WHY, RemovalReason.COUNT)
        )
        gone = np.concatenate([unasked.identity[unasked.active], gone])
        reason = np.concatenate([np.full(np.count_nonzero(unasked.active), RemovalReason.SEPARATED), reason])

        identity, age = np.full(len(before), -1), np.zeros(len(before), dtype=np.int64)
        identity[was_given] = known.identity[before[was_given]]
        age[was_given] = known.age[before[was_given]] + 1
        new = active & ~was_given
        identity[new] = self._next + np.arange(np.count_nonzero(new))
        self._next += int(np.count_nonzero(new))
        kept = replace(now, identity=identity, age=age, active=active)
        # What has bounced is watched as long as it is found, so that it is not taken for new at once.
        self._known = kept.take(np.flatnonzero(active | (bounced & ~from_memory & ~shallow)))

        state = np.where(was_given, np.where(from_memory, ContactState.RECOMPUTED, ContactState.KEPT), ContactState.NEW)
        order = np.lexsort((-now.contacts.depth, now.contacts.pair))
        order = order[active[order]]
        fresh = ~was_given[order]
        return PersistentContacts(
            now.contacts.take(order),
            identity[order],
            age[order],
            state[order].astype(np.int8),
            np.where(fresh, 0.0, moved[order]),
            np.where(fresh, 0.0, change[order]),
            np.where(fresh, np.nan, separation[order]),
            gone,
            reason.astype(np.int8),
        )

    def _gone(self, known: CachedContacts, before: Ints, active: Bools, why: Ints) -> tuple[Ints, Ints]:
        """The identities among `known` that are given no more, and why."""
        reason = np.full(len(known.identity), int(RemovalReason.SEPARATED))
        stays = np.zeros(len(known.identity), dtype=bool)
        here = np.flatnonzero(before >= 0)
        reason[before[here]], stays[before[here]] = why[here], active[here]
        lost = known.active & ~stays
        return known.identity[lost], reason[lost]

    def _passed(self, time: float | None) -> float:
        """The time since the last update; 0 where it is not known."""
        if time is not None:
            time = _finite(time, "time")
        last, self._time = self._time, time
        if time is None or last is None:
            return 0.0
        if time < last:
            self._time = last
            raise ValueError(f"time: {time} is before the last update's, {last}")
        return time - last

    def _found(self, asked: ContactQuery) -> Contacts:
        """The contacts that there are now, whatever is remembered; the axes of all pairs are kept."""
        margin = max(0.0, -self.min_depth)
        axis = self._axes(asked.ids)
        limit = np.full(len(asked.rows), margin)
        near = np.flatnonzero(~proved_apart(asked.a, asked.b, asked.rows, limit, axis))
        found = contacts(asked.a, asked.b, asked.rows[near], margin)
        axis[near[found.pair]] = found.normal
        # Only of those that are apart after all, and had no axis that said so.
        apart = np.setdiff1d(near, near[found.pair])
        axis[apart] = distance(asked.a, asked.b, asked.rows[apart]).normal
        self._axis_ids, self._axis = asked.ids, axis
        return replace(found, pair=near[found.pair])


def _finite(value: ArrayLike, name: str, least: float = -np.inf) -> float:
    """A single finite number, at least so much; else `ValueError` naming the argument."""
    result = one_number(value, name, least)
    if not np.isfinite(result):
        raise ValueError(f"{name}: {result} is not finite")
    return result
