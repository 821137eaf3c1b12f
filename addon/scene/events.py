# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of scenes, and subscriptions to them. All of the add-on's Blender handlers are here.

Handlers run at every change of every scene, so subscribers only record changes. Work that needs all objects is done
later by `addon.session.dependencies.review`.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, ParamSpec

import bpy
from bpy.app.handlers import persistent

from .objects.facts import facts_of

log = logging.getLogger(__name__)

P = ParamSpec("P")

# An update of one of these types can mean a changed selection, or an object that was hidden or deleted, for which there
# is no separate update. An update of an object without a new transform or geometry can mean a new name. So can a
# notification without any update, because Blender evaluates nothing for a new name of a disabled object.
SUSPICIOUS = (bpy.types.Scene, bpy.types.Collection)


class Place(NamedTuple):
    """A scene and one of its view layers."""

    scene_uid: int
    view_layer: str


NOWHERE = Place(0, "")


class Event(Generic[P]):
    """An event and its subscribers.

    An exception in a subscriber is a defect. It is logged, and the other subscribers are still called.
    """

    def __init__(self) -> None:
        self._subscribers: list[Callable[P, object]] = []

    def __bool__(self) -> bool:
        return bool(self._subscribers)

    def subscribe(self, function: Callable[P, object]) -> Callable[P, object]:
        """Call a function at every such event, after the functions subscribed before. Can be used as a decorator."""
        self._subscribers.append(function)
        return function

    def publish(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all subscribers, in the order of their subscriptions."""
        for function in self._subscribers:
            try:
                function(*args, **kwargs)
            except Exception:
                log.exception("%s has failed", getattr(function, "__qualname__", function))


class SceneChange:
    """The changes of a scene that the depsgraph reports. Valid only while the event is published.

    Parameters
    ----------
    scene : bpy.types.Scene
    updates : iterable of bpy.types.DepsgraphUpdate
    frame : bool
        Whether the current frame has changed and caused the motion.
    settings : iterable of int
        The `session_uid` of objects with changed collision settings, which the depsgraph does not report.
    """

    def __init__(
        self, scene: bpy.types.Scene, updates: Iterable[Any] = (), *, frame: bool = False, settings: Iterable[int] = ()
    ) -> None:
        self.scene, self.frame, self.settings = scene, frame, frozenset(settings)
        self._updates = updates

    @property
    def moved(self) -> frozenset[int]:
        """The `session_uid` of objects that have moved and not changed otherwise."""
        return self._read[0]

    @property
    def reshaped(self) -> frozenset[int]:
        """The `session_uid` of objects whose geometry has changed."""
        return self._read[1]

    @property
    def relations(self) -> bool:
        """Whether objects may have been added, removed, hidden or renamed, or have changed settings."""
        return self._read[2] or bool(self.settings)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is reported, as when only visibility has changed."""
        return not (self._read[4] or self.frame or self.settings)

    @property
    def animation(self) -> bool:
        """Whether animation keys have changed."""
        return self._read[3]

    @cached_property
    def uids(self) -> frozenset[int]:
        """The `session_uid` of all objects that have changed."""
        return self.moved | self.reshaped | self.settings

    @cached_property
    def _read(self) -> tuple[frozenset[int], frozenset[int], bool, bool, int]:
        updates = list(self._updates)
        moved, reshaped, relations, animation = [], [], not (updates or self.frame), False
        for update in updates:
            is_object = isinstance(update.id, bpy.types.Object)
            if is_object and update.is_updated_geometry:
                reshaped.append(update.id.original.session_uid)
            elif is_object and update.is_updated_transform:
                moved.append(update.id.original.session_uid)
            elif is_object or isinstance(update.id, SUSPICIOUS):
                relations = True
            elif isinstance(update.id, bpy.types.Action):
                animation = True
        return frozenset(moved), frozenset(reshaped), relations, animation, len(updates)


# These types are quoted, here and elsewhere. `typing` caches subscripted generic classes until Python exits, with
# everything that their modules refer to, and Blender 4.2 as a module crashes if some of its own data is kept that long.

# A scene has changed.
on_change: "Event[[SceneChange]]" = Event()
# Undo or redo has replaced the state of the file.
on_undo: "Event[[]]" = Event()
# All data about objects is invalid: another file is open, so that uids differ, or changes are no longer observed.
on_reset: "Event[[]]" = Event()
# Another file is open; published after `on_reset`.
on_load: "Event[[]]" = Event()
# The file is about to be saved.
on_save: "Event[[]]" = Event()
# The settings of a check have changed.
on_settings: "Event[[]]" = Event()
# Published after a change, undo or reset when all results have been updated, for code that displays them.
on_settled: "Event[[]]" = Event()


# Not empty while the add-on itself changes the scene temporarily.
_pauses: list[None] = []


@contextmanager
def paused() -> Iterator[None]:
    """Ignore changes of the scene inside this context. The caller restores the scene."""
    _pauses.append(None)
    try:
        yield
    finally:
        _pauses.pop()


def is_paused() -> bool:
    """Whether the current state of the scene is temporary."""
    return bool(_pauses)


@dataclass(eq=False)
class RecordedChanges:
    """Changes of the scene that may concern data read from it.

    Attributes
    ----------
    objects : dict
        The properties of objects that the depsgraph does not report, as they were at the beginning.
    changed : bool
        Whether objects have moved or changed their geometry, or the state of the scene was replaced.
    suspect : bool
        Whether there was a change that may matter: a changed selection, or an object that was hidden or deleted.
    """

    objects: dict[int, object] = field(default_factory=dict)
    changed: bool = False
    suspect: bool = False

    def any_changes(self, context: bpy.types.Context) -> bool:
        """Whether anything has changed that may matter."""
        if self.suspect and not self.changed:
            self.changed, self.suspect = _objects_as_they_are(context) != self.objects, False
        return self.changed

    def add(self, updates: Iterable[Any]) -> None:
        """Record updates of the depsgraph."""
        updates = list(updates)
        self.suspect |= not updates
        for update in updates:
            is_object = isinstance(update.id, bpy.types.Object)
            self.suspect |= is_object or isinstance(update.id, SUSPICIOUS)
            self.changed |= is_object and (update.is_updated_geometry or update.is_updated_transform)


_recording: list[RecordedChanges] = []


@contextmanager
def recorded_changes(context: bpy.types.Context) -> Iterator[RecordedChanges]:
    """Record the changes of the scene inside this context, even while events are paused."""
    recorded = RecordedChanges(_objects_as_they_are(context))
    _recording.append(recorded)
    try:
        yield recorded
    finally:
        _recording.remove(recorded)


@contextmanager
def unrecorded() -> Iterator[None]:
    """Record no changes inside this context; the caller restores the scene, and has it evaluated."""
    before = [(recorded, recorded.changed, recorded.suspect) for recorded in _recording]
    try:
        yield
    finally:
        for recorded, changed, suspect in before:
            recorded.changed, recorded.suspect = changed, suspect


def place(context: bpy.types.Context) -> Place:
    """The scene and view layer in which a check of this context takes place."""
    return Place(context.scene.session_uid, context.view_layer.name)


def in_a_window(context: bpy.types.Context, scene_uid: int) -> AbstractContextManager[Any]:
    """Use a window that shows this scene, or otherwise the first one, because a timer has no window."""
    if context.window is not None:
        return nullcontext()
    windows = list(context.window_manager.windows)
    if not windows:
        return nullcontext()
    ours = [window for window in windows if window.scene.session_uid == scene_uid]
    override: AbstractContextManager[Any] = context.temp_override(window=(ours or windows)[0])
    return override


def redraw() -> None:
    """Redraw the 3D views with their panels, and the property editors."""
    manager: Any = bpy.context.window_manager
    for window in manager.windows if manager else ():
        for area in window.screen.areas:
            if area.type in {"VIEW_3D", "PROPERTIES"}:
                area.tag_redraw()


def changed_settings(scene: bpy.types.Scene, uids: Iterable[int]) -> None:
    """Publish that the collision settings of objects have changed."""
    on_change.publish(SceneChange(scene, settings=uids))
    on_settled.publish()


def _objects_as_they_are(context: bpy.types.Context) -> dict[int, object]:
    return {ob.session_uid: (facts_of(ob), ob.visible_get()) for ob in context.view_layer.objects}


def _depsgraph_updated(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, *, frame: bool) -> None:
    # Rendering evaluates the scene in another depsgraph and does not change it.
    if depsgraph.mode == "RENDER":
        return
    for recorded in _recording:
        recorded.add(depsgraph.updates)
    if not _pauses:
        on_change.publish(SceneChange(scene, depsgraph.updates, frame=frame))
        on_settled.publish()


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    _depsgraph_updated(scene, depsgraph, frame=False)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    # Setting the frame also evaluates objects that were moved before, and then this is the only notification.
    _depsgraph_updated(scene, depsgraph, frame=True)


@persistent
def _on_undo(_scene: bpy.types.Scene, _none: None) -> None:
    for recorded in _recording:
        recorded.changed = True
    on_undo.publish()
    on_settled.publish()


@persistent
def _on_load(_path: str, _none: None) -> None:
    for recorded in _recording:
        recorded.changed = True
    on_reset.publish()
    on_load.publish()
    on_settled.publish()


@persistent
def _on_save(_path: str, _none: None) -> None:
    on_save.publish()


HANDLERS = (
    (bpy.app.handlers.depsgraph_update_post, _on_update),
    (bpy.app.handlers.frame_change_post, _on_frame),
    (bpy.app.handlers.undo_post, _on_undo),
    (bpy.app.handlers.redo_post, _on_undo),
    (bpy.app.handlers.load_post, _on_load),
    (bpy.app.handlers.save_pre, _on_save),
)


def register() -> None:
    """Start listening."""
    for handlers, function in HANDLERS:
        handlers.append(function)


def unregister() -> None:
    """Remove the handlers, and publish a reset, because changes are no longer observed."""
    for handlers, function in HANDLERS:
        handlers.remove(function)
    on_reset.publish()
    on_settled.publish()
