# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere against triangle: the distance of the center from the nearest point of the triangle, minus the radius.

If the center projects into the triangle, this distance is the height above the plane. Otherwise it is the distance from
the nearest edge (Ericson, "Real-Time Collision Detection", section 5.1.5).
"""

import numpy as np

from ..geometry.segments import nearest_on_segment
from ..numerics.soa import dot, of_rows
from ..numerics.tolerances import NEAR
from ..numerics.types import Bools, Floats
from ..shapes import Spheres, Triangles
from ..shapes.batch import Rows
from . import closed_form
from .closed_form import BlockDistances, ClosedForm, TriangleParts


class SphereTriangle(ClosedForm[Spheres, Triangles]):
    """Pair queries in closed form. A center in the triangle's plane is on the side of its normal."""

    def kernel(self, a: Spheres, b: Triangles) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    def contains(self, a: Rows[Spheres], b: Rows[Triangles]) -> Bools:
        """Whether the sphere contains the triangle: its farthest corner."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        farthest = np.max([dot(corner, corner) for corner in pairs.triangle.corners], axis=0)
        return np.sqrt(farthest) <= a.radius + pairs.slack

    def contained(self, a: Rows[Spheres], b: Rows[Triangles]) -> Bools:
        """Whether the triangle contains the sphere. The sphere then is a point."""
        a, b = a.gathered(), b.gathered()
        found = self.distance(a, b)
        return found.distance + 2.0 * a.radius <= found.rounding


class _BlockDistances:
    """`closed_form.BlockDistances`, relative to the center."""

    def __init__(self, a: Spheres, b: Triangles) -> None:
        self.origin, self.radius = of_rows(a.center), a.radius
        self.triangle = triangle = TriangleParts(b, self.origin)
        self.size, self.slack = triangle.pair(self.radius, dot(self.origin, self.origin))
        self.apart, best = np.zeros_like(self.origin), np.full(len(self.size), np.inf)
        for corner, side, square in zip(triangle.corners, triangle.sides, triangle.squares, strict=True):
            point = nearest_on_segment(corner, side, square)[0]
            far = dot(point, point)
            nearer = far < best
            np.copyto(best, far, where=nearer)
            np.copyto(self.apart, point, where=nearer)
        self.over = triangle.over(0.0)
        self.height = dot(triangle.normal, triangle.corners[0])
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
            lambda n, rows: np.min([dot(corner[:, rows], n) for corner in corners], axis=0),
            lambda way, rows: (*(closed_form.perpendicular_to(way, side[:, rows]) for side in sides), upright[:, rows]),
        )
        return normal, normal * self.radius
