# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle against triangle: the eleven axes of Ericson 2005, 5.2.10, and the directions within a common plane.

For triangles in different planes, the two normals and the nine cross products of edges decide. For triangles in one
plane, or nearly in one plane, all these axes have the same direction and cannot separate them. Then the directions
between vertices and edges within the plane decide, as they do for triangles without area. Touching is contact. A vertex
inside the other triangle needs no separate test, because then no axis has a gap.
"""

import numpy as np

from ..numerics import vectors
from ..numerics.tolerances import PARALLEL, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot, dot_columns, normalized, perpendicular, perpendicular_part
from ..results import FeatureKind
from ..shapes import Triangles
from . import box_triangle
from .box_triangle import (
    Answers,
    FlatFaced,
    LargestGap,
    Pairs,
    picked,
    rename,
    sorted_corners,
    sum_of_products,
    triangle_normals,
    triangle_sizes,
)

# Codes of the axes: the normal of A, the normal of B, and from 2 the edges of A times the edges of B.
_EDGES = 2
# Features of the axis of each code, reversed and as it is: kind and index in A, kind and index in B.
_FEATURES = np.array(
    [[FeatureKind.FACE, 1 - way, -1, -1] for way in range(2)]
    + [[-1, -1, FeatureKind.FACE, way] for way in range(2)]
    + [[FeatureKind.EDGE, i, FeatureKind.EDGE, j] for i in range(3) for j in range(3) for way in range(2)]
)
# Features of the directions of `_closest_axes`: kind and index in A, kind and index in B.
_CLOSEST = np.array(
    [[FeatureKind.VERTEX, i, FeatureKind.VERTEX, j] for i in range(3) for j in range(3)]
    + [[FeatureKind.EDGE, i, FeatureKind.VERTEX, j] for i in range(3) for j in range(3)]
    + [[FeatureKind.VERTEX, j, FeatureKind.EDGE, i] for i in range(3) for j in range(3)]
)


class _Block(Pairs):
    """A block of pairs in component arrays, relative to the first corner of A.

    `corners_a`, `corners_b`, `sides_a` and `sides_b` (3, 3, P): coordinate by corner or edge. Edge i runs from corner i
    to the next. `normal_a` and `normal_b` (3, P). `sizes_a` and `sizes_b` (3, P): squared lengths of the edges.
    """

    kept = ("corners_a", "corners_b", "sides_a", "sides_b", "normal_a", "normal_b", "sizes_a", "sizes_b")

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.corners_a, self.corners_b, self.sides_a, self.sides_b, self.cross, self.work = np.empty((6, 3, 3, count))
        self.normal_a, self.normal_b, self.sizes_a, self.sizes_b = np.empty((4, 3, count))

    def make_room(self, count: int) -> None:
        """See `Pairs`."""
        self.cross, self.work = np.empty((2, 3, 3, count))

    def load(self, a: Triangles, b: Triangles) -> None:
        """Load the pairs of a block."""
        origin = a.vertices[:, :1]
        for corners, sides, normal, sizes, shapes in (
            (self.corners_a, self.sides_a, self.normal_a, self.sizes_a, a),
            (self.corners_b, self.sides_b, self.normal_b, self.sizes_b, b),
        ):
            corners[:] = (shapes.vertices - origin).transpose(2, 1, 0)
            np.subtract(corners[:, 1:], corners[:, :2], out=sides[:, :2])
            np.subtract(corners[:, 0], corners[:, 2], out=sides[:, 2])
            normal[:] = cross_columns(sides[:, 0], sides[:, 1])
            sum_of_products(sides, sides, out=sizes, work=self.work[0])
        size = np.sqrt(self.sizes_a.max(axis=0)) + np.sqrt(self.sizes_b.max(axis=0))
        self.extent = size
        self.error_bound = box_triangle.error_bound(size, a.vertices, b.vertices)
        self.degenerate[:] = False

    def faces(self) -> Floats:
        """Gaps along the two normals, (2, P)."""
        result = np.empty((2, len(self.degenerate)))
        heights, work = self.work[:2]
        for normal, corners, level, sizes, gap in (
            (self.normal_a, self.corners_b, None, self.sizes_a, result[0]),
            (self.normal_b, self.corners_a, self.corners_b[:, 0], self.sizes_b, result[1]),
        ):
            sum_of_products(normal[:, None], corners, out=heights, work=work)
            if level is not None:
                heights -= dot_columns(normal, level)
            np.maximum(heights.min(axis=0), -heights.max(axis=0), out=gap)
            gap *= np.abs(gap)
            square = dot_columns(normal, normal)[None]
            box_triangle.divide_by_sines(gap[None], square, (sizes[0] * sizes[1])[None], self.degenerate)
        return box_triangle.unsquared(result)

    def edges(self) -> LargestGap:
        """Largest gap along the nine cross products of edges, squared with its sign."""
        largest = LargestGap()
        # Along E_i x F_j, the corner opposite to E_i is lower than its ends by N_A · F_j. The corner opposite to F_j is
        # higher than its ends by N_B · E_i. Half of it moves the middle of the interval, and half is its half-width.
        rise_a, rise_b, spread_b, gaps, square, work = np.empty((6, 3, len(self.degenerate)))
        sum_of_products(self.normal_b[:, None], self.sides_a, out=rise_a, work=work)
        sum_of_products(self.normal_a[:, None], self.sides_b, out=rise_b, work=work)
        rise_a /= 2.0
        rise_b /= 2.0
        np.abs(rise_b, out=spread_b)
        for i in range(3):
            for k, (m, n) in enumerate(((1, 2), (2, 0), (0, 1))):
                np.multiply(self.sides_a[m, i], self.sides_b[n], out=self.cross[k])
                self.cross[k] -= np.multiply(self.sides_a[n, i], self.sides_b[m], out=work)
            np.subtract(self.corners_b, self.corners_a[:, i, None], out=self.work)
            sum_of_products(self.cross, self.work, out=gaps, work=work)
            gaps += rise_a[i]
            gaps += rise_b
            np.abs(gaps, out=gaps)
            gaps -= np.abs(rise_a[i])
            gaps -= spread_b
            sum_of_products(self.cross, self.cross, out=square, work=work)
            gaps *= np.abs(gaps, out=work)
            np.multiply(self.sizes_a[i], self.sizes_b, out=work)
            box_triangle.divide_by_sines(gaps, square, work, self.degenerate)
            largest.consider(gaps)
        return largest

    def describe(self, code: Ints, by_edges: Ints, result: Answers, block: slice) -> None:
        """Write the axes of these codes, their gaps and their features to the rows of the block."""
        axis = self.normal_a.copy()
        by_b = np.flatnonzero(code == 1)
        axis[:, by_b] = self.normal_b.take(by_b, axis=1)
        i, j = np.divmod(code.take(by_edges) - _EDGES, 3)
        axis[:, by_edges] = cross_columns(
            picked(self.sides_a.take(by_edges, axis=2), i), picked(self.sides_b.take(by_edges, axis=2), j)
        )
        square = dot_columns(axis, axis)
        axis /= np.sqrt(np.where(square > 0.0, square, 1.0))
        heights = np.empty((2, *self.sizes_a.shape))
        sum_of_products(axis[:, None], self.corners_a, out=heights[0], work=self.work[0])
        sum_of_products(axis[:, None], self.corners_b, out=heights[1], work=self.work[0])
        low, high = heights.min(axis=1), heights.max(axis=1)
        ahead, behind = low[1] - high[0], low[0] - high[1]
        forward = ahead >= behind
        result.gap[block] = np.maximum(ahead, behind)
        axis *= forward * 2.0 - 1.0
        result.axis[block] = axis.T
        _FEATURES.take(2 * code + forward, axis=0, out=result.features[block], mode="clip")


class TriangleTriangle(FlatFaced):
    """Pair queries by the eleven axes.

    Triangles without area have no normal. If these axes have no gap but the pair may be separated, as in one plane, the
    directions between corners and edges are tried. Collinear triangles that intersect get an axis perpendicular to
    their line, with their longest edges as features. Triangles in one point get the axis +Z.
    """

    pairs = _Block
    first_edges = _EDGES

    def robust(self, a: Triangles, b: Triangles, preference: float) -> tuple[Answers, Floats]:
        """See `FlatFaced`: test the eleven axes with full projections and with cross products in double-double."""
        order_a, corners_a = sorted_corners(a.vertices)
        order_b, corners_b = sorted_corners(b.vertices)
        sides_a, lacking_a = vectors.two_diff(np.roll(corners_a, -1, axis=1), corners_a)
        sides_b, lacking_b = vectors.two_diff(np.roll(corners_b, -1, axis=1), corners_b)
        normals = [triangle_normals(*sides) for sides in ((sides_a, lacking_a), (sides_b, lacking_b))]
        edges = vectors.cross_dd(sides_a[:, :, None], sides_b[:, None], lacking_a[:, :, None], lacking_b[:, None])
        size_a, size_b = dot(sides_a, sides_a), dot(sides_b, sides_b)
        proper = dot(edges, edges) > PARALLEL * size_a[:, :, None] * size_b[:, None]
        edges = np.where(proper[..., None], normalized(edges, np.zeros(3)), 0.0).reshape(len(a), 9, 3)
        axes = np.concatenate([np.stack(normals, axis=1), edges], axis=1)
        # Collinear triangles: any perpendicular axis. Triangles in one point: +Z.
        in_line = ~axes.any(axis=(1, 2))
        axes[in_line, 0] = _beside_the_line(sides_a[in_line], sides_b[in_line])
        gaps, forward = _gaps(corners_a, corners_b, axes)
        slack = self.slack(a, b)
        extent = np.sqrt(size_a.max(axis=1)) + np.sqrt(size_b.max(axis=1))
        result, code, way = box_triangle.chosen(gaps, axes, forward, _EDGES, preference * extent, slack)
        result.features[:] = _FEATURES[2 * code + way]
        for first, size in ((0, size_a), (2, size_b)):
            result.features[in_line, first] = np.where(size[in_line].any(axis=1), FeatureKind.EDGE, FeatureKind.VERTEX)
            result.features[in_line, first + 1] = size[in_line].argmax(axis=1)
        # No axis has a gap. Triangles in one plane, or nearly so, may still be separated.
        rows = np.flatnonzero((np.abs(gaps.max(axis=1)) <= slack) | in_line)
        if len(rows):
            more = _closest_axes(corners_a[rows], corners_b[rows])
            found = _gaps(corners_a[rows], corners_b[rows], more)
            box_triangle.improve(result, rows, *found, more, _CLOSEST, slack[rows])
        rename(result.features[:, :2], order_a)
        rename(result.features[:, 2:], order_b)
        return result, slack

    def slack(self, a: Triangles, b: Triangles) -> Floats:
        """See `FlatFaced`."""
        (size_a, offset_a), (size_b, offset_b) = triangle_sizes(a.vertices), triangle_sizes(b.vertices)
        return rounding(size_a + size_b, np.maximum(offset_a, offset_b))


def _gaps(a: Floats, b: Floats, axes: Floats) -> tuple[Floats, Bools]:
    """Gap along each axis (P, K, 3), and whether it is along the axis or against it; minus infinity for a zero axis."""
    # Differences of corners are accurate if the triangles are close, wherever they are.
    columns = np.ascontiguousarray(axes.transpose(2, 1, 0))
    shape = columns.shape[1:]
    low, high, height, work = np.full(shape, np.inf), np.full(shape, -np.inf), np.empty(shape), np.empty(shape)
    for i in range(3):
        for k in range(3):
            x, y, z = np.ascontiguousarray((b[:, k] - a[:, i]).T)
            np.multiply(columns[0], x, out=height)
            height += np.multiply(columns[1], y, out=work)
            height += np.multiply(columns[2], z, out=work)
            np.minimum(low, height, out=low)
            np.maximum(high, height, out=high)
    gap = np.maximum(low, -high)
    gap[~(columns[0].astype(bool) | columns[1].astype(bool) | columns[2].astype(bool))] = -np.inf
    return gap.T, (low >= -high).T


def _beside_the_line(sides_a: Floats, sides_b: Floats) -> Floats:
    """A unit vector perpendicular to the longest edge of each pair; +Z if all edges have length zero."""
    sides = np.concatenate([sides_a, sides_b], axis=1)
    longest = sides[np.arange(len(sides)), dot(sides, sides).argmax(axis=1)]
    up = np.array([0.0, 0.0, 1.0])
    return np.where(longest.any(axis=1)[:, None], perpendicular(normalized(longest, up)), up)


def _closest_axes(a: Floats, b: Floats) -> Floats:
    """Directions from pairs of corners, and from pairs of a corner and an edge, of triangles (P, 3, 3): (P, 27, 3).

    If A - B is flat or nearly flat, as for coplanar triangles, its facets show hardly any gap, however far apart the
    two are within their plane. The closest points lie on a corner, an edge or the face of each. These features
    determine the direction. For two corners it is their difference. For a corner and an edge it is the component of
    the difference that is perpendicular to the edge. Two edges give their cross product and a face its normal, but
    these are facets of A - B. The direction with the largest gap of all shows the distance. Directions are unit
    vectors; zero where two corners coincide or a corner lies on the line of an edge. See `_CLOSEST` for their features.
    """
    first, second = np.indices((3, 3)).reshape(2, -1)
    between = b[:, None] - a[:, :, None]
    sides_a, sides_b = (np.roll(corners, -1, axis=1) - corners for corners in (a, b))
    axes = [
        between[:, first, second],
        perpendicular_part(between[:, first, second], sides_a[:, first]),
        perpendicular_part(between[:, second, first], sides_b[:, first]),
    ]
    return normalized(np.concatenate(axes, axis=1), np.zeros(3))
