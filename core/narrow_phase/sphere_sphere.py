# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere against sphere: the distance of the centers, minus both radii (Lee 2018, section 13.3.1)."""

import numpy as np

from ..numerics.soa import dot, of_rows
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats
from ..shapes import Spheres
from ..shapes.batch import Rows
from .closed_form import BlockDistances, ClosedForm


class SphereSphere(ClosedForm[Spheres, Spheres]):
    """Pair queries in closed form. Concentric spheres separate along +Z."""

    def kernel(self, a: Spheres, b: Spheres) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    def contains(self, a: Rows[Spheres], b: Rows[Spheres]) -> Bools:
        """Whether A contains all of B, touching from inside included."""
        a, b = a.gathered(), b.gathered()
        pairs = _BlockDistances(a, b)
        return pairs.far + b.radius <= a.radius + pairs.slack

    def contained(self, a: Rows[Spheres], b: Rows[Spheres]) -> Bools:
        """Whether B contains all of A."""
        a, b = a.gathered(), b.gathered()
        return self.contains(b, a)


class _BlockDistances:
    """`closed_form.BlockDistances`. `far` (P,) is the distance of the centers."""

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
        """The normal and the witness point on A."""
        concentric = self.far == 0.0
        if concentric.any():
            self.apart[:, concentric] = [[0.0], [0.0], [1.0]]
            normal = self.apart / np.where(concentric, 1.0, self.far)
        else:
            normal = self.apart
            normal /= self.far
        return normal, normal * self.radius
