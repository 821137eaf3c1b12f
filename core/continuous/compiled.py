# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of translating boxes, compiled by numba: what `cast_boxes` does, one pair after the other.

It is the separating axis test of Gottschalk, "Collision Queries using Oriented Bounding Boxes", 2000, in the form of
Ericson, "Real-Time Collision Detection", 2005, section 4.4.1, with an entry and an exit time of each axis. The order of
the operations is that of `cast_boxes`, so that both find the same axes.
"""

import math
from collections import namedtuple

import numpy as np
from numba import njit

from ..numerics.tolerances import AXIS_PREFERENCE, EPS, ROUNDING_STEPS, SUPPORT, SWEPT_PARALLEL, SWEPT_SINE_SQUARED
from ..numerics.types import Floats, Ints
from .cast_boxes import EDGES, SLOWEST, TIED

Vector = tuple[float, float, float]
Frame = tuple[Vector, Vector, Vector]
Boxes = tuple[Floats, Floats, Floats]

# What is known of a pair: nothing yet; separated during the whole interval, by which test; the first contact.
DOUBTFUL, BALLS_APART, FACES_APART, EDGES_APART, TOUCHING = range(5)

_inner = njit(error_model="numpy")


# The axes tested so far: the largest entry time, its axis, and bounds; see `cast_boxes._Pairs`.
_Times = namedtuple("_Times", "entry biased_entry code entry_lower entry_upper exit_lower exit_upper uncertain")

# A pair in A's frame. Coordinates are in the order of some axis, the next one and the one after that. `turn`: the axes
# of B as columns. `shift`, `speed`: vector from A's center to B's, displacement of B relative to A. `size`: sum of the
# half extents. `slack`: largest gap that rounding can cause. An axis must be better by `margin` than one before it.
_Pair = namedtuple("_Pair", "turn half_a half_b shift speed size slack margin")


@njit(cache=True, error_model="numpy")
def box_contacts(
    a: Boxes, b: Boxes, rows_a: Ints, rows_b: Ints, velocity_a: Floats, velocity_b: Floats
) -> tuple[Ints, Ints, Floats, Floats, Floats]:
    """First contact of each pair of boxes in [0, 1]: verdicts (P,), and rows, times, points and normals of H hits.

    `a`, `b`: centers (N, 3), half extents (N, 3) and rotations (N, 3, 3). `rows_a`, `rows_b` (P,): the boxes of each
    pair. Velocities (P, 3) are those of the pairs. The verdict is `DOUBTFUL` if rounding could change it, and if the
    pair may touch at the start. Points (H, 3) are midway between the surfaces; NaN if faces or edges lie on each other,
    or an axis is preferred to a later one. Normals (H, 3) point from A to B.
    """
    count, hits = len(rows_a), 0
    verdicts, touching, times = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count)
    points, normals = np.empty((count, 3)), np.empty((count, 3))
    for row in range(count):
        i, j = rows_a[row], rows_b[row]
        center_a, half_a, axes_a = _at(a[0], i), _at(a[1], i), _axes(a[2], i)
        center_b, half_b, axes_b = _at(b[0], j), _at(b[1], j), _axes(b[2], j)
        way_a, way_b = _at(velocity_a, row), _at(velocity_b, row)
        shift, path = _moved(center_b, center_a, -1.0), _moved(way_b, way_a, -1.0)
        size, places = _reach(half_a) + _reach(half_b), _reach(center_a) + _reach(center_b)
        slack = 4.0 * ROUNDING_STEPS * EPS * (size + places + _reach(way_a) + _reach(way_b))
        if _balls_apart(shift, path, math.sqrt(_dot(half_a, half_a)) + math.sqrt(_dot(half_b, half_b)), slack):
            verdicts[row] = BALLS_APART
            continue
        turn = _products(axes_b, axes_a[0]), _products(axes_b, axes_a[1]), _products(axes_b, axes_a[2])
        shift, speed = _products(axes_a, shift), _products(axes_a, path)
        margin = AXIS_PREFERENCE * size / max(_reach(speed), SLOWEST)
        pair = _Pair(turn, half_a, half_b, shift, speed, size, slack, margin)
        verdicts[row], time, code, overruled = _first_contact(pair)
        if verdicts[row] == TOUCHING:
            normal = _normal(axes_a, axes_b, code, path)
            point = _point(
                _farthest(_moved(center_a, way_a, time), half_a, axes_a, normal, SUPPORT * size),
                _farthest(_moved(center_b, way_b, time), half_b, axes_b, _opposite(normal), SUPPORT * size),
            )
            if overruled:
                point = np.nan, np.nan, np.nan
            touching[hits], times[hits] = row, time
            for k in range(3):
                points[hits, k], normals[hits, k] = point[k], normal[k]
            hits += 1
    return verdicts, touching[:hits], times[:hits], points[:hits], normals[:hits]


@_inner
def _at(rows: Floats, row: int) -> Vector:
    return rows[row, 0], rows[row, 1], rows[row, 2]


@_inner
def _axes(rotations: Floats, row: int) -> Frame:
    """The columns of a rotation."""
    r = rotations[row]
    return (r[0, 0], r[1, 0], r[2, 0]), (r[0, 1], r[1, 1], r[2, 1]), (r[0, 2], r[1, 2], r[2, 2])


@_inner
def _reach(of: Vector) -> float:
    return abs(of[0]) + abs(of[1]) + abs(of[2])


@_inner
def _dot(first: Vector, second: Vector) -> float:
    return first[0] * second[0] + first[1] * second[1] + first[2] * second[2]


@_inner
def _cross(first: Vector, second: Vector) -> Vector:
    x = first[1] * second[2] - first[2] * second[1]
    y = first[2] * second[0] - first[0] * second[2]
    return x, y, first[0] * second[1] - first[1] * second[0]


@_inner
def _moved(start: Vector, along: Vector, by: float) -> Vector:
    return start[0] + by * along[0], start[1] + by * along[1], start[2] + by * along[2]


@_inner
def _opposite(of: Vector) -> Vector:
    return -of[0], -of[1], -of[2]


@_inner
def _products(frame: Frame, of: Vector) -> Vector:
    return _dot(frame[0], of), _dot(frame[1], of), _dot(frame[2], of)


@_inner
def _extent(along: Vector, half: Vector) -> float:
    """Half the length of a box along an axis with these coordinates in its frame."""
    return abs(along[0]) * half[0] + abs(along[1]) * half[1] + abs(along[2]) * half[2]


@_inner
def _balls_apart(shift: Vector, path: Vector, radius: float, slack: float) -> bool:
    """Whether bounding spheres are separated during the whole interval; see `first_contacts.swept_spheres_disjoint`."""
    square, onward = _dot(path, path), -_dot(shift, path)
    nearest = _moved(shift, path, 0.0 if onward <= 0.0 else min(onward / square, 1.0))
    return _dot(nearest, nearest) > (radius + slack) ** 2


@_inner
def _first_contact(pair: _Pair) -> tuple[int, float, int, bool]:
    """Verdict of a pair, and the largest entry time with the code of its axis; see `cast_boxes._Pairs.overruled`."""
    times = _Times(-np.inf, -np.inf, 0, 0.0, -np.inf, 1.0, 1.0, -np.inf)
    for i in range(3):
        extent = pair.half_a[0] + _extent(pair.turn[0], pair.half_b)
        times = _slab(times, i, pair.shift[0], pair.speed[0], extent, pair, False)
        pair = _next_of_a(pair)
    if times.entry_lower > times.exit_upper:
        return FACES_APART, 0.0, 0, False
    for j in range(3):
        along = pair.turn[0][0], pair.turn[1][0], pair.turn[2][0]
        extent = pair.half_b[0] + _extent(along, pair.half_a)
        times = _slab(times, 3 + j, _dot(pair.shift, along), _dot(pair.speed, along), extent, pair, False)
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
    meets = times.entry_lower > 0.0 and times.entry_upper <= times.exit_lower and times.uncertain <= times.entry
    preferred = times.biased_entry + times.code * pair.margin
    overruled = times.entry - preferred > TIED * pair.margin + 4.0 * EPS * times.entry
    return TOUCHING if meets else DOUBTFUL, times.entry, times.code, overruled


@_inner
def _next(of: Vector) -> Vector:
    return of[1], of[2], of[0]


@_inner
def _next_of_a(pair: _Pair) -> _Pair:
    """The pair with the order of A's axes changed."""
    turn = pair.turn[1], pair.turn[2], pair.turn[0]
    half, shift, speed = _next(pair.half_a), _next(pair.shift), _next(pair.speed)
    return _Pair(turn, half, pair.half_b, shift, speed, pair.size, pair.slack, pair.margin)


