# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsule against box: the distance of the segment from the box, minus the radius.

In the box's frame, the squared distance from a point on the segment to the box is a convex function of the point's
parameter. Its derivative is piecewise linear, with a kink where the point crosses the plane of a face. The closest
point is at the root of this derivative. If the segment pierces the box, the shortest separating translation is along a
normal of the box, or along the cross product of the segment and an edge. These are six axes, and every facet of the
Minkowski difference is normal to one of them.
"""

import numpy as np

from ..geometry.segments import at, over, unit_interval
from ..numerics.soa import columns, dot, of_rows, turned, turned_back
from ..numerics.tolerances import NEAR, NEAR_PARALLEL, PARALLEL, rounding
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Boxes, Capsules
from ..shapes.batch import Rows
from . import closed_form
from .algorithm import PairAlgorithm
from .capsule_face import side_contact
from .closed_form import BlockDistances, ClosedForm
from .convex_convex import ConvexConvex


class CapsuleBox(ClosedForm[Capsules, Boxes]):
    """Pair queries in closed form. A capsule that lies on a face has two contacts."""

    def kernel(self, a: Capsules, b: Boxes) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    @property
    def fallback(self) -> PairAlgorithm[Capsules, Boxes]:
        """The best of six axes, for segments that pierce the box."""
        return _PIERCING

    def side_contact(self, a: Capsules, b: Boxes, near: closed_form.Near) -> closed_form.SideContact:
        """See `ClosedForm`."""
        return side_contact(a, b, near)

    def contained(self, a: Rows[Capsules], b: Rows[Boxes]) -> Bools:
        """Whether the box contains the capsule: both of its caps."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        out = np.maximum(np.abs(pairs.start), np.abs(pairs.start + pairs.along)) - pairs.half
        return out.max(axis=0) + a.radius <= pairs.slack


