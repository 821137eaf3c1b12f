# SPDX-License-Identifier: GPL-3.0-or-later
"""The collision check for the panel, the command line and scripts: from a scope to a report."""

from collections.abc import Generator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ...core.constants import Verdict
from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.validation import check_lengths
from ...core.world.world import World
from ..i18n.units import issues_with_units
from ..model.errors import UserError
from ..model.folds import FoldKind, one_asset
from ..model.message import Message
from ..model.one_thing import pairs_within, things_of
from ..model.report import ONE_ASSET, TWO_SIDED, Body, Issue, PairResult, PairResults, Report, Settings
from ..model.rules import Labels, PairTest, Pattern, listed, matching
from ..model.steps import exhausted, telling
from ..scene import open_file
from ..scene.background_sets import background_objects
from ..scene.coverage import coverage_of
from ..scene.objects.labels import all_collections_of, collections_of, labels_of
from ..scene.objects.transforms import origins_of_assets, placements_of
from ..scene.outlines.planes import plane_of
from ..scene.outlines.read_outlines import reading_outlines
from ..scene.reading.assets import bounds_of_bodies
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import Reading, reading
from ..scene.reading.loose_parts import separated
from ..scene.reading.own_meshes import own_meshes as read_own_meshes
from ..scene.reading.scene_shapes import PlanarShapes, SceneShapes
from ..scene.scope import ScopeSelection, scope_objects
from ..system.garbage import collected_between
from . import own_meshes
from .alike_shapes import AlikePairs
from .asset_libraries import stored_in_one_place
from .authored_parts import Authored
from .basis import Basis, Checked
from .blocks import BLOCK, Blocks
from .body_extents import BodyExtents
from .joined_parts import joined_parts, odd_ones
from .pair_evidence import DrawnFaces, PairEvidence, judging, measuring
from .pairing import Pairing, across, scattered_pairs, touching_levels, uids_of
from .surroundings import surroundings_of


class Progress(NamedTuple):
    """Progress of a check.

    Attributes
    ----------
    done, total : int
        Numbers of tested pairs of shapes and of all pairs. The total is unknown while the scene is being read.
    collisions : int
        Number of pairs of bodies that are known to penetrate.
    share : float
        Finished fraction of the total time, from 0 to 1.
    """

    done: int
    total: int
    collisions: int
    share: float


_READING = Progress(0, 0, 0, 0.0)

_ONE_ASSET = Message(
    "All bodies are parts of this one asset, so all its parts are tested against each other, except joined ones."
)
_NO_OBJECT = Message("No tested object matches {patterns}.")


def check(
    context: bpy.types.Context,
    scope: str = "VISIBLE",
    *,
    collection_a: str = "",
    collection_b: str = "",
    touching: float | None = None,
    clearance: float = 0.0,
    plane: str | None = None,
    include_operands: bool = False,
    tests: tuple[PairTest, ...] = (),
    self_check: bool = False,
    within: bool | None = None,
    static: bool = False,
    each_asset: bool = False,
    loose_parts: bool = False,
    surroundings: bool = False,
    one_thing: tuple[Pattern, ...] = (),
    evidence: bool = True,
) -> tuple[Report, SceneShapes | PlanarShapes]:
    """Test the bodies of a scope for collisions.

    Parameters
    ----------
    context : bpy.types.Context
        Its scene and view layer are checked in the current frame.
    scope : str
        SELECTED, ACTIVE, VISIBLE, CAMERA, ALL, COLLECTION or COLLECTIONS.
    collection_a, collection_b : str
        Names of the collections for the last two scopes.
    touching : float, optional
        In Blender units. Surfaces no farther apart and no deeper than this are touching. None: for each pair, the
        rounding of float32 at its coordinates.
    clearance : float
        In Blender units. Nearer pairs are reported.
    plane : str, optional
        XY, XZ, YZ or CAMERA: objects are tested as outlines in that plane, see `planes.plane_of`. None: in 3D.
    include_operands : bool
        Whether to also test Boolean operands that are displayed as wire or bounds, or not rendered; see
        `scene.objects.operands`.
    self_check : bool
        Whether each mesh is also tested against itself: its loose parts, and faces that cross. Not in a plane.
    tests : tuple of PairTest
        Named tests with their own tolerances. Empty: all bodies of the scope are tested.
    within : bool, optional
        Whether pairs of parts of one asset are faults. None: only if all bodies are parts of one asset, or two sets of
        objects are tested against each other.
    static : bool
        Whether pairs of bodies that are both declared static are faults.
    each_asset : bool
        Whether only parts of one asset are tested against each other.
    loose_parts : bool
        Whether each loose part of a mesh is a separate body. Not in a plane.
    surroundings : bool
        Whether bodies inside of a body that contains nearly all others, and in water, fog, navigation meshes and
        triggers, are faults.
    one_thing : tuple of Pattern
        Objects that are one thing, a pattern for each thing. Pairs within a thing are those of parts of one asset.
    evidence : bool
        Whether the separating translation and the contacts of pairs with a concave mesh are also measured. They take
        longer than verdicts and depths. Without them, these pairs are not `complete`, and neither are folded pairs of
        what one object scatters, of which only the verdict is found.

    Returns
    -------
    Report
        All pairs that touch, collide or are within the clearance, worst first.
    SceneShapes or PlanarShapes
        Shapes that were tested, for drawing.

    Raises
    ------
    ValueError
        If a collection does not exist, the scope needs the active camera and it has no frustum, the plane needs it and
        it is not orthographic, or a tolerance is negative or not finite.
    """
    settings = Settings(
        scope,
        collection_a,
        collection_b,
        touching,
        clearance,
        plane,
        include_operands,
        tests,
        self_check,
        within,
        static,
        each_asset,
        loose_parts,
        surroundings,
        one_thing,
    )
    return exhausted(steps(context, settings, seconds=np.inf, evidence=evidence))


