# SPDX-License-Identifier: GPL-3.0-or-later
"""Box against box: the fifteen axes of seed 002, section 13.4, on components.

The axes of A, of B and their nine cross products are tested in A's frame, where a projection is a coordinate
(Gottschalk, Lin and Manocha, "OBBTree", 1996; Ericson, "Real-Time Collision Detection", section 4.4.1). For boxes that
overlap, the largest gap of the fifteen is minus the penetration depth: A - B has no other facets.
"""

import numpy as np

from .. import components as vector
from .. import sharp
from ..results import Bools, Contacts, Distances, FeatureKind, Floats, Ints, Separations
from ..shapes import Boxes
from ..tolerances import AXIS_PREFERENCE, PARALLEL, rounding
from ..vectors import dot, length
from . import convex_convex, flat_faced
from .convex_convex import Judged, contacts_of_measured, contained, contains
from .flat_faced import Answers, Leader, picked, sum_of_products

__all__ = ["contacts", "contacts_of_measured", "contained", "contains", "distance", "overlap", "separating_axis"]

# Codes of the axes: 0 to 2 the faces of A, 3 to 5 those of B, from 6 the edges of A times those of B.
_EDGES = 6
# The first axis of each code, counted over those of A, then of B.
_FIRST_AXIS = np.array([0, 1, 2, 3, 4, 5, 0, 0, 0, 1, 1, 1, 2, 2, 2])
# The second, of those that have two; of the others any but the first.
_SECOND_AXIS = np.array([1, 2, 0, 4, 5, 3, 3, 4, 5, 3, 4, 5, 3, 4, 5])
# Four rows of `_Block.turn` whose signs tell which edges lie farthest along the axis A_i x B_j: B_j along the next but
# one and the next axis of A, and A_i along the next but one and the next axis of B.
_TURNED = np.array(
    [[0] * 4] * _EDGES
    + [[3 * (i + 2) + j, 3 * (i + 1) + j, 3 * i + (j + 2) % 3, 3 * i + (j + 1) % 3] for i, j in np.ndindex(3, 3)]
)


def _feature_table() -> Ints:
    """What made each axis: kind and index in A, kind and index in B, by code, whether it is turned round, and signs."""
    table = np.full((15, 2, 16, 4), -1, dtype=np.int64)
    for way in range(2):
        for k in range(3):
            table[k, way, :, :2] = FeatureKind.FACE, 2 * k + way
            table[3 + k, way, :, 2:] = FeatureKind.FACE, 2 * k + 1 - way
        for i, j, signs in np.ndindex(3, 3, 16):
            b_last, b_next, a_last, a_next = (bool(signs >> bit & 1) for bit in range(4))
            # In A's frame the axis A_i x B_j is B_j turned a quarter round the axis i; in that of B, A_i round j.
            edge_a = _edge(i, not b_last, b_next, bool(way))
            edge_b = _edge(j, a_last, not a_next, not way)
            table[_EDGES + 3 * i + j, way, signs] = FeatureKind.EDGE, edge_a, FeatureKind.EDGE, edge_b
    return table.reshape(-1, 4)


def _edge(along: int, following: bool, last: bool, forward: bool) -> int:
    """Which of the four edges along an axis lies farthest, in the order of `polytopes`.

    `following` and `last` tell whether the direction looks along the next axis and the next but one; it is to be turned
    round where not `forward`.
    """
    bits = {(along + 1) % 3: following == forward, (along + 2) % 3: last == forward}
    low, high = (bits[axis] for axis in sorted(bits))
    return 4 * along + low + 2 * high


_FEATURES = _feature_table()


def overlap(a: Boxes, b: Boxes) -> Bools:
    """Whether the boxes of each pair have a point in common, touching included."""
    return flat_faced.overlap(_Block, _carefully, a, b)


def separating_axis(a: Boxes, b: Boxes) -> Separations:
    """The largest gap over the three axes of A, the three of B and their nine cross products.

    Cross products of parallel edges are no axes and are left out. An axis wins over those before it only by more than
    `tolerances.AXIS_PREFERENCE`, so that the answer does not flip under noise: faces of A, faces of B, edges.
    """
    return flat_faced.separating_axis(_Block, _carefully, _EDGES, a, b)


