# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders for the render meshes of a whole scene, without anybody who looks on: what cannot be made is listed."""

import fnmatch
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import NamedTuple

import bpy

from ...core.fit import FitQuality, PiecesQuality
from ..engines.kinds import template_name
from ..model.errors import UserError
from ..model.steps import exhausted
from ..model.writing_reports import MadeCollider, MadePieces, MakeReport, Remark
from ..scene import open_file
from ..scene.colliders.objects import remove_objects
from ..scene.colliders.sources import Source, read_sources
from ..scene.meshes.types import GEOMETRY_TYPES
from ..scene.objects.choice import is_trigger
from ..scene.objects.evaluation import evaluated
from ..scene.objects.operands import operands
from ..scene.objects.own_data import check_own_scene, comes_back
from ..scene.objects.owners import Owners, is_collider
from ..scene.objects.structure import link_part
from ..scene.settings import scene_settings
from . import decomposition, making
from .fit import Fitted, Request
from .fit_copies import Fitter

# The kind that is no single shape: convex decomposition.
PIECES = "PIECES"


class Order(NamedTuple):
    """What is to be made.

    Attributes
    ----------
    kind : str
        One of `kinds.KINDS`, or PIECES.
    engine : str
        UNREAL, GODOT, UNITY or GLTF.
    patterns : sequence of str
        Only of objects whose name matches one of these globs; none: of all.
    existing : str
        What becomes of objects that have colliders. KEEP: they are left as they are; ADD: they get more; REPLACE: new
        ones take the place of theirs.
    source : str
        OBJECTS, PARTS or GROUPS, as in `kinds.SOURCES`.
    budget, thickness, gap : int, float, float
        As in `Request`.
    pieces, preset : int, str
        As `decomposition.steps` has them.
    template : str
        Of names; kept as that of the scene for the engine. Empty: that of the scene.
    """

    kind: str
    engine: str
    patterns: Sequence[str] = ()
    existing: str = "KEEP"
    source: str = "OBJECTS"
    budget: int = 32
    thickness: float = 0.0
    gap: float = 0.0
    pieces: int = 8
    preset: str = "BALANCED"
    template: str = ""


class Progress(NamedTuple):
    """How many render meshes are done, of how many."""

    done: int
    total: int


def steps(context: bpy.types.Context, order: Order) -> Generator[Progress, None, MakeReport]:
    """Make colliders for the render meshes of the scene, one a step.

    Raises
    ------
    UserError
        If the scene is linked, or the template makes no names. Nothing was made then.
    """
    scene = context.scene
    check_own_scene(scene)
    settings = scene_settings(context)
    settings.engine = order.engine
    if order.template:
        setattr(settings.colliders, template_name(order.engine), order.template)
    report = MakeReport(
        open_file.source(scene),
        scene.name,
        open_file.units(scene),
        engine=order.engine.lower(),
        kind=order.kind.lower(),
    )
    chosen = _chosen(scene, order)
    with evaluated(context, chosen.objects):
        sources, problems = read_sources(context, chosen.objects, "OBJECTS" if order.kind == PIECES else order.source)
        problems += chosen.problems
        fitted: list[Fitted] = []
        cut = decomposition.Pieces([], [], [])
        fit = _fitter(order, cut)
        for number, source in enumerate(sources):
            yield Progress(number, len(sources))
            try:
                fitted += fit(source)
            except UserError as error:
                problems.append(error)
        fitted, long = making.without_long_names(context, fitted, order.engine, chosen.replaced)
        problems += long
        renewed = {one.source.owner_uid for one in fitted}
        remove_objects(ob for ob, owner in chosen.replaced.items() if owner.session_uid in renewed)
        made = making.make(context, fitted, order.engine)
    return replace(
        report,
        colliders=tuple(_row(ob, one) for ob, one in zip(made.objects, made.fitted, strict=True)),
        pieces=tuple(_together(one) for one in cut.decomposed),
        warnings=tuple(
            Remark(name, f"has more parts than the {order.pieces} pieces asked for: one hull for each")
            for name in cut.over
        ),
        kept=tuple(Remark(name, "has colliders") for name in chosen.kept),
        problems=tuple(Remark(str(error.values.get("name", "")), str(error)) for error in problems),
    )


class _Chosen(NamedTuple):
    """The render meshes that get colliders.

    Attributes
    ----------
    objects : list of bpy.types.Object
    kept : list of str
        The names of those that keep theirs.
    replaced : dict of bpy.types.Object to bpy.types.Object
        The owner of each collider that is to be replaced.
    problems : list of UserError
        Why others get none.
    """

    objects: list[bpy.types.Object]
    kept: list[str]
    replaced: dict[bpy.types.Object, bpy.types.Object]
    problems: list[UserError]


def _chosen(scene: bpy.types.Scene, order: Order) -> _Chosen:
    objects = list(scene.objects)
    cutters, owners = operands(objects), Owners(objects)
    renders = [
        ob
        for ob in objects
        if ob.type in GEOMETRY_TYPES
        and not (is_collider(ob) or is_trigger(ob) or ob.session_uid in cutters)
        and link_part(ob) != "inertial"
        and not owners.is_of_ragdoll(ob)
        and (not order.patterns or any(fnmatch.fnmatchcase(ob.name, glob) for glob in order.patterns))
    ]
    theirs = {one: owner for one in owners.colliders_of(renders) if (owner := owners.of(one)) is not None}
    if order.existing == "KEEP":
        kept = {*theirs.values(), *owners.stood_for()} & set(renders)
        return _Chosen([ob for ob in renders if ob not in kept], sorted(ob.name for ob in kept), {}, [])
    if order.existing == "ADD":
        return _Chosen(renders, [], {}, [])
    # The file that they are linked from would bring them back.
    linked = {owner: one for one, owner in theirs.items() if comes_back(one)}
    problems = [
        UserError(
            '"{name}" has a linked collider, "{collider}": replace it in its own file',
            name=owner.name,
            collider=one.name,
        )
        for owner, one in linked.items()
    ]
    replaced = {one: owner for one, owner in theirs.items() if owner not in linked}
    return _Chosen([ob for ob in renders if ob not in linked], [], replaced, problems)


def _fitter(order: Order, cut: decomposition.Pieces) -> Callable[[Source], list[Fitted]]:
    """What fits the colliders of a render mesh. What there is to say of convex pieces is added to `cut`."""
    if order.kind == PIECES:
        request = Request("PIECE", order.engine, order.budget)
        known: decomposition.Known = []

        def pieces(source: Source) -> list[Fitted]:
            found = exhausted(decomposition.steps([source], request, order.pieces, order.preset, known))
            cut.decomposed.extend(found.decomposed)
            cut.over.extend(found.over)
            return found.fitted

        return pieces
    fitter = Fitter(Request(order.kind, order.engine, order.budget, order.thickness, order.gap))
    return lambda source: [fitter.fit(source)]


def _row(ob: bpy.types.Object, one: Fitted) -> MadeCollider:
    return MadeCollider(ob.name, one.source.owner, one.kind, *_numbers(one.quality))


def _together(one: decomposition.Decomposed) -> MadePieces:
    return MadePieces(one.owner, one.quality.count, *_numbers(one.quality))


def _numbers(fit: FitQuality | PiecesQuality) -> tuple[float, float, float, float, float, float, float]:
    """In the order of the reports."""
    bounds = fit.gap_error, fit.protrusion_error
    return fit.volume, fit.hull_ratio, fit.mesh_ratio, fit.protrusion, fit.gap, *bounds
