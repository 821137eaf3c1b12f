# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays against shapes: each kind in closed form, meshes by traversal of their trees.

A ray hits the first point of a shape. For a solid, this is the origin of the ray if that is inside. Shapes without a
closed form, such as third-party kinds and shapes with a margin, are hit by a point that moves along the ray.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..continuous.time_of_impact import time_of_impact
from ..kernels import rays as kernels
from ..narrow_phase.mesh.operands import surfaces_of
from ..narrow_phase.mesh.orientation import oriented_rows
from ..narrow_phase.mesh.ray_casting import inside
from ..numerics.rows import with_positive_zeros
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_flag, common_rows, coordinates, numbers
from ..numerics.vectors import dot, length
from ..query.operands import Operand, rows_of_pairs, split
from ..query.queries import separating_axis
from ..results import FeatureKind, RayHits
from ..shapes import (
    UNBOUNDED,
    Batch,
    Capsules,
    Compounds,
    HalfSpaces,
    Meshes,
    Planes,
    Spheres,
    Triangles,
    check_shapes,
)
from .closed_forms import FORMS, LEVEL, Lines, thin


@dataclass(frozen=True)
class Rays:
    """Validated rays.

    Attributes
    ----------
    origin, along : (R, 3) float64
        `along` are unit vectors.
    limit : (R,) float64
        Maximum distance of a hit.
    backfaces : bool
        Whether triangles of surfaces and meshes are also hit from behind.
    """

    origin: Floats
    along: Floats
    limit: Floats
    backfaces: bool = True

    def __len__(self) -> int:
        return len(self.origin)


def ray_cast(
    shapes: Operand,
    origin: ArrayLike,
    direction: ArrayLike,
    pairs: ArrayLike | None = None,
    *,
    max_distance: ArrayLike = np.inf,
    backfaces: bool = True,
) -> RayHits:
    """First hits of rays on shapes.

    A solid is hit at the origin of the ray, at distance 0, if that is inside. Touching counts, within rounding at the
    coordinates of the ray and the shape: a ray through an edge or a corner, or along a face, hits it.

    Parameters
    ----------
    shapes : batch of shapes or World
        Without `pairs`, shapes and rays are paired row by row, and a single shape or a single ray with every row of the
        other.
    origin : (R, 3) array-like
    direction : (R, 3) array-like
        Of any length except zero.
    pairs : (P, 2) array-like of int, optional
        The rows of `shapes`, and those of the rays; "all": each shape with each ray.
    max_distance : float or (R,) array-like
        Farther hits are misses.
    backfaces : bool
        If false, triangles and surfaces are only hit from their front, as are meshes from inside a solid.

    Returns
    -------
    RayHits
        A row for each pair.

    Raises
    ------
    UnsupportedPair
        For planar shapes.
    ValueError
        If `shapes` is not a batch of shapes, an array has the wrong shape or is not finite, a direction is zero, a
        distance is negative, or numbers of rows do not match; names the argument and the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> hits = ck.ray_cast(ck.Spheres([0, 0, 0], 1), [[-3, 0, 0], [-3, 2, 0]], [2, 0, 0])
    >>> hits.distance, hits.normal[0]
    (array([ 2., inf]), array([-1.,  0.,  0.]))
    """
    check_shapes(shapes, "shapes")
    rays = checked_rays(origin, direction, max_distance, backfaces)
    return with_positive_zeros(cast(shapes, rows_of_pairs(shapes, rays, pairs, ("shapes", "origin")), rays))


def checked_rays(
    origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike, backfaces: bool = True, dimensions: int = 3
) -> Rays:
    """Validated rays with unit directions.

    Raises
    ------
    ValueError
        As for `ray_cast`.
    """
    start = coordinates(origin, "origin", (-1, dimensions))
    way = array(direction, "direction", (-1, dimensions))
    limit = numbers(max_distance, "max_distance").astype(np.float64)
    if limit.ndim > 1:
        raise ValueError(f"max_distance: shape {limit.shape}, but one number or (R,) is needed")
    limit = np.atleast_1d(limit)
    bad = ~(limit >= 0.0)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"max_distance: row {row} is {limit[row]:g}, but at least 0 is needed")
    check_flag(backfaces, "backfaces")
    largest = np.abs(way).max(axis=1, initial=0.0)
    if (largest == 0.0).any():
        raise ValueError(f"direction: row {int(np.argmax(largest == 0.0))} has no length")
    # In two steps, so that no square overflows or underflows.
    way = way / largest[:, None]
    way = way / np.sqrt((way * way).sum(axis=1))[:, None]
    start, way = common_rows(origin=start, direction=way)
    if len(limit) not in (1, len(start)):
        raise ValueError(f"max_distance: {len(limit)} rows, but there are {len(start)} rays")
    return Rays(start, way, np.broadcast_to(limit, (len(start),)), bool(backfaces))


