# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsule against box: the distance of the segment from the box, less the radius.

In the box's frame the squared distance of a point that runs along the segment is convex, and its slope is piecewise
linear with a kink where the point crosses the plane of a face: the segment's parameter is the root of that slope.
A segment that pierces the box leaves it along a normal of the box or across itself and an edge: six axes, of which
every facet of the difference of the two has one.
"""

import numpy as np

from ..components import dot, of_rows
from ..results import Bools, Contacts, Distances, Floats, Ints, Separations
from ..segments import at, over, unit_interval
from ..shapes import Boxes, Capsules
from ..tolerances import NEAR, NEAR_PARALLEL, PARALLEL, rounding
from . import rounded
from .capsule_on_face import lying
from .convex_convex import contains
from .rounded import Rows

__all__ = ["contacts", "contained", "contains", "distance", "overlap", "separating_axis"]


def overlap(a: Rows[Capsules], b: Rows[Boxes]) -> Bools:
    """Whether capsule and box have a point in common, touching included."""
    return rounded.overlap(_Standing, a, b)


def distance(a: Rows[Capsules], b: Rows[Boxes]) -> Distances:
    """Signed distance and witnesses of each pair."""
    return rounded.distance(_Standing, a, b)


def separating_axis(a: Capsules, b: Boxes) -> Separations:
    """The gap along the way between the closest points, or the best of six axes where the segment pierces the box."""
    return rounded.separating_axis(_Standing, a, b)


def contacts(a: Capsules, b: Boxes, margin: float) -> Contacts:
    """One contact for each pair that overlaps, or is no farther apart than `margin`; two on a face."""
    return rounded.contacts(_Standing, a, b, margin, lying)


def contained(a: Capsules, b: Boxes) -> Bools:
    """Whether the box holds the capsule: both of its caps."""
    pairs = _Standing(a, b)
    out = np.maximum(np.abs(pairs.start), np.abs(pairs.start + pairs.along)) - pairs.half
    return out.max(axis=0) + a.radius <= pairs.slack


class _Standing:
    """`rounded.Standing`, with the segment in the box's frame: from `start` (3, P), `along` (3, P)."""

    def __init__(self, a: Capsules, b: Boxes) -> None:
        self.origin, self.run, place = of_rows(a.start), of_rows(a.end), of_rows(b.center)
        self.half, self.radius = of_rows(b.half_extents), a.radius
        offset = np.maximum(dot(self.origin, self.origin), dot(self.run, self.run))
        np.maximum(offset, dot(place, place), out=offset)
        self.run -= self.origin
        np.subtract(self.origin, place, out=place)
        self.turn = of_rows(b.rotation)
        self.start, self.along = np.empty_like(place), np.empty_like(place)
        for k in range(3):
            self.start[k], self.along[k] = dot(self.turn[:, k], place), dot(self.turn[:, k], self.run)
        square = dot(self.along, self.along)
        self.size = np.sqrt(dot(self.half, self.half)) + np.sqrt(square) / 2.0 + self.radius
        self.slack = rounding(self.size, np.sqrt(offset, out=offset))
        self.t = _closest_parameter(self.start, self.along, self.half)
        point = at(self.start, self.along, self.t)
        self.way = np.clip(point, -self.half, self.half)
        self.way -= point
        self.far = np.sqrt(dot(self.way, self.way))
        # Only a segment that meets the box may pierce it.
        self.core, near = self.far.copy(), NEAR * self.size
        self.doubtful: Bools | None = self.far <= near
        self.pierced = rows = np.flatnonzero(self.doubtful)
        if len(rows):
            start, along, half = (part.take(rows, axis=1) for part in (self.start, self.along, self.half))
            gap, axis, ill = _six_axes(start, along, half, square[rows], self.slack[rows])
            deep = gap < -near[rows]
            self.pierced, self.axis = rows[deep], axis[deep]
            self.core[self.pierced], self.doubtful[self.pierced] = gap[deep], ill[deep]
        self.distance = self.core - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness on A."""
        local = self.way
        local /= np.where(self.far > 0.0, self.far, 1.0)
        if len(self.pierced):
            local[:, self.pierced], self.t[self.pierced] = self._way_out(self.pierced)
        normal = np.empty_like(local)
        for k in range(3):
            normal[k] = dot(self.turn[k], local)
        point = self.run * self.t
        point += normal * self.radius
        return normal, point

    def _way_out(self, rows: Ints) -> tuple[Floats, Floats]:
        """The normal, from A to B, and the parameter of the point to be moved out, of pairs that are `pierced`."""
        start, along, half = (part.take(rows, axis=1) for part in (self.start, self.along, self.half))
        axis, each = np.zeros((3, len(rows))), np.arange(len(rows))
        k = self.axis % 3
        others = [((k + 1) % 3, each), ((k + 2) % 3, each)]
        by_face = self.axis < 3
        axis[k, each] = by_face
        first, second = others
        sine = np.where(by_face, np.inf, np.sqrt(along[first] ** 2 + along[second] ** 2))
        axis[first], axis[second] = -along[second] / sine, along[first] / sine
        # The segment leaves by the side of the box that its middle is nearer to.
        axis *= np.where(2.0 * dot(start, axis) + dot(along, axis) > 0.0, -1.0, 1.0)
        rise = dot(along, axis)
        # By a face: its deepest end or, where it is level with the face, the middle of what is over the face.
        lower, upper = np.zeros(len(rows)), np.ones(len(rows))
        # By an edge: the point that crosses the edge.
        nearest, square = np.zeros(len(rows)), np.zeros(len(rows))
        for other in others:
            slanted = along[other] != 0.0
            run = np.where(slanted, along[other], 1.0)
            enter, leave = ((sign * half[other] - start[other]) / run for sign in (-1.0, 1.0))
            lower = np.where(slanted, np.maximum(lower, np.minimum(enter, leave)), lower)
            upper = np.where(slanted, np.minimum(upper, np.maximum(enter, leave)), upper)
            nearest += (np.copysign(half[other], -axis[other]) - start[other]) * along[other]
            square += along[other] ** 2
        level = np.abs(rise) <= NEAR * self.size[rows]
        deepest = np.where(level, (lower + upper) / 2.0, rise > 0.0)
        return axis, np.where(by_face, deepest, np.clip(over(nearest, square), 0.0, 1.0))


def _closest_parameter(start: Floats, along: Floats, half: Floats) -> Floats:
    """Where on each segment (3, P), from 0 to 1, the point closest to its box is."""
    falls, rises = _slope(start, along, half, 0.0) < 0.0, _slope(start, along, half, 1.0) > 0.0
    t = (~rises).astype(np.float64)
    rows = np.flatnonzero(falls & rises)
    if not len(rows):
        return t
    start, along, half = (part.take(rows, axis=1) for part in (start, along, half))
    # The last kink before the root, and the first behind it.
    low, high = np.zeros(len(rows)), np.ones(len(rows))
    for k in range(3):
        for side in (-half[k], half[k]):
            # Along an axis that the segment does not run along there are no kinks; for infinities and NaN, the ends.
            with np.errstate(all="ignore"):
                kink = (side - start[k]) / along[k]
            kink = np.minimum(np.fmax(kink, 0.0), 1.0)
            before = (_slope(start, along, half, kink) <= 0.0).astype(np.float64)
            np.maximum(low, kink * before, out=low)
            np.minimum(high, kink + before, out=high)
    # Between neighbouring kinks the slope is linear.
    slope_low, slope_high = _slope(start, along, half, low), _slope(start, along, half, high)
    t[rows] = low + (high - low) * unit_interval(over(-slope_low, slope_high - slope_low))
    return t


def _six_axes(start: Floats, along: Floats, half: Floats, square: Floats, slack: Floats) -> tuple[Floats, Ints, Bools]:
    """The largest gap along the box's axes and across the segment, its axis (0 to 5), and whether to trust it."""
    end = start + along
    faces = np.maximum(np.minimum(start, end), -np.maximum(start, end))
    faces -= half
    best, axis = faces.max(axis=0), faces.argmax(axis=0)
    ill = np.zeros(len(square), dtype=bool)
    steep, squares = np.abs(along), along * along
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        across = squares[i] + squares[j]
        gap = start[j] * along[i]
        gap -= start[i] * along[j]
        np.abs(gap, out=gap)
        gap -= half[i] * steep[j]
        gap -= half[j] * steep[i]
        proper = across > PARALLEL * square
        gap = np.divide(gap, np.sqrt(across), out=np.full_like(gap, -np.inf), where=proper)
        ill |= proper & (across < NEAR_PARALLEL * square)
        better = gap > best + slack
        np.copyto(best, gap, where=better)
        np.copyto(axis, 3 + k, where=better)
    return best, axis, ill


def _slope(start: Floats, along: Floats, half: Floats, t: Floats | float) -> Floats:
    """Half the derivative of the squared distance from the box, at the parameters `t` of the segments."""
    point = along * t
    point += start
    point -= np.clip(point, -half, half)
    return dot(point, along)
