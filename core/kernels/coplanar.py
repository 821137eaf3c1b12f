# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that lie in one plane, face the same way and overlap.

Two such faces are drawn at the same depth, so that they flicker. One triangle is clipped by the sides of the other and
by two planes parallel to it (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).
"""

from math import sqrt

from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats2, ints1
from .loading import kernel
from .rays import Surfaces
from .vectors import corner, cross, dot, minus, moved, row, scaled

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# A triangle that is clipped by five planes has at most eight corners.
CORNERS = 8


@kernel
def near(surfaces: Surfaces, box: Floats2, begin: int, found: Ints2) -> tuple[int, int]:
    """Find the triangles of meshes whose boxes overlap a box, until the output is full.

    Parameters
    ----------
    surfaces : Surfaces
    box : (R, 6) float64
        Lower and upper bounds in the frame of each mesh.
    begin : int
        The first row.
    found : (K, 2) int64
        Written: the row and the triangle.

    Returns
    -------
    next : int
        The first row that is not finished.
    count : int
        The number of triangles found.
    """
    nodes = ints1(_DEPTH)
    count = 0
    for at in range(begin, len(box)):
        root, leaf, leaves = surfaces.rows[at, 0], surfaces.rows[at, 1], surfaces.rows[at, 3]
        first, top, nodes[0] = count, 1, 0
        while top > 0:
            top -= 1
            node = nodes[top]
            if _apart(surfaces.span, root + node, box, at):
                continue
            if node + 1 < leaves:
                nodes[top], nodes[top + 1] = 2 * node + 1, 2 * node + 2
                top += 2
                continue
            number = surfaces.leaf[leaf + node + 1 - leaves]
            if number < 0:
                continue
            if count == len(found):
                return at, first
            found[count, 0], found[count, 1] = at, number
            count += 1
    return len(box), count


def _apart(span: Floats2, node: int, box: Floats2, at: int) -> bool:
    """Whether a node's box and a box are disjoint. A node has its lower bounds and its negated upper bounds."""
    return (
        span[node, 0] > box[at, 3]
        or span[node, 1] > box[at, 4]
        or span[node, 2] > box[at, 5]
        or -span[node, 3] < box[at, 0]
        or -span[node, 4] < box[at, 1]
        or -span[node, 5] < box[at, 2]
    )


@kernel
def overlaps(
    corners_a: Floats3,
    of_a: Ints1,
    corners_b: Floats3,
    of_b: Ints1,
    tolerance: Floats1,
    begin: int,
    found: Ints2,
    outline: Floats3,
    count_of: Ints1,
    area: Floats1,
) -> tuple[int, int]:
    """Find the triangles of A and of B in each pair that overlap in one plane, until the output is full.

    Parameters
    ----------
    corners_a, corners_b : (M, 3, 3), (N, 3, 3) float64
        Triangles of each pair, grouped by pair, ordered by smallest x.
    of_a, of_b : (P + 1,) int64
        First triangle of each pair, and the end.
    tolerance : (P,) float64
        Distance from a common plane up to which triangles are coplanar. A narrower overlap does not count.
    begin : int
        The first pair.
    found : (K, 3) int64
        Written: the pair, the triangle of A and the triangle of B.
    outline : (K, 8, 3) float64
        Written: the corners of the overlap, on the triangle of A.
    count_of : (K,) int64
        Written: the number of these corners.
    area : (K,) float64
        Written: the area of the overlap.

    Returns
    -------
    next : int
        The first pair that is not finished.
    count : int
        The number of overlaps found.
    """
    ring, spare = floats2(CORNERS, 3), floats2(CORNERS, 3)
    count = 0
    for pair in range(begin, len(tolerance)):
        first, level = count, tolerance[pair]
        widest = 0.0
        for j in range(of_b[pair], of_b[pair + 1]):
            widest = max(widest, _most(corners_b, j) - _least(corners_b, j))
        start = of_b[pair]
        for i in range(of_a[pair], of_a[pair + 1]):
            low, high = _least(corners_a, i) - level, _most(corners_a, i) + level
            # Triangles of B that begin this far below also end below.
            while start < of_b[pair + 1] and _least(corners_b, start) < low - widest:
                start += 1
            a, b, c = corner(corners_a, i, 0), corner(corners_a, i, 1), corner(corners_a, i, 2)
            across = cross(minus(b, a), minus(c, a))
            size = sqrt(dot(across, across))
            if size == 0.0:
                continue
            normal = scaled(1.0 / size, across)
            j = start
            while j < of_b[pair + 1] and _least(corners_b, j) <= high:
                if _most(corners_b, j) >= low:
                    size, used = _overlap(corners_a, i, corners_b, j, normal, level, ring, spare)
                    if size > 0.0:
                        if count == len(found):
                            return pair, first
                        found[count, 0], found[count, 1], found[count, 2] = pair, i, j
                        area[count] = size
                        count_of[count] = used
                        _keep(ring, used, a, normal, outline, count)
                        count += 1
                j += 1
    return len(tolerance), count


