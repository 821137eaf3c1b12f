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
from ..kernels import sweeps
from ..kernels.sweeps import EDGES, SLOWEST, TIED
from ..narrow_phase.flat_faced import BOX_BOX
from ..numerics.tolerances import AXIS_PREFERENCE, EPS, SUPPORT, SWEPT_PARALLEL, SWEPT_SINE_SQUARED
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns, first_of_the_largest, picked
from ..shapes import Boxes
from ..shapes.batch import BatchView
from .first_contacts import FirstContacts, swept_slack

# The axes of the boxes that define each code: 0 to 2 are those of A, 3 to 5 those of B. Faces use only the first.
_FIRST_AXIS = np.array([0, 1, 2, 3, 4, 5, 0, 0, 0, 1, 1, 1, 2, 2, 2])
_SECOND_AXIS = np.array([1, 2, 0, 4, 5, 3, 3, 4, 5, 3, 4, 5, 3, 4, 5])
# Each axis, the next axis, and the one after that.
_CYCLE = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
# The numbers kept for each pair, plus temporary ones for the intersection of slabs. The arrays of a block share one
# allocation, which is freed as a whole: the C library reuses it for the next block, so no memory pages have to be
# mapped again.
_VALUES, _SCRATCH = 62, 72


def first_contacts(a: Boxes, b: Boxes, velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair in the interval [0, 1]. The velocities (P, 3) are those of the pairs."""
    settled = np.ones(len(a), dtype=bool)
    pairs = _Pairs.of(a, b, velocity_a, velocity_b)
    pairs.intersect_face_slabs()
    rows = np.flatnonzero(pairs.entry_lower <= pairs.exit_upper)
    results.record_resolved(results.FACE_AXES, len(a) - len(rows))
    pairs = pairs.take(rows)
    pairs.intersect_edge_slabs()
    started = pairs.started()
    known, missed = started | pairs.meets(), pairs.entry_lower > pairs.exit_upper
    settled[rows] = known | missed
    results.record_resolved(results.EDGE_AXES, missed)
    results.record_resolved(results.EXACT, known)
    left = np.flatnonzero(known)
    pairs, rows = pairs.take(left), rows[left]
    time = np.maximum(pairs.entry, 0.0)
    normal, gap = _normals(pairs), np.zeros(len(rows))
    overlapping = np.flatnonzero(started[left])
    if len(overlapping):
        at_start = BOX_BOX.separating_axis(a.take(rows[overlapping]), b.take(rows[overlapping]))
        normal[:, overlapping], gap[overlapping] = at_start.axis.T, at_start.gap
    point = _points(pairs, time, normal, gap)
    point[:, ~started[left] & pairs.overruled()] = np.nan
    return FirstContacts(settled, rows, time, point.T, normal.T)


def first_contacts_by_kernel(
    a: BatchView[Boxes], b: BatchView[Boxes], velocity_a: Floats, velocity_b: Floats
) -> FirstContacts:
    """The same as `first_contacts`, one pair at a time. Pairs that overlap at the start are not settled."""
    count = len(velocity_a)
    verdict, touching, time = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64), np.empty(count)
    point, normal = np.empty((2, count, 3))
    hits = sweeps.box_contacts(_side(a, velocity_a), _side(b, velocity_b), verdict, touching, time, point, normal)
    stages = (results.BOUNDING_SPHERES, sweeps.BALLS_APART), (results.FACE_AXES, sweeps.FACES_APART)
    for stage, code in (*stages, (results.EDGE_AXES, sweeps.EDGES_APART), (results.EXACT, sweeps.TOUCHING)):
        results.record_resolved(stage, verdict == code)
    settled: Bools = verdict != sweeps.DOUBTFUL
    return FirstContacts(settled, touching[:hits], time[:hits], point[:hits], normal[:hits])


def _side(boxes: BatchView[Boxes], velocity: Floats) -> sweeps.MovingBoxes:
    """One side of the pairs for the kernel."""
    shapes, rows = boxes.smaller()
    center, half, rotation = map(np.ascontiguousarray, (shapes.center, shapes.half_extents, shapes.rotation))
    return sweeps.MovingBoxes(center, half, rotation, np.ascontiguousarray(rows), np.ascontiguousarray(velocity))


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

    def __init__(self, count: int, memory: Floats) -> None:
        """All values of all pairs in one table, so that one call of numpy selects pairs.

        The table is at the start of `memory`, and temporary values are at its end. Selected pairs are written to the
        part in between, and finally over the temporary values.
        """
        size = _VALUES * count
        self.scratch = memory[len(memory) - _SCRATCH * count :].reshape(_SCRATCH, count)
        self.rest, self.table = memory[size:], memory[:size].reshape(_VALUES, count)
        self.axes = self.table[:18].reshape(3, 6, count)
        self.center, self.path, self.half = self.table[18:36].reshape(3, 2, 3, count)
        self.turn = self.table[36:45].reshape(3, 3, count)
        self.shift, self.speed = self.table[45:51].reshape(2, 3, count)
        self.size, self.slack, self.margin, self.entry, self.code, self.biased_entry = self.table[51:57]
        self.entry_lower, self.entry_upper, self.exit_upper, self.exit_lower, self.uncertain = self.table[57:]

    @classmethod
    def of(cls, a: Boxes, b: Boxes, velocity_a: Floats, velocity_b: Floats) -> Self:
        """Untested pairs."""
        pairs = cls(len(a), np.empty((2 * _VALUES + _SCRATCH) * len(a)))
        for k, (shapes, velocity) in enumerate(((a, velocity_a), (b, velocity_b))):
            pairs.axes[:, 3 * k : 3 * k + 3] = shapes.rotation.transpose(1, 2, 0)
            pairs.center[k], pairs.path[k], pairs.half[k] = shapes.center.T, velocity.T, shapes.half_extents.T
        np.einsum("kip,kjp->ijp", pairs.axes[:, :3], pairs.axes[:, 3:], out=pairs.turn)
        for of, out in ((pairs.center, pairs.shift), (pairs.path, pairs.speed)):
            np.einsum("kip,kp->ip", pairs.axes[:, :3], of[1] - of[0], out=out)
        pairs.half.sum(axis=(0, 1), out=pairs.size)
        way = np.abs(pairs.table[18:30], out=pairs.scratch[:12]).sum(axis=0)
        pairs.slack[:] = swept_slack(pairs.size + way)
        with np.errstate(over="ignore"):
            np.divide(
                AXIS_PREFERENCE * pairs.size, np.maximum(np.abs(pairs.speed).sum(axis=0), SLOWEST), out=pairs.margin
            )
        for of in (pairs.entry, pairs.biased_entry, pairs.entry_upper, pairs.uncertain):
            of[:] = -np.inf
        pairs.code[:], pairs.entry_lower[:], pairs.exit_upper[:], pairs.exit_lower[:] = 0.0, 0.0, 1.0, 1.0
        return pairs

    def take(self, rows: Ints) -> Self:
        """The pairs with these indices."""
        if len(rows) == len(self.slack):
            return self
        result = type(self)(len(rows), self.rest)
        self.table.take(rows, axis=1, out=result.table, mode="clip")
        return result

    def intersect_face_slabs(self) -> None:
        """Intersect the slabs of the six face normals."""
        extent, shift, speed = self.scratch[:18].reshape(3, 6, -1)
        reach = np.abs(self.turn, out=self.scratch[18:27].reshape(self.turn.shape))
        for of, out in ((self.shift, shift), (self.speed, speed)):
            out[:3] = of
            np.einsum("ip,ijp->jp", of, self.turn, out=out[3:])
        np.einsum("jp,ijp->ip", self.half[1], reach, out=extent[:3])
        np.einsum("ip,ijp->jp", self.half[0], reach, out=extent[3:])
        extent += self.half.reshape(6, -1)
        self._intersect_slabs(0, extent, shift, speed)

    def intersect_edge_slabs(self) -> None:
        """Intersect the slabs of the nine cross products. All values are multiples of the lengths of these."""
        turn, (half_a, half_b) = self.turn, self.half
        extent, shift, speed, reach, scratch = self.scratch[:45].reshape(5, *turn.shape)
        # The cross product A_i x B_j has coordinate i zero. The other two are those of B_j, swapped, one of them
        # negated.
        for of, out in ((self.shift, shift), (self.speed, speed)):
            for i, j, k in _CYCLE:
                np.multiply(turn[j], of[k], out=out[i])
                out[i] -= np.multiply(turn[k], of[j], out=scratch[0])
        np.abs(turn, out=reach)
        for i, j, k in _CYCLE:
            np.multiply(reach[k], half_a[j], out=extent[i])
            extent[i] += np.multiply(reach[j], half_a[k], out=scratch[0])
        for i, j, k in _CYCLE:
            extent[:, i] += np.multiply(reach[:, k], half_b[j], out=scratch[0])
            extent[:, i] += np.multiply(reach[:, j], half_b[k], out=scratch[0])
        square, sine = np.multiply(turn, turn, out=reach), scratch
        for i, j, k in _CYCLE:
            np.add(square[j], square[k], out=sine[i])
        uncertain = sine <= SWEPT_SINE_SQUARED
        if uncertain.any():
            # Parallel edges: their cross product is only rounding. The larger extent makes the axis separate nothing.
            extent += self.size * (sine <= SWEPT_PARALLEL)
        extent, shift, speed = self.scratch[:27].reshape(3, 9, -1)
        self._intersect_slabs(EDGES, extent, shift, speed, uncertain.reshape(9, -1))

    def _intersect_slabs(
        self, code: int, extent: Floats, shift: Floats, speed: Floats, uncertain: Bools | None = None
    ) -> None:
        """Intersect the slabs of K axes (K, P). The first has number `code`; `uncertain` axes lose digits.

        If the pair does not move along an axis, the times of that axis are almost infinite: the projections always
        overlap or never. The arrays are in the first 27 rows of the scratch space, and are overwritten.
        """
        count = len(speed)
        pace, entry, leave, lower, upper = self.scratch[27 : 27 + 5 * count].reshape(5, count, -1)
        np.abs(speed, out=pace)
        np.divide(1.0, np.maximum(pace, SLOWEST, out=pace), out=pace)
        # Centers coincide at minus `shift`. The projections overlap from `extent` before that time to `extent` after
        # it.
        shift *= np.copysign(pace, speed, out=speed)
        extent *= pace
        slack = np.multiply(self.slack, pace, out=pace)
        np.negative(np.add(extent, shift, out=entry), out=entry)
        np.subtract(extent, shift, out=leave)
        np.maximum(self.entry_lower, np.subtract(entry, slack, out=lower).max(axis=0), out=self.entry_lower)
        np.minimum(self.exit_upper, np.add(leave, slack, out=upper).min(axis=0), out=self.exit_upper)
        np.minimum(self.exit_lower, np.subtract(leave, slack, out=lower).min(axis=0), out=self.exit_lower)
        np.maximum(self.entry_upper, np.add(entry, slack, out=upper).max(axis=0), out=self.entry_upper)
        if uncertain is not None:
            # The bounds of these axes are valid, but if one of them has the largest entry time, that time may be
            # inaccurate.
            some = np.flatnonzero(uncertain.any(axis=0))
            which = uncertain.take(some, axis=1)
            self.uncertain[some] = np.where(which, upper.take(some, axis=1), -np.inf).max(axis=0)
            entry[:, some] = np.where(which, -np.inf, entry.take(some, axis=1))
        np.maximum(self.entry, entry.max(axis=0), out=self.entry)
        # An axis replaces an earlier one only if it is better by more than rounding, so that faces are preferred.
        entry -= np.multiply(np.arange(code, code + count)[:, None], self.margin, out=lower)
        biased_entry, first = first_of_the_largest(entry)
        np.copyto(self.code, code + first, where=biased_entry > self.biased_entry)
        np.maximum(self.biased_entry, biased_entry, out=self.biased_entry)

    def started(self) -> Bools:
        """Whether the pairs certainly overlap at the start."""
        return (self.entry_upper <= 0.0) & (self.exit_lower >= 0.0)

    def meets(self) -> Bools:
        """Whether the pairs are certainly separated at the start and touch later, at an accurate time."""
        return (self.entry_lower > 0.0) & (self.entry_upper <= self.exit_lower) & (self.uncertain <= self.entry)

    def overruled(self) -> Bools:
        """Whether an axis has an entry time that is later than that of the preferred axis by more than rounding."""
        with np.errstate(invalid="ignore"):
            preferred = self.biased_entry + self.code * self.margin
            return np.asarray(self.entry - preferred > TIED * self.margin + 4.0 * EPS * self.entry)


def _normals(pairs: _Pairs) -> Floats:
    """The axis with the largest entry time of each pair, from A to B at that time: (3, P)."""
    code = pairs.code.astype(np.int64)
    normal = picked(pairs.axes, _FIRST_AXIS[code])
    rows = np.flatnonzero(code >= EDGES)
    cross = cross_columns(normal.take(rows, axis=1), picked(pairs.axes.take(rows, axis=2), _SECOND_AXIS[code[rows]]))
    normal[:, rows] = cross / np.sqrt(dot_columns(cross, cross))
    path = pairs.path[1] - pairs.path[0]
    # B approaches from this side.
    normal *= np.copysign(1.0, -dot_columns(normal, path))
    return normal


def _points(pairs: _Pairs, time: Floats, normal: Floats, gap: Floats) -> Floats:
    """Midpoints between the surfaces of boxes in contact along a normal, (3, P); NaN if faces or edges lie on others.

    `gap` (P,) is the largest gap along any axis: 0 if the boxes touch, negative if they overlap. If they overlap, the
    projection of a corner on the face that it has passed lies on that face, because A - B is nowhere thinner.
    """
    place = pairs.center + time * pairs.path
    # A's farthest corner along the normal, B's farthest corner against it, and the axes along which there is no such
    # corner.
    axes = pairs.axes[:, :3], pairs.axes[:, 3:]
    along = np.empty((2, 3, len(gap)))
    for k in range(2):
        np.einsum("kp,kjp->jp", normal, axes[k], out=along[k])
    along[1] *= -1.0
    level = (2.0 * np.abs(along) * pairs.half <= SUPPORT * pairs.size) & (pairs.half > 0.0)
    arm = np.copysign(pairs.half, along, out=along)
    for k in range(2):
        place[k] += np.einsum("kjp,jp->kp", axes[k], arm[k])
    # The point is a corner of either box, or the crossing of two edges.
    marks = level.view(np.int8)
    free_a, free_b = marks.sum(axis=1, dtype=np.int8)
    inward = normal * (gap / 2.0)
    point = np.where(free_a == 0, place[0] + inward, place[1] - inward)
    edge_a, edge_b = (picked(axes[k], np.minimum(marks[k, 1] + 2 * marks[k, 2], 2).astype(np.int64)) for k in range(2))
    across = cross_columns(edge_a, edge_b)
    sine = dot_columns(across, across)
    crossing = (free_a == 1) & (free_b == 1) & (sine > SWEPT_SINE_SQUARED)
    onward = dot_columns(cross_columns(place[1] - place[0], edge_b), across)
    onward /= np.where(crossing, sine, 1.0)
    bare = np.where(crossing, place[0] + edge_a * onward + inward, np.nan)
    return np.where((free_a > 0) & (free_b > 0), bare, point)
