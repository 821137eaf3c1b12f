# SPDX-License-Identifier: GPL-3.0-or-later
"""Box against triangle: the thirteen axes of doc4code 2011, "Box vs triangle", in components.

The axes are the box's three face normals, the triangle's normal and the nine cross products of their edges. They are
tested in the box's frame. The table of doc4code has the wrong corner or sign in its rows for the second and third edge;
see docs/sources.md. Along A_i x E_k, both ends of the edge k have the same projection p, and the opposite corner has
``p + N · A_i`` for every k.
"""

import numpy as np

from ..geometry import triangles
from ..numerics import soa as vector
from ..numerics import vectors
from ..numerics.tolerances import PARALLEL, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..results import FeatureKind
from ..shapes import Boxes, Triangles
from . import box_triangle_sat
from .box_triangle_sat import Answers, FlatFaced, LargestGap, sum_of_products

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


class _Block:
    """A block of pairs in component arrays, in the box's frame.

    `axes` (3, 3, P): of the box. `corners` (5, 4, P) and `sides` (5, 3, P): coordinate by corner or edge of the
    triangle (`seen`: corners relative to the box's center, along the world's axes). Edge k runs from corner k to the
    next. `normal` (3, P), and `half` (5, P): half extents. In arrays with five coordinates the first two are repeated,
    so that the next coordinates are slices. The fourth corner is the first. `square`: squares of `sides`; `sizes`:
    their sums.
    """

    def __init__(self, count: int) -> None:
        self.axes, self.half = np.empty((3, 3, count)), np.empty((5, count))
        self.seen = np.empty((3, 3, count))
        self.corners, self.sides = np.empty((5, 4, count)), np.empty((5, 3, count))
        self.square, self.sizes, self.normal = np.empty((5, 3, count)), np.empty((3, count)), np.empty((3, count))
        self.margin, self.error_bound, self.degenerate = np.empty(count), np.empty(count), np.empty(count, dtype=bool)

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
        self.normal[:] = vector.cross(self.sides[:3, 0], self.sides[:3, 1])
        np.multiply(self.sides, self.sides, out=self.square)
        np.add(self.square[0], self.square[1], out=self.sizes)
        self.sizes += self.square[2]
        size = self.half[:3].sum(axis=0) + np.sqrt(self.sizes.max(axis=0))
        self.extent = size
        self.error_bound[:] = box_triangle_sat.error_bound(size, a.center, b.vertices)
        self.degenerate[:] = False

    def take(self, rows: Ints) -> "_Block":
        """Select pairs of the block. The result supports `edges` and `is_uncertain` only."""
        result = object.__new__(_Block)
        for name in ("half", "corners", "sides", "square", "sizes", "normal", "error_bound", "degenerate"):
            setattr(result, name, getattr(self, name).take(rows, axis=-1))
        return result

    def is_uncertain(self, gap: Floats) -> Bools:
        """Pairs that plain arithmetic cannot decide, given their largest gap. Call `faces` and `edges` before."""
        return (np.abs(gap) <= self.error_bound) | self.degenerate

    def faces(self) -> Floats:
        """Gaps along the three face normals of the box and the normal of the triangle, (4, P)."""
        result = np.empty((4, len(self.degenerate)))
        low = np.minimum(np.minimum(self.corners[:3, 0], self.corners[:3, 1]), self.corners[:3, 2])
        high = np.maximum(np.maximum(self.corners[:3, 0], self.corners[:3, 1]), self.corners[:3, 2])
        np.maximum(low, np.negative(high, out=high), out=result[:3])
        result[:3] -= self.half[:3]
        gap = np.abs(vector.dot(self.normal, self.corners[:3, 0]))
        gap -= vector.dot(np.abs(self.normal), self.half[:3])
        gap *= np.abs(gap)
        box_triangle_sat.divide_by_sines(
            gap[None],
            vector.dot(self.normal, self.normal)[None],
            (self.sizes[0] * self.sizes[1])[None],
            self.degenerate,
        )
        result[_NORMAL] = box_triangle_sat.unsquared(gap)
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
            box_triangle_sat.divide_by_sines(gaps, self.square[i + 1] + self.square[i + 2], self.sizes, self.degenerate)
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
        axis /= np.sqrt(vector.dot(axis, axis))
        heights = np.empty((3, len(code)))
        sum_of_products(axis[:, None], self.corners[:3, :3], out=heights, work=self.seen[0])
        low, high = heights.min(axis=0), heights.max(axis=0)
        forward = low >= -high
        gap = np.maximum(low, -high)
        gap -= vector.dot(np.abs(axis), self.half[:3])
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
        """See `FlatFaced`."""
        return _robust(a, b, preference)

    def slack(self, a: Boxes, b: Triangles) -> Floats:
        """See `FlatFaced`."""
        return _slack(a, b)


