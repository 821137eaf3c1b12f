# SPDX-License-Identifier: GPL-3.0-or-later
"""The check itself, the same for the panel, the command line and scripts: from a scope to a report."""

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core import Contacts, Distances, Verdict, World
from ..core.inputs import check_lengths
from ..core.planar.world import PlacedWorld
from ..core.results import Bools, Floats, Ints
from .bridge.planes import plane_of
from .bridge.read import SceneShapes, read_scene
from .bridge.read_outlines import PlanarShapes, read_outlines
from .bridge.scope import ScopeSelection, scope_objects
from .report import Body, PairResult, Report, Units
from .session import Settings

# Coordinates reach us through float32 matrices and vertices; a few roundings at the coordinates of a pair are the
# least that can be told from contact. 8 x 2^-23 is a hundredth of a millimetre ten metres from the origin.
TOUCHING_STEPS = 8.0 * float(np.finfo(np.float32).eps)


def check(
    context: bpy.types.Context,
    scope: str = "VISIBLE",
    *,
    collection_a: str = "",
    collection_b: str = "",
    touching: float | None = None,
    clearance: float = 0.0,
    plane: str | None = None,
) -> tuple[Report, SceneShapes | PlanarShapes]:
    """Find out how the bodies of a scope stand to each other.

    Parameters
    ----------
    context : bpy.types.Context
        Its scene and view layer are checked, at the current frame.
    scope : str
        SELECTED, ACTIVE, VISIBLE, CAMERA, ALL, COLLECTION or COLLECTIONS.
    collection_a, collection_b : str
        Names of the collections that the last two scopes speak of.
    touching : float, optional
        In Blender units. Surfaces no farther apart and no deeper in each other than this touch. None: for each
        pair the rounding of float32 at its coordinates.
    clearance : float
        In Blender units. Pairs that come nearer than this are reported.
    plane : str, optional
        XY, XZ, YZ or CAMERA: objects are taken as their outlines in that plane, as `planes.plane_of` has it. None: in
        space.

    Returns
    -------
    Report
        All pairs that touch, collide or are within the clearance, worst first.
    SceneShapes or PlanarShapes
        The shapes that were tested, for those who draw them.

    Raises
    ------
    ValueError
        If a collection does not exist, the active camera that the scope needs has no frustum or the one that the
        plane needs no parallel view, or a tolerance is negative or not finite.
    """
    settings = Settings(scope, collection_a, collection_b, touching, clearance, plane)
    return check_selection(context, scope_objects(context, scope, collection_a, collection_b), settings)


def check_selection(
    context: bpy.types.Context, selection: ScopeSelection, settings: Settings
) -> tuple[Report, SceneShapes | PlanarShapes]:
    """`check` of these objects; of the settings only the tolerances and the plane count, the scope is told on."""
    touching, clearance, plane = settings.touching, settings.clearance, settings.plane
    check_lengths(touching=0.0 if touching is None else touching, clearance=clearance)
    objects = [*selection.set_a, *(selection.set_b or ())]
    shapes: SceneShapes | PlanarShapes
    if plane is None:
        shapes = read_scene(context, objects)
    else:
        shapes = read_outlines(context, objects, plane_of(context, plane))
    level = touching_levels(*shapes.world.bounds(), touching)
    pairing = Pairing.of(shapes, selection)
    pairs = pairing.ordered(shapes.world.pairs(max(clearance, float(level.max(initial=0.0)))))
    evidence = Evidence.of(shapes.world, pairs, np.maximum(level[pairs[:, 0]], level[pairs[:, 1]]), clearance)
    results = in_order(judged(shapes.world, evidence, shapes.body).values())
    return report_of(context, settings, shapes, results, float(level.max(initial=0.0)), len(pairs)), shapes


def report_of(
    context: bpy.types.Context,
    settings: Settings,
    shapes: SceneShapes | PlanarShapes,
    results: tuple[PairResult, ...],
    touching: float,
    candidates: int,
) -> Report:
    """The report on what was found among the shapes of the context's scene at its frame."""
    scene = context.scene
    return Report(
        file=bpy.data.filepath,
        scene=scene.name,
        frame=scene.frame_current,
        scope=settings.scope,
        units=Units(*(getattr(scene.unit_settings, field) for field in Units._fields)),
        touching=touching,
        clearance=settings.clearance,
        bodies=shapes.bodies,
        shapes=shapes.shapes,
        pairs=results,
        findings=shapes.findings,
        skipped=shapes.skipped,
        plane=settings.plane,
        tested={"bodies": len(shapes.bodies), "shapes": len(shapes.shapes), "candidates": candidates},
    )