def cast(shapes: Any, rows: Ints, rays: Rays) -> RayHits:
    """Cast rays at shapes; the rows (P, 2) of both are given."""
    result = RayHits.misses(len(rows))
    margin = None if isinstance(shapes, Batch) else shapes.margin
    for batch, index, place in split(shapes, rows[:, 0]):
        ray = rows[place, 1]
        if isinstance(batch, Compounds):
            found = _at_compounds(batch, index, ray, rays)
        elif margin is not None and margin[rows[place, 0]].any():
            found = _with_margins(shapes, batch, rows[place], index, rays)
        elif isinstance(batch, Meshes):
            found = _at_meshes(batch.take(index), rays, ray)
        else:
            found = _at_convex(batch.take(index), rays, ray)
        result.put(place, found)
    return result


def _at_convex(shapes: Any, rays: Rays, ray: Ints) -> RayHits:
    """Cast rays at convex shapes, row by row."""
    form = FORMS.get(type(shapes))
    odd = np.ones(len(shapes), dtype=bool) if form is None else thin(shapes)
    if odd.any() or form is None:
        result = RayHits.misses(len(shapes))
        some, others = np.flatnonzero(odd), np.flatnonzero(~odd)
        result.put(some, _by_motion(shapes.take(some), np.arange(len(some)), rays, ray[some]))
        if len(others):
            result.put(others, _at_convex(shapes.take(others), rays, ray[others]))
        return result
    origin, along = rays.origin[ray], rays.along[ray]
    if shapes.kind in UNBOUNDED:
        center, time = np.zeros_like(origin), np.zeros(len(shapes))
        slack = rounding(length(origin), np.abs(shapes.offset))
        lines = Lines(origin, along, slack, np.full(len(slack), LEVEL))
    else:
        center, radius = shapes.bounding_spheres()
        point, time = nearest_point(origin, along, center)
        lines = Lines.of(point, along, rounding(radius, length(center) + length(origin)), radius)
    spans = form(shapes, lines, center)
    solid = np.full(len(shapes), not isinstance(shapes, Triangles | Planes))
    if isinstance(shapes, Triangles) and not rays.backfaces:
        spans.enter[spans.feature[:, 1] == 1] = np.inf
    return hits_between(
        spans.enter + time, spans.leave + time, spans.normal, spans.feature, solid, lines.slack, rays, ray
    )


def nearest_point(origin: Floats, along: Floats, center: Floats) -> tuple[Floats, Floats]:
    """The point of each line that is nearest to a center, relative to it, and its distance from the origin."""
    place = origin - center
    time = -dot(place, along)
    place = place + time[:, None] * along
    # Repeated, to remove the rounding error of the first pass.
    rest = -dot(place, along)
    return place + rest[:, None] * along, time + rest


def hits_between(
    enter: Floats, leave: Floats, normal: Floats, feature: Ints, solid: Bools, slack: Floats, rays: Rays, ray: Ints
) -> RayHits:
    """The hits of rays on shapes between two distances."""
    result = RayHits.misses(len(ray), normal.shape[1])
    hit = (enter <= leave) & (leave >= -slack) & (enter <= rays.limit[ray])
    distance = np.maximum(enter, 0.0)
    rows = np.flatnonzero(hit)
    starts = hit & (enter <= 0.0)
    origin, along = rays.origin[ray], rays.along[ray]
    result.hit[rows], result.distance[rows] = True, distance[rows]
    result.point[rows] = origin[rows] + distance[rows, None] * along[rows]
    result.normal[rows], result.feature[rows] = normal[rows], feature[rows]
    # A normal may be along the ray by rounding, as on a segment or along a side.
    along_ray = (result.normal * along).sum(axis=1)
    turned = np.flatnonzero(along_ray > 0.0)
    if len(turned):
        beside = result.normal[turned] - along_ray[turned, None] * along[turned]
        size = np.sqrt((beside * beside).sum(axis=1, keepdims=True))
        result.normal[turned] = np.where(size > 0.0, beside / np.where(size > 0.0, size, 1.0), -along[turned])
    result.inside[:] = starts & solid
    result.normal[result.inside], result.feature[result.inside] = -along[result.inside], -1
    return result


