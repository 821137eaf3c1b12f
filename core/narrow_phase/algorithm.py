# SPDX-License-Identifier: GPL-3.0-or-later
"""What answers for a pair of kinds: one object for each, with a method for each question."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np

from ..numerics.types import Bools, Floats
from ..results import Contacts, Distances, Separations
from ..shapes.batch import Rows

A = TypeVar("A", contravariant=True)
B = TypeVar("B", contravariant=True)


class PairAlgorithm(ABC, Generic[A, B]):
    """The answers about pairs of a shape of kind A and one of kind B, row by row.

    Every method takes the two operands as `Rows`, of equal length: an algorithm that works block by block gathers each
    block itself, any other gathers all rows at once. The order of the kinds is that of the table of pairs; who asks the
    other way round has the answer `flipped`.
    """

    @abstractmethod
    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""

    @abstractmethod
    def separating_axis(self, a: Rows[A], b: Rows[B]) -> Separations:
        """The axis with the largest gap, or that of least overlap."""

    @abstractmethod
    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """Signed distance, witnesses and normal of each pair."""

    @abstractmethod
    def contacts(self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifold of each pair that overlaps, or is no farther apart than `margin`.

        Distances that are `known` need not be measured again. Parts and materials are left out.
        """

    def interference(self, a: Rows[A], b: Rows[B], touching: Floats, known: Distances | None = None) -> Floats:
        """How deep any point of one shape of each pair is in the other; up to `touching` (P,) any depth will do.

        Of convex shapes it is the penetration depth, and 0.0 of pairs that are apart or only touch.
        """
        found = self.distance(a, b) if known is None else known
        return np.where(found.distance < -found.rounding, -found.distance, 0.0)

    def farther(self, a: Rows[A], b: Rows[B], reach: Floats) -> Bools:
        """Whether each pair is proved to be farther apart than `reach` (P,), if that is soon known."""
        return np.zeros(len(a), dtype=bool)

    @abstractmethod
    def contains(self, a: Rows[A], b: Rows[B]) -> Bools:
        """Whether A holds all of B, touching from inside included."""

    @abstractmethod
    def contained(self, a: Rows[A], b: Rows[B]) -> Bools:
        """Whether B holds all of A."""


class Flipped(PairAlgorithm[A, B]):
    """The algorithm of a pair of kinds for the pair the other way round."""

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

    def farther(self, a: Rows[A], b: Rows[B], reach: Floats) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.farther(b, a, reach)

    def contains(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.contained(b, a)

    def contained(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return self.algorithm.contains(b, a)
