# SPDX-License-Identifier: GPL-3.0-or-later
"""Dependencies of results that the depsgraph does not report: visibility, and settings of shapes.

Reviewing them examines all objects of a scope. Operators review before they rely on a result. Otherwise, the review
waits until the scene has been quiet for a moment. Panels never review.
"""

from collections.abc import Callable, Mapping, Set

import bpy

from .. import scene as scenes
from ..model.coverage_report import CoverageRequest
from ..model.errors import UserError
from ..model.motion_report import MotionRequest
from ..model.probe_report import ProbeRequest
from ..model.report import Settings
from ..scene import cameras, events, open_file, outlines
from ..scene.objects.facts import ObjectFacts, facts_of
from ..scene.objects.operands import operands
from ..scene.objects.owners import is_collider, named_by, related
from ..scene.objects.starts import gravity_of
from ..scene.objects.visibility import seen_in_all_frames
from . import convexity_results, coverage_results, isolation, motion_results, probe_results
from .collision_results import last_check
from .latest import Dependencies

# Scopes whose objects are determined by the scene. Those of the others were selected at the time of the check.
SCENE_SCOPES = {"VISIBLE", "ALL", "COLLECTION", "COLLECTIONS"}

# Seconds: from the last change to the review, and between two attempts while another scene is shown.
QUIET, ELSEWHERE = 0.15, 1.0

# Published when results are about to be used, so that subscribers can update them.
on_review: "events.Event[[bpy.types.Context]]" = events.Event()


def remember(context: bpy.types.Context, read: Mapping[int, ObjectFacts] | None = None) -> None:
    """Store the dependencies of the check that has just been stored.

    Parameters
    ----------
    context : bpy.types.Context
    read : mapping of int to ObjectFacts, optional
        The facts of objects, by `session_uid`, that the check has read. Those of others are read now.
    """
    settings = last_check.settings
    assert settings is not None
    dependencies = current(context, settings, read)
    if settings.scope == "CAMERA":
        # Objects outside the view may come into it, and the camera may turn.
        last_check.uids |= dependencies.keys()
    if settings.plane == outlines.planes.CAMERA:
        last_check.viewers = frozenset({cameras.camera.camera_uid(context.scene)})
        last_check.uids |= last_check.viewers
    last_check.depend_on(dependencies, open_file.object_names())


def remember_names() -> None:
    """Store the names of objects, until `remember` stores the dependencies."""
    last_check.depend_on(last_check.dependencies, open_file.object_names())


def current(
    context: bpy.types.Context, settings: Settings, read: Mapping[int, ObjectFacts] | None = None
) -> Dependencies:
    """Return the current values of the dependencies of a check. `read` is as in `remember`."""
    with isolation.overlooked(context):
        return _dependencies(context, settings, read or {})


def remember_motion(context: bpy.types.Context) -> None:
    """Store the dependencies of the motion check that has just been stored."""
    found = motion_results.latest.result
    if found is not None:
        if found.request.scope == "CAMERA":
            found.uids |= {cameras.camera.camera_uid(context.scene)}
        found.depend_on(_motion_dependencies(context, found.request, found.uids), open_file.object_names())


def remember_probe(context: bpy.types.Context) -> None:
    """Store the dependencies of the probe that has just been stored."""
    found = probe_results.latest.result
    if found is not None:
        found.depend_on(_probe_dependencies(context, found.request, found.uids), open_file.object_names())


def remember_coverage(context: bpy.types.Context) -> None:
    """Store the dependencies of the comparison that has just been stored."""
    found = coverage_results.latest.result
    if found is not None:
        found.depend_on(_coverage_dependencies(context, found.request, found.uids), open_file.object_names())


def review(context: bpy.types.Context) -> None:
    """Find out whether changes since affect the results of this scene."""
    on_review.publish(context)
    here = events.place(context)
    # The objects of another scene cannot be compared. The suspicion stays until the checked scene is back.
    if last_check.suspect and last_check.settings is not None and here == last_check.place:
        last_check.review(current(context, last_check.settings), open_file.object_names())
    found = motion_results.latest.result
    if found is not None and found.suspect and here == found.place:
        found.review(_motion_dependencies(context, found.request, found.uids), open_file.object_names())
    walk = probe_results.latest.result
    if walk is not None and walk.suspect and here == walk.place:
        walk.review(_probe_dependencies(context, walk.request, walk.uids), open_file.object_names())
    compared = coverage_results.latest.result
    if compared is not None and compared.suspect and here == compared.place:
        dependencies = _coverage_dependencies(context, compared.request, compared.uids)
        compared.review(dependencies, open_file.object_names())
    convexity_results.review()
    events.on_settled.publish()


def _is_suspect() -> bool:
    found = motion_results.latest.result
    pending = last_check.report is not None and last_check.suspect and not last_check.followed
    others = found, probe_results.latest.result, coverage_results.latest.result
    suspect = any(one is not None and one.suspect for one in others)
    return pending or suspect or convexity_results.is_suspect()


def _wait() -> None:
    """Schedule `review` for when the scene has been quiet for a moment. Does nothing without a window."""
    if bpy.app.background or not _is_suspect():
        return
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)
    bpy.app.timers.register(_look, first_interval=QUIET)


