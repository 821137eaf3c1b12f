# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays against shapes of the plane: circles in closed form, and outlines as polytopes whose planes are their sides."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.rows import with_positive_zeros
from ..numerics.tolerances import rounding
from ..numerics.types import Floats, Ints
from ..numerics.vectors import normalized
from ..query.operands import rows_of_pairs, split
from ..rays.closed_forms import Lines, finite, in_ball, in_polytopes, meet
from ..rays.ray_cast import Rays, checked_rays, first_of_each, hits_between, nearest_point
from ..results import FeatureKind, RayHits
from ..shapes import Batch
from . import queries
from .dispatch import Operand
from .queries import check_kind
from .shapes.convex import AABBs, Circles, Polygons, Rectangles
from .shapes.regions import pieces_of, ranges


def ray_cast(
    shapes: Operand,
    origin: ArrayLike,
    direction: ArrayLike,
    pairs: ArrayLike | None = None,
    *,
    max_distance: ArrayLike = np.inf,
) -> RayHits:
    """Return where rays first hit shapes of the plane; see `collision_kit.core.ray_cast`.

    Parameters
    ----------
    shapes : batch of shapes or World
        Without `pairs`, shapes and rays are paired row by row, and a single shape or a single ray with every row of the
        other.
    origin : (R, 2) array-like
    direction : (R, 2) array-like
        Of any length except zero.
    pairs : (P, 2) array-like of int, optional
        The rows of `shapes`, and those of the rays; "all": each shape with each ray.
    max_distance : float or (R,) array-like
        Hits that are farther away are misses.

    Returns
    -------
    RayHits
        A row for each pair. `part` is the convex piece of a region.

    Raises
    ------
    UnsupportedPair
        For shapes in space.
    ValueError
        If `shapes` is not a batch of shapes, an array has the wrong shape or is not finite, a direction is zero, a
        distance is negative, or numbers of rows do not match; names the argument and the row.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.ray_cast(planar.Circles([0, 0], 1), [[-3, 0], [-3, 2]], [1, 0]).distance
    array([ 2., inf])
    """
    check_kind(shapes, "shapes")
    rays = checked_rays(origin, direction, max_distance, dimensions=2)
    return with_positive_zeros(cast(shapes, rows_of_pairs(shapes, rays, pairs, ("shapes", "origin")), rays))


def cast(shapes: Any, rows: Ints, rays: Rays) -> RayHits:
    """Cast rays at shapes of the plane; the rows (P, 2) of both are given."""
    result = RayHits.misses(len(rows), 2)
    for batch, index, place in split(shapes, rows[:, 0]):
        ray = rows[place, 1]
        if not isinstance(shapes, Batch) and shapes.margin is not None and shapes.margin[rows[place, 0]].any():
            found = _by_motion(shapes, rows[place, 0], rays, ray)
        else:
            found = _at_bodies(batch, index, rays, ray)
        result.put(place, found)
    return result


def _at_bodies(shapes: Any, index: Ints, rays: Rays, ray: Ints) -> RayHits:
    """Cast rays at shapes of one kind: the first piece of each that is hit."""
    first, count = ranges(shapes, index)
    of = np.repeat(np.arange(len(index)), count)
    part = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    found = _at_pieces(pieces_of(shapes).take(first[of] + part), rays, ray[of])
    nearest = first_of_each(found, of)
    result = found.take(nearest)
    result.part[:] = np.where(result.hit, part[nearest], 0)
    return result


