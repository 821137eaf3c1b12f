# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays, points and moving shapes against all shapes of a world: the first or nearest shape.

A tree of the bounds of the shapes finds those that a ray may hit, or that may be nearest to a point. Rays test the
shapes in the order in which they enter their bounds, and stop when no other can be nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..broad_phase import sweep_and_prune_between
from ..continuous.time_of_impact import time_of_impact
from ..kernels import points as point_kernels
from ..kernels import rays as ray_kernels
from ..mesh.triangle_mesh import Tree, tree_of
from ..numerics.rows import smallest_per_group, with_positive_zeros
from ..numerics.tolerances import rounding
from ..numerics.types import Floats, Ints
from ..numerics.validation import coordinates, one_length, whole_number
from ..numerics.vectors import length
from ..results import Distances, Impacts, RayHits, WorldClosestPoints, WorldImpacts, WorldRayHits
from ..shapes import Batch, HalfSpaces, Planes, check_shapes
from ..shapes.batch import ShapeCollection
from .points import Measured, checked_points, closest, measure
from .ray_cast import Rays, cast, checked_rays

# Functions that cast rays at shapes, and that measure points against shapes, for rows (P, 2) of both. The plane has
# other ones.
Cast = Callable[[Any, Ints, Rays], RayHits]
Measure = Callable[[Any, Ints, Floats, bool], Measured]

# Initial room for pairs of a kernel.
_ROOM = 1 << 14


@dataclass(frozen=True)
class Shapes:
    """The shapes of a world, and a tree of the bounds of those that are bounded.

    Attributes
    ----------
    world : ShapeCollection
    bounded, unbounded : (B,) int64, (U,) int64
        The rows of the world.
    tree : Tree or None
        None if no shape is bounded.
    size : float
        The largest coordinate of the bounds.
    """

    world: ShapeCollection
    bounded: Ints
    unbounded: Ints
    tree: Tree | None
    size: float

    @classmethod
    def of(cls, world: Any) -> Shapes:
        """The current shapes of a world."""
        endless = np.array([isinstance(batch, HalfSpaces | Planes) for batch in world.batches], dtype=bool)
        unbounded = endless[world.batch] if len(endless) else np.zeros(0, dtype=bool)
        rows = np.flatnonzero(~unbounded)
        lower, upper = (_in_space(side[rows]) for side in world.bounds())
        tree = tree_of(np.stack([lower, upper, lower], axis=1)) if len(rows) else None
        size = float(max(np.abs(lower).max(initial=0.0), np.abs(upper).max(initial=0.0)))
        return cls(world, rows, np.flatnonzero(unbounded), tree, size)

    def within(self, points: Floats, reach: Floats) -> Ints:
        """Bounded shapes whose bounds are within a distance (Q,) of points: rows of the world and of points, (P, 2)."""
        pairs, at, room = [np.empty((0, 2), dtype=np.int64)], 0, _ROOM
        while self.tree is not None and at < len(points):
            found = np.empty((room, 2), dtype=np.int64)
            after, some = point_kernels.boxes(self.tree.span, self.tree.triangle, points, reach, at, found)
            pairs.append(np.stack([self.bounded[found[:some, 1]], found[:some, 0]], axis=1))
            # One point may be near more boxes than fit into the output.
            room, at = room if after > at else 2 * room, after
        return np.concatenate(pairs)


def ray_cast(
    world: Any, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike, all_hits: bool, backfaces: bool
) -> WorldRayHits:
    """The first shape that each ray hits, or all shapes that it hits, nearest first."""
    return hits(world, checked_rays(origin, direction, max_distance, backfaces), all_hits, cast)


def hits(world: Any, rays: Rays, all_hits: bool, cast: Cast) -> WorldRayHits:
    """`ray_cast` for validated rays, by a function that casts rays at given shapes."""
    pairs, entry = _crossed(Shapes.of(world), rays)
    found = _every_hit(world, pairs, rays, cast) if all_hits else _first_hits(world, pairs, entry, rays, cast)
    return with_positive_zeros(found)


