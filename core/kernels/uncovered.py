# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of flat patches that no triangle covers.

A triangle covers the points that are over it, no higher and no deeper than a limit: a prism. The prisms of all
triangles near a patch are subtracted from it, one after the other, each of which leaves convex polygons (Sutherland and
Hodgman, "Reentrant polygon clipping", 1974). No triangle crosses what is left. The distance of a point from a triangle
is a convex function, so that on a convex polygon it is greatest at a corner.
"""

from math import inf, sqrt

from .arrays import Floats1, Floats2, Floats3, Ints1, Vector, floats1, floats2, ints1
from .loading import kernel
from .points import square_to_triangle
from .rays import Surfaces
from .vectors import corner, cross, dot, minus, moved, normalized, put, row, scaled

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Greatest numbers: of triangles near a patch, of polygons that remain of it, and of corners of each.
_MOST_NEAR, _MOST_POLYGONS, _MOST_CORNERS = 128, 64, 12
# The product of the last two.
_CORNERS = 768
# A cosine: triangles that are less inclined to the plane of a patch are subtracted first, as they cover most of it.
_LEVEL = 0.9
# Instead of a number of parts.
UNKNOWN, WHOLE = -1, -2
# Greatest number of triangles that remain of a patch.
MOST_LEFT = 64


@kernel
def uncovered(
    surfaces: Surfaces,
    patches: Floats3,
    limit: float,
    slack: float,
    begin: int,
    left: Floats3,
    count_of: Ints1,
    farthest: Floats1,
) -> tuple[int, int]:
    """Find the parts of patches that no triangle covers, until the output may be full.

    Parameters
    ----------
    surfaces : Surfaces
        One mesh, in row 0.
    patches : (P, 4, 3) float64
        Corners of flat, convex patches, in order.
    limit : float
        Up to this distance, triangles cover a point.
    slack : float
        By how much triangles are made wider, so that rounding leaves no gaps between them.
    begin : int
        The first patch.
    left : (K, 3, 3) float64
        Written: triangles that remain, grouped by patch.
    count_of : (P,) int64
        Written: the number of them for each patch. `WHOLE` if no triangle covers a part of the patch, `UNKNOWN` if it
        is near too many triangles, has too many parts, or is not wider than `slack`.
    farthest : (P,) float64
        Written: no point of the parts that were removed is farther from the triangles.

    Returns
    -------
    next : int
        The first patch that is not finished.
    count : int
        The number of triangles that remain.
    """
    near, nodes = ints1(_MOST_NEAR), ints1(_DEPTH)
    pool, sizes, sides = floats2(_CORNERS, 3), ints1(_MOST_POLYGONS), floats1(_MOST_CORNERS)
    ring, kept, away = floats2(_MOST_CORNERS, 3), floats2(_MOST_CORNERS, 3), floats2(_MOST_CORNERS, 3)
    count = 0
    for at in range(begin, len(patches)):
        if count + MOST_LEFT > len(left):
            return at, count
        count_of[at], farthest[at] = UNKNOWN, 0.0
        if _is_narrow(patches, at, slack):
            continue
        found = _near(surfaces, patches, at, limit, near, nodes)
        if found < 0:
            continue
        for k in range(4):
            put(pool, k, corner(patches, at, k))
        sizes[0], polygons, most = 4, 1, 0.0
        open_ = 1
        for attempt in range(2):
            # What is left between triangles is covered by wider ones.
            wider = slack if attempt == 0 else limit / 8.0
            for k in range(found):
                before = polygons
                for piece in range(before):
                    if polygons < 0 or sizes[piece] == 0:
                        continue
                    total = polygons
                    polygons, distance = _subtract(
                        surfaces.corners,
                        near[k],
                        limit,
                        slack,
                        wider,
                        pool,
                        sizes,
                        piece,
                        polygons,
                        ring,
                        kept,
                        away,
                        sides,
                    )
                    most = max(most, distance)
                    open_ += polygons - total
                    if sizes[piece] == 0:
                        open_ -= 1
                if polygons < 0 or open_ == 0:
                    break
            if polygons < 0 or open_ == 0:
                break
        if polygons < 0:
            continue
        if polygons == 1 and open_ == 1:
            count_of[at] = WHOLE
            continue
        first = count
        for piece in range(polygons):
            if sizes[piece] == 0:
                continue
            distance = _least(surfaces.corners, near, found, pool, piece, sizes[piece], limit)
            if distance <= limit:
                most = max(most, distance)
                continue
            for k in range(1, sizes[piece] - 1):
                if count - first == MOST_LEFT:
                    polygons = -1
                    break
                for axis in range(3):
                    left[count, 0, axis] = pool[piece * _MOST_CORNERS, axis]
                    left[count, 1, axis] = pool[piece * _MOST_CORNERS + k, axis]
                    left[count, 2, axis] = pool[piece * _MOST_CORNERS + k + 1, axis]
                count += 1
            if polygons < 0:
                break
        if polygons < 0:
            count = first
            continue
        count_of[at], farthest[at] = count - first, most
    return len(patches), count


def _is_narrow(patches: Floats3, at: int, slack: float) -> bool:
    """Whether a patch is not wider than rounding.

    The parts that remain of it may be as long as it is, however often it is halved.
    """
    area = cross(
        minus(corner(patches, at, 2), corner(patches, at, 0)), minus(corner(patches, at, 3), corner(patches, at, 1))
    )
    longest = 0.0
    for k in range(4):
        for m in range(k):
            side = minus(corner(patches, at, k), corner(patches, at, m))
            longest = max(longest, dot(side, side))
    return dot(area, area) <= slack * slack * longest


def _near(surfaces: Surfaces, patches: Floats3, at: int, limit: float, near: Ints1, nodes: Ints1) -> int:
    """Find the triangles that may be within the limit of a patch, the most parallel ones first.

    Returns their number, -1 if there are too many.
    """
    a, b, c, d = corner(patches, at, 0), corner(patches, at, 1), corner(patches, at, 2), corner(patches, at, 3)
    up = normalized(cross(minus(c, a), minus(d, b)))
    low_x, low_y, low_z = corner(patches, at, 0)
    high_x, high_y, high_z = low_x, low_y, low_z
    for k in range(1, 4):
        x, y, z = corner(patches, at, k)
        low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
        high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    root, leaf, first, leaves = surfaces.rows[0, 0], surfaces.rows[0, 1], surfaces.rows[0, 2], surfaces.rows[0, 3]
    nodes[0], top, count, level = 0, 1, 0, 0
    while top > 0:
        top -= 1
        node = nodes[top]
        span = root + node
        if (
            surfaces.span[span, 0] > high_x + limit
            or surfaces.span[span, 1] > high_y + limit
            or surfaces.span[span, 2] > high_z + limit
            or -surfaces.span[span, 3] < low_x - limit
            or -surfaces.span[span, 4] < low_y - limit
            or -surfaces.span[span, 5] < low_z - limit
        ):
            continue
        if node + 1 < leaves:
            nodes[top], nodes[top + 1] = 2 * node + 1, 2 * node + 2
            top += 2
            continue
        number = surfaces.leaf[leaf + node + 1 - leaves]
        if number < 0:
            continue
        number += first
        if _is_apart(surfaces.corners, number, patches, at, up, limit):
            continue
        if count == _MOST_NEAR:
            return -1
        near[count] = number
        count += 1
        p, q, r = (
            corner(surfaces.corners, number, 0),
            corner(surfaces.corners, number, 1),
            corner(surfaces.corners, number, 2),
        )
        if abs(dot(normalized(cross(minus(q, p), minus(r, p))), up)) > _LEVEL:
            near[count - 1], near[level] = near[level], number
            level += 1
    return count


def _is_apart(corners: Floats3, number: int, patches: Floats3, at: int, up: Vector, limit: float) -> bool:
    """Whether a triangle is farther than the limit above or below the plane of a patch, or outside one of its sides."""
    for plane in range(6):
        start, outward = corner(patches, at, 0), up
        if plane == 1:
            outward = scaled(-1.0, up)
        if plane >= 2:
            start = corner(patches, at, plane - 2)
            outward = normalized(cross(minus(corner(patches, at, plane - 1 if plane < 5 else 0), start), up))
        if (
            dot(outward, minus(corner(corners, number, 0), start)) > limit
            and dot(outward, minus(corner(corners, number, 1), start)) > limit
            and dot(outward, minus(corner(corners, number, 2), start)) > limit
        ):
            return True
    return False


def _subtract(
    corners: Floats3,
    number: int,
    limit: float,
    slack: float,
    wider: float,
    pool: Floats2,
    sizes: Ints1,
    piece: int,
    polygons: int,
    ring: Floats2,
    kept: Floats2,
    away: Floats2,
    sides: Floats1,
) -> tuple[int, float]:
    """Replace a polygon by its parts outside the prism of a triangle.

    Returns the number of polygons, -1 if there are too many, and the greatest distance of the removed part.
    """
    a, b, c = corner(corners, number, 0), corner(corners, number, 1), corner(corners, number, 2)
    across = cross(minus(b, a), minus(c, a))
    size = sqrt(dot(across, across))
    if size == 0.0:
        return polygons, 0.0
    normal = scaled(1.0 / size, across)
    count, begin, total = sizes[piece], piece * _MOST_CORNERS, polygons
    for k in range(count):
        put(ring, k, row(pool, begin + k))
    # So that rounding does not exceed the limit.
    height = max(limit - 2.0 * slack, limit / 2.0)
    for plane in range(5):
        start, inward, least = a, normal, -height
        if plane == 1:
            inward = scaled(-1.0, normal)
        if plane >= 2:
            end = b
            if plane == 3:
                start, end = b, c
            if plane == 4:
                start, end = c, a
            along = minus(end, start)
            inward = cross(normal, scaled(1.0 / sqrt(dot(along, along)), along))
            least = -wider
        inside, outside = _split(ring, count, start, inward, least, kept, away, sides)
        if inside < 0:
            return -1, 0.0
        if inside < 3:
            # The polygon is outside the prism: it stays as it was.
            return polygons, 0.0
        if outside >= 3:
            if total == _MOST_POLYGONS:
                return -1, 0.0
            for k in range(outside):
                put(pool, total * _MOST_CORNERS + k, row(away, k))
            sizes[total] = outside
            total += 1
        count = inside
        for k in range(count):
            put(ring, k, row(kept, k))
    most = 0.0
    for k in range(count):
        most = max(most, square_to_triangle(corners, number, row(ring, k), inf))
    if most > limit * limit:
        # It reaches too far beyond a sharp corner of the triangle.
        return (polygons if wider > slack else -1), 0.0
    sizes[piece] = 0
    return total, sqrt(most)


def _split(
    ring: Floats2,
    count: int,
    start: Vector,
    inward: Vector,
    least: float,
    kept: Floats2,
    away: Floats2,
    sides: Floats1,
) -> tuple[int, int]:
    """Split a polygon by a plane. Returns the numbers of corners of both parts, -1 if they have too many."""
    positive, negative = 0, 0
    for k in range(count):
        sides[k] = dot(inward, minus(row(ring, k), start)) - least
        if sides[k] > 0.0:
            positive += 1
        if sides[k] < 0.0:
            negative += 1
    if positive == 0 and negative > 0:
        return 0, count
    inside, outside = 0, 0
    for k in range(count):
        after = k + 1 if k + 1 < count else 0
        if inside + 2 > _MOST_CORNERS or outside + 2 > _MOST_CORNERS:
            return -1, 0
        here = row(ring, k)
        if sides[k] >= 0.0:
            put(kept, inside, here)
            inside += 1
        if sides[k] <= 0.0 and negative > 0:
            put(away, outside, here)
            outside += 1
        if (sides[k] > 0.0 and sides[after] < 0.0) or (sides[k] < 0.0 and sides[after] > 0.0):
            place = moved(here, minus(row(ring, after), here), sides[k] / (sides[k] - sides[after]))
            put(kept, inside, place)
            put(away, outside, place)
            inside += 1
            outside += 1
    return inside, outside


def _least(corners: Floats3, near: Ints1, found: int, pool: Floats2, piece: int, size: int, limit: float) -> float:
    """Return the greatest distance of a polygon from the triangle for which it is least, or inf above the limit."""
    best = inf
    for k in range(found):
        most, bound = 0.0, min(best, limit * limit)
        for at in range(size):
            most = max(most, square_to_triangle(corners, near[k], row(pool, piece * _MOST_CORNERS + at), inf))
            if most > bound:
                break
        if most <= bound:
            best = most
    return sqrt(best)