def distance(a: Boxes, b: Boxes) -> Distances:
    """Signed distance and witnesses of each pair: depth by the fifteen axes, distance through the convex way."""
    return convex_convex.distance(a, b, _judged(a, b))


def contacts(a: Boxes, b: Boxes, margin: float) -> Contacts:
    """Contact manifold of each pair that overlaps, or is no farther apart than `margin`."""
    return flat_faced.contacts(a, b, margin, _judged(a, b))


def _judged(a: Boxes, b: Boxes) -> Judged:
    return Judged(separating_axis(a, b), _slack(a, b))


def _slack(a: Boxes, b: Boxes) -> Floats:
    """Greatest gap of each pair that is still contact."""
    size = length(a.half_extents) + length(b.half_extents)
    return rounding(size, np.maximum(length(a.center), length(b.center)))


class _Block:
    """A block of pairs in components, B seen from A.

    `axes` (3, 6, P): those of A, then those of B. `turn` (5, 3, P): the axes of B in A's frame, and `reach` (5, 5, P)
    their absolute values. `shift` (5, P): from A's centre to B's in A's frame. Where there are five of three, the first
    two are repeated, so that "the next" and "the next but one" are slices. `square`: of `turn`.
    """

    def __init__(self, count: int) -> None:
        self.axes, self.apart = np.empty((3, 6, count)), np.empty((3, count))
        self.half_a, self.half_b = self.half = np.empty((2, 5, count))
        self.turn, self.shift = np.empty((5, 3, count)), np.empty((5, count))
        self.reach = np.empty((5, 5, count))
        self.square = np.empty((5, 3, count))
        self.margin, self.doubt, self.ill = np.empty(count), np.empty(count), np.empty(count, dtype=bool)

    def see(self, a: Boxes, b: Boxes) -> None:
        """Fill in the pairs of a block."""
        for k, shapes in enumerate((a, b)):
            self.axes[:, 3 * k : 3 * k + 3] = shapes.rotation.transpose(1, 2, 0)
            self.half[k, :3] = shapes.half_extents.T
        self.half[:, 3:] = self.half[:, :2]
        self.apart[:] = (b.center - a.center).T
        work = self.square[:3]
        sum_of_products(self.axes[:, :3, None], self.axes[:, None, 3:], out=self.turn[:3], work=work)
        sum_of_products(self.axes[:, :3], self.apart[:, None], out=self.shift[:3], work=work[0])
        self.turn[3:], self.shift[3:] = self.turn[:2], self.shift[:2]
        np.abs(self.turn[:3], out=self.reach[:3, :3])
        self.reach[3:, :3], self.reach[:3, 3:] = self.reach[:2, :3], self.reach[:3, :2]
        np.multiply(self.turn, self.turn, out=self.square)
        size = self.half[:, :3].sum(axis=(0, 1))
        np.multiply(size, AXIS_PREFERENCE, out=self.margin)
        self.doubt[:] = flat_faced.doubt(size, a.center, b.center)
        self.ill[:] = False

    def take(self, rows: Ints) -> "_Block":
        """These pairs of the block, good for `edges` and `doubtful`."""
        result = object.__new__(_Block)
        for name in ("half_a", "half_b", "turn", "shift", "reach", "square", "doubt", "ill"):
            setattr(result, name, getattr(self, name).take(rows, axis=-1))
        return result

    def doubtful(self, gap: Floats) -> Bools:
        """Pairs that plain arithmetic cannot decide, given their largest gap; after `edges`."""
        return (np.abs(gap) <= self.doubt) | self.ill

    def describe(self, code: Ints, by_edges: Ints, result: Answers, block: slice) -> None:
        """Write the axes of these codes, and what made them, to the rows of the block."""
        axis = picked(self.axes, _FIRST_AXIS.take(code))
        cross = vector.cross(axis, picked(self.axes, _SECOND_AXIS.take(code)))
        cross /= np.sqrt(vector.dot(cross, cross))
        axis = np.where(code >= _EDGES, cross, axis)
        forward = vector.dot(axis, self.apart) >= 0.0
        axis *= forward * 2.0 - 1.0
        result.axis[block] = axis.T
        row = 32 * code + 16 * forward
        crossed, turn, signs = code.take(by_edges), self.turn.reshape(-1), np.zeros_like(by_edges)
        for bit in range(4):
            place = _TURNED[:, bit].take(crossed) * len(code) + by_edges
            signs += (turn.take(place) > 0.0).astype(np.int64) << bit
        row[by_edges] += signs
        _FEATURES.take(row, axis=0, out=result.features[block], mode="clip")

    def faces(self) -> Floats:
        """The gaps along the six face normals: (6, P)."""
        result, work = np.empty((6, len(self.ill))), np.empty_like(self.shift[:3])
        by_a, by_b = result[:3], result[3:]
        np.abs(self.shift[:3], out=by_a)
        by_a -= self.half_a[:3]
        sum_of_products(self.shift[:3, None], self.turn[:3], out=by_b, work=work)
        np.abs(by_b, out=by_b)
        by_b -= self.half_b[:3]
        for k in range(3):
            by_a -= np.multiply(self.reach[:3, k], self.half_b[k], out=work)
            by_b -= np.multiply(self.reach[k, :3], self.half_a[k], out=work)
        return result

    def edges(self) -> Leader:
        """The largest gap along the nine cross products, squared with its sign: no root is taken that is not used."""
        leader, work = Leader(len(self.ill)), np.empty_like(self.shift[:3])
        for i in range(3):
            # Along A_i x B_j, of which the coordinate i is zero and the others are those of B_j, crosswise.
            gaps = self.turn[i + 1] * self.shift[i + 2]
            gaps -= np.multiply(self.turn[i + 2], self.shift[i + 1], out=work)
            np.abs(gaps, out=gaps)
            gaps -= np.multiply(self.reach[i + 2, :3], self.half_a[i + 1], out=work)
            gaps -= np.multiply(self.reach[i + 1, :3], self.half_a[i + 2], out=work)
            gaps -= np.multiply(self.reach[i, 2:], self.half_b[1:4], out=work)
            gaps -= np.multiply(self.reach[i, 1:4], self.half_b[2:], out=work)
            sine = self.square[i + 1] + self.square[i + 2]
            np.abs(gaps, out=work)
            gaps *= work
            flat_faced.divide_by_sines(gaps, sine, 1.0, self.ill)
            leader.consider(gaps)
        return leader


