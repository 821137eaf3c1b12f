# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules against capsules, triangles and boxes: the distance of the segment from the other core, minus the radii.

Parallel capsules side by side touch along a line, and have two contacts (Lee 2018, section 13.2.5). So has a capsule on
a face: the edges of the face clip the segment (Cyrus and Beck). An end of the part over the face is either a cap over
the face, or a point where the capsule's side crosses an edge of the face (Lee 2018, sections 13.2.3 and 13.2.5).
"""

from abc import ABC, abstractmethod

import numpy as np

from ..convex.polytopes.placed import Polytopes, polytopes
from ..geometry.segments import at, nearest_of_segments, over, shared_stretch, unit_interval
from ..numerics.tolerances import CYLINDER_INSIDE, EPS, NEAR, NEAR_PARALLEL, PARALLEL, SLIVER, SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import (
    as_columns,
    cross_columns,
    cross_dd,
    dot_columns,
    to_columns,
    turned,
    turned_back,
    two_diff,
)
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Triangles
from . import closed_form
from .closed_form import ClosedForm, Near, SideContact, TriangleParts, supporting_feature

# Edge number for an end of the part that is an end of the capsule.
_CAP = -1


def contact_on_face(a: Capsules, b: Boxes | Triangles, near: Near) -> SideContact:
    """The parts of the capsules A over a face of B."""
    feature = supporting_feature(b, near.rows, -near.normal)
    along = to_columns(a.end[near.rows] - a.start[near.rows])
    pairs = np.flatnonzero((feature[:, 0] == FeatureKind.FACE) & (dot_columns(along, along) > 0.0))
    rows, along, face = near.rows[pairs], along[:, pairs], feature[pairs, 1]
    origin, outward = near.origin[:, pairs], -near.normal[:, pairs]
    start = to_columns(a.start[rows]) - origin
    shapes = polytopes(b.take(rows)).take(np.arange(len(rows)), origin.T)
    outline, vertex = shapes.polygon(face)
    corners = [to_columns(outline[:, k]) for k in range(outline.shape[1])]
    reach = np.sqrt(dot_columns(along, along))
    size = reach / 2.0 + shapes.size + a.radius[rows]
    lower, upper, first, last = _stretch(start, along, corners, outward, size)
    ends = np.stack([at(start, along, t) for t in (lower, upper)])
    # If the face is not exactly perpendicular to the normal, its height differs between the ends.
    normal = to_columns(shapes.normals[np.arange(len(rows)), face])
    steep = dot_columns(normal, outward)
    depth = a.radius[rows] + np.stack([dot_columns(corners[0] - end, normal) for end in ends]) / steep
    # From the segment to the midpoint between the capsule's lower side and the face.
    point = ends + outward * (depth / 2.0 - a.radius[rows])[:, None]
    depth[:, (upper - lower) * reach <= NEAR * size] = -np.inf
    feature_a, feature_b = np.empty((2, 2, len(rows), 2), dtype=np.int64)
    for end, (side, cap) in enumerate(((first, 0), (last, 1))):
        at_cap = side == _CAP
        rounded = np.where(a.radius[rows] > 0.0, int(FeatureKind.FACE), int(FeatureKind.VERTEX))
        feature_a[end, :, 0] = np.where(at_cap, rounded, FeatureKind.EDGE)
        feature_a[end, :, 1] = np.where(at_cap, cap, 0)
        feature_b[end, :, 0] = np.where(at_cap, FeatureKind.FACE, FeatureKind.EDGE)
        feature_b[end, :, 1] = np.where(at_cap, face, _edge(shapes, vertex, np.maximum(side, 0)))
    return SideContact(pairs, point, depth, size, feature_a, feature_b)


def _stretch(
    start: Floats, along: Floats, corners: list[Floats], outward: Floats, size: Floats
) -> tuple[Floats, Floats, Ints, Ints]:
    """Parameters at which segments enter and leave a convex outline, seen from outside, and the edges they cross."""
    count = len(size)
    lower, upper = np.zeros(count), np.ones(count)
    first, last = np.full((2, count), _CAP)
    for k, corner in enumerate(corners):
        following, after = corners[(k + 1) % len(corners)], corners[(k + 2) % len(corners)]
        # Perpendicular to the edge. If the edge has no length, along the next edge.
        none = (following == corner).all(axis=0)
        inward = np.where(none, after - following, cross_columns(outward, following - corner))
        begin = dot_columns(start - corner, inward)
        rise = dot_columns(along, inward)
        # An edge that is parallel to the segment within rounding does not clip it.
        slack = CYLINDER_INSIDE * EPS * size * np.sqrt(dot_columns(inward, inward))
        outside = np.minimum(begin, begin + rise) < -slack
        t = np.divide(-begin, rise, out=np.full(count, np.inf), where=rise != 0.0)
        enters = outside & (rise > 0.0) & (t > lower)
        leaves = outside & (rise <= 0.0) & (t < upper)
        lower, first = np.where(enters, t, lower), np.where(enters, k, first)
        upper, last = np.where(leaves, t, upper), np.where(leaves, k, last)
        # The segment is outside on its whole length, or the face is a point.
        upper = np.where((outside & (rise == 0.0)) | ~inward.any(axis=0), -np.inf, upper)
    upper = np.maximum(upper, lower)
    return lower, upper, first, last


def _edge(shapes: Polytopes, vertex: Ints, side: Ints) -> Ints:
    """Edge numbers of the polytopes from edge positions in outlines."""
    rows = np.arange(len(side))
    one, other = vertex[rows, side, None], vertex[rows, (side + 1) % vertex.shape[1], None]
    first, second = shapes.edges[..., 0], shapes.edges[..., 1]
    same = ((first == one) & (second == other)) | ((first == other) & (second == one))
    return same.argmax(axis=1)


class _Segments(ABC):
    """Common part of distances of segments from other cores: the correction of directions, see `ClosedForm.quick`."""

    quick: bool
    doubtful: Bools | None
    size: Floats

    def _corrected(self, way: Floats, far: Floats) -> Ints:
        """Correct the directions `way` in place and return their rows, or only mark them as doubtful."""
        if not self.quick:
            return closed_form.correct_directions(way, far, self.size, self._gap, self._directions)
        wrong = closed_form.inaccurate(way, far, self.size, self._gap)
        self.doubtful = wrong if self.doubtful is None else wrong | self.doubtful
        return np.empty(0, dtype=np.int64)

    @abstractmethod
    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between the cores along directions."""

    @abstractmethod
    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """Candidates for directions that are not accurate."""


