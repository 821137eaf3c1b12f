# SPDX-License-Identifier: GPL-3.0-or-later
"""Code shared by the closed forms of spheres and capsules: from the distances of a block of pairs to results.

Each pair's own module has `BlockDistances`: the signed distance in closed form, then the normal and a witness point. A
closed form does not decide pairs whose cores are closer than `tolerances.NEAR` of their size but do not penetrate
deeply, because the direction of the closest points is mostly rounding error. The generic convex method decides these.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from ..numerics.rows import blocks
from ..numerics.tolerances import SIDE_CONTACT
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances, Separations, contact_type
from ..shapes.batch import Rows
from .algorithm import A, B, PairAlgorithm
from .convex_convex import ConvexConvex
from .support_features import supporting_feature


class BlockDistances(Protocol):
    """Distances of a block of pairs in component arrays, relative to `origin`.

    Attributes
    ----------
    origin : (3, P) float64
        A point of A in the world.
    distance : (P,) float64
        Signed distance; arbitrary where `doubtful`.
    slack : (P,) float64
        Largest gap of each pair that counts as contact.
    doubtful : (P,) bool or None
        Pairs that the closed form does not decide; None if there never are any.
    """

    origin: Floats
    slack: Floats
    doubtful: Bools | None

    @property
    def distance(self) -> Floats:
        """Signed distance; see above."""

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A, (3, P) each."""


Answers = TypeVar("Answers", Distances, Separations)
Kernel = Callable[[Any, Any], BlockDistances]


