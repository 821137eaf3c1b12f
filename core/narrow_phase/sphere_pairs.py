# SPDX-License-Identifier: GPL-3.0-or-later
"""Spheres against spheres, capsules, boxes, triangles and cylinders, in closed form.

The distance is that of the center from the nearest point of the other core, minus the radii (Lee 2018, sections 13.3.1
and 13.3.5; Ericson, "Real-Time Collision Detection", section 5.1.5).
"""

import numpy as np

from ..convex.batch_sides import box_rows, indexed, side_rows
from ..convex.contact_manifold import contact_rows, contacts_of
from ..geometry.segments import nearest_on_segment
from ..kernels import sphere_boxes, sphere_cylinders
from ..kernels.results import DistanceRows
from ..numerics.tolerances import EPS, NEAR, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot_columns, length, perpendicular, to_columns, turned_back
from ..results import Contacts, Distances
from ..shapes import Boxes, Capsules, Cylinders, Spheres, Triangles
from ..shapes.batch import Rows
from . import closed_form
from .closed_form import ClosedForm, TriangleParts


class _FromSphere:
    """`closed_form.BlockDistances`. `far` (P,) is the distance of the centers."""

    doubtful: Bools | None = None

    def __init__(self, a: Spheres, b: Spheres) -> None:
        self.origin, other = to_columns(a.center), to_columns(b.center)
        self.radius = a.radius
        self.slack = rounding(
            self.radius + b.radius,
            np.sqrt(np.maximum(dot_columns(self.origin, self.origin), dot_columns(other, other))),
        )
        other -= self.origin
        self.apart = other
        self.far = np.sqrt(dot_columns(other, other))
        self.distance = self.far - self.radius
        self.distance -= b.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        concentric = self.far == 0.0
        if concentric.any():
            self.apart[:, concentric] = [[0.0], [0.0], [1.0]]
            normal = self.apart / np.where(concentric, 1.0, self.far)
        else:
            normal = self.apart
            normal /= self.far
        return normal, normal * self.radius


class SphereSphere(ClosedForm[Spheres, Spheres]):
    """The distance of the centers, minus both radii. Concentric spheres separate along +Z."""

    kernel = _FromSphere

    def contains(self, a: Spheres, b: Spheres) -> Bools:
        """Whether A contains all of B, touching from inside included."""
        pairs = _FromSphere(a, b)
        return pairs.far + b.radius <= a.radius + pairs.slack

    def contained(self, a: Spheres, b: Spheres) -> Bools:
        """Whether B contains all of A."""
        return self.contains(b, a)


class _FromCapsule:
    """`closed_form.BlockDistances`, relative to the sphere's center. `far` (P,) is its distance from the segment."""

    def __init__(self, a: Spheres, b: Capsules) -> None:
        self.origin, self.radius = to_columns(a.center), a.radius
        self.start, self.end = to_columns(b.start), to_columns(b.end)
        offset = np.maximum(dot_columns(self.origin, self.origin), dot_columns(self.start, self.start))
        np.maximum(offset, dot_columns(self.end, self.end), out=offset)
        self.along = along = self.end - self.start
        self.start -= self.origin
        self.end -= self.origin
        square = dot_columns(along, along)
        self.size = size = np.sqrt(square) / 2.0 + self.radius + b.radius
        self.slack = rounding(size, np.sqrt(offset, out=offset))
        self.apart, _ = nearest_on_segment(self.start, along, square)
        self.far = np.sqrt(dot_columns(self.apart, self.apart))
        self.doubtful: Bools | None = self.far <= NEAR * size
        self.distance = self.far - self.radius
        self.distance -= b.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = self.apart / np.where(self.far > 0.0, self.far, 1.0)
        closed_form.correct_directions(
            normal,
            self.far,
            self.size,
            lambda n, rows: dot_columns(self.start[:, rows], n) + np.minimum(dot_columns(self.along[:, rows], n), 0.0),
            lambda way, rows: (closed_form.perpendicular_to(way, self.along[:, rows]),),
        )
        return normal, normal * self.radius


class SphereCapsule(ClosedForm[Spheres, Capsules]):
    """The distance of the center from the segment, minus both radii.

    A center on the segment moves out perpendicular to the segment.
    """

    kernel = _FromCapsule

    def contains(self, a: Spheres, b: Capsules) -> Bools:
        """Whether the sphere contains the capsule: both of its caps."""
        pairs = _FromCapsule(a, b)
        far = np.sqrt(np.maximum(dot_columns(pairs.start, pairs.start), dot_columns(pairs.end, pairs.end)))
        return far + b.radius <= a.radius + pairs.slack

    def contained(self, a: Spheres, b: Capsules) -> Bools:
        """Whether the capsule contains the sphere."""
        pairs = _FromCapsule(a, b)
        return pairs.far + a.radius <= b.radius + pairs.slack


