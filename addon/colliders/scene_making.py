# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders for the render meshes of a whole scene, without anybody who looks on: what cannot be made is listed."""

import fnmatch
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import NamedTuple

import bpy

from ..engines.kinds import template_name
from ..model.errors import UserError
from ..model.steps import exhausted
from ..model.writing_reports import MadeCollider, MakeReport, Remark
from ..scene import open_file
from ..scene.colliders.objects import remove_objects
from ..scene.colliders.sources import Source, read_sources
from ..scene.meshes.types import GEOMETRY_TYPES
from ..scene.objects.choice import is_trigger
from ..scene.objects.evaluation import evaluated
from ..scene.objects.operands import operands
from ..scene.objects.owners import Owners, is_collider
from ..scene.settings import scene_settings
from . import decomposition, making
from .fit import Fitted, Request, fit_source

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
        If a name is too long, or the template makes none. Nothing was made then.
    """
    scene = context.scene
    settings = scene_settings(context)
    settings.engine = order.engine
    if order.template:
        setattr(settings.colliders, template_name(order.engine), order.template)
    report = MakeReport(
        open_file.path(), scene.name, open_file.units(scene), engine=order.engine.lower(), kind=order.kind.lower()
    )
    chosen, kept, old = _chosen(scene, order)
    with evaluated(context, chosen):
        sources, problems = read_sources(context, chosen, "OBJECTS" if order.kind == PIECES else order.source)
        fitted: list[Fitted] = []
        for number, source in enumerate(sources):
            yield Progress(number, len(sources))
            try:
                fitted += _fitted(source, order)
            except UserError as error:
                problems.append(error)
        remove_objects(ob for ob in old if any(one.source.owner == old[ob] for one in fitted))
        made = making.make(context, fitted, order.engine)
    return replace(
        report,
        colliders=tuple(_row(ob, one) for ob, one in zip(made.objects, made.fitted, strict=True)),
        kept=tuple(Remark(name, "has colliders") for name in kept),
        problems=tuple(Remark(str(error.values.get("name", "")), str(error)) for error in problems),
    )


def _chosen(
    scene: bpy.types.Scene, order: Order
) -> tuple[list[bpy.types.Object], list[str], dict[bpy.types.Object, str]]:
    """The render meshes that get colliders, the names of those that keep theirs, and the colliders to be replaced."""
    objects = list(scene.objects)
    cutters, owners = operands(objects), Owners(objects)
    renders = [
        ob
        for ob in objects
        if ob.type in GEOMETRY_TYPES
        and not (is_collider(ob) or is_trigger(ob) or ob.session_uid in cutters)
        and (not order.patterns or any(fnmatch.fnmatchcase(ob.name, glob) for glob in order.patterns))
    ]
    theirs = {one: owner.name for one in owners.colliders_of(renders) if (owner := owners.of(one)) is not None}
    if order.existing == "KEEP":
        kept = set(theirs.values())
        return [ob for ob in renders if ob.name not in kept], sorted(kept), {}
    return renders, [], theirs if order.existing == "REPLACE" else {}


def _fitted(source: Source, order: Order) -> list[Fitted]:
    if order.kind != PIECES:
        return [fit_source(source, Request(order.kind, order.engine, order.budget, order.thickness, order.gap))]
    request = Request("PIECE", order.engine, order.budget)
    return exhausted(decomposition.steps([source], request, order.pieces, order.preset)).fitted


def _row(ob: bpy.types.Object, one: Fitted) -> MadeCollider:
    fit = one.quality
    return MadeCollider(
        ob.name, one.source.owner, one.kind, fit.volume, fit.hull_ratio, fit.mesh_ratio, fit.protrusion, fit.gap
    )