class ClosedForm(PairAlgorithm[A, B]):
    """Pair queries by a closed form, and by another algorithm for the few pairs that are doubtful."""

    @abstractmethod
    def kernel(self, a: Any, b: Any) -> BlockDistances:
        """Distances of a block of pairs."""

    @property
    def fallback(self) -> PairAlgorithm[A, B]:
        """The algorithm for the pairs that `kernel` does not decide."""
        return _GENERIC

    def side_contact(self, a: Any, b: Any, near: "Near") -> "SideContact | None":
        """Parts in which capsules lie along the other shape; None for shapes without a side."""
        return None

    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return overlap(self.kernel, a, b, self.fallback)

    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """See `PairAlgorithm`."""
        return distance(self.kernel, a, b, self.fallback)

    def separating_axis(self, a: Rows[A], b: Rows[B]) -> Separations:
        """The axis with the largest gap: the direction of the closest points, or the axis of least overlap."""
        shapes_a: Any = a.gathered()
        shapes_b: Any = b.gathered()
        result = Separations.empty(len(a))

        def part(block: slice) -> Ints:
            pairs = self.kernel(shapes_a.take(block), shapes_b.take(block))
            normal = pairs.witnesses()[0]
            rows = np.arange(block.start, block.stop)
            result.gap[block], result.axis[block] = pairs.distance, normal.T
            result.feature_a[block] = supporting_feature(shapes_a, rows, normal)
            result.feature_b[block] = supporting_feature(shapes_b, rows, -normal)
            return _rows(pairs, block)

        rows = _in_blocks(len(a), part)
        if len(rows):
            _put(result, rows, self.fallback.separating_axis(shapes_a.take(rows), shapes_b.take(rows)))
        return result

    def contacts(self, a: Rows[A], b: Rows[B], margin: float, known: Distances | None = None) -> Contacts:
        """One contact for each pair that overlaps or is within `margin`; two if a capsule lies along its partner."""
        shapes_a: Any = a.gathered()
        shapes_b: Any = b.gathered()
        found, doubtful, points = [], [], []
        for block in blocks(len(a)):
            pairs = self.kernel(shapes_a.take(block), shapes_b.take(block))
            normal, point = pairs.witnesses()
            near = pairs.distance <= margin + pairs.slack
            if pairs.doubtful is not None:
                near &= ~pairs.doubtful
            doubtful.append(_rows(pairs, block))
            at = np.flatnonzero(near)
            normal, point = normal.take(at, axis=1), point.take(at, axis=1)
            gap = pairs.distance.take(at)
            point += normal * (gap / 2.0)
            points.append(point)
            found.append((block.start + at, pairs.origin.take(at, axis=1), normal, gap, pairs.slack.take(at)))
        if not found:
            return Contacts.joined([])
        rows, origin, normal, gap, slack = (np.concatenate(part, axis=-1) for part in zip(*found, strict=True))
        near_pairs = Near(rows, origin, normal, gap, slack)
        side = self.side_contact(shapes_a, shapes_b, near_pairs)
        parts = [_made(near_pairs, np.concatenate(points, axis=1), shapes_a, shapes_b, margin, side)]
        rows = np.concatenate(doubtful)
        if len(rows):
            part = self.fallback.contacts(shapes_a.take(rows), shapes_b.take(rows), margin)
            parts.append(replace(part, pair=rows[part.pair]))
        return Contacts.joined(parts) if len(parts) > 1 else parts[0]

    def contains(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return _GENERIC.contains(a, b)

    def contained(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return _GENERIC.contained(a, b)


_GENERIC: PairAlgorithm[Any, Any] = ConvexConvex()


def overlap(kernel: Kernel, a: Rows[Any], b: Rows[Any], fallback: PairAlgorithm[Any, Any] = _GENERIC) -> Bools:
    """Whether the shapes of each pair have a point in common, touching included."""
    result = np.empty(len(a), dtype=bool)

    def judge(block: slice) -> Ints:
        pairs = kernel(a.take(block), b.take(block))
        np.less_equal(pairs.distance, pairs.slack, out=result[block])
        return _rows(pairs, block)

    rows = _in_blocks(len(a), judge)
    if len(rows):
        result[rows] = fallback.overlap(a.take(rows), b.take(rows))
    return result


def distance(kernel: Kernel, a: Rows[Any], b: Rows[Any], fallback: PairAlgorithm[Any, Any] = _GENERIC) -> Distances:
    """Signed distance and witness points of each pair. The parameters are those of `overlap`."""
    result = Distances.empty(len(a))

    def measure(block: slice) -> Ints:
        pairs = kernel(a.take(block), b.take(block))
        normal, point = pairs.witnesses()
        point += pairs.origin
        result.distance[block], result.rounding[block] = pairs.distance, pairs.slack
        # A ufunc writes columns into rows in a third of the time of an assignment.
        np.positive(normal, out=result.normal[block].T)
        np.positive(point, out=result.point_a[block].T)
        np.add(point, normal * pairs.distance, out=result.point_b[block].T)
        return _rows(pairs, block)

    rows = _in_blocks(len(a), measure)
    if len(rows):
        _put(result, rows, fallback.distance(a.take(rows), b.take(rows)))
    return result


def _in_blocks(count: int, settle: Callable[[slice], Ints]) -> Ints:
    """Process all blocks and return the doubtful rows. The memory of a block is freed before the next begins."""
    return np.concatenate([_NONE, *(settle(block) for block in blocks(count))])


@dataclass(frozen=True)
class Near:
    """Pairs near enough for contacts, in component arrays: their rows and distances."""

    rows: Ints
    origin: Floats
    normal: Floats
    distance: Floats
    slack: Floats


@dataclass(frozen=True)
class SideContact:
    """Parts in which capsules lie along the other shape: the two ends of the shared part.

    Attributes
    ----------
    pairs : (K,) int64
        Indices of the `Near` pairs.
    point : (2, 3, K) float64
        Midway between the surfaces, relative to `Near.origin`.
    depth : (2, K) float64
        Minus infinity for an end that does not exist.
    size : (K,) float64
    feature_a, feature_b : (2, K, 2) int64
    """

    pairs: Ints
    point: Floats
    depth: Floats
    size: Floats
    feature_a: Ints
    feature_b: Ints


def _made(near: Near, point: Floats, a: Any, b: Any, margin: float, side: SideContact | None) -> Contacts:
    """The contacts of near pairs with the contact points `point` (3, K)."""
    feature_a = supporting_feature(a, near.rows, near.normal)
    feature_b = supporting_feature(b, near.rows, -near.normal)
    pair, depth = np.arange(len(near.rows)), -near.distance
    if side is not None:
        # The ends replace the witness point if the deeper end is as deep as the pair.
        keep = side.depth >= -(margin + near.slack[side.pairs])
        keep &= np.abs(side.depth.max(axis=0) + near.distance[side.pairs]) <= SIDE_CONTACT * side.size
        replaced = keep.any(axis=0)
        left = np.ones(len(pair), dtype=bool)
        left[side.pairs[replaced]] = False
        which, end = np.nonzero(keep.T)
        pair = np.concatenate([pair[left], side.pairs[which]])
        depth = np.concatenate([depth[left], side.depth[end, which]])
        point = np.concatenate([point[:, left], side.point[end, :, which].T], axis=1)
        feature_a = np.concatenate([feature_a[left], side.feature_a[end, which]])
        feature_b = np.concatenate([feature_b[left], side.feature_b[end, which]])
        order = np.lexsort((-depth, pair))
        pair, depth, point = pair[order], depth[order], point[:, order]
        feature_a, feature_b = feature_a[order], feature_b[order]
    place = point + near.origin[:, pair]
    return Contacts(
        near.rows[pair],
        np.ascontiguousarray(place.T),
        np.ascontiguousarray(near.normal[:, pair].T),
        np.maximum(depth, -margin),
        contact_type(feature_a[:, 0], feature_b[:, 0]),
        feature_a,
        feature_b,
    )


def _put(result: Answers, rows: Ints, part: Answers) -> None:
    """Overwrite these rows."""
    for name, value in vars(part).items():
        getattr(result, name)[rows] = value


def _rows(pairs: BlockDistances, block: slice) -> Ints:
    """The doubtful rows of a block."""
    if pairs.doubtful is None or not pairs.doubtful.any():
        return _NONE
    return block.start + np.flatnonzero(pairs.doubtful)


_NONE = np.empty(0, dtype=np.int64)
