# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes from the axis-aligned bounds of any mesh, as in Blender's rigid bodies."""

import numpy as np

from ....core.numerics.types import Floats
from ...model import tolerances
from ...model.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere


def bounds_box(center: Floats, half: Floats) -> Box:
    """The box of the bounds."""
    return Box(center, np.eye(3), half)


def bounds_sphere(center: Floats, half: Floats) -> Sphere:
    """The sphere as wide as the bounds' longest side, as for a rigid body. Corners may protrude from it."""
    return Sphere(center, float(half.max()))


def bounds_capsule(center: Floats, half: Floats, axis: int) -> Capsule:
    """The capsule along one axis of the bounds: as long as they are, as wide as the wider of the other two sides.

    If it is shorter than wide, it is a sphere of that width.
    """
    radius = float(np.delete(half, axis).max())
    reach = np.zeros(3)
    reach[axis] = max(float(half[axis]) - radius, 0.0)
    return Capsule(center - reach, center + reach, radius)


def bounds_cylinder(center: Floats, half: Floats, axis: int) -> Cylinder:
    """The cylinder along one axis of the bounds: as long as they are, as wide as the wider of the other two sides."""
    reach = np.zeros(3)
    reach[axis] = half[axis]
    return Cylinder(center - reach, center + reach, float(np.delete(half, axis).max()))


def bounds_ellipsoid(center: Floats, half: Floats) -> Ellipsoid:
    """The ellipsoid that touches the center of every side of the bounds. Corners may protrude from it."""
    return Ellipsoid(center, np.eye(3), half)


def bounds_cone(center: Floats, half: Floats) -> Cone:
    """The cone in the bounds with its apex up along Z, as wide as the wider of the other two sides."""
    reach = np.array([0.0, 0.0, half[2]])
    return Cone(center - reach, center + reach, float(half[:2].max()))


def cylinder_axis(points: Floats, center: Floats, half: Floats, stored: int | None = None) -> int:
    """The cylinder axis for the bounds of some points.

    It is the only axis along which the points look round, if there is one. Otherwise, it is the stored one. If there is
    none, it is the longest axis of the bounds or, for a disc, the one that is shorter than two equal ones.
    """
    round_ = [axis for axis in range(3) if _looks_round(points, center, half, axis)]
    if len(round_) == 1:
        return round_[0]
    if stored is not None:
        return stored
    longest = int(np.argmax(half))
    least, *others = np.argsort(half, kind="stable")
    like = half[others]
    disc = bool(np.ptp(like) <= tolerances.SHEAR * like.max() and half[least] < like.min() * (1.0 - tolerances.SHEAR))
    return int(least) if disc else longest


def _looks_round(points: Floats, center: Floats, half: Floats, axis: int) -> bool:
    """Whether points look round along an axis of their bounds, like a prism with five sides or more."""
    other = np.delete(half, axis)
    wide = float(other.max())
    if not other.min() >= tolerances.ROUND_SIDES * wide > 0.0:
        return False
    return bool(np.hypot(*np.delete(points - center, axis, axis=1).T).max() <= tolerances.ROUND_CORNERS * wide)
