# SPDX-License-Identifier: GPL-3.0-or-later
"""Check motion, and mark contacts in the timeline."""

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
    one_thing: Iterable[str] = (),
    include_hidden: bool = False,
    scene: str = "",
) -> MotionReport:
    """Find when animated objects first touch, including between frames. The current frame is restored.

    Parameters
    ----------
    scope, collection, other_collection, include_operands, one_thing, include_hidden, scene
        As for `check_collisions`.
    start, end : int, optional
        First and last frame. None: those of the scene.
    deviation : float, optional
        Maximum deviation between the tested motion and the real motion before more samples are taken, in Blender units.
        None: a fraction of the size of each object.
    clearance : float
        Bodies that never touch but come nearer than this, in Blender units, are `near_misses` of the report.
    tests : iterable of PairTest
        Named tests. Contacts that match none of them are left out. `pair_tests` returns those of the scene.
    rules : iterable of IgnoreRule
        Ignore rules. `ignored` of a contact is the index of the rule that matches it. `ignore_rules` returns those of
        the scene.

    Returns
    -------
    MotionReport
        Its `contacts` are sorted by first frame, its `near_misses` by distance.

    Raises
    ------
    ValueError
        If a scene, a collection or a usable camera is missing, the range ends before it starts, or an argument is
        invalid.

    Examples
    --------
    ::

        report = api.check_motion(start=1, end=120)
        for contact in report.contacts:
            print(api.names(report, contact), contact.first, contact.point, contact.normal)
    """
    arguments.texts(scene=scene)
    options = (
        *(scope, collection, other_collection, start, end, deviation, include_operands, clearance),
        *(tests, rules, one_thing),
    )
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
    one_thing: Iterable[str] = (),
    include_hidden: bool = False,
    scene: str = "",
) -> Generator[MotionProgress, None, MotionReport]:
    """Run `check_motion` with one evaluation of the scene per step. Closing the generator restores the scene.

    Parameters
    ----------
    scope, collection, other_collection, start, end, deviation, include_operands, clearance, tests, rules, one_thing
        As for `check_motion`.
    include_hidden, scene
        As for `check_motion`. Hidden objects are shown until the last step. The current scene is restored between
        steps.

    Returns
    -------
    MotionReport
        The return value of the generator, in `value` of its `StopIteration`.

    Raises
    ------
    ValueError
        As for `check_motion`, raised by the first step.

    Examples
    --------
    ::

        for progress in api.check_motion_steps(start=1, end=120):
            print(f"{progress.done} of {progress.total} frames, {progress.contacts} contacts")
    """
    arguments.texts(scene=scene)
    options = (
        *(scope, collection, other_collection, start, end, deviation, include_operands, clearance),
        *(tests, rules, one_thing),
    )
    return steps_in_scene(scene, _showing(bool(include_hidden), _steps(*options)))


def add_contact_markers(report: MotionReport) -> int:
    """Add a marker at the first moment of each contact to the timeline of the current scene.

    Markers of earlier calls are replaced unless renamed or moved.

    Parameters
    ----------
    report : MotionReport

    Returns
    -------
    int
        Number of new markers.

    Raises
    ------
    ValueError
        If `report` is not a motion report.

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
        Number of markers that were removed.

    Examples
    --------
    ::

        api.remove_contact_markers()
    """
    return timeline.remove(bpy.context.scene)


def _showing(
    hidden: bool, steps: Generator[MotionProgress, None, MotionReport]
) -> Generator[MotionProgress, None, MotionReport]:
    """Run steps with hidden objects shown, if requested."""
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
    one_thing: Iterable[str],
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
        one_thing=arguments.patterns(one_thing=one_thing),
    )
    report, _ = yield from check.steps(bpy.context, request)
    return with_tests(report, named, meant)
