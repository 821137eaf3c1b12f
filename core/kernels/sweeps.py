# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of translating boxes: entry and exit times along the fifteen axes of a separating axis test.

Along each axis, the projections overlap from an entry time to an exit time. The boxes first touch at the largest entry
time if no exit time is before it (doc4code 2011, "Moving objects"; Gottschalk, "Collision Queries using Oriented
Bounding Boxes", 2000; Ericson, "Real-Time Collision Detection", 2005, section 4.4.1). Times do not depend on the length
of an axis, so cross products of edges need not be normalized.

Each time has a slack, a bound of its rounding. A pair that is a hit or a miss depending on the slack is left to
conservative advancement. So is a pair that may touch at the start but does not certainly overlap.
"""

from math import copysign, inf, nan, sqrt
from typing import NamedTuple, TypeAlias

from ..numerics.tolerances import AXIS_PREFERENCE, EPS, ROUNDING_STEPS, SUPPORT, SWEPT_PARALLEL, SWEPT_SINE_SQUARED
from .arrays import Floats1, Floats2, Floats3, Ints1, Vector
from .loading import kernel
from .vectors import cross, divided, dot, minus, moved, plus, put, row, scaled

# State of a pair: unknown; separated during the whole interval, by which test; a first contact later than the start;
# overlap at the start.
DOUBTFUL, BALLS_APART, FACES_APART, EDGES_APART, TOUCHING, STARTED = range(6)

# Codes of the axes: 0 to 2 are the faces of A, 3 to 5 those of B, and from 6 the edges of A times those of B.
EDGES = 6
# Smallest speed, in the caller's unit. Slower pairs get this speed, so that all times are finite.
SLOWEST = 1e-150
# Dimensionless: fraction of the margin by which an axis is preferred. If another axis has an entry time later by more
# than this, the corner along the preferred one may be beside the other box, and does not determine the contact point.
TIED = 0.01

Frame: TypeAlias = tuple[Vector, Vector, Vector]


class MovingBoxes(NamedTuple):
    """A batch of boxes, and which of them is in each pair.

    Attributes
    ----------
    center, half_extents, rotation : (N, 3), (N, 3), (N, 3, 3) float64
    rows : (P,) int64
    velocity : (P, 3) float64
        Velocities for the pairs.
    """

    center: Floats2
    half_extents: Floats2
    rotation: Floats3
    rows: Ints1
    velocity: Floats2


class _Times(NamedTuple):
    """The axes tested so far, for the interval from 0 to 1.

    The largest entry time; the largest entry time minus code times margin, so that axes with lower codes are preferred,
    and its axis; bounds of the largest entry time and of the smallest exit time; and an upper bound of the entry times
    along axes that lose digits.
    """

    entry: float
    biased_entry: float
    code: int
    entry_lower: float
    entry_upper: float
    exit_lower: float
    exit_upper: float
    uncertain: float


class _Pair(NamedTuple):
    """A pair in A's frame. Coordinates are in cyclic order from a chosen axis on.

    `turn`: the axes of B as columns. `shift`, `speed`: vector from A's center to B's, displacement of B relative to A.
    `size`: sum of the half extents. `slack`: largest gap that rounding can cause. An axis must be better by `margin`
    than one before it.
    """

    turn: Frame
    half_a: Vector
    half_b: Vector
    shift: Vector
    speed: Vector
    size: float
    slack: float
    margin: float


@kernel
def box_contacts(
    a: MovingBoxes, b: MovingBoxes, verdicts: Ints1, touching: Ints1, times: Floats1, points: Floats2, normals: Floats2
) -> int:
    """Find the first contact of each pair of boxes in [0, 1].

    Parameters
    ----------
    a, b : MovingBoxes
    verdicts : (P,) int64
        Written. `DOUBTFUL` if rounding could change it, and if the pair may touch at the start.
    touching, times, points, normals : (P,) int64, (P,), (P, 3), (P, 3) float64
        Written, one row for each hit: the pair, ascending, the time, the point and the normal from A to B. Points are
        midway between the surfaces; NaN if faces or edges lie on each other, or an axis is preferred to a later one.
        Of pairs that overlap at the start, only the pair and the time 0 are written; see `box_points`.

    Returns
    -------
    hits : int
    """
    hits = 0
    for pair in range(len(a.rows)):
        i, j = a.rows[pair], b.rows[pair]
        center_a, half_a, axes_a = row(a.center, i), row(a.half_extents, i), _axes(a.rotation, i)
        center_b, half_b, axes_b = row(b.center, j), row(b.half_extents, j), _axes(b.rotation, j)
        way_a, way_b = row(a.velocity, pair), row(b.velocity, pair)
        shift, path = moved(center_b, center_a, -1.0), moved(way_b, way_a, -1.0)
        size, places = _reach(half_a) + _reach(half_b), _reach(center_a) + _reach(center_b)
        slack = 4.0 * ROUNDING_STEPS * EPS * (size + places + _reach(way_a) + _reach(way_b))
        if _balls_apart(shift, path, sqrt(dot(half_a, half_a)) + sqrt(dot(half_b, half_b)), slack):
            verdicts[pair] = BALLS_APART
            continue
        turn = _products(axes_b, axes_a[0]), _products(axes_b, axes_a[1]), _products(axes_b, axes_a[2])
        shift, speed = _products(axes_a, shift), _products(axes_a, path)
        margin = AXIS_PREFERENCE * size / max(_reach(speed), SLOWEST)
        verdict, time, code, overruled = _first_contact(_Pair(turn, half_a, half_b, shift, speed, size, slack, margin))
        verdicts[pair] = verdict
        if verdict == TOUCHING:
            normal = _normal(axes_a, axes_b, code, path)
            point = (nan, nan, nan)
            if not overruled:
                point = _point(
                    _farthest(moved(center_a, way_a, time), half_a, axes_a, normal, SUPPORT * size),
                    _farthest(moved(center_b, way_b, time), half_b, axes_b, scaled(-1.0, normal), SUPPORT * size),
                    (0.0, 0.0, 0.0),
                )
            touching[hits], times[hits] = pair, time
            put(points, hits, point)
            put(normals, hits, normal)
            hits += 1
        elif verdict == STARTED:
            touching[hits], times[hits] = pair, 0.0
            hits += 1
    return hits


@kernel
def box_points(
    a: MovingBoxes, b: MovingBoxes, which: Ints1, hits: Ints1, gaps: Floats1, normals: Floats2, points: Floats2
) -> None:
    """Find the points of contact of boxes that overlap at the start.

    Parameters
    ----------
    a, b : MovingBoxes
    which, hits : (K,) int64
        The pairs, and the rows of `points` of each.
    gaps, normals : (K,), (K, 3) float64
        The largest gap along any axis, which is negative, and that axis.
    points : (H, 3) float64
        Written. Midway between the surfaces; NaN if faces or edges lie on each other. The projection of a corner on the
        face that it has passed lies on that face, because A - B is nowhere thinner.
    """
    for k in range(len(which)):
        i, j, normal = a.rows[which[k]], b.rows[which[k]], row(normals, k)
        half_a, half_b = row(a.half_extents, i), row(b.half_extents, j)
        level = SUPPORT * (_reach(half_a) + _reach(half_b))
        point = _point(
            _farthest(row(a.center, i), half_a, _axes(a.rotation, i), normal, level),
            _farthest(row(b.center, j), half_b, _axes(b.rotation, j), scaled(-1.0, normal), level),
            scaled(gaps[k] / 2.0, normal),
        )
        put(points, hits[k], point)


def _axes(rotations: Floats3, at: int) -> Frame:
    """The columns of a rotation."""
    return (
        (rotations[at, 0, 0], rotations[at, 1, 0], rotations[at, 2, 0]),
        (rotations[at, 0, 1], rotations[at, 1, 1], rotations[at, 2, 1]),
        (rotations[at, 0, 2], rotations[at, 1, 2], rotations[at, 2, 2]),
    )


def _chosen(frame: Frame, which: int) -> Vector:
    """An axis of a frame."""
    if which == 0:
        return frame[0]
    return frame[1] if which == 1 else frame[2]


def _reach(of: Vector) -> float:
    return abs(of[0]) + abs(of[1]) + abs(of[2])


def _products(frame: Frame, of: Vector) -> Vector:
    return dot(frame[0], of), dot(frame[1], of), dot(frame[2], of)


def _extent(along: Vector, half: Vector) -> float:
    """Half the length of a box along an axis with these coordinates in its frame."""
    return abs(along[0]) * half[0] + abs(along[1]) * half[1] + abs(along[2]) * half[2]


def _balls_apart(shift: Vector, path: Vector, radius: float, slack: float) -> bool:
    """Whether bounding spheres are separated during the whole interval.

    See `collision_kit.core.continuous.first_contacts.swept_spheres_disjoint`.
    """
    square, onward = dot(path, path), -dot(shift, path)
    nearest = moved(shift, path, 0.0 if onward <= 0.0 or square <= 0.0 else min(onward / square, 1.0))
    return dot(nearest, nearest) > (radius + slack) * (radius + slack)


def _first_contact(pair: _Pair) -> tuple[int, float, int, bool]:
    """Verdict of a pair, the largest entry time with the code of its axis, and whether a later one was overruled."""
    times = _Times(-inf, -inf, 0, 0.0, -inf, 1.0, 1.0, -inf)
    for i in range(3):
        extent = pair.half_a[0] + _extent(pair.turn[0], pair.half_b)
        times = _slab(times, i, pair.shift[0], pair.speed[0], extent, pair, False)
        pair = _next_of_a(pair)
    if times.entry_lower > times.exit_upper:
        return FACES_APART, 0.0, 0, False
    for j in range(3):
        along = pair.turn[0][0], pair.turn[1][0], pair.turn[2][0]
        extent = pair.half_b[0] + _extent(along, pair.half_a)
        times = _slab(times, 3 + j, dot(pair.shift, along), dot(pair.speed, along), extent, pair, False)
        pair = _next_of_b(pair)
    if times.entry_lower > times.exit_upper:
        return FACES_APART, 0.0, 0, False
    for i in range(3):
        for j in range(3):
            times = _edge_slab(times, EDGES + 3 * i + j, pair)
            pair = _next_of_b(pair)
        pair = _next_of_a(pair)
    if times.entry_lower > times.exit_upper:
        return EDGES_APART, 0.0, 0, False
    if times.entry_upper <= 0.0 and times.exit_lower >= 0.0:
        return STARTED, 0.0, 0, False
    meets = times.entry_lower > 0.0 and times.entry_upper <= times.exit_lower and times.uncertain <= times.entry
    preferred = times.biased_entry + times.code * pair.margin
    overruled = times.entry - preferred > TIED * pair.margin + 4.0 * EPS * times.entry
    return TOUCHING if meets else DOUBTFUL, times.entry, times.code, overruled


def _next(of: Vector) -> Vector:
    return of[1], of[2], of[0]


def _next_of_a(pair: _Pair) -> _Pair:
    """The pair with the order of A's axes changed."""
    turn = pair.turn[1], pair.turn[2], pair.turn[0]
    half, shift, speed = _next(pair.half_a), _next(pair.shift), _next(pair.speed)
    return _Pair(turn, half, pair.half_b, shift, speed, pair.size, pair.slack, pair.margin)


def _next_of_b(pair: _Pair) -> _Pair:
    """The pair with the order of B's axes changed."""
    turn = _next(pair.turn[0]), _next(pair.turn[1]), _next(pair.turn[2])
    return _Pair(turn, pair.half_a, _next(pair.half_b), pair.shift, pair.speed, pair.size, pair.slack, pair.margin)


def _edge_slab(times: _Times, code: int, pair: _Pair) -> _Times:
    """Intersect the slab of the cross product of the first axes of A and of B. Its first coordinate is zero."""
    first, second, third = pair.turn
    shift = second[0] * pair.shift[2] - third[0] * pair.shift[1]
    speed = second[0] * pair.speed[2] - third[0] * pair.speed[1]
    extent = abs(third[0]) * pair.half_a[1] + abs(second[0]) * pair.half_a[2]
    extent += abs(first[2]) * pair.half_b[1]
    extent += abs(first[1]) * pair.half_b[2]
    sine = second[0] * second[0] + third[0] * third[0]
    if sine <= SWEPT_PARALLEL:
        # The cross product is only rounding error. The larger extent makes the axis separate nothing.
        extent += pair.size
    return _slab(times, code, shift, speed, extent, pair, sine <= SWEPT_SINE_SQUARED)


def _slab(
    times: _Times, code: int, shift: float, speed: float, extent: float, pair: _Pair, loses_digits: bool
) -> _Times:
    """Intersect the slab of an axis: entry and exit times, each with its slack."""
    pace = 1.0 / max(abs(speed), SLOWEST)
    # Centers coincide at minus `middle`.
    middle, reach, slack = shift * copysign(pace, speed), extent * pace, pair.slack * pace
    entry, leave = -(reach + middle), reach - middle
    biased, uncertain = entry - code * pair.margin, times.uncertain
    if loses_digits:
        entry, biased, uncertain = -inf, -inf, max(uncertain, entry + slack)
    return _Times(
        max(times.entry, entry),
        max(times.biased_entry, biased),
        code if biased > times.biased_entry else times.code,
        max(times.entry_lower, -(reach + middle) - slack),
        max(times.entry_upper, -(reach + middle) + slack),
        min(times.exit_lower, leave - slack),
        min(times.exit_upper, leave + slack),
        uncertain,
    )


def _normal(axes_a: Frame, axes_b: Frame, code: int, path: Vector) -> Vector:
    """The axis with this code, from A to B. B moves by `path` relative to A."""
    if code < 3:
        normal = _chosen(axes_a, code)
    elif code < EDGES:
        normal = _chosen(axes_b, code - 3)
    else:
        normal = cross(_chosen(axes_a, (code - EDGES) // 3), _chosen(axes_b, (code - EDGES) % 3))
        normal = divided(normal, sqrt(dot(normal, normal)))
    return scaled(-1.0, normal) if dot(normal, path) > 0.0 else normal


def _farthest(center: Vector, half: Vector, axes: Frame, along: Vector, level: float) -> tuple[Vector, int, Vector]:
    """The farthest corner of a box along a direction, and the edges that are perpendicular to it.

    Returns the corner, the number of these edges and the last of them.
    """
    corner, count, edge = center, 0, axes[0]
    for k in range(3):
        axis = _chosen(axes, k)
        rate, length = dot(axis, along), _coordinate(half, k)
        corner = moved(corner, axis, copysign(length, rate))
        if length > 0.0 and 2.0 * abs(rate) * length <= level:
            count, edge = count + 1, axis
    return corner, count, edge


def _coordinate(of: Vector, which: int) -> float:
    if which == 0:
        return of[0]
    return of[1] if which == 1 else of[2]


def _point(a: tuple[Vector, int, Vector], b: tuple[Vector, int, Vector], inward: Vector) -> Vector:
    """The point in which two boxes touch, given `_farthest` of each: a corner of one, or the crossing of two edges.

    `inward` is the vector from the surface of A to the middle of the overlap.
    """
    corner_a, count_a, edge_a = a
    corner_b, count_b, edge_b = b
    if count_a == 0:
        return plus(corner_a, inward)
    if count_b == 0:
        return minus(corner_b, inward)
    across = cross(edge_a, edge_b)
    sine = dot(across, across)
    if count_a > 1 or count_b > 1 or sine <= SWEPT_SINE_SQUARED:
        return nan, nan, nan
    onward = dot(cross(moved(corner_b, corner_a, -1.0), edge_b), across) / sine
    return plus(moved(corner_a, edge_a, onward), inward)
