# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and triangles by their separating axes: base class and kernels on component arrays, and box against triangle.

Plain arithmetic decides all pairs except those with a gap near zero and those with nearly parallel edges. These few are
decided by a robust method of each pair.

A box and a triangle have the thirteen axes of doc4code 2011, "Box vs triangle": the box's three face normals, the
triangle's normal and the nine cross products of their edges. They are tested in the box's frame. The table of doc4code
has the wrong corner or sign in its rows for the second and third edge; see docs/sources.md. Along A_i x E_k, both ends
of the edge k have the same projection p, and the opposite corner has ``p + N · A_i`` for every k.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from .. import results
from ..numerics import vectors
from ..numerics.rows import blocks
from ..numerics.tolerances import (
    AXIS_DOUBT,
    AXIS_NAMED,
    AXIS_PREFERENCE,
    AXIS_TIE,
    EPS,
    NEAR_PARALLEL,
    PARALLEL,
    ROUNDING_STEPS,
    rounding,
)
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import area_vectors, cross_columns, dot, dot_columns, length, normalized
from ..results import Contacts, Distances, FeatureKind, Separations
from ..shapes import Boxes, Triangles
from ..shapes.batch import Rows
from .convex_convex import ConvexConvex, KnownAxes


class Pairs(ABC):
    """A block of pairs in component arrays, and its kernels.

    It is reused for the next block, as allocation costs more than the arithmetic.

    Attributes
    ----------
    kept : tuple of str
        The arrays that `edges` needs, to be selected by `take`.
    extent, error_bound : (P,) float64
        The size of each pair, and a bound of the rounding error of its gaps.
    degenerate : (P,) bool
        Pairs with nearly parallel edges or a sliver.
    margin : (P,) float64
        Scratch space.
    """

    kept: ClassVar[tuple[str, ...]]
    extent: Floats
    error_bound: Floats
    degenerate: Bools

    def __init__(self, count: int) -> None:
        self.margin, self.degenerate = np.empty(count), np.empty(count, dtype=bool)

    def make_room(self, count: int) -> None:  # noqa: B027
        """Allocate what `edges` overwrites in selected pairs."""

    @abstractmethod
    def load(self, a: Any, b: Any) -> None:
        """Load the pairs of a block."""

    @abstractmethod
    def faces(self) -> Floats:
        """Gaps along the normals of faces, (K, P)."""

    @abstractmethod
    def edges(self) -> "LargestGap":
        """Largest gap along the nine cross products of edges, squared with its sign. Call `faces` before."""

    @abstractmethod
    def describe(self, code: Ints, by_edges: Ints, result: "Answers", block: slice) -> None:
        """Write the axes of these codes, their gaps and their features to the rows of the block."""

    def take(self, rows: Ints) -> Self:
        """Select pairs of the block. The result supports `edges` and `is_uncertain` only."""
        # Without arrays that are not needed: new memory takes more time than the arithmetic.
        result = object.__new__(type(self))
        result.make_room(len(rows))
        for name in (*self.kept, "error_bound", "degenerate"):
            setattr(result, name, getattr(self, name).take(rows, axis=-1))
        return result

    def is_uncertain(self, gap: Floats) -> Bools:
        """Pairs that plain arithmetic cannot decide, given their largest gap. Call `faces` and `edges` before."""
        return (np.abs(gap) <= self.error_bound) | np.isinf(gap) | self.degenerate


# Pairs that the robust method decides together. Its arrays of axes stay in cache.
_ROBUST = 1 << 11


