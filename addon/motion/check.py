# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion check for the panel, the command line and scripts: from a range of frames to a report."""

from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ...core.numerics.validation import check_lengths
from ..asset_rules.limits import Length
from ..collisions.blocks import BLOCK
from ..collisions.pairing import Pairing
from ..collisions.surroundings import FEWEST, surroundings_in
from ..i18n.units import issues_with_units
from ..model.message import Message
from ..model.motion_report import MotionEvidence, MotionReport, MotionRequest
from ..model.report import TWO_SIDED, Issue
from ..model.rules import Pattern
from ..model.steps import exhausted, telling
from ..scene import events, open_file
from ..scene.animation.changing import changing_frames, unbaked_simulations
from ..scene.animation.clips import clip_names, clip_played
from ..scene.animation.frames import check_frames, frame_kept
from ..scene.animation.poses import PoseReader
from ..scene.background_sets import background_objects
from ..scene.coverage import coverage_of
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import reading
from ..scene.scope import ScopeSelection, scope_objects
from .contact_records import ContactRecord, contacts_of
from .depths import separate
from .sampling import FINEST, Sampler, Span
from .search import Search
from .things import joined_at_start, parts_of_things

# Number of frames that are searched together, and maximum number of entries of their bounds.
_FRAMES, _ENTRIES = 128, 1 << 19


class Progress(NamedTuple):
    """Number of finished frames, and number of pairs of bodies that are known to touch."""

    done: int
    total: int
    contacts: int


def motion(
    context: bpy.types.Context,
    scope: str = "VISIBLE",
    *,
    start: int | None = None,
    end: int | None = None,
    collection_a: str = "",
    collection_b: str = "",
    deviation: float | None = None,
    include_operands: bool = False,
    clearance: float = 0.0,
    one_thing: tuple[Pattern, ...] = (),
) -> MotionReport:
    """Find the bodies of a scope that touch between two frames, and when they first touch.

    Parameters
    ----------
    context : bpy.types.Context
        Its scene and view layer are checked.
    scope, collection_a, collection_b, deviation, include_operands, clearance, one_thing
        As for `MotionRequest`.
    start, end : int, optional
        First and last frame. None: those of the scene.

    Returns
    -------
    MotionReport

    Raises
    ------
    ValueError
        As for `steps`.
    """
    scene = context.scene
    first = scene.frame_start if start is None else start
    final = scene.frame_end if end is None else end
    request = MotionRequest(
        *(scope, collection_a, collection_b, first, final, deviation, include_operands, clearance), one_thing=one_thing
    )
    report, _ = exhausted(steps(context, request))
    return report


def steps(
    context: bpy.types.Context, request: MotionRequest
) -> Generator[Progress, None, tuple[MotionReport, MotionEvidence]]:
    """Run `motion` in steps of one evaluation of the scene each. Closing the generator restores the scene.

    Yields
    ------
    Progress

    Returns
    -------
    MotionReport
    MotionEvidence
        Both bodies of each contact, placed as at the first contact.

    Raises
    ------
    ValueError
        If the first frame is after the last, a frame is outside Blender's range, a collection does not exist, the scope
        needs the active camera and it has no frustum, or the deviation or the clearance is negative or not finite.
    """
    check_frames(request.start, request.end)
    check_lengths(
        deviation=0.0 if request.deviation is None else request.deviation,
        clearance=request.clearance,
        touching=0.0 if request.touching is None else request.touching,
    )
    # Earlier changes are evaluated first, so that they do not count as caused by this check.
    context.view_layer.update()
    selection = _selection(context, request)
    scope_a, scope_b = (
        None if objects is None else {ob.session_uid for ob in objects}
        for objects in (selection.set_a, selection.set_b)
    )
    assert scope_a is not None
    with events.paused(), frame_kept(context) as go:
        reader = PoseReader(
            context,
            go,
            scope_a | (scope_b or set()),
            with_hidden=request.scope != "VISIBLE",
            include_operands=request.include_operands,
        )

        def pairing() -> Pairing:
            shapes = reader.tested()
            if scope_b is None:
                return Pairing(shapes.body, filter=shapes.filter)
            return Pairing.across(shapes, scope_a, scope_b)

        sampler, search = Sampler(reader, request.deviation), Search(reader, pairing, request.clearance)
        sample = reader.sample(float(request.start))
        # Nothing can touch a body that is always alone, and nothing changes if nothing is animated.
        frames, animated = changing_frames(context, request.start, request.end)
        frames = frames[:1] if reader.stays_alone() else frames
        total = len(frames)
        yield from telling(Progress(1, total, 0), search.begin(sample))
        yield Progress(1, total, search.contacts)
        around: tuple[str, ...] = ()
        held: dict[tuple[int, int], str] = {}
        if search.contacts >= FEWEST and request.scope not in TWO_SIDED:
            read = reading(context, scope_a, known=KnownGeometry(), seconds=BLOCK)
            shapes = (yield from telling(Progress(1, total, search.contacts), read)).shapes
            around = surroundings_in(shapes)
            held = joined_at_start(shapes, reader.bodies, search.records)
        waiting: list[Span] = []
        samples, first = 1, request.start
        for done, frame in enumerate(frames[1:], start=1):
            progress = Progress(done, total, search.contacts)
            waiting += yield from telling(progress, sampler.spans(waiting[-1].end if waiting else sample, float(frame)))
            many = len(waiting) * max(len(waiting[-1].end), 1) > _ENTRIES
            if frame == frames[-1] or many or frame - first >= _FRAMES:
                for _ in search.block(waiting):
                    yield Progress(done, total, search.contacts)
                samples, first, sample = samples + len(waiting), frame, waiting[-1].end
                waiting = []
        progress = Progress(total, total, search.contacts)
        yield progress
        near = yield from telling(progress, search.near_misses.find(reader, search.records, search.moved))
        yield from telling(progress, search.near_misses.measure_rest({*search.records, *near}))
        yield from telling(progress, separate(search.records.values()))
        report, evidence = _report(context, request, reader, sampler, search, near, held, samples, animated)
        return replace(report, surroundings=around), evidence


