# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a fit, and the smallest shapes at a given place that contain all points.

The functions take the caller's points, in the caller's coordinates, and a place and a direction that a search has
found. They return the fields of a shape that contains every point, although the fields themselves are rounded.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from ..numerics.tolerances import EPS, FIT_ROUNDING
from ..numerics.types import Floats
from ..numerics.validation import SPACE
from ..numerics.vectors import dot, length
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Kind, Spheres
from .enclosing_balls import least_balls

Primitive = Boxes | Spheres | Capsules | Cylinders | Hulls


Shape = TypeVar("Shape", bound=Primitive, covariant=True)


@dataclass(frozen=True, eq=False)
class Fit(Generic[Shape]):
    """A shape that contains all the points that it was fitted to.

    Attributes
    ----------
    shape : Boxes, Spheres, Capsules, Cylinders or Hulls
        A batch of one row.
    volume : float
        The volume of the shape.
    lower_bound : float
        Proved: no shape of this kind that contains the points has less volume. At least the volume of the convex hull.
    """

    shape: Shape
    volume: float
    lower_bound: float

    @property
    def kind(self) -> Kind:
        """The kind of the shape."""
        return self.shape.kind


_MORE = 1.0 + FIT_ROUNDING * EPS


def sphere_about(points: Floats, center: Floats) -> float:
    """Radius of the ball about a center that contains the points."""
    return float(_allowed(length(points - center).max() * _MORE))


def box_about(points: Floats, axes: Floats, origin: Floats) -> tuple[Floats, Floats]:
    """Center and half-extents of the box along axes (columns of a rotation) that contains the points.

    The origin is a point near them: the nearer it is, the less is lost to rounding.
    """
    along = (points - origin) @ axes
    lower, upper = along.min(axis=0), along.max(axis=0)
    center = origin + axes @ (lower + (upper - lower) / 2.0)
    spoke = points - center
    if np.array_equal(np.abs(axes), np.abs(np.rint(axes))):  # coordinate axes: the products below are exact
        return center, _allowed(np.abs(spoke @ axes).max(axis=0) * (1.0 + EPS))
    lost = FIT_ROUNDING * EPS * float(length(spoke).max())
    return center, _allowed(np.abs(spoke @ axes).max(axis=0) + lost)


def capsule_about(points: Floats, start: Floats, end: Floats) -> float:
    """Radius of the capsule about a segment that contains the points."""
    along, spoke = end - start, points - start
    square = float(along @ along)
    t = np.clip(spoke @ along / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(points))
    off = length(spoke - t[:, None] * along)
    lost = FIT_ROUNDING * EPS * (float(length(along)) + float(off.max()))
    return float(_allowed(off.max() + lost))


def cylinder_about(points: Floats, middle: Floats, axis: Floats, least: float) -> tuple[Floats, Floats, float]:
    """Start, end and radius of the cylinder along an axis, a unit vector, that contains the points.

    The middle is a point near them. The circle is the smallest that contains their projections along the axis.

    Parameters
    ----------
    least : float
        The least length of the cylinder, greater than zero; that of a single point has this length.
    """
    spoke = points - middle
    side, up = frame(axis)
    flat = np.stack([spoke @ side, spoke @ up], axis=1)
    far = np.argmax((flat * flat).sum(axis=1), keepdims=True)
    (u, v) = least_balls(flat[None], far).center[0]
    foot = middle + u * side + v * up
    height = (points - foot) @ axis
    size = float(length(points - foot).max())
    span = float(height.max() - height.min())
    # Rounding of the ends by t tilts the axis by t divided by the length, so that the rim sinks by t times the size
    # divided by the length. For coplanar points the padding must allow for that: the root of t times the size.
    lost = 4.0 * (FIT_ROUNDING * EPS * size + EPS * float(np.abs(foot).max()))
    tilt = lost * size
    pad = lost + 2.0 * tilt / (span + np.sqrt(span * span + 8.0 * tilt) + least)
    pad = max(pad, (least - span) / 2.0)
    start, end = foot + (height.min() - pad) * axis, foot + (height.max() + pad) * axis
    # The radius is measured about the rounded ends.
    along, spoke = end - start, points - start
    off = length(spoke - (spoke @ along / (along @ along))[:, None] * along)
    return start, end, float(_allowed(off.max() + FIT_ROUNDING * EPS * (off.max() + size)))


def _allowed(size: Floats) -> Floats:
    """Sizes that are valid for shapes: a size above zero but below the least valid size is raised to it."""
    return np.where((size > 0.0) & (size < SPACE.least), SPACE.least, size)


def frame(axis: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors, perpendicular to an axis and to each other."""
    helper = np.zeros(3)
    helper[np.argmin(np.abs(axis))] = 1.0
    side = np.cross(axis, helper)
    side /= length(side)
    return side, np.cross(axis, side)


def frames(axes: Floats) -> Floats:
    """For each of the axes (K, 3), two unit vectors perpendicular to it and to each other, (K, 3, 2) as columns."""
    helper = np.zeros_like(axes)
    helper[np.arange(len(axes)), np.argmin(np.abs(axes), axis=1)] = 1.0
    side = np.cross(axes, helper)
    side /= np.sqrt(dot(side, side))[:, None]
    return np.stack([side, np.cross(axes, side)], axis=2)
