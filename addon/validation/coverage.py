# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison of colliders with render meshes for the panel, the command line and scripts."""

from collections.abc import Generator
from typing import NamedTuple

import bpy
import numpy as np

from ...core.broad_phase import sweep_and_prune_between
from ...core.query.queries import overlap
from ...core.shapes import Meshes
from ...core.world.hausdorff.coverage import Coverage, CoverageMaps, GreatestDistance, coverage_steps
from ...core.world.hausdorff.distance_map import SurfaceArea
from ...core.world.world import World
from ..model.coverage_report import (
    Area,
    CoverageReport,
    CoverageRequest,
    CoveredObject,
    Point,
    Thresholds,
    Walked,
    reach_of,
)
from ..model.errors import UserError
from ..model.probe_report import ProbeReport
from ..model.steps import exhausted, telling
from ..probing import check as probing
from ..scene import open_file
from ..scene.background_sets import background_objects
from ..scene.coverage import coverage_of
from ..scene.reading.seen import SeenBody, read_seen
from ..scene.scope import scope_objects


class Progress(NamedTuple):
    """Number of compared objects, and of all objects; 0 of 0 while the character walks."""

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


_WALKING = Progress(0, 0)


def compare(context: bpy.types.Context, request: CoverageRequest, walk: ProbeReport | None = None) -> CoverageReport:
    """Compare the colliders of a scope with the render meshes; see `steps`."""
    return exhausted(steps(context, request, walk=walk)).report


def steps(
    context: bpy.types.Context, request: CoverageRequest, *, maps: bool = False, walk: ProbeReport | None = None
) -> Generator[Progress, None, Compared]:
    """Compare the colliders of a scope with the render meshes, in steps. The scene may change after the first one.

    Parameters
    ----------
    context : bpy.types.Context
    request : CoverageRequest
    maps : bool
        Whether to make maps of both surfaces of each object.
    walk : ProbeReport, optional
        That of `request.walk`, if it has been made before.

    Raises
    ------
    UserError
        If the scope or the collection does not exist, or the character cannot walk; see `probing.check.probe`.
    """
    objects = scope_objects(context, request.scope, request.collection).set_a
    seen = read_seen(context, {ob.session_uid for ob in objects}, include_hidden=request.include_hidden)
    scene = context.scene
    file, name, units = open_file.source(scene), scene.name, open_file.units(scene)
    skipped, coverage = background_objects(scene, request.scope), coverage_of(scene)
    if request.walk is not None and walk is None:
        walk = yield from _walk(context, request)
    near = None if walk is None else _Near(walk, reach_of(request))
    reached = [(body, near.of(body) if near is not None else None) for body in seen.bodies]
    out_of_reach = [body.name for body, space in reached if near is not None and space is None]
    reached = [(body, space) for body, space in reached if near is None or space is not None]
    without = [body for body, _ in reached if body.world is None]
    bodies = [(body, space) for body, space in reached if body.world is not None]
    found, total = list[tuple[CoveredObject, CoverageMaps | None]](), len(bodies)
    yield Progress(0, total)
    for body, space in bodies:
        assert body.world is not None
        thresholds, visible, map_ = thresholds_of(body, request), seen_meshes(body), None
        asked = coverage_steps(
            body.world,
            visible,
            tolerance=request.tolerance,
            max_outside=thresholds.outside,
            max_inside=thresholds.inside,
            within=space,
            maps=maps,
        )
        for one in asked:
            yield Progress(len(found), total)
            if isinstance(one, CoverageMaps):
                map_ = one
            if isinstance(one, Coverage):
                found.append((_covered(body, one, thresholds, is_surface=not visible.solid.all()), map_))
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
        without_collider=tuple(one.name for one in without),
        without_uids=tuple(one.uid for one in without),
        walked=near.walked if near is not None else None,
        out_of_reach=tuple(out_of_reach),
        walked_uids=walk.uids if walk is not None else frozenset(),
        required=request.required,
        skipped=(*seen.skipped, *skipped),
        coverage=coverage,
    )
    return Compared(report, tuple(map_ for _, map_ in found if map_ is not None))


def _walk(context: bpy.types.Context, request: CoverageRequest) -> Generator[Progress, None, ProbeReport]:
    """Let the character of a request walk, in steps; the scene is read before the first of them."""
    assert request.walk is not None
    return (yield from telling(_WALKING, probing.steps(context, request.walk, hidden_colliders=True)))


class _Near:
    """The space near a character in all of its poses.

    Attributes
    ----------
    walked : Walked
    """

    def __init__(self, report: ProbeReport, reach: float) -> None:
        if report.walk is None:
            raise UserError("Nothing to walk on: no body has a collision shape")
        self.walked = Walked(report.request, reach, report.reached_area)
        self._space = report.walk.near(reach)
        self._lower, self._upper = self._space.bounds()

    def of(self, body: SeenBody) -> World | None:
        """Return the part of it that is near a body. None if the character does not come near the body."""
        points = [points for points, _ in body.meshes]
        if body.world is not None:
            points += list(body.world.bounds())
        corners = np.concatenate(points)
        low, high = corners.min(axis=0), corners.max(axis=0)
        rows = np.flatnonzero((self._lower <= high).all(axis=1) & (self._upper >= low).all(axis=1))
        if not len(rows):
            return None
        space = self._space.take(rows)
        return space if self._meets(space, body) else None

    def _meets(self, space: World, body: SeenBody) -> bool:
        """Whether a shape of a space overlaps the surface of a body, or one of its colliders."""
        surface = Meshes.from_triangles(body.meshes, solid=False)
        others: tuple[Meshes | World, ...] = (surface,) if body.world is None else (surface, body.world)
        for other in others:
            lower, upper = other.bounds()
            # Meshes without triangles have no bounds.
            rows = np.flatnonzero((np.isfinite(lower) & np.isfinite(upper)).all(axis=1))
            pairs = sweep_and_prune_between(*space.bounds(), lower[rows], upper[rows])
            if overlap(space, other, np.stack([pairs[:, 0], rows[pairs[:, 1]]], axis=1)).any():
                return True
        return False


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


def _covered(body: SeenBody, found: Coverage, thresholds: Thresholds, *, is_surface: bool) -> CoveredObject:
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
        is_surface,
    )


def _area(found: SurfaceArea | None) -> Area | None:
    return None if found is None else Area(found.area, found.least, found.most, found.share)


def _point(found: GreatestDistance) -> Point | None:
    if np.isnan(found.point).any():
        return None
    x, y, z = found.point.tolist()
    return x, y, z
