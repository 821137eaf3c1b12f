# SPDX-License-Identifier: GPL-3.0-or-later
"""Axis-aligned bounds that contain moving shapes at all times, for the broad phase of motion.

The bounds of a translating shape are the union of its bounds at the start and at the end. They are the smallest
possible. For a rotating shape, two bounds are computed, and the tighter one is used on each side of each axis:

- The center of its bounding sphere moves along an arc and is translated. Each coordinate is a cosine plus a linear
  function of time, whose extremes are known exactly. The radius is added.
- Relative to the middle of the interval, no point rotates by more than half the angle. Such a rotation moves a point at
  a distance r from the axis by at most ``2 r sin(angle / 2)``, perpendicular to the axis, for angles up to pi. This is
  added to the bounds of the shape in the middle of its motion.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Bools, Floats
from ..numerics.vectors import cross, dot, length, normalized
from ..query.operands import Operand, split
from ..shapes import Batch, check_shapes
from .first_contacts import swept_slack
from .motion import Motion, RigidMotion, motion_of


def swept_bounds(
    shapes: Operand,
    velocity: ArrayLike | None = None,
    angular_velocity: ArrayLike | None = None,
    pivot: ArrayLike | None = None,
    motion: Motion | None = None,
) -> tuple[Floats, Floats]:
    """Axis-aligned bounds that contain each shape at every time in [0, 1]: lower (N, 3) and upper (N, 3).

    Exact for shapes that only translate. For rotating shapes, they are upper bounds from a bounding sphere that moves
    along an arc, and from the greatest displacement relative to the middle of the interval. Infinite for unbounded
    shapes.

    Parameters
    ----------
    shapes : shape batch or World
    velocity, angular_velocity, pivot : (N, 3) array-like, optional
        As for `time_of_impact`. A single row applies to all shapes. None: zero.
    motion : Motion, optional
        Any motion, instead of velocities.

    Returns
    -------
    lower, upper : (N, 3) float64

    Raises
    ------
    ValueError
        If a velocity has the wrong shape or is not finite, or both velocities and a motion are given.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.swept_bounds(ck.Spheres([[0, 0, 0]], [1]), velocity=[[4, 0, 0]])
    (array([[-1., -1., -1.]]), array([[5., 1., 1.]]))
    """
    check_shapes(shapes, "shapes")
    moves = motion_of(shapes, "", (velocity, angular_velocity, pivot), motion)
    lower, upper = np.empty((2, len(shapes), 3))
    for batch, index, place in split(shapes, np.arange(len(shapes))):
        lower[place], upper[place] = _swept(batch.take(index), moves.take(place))
    margin = None if isinstance(shapes, Batch) else shapes.margin
    return (lower, upper) if margin is None else (lower - margin[:, None], upper + margin[:, None])


def _swept(shapes: Batch, motion: Motion) -> tuple[Floats, Floats]:
    if not isinstance(motion, RigidMotion):
        return _of_any(shapes, motion)
    lower, upper = shapes.bounds()
    lower, upper = lower + np.minimum(motion.velocity, 0.0), upper + np.maximum(motion.velocity, 0.0)
    turning = np.flatnonzero(motion.is_rotating())
    if len(turning):
        lower[turning], upper[turning] = _turning(shapes.take(turning), motion.take(turning))
    return lower, upper


def _turning(shapes: Batch, motion: RigidMotion) -> tuple[Floats, Floats]:
    center, radius = shapes.bounding_spheres()
    unbounded = np.isinf(radius)
    radius = np.where(unbounded, 0.0, radius)
    low, high = _arcs(center, motion)
    low, high = low - radius[:, None], high + radius[:, None]
    half = np.full(len(shapes), 0.5)
    lower, upper = shapes.placed(*motion.pose(half)).bounds()
    angle = np.minimum(length(motion.angular_velocity) / 2.0, np.pi)
    swing = 2.0 * np.sin(angle / 2.0) * motion.arm(center, radius)
    axis = normalized(motion.angular_velocity, np.zeros(3))
    aside = np.sqrt(np.maximum(1.0 - axis * axis, 0.0)) * swing[:, None] + np.abs(motion.velocity) / 2.0
    # Rounding of the arcs, and of the pose in the middle.
    extent = np.abs(center).sum(axis=1) + np.abs(motion.pivot).sum(axis=1) + np.abs(motion.velocity).sum(axis=1)
    slack = swept_slack(extent + radius)[:, None]
    lower, upper = np.maximum(low, lower - aside) - slack, np.minimum(high, upper + aside) + slack
    return _infinite_where(lower, upper, unbounded)


def _arcs(point: Floats, motion: RigidMotion) -> tuple[Floats, Floats]:
    """Least and greatest coordinates of the path of each point (P, 3), per axis: (P, 3) each, to rounding.

    Each coordinate is ``level + radius * cos(phase - start) + time * velocity``, where the phase runs from 0 to the
    angle. Its extremes are at the ends or where its slope is zero. Of extremes that are a full turn apart, the first or
    the last one is the greatest or least.
    """
    angle = length(motion.angular_velocity)[:, None]
    axis = normalized(motion.angular_velocity, np.zeros(3))
    spoke = point - motion.pivot
    along = axis * dot(spoke, axis)[:, None]
    out, ahead = spoke - along, cross(axis, spoke)
    swing, start = np.hypot(out, ahead), np.arctan2(ahead, out)
    # The slope with respect to the phase is velocity / angle - swing * sin(phase - start).
    turned = angle * swing
    steep = np.arcsin(np.clip(motion.velocity, -turned, turned) / np.where(turned > 0.0, turned, 1.0))
    phases = [np.zeros_like(swing), np.broadcast_to(angle, swing.shape)]
    for still in (start + steep, start + np.pi - steep):
        first = np.mod(still, 2.0 * np.pi)
        last = first + 2.0 * np.pi * np.floor((angle - first) / (2.0 * np.pi))
        phases += [np.clip(first, 0.0, angle), np.clip(last, 0.0, angle)]
    places = np.stack([swing * np.cos(phase - start) + motion.velocity * (phase / angle) for phase in phases])
    level = motion.pivot + along
    return level + places.min(axis=0), level + places.max(axis=0)


def _of_any(shapes: Batch, motion: Motion) -> tuple[Floats, Floats]:
    """Bounds for any motion, from its speed bounds along each axis for the shape and for the center of its sphere."""
    lower, upper = shapes.bounds()
    center, radius = shapes.bounding_spheres()
    unbounded = np.isinf(radius)
    radius = np.where(unbounded, 0.0, radius)
    start, point = np.zeros(len(shapes)), np.zeros(len(shapes))
    for k, side in np.ndindex(3, 2):
        normal = np.zeros((len(shapes), 3))
        normal[:, k] = 1.0 - 2.0 * side
        of_points = np.maximum(motion.max_approach_speed(normal, center, radius, start), 0.0)
        of_center = radius + np.maximum(motion.max_approach_speed(normal, center, point, start), 0.0)
        bound, outward = (lower, -1.0) if side else (upper, 1.0)
        ends = bound[:, k] + outward * of_points, center[:, k] + outward * of_center
        bound[:, k] = np.maximum(*ends) if side else np.minimum(*ends)
    return _infinite_where(lower, upper, unbounded)


def _infinite_where(lower: Floats, upper: Floats, unbounded: Bools) -> tuple[Floats, Floats]:
    """The bounds, infinite for the rows of unbounded shapes."""
    return np.where(unbounded[:, None], -np.inf, lower), np.where(unbounded[:, None], np.inf, upper)
