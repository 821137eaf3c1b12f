# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere against capsule: the distance of the center from the segment, minus both radii."""

import numpy as np

from ..geometry.segments import nearest_on_segment
from ..numerics.soa import dot, of_rows
from ..numerics.tolerances import NEAR, rounding
from ..numerics.types import Bools, Floats
from ..shapes import Capsules, Spheres
from ..shapes.batch import Rows
from . import closed_form
from .closed_form import BlockDistances, ClosedForm


class SphereCapsule(ClosedForm[Spheres, Capsules]):
    """Pair queries in closed form. A center on the segment moves out perpendicular to the segment."""

    def kernel(self, a: Spheres, b: Capsules) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    def contains(self, a: Rows[Spheres], b: Rows[Capsules]) -> Bools:
        """Whether the sphere contains the capsule: both of its caps."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        far = np.sqrt(np.maximum(dot(pairs.start, pairs.start), dot(pairs.end, pairs.end)))
        return far + b.radius <= a.radius + pairs.slack

    def contained(self, a: Rows[Spheres], b: Rows[Capsules]) -> Bools:
        """Whether the capsule contains the sphere."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        return pairs.far + a.radius <= b.radius + pairs.slack


class _BlockDistances:
    """`closed_form.BlockDistances`, relative to the sphere's center. `far` (P,) is its distance from the segment."""

    def __init__(self, a: Spheres, b: Capsules) -> None:
        self.origin, self.radius = of_rows(a.center), a.radius
        self.start, self.end = of_rows(b.start), of_rows(b.end)
        offset = np.maximum(dot(self.origin, self.origin), dot(self.start, self.start))
        np.maximum(offset, dot(self.end, self.end), out=offset)
        self.along = along = self.end - self.start
        self.start -= self.origin
        self.end -= self.origin
        square = dot(along, along)
        self.size = size = np.sqrt(square) / 2.0 + self.radius + b.radius
        self.slack = rounding(size, np.sqrt(offset, out=offset))
        self.apart, _ = nearest_on_segment(self.start, along, square)
        self.far = np.sqrt(dot(self.apart, self.apart))
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
            lambda n, rows: dot(self.start[:, rows], n) + np.minimum(dot(self.along[:, rows], n), 0.0),
            lambda way, rows: (closed_form.perpendicular_to(way, self.along[:, rows]),),
        )
        return normal, normal * self.radius
