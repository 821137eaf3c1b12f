# SPDX-License-Identifier: GPL-3.0-or-later
"""When moving shapes last touch: the first contact of the same motion backwards."""

import numpy as np
from numpy.typing import ArrayLike

from ..query.operands import Operand, split
from ..results import Impacts
from ..shapes import Shapes
from ..shapes.collection import ShapeCollection
from .motion import Motion, ReversedMotion, RigidMotion, motion_of
from .time_of_impact import MAX_ITERATIONS, time_of_impact


def last_contact(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    angular_velocity_a: ArrayLike | None = None,
    angular_velocity_b: ArrayLike | None = None,
    pivot_a: ArrayLike | None = None,
    pivot_b: ArrayLike | None = None,
    motion_a: Motion | None = None,
    motion_b: Motion | None = None,
    margin: ArrayLike = 0.0,
    max_iterations: int = MAX_ITERATIONS,
) -> Impacts:
    """Last time in [0, 1] at which the shapes of each pair touch, with point and normal: `time_of_impact` backwards.

    Convex shapes that do not turn touch from their time of impact to their last contact, and at no other time. Others
    may part and meet again in between.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

    velocity_a, velocity_b : (N, 3) array-like, optional
        Displacement of each shape over the interval. One row stands for all. None: the shapes stay.
    angular_velocity_a, angular_velocity_b : (N, 3) array-like, optional
        World-fixed axis times radians over the interval, about `pivot_a` and `pivot_b`.
    pivot_a, pivot_b : (N, 3) array-like, optional
        Points on the axes at time 0; they are displaced with the shape. None: the origin.
    motion_a, motion_b : Motion, optional
        Any other motion, in place of velocities.
    margin : float or (P,) array-like
        Not negative. Pairs touch when they are no farther apart than this.
    max_iterations : int
        Pairs that take more steps are left undecided.

    Returns
    -------
    Impacts
        `time` is 1 where they touch or overlap at the end, and infinite where they never do. With rotation it may be
        late by the time that it takes to open a gap of `tolerances.ADVANCEMENT` of the pair's size, and is never early.
        `safe` is the time after which there is proved to be no touch: 0 for a miss.

    Raises
    ------
    UnsupportedPair, ValueError
        As `time_of_impact`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> found = ck.last_contact(a, ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), velocity_b=[[4, 0, 0]])
    >>> found.hit, found.time
    (array([ True]), array([0.5]))
    """
    end_a, back_a = _backwards(a, motion_of(a, "a", (velocity_a, angular_velocity_a, pivot_a), motion_a))
    end_b, back_b = _backwards(b, motion_of(b, "b", (velocity_b, angular_velocity_b, pivot_b), motion_b))
    found = time_of_impact(
        end_a, end_b, pairs, motion_a=back_a, motion_b=back_b, margin=margin, max_iterations=max_iterations
    )
    time = np.where(found.hit, 1.0 - found.time, np.inf)
    return Impacts(found.hit, time, found.point, found.normal, 1.0 - found.safe, found.decided)


def _backwards(shapes: Operand, motion: Motion) -> tuple[Operand, Motion]:
    """The shapes where they are at time 1, and their motion from there."""
    count = len(shapes)
    back = motion.reversed() if isinstance(motion, RigidMotion) else ReversedMotion.of(motion, count)
    if isinstance(shapes, Shapes):
        return shapes.placed(*motion.pose(np.ones(count))), back
    batches = []
    for batch, index, place in split(shapes, np.arange(count)):
        batches.append(batch.take(index).placed(*motion.take(place).pose(np.ones(len(place)))))
    return ShapeCollection.of(batches, shapes.margin), back
