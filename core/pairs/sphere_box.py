# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere against box: the distance of the centre from the nearest point of the box (Lee 2018, section 13.3.5).

In the box's frame that point is the centre clamped. A centre inside leaves by the nearest face.
"""

import numpy as np

from ..components import dot, of_rows
from ..results import Bools, Contacts, Distances, Floats, Separations
from ..shapes import Boxes, Spheres
from ..tolerances import rounding
from . import rounded
from .rounded import Rows


def overlap(a: Rows[Spheres], b: Rows[Boxes]) -> Bools:
    """Whether sphere and box have a point in common, touching included."""
    return rounded.overlap(_Standing, a, b)


def distance(a: Rows[Spheres], b: Rows[Boxes]) -> Distances:
    """Signed distance and witnesses; of faces that are equally near to a centre inside, the first is taken."""
    return rounded.distance(_Standing, a, b)


def separating_axis(a: Spheres, b: Boxes) -> Separations:
    """The gap along the way from the centre to the nearest point of the box, or out of it."""
    return rounded.separating_axis(_Standing, a, b)


def contacts(a: Spheres, b: Boxes, margin: float) -> Contacts:
    """One contact for each pair that overlaps, or is no farther apart than `margin`."""
    return rounded.contacts(_Standing, a, b, margin)


def contains(a: Spheres, b: Boxes) -> Bools:
    """Whether the sphere holds the box: its farthest corner."""
    pairs = _Standing(a, b)
    corner = np.abs(pairs.centre)
    corner += pairs.half
    return np.sqrt(dot(corner, corner)) <= a.radius + pairs.slack


def contained(a: Spheres, b: Boxes) -> Bools:
    """Whether the box holds the sphere."""
    pairs = _Standing(a, b)
    return (np.abs(pairs.centre) - pairs.half).max(axis=0) + a.radius <= pairs.slack


class _Standing:
    """`rounded.Standing`, with the sphere's `centre` (3, P) in the box's frame and the box's `half` extents."""

    doubtful: Bools | None = None

    def __init__(self, a: Spheres, b: Boxes) -> None:
        self.origin, self.radius = of_rows(a.center), a.radius
        place, self.half = of_rows(b.center), of_rows(b.half_extents)
        offset = np.maximum(dot(self.origin, self.origin), dot(place, place))
        self.slack = rounding(np.sqrt(dot(self.half, self.half)) + self.radius, np.sqrt(offset, out=offset))
        np.subtract(self.origin, place, out=place)
        self.turn = of_rows(b.rotation)
        self.centre = np.empty_like(place)
        for k in range(3):
            self.centre[k] = dot(self.turn[:, k], place)
        # How far the centre is out of the box along each axis, and from its nearest face.
        self.out = np.abs(self.centre)
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
        """The normal and the witness on A."""
        inward = self.excess / np.where(self.inside, 1.0, self.core)
        rows = np.flatnonzero(self.inside)
        if len(rows):
            out = self.out[:, rows]
            # Ties are broken by the order of the axes, not by rounding.
            inward[(out >= out.max(axis=0) - self.slack[rows]).argmax(axis=0), rows] = 1.0
        np.copysign(inward, -self.centre, out=inward)
        normal = np.empty_like(inward)
        for k in range(3):
            normal[k] = dot(self.turn[k], inward)
        return normal, normal * self.radius
