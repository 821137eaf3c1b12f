# SPDX-License-Identifier: GPL-3.0-or-later
"""Check for collisions and read the report."""

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
    """Report of a collision check: the fields of `Report`, and the shapes that were tested.

    Attributes
    ----------
    world : World or PlacedWorld
        The tested shapes, in the order of `shapes`. A `core.World`, so that scripts can go on computing with them, or a
        `PlacedWorld` if the check was in a plane.
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
    surroundings: bool = False,
    one_thing: Iterable[str] = (),
    evidence: bool = True,
) -> CollisionReport:
    """Find the objects that collide in the current frame of a scene.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str, optional
        Objects to test against each other. None: the objects of the scope.
    against : iterable of bpy.types.Object or str, optional
        Test `objects` only against these.
    scope : str
        VISIBLE, ALL, SELECTED, ACTIVE, CAMERA, COLLECTION or COLLECTIONS, as in the panel.
    collection, other_collection : str
        Names of the collections for the last two scopes.
    clearance : float
        Also report pairs whose distance is less than this, in Blender units, as all lengths.
    touching : float, optional
        Surfaces that are no farther apart and no deeper than this are touching. None: the rounding error of the
        coordinates of each pair.
    plane : str, optional
        XY, XZ, YZ or CAMERA: test outlines in that plane. None: test in 3D.
    include_operands : bool
        Also test operands of Boolean modifiers that are displayed as wire or bounds, or are not rendered.
    tests : iterable of PairTest
        Named tests. Only the pairs that they name are tested, each with the tolerances of its test.
    self_check : bool
        Also test each mesh against itself: its loose parts against each other, and faces that cross. Not in a plane.
    include_hidden : bool
        Also test objects that are hidden or disabled in viewports, or in hidden collections. They are shown during the
        check. `coverage` and `skipped` of the report list what was not tested.
    scene : str
        Name of the scene. Its first view layer is checked. Empty: the current scene.
    within : bool, optional
        True: report pairs of parts of one asset as faults. False: fold them. None: fold them, unless all bodies are
        parts of one asset or `against` is given.
    static : bool
        Report pairs of bodies that are both declared static as faults.
    each_asset : bool
        Only test parts of the same asset against each other, for each asset.
    loose_parts : bool
        Test each loose part of a mesh as a separate body. Not in a plane, and not together with `self_check`.
    surroundings : bool
        Report bodies inside of a body that contains nearly all others, such as a sky, as faults.
    one_thing : iterable of str
        Objects that are one thing, a pattern for each thing, as in rules: ``"*"``, ``"collection:Car"``. Pairs within a
        thing are folded as those within one asset.
    evidence : bool
        Also measure the separating translation and the contacts of meshes that are not convex. They take longer than
        verdicts and depths. Without them, these pairs are not `complete`, and their distance is minus their
        interference.

    Returns
    -------
    CollisionReport
        Its `pairs` are sorted, worst first. Each has a verdict, a distance (negative: depth), a normal from A to B, and
        contacts.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If a scene, a collection or a usable camera is missing, an object is not in the current view layer, `against` is
        given without `objects`, or an argument is invalid. The message names it.

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
        surroundings,
        arguments.patterns(one_thing=one_thing),
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
    surroundings: bool = False,
    one_thing: Iterable[str] = (),
    evidence: bool = True,
) -> Generator[Progress, None, CollisionReport]:
    """Run `check_collisions` in steps of about a tenth of a second, to show progress or to allow canceling.

    While `progress.total` is 0, the scene is being read and must not change.

    Parameters
    ----------
    objects, against, scope, collection, other_collection, clearance, touching, plane, include_operands
        As for `check_collisions`.
    tests, self_check, include_hidden, scene, within, static, each_asset, loose_parts, surroundings, one_thing, evidence
        As for `check_collisions`. Hidden objects are shown until the last step. The current scene is restored between
        steps.

    Returns
    -------
    CollisionReport
        The return value of the generator, in `value` of its `StopIteration`.

    Raises
    ------
    KeyError, ValueError
        As for `check_collisions`, raised by the first step.

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
        surroundings,
        arguments.patterns(one_thing=one_thing),
    )
    arguments.texts(scene=scene)
    found = _showing(bool(include_hidden), _steps(objects, against, settings, BLOCK, evidence))
    return steps_in_scene(scene, found)


def faults(report: Report) -> list[PairResult]:
    """Return the pairs that penetrate, contain one another or are duplicates, without accepted pairs.

    Parameters
    ----------
    report : CollisionReport

    Returns
    -------
    list of PairResult
        Worst first.

    Raises
    ------
    ValueError
        If `report` is not a collision report.

    Examples
    --------
    ::

        sys.exit(1 if api.faults(api.check_collisions(scope="ALL")) else 0)
    """
    arguments.report(report, Report)
    return [report.pairs[row] for row in accepted_pairs.marks_of(report).open_rows(report, FAULTS)]


def duplicates_of(report: Report) -> list[str]:
    """Return the names of duplicate bodies: those with the same geometry in the same place, except the first.

    Accepted pairs, ignored pairs and instances are left out.

    Parameters
    ----------
    report : CollisionReport

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If `report` is not a collision report.

    Examples
    --------
    ::

        for name in api.duplicates_of(api.check_collisions(scope="ALL")):
            bpy.data.objects.remove(bpy.data.objects[name])
    """
    arguments.report(report, Report)
    return [body.name for body in copies(report, accepted_pairs.marks_of(report))]


def names(report: Report | MotionReport, pair: PairResult | MotionContact) -> tuple[str, str]:
    """Return the names of the two bodies of a pair or a contact.

    Parameters
    ----------
    report : CollisionReport or MotionReport
    pair : PairResult or MotionContact
        A pair of the report.

    Returns
    -------
    tuple of str
        Names of A and B. The name of an instance begins with its instancer: ``Instancer/Object``.

    Raises
    ------
    ValueError
        If `report` is not a collision or motion report.

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
    """Run steps with hidden objects shown, if requested."""
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
        inside = settings.surroundings or others is not None
        settings = settings._replace(
            scope="OBJECTS", collection_a="", collection_b="", within=asked, surroundings=inside
        )
    elif against is not None:
        raise ValueError("against: given without objects")
    else:
        # An object that a script has just created is in no view layer yet.
        bpy.context.view_layer.update()
    report, shapes = yield from steps(bpy.context, settings, selection, seconds=seconds, evidence=evidence)
    return CollisionReport(**{one.name: getattr(report, one.name) for one in fields(report)}, world=shapes.world)