def _selection(context: bpy.types.Context, request: MotionRequest) -> ScopeSelection:
    if request.scope == "VISIBLE":
        # An object that is hidden now may be visible in other frames. It is tested only in those.
        return ScopeSelection(list(context.view_layer.objects))
    return scope_objects(context, request.scope, request.collection_a, request.collection_b)


def _report(
    context: bpy.types.Context,
    request: MotionRequest,
    reader: PoseReader,
    sampler: Sampler,
    search: Search,
    near: dict[tuple[int, int], ContactRecord],
    held: dict[tuple[int, int], str],
    samples: int,
    animated: bool,
) -> tuple[MotionReport, MotionEvidence]:
    scene, clip = context.scene, clip_played()
    units = open_file.units(scene)
    body = np.array(reader.body, dtype=np.int64)
    bodies, shapes, contacts, posed = contacts_of(
        {**search.records, **near},
        search.near_misses.curves(),
        reader.bodies,
        reader.shapes,
        body,
        reader.deforming,
        request.touching or 0.0,
    )
    moved = {id(reader.bodies[number]) for number in search.moved - {-1}}
    missed = [contact for contact in contacts if contact.is_near_miss]
    row_of = {id(one): row for row, one in enumerate(bodies)}
    rows = [row_of[id(one)] for one in reader.bodies]
    started = {(min(rows[a], rows[b]), max(rows[a], rows[b])): name for (a, b), name in held.items()}
    joined, told = parts_of_things(contacts, started, bodies, request.one_thing, scene.name)
    issues, skipped = reader.issues()
    report = MotionReport(
        file=open_file.source(scene),
        scene=scene.name,
        fps=scene.render.fps / scene.render.fps_base,
        start=request.start,
        end=request.end,
        scope=request.scope,
        units=units,
        bodies=bodies,
        shapes=shapes,
        contacts=tuple(contact for contact in contacts if not contact.is_near_miss),
        deforming=tuple(sorted({reader.shapes[row].object for row in reader.deforming})),
        deviation_allowed=sampler.allowed,
        deviation_left=sampler.deviation_left(),
        frames_visited=reader.visited,
        issues=issues_with_units(
            (*issues, *told, *unbaked_simulations(scene), *_motion_issues(reader, sampler)), units
        ),
        skipped=(*skipped, *background_objects(scene, request.scope)),
        tested={
            "bodies": len(bodies),
            "moving": len(search.moved - {-1}),
            "shapes": len(shapes),
            "samples": samples,
            "candidates": search.candidates,
        },
        clearance=request.clearance,
        coverage=replace(coverage_of(scene), other_clips=tuple(name for name in clip_names() if name != clip)),
        clip=clip,
        animated=animated,
        moving=frozenset(row for row, body in enumerate(bodies) if id(body) in moved),
        near_misses=tuple(sorted(missed, key=lambda contact: contact.distance)),
        joined=joined,
    )
    return report, MotionEvidence(posed)


def _motion_issues(reader: PoseReader, sampler: Sampler) -> list[Issue]:
    """Return issues about the motion of objects."""
    found = []
    for row, (deviation, frame) in sorted(sampler.strayed.items()):
        message = Message(
            "Motion deviates by up to {distance} from the tested motion, most at frame {frame}, between samples {step} "
            "of a frame apart; shallower contacts may be missed there.",
            distance=Length(deviation),
            frame=f"{frame:.4g}",
            step=f"{FINEST:g}",
        )
        found.append(Issue("motion-strays", "warning", reader.shapes[row].object, message))
    for row, jump in sorted(sampler.jumps.items()):
        message = Message(
            "Motion jumps {count} times, first after frame {frame}; tested only where each jump ends.",
            count=jump.times,
            frame=f"{jump.frame:.6g}",
        )
        found.append(Issue("motion-jumps", "info", reader.shapes[row].object, message))
    return found
