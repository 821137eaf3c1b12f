# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe for the panel, the command line and scripts: from a scene to a report."""

from collections.abc import Generator
from typing import NamedTuple

import bpy
import numpy as np

from ... import core
from ...core.numerics.types import Floats
from ...core.walking.probe import Probe, probe_steps
from ...core.walking.starts import NoStart
from ..i18n.units import issues_with_units
from ..model.errors import UserError
from ..model.probe_report import Ground, ProbeIssue, ProbeReport, ProbeRequest, issue_ids
from ..model.report import body_uids
from ..model.steps import exhausted, telling
from ..scene import accepted_walk_issues, events, open_file
from ..scene.background_sets import background_objects
from ..scene.coverage import coverage_of, hidden_shown
from ..scene.objects.owners import is_collider
from ..scene.objects.starts import gravity_of, starts_of
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import Reading, reading
from ..scene.scope import scope_objects

# Approximate seconds for a step of reading.
_SECONDS = 0.1


class Progress(NamedTuple):
    """Finished percent of 100. The total is 0 while the scene is being read and must not change."""

    done: int
    total: int


_READING, _WALKING = Progress(0, 0), Progress(0, 100)


def probe(context: bpy.types.Context, request: ProbeRequest) -> ProbeReport:
    """Let a character walk on the colliders of a scope.

    Raises
    ------
    UserError
        If there is no start, no floor below one, or nothing to walk on.
    ValueError
        If a size is out of range. The message names it.
    """
    return exhausted(steps(context, request, seconds=np.inf))


def steps(
    context: bpy.types.Context, request: ProbeRequest, *, seconds: float = _SECONDS, hidden_colliders: bool = False
) -> Generator[Progress, None, ProbeReport]:
    """Run `probe` in steps. The results are those of the scene as it was read.

    With `hidden_colliders`, hidden colliders are tested as if they were visible, and the scene is read in the first
    step.
    """
    scene = context.scene
    starts = starts_of(scene, request.starts)
    begun = {uid for _, uid, _ in starts if uid is not None}
    character = _character(request)
    request = request._replace(
        starts=tuple(name for name, _, _ in starts), height=character.height, step=character.step
    )
    selection = scope_objects(context, request.scope, request.collection)
    uids = {ob.session_uid for ob in selection.set_a} - begun
    if hidden_colliders:
        uids |= {ob.session_uid for ob in scene.objects if is_collider(ob)}
        with events.paused(), events.unrecorded(), hidden_shown(context):
            read = exhausted(reading(context, uids, known=KnownGeometry(), seconds=np.inf))
    else:
        read = yield from telling(_READING, reading(context, uids, known=KnownGeometry(), seconds=seconds))
    shapes = read.shapes
    gravity = np.array(gravity_of(scene))
    down = gravity / np.linalg.norm(gravity)
    units = open_file.units(scene)
    plain = open_file.source(scene), scene.name, units, request
    more = (
        issues_with_units(shapes.issues, units),
        (*shapes.skipped, *background_objects(scene, request.scope)),
        coverage_of(scene),
    )
    yield _WALKING
    if not len(shapes.world):
        nothing = Ground(np.empty((0, 3)), np.empty((0, 3)), request.spacing, down)
        return ProbeReport(*plain, 0.0, 0.0, 0, 0, (), nothing, np.empty((0, 3)), frozenset(begun), *more)
    going = probe_steps(
        shapes.world,
        [point for _, _, point in starts],
        character,
        spacing=request.spacing,
        gravity=gravity,
        margin=request.margin,
    )
    result: Probe
    while True:
        try:
            yield Progress(int(100.0 * next(going)), 100)
        except StopIteration as end:
            result = end.value
            break
        except NoStart as error:
            name = starts[error.row][0]
            what = shapes.shapes[error.shape].object if error.shape >= 0 else ""
            raise _no_start(error.cause, name, what) from None
    found = _found(result, read, down)
    over = result.over_ground
    reached = Ground(result.ground[over], result.normal[over], request.spacing, down)
    counts = result.reached_area, result.undetected_below, len(result.poses), len(shapes.bodies)
    begins, met = result.poses[result.parent < 0], {uid for body in shapes.bodies for uid in body_uids(body)}
    report = ProbeReport(*plain, *counts, found, reached, begins, frozenset(begun | met), *more, result)
    return report.marked(accepted_walk_issues.reasons(scene), None)


def _no_start(cause: str, name: str, what: str) -> UserError:
    """Return the error of a start from which the character cannot begin, by the cause; see `core.NoStart`."""
    match cause:
        case "inside":
            return UserError("{name}: the start is inside of {object}", name=name, object=what)
        case "steep":
            return UserError("{name}: {object} below it is too steep for the character", name=name, object=what)
        case "narrow":
            return UserError("{name}: the character does not fit on {object} below it", name=name, object=what)
        case "closed":
            return UserError("{name}: the character cannot leave this place for any column of the grid", name=name)
    return UserError("{name}: there is no floor below it", name=name)


def _character(request: ProbeRequest) -> "core.Character":
    if request.ball:
        return core.Character.ball(request.radius, slope=request.slope, drop=request.drop)
    return core.Character(request.radius, request.height, request.step, request.slope, request.drop)


def _found(result: Probe, read: Reading, down: Floats) -> tuple[ProbeIssue, ...]:
    """Return the issues with the names of objects, their ids, their paths and their floors."""
    objects = [
        dict(sorted((read.shapes.shapes[row].object, read.keys[row].selected_uid) for row in one.shapes))
        for one in result.findings
    ]
    given = [(one.kind, (*names,), _point(one.point)) for one, names in zip(result.findings, objects, strict=True)]
    found = []
    for one, names, number in zip(result.findings, objects, issue_ids(given), strict=True):
        path = [*map(_point, result.path(one.pose))]
        if one.kind != "unreachable":
            path += [_point(one.before), _point(one.after)]
        found.append(
            ProbeIssue(
                number,
                one.kind,
                _point(one.point),
                _point(one.before),
                _point(one.after),
                _point(one.contact),
                (*names,),
                one.measure,
                one.deep,
                one.area,
                one.pose,
                tuple(path),
                Ground(one.ground, one.normal, result.spacing, down) if len(one.ground) else None,
                (*names.values(),),
            )
        )
    return tuple(found)


def _point(values: Floats) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