def _crossed(shapes: Shapes, rays: Rays) -> tuple[Ints, Floats]:
    """Rows of the world and of rays that may meet (P, 2), and where the rays enter the bounds, (P,)."""
    count = len(rays)
    slack = rounding(np.full(count, shapes.size), length(_in_space(rays.origin)))
    line = [_in_space(rays.origin), _in_space(rays.along)]
    table = np.concatenate([*line, slack[:, None], rays.limit[:, None]], axis=1)
    every = np.arange(count)
    pairs = [np.stack([np.full(count, row), every], axis=1) for row in shapes.unbounded]
    entries = [np.full(count, -np.inf) for _ in shapes.unbounded]
    ray, room = 0, _ROOM
    while shapes.tree is not None and ray < count:
        found, entry = np.empty((room, 2), dtype=np.int64), np.empty(room)
        after, some = ray_kernels.boxes(shapes.tree.span, shapes.tree.triangle, table, ray, found, entry)
        pairs.append(np.stack([shapes.bounded[found[:some, 1]], found[:some, 0]], axis=1))
        entries.append(entry[:some])
        # One ray may pass through more boxes than fit into the output.
        room, ray = room if after > ray else 2 * room, after
    if not pairs:
        return np.empty((0, 2), dtype=np.int64), np.empty(0)
    return np.concatenate(pairs), np.concatenate(entries)


def _first_hits(world: Any, pairs: Ints, entry: Floats, rays: Rays, cast: Cast) -> WorldRayHits:
    """The nearest hit of each ray. Of equally near shapes, the lowest row."""
    count = len(rays)
    best = RayHits.misses(count, rays.origin.shape[1])
    shape = np.full(count, -1)
    order = np.lexsort((entry, pairs[:, 1]))
    pairs, entry = pairs[order], entry[order]
    place = np.searchsorted(pairs[:, 1], np.arange(count))
    end = np.searchsorted(pairs[:, 1], np.arange(count), side="right")
    step = 1
    while True:
        # The next few shapes of each ray that has any that may be nearer.
        active = np.flatnonzero(place < end)
        active = active[entry[place[active]] <= best.distance[active]]
        if not len(active):
            return WorldRayHits(**vars(best), shape=shape, ray=np.arange(count))
        offset = np.arange(step)
        rows = place[active, None] + offset
        rows = rows[(rows < end[active, None])]
        rows = rows[entry[rows] <= best.distance[pairs[rows, 1]]]
        found = cast(world, pairs[rows], rays)
        hits = np.flatnonzero(found.hit)
        ray, hit_shape = pairs[rows[hits], 1], pairs[rows[hits], 0]
        by = np.lexsort((hit_shape, found.distance[hits], ray))
        first = by[np.append(True, ray[by][1:] != ray[by][:-1])] if len(by) else by
        of, row = ray[first], hits[first]
        nearer = (found.distance[row] < best.distance[of]) | (
            (found.distance[row] == best.distance[of]) & (hit_shape[first] < shape[of])
        )
        of, row = of[nearer], row[nearer]
        best.put(of, found.take(row))
        shape[of] = hit_shape[first][nearer]
        place[active] += step
        step *= 2


def _every_hit(world: Any, pairs: Ints, rays: Rays, cast: Cast) -> WorldRayHits:
    """All hits of all rays, ordered by ray, distance and shape."""
    found = cast(world, pairs, rays)
    hit = np.flatnonzero(found.hit)
    order = hit[np.lexsort((pairs[hit, 0], found.distance[hit], pairs[hit, 1]))]
    return WorldRayHits(**vars(found.take(order)), shape=pairs[order, 0], ray=pairs[order, 1])


def closest_shapes(world: Any, points: ArrayLike) -> WorldClosestPoints:
    """The nearest or deepest shape to each point."""
    return nearest_shapes(world, checked_points(points), measure)


def nearest_shapes(world: Any, given: Floats, measure: Measure) -> WorldClosestPoints:
    """`closest_shapes` for validated points, by a function that measures points against given shapes."""
    if not len(world):
        raise ValueError("points: the world has no shape that could be the nearest")
    rows, found = nearest(Shapes.of(world), given, measure, True)
    return with_positive_zeros(WorldClosestPoints(**vars(closest(found)), shape=rows[:, 0]))


def nearest(shapes: Shapes, points: Floats, measure: Measure, features: bool) -> tuple[Ints, Measured]:
    """The nearest or deepest shape to each point, of at least one: rows of shapes and points (Q, 2), and measures."""
    count = len(points)
    every = np.arange(count)
    pairs = [np.stack([np.full(count, row), every], axis=1) for row in shapes.unbounded]
    if shapes.tree is not None:
        tree, reach, flat = shapes.tree, np.empty(count), np.ascontiguousarray(_in_space(points))
        point_kernels.least_reach(tree.span, tree.triangle, flat, reach)
        reach = np.sqrt(reach) * (1.0 + 1e-9) + rounding(np.full(count, shapes.size), length(flat))
        pairs.append(shapes.within(flat, reach))
    rows = np.concatenate(pairs)
    distance = measure(shapes.world, rows, points, False).distance
    # Of equally near shapes, the lowest row.
    rows = rows[np.lexsort((rows[:, 0], distance, rows[:, 1]))]
    first = rows[np.append(True, rows[1:, 1] != rows[:-1, 1])] if count else rows
    return first, measure(shapes.world, first, points, features)


