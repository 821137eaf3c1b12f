# SPDX-License-Identifier: GPL-3.0-or-later
"""The last check's report, and whether it still describes the scene.

Kept in Python and keyed by `session_uid`, because results stored in the file would be undone with it, and
references to objects dangle after undo. `addon.watch` tells it what happens to the scene.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ..core.planar.world import PlacedWorld
from ..core.results import Floats
from ..core.world import World
from .report import Body, ObjectKey, PairResult, Report

# session_uid -> what a check depended on of that object
Dependencies = Mapping[int, object]


class Change(Enum):
    """What has happened since the check; the value is the sentence that the panel shows."""

    SCENE = "The scene has changed since this check"
    UNDO = "Undo or redo since this check"
    SETTINGS = "The settings have changed since this check"


class Settings(NamedTuple):
    """What a check was asked for, in the words of `addon.collisions.check.check`; lengths in Blender units."""

    scope: str
    collection_a: str
    collection_b: str
    touching: float | None  # None: chosen by the check
    clearance: float
    plane: str | None = None  # as `addon.collisions.check.check` takes it
    include_operands: bool = False


class Staleness(NamedTuple):
    """Which bodies of a report are no longer as they were checked: to compare with, nothing else."""

    undone: bool
    changed: int
    gone: frozenset[int]


class Place(NamedTuple):
    """The scene and the view layer that were checked."""

    scene_uid: int
    view_layer: str


@dataclass(frozen=True, eq=False)
class Obstacle:
    """The configuration space obstacle that is drawn.

    Attributes
    ----------
    name_a, name_b : str
        A, which stays, and B, which moves.
    placement : str
        As `addon.overlay.obstacle.show` takes it.
    distance : float
        Signed, of A and B, in Blender units.
    way : (3,) float64
        Moved by it, B does no more than touch A: the deepest or nearest of its parts.
    pieces, drawn : int
        Pairs of parts, and those whose obstacles are drawn.
    uids : frozenset of int
        The `session_uid` of every object that takes part.
    """

    name_a: str
    name_b: str
    placement: str
    distance: float
    way: Floats
    pieces: int
    drawn: int
    uids: frozenset[int]


class Session:
    """One report, the objects it speaks of, and which of them have changed since.

    Attributes
    ----------
    report : Report or None
        None: nothing has been checked, or it was cleared.
    world : World, PlacedWorld or None
        The tested shapes, row for row with `report.shapes`.
    settings : Settings or None
        What it was asked for.
    place : Place
        Where it was checked.
    tested : frozenset of int
        The `session_uid` of every object that was tested, instancers among them.
    viewers : frozenset of int
        The camera in whose plane everything was checked, if in any.
    suspect : bool
        Something happened that may or may not matter: `review` before relying on what is not stale.
    chosen : int
        The row of `report.pairs` that is highlighted in the list; -1: none.
    shown : int
        The row of `report.pairs` whose overlay is in the viewport; -1: none.
    obstacle : Obstacle or None
        What is in the viewport instead of a pair.
    view_drawn : bool
        Whether the camera's view (`addon.culling.session`) is in the viewport, instead of a pair.
    motion_drawn : bool
        Whether a contact of moving objects (`addon.motion.overlay`) is.
    colours_drawn : bool
        Whether all bodies are coloured by their verdicts, with or without the pair.
    drawn_at : Staleness or None
        How stale the bodies were when that was drawn.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget the report."""
        self.report: Report | None = None
        self.world: World | PlacedWorld | None = None
        self.settings: Settings | None = None
        self.place = Place(0, "")
        self.suspect = False
        self.chosen = -1
        self.shown = -1
        self.obstacle: Obstacle | None = None
        self.view_drawn = False
        self.motion_drawn = False
        self.colours_drawn = False
        self.drawn_at: Staleness | None = None
        self._undone = False
        self._gone: frozenset[int] = frozenset()
        self._scope_changed = False
        self._changed: set[int] = set()
        self.tested: frozenset[int] = frozenset()
        self.viewers: frozenset[int] = frozenset()
        self._dependencies: Dependencies = {}
        self._names_then: Mapping[int, str] = {}
        self._names: Mapping[int, str] = {}

    def store(self, report: Report, world: World | PlacedWorld, settings: Settings, place: Place) -> None:
        """Keep a fresh report, and forget the one before; `depend_on` follows."""
        self.clear()
        self.report, self.world, self.settings, self.place = report, world, settings, place
        self.tested = frozenset(uid for body in report.bodies for uid in body_uids(body))

    def renew(self, report: Report, world: World) -> None:
        """Put a later report on the same bodies in the place of the last; it is as the scene is now."""
        self.report, self.world = report, world
        self.suspect = self._undone = False
        self._changed.clear()

    def depend_on(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Remember what the check depended on, for `review` to compare with.

        Parameters
        ----------
        dependencies : mapping of int to object
            For each object of the scope whatever equals itself as long as nothing about it has changed.
        names : mapping of int to str
            The name of every object of the file, by `session_uid`.
        """
        self._dependencies = dependencies
        self._names_then = self._names = names
        self._gone = frozenset()

    # What happens to the scene.

    def mark_changed(self, uids: Iterable[int]) -> None:
        """Take note that these objects have moved, changed form or are read as another shape."""
        self._changed.update(self.tested.intersection(uids))

    def mark_undone(self) -> None:
        """Take note that another state of the scene has taken its place: any object may have moved."""
        self._undone = True

    def review(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Compare what the check depended on with what there is now, and end the suspicion."""
        self.suspect = False
        before, self._names = self._dependencies, names
        self._gone = frozenset(row for row, body in enumerate(self._bodies()) if self.body_is_gone(body))
        self._scope_changed = before.keys() != dependencies.keys() or bool(self._gone)
        self.mark_changed(uid for uid, value in before.items() if dependencies.get(uid) != value)

    # What the report is still worth.

    def change(self, settings: Settings) -> Change | None:
        """Return what has changed since the check, the gravest first; None: it describes the scene."""
        if self._undone:
            return Change.UNDO
        if self._changed or self._scope_changed:
            return Change.SCENE
        return Change.SETTINGS if self.report is not None and settings != self.settings else None

    def pair_is_stale(self, pair: PairResult) -> bool:
        """Whether one of the two bodies is no longer as it was checked."""
        return any(map(self.body_is_stale, self.bodies_of(pair)))

    def body_is_stale(self, body: Body) -> bool:
        """Whether a body is no longer as it was checked."""
        return self._undone or self.body_is_gone(body) or not self._changed.isdisjoint(body_uids(body) | self.viewers)

    def staleness(self) -> Staleness:
        """Return what is equal, as long as the report is the same, only if the same bodies are stale."""
        # Objects that have changed stay so, until there is another report.
        return Staleness(self._undone, len(self._changed), self._gone)

    def body_is_gone(self, body: Body) -> bool:
        """Whether the body's object, or what makes it appear, is no longer in the file."""
        return is_gone(body, self._names)

    def body_name(self, body: Body) -> str:
        """Return the name as it is now; of what has been deleted, as it was."""
        return name_now(body, self._names_then, self._names)

    def pair_name(self, pair: PairResult) -> str:
        """Return the names of both bodies."""
        return " × ".join(self.body_name(body) for body in self.bodies_of(pair))

    def bodies_of(self, pair: PairResult) -> tuple[Body, Body]:
        """Return the two bodies of a pair of the report."""
        bodies = self._bodies()
        return bodies[pair.body_a], bodies[pair.body_b]

    def keys_of(self, row: int) -> frozenset[ObjectKey]:
        """Return what names the two bodies of a row; nothing where there is no such row."""
        pair = self.pair(row)
        return frozenset() if pair is None else frozenset(body.key for body in self.bodies_of(pair))

    @property
    def names(self) -> Mapping[int, str]:
        """The name of every object of the file by `session_uid`, as it was when somebody looked last."""
        return self._names

    def pair(self, row: int) -> PairResult | None:
        """Return a pair of the report; None where there is no such row."""
        pairs = self.report.pairs if self.report is not None else ()
        return pairs[row] if 0 <= row < len(pairs) else None

    def _bodies(self) -> tuple[Body, ...]:
        return self.report.bodies if self.report is not None else ()


def body_uids(body: Body) -> set[int]:
    """The `session_uid` of every object that takes part in a body, its instancers among them."""
    return {uid for key in (body.key, *body.members) for uid in _key_uids(key)}


def is_gone(body: Body, names: Mapping[int, str]) -> bool:
    """Whether the body's object, or what makes it appear, is not among the file's, whose names these are."""
    return any(uid not in names for uid in _key_uids(body.key))


def name_now(body: Body, then: Mapping[int, str], now: Mapping[int, str]) -> str:
    """Return a body's name by the names that all objects have now; by those they had then, if it has been deleted."""
    uids = _key_uids(body.key)
    if is_gone(body, now) or all(now[uid] == then.get(uid) for uid in uids):
        return body.name
    return "/".join(now[uid] for uid in uids)


def _key_uids(key: ObjectKey) -> tuple[int, ...]:
    return (key.instancer_uid, key.session_uid) if key.instancer_uid else (key.session_uid,)


# The one that the operators, the panels and the handlers share.
last = Session()
