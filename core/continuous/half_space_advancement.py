# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of a half-space and another shape of which at least one rotates: conservative advancement.

Let n be the outward normal of the half-space, c a point that moves with it on its axis, and x a point of the other
shape. The gap of x is n . (x - c) less a constant. n rotates with the angular velocity w of the half-space, c moves
straight, and x rotates with the angular velocity v about an axis, at a distance of at most r from it. Let D be a bound
of |x - c|, and V a bound of the speed of x relative to c. The second derivative of the gap is then at most

    K = |w|^2 D + 2 |w| V + |v|^2 r.

The gap f of the shape is the least gap of its points. With f at two times 0 and s,

    f(u) >= f(0) + (f(s) - f(0)) u / s - K u (s - u) / 2   for 0 <= u <= s,

because this holds for the gap of each point. The shape does not touch the half-space as long as the right side is
positive. As in the secant method, each gap is about the product of the two previous gaps.
"""

from typing import Any

import numpy as np

from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Floats, Ints
from ..numerics.vectors import cross, dot, length
from ..results import Distances
from ..shapes import Batch, HalfSpaces, Planes
from .conservative_advancement import Advancement, proved_interval, trial_interval
from .motion import RigidMotion


def advance_half_spaces(
    pair: PairAlgorithm[Any, Any],
    a: Batch,
    b: Batch,
    motions: tuple[RigidMotion, RigidMotion],
    margin: Floats,
    tolerance: Floats,
    position_error: Floats,
    max_iterations: int,
) -> Advancement:
    """Advance pairs until they touch or miss. Pairs that overlap or touch within rounding stop where they are.

    Parameters
    ----------
    pair : PairAlgorithm
        The algorithm for the kinds of A and B.
    a, b : Batch
        P rows each, at time 0. One of them is `HalfSpaces`, or `Planes`: the other shape stays on the side of a plane
        where it is at time 0.
    motions : pair of RigidMotion
    margin : (P,) float64
        Pairs that are this far apart already touch.
    tolerance : (P,) float64
        Additional distance at which pairs count as touching.
    position_error : (P,) float64
        Rounding of the positions of points during the motions.
    max_iterations : int
    """
    count = len(margin)
    no, rows = np.zeros((3, count), dtype=bool), np.arange(count)
    result = Advancement(np.zeros(count), no[0], no[1], no[2], np.full((count, 3), np.nan), np.zeros((count, 3)))
    if isinstance(a, Planes) or isinstance(b, Planes):
        toward = pair.distance(a, b).normal
        a, b = _without_planes(a, toward), _without_planes(b, -toward)
        pair = PAIRS[a.kind, b.kind]
    if isinstance(a, HalfSpaces):
        bound = _curvature_bound(*motions, *b.bounding_spheres())
    else:
        bound = _curvature_bound(*motions[::-1], *a.bounding_spheres())
    for _ in range(max_iterations):
        if not len(rows):
            break
        time = result.time[rows]
        found = _distance(pair, a, b, motions, rows, time)
        slack = found.rounding + ROUNDING_STEPS * EPS * margin[rows] + position_error[rows]
        gap = found.distance - margin[rows]
        apart = gap > 2.0 * slack
        touch = apart & (gap <= tolerance[rows])
        where = rows[touch]
        result.touching[where], result.normal[where] = True, found.normal[touch]
        result.point[where] = (found.point_a[touch] + found.point_b[touch]) / 2.0
        going = apart & ~touch
        rows, time, slack, gap, found = rows[going], time[going], slack[going], gap[going], found.take(going)
        closing = dot(found.normal, _speed(motions[0], rows, found.point_a, time))
        closing -= dot(found.normal, _speed(motions[1], rows, found.point_b, time))
        trial = np.minimum(trial_interval(gap - slack, closing, bound[rows]), 1.0 - time)
        after = _distance(pair, a, b, motions, rows, time + trial).distance - margin[rows]
        onward = proved_interval(gap - slack, after - slack, bound[rows], trial, np.zeros(len(rows)))
        missed, stuck = onward >= 1.0 - time, time + onward <= time
        result.missed[rows[missed]] = True
        result.normal[rows] = found.normal
        result.time[rows] = time + onward
        rows = rows[~missed & ~stuck]
    result.undecided[rows] = True
    return result


def _without_planes(shapes: Batch, direction: Floats) -> Batch:
    """The half-spaces that planes bound, with outward normals on the side of `direction` (P, 3), or other shapes."""
    if not isinstance(shapes, Planes):
        return shapes
    sign = np.where(dot(direction, shapes.normal) < 0.0, -1.0, 1.0)
    return HalfSpaces(shapes.normal * sign[:, None], shapes.offset * sign)


def _curvature_bound(half_space: RigidMotion, other: RigidMotion, center: Floats, radius: Floats) -> Floats:
    """K for each pair, given the bounding spheres of the other shapes at time 0: (P,)."""
    turn, other_turn = length(half_space.angular_velocity), length(other.angular_velocity)
    turning_speed = other_turn * other.arm(center, radius)
    speed = length(other.velocity - half_space.velocity) + turning_speed
    reach = length(center - half_space.pivot) + radius + speed
    result: Floats = turn * (turn * reach + 2.0 * speed) + other_turn * turning_speed
    return result


def _distance(
    pair: PairAlgorithm[Any, Any],
    a: Batch,
    b: Batch,
    motions: tuple[RigidMotion, RigidMotion],
    rows: Ints,
    time: Floats,
) -> Distances:
    """Distances of these rows at a time for each."""
    placed = (of.take(rows).placed(*motion.take(rows).pose(time)) for of, motion in zip((a, b), motions, strict=True))
    return pair.distance(*placed)


def _speed(motion: RigidMotion, rows: Ints, point: Floats, time: Floats) -> Floats:
    """Velocities of the points of these bodies that are at `point` (R, 3) at a time."""
    moves = motion.take(rows)
    arm = point - moves.pivot - moves.velocity * time[:, None]
    result: Floats = moves.velocity + cross(moves.angular_velocity, arm)
    return result