class FlatFaced(ConvexConvex):
    """Pair queries by the candidate axes of two boxes or triangles. The distance uses the generic method."""

    # The `Pairs` with the kernels, and the code of the first cross product of edges.
    pairs: ClassVar[type[Pairs]]
    first_edges: ClassVar[int]

    @abstractmethod
    def robust(self, a: Any, b: Any, preference: float) -> tuple["Answers", Floats]:
        """Axes and slack of a few pairs, with cross products in double-double. `preference` is as for `_best_axes`."""

    @abstractmethod
    def slack(self, a: Any, b: Any) -> Floats:
        """Largest gap of each pair that counts as contact."""

    def overlap(self, a: Rows[Any], b: Rows[Any]) -> Bools:
        """Whether the shapes of each pair have a point in common: by faces, then edges, then the robust method."""
        result = np.zeros(len(a), dtype=bool)
        for block, pairs in self._blocks(a, b):
            faces = pairs.faces().max(axis=0)
            left = np.flatnonzero(faces <= pairs.error_bound)
            near = pairs.take(left)
            gap = np.maximum(faces[left], unsquared(near.edges().gap))
            result[block.start + left] = gap <= 0.0
            rows = block.start + left[near.is_uncertain(gap)]
            for part in blocks(len(rows), _ROBUST):
                some = rows[part]
                found, slack = self.robust(a.take(some), b.take(some), AXIS_PREFERENCE)
                result[some] = found.gap <= slack
            results.record_resolved(results.FACE_AXES, len(faces) - len(left))
            results.record_resolved(results.EDGE_AXES, len(left) - len(rows))
            results.record_resolved(results.EXACT, len(rows))
        return result

    def separating_axis(self, a: Rows[Any], b: Rows[Any]) -> Separations:
        """The largest gap over the candidate axes.

        Cross products of parallel edges are left out. An axis wins over those before it only by more than
        `tolerances.AXIS_NAMED`, so that the result is stable under noise. The order is: faces of A, faces of B, edges.
        """
        return self._best_axes(a, b, AXIS_NAMED)

    def _best_axes(self, a: Rows[Any], b: Rows[Any], preference: float) -> Separations:
        """The largest gap over the axes of each pair. For a separated pair, the returned axis has a positive gap.

        An axis must be better than each axis before it by more than `preference`, a fraction of the size.
        """
        result = Answers(len(a))
        for block, pairs in self._blocks(a, b):
            np.multiply(pairs.extent, preference, out=pairs.margin)
            faces = pairs.faces()
            gap, code = first_of_the_best(faces, pairs.margin)
            edges = pairs.edges()
            gap_edges = unsquared(edges.gap)
            better = gap_edges > gap + pairs.margin
            result.gap[block] = np.where(better, gap_edges, gap)
            # Collinear shapes may have no axis left. Then there are no features to write.
            none = np.isinf(result.gap[block])
            code = np.where(better, edges.code + np.int8(self.first_edges), code)
            pairs.describe(code, np.flatnonzero(better), result, block)
            # A preferred axis without a gap may have won over an axis with a gap.
            np.multiply(pairs.margin, len(faces) + 1.0, out=pairs.margin)
            np.maximum(pairs.error_bound, pairs.margin, out=pairs.error_bound)
            again = pairs.is_uncertain(result.gap[block]) | none
            if preference < AXIS_DOUBT:
                # Rounding may decide whether a face or an edge has less overlap. If the gaps are equal, either may win.
                doubt = AXIS_DOUBT * pairs.extent
                again |= (gap_edges < gap - pairs.margin) & (gap_edges >= gap - doubt)
                again |= (gap_edges > gap + pairs.margin) & (gap_edges <= gap + doubt)
            rows = block.start + np.flatnonzero(again)
            for part in blocks(len(rows), _ROBUST):
                some = rows[part]
                result.put(some, self.robust(a.take(some), b.take(some), preference)[0])
        return result.separations()

    def distance(self, a: Rows[Any], b: Rows[Any], known_axes: KnownAxes | None = None) -> Distances:
        """Signed distance and witness points of each pair: depth from the axes, distance from the generic method."""
        a, b = a.gathered(), b.gathered()
        return self.measured(a, b, self._known_axes(a, b))

    def measured(self, a: Any, b: Any, known_axes: KnownAxes) -> Distances:
        """Distances of pairs whose best axes are known."""
        return super().distance(a, b, known_axes)

    def contacts(
        self,
        a: Rows[Any],
        b: Rows[Any],
        margin: float,
        known: Distances | None = None,
        known_axes: KnownAxes | None = None,
    ) -> Contacts:
        """Contact manifolds. The generic method runs only for pairs whose axes do not show a gap above `margin`."""
        a, b = a.gathered(), b.gathered()
        if known is not None:
            return super().contacts(a, b, margin, known)
        known_axes = self._known_axes(a, b)
        near = np.flatnonzero(known_axes.axes.gap <= margin + known_axes.slack)
        if len(near) < len(a):
            a, b, known_axes = a.take(near), b.take(near), known_axes.take(near)
        found = super().contacts(a, b, margin, self.measured(a, b, known_axes))
        return replace(found, pair=near[found.pair])

    def _known_axes(self, a: Any, b: Any) -> KnownAxes:
        return KnownAxes(self._best_axes(a, b, AXIS_TIE), self.slack(a, b))

    def _blocks(self, a: Rows[Any], b: Rows[Any]) -> Iterator[tuple[slice, Pairs]]:
        """The pairs in blocks. Each block is overwritten by the next."""
        pairs, room = None, 0
        for block in blocks(len(a)):
            count = block.stop - block.start
            if pairs is None or room != count:
                pairs, room = self.pairs(count), count
            pairs.load(a.take(block), b.take(block))
            yield block, pairs


