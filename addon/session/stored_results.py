# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the last check in the file: stored when it is saved, and restored after it is opened.

A digest of the state of each object is stored with them. An object whose digest differs has changed. The tested shapes
are not stored: `addon.collisions.tested_again` reads them when they are first needed.
"""

import logging
from collections.abc import Mapping
from typing import Any

import bpy

from ..i18n.lookup import label_
from ..model import stored_report, stored_values
from ..model.report import ObjectKey
from ..scene import events, object_states, open_file
from ..scene.objects.saved_keys import Identities, SavedKey
from ..scene.settings import results_list, saves_results
from . import dependencies, isolation, probe_results, stored_walks
from .collision_results import last_check

log = logging.getLogger(__name__)

# Seconds from the opening of a file to the restoring of its results.
SOON = 0.1

# Published after results have been restored.
on_restored: "events.Event[[]]" = events.Event()

# The scenes whose results were cleared, and the error of the results in the open file.
_cleared: set[int] = set()
_problem = ""


def problem() -> str:
    """Return the sentence that the panel shows about the results in the open file. Empty if they are usable."""
    return _problem


def clear() -> None:
    """Clear the results, and store none."""
    _cleared.add(last_check.place.scene_uid)
    last_check.forget()


@events.on_save.subscribe
def store() -> None:
    """Store the results in the scene that was checked."""
    wanted = saves_results(bpy.context)
    object_states.drop_results(_cleared if wanted else None)
    checked = open_file.scene_by_uid(last_check.place.scene_uid)
    if last_check.report is None or checked is None or not wanted:
        return
    with object_states.in_place(bpy.context, *last_check.place) as context:
        if context is not None:
            dependencies.review(context)
            object_states.store_results(checked, _bytes(context))


def _bytes(context: bpy.types.Context) -> bytes:
    settings, identities, state = last_check.settings, Identities(), dict[tuple[str, str], str]()
    assert settings is not None
    if not last_check.staleness().undone:
        uids = last_check.uids | last_check.dependencies.keys()
        with isolation.overlooked(context):
            digests = object_states.states(context, uids - last_check.changed_uids)
        state = object_states.states_by_name(identities, uids, digests)
    content = stored_report.Stored(
        last_check.named_now(), settings, last_check.place.view_layer, state, _view(context), last_check.chosen
    )
    return stored_report.stored(content, identities.saved)


def _view(context: bpy.types.Context) -> dict[str, Any]:
    """Return the filters and the order of the list of results."""
    view = results_list(context.window_manager).view
    return {
        one.identifier: getattr(view, one.identifier)
        for one in view.bl_rna.properties
        if one.identifier not in {"rna_type", "name"}
    }


def _show_as(context: bpy.types.Context, stored: Mapping[str, Any]) -> None:
    """Set the filters and the order of the list of results. Unknown values are ignored."""
    view = results_list(context.window_manager).view
    for name in _view(context).keys() & stored.keys():
        try:
            setattr(view, name, stored[name])
        except TypeError:
            log.warning("The filter %s of the results in this file is not known", name)


@events.on_load.subscribe
def _opened() -> None:
    """Restore the results soon after opening, because the scene is not evaluated while a file is opened."""
    global _problem
    _problem = ""
    _cleared.clear()
    if not bpy.app.background:
        bpy.app.timers.register(_restore_soon, first_interval=SOON)


def _restore_soon() -> None:
    with events.in_a_window(bpy.context, 0):
        if saves_results(bpy.context):
            if probe_results.latest.result is None:
                stored_walks.restore(bpy.context)
            if last_check.report is None:
                restore(bpy.context)
    events.redraw()


@last_check.on_new.subscribe
def _replaced() -> None:
    global _problem
    if last_check.report is not None:
        _problem = ""
        _cleared.discard(last_check.place.scene_uid)


@events.on_reset.subscribe
def _end() -> None:
    if not bpy.app.background and bpy.app.timers.is_registered(_restore_soon):
        bpy.app.timers.unregister(_restore_soon)


def restore(context: bpy.types.Context) -> bool:
    """Load the stored results of the scene into the session. False if there are none."""
    global _problem
    scene = context.scene
    data = object_states.stored_results(scene)
    if not data:
        return False
    identities, here = Identities(), object_states.uids_in_scene(scene)

    def loaded(found: list[Any]) -> ObjectKey | None:
        key = identities.loaded(SavedKey(*found))
        return key if key is not None and key.selected_uid in here else None

    try:
        content = stored_report.restored(data, loaded, open_file.path(), open_file.units(scene), scene.name)
    except stored_values.Damaged as error:
        _problem = label_(error.message)
        log.warning("%s", error)
        return False
    if content is None or not object_states.has_view_layer(scene, content.view_layer):
        return False
    place = events.Place(scene.session_uid, content.view_layer)
    last_check.store(content.report, None, content.settings, place)
    _show_as(context, content.view)
    last_check.chosen = content.chosen
    with object_states.in_place(context, *place) as there:
        if there is not None:
            _compare(there, content, identities)
    on_restored.publish()
    return True


def _compare(context: bpy.types.Context, content: stored_report.Stored, identities: Identities) -> None:
    """Mark the objects that have changed since the results were stored."""
    dependencies.remember(context)
    now, names, before = last_check.dependencies, last_check.names, dict[int, object]()
    with isolation.overlooked(context):
        digests = object_states.states(context, last_check.uids | now.keys())
    same = set()
    for saved, digest in content.state.items():
        key = identities.loaded(SavedKey(*saved))
        # A deleted object changes the scope. No object has the number 0.
        uid = key.session_uid if key is not None else 0
        if digest and digests.get(uid) == digest:
            same.add(uid)
        if uid in now or not uid:
            before[uid] = now.get(uid) if uid in same else None
    last_check.depend_on(before, names)
    last_check.review(now, names)
    last_check.mark_changed(last_check.uids - same)
