# SPDX-License-Identifier: GPL-3.0-or-later
"""Code shared by all pairs with a cylinder: from the facing directions of two shapes to the results of queries."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ..convex.active_set import Settled, brought_together, settled
from ..convex.batch_sides import FACED_BLOCK, proved_distances, proved_overlaps, selected
from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.candidate_directions import BestDirection
from ..numerics.rows import RowTable, blocks
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot
from ..results import Contacts, Distances, Separations
from ..shapes.batch import Rows
from ..shapes.support_mapped import Supported
from .algorithm import A, B, PairAlgorithm


@dataclass(frozen=True)
class FacingBlock(RowTable, ABC):
    """A block of pairs whose best facing directions are known, in a local frame.

    Attributes
    ----------
    rows : (P,) int64
        Indices of the pairs in the batches.
    origin : (P, 3) float64
        Origin of the frame in the world.
    a : PlacedCylinders
    b : PlacedCylinders or Polytopes
    facing : BestDirection
    slack : (P,) float64
        Rounding error of each pair.
    """

    rows: Ints
    origin: Floats
    a: PlacedCylinders
    b: Any
    facing: BestDirection
    slack: Floats

    @property
    def normal(self) -> Floats:
        """Unit normal from A to B."""
        return self.facing.normal

    @property
    def distance(self) -> Floats:
        """Signed distance, radii included."""
        return self.facing.gap - self.radius

    @property
    @abstractmethod
    def radius(self) -> Floats:
        """Radius of B's rounding, (P,)."""

    @abstractmethod
    def witness(self) -> Floats:
        """The point where the facing features lie over each other, seen along the normal, (P, 3)."""

    @abstractmethod
    def is_unique(self) -> Bools:
        """Whether the witness point is unique within rounding, (P,)."""

    @abstractmethod
    def write_middles(self, normal: Floats, distance: Floats, slack: Floats, middle: Floats) -> None:
        """Write the middle of the deepest part of each patch, (P, 3).

        Only points that are farthest along the normal to the slack (P,), and exactly over each other, are in the patch.
        NaN if it is less deep than the pair, because its features miss each other by rounding.
        """

    @abstractmethod
    def outside(self, point_a: Floats, point_b: Floats) -> Floats:
        """Return how far the points are outside A and B, the maximum of both, (P,).

        Witness points that come from vertices are not checked.
        """

    @abstractmethod
    def support_of_b(self) -> Supported:
        """Support mapping of B without its radius."""

    @abstractmethod
    def features(self) -> tuple[Ints, Ints]:
        """The facing features of A and of B, (P, 2) each."""


E = TypeVar("E", bound=FacingBlock)


class FacingPair(PairAlgorithm[A, B]):
    """Pair queries by GJK and EPA, and by the best facing direction of the pairs that these do not prove."""

    @abstractmethod
    def blocks(self, a: Any, b: Any, known: Distances | None = None) -> Iterable[FacingBlock]:
        """Facing directions of all pairs, in blocks: the normals of the `known` distances, or else the best ones."""

    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""
        result, left = proved_overlaps(a, b)
        if len(left):
            found = self._faced(a.take(left), b.take(left))
            result[left] = found.distance <= found.rounding
        return result

    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """Signed distance and witness points of each pair."""
        return self._distances(a, b, None)

    def _distances(self, a: Rows[A], b: Rows[B], limit: float | None) -> Distances:
        result, left = proved_distances(a, b, limit)
        if len(left):
            result.put(left, self._faced(a.take(left), b.take(left)))
        return result

    def _faced(self, a: Any, b: Any) -> Distances:
        """Distances by the best facing directions."""
        result = Distances.empty(len(a))
        for found in self.blocks(a, b):
            rows = found.rows
            found, middle = _with_middle(found)
            middle = found.origin + middle
            half = found.normal * (found.distance / 2.0)[:, None]
            result.distance[rows], result.normal[rows], result.rounding[rows] = (
                found.distance,
                found.normal,
                found.slack,
            )
            result.point_a[rows], result.point_b[rows] = middle - half, middle + half
        return result

    def separating_axis(self, a: Rows[A], b: Rows[B]) -> Separations:
        """The direction of the closest points, or that of least overlap."""
        result, known = Separations.empty(len(a)), self.distance(a, b)
        result.gap[:], result.axis[:] = known.distance, known.normal
        for found in self.blocks(a.gathered(), b.gathered(), known):
            result.feature_a[found.rows], result.feature_b[found.rows] = found.features()
        return result

    def contacts(self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifold of each pair that overlaps or is within `margin`."""
        gap = self._distances(a, b, margin) if known is None else known
        near, parts = (gap.distance <= margin + gap.rounding).nonzero()[0], []
        for block in blocks(len(near), FACED_BLOCK):
            rows = near[block]
            if len(rows) == len(gap):
                return self.manifold(a, b, margin, gap)
            made = self.manifold(selected(a, rows), selected(b, rows), margin, gap.take(rows))
            parts.append(replace(made, pair=rows[made.pair]))
        return Contacts.joined(parts)

    @abstractmethod
    def manifold(self, a: Rows[A], b: Rows[B], margin: float, known: Distances) -> Contacts:
        """Contacts of pairs with these distances."""


def _with_middle(found: E) -> tuple[E, Floats]:
    """Midpoints between the witness points. Pairs whose points are off their shapes get a new facing direction."""
    middle = _middle(found)
    half = found.normal * (found.distance / 2.0)[:, None]
    off = found.outside(middle - half, middle + half)
    rows = np.flatnonzero(off > found.slack)
    if not len(rows):
        return found, middle
    part = found.take(rows)
    a, b, radius = part.a, part.support_of_b(), part.radius
    normal, gap, tolerance = part.normal, part.facing.gap, part.slack / 4.0
    apart = gap > part.slack
    settle = Settled.empty(len(rows))
    some = np.flatnonzero(apart)
    if len(some):
        settle.put(some, settled(a.take(some), b.take(some), normal[some], tolerance[some]))
    some = np.flatnonzero(~apart)
    if len(some):
        settle.put(some, brought_together(a.take(some), b.take(some), normal[some], gap[some], tolerance[some]))
    better = np.flatnonzero(settle.miss < off[rows])
    rows, radius = rows[better], radius[better]
    normal = settle.normal[better]
    middle[rows] = (settle.point_a[better] + settle.point_b[better] - radius[:, None] * normal) / 2.0
    return replace(found, facing=found.facing.along(rows, normal, settle.lower[better])), middle


def _middle(found: FacingBlock) -> Floats:
    """Midpoint between the witness points of each pair: the middle of the deepest part of the patch."""
    point = found.witness()
    rows = np.flatnonzero(~found.is_unique())
    if len(rows):
        part, middle = found.take(rows), np.empty((len(rows), 3))
        given = np.ascontiguousarray(part.normal), np.ascontiguousarray(part.distance), part.slack
        part.write_middles(*given, middle)
        # If the patch is less deep than the pair, the features only face each other within rounding. Keep the point.
        some = np.isfinite(middle[:, 0])
        point[rows[some]] = middle[some]
    rise = found.a.reach(found.normal) + found.distance / 2.0 - dot(point, found.normal)
    return point + rise[:, None] * found.normal
