# SPDX-License-Identifier: GPL-3.0-or-later
"""The check itself, the same for the panel, the command line and scripts: from a scope to a report."""

from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ...core.constants import Verdict
from ...core.numerics.validation import check_lengths
from ..i18n.units import findings_with_units
from ..model.report import PairResult, Report, Settings, Units
from ..model.steps import exhausted, telling
from ..scene import open_file
from ..scene.outlines.planes import plane_of
from ..scene.outlines.read_outlines import reading_outlines
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import reading
from ..scene.reading.scene_shapes import PlanarShapes, SceneShapes
from ..scene.scope import ScopeSelection, scope_objects
from .blocks import BLOCK, blocks
from .pair_evidence import Evidence, in_order, judging
from .pairing import Pairing, touching_levels, uids_of


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


_READING = Progress(0, 0, 0, 0.0)


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
    include_operands : bool
        Whether Boolean operands that are displayed as wires or bounds, or not rendered, are tested, too; see
        `scene.objects.operands`.

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
    settings = Settings(scope, collection_a, collection_b, touching, clearance, plane, include_operands)
    return exhausted(steps(context, settings, seconds=np.inf))


def check_selection(
    context: bpy.types.Context, selection: ScopeSelection, settings: Settings
) -> tuple[Report, SceneShapes | PlanarShapes]:
    """`check` of these objects; of the settings all but the scope counts, which is told on."""
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
    sets = uids_of(selection or scope_objects(context, settings.scope, settings.collection_a, settings.collection_b))
    scope, included = set.union(*sets), settings.include_operands
    shapes: SceneShapes | PlanarShapes
    if plane is None:
        known = KnownGeometry()
        in_space = reading(context, scope, known=known, include_operands=included, seconds=seconds)
        shapes = (yield from telling(_READING, in_space)).shapes
    else:
        in_plane = reading_outlines(context, scope, plane_of(context, plane), seconds, include_operands=included)
        shapes = yield from telling(_READING, in_plane)
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
        found = yield from telling(progress, judging(shapes.world, Evidence.joined(parts), shapes.body))
        report = replace(report, pairs=in_order(found.values()))
    return report, shapes


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
    units = Units(*(getattr(scene.unit_settings, field) for field in Units._fields))
    return Report(
        file=open_file.path(),
        scene=scene.name,
        frame=scene.frame_current,
        scope=settings.scope,
        units=units,
        touching=touching,
        clearance=settings.clearance,
        bodies=shapes.bodies,
        shapes=shapes.shapes,
        pairs=results,
        findings=findings_with_units(shapes.findings, units),
        skipped=shapes.skipped,
        plane=settings.plane,
        tested={
            "bodies": len(shapes.bodies),
            "shapes": len(shapes.shapes),
            "candidates": candidates,
            "left_out": left_out,
        },
    )
