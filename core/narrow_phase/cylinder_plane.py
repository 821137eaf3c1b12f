# SPDX-License-Identifier: GPL-3.0-or-later
"""A cylinder (A) against a plane (B): a half-space whose surface it is, with its back to the cylinder's center.

Lee 2018, section 13.3.2: a plane has two sides. The center's side is the nearer one, also of a cylinder that reaches
through; a center in the plane is on the side of its normal.
"""

import numpy as np

from ..numerics.types import Bools, Floats
from ..numerics.vectors import dot
from ..results import Contacts, Distances, Separations
from ..shapes import Cylinders, HalfSpaces, Planes
from ..shapes.batch import Rows
from .algorithm import ConvexPair
from .cylinder_half_space import CylinderHalfSpace


class CylinderPlane(ConvexPair[Cylinders, Planes]):
    """The half-space of the plane that A's center is not in."""

    def overlap(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether the plane passes through A, touching included."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.overlap(a, _far_side(a, b))

    def distance(self, a: Rows[Cylinders], b: Rows[Planes]) -> Distances:
        """Signed distance: that of the nearest point, or minus the least that moves A to one side."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.distance(a, _far_side(a, b))

    def separating_axis(self, a: Rows[Cylinders], b: Rows[Planes]) -> Separations:
        """The gap along the plane's normal, the only axis there is."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.separating_axis(a, _far_side(a, b))

    def contacts(self, a: Rows[Cylinders], b: Rows[Planes], margin: float, known: Distances | None = None) -> Contacts:
        """Up to four points of the rims that are beyond the plane, or no farther from it than `margin`."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.contacts(a, _far_side(a, b), margin)

    def contains(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Never: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether A lies in the plane, which takes a radius of zero."""
        a, b = a.gathered(), b.gathered()
        halves = _far_side(a, b)
        turned = HalfSpaces(-halves.normal, -halves.offset)
        return _HALF_SPACE.contained(a, halves) & _HALF_SPACE.contained(a, turned)


def _far_side(a: Cylinders, b: Planes) -> HalfSpaces:
    """The half-space of each plane that A's center is not in."""
    middle = a.start + (a.end - a.start) / 2.0
    height: Floats = dot(middle, b.normal) - b.offset
    sign = np.where(height < 0.0, -1.0, 1.0)
    return HalfSpaces(sign[:, None] * b.normal, sign * b.offset)


_HALF_SPACE = CylinderHalfSpace()
