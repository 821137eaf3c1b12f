# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices what happens to the scene after a check, and tells the session.

Handlers run at every change of every scene, so they only take notes. What needs a look at all objects of the
scope waits for `review`, which the panel calls when it is drawn and the operators before they act.
"""

from collections.abc import Iterable

import bpy
from bpy.app.handlers import persistent

from . import convexities, obstacle, pair_overlay
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


def begin(context: bpy.types.Context) -> None:
    """Remember what the check that has just been stored depended on."""
    last.depend_on(_dependencies(context, last.settings), _object_names())


def review(context: bpy.types.Context) -> None:
    """Find out whether what happened since the check matters to its report."""
    # Another scene's objects are no measure; the suspicion stays until the checked one is back.
    if last.suspect and last.settings is not None and place(context) == last.place:
        last.review(_dependencies(context, last.settings), _object_names())
        pair_overlay.hide_if_stale()


def forget() -> None:
    """Drop the report and everything that shows it."""
    pair_overlay.hide()
    last.clear()
    for manager in bpy.data.window_managers:
        results_list(manager).rows.clear()


def _forget_all() -> None:
    forget()
    convexities.forget()


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
    else:
        objects = {ob for ob in context.view_layer.objects if ob.session_uid in last.tested}
    pairing = _pairing(objects)
    return {ob.session_uid: (choose(ob), ob.visible_get(), pairing[ob.session_uid]) for ob in objects}


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
    return last.report is not None or last.obstacle is not None or convexities.any_known()


@persistent
def _on_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    # Setting the frame evaluates what has been moved, too, and then this is the only call there is.
    # Rendering evaluates the scene in another depsgraph, and leaves it as it was.
    if depsgraph.mode == "RENDER" or not _watching():
        return
    changed = []
    for update in depsgraph.updates:
        is_object = isinstance(update.id, bpy.types.Object)
        if is_object and (update.is_updated_transform or update.is_updated_geometry):
            changed.append(update.id.original.session_uid)
        elif is_object or isinstance(update.id, SUSPICIOUS):
            last.suspect = True
            obstacle.hide_if_gone()
    last.mark_changed(changed)
    convexities.suspect(changed)
    obstacle.hide_if_changed(changed)
    pair_overlay.hide_if_stale()


@persistent
def _on_undo(_scene: bpy.types.Scene, _none: None) -> None:
    convexities.suspect_all()
    if last.obstacle is not None:
        pair_overlay.hide()
    if last.report is not None:
        last.suspect = True
        last.mark_undone()
        pair_overlay.hide_if_stale()


@persistent
def _on_load(_path: str, _none: None) -> None:
    _forget_all()  # Other objects have the uids now, or none have them.


HANDLERS = (
    (bpy.app.handlers.depsgraph_update_post, _on_update),
    (bpy.app.handlers.frame_change_post, _on_update),
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
