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
from ..segments import at, over
from ..shapes import Boxes, Capsules
from ..tolerances import NEAR, NEAR_PARALLEL, PARALLEL, rounding
from . import rounded
from .capsule_on_face import lying
from .convex_convex import contains

__all__ = ["contacts", "contained", "contains", "distance", "overlap", "separating_axis"]


def overlap(a: Capsules, b: Boxes) -> Bools:
    """Whether capsule and box have a point in common, touching included."""
    return rounded.overlap(_Overlap, a, b)


def distance(a: Capsules, b: Boxes) -> Distances:
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
    pairs = _Standing(a, b, slice(0, len(a)))
    out = np.maximum(np.abs(pairs.start), np.abs(pairs.start + pairs.along)) - pairs.half
    return out.max(axis=0) + a.radius <= pairs.slack


class _Standing:
    """`rounded.Standing`, with the segment in the box's frame: from `start` (3, P), `along` (3, P)."""

    # Whether pairs are measured that one of the six axes shows to be apart.
    measured = True

    def __init__(self, a: Capsules, b: Boxes, block: slice) -> None:
        self.origin, end, place = of_rows(a.start[block]), of_rows(a.end[block]), of_rows(b.center[block])
        self.half, self.radius = of_rows(b.half_extents[block]), a.radius[block]
        offset = np.maximum(dot(self.origin, self.origin), dot(end, end))
        np.maximum(offset, dot(place, place), out=offset)
        end -= self.origin
        np.subtract(self.origin, place, out=place)
        self.turn = of_rows(b.rotation[block])
        self.start, self.along = np.empty_like(place), np.empty_like(place)
        for k in range(3):
            self.start[k], self.along[k] = dot(self.turn[:, k], place), dot(self.turn[:, k], end)
        self.square = dot(self.along, self.along)
        self.size = np.sqrt(dot(self.half, self.half)) + np.sqrt(self.square) / 2.0 + self.radius
        self.slack = rounding(self.size, np.sqrt(offset, out=offset))
        self._six_axes()
        near = NEAR * self.size
        self.pierced = self.gap < -near
        left = ~self.pierced
        if not self.measured:
            left &= self.gap <= self.radius + 2.0 * self.slack
        self.outside = np.flatnonzero(left)
        self._closest_points()
        self.core = self.gap.copy()
        self.core[self.outside] = self.far
        self.doubtful: Bools | None = np.where(self.pierced, self.ill, self.core <= near)
        self.distance = self.core - self.radius

    def _six_axes(self) -> None:
        """The largest gap along the box's axes and across the segment: `gap` and its `axis`, 0 to 5, of each pair."""
        end = self.start + self.along
        faces = np.maximum(np.minimum(self.start, end), -np.maximum(self.start, end))
        faces -= self.half
        self.gap, self.axis = faces.max(axis=0), faces.argmax(axis=0)
        self.ill = np.zeros(len(self.square), dtype=bool)
        steep, squares = np.abs(self.along), self.along * self.along
        for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            across = squares[i] + squares[j]
            gap = self.start[j] * self.along[i]
            gap -= self.start[i] * self.along[j]
            np.abs(gap, out=gap)
            gap -= self.half[i] * steep[j]
            gap -= self.half[j] * steep[i]
            proper = across > PARALLEL * self.square
            gap = np.divide(gap, np.sqrt(across), out=np.full_like(gap, -np.inf), where=proper)
            self.ill |= proper & (across < NEAR_PARALLEL * self.square)
            better = gap > self.gap + self.slack
            np.copyto(self.gap, gap, where=better)
            np.copyto(self.axis, 3 + k, where=better)

    def _closest_points(self) -> None:
        """The segment's point closest to the box, and the way from there, of the pairs that are `outside`."""
        start, along, half = (part.take(self.outside, axis=1) for part in (self.start, self.along, self.half))
        low, slope_low = np.zeros(len(self.outside)), _slope(start, along, half, 0.0)
        high, slope_high = np.ones(len(self.outside)), _slope(start, along, half, 1.0)
        for k in range(3):
            # Along an axis that the segment does not run along there are no kinks: infinities and NaN are not within.
            with np.errstate(all="ignore"):
                kinks = [(sign * half[k] - start[k]) / along[k] for sign in (-1.0, 1.0)]
            for kink in kinks:
                within = (kink > low) & (kink < high)
                slope = _slope(start, along, half, np.where(within, kink, low))
                rising = slope > 0.0
                below, above = within & ~rising, within & rising
                np.copyto(low, kink, where=below)
                np.copyto(slope_low, slope, where=below)
                np.copyto(high, kink, where=above)
                np.copyto(slope_high, slope, where=above)
        # Between neighbouring kinks the slope is linear; where it never changes its sign an end is closest.
        t = low + (high - low) * np.clip(over(-slope_low, slope_high - slope_low), 0.0, 1.0)
        t = np.where(slope_high <= 0.0, high, np.where(slope_low >= 0.0, low, t))
        self.t = t
        point = at(start, along, t)
        self.way = np.clip(point, -half, half)
        self.way -= point
        self.far = np.sqrt(dot(self.way, self.way))

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness on A."""
        count = len(self.square)
        local, t = np.zeros((3, count)), np.zeros(count)
        local[:, self.outside] = self.way / np.where(self.far > 0.0, self.far, 1.0)
        t[self.outside] = self.t
        rows = np.flatnonzero(self.pierced)
        if len(rows):
            local[:, rows], t[rows] = self._way_out(rows)
        normal, point = np.empty_like(local), np.empty_like(local)
        spot = self.along * t
        for k in range(3):
            normal[k], point[k] = dot(self.turn[k], local), dot(self.turn[k], spot)
        point += normal * self.radius
        return normal, point

    def _way_out(self, rows: Ints) -> tuple[Floats, Floats]:
        """The normal, from A to B, and the parameter of the point to be moved out, of pairs that are `pierced`."""
        start, along, half = (part.take(rows, axis=1) for part in (self.start, self.along, self.half))
        axis, each = np.zeros((3, len(rows))), np.arange(len(rows))
        k = self.axis[rows] % 3
        others = [((k + 1) % 3, each), ((k + 2) % 3, each)]
        by_face = self.axis[rows] < 3
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


class _Overlap(_Standing):
    """Measured only as far as it takes to say whether the two meet; apart, the distance is a lower bound."""

    measured = False


def _slope(start: Floats, along: Floats, half: Floats, t: Floats | float) -> Floats:
    """Half the derivative of the squared distance from the box, at the parameters `t` of the segments."""
    point = along * t
    point += start
    point -= np.clip(point, -half, half)
    return dot(point, along)
