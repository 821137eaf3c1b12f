# SPDX-License-Identifier: GPL-3.0-or-later
"""A cylinder (A) against a plane (B): a half-space whose surface it is, with its back to the cylinder's centre.

Lee 2018, section 13.3.2: a plane has two sides. The centre's side is the nearer one, also of a cylinder that reaches
through; a centre in the plane is on the side of its normal.
"""

import numpy as np

from ..results import Bools, Contacts, Distances, Floats, Separations
from ..shapes import Cylinders, HalfSpaces, Planes
from ..vectors import dot
from . import cylinder_half_space


def overlap(a: Cylinders, b: Planes) -> Bools:
    """Whether the plane passes through A, touching included."""
    return cylinder_half_space.overlap(a, _far_side(a, b))


def distance(a: Cylinders, b: Planes) -> Distances:
    """Signed distance: that of the nearest point, or minus the least that moves A to one side."""
    return cylinder_half_space.distance(a, _far_side(a, b))


def separating_axis(a: Cylinders, b: Planes) -> Separations:
    """The gap along the plane's normal, the only axis there is."""
    return cylinder_half_space.separating_axis(a, _far_side(a, b))


def contacts(a: Cylinders, b: Planes, margin: float) -> Contacts:
    """Up to four points of the rims that are beyond the plane, or no farther from it than `margin`."""
    return cylinder_half_space.contacts(a, _far_side(a, b), margin)


def contains(a: Cylinders, b: Planes) -> Bools:
    """Never: A is bounded."""
    return np.zeros(len(a), dtype=bool)


def contained(a: Cylinders, b: Planes) -> Bools:
    """Whether A lies in the plane, which takes a radius of zero."""
    halves = _far_side(a, b)
    turned = HalfSpaces(-halves.normal, -halves.offset)
    return cylinder_half_space.contained(a, halves) & cylinder_half_space.contained(a, turned)


def _far_side(a: Cylinders, b: Planes) -> HalfSpaces:
    """The half-space of each plane that A's centre is not in."""
    middle = a.start + (a.end - a.start) / 2.0
    height: Floats = dot(middle, b.normal) - b.offset
    sign = np.where(height < 0.0, -1.0, 1.0)
    return HalfSpaces(sign[:, None] * b.normal, sign * b.offset)