@_inner
def _next_of_b(pair: _Pair) -> _Pair:
    """The pair with the order of B's axes changed."""
    turn = _next(pair.turn[0]), _next(pair.turn[1]), _next(pair.turn[2])
    return _Pair(turn, pair.half_a, _next(pair.half_b), pair.shift, pair.speed, pair.size, pair.slack, pair.margin)


@_inner
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
        # The cross product is only rounding. The larger extent makes the axis separate nothing.
        extent += pair.size
    return _slab(times, code, shift, speed, extent, pair, sine <= SWEPT_SINE_SQUARED)


@_inner
def _slab(
    times: _Times, code: int, shift: float, speed: float, extent: float, pair: _Pair, loses_digits: bool
) -> _Times:
    """Intersect the slab of an axis: entry and exit times, each with its slack."""
    pace = 1.0 / max(abs(speed), SLOWEST)
    # Centers coincide at minus `middle`.
    middle, reach, slack = shift * math.copysign(pace, speed), extent * pace, pair.slack * pace
    entry, leave = -(reach + middle), reach - middle
    biased, uncertain = entry - code * pair.margin, times.uncertain
    if loses_digits:
        entry, biased, uncertain = -np.inf, -np.inf, max(uncertain, entry + slack)
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


@_inner
def _normal(axes_a: Frame, axes_b: Frame, code: int, path: Vector) -> Vector:
    """The axis with this code, from A to B. B moves by `path` relative to A."""
    if code < 3:
        normal = axes_a[code]
    elif code < EDGES:
        normal = axes_b[code - 3]
    else:
        normal = _cross(axes_a[(code - EDGES) // 3], axes_b[(code - EDGES) % 3])
        far = math.sqrt(_dot(normal, normal))
        normal = normal[0] / far, normal[1] / far, normal[2] / far
    return _opposite(normal) if _dot(normal, path) > 0.0 else normal


@_inner
def _farthest(center: Vector, half: Vector, axes: Frame, along: Vector, level: float) -> tuple[Vector, int, Vector]:
    """The farthest corner of a box along a direction, and the edges that are at right angles to it.

    Returns the corner, the number of these edges and the last of them.
    """
    corner, count, edge = center, 0, axes[0]
    for k in range(3):
        rate = _dot(axes[k], along)
        corner = _moved(corner, axes[k], math.copysign(half[k], rate))
        if half[k] > 0.0 and 2.0 * abs(rate) * half[k] <= level:
            count, edge = count + 1, axes[k]
    return corner, count, edge


@_inner
def _point(a: tuple[Vector, int, Vector], b: tuple[Vector, int, Vector]) -> Vector:
    """The point in which two boxes touch, given `_farthest` of each: a corner of one, or the crossing of two edges."""
    (corner_a, count_a, edge_a), (corner_b, count_b, edge_b) = a, b
    if count_a == 0:
        return corner_a
    if count_b == 0:
        return corner_b
    across = _cross(edge_a, edge_b)
    sine = _dot(across, across)
    if count_a > 1 or count_b > 1 or sine <= SWEPT_SINE_SQUARED:
        return np.nan, np.nan, np.nan
    onward = _dot(_cross(_moved(corner_b, corner_a, -1.0), edge_b), across) / sine
    return _moved(corner_a, edge_a, onward)
