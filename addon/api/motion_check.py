# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of motion, and its contacts in the timeline."""

from collections.abc import Generator, Iterable

import bpy

from ..model.motion_report import MotionReport, MotionRequest
from ..model.rules import IgnoreRule, PairTest
from ..model.steps import exhausted
from ..motion import check, markers
from ..motion.check import Progress as MotionProgress
from ..motion.named_tests import with_tests
from ..scene import arguments
from ..scene.animation import markers as timeline
from ..scene.coverage import hidden_shown
from ..scene.object_states import in_scene, steps_in_scene
from .choices import Scope


def check_motion(
    *,
    scope: Scope = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    start: int | None = None,
    end: int | None = None,
    deviation: float | None = None,
    include_operands: bool = False,
    clearance: float = 0.0,
    tests: Iterable[PairTest] = (),
    rules: Iterable[IgnoreRule] = (),
    include_hidden: bool = False,
    scene: str = "",
) -> MotionReport:
    """Find out when animated objects first touch, between frames too. The current frame stays.

    Parameters
    ----------
    scope, collection, other_collection, include_operands, include_hidden, scene
        As for `check_collisions`.
    start, end : int, optional
        First and last frame. None: the scene's.
    deviation : float, optional
        How far an object may stray from the motion that is tested before it is looked at more often, in Blender units.
        None: for each object a share of its size.
    clearance : float
        In Blender units: bodies that never touch, but come nearer than this, are `near_misses` of the report.
    tests : iterable of PairTest
        Named tests: what none of them finds is left out. `pair_tests` has those of the scene.
    rules : iterable of IgnoreRule
        What they take has a number `ignored` of at least 0. `ignore_rules` has those of the scene.

    Returns
    -------
    MotionReport
        Its `contacts` come in the order of their first frames, its `near_misses` with the nearest first.

    Raises
    ------
    ValueError
        If a scene, a collection or a usable camera is missing, the range ends before it starts, or an argument is not
        what it should be.

    Examples
    --------
    ::

        report = api.check_motion(start=1, end=120)
        for contact in report.contacts:
            print(api.names(report, contact), contact.first, contact.point, contact.normal)
    """
    arguments.texts(scene=scene)
    options = (scope, collection, other_collection, start, end, deviation, include_operands, clearance, tests, rules)
    with in_scene(bpy.context, scene), hidden_shown(bpy.context, bool(include_hidden)):
        return exhausted(_steps(*options))


def check_motion_steps(
    *,
    scope: Scope = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    start: int | None = None,
    end: int | None = None,
    deviation: float | None = None,
    include_operands: bool = False,
    clearance: float = 0.0,
    tests: Iterable[PairTest] = (),
    rules: Iterable[IgnoreRule] = (),
    include_hidden: bool = False,
    scene: str = "",
) -> Generator[MotionProgress, None, MotionReport]:
    """`check_motion`, one evaluation of the scene a step; closed before its end it leaves the scene as it was.

    Parameters
    ----------
    scope, collection, other_collection, start, end, deviation, include_operands, clearance, tests, rules
        As for `check_motion`.
    include_hidden, scene
        As for `check_motion`. Hidden objects are shown until the last step; between the steps, the current scene is
        what it was.

    Returns
    -------
    MotionReport
        What the generator returns, in the `value` of its `StopIteration`.

    Raises
    ------
    ValueError
        As `check_motion`, from the first step.

    Examples
    --------
    ::

        for progress in api.check_motion_steps(start=1, end=120):
            print(f"{progress.done} of {progress.total} frames, {progress.contacts} contacts")
    """
    arguments.texts(scene=scene)
    options = (scope, collection, other_collection, start, end, deviation, include_operands, clearance, tests, rules)
    return steps_in_scene(scene, _showing(bool(include_hidden), _steps(*options)))


def add_contact_markers(report: MotionReport) -> int:
    """Mark the first moment of each contact in the timeline of the current scene.

    Markers of earlier calls are replaced unless renamed or moved.

    Parameters
    ----------
    report : MotionReport

    Returns
    -------
    int
        How many markers are new.

    Raises
    ------
    ValueError
        If it is no report of a check of motion.

    Examples
    --------
    ::

        api.add_contact_markers(api.check_motion())
    """
    arguments.report(report, MotionReport)
    names = [body.name for body in report.bodies]
    return timeline.add(bpy.context.scene, markers.places(report, names))


def remove_contact_markers() -> int:
    """Remove the timeline markers of contacts, except those that were renamed or moved.

    Returns
    -------
    int
        How many there were.

    Examples
    --------
    ::

        api.remove_contact_markers()
    """
    return timeline.remove(bpy.context.scene)


def _showing(
    hidden: bool, steps: Generator[MotionProgress, None, MotionReport]
) -> Generator[MotionProgress, None, MotionReport]:
    """Take steps with hidden objects shown, if they are to be."""
    with hidden_shown(bpy.context, hidden):
        return (yield from steps)


def _steps(
    scope: str,
    collection: str,
    other_collection: str,
    start: int | None,
    end: int | None,
    deviation: float | None,
    include_operands: bool,
    clearance: float,
    tests: Iterable[PairTest],
    rules: Iterable[IgnoreRule],
) -> Generator[MotionProgress, None, MotionReport]:
    arguments.texts(scope=scope, collection=collection, other_collection=other_collection)
    named, meant = arguments.instances("tests", tests, PairTest), arguments.instances("rules", rules, IgnoreRule)
    scene = bpy.context.scene
    first, last = arguments.frame("start", start), arguments.frame("end", end)
    request = MotionRequest(
        scope,
        collection,
        other_collection,
        scene.frame_start if first is None else first,
        scene.frame_end if last is None else last,
        deviation,
        include_operands,
        clearance,
    )
    report, _ = yield from check.steps(bpy.context, request)
    return with_tests(report, named, meant)
