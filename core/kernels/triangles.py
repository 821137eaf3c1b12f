# SPDX-License-Identifier: GPL-3.0-or-later
"""Two triangles: whether they meet, and how far apart they are.

Triangles meet by the eleven axes of Ericson, "Real-Time Collision Detection", 2005, 5.2.10. Their distance is that of
their nearest edges, or of a corner over a face. No function here decides a case within rounding. A triangle is given by
its corners, or its sides, the rows of an array (3, 3).
"""

from math import inf, sqrt

from ..numerics.tolerances import AXIS_DOUBT, EPS, NEAR_PARALLEL, PARALLEL
from .arrays import Floats2, Vector
from .vectors import cross, dot, minus, moved, put, row, scaled

# Rounding error of the squared distance of nearly parallel edges, as a fraction of the square of the longest.
_PARALLEL_EDGES = 4.0 * EPS
# Separation of two triangles: by the plane of one of them, or by two edges.
BY_FACE, BY_EDGES = -2.0, -1.0


def sides_of(corners: Floats2, sides: Floats2) -> float:
    """Compute the sides of a triangle. Return the square of the longest."""
    longest = 0.0
    for n in range(3):
        side = minus(row(corners, (n + 1) % 3), row(corners, n))
        put(sides, n, side)
        longest = max(longest, dot(side, side))
    return longest


def meet(p: Floats2, q: Floats2, sides: Floats2, others: Floats2, rounding: float) -> float:
    """Return 1 if two triangles surely meet, `BY_FACE` or `BY_EDGES` if they surely do not, and 0 within rounding.

    Both are negative, and tell what separates the triangles. `sides` and `others` are written: the sides of `p` and of
    `q`. See also `triangle_pairs`.
    """
    return beyond(p, q, sides, others, AXIS_DOUBT * (sqrt(sides_of(p, sides)) + sqrt(sides_of(q, others))) + rounding)


def beyond(p: Floats2, q: Floats2, sides: Floats2, others: Floats2, doubt: float) -> float:
    """Return as `meet` does, but 1 only if two triangles penetrate each other by more than `doubt`."""
    sides_of(p, sides)
    sides_of(q, others)
    # Each axis must show an overlap, and no axis may have lost too many digits.
    sure, axes = True, 0
    for n in range(2):
        square, scale, gap = beyond_face(p, sides, q) if n == 0 else beyond_face(q, others, p)
        if square <= NEAR_PARALLEL * scale:
            sure = sure and square <= PARALLEL * scale
            continue
        if gap * gap > doubt * doubt * square and gap > 0.0:
            return BY_FACE
        sure = sure and gap < 0.0 and gap * gap > doubt * doubt * square
        axes += 1
    across_p, across_q = cross(row(sides, 0), row(sides, 1)), cross(row(others, 0), row(others, 1))
    for k in range(9):
        square, scale, gap = beyond_edges(p, q, sides, others, across_p, across_q, k // 3, k % 3)
        if square <= NEAR_PARALLEL * scale:
            sure = sure and square <= PARALLEL * scale
            continue
        if gap * gap > doubt * doubt * square and gap > 0.0:
            return BY_EDGES
        sure = sure and gap < 0.0 and gap * gap > doubt * doubt * square
        axes += 1
    return 1.0 if sure and axes > 0 else 0.0


def beyond_face(corners: Floats2, sides: Floats2, other: Floats2) -> tuple[float, float, float]:
    """The square of the normal of a triangle, its scale for comparison, and how far another one is off its plane.

    The latter is multiplied by the length of the normal.
    """
    normal = cross(row(sides, 0), row(sides, 1))
    low, high = inf, -inf
    for k in range(3):
        height = dot(normal, minus(row(other, k), row(corners, 0)))
        low, high = min(low, height), max(high, height)
    scale = dot(row(sides, 0), row(sides, 0)) * dot(row(sides, 1), row(sides, 1))
    return dot(normal, normal), scale, max(low, -high)


def beyond_edges(
    p: Floats2, q: Floats2, sides: Floats2, others: Floats2, across_p: Vector, across_q: Vector, i: int, j: int
) -> tuple[float, float, float]:
    """The square of the cross product of two edges, its scale for comparison, and the gap along it.

    The gap is multiplied by the length of the cross product. `across_p` and `across_q` are normals of the triangles:
    the cross products of their first two sides.
    """
    u, v = row(sides, i), row(others, j)
    axis = cross(u, v)
    # Along the axis, the corner opposite to E_i is lower than its ends by N_A · F_j. The corner opposite to F_j is
    # higher than its ends by N_B · E_i. Half of it shifts the center of the interval, and half is its half-width.
    rise, opposite = 0.5 * dot(across_q, u), 0.5 * dot(across_p, v)
    gap = dot(axis, minus(row(q, j), row(p, i)))
    gap = abs(gap + rise + opposite) - abs(rise) - abs(opposite)
    return dot(axis, axis), dot(u, u) * dot(v, v), gap


def distance(p: Floats2, q: Floats2, sides: Floats2, others: Floats2) -> tuple[float, float]:
    """Return the squared distance of two triangles, and a bound of its increase by rounding.

    The latter is for nearly parallel edges. `sides` and `others` are written: the sides of `p` and of `q`.
    """
    longest = max(sides_of(p, sides), sides_of(q, others))
    least = inf
    for i in range(3):
        for j in range(3):
            least = min(least, _between_edges(row(p, i), row(sides, i), row(q, j), row(others, j)))
    least = min(least, _over_face(p, q, others))
    least = min(least, _over_face(q, p, sides))
    return least, _PARALLEL_EDGES * longest


def _between_edges(start: Vector, u: Vector, other: Vector, v: Vector) -> float:
    """Squared distance of two edges, each from a corner on (Ericson, 5.1.9)."""
    shift = minus(start, other)
    uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
    along, across = dot(u, shift), dot(v, shift)
    area = uu * vv - uv * uv
    s = min(max((uv * across - along * vv) / area, 0.0), 1.0) if area > 0.0 else 0.0
    t = (uv * s + across) / vv if vv > 0.0 else -1.0
    if t < 0.0 or t > 1.0:
        t = min(max(t, 0.0), 1.0)
        s = min(max((uv * t - along) / uu, 0.0), 1.0) if uu > 0.0 else 0.0
    gap = minus(moved(shift, u, s), scaled(t, v))
    return dot(gap, gap)


def _over_face(corners: Floats2, face: Floats2, sides: Floats2) -> float:
    """Smallest squared height of the corners of a triangle that are over a face.

    Zero if one of its edges pierces it.
    """
    normal = cross(row(sides, 0), row(sides, 1))
    size, least, before = sqrt(dot(normal, normal)), inf, 0.0
    if size == 0.0:
        return least
    normal = normal[0] / size, normal[1] / size, normal[2] / size
    for n in range(4):
        corner = row(corners, n % 3)
        height = dot(normal, minus(corner, row(face, 0)))
        if n < 3 and _over(corner, face, sides, normal):
            least = min(least, height * height)
        if n > 0 and (before < 0.0) != (height < 0.0) and before != height:
            share = height / (before - height)
            back = minus(row(corners, n - 1), corner)
            if _over(moved(corner, back, -share), face, sides, normal):
                return 0.0
        before = height
    return least


def _over(point: Vector, face: Floats2, sides: Floats2, normal: Vector) -> bool:
    """Whether a point is within the prism over a face, along its normal."""
    for k in range(3):
        if dot(cross(row(sides, k), minus(point, row(face, k))), normal) < 0.0:
            return False
    return True