def steps(
    context: bpy.types.Context,
    settings: Settings,
    selection: ScopeSelection | None = None,
    *,
    seconds: float = BLOCK,
    evidence: bool = True,
) -> Generator[Progress, None, tuple[Report, SceneShapes | PlanarShapes]]:
    """Run `check` in steps.

    No reference to Blender data is kept between steps. While the total is unknown, the scene is being read and must not
    change. The results are those of the scene as it was read.

    Parameters
    ----------
    context : bpy.types.Context
    settings : Settings
    selection : ScopeSelection, optional
        Objects to check. None: those of the scope in the settings.
    seconds : float
        Approximate seconds for a step. The results do not depend on it.
    evidence : bool
        As for `check`.

    Yields
    ------
    Progress

    Returns
    -------
    Report
    SceneShapes or PlanarShapes

    Raises
    ------
    ValueError
        As for `check`.
    """
    checked = yield from based_steps(context, settings, selection, seconds=seconds, evidence=evidence)
    return checked.report, checked.shapes


def based_steps(
    context: bpy.types.Context,
    settings: Settings,
    selection: ScopeSelection | None = None,
    *,
    seconds: float = BLOCK,
    evidence: bool = True,
    known: KnownGeometry | None = None,
) -> Generator[Progress, None, Checked]:
    """Run `steps`, and also return the data that updates the report. `known`: geometry that is already known."""
    return collected_between(_steps(context, settings, selection, seconds, evidence, known or KnownGeometry()))


