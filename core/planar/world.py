# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds of the plane in one index space, their broad phase, and such a world placed in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..broad_phase import sweep_and_prune as sweep_and_prune_in_space
from ..broad_phase.sweep_and_prune import HasBounds, given_bounds
from ..continuous.swept_aabb import swept_bounds
from ..continuous.time_of_impact import MAX_ITERATIONS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_flag, items, one_length
from ..rays import in_worlds
from ..rays.points import checked_points
from ..rays.ray_cast import checked_rays
from ..results import Contacts, Distances, Impacts, Separations, WorldClosestPoints, WorldImpacts, WorldRayHits
from ..shapes.batch import ShapeCollection
from ..world.world import checked_margin, checked_pairs
from . import queries
from .narrow_phase import shape_cast
from .points import measure
from .ray_cast import cast
from .shapes.regions import Body


def sweep_and_prune(lower: ArrayLike | HasBounds, upper: ArrayLike | None = None) -> Ints:
    """All pairs of axis-aligned boxes that overlap; touching boxes overlap.

    Parameters
    ----------
    lower, upper : (N, 2) array-like
        Finite; no lower bound is above its upper bound. See `bounds`. Shapes alone, a batch or a World, stand for their
        bounds.

    Returns
    -------
    (P, 2) int64
        Index pairs, i < j, in lexicographic order, without duplicates.

    Raises
    ------
    ValueError
        If shapes differ, a number is not finite, a lower bound is above its upper bound, or `upper` is missing.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.sweep_and_prune([[0, 0], [1, 0], [5, 0]], [[2, 1], [3, 1], [6, 1]])
    array([[0, 1]])
    """
    low, high = (
        np.pad(array(side, name, (-1, 2)), ((0, 0), (0, 1)))
        for side, name in zip(given_bounds(lower, upper), ("lower", "upper"), strict=True)
    )
    return sweep_and_prune_in_space(low, high)


Vectors = TypeVar("Vectors", Distances, Contacts)


