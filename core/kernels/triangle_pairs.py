# SPDX-License-Identifier: GPL-3.0-or-later
"""Two triangles by the eleven axes of Ericson 2005, 5.2.10, and the directions within a common plane.

For triangles in different planes, the two normals and the nine cross products of edges decide. For triangles in one
plane, or nearly in one plane, all these axes have the same direction and cannot separate them. Then the directions
between vertices and edges within the plane decide, as they do for triangles without area. Touching is contact. A vertex
inside the other triangle needs no separate test, because then no axis has a gap. Codes of the axes: the normal of A,
the normal of B, from 2 the edges of A times the edges of B.
"""

from math import inf, sqrt

from ..numerics.tolerances import AXIS_DOUBT, AXIS_PREFERENCE
from .arrays import Bools1, Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, floats2, ints1
from .axes import (
    EDGE,
    FACE,
    VERTEX,
    Best,
    Features,
    chosen,
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
from .triangle_features import exact_normal, exact_sides, longest_side, renamed, sorted_into
from .triangles import BY_FACE, beyond_edges, beyond_face, meet, sides_of
from .vectors import (
    corner,
    cross,
    dot,
    greatest_coordinate,
    length,
    minus,
    perpendicular,
    perpendicular_part,
    put,
    row,
    scaled,
)

# The code of the first edges, and number of axes.
EDGES, COUNT = 2, 11
# Candidates for a direction between the closest points: two corners, an edge of A and a corner of B, and the reverse.
CLOSEST = 27


@kernel
def overlaps(a: Floats3, rows_a: Ints1, b: Floats3, rows_b: Ints1, overlap: Bools1) -> tuple[int, int, int]:
    """Decide whether the triangles of each pair have a point in common; see `boxes.overlaps`.

    `a` (N, 3, 3) and `b` (M, 3, 3) are the corners of the triangles.
    """
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    by_faces, by_edges, exactly = 0, 0, 0
    for at in range(len(rows_a)):
        i, j = rows_a[at], rows_b[at]
        offset = load(a, i, b, j, p, q)
        found = meet(p, q, sides, others, doubt(0.0, offset))
        if found == 0.0:
            gap, _, _ = exact_axis(a, i, b, j, AXIS_PREFERENCE)
            overlap[at] = gap <= contact_gap(a, i, b, j)
            exactly += 1
        else:
            overlap[at] = found > 0.0
            by_faces += 1 if found == BY_FACE else 0
            by_edges += 0 if found == BY_FACE else 1
    return by_faces, by_edges, exactly


@kernel
def separating_axes(
    a: Floats3,
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

    `a` (N, 3, 3) and `b` (M, 3, 3) are the corners of the triangles.
    """
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    for at in range(len(rows_a)):
        i, j = rows_a[at], rows_b[at]
        found, way, features = best_axis(a, i, b, j, preference, p, q, sides, others)
        gap[at], slack[at] = found, contact_gap(a, i, b, j)
        put(axis, at, way)
        write_features(feature_a, feature_b, at, features)


def best_axis(
    a: Floats3,
    i: int,
    b: Floats3,
    j: int,
    preference: float,
    p: Floats2,
    q: Floats2,
    sides: Floats2,
    others: Floats2,
) -> Best:
    """The axis with the largest gap. `p`, `q`, `sides` and `others` are room for three rows each."""
    offset = load(a, i, b, j, p, q)
    extent = sqrt(sides_of(p, sides)) + sqrt(sides_of(q, others))
    margin = preference * extent
    faces, code, score, ill = -inf, 0, -inf, False
    for k in range(EDGES):
        square, scale, value = beyond_face(p, sides, q) if k == 0 else beyond_face(q, others, p)
        if is_parallel(square, scale):
            ill = ill or is_oblique(square, scale)
            continue
        value = unsquared(squared(value, square))
        if value - margin * k > score:
            faces, code, score = value, k, value - margin * k
    edges, edge = -inf, 0
    across_p, across_q = cross(row(sides, 0), row(sides, 1)), cross(row(others, 0), row(others, 1))
    for k in range(9):
        square, scale, value = beyond_edges(p, q, sides, others, across_p, across_q, k // 3, k % 3)
        if is_parallel(square, scale):
            ill = ill or is_oblique(square, scale)
            continue
        value = squared(value, square)
        if value > edges:
            edges, edge = value, k
    edges = unsquared(edges)
    if edges > faces + margin:
        code = EDGES + edge
    if faces == -inf and edges == -inf:
        return exact_axis(a, i, b, j, preference)
    axis = across_p if code == 0 else across_q
    if code >= EDGES:
        axis = cross(row(sides, edge // 3), row(others, edge % 3))
    axis = unit(axis)
    gap, forward = gap_along(p, q, axis)
    # A preferred axis without a gap may have won over an axis with a gap.
    bound = max(doubt(extent, offset), margin * (EDGES + 1.0))
    if ill or is_doubtful(gap, faces, edges, bound, margin, extent, preference < AXIS_DOUBT):
        return exact_axis(a, i, b, j, preference)
    return gap, axis if forward else scaled(-1.0, axis), features_of(code, forward)


def exact_axis(a: Floats3, i: int, b: Floats3, j: int, preference: float) -> Best:
    """Return the same as `best_axis`, with exact cross products and, if none of these axes has a gap, more axes.

    Collinear triangles that intersect get an axis perpendicular to their line, with their longest edges as features.
    Triangles in one point get the axis +Z.
    """
    axes, gaps = floats2(COUNT, 3), floats1(COUNT)
    order_a, order_b = ints1(3), ints1(3)
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    errors, lacking = floats2(3, 3), floats2(3, 3)
    sorted_into(a, i, order_a, p)
    sorted_into(b, j, order_b, q)
    exact_sides(p, sides, errors)
    exact_sides(q, others, lacking)
    none, flat = (0.0, 0.0, 0.0), True
    for k in range(COUNT):
        if k < EDGES:
            axis = exact_normal(sides, errors) if k == 0 else exact_normal(others, lacking)
        else:
            one, other = (k - EDGES) // 3, (k - EDGES) % 3
            u, v = row(sides, one), row(others, other)
            axis = exact_cross(u, row(errors, one), v, row(lacking, other))
            axis = unit(axis) if is_oblique(dot(axis, axis), dot(u, u) * dot(v, v)) else none
        flat = flat and axis[0] == 0.0 and axis[1] == 0.0 and axis[2] == 0.0
        gap, _ = gap_along(p, q, axis)
        write_axis(axes, gaps, k, axis, gap)
    if flat:
        axis = beside_the_line(sides, others)
        gap, _ = gap_along(p, q, axis)
        write_axis(axes, gaps, 0, axis, gap)
    slack, extent = contact_gap(a, i, b, j), longest_side(sides) + longest_side(others)
    code = chosen(gaps, COUNT, EDGES, preference * extent, slack)
    axis = row(axes, code)
    gap, forward = gap_along(p, q, axis)
    features = features_of(code, forward)
    if flat:
        kind_a = EDGE if longest_side(sides) > 0.0 else VERTEX
        kind_b = EDGE if longest_side(others) > 0.0 else VERTEX
        features = kind_a, longest_of(sides), kind_b, longest_of(others)
    axis = axis if forward else scaled(-1.0, axis)
    greatest = -inf
    for k in range(COUNT):
        greatest = max(greatest, gaps[k])
    if flat or abs(greatest) <= slack:
        # No axis has a gap. Triangles in one plane, or nearly so, may still be separated.
        most = max(slack, gap)
        for k in range(CLOSEST):
            way = closest_axis(p, q, sides, others, k)
            if way[0] == 0.0 and way[1] == 0.0 and way[2] == 0.0:
                continue
            value, forward = gap_along(p, q, way)
            if value > most:
                most = gap = value
                axis = way if forward else scaled(-1.0, way)
                features = closest_features(k)
    kind_a, index_a, kind_b, index_b = features
    return gap, axis, (kind_a, renamed(order_a, kind_a, index_a), kind_b, renamed(order_b, kind_b, index_b))


def load(a: Floats3, i: int, b: Floats3, j: int, p: Floats2, q: Floats2) -> float:
    """Write the corners of A and of B, relative to the first of A. Returns the greatest of their coordinates."""
    origin, offset = corner(a, i, 0), 0.0
    for k in range(3):
        one, other = corner(a, i, k), corner(b, j, k)
        offset = max(offset, max(greatest_coordinate(one), greatest_coordinate(other)))
        put(p, k, minus(one, origin))
        put(q, k, minus(other, origin))
    return offset


def contact_gap(a: Floats3, i: int, b: Floats3, j: int) -> float:
    """The largest gap of a pair that counts as contact."""
    longest, longest_other, offset = 0.0, 0.0, 0.0
    for k in range(3):
        one, other = corner(a, i, k), corner(b, j, k)
        longest = max(longest, length(minus(corner(a, i, (k + 1) % 3), one)))
        longest_other = max(longest_other, length(minus(corner(b, j, (k + 1) % 3), other)))
        offset = max(offset, max(length(one), length(other)))
    return rounding(longest + longest_other, offset)


def gap_along(p: Floats2, q: Floats2, axis: Vector) -> tuple[float, bool]:
    """The gap along a unit axis, or against it, and which of both."""
    # Differences of corners are accurate if the triangles are close, wherever they are.
    low, high = inf, -inf
    for i in range(3):
        for k in range(3):
            height = dot(axis, minus(row(q, k), row(p, i)))
            low, high = min(low, height), max(high, height)
    return max(low, -high), low >= -high


def features_of(code: int, forward: bool) -> Features:
    """The features of an axis. `forward` is whether the direction of its code is from A to B."""
    if code == 0:
        return FACE, 0 if forward else 1, -1, -1
    if code == 1:
        return -1, -1, FACE, 1 if forward else 0
    return EDGE, (code - EDGES) // 3, EDGE, (code - EDGES) % 3


def longest_of(sides: Floats2) -> int:
    """The first of the longest sides."""
    best = 0
    for k in range(1, 3):
        if dot(row(sides, k), row(sides, k)) > dot(row(sides, best), row(sides, best)):
            best = k
    return best


def beside_the_line(sides: Floats2, others: Floats2) -> Vector:
    """A unit vector perpendicular to the longest edge of a pair; +Z if all edges have length zero."""
    longest, other = row(sides, longest_of(sides)), row(others, longest_of(others))
    if dot(other, other) > dot(longest, longest):
        longest = other
    if dot(longest, longest) == 0.0:
        return 0.0, 0.0, 1.0
    return perpendicular(unit(longest))


def closest_axis(p: Floats2, q: Floats2, sides: Floats2, others: Floats2, which: int) -> Vector:
    """A direction between the closest points of coplanar triangles; zero if there is none.

    If A - B is flat or nearly flat, its facets show hardly any gap, however far apart the two are within their plane.
    The closest points lie on a corner, an edge or the face of each. These features determine the direction. For two
    corners it is their difference. For a corner and an edge it is the component of the difference that is perpendicular
    to the edge. Two edges give their cross product and a face its normal, but these are facets of A - B. The direction
    with the largest gap of all shows the distance.
    """
    one, other = which % 9 // 3, which % 3
    if which < 9:
        return unit(minus(row(q, other), row(p, one)))
    if which < 18:
        return perpendicular_part(minus(row(q, other), row(p, one)), row(sides, one))
    return perpendicular_part(minus(row(q, one), row(p, other)), row(others, one))


def closest_features(which: int) -> Features:
    """The features of `closest_axis`."""
    one, other = which % 9 // 3, which % 3
    if which < 9:
        return VERTEX, one, VERTEX, other
    if which < 18:
        return EDGE, one, VERTEX, other
    return VERTEX, other, EDGE, one