def _look() -> float | None:
    """Timer function: review, and return when to run again."""
    if events.is_paused() or bpy.app.is_job_running("RENDER"):
        return QUIET
    context = bpy.context
    with events.in_a_window(context, last_check.place.scene_uid):
        review(bpy.context)
    events.redraw()
    return ELSEWHERE if _is_suspect() else None


def _forget() -> None:
    if not bpy.app.background and bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)


def _note_change(_change: events.SceneChange) -> None:
    _wait()


events.on_change.subscribe(_note_change)
events.on_undo.subscribe(_wait)
events.on_reset.subscribe(_forget)


def _dependencies(context: bpy.types.Context, settings: Settings, read: Mapping[int, ObjectFacts]) -> Dependencies:
    """Return the dependencies that the depsgraph does not report: visibility, and settings of shapes."""
    if settings.scope in SCENE_SCOPES:
        try:
            selection = scenes.scope.scope_objects(
                context, settings.scope, settings.collection_a, settings.collection_b
            )
        except UserError:
            return {}  # a collection no longer exists, or was renamed
        objects = {*selection.set_a, *(selection.set_b or ())}
    elif settings.scope == "CAMERA":
        # Candidates for the camera. What it sees of them changes only with them and with itself.
        objects = set(scenes.scope.scope_objects(context, "VISIBLE").set_a)
    else:
        objects = {ob for ob in context.view_layer.objects if ob.session_uid in last_check.uids}
    facts = {ob: read.get(ob.session_uid) or facts_of(ob) for ob in objects}
    found = _of_objects(facts, _left_out(context, settings), lambda ob: ob.visible_get())
    if "CAMERA" in (settings.scope, settings.plane):
        # Its lens changes with it, like the geometry of other objects.
        found[cameras.camera.camera_uid(context.scene)] = cameras.camera.view_settings(context.scene)
    return found


def _motion_dependencies(context: bpy.types.Context, request: MotionRequest, uids: Set[int]) -> Dependencies:
    """Return the dependencies of a motion check, without values that animation may change."""
    scene = context.scene
    found: dict[int, object] = {0: (scene.render.fps, scene.render.fps_base)}
    if request.scope in {"COLLECTION", "COLLECTIONS"}:
        try:
            selection = scenes.scope.scope_objects(context, request.scope, request.collection_a, request.collection_b)
        except UserError:
            return found  # a collection no longer exists, or was renamed
        objects = {*selection.set_a, *(selection.set_b or ())}
    elif request.scope in {"SELECTED", "ACTIVE"}:
        objects = {ob for ob in context.view_layer.objects if ob.session_uid in uids}
    else:
        objects = set(context.view_layer.objects)
    facts = {ob: facts_of(ob) for ob in objects}
    return found | _of_objects(facts, _left_out(context, request), seen_in_all_frames)


def _probe_dependencies(context: bpy.types.Context, request: ProbeRequest, uids: Set[int]) -> Dependencies:
    """Return the dependencies of a probe: gravity, visibility, and settings of shapes."""
    found: dict[int, object] = {0: gravity_of(context.scene)}
    if request.scope == "SELECTED":
        objects = {ob for ob in context.view_layer.objects if ob.session_uid in uids}
    else:
        try:
            objects = set(scenes.scope.scope_objects(context, request.scope, request.collection).set_a)
        except UserError:
            return found  # a collection no longer exists, or was renamed
    facts = {ob: facts_of(ob) for ob in objects}
    return found | _of_objects(facts, {}, lambda ob: ob.visible_get())


def _coverage_dependencies(context: bpy.types.Context, request: CoverageRequest, uids: Set[int]) -> Dependencies:
    """Return the dependencies of a comparison with render meshes. Colliders count whether they are hidden or not."""
    objects = set(context.scene.objects)
    if request.scope in {"SELECTED", "ACTIVE"}:
        # Another object may have become a collider of these.
        objects = {ob for ob in objects if ob.session_uid in uids or is_collider(ob)}
    facts = {ob: facts_of(ob) for ob in objects}
    hidden_count = request.include_hidden
    found = _of_objects(facts, {}, lambda ob: hidden_count or is_collider(ob) or ob.visible_get())
    if request.walk is None:
        return found
    walk = _probe_dependencies(context, request.walk, uids)
    return {uid: (found.get(uid), walk.get(uid)) for uid in found.keys() | walk.keys()}


def _of_objects(
    facts: Mapping[bpy.types.Object, ObjectFacts],
    left_out: Mapping[int, object],
    seen: Callable[[bpy.types.Object], object],
) -> dict[int, object]:
    """Return the dependencies of each object: its settings, its visibility, and its body."""
    pairing = related([named_by(one) for one in facts.values()])
    return {
        one.uid: (one.choice, one.traits, seen(ob), pairing.get(one.uid), left_out.get(one.uid))
        for ob, one in facts.items()
    }


def _left_out(context: bpy.types.Context, asked: Settings | MotionRequest) -> dict[int, str]:
    """Return the Boolean operands that a check leaves out."""
    return {} if asked.include_operands else operands(context.scene.objects)
