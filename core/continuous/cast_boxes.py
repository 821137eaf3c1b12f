# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boxes in straight motion: entry and exit times along the fifteen axes, on components.

Along every axis the projections overlap from an entry to an exit, and the boxes touch first at the largest entry, if no
exit comes before it (doc4code 2011, "Moving objects"; Gottschalk, "Collision Queries using Oriented Bounding Boxes",
2000). Times do not depend on the length of an axis, so that cross products of edges need not be unit vectors.

Every time comes with its slack, by which rounding may have moved it. What is a hit with less and a miss with more of it
is left to the advancement, and so is what may touch at the start without being sure to overlap.
"""

from typing import Self

import numpy as np

from ..narrow_phase.box_box import BoxBox
from ..narrow_phase.box_triangle_sat import picked, sum_of_products
from ..numerics import counters
from ..numerics import soa as vector
from ..numerics.tolerances import AXIS_PREFERENCE, SUPPORT, SWEPT_PARALLEL, SWEPT_SINE_SQUARED
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Boxes
from .first_contacts import FirstContacts, swept_slack

# Codes of the axes: 0 to 2 the faces of A, 3 to 5 those of B, from 6 the edges of A times those of B.
_EDGES = 6
# The axes of each code, counted over those of A, then of B; the second of those that have two.
_FIRST_AXIS = np.array([0, 1, 2, 3, 4, 5, 0, 0, 0, 1, 1, 1, 2, 2, 2])
_SECOND_AXIS = np.array([1, 2, 0, 4, 5, 3, 3, 4, 5, 3, 4, 5, 3, 4, 5])
# In a caller's unit: what moves less moves this much, by which every time is finite.
_SLOWEST = 1e-150


def first_contacts(a: Boxes, b: Boxes, velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair over the times 0 to 1; the velocities are those of the pairs, (P, 3)."""
    settled = np.ones(len(a), dtype=bool)
    rows = np.arange(len(a))
    # Center, displacement and half the sides, of A and of B: (3, 2, 3, P).
    numbers = np.empty((3, 2, 3, len(a)))
    for k, (shapes, velocity) in enumerate(((a, velocity_a), (b, velocity_b))):
        numbers[:, k] = shapes.center.T, velocity.T, shapes.half_extents.T
    pairs = _Pairs.of(a.rotation, b.rotation, numbers)
    stages = (counters.FACE_AXES, _Pairs.intersect_face_slabs), (counters.EDGE_AXES, _Pairs.intersect_edge_slabs)
    for stage, intersect in stages:
        intersect(pairs)
        left = np.flatnonzero(pairs.entry_lower <= pairs.exit_upper)
        counters.record_resolved(stage, len(rows) - len(left))
        pairs, rows = pairs.take(left), rows[left]
    started = pairs.started()
    settled[rows] = known = started | pairs.meets()
    counters.record_resolved(counters.EXACT, known)
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
    """Pairs in components, B seen from A and moving, and what the axes seen so far tell.

    `axes` (3, 6, P): those of A, then those of B; `center`, `path`, `half` (2, 3, P): of A and of B. `turn` (3, 3, P):
    the axes of B in A's frame. `shift` and `speed` (3, P): from A's center to B's, and the displacement of B against A,
    in A's frame. `size`, `slack` (P,): greatest gap that rounding may make.

    `entry` and `code` (P,): the largest entry, and the axis it is of, which leads the others by more than `margin` for
    each number between theirs; `biased_entry` is that one's entry less its handicap. `entry_lower` and `entry_upper`:
    the least and the most that the entry can be, `exit_upper` and `exit_lower` the most and the least that the smallest
    exit can be, all within the interval. `uncertain`: the most that the entries can be that are not known well enough.
    """

    def __init__(self, table: Floats) -> None:
        """All these numbers of all pairs in one table, (62, P), so that pairs are taken at once."""
        count = table.shape[1]
        self.table = table
        self.axes = table[:18].reshape(3, 6, count)
        self.center, self.path, self.half = table[18:36].reshape(3, 2, 3, count)
        self.turn, (self.shift, self.speed) = table[36:45].reshape(3, 3, count), table[45:51].reshape(2, 3, count)
        self.size, self.slack, self.margin, self.entry, self.code, self.biased_entry = table[51:57]
        self.entry_lower, self.entry_upper, self.exit_upper, self.exit_lower, self.uncertain = table[57:62]

    @classmethod
    def of(cls, rotation_a: Floats, rotation_b: Floats, numbers: Floats) -> Self:
        """Pairs of which no axis is seen, from rotations (P, 3, 3) and centers, paths and half sides (3, 2, 3, P)."""
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
        """These pairs."""
        return self if len(rows) == len(self.slack) else type(self)(self.table.take(rows, axis=1))

    def intersect_face_slabs(self) -> None:
        """Take account of the six face normals."""
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
        """Take account of the nine cross products, with all numbers in multiples of their lengths."""
        # Where there are five of three the first two are repeated: the next and the next but one are slices.
        turn, reach = np.empty((2, 5, 5, len(self.slack)))
        turn[:3, :3] = self.turn
        turn[3:, :3], turn[:, 3:] = turn[:2, :3], turn[:, :2]
        np.abs(turn, out=reach)
        moves, half = (
            np.concatenate([of, of[:, :2]], axis=1) for of in (self.table[45:51].reshape(2, 3, -1), self.half)
        )
        shift, speed, extent, scratch = np.empty((4, 3, 3, len(self.slack)))
        # Along A_i x B_j, of which the coordinate i is zero and the others are those of B_j, crosswise.
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
            # Parallel edges: what is left of their product is rounding, and lets anything pass.
            extent += self.size * (sine <= SWEPT_PARALLEL)
        shift, speed, extent, scratch = (of.reshape(9, -1) for of in (shift, speed, extent, scratch))
        self._intersect_slabs(_EDGES, shift, speed, extent, scratch, uncertain.reshape(9, -1))

    def _intersect_slabs(
        self, code: int, shift: Floats, speed: Floats, extent: Floats, scratch: Floats, uncertain: Bools | None = None
    ) -> None:
        """Take account of axes, (K, P); the first is number `code`, `uncertain` ones lose digits. All else is spoiled.

        An axis along which nothing moves has times that are next to infinite: a pair overlaps there always or never.
        """
        np.maximum(np.abs(speed, out=scratch), _SLOWEST, out=scratch)
        pace = np.divide(1.0, scratch, out=scratch)
        # Middles meet at minus `shift`; before that time and after it they overlap for so long as `extent`.
        shift *= np.copysign(pace, speed, out=speed)
        extent *= pace
        slack = np.multiply(self.slack, pace, out=pace)
        before, after = np.add(extent, shift, out=speed), np.subtract(extent, shift, out=shift)
        # Times of entry have the opposite sign here.
        scratch = np.add(before, slack, out=extent)
        np.maximum(self.entry_lower, -scratch.min(axis=0), out=self.entry_lower)
        np.minimum(self.exit_upper, np.add(after, slack, out=scratch).min(axis=0), out=self.exit_upper)
        np.minimum(self.exit_lower, np.subtract(after, slack, out=scratch).min(axis=0), out=self.exit_lower)
        np.subtract(before, slack, out=scratch)
        np.maximum(self.entry_upper, -scratch.min(axis=0), out=self.entry_upper)
        if uncertain is not None:
            # Their bounds hold, but if one of them might be the last to let the pair in, it is not known when.
            some = np.flatnonzero(uncertain.any(axis=0))
            which = uncertain.take(some, axis=1)
            self.uncertain[some] = -np.where(which, scratch.take(some, axis=1), np.inf).min(axis=0)
            before[:, some] = np.where(which, np.inf, before.take(some, axis=1))
        np.maximum(self.entry, -before.min(axis=0), out=self.entry)
        # An axis must be better than one before by more than rounding, so that faces are preferred.
        before += np.multiply(np.arange(code, code + len(before))[:, None], self.margin, out=scratch)
        biased_entry = -before.min(axis=0)
        np.copyto(self.code, code + before.argmin(axis=0), where=biased_entry > self.biased_entry)
        np.maximum(self.biased_entry, biased_entry, out=self.biased_entry)

    def started(self) -> Bools:
        """Whether it is certain that they overlap at the start."""
        return (self.entry_upper <= 0.0) & (self.exit_lower >= 0.0)

    def meets(self) -> Bools:
        """Whether it is certain that they are apart at the start and touch later, and when they do."""
        return (self.entry_lower > 0.0) & (self.entry_upper <= self.exit_lower) & (self.uncertain <= self.entry)