class _FromCapsule(_Segments):
    """`closed_form.BlockDistances`, relative to A's start."""

    def __init__(self, a: Capsules, b: Capsules, quick: bool = False) -> None:
        self.quick = quick
        self.origin, end_a = to_columns(a.start), to_columns(a.end)
        start, end = to_columns(b.start), to_columns(b.end)
        offset = np.maximum(dot_columns(self.origin, self.origin), dot_columns(end_a, end_a))
        np.maximum(offset, dot_columns(start, start), out=offset)
        np.maximum(offset, dot_columns(end, end), out=offset)
        self.along = end_a
        self.along -= self.origin
        end -= start
        start -= self.origin
        self.start, self.other = start, end
        square, other = dot_columns(self.along, self.along), dot_columns(end, end)
        self.radius = a.radius
        radii = self.radius + b.radius
        self.size = size = (np.sqrt(square) + np.sqrt(other)) / 2.0 + radii
        self.slack = rounding(size, np.sqrt(offset, out=offset))
        self.closest = nearest_of_segments(self.along, start, end, square, other)
        self.far = np.sqrt(dot_columns(self.closest.apart, self.closest.apart))
        self.doubtful = self.far <= NEAR * size
        self.distance = self.far - radii

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = self.closest.apart / np.where(self.far > 0.0, self.far, 1.0)
        s = self.closest.s
        rows = self._corrected(normal, self.far)
        if len(rows):
            u, v = self.along[:, rows], self.other[:, rows]
            start = self.start[:, rows] - normal[:, rows] * self.far[rows]
            s[rows] = nearest_of_segments(u, start, v, dot_columns(u, u), dot_columns(v, v)).s
        point = self.along * s
        point += normal * self.radius
        return normal, point

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between the segments along directions."""
        u, v, start = self.along[:, rows], self.other[:, rows], self.start[:, rows]
        return dot_columns(start, way) + np.minimum(dot_columns(v, way), 0.0) - np.maximum(dot_columns(u, way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """Directions perpendicular to one segment or to both."""
        u, v = self.along[:, rows], self.other[:, rows]
        return (
            closed_form.perpendicular_to(way, u),
            closed_form.perpendicular_to(way, v),
            closed_form.perpendicular_to_both(way, u, v),
        )


def _side_by_side(a: Capsules, b: Capsules, near: Near) -> SideContact:
    """The ends of the shared part of parallel capsules."""
    u, v = (to_columns(shapes.end[near.rows] - shapes.start[near.rows]) for shapes in (a, b))
    square, other, across = dot_columns(u, u), dot_columns(v, v), cross_columns(u, v)
    parallel = (square > 0.0) & (other > 0.0) & (dot_columns(across, across) <= SUPPORT**2 * square * other)
    pairs = np.flatnonzero(parallel & (dot_columns(u, near.normal) ** 2 <= SUPPORT**2 * square))
    rows, normal = near.rows[pairs], near.normal[:, pairs]
    size = (np.sqrt(square[pairs]) + np.sqrt(other[pairs])) / 2.0 + a.radius[rows] + b.radius[rows]
    start = to_columns(b.start[rows]) - near.origin[:, pairs]
    stretch = shared_stretch(u[:, pairs], start, v[:, pairs], normal, a.radius[rows], b.radius[rows])
    stretch.depth[:, stretch.length <= NEAR * size] = -np.inf
    return SideContact(pairs, stretch.point, stretch.depth, size, _side_features(len(rows)), _side_features(len(rows)))


def _side_features(count: int) -> Ints:
    """The feature of a capsule's side, its only edge, for both ends of each shared part."""
    result = np.zeros((2, count, 2), dtype=np.int64)
    result[..., 0] = FeatureKind.EDGE
    return result


