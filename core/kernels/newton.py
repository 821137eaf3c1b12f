# SPDX-License-Identifier: GPL-3.0-or-later
"""Refine the gap of curved shapes to rounding accuracy, from a direction near the best one.

GJK and the expanding polytope algorithm approach a curved surface by triangles, and stop when their bounds agree to
some digits. From there, Newton's method needs few steps. Along the best direction n, the support point of A - B is on
the line of n. If A - B has a face or an edge there, n is perpendicular to it. Otherwise n is the root of the components
of the support point perpendicular to n. The points are found by GJK in the face, which is spanned by the support points
of directions that differ from n by negligible angles.
"""

from math import inf, sqrt

from .active_set import Settled
from .arrays import Vector
from .epa import USED, Polytope
from .gjk import chosen, mean, nearest_face, weights
from .steepest import EDGE, TINY, extreme, unit_or_up
from .supports import Shape, support
from .vectors import cross, divided, dot, length, minus, normalized, perpendicular, plus, row, scaled

# Angles in radians, in decreasing order, of the perturbed directions that show the curvature, the edges and the faces
# of A - B. The first is greater than the error of the given direction. Each step leaves an error below the next angle.
TURNS = 6
# Radians of the step along which the curvature beside an edge is measured, of the longest step there, and of the
# smallest perturbation.
STEP, LONGEST, LEAST = 1e-5, 1e-3, 1e-13
# Radians by which directions are perturbed to find points of a face, or of a nearly level surface.
IN_FACE, NEARLY = 1e-13, 4e-9
# Cosine of the angle between normals of faces from which one search is enough, and the maximum number of searches.
ONE_WAY, MOST_WAYS = 0.9998, 8
# Maximum number of points of a face.
MOST_POINTS = 16


def local_gap(a: Shape, b: Shape, way: Vector, size: float, slack: float) -> Settled:
    """The gap along a direction near the given one at which it has a local maximum, the direction, and the points.

    The last result is the error of the points: the distance between their difference and the gap along the direction.
    If it is more than `slack`, the direction is not proved to be a local maximum.
    """
    if dot(way, way) == 0.0:
        return -inf, way, way, way, inf
    found = points_along(a, b, way, slack)
    for step in range(TURNS):
        if found[4] <= slack:
            break
        way = turned(a, b, found[1], size, turn_of(step))
        other = points_along(a, b, way, slack)
        # A perturbation may reach beyond the edge or face that the direction belongs to. A smaller one does not.
        if other[0] >= found[0] - slack:
            found = other
    return found


def least_overlap(a: Shape, b: Shape, polytope: Polytope, way: Vector, size: float, slack: float) -> Settled:
    """The least overlap of a pair, from a direction and a polytope inside A - B around the origin; see `local_gap`.

    A direction with less overlap than the best known one is near the normal of a face that is nearer than this overlap.
    The search starts again at each of these until there is none left. The faces are consumed. If it does not end, the
    error is infinite.
    """
    best = local_gap(a, b, way, size, slack)
    for _ in range(MOST_WAYS):
        if best[4] > slack:
            break
        nearest = 0
        for face in range(polytope.counts[USED]):
            if dot(row(polytope.planes, face), way) > ONE_WAY:
                polytope.planes[face, 3] = inf
            if polytope.planes[face, 3] < polytope.planes[nearest, 3]:
                nearest = face
        if not polytope.planes[nearest, 3] < -best[0] - slack:
            return best
        way = row(polytope.planes, nearest)
        other = local_gap(a, b, way, size, slack)
        if other[4] > slack:
            break
        if other[0] > best[0]:
            best = other
    return best[0], best[1], best[2], best[3], inf


def points_along(a: Shape, b: Shape, way: Vector, slack: float) -> Settled:
    """The gap along a direction, and points of the shapes that are nearest to being opposite each other there."""
    found = in_face(a, b, way, IN_FACE, slack)
    if found[4] > slack:
        other = in_face(a, b, way, NEARLY, slack)
        if other[4] < found[4]:
            return other
    return found


def turn_of(step: int) -> float:
    """One of the perturbed directions."""
    if step == 0:
        return 2e-5
    if step == 1:
        return 1e-8
    return 1e-11 if step == 2 else 1e-13


