# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds in one index space."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import queries
from .broad_phase import sweep_and_prune
from .results import Bools, Contacts, Distances, Floats, Ints, Separations
from .shapes import UNBOUNDED, HalfSpaces, Planes, Shapes


class World:
    """Shapes of several kinds in one index space, and the pairs among them that may meet.

    Every question of `collision_kit.core` takes a world in the place of a batch; the methods of the same names ask it
    of pairs within this world.

    Parameters
    ----------
    batches : sequence of shape batches
        Rows are numbered through in order.

    Attributes
    ----------
    batches : tuple of shape batches
    kind : (N,) int64
        `Kind` of each row.
    batch, slot : (N,) int64
        Which batch a row lies in, and where there.
    """

    def __init__(self, batches: Sequence[Shapes]) -> None:
        self.batches = tuple(batches)
        sizes = [len(batch) for batch in self.batches]
        self.batch: Ints = np.repeat(np.arange(len(sizes)), sizes)
        self.slot: Ints = np.concatenate([np.arange(size) for size in sizes] or [np.empty(0, dtype=np.int64)])
        self.kind: Ints = np.repeat(np.array([batch.kind for batch in self.batches], dtype=np.int64), sizes)

    def __len__(self) -> int:
        return len(self.kind)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of every shape: lower (N, 3) and upper (N, 3), infinite where a shape is."""
        parts = [batch.bounds() for batch in self.batches]
        nothing = np.empty((0, 3))
        return np.concatenate([nothing, *(p[0] for p in parts)]), np.concatenate([nothing, *(p[1] for p in parts)])

    def pairs(self, margin: float = 0.0) -> Ints:
        """Pairs whose bounds are no farther apart than `margin` along every axis.

        Returns
        -------
        (P, 2) int64
            i < j, in lexicographic order. Half-spaces and planes are paired with every shape whose bounds reach them,
            and not with each other.
        """
        lower, upper = self.bounds()
        endless = np.isin(self.kind, UNBOUNDED)
        bounded = np.flatnonzero(~endless)
        # Bounds carry rounding of their own; a hair more makes sure that no touching pair is lost to it.
        reach = margin / 2.0 + 4.0 * np.finfo(np.float64).eps * np.abs(np.stack([lower[bounded], upper[bounded]])).max(
            axis=(0, 2), initial=0.0
        )
        found = [bounded[sweep_and_prune(lower[bounded] - reach[:, None], upper[bounded] + reach[:, None])]]
        for row in np.flatnonzero(endless):
            found.append(self._reaching(int(row), bounded, lower, upper, margin))
        pairs = np.sort(np.concatenate(found), axis=1)
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def overlap(self, pairs: ArrayLike, *, axis: ArrayLike | None = None) -> Bools:
        """See `collision_kit.core.overlap`; `pairs` (P, 2) are rows of this world."""
        return queries.overlap(self, self, pairs, axis=axis)

    def separating_axis(self, pairs: ArrayLike) -> Separations:
        """See `collision_kit.core.separating_axis`; `pairs` (P, 2) are rows of this world."""
        return queries.separating_axis(self, self, pairs)

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `collision_kit.core.distance`; `pairs` (P, 2) are rows of this world."""
        return queries.distance(self, self, pairs)

    def contacts(
        self, pairs: ArrayLike, margin: float = 0.0, *, axis: ArrayLike | None = None, known: Distances | None = None
    ) -> Contacts:
        """See `collision_kit.core.contacts`; `pairs` (P, 2) are rows of this world."""
        return queries.contacts(self, self, pairs, margin, axis=axis, known=known)

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.contains`; `pairs` (P, 2) are rows of this world."""
        return queries.contains(self, self, pairs)

    def classify(self, pairs: ArrayLike, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0) -> Ints:
        """See `collision_kit.core.classify`; `pairs` (P, 2) are rows of this world."""
        return queries.classify(self, self, pairs, touching=touching, clearance=clearance)

    def _reaching(self, row: int, bounded: Ints, lower: Floats, upper: Floats, margin: float) -> Ints:
        """A half-space or plane with every bounded shape whose bounds come within `margin` of it."""
        surface = self.batches[self.batch[row]].take(self.slot[[row]])
        assert isinstance(surface, HalfSpaces | Planes)
        normal, offset = surface.normal[0], surface.offset[0]
        nearest = np.where(normal > 0.0, lower[bounded], upper[bounded])
        farthest = np.where(normal > 0.0, upper[bounded], lower[bounded])
        slack = 16.0 * np.finfo(np.float64).eps * (np.abs(nearest).max(axis=1, initial=0.0) + abs(offset))
        meets = nearest @ normal - offset <= margin + slack
        if isinstance(surface, Planes):
            meets &= farthest @ normal - offset >= -margin - slack
        return np.stack([np.full(np.count_nonzero(meets), row), bounded[meets]], axis=1)
