# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices what happens to the scene after a check, and tells the session.

Handlers run at every change of every scene, so they only take notes. What needs a look at all objects of the
scope waits for `review`, which the panel calls when it is drawn and the operators before they act.
"""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
from bpy.app.handlers import persistent

from . import convexities
from .bridge.camera import camera_uid, view_settings
from .bridge.facts import facts_of
from .bridge.operands import operands
from .bridge.owners import Owners
from .bridge.planes import CAMERA
from .bridge.scope import scope_objects
from .culling import session as culled
from .live import mode as live
from .motion import overlay as motion_overlay
from .motion import session as motion_session
from .motion.report import MotionRequest
from .overlay import axis_explorer, obstacle, planar_pieces, verdict_colours
from .overlay import pair as pair_overlay
from .results import accepted, comparison, isolation
from .session import Dependencies, Place, Settings, last
from .stored import contacts_list, results_list
from .validation import session as validation_session

# Scopes whose objects the scene decides; those of the others are whatever was selected at the time.
SCENE_SCOPES = {"VISIBLE", "ALL", "COLLECTION", "COLLECTIONS"}

# An update of these may be anything from a mere selection to an object that was hidden or deleted, which is
# not listed itself; one of an object that neither moves it nor changes its form may be a new name.
SUSPICIOUS = (bpy.types.Scene, bpy.types.Collection)

# Not empty while the add-on itself changes the scene and puts it back.
_pauses: list[None] = []


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

    objects: dict[int, object]
    changed: bool = False
    suspect: bool = False

    def any_changes(self, context: bpy.types.Context) -> bool:
        """Whether anything has changed that may matter."""
        if self.suspect and not self.changed:
            self.changed, self.suspect = _objects_as_they_are(context) != self.objects, False
        return self.changed


_notes: list[Notes] = []


def begin(context: bpy.types.Context) -> None:
    """Remember what the check that has just been stored depended on."""
    with isolation.overlooked(context):
        dependencies = _dependencies(context, last.settings)
    if last.settings is not None and last.settings.scope == "CAMERA":
        # What was outside may come into view, and the camera may turn.
        last.tested |= dependencies.keys()
    if last.settings is not None and last.settings.plane == CAMERA:
        last.viewers = frozenset({camera_uid(context.scene)})
        last.tested |= last.viewers
    last.depend_on(dependencies, _object_names())


def begin_motion(context: bpy.types.Context) -> None:
    """Remember what the check of motion that has just been kept depended on."""
    found = motion_session.kept()
    if found is not None:
        if found.request.scope == "CAMERA":
            found.uids |= {camera_uid(context.scene)}
        motion_session.depend_on(_motion_dependencies(context, found.request, found.uids), _object_names())


@contextmanager
def paused() -> Iterator[None]:
    """Overlook what happens to the scene for as long as this lasts: it will be put back."""
    _pauses.append(None)
    try:
        yield
    finally:
        _pauses.pop()


@contextmanager
def noted(context: bpy.types.Context) -> Iterator[Notes]:
    """Take note of what happens to the scene for as long as this lasts."""
    notes = Notes(_objects_as_they_are(context))
    _notes.append(notes)
    try:
        yield notes
    finally:
        _notes.remove(notes)


def is_paused() -> bool:
    """Whether what the scene is like at the moment will not last."""
    return bool(_pauses)


def review(context: bpy.types.Context) -> None:
    """Find out whether what happened since the check matters to its report."""
    # Another scene's objects are no measure; the suspicion stays until the checked one is back.
    if last.suspect and last.settings is not None and place(context) == last.place:
        with isolation.overlooked(context):
            dependencies = _dependencies(context, last.settings)
        last.review(dependencies, _object_names())
        _hide_what_is_stale()


def review_motion(context: bpy.types.Context) -> None:
    """Find out whether what happened since the check of motion matters to its report."""
    found = motion_session.kept()
    if found is not None and found.suspect and place(context) == found.place:
        motion_session.review(_motion_dependencies(context, found.request, found.uids), _object_names())
        motion_overlay.undraw_if_changed()


def forget() -> None:
    """Drop the report and everything that shows it."""
    live.stop(forgetting=True)
    pair_overlay.hide()
    last.clear()
    comparison.forget()
    axis_explorer.forget()
    verdict_colours.forget()
    for manager in bpy.data.window_managers:
        results_list(manager).rows.clear()


def forget_motion() -> None:
    """Drop the report on motion and everything that shows it."""
    motion_overlay.undraw()
    motion_session.forget()
    for manager in bpy.data.window_managers:
        contacts_list(manager).rows.clear()


def _forget_all() -> None:
    forget()
    forget_motion()
    convexities.forget()
    validation_session.forget()
    culled.forget()
    planar_pieces.hide()


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
    pairing, left_out = Owners(objects).pairs(), _left_out(context, settings)
    found: dict[int, object] = {}
    for ob in objects:
        facts = facts_of(ob)
        uid = facts.uid
        found[uid] = (facts.choice, facts.traits, ob.visible_get(), pairing.get(uid), left_out.get(uid))
    if "CAMERA" in (settings.scope, settings.plane):
        # Its lens changes with it, as the form of other objects does.
        found[camera_uid(context.scene)] = view_settings(context.scene)
    return found


def _motion_dependencies(context: bpy.types.Context, request: MotionRequest, uids: Set[int]) -> Dependencies:
    """What a check of motion relied on and the depsgraph does not tell, but for what animation may change."""
    scene = context.scene
    found: dict[int, object] = {0: (scene.render.fps, scene.render.fps_base)}
    if request.scope in {"COLLECTION", "COLLECTIONS"}:
        try:
            selection = scope_objects(context, request.scope, request.collection_a, request.collection_b)
        except ValueError:
            return found  # A collection is gone, or has another name.
        objects = {*selection.set_a, *(selection.set_b or ())}
    elif request.scope in {"SELECTED", "ACTIVE"}:
        objects = {ob for ob in context.view_layer.objects if ob.session_uid in uids}
    else:
        objects = set(context.view_layer.objects)
    pairing, left_out = Owners(objects).pairs(), _left_out(context, request)
    for ob in objects:
        # Whether it can be seen may depend on the frame if it is animated; whether it was hidden by hand does not.
        seen = ob.visible_get() if ob.animation_data is None else not ob.hide_get()
        facts = facts_of(ob)
        uid = facts.uid
        found[uid] = (facts.choice, facts.traits, seen, pairing.get(uid), left_out.get(uid))
    return found


def _left_out(context: bpy.types.Context, asked: Settings | MotionRequest) -> dict[int, str]:
    """The Boolean operands that a check leaves out."""
    return {} if asked.include_operands else operands(context.scene.objects)


def _object_names() -> dict[int, str]:
    return {ob.session_uid: ob.name for ob in bpy.data.objects}


def _watching() -> bool:
    """Whether there is anything that a change could make untrue."""
    results = last.report is not None or last.obstacle is not None or culled.kept() is not None
    results = results or planar_pieces.shown() is not None or validation_session.kept() is not None
    return results or motion_session.kept() is not None or convexities.any_known() or live.is_on()


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    _note(scene, depsgraph, frame_changed=False)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    # Setting the frame evaluates what has been moved, too, and then this is the only call there is.
    _note(scene, depsgraph, frame_changed=True)


def _note(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, *, frame_changed: bool) -> None:
    # Rendering evaluates the scene in another depsgraph, and leaves it as it was.
    if depsgraph.mode == "RENDER":
        return
    if _notes:
        updates = [update for update in depsgraph.updates if isinstance(update.id, (bpy.types.Object, *SUSPICIOUS))]
        forms = [one for one in updates if isinstance(one.id, bpy.types.Object)]
        formed = any(one.is_updated_geometry or one.is_updated_transform for one in forms)
        _mark_notes(changed=formed, suspect=bool(updates))
    if _pauses or not _watching():
        return
    moved, reshaped, suspicious, animation = [], [], False, False
    for update in depsgraph.updates:
        is_object = isinstance(update.id, bpy.types.Object)
        if is_object and update.is_updated_geometry:
            reshaped.append(update.id.original.session_uid)
        elif is_object and update.is_updated_transform:
            moved.append(update.id.original.session_uid)
        elif is_object or isinstance(update.id, SUSPICIOUS):
            suspicious = True
        elif isinstance(update.id, bpy.types.Action):
            animation = True
    changed = [*moved, *reshaped]
    if suspicious:
        last.suspect = True
        motion_session.mark_suspect()
        obstacle.hide_if_gone()
        planar_pieces.hide_if_gone()
    if changed and not frame_changed:
        validation_session.mark_changed()
    if not frame_changed:
        # What a frame moves has been looked at in all of them.
        motion_session.mark_changed(changed, animation=animation)
        motion_overlay.undraw_if_changed()
    culled.mark_changed(scene, changed, frame_changed=frame_changed)
    last.mark_changed(changed)
    convexities.suspect(changed)
    obstacle.hide_if_changed(changed)
    planar_pieces.hide_if_changed(changed)
    live.note(moved, reshaped, relations=suspicious, frame=frame_changed)
    _hide_what_is_stale()


def _mark_notes(*, changed: bool = True, suspect: bool = False) -> None:
    for notes in _notes:
        notes.changed |= changed
        notes.suspect |= suspect


def _objects_as_they_are(context: bpy.types.Context) -> dict[int, object]:
    return {ob.session_uid: (facts_of(ob), ob.visible_get()) for ob in context.view_layer.objects}


def _hide_what_is_stale() -> None:
    # In live mode the next update shows it as it is then.
    if not live.is_on():
        pair_overlay.hide_if_stale()


@persistent
def _on_undo(_scene: bpy.types.Scene, _none: None) -> None:
    _mark_notes()
    convexities.suspect_all()
    validation_session.mark_changed()
    accepted.changed()
    culled.mark_undone()
    motion_session.mark_undone()
    motion_overlay.undraw_if_changed()
    planar_pieces.hide()
    if last.obstacle is not None:
        pair_overlay.hide()
    live.note((), (), everything=True)
    if last.report is not None:
        last.suspect = True
        last.mark_undone()
        _hide_what_is_stale()


@persistent
def _on_load(_path: str, _none: None) -> None:
    _mark_notes()
    _forget_all()  # Other objects have the uids now, or none have them.
    isolation.forget()
    accepted.file_loaded()


@persistent
def _on_save(_path: str, _none: None) -> None:
    accepted.file_saving()


HANDLERS = (
    (bpy.app.handlers.depsgraph_update_post, _on_update),
    (bpy.app.handlers.frame_change_post, _on_frame),
    (bpy.app.handlers.undo_post, _on_undo),
    (bpy.app.handlers.redo_post, _on_undo),
    (bpy.app.handlers.load_post, _on_load),
    (bpy.app.handlers.save_pre, _on_save),
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
