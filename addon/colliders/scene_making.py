# SPDX-License-Identifier: GPL-3.0-or-later
"""Make colliders for the render meshes of a whole scene without user interaction. Failures are listed."""

import fnmatch
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import NamedTuple

import bpy

from ...core.fit import FitQuality, PiecesQuality
from ..collisions.blocks import BLOCK
from ..collisions.surroundings import surroundings_in
from ..engines.kinds import PIECES, naming_engine, template_name
from ..i18n.rule_sentences import message
from ..i18n.units import issues_with_units
from ..model.errors import UserError
from ..model.report import Issue
from ..model.steps import Counted, telling
from ..model.writing_reports import MadeCollider, MadePieces, MakeReport, ObjectMessage
from ..scene import open_file
from ..scene.colliders.instanced_collections import instances_without_colliders
from ..scene.colliders.objects import remove_objects
from ..scene.colliders.sources import Source, read_sources
from ..scene.meshes.types import GEOMETRY_TYPES
from ..scene.objects.choice import is_trigger
from ..scene.objects.operands import operands
from ..scene.objects.own_data import check_own_scene, comes_back
from ..scene.objects.owners import Owners, is_collider
from ..scene.objects.structure import BODILESS, link_part
from ..scene.objects.visibility import evaluated, hidden_reason
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import reading
from ..scene.settings import scene_settings
from ..validation.check import steps as validation_steps
from . import decomposition, making
from .choosing import Chooser
from .decomposition import Progress
from .fit import FitRequest, Fitted, flat_thickness
from .settling import preparing, settling

# Rules about colliders that are large for an engine, but not refused. The sizes of meshes may be intended.
_BUDGETS = frozenset({"triangle-budget", "vertex-budget"})

_INSTANCE = "is a collection instance: its meshes get no colliders, unless it is made real before"