def sum_of_products(a: Floats, b: Floats, out: Floats, work: Floats) -> None:
    """Compute ``(a * b).sum(axis=0)`` into `out` without an array of all products; `work` is scratch space."""
    np.multiply(a[0], b[0], out=out)
    out += np.multiply(a[1], b[1], out=work)
    out += np.multiply(a[2], b[2], out=work)


def picked(rows: Floats, index: Ints) -> Floats:
    """Select one row for each pair: (C, K, P), (P,) -> (C, P)."""
    result = np.empty((len(rows), rows.shape[2]))
    place = index * rows.shape[2]
    place += np.arange(rows.shape[2])
    for component, out in zip(rows, result, strict=True):
        component.reshape(-1).take(place, out=out, mode="clip")
    return result


class LargestGap:
    """The largest gap of each pair so far and the number of its axis. Ties go to the first axis."""

    gap: Floats
    code: NDArray[np.int8]

    def __init__(self) -> None:
        self._seen = 0

    def consider(self, gaps: Floats) -> None:
        """Compare with the gaps along the next axes, (K, P)."""
        gap, code = first_of_the_largest(gaps)
        if self._seen:
            code = np.where(gap > self.gap, code + np.int8(self._seen), self.code)
            np.maximum(gap, self.gap, out=gap)
        self.gap, self.code = gap, code
        self._seen += len(gaps)


def first_of_the_largest(gaps: Floats) -> tuple[Floats, NDArray[np.int8]]:
    """The largest gap of each pair, (K, P) -> (P,), and the first row that attains it."""
    count = len(gaps)
    largest: Floats = gaps.max(axis=0)
    # The marks decrease with the row, so the first of several equal gaps has the greatest mark.
    marks = np.equal(gaps, largest).view(np.int8)
    marks *= np.arange(count, 0, -1, dtype=np.int8)[:, None]
    return largest, np.int8(count) - marks.max(axis=0, initial=1)


def first_of_the_best(gaps: Floats, margin: Floats) -> tuple[Floats, Ints]:
    """The largest gap of each pair, (K, P) -> (P,), and its row. A later row must win by more than `margin` (P,)."""
    handicapped = margin * np.arange(len(gaps), dtype=np.float64)[:, None]
    np.subtract(gaps, handicapped, out=handicapped)
    code = first_of_the_largest(handicapped)[1].astype(np.int64)
    return picked(gaps[None], code)[0], code