def turned(a: Shape, b: Shape, way: Vector, size: float, turn: float) -> Vector:
    """Make one Newton step, within the directions perpendicular to the edge or face that perturbations show."""
    side = perpendicular(way)
    up = cross(way, side)
    ahead = jump(a, b, way, side, turn)
    above = jump(a, b, way, up, turn)
    first, last = dot(side, ahead) / (2.0 * turn), dot(up, above) / (2.0 * turn)
    mixed = (dot(up, ahead) + dot(side, above)) / (4.0 * turn)
    half, middle = (first - last) / 2.0, (first + last) / 2.0
    root = sqrt(half * half + mixed * mixed)
    high = middle + root
    if high > EDGE * size:
        x = mixed if half < 0.0 else root + half
        y = root - half if half < 0.0 else mixed
        return across_edge(a, b, way, unit_or_up(plus(scaled(x, side), scaled(y, up))), size, turn)
    point = extreme(a, b, way)
    level = dot(point, way)
    first, last = first - level, last - level
    slope, rise = dot(side, point), dot(up, point)
    area = first * last - mixed * mixed
    if not area > TINY:
        return way
    x, y = (mixed * rise - last * slope) / area, (mixed * slope - first * rise) / area
    long = sqrt(x * x + y * y)
    # The surface beyond the perturbations is unknown.
    share = min(1.0, turn / long) if long > 0.0 else 1.0
    return unit_or_up(plus(way, plus(scaled(share * x, side), scaled(share * y, up))))


def across_edge(a: Shape, b: Shape, way: Vector, along: Vector, size: float, turn: float) -> Vector:
    """The direction perpendicular to a face of A - B, or one step of Newton's method if there is only an edge."""
    edge = jump(a, b, way, along, turn)
    side = normalized(cross(way, edge))
    beside = jump(a, b, way, side, turn)
    if dot(beside, side) > 2.0 * turn * EDGE * size:
        normal = normalized(cross(edge, beside))
        return scaled(-1.0 if dot(normal, way) < 0.0 else 1.0, normal)
    start, edge = on_edge(a, b, way, along, size, turn)
    side = cross(start, edge)
    slope = dot(extreme(a, b, start), side)
    ahead, edge_ahead = on_edge(a, b, unit_or_up(plus(start, scaled(STEP, side))), edge, size, STEP)
    beyond = dot(extreme(a, b, ahead), cross(ahead, edge_ahead))
    bend = (beyond - slope) / STEP
    if not bend > TINY:
        return start
    by = min(max(-slope / bend, -LONGEST), LONGEST)
    found, _ = on_edge(a, b, unit_or_up(plus(start, scaled(by, side))), edge, size, max(turn, abs(by)))
    return found


def on_edge(a: Shape, b: Shape, way: Vector, edge: Vector, size: float, turn: float) -> tuple[Vector, Vector]:
    """The nearby direction that is perpendicular to the edge of A - B there, and this edge."""
    while turn >= LEAST:
        run = jump(a, b, way, edge, turn)
        long = length(run)
        if not long > 2.0 * turn * EDGE * size:
            break
        edge = divided(run, long)
        way = unit_or_up(minus(way, scaled(dot(way, edge), edge)))
        # Smaller perturbations include less of the curved surface beside the edge.
        turn = 0.01 * turn
    return way, edge


def jump(a: Shape, b: Shape, way: Vector, along: Vector, turn: float) -> Vector:
    """From the support point on one side of a direction to the one on the other side."""
    return minus(extreme(a, b, plus(way, scaled(turn, along))), extreme(a, b, minus(way, scaled(turn, along))))


def in_face(a: Shape, b: Shape, way: Vector, turn: float, slack: float) -> Settled:
    """Return the same as `points_along`, among the support points of directions perturbed by `turn`."""
    on_a = support(a, way)
    tip = minus(on_a, support(b, scaled(-1.0, way)))
    gap = -dot(tip, way)
    opposite = scaled(-gap, way)
    tip = minus(tip, opposite)
    count, p, q, r, on_p, on_q, on_r = 1, tip, tip, tip, on_a, on_a, on_a
    point, square = tip, dot(tip, tip)
    for _ in range(MOST_POINTS):
        if square <= slack * slack:
            break
        ahead = minus(way, scaled(turn / sqrt(square), point))
        on_a = support(a, ahead)
        tip = minus(minus(on_a, support(b, scaled(-1.0, ahead))), opposite)
        grown, second, third, foot, nearer, _ = nearest_face(count, p, q, r, tip, 0.0)
        if nearer >= square:
            break
        q, r = chosen(second, p, q, r), chosen(third, p, q, r)
        on_q, on_r = chosen(second, on_p, on_q, on_r), chosen(third, on_p, on_q, on_r)
        p, on_p = tip, on_a
        count, point, square = grown, foot, nearer
    u, v, w = weights(count, p, q, r)
    met = mean(u, p, v, q, w, r)
    on_a = mean(u, on_p, v, on_q, w, on_r)
    return gap, way, on_a, minus(on_a, plus(met, opposite)), length(met)