def _carefully(a: Boxes, b: Boxes) -> tuple[Answers, Floats]:
    """The same fifteen axes with every projection on the very axis, and cross products that keep their digits."""
    count = len(a)
    at = np.arange(count)
    axes_a, axes_b = a.rotation.transpose(0, 2, 1), b.rotation.transpose(0, 2, 1)
    nothing = np.zeros((1, 1, 1, 3))
    cross = sharp.cross(axes_a[:, :, None], axes_b[:, None], nothing, nothing).reshape(count, 9, 3)
    square = dot(cross, cross)
    proper = square > PARALLEL
    cross /= np.sqrt(np.where(proper, square, 1.0))[..., None]
    axes = np.concatenate([axes_a, axes_b, cross], axis=1)
    reach = (np.abs(axes @ a.rotation) * a.half_extents[:, None]).sum(axis=2)
    reach += (np.abs(axes @ b.rotation) * b.half_extents[:, None]).sum(axis=2)
    shift = dot(axes, (b.center - a.center)[:, None])
    gaps = np.abs(shift) - reach
    gaps[:, _EDGES:] = np.where(proper, gaps[:, _EDGES:], -np.inf)
    slack = _slack(a, b)
    size = a.half_extents.sum(axis=1) + b.half_extents.sum(axis=1)
    code = flat_faced.chosen(gaps, _EDGES, AXIS_PREFERENCE * size, slack)
    result = Answers(count)
    every = slice(0, count)
    pairs = _Block(count)
    pairs.see(a, b)
    pairs.describe(code, np.flatnonzero(code >= _EDGES), result, every)
    result.gap[:] = gaps[at, code]
    result.axis[:] = axes[at, code] * np.where(shift[at, code] < 0.0, -1.0, 1.0)[:, None]
    return result, slack