def sweep(world: Any, shapes: Any, velocity: ArrayLike) -> WorldImpacts:
    """The first shape that each moving shape touches."""
    check_shapes(shapes, "shapes")
    return first_touched(world, shapes, velocities(velocity, len(shapes), 3), time_of_impact)


def velocities(velocity: ArrayLike, count: int, dimensions: int) -> Floats:
    """The validated velocities of moving shapes, (N, 3) or in the plane (N, 2). One row applies to all."""
    given = coordinates(velocity, "velocity", (-1, dimensions))
    if len(given) not in (1, count):
        raise ValueError(f"velocity: {len(given)} rows, but there are {count} shapes")
    return np.broadcast_to(given, (count, dimensions))


def first_touched(world: Any, shapes: Any, velocity: Floats, time_of_impact: Callable[..., Impacts]) -> WorldImpacts:
    """`sweep` for a validated velocity, by the function for the times of impact of shapes."""
    lower, upper = shapes.bounds()
    lower, upper = lower + np.minimum(velocity, 0.0), upper + np.maximum(velocity, 0.0)
    low, high = world.bounds()
    moving, still = _endless(shapes), _endless(world)
    slack = 4.0 * np.finfo(np.float64).eps
    spare, room = (
        slack * np.abs(np.nan_to_num(np.stack(side), posinf=0.0, neginf=0.0)).max(axis=(0, 2), initial=0.0)[:, None]
        for side in ((lower, upper), (low, high))
    )
    a, b = np.flatnonzero(~moving), np.flatnonzero(~still)
    sides = (lower - spare)[a], (upper + spare)[a], (low - room)[b], (high + room)[b]
    near = sweep_and_prune_between(*(_in_space(side) for side in sides))
    pairs = [np.stack([a[near[:, 0]], b[near[:, 1]]], axis=1)]
    for one, other, flipped in ((np.flatnonzero(moving), b, False), (np.flatnonzero(still), a, True)):
        every = np.stack([each.reshape(-1) for each in np.meshgrid(one, other, indexing="ij")], axis=1)
        pairs.append(every[:, ::-1] if flipped else every)
    rows = np.concatenate(pairs).astype(np.int64)
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    found = time_of_impact(shapes, world, rows, velocity_a=velocity)
    result, shape = Impacts.misses(len(shapes), low.shape[1]), np.full(len(shapes), -1)
    # An undecided shape counts with the time up to which nothing was touched.
    when = np.where(found.hit, found.time, np.where(found.decided, np.inf, found.safe))
    some = np.flatnonzero(np.isfinite(when))
    first = some[smallest_per_group(rows[some, 0], when[some])]
    result.put(rows[first, 0], found.take(first))
    shape[rows[first, 0]] = np.where(found.hit[first], rows[first, 1], -1)
    return WorldImpacts(**vars(result), shape=shape)


def nearest_pairs(world: Any, reach: float, count: int | None) -> tuple[Ints, Distances]:
    """The pairs of shapes of a world that are no farther apart than `reach`, nearest first."""
    most = one_length(reach, "reach")
    pairs = world.pairs(margin=most)
    found: Distances = world.distance(pairs)
    order = np.argsort(found.distance, kind="stable")
    order = order[found.distance[order] <= np.maximum(most, found.rounding[order])]
    if count is not None:
        order = order[: whole_number(count, "count", 0)]
    return pairs[order], found.take(order)


def _endless(shapes: Any) -> Any:
    """Return which shapes are unbounded, (N,)."""
    if isinstance(shapes, Batch):
        return np.full(len(shapes), isinstance(shapes, HalfSpaces | Planes))
    kinds = np.array([isinstance(batch, HalfSpaces | Planes) for batch in shapes.batches], dtype=bool)
    return kinds[shapes.batch] if len(kinds) else np.zeros(0, dtype=bool)


def _in_space(vectors: Floats) -> Floats:
    """Vectors (N, 3), or vectors of the plane (N, 2) converted to 3D (N, 3)."""
    return np.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))