def _least(corners: Floats3, at: int) -> float:
    """The smallest x of a triangle."""
    return min(min(corners[at, 0, 0], corners[at, 1, 0]), corners[at, 2, 0])


def _most(corners: Floats3, at: int) -> float:
    """The largest x of a triangle."""
    return max(max(corners[at, 0, 0], corners[at, 1, 0]), corners[at, 2, 0])


def _overlap(
    corners_a: Floats3,
    i: int,
    corners_b: Floats3,
    j: int,
    normal: Vector,
    level: float,
    ring: Floats2,
    spare: Floats2,
) -> tuple[float, int]:
    """The area in which a triangle of B overlaps one of A in its plane, or 0, and the number of its corners.

    The corners are left in `ring`.
    """
    a = corner(corners_a, i, 0)
    b, c, d = corner(corners_b, j, 0), corner(corners_b, j, 1), corner(corners_b, j, 2)
    other = cross(minus(c, b), minus(d, b))
    if dot(other, normal) <= 0.0:
        return 0.0, 0
    high = max(max(dot(minus(b, a), normal), dot(minus(c, a), normal)), dot(minus(d, a), normal))
    low = min(min(dot(minus(b, a), normal), dot(minus(c, a), normal)), dot(minus(d, a), normal))
    if low > level or high < -level:
        return 0.0, 0
    for k in range(3):
        for axis in range(3):
            ring[k, axis] = corners_b[j, k, axis]
    count = 3
    for k in range(3):
        start, end = corner(corners_a, i, k), corner(corners_a, i, (k + 1) % 3)
        inward = cross(normal, minus(end, start))
        count = _clipped(ring, count, spare, inward, dot(inward, start))
        if count < 3:
            return 0.0, 0
    down = scaled(-1.0, normal)
    count = _clipped(ring, count, spare, down, dot(down, a) - level)
    count = _clipped(ring, count, spare, normal, dot(normal, a) - level)
    if count < 3:
        return 0.0, 0
    first, twice, around = row(ring, 0), 0.0, 0.0
    for k in range(count):
        here, after = row(ring, k), row(ring, (k + 1) % count)
        twice += dot(cross(minus(here, first), minus(after, first)), normal)
        side = minus(after, here)
        around += sqrt(dot(side, side))
    # The width of a sliver is about its area over half of its perimeter.
    if twice <= level * around or twice <= 0.0:
        return 0.0, 0
    return twice / 2.0, count


def _clipped(ring: Floats2, count: int, spare: Floats2, inward: Vector, least: float) -> int:
    """Clip a polygon to the half-plane ``inward · x >= least``. Returns the new number of corners, at most one more."""
    kept = 0
    for k in range(count):
        here, after = row(ring, k), row(ring, (k + 1) % count)
        gap, following = dot(inward, here) - least, dot(inward, after) - least
        if gap >= 0.0 and kept < CORNERS:
            for axis in range(3):
                spare[kept, axis] = ring[k, axis]
            kept += 1
        if (gap > 0.0 and following < 0.0) or (gap < 0.0 and following > 0.0):
            place = moved(here, minus(after, here), gap / (gap - following))
            if kept < CORNERS:
                spare[kept, 0], spare[kept, 1], spare[kept, 2] = place[0], place[1], place[2]
                kept += 1
    for k in range(kept):
        for axis in range(3):
            ring[k, axis] = spare[k, axis]
    return kept


def _keep(ring: Floats2, count: int, a: Vector, normal: Vector, outline: Floats3, at: int) -> None:
    """Write the corners of an overlap, moved onto the plane of A's triangle; unused corners repeat the first."""
    for k in range(CORNERS):
        here = row(ring, k if k < count else 0)
        on = moved(here, normal, -dot(minus(here, a), normal))
        outline[at, k, 0], outline[at, k, 1], outline[at, k, 2] = on[0], on[1], on[2]
