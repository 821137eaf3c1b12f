# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to scenes, told to whoever subscribes: the only handlers of Blender's that the add-on has.

Handlers run at every change of every scene, so subscribers only take notes. What needs a look at all objects waits for
`addon.session.dependencies.review`.
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

# An update of these may be anything from a mere selection to an object that was hidden or deleted, which is
# not listed itself; one of an object that neither moves it nor changes its form may be a new name.
SUSPICIOUS = (bpy.types.Scene, bpy.types.Collection)


class Place(NamedTuple):
    """A scene and one of its view layers."""

    scene_uid: int
    view_layer: str


NOWHERE = Place(0, "")


class Event(Generic[P]):
    """Something that happens, and who wants to know.

    What a subscriber raises is a defect: it is logged, and the others are told all the same.
    """

    def __init__(self) -> None:
        self._subscribers: list[Callable[P, object]] = []

    def __bool__(self) -> bool:
        return bool(self._subscribers)

    def subscribe(self, function: Callable[P, object]) -> Callable[P, object]:
        """Have a function called whenever it happens, after those that came before; usable as a decorator."""
        self._subscribers.append(function)
        return function

    def publish(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell everybody, in the order in which they have subscribed."""
        for function in self._subscribers:
            try:
                function(*args, **kwargs)
            except Exception:
                log.exception("%s has failed", getattr(function, "__qualname__", function))


class SceneChange:
    """What has changed in a scene, as far as the depsgraph tells; valid while it is published.

    Parameters
    ----------
    scene : bpy.types.Scene
    updates : iterable of bpy.types.DepsgraphUpdate
    frame : bool
        Another frame has become the current one, and that is what moves things.
    settings : iterable of int
        The `session_uid` of objects whose collision settings are others, which the depsgraph does not know.
    """

    def __init__(
        self, scene: bpy.types.Scene, updates: Iterable[Any] = (), *, frame: bool = False, settings: Iterable[int] = ()
    ) -> None:
        self.scene, self.frame, self.settings = scene, frame, frozenset(settings)
        self._updates = updates

    @property
    def moved(self) -> frozenset[int]:
        """The `session_uid` of objects that are elsewhere and as they were otherwise."""
        return self._read[0]

    @property
    def reshaped(self) -> frozenset[int]:
        """Of objects that have another form."""
        return self._read[1]

    @property
    def relations(self) -> bool:
        """Whether objects may have come, gone, been hidden or renamed, or have other settings."""
        return self._read[2] or bool(self.settings)

    @property
    def animation(self) -> bool:
        """Whether there are other keys."""
        return self._read[3]

    @cached_property
    def uids(self) -> frozenset[int]:
        """Of all objects that are not as they were."""
        return self.moved | self.reshaped | self.settings

    @cached_property
    def _read(self) -> tuple[frozenset[int], frozenset[int], bool, bool]:
        moved, reshaped, relations, animation = [], [], False, False
        for update in self._updates:
            is_object = isinstance(update.id, bpy.types.Object)
            if is_object and update.is_updated_geometry:
                reshaped.append(update.id.original.session_uid)
            elif is_object and update.is_updated_transform:
                moved.append(update.id.original.session_uid)
            elif is_object or isinstance(update.id, SUSPICIOUS):
                relations = True
            elif isinstance(update.id, bpy.types.Action):
                animation = True
        return frozenset(moved), frozenset(reshaped), relations, animation


# The types of these are quoted, here and elsewhere: `typing` keeps generic classes that stand before brackets to the
# very end, with all that their modules know, and Blender 4.2 as a module crashes if some of its own is kept as long.

# A scene is no longer as it was.
on_change: "Event[[SceneChange]]" = Event()
# After undo or redo another state of the file has taken the place of the last.
on_undo: "Event[[]]" = Event()
# What is known of objects is void: another file is open and other objects have the uids, or nobody watches any more.
on_reset: "Event[[]]" = Event()
# Another file is open; after `on_reset`.
on_load: "Event[[]]" = Event()
# The file is about to be saved.
on_save: "Event[[]]" = Event()
# What a check of the scene is to be asked for is something else now.
on_settings: "Event[[]]" = Event()
# After a change, undo or reset, when all results know of it: for what is shown of them.
on_settled: "Event[[]]" = Event()


# Not empty while the add-on itself changes the scene and puts it back.
_pauses: list[None] = []


@contextmanager
def paused() -> Iterator[None]:
    """Overlook what happens to the scene for as long as this lasts: it will be put back."""
    _pauses.append(None)
    try:
        yield
    finally:
        _pauses.pop()


def is_paused() -> bool:
    """Whether what the scene is like at the moment will not last."""
    return bool(_pauses)


@dataclass(eq=False)
class Notes:
    """What has happened to the scene that what is read from it may depend on.

    Attributes
    ----------
    objects : dict
        What the depsgraph does not tell of objects, as it was at first.
    changed : bool
        Objects have moved or changed form, or another state of the scene has taken its place.
    suspect : bool
        Something happened that may or may not matter: a mere selection, or an object that was hidden or deleted.
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
        """Take note of updates of the depsgraph."""
        for update in updates:
            is_object = isinstance(update.id, bpy.types.Object)
            self.suspect |= is_object or isinstance(update.id, SUSPICIOUS)
            self.changed |= is_object and (update.is_updated_geometry or update.is_updated_transform)


_notes: list[Notes] = []


@contextmanager
def noted(context: bpy.types.Context) -> Iterator[Notes]:
    """Take note of what happens to the scene for as long as this lasts, paused or not."""
    notes = Notes(_objects_as_they_are(context))
    _notes.append(notes)
    try:
        yield notes
    finally:
        _notes.remove(notes)


def place(context: bpy.types.Context) -> Place:
    """Where a check of this context takes place."""
    return Place(context.scene.session_uid, context.view_layer.name)


def in_a_window(context: bpy.types.Context, scene_uid: int) -> AbstractContextManager[Any]:
    """Work in a window that shows this scene, or in the first: a timer has none."""
    if context.window is not None:
        return nullcontext()
    windows = list(context.window_manager.windows)
    if not windows:
        return nullcontext()
    ours = [window for window in windows if window.scene.session_uid == scene_uid]
    override: AbstractContextManager[Any] = context.temp_override(window=(ours or windows)[0])
    return override


def redraw() -> None:
    """Have the 3D views and the panels in them drawn again."""
    manager: Any = bpy.context.window_manager
    for window in manager.windows if manager else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def changed_settings(scene: bpy.types.Scene, uids: Iterable[int]) -> None:
    """Tell that the collision settings of objects are others."""
    on_change.publish(SceneChange(scene, settings=uids))
    on_settled.publish()


def _objects_as_they_are(context: bpy.types.Context) -> dict[int, object]:
    return {ob.session_uid: (facts_of(ob), ob.visible_get()) for ob in context.view_layer.objects}


def _depsgraph_updated(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, *, frame: bool) -> None:
    # Rendering evaluates the scene in another depsgraph, and leaves it as it was.
    if depsgraph.mode == "RENDER":
        return
    for notes in _notes:
        notes.add(depsgraph.updates)
    if not _pauses:
        on_change.publish(SceneChange(scene, depsgraph.updates, frame=frame))
        on_settled.publish()


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    _depsgraph_updated(scene, depsgraph, frame=False)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    # Setting the frame evaluates what has been moved, too, and then this is the only call there is.
    _depsgraph_updated(scene, depsgraph, frame=True)


@persistent
def _on_undo(_scene: bpy.types.Scene, _none: None) -> None:
    for notes in _notes:
        notes.changed = True
    on_undo.publish()
    on_settled.publish()


@persistent
def _on_load(_path: str, _none: None) -> None:
    for notes in _notes:
        notes.changed = True
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
    """Stop listening, and have everybody forget what nobody watches over."""
    for handlers, function in HANDLERS:
        handlers.remove(function)
    on_reset.publish()
    on_settled.publish()