def _slack(a: Boxes, b: Triangles) -> Floats:
    """Largest gap of each pair that counts as contact."""
    size, offset = triangles.sizes(b.vertices)
    return rounding(length(a.half_extents) + size, np.maximum(length(a.center), offset))


def _robust(a: Boxes, b: Triangles, preference: float) -> tuple[Answers, Floats]:
    """Test the thirteen axes with full projections and with cross products in double-double."""
    count = len(a)
    at = np.arange(count)
    order, corners = triangles.sorted_corners(b.vertices)
    seen = corners - a.center[:, None]
    sides, lacking = vectors.two_diff(np.roll(corners, -1, axis=1), corners)
    columns = a.rotation.transpose(0, 2, 1)
    normal = triangles.normals(sides, lacking)
    edges = vectors.cross_dd(columns[:, :, None], sides[:, None], np.zeros((1, 1, 1, 3)), lacking[:, None])
    size = dot(sides, sides)[:, None]
    proper = dot(edges, edges) > PARALLEL * size
    edges = np.where(proper[..., None], normalized(edges, np.zeros(3)), 0.0).reshape(count, 9, 3)
    axes = np.concatenate([columns, normal[:, None], edges], axis=1)
    gaps, forward = _gaps(a, seen, axes)
    slack = _slack(a, b)
    extent = a.half_extents.sum(axis=1) + np.sqrt(size.max(axis=(1, 2)))
    code = box_triangle_sat.chosen(gaps, _EDGES, preference * extent, slack)
    way = forward[at, code]
    result = Answers(count)
    result.gap[:] = gaps[at, code]
    result.axis[:] = axes[at, code] * np.where(way, 1.0, -1.0)[:, None]
    result.features[:] = _FEATURES[2 * code + way]
    by_edges = np.flatnonzero(code >= _EDGES)
    local = np.matmul(columns[by_edges], result.axis[by_edges, :, None])[:, :, 0] > 0.0
    i = (code[by_edges] - _EDGES) // 3
    low_bit, high_bit = np.array([[1, 0, 0], [2, 2, 1]])[:, i]
    line = np.arange(len(by_edges))
    result.features[by_edges, 1] += local[line, low_bit] + 2 * local[line, high_bit]
    triangles.rename(result.features[:, 2:], order)
    return result, slack


def _gaps(a: Boxes, seen: Floats, axes: Floats) -> tuple[Floats, Bools]:
    """Gap along each axis (P, K, 3), and whether it is along the axis or against it; minus infinity for a zero axis.

    `seen` (P, 3, 3) are the triangle's corners relative to the box's center.
    """
    heights = np.matmul(axes, seen.transpose(0, 2, 1))
    low, high = heights.min(axis=2), heights.max(axis=2)
    reach = (np.abs(axes @ a.rotation) * a.half_extents[:, None]).sum(axis=2)
    gap = np.maximum(low, -high) - reach
    return np.where(axes.any(axis=2), gap, -np.inf), low >= -high