def divide_by_sines(gaps: Floats, sine: Floats, scale: Floats | float, ill: Bools) -> None:
    """Normalize gaps along cross products in place: from signed squares of unnormalized gaps to those of real gaps.

    `sine` are the squared lengths of the cross products (K, P), which are overwritten, and `scale` is their value for
    perpendicular edges. `ill` (P,) is set where a cross product has lost too many digits. Such and parallel edges get
    minus infinity.
    """
    low = sine <= NEAR_PARALLEL * scale
    if low.any():
        ill |= (low & (sine > PARALLEL * scale)).any(axis=0)
        np.copyto(gaps, -np.inf, where=low)
        np.copyto(sine, 1.0, where=low)
    gaps /= sine


def error_bound(size: Floats, place_a: Floats, place_b: Floats) -> Floats:
    """Bound of the rounding error (P,). Gaps with a smaller absolute value may have the wrong sign or be contact.

    `size` is the size of the pair. The places (P, ..., 3) are its coordinates.
    """
    offset = max(max(float(place.max()), -float(place.min())) for place in (place_a, place_b))
    return AXIS_DOUBT * size + 4.0 * ROUNDING_STEPS * EPS * offset


def unsquared(square: Floats) -> Floats:
    """The numbers with these signed squares."""
    result: Floats = np.copysign(np.sqrt(np.abs(square)), square)
    return result


class Answers:
    """Separating axes before they become `Separations`. `features` (N, 4) are those of A and of B side by side."""

    def __init__(self, count: int) -> None:
        # One allocation: many small ones cost more than the arithmetic.
        room = np.empty((8, count)).reshape(-1)
        self.gap, self.axis = room[:count], room[count : 4 * count].reshape(count, 3)
        self.features = room[4 * count :].view(np.int64).reshape(count, 4)

    def put(self, rows: Ints, part: "Answers") -> None:
        """Overwrite these rows."""
        for name, value in vars(part).items():
            getattr(self, name)[rows] = value

    def separations(self) -> Separations:
        """Return the result without copies."""
        return Separations(self.gap, self.axis, self.features[:, :2], self.features[:, 2:])


def chosen(
    gaps: Floats, axes: Floats, forward: Bools, faces: int, margin: Floats, slack: Floats
) -> tuple[Answers, Ints, Bools]:
    """Choose one of the axes (P, K, 3) of each pair. `forward` (P, K) is whether they point from A to B.

    Returns answers without features, the number of each chosen axis, and whether it is `forward`. The first `faces` of
    the axes are preferred, in their order. An axis must be better by more than `margin` (P,). This does not apply if it
    has a gap above `slack` (P,) and those before it have none.
    """
    order = np.minimum(np.arange(gaps.shape[1]), faces)
    best: Ints = np.argmax(gaps - order * margin[:, None], axis=1)
    largest: Ints = np.argmax(gaps, axis=1)
    at = np.arange(len(gaps))
    code = np.where((gaps[at, best] <= slack) & (gaps[at, largest] > slack), largest, best)
    result, way = Answers(len(gaps)), forward[at, code]
    result.gap[:] = gaps[at, code]
    result.axis[:] = axes[at, code] * np.where(way, 1.0, -1.0)[:, None]
    return result, code, way


def improve(
    result: Answers, rows: Ints, gaps: Floats, forward: Bools, axes: Floats, features: Ints, slack: Floats
) -> None:
    """Take the best of K additional axes (R, K, 3) for these rows (R,) where it has a gap larger than the known one."""
    at = np.arange(len(rows))
    best = np.argmax(gaps, axis=1)
    better = gaps[at, best] > np.maximum(slack, result.gap[rows])
    rows, at, best = rows[better], at[better], best[better]
    result.gap[rows] = gaps[at, best]
    result.axis[rows] = axes[at, best] * np.where(forward[at, best], 1.0, -1.0)[:, None]
    result.features[rows] = features[best]