def touching_levels(lower: Floats, upper: Floats, touching: float | None) -> Floats:
    """The touching tolerance of each shape, of its bounds (N, 3); a pair takes the greater of its two."""
    if touching is not None:
        return np.full(len(lower), touching)
    reach = np.abs(np.stack([lower, upper]))
    # What is unbounded has no coordinates of its own: the other shape's count.
    return TOUCHING_STEPS * np.where(np.isfinite(reach), reach, 0.0).max(axis=(0, 2), initial=0.0)


@dataclass(frozen=True)
class Pairing:
    """Which shapes are tested against which: those of different bodies and, of two sets, across.

    Attributes
    ----------
    body : (N,) int64
        The body of each shape.
    first, second : (B,) bool, optional
        Whether each body is in the one set, and in the other.
    """

    body: Ints
    first: Bools | None = None
    second: Bools | None = None

    @classmethod
    def of(cls, shapes: SceneShapes | PlanarShapes, selection: ScopeSelection) -> "Pairing":
        """The pairing of the shapes of a scope."""
        if selection.set_b is None:
            return cls(shapes.body)
        sets = [{ob.session_uid for ob in objects} for objects in (selection.set_a, selection.set_b)]
        return cls.across(shapes, *sets)

    @classmethod
    def across(cls, shapes: SceneShapes | PlanarShapes, uids_a: Set[int], uids_b: Set[int]) -> "Pairing":
        """The pairing of two sets, of objects of these `session_uid`."""
        return cls(shapes.body, _members(shapes, uids_a), _members(shapes, uids_b))

    def ordered(self, pairs: Ints) -> Ints:
        """Those of these pairs of shapes that are tested, the one of the earlier body first."""
        a, b = self.body[pairs[:, 0]], self.body[pairs[:, 1]]
        wanted = a != b
        if self.first is not None and self.second is not None:
            wanted &= (self.first[a] & self.second[b]) | (self.second[a] & self.first[b])
        return np.where((a > b)[:, None], pairs[:, ::-1], pairs)[wanted]


def _members(shapes: SceneShapes | PlanarShapes, uids: Set[int]) -> Bools:
    """Whether each body has an object among these."""
    return np.array([_belongs(body, uids) for body in shapes.bodies], dtype=np.bool_)


def _belongs(body: Body, uids: Set[int]) -> bool:
    return any(key.session_uid in uids or key.instancer_uid in uids for key in (body.key, *body.members))


@dataclass(frozen=True)
class Evidence:
    """Everything about the pairs of shapes that are not far apart, row for row.

    What is told of a pair depends on no other, so that it can be kept as long as neither of the two changes.
    """

    pairs: Ints
    measured: Distances
    verdict: Ints
    contacts: Contacts
    touching: Floats
    held: Bools  # one of the two shapes holds all of the other

    @classmethod
    def of(cls, world: World | PlacedWorld, pairs: Ints, touching: Floats, clearance: float) -> "Evidence":
        """Test pairs of rows of a world, each with its tolerance."""
        measured = world.distance(pairs)
        verdict = measured.verdict(touching, clearance)
        near = np.flatnonzero(verdict != Verdict.SEPARATED)
        pairs, touching, measured, verdict = pairs[near], touching[near], measured.take(near), verdict[near]
        held = np.zeros(len(pairs), dtype=bool)
        lower, upper = world.bounds()
        for first, second in (pairs.T, pairs.T[::-1]):
            # What is inside has its bounds inside, give or take what counts as touching.
            slack = touching[:, None] + measured.rounding[:, None]
            within = (lower[first] <= lower[second] + slack) & (upper[second] <= upper[first] + slack)
            rows = np.flatnonzero((verdict == Verdict.PENETRATING) & within.all(axis=1))
            if len(rows):
                held[rows] |= world.contains(np.stack([first[rows], second[rows]], axis=1))
        return cls(pairs, measured, verdict, _contacts(world, pairs, measured, touching), touching, held)

    def take(self, rows: Ints) -> "Evidence":
        """The evidence of these rows, in ascending order."""
        place = np.full(len(self.pairs), -1)
        place[rows] = np.arange(len(rows))
        pair = place[self.contacts.pair]
        kept = np.flatnonzero(pair >= 0)
        return Evidence(
            self.pairs[rows],
            self.measured.take(rows),
            self.verdict[rows],
            replace(self.contacts.take(kept), pair=pair[kept]),
            self.touching[rows],
            self.held[rows],
        )

    def joined(self, other: "Evidence") -> "Evidence":
        """The rows of both."""
        moved = replace(other.contacts, pair=other.contacts.pair + len(self.pairs))
        measured = zip(vars(self.measured).values(), vars(other.measured).values(), strict=True)
        return Evidence(
            np.concatenate([self.pairs, other.pairs]),
            Distances(*(np.concatenate(both) for both in measured)),
            np.concatenate([self.verdict, other.verdict]),
            Contacts.joined([self.contacts, moved]),
            np.concatenate([self.touching, other.touching]),
            np.concatenate([self.held, other.held]),
        )

    def __len__(self) -> int:
        return len(self.pairs)


