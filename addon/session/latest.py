# SPDX-License-Identifier: GPL-3.0-or-later
"""The last result of each kind, and whether it still holds: one shape for checks, motion, culling and validation.

Results are kept in Python and keyed by `session_uid`: stored in the file they would be undone with it, and references
to objects dangle after undo.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from ..scene import events
from ..scene.events import NOWHERE, Event, Place, SceneChange

# session_uid -> what a result depended on of that object
Dependencies = Mapping[int, object]


class Change(Enum):
    """A change since the result; the value is the sentence that the panel shows."""

    SCENE = "The scene has changed since this check"
    UNDO = "Undo or redo was used since this check"
    SETTINGS = "The settings have changed since this check"


@dataclass(eq=False)
class Result:
    """Something that was found out about a scene, and what has happened to that scene since.

    Attributes
    ----------
    place : Place
        Where it was found out.
    asked : object
        What was asked for; another question has another answer.
    uids : frozenset of int
        The `session_uid` of every object that it depends on.
    change : Change or None
        What has happened since.
    suspect : bool
        Something happened that may or may not matter: it is to be reviewed before it is relied on.
    dependencies : mapping of int to object
        For each object whatever equals itself as long as nothing has changed about it that the depsgraph does not tell.
    names_then, names : mapping of int to str
        The name of every object of the file by `session_uid`, then and when somebody looked last.
    """

    place: Place = NOWHERE
    asked: object = None
    uids: frozenset[int] = frozenset()
    change: Change | None = None
    suspect: bool = False
    dependencies: Dependencies = field(default_factory=dict)
    names_then: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def depend_on(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Remember what it depends on besides what the depsgraph tells, for `review` to compare with."""
        self.dependencies, self.names_then, self.names = dependencies, names, names

    def happened(self, change: SceneChange) -> None:
        """Take note of a change of a scene."""
        self.suspect |= change.relations
        self.mark_changed(change.uids)

    def mark_changed(self, uids: Iterable[int]) -> None:
        """Take note that these objects are no longer as they were."""
        if self.change is None and not self.uids.isdisjoint(uids):
            self.change = Change.SCENE

    def mark_undone(self) -> None:
        """Take note that another state of the scene has taken its place."""
        self.change, self.suspect = Change.UNDO, True

    def review(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Compare what it depended on with what there is now, and end the suspicion."""
        self.suspect, self.names = False, names
        if self.change is None and self.dependencies != dependencies:
            self.change = Change.SCENE

    def change_for(self, asked: object) -> Change | None:
        """Return what has happened since, the gravest first, if this is what is asked for now; None: it holds."""
        return self.change or (Change.SETTINGS if asked != self.asked else None)


R = TypeVar("R", bound="Result")


class Latest(Generic[R]):
    """The last result of one kind, if there is one; it learns of everything that happens.

    Attributes
    ----------
    result : R or None
    on_new : Event
        There is another result, or none any more.
    """

    def __init__(self) -> None:
        self.result: R | None = None
        self.on_new: Event[[]] = Event()
        events.on_change.subscribe(self._on_change)
        events.on_undo.subscribe(self._on_undo)
        events.on_reset.subscribe(self.forget)

    def store(self, result: R) -> R:
        """Keep a result, and forget the one before."""
        self.result = result
        self.on_new.publish()
        return result

    def forget(self) -> None:
        """Keep none."""
        if self.result is not None:
            self.result = None
            self.on_new.publish()

    def here(self, place: Place) -> R | None:
        """Return the result if it is one of this scene."""
        found = self.result
        return found if found is not None and found.place.scene_uid == place.scene_uid else None

    def _on_change(self, change: SceneChange) -> None:
        if self.result is not None:
            self.result.happened(change)

    def _on_undo(self) -> None:
        if self.result is not None:
            self.result.mark_undone()