def sorted_corners(vertices: Floats) -> tuple[Ints, Floats]:
    """Sort the corners of each triangle lexicographically: their indices (P, 3) and the corners (P, 3, 3).

    Results then do not depend on the order in which the corners were given.
    """
    order = np.lexsort((vertices[..., 2], vertices[..., 1], vertices[..., 0]), axis=1)
    return order, np.take_along_axis(vertices, order[..., None], axis=1)


def rename(features: Ints, order: Ints) -> None:
    """Change features (P, 2) of triangles with sorted corners to those of the given triangles, in place."""
    at = np.arange(len(order))
    kind, index = features[:, 0], features[:, 1]
    corner = order[at, np.clip(index, 0, 2)]
    # Side k is opposite corner k + 2.
    side = (order[at, (np.clip(index, 0, 2) + 2) % 3] + 1) % 3
    odd = (order[:, 1] - order[:, 0]) % 3 == 2
    face = np.where(odd, 1 - index, index)
    features[:, 1] = np.select(
        [kind == FeatureKind.VERTEX, kind == FeatureKind.EDGE, kind == FeatureKind.FACE], [corner, side, face], index
    )


def triangle_sizes(vertices: Floats) -> tuple[Floats, Floats]:
    """Longest side, and greatest distance of a corner from the origin, independent of corner order: (P,), (P,)."""
    sides = length(np.roll(vertices, -1, axis=1) - vertices)
    return sides.max(axis=1), length(vertices).max(axis=1)


def triangle_normals(sides: Floats, errors: Floats) -> Floats:
    """Unit normal of each triangle from its sides and their rounding errors (P, 3, 3); zero if it has no area."""
    normal = area_vectors(sides, errors)
    size = dot(sides, sides)
    flat = dot(normal, normal) <= PARALLEL * size[:, 0] * size[:, 1]
    return np.where(flat[:, None], 0.0, normalized(normal, np.zeros(3)))


# Codes of the axes: 0 to 2 the box's faces, 3 the triangle's face, from 4 the box's edges times the triangle's.
_NORMAL = 3
_EDGES = 4
# Features of the axis of each code, reversed and as it is: kind and index in the box, kind and index in the triangle.
# For parallel edges of the box, the first one.
_FEATURES = np.array(
    [[FeatureKind.FACE, 2 * k + way, -1, -1] for k in range(3) for way in range(2)]
    + [[-1, -1, FeatureKind.FACE, way] for way in range(2)]
    + [[FeatureKind.EDGE, 4 * i, FeatureKind.EDGE, k] for i in range(3) for k in range(3) for way in range(2)]
)


