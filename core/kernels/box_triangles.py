# SPDX-License-Identifier: GPL-3.0-or-later
"""A box and a triangle by the thirteen axes of doc4code 2011, "Box vs triangle".

These are the box's three face normals, the triangle's normal and the nine cross products of their edges. They are
tested in the box's frame. The table of doc4code has the wrong corner or sign in its rows for the second and third edge;
see docs/sources.md. Along A_i x E_k, both ends of the edge k have the same projection p, and the opposite corner has
``p + N · A_i`` for every k. Codes of the axes: 0 to 2 the box's faces, 3 the triangle's face, from 4 the box's edges
times the triangle's.

Flat boxes and triangles in one plane need no further axes. At least one of the three axes of a box is oblique to the
plane. Its cross products with the edges have a component in the plane. Triangles without area have no normal.
"""

from math import inf, sqrt

from ..numerics.tolerances import AXIS_DOUBT, AXIS_PREFERENCE
from .arrays import Bools1, Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, floats2, ints1
from .axes import (
    EDGE,
    FACE,
    Best,
    BoxRows,
    Features,
    box_edge,
    chosen,
    column,
    doubt,
    is_doubtful,
    is_oblique,
    is_parallel,
    rounding,
    squared,
    unit,
    unsquared,
    write_axis,
    write_features,
)
from .boxes import extent_along
from .exact import exact_cross
from .loading import kernel
from .triangle_features import exact_normal, exact_sides, longest_side, renamed, sorted_into
from .vectors import corner, cross, dot, greatest_coordinate, length, minus, put, row, scaled

# Codes of the triangle's normal and of the first edges, and the number of axes.
NORMAL, EDGES, COUNT = 3, 4, 13

# Rows of the data of a pair, in the box's frame: the corners of the triangle, its sides, its normal, and the half
# extents of the box.
CORNERS, SIDES, ACROSS, HALF, ROWS = 0, 3, 6, 7, 8


