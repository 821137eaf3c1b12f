# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds with common row indices."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..broad_phase import sweep_and_prune
from ..continuous.motion import Motion, RigidMotion, motion_of
from ..continuous.swept_aabb import swept_bounds
from ..continuous.time_of_impact import MAX_ITERATIONS, time_of_impact
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_flag, check_lengths, items, one_length, row_lengths
from ..numerics.vectors import dot
from ..query import queries
from ..query.coplanar import CoplanarFaces, coplanar_faces
from ..query.duplicates import duplicates
from ..query.operands import index_pairs
from ..rays import in_worlds
from ..results import (
    Contacts,
    Depths,
    Distances,
    Impacts,
    Separations,
    WorldClosestPoints,
    WorldImpacts,
    WorldRayHits,
)
from ..shapes import UNBOUNDED, HalfSpaces, Kind, Planes, Shapes, check_batch
from ..shapes.batch import ShapeCollection


class World(ShapeCollection):
    """Shapes of several kinds with common row indices, and the pairs among them that may touch.

    All queries of `collision_kit.core` accept a world instead of a batch. The methods with the same names are queries
    about pairs within this world.

    A row with a margin represents all points within that distance of its shape, in all functions and methods. Corners
    and edges of such a shape are round. Features are those of the shape without margin.

    Parameters
    ----------
    batches : sequence of shape batches
        Rows are numbered consecutively over all batches.
    margin : (N,) array-like, optional
        Distance by which each row is inflated, in the caller's unit, not negative. Planes and compounds have no
        margin.

    Attributes
    ----------
    batches : tuple of shape batches
    kind : (N,) int64
        `Kind` of each row.
    batch, slot : (N,) int64
        The batch of each row, and the row within that batch.
    margin : (N,) float64 or None
        None if no row has a margin.

    Raises
    ------
    ValueError
        If one of `batches` is not a batch of shapes in space; if the number of margins differs from that of shapes; if
        a margin is not a valid length, or belongs to a plane or a compound.
    """

    def __init__(self, batches: Sequence[Shapes], margin: ArrayLike | None = None) -> None:
        given = tuple(items(batches, "batches"))
        for row, batch in enumerate(given):
            check_batch(batch, f"batches: row {row}")
        rows = ShapeCollection.of(given)
        super().__init__(given, rows.batch, rows.slot, checked_margin(margin, len(rows)))
        self.kind: Ints = np.array([batch.kind for batch in given], dtype=np.int64)[self.batch]
        if self.margin is not None:
            odd = np.isin(self.kind, (Kind.PLANE, Kind.COMPOUND)) & (self.margin > 0.0)
            if odd.any():
                raise ValueError(f"margin: row {int(np.argmax(odd))} is a plane or a compound, which takes none")

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of all shapes: lower (N, 3) and upper (N, 3), infinite for unbounded shapes."""
        lower, upper = self._bounds
        return lower.copy(), upper.copy()

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        parts = [batch.bounds() for batch in self.batches]
        reach = 0.0 if self.margin is None else self.margin[:, None]
        lower, upper = (self.per_row([part[side] for part in parts]) if parts else np.empty((0, 3)) for side in (0, 1))
        return lower - reach, upper + reach

    def pairs(self, margin: float = 0.0) -> Ints:
        """Pairs whose bounds are at most `margin` apart along every axis.

        Returns
        -------
        (P, 2) int64
            i < j, in lexicographic order. Half-spaces and planes are paired with all bounded shapes whose bounds reach
            them, but not with each other.
        """
        reach, still = one_length(margin, "margin"), np.zeros(len(self))
        return self._pairs_within(*self.bounds(), (still, still), reach)

    def overlap(self, pairs: ArrayLike, *, axis: ArrayLike | None = None) -> Bools:
        """See `collision_kit.core.overlap`; `pairs` (P, 2) are rows of this world."""
        return queries.overlap(self, self, checked_pairs(pairs), axis=axis)

    def separating_axis(self, pairs: ArrayLike) -> Separations:
        """See `collision_kit.core.separating_axis`; `pairs` (P, 2) are rows of this world."""
        return queries.separating_axis(self, self, checked_pairs(pairs))

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `collision_kit.core.distance`; `pairs` (P, 2) are rows of this world."""
        return queries.distance(self, self, checked_pairs(pairs))

    def contacts(
        self, pairs: ArrayLike, margin: float = 0.0, *, axis: ArrayLike | None = None, known: Distances | None = None
    ) -> Contacts:
        """See `collision_kit.core.contacts`; `pairs` (P, 2) are rows of this world."""
        return queries.contacts(self, self, checked_pairs(pairs), margin, axis=axis, known=known)

    def distance_steps(self, pairs: ArrayLike) -> Generator[None, None, Distances]:
        """Run `distance` in steps, which take long only for large meshes that overlap, and return the same."""
        return queries.distance_steps(self, self, index_pairs(self, self, checked_pairs(pairs)))

    def contact_steps(
        self, pairs: ArrayLike, margin: float = 0.0, *, known: Distances | None = None
    ) -> Generator[None, None, Contacts]:
        """Run `contacts` in steps, as `distance_steps`, and return the same."""
        rows = index_pairs(self, self, checked_pairs(pairs))
        queries.check_known(known, len(rows))
        return queries.contact_steps(self, self, rows, one_length(margin, "margin"), known)

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None, touching: ArrayLike = 0.0) -> Floats:
        """See `collision_kit.core.interference`; `pairs` (P, 2) are rows of this world."""
        return queries.interference(self, self, checked_pairs(pairs), known=known, touching=touching)

    def depths(self, pairs: ArrayLike, *, known: Distances | None = None, touching: ArrayLike = 0.0) -> Depths:
        """Measure `interference`, and tell for which pairs it is only a lower bound: `at_least` of the result.

        The parameters are those of `collision_kit.core.interference`.
        """
        rows = index_pairs(self, self, checked_pairs(pairs))
        queries.check_known(known, len(rows))
        return queries.depths(self, self, rows, known, row_lengths(touching, "touching", len(rows)))

    def depth_steps(
        self, pairs: ArrayLike, *, touching: ArrayLike = 0.0, full: bool = True
    ) -> Generator[None, None, Depths]:
        """Run `depths` in steps. In full, also pairs for which `depths` returns a lower bound are measured."""
        rows = index_pairs(self, self, checked_pairs(pairs))
        check_flag(full, "full")
        return queries.depth_steps(self, self, rows, row_lengths(touching, "touching", len(rows)), full=bool(full))

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.contains`; `pairs` (P, 2) are rows of this world."""
        return queries.contains(self, self, checked_pairs(pairs))

    def classify(self, pairs: ArrayLike, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0) -> Ints:
        """See `collision_kit.core.classify`; `pairs` (P, 2) are rows of this world."""
        return queries.classify(self, self, checked_pairs(pairs), touching=touching, clearance=clearance)

    def classify_steps(
        self, pairs: ArrayLike, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0, depths: bool = True
    ) -> Generator[None, None, tuple[Ints, Depths]]:
        """Run `classify` in steps, and return the verdicts and the depths of pairs that penetrate or contain.

        The depths are those of `depths`. Other pairs have any depth up to their tolerance, or 0.0. Without `depths`,
        all have 0.0, which takes less time.
        """
        check_flag(depths, "depths")
        rows = index_pairs(self, self, checked_pairs(pairs))
        touches, clears = row_lengths(touching, "touching", len(rows)), row_lengths(clearance, "clearance", len(rows))
        return queries.classify_steps(self, self, rows, touches, clears, deep=bool(depths))

    def duplicates(self, pairs: ArrayLike, *, tolerance: ArrayLike = 0.0) -> Bools:
        """See `collision_kit.core.duplicates`; `pairs` (P, 2) are rows of this world."""
        return duplicates(self, self, checked_pairs(pairs), tolerance=tolerance)

    def coplanar_faces(self, pairs: ArrayLike, *, tolerance: ArrayLike = 0.0) -> CoplanarFaces:
        """See `collision_kit.core.coplanar_faces`; `pairs` (P, 2) are rows of this world."""
        return coplanar_faces(self, self, checked_pairs(pairs), tolerance=tolerance)

    def ray_cast(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        max_distance: ArrayLike = np.inf,
        all_hits: bool = False,
        backfaces: bool = True,
    ) -> WorldRayHits:
        """The first shape that each ray hits; see `collision_kit.core.ray_cast`.

        Parameters
        ----------
        origin, direction : (R, 3) array-like
        max_distance : float or (R,) array-like
        all_hits : bool
            If true, the result has all shapes that each ray hits, ordered by ray and distance. Only rays that hit a
            shape have rows.
        backfaces : bool

        Returns
        -------
        WorldRayHits
            Without `all_hits`, a row for each ray. Of equally near shapes, the lowest row is hit.
        """
        check_flag(all_hits, "all_hits")
        return in_worlds.ray_cast(self, origin, direction, max_distance, bool(all_hits), backfaces)

    def closest(self, points: ArrayLike) -> WorldClosestPoints:
        """The shape of this world that is nearest to each point, or deepest around it.

        Parameters
        ----------
        points : (Q, 3) array-like

        Returns
        -------
        WorldClosestPoints
            A row for each point; see `collision_kit.core.closest_points`. Of equally near shapes, it is the lowest row.

        Raises
        ------
        ValueError
            If points have the wrong shape or are not finite, or the world has no shape.
        """
        return in_worlds.closest_shapes(self, points)

    def nearest_pairs(self, reach: float, *, count: int | None = None) -> tuple[Ints, Distances]:
        """Pairs of shapes that are at most `reach` apart, nearest first.

        Parameters
        ----------
        reach : float
            In the caller's unit, not negative.
        count : int, optional
            At most this many pairs, the nearest. None: all.

        Returns
        -------
        pairs : (P, 2) int64
            Rows of this world, i < j. Overlapping pairs come first, deepest first.
        distances : Distances
            The results for these pairs.
        """
        return in_worlds.nearest_pairs(self, reach, count)

    def sweep(self, shapes: Shapes, velocity: ArrayLike) -> WorldImpacts:
        """The first shapes of this static world that moving shapes touch.

        Parameters
        ----------
        shapes : batch of shapes or World
            The N shapes that move.
        velocity : (N, 3) array-like
            Displacement of each shape over the interval. A single row applies to all shapes.

        Returns
        -------
        WorldImpacts
            A row for each moving shape; see `collision_kit.core.time_of_impact`.
        """
        return in_worlds.sweep(self, shapes, velocity)

    def time_of_impact(
        self,
        pairs: ArrayLike | None = None,
        *,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        pivot: ArrayLike | None = None,
        motion: Motion | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> tuple[Ints, Impacts]:
        """First contacts of the shapes of this world while they move; see `collision_kit.core.time_of_impact`.

        Parameters
        ----------
        pairs : (P, 2) array-like of int, optional
            Rows of this world. None: all pairs whose `swept_bounds` overlap.
        velocity, angular_velocity, pivot : (N, 3) array-like, optional
            Motion of each row of this world. A single row applies to all shapes. None: zero.
        motion : Motion, optional
            Any motion of the rows of this world, instead of velocities.
        max_iterations : int

        Returns
        -------
        pairs : (P, 2) int64
        impacts : Impacts
            The results for these pairs.
        """
        moves = motion_of(self, "", (velocity, angular_velocity, pivot), motion)
        rows = self._pairs_during(moves) if pairs is None else index_pairs(self, self, pairs)
        return rows, time_of_impact(self, self, rows, motion_a=moves, motion_b=moves, max_iterations=max_iterations)

    def _pairs_during(self, motion: Motion) -> Ints:
        """Pairs whose bounds over the whole interval overlap."""
        # How far the surfaces of unbounded shapes move down and up along their normals.
        fall, rise = np.zeros(len(self)), np.zeros(len(self))
        rows = np.flatnonzero(np.isin(self.kind, UNBOUNDED))
        if len(rows):
            moves = motion.take(rows)
            fall[rows], rise[rows] = -np.inf, np.inf
            if isinstance(moves, RigidMotion):
                normal = np.concatenate([self.batches[self.batch[row]].normal[[self.slot[row]]] for row in rows])
                along, straight = dot(normal, moves.velocity), ~moves.is_rotating()
                fall[rows[straight]] = np.minimum(along, 0.0)[straight]
                rise[rows[straight]] = np.maximum(along, 0.0)[straight]
        return self._pairs_within(*swept_bounds(self, motion=motion), (fall, rise), 0.0)

    def _pairs_within(self, lower: Floats, upper: Floats, shift: tuple[Floats, Floats], margin: float) -> Ints:
        """Pairs whose bounds are within `margin`. `shift`: movement of unbounded shapes along their normals."""
        if self.margin is not None:
            shift = shift[0] - self.margin, shift[1] + self.margin
        unbounded = np.isin(self.kind, UNBOUNDED)
        bounded = np.flatnonzero(~unbounded)
        # Bounds are rounded: inflate them slightly so that no touching pair is lost.
        reach = margin / 2.0 + 4.0 * np.finfo(np.float64).eps * np.abs(np.stack([lower[bounded], upper[bounded]])).max(
            axis=(0, 2), initial=0.0
        )
        found = [bounded[sweep_and_prune(lower[bounded] - reach[:, None], upper[bounded] + reach[:, None])]]
        for row in np.flatnonzero(unbounded):
            found.append(
                self._pairs_with_unbounded(int(row), bounded, lower, upper, (shift[0][row], shift[1][row]), margin)
            )
        pairs = np.sort(np.concatenate(found), axis=1)
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def _pairs_with_unbounded(
        self, row: int, bounded: Ints, lower: Floats, upper: Floats, shift: tuple[float, float], margin: float
    ) -> Ints:
        """Pairs of a half-space or plane and all bounded shapes with bounds within `margin` of it during its motion."""
        surface = self.batches[self.batch[row]].take(self.slot[[row]])
        assert isinstance(surface, HalfSpaces | Planes)
        normal, offset = surface.normal[0], surface.offset[0]
        nearest = np.where(normal > 0.0, lower[bounded], upper[bounded])
        farthest = np.where(normal > 0.0, upper[bounded], lower[bounded])
        slack = 16.0 * np.finfo(np.float64).eps * (np.abs(nearest).max(axis=1, initial=0.0) + abs(offset))
        near = nearest @ normal - (offset + shift[1]) <= margin + slack
        if isinstance(surface, Planes):
            near &= farthest @ normal - (offset + shift[0]) >= -margin - slack
        return np.stack([np.full(np.count_nonzero(near), row), bounded[near]], axis=1)


def checked_margin(margin: ArrayLike | None, count: int) -> Floats | None:
    """The validated margins of `count` rows, (N,); None if no row has one."""
    if margin is None:
        return None
    check_lengths(margin=margin)
    result: Floats = np.array(margin, dtype=np.float64)
    if result.shape != (count,):
        raise ValueError(f"margin: shape {result.shape}, but there are {count} shapes")
    return result if result.any() else None


def checked_pairs(pairs: ArrayLike) -> ArrayLike:
    """The pairs, which must be given: without them, queries would pair each row with itself."""
    if pairs is None or isinstance(pairs, str):
        raise ValueError(f"pairs: {pairs!r}, but rows of this world are needed, such as those of pairs()")
    return pairs