def _contacts(world: World | PlacedWorld, pairs: Ints, measured: Distances, touching: Floats) -> Contacts:
    """The contacts of pairs within their tolerances; some are up to twice as far apart."""
    # A margin for each power of two, so that few questions do, and a pair's contacts do not depend on the others.
    margins = np.where(touching > 0.0, np.exp2(np.ceil(np.log2(np.where(touching > 0.0, touching, 1.0)))), 0.0)
    found = []
    for margin in np.unique(margins):
        rows = np.flatnonzero(margins == margin)
        part = world.contacts(pairs[rows], margin=float(margin), known=measured.take(rows))
        found.append(replace(part, pair=rows[part.pair]))
    return Contacts.joined(found)


def judged(world: World | PlacedWorld, evidence: Evidence, body: Ints) -> dict[tuple[int, int], PairResult]:
    """How the pairs of bodies stand that there is evidence on; `body` (N,) is that of each shape."""
    pairs = evidence.pairs
    if not len(pairs):
        return {}
    # Rows of one pair of bodies next to each other, the deepest first.
    of_bodies = body[pairs]
    order = np.lexsort((pairs[:, 1], pairs[:, 0], evidence.measured.distance, of_bodies[:, 1], of_bodies[:, 0]))
    starts = np.flatnonzero(np.any(np.diff(of_bodies[order], axis=0, prepend=-1) != 0, axis=1))
    shapes_of = np.bincount(body)
    results = {}
    for rows in np.split(order, starts[1:]):
        result = _result(evidence, body, int(rows[0]))
        if result.verdict == Verdict.PENETRATING and evidence.held[rows].any():
            # A body of one shape is inside if that shape is; of several, only if all of them are.
            alone = shapes_of[result.body_a] == 1 and shapes_of[result.body_b] == 1
            if alone or _one_inside_the_other(world, body, result.body_a, result.body_b):
                result = replace(result, verdict=Verdict.CONTAINED)
        results[result.body_a, result.body_b] = result
    return results


def in_order(results: Iterable[PairResult]) -> tuple[PairResult, ...]:
    """The worst first."""
    return tuple(sorted(results, key=lambda pair: (-pair.verdict, pair.distance, pair.body_a, pair.body_b)))


def _result(evidence: Evidence, body: Ints, worst: int) -> PairResult:
    """How two bodies stand: their deepest or nearest shapes, a row of the evidence, speak for them."""
    measured, contacts = evidence.measured, evidence.contacts
    shape_a, shape_b = evidence.pairs[worst]
    mine = slice(*np.searchsorted(contacts.pair, [worst, worst + 1]))
    shown = contacts.depth[mine] >= -evidence.touching[worst]
    return PairResult(
        body_a=int(body[shape_a]),
        body_b=int(body[shape_b]),
        verdict=Verdict(int(evidence.verdict[worst])),
        distance=float(measured.distance[worst]),
        normal=measured.normal[worst],
        point_a=measured.point_a[worst],
        point_b=measured.point_b[worst],
        contact_points=contacts.point[mine][shown],
        contact_depths=contacts.depth[mine][shown],
        contact_normals=contacts.normal[mine][shown],
        shape_a=int(shape_a),
        shape_b=int(shape_b),
    )


def _one_inside_the_other(world: World | PlacedWorld, body: Ints, body_a: int, body_b: int) -> bool:
    """Whether each shape of one body lies in some shape of the other: a body is inside only when all of it is."""
    a, b = np.flatnonzero(body == body_a), np.flatnonzero(body == body_b)
    pairs = np.stack(np.meshgrid(a, b, indexing="ij"), axis=-1)
    in_b = world.contains(pairs[..., ::-1].reshape(-1, 2)).reshape(len(a), len(b))
    in_a = world.contains(pairs.reshape(-1, 2)).reshape(len(a), len(b))
    return bool(in_b.any(axis=1).all() or in_a.any(axis=0).all())
