# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere against box: the distance of the center from the nearest point of the box (Lee 2018, section 13.3.5).

In the box's frame, that point is the center clamped to the half extents. A center inside the box moves out through the
nearest face.
"""

import numpy as np

from ..numerics.soa import dot, of_rows
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats
from ..shapes import Boxes, Spheres
from ..shapes.batch import Rows
from .closed_form import BlockDistances, ClosedForm


class SphereBox(ClosedForm[Spheres, Boxes]):
    """Pair queries in closed form. If a center inside is equally near to several faces, the first face is taken."""

    def kernel(self, a: Spheres, b: Boxes) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    def contains(self, a: Rows[Spheres], b: Rows[Boxes]) -> Bools:
        """Whether the sphere contains the box: its farthest corner."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        corner = np.abs(pairs.center)
        corner += pairs.half
        return np.sqrt(dot(corner, corner)) <= a.radius + pairs.slack

    def contained(self, a: Rows[Spheres], b: Rows[Boxes]) -> Bools:
        """Whether the box contains the sphere."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        return (np.abs(pairs.center) - pairs.half).max(axis=0) + a.radius <= pairs.slack


class _BlockDistances:
    """`closed_form.BlockDistances`. `center` (3, P) is the sphere's center in the box's frame; `half` half extents."""

    doubtful: Bools | None = None

    def __init__(self, a: Spheres, b: Boxes) -> None:
        self.origin, self.radius = of_rows(a.center), a.radius
        place, self.half = of_rows(b.center), of_rows(b.half_extents)
        offset = np.maximum(dot(self.origin, self.origin), dot(place, place))
        self.slack = rounding(np.sqrt(dot(self.half, self.half)) + self.radius, np.sqrt(offset, out=offset))
        np.subtract(self.origin, place, out=place)
        self.turn = of_rows(b.rotation)
        self.center = np.empty_like(place)
        for k in range(3):
            self.center[k] = dot(self.turn[:, k], place)
        # How far the center is outside the box along each axis.
        self.out = np.abs(self.center)
        self.out -= self.half
        excess = np.maximum(self.out, 0.0)
        self.distance = dot(excess, excess)
        np.sqrt(self.distance, out=self.distance)
        self.inside = self.distance == 0.0
        if self.inside.any():
            np.copyto(self.distance, self.out.max(axis=0), where=self.inside)
        self.excess, self.core = excess, self.distance.copy()
        self.distance -= self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        inward = self.excess / np.where(self.inside, 1.0, self.core)
        rows = np.flatnonzero(self.inside)
        if len(rows):
            out = self.out[:, rows]
            # Ties are broken by the order of the axes, not by rounding.
            inward[(out >= out.max(axis=0) - self.slack[rows]).argmax(axis=0), rows] = 1.0
        np.copysign(inward, -self.center, out=inward)
        normal = np.empty_like(inward)
        for k in range(3):
            normal[k] = dot(self.turn[k], inward)
        return normal, normal * self.radius