class CapsuleCapsule(ClosedForm[Capsules, Capsules]):
    """The distance of the segments, minus both radii. Intersecting segments separate along their cross product."""

    kernel = _FromCapsule
    quick = True
    side_contact = staticmethod(_side_by_side)


class _FromTriangle(_Segments):
    """`closed_form.BlockDistances`, relative to the start of the segment."""

    def __init__(self, a: Capsules, b: Triangles, quick: bool = False) -> None:
        self.quick = quick
        self.origin, self.along, self.radius = to_columns(a.start), to_columns(a.end), a.radius
        far = np.maximum(dot_columns(self.origin, self.origin), dot_columns(self.along, self.along))
        self.along -= self.origin
        square = dot_columns(self.along, self.along)
        triangle = TriangleParts(b, self.origin)
        size, self.slack = triangle.pair(np.sqrt(square) / 2.0 + self.radius, far)
        # Heights of the two ends over the plane. The capsule is on the side with the larger gap.
        start = -dot_columns(triangle.normal, triangle.corners[0])
        climb = dot_columns(triangle.normal, self.along)
        ends = np.stack([start, start + climb])
        upward = ends[0] + ends[1] >= 0.0
        gap = np.where(upward, ends.min(axis=0), -ends.max(axis=0))
        # Best separating axis of a piercing segment so far: the triangle's normal, with the deepest end.
        self.normal = triangle.normal * np.where(upward, -1.0, 1.0)
        self.s = ((climb < 0.0) == upward).astype(np.float64)
        # Coordinates relative to the capsule are as accurate far from the world's origin as near it.
        near_equal = rounding(size, np.zeros_like(size))
        way, far, best = np.zeros_like(self.along), np.full_like(square, np.inf), np.zeros_like(square)
        for k, (corner, side, its_square) in enumerate(
            zip(triangle.corners, triangle.sides, triangle.squares, strict=True)
        ):
            closest = nearest_of_segments(self.along, corner, side, square, its_square)
            distant = dot_columns(closest.apart, closest.apart)
            nearer = distant < far
            np.copyto(far, distant, where=nearer)
            np.copyto(way, closest.apart, where=nearer)
            np.copyto(best, closest.s, where=nearer)
            across = closest.cross
            thin = np.flatnonzero((closest.cross_square < SLIVER * square * its_square) & ~closest.parallel)
            if len(thin):
                run, rest = two_diff(a.end[thin], a.start[thin])
                edge, edge_rest = two_diff(b.vertices[thin, (k + 1) % 3], b.vertices[thin, k])
                across[:, thin] = cross_dd(run, edge, rest, edge_rest).T
            sine = np.sqrt(dot_columns(across, across))
            across *= np.where(climb < 0.0, -1.0, 1.0)
            side_gap = np.full_like(gap, -np.inf)
            np.divide(dot_columns(across, corner), sine, out=side_gap, where=~closest.parallel)
            better = side_gap > gap + near_equal
            np.copyto(gap, side_gap, where=better)
            np.copyto(self.normal, across / np.where(better, sine, 1.0), where=better)
            np.copyto(self.s, closest.s, where=better)
        near = NEAR * size
        pierced = gap < -near
        far = np.sqrt(far)
        way /= np.where(far > 0.0, far, 1.0)
        for end, height in enumerate(ends):
            steep = np.abs(height)
            over = triangle.over(end * self.along)
            over &= steep < far
            np.copyto(far, steep, where=over)
            np.copyto(best, float(end), where=over)
            np.copyto(way, triangle.normal * np.where(height < 0.0, 1.0, -1.0), where=over)
        np.copyto(self.normal, way, where=~pierced)
        np.copyto(self.s, best, where=~pierced)
        core = np.where(pierced, gap, far)
        self.triangle, self.size, self.core = triangle, size, core
        self.doubtful = triangle.sliver | (~pierced & (core <= near))
        self.distance = core - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        rows = self._corrected(self.normal, self.core)
        if len(rows):
            self._correct_points(rows)
        point = self.along * self.s
        point += self.normal * self.radius
        return self.normal, point

    def _correct_points(self, rows: Ints) -> None:
        """Use the points at which the segment touches the triangle after moving along the normal."""
        u, way = self.along[:, rows], self.normal[:, rows] * self.core[rows]
        s, square = self.s[rows], dot_columns(u, u)
        moved = u * s + way
        corners, sides, squares = (
            part[..., rows] for part in (self.triangle.corners, self.triangle.sides, self.triangle.squares)
        )
        height = np.abs(dot_columns(self.triangle.normal[:, rows], moved - corners[0]))
        least = np.where(self.triangle.over(moved, rows), height, np.inf)
        for corner, side, its_square in zip(corners, sides, squares, strict=True):
            closest = nearest_of_segments(u, corner - way, side, square, its_square)
            distant = np.sqrt(dot_columns(closest.apart, closest.apart))
            np.copyto(s, closest.s, where=distant < least)
            np.minimum(least, distant, out=least)
        self.s[rows] = s

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between segment and triangle along directions."""
        lowest = np.min([dot_columns(corner[:, rows], way) for corner in self.triangle.corners], axis=0)
        return lowest - np.maximum(dot_columns(self.along[:, rows], way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """The triangle's normal, and directions perpendicular to the segment, to an edge, or to both."""
        u, upward, sides = self.along[:, rows], self.triangle.normal[:, rows], self.triangle.sides[:, :, rows]
        return (
            upward * np.where(dot_columns(upward, way) < 0.0, -1.0, 1.0),
            closed_form.perpendicular_to(way, u),
            *(closed_form.perpendicular_to(way, side) for side in sides),
            *(closed_form.perpendicular_to_both(way, u, side) for side in sides),
        )


