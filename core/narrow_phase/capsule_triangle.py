# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsule against triangle: the distance of the segment from the triangle, minus the radius.

The closest points are on the segment and an edge, or are an end of the segment and a point inside the triangle. If the
segment pierces the triangle, the shortest separating translation is along the triangle's normal, or along the cross
product of the segment and an edge. Every facet of the Minkowski difference is normal to one of these four axes.
"""

import numpy as np

from ..geometry.segments import nearest_of_segments
from ..numerics.soa import dot, of_rows
from ..numerics.tolerances import NEAR, rounding
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Capsules, Triangles
from . import closed_form
from .capsule_face import side_contact
from .closed_form import BlockDistances, ClosedForm, TriangleParts


class CapsuleTriangle(ClosedForm[Capsules, Triangles]):
    """Pair queries in closed form. A capsule that lies on the triangle has two contacts."""

    def kernel(self, a: Capsules, b: Triangles) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    def side_contact(self, a: Capsules, b: Triangles, near: closed_form.Near) -> closed_form.SideContact:
        """See `ClosedForm`."""
        return side_contact(a, b, near)


class _BlockDistances:
    """`closed_form.BlockDistances`, relative to the start of the segment."""

    def __init__(self, a: Capsules, b: Triangles) -> None:
        self.origin, self.along, self.radius = of_rows(a.start), of_rows(a.end), a.radius
        far = np.maximum(dot(self.origin, self.origin), dot(self.along, self.along))
        self.along -= self.origin
        square = dot(self.along, self.along)
        triangle = TriangleParts(b, self.origin)
        size, self.slack = triangle.pair(np.sqrt(square) / 2.0 + self.radius, far)
        # Heights of the two ends over the plane. The capsule is on the side with the larger gap.
        start = -dot(triangle.normal, triangle.corners[0])
        climb = dot(triangle.normal, self.along)
        ends = np.stack([start, start + climb])
        upward = ends[0] + ends[1] >= 0.0
        gap = np.where(upward, ends.min(axis=0), -ends.max(axis=0))
        # Best separating axis of a piercing segment so far: the triangle's normal, with the deepest end.
        self.normal = triangle.normal * np.where(upward, -1.0, 1.0)
        self.s = ((climb < 0.0) == upward).astype(np.float64)
        # Coordinates relative to the capsule are as accurate far from the world's origin as near it.
        near_equal = rounding(size, np.zeros_like(size))
        way, far, best = np.zeros_like(self.along), np.full_like(square, np.inf), np.zeros_like(square)
        for corner, side, its_square in zip(triangle.corners, triangle.sides, triangle.squares, strict=True):
            closest = nearest_of_segments(self.along, corner, side, square, its_square)
            distant = dot(closest.apart, closest.apart)
            nearer = distant < far
            np.copyto(far, distant, where=nearer)
            np.copyto(way, closest.apart, where=nearer)
            np.copyto(best, closest.s, where=nearer)
            across = closest.cross * np.where(climb < 0.0, -1.0, 1.0)
            sine = np.sqrt(closest.cross_square)
            side_gap = np.divide(dot(across, corner), sine, out=np.full_like(gap, -np.inf), where=~closest.parallel)
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
        self.doubtful: Bools | None = triangle.sliver | (~pierced & (core <= near))
        self.distance = core - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        closed_form.correct_directions(self.normal, self.core, self.size, self._gap, self._directions)
        point = self.along * self.s
        point += self.normal * self.radius
        return self.normal, point

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between segment and triangle along directions."""
        lowest = np.min([dot(corner[:, rows], way) for corner in self.triangle.corners], axis=0)
        return lowest - np.maximum(dot(self.along[:, rows], way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """The triangle's normal, and directions perpendicular to the segment, to an edge, or to both."""
        u, upward, sides = self.along[:, rows], self.triangle.normal[:, rows], self.triangle.sides[:, :, rows]
        return (
            upward * np.where(dot(upward, way) < 0.0, -1.0, 1.0),
            closed_form.perpendicular_to(way, u),
            *(closed_form.perpendicular_to(way, side) for side in sides),
            *(closed_form.perpendicular_to_both(way, u, side) for side in sides),
        )
