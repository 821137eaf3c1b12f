# SPDX-License-Identifier: GPL-3.0-or-later
"""The check itself, the same for the panel, the command line and scripts: from a scope to a report."""

from collections.abc import Callable, Generator, Sequence, Set
from dataclasses import dataclass, replace
from time import monotonic
from typing import NamedTuple

import bpy
import numpy as np

from ..core import Verdict
from ..core.collision_filter import CollisionFilter
from ..core.inputs import check_lengths
from ..core.results import Bools, Floats, Ints
from .bridge.known_geometry import KnownGeometry
from .bridge.planes import plane_of
from .bridge.read_outlines import read_outlines
from .bridge.read_shapes import PlanarShapes, SceneShapes
from .bridge.reading import read
from .bridge.scope import ScopeSelection, scope_objects
from .check_blocks import BLOCK, blocks
from .evidence import Evidence, in_order, judging
from .report import Body, PairResult, Report, Units
from .session import Settings
from .stepping import exhausted

# Coordinates reach us through float32 matrices and vertices; a few roundings at the coordinates of a pair are the
# least that can be told from contact. 8 x 2^-23 is a hundredth of a millimetre ten metres from the origin.
TOUCHING_STEPS = 8.0 * float(np.finfo(np.float32).eps)


class Progress(NamedTuple):
    """How far a check is.

    Attributes
    ----------
    done, total : int
        Pairs of shapes that have been tested, and that are to be; no total as long as the scene is still being read.
    collisions : int
        Pairs of bodies of which one is known to be in the other.
    share : float
        How much of the time has passed, from 0 to 1.
    """

    done: int
    total: int
    collisions: int
    share: float


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
    return exhausted(steps(context, settings, seconds=np.inf))


def check_selection(
    context: bpy.types.Context, selection: ScopeSelection, settings: Settings
) -> tuple[Report, SceneShapes | PlanarShapes]:
    """`check` of these objects; of the settings only the tolerances and the plane count, the scope is told on."""
    return exhausted(steps(context, settings, selection, seconds=np.inf))


def steps(
    context: bpy.types.Context,
    settings: Settings,
    selection: ScopeSelection | None = None,
    *,
    seconds: float = BLOCK,
) -> Generator[Progress, None, tuple[Report, SceneShapes | PlanarShapes]]:
    """`check` in steps.

    From one step to the next nothing of Blender's data is held on to. As long as the total is not known the scene is
    still being read, and must not change; what is found is about the scene as it was then.

    Parameters
    ----------
    context : bpy.types.Context
    settings : Settings
    selection : ScopeSelection, optional
        The objects that are checked. None: those of the scope that the settings name.
    seconds : float
        What a step takes, about. How a check is divided does not change what it finds.

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
        As `check`.
    """
    touching, clearance, plane = settings.touching, settings.clearance, settings.plane
    check_lengths(touching=0.0 if touching is None else touching, clearance=clearance)
    if selection is None:
        selection = scope_objects(context, settings.scope, settings.collection_a, settings.collection_b)
    sets = _uids(selection)
    shapes: SceneShapes | PlanarShapes
    if plane is None:
        shapes = yield from _read(context, set.union(*sets), seconds)
    else:
        objects = [*selection.set_a, *(selection.set_b or ())]
        shapes = read_outlines(context, objects, plane_of(context, plane))
    pairing = Pairing.among(shapes, sets)
    bounds = shapes.world.bounds()
    level = touching_levels(*bounds, touching)
    near = shapes.world.pairs(max(clearance, float(level.max(initial=0.0))))
    pairs = pairing.ordered(near)
    counts = len(pairs), pairing.left_out(near)
    report = report_of(context, settings, shapes, (), float(level.max(initial=0.0)), *counts)
    yield Progress(0, len(pairs), 0, 0.0)
    tolerance = np.maximum(level[pairs[:, 0]], level[pairs[:, 1]])
    parts: list[Evidence] = []
    colliding: set[tuple[int, int]] = set()
    progress, parted = Progress(0, len(pairs), 0, 0.0), blocks(shapes.world, bounds, pairs, seconds)
    for number, rows in enumerate(parted, start=1):
        part = Evidence.of(shapes.world, pairs[rows], tolerance[rows], clearance, bounds)
        parts.append(part)
        deep = part.pairs[part.verdict == Verdict.PENETRATING]
        colliding.update(zip(*shapes.body[deep].T.tolist(), strict=True))
        progress = Progress(progress.done + len(rows), len(pairs), len(colliding), number / len(parted))
        yield progress
    if parts:
        judgement = judging(shapes.world, Evidence.joined(parts), shapes.body)
        while True:
            try:
                next(judgement)
            except StopIteration as end:
                return replace(report, pairs=in_order(end.value.values())), shapes
            yield progress
    return report, shapes