class _Block(Pairs):
    """A block of pairs in component arrays, in the box's frame.

    `axes` (3, 3, P): of the box. `corners` (5, 4, P) and `sides` (5, 3, P): coordinate by corner or edge of the
    triangle (`seen`: corners relative to the box's center, along the world's axes). Edge k runs from corner k to the
    next. `normal` (3, P), and `half` (5, P): half extents. In arrays with five coordinates the first two are repeated,
    so that the next coordinates are slices. The fourth corner is the first. `square`: squares of `sides`; `sizes`:
    their sums.
    """

    kept = ("half", "corners", "sides", "square", "sizes", "normal")

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.axes, self.half = np.empty((3, 3, count)), np.empty((5, count))
        self.seen = np.empty((3, 3, count))
        self.corners, self.sides = np.empty((5, 4, count)), np.empty((5, 3, count))
        self.square, self.sizes, self.normal = np.empty((5, 3, count)), np.empty((3, count)), np.empty((3, count))

    def load(self, a: Boxes, b: Triangles) -> None:
        """Load the pairs of a block."""
        self.axes[:] = a.rotation.transpose(1, 2, 0)
        self.half[:3] = a.half_extents.T
        self.half[3:] = self.half[:2]
        self.seen[:] = (b.vertices - a.center[:, None]).transpose(2, 1, 0)
        work = self.square[:3]
        sum_of_products(self.axes[:, :, None], self.seen[:, None], out=self.corners[:3, :3], work=work)
        self.corners[:3, 3] = self.corners[:3, 0]
        self.corners[3:] = self.corners[:2]
        np.subtract(self.corners[:, 1:], self.corners[:, :3], out=self.sides)
        self.normal[:] = cross_columns(self.sides[:3, 0], self.sides[:3, 1])
        np.multiply(self.sides, self.sides, out=self.square)
        np.add(self.square[0], self.square[1], out=self.sizes)
        self.sizes += self.square[2]
        size = self.half[:3].sum(axis=0) + np.sqrt(self.sizes.max(axis=0))
        self.extent = size
        self.error_bound = error_bound(size, a.center, b.vertices)
        self.degenerate[:] = False

    def faces(self) -> Floats:
        """Gaps along the three face normals of the box and the normal of the triangle, (4, P)."""
        result = np.empty((4, len(self.degenerate)))
        low = np.minimum(np.minimum(self.corners[:3, 0], self.corners[:3, 1]), self.corners[:3, 2])
        high = np.maximum(np.maximum(self.corners[:3, 0], self.corners[:3, 1]), self.corners[:3, 2])
        np.maximum(low, np.negative(high, out=high), out=result[:3])
        result[:3] -= self.half[:3]
        gap = np.abs(dot_columns(self.normal, self.corners[:3, 0]))
        gap -= dot_columns(np.abs(self.normal), self.half[:3])
        gap *= np.abs(gap)
        divide_by_sines(
            gap[None],
            dot_columns(self.normal, self.normal)[None],
            (self.sizes[0] * self.sizes[1])[None],
            self.degenerate,
        )
        result[_NORMAL] = unsquared(gap)
        return result

    def edges(self) -> LargestGap:
        """Largest gap along the nine cross products, squared with its sign."""
        largest, work = LargestGap(), np.empty_like(self.sizes)
        reach, halved = np.abs(self.sides), self.normal / 2.0
        spread = np.abs(halved)
        for i in range(3):
            # Along A_i x E_k: coordinate i is zero, and the other two are those of E_k, swapped with a sign.
            gaps = self.sides[i + 1] * self.corners[i + 2, :3]
            gaps -= np.multiply(self.sides[i + 2], self.corners[i + 1, :3], out=work)
            # Both ends of the edge project to one point. Move it to the middle between them and the opposite corner.
            gaps += halved[i]
            np.abs(gaps, out=gaps)
            gaps -= spread[i]
            gaps -= np.multiply(reach[i + 2], self.half[i + 1], out=work)
            gaps -= np.multiply(reach[i + 1], self.half[i + 2], out=work)
            np.abs(gaps, out=work)
            gaps *= work
            divide_by_sines(gaps, self.square[i + 1] + self.square[i + 2], self.sizes, self.degenerate)
            largest.consider(gaps)
        return largest

    def describe(self, code: Ints, by_edges: Ints, result: Answers, block: slice) -> None:
        """Write the axes of these codes, their gaps and their features to the rows of the block."""
        rows = np.arange(len(code))
        axis = np.zeros((3, len(code)))
        axis[np.minimum(code, 2), rows] = 1.0
        by_normal = np.flatnonzero(code == _NORMAL)
        axis[:, by_normal] = self.normal[:, by_normal]
        i, side = np.divmod(code.take(by_edges) - _EDGES, 3)
        axis[i, by_edges] = 0.0
        axis[(i + 1) % 3, by_edges] = -self.sides[i + 2, side, by_edges]
        axis[(i + 2) % 3, by_edges] = self.sides[i + 1, side, by_edges]
        axis /= np.sqrt(dot_columns(axis, axis))
        heights = np.empty((3, len(code)))
        sum_of_products(axis[:, None], self.corners[:3, :3], out=heights, work=self.seen[0])
        low, high = heights.min(axis=0), heights.max(axis=0)
        forward = low >= -high
        gap = np.maximum(low, -high)
        gap -= dot_columns(np.abs(axis), self.half[:3])
        result.gap[block] = gap
        axis *= forward * 2.0 - 1.0
        world = np.empty_like(axis)
        sum_of_products(self.axes.transpose(1, 0, 2), axis[:, None], out=world, work=self.seen[0])
        result.axis[block] = world.T
        feature = result.features[block]
        _FEATURES.take(2 * code + forward, axis=0, out=feature, mode="clip")
        # The farthest edge of the box along the axis. The lower of the other two coordinates is the first bit.
        low_bit, high_bit = np.array([[1, 0, 0], [2, 2, 1]])[:, i]
        feature[by_edges, 1] += (axis[low_bit, by_edges] > 0.0) + 2 * (axis[high_bit, by_edges] > 0.0)