class CapsuleTriangle(ClosedForm[Capsules, Triangles]):
    """The distance of the segment from the triangle, minus the radius.

    The closest points are on the segment and an edge, or are an end of the segment and a point inside the triangle. If
    the segment pierces the triangle, the shortest separating translation is along the triangle's normal, or along the
    cross product of the segment and an edge. Every facet of the Minkowski difference is normal to one of these four
    axes. A capsule that lies on the triangle has two contacts.
    """

    kernel = _FromTriangle
    quick = True
    side_contact = staticmethod(contact_on_face)


class _FromBox(_Segments):
    """`closed_form.BlockDistances`. `start` and `along` (3, P) are the segment in the box's frame.

    Segments that intersect the box are doubtful.
    """

    def __init__(self, a: Capsules, b: Boxes, quick: bool = False) -> None:
        self.quick = quick
        self.origin, self.run, place = as_columns(a.start), to_columns(a.end), as_columns(b.center)
        self.turn, self.half, self.radius = as_columns(b.rotation), as_columns(b.half_extents), a.radius
        offset = np.maximum(dot_columns(self.origin, self.origin), dot_columns(self.run, self.run))
        np.maximum(offset, dot_columns(place, place), out=offset)
        self.run -= self.origin
        self.start, self.along = turned_back(self.turn, self.origin - place), turned_back(self.turn, self.run)
        self.square = dot_columns(self.along, self.along)
        self.size = np.sqrt(dot_columns(self.half, self.half)) + np.sqrt(self.square) / 2.0 + self.radius
        self.slack = rounding(self.size, np.sqrt(offset, out=offset))
        self.t = _closest_parameter(self.start, self.along, self.half)
        self.way = _beyond(at(self.start, self.along, self.t), self.half)
        self.far = np.sqrt(dot_columns(self.way, self.way))
        self.doubtful = self.far <= NEAR * self.size
        self.distance = self.far - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        # The normal is opposite to the offset from the box. The offset is zero only in doubtful pairs.
        local = self.way / -np.where(self.far > 0.0, self.far, 1.0)
        rows = self._corrected(local, self.far)
        if len(rows):
            start = self.start[:, rows] + local[:, rows] * self.far[rows]
            self.t[rows] = _touching_parameter(self.t[rows], start, self.along[:, rows], self.half[:, rows])
        return self._moved_out(local, self.t)

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between segment and box along directions in the box's frame."""
        u, start, half = self.along[:, rows], self.start[:, rows], self.half[:, rows]
        return -dot_columns(half, np.abs(way)) - dot_columns(start, way) - np.maximum(dot_columns(u, way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """The normal of the nearest face, and directions perpendicular to the segment, to an edge, or to both."""
        u = self.along[:, rows]
        edges = [np.broadcast_to(edge[:, None], u.shape) for edge in np.eye(3)]
        return (
            np.eye(3)[:, np.abs(way).argmax(axis=0)] * np.sign(way),
            closed_form.perpendicular_to(way, u),
            *(closed_form.perpendicular_to(way, edge) for edge in edges),
            *(closed_form.perpendicular_to_both(way, u, edge) for edge in edges),
        )

    def _moved_out(self, local: Floats, t: Floats) -> tuple[Floats, Floats]:
        """Transform the normal `local` to the world, and return it with the farthest point of A at parameter `t`."""
        normal = turned(self.turn, local)
        point = self.run * t
        point += normal * self.radius
        return normal, point


class _Meeting(_FromBox):
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
        axis *= np.where(2.0 * dot_columns(start, axis) + dot_columns(along, axis) > 0.0, -1.0, 1.0)
        rise = dot_columns(along, axis)
        # Face axis: of the part of the segment over the face the deepest end, or the middle if it is level.
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
        deepest = np.where(level, (lower + upper) / 2.0, np.where(rise > 0.0, upper, lower))
        local = np.empty_like(axis)
        np.put_along_axis(local, turns, axis, axis=0)
        return self._moved_out(local, np.where(by_face, deepest, unit_interval(over(nearest, square))))


class _Piercing(ClosedForm[Capsules, Boxes]):
    """Pair queries for segments that intersect the box."""

    kernel = _Meeting
    side_contact = staticmethod(contact_on_face)


class CapsuleBox(ClosedForm[Capsules, Boxes]):
    """The distance of the segment from the box, minus the radius.

    In the box's frame, the squared distance from a point on the segment to the box is a convex function of the point's
    parameter. Its derivative is piecewise linear, with a kink where the point crosses the plane of a face. The closest
    point is at the root of this derivative. If the segment pierces the box, the shortest separating translation is
    along a normal of the box, or along the cross product of the segment and an edge. These are six axes, and every
    facet of the Minkowski difference is normal to one of them. A capsule that lies on a face has two contacts.
    """

    kernel = _FromBox
    quick = True
    side_contact = staticmethod(contact_on_face)
    # The best of six axes, for segments that pierce the box.
    fallback = _Piercing()

    def contained(self, a: Capsules, b: Boxes) -> Bools:
        """Whether the box contains the capsule: both of its caps."""
        pairs = _FromBox(a, b)
        out = np.maximum(np.abs(pairs.start), np.abs(pairs.start + pairs.along)) - pairs.half
        return out.max(axis=0) + a.radius <= pairs.slack


def _closest_parameter(start: Floats, along: Floats, half: Floats) -> Floats:
    """Parameter, 0 to 1, of the point of each segment (3, P) that is closest to its box."""
    at_start, at_end = _slope(start, along, half), _slope(start + along, along, half)
    t = (at_end <= 0.0).astype(np.float64)
    rows = np.flatnonzero((at_start < 0.0) & (at_end > 0.0))
    if not len(rows):
        return t
    start, along, half = (part.take(rows, axis=1) for part in (start, along, half))
    kinks, inner, beyond = _kinks(start, along, half)
    slopes = dot_columns(beyond, along[:, None])
    # The last kink before the root, and the first kink after it. The slope is linear between them.
    before, column = slopes <= 0.0, np.arange(len(rows))
    lower, upper = np.where(inner & before, kinks, -1.0), np.where(inner & ~before, kinks, 2.0)
    low, high = lower.argmax(axis=0), upper.argmin(axis=0)
    first, last = lower[low, column], upper[high, column]
    down = np.where(first >= 0.0, slopes[low, column], at_start[rows])
    up = np.where(last <= 1.0, slopes[high, column], at_end[rows])
    first, last = np.maximum(first, 0.0), np.minimum(last, 1.0)
    t[rows] = first + (last - first) * unit_interval(over(-down, up - down))
    return t


def _touching_parameter(t: Floats, start: Floats, along: Floats, half: Floats) -> Floats:
    """Parameter, 0 to 1, at which each segment (3, P) touches its box, near `t`.

    A segment that touches within rounding is in the box between two kinks or ends. The derivative is mostly rounding
    error there.
    """
    kinks, inner, beyond = _kinks(start, along, half)
    tried = np.stack([t, np.zeros_like(t), np.ones_like(t)])
    ends = _beyond(along[:, None] * tried + start[:, None], half[:, None])
    out = np.concatenate([dot_columns(ends, ends), np.where(inner, dot_columns(beyond, beyond), np.inf)])
    result: Floats = np.concatenate([tried, kinks])[out.argmin(axis=0), np.arange(len(t))]
    return result


def _kinks(start: Floats, along: Floats, half: Floats) -> tuple[Floats, Bools, Floats]:
    """Return where segments cross the planes of the faces of their boxes.

    Returns
    -------
    t : (6, P) float64
        Parameters, 0 to 1. NaN if the segment lies in the plane.
    inner : (6, P) bool
        Whether the ends of the segment are on different sides of the plane.
    beyond : (3, 6, P) float64
        Vectors to these points from the nearest points of the boxes.
    """
    planes = np.stack([-half, half])
    at_start, at_end = ((point - planes).reshape(6, -1) for point in (start, start + along))
    with np.errstate(all="ignore"):
        t = np.clip(at_start / -np.concatenate([along, along]), 0.0, 1.0)
        beyond = _beyond(along[:, None] * t + start[:, None], half[:, None])
    # The point is in the plane of the face. A coordinate that is off by rounding would outweigh a small slope.
    for k in range(6):
        beyond[k % 3, k] = 0.0
    # The sides decide, and not the parameter, which may be equal to that of an end by rounding.
    return t, (at_start < 0.0) != (at_end < 0.0), beyond


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
    return dot_columns(_beyond(point, half), along)


def _beyond(point: Floats, half: Floats) -> Floats:
    """Vector from the nearest point of the box to `point`, (3, P)."""
    nearest = np.maximum(point, -half)
    np.minimum(nearest, half, out=nearest)
    return np.subtract(point, nearest, out=nearest)