def _steps(
    context: bpy.types.Context,
    settings: Settings,
    selection: ScopeSelection | None,
    seconds: float,
    evidence: bool,
    known: KnownGeometry,
) -> Generator[Progress, None, Checked]:
    if settings.plane is not None and settings.self_check:
        raise UserError("Meshes are tested against themselves in space only, not in a plane")
    if settings.plane is not None and settings.loose_parts:
        raise UserError("Loose parts are tested in space only, not in a plane")
    if settings.self_check and settings.loose_parts:
        raise UserError("Loose Parts and Self Collision exclude each other: both test the parts of a mesh")
    check_lengths(touching=settings.touching or 0.0, clearance=settings.clearance)
    sets = uids_of(selection or scope_objects(context, settings.scope, settings.collection_a, settings.collection_b))
    shapes, read = yield from telling(_READING, _shapes(context, settings, set.union(*sets), seconds, known))
    # Read before anything can change.
    keys = own_meshes.keys_of(shapes.bodies)
    meshes = read_own_meshes(context, keys) if settings.self_check else []
    labels = labels_of(shapes.bodies) if settings.tests or settings.one_thing else []
    places = places_of(shapes.bodies, things_of(settings.one_thing, labels))
    bounds = shapes.world.bounds()
    questions, touching, left_out = _questions(settings, shapes, sets, bounds, labels)
    total = sum(len(question.pairs) for question in questions)
    report = report_of(context, settings, shapes, (), touching, total, left_out)
    report = replace(report, issues=(*report.issues, *tests_without_objects(settings.tests, labels)))
    progress, results = Progress(0, total, 0, 0.0), list[PairResults]()
    drawn = DrawnFaces(shapes.shapes, shapes.bodies)
    colliding: set[tuple[int, int]] = set()
    joined: PairEvidence | None = None
    yield progress
    # Pairs of what one object scatters are folded anyway, and a meadow has thousands. So they are not measured.
    folds = settings.asked_within is None and not settings.tests and not one_asset(shapes.bodies)

    def scattered(first: Ints, second: Ints) -> Bools:
        return scattered_pairs(shapes.bodies, first, second) if folds else np.zeros(len(first), bool)

    for question in questions:
        parts: list[PairEvidence] = []
        # Of many copies in one place, two are tested.
        alike = AlikePairs(shapes.world, question.pairs)
        brief = alike.all_in(scattered(*shapes.body[question.pairs].T))
        given = Blocks(shapes.world, bounds, question.pairs[alike.tested], seconds)
        for some in given:
            rows = alike.tested[some]
            finding = PairEvidence.finding(
                shapes.world,
                question.pairs[rows],
                question.tolerance[rows],
                question.clearance,
                bounds,
                brief[some],
            )
            part = yield from telling(progress, given.timed(finding))
            parts.append(part)
            deep = part.pairs[part.verdict == Verdict.PENETRATING]
            colliding.update(zip(*shapes.body[deep].T.tolist(), strict=True))
            done = progress.done + int(alike.count[some].sum())
            progress = Progress(done, total, len(colliding), (0.5 if evidence else 1.0) * done / total)
            yield progress
        if parts:
            joined = alike.told(PairEvidence.joined(parts))
            steps_of_bodies = judging(shapes.world, joined, shapes.body, drawn, question.test)
            results.append((yield from telling(progress, steps_of_bodies)))
    told = PairResults.joined(results)
    kept = ~scattered(told.body_a, told.body_b)
    found = Found(told.body_a[kept], told.body_b[kept], told.verdict[kept], told.depth_bound[kept])
    if not isinstance(shapes.world, World):
        report = _with_things(report, settings, places.things, found)
    else:
        report = arranged(report, settings, shapes, bounds, places, found)
        yield progress
        added = []
        for mesh in meshes:
            number = keys[mesh.key]
            one = yield from telling(progress, own_meshes.checked(mesh, shapes.bodies[number], settings, seconds))
            added.append((number, one))
        shapes, of_meshes = own_meshes.joined(shapes, added)
        report = replace(report, bodies=shapes.bodies, shapes=shapes.shapes)
        results.append(PairResults.of(of_meshes))
    pairs = PairResults.joined(results).in_order()
    left = np.flatnonzero(~pairs.complete & ~scattered(pairs.body_a, pairs.body_b))
    if evidence and len(left):
        pairs = yield from _counted(measuring(shapes.world, pairs, left, seconds), progress, len(left))
        pairs = pairs.in_order()
    if total:
        yield progress._replace(share=1.0)
    basis = None
    if read is not None and not settings.tests and not settings.self_check:
        basis = Basis(settings, tuple(map(frozenset, sets)), known, read, joined)
    return Checked(replace(report, pairs=pairs), shapes, basis)


def with_full_depths(
    report: Report, shapes: SceneShapes | PlanarShapes, *, seconds: float
) -> Generator[Progress, None, Report]:
    """Measure the pairs in full of whose depths only a lower bound is known. Limits of depths then decide about them.

    No limit decides about parts of one asset, so these pairs are not measured.

    Parameters
    ----------
    report : Report
    shapes : SceneShapes or PlanarShapes
        The shapes of the report.
    seconds : float
        As for `steps`.

    Yields
    ------
    Progress

    Returns
    -------
    Report
    """
    pairs = PairResults.of(report.pairs)
    decided = pairs.at_least.copy()
    decided[[row for row, fold in report.folded.items() if fold.kind is FoldKind.WITHIN]] = False
    rows = np.flatnonzero(decided)
    if not len(rows):
        return report
    start = Progress(0, len(rows), 0, 0.0)
    yield start
    pairs = yield from _counted(measuring(shapes.world, pairs, rows, seconds), start, len(rows))
    return replace(report, pairs=pairs.in_order())


def _counted(
    steps: Generator[int, None, PairResults], progress: Progress, total: int
) -> Generator[Progress, None, PairResults]:
    """Measure this many pairs in steps. Yields the progress of the whole check."""
    while True:
        try:
            done = next(steps)
        except StopIteration as end:
            found: PairResults = end.value
            return found
        yield progress._replace(share=0.5 + 0.5 * done / total)