class MakeRequest(NamedTuple):
    """Options for making the colliders of a scene.

    Attributes
    ----------
    kind : str
        One of `kinds.KINDS`, or PIECES.
    engine : str
        ANY, UNREAL, GODOT, UNITY, GLTF or USD. Engines without a naming convention use the one of
        `kinds.naming_engine`.
    patterns : sequence of str
        Globs for the names of objects. Empty: all objects.
    existing : str
        How to treat objects that have colliders. KEEP: leave them unchanged. ADD: add more. REPLACE: replace the
        existing ones.
    source : str
        OBJECTS, PARTS or GROUPS, as in `kinds.SOURCES`.
    budget, thickness, gap : int, float, float
        As in `FitRequest`.
    pieces, preset : int, str
        As for `decomposition.steps`.
    template : str
        Naming template. It is stored in the scene for the engine. Empty: the template of the scene.
    include_hidden : bool
        Whether hidden objects get colliders, too.
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
    include_hidden: bool = False


def steps(context: bpy.types.Context, request: MakeRequest) -> Generator[Counted, None, MakeReport]:
    """Make colliders for the render meshes of the scene, in steps, and find new collisions.

    Raises
    ------
    UserError
        If the scene is linked, or the template is invalid. Nothing is made then.
    """
    scene = context.scene
    check_own_scene(scene)
    settings = scene_settings(context)
    naming = naming_engine(request.engine)
    settings.engine = request.engine
    if request.template:
        setattr(settings.colliders, template_name(naming), request.template)
    report = MakeReport(
        open_file.source(scene),
        scene.name,
        open_file.units(scene),
        engine=request.engine.lower(),
        kind=request.kind.lower(),
    )
    chosen = _chosen(context, request)
    fit_request = FitRequest(
        request.kind, naming, request.budget, request.thickness, request.gap, flat_thickness(scene)
    )
    chooser = Chooser(fit_request, request.pieces, request.preset)
    with evaluated(context, chosen.objects):
        sources, problems = read_sources(
            context, chosen.objects, "OBJECTS" if request.kind == PIECES else request.source
        )
        faces = [source for source in sources if len(source.triangles)]
        around = frozenset() if request.patterns else (yield from _surroundings(context, faces))
        surfaces = [source for source in faces if source.owner not in around]
        prepared = yield from preparing(context, surfaces, chooser)
        problems += [*chosen.problems, *prepared.problems]
        found, long = making.without_long_names(context, prepared.chosen, naming, chosen.replaced)
        problems += long
        renewed = {one.owner_uid for one in found}
        remove_objects(ob for ob, owner in chosen.replaced.items() if owner.session_uid in renewed)
        settled = yield from settling(context, found, chooser, prepared.before)
    wires = sorted({source.owner for source in sources} - {source.owner for source in faces})
    refused = yield from _refused(context, settled.made, request.engine)
    return replace(
        report,
        colliders=tuple(_row(ob, one) for ob, one in zip(settled.made.objects, settled.made.fitted, strict=True)),
        pieces=tuple(_together(one.decomposed) for one in settled.chosen if one.decomposed is not None),
        warnings=tuple(
            ObjectMessage(one.owner, f"has more parts than the {request.pieces} pieces asked for: one hull for each")
            for one in settled.chosen
            if one.over
        ),
        kept=(
            *(ObjectMessage(name, "has colliders") for name in chosen.kept),
            *(ObjectMessage(name, "has no faces") for name in wires),
            *(ObjectMessage(name, _INSTANCE) for name in _bare_instances(context, request)),
            *(ObjectMessage(name, "is around nearly all other objects") for name in sorted(around)),
        ),
        problems=tuple(ObjectMessage(str(error.values.get("name", "")), str(error)) for error in problems),
        made=issues_with_units((*settled.issues, *refused), report.units),
        new=settled.changes.new,
        gone=settled.changes.gone,
    )


def _refused(context: bpy.types.Context, made: making.Made, engine: str) -> Generator[Counted, None, list[Issue]]:
    """Return the errors that the engine would report for the new colliders, and meshes larger than the limits."""
    if not made.objects:
        return []
    report = yield from validation_steps(context, engine.lower(), only=made.objects)
    uids = {ob.session_uid for ob in made.objects}
    return [
        Issue(one.rule.id, "info" if one.rule.id in _BUDGETS else "error", one.object, message(one, report.units))
        for one in report.issues
        if one.uid in uids and (one.rule.severity == "error" or one.rule.id in _BUDGETS)
    ]


def _surroundings(context: bpy.types.Context, sources: Sequence[Source]) -> Generator[Counted, None, frozenset[str]]:
    """Return the owners of these meshes that are around nearly all other bodies. A collider would fill the scene."""
    scope = {ob.session_uid for ob in context.scene.objects}
    read = yield from telling(Progress(0, 0), reading(context, scope, known=KnownGeometry(), seconds=BLOCK))
    return frozenset(surroundings_in(read.shapes)) & {source.owner for source in sources}


class _Chosen(NamedTuple):
    """Render meshes that get colliders.

    Attributes
    ----------
    objects : list of bpy.types.Object
    kept : list of str
        Names of the objects that keep their colliders.
    replaced : dict of bpy.types.Object to bpy.types.Object
        Owner of each collider to be replaced.
    problems : list of UserError
        Reasons why other objects get no colliders.
    """

    objects: list[bpy.types.Object]
    kept: list[str]
    replaced: dict[bpy.types.Object, bpy.types.Object]
    problems: list[UserError]


def _chosen(context: bpy.types.Context, request: MakeRequest) -> _Chosen:
    objects, layer = list(context.scene.objects), context.view_layer
    cutters, owners = operands(objects), Owners(objects)
    renders = [
        ob
        for ob in objects
        if ob.type in GEOMETRY_TYPES
        and not (is_collider(ob) or is_trigger(ob) or ob.session_uid in cutters)
        and link_part(ob) not in BODILESS
        and not owners.is_of_ragdoll(ob)
        and _is_wanted(ob, layer, request)
    ]
    theirs = {one: owner for one in owners.colliders_of(renders) if (owner := owners.of(one)) is not None}
    if request.existing == "KEEP":
        kept = {*theirs.values(), *owners.stood_for()} & set(renders)
        return _Chosen([ob for ob in renders if ob not in kept], sorted(ob.name for ob in kept), {}, [])
    if request.existing == "ADD":
        return _Chosen(renders, [], {}, [])
    # They would be loaded again from the linked file.
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


def _bare_instances(context: bpy.types.Context, request: MakeRequest) -> list[str]:
    """Return the names of the collection instances in which a mesh has no collider."""
    found = instances_without_colliders(context.scene)
    return sorted(ob.name for ob in found if _is_wanted(ob, context.view_layer, request))


def _is_wanted(ob: bpy.types.Object, layer: bpy.types.ViewLayer, request: MakeRequest) -> bool:
    """Return whether an object is shown, or hidden ones are wanted, and its name matches."""
    return (request.include_hidden or not hidden_reason(ob, layer)) and (
        not request.patterns or any(fnmatch.fnmatchcase(ob.name, glob) for glob in request.patterns)
    )


def _row(ob: bpy.types.Object, one: Fitted) -> MadeCollider:
    return MadeCollider(ob.name, one.source.owner, one.kind, *_numbers(one.quality))


def _together(one: decomposition.Decomposed) -> MadePieces:
    return MadePieces(one.owner, one.quality.count, *_numbers(one.quality))


def _numbers(fit: FitQuality | PiecesQuality) -> tuple[float, float, float, float, float, float, float]:
    """In the order of the reports."""
    bounds = fit.gap_error, fit.protrusion_error
    return fit.volume, fit.hull_ratio, fit.mesh_ratio, fit.protrusion, fit.gap, *bounds
