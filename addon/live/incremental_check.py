# SPDX-License-Identifier: GPL-3.0-or-later
"""A check that is kept up to date: only changed parts of the scene are read and tested again.

Its report equals that of a check of the whole scene. Long work is divided into parts, so that Blender stays responsive.
Until all parts are done, the report lacks the pairs that are still to be tested.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from time import perf_counter

import bpy
import numpy as np

from ...core.numerics.types import Bools, Floats, Ints
from ...core.world.world import World
from ..collisions.basis import Basis
from ..collisions.blocks import blocks
from ..collisions.check import Found, arranged, places_of, report_of
from ..collisions.pair_evidence import DrawnFaces, PairEvidence, judged
from ..collisions.pairing import Pairing, touching_levels
from ..model.one_thing import things_of
from ..model.report import ObjectKey, PairResult, Report, in_order
from ..model.shapes import HalfSpace, WorldShape
from ..scene import open_file
from ..scene.objects.facts import ObjectFacts, facts_of
from ..scene.objects.labels import labels_of
from ..scene.reading.batches import with_shapes, world_of
from ..scene.reading.incremental import Reading, ShapeSource, moved, reading, rereading
from ..scene.reading.scene_shapes import with_assets
from ..scene.reading.scene_snapshot import SceneChanged
from .candidates import KeptCandidates
from .changes import SELECTION_SCOPES, SceneChanges, Scope
from .unchanged import rows_before

# Approximate seconds for a step of reading if it can be divided, and number of restarts if the scene changes meanwhile.
# After that, the scene is read in one step, except for cached geometry.
_READ, _ANEW = 0.02, 3

# Number of objects that are moved, and of bodies that are judged, between two checks of the time. For pairs: the number
# tested together at first and later, and the seconds for a block.
_TOGETHER, _JUDGED = 256, 128
_FEWEST, _MOST = 64, 4096
_BLOCK = 0.05


@dataclass
class _Block:
    """Pairs that are being tested.

    Attributes
    ----------
    pairs : (P, 2) int64
        Rows of the check.
    rows : (N,) int64
        Rows of the check that the steps use, numbered from zero there.
    steps : generator
        As for `PairEvidence.finding`.
    """

    pairs: Ints
    rows: Ints
    steps: Generator[None, None, PairEvidence]


class LiveCheck:
    """The shapes of a scope, their results, and the remaining work.

    Parameters
    ----------
    basis : Basis
        Input and evidence of a check. For scopes that depend on the selection, the same objects are tested from now on.
    report : Report
        Report of the same check.

    Attributes
    ----------
    settings : Settings
    known : KnownGeometry
        Geometry of the tested objects.
    tested : int
        Number of pairs of shapes that have been tested since.
    arranging : float
        Seconds that it took to find the folds of the last report.
    """

    def __init__(self, basis: Basis, report: Report) -> None:
        self.settings, self.known = basis.settings, basis.known
        self._scope = self._scope_read = Scope(*basis.sets)
        self._reading: Reading = basis.reading
        self._reader: Generator[bool, None, Reading | dict[ObjectKey, ShapeSource]] | None = None
        self._found: Reading | dict[ObjectKey, ShapeSource] | None = None  # read, but not processed yet
        self._anew = 0
        self._unread = False
        self.tested = 0
        self._moved: set[int] = set()
        self._row: dict[ObjectKey, int] = {}
        self._placed: list[WorldShape] = []
        self._low, self._high = np.empty((2, 0, 3))
        self._level: Floats = np.empty(0)
        self._pairing = Pairing(np.empty(0, dtype=np.int64))
        self._candidates = KeptCandidates()
        self._evidence: PairEvidence | None = None
        self._results: dict[tuple[int, int], PairResult] = {}
        self._pending: Ints = np.empty((0, 2), dtype=np.int64)
        self._block: _Block | None = None
        self._together = _FEWEST
        self._world: World | None = None
        self._touched: Bools = np.empty(0, dtype=bool)  # bodies that must be judged again
        self._report, self._report_is_old = report, False
        # The reading whose folds the report has, and the seconds that it took to find them.
        self._arranged, self.arranging = basis.reading, 0.0
        self._is_arranged = True
        self._number(basis.reading, self._pairing_of(basis.reading), np.zeros(len(basis.reading.keys), dtype=bool))
        self._touched = np.zeros(len(basis.reading.shapes.bodies), dtype=bool)
        self._evidence = basis.evidence
        self._results = {(pair.body_a, pair.body_b): pair for pair in report.pairs}

    @property
    def left(self) -> int:
        """The number of pairs of shapes still to be tested.

        When it is zero, the number of bodies still to be judged.
        """
        return len(self._pending) or int(np.count_nonzero(self._touched))

    @property
    def is_reading(self) -> bool:
        """Whether parts of the scene are still to be read."""
        return self._unread

    @property
    def is_done(self) -> bool:
        """Whether the results include all changes so far."""
        return not self._unread and not len(self._pending) and not self._moved and not self._touched.any()

    @property
    def world(self) -> World:
        """The current shapes."""
        if self._world is None:
            self._world = world_of(self._placed)
        return self._world

    @property
    def reading(self) -> Reading:
        """The last reading. It is a new object whenever more than the transforms of shapes has changed."""
        return self._reading

    @property
    def facts(self) -> dict[int, ObjectFacts]:
        """The facts about all objects in the last reading, by `session_uid`."""
        return self._reading.snapshot.facts

    def update(
        self,
        context: bpy.types.Context,
        changes: SceneChanges,
        late: Callable[[], bool],
        half_over: Callable[[], bool],
        *,
        judges: bool = True,
    ) -> None:
        """Process changes as time allows. Unless `is_done`, it must be called again, even without new changes.

        Parameters
        ----------
        context : bpy.types.Context
        changes : SceneChanges
            Changes since the last call.
        late : function
            Returns whether the time is up. Each call does some work in any case.
        half_over : function
            Returns whether half of the time is over. No step of reading begins after that, because some take as long.
        judges : bool
            Whether bodies are judged before all pairs have been tested, to report what is known.

        Raises
        ------
        ValueError
            If a collection of the scope no longer exists, or the camera has no frustum.
        """
        if changes.more_than_moves:
            self._begin_anew()
        self._moved |= changes.moved
        changes.discard_geometry(self.known)
        self._unread |= changes.everything or changes.relations or bool(changes.reshaped)
        # Any motion may change what the camera sees.
        self._unread |= bool(self._moved) and self.settings.scope == "CAMERA"
        self._report_is_old |= changes.frame
        if not self._unread and (self._moved or changes.frame or changes.hidden):
            self._unread = not self._move(context, late, changes.hidden)
        # Objects that have moved since the scene was read are moved in the next update.
        if self._unread and (not self._read(context, half_over) or self._moved or late()):
            return
        self._test(late)
        if judges or not len(self._pending):
            self._judge(late)

    @property
    def is_arranged(self) -> bool:
        """Whether the folds of the last report are those of its pairs."""
        return self._is_arranged

    def report(self, context: bpy.types.Context, *, arranges: bool = True) -> Report:
        """Return the current report, the same object until something changes.

        Parameters
        ----------
        context : bpy.types.Context
        arranges : bool
            Whether folds are found anew, which takes long if there are thousands of objects. Otherwise, pairs that were
            folded in the last report still are, unless more than transforms has changed.
        """
        arranges = arranges or self._arranged is not self._reading
        if not self._report_is_old and (self._is_arranged or not arranges):
            return self._report
        touching = float(self._level.max(initial=0.0))
        near = self._candidates.of(np.ones(len(self._placed), dtype=bool))
        counts = len(self._pairing.ordered(near)), self._pairing.left_out(near)
        results = in_order(self._results.values())
        shapes = self._reading.shapes
        # The assets depend on the positions of their parts.
        bodies = with_assets(shapes.bodies, shapes.body, shapes.assets, (self._low, self._high))
        report = report_of(context, self.settings, replace(shapes, bodies=bodies), results, touching, *counts)
        self._report_is_old, self._is_arranged = False, arranges
        if not arranges:
            last = self._report
            self._report = replace(
                report,
                surroundings=last.surroundings,
                library=last.library,
                joined=last.joined,
                odd=last.odd,
                issues=last.issues,
            )
            return self._report
        begin = perf_counter()
        told = np.array([(pair.body_a, pair.body_b, int(pair.verdict)) for pair in results], np.int64).reshape(-1, 3)
        depth = np.array([pair.depth_bound for pair in results], np.float64)
        found = Found(told[:, 0], told[:, 1], told[:, 2], depth)
        labels = labels_of(bodies) if self.settings.one_thing else []
        things = things_of(self.settings.one_thing, labels)
        places = places_of(bodies, things)
        self._report = arranged(report, self.settings, shapes, (self._low, self._high), places, found)
        self._arranged, self.arranging = self._reading, perf_counter() - begin
        return self._report

    def _read(self, context: bpy.types.Context, late: Callable[[], bool]) -> bool:
        """Read the scene and process the reading. False if this is not finished."""
        if self._found is None:
            if not self._go_on_reading(context, late):
                return False
            if late() and self._anew < _ANEW:
                return False
        found, self._found = self._found, None
        self._unread, self._anew, self._scope_read = False, 0, self._scope
        if isinstance(found, Reading):
            self._renew(found)
        else:
            self._take_in(found or {})
        return True

    def _go_on_reading(self, context: bpy.types.Context, late: Callable[[], bool]) -> bool:
        """Read the scene. False if it is not finished."""
        begun = self._reader is not None
        if self._reader is None:
            self._reader = self._reading_anew(context)
        try:
            while True:
                kept = next(self._reader)
                if not begun:
                    # The scene was read with their current transforms.
                    self._moved.clear()
                    begun = True
                if late() and (kept or self._anew < _ANEW):
                    return False
        except StopIteration as end:
            self._reader, self._found = None, end.value
            return True
        except SceneChanged:
            self._begin_anew()
            return False

    def _reading_anew(
        self, context: bpy.types.Context
    ) -> Generator[bool, None, Reading | dict[ObjectKey, ShapeSource]]:
        """Return the steps of reading the scene. If the same objects are tested as before, only changes are read."""
        if self.settings.scope not in SELECTION_SCOPES:
            self._scope = Scope.of(context, self.settings)
        uids = {*self._scope.a, *(self._scope.b or ())}
        included = self.settings.include_operands
        again = rereading if self._scope == self._scope_read else reading
        return again(context, uids, before=self._reading, known=self.known, include_operands=included, seconds=_READ)

    def _begin_anew(self) -> None:
        """Discard what has been read so far."""
        if self._reader is not None or self._found is not None:
            if self._reader is not None:
                self._reader.close()
            self._reader = self._found = None
            self._anew += 1

    def _pairing_of(self, reading: Reading) -> Pairing:
        sets = [self._scope.a] if self._scope.b is None else [self._scope.a, self._scope.b]
        pairing = Pairing.among(reading.shapes, sets)
        return pairing.within_assets(reading.shapes.bodies) if self.settings.each_asset else pairing

    def _number(self, reading: Reading, pairing: Pairing, kept: Bools) -> None:
        """Number the rows as in a reading. `kept` (N,): those with the same shape as before."""
        low, high = reading.shapes.world.bounds()
        self._reading, self._pairing, self._placed, self._block = reading, pairing, list(reading.placed), None
        self._row = {key: row for row, key in enumerate(reading.keys)}
        self._low, self._high = low, high
        self._level = touching_levels(low, high, self.settings.touching)
        every = np.arange(len(kept))
        self._candidates.renew(reading.keys, *self._room(every), self._endless(every), ~kept)
        self._world = reading.shapes.world

    def _renew(self, reading: Reading) -> None:
        """Renumber all rows, and queue changed rows for testing."""
        pairing, body_then = self._pairing_of(reading), self._pairing.body
        from_before = rows_before(self._reading, self._pairing, self._row, reading, pairing)
        kept = from_before >= 0
        now = np.full(len(self._placed), -1)
        now[from_before[kept]] = np.flatnonzero(kept)
        self._number(reading, pairing, kept)
        again = [self._candidates.of(~kept)]
        if self._evidence is not None:
            pairs = now[self._evidence.pairs]
            there = np.flatnonzero((pairs >= 0).all(axis=1))
            # Bodies are sorted by name, and names may have changed.
            bodies = pairing.body[pairs[there]]
            in_place = bodies[:, 0] < bodies[:, 1]
            again.append(pairs[there[~in_place]])
            rows = there[in_place]
            self._evidence = replace(self._evidence.take(rows), pairs=pairs[rows])
        waiting = now[self._pending]
        again.append(waiting[(waiting >= 0).all(axis=1)])
        self._pending = _distinct(pairing.ordered(np.concatenate(again)))
        self._report_is_old = True
        self._renumber(body_then, from_before, now)

    def _renumber(self, then: Ints, from_before: Ints, now: Ints) -> None:
        """Keep the results of bodies with the same shapes as before, and queue the others to be judged.

        Parameters
        ----------
        then : (M,) int64
            Previous body of each row.
        from_before, now : (N,), (M,) int64
            Previous row of each row, and new row of each previous row. -1: none.
        """
        body, kept = self._pairing.body, from_before >= 0
        count, count_then = np.bincount(body), np.bincount(then)
        was = np.full(len(count), -1)
        was[body[kept]] = then[from_before[kept]]
        whole = np.bincount(body[kept], minlength=len(count)) == count
        whole[whole] &= count[whole] == count_then[was[whole]]
        whole[whole] &= ~self._touched[was[whole]]
        become = np.full(len(count_then), -1)
        become[was[whole]] = np.flatnonzero(whole)
        self._touched = ~whole
        results, places, rows = self._results, become.tolist(), now.tolist()
        self._results = {}
        for (first, second), result in results.items():
            a, b = places[first], places[second]
            if a >= 0 and b >= 0 and a < b:
                ends = rows[result.shape_a], rows[result.shape_b]
                if (a, b, *ends) != (first, second, result.shape_a, result.shape_b):
                    result = replace(result, body_a=a, body_b=b, shape_a=ends[0], shape_b=ends[1])
                self._results[a, b] = result
            elif a >= 0 and b >= 0:
                # Bodies are sorted by name, and their names have changed.
                self._touched[[a, b]] = True

    def _move(self, context: bpy.types.Context, late: Callable[[], bool], unreported: bool) -> bool:
        """Move the shapes of moved objects. False if more has changed, so that everything must be read.

        `unreported`: whether hidden objects may have changed.
        """
        reading = self._reading
        if not self._moved <= reading.movable.keys():
            return False
        hidden, facts = reading.snapshot.hidden, reading.snapshot.facts
        objects = open_file.objects_by_uid(self._moved | hidden)
        if objects.keys() != self._moved | hidden:
            return False
        # Blender does not evaluate hidden objects. A new name may come with any change.
        if any(objects[uid].name != facts[uid].name for uid in hidden):
            return False
        if unreported and any(facts_of(objects[uid]) != facts[uid] for uid in hidden):
            return False
        if any(facts_of(objects[uid]) != reading.movable[uid] for uid in self._moved):
            return False
        everyone = [ob for uid, ob in objects.items() if uid in self._moved]
        for begin in range(0, len(everyone), _TOGETHER):
            if begin and late():
                break
            some = everyone[begin : begin + _TOGETHER]
            entries = moved(context, reading, some)
            if entries is None:
                return False
            self._moved -= {ob.session_uid for ob in some}
            self._take_in(entries)
        return True

    def _take_in(self, entries: dict[ObjectKey, ShapeSource]) -> None:
        """Replace the entries with the same keys, and their shapes."""
        rows = []
        for key, entry in entries.items():
            was, self._reading.entries[key] = self._reading.entries[key], entry
            same = entry.matrix == was.matrix and entry.geometry is was.geometry
            if entry.result.shape is not None and not same:
                self._placed[self._row[key]] = entry.result.shape
                rows.append(self._row[key])
        if rows:
            self._place(np.array(sorted(rows)))
            self._report_is_old = True

    def _place(self, rows: Ints) -> None:
        """Update the shapes of these rows, in ascending order, after a change of their transforms."""
        low, high = world_of([self._placed[row] for row in rows.tolist()]).bounds()
        self._low[rows], self._high[rows] = low, high
        self._level[rows] = touching_levels(low, high, self.settings.touching)
        changed = np.zeros(len(self._placed), dtype=bool)
        changed[rows] = True
        self._candidates.move(rows, *self._room(rows), self._endless(rows))
        if self._evidence is not None:
            self._evidence = self._evidence.take(np.flatnonzero(~changed[self._evidence.pairs].any(axis=1)))
        if self._block is not None and changed[self._block.pairs].any():
            self._block = None
        waiting = self._pending[~changed[self._pending].any(axis=1)]
        again = self._pairing.ordered(self._candidates.of(changed))
        self._pending = np.concatenate([waiting, again])
        self._touched[self._pairing.body[rows]] = True
        if self._world is not None:
            self._world = with_shapes(self._world, rows, [self._placed[row] for row in rows.tolist()])

    def _reach(self, rows: Ints) -> Floats:
        """Return the margin for the bounds of these rows, so that those of all relevant pairs overlap."""
        reach = np.maximum(self.settings.clearance / 2.0, self._level[rows])
        # A little more for the rounding of the bounds.
        bounds = np.abs(np.stack([self._low[rows], self._high[rows]]))
        size = np.where(np.isfinite(bounds), bounds, 0.0).max(axis=(0, 2), initial=0.0)
        result: Floats = reach + 8.0 * np.finfo(np.float64).eps * size
        return result

    def _room(self, rows: Ints) -> tuple[Floats, Floats]:
        """Return the bounds of these rows, enlarged by that margin."""
        reach = self._reach(rows)[:, None]
        return self._low[rows] - reach, self._high[rows] + reach

    def _endless(self, rows: Ints) -> dict[int, HalfSpace]:
        """Return the half-spaces among these rows, enlarged by that margin."""
        found = {row: shape for row in rows.tolist() if isinstance(shape := self._placed[row], HalfSpace)}
        reach = self._reach(np.array(list(found), dtype=np.int64)).tolist()
        return {
            row: HalfSpace(shape.normal, shape.offset + more)
            for (row, shape), more in zip(found.items(), reach, strict=True)
        }

    def _test(self, late: Callable[[], bool]) -> None:
        """Test the queued pairs until the time is up."""
        found = [] if self._evidence is None else [self._evidence]
        in_time = self._block is None or self._go_on(found, late)
        while len(self._pending) and in_time:
            pairs = self._pending[: self._together]
            rows, local = np.unique(pairs, return_inverse=True)
            local = local.reshape(-1, 2)
            world, bounds = world_of([self._placed[row] for row in rows.tolist()]), (self._low[rows], self._high[rows])
            for block in blocks(world, bounds, local, _BLOCK):
                level = self._level[pairs[block]].max(axis=1)
                steps = PairEvidence.finding(world, local[block], level, self.settings.clearance, bounds)
                self._block = _Block(pairs[block], rows, steps)
                in_time = self._go_on(found, late)
                if not in_time:
                    break
            self._together = min(2 * self._together, _MOST)
        if found:
            self._evidence = PairEvidence.joined(found)

    def _go_on(self, found: list[PairEvidence], late: Callable[[], bool]) -> bool:
        """Continue testing the current block until the time is up. Return whether time is left."""
        block = self._block
        assert block is not None
        try:
            while True:
                next(block.steps)
                if late():
                    return False
        except StopIteration as end:
            part: PairEvidence = end.value
        self._block = None
        self.tested += len(block.pairs)
        found.append(replace(part, pairs=block.rows[part.pairs]))
        self._touched[self._pairing.body[block.pairs]] = True
        waiting, done = (pairs @ np.array([len(self._placed), 1]) for pairs in (self._pending, block.pairs))
        self._pending = self._pending[~np.isin(waiting, done)]
        return not late()

    def _judge(self, late: Callable[[], bool]) -> None:
        """Judge the bodies that have changed or been tested, until the time is up."""
        waiting = np.flatnonzero(self._touched)
        if not len(waiting):
            return
        anew, self._report_is_old = set(waiting.tolist()), True
        self._results = {pair: result for pair, result in self._results.items() if anew.isdisjoint(pair)}
        if self._evidence is None:
            self._touched[:] = False
            return
        body, bodies = self._pairing.body, self._pairing.body[self._evidence.pairs]
        drawn = DrawnFaces(self._reading.shapes.shapes, self._reading.shapes.bodies)
        while len(waiting):
            some, waiting = waiting[:_JUDGED], waiting[_JUDGED:]
            chosen = np.zeros_like(self._touched)
            chosen[some] = True
            rows = np.flatnonzero(chosen[bodies].any(axis=1))
            found = judged(self.world, self._evidence.take(rows), body, drawn)
            self._results.update({(pair.body_a, pair.body_b): pair for pair in found})
            self._touched[some] = False
            if late():
                return


def _distinct(pairs: Ints) -> Ints:
    return np.unique(pairs, axis=0) if len(pairs) else pairs
