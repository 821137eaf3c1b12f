# SPDX-License-Identifier: GPL-3.0-or-later
"""Code shared by all pairs with a cylinder: from the facing directions of two shapes to the results of queries."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ..convex.active_set import Settled, brought_together, settled
from ..convex.contact_manifold import dropped
from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.candidate_directions import BestDirection
from ..convex.gjk import CURVED, closest
from ..convex.manifold import Patch, reduced
from ..convex.polytopes import Polytopes
from ..numerics.rows import RowTable
from ..numerics.tolerances import OFF_THIN, PATCH_LEVEL
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot
from ..results import Contacts, Distances, Separations, contact_type
from ..shapes import Capsules
from ..shapes.batch import Rows
from ..shapes.support_mapped import Supported
from .algorithm import A, B, PairAlgorithm
from .support_cores import core_blocks


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
        """How far the points are outside A and B, the maximum of both, (P,).

        Witness points that come from vertices are not checked unless `every` is True.
        """

    @abstractmethod
    def support_of_b(self) -> Supported:
        """Support mapping of B without its radius."""

    @abstractmethod
    def features(self) -> tuple[Ints, Ints]:
        """The facing features of A and of B, (P, 2) each."""


# A fraction of the size. Within this distance of touching, `overlap` and `contacts` are as accurate as `distance`.
_DOUBT = 1e-6
# Multiple of the rounding beyond which GJK decides whether two shapes overlap.
_CERTAIN = 4.0

E = TypeVar("E", bound=FacingBlock)


class FacingPair(PairAlgorithm[A, B]):
    """Pair queries by the best facing direction of each pair."""

    @abstractmethod
    def blocks(self, a: Any, b: Any) -> Iterable[FacingBlock]:
        """Facing directions of all pairs, in blocks."""

    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""
        first: Any = a.gathered()
        second: Any = b.gathered()
        result, left = _overlap(first, second)
        if not len(left):
            return result
        for found in self.blocks(first.take(left), second.take(left)):
            rows = left[found.rows]
            result[rows] = found.distance <= found.slack
            # Close to touching, the witness points decide the distance.
            near = np.flatnonzero(np.abs(found.distance) <= _DOUBT * (found.a.size + found.b.size))
            if len(near):
                exact, _ = _with_middle(found.take(near))
                result[left[exact.rows]] = exact.distance <= exact.slack
        return result

    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """Signed distance and witness points of each pair."""
        result = Distances.empty(len(a))
        for found in self.blocks(a.gathered(), b.gathered()):
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
        """The facing direction of the pair: that of the closest points, or that of least overlap."""
        result = Separations.empty(len(a))
        for block in self.blocks(a.gathered(), b.gathered()):
            found, _ = _with_middle(block)
            result.gap[found.rows], result.axis[found.rows] = found.distance, found.normal
            result.feature_a[found.rows], result.feature_b[found.rows] = found.features()
        return result

    def contacts(self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifold of each pair that overlaps or is within `margin`."""
        parts = []
        for block in self.blocks(a.gathered(), b.gathered()):
            # The witness points decide the distance of pairs close to the margin.
            doubt = block.slack + _DOUBT * (block.a.size + block.b.size)
            near = np.flatnonzero(block.distance <= margin + doubt)
            if len(near):
                parts.append(_manifold(block.take(near), margin))
        return Contacts.joined(parts)


def _overlap(a: Any, b: Any) -> tuple[Bools, Ints]:
    """Which pairs certainly overlap, (P,), and the rows of undecided pairs.

    GJK decides all pairs but those that touch within rounding. Pairs with a capsule are left undecided.
    """
    result, left = np.zeros(len(a), dtype=bool), np.ones(len(a), dtype=bool)
    # The candidate directions of a capsule are so few that GJK would take longer.
    for block in core_blocks(a, b) if not isinstance(b, Capsules) else ():
        slack = _CERTAIN * block.slack()
        near = closest(block.a, block.b, block.a.center - block.b.center, slack, CURVED, settle=False)
        together = near.overlap & near.certain
        result[block.rows] = together
        left[block.rows] = ~together & (near.overlap | (near.lower <= slack))
    return result, np.flatnonzero(left)


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


def _manifold(found: FacingBlock, margin: float) -> Contacts:
    """Contacts of the pairs that overlap or are within `margin`."""
    found, middle = _with_middle(found)
    near = np.flatnonzero(found.distance <= margin + found.slack)
    if not len(near):
        return Contacts.joined([])
    found, middle = found.take(near), middle[near]
    own = OwnContact(found.rows, found.origin, middle, found.distance, found.normal, found.slack, *found.features())
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
        OFF_THIN * size, found.slack[pair]
    )
    return dropped(made, off, place, middle + found.origin, -found.distance, found.normal)


def _thin(shapes: PlacedCylinders | Polytopes) -> Bools:
    """Which shapes may be needles or flat. Cylinders are always included, as their check is cheap."""
    if isinstance(shapes, PlacedCylinders):
        return np.ones(len(shapes.radius), dtype=bool)
    return shapes.thin


@dataclass(frozen=True)
class OwnContact(RowTable):
    """Fallback contact of each pair, used if there is no patch, in a frame at `origin` (P, 3).

    `rows`: indices of the pairs in the query. `middle`: midpoint of the witness points. `feature_a`, `feature_b` (P,
    2): farthest features along the normal.
    """

    rows: Ints
    origin: Floats
    middle: Floats
    distance: Floats
    normal: Floats
    slack: Floats
    feature_a: Ints
    feature_b: Ints


def contacts_of(patch: Patch, own: OwnContact, margin: float) -> Contacts:
    """At most four corners of each patch, and the pair's own contact if the patch is less deep than the pair."""
    # If the patch is less deep than the pair, add the pair's own contact. A rim is represented by a few points. The
    # depth that a cap tilted by noise lacks between these points is ignored.
    deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
    scale = np.abs(np.where(patch.valid[..., None], patch.point, 0.0)).max(axis=(1, 2), initial=0.0)
    lacking = np.where(np.count_nonzero(patch.valid, axis=1) > 2, PATCH_LEVEL * scale, own.slack)
    shallow = (deepest < -own.distance - lacking) | (deepest < -(margin + own.slack))
    whole = Patch(
        np.concatenate([patch.point, own.middle[:, None]], axis=1),
        np.concatenate([patch.depth, -own.distance[:, None]], axis=1),
        np.concatenate([patch.valid, shallow[:, None]], axis=1),
        np.concatenate([patch.feature_a, own.feature_a[:, None]], axis=1),
        np.concatenate([patch.feature_b, own.feature_b[:, None]], axis=1),
    )
    chosen = reduced(whole, own.normal, -(margin + own.slack))
    at = np.arange(len(chosen))[:, None]
    depth = np.where(chosen >= 0, whole.depth[at, chosen], -np.inf)
    order = np.argsort(-depth, axis=1, kind="stable")
    pair, rank = np.nonzero(depth[at, order] > -np.inf)
    corner = chosen[pair, order[pair, rank]]
    first, second = whole.feature_a[pair, corner], whole.feature_b[pair, corner]
    return Contacts(
        pair=own.rows[pair],
        point=whole.point[pair, corner] + own.origin[pair],
        normal=own.normal[pair],
        depth=np.maximum(whole.depth[pair, corner], -margin),
        type=contact_type(first[:, 0], second[:, 0]),
        feature_a=first,
        feature_b=second,
    )
