# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boxes by the fifteen axes of Lee 2018, section 13.4.

The three axes of A, the three axes of B and their nine cross products are tested in A's frame. There the projections
on A's axes are coordinates (Gottschalk, Lin and Manocha, "OBBTree", 1996; Ericson, "Real-Time Collision Detection",
section 4.4.1). For boxes that overlap, the largest gap of the fifteen is minus the penetration depth, because A - B has
no other facets. Codes of the axes: 0 to 2 the faces of A, 3 to 5 the faces of B, from 6 the edges of A times the edges
of B.
"""

from math import inf, sqrt

from ..numerics.tolerances import AXIS_DOUBT, AXIS_PREFERENCE
from .arrays import Bools1, Floats1, Floats2, Ints1, Ints2, Vector, floats1, floats2
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
from .exact import exact_cross
from .loading import kernel
from .vectors import cross, divided, dot, greatest_coordinate, length, minus, put, row, scaled

# Codes of the first axes of edges, and the number of axes.
EDGES, COUNT = 6, 15

# Rows of the data of a pair: the axes of B in A's frame, ``A_i · B_j``, and their absolute values, three rows each; the
# vector from A's center to B's in the frames of A and of B; the half extents of A and of B.
TURN, REACH, SHIFT_A, SHIFT_B, HALF_A, HALF_B, ROWS = 0, 3, 6, 7, 8, 9, 10


@kernel
def overlaps(a: BoxRows, rows_a: Ints1, b: BoxRows, rows_b: Ints1, overlap: Bools1) -> tuple[int, int, int]:
    """Decide whether the boxes of each pair have a point in common: by faces, then edges, then exactly.

    Parameters
    ----------
    a, b : BoxRows
    rows_a, rows_b : (P,) int64
        The boxes of each pair.
    overlap : (P,) bool
        Written.

    Returns
    -------
    by_faces, by_edges, exactly : int
        Number of pairs that each of the three has decided.
    """
    pair = floats2(ROWS, 3)
    by_faces, by_edges, exactly = 0, 0, 0
    for at in range(len(rows_a)):
        i, j = rows_a[at], rows_b[at]
        _, _, bound = load(a, i, b, j, pair)
        most = -inf
        for k in range(EDGES):
            most = max(most, face_gap(pair, k))
            if most > bound:
                break
        if most > bound:
            overlap[at] = False
            by_faces += 1
            continue
        beyond, ill = -inf, False
        for k in range(9):
            gap, square = edge_gap(pair, k // 3, k % 3)
            if is_parallel(square, 1.0):
                ill = ill or is_oblique(square, 1.0)
                continue
            beyond = max(beyond, squared(gap, square))
            if beyond > bound * bound:
                break
        most = max(most, unsquared(beyond))
        if most > bound or (most < -bound and not ill):
            overlap[at] = most <= 0.0
            by_edges += 1
            continue
        gap, _, _ = exact_axis(a, i, b, j, AXIS_PREFERENCE, pair)
        overlap[at] = gap <= contact_gap(a, i, b, j)
        exactly += 1
    return by_faces, by_edges, exactly


@kernel
def separating_axes(
    a: BoxRows,
    rows_a: Ints1,
    b: BoxRows,
    rows_b: Ints1,
    preference: float,
    gap: Floats1,
    axis: Floats2,
    feature_a: Ints2,
    feature_b: Ints2,
    slack: Floats1,
) -> None:
    """Find the axis with the largest gap of each pair.

    Parameters
    ----------
    a, b : BoxRows
    rows_a, rows_b : (P,) int64
        The boxes of each pair.
    preference : float
        A fraction of the size: an axis must be better than each axis before it by more.
    gap, axis, feature_a, feature_b : (P,) float64, (P, 3) float64, (P, 2) int64, (P, 2) int64
        The fields of `collision_kit.core.results.Separations`, which are written.
    slack : (P,) float64
        Written: the largest gap that counts as contact.
    """
    pair = floats2(ROWS, 3)
    for at in range(len(rows_a)):
        i, j = rows_a[at], rows_b[at]
        found, way, features = best_axis(a, i, b, j, preference, pair)
        gap[at], slack[at] = found, contact_gap(a, i, b, j)
        put(axis, at, way)
        write_features(feature_a, feature_b, at, features)


def best_axis(a: BoxRows, i: int, b: BoxRows, j: int, preference: float, pair: Floats2) -> Best:
    """The axis with the largest gap. `pair` is room for `ROWS` rows."""
    apart, extent, bound = load(a, i, b, j, pair)
    margin = preference * extent
    faces, code, score = -inf, 0, -inf
    for k in range(EDGES):
        value = face_gap(pair, k)
        if value - margin * k > score:
            faces, code, score = value, k, value - margin * k
    edges, edge, ill = -inf, 0, False
    for k in range(9):
        value, square = edge_gap(pair, k // 3, k % 3)
        if is_parallel(square, 1.0):
            ill = ill or is_oblique(square, 1.0)
            continue
        value = squared(value, square)
        if value > edges:
            edges, edge = value, k
    edges = unsquared(edges)
    gap = faces
    if edges > faces + margin:
        gap, code = edges, EDGES + edge
    # A preferred axis without a gap may have won over an axis with a gap.
    bound = max(bound, margin * (EDGES + 1.0))
    if ill or is_doubtful(gap, faces, edges, bound, margin, extent, preference < AXIS_DOUBT):
        return exact_axis(a, i, b, j, preference, pair)
    axis = axis_of(a, i, b, j, code)
    if code >= EDGES:
        # Of edges that are not perpendicular, the gap along the cross product loses digits, and so does the axis. The
        # gap along the axis as returned has all its digits.
        gap = abs(dot(axis, apart)) - extent_along(a, i, axis) - extent_along(b, j, axis)
    forward = dot(axis, apart) >= 0.0
    return gap, axis if forward else scaled(-1.0, axis), features_of(pair, code, forward)


def exact_axis(a: BoxRows, i: int, b: BoxRows, j: int, preference: float, pair: Floats2) -> Best:
    """Return the same as `best_axis`, with full projections and with exact cross products. The pair is loaded."""
    axes, gaps = floats2(COUNT, 3), floats1(COUNT)
    none = 0.0, 0.0, 0.0
    apart = minus(row(b.center, j), row(a.center, i))
    for k in range(COUNT):
        if k < 3:
            axis = column(a.turn, i, k)
        elif k < EDGES:
            axis = column(b.turn, j, k - 3)
        else:
            one, other = column(a.turn, i, (k - EDGES) // 3), column(b.turn, j, (k - EDGES) % 3)
            axis = exact_cross(one, none, other, none)
            axis = unit(axis) if is_oblique(dot(axis, axis), 1.0) else none
        gap = abs(dot(axis, apart)) - extent_along(a, i, axis) - extent_along(b, j, axis)
        write_axis(axes, gaps, k, axis, gap)
    size = length(row(a.half, i)) + length(row(b.half, j))
    code = chosen(gaps, COUNT, EDGES, preference * size, contact_gap(a, i, b, j))
    axis = row(axes, code)
    forward = dot(axis, apart) >= 0.0
    return gaps[code], axis if forward else scaled(-1.0, axis), features_of(pair, code, forward)


def contact_gap(a: BoxRows, i: int, b: BoxRows, j: int) -> float:
    """The largest gap of a pair that counts as contact."""
    size = length(row(a.half, i)) + length(row(b.half, j))
    return rounding(size, max(length(row(a.center, i)), length(row(b.center, j))))


def load(a: BoxRows, i: int, b: BoxRows, j: int, pair: Floats2) -> tuple[Vector, float, float]:
    """Write the data of a pair.

    Returns the vector from A's center to B's, the size, and a bound of the rounding error of gaps.
    """
    half_a, half_b = row(a.half, i), row(b.half, j)
    put(pair, HALF_A, half_a)
    put(pair, HALF_B, half_b)
    place_a, place_b = row(a.center, i), row(b.center, j)
    apart = minus(place_b, place_a)
    for m in range(3):
        pair[SHIFT_B, m] = dot(column(b.turn, j, m), apart)
    for k in range(3):
        axis = column(a.turn, i, k)
        pair[SHIFT_A, k] = dot(axis, apart)
        for m in range(3):
            cosine = dot(axis, column(b.turn, j, m))
            pair[TURN + k, m], pair[REACH + k, m] = cosine, abs(cosine)
    # The radius of a box's bounding sphere, as in the statement about `tolerances.AXIS_NAMED`.
    extent = sqrt(dot(half_a, half_a)) + sqrt(dot(half_b, half_b))
    size = half_a[0] + half_a[1] + half_a[2] + half_b[0] + half_b[1] + half_b[2]
    return apart, extent, doubt(size, max(greatest_coordinate(place_a), greatest_coordinate(place_b)))


def face_gap(pair: Floats2, code: int) -> float:
    """The gap along the normal of a face."""
    if code < 3:
        reach = dot(row(pair, REACH + code), row(pair, HALF_B))
        return abs(pair[SHIFT_A, code]) - pair[HALF_A, code] - reach
    m = code - 3
    reach = 0.0
    for k in range(3):
        reach += pair[REACH + k, m] * pair[HALF_A, k]
    return abs(pair[SHIFT_B, m]) - pair[HALF_B, m] - reach


def edge_gap(pair: Floats2, i: int, j: int) -> tuple[float, float]:
    """The gap along the cross product of two axes, times its length, and the square of this length."""
    # Coordinate i of A_i x B_j is zero, and the other two are those of B_j, exchanged, one with opposite sign.
    following, last = (i + 1) % 3, (i + 2) % 3
    middle, end = (j + 1) % 3, (j + 2) % 3
    turn, other = pair[TURN + following, j], pair[TURN + last, j]
    gap = abs(turn * pair[SHIFT_A, last] - other * pair[SHIFT_A, following])
    gap -= pair[REACH + following, j] * pair[HALF_A, last] + pair[REACH + last, j] * pair[HALF_A, following]
    gap -= pair[REACH + i, middle] * pair[HALF_B, end] + pair[REACH + i, end] * pair[HALF_B, middle]
    return gap, turn * turn + other * other


def extent_along(boxes: BoxRows, at: int, axis: Vector) -> float:
    """Return how far a box extends from its center along an axis."""
    extent = 0.0
    for k in range(3):
        extent += abs(dot(column(boxes.turn, at, k), axis)) * boxes.half[at, k]
    return extent


def axis_of(a: BoxRows, i: int, b: BoxRows, j: int, code: int) -> Vector:
    """The unit axis of a code in any direction."""
    if code < 3:
        return column(a.turn, i, code)
    if code < EDGES:
        return column(b.turn, j, code - 3)
    axis = cross(column(a.turn, i, (code - EDGES) // 3), column(b.turn, j, (code - EDGES) % 3))
    return divided(axis, sqrt(dot(axis, axis)))


def features_of(pair: Floats2, code: int, forward: bool) -> Features:
    """The features of an axis. `forward` is whether the direction of its code is from A to B."""
    if code < 3:
        return FACE, 2 * code + (1 if forward else 0), -1, -1
    if code < EDGES:
        return -1, -1, FACE, 2 * (code - 3) + (0 if forward else 1)
    # In A's frame, A_i x B_j is B_j rotated by 90 degrees about axis i. In B's frame, it is A_i rotated about axis j.
    i, j = (code - EDGES) // 3, (code - EDGES) % 3
    following, last = pair[TURN + (i + 1) % 3, j] > 0.0, pair[TURN + (i + 2) % 3, j] > 0.0
    middle, end = pair[TURN + i, (j + 1) % 3] > 0.0, pair[TURN + i, (j + 2) % 3] > 0.0
    return EDGE, box_edge(i, not last, following, forward), EDGE, box_edge(j, end, not middle, not forward)
