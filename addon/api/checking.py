# SPDX-License-Identifier: GPL-3.0-or-later
"""The collision check, and what a report says."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, fields
from math import inf

import bpy

from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..collisions.blocks import BLOCK
from ..collisions.check import Progress, steps
from ..model.duplicates import copies
from ..model.motion_report import MotionContact, MotionReport
from ..model.report import PairResult, Report, Settings
from ..model.rules import PairTest
from ..model.steps import exhausted
from ..model.verdict_names import FAULTS
from ..scene import accepted_pairs, arguments
from ..scene.coverage import hidden_shown
from ..scene.object_states import in_scene, steps_in_scene
from ..scene.scope import ScopeSelection
from .choices import Objects, Plane, Scope


@dataclass(frozen=True)
class CollisionReport(Report):
    """The answer to a collision check: what `Report` has, and the shapes that were tested.

    Attributes
    ----------
    world : World or PlacedWorld
        The shapes, in the order of `shapes`; a `core.World` for scripts that go on computing with them, a `PlacedWorld`
        of a check in a plane.
    """

    world: World | PlacedWorld | None = field(default=None, repr=False, compare=False)


def check_collisions(
    objects: Objects | None = None,
    *,
    against: Objects | None = None,
    scope: Scope = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    clearance: float = 0.0,
    touching: float | None = None,
    plane: Plane | None = None,
    include_operands: bool = False,
    tests: Iterable[PairTest] = (),
    self_check: bool = False,
    include_hidden: bool = False,
    scene: str = "",
    within: bool | None = None,
    static: bool = False,
    each_asset: bool = False,
    loose_parts: bool = False,
    evidence: bool = True,
) -> CollisionReport:
    """Find out which objects collide, in the current frame of a scene.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str, optional
        Test these, each against each other. None: those of the scope.
    against : iterable of bpy.types.Object or str, optional
        Test `objects` against these alone.
    scope : str
        VISIBLE, ALL, SELECTED, ACTIVE, CAMERA, COLLECTION or COLLECTIONS, as in the panel.
    collection, other_collection : str
        Names of the collections that the last two speak of.
    clearance : float
        Report pairs that come nearer than this, too. In Blender units, as all lengths.
    touching : float, optional
        Surfaces no farther apart and no deeper than this touch. None: for each pair the rounding of its coordinates.
    plane : str, optional
        XY, XZ, YZ or CAMERA: test outlines in that plane. None: in space.
    include_operands : bool
        Test operands of Boolean modifiers that are displayed as wire or bounds, or not rendered, as well.
    tests : iterable of PairTest
        Named tests: only the pairs that they name are tested, with their own tolerances.
    self_check : bool
        Test each mesh against itself, too: its loose parts against each other, and faces that cross. Not in a plane.
    include_hidden : bool
        Test objects that are hidden or disabled in viewports, and those in hidden collections, too. They are shown
        meanwhile. `coverage` and `skipped` of the report say what was not tested.
    scene : str
        Name of the scene, of which the first view layer is checked; empty: the current one.
    within : bool, optional
        Report pairs of parts of one asset as faults; False: fold them. None: fold them, unless all bodies are parts of
        one asset, or objects are tested against others.
    static : bool
        Report pairs of bodies that are both declared static as faults.
    each_asset : bool
        Test only parts of one asset against each other: each asset on its own.
    loose_parts : bool
        Test each loose part of a mesh as a body of its own. Not in a plane, and not together with `self_check`.
    evidence : bool
        Measure the way out and the contacts of meshes that are not convex, too. They take longer than verdicts and
        depths. Without them, these pairs are not `complete`: their distance is minus their interference.

    Returns
    -------
    CollisionReport
        Its `pairs` come worst first, with verdict, distance (negative: depth), normal from A to B, and contacts.

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If a scene, a collection or a usable camera is missing, an object is not in the current view layer, `against`
        comes without `objects`, or an argument is not what it should be; the error names it.

    Examples
    --------
    ::

        report = api.check_collisions(["Crate", "Shelf"], clearance=0.01)
        for pair in report.pairs:
            print(api.names(report, pair), pair.verdict.name, pair.distance)
    """
    named = tuple(tests)
    settings = Settings(
        scope,
        collection,
        other_collection,
        touching,
        clearance,
        plane,
        include_operands,
        named,
        self_check,
        within,
        static,
        each_asset,
        loose_parts,
    )
    arguments.texts(scene=scene)
    with in_scene(bpy.context, scene), hidden_shown(bpy.context, bool(include_hidden)):
        return exhausted(_steps(objects, against, settings, inf, evidence))


def check_collisions_steps(
    objects: Objects | None = None,
    *,
    against: Objects | None = None,
    scope: Scope = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    clearance: float = 0.0,
    touching: float | None = None,
    plane: Plane | None = None,
    include_operands: bool = False,
    tests: Iterable[PairTest] = (),
    self_check: bool = False,
    include_hidden: bool = False,
    scene: str = "",
    within: bool | None = None,
    static: bool = False,
    each_asset: bool = False,
    loose_parts: bool = False,
    evidence: bool = True,
) -> Generator[Progress, None, CollisionReport]:
    """`check_collisions` in steps of about a tenth of a second, for those who show progress or may want to stop.

    As long as `progress.total` is 0 the scene is being read, and must not change.

    Parameters
    ----------
    objects, against, scope, collection, other_collection, clearance, touching, plane, include_operands
        As for `check_collisions`.
    tests, self_check, include_hidden, scene, within, static, each_asset, loose_parts, evidence
        As for `check_collisions`. Hidden objects are shown until the last step; between the steps, the current scene
        is what it was.

    Returns
    -------
    CollisionReport
        What the generator returns, in the `value` of its `StopIteration`.

    Raises
    ------
    KeyError, ValueError
        As `check_collisions`, from the first step.

    Examples
    --------
    ::

        steps = api.check_collisions_steps(scope="ALL")
        while True:
            try:
                progress = next(steps)
            except StopIteration as end:
                report = end.value
                break
            print(f"{progress.done} of {progress.total} pairs")
    """
    named = tuple(tests)
    settings = Settings(
        scope,
        collection,
        other_collection,
        touching,
        clearance,
        plane,
        include_operands,
        named,
        self_check,
        within,
        static,
        each_asset,
        loose_parts,
    )
    arguments.texts(scene=scene)
    found = _showing(bool(include_hidden), _steps(objects, against, settings, BLOCK, evidence))
    return steps_in_scene(scene, found)


def faults(report: Report) -> list[PairResult]:
    """The pairs of a report that penetrate, of which one holds the other, or that are duplicates; no accepted ones.

    Parameters
    ----------
    report : CollisionReport

    Returns
    -------
    list of PairResult
        The worst first.

    Raises
    ------
    ValueError
        If it is no report of a collision check.

    Examples
    --------
    ::

        sys.exit(1 if api.faults(api.check_collisions(scope="ALL")) else 0)
    """
    arguments.report(report, Report)
    return [report.pairs[row] for row in accepted_pairs.marks_of(report).open_rows(report, FAULTS)]


def duplicates_of(report: Report) -> list[str]:
    """The names of bodies that are copies: of those with the same geometry in the same place all but the first.

    Accepted and ignored pairs and instances are left out.

    Parameters
    ----------
    report : CollisionReport

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If it is no report of a collision check.

    Examples
    --------
    ::

        for name in api.duplicates_of(api.check_collisions(scope="ALL")):
            bpy.data.objects.remove(bpy.data.objects[name])
    """
    arguments.report(report, Report)
    return [body.name for body in copies(report, accepted_pairs.marks_of(report))]


def names(report: Report | MotionReport, pair: PairResult | MotionContact) -> tuple[str, str]:
    """The names of the two bodies of a pair, or of a contact.

    Parameters
    ----------
    report : CollisionReport or MotionReport
    pair : PairResult or MotionContact
        One of the report's.

    Returns
    -------
    tuple of str
        A and B. That of an instance has what makes it appear before it: ``Instancer/Object``.

    Raises
    ------
    ValueError
        If it is no report of a check.

    Examples
    --------
    ::

        a, b = api.names(report, report.pairs[0])
    """
    arguments.report(report, Report, MotionReport)
    return report.bodies[pair.body_a].name, report.bodies[pair.body_b].name


def _showing(
    hidden: bool, steps: Generator[Progress, None, CollisionReport]
) -> Generator[Progress, None, CollisionReport]:
    """Take steps with hidden objects shown, if they are to be."""
    with hidden_shown(bpy.context, hidden):
        return (yield from steps)


def _steps(
    objects: Objects | None, against: Objects | None, settings: Settings, seconds: float, evidence: bool
) -> Generator[Progress, None, CollisionReport]:
    given = {"collection": settings.collection_a, "other_collection": settings.collection_b}
    arguments.instances("tests", settings.tests, PairTest)
    arguments.texts(scope=settings.scope, **given, plane=settings.plane or "")
    selection = None
    if objects is not None:
        others = None if against is None else arguments.objects("against", against)
        selection = ScopeSelection(arguments.objects("objects", objects), others)
        asked = True if others is not None and settings.within is None else settings.within
        settings = settings._replace(scope="OBJECTS", collection_a="", collection_b="", within=asked)
    elif against is not None:
        raise ValueError("against: given without objects")
    else:
        # What a script has just made is in no view layer yet.
        bpy.context.view_layer.update()
    report, shapes = yield from steps(bpy.context, settings, selection, seconds=seconds, evidence=evidence)
    return CollisionReport(**{one.name: getattr(report, one.name) for one in fields(report)}, world=shapes.world)