class World(ShapeCollection):
    """Shapes of several kinds of the plane in one index space, and the pairs of them that may overlap.

    The queries of `collision_kit.core.planar` accept a world in place of a batch. The methods of the same names take
    pairs within this world. A row with a margin stands for all points no farther from its shape than the margin, in
    every query, for functions and methods alike.

    Parameters
    ----------
    batches : sequence of batches of shapes of the plane
        The rows of all batches are numbered in order.
    margin : (N,) array-like, optional
        How far each row extends beyond its shape, in the caller's unit, not negative.

    Attributes
    ----------
    batches : tuple of batches
    batch, slot : (N,) int64
        The batch of each row, and the row within the batch.
    margin : (N,) float64 or None
        None if no row has a margin.

    Raises
    ------
    UnsupportedPair
        If one of `batches` is not a batch of shapes of the plane.
    ValueError
        If the number of margins differs from the number of shapes, or a margin is not a valid length.
    """

    def __init__(self, batches: Sequence[Body], margin: ArrayLike | None = None) -> None:
        given = tuple(items(batches, "batches"))
        for row, batch in enumerate(given):
            queries.check_kind(batch, f"batches: row {row}")
        rows = ShapeCollection.of(given)
        super().__init__(rows.batches, rows.batch, rows.slot, checked_margin(margin, len(rows)))

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of every shape with its margin: lower (N, 2) and upper (N, 2)."""
        parts = [batch.bounds() for batch in self.batches]
        reach = 0.0 if self.margin is None else self.margin[:, None]
        lower, upper = (self.per_row([part[side] for part in parts]) if parts else np.empty((0, 2)) for side in (0, 1))
        return lower - reach, upper + reach

    def pairs(self, margin: float = 0.0) -> Ints:
        """Pairs whose bounds are no farther apart than `margin` along either axis: (P, 2), i < j, in order."""
        return _near(*self.bounds(), one_length(margin, "margin"))

    def overlap(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.planar.overlap`; `pairs` (P, 2) are rows of this world."""
        return queries.overlap(self, self, checked_pairs(pairs))

    def separating_axis(self, pairs: ArrayLike) -> Separations:
        """See `collision_kit.core.planar.separating_axis`; `pairs` (P, 2) are rows of this world."""
        return queries.separating_axis(self, self, checked_pairs(pairs))

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `collision_kit.core.planar.distance`; `pairs` (P, 2) are rows of this world."""
        return queries.distance(self, self, checked_pairs(pairs))

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None) -> Floats:
        """See `collision_kit.core.planar.interference`; `pairs` (P, 2) are rows of this world."""
        return queries.interference(self, self, checked_pairs(pairs), known=known)

    def contacts(self, pairs: ArrayLike, margin: float = 0.0) -> Contacts:
        """See `collision_kit.core.planar.contacts`; `pairs` (P, 2) are rows of this world."""
        return queries.contacts(self, self, checked_pairs(pairs), margin)

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.planar.contains`; `pairs` (P, 2) are rows of this world."""
        return queries.contains(self, self, checked_pairs(pairs))

    def classify(self, pairs: ArrayLike, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0) -> Ints:
        """See `collision_kit.core.planar.classify`; `pairs` (P, 2) are rows of this world."""
        return queries.classify(self, self, checked_pairs(pairs), touching=touching, clearance=clearance)

    def ray_cast(
        self, origin: ArrayLike, direction: ArrayLike, *, max_distance: ArrayLike = np.inf, all_hits: bool = False
    ) -> WorldRayHits:
        """The first shape that each ray hits; see `collision_kit.core.World.ray_cast`, with (R, 2) arrays."""
        check_flag(all_hits, "all_hits")
        rays = checked_rays(origin, direction, max_distance, dimensions=2)
        return in_worlds.hits(self, rays, bool(all_hits), cast)

    def closest(self, points: ArrayLike) -> WorldClosestPoints:
        """The nearest or deepest shape to each point; see `collision_kit.core.World.closest`, with (Q, 2) points."""
        return in_worlds.nearest_shapes(self, checked_points(points, 2), measure)

    def nearest_pairs(self, reach: float, *, count: int | None = None) -> tuple[Ints, Distances]:
        """Pairs that are no farther apart than `reach`, nearest first; see `collision_kit.core.World.nearest_pairs`."""
        return in_worlds.nearest_pairs(self, reach, count)

    def sweep(self, shapes: Body | World, velocity: ArrayLike) -> WorldImpacts:
        """The first shapes that moving shapes touch; see `collision_kit.core.World.sweep`, with (N, 2) velocities."""
        queries.check_kind(shapes, "shapes")
        moves = in_worlds.velocities(velocity, len(shapes), 2)
        return in_worlds.first_touched(self, shapes, moves, queries.time_of_impact)

    def time_of_impact(
        self,
        pairs: ArrayLike | None = None,
        *,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        pivot: ArrayLike | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> tuple[Ints, Impacts]:
        """First times of contact of moving shapes of this world; see `collision_kit.core.planar.time_of_impact`.

        Parameters
        ----------
        pairs : (P, 2) array-like of int, optional
            Rows of this world. None: all pairs whose bounds over the whole motion overlap.
        velocity : (N, 2) array-like, optional
        angular_velocity : (N,) array-like, optional
        pivot : (N, 2) array-like, optional
            For each row of this world; one row is used for all, None is zero.
        max_iterations : int

        Returns
        -------
        pairs : (P, 2) int64
        impacts : Impacts
            The impacts of these pairs.
        """
        moves = queries.motion(velocity, angular_velocity, pivot, len(self), "")
        rows = self._may_meet(*moves) if pairs is None else queries.index_rows(self, self, pairs)
        speed, turn, place = moves
        found = queries.time_of_impact(
            self,
            self,
            rows,
            velocity_a=speed,
            velocity_b=speed,
            angular_velocity_a=turn,
            angular_velocity_b=turn,
            pivot_a=place,
            pivot_b=place,
            max_iterations=max_iterations,
        )
        return rows, found

    def _may_meet(self, velocity: Floats, angular_velocity: Floats, pivot: Floats) -> Ints:
        """Pairs whose bounds over the whole motion, times 0 to 1, overlap."""
        if not len(self):
            return np.empty((0, 2), np.int64)
        solids = ShapeCollection(
            tuple(shape_cast.in_space(batch) for batch in self.batches), self.batch, self.slot, self.margin
        )
        moves = shape_cast.motion_in_space(velocity, angular_velocity, pivot)
        lower, upper = swept_bounds(solids, motion=moves)
        return _near(lower[:, :2], upper[:, :2], 0.0)


def _near(lower: Floats, upper: Floats, margin: float) -> Ints:
    """Pairs whose bounds are no farther apart than `margin` along either axis."""
    # Bounds are rounded; a little more makes sure that no touching pair is lost.
    slack = 4.0 * np.finfo(np.float64).eps * np.abs(np.stack([lower, upper])).max(axis=(0, 2), initial=0.0)
    reach = (margin / 2.0 + slack)[:, None]
    return sweep_and_prune(lower - reach, upper + reach)


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane in space, with a viewing direction.

    Attributes
    ----------
    axes : (3, 3) float64
        Rows: the plane's first and second axis, and its normal towards the viewer; orthonormal, right-handed.
    """

    axes: Floats

    def down(self, points: Floats) -> Floats:
        """Points of space (…, 3) projected to the plane's coordinates (…, 2)."""
        result: Floats = points @ self.axes[:2].T
        return result

    def height(self, points: Floats) -> Floats:
        """The distances of points of space (…, 3) in front of the origin."""
        result: Floats = points @ self.axes[2]
        return result

    def up(self, points: Floats, height: ArrayLike = 0.0) -> Floats:
        """Points of the plane (…, 2) in space, at a height in front of the origin."""
        result: Floats = points @ self.axes[:2] + np.asarray(height, np.float64)[..., None] * self.axes[2]
        return result


class PlacedWorld:
    """A planar world in space: its queries have the results of a `collision_kit.core.World`, with vectors of space.

    An outline has no single height. The results of a pair are therefore placed at the front of both shapes, where
    nothing of the two hides them.

    Parameters
    ----------
    flat : World
    plane : Plane
    front : (N,) float64
        The height of the foremost point of each shape.
    """

    def __init__(self, flat: World, plane: Plane, front: Floats) -> None:
        self.flat, self.plane, self.front = flat, plane, front

    def __len__(self) -> int:
        return len(self.flat)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds in space of the bounds in the plane: lower (N, 3) and upper (N, 3)."""
        low, high = self.flat.bounds()
        corners = [np.stack([x, y], axis=1) for x in (low[:, 0], high[:, 0]) for y in (low[:, 1], high[:, 1])]
        placed = np.stack([self.plane.up(corner, self.front) for corner in corners])
        return placed.min(axis=0), placed.max(axis=0)

    def pairs(self, margin: float = 0.0) -> Ints:
        """Pairs whose bounds in the plane are no farther apart than `margin`."""
        return self.flat.pairs(margin)

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `collision_kit.core.planar.distance`."""
        given = np.asarray(pairs, np.int64).reshape(-1, 2)
        return self._placed(self.flat.distance(given), self._height(given), ("point_a", "point_b"))

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None) -> Floats:
        """See `collision_kit.core.planar.interference`; `known` is the result of `distance` for the pairs."""
        return self.flat.interference(pairs, known=known)

    def contacts(self, pairs: ArrayLike, margin: float = 0.0, *, known: Distances | None = None) -> Contacts:
        """See `collision_kit.core.planar.contacts`; `known` is not needed."""
        given = np.asarray(pairs, np.int64).reshape(-1, 2)
        found = self.flat.contacts(given, margin)
        return self._placed(found, self._height(given)[found.pair], ("point",))

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.planar.contains`."""
        return self.flat.contains(pairs)

    def _height(self, pairs: Ints) -> Floats:
        height: Floats = self.front[pairs].max(axis=1) if len(pairs) else np.empty(0)
        return height

    def _placed(self, found: Vectors, height: Floats, points: tuple[str, ...]) -> Vectors:
        placed: dict[str, Any] = {name: self.plane.up(getattr(found, name), height) for name in points}
        return replace(found, normal=self.plane.up(found.normal), **placed)
