# SPDX-License-Identifier: GPL-3.0-or-later
"""Code shared by all pairs with a cylinder: from the facing directions of two shapes to the results of queries."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ..convex.active_set import Settled, brought_together, settled
from ..convex.batch_sides import proved_distances, proved_overlaps
from ..convex.contact_manifold import dropped
from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.candidate_directions import BestDirection
from ..convex.manifold import Patch
from ..convex.polytopes.placed import Polytopes
from ..numerics.rows import RowTable
from ..numerics.tolerances import OFF_THIN
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot
from ..results import Contacts, Distances, Separations
from ..shapes.batch import Rows
from ..shapes.support_mapped import Supported
from .algorithm import A, B, PairAlgorithm
from .patch_contacts import OwnContact, contacts_of


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
    def patch(self, level: Floats | None = None) -> Patch:
        """All corners of the contact patch. Pairs whose features miss each other by rounding may have none.

        With a `level` (P,), only points that are farthest along the normal to this level, and exactly over each other.
        """

    @abstractmethod
    def outside(self, point_a: Floats, point_b: Floats, every: bool = False) -> Floats:
        """Return how far the points are outside A and B, the maximum of both, (P,).

        Witness points that come from vertices are not checked unless `every` is True.
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
        near = np.flatnonzero(gap.distance <= margin + gap.rounding)
        gap, parts = gap.take(near), []
        for block in self.blocks(a.take(near), b.take(near), gap):
            made = _manifold(block, gap.take(block.rows), margin)
            parts.append(replace(made, pair=near[made.pair]))
        return Contacts.joined(parts)


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
        patch = found.take(rows).patch(found.slack[rows])
        deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
        level = patch.valid & (patch.depth >= (deepest - found.slack[rows])[:, None])
        share = level / np.maximum(level.sum(axis=1), 1)[:, None]
        # If the patch is less deep than the pair, the features only face each other within rounding. Keep the point.
        some = level.any(axis=1) & (deepest >= -found.distance[rows] - found.slack[rows])
        point[rows[some]] = np.einsum("pk,pki->pi", share, patch.point)[some]
    rise = found.a.reach(found.normal) + found.distance / 2.0 - dot(point, found.normal)
    return point + rise[:, None] * found.normal


def _manifold(found: FacingBlock, gap: Distances, margin: float) -> Contacts:
    """Contacts of pairs with these distances."""
    middle = (gap.point_a + gap.point_b) / 2.0 - found.origin
    own = OwnContact(found.rows, found.origin, middle, gap.distance, gap.normal, gap.rounding, *found.features())
    made = contacts_of(found.patch(), own, margin)
    # Points that lie over each other along the normal may be beside a needle or a sliver.
    place = np.searchsorted(found.rows, made.pair)
    rows = np.flatnonzero(_thin(found.b)[place])
    if not len(rows):
        return made
    pair = place[rows]
    point, half = made.point[rows] - found.origin[pair], made.normal[rows] * (made.depth[rows] / 2.0)[:, None]
    size = np.abs(point).max(axis=1, initial=0.0)
    off = np.zeros(len(place), dtype=bool)
    off[rows] = found.take(pair).outside(point + half, point - half, True) > np.maximum(
        OFF_THIN * size, gap.rounding[pair]
    )
    return dropped(made, off, place, middle + found.origin, -gap.distance, gap.normal)


def _thin(shapes: PlacedCylinders | Polytopes) -> Bools:
    """Return which shapes may be needles or flat. Cylinders are always included, as their check is cheap."""
    if isinstance(shapes, PlacedCylinders):
        return np.ones(len(shapes.radius), dtype=bool)
    return shapes.thin
