# SPDX-License-Identifier: GPL-3.0-or-later
"""The last walk of the level in the file: stored when it is saved, and restored after it is opened.

As for the results of a check, a digest of each object is stored; see `stored_results`. The poses of the character are
not stored: they are needed only for a comparison of what it can reach, which walks again.
"""

import logging
from typing import Any

import bpy

from ..i18n.lookup import label_
from ..model import stored_values, stored_walk
from ..model.report import ObjectKey
from ..scene import events, object_states, open_file
from ..scene.objects.saved_keys import Identities, SavedKey
from ..scene.objects.starts import gravity_of
from ..scene.settings import saves_results
from ..system.late import np
from . import dependencies, isolation, probe_results
from .latest import Change
from .probe_results import ProbeResult, latest

log = logging.getLogger(__name__)

# Published after a walk has been restored.
on_restored: "events.Event[[]]" = events.Event()

# The scenes whose walk was cleared, and the error of the walk in the open file.
_cleared: set[int] = set()
_problem = ""


def problem() -> str:
    """Return the sentence that the panel shows about the walk in the open file. Empty if it is usable."""
    return _problem


@events.on_save.subscribe
def store() -> None:
    """Store the last walk in its scene. Other scenes keep the walks that they store, unless they were cleared."""
    wanted, found = saves_results(bpy.context), latest.result
    object_states.drop_results(_cleared if wanted else None, "walk")
    walked = open_file.scene_by_uid(found.place.scene_uid) if found is not None else None
    if found is None or walked is None or not wanted:
        return
    with object_states.in_place(bpy.context, *found.place) as context:
        if context is not None:
            dependencies.review(context)
            object_states.store_results(walked, _bytes(context, found), "walk")


def _bytes(context: bpy.types.Context, found: ProbeResult) -> bytes:
    identities = Identities()
    uids = found.uids | found.dependencies.keys()
    # Which objects have changed is not known, only that one has.
    digests = {}
    if found.change is None:
        with isolation.overlooked(context):
            digests = object_states.states(context, uids)
    state = object_states.states_by_name(identities, uids, digests)
    content = stored_walk.StoredWalk(found.report, found.request, found.place.view_layer, state, found.chosen)
    return stored_walk.stored(content, identities.saved)


@events.on_load.subscribe
def _opened() -> None:
    global _problem
    _problem = ""
    _cleared.clear()


@latest.on_new.subscribe
def _replaced() -> None:
    global _problem
    if latest.result is not None:
        _problem = ""
        _cleared.discard(latest.result.place.scene_uid)


def clear(place: events.Place) -> None:
    """Store no walk of this scene any longer."""
    _cleared.add(place.scene_uid)


def restore(context: bpy.types.Context) -> bool:
    """Load the stored walk of the scene into the session. False if there is none."""
    global _problem
    scene = context.scene
    data = object_states.stored_results(scene, "walk")
    if not data:
        return False
    identities = Identities()

    def loaded(found: list[Any]) -> ObjectKey | None:
        return identities.loaded(SavedKey(*found))

    try:
        content = stored_walk.restored(data, loaded, open_file.path(), open_file.units(scene), scene.name)
    except stored_values.Damaged as error:
        _problem = label_(error.message)
        log.warning("%s", error)
        return False
    if content is None or not object_states.has_view_layer(scene, content.view_layer):
        return False
    place = events.Place(scene.session_uid, content.view_layer)
    with object_states.in_place(context, *place) as there:
        if there is None:
            return False
        found = probe_results.keep(there, content.report, content.request)
        found.chosen = content.chosen
        dependencies.remember_probe(there)
        if not _is_unchanged(there, found, content, identities):
            found.change = Change.SCENE
    on_restored.publish()
    return True


def _is_unchanged(
    context: bpy.types.Context, found: ProbeResult, content: stored_walk.StoredWalk, identities: Identities
) -> bool:
    """Whether each object is as it was when the walk was stored, and there is no other."""
    uids = found.uids | found.dependencies.keys()
    with isolation.overlooked(context):
        digests = object_states.states(context, uids)
    before = {}
    for saved, digest in content.state.items():
        key = identities.loaded(SavedKey(*saved))
        before[key.session_uid if key is not None else 0] = digest
    now = np.array(gravity_of(context.scene))
    down = now / np.linalg.norm(now)
    return all(before.values()) and digests == before and np.allclose(down, content.report.reached.gravity, atol=1e-6)
