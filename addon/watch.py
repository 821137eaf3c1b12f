# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices what happens to the scene after a check, and tells the session.

Handlers run at every change of every scene, so they only take notes. What needs a look at all objects of the
scope waits for `review`, which the panel calls when it is drawn and the operators before they act.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy
from bpy.app.handlers import persistent

from . import convexities, culled, live, obstacle, pair_overlay
from .bridge.camera import camera_uid, view_settings
from .bridge.choice import choose
from .bridge.naming import RenderMeshes, collider_prefix
from .bridge.scope import scope_objects
from .session import Dependencies, Place, Settings, last
from .stored import results_list

# Scopes whose objects the scene decides; those of the others are whatever was selected at the time.
SCENE_SCOPES = {"VISIBLE", "ALL", "COLLECTION", "COLLECTIONS"}

# An update of these may be anything from a mere selection to an object that was hidden or deleted, which is
# not listed itself; one of an object that neither moves it nor changes its form may be a new name.
SUSPICIOUS = (bpy.types.Scene, bpy.types.Collection)

# Not empty while the add-on itself changes the scene and puts it back.
_pauses: list[None] = []


def begin(context: bpy.types.Context) -> None:
    """Remember what the check that has just been stored depended on."""
    dependencies = _dependencies(context, last.settings)
    if last.settings is not None and last.settings.scope == "CAMERA":
        # What was outside may come into view, and the camera may turn.
        last.tested |= dependencies.keys()
    last.depend_on(dependencies, _object_names())


@contextmanager
def paused() -> Iterator[None]:
    """Overlook what happens to the scene for as long as this lasts: it will be put back."""
    _pauses.append(None)
    try:
        yield
    finally:
        _pauses.pop()


def review(context: bpy.types.Context) -> None:
    """Find out whether what happened since the check matters to its report."""
    # Another scene's objects are no measure; the suspicion stays until the checked one is back.
    if last.suspect and last.settings is not None and place(context) == last.place:
        last.review(_dependencies(context, last.settings), _object_names())
        _hide_what_is_stale()


def forget() -> None:
    """Drop the report and everything that shows it."""
    live.stop(forgetting=True)
    pair_overlay.hide()
    last.clear()
    for manager in bpy.data.window_managers:
        results_list(manager).rows.clear()


def _forget_all() -> None:
    forget()
    convexities.forget()
    culled.forget()


def place(context: bpy.types.Context) -> Place:
    """Where a check of this context takes place."""
    return Place(context.scene.session_uid, context.view_layer.name)


def _dependencies(context: bpy.types.Context, settings: Settings) -> Dependencies:
    """What the check relied on and the depsgraph does not tell: what is seen, and what decides its shape."""
    if settings.scope in SCENE_SCOPES:
        try:
            selection = scope_objects(context, settings.scope, settings.collection_a, settings.collection_b)
        except ValueError:
            return {}  # A collection is gone, or has another name.
        objects = {*selection.set_a, *(selection.set_b or ())}
    elif settings.scope == "CAMERA":
        # Those among which the camera chooses; what it sees of them changes only with them and with itself.
        objects = set(scope_objects(context, "VISIBLE").set_a)
    else:
        objects = {ob for ob in context.view_layer.objects if ob.session_uid in last.tested}
    pairing = _pairing(objects)
    found: dict[int, object] = {
        ob.session_uid: (choose(ob), ob.visible_get(), pairing[ob.session_uid]) for ob in objects
    }
    if settings.scope == "CAMERA":
        # Its lens changes with it, as the form of other objects does.
        found[camera_uid(context.scene)] = view_settings(context.scene)
    return found


def _pairing(objects: Iterable[bpy.types.Object]) -> dict[int, set[int]]:
    """For each object those that it stands for, or that stand for it, by its name."""
    pairing: dict[int, set[int]] = {ob.session_uid: set() for ob in objects}
    colliders = [ob for ob in objects if collider_prefix(ob.name)]
    if not colliders:
        return pairing
    rendered = RenderMeshes((ob.name, ob.session_uid) for ob in objects if not collider_prefix(ob.name))
    for collider in colliders:
        owner = rendered.of_collider(collider.name)
        if owner is not None:
            pairing[collider.session_uid].add(owner)
            pairing[owner].add(collider.session_uid)
    return pairing


def _object_names() -> dict[int, str]:
    return {ob.session_uid: ob.name for ob in bpy.data.objects}


def _watching() -> bool:
    """Whether there is anything that a change could make untrue."""
    results = last.report is not None or last.obstacle is not None or culled.kept() is not None
    return results or convexities.any_known() or live.is_on()


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    _note(scene, depsgraph, frame_changed=False)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    # Setting the frame evaluates what has been moved, too, and then this is the only call there is.
    _note(scene, depsgraph, frame_changed=True)


def _note(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, *, frame_changed: bool) -> None:
    # Rendering evaluates the scene in another depsgraph, and leaves it as it was.
    if depsgraph.mode == "RENDER" or _pauses or not _watching():
        return
    moved, reshaped, suspicious = [], [], False
    for update in depsgraph.updates:
        is_object = isinstance(update.id, bpy.types.Object)
        if is_object and update.is_updated_geometry:
            reshaped.append(update.id.original.session_uid)
        elif is_object and update.is_updated_transform:
            moved.append(update.id.original.session_uid)
        elif is_object or isinstance(update.id, SUSPICIOUS):
            suspicious = True
    changed = [*moved, *reshaped]
    if suspicious:
        last.suspect = True
        obstacle.hide_if_gone()
    culled.mark_changed(scene, changed, frame_changed=frame_changed)
    last.mark_changed(changed)
    convexities.suspect(changed)
    obstacle.hide_if_changed(changed)
    live.note(moved, reshaped, relations=suspicious, frame=frame_changed)
    _hide_what_is_stale()


def _hide_what_is_stale() -> None:
    # In live mode the next update shows it as it is then.
    if not live.is_on():
        pair_overlay.hide_if_stale()


@persistent
def _on_undo(_scene: bpy.types.Scene, _none: None) -> None:
    convexities.suspect_all()
    culled.mark_undone()
    if last.obstacle is not None:
        pair_overlay.hide()
    live.note((), (), everything=True)
    if last.report is not None:
        last.suspect = True
        last.mark_undone()
        _hide_what_is_stale()


@persistent
def _on_load(_path: str, _none: None) -> None:
    _forget_all()  # Other objects have the uids now, or none have them.


HANDLERS = (
    (bpy.app.handlers.depsgraph_update_post, _on_update),
    (bpy.app.handlers.frame_change_post, _on_frame),
    (bpy.app.handlers.undo_post, _on_undo),
    (bpy.app.handlers.redo_post, _on_undo),
    (bpy.app.handlers.load_post, _on_load),
)


def register() -> None:
    """Start watching."""
    for handlers, function in HANDLERS:
        handlers.append(function)


def unregister() -> None:
    """Stop watching, and forget what nobody watches over."""
    for handlers, function in HANDLERS:
        handlers.remove(function)
    _forget_all()
