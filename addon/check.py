# SPDX-License-Identifier: GPL-3.0-or-later
"""The check itself, the same for the panel, the command line and scripts: from a scope to a report."""

import math
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core import Contacts, Distances, Verdict, World
from ..core.results import Bools, Floats, Ints
from .bridge.read import SceneShapes, read_scene
from .bridge.scope import ScopeSelection, scope_objects
from .report import Body, PairResult, Report, Units

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
) -> tuple[Report, SceneShapes]:
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

    Returns
    -------
    Report
        All pairs that touch, collide or are within the clearance, worst first.
    SceneShapes
        The shapes that were tested, for those who draw them.

    Raises
    ------
    ValueError
        If a collection does not exist, the active camera that the scope needs has no frustum, or a tolerance is
        negative or not finite.
    """
    for name, length in (("touching", touching), ("clearance", clearance)):
        if length is not None and not (math.isfinite(length) and length >= 0.0):
            raise ValueError(f"{name}: {length} is not a length of at least zero")
    selection = scope_objects(context, scope, collection_a, collection_b)
    shapes = read_scene(context, [*selection.set_a, *(selection.set_b or ())])
    body = np.array([shape.body for shape in shapes.shapes], dtype=np.int64)
    level = _touching(shapes.world, touching)
    candidates = shapes.world.pairs(max(clearance, float(level.max(initial=0.0))))
    wanted = body[candidates[:, 0]] != body[candidates[:, 1]]
    if selection.set_b is not None:
        wanted &= _across(selection, shapes.bodies, body[candidates])
    pairs = candidates[wanted]
    pairs = np.where((body[pairs[:, 0]] > body[pairs[:, 1]])[:, None], pairs[:, ::-1], pairs)
    scene = context.scene
    report = Report(
        file=bpy.data.filepath,
        scene=scene.name,
        frame=scene.frame_current,
        scope=scope,
        units=Units(*(getattr(scene.unit_settings, field) for field in Units._fields)),
        touching=float(level.max(initial=0.0)),
        clearance=clearance,
        bodies=shapes.bodies,
        shapes=shapes.shapes,
        pairs=_judged(shapes.world, pairs, body, np.maximum(level[pairs[:, 0]], level[pairs[:, 1]]), clearance),
        findings=shapes.findings,
        skipped=shapes.skipped,
        tested={"bodies": len(shapes.bodies), "shapes": len(shapes.world), "candidates": len(pairs)},
    )
    return report, shapes


def _touching(world: World, touching: float | None) -> Floats:
    """The touching tolerance of each shape; a pair takes the greater of its two."""
    if touching is not None:
        return np.full(len(world), touching)
    reach = np.abs(np.stack(world.bounds()))
    # What is unbounded has no coordinates of its own: the other shape's count.
    return TOUCHING_STEPS * np.where(np.isfinite(reach), reach, 0.0).max(axis=(0, 2), initial=0.0)


def _across(selection: ScopeSelection, bodies: tuple[Body, ...], pairs: Ints) -> Bools:
    """Whether each pair of bodies (P, 2) has one in the first set and the other in the second."""
    first, second = (
        np.array([_belongs(body, uids) for body in bodies], dtype=bool)
        for uids in (
            {ob.session_uid for ob in selection.set_a},
            {ob.session_uid for ob in selection.set_b or ()},
        )
    )
    a, b = pairs.T
    return (first[a] & second[b]) | (second[a] & first[b])


def _belongs(body: Body, uids: set[int]) -> bool:
    return any(key.session_uid in uids or key.instancer_uid in uids for key in (body.key, *body.members))


@dataclass(frozen=True)
class _Evidence:
    """Everything about the pairs of shapes, row for row."""

    pairs: Ints
    measured: Distances
    verdict: Ints
    contacts: Contacts
    touching: Floats
    held: Bools  # one of the two shapes holds all of the other


def _judged(world: World, pairs: Ints, body: Ints, touching: Floats, clearance: float) -> tuple[PairResult, ...]:
    """The pairs of bodies that are to be reported, worst first."""
    if not len(pairs):
        return ()
    measured = world.distance(pairs)
    verdict = measured.verdict(touching, clearance)
    near = np.flatnonzero(verdict != Verdict.SEPARATED)
    pairs, touching, measured, verdict = pairs[near], touching[near], measured.take(near), verdict[near]
    deep = verdict == Verdict.PENETRATING
    held = np.zeros(len(pairs), dtype=bool)
    held[deep] = world.contains(pairs[deep]) | world.contains(pairs[deep, ::-1])
    contacts = world.contacts(pairs, margin=float(touching.max(initial=0.0)), known=measured)
    evidence = _Evidence(pairs, measured, verdict, contacts, touching, held)
    # Rows of one pair of bodies next to each other, the deepest first.
    of_bodies = body[pairs]
    order = np.lexsort((measured.distance, of_bodies[:, 1], of_bodies[:, 0]))
    starts = np.flatnonzero(np.any(np.diff(of_bodies[order], axis=0, prepend=-1) != 0, axis=1))
    shapes_of = np.bincount(body)
    results = []
    for rows in np.split(order, starts[1:]):
        result = _result(evidence, body, int(rows[0]))
        if result.verdict == Verdict.PENETRATING and held[rows].any():
            # A body of one shape is inside if that shape is; of several, only if all of them are.
            alone = shapes_of[result.body_a] == 1 and shapes_of[result.body_b] == 1
            if alone or _one_inside_the_other(world, body, result.body_a, result.body_b):
                result = replace(result, verdict=Verdict.CONTAINED)
        results.append(result)
    return tuple(sorted(results, key=lambda pair: (-pair.verdict, pair.distance, pair.body_a, pair.body_b)))


def _result(evidence: _Evidence, body: Ints, worst: int) -> PairResult:
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
        shape_a=int(shape_a),
        shape_b=int(shape_b),
    )


def _one_inside_the_other(world: World, body: Ints, body_a: int, body_b: int) -> bool:
    """Whether each shape of one body lies in some shape of the other: a body is inside only when all of it is."""
    a, b = np.flatnonzero(body == body_a), np.flatnonzero(body == body_b)
    pairs = np.stack(np.meshgrid(a, b, indexing="ij"), axis=-1)
    in_b = world.contains(pairs[..., ::-1].reshape(-1, 2)).reshape(len(a), len(b))
    in_a = world.contains(pairs.reshape(-1, 2)).reshape(len(a), len(b))
    return bool(in_b.any(axis=1).all() or in_a.any(axis=0).all())
