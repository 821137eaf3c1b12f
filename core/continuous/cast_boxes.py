# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of two translating boxes: entry and exit times along the fifteen axes, in components.

Along each axis, the projections overlap from an entry time to an exit time. The boxes first touch at the largest entry
time if no exit time is before it (doc4code 2011, "Moving objects"; Gottschalk, "Collision Queries using Oriented
Bounding Boxes", 2000). Times do not depend on the length of an axis, so cross products of edges need not be normalized.

Each time has a slack, a bound of its rounding. A pair that is a hit or a miss depending on the slack is left to
conservative advancement. So is a pair that may touch at the start but does not certainly overlap.
"""

from typing import Self

import numpy as np

from .. import results
from ..narrow_phase.box_box import BoxBox
from ..narrow_phase.box_triangle import picked, sum_of_products
from ..numerics import soa as vector
from ..numerics.tolerances import AXIS_PREFERENCE, SUPPORT, SWEPT_PARALLEL, SWEPT_SINE_SQUARED
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Boxes
from .first_contacts import FirstContacts, swept_slack

# Codes of the axes: 0 to 2 are the faces of A, 3 to 5 those of B, and from 6 the edges of A times those of B.
_EDGES = 6
# The axes of the boxes that define each code: 0 to 2 are those of A, 3 to 5 those of B. Faces use only the first.
_FIRST_AXIS = np.array([0, 1, 2, 3, 4, 5, 0, 0, 0, 1, 1, 1, 2, 2, 2])
_SECOND_AXIS = np.array([1, 2, 0, 4, 5, 3, 3, 4, 5, 3, 4, 5, 3, 4, 5])
# Smallest speed, in the caller's unit. Slower pairs get this speed, so that all times are finite.
_SLOWEST = 1e-150


def first_contacts(a: Boxes, b: Boxes, velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair in the interval [0, 1]. The velocities (P, 3) are those of the pairs."""
    settled = np.ones(len(a), dtype=bool)
    rows = np.arange(len(a))
    # Center, displacement and half extents of A and of B: (3, 2, 3, P).
    numbers = np.empty((3, 2, 3, len(a)))
    for k, (shapes, velocity) in enumerate(((a, velocity_a), (b, velocity_b))):
        numbers[:, k] = shapes.center.T, velocity.T, shapes.half_extents.T
    pairs = _Pairs.of(a.rotation, b.rotation, numbers)
    stages = (results.FACE_AXES, _Pairs.intersect_face_slabs), (results.EDGE_AXES, _Pairs.intersect_edge_slabs)
    for stage, intersect in stages:
        intersect(pairs)
        left = np.flatnonzero(pairs.entry_lower <= pairs.exit_upper)
        results.record_resolved(stage, len(rows) - len(left))
        pairs, rows = pairs.take(left), rows[left]
    started = pairs.started()
    settled[rows] = known = started | pairs.meets()
    results.record_resolved(results.EXACT, known)
    left = np.flatnonzero(known)
    pairs, rows = pairs.take(left), rows[left]
    time = np.maximum(pairs.entry, 0.0)
    normal, gap = _normals(pairs), np.zeros(len(rows))
    overlapping = np.flatnonzero(started[left])
    if len(overlapping):
        at_start = _BOXES.separating_axis(a.take(rows[overlapping]), b.take(rows[overlapping]))
        normal[:, overlapping], gap[overlapping] = at_start.axis.T, at_start.gap
    return FirstContacts(settled, rows, time, _points(pairs, time, normal, gap).T, normal.T)


_BOXES = BoxBox()


class _Pairs:
    """Pairs in components, with B relative to A, and the results of the axes tested so far.

    `axes` (3, 6, P): those of A, then those of B. `center`, `path`, `half` (2, 3, P): center, displacement and half
    extents of A and of B. `turn` (3, 3, P): the axes of B in A's frame. `shift` and `speed` (3, P): from A's center to
    B's, and the displacement of B relative to A, in A's frame. `size` (P,): sum of the half extents. `slack` (P,):
    largest gap that rounding can cause.

    `entry` (P,): the largest entry time. `biased_entry` (P,): the largest value of entry time minus code times
    `margin`; `code` (P,): its axis. Axes with lower codes are thereby preferred. `entry_lower` and `entry_upper`:
    bounds of the largest entry time. `exit_lower` and `exit_upper`: bounds of the smallest exit time. All of them are
    for the interval [0, 1]. `uncertain`: upper bound of the entry times along axes that lose digits.
    """

    def __init__(self, table: Floats) -> None:
        """All values of all pairs in one table (62, P), so that one call of numpy selects pairs."""
        count = table.shape[1]
        self.table = table
        self.axes = table[:18].reshape(3, 6, count)
        self.center, self.path, self.half = table[18:36].reshape(3, 2, 3, count)
        self.turn, (self.shift, self.speed) = table[36:45].reshape(3, 3, count), table[45:51].reshape(2, 3, count)
        self.size, self.slack, self.margin, self.entry, self.code, self.biased_entry = table[51:57]
        self.entry_lower, self.entry_upper, self.exit_upper, self.exit_lower, self.uncertain = table[57:62]

    @classmethod
    def of(cls, rotation_a: Floats, rotation_b: Floats, numbers: Floats) -> Self:
        """Untested pairs from rotations (P, 3, 3) and from centers, displacements and half extents (3, 2, 3, P)."""
        count = len(rotation_a)
        pairs = cls(np.empty((62, count)))
        pairs.axes[:, :3], pairs.axes[:, 3:] = rotation_a.transpose(1, 2, 0), rotation_b.transpose(1, 2, 0)
        pairs.table[18:36] = numbers.reshape(18, count)
        scratch = np.empty_like(pairs.turn)
        sum_of_products(pairs.axes[:, :3, None], pairs.axes[:, None, 3:], out=pairs.turn, work=scratch)
        for of, out in ((pairs.center, pairs.shift), (pairs.path, pairs.speed)):
            sum_of_products(pairs.axes[:, :3], (of[1] - of[0])[:, None], out=out, work=scratch[0])
        pairs.half.sum(axis=(0, 1), out=pairs.size)
        pairs.slack[:] = swept_slack(pairs.size + np.abs(pairs.table[18:30]).sum(axis=0))
        with np.errstate(over="ignore"):
            np.divide(
                AXIS_PREFERENCE * pairs.size, np.maximum(np.abs(pairs.speed).sum(axis=0), _SLOWEST), out=pairs.margin
            )
        for of in (pairs.entry, pairs.biased_entry, pairs.entry_upper, pairs.uncertain):
            of[:] = -np.inf
        pairs.code[:], pairs.entry_lower[:], pairs.exit_upper[:], pairs.exit_lower[:] = 0.0, 0.0, 1.0, 1.0
        return pairs

    def take(self, rows: Ints) -> Self:
        """The pairs with these indices."""
        return self if len(rows) == len(self.slack) else type(self)(self.table.take(rows, axis=1))

    def intersect_face_slabs(self) -> None:
        """Intersect the slabs of the six face normals."""
        reach = np.abs(self.turn)
        shift, speed, extent, scratch = np.empty((4, 6, len(self.slack)))
        for of, out in ((self.shift, shift), (self.speed, speed)):
            out[:3] = of
            sum_of_products(of[:, None], self.turn, out=out[3:], work=scratch[3:])
        sum_of_products(self.half[1, :, None], reach.transpose(1, 0, 2), out=extent[:3], work=scratch[:3])
        sum_of_products(self.half[0, :, None], reach, out=extent[3:], work=scratch[3:])
        extent += self.half.reshape(6, -1)
        self._intersect_slabs(0, shift, speed, extent, scratch)

    def intersect_edge_slabs(self) -> None:
        """Intersect the slabs of the nine cross products. All values are multiples of the lengths of these."""
        # Arrays of five repeat the first two of three entries, so that the next entry, and the one after it, are
        # slices.
        turn, reach = np.empty((2, 5, 5, len(self.slack)))
        turn[:3, :3] = self.turn
        turn[3:, :3], turn[:, 3:] = turn[:2, :3], turn[:, :2]
        np.abs(turn, out=reach)
        moves, half = (
            np.concatenate([of, of[:, :2]], axis=1) for of in (self.table[45:51].reshape(2, 3, -1), self.half)
        )
        shift, speed, extent, scratch = np.empty((4, 3, 3, len(self.slack)))
        # The cross product A_i x B_j has coordinate i zero. The other two are those of B_j, swapped, one of them
        # negated.
        for of, out in zip(moves[:, :, None], (shift, speed), strict=True):
            np.multiply(turn[1:4, :3], of[2:], out=out)
            out -= np.multiply(turn[2:, :3], of[1:4], out=scratch)
        half_a, half_b = half[0, :, None], half[1]
        np.multiply(reach[2:, :3], half_a[1:4], out=extent)
        extent += np.multiply(reach[1:4, :3], half_a[2:], out=scratch)
        extent += np.multiply(reach[:3, 2:], half_b[1:4], out=scratch)
        extent += np.multiply(reach[:3, 1:4], half_b[2:], out=scratch)
        np.multiply(turn[:3], turn[:3], out=reach[:3])
        reach[3:] = reach[:2]
        sine = np.add(reach[1:4, :3], reach[2:, :3], out=scratch)
        uncertain = sine <= SWEPT_SINE_SQUARED
        if uncertain.any():
            # Parallel edges: their cross product is only rounding. The larger extent makes the axis separate nothing.
            extent += self.size * (sine <= SWEPT_PARALLEL)
        shift, speed, extent, scratch = (of.reshape(9, -1) for of in (shift, speed, extent, scratch))
        self._intersect_slabs(_EDGES, shift, speed, extent, scratch, uncertain.reshape(9, -1))

    def _intersect_slabs(
        self, code: int, shift: Floats, speed: Floats, extent: Floats, scratch: Floats, uncertain: Bools | None = None
    ) -> None:
        """Intersect the slabs of K axes (K, P). The first has number `code`; `uncertain` axes lose digits.

        If the pair does not move along an axis, the times of that axis are almost infinite: the projections always
        overlap or never. The arrays are overwritten.
        """
        np.maximum(np.abs(speed, out=scratch), _SLOWEST, out=scratch)
        pace = np.divide(1.0, scratch, out=scratch)
        # Centers coincide at minus `shift`. The projections overlap from `extent` before that time to `extent` after
        # it.
        shift *= np.copysign(pace, speed, out=speed)
        extent *= pace
        slack = np.multiply(self.slack, pace, out=pace)
        before, after = np.add(extent, shift, out=speed), np.subtract(extent, shift, out=shift)
        # Entry times have the opposite sign here.
        scratch = np.add(before, slack, out=extent)
        np.maximum(self.entry_lower, -scratch.min(axis=0), out=self.entry_lower)
        np.minimum(self.exit_upper, np.add(after, slack, out=scratch).min(axis=0), out=self.exit_upper)
        np.minimum(self.exit_lower, np.subtract(after, slack, out=scratch).min(axis=0), out=self.exit_lower)
        np.subtract(before, slack, out=scratch)
        np.maximum(self.entry_upper, -scratch.min(axis=0), out=self.entry_upper)
        if uncertain is not None:
            # The bounds of these axes hold. But if one of them may have the largest entry time, that time is not
            # accurate.
            some = np.flatnonzero(uncertain.any(axis=0))
            which = uncertain.take(some, axis=1)
            self.uncertain[some] = -np.where(which, scratch.take(some, axis=1), np.inf).min(axis=0)
            before[:, some] = np.where(which, np.inf, before.take(some, axis=1))
        np.maximum(self.entry, -before.min(axis=0), out=self.entry)
        # An axis must be better than an earlier one by more than rounding, so that faces are preferred.
        before += np.multiply(np.arange(code, code + len(before))[:, None], self.margin, out=scratch)
        biased_entry = -before.min(axis=0)
        np.copyto(self.code, code + before.argmin(axis=0), where=biased_entry > self.biased_entry)
        np.maximum(self.biased_entry, biased_entry, out=self.biased_entry)

    def started(self) -> Bools:
        """Whether the pairs certainly overlap at the start."""
        return (self.entry_upper <= 0.0) & (self.exit_lower >= 0.0)

    def meets(self) -> Bools:
        """Whether the pairs are certainly separated at the start and touch later, at an accurate time."""
        return (self.entry_lower > 0.0) & (self.entry_upper <= self.exit_lower) & (self.uncertain <= self.entry)


def _normals(pairs: _Pairs) -> Floats:
    """The axis with the largest entry time of each pair, from A to B at that time: (3, P)."""
    code = pairs.code.astype(np.int64)
    normal = picked(pairs.axes, _FIRST_AXIS[code])
    rows = np.flatnonzero(code >= _EDGES)
    cross = vector.cross(normal.take(rows, axis=1), picked(pairs.axes.take(rows, axis=2), _SECOND_AXIS[code[rows]]))
    normal[:, rows] = cross / np.sqrt(vector.dot(cross, cross))
    path = pairs.path[1] - pairs.path[0]
    # B comes from this side.
    normal *= np.copysign(1.0, -vector.dot(normal, path))
    return normal


def _points(pairs: _Pairs, time: Floats, normal: Floats, gap: Floats) -> Floats:
    """Midpoints between the surfaces of boxes in contact along a normal, (3, P); NaN if faces or edges lie on others.

    `gap` (P,) is the largest gap along any axis: 0 if the boxes touch, negative if they overlap. If they overlap, the
    projection of a corner on the face that it has passed lies on that face, because A - B is nowhere thinner.
    """
    place = pairs.center + time * pairs.path
    # A's farthest corner along the normal, B's farthest corner against it, and the axes along which there is no such
    # corner.
    along = np.empty((2, 3, len(gap)))
    sum_of_products(normal[:, None], pairs.axes, out=along.reshape(6, -1), work=np.empty((6, len(gap))))
    along[1] *= -1.0
    level = (2.0 * np.abs(along) * pairs.half <= SUPPORT * pairs.size) & (pairs.half > 0.0)
    arm = np.copysign(pairs.half, along, out=along)
    for k in range(2):
        place[k] += vector.dot(pairs.axes[:, 3 * k : 3 * k + 3].transpose(1, 0, 2), arm[k][:, None])
    # The point is a corner of either box, or the crossing of two edges.
    free_a, free_b = level.sum(axis=1)
    inward = normal * (gap / 2.0)
    point = np.where(free_a == 0, place[0] + inward, place[1] - inward)
    rows = np.flatnonzero((free_a > 0) & (free_b > 0))
    if len(rows):
        edge_a, edge_b = (
            picked(pairs.axes[:, 3 * k : 3 * k + 3].take(rows, axis=2), level[k].take(rows, axis=1).argmax(axis=0))
            for k in range(2)
        )
        across = vector.cross(edge_a, edge_b)
        sine = vector.dot(across, across)
        crossing = (free_a[rows] == 1) & (free_b[rows] == 1) & (sine > SWEPT_SINE_SQUARED)
        begin = place[0].take(rows, axis=1)
        onward = vector.dot(vector.cross(place[1].take(rows, axis=1) - begin, edge_b), across)
        onward /= np.where(crossing, sine, 1.0)
        point[:, rows] = np.where(crossing, begin + edge_a * onward + inward.take(rows, axis=1), np.nan)
    return point