@kernel
def overlaps(a: BoxRows, rows_a: Ints1, b: Floats3, rows_b: Ints1, overlap: Bools1) -> tuple[int, int, int]:
    """Decide whether the box and the triangle of each pair have a point in common; see `boxes.overlaps`.

    `b` (N, 3, 3) are the corners of the triangles.
    """
    pair = floats2(ROWS, 3)
    by_faces, by_edges, exactly = 0, 0, 0
    for at in range(len(rows_a)):
        i, j = rows_a[at], rows_b[at]
        _, bound = load(a, i, b, j, pair)
        most, ill = -inf, False
        for k in range(3):
            most = max(most, box_gap(pair, k))
            if most > bound:
                break
        if most <= bound:
            gap, square, scale = normal_gap(pair)
            if is_parallel(square, scale):
                ill = is_oblique(square, scale)
            else:
                most = max(most, unsquared(squared(gap, square)))
        if most > bound:
            overlap[at] = False
            by_faces += 1
            continue
        beyond = -inf
        for k in range(9):
            gap, square, scale = edge_gap(pair, k // 3, k % 3)
            if is_parallel(square, scale):
                ill = ill or is_oblique(square, scale)
                continue
            beyond = max(beyond, squared(gap, square))
            if beyond > bound * bound:
                break
        most = max(most, unsquared(beyond))
        if most > bound or (most < -bound and not ill):
            overlap[at] = most <= 0.0
            by_edges += 1
            continue
        gap, _, _ = exact_axis(a, i, b, j, AXIS_PREFERENCE)
        overlap[at] = gap <= contact_gap(a, i, b, j)
        exactly += 1
    return by_faces, by_edges, exactly


@kernel
def separating_axes(
    a: BoxRows,
    rows_a: Ints1,
    b: Floats3,
    rows_b: Ints1,
    preference: float,
    gap: Floats1,
    axis: Floats2,
    feature_a: Ints2,
    feature_b: Ints2,
    slack: Floats1,
) -> None:
    """Find the axis with the largest gap of each pair; see `boxes.separating_axes`.

    `b` (N, 3, 3) are the corners of the triangles.
    """
    pair = floats2(ROWS, 3)
    for at in range(len(rows_a)):
        i, j = rows_a[at], rows_b[at]
        found, way, features = best_axis(a, i, b, j, preference, pair)
        gap[at], slack[at] = found, contact_gap(a, i, b, j)
        put(axis, at, way)
        write_features(feature_a, feature_b, at, features)


def best_axis(a: BoxRows, i: int, b: Floats3, j: int, preference: float, pair: Floats2) -> Best:
    """The axis with the largest gap. `pair` is room for `ROWS` rows."""
    extent, bound = load(a, i, b, j, pair)
    margin = preference * extent
    faces, code, score, ill = -inf, 0, -inf, False
    for k in range(3):
        value = box_gap(pair, k)
        if value - margin * k > score:
            faces, code, score = value, k, value - margin * k
    value, square, scale = normal_gap(pair)
    if is_parallel(square, scale):
        ill = is_oblique(square, scale)
    else:
        value = unsquared(squared(value, square))
        if value - margin * NORMAL > score:
            faces, code = value, NORMAL
    edges, edge = -inf, 0
    for k in range(9):
        value, square, scale = edge_gap(pair, k // 3, k % 3)
        if is_parallel(square, scale):
            ill = ill or is_oblique(square, scale)
            continue
        value = squared(value, square)
        if value > edges:
            edges, edge = value, k
    edges = unsquared(edges)
    if edges > faces + margin:
        code = EDGES + edge
    axis = axis_of(pair, code)
    low, high = inf, -inf
    for k in range(3):
        height = dot(axis, row(pair, CORNERS + k))
        low, high = min(low, height), max(high, height)
    reach = abs(axis[0]) * pair[HALF, 0] + abs(axis[1]) * pair[HALF, 1] + abs(axis[2]) * pair[HALF, 2]
    gap, forward = max(low, -high) - reach, low >= -high
    # A preferred axis without a gap may have won over an axis with a gap.
    bound = max(bound, margin * (EDGES + 1.0))
    if ill or is_doubtful(gap, faces, edges, bound, margin, extent, preference < AXIS_DOUBT):
        return exact_axis(a, i, b, j, preference)
    axis = axis if forward else scaled(-1.0, axis)
    return gap, to_world(a, i, axis), features_of(axis, code, forward)


def exact_axis(a: BoxRows, i: int, b: Floats3, j: int, preference: float) -> Best:
    """Return the same as `best_axis`, with full projections and with exact cross products."""
    axes, gaps = floats2(COUNT, 3), floats1(COUNT)
    order, corners, sides, errors = ints1(3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    none = 0.0, 0.0, 0.0
    sorted_into(b, j, order, corners)
    exact_sides(corners, sides, errors)
    center = row(a.center, i)
    for k in range(COUNT):
        if k < 3:
            axis = column(a.turn, i, k)
        elif k == NORMAL:
            axis = exact_normal(sides, errors)
        else:
            side = (k - EDGES) % 3
            run = row(sides, side)
            axis = exact_cross(column(a.turn, i, (k - EDGES) // 3), none, run, row(errors, side))
            axis = unit(axis) if is_oblique(dot(axis, axis), dot(run, run)) else none
        low, high = span_along(corners, center, axis)
        write_axis(axes, gaps, k, axis, max(low, -high) - extent_along(a, i, axis))
    half = row(a.half, i)
    extent = half[0] + half[1] + half[2] + longest_side(sides)
    code = chosen(gaps, COUNT, EDGES, preference * extent, contact_gap(a, i, b, j))
    axis = row(axes, code)
    low, high = span_along(corners, center, axis)
    forward = low >= -high
    axis = axis if forward else scaled(-1.0, axis)
    local = dot(column(a.turn, i, 0), axis), dot(column(a.turn, i, 1), axis), dot(column(a.turn, i, 2), axis)
    kind_a, index_a, kind_b, index_b = features_of(local, code, forward)
    return gaps[code], axis, (kind_a, index_a, kind_b, renamed(order, kind_b, index_b))


def span_along(corners: Floats2, center: Vector, axis: Vector) -> tuple[float, float]:
    """The least and the greatest height of the corners over a point."""
    low, high = inf, -inf
    for k in range(3):
        height = dot(axis, minus(row(corners, k), center))
        low, high = min(low, height), max(high, height)
    return low, high


def contact_gap(a: BoxRows, i: int, b: Floats3, j: int) -> float:
    """The largest gap of a pair that counts as contact."""
    longest, offset = 0.0, length(row(a.center, i))
    for k in range(3):
        longest = max(longest, length(minus(corner(b, j, (k + 1) % 3), corner(b, j, k))))
        offset = max(offset, length(corner(b, j, k)))
    return rounding(length(row(a.half, i)) + longest, offset)


def load(a: BoxRows, i: int, b: Floats3, j: int, pair: Floats2) -> tuple[float, float]:
    """Write the data of a pair. Returns its size, and a bound of the rounding error of gaps."""
    center, half = row(a.center, i), row(a.half, i)
    x, y, z = column(a.turn, i, 0), column(a.turn, i, 1), column(a.turn, i, 2)
    offset = greatest_coordinate(center)
    for k in range(3):
        place = corner(b, j, k)
        offset = max(offset, greatest_coordinate(place))
        seen = minus(place, center)
        put(pair, CORNERS + k, (dot(x, seen), dot(y, seen), dot(z, seen)))
    longest = 0.0
    for k in range(3):
        side = minus(row(pair, CORNERS + (k + 1) % 3), row(pair, CORNERS + k))
        put(pair, SIDES + k, side)
        longest = max(longest, dot(side, side))
    put(pair, ACROSS, cross(row(pair, SIDES), row(pair, SIDES + 1)))
    put(pair, HALF, half)
    size = half[0] + half[1] + half[2] + sqrt(longest)
    return size, doubt(size, offset)


def box_gap(pair: Floats2, axis: int) -> float:
    """The gap along the normal of a face of the box."""
    one, two, three = pair[CORNERS, axis], pair[CORNERS + 1, axis], pair[CORNERS + 2, axis]
    return max(min(min(one, two), three), -max(max(one, two), three)) - pair[HALF, axis]


def normal_gap(pair: Floats2) -> tuple[float, float, float]:
    """The gap along the normal of the triangle, times its length, the square of this length, and its scale."""
    normal = row(pair, ACROSS)
    reach = abs(normal[0]) * pair[HALF, 0] + abs(normal[1]) * pair[HALF, 1] + abs(normal[2]) * pair[HALF, 2]
    one, other = row(pair, SIDES), row(pair, SIDES + 1)
    return abs(dot(normal, row(pair, CORNERS))) - reach, dot(normal, normal), dot(one, one) * dot(other, other)


def edge_gap(pair: Floats2, i: int, k: int) -> tuple[float, float, float]:
    """The gap along the cross product of an axis of the box and a side, as `normal_gap`."""
    # Coordinate i of A_i x E_k is zero, and the other two are those of E_k, exchanged, one with opposite sign.
    following, last = (i + 1) % 3, (i + 2) % 3
    run, rise = pair[SIDES + k, following], pair[SIDES + k, last]
    # Both ends of the edge project to one point. Move it to the middle between them and the opposite corner.
    opposite = pair[ACROSS, i] / 2.0
    gap = abs(run * pair[CORNERS + k, last] - rise * pair[CORNERS + k, following] + opposite) - abs(opposite)
    gap -= abs(rise) * pair[HALF, following] + abs(run) * pair[HALF, last]
    square = run * run + rise * rise
    return gap, square, square + pair[SIDES + k, i] * pair[SIDES + k, i]


def axis_of(pair: Floats2, code: int) -> Vector:
    """The unit axis of a code, in the box's frame and in any direction."""
    if code < NORMAL:
        return 1.0 if code == 0 else 0.0, 1.0 if code == 1 else 0.0, 1.0 if code == 2 else 0.0
    if code == NORMAL:
        return unit(row(pair, ACROSS))
    i, x, y, z = (code - EDGES) // 3, 0.0, 0.0, 0.0
    side = row(pair, SIDES + (code - EDGES) % 3)
    if i == 0:
        y, z = -side[2], side[1]
    elif i == 1:
        z, x = -side[0], side[2]
    else:
        x, y = -side[1], side[0]
    return unit((x, y, z))


def to_world(a: BoxRows, i: int, axis: Vector) -> Vector:
    """Transform a vector from the box's frame to world axes."""
    return (
        a.turn[i, 0, 0] * axis[0] + a.turn[i, 0, 1] * axis[1] + a.turn[i, 0, 2] * axis[2],
        a.turn[i, 1, 0] * axis[0] + a.turn[i, 1, 1] * axis[1] + a.turn[i, 1, 2] * axis[2],
        a.turn[i, 2, 0] * axis[0] + a.turn[i, 2, 1] * axis[1] + a.turn[i, 2, 2] * axis[2],
    )


def features_of(axis: Vector, code: int, forward: bool) -> Features:
    """The features of an axis from A to B, in the box's frame. For parallel edges of the box, the first one."""
    if code < NORMAL:
        return FACE, 2 * code + (1 if forward else 0), -1, -1
    if code == NORMAL:
        return -1, -1, FACE, 1 if forward else 0
    i, x, y, z = (code - EDGES) // 3, axis[0] > 0.0, axis[1] > 0.0, axis[2] > 0.0
    edge = box_edge(i, y if i == 0 else z if i == 1 else x, z if i == 0 else x if i == 1 else y, True)
    return EDGE, edge, EDGE, (code - EDGES) % 3
