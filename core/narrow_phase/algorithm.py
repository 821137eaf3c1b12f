# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of pair algorithms: one object for each pair of kinds, with a method for each query."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Any, Generic, TypeVar

import numpy as np

from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Depths, Distances, Separations
from ..shapes.batch import Rows

A = TypeVar("A", contravariant=True)
B = TypeVar("B", contravariant=True)


class PairAlgorithm(ABC, Generic[A, B]):
    """Queries on pairs of a shape of kind A and a shape of kind B, row by row.

    The methods take the two operands as `Rows` of equal length. An algorithm that works in blocks gathers each block
    itself. Any other gathers all rows at once. `contains` and `contained` take gathered batches. The order of the kinds
    is that of the table of pairs. The reverse order is handled by `Flipped`.
    """

    @abstractmethod
    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""

    @abstractmethod
    def separating_axis(self, a: Rows[A], b: Rows[B]) -> Separations:
        """The axis with the largest gap. For overlapping pairs, this is the axis of least overlap."""

    @abstractmethod
    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """Signed distance, witness points and normal of each pair."""

    def local_distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """Signed distance of each pair, which is the negated interference of overlapping pairs.

        The witness points of overlapping pairs differ by the interference along the normal.
        """
        found = self.distance(a, b)
        rows = np.flatnonzero(found.distance < -found.rounding)
        if len(rows):
            some: tuple[Any, Any] = a.take(rows), b.take(rows)
            depth = self.interference(*some, np.zeros(len(rows)), found.take(rows))
            found.distance[rows] = -depth
            found.point_b[rows] = found.point_a[rows] - depth[:, None] * found.normal[rows]
        return found

    @abstractmethod
    def contacts(self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifold of each pair that overlaps or is within `margin`.

        If the distances are `known`, they are not measured again. Parts and materials are not filled in.
        """

    def contact_steps(
        self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None
    ) -> Generator[None, None, Contacts]:
        """Run `contacts` in steps."""
        yield from ()
        return self.contacts(a, b, margin, known)

    def distance_steps(self, a: Rows[A], b: Rows[B]) -> Generator[None, None, Distances]:
        """Run `distance` in steps."""
        yield from ()
        return self.distance(a, b)

    def interference(self, a: Rows[A], b: Rows[B], touching: Floats, known: Distances | None = None) -> Floats:
        """Return how deep any point of one shape is in the other, (P,). Values up to `touching` (P,) need not be exact.

        For convex shapes this is the penetration depth. It is 0.0 for pairs that are separated or only touch.
        """
        found = self.distance(a, b) if known is None else known
        return np.where(found.distance < -found.rounding, -found.distance, 0.0)

    def depths(self, a: Rows[A], b: Rows[B], touching: Floats, known: Distances | None = None) -> Depths:
        """Return `interference`, with upper bounds. They are equal, except where a search was ended early."""
        depth = self.interference(a, b, touching, known)
        return Depths(depth, depth)

    def depth_steps(
        self, a: Rows[A], b: Rows[B], touching: Floats, known: Distances | None = None, *, full: bool
    ) -> Generator[None, None, Depths]:
        """Run `depths` in steps. In full, few depths are lower bounds."""
        yield from ()
        return self.depths(a, b, touching, known)

    def classify_steps(
        self, a: Rows[A], b: Rows[B], touching: Floats, clearance: Floats, *, deep: bool
    ) -> Generator[None, None, tuple[Ints, Depths]]:
        """Return the verdict on each pair, with the tolerances of each, (P,), and depths, in steps.

        Contained pairs may count as penetrating. If `deep`, the depths of all penetrating pairs are measured. Otherwise
        only those that the verdicts need are.
        """
        found = yield from self.distance_steps(a, b)
        inner = Depths(*np.zeros((2, len(found))))
        rows = np.flatnonzero(found.distance < -found.rounding)
        if len(rows):
            some: tuple[Any, Any] = a.take(rows), b.take(rows)
            inner.put(rows, (yield from self.depth_steps(*some, touching[rows], found.take(rows), full=False)))
        # If a search was ended early, a point may be as deep as the bound.
        return found.verdict(touching, clearance, interference=inner.bound), inner

    def farther(self, a: Rows[A], b: Rows[B], reach: Floats) -> Bools:
        """Whether each pair is proved to be farther apart than `reach` (P,). May be False if the proof takes long."""
        return np.zeros(len(a), dtype=bool)

    @abstractmethod
    def contains(self, a: A, b: B) -> Bools:
        """Whether A contains all of B, touching from inside included."""

    @abstractmethod
    def contained(self, a: A, b: B) -> Bools:
        """Whether B contains all of A."""


class Flipped(PairAlgorithm[A, B]):
    """Adapter of an algorithm to the reverse order of the two kinds."""

    def __init__(self, algorithm: PairAlgorithm[B, A]) -> None:
        self.algorithm = algorithm

    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.overlap(b, a)

    def separating_axis(self, a: Rows[A], b: Rows[B]) -> Separations:
        """See `PairAlgorithm`."""
        return self.algorithm.separating_axis(b, a).flipped()

    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """See `PairAlgorithm`."""
        return self.algorithm.distance(b, a).flipped()

    def contacts(self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None) -> Contacts:
        """See `PairAlgorithm`."""
        return self.algorithm.contacts(b, a, margin, None if known is None else known.flipped()).flipped()

    def local_distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """See `PairAlgorithm`."""
        return self.algorithm.local_distance(b, a).flipped()

    def farther(self, a: Rows[A], b: Rows[B], reach: Floats) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.farther(b, a, reach)

    def classify_steps(
        self, a: Rows[A], b: Rows[B], touching: Floats, clearance: Floats, *, deep: bool
    ) -> Generator[None, None, tuple[Ints, Depths]]:
        """See `PairAlgorithm`."""
        return self.algorithm.classify_steps(b, a, touching, clearance, deep=deep)

    def contains(self, a: A, b: B) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.contained(b, a)

    def contained(self, a: A, b: B) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.contains(b, a)