def _at_pieces(shapes: Any, rays: Rays, ray: Ints) -> RayHits:
    """Cast rays at convex shapes, row by row."""
    count, known = len(ray), shapes.rows
    origin, along = _in_space(rays.origin[ray]), _in_space(rays.along[ray])
    center = np.stack([known.x, known.y, np.zeros(count)], axis=1)
    point, time = nearest_point(origin, along, center)
    slack = rounding(known.reach, known.magnitude + np.hypot(origin[:, 0], origin[:, 1]))
    lines = Lines.of(point, along, slack, known.reach)
    feature = np.empty((count, 2), dtype=np.int64)
    feature[:, 0], feature[:, 1] = FeatureKind.EDGE, 0
    if isinstance(shapes, Circles):
        enter, leave = meet(in_ball(point, along, shapes.radius, slack))
        normal = normalized(point + finite(enter)[:, None] * along, -along)
    else:
        planes, names, first, last = _sides(shapes)
        enter, leave, side = in_polytopes(planes, first, last, lines)
        normal, hit = -along, np.flatnonzero(side >= 0)
        normal[hit] = planes[side[hit], :3]
        # Sides without length are at corners.
        name = names[side[hit]]
        feature[hit, 0] = np.where(name < 0, FeatureKind.VERTEX, FeatureKind.EDGE)
        feature[hit, 1] = np.where(name < 0, -1 - name, name)
    solid = np.ones(count, dtype=bool)
    return hits_between(enter + time, leave + time, normal[:, :2], feature, solid, slack, rays, ray)


def _sides(shapes: AABBs | Rectangles | Polygons) -> tuple[Floats, Ints, Ints, Ints]:
    """The sides of shapes as planes (F, 4) about their places, the names of the sides, and the range of each row."""
    if isinstance(shapes, Polygons):
        pool = shapes.pool
        planes = np.stack([pool.nx, pool.ny, np.zeros(len(pool.nx)), pool.offset], axis=1)
        return planes, pool.edge, pool.start[shapes.index], pool.start[shapes.index + 1]
    count = len(shapes)
    if isinstance(shapes, AABBs):
        half, cosine, sine = (shapes.upper - shapes.lower) / 2.0, np.ones(count), np.zeros(count)
    else:
        half, cosine, sine = shapes.half_extents, shapes.cosine, shapes.sine
    normals = np.stack([sine, -cosine, cosine, sine, -sine, cosine, -cosine, -sine], axis=1).reshape(-1, 2)
    offset = half[:, [1, 0, 1, 0]].reshape(-1)
    planes = np.stack([normals[:, 0], normals[:, 1], np.zeros(4 * count), offset], axis=1)
    first = 4 * np.arange(count)
    return planes, np.tile(np.arange(4), count), first, first + 4


def _by_motion(shapes: Any, row: Ints, rays: Rays, ray: Ints) -> RayHits:
    """Cast rays at shapes with margins: a point moves along each ray until it touches the shape."""
    count = len(ray)
    lower, upper = (side[row] for side in shapes.bounds())
    origin, along = rays.origin[ray], rays.along[ray]
    # The length of the motion is limited by the farthest corner of the bounds.
    reach = np.hypot(*np.maximum(np.abs(lower - origin), np.abs(upper - origin)).T) * (1.0 + 1e-9)
    reach = np.minimum(reach, rays.limit[ray])
    pairs = np.stack([row, np.arange(count)], axis=1)
    moved = queries.time_of_impact(shapes, Circles(origin, 0.0), pairs, velocity_b=reach[:, None] * along)
    distance = np.where(moved.hit, moved.time * reach, np.inf)
    feature = np.full((count, 2), -1)
    hit = np.flatnonzero(moved.hit)
    if len(hit):
        ends = Circles(origin[hit] + distance[hit, None] * along[hit], 0.0)
        at = np.stack([row[hit], np.arange(len(hit))], axis=1)
        feature[hit] = queries.separating_axis(shapes, ends, at).feature_a
    slack, leave = rounding(reach, np.hypot(*origin.T)), np.where(moved.hit, distance, -np.inf)
    return hits_between(distance, leave, moved.normal, feature, np.ones(count, bool), slack, rays, ray)


def _in_space(vectors: Floats) -> Floats:
    """Vectors (R, 2) of the plane as vectors of space (R, 3)."""
    return np.pad(vectors, ((0, 0), (0, 1)))