class _Measured:
    """`closed_form.BlockDistances` of pairs that a kernel measures."""

    doubtful: Bools | None = None

    def __init__(self, a: Spheres, found: Distances) -> None:
        self._found = found
        self.origin, self._radius = to_columns(a.center), a.radius
        self.distance, self.slack = found.distance, found.rounding

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = to_columns(self._found.normal)
        return normal, normal * self._radius


def _from_boxes(a: Rows[Spheres], b: Rows[Boxes]) -> Distances:
    result, (boxes, rows_b) = Distances.empty(len(a)), indexed(b)
    sphere_boxes.distances(*_spheres(a), box_rows(boxes), rows_b, DistanceRows(*vars(result).values()))
    return result


def _spheres(a: Rows[Spheres]) -> tuple[Floats, Floats, Ints]:
    """Spheres as kernels read them: centers, radii, and the rows of the pairs."""
    spheres, rows = indexed(a)
    return np.ascontiguousarray(spheres.center), np.ascontiguousarray(spheres.radius), rows


def _box_pairs(a: Spheres, b: Boxes) -> _Measured:
    return _Measured(a, _from_boxes(a, b))


class SphereBox(ClosedForm[Spheres, Boxes]):
    """The distance of the center from the nearest point of the box, minus the radius; see `kernels.sphere_boxes`."""

    kernel = staticmethod(_box_pairs)

    def overlap(self, a: Rows[Spheres], b: Rows[Boxes]) -> Bools:
        """See `PairAlgorithm`."""
        result, (boxes, rows_b) = np.empty(len(a), dtype=bool), indexed(b)
        sphere_boxes.overlaps(*_spheres(a), box_rows(boxes), rows_b, result)
        return result

    def distance(self, a: Rows[Spheres], b: Rows[Boxes]) -> Distances:
        """See `PairAlgorithm`."""
        return _from_boxes(a, b)

    def contains(self, a: Spheres, b: Boxes) -> Bools:
        """Whether the sphere contains the box: its farthest corner."""
        corner = np.abs(_in_frame(a, b)) + to_columns(b.half_extents)
        return np.sqrt(dot_columns(corner, corner)) <= a.radius + _from_boxes(a, b).rounding

    def contained(self, a: Spheres, b: Boxes) -> Bools:
        """Whether the box contains the sphere."""
        out: Floats = (np.abs(_in_frame(a, b)) - to_columns(b.half_extents)).max(axis=0)
        return out + a.radius <= _from_boxes(a, b).rounding


def _in_frame(a: Spheres, b: Boxes) -> Floats:
    """The centers of the spheres in the frames of the boxes, (3, P)."""
    return turned_back(to_columns(b.rotation), to_columns(a.center - b.center))


class _FromTriangle:
    """`closed_form.BlockDistances`, relative to the center."""

    def __init__(self, a: Spheres, b: Triangles) -> None:
        self.origin, self.radius = to_columns(a.center), a.radius
        self.triangle = triangle = TriangleParts(b, self.origin)
        self.size, self.slack = triangle.pair(self.radius, dot_columns(self.origin, self.origin))
        self.apart, best = np.zeros_like(self.origin), np.full(len(self.size), np.inf)
        for corner, side, square in zip(triangle.corners, triangle.sides, triangle.squares, strict=True):
            point = nearest_on_segment(corner, side, square)[0]
            far = dot_columns(point, point)
            nearer = far < best
            np.copyto(best, far, where=nearer)
            np.copyto(self.apart, point, where=nearer)
        self.over = triangle.over(0.0)
        self.height = dot_columns(triangle.normal, triangle.corners[0])
        self.core = np.where(self.over, np.abs(self.height), np.sqrt(best))
        self.doubtful: Bools | None = triangle.sliver | (~self.over & (self.core <= NEAR * self.size))
        self.distance = self.core - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = self.apart / np.where(self.core > 0.0, self.core, 1.0)
        upright = self.triangle.normal * np.where(self.height > 0.0, 1.0, -1.0)
        np.copyto(normal, upright, where=self.over)
        corners, sides = self.triangle.corners, self.triangle.sides
        closed_form.correct_directions(
            normal,
            self.core,
            self.size,
            lambda n, rows: np.min([dot_columns(corner[:, rows], n) for corner in corners], axis=0),
            lambda way, rows: (*(closed_form.perpendicular_to(way, side[:, rows]) for side in sides), upright[:, rows]),
        )
        return normal, normal * self.radius