def _at_meshes(shapes: Meshes, rays: Rays, ray: Ints) -> RayHits:
    """Cast rays at meshes, row by row."""
    count = len(shapes)
    surface = oriented_rows(shapes)
    bodies, row = surface.bodies, np.arange(count)
    origin, along = rays.origin[ray], rays.along[ray]
    center, radius = shapes.bounding_spheres()
    point, time = nearest_point(origin, along, center)
    slack = rounding(radius, length(center) + length(origin))
    near = np.flatnonzero(length(point) <= radius + slack)
    turn = bodies.rotation[near]
    table = np.empty((len(near), 9))
    table[:, :3] = np.einsum("nji,nj->ni", turn, point[near] + (center[near] - bodies.translation[near]))
    table[:, 3:6] = np.einsum("nji,nj->ni", turn, along[near])
    table[:, 6], table[:, 7] = slack[near], -time[near]
    table[:, 8] = rays.limit[ray[near]] - time[near]
    times, triangle = np.empty(len(near)), np.empty(len(near), dtype=np.int64)
    kernels.meshes(surfaces_of(bodies.take(near)), table, rays.backfaces, times, triangle)
    enter, hit = np.full(count, np.inf), np.flatnonzero(triangle >= 0)
    met = near[hit]
    enter[met] = np.maximum(times[hit] + time[met], 0.0)
    plane = surface.planes[bodies.triangle_start[met] + triangle[hit], :3]
    facing = np.einsum("nij,nj->ni", bodies.rotation[met], plane)
    back = dot(facing, along[met])
    facing = np.where((back > 0.0)[:, None], -facing, facing)
    normal = -along
    # Triangles without area have no normal.
    normal[met] = np.where(facing.any(axis=1)[:, None], facing, normal[met])
    feature = np.full((count, 2), -1)
    feature[met] = np.stack([np.full(len(met), FeatureKind.FACE), triangle[hit]], axis=1)
    leave = np.where(np.isinf(enter), -np.inf, enter)
    begun = np.zeros(count, dtype=bool)
    if rays.backfaces:
        asked = np.flatnonzero(surface.solid & (length(origin - center) <= radius + slack))
        begun[asked] = inside(surface, row[asked], origin[asked]) | (enter[asked] == 0.0)
        enter[begun], leave[begun] = 0.0, 0.0
    return hits_between(enter, leave, normal, feature, begun, slack, rays, ray)


def _at_compounds(shapes: Compounds, index: Ints, ray: Ints, rays: Rays) -> RayHits:
    """Cast rays at bodies: the first part that each ray hits."""
    of, part = shapes.parts_of(index)
    found = cast(shapes.parts, np.stack([part, ray[of]], axis=1), rays)
    first = first_of_each(found, of)
    result = found.take(first)
    result.part[:] = np.where(result.hit, part[first] - shapes.first[index[of[first]]], 0)
    return result


def first_of_each(found: RayHits, of: Ints) -> Ints:
    """The row of the nearest hit of each group, or of a miss. `of` is ascending.

    Of equally near shapes, a solid that contains the origin comes first, then the first row.
    """
    order = np.lexsort((~found.inside, found.distance, of))
    return order[np.append(True, of[order][1:] != of[order][:-1])] if len(order) else order


def _with_margins(shapes: Any, batch: Any, rows: Ints, index: Ints, rays: Rays) -> RayHits:
    """Cast rays at shapes with margins, all of one batch of a world."""
    margin = shapes.margin[rows[:, 0]]
    name = "radius" if isinstance(batch, Spheres | Capsules) else "offset" if isinstance(batch, HalfSpaces) else ""
    if name:
        part = batch.take(index)
        return _at_convex(part.with_fields(**{name: getattr(part, name) + margin}), rays, rows[:, 1])
    return _by_motion(shapes, rows[:, 0], rays, rows[:, 1])


def _by_motion(shapes: Any, row: Ints, rays: Rays, ray: Ints) -> RayHits:
    """Cast rays at bounded shapes: a point moves along each ray until it touches the shape."""
    count = len(ray)
    lower, upper = (side[row] for side in shapes.bounds())
    origin, along = rays.origin[ray], rays.along[ray]
    # Up to the farthest corner of the bounds.
    reach = length(np.maximum(np.abs(lower - origin), np.abs(upper - origin))) * (1.0 + 1e-9)
    reach = np.minimum(reach, rays.limit[ray])
    points = Spheres(origin, 0.0) if count else Spheres(np.empty((0, 3)), 0.0)
    pairs = np.stack([row, np.arange(count)], axis=1)
    moved = time_of_impact(shapes, points, pairs, velocity_b=reach[:, None] * along)
    enter = np.where(moved.hit, moved.time * reach, np.inf)
    normal, feature = np.where(moved.hit[:, None], moved.normal, -along), np.full((count, 2), -1)
    hit = np.flatnonzero(moved.hit)
    if len(hit):
        ends = Spheres(origin[hit] + enter[hit, None] * along[hit], 0.0)
        feature[hit] = separating_axis(shapes, ends, np.stack([row[hit], np.arange(len(hit))], axis=1)).feature_a
    slack = rounding(reach, length(origin))
    return hits_between(
        enter, np.where(moved.hit, enter, -np.inf), normal, feature, np.ones(count, bool), slack, rays, ray
    )