class Places(NamedTuple):
    """Origins and collections of the bodies of a report.

    Attributes
    ----------
    origins : (B, 3) float64
        Origin of the asset of each body, or of the body itself if it has no asset. NaN if unknown.
    collections : list of str
        The collection that directly contains each body. Empty for the collection of the scene.
    authored : Authored
    things : mapping of Pattern to (B,) bool
        The bodies of each thing that is declared to be one.
    """

    origins: Floats
    collections: list[str]
    authored: Authored
    things: Mapping[Pattern, Bools]


def places_of(bodies: Sequence[Body], things: Mapping[Pattern, Bools]) -> Places:
    """Return where the bodies are in the open file, with the bodies of each declared thing."""
    authored = Authored(all_collections_of(bodies), placements_of(bodies))
    return Places(origins_of_assets(bodies), collections_of(bodies), authored, things)


class Found(NamedTuple):
    """The two bodies, the verdict and the `PairResult.depth_bound` of each found pair, (P,)."""

    body_a: Ints
    body_b: Ints
    verdict: Ints
    depth: Floats


def arranged(
    report: Report,
    settings: Settings,
    shapes: SceneShapes,
    bounds: tuple[Floats, Floats],
    places: Places,
    found: Found,
) -> Report:
    """Return the report with the surroundings of the scene, the assets that are stored at one place, and joined parts.

    Parameters
    ----------
    report : Report
    settings : Settings
    shapes : SceneShapes
        Their bodies are those of the report.
    bounds : (N, 3) float64 and (N, 3) float64
        Bounds of each shape.
    places : Places
    found : Found
    """
    if not settings.surroundings and settings.scope not in TWO_SIDED:
        contained = np.flatnonzero(found.verdict == Verdict.CONTAINED)
        ends = zip(found.body_a[contained].tolist(), found.body_b[contained].tolist(), strict=True)
        report = replace(report, surroundings=surroundings_of(report.bodies, report.shapes, shapes.body, bounds, ends))
    if settings.asked_within is None:
        library = stored_in_one_place(report.bodies, shapes.body, bounds, places.origins, found[:3])
        report = _with_library(report, library)
    if not settings.asked_within:
        around = bounds_of_bodies(shapes.body, bounds, len(report.bodies))
        joined = joined_parts(report.bodies, places.collections, around, found, BodyExtents(shapes), places.authored)
        report = replace(report, joined=joined, odd=odd_ones(report.bodies, around, found))
    return _with_things(report, settings, places.things, found)


def _with_things(report: Report, settings: Settings, things: Mapping[Pattern, Bools], found: Found) -> Report:
    """Return the report with the pairs of declared things, and a warning for each thing without bodies."""
    joined = {} if settings.asked_within else pairs_within(things, found[:3], report.scene)
    return replace(report, joined={**report.joined, **joined}, issues=(*report.issues, *things_without_objects(things)))


def things_without_objects(things: Mapping[Pattern, Bools]) -> list[Issue]:
    """Return a warning for each declared thing that has no bodies, because its pattern may be misspelled."""
    return [
        Issue("thing-without-objects", "warning", one.text, Message(_NO_OBJECT, patterns=one.text))
        for one, members in things.items()
        if not members.any()
    ]


def _with_library(report: Report, library: frozenset[str]) -> Report:
    """Return the report of a scene in which these assets are stored at one place, with a warning if there are any."""
    if not library:
        return report
    first, *others = sorted(library)
    text = Message(
        "This and {count} other assets are stored in one place, so that pairs between them are no collisions; "
        "Each Asset Alone (--each-asset) tests each on its own.",
        count=len(others),
    )
    told = Issue("asset-library", "warning", first, text)
    return replace(report, library=library, issues=(told, *report.issues))


def _shapes(
    context: bpy.types.Context, settings: Settings, scope: set[int], seconds: float, known: KnownGeometry
) -> Generator[object, None, tuple[SceneShapes | PlanarShapes, Reading | None]]:
    """Return the shapes of the objects with these uids, in 3D or in the plane of the settings.

    In 3D, they come with the reading of whole objects.
    """
    included = settings.include_operands
    if settings.plane is None:
        read = yield from reading(context, scope, known=known, include_operands=included, seconds=seconds)
        if not settings.loose_parts:
            return read.shapes, read
        return (yield from separated(read)), None
    plane = plane_of(context, settings.plane)
    return (yield from reading_outlines(context, scope, plane, seconds, include_operands=included)), None


