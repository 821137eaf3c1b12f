# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a fit, and the smallest shapes that contain all points: balls, and shapes at a given place.

The functions named `…_about` take the caller's points, in the caller's coordinates, and a place and a direction that a
search has found. They return the fields of a shape that contains every point, although the fields themselves are
rounded.

`least_balls` finds the smallest enclosing circles and balls of many sets of points at a time. The problem is LP-type
(Welzl 1991): at most d + 1 of the points determine the ball. As in Gärtner (1999), each step adds the point that is
farthest outside to the points that determine the ball, and finds the ball of these few by trying all of their subsets.
The radius grows with every step, so the steps end. A step takes all points into account, and few steps are needed.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np

from ..numerics.tolerances import EPS, FIT_INSIDE, FIT_ROUNDING
from ..numerics.types import Floats, Ints
from ..numerics.validation import SPACE
from ..numerics.vectors import cross, cross_columns, dot, dot_columns, length
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Kind, Spheres

_STEPS = 200
"""Far more steps than any set has needed (about twenty). A search ends earlier if its radius no longer grows."""


@dataclass(frozen=True, eq=False)
class Balls:
    """Smallest enclosing balls of K sets.

    Attributes
    ----------
    center : (K, d) float64
    radius : (K,) float64
    support : (K, d + 1) int64
        The points that determine each ball, as rows of its set; -1 for unused places.
    """

    center: Floats
    radius: Floats
    support: Ints


def least_balls(points: Floats, start: Ints | None = None) -> Balls:
    """The smallest balls that contain the sets of points (K, n, d), with d two or three and n at least 1.

    Parameters
    ----------
    start : (K,) int64, optional
        A point to begin with; fewer steps are needed if it is far from the others.
    """
    count, _, width = points.shape
    first = np.zeros(count, np.int64) if start is None else start
    support = np.full((count, width + 1), -1)
    support[:, 0] = first
    center = points[np.arange(count), first].copy()
    square = np.zeros(count)
    active = np.arange(count)
    for _ in range(_STEPS):
        here = points if len(active) == count else points[active]
        apart = (here[:, :, 0] - center[active, None, 0]) ** 2
        for k in range(1, width):
            apart += (here[:, :, k] - center[active, None, k]) ** 2
        far = np.argmax(apart, axis=1)
        excess = apart[np.arange(len(active)), far]
        out = np.flatnonzero(excess > square[active] * (1.0 + 8.0 * EPS))
        active, far, here = active[out], far[out], here[out]
        if not len(active):
            break
        new_center, new_square, new_support = _basis(here, support[active], far)
        better = np.flatnonzero(new_square > square[active])
        active = active[better]
        center[active], square[active] = new_center[better], new_square[better]
        support[active] = new_support[better]
    return Balls(center, np.sqrt(square), support)


def _basis(points: Floats, support: Ints, far: Ints) -> tuple[Floats, Floats, Ints]:
    """Find the smallest ball of the points of a support and one point outside its ball, which lies on the new ball.

    Returns centers, squared radii (zero if no ball is found because of rounding) and supports.
    """
    count, _, width = points.shape
    rows = np.arange(count)
    base = points[rows, far]
    # (3, K, slots): from the new point to those of the support. Circles are balls with third coordinates of zero.
    spoke = np.zeros((3, count, width + 1))
    spoke[:width] = np.moveaxis(points[rows[:, None], np.maximum(support, 0)] - base[:, None], 2, 0)
    filled = support >= 0
    extent = dot_columns(spoke, spoke).max(axis=1)
    best, place = np.full(count, np.inf), np.zeros((3, count))
    chosen = np.full((count, width + 1), -1)
    for size in range(1, width + 1):
        for slots in combinations(range(width + 1), size):
            x = _circumcenter([spoke[:, :, slot] for slot in slots])
            square = dot_columns(x, x)
            beyond = spoke - x[:, :, None]
            reach = np.where(filled, dot_columns(beyond, beyond), 0.0).max(axis=1)
            slack = FIT_INSIDE * np.maximum(square, extent)
            good = filled[:, slots].all(axis=1) & (reach <= square + slack) & (square < best)
            best[good], place[:, good] = square[good], x[:, good]
            chosen[good] = -1
            chosen[np.ix_(good, range(size))] = support[good][:, slots]
            chosen[good, size] = far[good]
    found = np.isfinite(best)
    return base + np.where(found, place, 0.0)[:width].T, np.where(found, best, 0.0), chosen


def _circumcenter(spokes: list[Floats]) -> Floats:
    """Center of the smallest sphere through the origin and one to three other points (3, K); NaN if there is none."""
    if len(spokes) == 1:
        return spokes[0] / 2.0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        a, b = spokes[:2]
        if len(spokes) == 2:
            normal = cross_columns(a, b)
            double = 2.0 * dot_columns(normal, normal)
            return (
                dot_columns(a, a) * cross_columns(b, normal) + dot_columns(b, b) * cross_columns(normal, a)
            ) / double
        c = spokes[2]
        bc = cross_columns(b, c)
        result: Floats = (
            dot_columns(a, a) * bc + dot_columns(b, b) * cross_columns(c, a) + dot_columns(c, c) * cross_columns(a, b)
        ) / (2.0 * dot_columns(a, bc))
        return result


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
    side, up = frames(axis[None])[0].T
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
    """Sizes that are valid for shapes: a positive size below the least valid one is raised to it."""
    return np.where((size > 0.0) & (size < SPACE.least), SPACE.least, size)


def frames(axes: Floats) -> Floats:
    """For each of the axes (K, 3), two unit vectors perpendicular to it and to each other, (K, 3, 2) as columns."""
    helper = np.zeros_like(axes)
    helper[np.arange(len(axes)), np.argmin(np.abs(axes), axis=1)] = 1.0
    side = cross(axes, helper)
    side /= np.sqrt(dot(side, side))[:, None]
    return np.stack([side, cross(axes, side)], axis=2)
