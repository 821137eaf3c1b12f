# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of pairs that touch or overlap slightly: B is moved away so far that GJK can find the closest direction.

B is moved out along a unit vector n until the gap is s. Then the direction of the closest points is off the correct one
by about (d + s) / (r + s) of the error of n. Here d is the depth and r the radius of curvature of A - B. For a sharp
A - B, r is as small as d. Then s becomes smaller with each step that gains depth. For a flat A - B, the error of the
direction is the rounding of the points over s. Then s becomes larger with each step without gain.
"""

from math import inf

from ..numerics.tolerances import EPS
from .active_set import Settled, Work
from .arrays import Vector
from .closest import closest_moved
from .gjk import OVERLAPPING
from .steepest import extreme, unit_or_up
from .supports import Shape
from .vectors import divided, dot, length, minus, plus, scaled

# Dimensionless: a fraction of the size of a pair. Touching shapes are moved apart by this much to be measured.
STEP_OUT, LEAST_STEP_OUT, GREATEST_STEP_OUT = 1e-6, 1e-9, 1e-3
# Maximum number of such steps, and of consecutive steps without gain.
STEPS_OUT, IDLE = 64, 3
# Dimensionless: a fraction of the size of a pair. A step that gains no more depth than this is without gain. Points
# with an error of at most this are accurate enough.
GAIN = 1e-14


def measured_apart(
    a: Shape,
    b: Shape,
    work: Work,
    start: Vector,
    size: float,
    total: float,
    toward: bool,
    best: float,
    along: Vector,
    on_a: Vector,
    on_b: Vector,
) -> Settled:
    """Improve the best known gap of A and B, its normal, and its points.

    Parameters
    ----------
    a, b, work
        As for `closest_points`.
    start : Vector
        From the center of B to that of A.
    size, total : float
        The size of the pair without its radii, and with them.
    toward : bool
        Whether the two almost touch. Then the first direction is that between the centers. Otherwise, it is the best
        known one.
    best, along, on_a, on_b
        The best known gap, its normal, and the points.
    """
    step, miss, idle = STEP_OUT * size, inf, 0
    way, beyond = along, max(-best, 0.0)
    if toward:
        way, beyond = unit_or_up(scaled(-1.0, start)), 0.0
    last = 0.0, 0.0, 0.0
    for _ in range(STEPS_OUT):
        shift = scaled(step + beyond, way)
        state, distance, _, found, near_a, near_b, _, _, _ = closest_moved(a, b, work, start, total, shift)
        # Very close points may have no direction.
        apart = state != OVERLAPPING and distance > 0.0 and dot(found, found) > 0.0
        if not apart:
            found = way
        level = gap_along(a, b, found)
        gained = not apart
        if apart and level > best + GAIN * size:
            best, along, miss, gained = level, found, inf, True
        if apart:
            met_b = minus(near_b, shift)
            off = length(minus(minus(met_b, near_a), scaled(best, along)))
            if off < miss / 2.0:
                gained = True
            if off < miss:
                miss, on_a, on_b = off, near_a, met_b
        idle = 0 if gained else idle + 1
        turn = minus(found, way)
        ahead = extrapolated(found, turn, last)
        further = gap_along(a, b, ahead)
        if apart:
            step = min(max(step / 4.0 if gained else 16.0 * step, LEAST_STEP_OUT * size), GREATEST_STEP_OUT * size)
        else:
            step = 8.0 * step
        last, way = turn, found
        if apart and further > level:
            last, level, way = scaled(0.0, turn), further, ahead
        if apart:
            beyond = max(-level, 0.0)
        if idle >= IDLE or miss <= GAIN * size:
            break
    return best, along, on_a, on_b, miss


def gap_along(a: Shape, b: Shape, way: Vector) -> float:
    """The gap between A and B along a unit direction."""
    return -dot(extreme(a, b, way), way)


def extrapolated(way: Vector, turn: Vector, last: Vector) -> Vector:
    """The limit of directions whose last two rotations are `last` and `turn`, for rotations in geometric sequence.

    This is Aitken's delta-squared process (1926). Directions whose rotations do not become shorter are kept.
    """
    square = dot(last, last)
    share = min(max(dot(turn, last) / (square if square > 0.0 else 1.0), 0.0), 1.0 - EPS)
    rest = scaled(share / (1.0 - share), turn)
    return unit_or_up(plus(way, divided(rest, max(length(rest), 1.0))))