def shapes_of(context: bpy.types.Context, settings: Settings, selection: ScopeSelection) -> SceneShapes | PlanarShapes:
    """Return the shapes that a check of these objects tests, with those of self-tested meshes."""
    shapes, _ = exhausted(_shapes(context, settings, set.union(*uids_of(selection)), np.inf, KnownGeometry()))
    if settings.self_check and isinstance(shapes.world, World):
        keys = own_meshes.keys_of(shapes.bodies)
        added = [
            (keys[mesh.key], exhausted(own_meshes.checked(mesh, shapes.bodies[keys[mesh.key]], settings, np.inf)))
            for mesh in read_own_meshes(context, keys)
        ]
        shapes, _ = own_meshes.joined(shapes, added)
    return shapes


class _Question(NamedTuple):
    """One test: its pairs of shapes (P, 2), their touching tolerances (P,), and its clearance.

    The number of the test is -1 without named tests.
    """

    test: int
    pairs: Ints
    tolerance: Floats
    clearance: float


def _questions(
    settings: Settings,
    shapes: SceneShapes | PlanarShapes,
    sets: Sequence[Set[int]],
    bounds: tuple[Floats, Floats],
    labels: Sequence[Labels],
) -> tuple[list[_Question], float, int]:
    """Return all tests, the largest touching tolerance, and the number of pairs excluded by collision groups."""
    pairing = Pairing.among(shapes, sets)
    if settings.each_asset:
        pairing = pairing.within_assets(shapes.bodies)
    tests = [(-1, settings.touching, settings.clearance)]
    if settings.tests:
        tests = [
            (
                number,
                settings.touching if test.touching is None else test.touching,
                settings.clearance if test.clearance is None else test.clearance,
            )
            for number, test in enumerate(settings.tests)
        ]
    levels = [touching_levels(*bounds, touching) for _, touching, _ in tests]
    greatest = max(float(level.max(initial=0.0)) for level in levels)
    near = shapes.world.pairs(max(greatest, *(clearance for _, _, clearance in tests)))
    candidates, excluded = pairing.ordered(near), pairing.excluded(near)
    questions, left_out = [], 0
    for (number, _, clearance), level in zip(tests, levels, strict=True):
        pairs = candidates
        if number >= 0:
            test = settings.tests[number]
            first, second = matching(test.a, labels)[shapes.body], matching(test.b or test.a, labels)[shapes.body]
            pairs = across(candidates, first, second)
            left_out += len(across(excluded, first, second))
        else:
            left_out += len(excluded)
        questions.append(_Question(number, pairs, np.maximum(level[pairs[:, 0]], level[pairs[:, 1]]), clearance))
    return questions, greatest, left_out


def tests_without_objects(tests: Sequence[PairTest], labels: Sequence[Labels]) -> list[Issue]:
    """Return a warning for each side of a named test that no body matches, because its patterns may be misspelled."""
    return [
        Issue("test-without-objects", "warning", test.name, Message(_NO_OBJECT, patterns=listed(side)))
        for test in tests
        for side in (test.a, test.b)
        if side and not matching(side, labels).any()
    ]


def report_of(
    context: bpy.types.Context,
    settings: Settings,
    shapes: SceneShapes | PlanarShapes,
    results: Sequence[PairResult],
    touching: float,
    candidates: int,
    left_out: int,
) -> Report:
    """Return the report of the results for the shapes of the context's scene in the current frame."""
    scene = context.scene
    units = open_file.units(scene)
    whole = one_asset(shapes.bodies) if settings.asked_within is None else ""
    told = (Issue(ONE_ASSET, "info", whole, _ONE_ASSET),) if whole else ()
    return Report(
        file=open_file.source(scene),
        scene=scene.name,
        frame=scene.frame_current,
        scope=settings.scope,
        units=units,
        touching=touching,
        clearance=settings.clearance,
        bodies=shapes.bodies,
        shapes=shapes.shapes,
        pairs=results,
        issues=(*told, *issues_with_units(shapes.issues, units)),
        skipped=(*shapes.skipped, *background_objects(scene, settings.scope)),
        plane=settings.plane,
        tests=settings.tests,
        self_check=settings.self_check,
        loose_parts=settings.loose_parts,
        coverage=coverage_of(scene),
        within=settings.asked_within,
        static=settings.static,
        areas=settings.asked_areas,
        tested={
            "bodies": len(shapes.bodies),
            "shapes": len(shapes.shapes),
            "candidates": candidates,
            "left_out": left_out,
        },
    )
