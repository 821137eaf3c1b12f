# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points by GJK, and by active sets if a sliver keeps GJK from proving them."""

from math import inf, sqrt

from ..numerics.tolerances import CURVED_DISTANCE, EPS
from .active_set import Work, settled
from .arrays import Bools1, Floats1, Floats2, Floats3, Vector
from .gjk import APART, DOUBT, FAR, OVERLAPPING, Nearest, Simplex, nearest
from .loading import kernel
from .supports import Shape, Side, placed, shifted
from .vectors import dot, length, minus, normalized, put, row, scaled


@kernel
def closest(
    a: Side,
    b: Side,
    work: Work,
    start: Floats2,
    sizes: Floats1,
    limits: Floats1,
    tolerance: float,
    settle: bool,
    distance: Floats1,
    lower: Floats1,
    normal: Floats2,
    point_a: Floats2,
    point_b: Floats2,
    overlap: Bools1,
    certain: Bools1,
    beyond: Bools1,
    doubtful: Bools1,
    simplices: Floats3,
) -> None:
    """Find the closest points of each pair.

    Parameters
    ----------
    a, b : Side
        P rows each.
    work : Work
    start, sizes, limits, tolerance, settle : (P, 3), (P,), (P,), float, bool
        As for `collision_kit.core.convex.gjk.closest`. The limits may be infinite.
    distance, lower, normal, point_a, point_b, overlap, certain, beyond, doubtful, simplices : arrays
        The fields of `collision_kit.core.convex.gjk.Closest`, which are written.
    """
    zero = 0.0, 0.0, 0.0
    for pair in range(len(start)):
        begin, one, other = row(start, pair), placed(a, pair, zero), placed(b, pair, zero)
        state, reach, bound, way, on_a, on_b, sure, doubt, simplex = closest_points(
            one, other, work, begin, sizes[pair], limits[pair], tolerance, settle
        )
        distance[pair], lower[pair] = reach, bound
        put(normal, pair, way)
        put(point_a, pair, on_a)
        put(point_b, pair, on_b)
        overlap[pair], certain[pair], beyond[pair] = state == OVERLAPPING, sure, state == FAR
        doubtful[pair] = doubt
        if doubt or state == OVERLAPPING:
            write(simplices, pair, simplex)


def closest_points(
    a: Shape, b: Shape, work: Work, begin: Vector, size: float, limit: float, tolerance: float, settle: bool
) -> Nearest:
    """The closest points of A and B; see `gjk.nearest`.

    With `settle`, points that GJK does not prove are searched among more points.
    """
    state, distance, bound, normal, on_a, on_b, certain, doubtful, simplex = nearest(
        a, b, begin, size, limit, tolerance
    )
    slack = DOUBT * EPS * size
    if state == OVERLAPPING and not certain:
        # The normals of a sliver are mostly rounding error, so it is unknown on which side of it the origin is. A
        # direction may separate the two.
        back = normalized(scaled(-1.0, begin)) if dot(begin, begin) > 0.0 else aside()
        hold(work.points, simplex)
        gap, way, met_a, met_b, _ = settled(a, b, work, 4, back, slack)
        if gap > slack:
            state, bound, normal, on_a, on_b = APART, gap, way, met_a, met_b
            distance = length(minus(met_b, met_a))
            doubtful = distance - gap > slack
    if settle and doubtful:
        allowed = max(slack, tolerance * distance)
        hold(work.points, simplex)
        gap, way, met_a, met_b, off = settled(a, b, work, 3, normal, allowed)
        known = minus(minus(on_b, on_a), scaled(bound, normal))
        if off < sqrt(dot(known, known)):
            bound, normal, on_a, on_b = gap, way, met_a, met_b
            distance = length(minus(met_b, met_a))
        doubtful = distance - bound > allowed
    return state, distance, bound, normal, on_a, on_b, certain, doubtful, simplex


def closest_moved(a: Shape, b: Shape, work: Work, begin: Vector, size: float, shift: Vector) -> Nearest:
    """The closest points of A and of B moved by `shift`, one of which may be curved. The points of B are moved, too."""
    there = shifted(b, shift)
    return closest_points(a, there, work, minus(begin, shift), size, inf, CURVED_DISTANCE, False)


def aside() -> Vector:
    """First search direction if the centers coincide."""
    return -1.0, 0.0, 0.0


def hold(points: Floats2, simplex: Simplex) -> None:
    """Write the vertices of a simplex, as `write`."""
    count, p, q, r, tip, on_p, on_q, on_r, on_tip = simplex
    hold_vertex(points, 0, p, on_p)
    hold_vertex(points, 1, q if count > 1 else p, on_q if count > 1 else on_p)
    hold_vertex(points, 2, r if count > 2 else p, on_r if count > 2 else on_p)
    hold_vertex(points, 3, tip if count > 3 else p, on_tip if count > 3 else on_p)


def hold_vertex(points: Floats2, at: int, vertex: Vector, on_a: Vector) -> None:
    """Write a vertex of A - B and the point of A that it comes from."""
    put(points, at, vertex)
    points[at, 3], points[at, 4], points[at, 5] = on_a


def write(simplices: Floats3, pair: int, simplex: Simplex) -> None:
    """Write the vertices of a simplex and the points of A. Those that it does not have repeat the first one."""
    count, p, q, r, tip, on_p, on_q, on_r, on_tip = simplex
    write_vertex(simplices, pair, 0, p, on_p)
    write_vertex(simplices, pair, 1, q if count > 1 else p, on_q if count > 1 else on_p)
    write_vertex(simplices, pair, 2, r if count > 2 else p, on_r if count > 2 else on_p)
    write_vertex(simplices, pair, 3, tip if count > 3 else p, on_tip if count > 3 else on_p)


def write_vertex(simplices: Floats3, pair: int, k: int, vertex: Vector, on_a: Vector) -> None:
    """Write one vertex of a simplex."""
    simplices[pair, k, 0], simplices[pair, k, 1], simplices[pair, k, 2] = vertex
    simplices[pair, k, 3], simplices[pair, k, 4], simplices[pair, k, 5] = on_a
