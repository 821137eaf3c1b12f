# SPDX-License-Identifier: GPL-3.0-or-later
"""The comparison of colliders with what is seen, the same for the panel, the command line and scripts."""

from collections.abc import Generator
from typing import NamedTuple

import bpy
import numpy as np

from ...core.shapes import Meshes
from ...core.world.hausdorff.coverage import Coverage, GreatestDistance, coverage_steps
from ..model.coverage_report import CoverageReport, CoverageRequest, CoveredObject, Point, Thresholds
from ..model.steps import exhausted
from ..scene import open_file
from ..scene.background_sets import background_objects
from ..scene.coverage import coverage_of
from ..scene.reading.seen import SeenBody, read_seen
from ..scene.scope import scope_objects


class Progress(NamedTuple):
    """How many of the objects have been compared."""

    done: int
    total: int


def compare(context: bpy.types.Context, request: CoverageRequest, *, include_hidden: bool = False) -> CoverageReport:
    """Compare the colliders of a scope with what is seen; see `steps`."""
    return exhausted(steps(context, request, include_hidden=include_hidden))


def steps(
    context: bpy.types.Context, request: CoverageRequest, *, include_hidden: bool = False
) -> Generator[Progress, None, CoverageReport]:
    """Compare the colliders of a scope with what is seen, in steps. The scene may change after the first one.

    Raises
    ------
    UserError
        If there is no such scope or collection.
    """
    objects = scope_objects(context, request.scope, request.collection).set_a
    seen = read_seen(context, {ob.session_uid for ob in objects}, include_hidden=include_hidden)
    scene = context.scene
    file, name, units = open_file.source(scene), scene.name, open_file.units(scene)
    skipped, coverage = background_objects(scene, request.scope), coverage_of(scene)
    covered, total = list[CoveredObject](), sum(1 for one in seen.bodies if one.world is not None)
    yield Progress(0, total)
    for body in seen.bodies:
        if body.world is None:
            continue
        for found in coverage_steps(body.world, seen_meshes(body), tolerance=request.tolerance):
            yield Progress(len(covered), total)
            if isinstance(found, Coverage):
                covered.append(_covered(body, found, thresholds_of(body, request)))
        yield Progress(len(covered), total)
    return CoverageReport(
        file=file,
        scene=name,
        scope=request.scope,
        collection=request.collection,
        units=units,
        thresholds=request.thresholds,
        objects=tuple(sorted(covered, key=_excess, reverse=True)),
        without_collider=tuple(one.name for one in seen.bodies if one.world is None),
        required=request.required,
        skipped=(*seen.skipped, *skipped),
        coverage=coverage,
    )


def seen_meshes(body: SeenBody) -> Meshes:
    """The visible meshes of a body."""
    return Meshes.from_triangles(body.meshes)


def thresholds_of(body: SeenBody, request: CoverageRequest) -> Thresholds:
    """The thresholds of a body: the least of those of its collections or, without one, those of all."""
    return least(request.thresholds, [one for name, one in request.by_collection.items() if name in body.collections])


def least(usual: Thresholds, special: list[Thresholds]) -> Thresholds:
    """The least special thresholds; the usual ones where there are none."""
    found = []
    for at, value in enumerate(usual):
        given = [length for one in special if (length := one[at]) is not None]
        found.append(min(given) if given else value)
    return Thresholds(*found)


def _excess(one: CoveredObject) -> tuple[bool, float]:
    """Order by what is wrong, then by how much."""
    return bool(one.failing), max(one.outside, one.inside)


def _covered(body: SeenBody, found: Coverage, thresholds: Thresholds) -> CoveredObject:
    outside, inside = found.outside, found.inside
    return CoveredObject(
        body.name,
        body.uid,
        tuple(dict.fromkeys(body.colliders)),
        outside.distance,
        inside.distance,
        outside.bound,
        inside.bound,
        _point(outside),
        _point(inside),
        body.colliders[outside.shape] if outside.shape >= 0 else "",
        thresholds,
        tuple(dict.fromkeys(body.collider_uids)),
    )


def _point(found: GreatestDistance) -> Point | None:
    if np.isnan(found.point).any():
        return None
    x, y, z = found.point.tolist()
    return x, y, z
