# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fit answers."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from ..shapes import Boxes, Capsules, Cylinders, Hulls, Kind, Spheres

Primitive = Boxes | Spheres | Capsules | Cylinders | Hulls


Shape = TypeVar("Shape", bound=Primitive, covariant=True)


@dataclass(frozen=True, eq=False)
class Fit(Generic[Shape]):
    """A shape that holds all the points that it was fitted to.

    Attributes
    ----------
    shape : Boxes, Spheres, Capsules, Cylinders or Hulls
        A batch of one row.
    volume : float
        Of the shape.
    lower_bound : float
        Proved: no shape of this kind that holds the points has less volume. At least the volume of their convex hull.
    """

    shape: Shape
    volume: float
    lower_bound: float

    @property
    def kind(self) -> Kind:
        """The kind of the shape."""
        return self.shape.kind