class _BlockDistances:
    """`closed_form.BlockDistances`. `start` and `along` (3, P) are the segment in the box's frame.

    Segments that intersect the box are doubtful.
    """

    def __init__(self, a: Capsules, b: Boxes) -> None:
        self.origin, self.run, place = columns(a.start), of_rows(a.end), columns(b.center)
        self.turn, self.half, self.radius = columns(b.rotation), columns(b.half_extents), a.radius
        offset = np.maximum(dot(self.origin, self.origin), dot(self.run, self.run))
        np.maximum(offset, dot(place, place), out=offset)
        self.run -= self.origin
        self.start, self.along = turned_back(self.turn, self.origin - place), turned_back(self.turn, self.run)
        self.square = dot(self.along, self.along)
        self.size = np.sqrt(dot(self.half, self.half)) + np.sqrt(self.square) / 2.0 + self.radius
        self.slack = rounding(self.size, np.sqrt(offset, out=offset))
        self.t = _closest_parameter(self.start, self.along, self.half)
        self.way = _beyond(at(self.start, self.along, self.t), self.half)
        self.far = np.sqrt(dot(self.way, self.way))
        self.doubtful: Bools | None = self.far <= NEAR * self.size
        self.distance = self.far - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        # The normal is opposite to the offset from the box. The offset is zero only in doubtful pairs.
        local = self.way / -np.where(self.far > 0.0, self.far, 1.0)
        closed_form.correct_directions(local, self.far, self.size, self._gap, self._directions)
        return self._moved_out(local, self.t)

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between segment and box along directions in the box's frame."""
        u, start, half = self.along[:, rows], self.start[:, rows], self.half[:, rows]
        return -dot(half, np.abs(way)) - dot(start, way) - np.maximum(dot(u, way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """Directions perpendicular to the segment, and those also perpendicular to an edge."""
        u = self.along[:, rows]
        edges = (np.broadcast_to(edge[:, None], u.shape) for edge in np.eye(3))
        return closed_form.perpendicular_to(way, u), *(
            closed_form.perpendicular_to_both(way, u, edge) for edge in edges
        )

    def _moved_out(self, local: Floats, t: Floats) -> tuple[Floats, Floats]:
        """Transform the normal `local` to the world, and return it with the farthest point of A at parameter `t`."""
        normal = turned(self.turn, local)
        point = self.run * t
        point += normal * self.radius
        return normal, point


class _Meeting(_BlockDistances):
    """Distances of segments that intersect the box. Segments that only touch it remain doubtful."""

    def __init__(self, a: Capsules, b: Boxes) -> None:
        super().__init__(a, b)
        gap, self.axis, ill = _six_axes(self.start, self.along, self.half, self.square, self.slack)
        self.doubtful = (gap >= -NEAR * self.size) | ill
        self.distance = gap - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        # Permute the coordinates so that the axis number comes first.
        turns = (self.axis + np.arange(3)[:, None]) % 3
        start, along, half = (np.take_along_axis(part, turns, axis=0) for part in (self.start, self.along, self.half))
        by_face = self.axis < 3
        sine = np.where(by_face, np.inf, np.sqrt(along[1] * along[1] + along[2] * along[2]))
        axis = np.stack([by_face.astype(np.float64), -along[2] / sine, along[1] / sine])
        # The segment leaves through the side of the box that is nearer to its middle.
        axis *= np.where(2.0 * dot(start, axis) + dot(along, axis) > 0.0, -1.0, 1.0)
        rise = dot(along, axis)
        # Face axis: the deepest end, or for a level segment the middle of its part over the face.
        lower, upper = np.zeros_like(rise), np.ones_like(rise)
        # Edge axis: the point that crosses the edge.
        nearest, square = np.zeros_like(rise), np.zeros_like(rise)
        for k in (1, 2):
            slanted = along[k] != 0.0
            run = np.where(slanted, along[k], 1.0)
            enter, leave = ((side - start[k]) / run for side in (-half[k], half[k]))
            lower = np.where(slanted, np.maximum(lower, np.minimum(enter, leave)), lower)
            upper = np.where(slanted, np.minimum(upper, np.maximum(enter, leave)), upper)
            nearest += (np.copysign(half[k], -axis[k]) - start[k]) * along[k]
            square += along[k] * along[k]
        level = np.abs(rise) <= self.slack
        deepest = np.where(level, (lower + upper) / 2.0, rise > 0.0)
        local = np.empty_like(axis)
        np.put_along_axis(local, turns, axis, axis=0)
        return self._moved_out(local, np.where(by_face, deepest, unit_interval(over(nearest, square))))


class _Piercing(CapsuleBox):
    """Pair queries for segments that intersect the box."""

    def kernel(self, a: Capsules, b: Boxes) -> BlockDistances:
        """See `ClosedForm`."""
        return _Meeting(a, b)

    @property
    def fallback(self) -> PairAlgorithm[Capsules, Boxes]:
        """The generic method."""
        return _GENERIC


_GENERIC = ConvexConvex()
_PIERCING = _Piercing()


def _closest_parameter(start: Floats, along: Floats, half: Floats) -> Floats:
    """Parameter, 0 to 1, of the point of each segment (3, P) that is closest to its box."""
    falls, rises = _slope(start, along, half) < 0.0, _slope(start + along, along, half) > 0.0
    t = (~rises).astype(np.float64)
    rows = np.flatnonzero(falls & rises)
    if not len(rows):
        return t
    start, along, half = (part.take(rows, axis=1) for part in (start, along, half))
    # An axis perpendicular to the segment has no kinks. Infinities and NaN become the ends.
    with np.errstate(all="ignore"):
        kinks = (np.stack([-half, half]) - start) / along
    kinks = np.minimum(np.fmax(kinks, 0.0), 1.0).reshape(6, len(rows))
    point = along[:, None] * kinks
    point += start[:, None]
    before = _slope(point, along[:, None], half[:, None]) <= 0.0
    # The last kink before the root, and the first kink after it.
    low, high = (kinks * before).max(axis=0), np.where(before, 1.0, kinks).min(axis=0)
    # The slope is linear between adjacent kinks.
    slope_low, slope_high = (_slope(at(start, along, end), along, half) for end in (low, high))
    t[rows] = low + (high - low) * unit_interval(over(-slope_low, slope_high - slope_low))
    return t


def _six_axes(start: Floats, along: Floats, half: Floats, square: Floats, slack: Floats) -> tuple[Floats, Ints, Bools]:
    """Largest gap over the box's axes and the cross products, its axis (0 to 5), and whether it is inaccurate."""
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


def _slope(point: Floats, along: Floats, half: Floats) -> Floats:
    """Half the derivative of the squared distance from the box, at points of the segments."""
    return dot(_beyond(point, half), along)


def _beyond(point: Floats, half: Floats) -> Floats:
    """Vector from the nearest point of the box to `point`, (3, P)."""
    nearest = np.maximum(point, -half)
    np.minimum(nearest, half, out=nearest)
    return np.subtract(point, nearest, out=nearest)
