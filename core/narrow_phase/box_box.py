# SPDX-License-Identifier: GPL-3.0-or-later
"""Box against box: the fifteen axes of Lee 2018, section 13.4, in components.

The three axes of A, the three axes of B and their nine cross products are tested in A's frame. There the projections
on A's axes are coordinates (Gottschalk, Lin and Manocha, "OBBTree", 1996; Ericson, "Real-Time Collision Detection",
section 4.4.1). For boxes that overlap, the largest gap of the fifteen is minus the penetration depth, because A - B has
no other facets.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ..numerics import vectors
from ..numerics.tolerances import PARALLEL, rounding
from ..numerics.types import Floats, Ints
from ..numerics.vectors import cross_columns, dot, dot_columns, length
from ..results import Contacts, Distances, FeatureKind
from ..shapes import Boxes
from ..shapes.batch import Rows
from . import box_box_contacts, box_box_distance, box_triangle
from .box_triangle import Answers, FlatFaced, LargestGap, Pairs, picked
from .convex_convex import KnownAxes

# Codes of the axes: 0 to 2 the faces of A, 3 to 5 the faces of B, from 6 the edges of A times the edges of B.
_EDGES = 6
# The axis of A and the axis of B for each code; 0 if the code has none.
_AXIS_A = np.array([0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
_AXIS_B = np.array([0, 0, 0, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2])
# Each axis, the next axis, and the one after that.
_CYCLE = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
# Four entries of `_Block.turn` whose signs determine the farthest edges along the axis A_i x B_j: the coordinates of
# B_j on A's axes i + 2 and i + 1, and those of A_i on B's axes j + 2 and j + 1 (modulo 3). `_BITS` are their bits.
_TURNED = np.array(
    [[0] * 4] * _EDGES
    + [
        [3 * last + j, 3 * following + j, 3 * i + end, 3 * i + middle]
        for i, following, last in _CYCLE
        for j, middle, end in _CYCLE
    ]
).T.copy()
_BITS = np.array([[1], [2], [4], [8]], dtype=np.int8)
# Dimensionless: a squared sine. For edges closer to parallel, the gap along the cross product loses two digits or more.
_OBLIQUE = 1e-4


def _feature_table() -> Ints:
    """Features of each axis, kind and index in A and in B, by code, orientation and the four signs."""
    table = np.full((15, 2, 16, 4), -1, dtype=np.int64)
    for way in range(2):
        for k in range(3):
            table[k, way, :, :2] = FeatureKind.FACE, 2 * k + way
            table[3 + k, way, :, 2:] = FeatureKind.FACE, 2 * k + 1 - way
        for i, j, signs in np.ndindex(3, 3, 16):
            b_last, b_next, a_last, a_next = (bool(signs >> bit & 1) for bit in range(4))
            # In A's frame, A_i x B_j is B_j rotated by 90 degrees about axis i. In B's frame, it is A_i rotated about
            # axis j.
            edge_a = _edge(i, not b_last, b_next, bool(way))
            edge_b = _edge(j, a_last, not a_next, not way)
            table[_EDGES + 3 * i + j, way, signs] = FeatureKind.EDGE, edge_a, FeatureKind.EDGE, edge_b
    return table.reshape(-1, 4)


def _edge(along: int, following: bool, last: bool, forward: bool) -> int:
    """Index of the farthest of the four edges along an axis, in the order of `polytopes`.

    `following` and `last` tell whether the direction points along the next axis and the one after that. Unless
    `forward`, the direction is reversed.
    """
    bits = {(along + 1) % 3: following == forward, (along + 2) % 3: last == forward}
    low, high = (bits[axis] for axis in sorted(bits))
    return 4 * along + low + 2 * high


_FEATURES = _feature_table()


class _Block(Pairs):
    """A block of pairs in component arrays.

    `axes_a` and `axes_b` (3, 3, P): coordinate by axis. `turn` (3, 3, P): the axes of B in A's frame, ``A_i · B_j``,
    and `reach` (3, 3, P) their absolute values. `shift_a` and `shift_b` (3, P): vector from A's center to B's in the
    frames of A and of B, and `apart` (3, P) in world coordinates. `half_a` and `half_b` (3, P): half extents.
    """

    kept = ("half_a", "half_b", "turn", "shift_a", "reach")

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.turn, self.reach, self.gaps, self.work, self.sine = np.empty((5, 3, 3, count))
        self.apart, self.shift_a, self.shift_b = np.empty((3, 3, count))

    def make_room(self, count: int) -> None:
        """See `Pairs`."""
        self.gaps, self.work, self.sine = np.empty((3, 3, 3, count))

    def load(self, a: Boxes, b: Boxes) -> None:
        """Load the pairs of a block."""
        self.axes_a, self.axes_b = (np.ascontiguousarray(shapes.rotation.transpose(1, 2, 0)) for shapes in (a, b))
        self.half_a, self.half_b = (np.ascontiguousarray(shapes.half_extents.T) for shapes in (a, b))
        np.subtract(b.center.T, a.center.T, out=self.apart)
        np.einsum("kip,kjp->ijp", self.axes_a, self.axes_b, out=self.turn)
        np.einsum("kip,kp->ip", self.axes_a, self.apart, out=self.shift_a)
        np.einsum("kip,kp->ip", self.axes_b, self.apart, out=self.shift_b)
        np.abs(self.turn, out=self.reach)
        size = self.half_a.sum(axis=0)
        size += self.half_b.sum(axis=0)
        # The radius of a box's bounding sphere, as in the statement about `tolerances.AXIS_NAMED`.
        self.extent = np.sqrt((self.half_a**2).sum(axis=0)) + np.sqrt((self.half_b**2).sum(axis=0))
        self.error_bound = box_triangle.error_bound(size, a.center, b.center)
        self.degenerate[:] = False

    def faces(self) -> Floats:
        """Gaps along the six face normals, (6, P)."""
        result, extent = np.empty((6, len(self.degenerate))), self.work[0]
        by_a, by_b = result[:3], result[3:]
        np.abs(self.shift_a, out=by_a)
        by_a -= self.half_a
        by_a -= np.einsum("ijp,jp->ip", self.reach, self.half_b, out=extent)
        np.abs(self.shift_b, out=by_b)
        by_b -= self.half_b
        by_b -= np.einsum("ijp,ip->jp", self.reach, self.half_a, out=extent)
        return result

    def edges(self) -> LargestGap:
        """Largest gap along the nine cross products, squared with its sign. This avoids unnecessary square roots."""
        gaps, sine, work = self.gaps, self.sine, self.work[0]
        for i, j, k in _CYCLE:
            # Along A_i x B: coordinate i is zero, and the other two are those of B, swapped with a sign.
            np.multiply(self.turn[j], self.shift_a[k], out=gaps[i])
            gaps[i] -= np.multiply(self.turn[k], self.shift_a[j], out=work)
        np.abs(gaps, out=gaps)
        for i, j, k in _CYCLE:
            gaps[i] -= np.multiply(self.reach[j], self.half_a[k], out=work)
            gaps[i] -= np.multiply(self.reach[k], self.half_a[j], out=work)
            gaps[:, i] -= np.multiply(self.reach[:, j], self.half_b[k], out=work)
            gaps[:, i] -= np.multiply(self.reach[:, k], self.half_b[j], out=work)
        square = np.multiply(self.turn, self.turn, out=self.work)
        for i, j, k in _CYCLE:
            np.add(square[j], square[k], out=sine[i])
        gaps *= np.abs(gaps, out=self.work)
        largest, every = LargestGap(), (9, len(self.degenerate))
        box_triangle.divide_by_sines(gaps.reshape(every), sine.reshape(every), 1.0, self.degenerate)
        largest.consider(gaps.reshape(every))
        return largest

    def describe(self, code: Ints, by_edges: Ints, result: Answers, block: slice) -> None:
        """Write the axes of these codes, and their features, to the rows of the block."""
        axis, other = picked(self.axes_a, _AXIS_A.take(code)), picked(self.axes_b, _AXIS_B.take(code))
        cross = cross_columns(axis, other)
        square = dot_columns(cross, cross)
        # If no edges decide, the two may be parallel. The cross product is not used then.
        with np.errstate(divide="ignore", invalid="ignore"):
            cross /= np.sqrt(square)
        # For edges close to parallel, compute the gap along the axis as returned, with its rounding error.
        oblique = by_edges[square[by_edges] < _OBLIQUE]
        if len(oblique):
            along = cross[:, oblique]
            gap = np.abs(dot_columns(along, self.apart[:, oblique]))
            for axes, half in ((self.axes_a, self.half_a), (self.axes_b, self.half_b)):
                reach = np.abs(np.einsum("kip,kp->ip", axes[:, :, oblique], along))
                gap -= dot_columns(reach, half[:, oblique])
            result.gap[block.start + oblique] = gap
        by_b = np.flatnonzero((code >= 3) & (code < _EDGES))
        for component, its in zip(axis, other, strict=True):
            component[by_b] = its.take(by_b)
        axis = np.where(code >= _EDGES, cross, axis)
        forward = dot_columns(axis, self.apart) >= 0.0
        np.multiply(axis, forward * 2.0 - 1.0, out=result.axis[block].T)
        row = 32 * code
        row += 16 * forward
        # The signs of the axis in the frames of A and of B.
        place = (_TURNED * len(code)).take(code.take(by_edges), axis=1)
        place += by_edges
        signs = self.turn.reshape(-1).take(place) > 0.0
        row[by_edges] += (signs.view(np.int8) * _BITS).sum(axis=0, dtype=np.int8)
        _FEATURES.take(row, axis=0, out=result.features[block], mode="clip")


class BoxBox(FlatFaced):
    """Pair queries by the three axes of A, the three axes of B and their nine cross products."""

    pairs = _Block
    first_edges = _EDGES

    def robust(self, a: Boxes, b: Boxes, preference: float) -> tuple[Answers, Floats]:
        """See `FlatFaced`: test the fifteen axes with full projections and with cross products in double-double."""
        count = len(a)
        axes_a, axes_b = a.rotation.transpose(0, 2, 1), b.rotation.transpose(0, 2, 1)
        nothing = np.zeros((1, 1, 1, 3))
        cross = vectors.cross_dd(axes_a[:, :, None], axes_b[:, None], nothing, nothing).reshape(count, 9, 3)
        square = dot(cross, cross)
        proper = square > PARALLEL
        cross /= np.sqrt(np.where(proper, square, 1.0))[..., None]
        axes = np.concatenate([axes_a, axes_b, cross], axis=1)
        reach = (np.abs(axes @ a.rotation) * a.half_extents[:, None]).sum(axis=2)
        reach += (np.abs(axes @ b.rotation) * b.half_extents[:, None]).sum(axis=2)
        shift = dot(axes, (b.center - a.center)[:, None])
        gaps = np.abs(shift) - reach
        gaps[:, _EDGES:] = np.where(proper, gaps[:, _EDGES:], -np.inf)
        slack = self.slack(a, b)
        size = length(a.half_extents) + length(b.half_extents)
        result, code, _ = box_triangle.chosen(gaps, axes, shift >= 0.0, _EDGES, preference * size, slack)
        pairs, described = _Block(count), Answers(count)
        pairs.load(a, b)
        pairs.describe(code, np.flatnonzero(code >= _EDGES), described, slice(0, count))
        result.features[:] = described.features
        return result, slack

    def slack(self, a: Boxes, b: Boxes) -> Floats:
        """See `FlatFaced`."""
        size = length(a.half_extents) + length(b.half_extents)
        return rounding(size, np.maximum(length(a.center), length(b.center)))

    def measured(self, a: Boxes, b: Boxes, known_axes: KnownAxes) -> Distances:
        """See `FlatFaced`. Pairs that the axes do not determine are measured by the generic method."""
        found, rows = box_box_distance.distances(a, b, known_axes)
        if len(rows):
            found.put(rows, super().measured(a.take(rows), b.take(rows), known_axes.take(rows)))
        return found

    def contacts(
        self,
        a: Rows[Any],
        b: Rows[Any],
        margin: float,
        known: Distances | None = None,
        known_axes: KnownAxes | None = None,
    ) -> Contacts:
        """See `FlatFaced`. Most pairs need neither witness points nor the generic method."""
        left, right = a.gathered(), b.gathered()
        best: Distances | KnownAxes = self._known_axes(left, right) if known is None else known
        if isinstance(best, KnownAxes):
            axes = best.axes
            pairs = box_box_contacts.Measured(axes.axis, axes.gap, best.slack, axes.gap < 0.0)
        else:
            pairs = box_box_contacts.Measured(best.normal, best.distance, best.rounding, np.ones(len(left), dtype=bool))
        near = np.flatnonzero(pairs.gap <= margin + pairs.slack)
        if len(near) < len(left):
            left, right, pairs, best = left.take(near), right.take(near), pairs.take(near), best.take(near)
        found, faceless, others = box_box_contacts.over_faces(left, right, pairs, margin)
        if isinstance(best, KnownAxes) and len(faceless):
            part, rest = box_box_distance.crossings(left, right, best, faceless)
            found.append(part)
            others = np.concatenate([rest, others])
        else:
            others = np.concatenate([faceless, others])
        if len(others):
            others.sort()
            left, right, best = left.take(others), right.take(others), best.take(others)
            gaps = self.measured(left, right, best) if isinstance(best, KnownAxes) else best
            part = super().contacts(left, right, margin, gaps)
            found.append(replace(part, pair=others[part.pair]))
        result = Contacts.joined(found)
        return replace(result, pair=near[result.pair], depth=np.maximum(result.depth, -margin))
