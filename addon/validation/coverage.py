# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison of colliders with render meshes for the panel, the command line and scripts."""

from collections.abc import Generator
from typing import NamedTuple

import bpy
import numpy as np

from ...core.shapes import Meshes
from ...core.world.hausdorff.coverage import Coverage, CoverageMaps, GreatestDistance, coverage_steps
from ...core.world.hausdorff.distance_map import SurfaceArea
from ..model.coverage_report import Area, CoverageReport, CoverageRequest, CoveredObject, Point, Thresholds
from ..model.steps import exhausted
from ..scene import open_file
from ..scene.background_sets import background_objects
from ..scene.coverage import coverage_of
from ..scene.reading.seen import SeenBody, read_seen
from ..scene.scope import scope_objects


class Progress(NamedTuple):
    """Number of compared objects."""

    done: int
    total: int


class Compared(NamedTuple):
    """The result of a comparison of colliders with visible surfaces.

    Attributes
    ----------
    report : CoverageReport
    maps : tuple of CoverageMaps
        Maps of each object of the report. Empty if none were requested.
    """

    report: CoverageReport
    maps: tuple[CoverageMaps, ...]


def compare(context: bpy.types.Context, request: CoverageRequest) -> CoverageReport:
    """Compare the colliders of a scope with the render meshes; see `steps`."""
    return exhausted(steps(context, request)).report


def steps(
    context: bpy.types.Context, request: CoverageRequest, *, maps: bool = False
) -> Generator[Progress, None, Compared]:
    """Compare the colliders of a scope with the render meshes, in steps. The scene may change after the first one.

    Parameters
    ----------
    context : bpy.types.Context
    request : CoverageRequest
    maps : bool
        Whether to make maps of both surfaces of each object.

    Raises
    ------
    UserError
        If the scope or the collection does not exist.
    """
    objects = scope_objects(context, request.scope, request.collection).set_a
    seen = read_seen(context, {ob.session_uid for ob in objects}, include_hidden=request.include_hidden)
    scene = context.scene
    file, name, units = open_file.source(scene), scene.name, open_file.units(scene)
    skipped, coverage = background_objects(scene, request.scope), coverage_of(scene)
    bodies = [one for one in seen.bodies if one.world is not None]
    found, total = list[tuple[CoveredObject, CoverageMaps | None]](), len(bodies)
    yield Progress(0, total)
    for body in bodies:
        assert body.world is not None
        thresholds, map_ = thresholds_of(body, request), None
        asked = coverage_steps(
            body.world,
            seen_meshes(body),
            tolerance=request.tolerance,
            max_outside=thresholds.outside,
            max_inside=thresholds.inside,
            maps=maps,
        )
        for one in asked:
            yield Progress(len(found), total)
            if isinstance(one, CoverageMaps):
                map_ = one
            if isinstance(one, Coverage):
                found.append((_covered(body, one, thresholds), map_))
        yield Progress(len(found), total)
    found.sort(key=lambda one: _excess(one[0]), reverse=True)
    report = CoverageReport(
        file=file,
        scene=name,
        scope=request.scope,
        collection=request.collection,
        units=units,
        thresholds=request.thresholds,
        objects=tuple(one for one, _ in found),
        without_collider=tuple(one.name for one in seen.bodies if one.world is None),
        without_uids=tuple(one.uid for one in seen.bodies if one.world is None),
        required=request.required,
        skipped=(*seen.skipped, *skipped),
        coverage=coverage,
    )
    return Compared(report, tuple(map_ for _, map_ in found if map_ is not None))


def seen_meshes(body: SeenBody) -> Meshes:
    """Return the visible meshes of a body."""
    return Meshes.from_triangles(body.meshes)


def thresholds_of(body: SeenBody, request: CoverageRequest) -> Thresholds:
    """Return the thresholds of a body: the smallest of those of its collections, or otherwise the general ones."""
    return least(request.thresholds, [one for name, one in request.by_collection.items() if name in body.collections])


def least(usual: Thresholds, special: list[Thresholds]) -> Thresholds:
    """Return the smallest special thresholds. The general ones if there are none."""
    found = []
    for at, value in enumerate(usual):
        given = [length for one in special if (length := one[at]) is not None]
        found.append(min(given) if given else value)
    return Thresholds(*found)


def _excess(one: CoveredObject) -> tuple[bool, float]:
    """Return a sort key: whether a threshold is exceeded, and the larger of the two distances."""
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
        _area(found.outside_area),
        _area(found.inside_area),
    )


def _area(found: SurfaceArea | None) -> Area | None:
    return None if found is None else Area(found.area, found.least, found.most, found.share)


def _point(found: GreatestDistance) -> Point | None:
    if np.isnan(found.point).any():
        return None
    x, y, z = found.point.tolist()
    return x, y, z
