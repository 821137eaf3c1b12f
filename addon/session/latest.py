# SPDX-License-Identifier: GPL-3.0-or-later
"""The last result of each kind, and whether it is up to date. Used for checks, motion, culling and validation.

Results are stored in Python by `session_uid`. If they were stored in the file, they would be undone with it, and
references to objects become invalid after undo.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from ..scene import events
from ..scene.events import NOWHERE, Event, Place, SceneChange

# session_uid -> dependencies of a result on that object
Dependencies = Mapping[int, object]


class Change(Enum):
    """A change since the result; the value is the sentence that the panel shows."""

    SCENE = "The scene has changed since this check"
    UNDO = "Undo or redo was used since this check"
    SETTINGS = "The settings have changed since this check"


@dataclass(eq=False)
class Result:
    """A result about a scene, and changes of that scene since.

    Attributes
    ----------
    place : Place
        Scene and view layer.
    asked : object
        The request. Another request has another result.
    uids : frozenset of int
        The `session_uid` of every object that it depends on.
    change : Change or None
        Change since the result.
    suspect : bool
        Whether a change may matter. It is reviewed before the result is used.
    dependencies : mapping of int to object
        A value for each object that is equal while its properties that the depsgraph does not report are unchanged.
    names_then, names : mapping of int to str
        Name of every object of the file by `session_uid`, at the time of the result and of the last review.
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
        """Store the dependencies that the depsgraph does not report, for `review`."""
        self.dependencies, self.names_then, self.names = dependencies, names, names

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene."""
        self.suspect |= change.relations
        self.mark_changed(change.uids)

    def mark_changed(self, uids: Iterable[int]) -> None:
        """Record that these objects have changed."""
        if self.change is None and not self.uids.isdisjoint(uids):
            self.change = Change.SCENE

    def mark_undone(self) -> None:
        """Record that another state of the scene has replaced it."""
        self.change, self.suspect = Change.UNDO, True

    def review(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Compare the dependencies with their current values, and clear the suspicion."""
        self.suspect, self.names = False, names
        if self.change is None and self.dependencies != dependencies:
            self.change = Change.SCENE

    def change_for(self, asked: object) -> Change | None:
        """Return the most severe change since, for this request. None: the result is up to date."""
        return self.change or (Change.SETTINGS if asked != self.asked else None)


R = TypeVar("R", bound="Result")


class Latest(Generic[R]):
    """The last result of one kind, if there is one. It is notified of all changes.

    Attributes
    ----------
    result : R or None
    on_new : Event
        Published when there is another result, or none anymore.
    """

    def __init__(self) -> None:
        self.result: R | None = None
        self.on_new: Event[[]] = Event()
        events.on_change.subscribe(self._on_change)
        events.on_undo.subscribe(self._on_undo)
        events.on_reset.subscribe(self.forget)

    def store(self, result: R) -> R:
        """Store a result, and drop the previous one."""
        self.result = result
        self.on_new.publish()
        return result

    def forget(self) -> None:
        """Clear the result."""
        if self.result is not None:
            self.result = None
            self.on_new.publish()

    def here(self, place: Place) -> R | None:
        """Return the result if it belongs to this scene."""
        found = self.result
        return found if found is not None and found.place.scene_uid == place.scene_uid else None

    def _on_change(self, change: SceneChange) -> None:
        if self.result is not None:
            self.result.happened(change)

    def _on_undo(self) -> None:
        if self.result is not None:
            self.result.mark_undone()
