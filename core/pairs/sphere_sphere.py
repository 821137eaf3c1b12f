# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere against sphere: the distance of the centres, less both radii (Lee 2018, section 13.3.1)."""

import numpy as np

from ..components import dot, of_rows
from ..results import Bools, Contacts, Distances, Floats, Separations
from ..shapes import Spheres
from ..tolerances import rounding
from . import rounded
from .rounded import Rows


def overlap(a: Rows[Spheres], b: Rows[Spheres]) -> Bools:
    """Whether the spheres of each pair have a point in common, touching included."""
    return rounded.overlap(_Standing, a, b)


def distance(a: Rows[Spheres], b: Rows[Spheres]) -> Distances:
    """Signed distance and witnesses; concentric spheres part along +Z."""
    return rounded.distance(_Standing, a, b)


def separating_axis(a: Spheres, b: Spheres) -> Separations:
    """The gap along the line through the centres."""
    return rounded.separating_axis(_Standing, a, b)


def contacts(a: Spheres, b: Spheres, margin: float) -> Contacts:
    """One contact for each pair that overlaps, or is no farther apart than `margin`."""
    return rounded.contacts(_Standing, a, b, margin)


def contains(a: Spheres, b: Spheres) -> Bools:
    """Whether A holds all of B, touching from inside included."""
    pairs = _Standing(a, b)
    return pairs.far + b.radius <= a.radius + pairs.slack


def contained(a: Spheres, b: Spheres) -> Bools:
    """Whether B holds all of A."""
    return contains(b, a)


class _Standing:
    """`rounded.Standing`, with `far` (P,), the distance of the centres."""

    doubtful: Bools | None = None

    def __init__(self, a: Spheres, b: Spheres) -> None:
        self.origin, other = of_rows(a.center), of_rows(b.center)
        self.radius = a.radius
        self.slack = rounding(
            self.radius + b.radius, np.sqrt(np.maximum(dot(self.origin, self.origin), dot(other, other)))
        )
        other -= self.origin
        self.apart = other
        self.far = np.sqrt(dot(other, other))
        self.distance = self.far - self.radius
        self.distance -= b.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness on A."""
        concentric = self.far == 0.0
        if concentric.any():
            self.apart[:, concentric] = [[0.0], [0.0], [1.0]]
            normal = self.apart / np.where(concentric, 1.0, self.far)
        else:
            normal = self.apart
            normal /= self.far
        return normal, normal * self.radius