def _read(context: bpy.types.Context, scope: set[int], seconds: float) -> Generator[Progress, None, SceneShapes]:
    """Read the scene; geometry that takes long in steps, before each of which the scene is walked through anew."""
    known = KnownGeometry()
    while True:
        reading = read(context, scope, known=known, late=_lateness(seconds))
        if reading is not None:
            return reading.shapes
        yield Progress(0, 0, 0, 0.0)


def _lateness(seconds: float) -> Callable[[], bool]:
    """Whether so much time has passed since the first call, or as much as until then, whichever is more."""
    begin, first = monotonic(), 0.0

    def late() -> bool:
        nonlocal first
        now = monotonic()
        first = first or now
        return now - first >= max(seconds, first - begin)

    return late


def report_of(
    context: bpy.types.Context,
    settings: Settings,
    shapes: SceneShapes | PlanarShapes,
    results: tuple[PairResult, ...],
    touching: float,
    candidates: int,
    left_out: int,
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
        tested={
            "bodies": len(shapes.bodies),
            "shapes": len(shapes.shapes),
            "candidates": candidates,
            "left_out": left_out,
        },
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
    filter : CollisionFilter, optional
        Which shapes may meet by their groups; None: any two.
    """

    body: Ints
    first: Bools | None = None
    second: Bools | None = None
    filter: CollisionFilter | None = None

    @classmethod
    def of(cls, shapes: SceneShapes | PlanarShapes, selection: ScopeSelection) -> "Pairing":
        """The pairing of the shapes of a scope."""
        return cls.among(shapes, _uids(selection))

    @classmethod
    def among(cls, shapes: SceneShapes | PlanarShapes, sets: Sequence[Set[int]]) -> "Pairing":
        """The pairing within one set, or of two, of objects of these `session_uid`."""
        return cls(shapes.body, filter=shapes.filter) if len(sets) == 1 else cls.across(shapes, *sets)

    @classmethod
    def across(cls, shapes: SceneShapes | PlanarShapes, uids_a: Set[int], uids_b: Set[int]) -> "Pairing":
        """The pairing of two sets, of objects of these `session_uid`."""
        return cls(shapes.body, _members(shapes, uids_a), _members(shapes, uids_b), shapes.filter)

    def ordered(self, pairs: Ints) -> Ints:
        """Those of these pairs of shapes that are tested, the one of the earlier body first."""
        if self.filter is not None:
            pairs = pairs[self.filter.allows(pairs[:, 0], pairs[:, 1])]
        return self._ordered(pairs)

    def left_out(self, pairs: Ints) -> int:
        """How many of these pairs of shapes would be tested but for their groups."""
        if self.filter is None:
            return 0
        return len(self._ordered(pairs[~self.filter.allows(pairs[:, 0], pairs[:, 1])]))

    def _ordered(self, pairs: Ints) -> Ints:
        a, b = self.body[pairs[:, 0]], self.body[pairs[:, 1]]
        wanted = a != b
        if self.first is not None and self.second is not None:
            wanted &= (self.first[a] & self.second[b]) | (self.second[a] & self.first[b])
        return np.where((a > b)[:, None], pairs[:, ::-1], pairs)[wanted]


def _uids(selection: ScopeSelection) -> list[set[int]]:
    """The `session_uid` of the objects of each set that there is."""
    return [{ob.session_uid for ob in objects} for objects in (selection.set_a, selection.set_b) if objects is not None]


def _members(shapes: SceneShapes | PlanarShapes, uids: Set[int]) -> Bools:
    """Whether each body has an object among these."""
    return np.array([_belongs(body, uids) for body in shapes.bodies], dtype=np.bool_)


def _belongs(body: Body, uids: Set[int]) -> bool:
    return any(key.session_uid in uids or key.instancer_uid in uids for key in (body.key, *body.members))
