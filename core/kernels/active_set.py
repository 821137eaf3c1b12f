# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points of pairs that GJK does not decide, from all triangles of the known support points.

The normal of an almost degenerate triangle is mostly rounding error. GJK keeps one simplex. If this simplex is such a
sliver, GJK ends with a distance that no direction proves. Here a set of support points grows instead. The candidate
directions are those of all its points, edges and triangles. The best one is the direction along which the whole set is
farthest from the origin. The direction of a sliver only wins if it is correct. The closest points are convex
combinations of support points. So they are points of the shapes, however thin the shapes are.
"""

from math import inf, sqrt
from typing import NamedTuple, TypeAlias

from .arrays import Floats1, Floats2, Floats3, Vector
from .loading import kernel
from .supports import Shape, Side, placed, shifted, support
from .vectors import cross, dot, length, minus, normalized, perpendicular, perpendicular_part, plus, put, row, scaled

# Support points kept for a pair. A face of A - B and its neighborhood need fewer.
MOST_POINTS = 12
# Room for these and two new ones.
ROOM = MOST_POINTS + 2
# The points, edges and triangles of that many points.
SIMPLICES = MOST_POINTS + (MOST_POINTS * (MOST_POINTS - 1)) // 2
SIMPLICES_AND_TRIANGLES = SIMPLICES + (MOST_POINTS * (MOST_POINTS - 1) * (MOST_POINTS - 2)) // 6
# Maximum number of steps. Each adds up to two support points.
MOST_STEPS = 128
# Maximum number of directions tried for an overlapping pair. Each gives a shorter separation than the one before it.
MOST_TURNS = 8
# Radians between the normal and directions whose support points span the feature that is extreme along the normal.
BESIDE = 1e-13

# The gap along the normal, which is a lower bound of the distance, the normal, the points of A and of B, and the
# distance between their difference and the gap along the normal.
Settled: TypeAlias = tuple[float, Vector, Vector, Vector, float]
# The direction of a simplex towards the origin, and the weights of the second and third corner of the nearest point.
Candidate: TypeAlias = tuple[Vector, float, float]


class Work(NamedTuple):
    """Room for the points of one pair and the candidates of a step.

    Attributes
    ----------
    points : (ROOM, 6) float64
        Points of A - B, each followed by the point of A that it comes from.
    nearest : (SIMPLICES_AND_TRIANGLES, 6) float64
        The nearest point to the origin of each candidate.
    shown : (SIMPLICES_AND_TRIANGLES, 2) float64
        Its distance from the origin, and the gap that its direction proves for the points.
    """

    points: Floats2
    nearest: Floats2
    shown: Floats2


@kernel
def settle(
    a: Side,
    b: Side,
    work: Work,
    normals: Floats2,
    tolerances: Floats1,
    known: int,
    points: Floats3,
    lower: Floats1,
    normal: Floats2,
    point_a: Floats2,
    point_b: Floats2,
    miss: Floats1,
) -> None:
    """Find the closest points of each pair, and the direction that proves them.

    Parameters
    ----------
    a, b : Side
        P rows each.
    work : Work
    normals, tolerances : (P, 3), (P,) float64
        As for `collision_kit.core.convex.active_set.settled`.
    known : int
        The number K of known points.
    points : (P, K, 6) float64
    lower, normal, point_a, point_b, miss : arrays
        The fields of `collision_kit.core.convex.active_set.Settled`, which are written.
    """
    zero = 0.0, 0.0, 0.0
    for pair in range(len(tolerances)):
        for k in range(known):
            for m in range(6):
                work.points[k, m] = points[pair, k, m]
        one, other = placed(a, pair, zero), placed(b, pair, zero)
        gap, way, on_a, on_b, off = settled(one, other, work, known, row(normals, pair), tolerances[pair])
        lower[pair], miss[pair] = gap, off
        put(normal, pair, way)
        put(point_a, pair, on_a)
        put(point_b, pair, on_b)


@kernel
def bring_together(
    a: Side,
    b: Side,
    work: Work,
    normals: Floats2,
    gaps: Floats1,
    tolerances: Floats1,
    lower: Floats1,
    normal: Floats2,
    point_a: Floats2,
    point_b: Floats2,
    miss: Floats1,
) -> None:
    """Find where overlapping shapes touch after B has moved out of A; see `settle`.

    `normals` (P, 3) and `gaps` (P,) are as for `collision_kit.core.convex.active_set.brought_together`.
    """
    zero = 0.0, 0.0, 0.0
    for pair in range(len(tolerances)):
        one, other = placed(a, pair, zero), placed(b, pair, zero)
        gap, way, on_a, on_b, off = brought_together(one, other, work, row(normals, pair), gaps[pair], tolerances[pair])
        lower[pair], miss[pair] = gap, off
        put(normal, pair, way)
        put(point_a, pair, on_a)
        put(point_b, pair, on_b)


def brought_together(a: Shape, b: Shape, work: Work, normal: Vector, gap: float, tolerance: float) -> Settled:
    """The witness points of a pair that overlaps by minus the gap along the normal, or a little less."""
    best, best_normal, best_miss = -inf, (0.0, 0.0, 0.0), inf
    point_a = point_b = (0.0, 0.0, 0.0)
    for _ in range(MOST_TURNS):
        shift = scaled(gap, normal)
        there = shifted(b, scaled(-1.0, shift))
        put_feature(a, there, work, normal)
        lower, way, on_a, on_b, _ = settled(a, there, work, 4, normal, tolerance)
        miss = length(minus(on_b, on_a))
        if not miss < best_miss:
            break
        best, best_normal, best_miss = gap, normal, miss
        point_a, point_b = on_a, plus(on_b, shift)
        # Still separated, along a direction that proves less depth.
        shorter = lower + gap * dot(normal, way)
        if miss <= tolerance or shorter <= gap:
            break
        gap, normal = shorter, way
    return best, best_normal, point_a, point_b, best_miss


def settled(a: Shape, b: Shape, work: Work, count: int, normal: Vector, tolerance: float) -> Settled:
    """The closest points of a pair, from the first `count` points of A - B in `work` on."""
    lower, miss = -inf, inf
    point_a = point_b = (0.0, 0.0, 0.0)
    put_extreme(a, b, work, count, normal)
    count += 1
    for _ in range(MOST_STEPS):
        best, candidates = best_direction(work, count, normal)
        near = nearest_candidate(work, count, candidates, best, tolerance)
        apart, towards = work.shown[near, 0], direction_of(work, near, best)
        # The new points take the next places.
        put_extreme(a, b, work, count, best)
        put_extreme(a, b, work, count + 1, towards)
        gap, own = -dot(row(work.points, count), best), -dot(row(work.points, count + 1), towards)
        # A bound that the points prove is the best one. By rounding, other bounds may seem as good.
        proved = apart - own <= tolerance
        if proved:
            lower, normal = own, towards
        elif gap > lower:
            lower, normal = gap, best
        # Coincident points need no direction.
        meet = apart <= tolerance
        if not meet:
            near = 0
        miss = off_bound(work, near, lower, normal)
        if not meet:
            for candidate in range(1, candidates):
                off = off_bound(work, candidate, lower, normal)
                if off < miss:
                    near, miss = candidate, off
        point_a = work.nearest[near, 3], work.nearest[near, 4], work.nearest[near, 5]
        point_b = minus(point_a, row(work.nearest, near))
        known = is_known(work, count, count) and is_known(work, count, count + 1)
        if meet or known or proved or miss <= tolerance:
            break
        count = kept(work, count, best)
    return lower, normal, point_a, point_b, miss


def put_extreme(a: Shape, b: Shape, work: Work, at: int, way: Vector) -> None:
    """Write the support point of A - B along a direction, and the point of A that it comes from."""
    on_a = support(a, way)
    put(work.points, at, minus(on_a, support(b, scaled(-1.0, way))))
    work.points[at, 3], work.points[at, 4], work.points[at, 5] = on_a


def put_feature(a: Shape, b: Shape, work: Work, normal: Vector) -> None:
    """Write four points of the vertex, edge or face of A - B that is extreme along the normal."""
    side = scaled(BESIDE, perpendicular(normal))
    up = cross(normal, side)
    put_extreme(a, b, work, 0, plus(normal, side))
    put_extreme(a, b, work, 1, plus(normal, up))
    put_extreme(a, b, work, 2, minus(normal, side))
    put_extreme(a, b, work, 3, minus(normal, up))


def best_direction(work: Work, count: int, normal: Vector) -> tuple[Vector, int]:
    """The candidate direction along which the set is farthest from the origin; the normal if there is none.

    Also writes the nearest point of each candidate, and returns their number.
    """
    best, least, candidates = normal, inf, 0
    for i in range(count):
        start = row(work.points, i)
        for j in range(i, count):
            way, share, _ = of_edge(start, row(work.points, j))
            reach = reach_along(work, count, way)
            if reach < least and dot(way, way) > 0.0:
                best, least = way, reach
            write_nearest(work, candidates, i, j, j, share, 0.0)
            candidates += 1
    for i in range(count):
        for j in range(i + 1, count):
            for k in range(j + 1, count):
                way, share, other = of_triangle(row(work.points, i), row(work.points, j), row(work.points, k))
                reach = reach_along(work, count, way)
                if reach < least and dot(way, way) > 0.0:
                    best, least = way, reach
                write_nearest(work, candidates, i, j, k, share, other)
                candidates += 1
    return best, candidates


def of_edge(start: Vector, end: Vector) -> Candidate:
    """The candidate of an edge, or of a point that is both ends."""
    run = minus(end, start)
    square = dot(run, run)
    share = min(max(-dot(start, run) / (square if square > 0.0 else 1.0), 0.0), 1.0)
    return perpendicular_part(scaled(-1.0, start), run), share, 0.0


def of_triangle(p: Vector, q: Vector, r: Vector) -> Candidate:
    """The candidate of a triangle."""
    first, second = minus(q, p), minus(r, p)
    long = length(first)
    unit = normalized(first)
    # Twice: one pass leaves a residue along the first edge if the edges are nearly parallel.
    upright = minus(second, scaled(dot(second, unit), unit))
    upright = minus(upright, scaled(dot(upright, unit), unit))
    height = dot(upright, upright)
    t = -dot(p, upright) / (height if height > 0.0 else 1.0)
    s = -dot(plus(p, scaled(t, second)), unit) / (long if long > 0.0 else 1.0)
    t = min(max(t, 0.0), 1.0)
    s = min(max(s, 0.0), 1.0 - t)
    # The perpendicular direction of a sliver may be rounding error, nearly parallel to the edge.
    across = normalized(cross(unit, normalized(upright)))
    return scaled(-1.0 if dot(across, p) > 0.0 else 1.0, across), s, t


def reach_along(work: Work, count: int, way: Vector) -> float:
    """Return how far the points extend along a direction."""
    most = -inf
    for k in range(count):
        most = max(most, dot(row(work.points, k), way))
    return most


def write_nearest(work: Work, at: int, i: int, j: int, k: int, share: float, other: float) -> None:
    """Write the weighted mean of three points."""
    for m in range(6):
        work.nearest[at, m] = (
            (1.0 - share - other) * work.points[i, m] + share * work.points[j, m] + other * work.points[k, m]
        )
    point = row(work.nearest, at)
    work.shown[at, 0] = sqrt(dot(point, point))


def direction_of(work: Work, candidate: int, best: Vector) -> Vector:
    """The direction from the nearest point of a candidate to the origin; the best direction if it is the origin."""
    way = normalized(scaled(-1.0, row(work.nearest, candidate)))
    return way if dot(way, way) > 0.0 else best


def nearest_candidate(work: Work, count: int, candidates: int, best: Vector, tolerance: float) -> int:
    """Choose the candidate that proves the largest gap among those that are equally near within the tolerance."""
    least = inf
    for candidate in range(candidates):
        least = min(least, work.shown[candidate, 0])
    near, most = 0, -inf
    for candidate in range(candidates):
        if work.shown[candidate, 0] <= least + tolerance:
            gap = -reach_along(work, count, direction_of(work, candidate, best))
            if gap > most:
                near, most = candidate, gap
    return near


def off_bound(work: Work, candidate: int, lower: float, normal: Vector) -> float:
    """The distance of a candidate's point from where the bound is attained."""
    return length(plus(row(work.nearest, candidate), scaled(lower, normal)))


def is_known(work: Work, count: int, new: int) -> bool:
    """Whether one of the points is equal to a new one."""
    for k in range(count):
        if equal(work, k, new):
            return True
    return False


def equal(work: Work, i: int, j: int) -> bool:
    """Whether two points of A - B are the same."""
    return (
        work.points[i, 0] == work.points[j, 0]
        and work.points[i, 1] == work.points[j, 1]
        and work.points[i, 2] == work.points[j, 2]
    )


def kept(work: Work, count: int, way: Vector) -> int:
    """Add the two new points. If there are too many, drop those farthest below the support plane of the direction."""
    total = count + 2
    while total > MOST_POINTS:
        worst, least = 0, inf
        for k in range(count):
            # Duplicates are useless.
            below = -inf if is_known(work, k, k) else dot(row(work.points, k), way)
            if below < least:
                worst, least = k, below
        for k in range(worst, total - 1):
            for m in range(6):
                work.points[k, m] = work.points[k + 1, m]
        count, total = count - 1, total - 1
    return total
