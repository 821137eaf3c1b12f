# SPDX-License-Identifier: GPL-3.0-or-later
"""A check that is kept: what changes in the scene is read and tested again, and nothing else.

Its report is the one that a check of the whole scene would give now. Work that takes long is done in parts, so that
Blender stays responsive; until all is done the report lacks the pairs that are still to be tested.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ...core.results import Bools, Floats, Ints
from ...core.world import World
from ..bridge.batches import with_shapes, world_of
from ..bridge.known_geometry import KnownGeometry
from ..bridge.placing import HalfSpace, WorldShape
from ..bridge.reading import Reading, moved, read, relations
from ..bridge.scope import scope_objects
from ..bridge.traits import ANY
from ..collisions.blocks import blocks
from ..collisions.check import report_of
from ..collisions.evidence import Evidence, in_order, judged
from ..collisions.pairing import Pairing, touching_levels
from ..report import ObjectKey, PairResult, Report
from ..session import Settings
from .candidates import KeptCandidates

# Scopes that mean the objects that were selected when they were asked about.
SELECTION_SCOPES = {"SELECTED", "ACTIVE"}

# Objects that are moved before time is looked at; pairs that are taken together, at first and then, and the seconds
# that they may take before time is looked at.
_TOGETHER = 256
_FEWEST, _MOST = 64, 4096
_BLOCK = 0.05


@dataclass
class Changes:
    """What has happened to the scene, by `session_uid`."""

    moved: set[int] = field(default_factory=set)  # and nothing else
    reshaped: set[int] = field(default_factory=set)
    relations: bool = False  # objects may have come, gone, or be of other bodies
    everything: bool = False  # any object may have any other shape
    frame: bool = False  # another frame is the current one

    def __bool__(self) -> bool:
        return bool(self.moved or self.reshaped or self.relations or self.everything or self.frame)

    def forget(self) -> None:
        """Nothing has happened."""
        self.moved.clear()
        self.reshaped.clear()
        self.relations = self.everything = self.frame = False


@dataclass(frozen=True)
class Scope:
    """The objects that are tested: `a` among themselves or, if there is a `b`, across."""

    a: frozenset[int]
    b: frozenset[int] | None = None

    @classmethod
    def of(cls, context: bpy.types.Context, settings: Settings) -> "Scope":
        """What the settings mean now; raises as `scope_objects`."""
        selection = scope_objects(context, settings.scope, settings.collection_a, settings.collection_b)
        first, second = (
            None if objects is None else frozenset(ob.session_uid for ob in objects)
            for objects in (selection.set_a, selection.set_b)
        )
        assert first is not None
        return cls(first, second)


class LiveCheck:
    """The shapes of a scope, how they stand to each other, and what of it is still to be found out.

    Parameters
    ----------
    settings : Settings
    scope : Scope
        What they mean now; of the scopes that go by the selection, what is tested for ever.
    known : KnownGeometry, optional
        Geometry that another check of this file has read.
    """

    def __init__(self, settings: Settings, scope: Scope, known: KnownGeometry | None = None) -> None:
        self.settings = settings
        self.known = known or KnownGeometry()
        self._scope = scope
        self._reading: Reading | None = None
        self._unread = True
        self._moved: set[int] = set()
        self._row: dict[ObjectKey, int] = {}
        self._placed: list[WorldShape] = []
        self._low, self._high = np.empty((2, 0, 3))
        self._level: Floats = np.empty(0)
        self._pairing = Pairing(np.empty(0, dtype=np.int64))
        self._candidates = KeptCandidates()
        self._evidence: Evidence | None = None
        self._results: dict[tuple[int, int], PairResult] = {}
        self._pending: Ints = np.empty((0, 2), dtype=np.int64)
        self._world: World | None = None
        self._touched: Bools = np.empty(0, dtype=bool)  # bodies that are to be judged anew

    @property
    def left(self) -> int:
        """How many pairs of shapes are still to be tested."""
        return len(self._pending)

    @property
    def world(self) -> World:
        """The shapes as they are now."""
        if self._world is None:
            self._world = world_of(self._placed)
        return self._world

    @property
    def reading(self) -> Reading | None:
        """What was read last; another one only where more has changed than the places of shapes."""
        return self._reading

    def update(self, context: bpy.types.Context, changes: Changes, late: Callable[[], bool]) -> bool:
        """Take in what has happened, as far as time allows.

        Parameters
        ----------
        context : bpy.types.Context
        changes : Changes
            Since the last call.
        late : function
            Whether the time is over. Something is done in any case.

        Returns
        -------
        bool
            Whether all is done; otherwise call again, even if nothing has happened.

        Raises
        ------
        ValueError
            If a collection of the scope is gone, or the camera has no frustum.
        """
        self._moved |= changes.moved
        if changes.everything:
            self.known.forget_all()
        else:
            self.known.forget(changes.reshaped)
        self._unread |= changes.everything or changes.relations or bool(changes.reshaped)
        # What the camera sees changes with every move.
        self._unread |= bool(self._moved) and self.settings.scope == "CAMERA"
        if not self._unread and self._moved:
            self._unread = not self._move(context, late)
        if self._unread and not self._read(context, late):
            return False
        self._test(late)
        self._judge()
        return not len(self._pending) and not self._moved

    def report(self, context: bpy.types.Context) -> Report | None:
        """What is known now; None before anything has been read."""
        if self._reading is None:
            return None
        touching = float(self._level.max(initial=0.0))
        near = self._candidates.of(np.ones(len(self._placed), dtype=bool))
        counts = len(self._pairing.ordered(near)), self._pairing.left_out(near)
        results = in_order(self._results.values())
        return report_of(context, self.settings, self._reading.shapes, results, touching, *counts)

    def _read(self, context: bpy.types.Context, late: Callable[[], bool]) -> bool:
        """Read the scene; False: not yet all of it."""
        if self.settings.scope not in SELECTION_SCOPES:
            self._scope = Scope.of(context, self.settings)
        scope, before = self._scope, self._reading
        reading = read(context, {*scope.a, *(scope.b or ())}, before=before, known=self.known, late=late)
        if reading is None:
            return False
        self._unread = False
        self._moved.clear()
        pairing = Pairing(reading.shapes.body, filter=reading.shapes.filter)
        if scope.b is not None:
            pairing = Pairing.across(reading.shapes, scope.a, scope.b)
        from_before = self._unchanged(before, reading, pairing)
        self._renew(reading, pairing, from_before)
        return True

    def _unchanged(self, before: Reading | None, now: Reading, pairing: Pairing) -> Ints:
        """The row that each row was before; -1 where it is another shape, or of another body or set."""
        result = np.full(len(now.keys), -1)
        if before is None:
            return result
        for row, key in enumerate(now.keys):
            old = self._row.get(key, -1)
            if old >= 0 and before.entries[key] is now.entries[key]:
                result[row] = old
        rows = np.flatnonzero(result >= 0)
        owners_now, owners_then = (
            [reading.shapes.bodies[body].key for body in reading.shapes.body[which].tolist()]
            for reading, which in ((now, rows), (before, result[rows]))
        )
        same = np.array([one == other for one, other in zip(owners_now, owners_then, strict=True)], dtype=bool)
        then = self._pairing
        for side_now, side_then in ((pairing.first, then.first), (pairing.second, then.second)):
            if side_now is not None and side_then is not None:
                same &= side_now[pairing.body[rows]] == side_then[then.body[result[rows]]]
        groups_now, groups_then = (_groups(of, which) for of, which in ((pairing, rows), (then, result[rows])))
        same &= (groups_now == groups_then).all(axis=0)
        result[rows[~same]] = -1
        return result

    def _renew(self, reading: Reading, pairing: Pairing, from_before: Ints) -> None:
        """Number everything anew, and have tested what has changed."""
        count, kept = len(reading.keys), from_before >= 0
        now = np.full(len(self._placed), -1)
        now[from_before[kept]] = np.flatnonzero(kept)
        low, high = reading.shapes.world.bounds()
        self._reading, self._pairing, self._placed = reading, pairing, list(reading.placed)
        self._row = {key: row for row, key in enumerate(reading.keys)}
        self._low, self._high = low, high
        self._level = touching_levels(low, high, self.settings.touching)
        every = np.arange(count)
        self._candidates.renew(reading.keys, *self._room(every), self._endless(every), ~kept)
        again = [self._candidates.of(~kept)]
        if self._evidence is not None:
            pairs = now[self._evidence.pairs]
            there = (pairs >= 0).all(axis=1)
            # Bodies are in the order of their names, which may have changed.
            in_place = there & (pairing.body[pairs[:, 0]] < pairing.body[pairs[:, 1]])
            again.append(pairs[there & ~in_place])
            rows = np.flatnonzero(in_place)
            self._evidence = replace(self._evidence.take(rows), pairs=pairs[rows])
        waiting = now[self._pending]
        again.append(waiting[(waiting >= 0).all(axis=1)])
        self._pending = _distinct(pairing.ordered(np.concatenate(again)))
        self._touched = np.ones(len(reading.shapes.bodies), dtype=bool)
        self._world = reading.shapes.world

    def _move(self, context: bpy.types.Context, late: Callable[[], bool]) -> bool:
        """Move the shapes of the objects that have moved; False: more has changed, and all has to be read."""
        reading = self._reading
        if reading is None or not self._moved <= reading.movable.keys():
            return False
        objects = {ob.session_uid: ob for ob in bpy.data.objects if ob.session_uid in self._moved}
        if objects.keys() != self._moved:
            return False
        if any(relations(ob) != reading.movable[uid] for uid, ob in objects.items()):
            return False
        everyone = list(objects.values())
        rows: list[int] = []
        for begin in range(0, len(everyone), _TOGETHER):
            if begin and late():
                break
            some = everyone[begin : begin + _TOGETHER]
            entries = moved(context, reading, some)
            if entries is None:
                return False
            self._moved -= {ob.session_uid for ob in some}
            for key, entry in entries.items():
                was = reading.entries[key].matrix
                reading.entries[key] = entry
                if entry.outcome.shape is not None and entry.matrix != was:
                    self._placed[self._row[key]] = entry.outcome.shape
                    rows.append(self._row[key])
        if rows:
            self._place(np.array(sorted(rows)))
        return True

    def _place(self, rows: Ints) -> None:
        """Shapes of these rows, ascending, are where they were not before."""
        low, high = world_of([self._placed[row] for row in rows.tolist()]).bounds()
        self._low[rows], self._high[rows] = low, high
        self._level[rows] = touching_levels(low, high, self.settings.touching)
        changed = np.zeros(len(self._placed), dtype=bool)
        changed[rows] = True
        self._candidates.move(rows, *self._room(rows), self._endless(rows))
        if self._evidence is not None:
            self._evidence = self._evidence.take(np.flatnonzero(~changed[self._evidence.pairs].any(axis=1)))
        waiting = self._pending[~changed[self._pending].any(axis=1)]
        again = self._pairing.ordered(self._candidates.of(changed))
        self._pending = np.concatenate([waiting, again])
        self._touched[self._pairing.body[rows]] = True
        if self._world is not None:
            self._world = with_shapes(self._world, rows, [self._placed[row] for row in rows.tolist()])

    def _reach(self, rows: Ints) -> Floats:
        """How much larger the bounds of these rows must be for those of every pair that matters to overlap."""
        reach = np.maximum(self.settings.clearance / 2.0, self._level[rows])
        # A hair for the rounding of the bounds themselves.
        bounds = np.abs(np.stack([self._low[rows], self._high[rows]]))
        size = np.where(np.isfinite(bounds), bounds, 0.0).max(axis=(0, 2), initial=0.0)
        result: Floats = reach + 8.0 * np.finfo(np.float64).eps * size
        return result

    def _room(self, rows: Ints) -> tuple[Floats, Floats]:
        """The bounds of these rows, so much larger."""
        reach = self._reach(rows)[:, None]
        return self._low[rows] - reach, self._high[rows] + reach

    def _endless(self, rows: Ints) -> dict[int, HalfSpace]:
        """The half-spaces among these rows, so much larger."""
        found = {row: shape for row in rows.tolist() if isinstance(shape := self._placed[row], HalfSpace)}
        reach = self._reach(np.array(list(found), dtype=np.int64)).tolist()
        return {
            row: HalfSpace(shape.normal, shape.offset + more)
            for (row, shape), more in zip(found.items(), reach, strict=True)
        }

    def _test(self, late: Callable[[], bool]) -> None:
        """Test the pairs that wait, until it is late."""
        found = [] if self._evidence is None else [self._evidence]
        size, in_time = _FEWEST, True
        while len(self._pending) and in_time:
            pairs, waiting = self._pending[:size], self._pending[size:]
            rows, local = np.unique(pairs, return_inverse=True)
            local = local.reshape(-1, 2)
            world, bounds = world_of([self._placed[row] for row in rows.tolist()]), (self._low[rows], self._high[rows])
            left = np.ones(len(pairs), dtype=bool)
            for block in blocks(world, bounds, local, _BLOCK):
                level = self._level[pairs[block]].max(axis=1)
                part = Evidence.of(world, local[block], level, self.settings.clearance, bounds)
                found.append(replace(part, pairs=rows[part.pairs]))
                self._touched[self._pairing.body[pairs[block]]] = True
                left[block] = False
                in_time = not late()
                if not in_time:
                    break
            self._pending = np.concatenate([pairs[left], waiting])
            size = min(2 * size, _MOST)
        if found:
            self._evidence = Evidence.joined(found)

    def _judge(self) -> None:
        """Say anew how the bodies stand that have changed or been tested."""
        touched = self._touched
        if not touched.any():
            return
        if touched.all():
            self._results = {}
        else:
            anew = set(np.flatnonzero(touched).tolist())
            self._results = {pair: result for pair, result in self._results.items() if anew.isdisjoint(pair)}
        if self._evidence is not None:
            body = self._pairing.body
            rows = np.flatnonzero(touched[body[self._evidence.pairs]].any(axis=1))
            self._results.update(judged(self.world, self._evidence.take(rows), body))
        self._touched = np.zeros_like(touched)


def _groups(pairing: Pairing, rows: Ints) -> Ints:
    """Group and mask of some rows, (2, K)."""
    if pairing.filter is None:
        return np.broadcast_to(np.array(ANY)[:, None], (2, len(rows)))
    return np.stack([pairing.filter.group[rows], pairing.filter.mask[rows]])


def _distinct(pairs: Ints) -> Ints:
    return np.unique(pairs, axis=0) if len(pairs) else pairs
