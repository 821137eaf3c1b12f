# SPDX-License-Identifier: GPL-3.0-or-later
"""Base class of the closed forms of spheres and capsules, and code that their kernels share.

Each pair's own class has `BlockDistances`: the signed distance in closed form, then the normal and a witness point. A
closed form does not decide pairs whose cores are closer than `tolerances.NEAR` of their size but do not penetrate
deeply, because the direction of the closest points is mostly rounding error. The generic convex method decides these.

Closest points have an error of a few rounding errors of the size. The relative error of their direction is this error
divided by their distance, and causes an error in the support at the far ends of the shapes. The features of the closest
points give an accurate direction: it is perpendicular to an edge, to two edges, or to a face. The candidate with the
largest gap between the cores is the normal (`correct_directions`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np

from ..convex.cylinders import PlacedCylinders
from ..numerics import vectors
from ..numerics.rows import blocks
from ..numerics.tolerances import EPS, FACE_ALIGNMENT, NEAR_PARALLEL, PARALLEL, SIDE_CONTACT, SLIVER, SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import area_vectors, cross_columns, dot_columns, to_columns, two_diff, unit_columns
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import Boxes, Capsules, Cylinders, Spheres, SupportMapped, Triangles
from ..shapes.batch import Rows
from .algorithm import A, B, PairAlgorithm
from .convex_convex import ConvexConvex

Rounded = Spheres | Capsules | Cylinders | Boxes | Triangles | SupportMapped


def supporting_feature(shapes: Rounded, rows: Ints, direction: Floats) -> Ints:
    """`FeatureKind` and index of the supporting feature of these rows along `direction` (3, K), (K, 2)."""
    result = np.empty((len(rows), 2), dtype=np.int64)
    if isinstance(shapes, Spheres):
        result[:, 0], result[:, 1] = _cap(shapes.radius[rows]), 0
    elif isinstance(shapes, Capsules):
        along = to_columns(shapes.end[rows] - shapes.start[rows])
        rise, square = dot_columns(along, direction), dot_columns(along, along)
        size = np.sqrt(square) / 2.0 + shapes.radius[rows]
        edge = (np.abs(rise) <= SUPPORT * size) & (square > 0.0)
        result[:, 0] = np.where(edge, FeatureKind.EDGE, _cap(shapes.radius[rows]))
        result[:, 1] = ~edge & (rise > 0.0)
    elif isinstance(shapes, Cylinders):
        result[:] = PlacedCylinders.of(shapes.take(rows)).feature(np.ascontiguousarray(direction.T))
    elif isinstance(shapes, Boxes):
        _box_feature(shapes, rows, direction, result)
    elif isinstance(shapes, SupportMapped):
        own = shapes.take(rows)
        result[:] = own.outline(np.ascontiguousarray(direction.T), SUPPORT * own.bounding_spheres()[1]).feature()
    else:
        _triangle_feature(shapes, rows, direction, result)
    return result


def _cap(radius: Floats) -> Ints:
    return np.where(radius > 0.0, int(FeatureKind.FACE), int(FeatureKind.VERTEX))


def _box_feature(boxes: Boxes, rows: Ints, direction: Floats, result: Ints) -> None:
    half = to_columns(boxes.half_extents[rows])
    turn = to_columns(boxes.rotation[rows])
    local = np.stack([dot_columns(turn[:, k], direction) for k in range(3)])
    steep = np.abs(local)
    bits = (half * local > 0.0).astype(np.int64)
    result[:, 0], result[:, 1] = FeatureKind.VERTEX, bits[0] + 2 * bits[1] + 4 * bits[2]
    level = SUPPORT * np.sqrt(dot_columns(half, half))
    # The first edge in the order of `polytopes` wins. A face wins over all edges.
    for k, (i, j) in ((2, (0, 1)), (1, (0, 2)), (0, (1, 2))):
        edge = (2.0 * half[k] * steep[k] <= level) & (half[k] > 0.0)
        np.copyto(result[:, 0], int(FeatureKind.EDGE), where=edge)
        np.copyto(result[:, 1], 4 * k + bits[i] + 2 * bits[j], where=edge)
    for k in range(3):
        face = steep[k] >= 1.0 - FACE_ALIGNMENT
        np.copyto(result[:, 0], int(FeatureKind.FACE), where=face)
        np.copyto(result[:, 1], 2 * k + (local[k] > 0.0), where=face)


def _triangle_feature(triangles: Triangles, rows: Ints, direction: Floats, result: Ints) -> None:
    corner = to_columns(triangles.vertices[rows])  # vertex k is corner[k]
    side = [corner[(k + 1) % 3] - corner[k] for k in range(3)]
    square = np.stack([dot_columns(one, one) for one in side])
    level = np.stack([dot_columns(corner[k] - corner[0], direction) for k in range(3)])
    size = np.sqrt(np.maximum(square[0], square[2]))
    top = level >= level.max(axis=0) - SUPPORT * size
    result[:, 0], result[:, 1] = FeatureKind.VERTEX, level.argmax(axis=0)
    for k in (2, 1, 0):
        edge = top[k] & top[(k + 1) % 3] & (square[k] > 0.0)
        np.copyto(result[:, 0], int(FeatureKind.EDGE), where=edge)
        np.copyto(result[:, 1], k, where=edge)
    normal = cross_columns(side[0], side[1])
    area = np.sqrt(dot_columns(normal, normal))
    rise = dot_columns(normal, direction)
    face = (np.abs(rise) >= (1.0 - FACE_ALIGNMENT) * area) & (area > 0.0)
    np.copyto(result[:, 0], int(FeatureKind.FACE), where=face)
    np.copyto(result[:, 1], (rise < 0.0).astype(np.int64), where=face)


# In rounding errors of the size. A direction whose gap is less than the distance by up to this is accurate enough.
_SHOWN = 4.0

Gap = Callable[[Floats, Ints | slice], Floats]
Directions = Callable[[Floats, Ints], Iterable[Floats]]


def inaccurate(way: Floats, far: Floats, size: Floats, gap: Gap) -> Bools:
    """Whether directions of closest points have a gap less than the distance; see `correct_directions`, (P,)."""
    result: Bools = (far > 0.0) & (gap(way, slice(None)) < far - _SHOWN * EPS * size)
    return result


def correct_directions(way: Floats, far: Floats, size: Floats, gap: Gap, others: Directions) -> Ints:
    """Replace in place the directions of closest points whose gap is less than the distance.

    The points themselves are then as inaccurate as the direction was. They are replaced by the points where the shapes
    touch after A has moved along the new direction by the distance.

    Parameters
    ----------
    way : (3, P) float64
        Unit directions between the closest points, from A to B.
    far, size : (P,) float64
        Distances of the cores, and sizes of the pairs. Pairs whose distance is not positive are left unchanged.
    gap
        Function of directions (3, R) and of the rows they are for. Returns the gaps between the cores along them, (R,).
    others
        Function of directions and of the rows they are for. Returns candidates (3, R), one of which is better.

    Returns
    -------
    (R,) int64
        The rows whose direction was replaced.
    """
    rows = np.flatnonzero(inaccurate(way, far, size, gap))
    if not len(rows):
        return rows
    old = way[:, rows]
    tried = np.stack([old, *others(old, rows)])
    gaps = np.stack([np.where(each.any(axis=0), gap(each, rows), -np.inf) for each in tried])
    # Of equal gaps within rounding, take the nearest direction: it points from one closest point to the other.
    turn = np.where(gaps >= gaps.max(axis=0) - _SHOWN * EPS * size[rows], ((tried - old) ** 2).sum(axis=1), np.inf)
    way[:, rows] = tried[turn.argmin(axis=0), :, np.arange(len(rows))].T
    return rows


def perpendicular_to(way: Floats, edge: Floats) -> Floats:
    """Unit directions (3, P) perpendicular to edges and nearest to `way`; zero where there is none."""
    along = unit_columns(edge)
    for _ in range(2):
        # The second pass removes the rounding error of the first.
        way = unit_columns(way - along * dot_columns(way, along))
    return way


def perpendicular_to_both(way: Floats, one: Floats, other: Floats) -> Floats:
    """Unit directions perpendicular to two edges each, on the side of `way`; zero where the edges are parallel."""
    none = np.zeros_like(one.T)
    result = unit_columns(vectors.cross_dd(one.T, other.T, none, none).T)
    result *= np.where(dot_columns(result, way) < 0.0, -1.0, 1.0)
    return result


class TriangleParts:
    """The triangles of a block, relative to `origin` (3, P).

    Attributes
    ----------
    corners, sides : (3, 3, P) float64
        `sides` are the edges. Edge k runs from corner k to the next.
    squares : (3, P) float64
        Squared lengths of the edges.
    normal : (3, P) float64
        Unit; zero if the corners are collinear.
    flat : (P,) bool
        Whether the triangle has an area.
    sliver : (P,) bool
        Whether the normal is too inaccurate.
    """

    def __init__(self, triangles: Triangles, origin: Floats) -> None:
        self.corners = to_columns(triangles.vertices)
        self._far = np.maximum(
            dot_columns(self.corners[0], self.corners[0]), dot_columns(self.corners[1], self.corners[1])
        )
        np.maximum(self._far, dot_columns(self.corners[2], self.corners[2]), out=self._far)
        self.sides = np.empty_like(self.corners)
        for k in range(3):
            np.subtract(self.corners[(k + 1) % 3], self.corners[k], out=self.sides[k])
        self.corners -= origin
        first, second, third = self.sides
        self.squares = np.stack([dot_columns(first, first), dot_columns(second, second), dot_columns(third, third)])
        # The cross product of the two shorter edges has the least rounding error.
        by_first = self.squares[0] >= np.maximum(self.squares[1], self.squares[2])
        by_second = self.squares[1] >= self.squares[2]
        one = np.where(by_first, second, np.where(by_second, third, first))
        other = np.where(by_first, third, np.where(by_second, first, second))
        self.normal = cross_columns(one, other)
        area = dot_columns(self.normal, self.normal)
        scale = dot_columns(one, one) * dot_columns(other, other)
        thin = np.flatnonzero(area < SLIVER * scale)
        if len(thin):
            corners = triangles.vertices[thin]
            self.normal[:, thin] = area_vectors(*two_diff(np.roll(corners, -1, axis=1), corners)).T
            area[thin] = dot_columns(self.normal[:, thin], self.normal[:, thin])
        self.flat: Bools = area > PARALLEL * scale
        self.sliver: Bools = self.flat & (area < NEAR_PARALLEL * scale)
        np.sqrt(area, out=area)
        self.normal *= np.divide(1.0, area, out=np.zeros_like(area), where=self.flat)

    def pair(self, reach: Floats, far: Floats) -> tuple[Floats, Floats]:
        """Size and rounding error of pairs with shapes of size `reach` at squared distance `far` from the origin."""
        size = np.sqrt(np.maximum(self.squares[0], self.squares[2])) + reach
        return size, rounding(size, np.sqrt(np.maximum(self._far, far)))

    def over(self, point: Floats | float, rows: Ints | slice = slice(None)) -> Bools:
        """Whether points (3, R), relative to the origin, project into the triangles, boundary included."""
        result, normal = self.flat[rows].copy(), self.normal[:, rows]
        for corner, side in zip(self.corners[..., rows], self.sides[..., rows], strict=True):
            result &= dot_columns(cross_columns(normal, side), corner - point) <= 0.0
        return result


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


Kernel = Callable[..., BlockDistances]


_GENERIC: PairAlgorithm[Any, Any] = ConvexConvex()


class ClosedForm(PairAlgorithm[A, B]):
    """Pair queries by a closed form, and by another algorithm for the few pairs that are doubtful.

    Attributes
    ----------
    kernel : type of BlockDistances
        Distances of a block of pairs.
    quick : bool
        Whether a kernel can be made that corrects no directions. Then their pairs are doubtful, and all of these are
        measured at once by `kernel`.
    fallback : PairAlgorithm
        The algorithm for the pairs that `kernel` does not decide.
    """

    kernel: ClassVar[Kernel]
    quick: ClassVar[bool] = False
    fallback: ClassVar[PairAlgorithm[Any, Any]] = _GENERIC

    @staticmethod
    def side_contact(a: Any, b: Any, near: "Near") -> "SideContact | None":
        """Parts in which capsules lie along the other shape. None for shapes without a lateral surface."""
        return None

    def overlap(self, a: Rows[A], b: Rows[B]) -> Bools:
        """See `PairAlgorithm`."""
        return overlap(self.kernel, a, b, self.fallback)

    def distance(self, a: Rows[A], b: Rows[B]) -> Distances:
        """See `PairAlgorithm`."""
        return distance(self.kernel, a, b, self.fallback, partial(self.kernel, quick=True) if self.quick else None)

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
            result.put(rows, self.fallback.separating_axis(shapes_a.take(rows), shapes_b.take(rows)))
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

    def contains(self, a: A, b: B) -> Bools:
        """See `PairAlgorithm`."""
        return self.fallback.contains(a, b)

    def contained(self, a: A, b: B) -> Bools:
        """See `PairAlgorithm`."""
        return self.fallback.contained(a, b)


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


def distance(
    kernel: Kernel,
    a: Rows[Any],
    b: Rows[Any],
    fallback: PairAlgorithm[Any, Any] = _GENERIC,
    quick: Kernel | None = None,
) -> Distances:
    """Signed distance and witness points of each pair. See `overlap`, and `ClosedForm.quick`."""
    result, first = Distances.empty(len(a)), quick or kernel

    def measure(block: slice) -> Ints:
        pairs = first(a.take(block), b.take(block))
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
        rest = a.take(rows), b.take(rows)
        result.put(rows, distance(kernel, *rest, fallback) if quick else fallback.distance(*rest))
    return result


def _in_blocks(count: int, settle: Callable[[slice], Ints]) -> Ints:
    """Process all blocks and return the doubtful rows. The memory of a block is freed before the next begins."""
    doubtful = [rows for rows in map(settle, blocks(count)) if len(rows)]
    return np.concatenate(doubtful) if doubtful else _NONE


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


def _rows(pairs: BlockDistances, block: slice) -> Ints:
    """The doubtful rows of a block."""
    if pairs.doubtful is None or not pairs.doubtful.any():
        return _NONE
    return block.start + np.flatnonzero(pairs.doubtful)


_NONE = np.empty(0, dtype=np.int64)