class BoxTriangle(FlatFaced):
    """Pair queries by the thirteen axes.

    Flat boxes and triangles in one plane need no further axes. At least one of the three axes of a box is oblique to
    the plane. Its cross products with the edges have a component in the plane. Triangles without area have no normal.
    """

    pairs = _Block
    first_edges = _EDGES

    def robust(self, a: Boxes, b: Triangles, preference: float) -> tuple[Answers, Floats]:
        """See `FlatFaced`: test the thirteen axes with full projections and with cross products in double-double."""
        count = len(a)
        order, corners = sorted_corners(b.vertices)
        seen = corners - a.center[:, None]
        sides, lacking = vectors.two_diff(np.roll(corners, -1, axis=1), corners)
        columns = a.rotation.transpose(0, 2, 1)
        normal = triangle_normals(sides, lacking)
        edges = vectors.cross_dd(columns[:, :, None], sides[:, None], np.zeros((1, 1, 1, 3)), lacking[:, None])
        size = dot(sides, sides)[:, None]
        proper = dot(edges, edges) > PARALLEL * size
        edges = np.where(proper[..., None], normalized(edges, np.zeros(3)), 0.0).reshape(count, 9, 3)
        axes = np.concatenate([columns, normal[:, None], edges], axis=1)
        gaps, forward = _gaps(a, seen, axes)
        slack = self.slack(a, b)
        extent = a.half_extents.sum(axis=1) + np.sqrt(size.max(axis=(1, 2)))
        result, code, way = chosen(gaps, axes, forward, _EDGES, preference * extent, slack)
        result.features[:] = _FEATURES[2 * code + way]
        by_edges = np.flatnonzero(code >= _EDGES)
        local = np.matmul(columns[by_edges], result.axis[by_edges, :, None])[:, :, 0] > 0.0
        i = (code[by_edges] - _EDGES) // 3
        low_bit, high_bit = np.array([[1, 0, 0], [2, 2, 1]])[:, i]
        line = np.arange(len(by_edges))
        result.features[by_edges, 1] += local[line, low_bit] + 2 * local[line, high_bit]
        rename(result.features[:, 2:], order)
        return result, slack

    def slack(self, a: Boxes, b: Triangles) -> Floats:
        """See `FlatFaced`."""
        size, offset = triangle_sizes(b.vertices)
        return rounding(length(a.half_extents) + size, np.maximum(length(a.center), offset))


def _gaps(a: Boxes, seen: Floats, axes: Floats) -> tuple[Floats, Bools]:
    """Gap along each axis (P, K, 3), and whether it is along the axis or against it; minus infinity for a zero axis.

    `seen` (P, 3, 3) are the triangle's corners relative to the box's center.
    """
    heights = np.matmul(axes, seen.transpose(0, 2, 1))
    low, high = heights.min(axis=2), heights.max(axis=2)
    reach = (np.abs(axes @ a.rotation) * a.half_extents[:, None]).sum(axis=2)
    gap = np.maximum(low, -high) - reach
    return np.where(axes.any(axis=2), gap, -np.inf), low >= -high
