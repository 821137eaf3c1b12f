# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions along which the overlap of two convex shapes has a local minimum, by Newton's method.

The overlap along a unit vector n is h(n), the support function of A - B. Its gradient is the support point. Its second
derivatives are given by the curvature of the surface of A - B. If the support point jumps, A - B has an edge, which may
be curved. Within the directions perpendicular to an edge, the overlap is smooth. Across them, it has a kink. The
decomposition into a smooth part and one with a kink follows Mifflin and Sagastizábal, A VU-algorithm for convex
minimization, 2005.
"""

from math import sqrt
from typing import TypeAlias

from ..numerics.tolerances import EPS
from .arrays import Bools1, Floats1, Floats2, Vector
from .loading import kernel
from .supports import Shape, Side, placed, support
from .vectors import cross, dot, minus, normalized, perpendicular, plus, put, row, scaled

# Radians between directions whose support points give the curvature and the edges of the surface.
TURN, LITTLE_TURN, LEAST_TURN = 1e-4, 1e-7, 1e-13
# Dimensionless: a fraction of the size of a pair. A greater radius of curvature is treated as an edge.
EDGE = 100.0
# Maximum number of steps, and radians of the longest step.
MOST_STEPS, LONGEST_STEP = 64, 0.3
TINY = 2.2250738585072014e-308

# The minimizer, radians from the present direction, the greatest radius of curvature, and the vector along which it is.
Newton: TypeAlias = tuple[Vector, float, float, Vector]


@kernel
def steepest(
    a: Side, b: Side, sizes: Floats1, normals: Floats2, near: bool, normal: Floats2, converged: Bools1
) -> None:
    """Find directions near the given ones along which the gap has a local maximum.

    `sizes` (P,) are those of both shapes together. The others are as for
    `collision_kit.core.narrow_phase.support_gap.steepest`; `normal` (P, 3) and `converged` (P,) are written.
    """
    zero = 0.0, 0.0, 0.0
    for pair in range(len(sizes)):
        one, other = placed(a, pair, zero), placed(b, pair, zero)
        way, done = steepest_direction(one, other, sizes[pair], row(normals, pair), near)
        put(normal, pair, way)
        converged[pair] = done


def steepest_direction(a: Shape, b: Shape, size: float, way: Vector, near: bool) -> tuple[Vector, bool]:
    """Search from one direction. Also returns whether the number of steps was sufficient."""
    point = extreme(a, b, way)
    level = dot(point, way)
    # The longest steps of both kinds. They become shorter with each step without gain.
    longest, longest_beside = LONGEST_STEP, LONGEST_STEP
    last, slack = 10.0, 2.0 * EPS * size
    for _ in range(MOST_STEPS):
        trial, turn, radius, across = newton_step(a, b, way, point, longest)
        reach = extreme(a, b, trial)
        height = dot(reach, trial)
        full, edge, beside_better = turn < longest, radius > EDGE * size, False
        turned = 0.0
        if edge:
            beside, turned = step_beside_edge(a, b, way, across, longest_beside, near)
            other = extreme(a, b, beside)
            beside_better = dot(other, beside) < height
            if beside_better:
                trial, reach, turn, height = beside, other, turned, dot(other, beside)
                full = turned < longest_beside
        gain = level - height
        # The overlap of a direction is exact to rounding when the direction itself is only exact to the square root of
        # it. From there on, full steps that become shorter still improve the direction.
        better = gain > slack or (full and gain >= -slack and turn <= last / 2.0)
        last = turn
        if better:
            way, point, level = trial, reach, min(level, height)
        longest = min(4.0 * longest, LONGEST_STEP) if better else turn / 4.0
        if edge:
            longest_beside = turned / 4.0
            if beside_better and better:
                longest_beside = min(16.0 * longest_beside, LONGEST_STEP)
        if min(longest, turn) <= EPS:
            return way, True
    return way, False


def extreme(a: Shape, b: Shape, way: Vector) -> Vector:
    """The support point of A - B along a direction of any length."""
    return minus(support(a, way), support(b, scaled(-1.0, way)))


def newton_step(a: Shape, b: Shape, here: Vector, point: Vector, longest: float) -> Newton:
    """The minimizer of the overlap for constant second derivatives, at most `longest` radians away."""
    side = perpendicular(here)
    up = cross(here, side)
    along, upward = scaled(TURN, side), scaled(TURN, up)
    ahead = minus(extreme(a, b, plus(here, along)), extreme(a, b, minus(here, along)))
    above = minus(extreme(a, b, plus(here, upward)), extreme(a, b, minus(here, upward)))
    level = dot(point, here)
    first, last = dot(side, ahead) / (2.0 * TURN) - level, dot(up, above) / (2.0 * TURN) - level
    mixed = (dot(up, ahead) + dot(side, above)) / (4.0 * TURN)
    # The eigenvalues of the second derivatives, and the unit vector of the greater one.
    half = (first - last) / 2.0
    root = sqrt(half * half + mixed * mixed)
    middle = (first + last) / 2.0
    high, low = middle + root, middle - root
    x = mixed if half < 0.0 else high - last
    y = high - first if half < 0.0 else mixed
    long = sqrt(x * x + y * y)
    x = x / long if long > 0.0 else 0.0
    y = y / long if long > 0.0 else 1.0
    slope, rise = dot(side, point), dot(up, point)
    # No rotation is longer than one radian, however small the curvature is.
    least = max(sqrt(slope * slope + rise * rise), TINY)
    far_high = (x * slope + y * rise) / max(abs(high), least)
    far_low = (x * rise - y * slope) / max(abs(low), least)
    turn, lift = y * far_low - x * far_high, -x * far_low - y * far_high
    far = sqrt(turn * turn + lift * lift)
    share = min(1.0, longest / far) if far > 0.0 else 1.0
    trial = unit_or_up(plus(here, plus(scaled(share * turn, side), scaled(share * lift, up))))
    return trial, min(far, longest), high, plus(scaled(x, side), scaled(y, up))


def unit_or_up(a: Vector) -> Vector:
    """The unit vector along a vector; the third axis if it is zero."""
    return normalized(a) if dot(a, a) > 0.0 else third_axis()


def third_axis() -> Vector:
    """The third axis."""
    return 0.0, 0.0, 1.0


def step_beside_edge(
    a: Shape, b: Shape, here: Vector, across: Vector, longest: float, near: bool
) -> tuple[Vector, float]:
    """A Newton step of at most `longest` radians perpendicular to an edge of A - B, and its length.

    `here` is nearly perpendicular to the edge, and `across` is perpendicular to `here` and nearly along it. The edge is
    found by perturbing the direction. Smaller perturbations include less of the curved surface beside it. If the
    direction is not `near` a minimum, the smallest would mistake a surface that is curved as sharply as a needle for an
    edge.
    """
    start, edge = on_edge(a, b, here, across, near)
    side = cross(start, edge)
    ahead, edge_ahead = turned_to_edge(a, b, unit_or_up(plus(start, scaled(TURN, side))), edge, LITTLE_TURN)
    slope = dot(extreme(a, b, start), side)
    beyond = dot(extreme(a, b, ahead), cross(ahead, edge_ahead))
    bend = (beyond - slope) / TURN
    turn = min(max(-slope / max(max(abs(bend), abs(slope)), TINY), -longest), longest)
    trial, _ = on_edge(a, b, unit_or_up(plus(start, scaled(turn, side))), edge, near)
    return trial, abs(turn)


def on_edge(a: Shape, b: Shape, way: Vector, edge: Vector, near: bool) -> tuple[Vector, Vector]:
    """The nearby direction that is perpendicular to its edge, and this edge."""
    way, edge = turned_to_edge(a, b, way, edge, TURN)
    way, edge = turned_to_edge(a, b, way, edge, LITTLE_TURN)
    if near:
        way, edge = turned_to_edge(a, b, way, edge, LEAST_TURN)
    return way, edge


def turned_to_edge(a: Shape, b: Shape, way: Vector, edge: Vector, turn: float) -> tuple[Vector, Vector]:
    """The direction perpendicular to the edge between the support points on both sides, and the edge."""
    start = extreme(a, b, minus(way, scaled(turn, edge)))
    end = extreme(a, b, plus(way, scaled(turn, edge)))
    run = minus(end, start)
    found = normalized(run) if dot(run, run) > 0.0 else edge
    return unit_or_up(minus(way, scaled(dot(way, found), found))), found