def _normals(pairs: _Pairs) -> Floats:
    """The axis that lets each pair in last, from A to B when it does: (3, P)."""
    code = pairs.code.astype(np.int64)
    normal = picked(pairs.axes, _FIRST_AXIS[code])
    rows = np.flatnonzero(code >= _EDGES)
    cross = vector.cross(normal.take(rows, axis=1), picked(pairs.axes.take(rows, axis=2), _SECOND_AXIS[code[rows]]))
    normal[:, rows] = cross / np.sqrt(vector.dot(cross, cross))
    path = pairs.path[1] - pairs.path[0]
    # That is where B comes from.
    normal *= np.copysign(1.0, -vector.dot(normal, path))
    return normal


def _points(pairs: _Pairs, time: Floats, normal: Floats, gap: Floats) -> Floats:
    """Midway between the surfaces of boxes that meet along a normal, (3, P); NaN where faces or edges lie on others.

    `gap` (P,) is the largest along any axis: 0 where they touch, negative where they overlap, and then the foot of a
    corner lies on the face that it has passed, because A - B is nowhere thinner.
    """
    place = pairs.center + time * pairs.path
    # A's corner farthest along the normal, B's farthest against it, and the axes along which there is no such corner.
    along = np.empty((2, 3, len(gap)))
    sum_of_products(normal[:, None], pairs.axes, out=along.reshape(6, -1), work=np.empty((6, len(gap))))
    along[1] *= -1.0
    level = (2.0 * np.abs(along) * pairs.half <= SUPPORT * pairs.size) & (pairs.half > 0.0)
    arm = np.copysign(pairs.half, along, out=along)
    for k in range(2):
        place[k] += vector.dot(pairs.axes[:, 3 * k : 3 * k + 3].transpose(1, 0, 2), arm[k][:, None])
    # A corner of either is the point; else it is where two edges cross.
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
