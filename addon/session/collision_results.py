# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of the last check, the chosen pair, and which of its bodies have changed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ... import core
from ..i18n.lookup import label_
from ..model.report import (
    CROSSING_FACES,
    Body,
    ObjectKey,
    PairResult,
    Report,
    Settings,
    body_uids,
    is_gone,
    name_now,
)
from ..scene import events
from ..scene.events import NOWHERE, Event, Place, SceneChange
from .latest import Change, Dependencies, Result

if TYPE_CHECKING:
    from ...core.planar.world import PlacedWorld


class Staleness(NamedTuple):
    """Bodies of a report that have changed. Only for comparison."""

    undone: bool
    changed: int
    gone: frozenset[int]


class CollisionResult(Result):
    """A report, its objects, and which of them have changed since.

    Attributes
    ----------
    report : Report or None
        None: nothing has been checked, or it was cleared.
    world : World, PlacedWorld or None
        Tested shapes, row for row with `report.shapes`. None: the report comes from the file.
    uids : frozenset of int
        The `session_uid` of every tested object, including instancers.
    viewers : frozenset of int
        The camera, if the check was in its plane.
    chosen : int
        Row of the highlighted pair in `report.pairs`. -1: none.
    framed : bool
        Whether the chosen pair has been selected and framed, or isolated. A check and a fix choose a pair without that.
    followed : bool
        Whether live mode keeps it up to date: changes are about to be tested again.
    partial : bool
        Whether live mode will still add pairs to it.
    on_new : Event
        Published when there is another report, or none anymore.
    """

    def __init__(self) -> None:
        self.on_new: Event[[]] = Event()
        self.followed = False
        self._clear()

    def _clear(self) -> None:
        self.report: Report | None = None
        self.world: core.World | PlacedWorld | None = None
        self.asked: Settings | None = None
        self.place = NOWHERE
        self.change: Change | None = None
        self.suspect = False
        self.partial = False
        self.chosen = -1
        self.framed = False
        self._undone = False
        self._gone: frozenset[int] = frozenset()
        self._scope_changed = False
        self._changed: set[int] = set()
        # Pairs that were measured in full after the check, replacing those of the report.
        self._measured: dict[tuple[int, int, int], tuple[PairResult, PairResult]] = {}
        self.uids: frozenset[int] = frozenset()
        self.viewers: frozenset[int] = frozenset()
        self.depend_on({}, {})

    @property
    def settings(self) -> Settings | None:
        """The options of the check."""
        return self.asked

    def store(self, report: Report, world: "core.World | PlacedWorld | None", settings: Settings, place: Place) -> None:
        """Store a report, and drop the previous one. `depend_on` follows. A report from the file has no shapes."""
        self._clear()
        self.report, self.world, self.asked, self.place = report, world, settings, place
        self.uids = frozenset(uid for body in report.bodies for uid in body_uids(body))
        self.on_new.publish()

    def forget(self) -> None:
        """Clear the report."""
        self._clear()
        self.on_new.publish()

    def renew(self, report: Report, world: "core.World") -> None:
        """Replace the report by a later one on the same bodies, which is up to date."""
        self.report, self.world = report, world
        self.suspect = self._undone = self._scope_changed = False
        self._changed.clear()
        self._weigh()
        self.on_new.publish()

    def depend_on(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Store the dependencies that the depsgraph does not report, for `review`."""
        super().depend_on(dependencies, names)
        self._gone = frozenset()

    # What happens to the scene.

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene."""
        if self.report is not None:
            super().happened(change)

    def mark_changed(self, uids: Iterable[int]) -> None:
        """Record that these objects have changed, or have another collision shape."""
        self._changed.update(self.uids.intersection(uids))
        self._weigh()

    def mark_undone(self) -> None:
        """Record that another state of the scene has replaced it, so that any object may have moved."""
        if self.report is not None:
            self._undone = self.suspect = True
            self._weigh()

    def review(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Compare the dependencies with their current values, and clear the suspicion."""
        self.suspect = False
        before, self.names = self.dependencies, names
        self._gone = frozenset(row for row, body in enumerate(self._bodies()) if self.body_is_gone(body))
        self._scope_changed = before.keys() != dependencies.keys() or bool(self._gone)
        self.mark_changed(uid for uid, value in before.items() if dependencies.get(uid) != value)

    def _weigh(self) -> None:
        changed = Change.SCENE if self._changed or self._scope_changed else None
        self.change = Change.UNDO if self._undone else changed

    # Validity of the report.

    def change_for(self, asked: object) -> Change | None:
        """Return the most severe change since the check. None: the report is up to date."""
        return super().change_for(asked) if self.report is not None else self.change

    def pair_is_stale(self, pair: PairResult) -> bool:
        """Return whether one of the two bodies has changed since the check."""
        return any(map(self.body_is_stale, self.bodies_of(pair)))

    def body_is_stale(self, body: Body) -> bool:
        """Return whether a body has changed since the check."""
        return self._undone or self.body_is_gone(body) or not self._changed.isdisjoint(body_uids(body) | self.viewers)

    @property
    def changed_uids(self) -> frozenset[int]:
        """The `session_uid` of objects that have changed since the check."""
        return frozenset(self._changed)

    def named_now(self) -> Report:
        """Return the report with the current names of its bodies."""
        assert self.report is not None
        bodies = (body if body.part else replace(body, name=self.body_name(body)) for body in self.report.bodies)
        return replace(self.report, bodies=tuple(bodies))

    def staleness(self) -> Staleness:
        """Return a value that, for the same report, is equal only if the same bodies are stale."""
        # Objects that have changed stay stale until the next report.
        return Staleness(self._undone, len(self._changed), self._gone)

    def body_is_gone(self, body: Body) -> bool:
        """Return whether the body's object, or its instancer, is no longer in the file."""
        return is_gone(body, self.names)

    def body_name(self, body: Body) -> str:
        """Return the current name. For a deleted body, its last name."""
        if not body.part:
            return name_now(body, self.names_then, self.names)
        whole = name_now(replace(body, name=body.whole), self.names_then, self.names)
        if body.part == CROSSING_FACES:
            return label_("{name}: crossing faces", name=whole)
        return label_("{name}: part {number}", name=whole, number=body.part)

    def pair_name(self, pair: PairResult) -> str:
        """Return the names of both bodies."""
        return " × ".join(self.body_name(body) for body in self.bodies_of(pair))

    def bodies_of(self, pair: PairResult) -> tuple[Body, Body]:
        """Return the two bodies of a pair of the report."""
        bodies = self._bodies()
        return bodies[pair.body_a], bodies[pair.body_b]

    def keys_of(self, row: int) -> frozenset[ObjectKey]:
        """Return the keys of the two bodies of a row. Empty if the row does not exist."""
        pair = self.pair(row)
        return frozenset() if pair is None else frozenset(body.key for body in self.bodies_of(pair))

    def pair(self, row: int) -> PairResult | None:
        """Return a pair of the report, as far as it has been measured. None if the row does not exist."""
        pairs = self.report.pairs if self.report is not None else ()
        if not 0 <= row < len(pairs):
            return None
        pair = pairs[row]
        before, measured = self._measured.get(_key_of(pair), (None, pair))
        return measured if before is pair else pair

    def keep_measured(self, row: int, measured: PairResult) -> None:
        """Store a pair of the report that has been measured in full."""
        assert self.report is not None
        self._measured[_key_of(measured)] = self.report.pairs[row], measured

    def _bodies(self) -> tuple[Body, ...]:
        return self.report.bodies if self.report is not None else ()


def _key_of(pair: PairResult) -> tuple[int, int, int]:
    return pair.shape_a, pair.shape_b, pair.test


# The instance that the operators, the panels and the handlers share.
last_check = CollisionResult()
events.on_change.subscribe(last_check.happened)
events.on_undo.subscribe(last_check.mark_undone)
events.on_reset.subscribe(last_check.forget)