class SphereTriangle(ClosedForm[Spheres, Triangles]):
    """The distance of the center from the nearest point of the triangle, minus the radius.

    If the center projects into the triangle, this distance is the height above the plane. Otherwise it is the distance
    from the nearest edge. A center in the triangle's plane is on the side of its normal.
    """

    kernel = _FromTriangle

    def contains(self, a: Spheres, b: Triangles) -> Bools:
        """Whether the sphere contains the triangle: its farthest corner."""
        pairs = _FromTriangle(a, b)
        farthest = np.max([dot_columns(corner, corner) for corner in pairs.triangle.corners], axis=0)
        return np.sqrt(farthest) <= a.radius + pairs.slack

    def contained(self, a: Spheres, b: Triangles) -> Bools:
        """Whether the triangle contains the sphere. The sphere then is a point."""
        found = self.distance(a, b)
        return found.distance + 2.0 * a.radius <= found.rounding


def _from_cylinders(a: Rows[Spheres], b: Rows[Cylinders]) -> Distances:
    result = Distances.empty(len(a))
    sphere_cylinders.distances(*_spheres(a), *side_rows(b), DistanceRows(*vars(result).values()))
    return result


def _cylinder_pairs(a: Spheres, b: Cylinders) -> _Measured:
    return _Measured(a, _from_cylinders(a, b))


class SphereCylinder(ClosedForm[Spheres, Cylinders]):
    """The distance of the center from the nearest point on the cylinder, minus the radius.

    The point is on a cap, on a rim or on the side; see `kernels.sphere_cylinders`. If the center is inside the
    cylinder, the point is on the nearest cap or on the side, whichever is nearer. For a center on the axis, the normal
    is any direction through the side.
    """

    kernel = staticmethod(_cylinder_pairs)

    def overlap(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Bools:
        """See `PairAlgorithm`."""
        found = _from_cylinders(a, b)
        return found.distance <= found.rounding

    def distance(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Distances:
        """See `PairAlgorithm`."""
        return _from_cylinders(a, b)

    def contacts(self, a: Rows[Spheres], b: Rows[Cylinders], margin: float, known: Distances | None = None) -> Contacts:
        """One contact for each pair that overlaps or is within `margin`."""
        gap, written = _from_cylinders(a, b) if known is None else known, contact_rows(len(a))
        _, radii, rows = _spheres(a)
        given = radii, rows, *side_rows(b), margin, DistanceRows(*vars(gap).values())
        return contacts_of(written, sphere_cylinders.contacts(*given, written))

    def contains(self, a: Spheres, b: Cylinders) -> Bools:
        """Whether A contains all of B: the farthest point of the farther rim is within the radius of the center."""
        beyond, aside = _places(a, b)
        far = np.hypot(beyond + length(b.end - b.start), aside + 2.0 * b.radius)
        return np.asarray(far <= a.radius + _from_cylinders(a, b).rounding)

    def contained(self, a: Spheres, b: Cylinders) -> Bools:
        """Whether B contains all of A."""
        return np.asarray(np.maximum(*_places(a, b)) + a.radius <= _from_cylinders(a, b).rounding)


def _places(a: Rows[Spheres], b: Rows[Cylinders]) -> tuple[Floats, Floats]:
    """The heights of the centers above the nearer caps, and their distances from the sides; negative inside."""
    beyond, aside = np.empty((2, len(a)))
    sphere_cylinders.places(*_spheres(a), *side_rows(b), beyond, aside)
    return beyond, aside


def beside_axis(spoke: Floats, axis: Floats, size: Floats) -> tuple[Floats, Floats, Floats]:
    """Coordinates of points (3, P) along unit axes, unit directions from the axes to them, and their distances.

    For points on the axis within rounding of the `size`, any perpendicular direction is returned.
    """
    level = dot_columns(spoke, axis)
    aside = spoke - level * axis
    # For a point near the axis, the residue along the axis may exceed the perpendicular component.
    aside -= dot_columns(aside, axis) * axis
    across = np.sqrt(dot_columns(aside, aside))
    centered = across <= EPS * size
    aside /= np.where(centered, 1.0, across)
    if centered.any():
        aside[:, centered] = perpendicular(axis[:, centered].T).T
    return level, aside, across
