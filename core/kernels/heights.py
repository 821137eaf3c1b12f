# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights at which a ball meets shapes while it moves along a level path: one interval for each convex shape.

Up is +Z. A ball that moves along a path meets a convex shape exactly if its center begins in the sum of the shape, the
reversed path and the ball. The sum is convex, so it has one interval in common with a vertical line. The upper end of
the interval is where a ball that is lowered comes to rest. An upright capsule is the sum of a ball and a vertical
segment, which only makes the interval longer. So the same closed form answers for sweeps up, across and down, and
nothing is missed between the ends of a path. Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983.
"""

from math import inf, sqrt
from typing import NamedTuple

from ..numerics.tolerances import CURVED_DISTANCE, STEEP_FACE, WALK_CONVERGED
from .arrays import Floats1, Floats2, Floats3, Ints1, Vector
from .gjk import APART, nearest
from .supports import Shape, Side, placed
from .vectors import dot, moved, plus, row, scaled

# Maximum number of steps of a ball that is lowered to a curved shape. Each step closes most of the gap.
_MOST_STEPS = 64


class Ground(NamedTuple):
    """The shapes to walk on and against, with +Z up.

    The items are numbered in this order: triangles, half-spaces and planes, cylinders, cones, ellipsoids.

    Attributes
    ----------
    corners : (T, 3, 3) float64
    normals : (T, 3) float64
        Unit normals: outward for a solid, upward for a two-sided surface. Zero for a triangle without area.
    round : (T,) int64
        1: a sphere or a capsule is a degenerate triangle, and slopes are those of its round surface.
    planes : (P, 5) float64
        Unit normal, offset, and 1 if it is solid.
    pad : (N,) float64
        Distance of the surface of each item outside of the shape described here.
    span : (N, 6) float64
        Lower and upper bounds of each item, with its padding.
    starts, items : (columns + 1,), (K,) int64
        The items near each column of a grid, except planes.
    grid : (3,) float64
        The corner of the grid of columns, and their width.
    size : (2,) int64
        The number of columns along X and Y.
    cylinders, cones, ellipsoids : Side
    path : Side
        Room for a segment: one row.
    path_points : (3, 2) float64
        The vertices of `path`, which are written.
    """

    corners: Floats3
    normals: Floats2
    round: Ints1
    planes: Floats2
    pad: Floats1
    span: Floats2
    starts: Ints1
    items: Ints1
    grid: Floats1
    size: Ints1
    cylinders: Side
    cones: Side
    ellipsoids: Side
    path: Side
    path_points: Floats2


class Height(NamedTuple):
    """The interval of the center of a ball that meets an item, and the point of the item on which it comes to rest.

    Attributes
    ----------
    low, high : float
        `low` is above `high` if the ball meets the item at no height.
    point : Vector
        The point of the item that carries the ball.
    normal : Vector
        Surface normal there: of the face, or of the round surface.
    """

    low: float
    high: float
    point: Vector
    normal: Vector


def none() -> Height:
    """Return an empty interval."""
    return Height(inf, -inf, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def height(ground: Ground, item: int, at: Vector, way: Vector, radius: float) -> Height:
    """The heights of the center of a ball at which it meets an item on its way.

    Parameters
    ----------
    at : Vector
        Start of the path. Its height does not matter.
    way : Vector
        The level path.
    radius : float
    """
    triangles, planes = len(ground.corners), len(ground.planes)
    if item < triangles:
        return _of_triangle(ground, item, at, way, radius + ground.pad[item])
    if item < triangles + planes:
        return _of_plane(ground.planes, item - triangles, at, way, radius + ground.pad[item])
    return _of_curved(ground, item, at, way, radius)


def _of_plane(planes: Floats2, which: int, at: Vector, way: Vector, radius: float) -> Height:
    normal, offset, solid = row(planes, which), planes[which, 3], planes[which, 4] > 0.0
    if not solid and normal[2] < 0.0:
        normal, offset = scaled(-1.0, normal), -offset
    # How far beyond the plane the ends of the path are at height zero.
    first = normal[0] * at[0] + normal[1] * at[1] - offset
    last = first + normal[0] * way[0] + normal[1] * way[1]
    if abs(normal[2]) <= STEEP_FACE:
        meets = min(first, last) < radius and (solid or max(first, last) > -radius)
        return Height(-inf, inf, at, normal) if meets else none()
    ends = (radius - first) / normal[2], (radius - last) / normal[2]
    others = (-radius - first) / normal[2], (-radius - last) / normal[2]
    if normal[2] < 0.0:
        return Height(min(ends[0], ends[1]), inf, at, normal)
    high = max(ends[0], ends[1])
    start = at if ends[0] >= ends[1] else plus(at, way)
    point = moved((start[0], start[1], high), normal, -radius)
    return Height(-inf if solid else min(others[0], others[1]), high, point, normal)


def _of_triangle(ground: Ground, item: int, at: Vector, way: Vector, radius: float) -> Height:
    """The sum of a triangle and a reversed path has two faces like the triangle, and one for each edge."""
    a = ground.corners[item, 0, 0] - at[0], ground.corners[item, 0, 1] - at[1], ground.corners[item, 0, 2]
    b = ground.corners[item, 1, 0] - at[0], ground.corners[item, 1, 1] - at[1], ground.corners[item, 1, 2]
    c = ground.corners[item, 2, 0] - at[0], ground.corners[item, 2, 1] - at[1], ground.corners[item, 2, 2]
    still = way[0] == 0.0 and way[1] == 0.0
    normal = row(ground.normals, item)
    low, high, point = inf, -inf, (0.0, 0.0, 0.0)
    back = -way[0], -way[1], 0.0
    # Over the faces.
    up = normal[2] if normal[2] >= 0.0 else -normal[2]
    if up > STEEP_FACE:
        sign = 1.0 if normal[2] > 0.0 else -1.0
        lean = sign * radius * normal[0], sign * radius * normal[1], 0.0
        level = dot(normal, a) / normal[2]
        rise = radius / up
        for n in range(1 if still else 2):
            shift = back if n == 1 else (0.0, 0.0, 0.0)
            # The plane over the start of the path, at the beginning or at the end of it.
            plane = level + (normal[0] * shift[0] + normal[1] * shift[1]) / normal[2]
            under = -lean[0] - shift[0], -lean[1] - shift[1], 0.0
            if plane + rise > high and _within(a, b, c, under):
                high = plane + rise
                point = (
                    under[0] + at[0],
                    under[1] + at[1],
                    level - (normal[0] * under[0] + normal[1] * under[1]) / normal[2],
                )
            over = lean[0] - shift[0], lean[1] - shift[1], 0.0
            if plane - rise < low and _within(a, b, c, over):
                low = plane - rise
    # Over the edges, at the beginning and at the end of the path.
    square = radius * radius
    for n in range(1 if still else 2):
        shift = back if n == 1 else (0.0, 0.0, 0.0)
        for k in range(3):
            start, end = a, b
            if k == 1:
                start, end = b, c
            if k == 2:
                start, end = c, a
            top, part, bottom = _over_edge(plus(start, shift), _between(start, end), square)
            low = min(low, bottom)
            if top > high:
                high = top
                point = moved(plus(start, (at[0], at[1], 0.0)), _between(start, end), part)
    if not still:
        # Over the paths of the corners, and over the faces that edges sweep.
        for k in range(3):
            start, end = a, b
            if k == 1:
                start, end = b, c
            if k == 2:
                start, end = c, a
            top, part, bottom = _over_edge(start, back, square)
            low = min(low, bottom)
            if top > high:
                high, point = top, plus(start, (at[0], at[1], 0.0))
            edge = _between(start, end)
            top, share, bottom = _over_swept(start, edge, way, radius)
            low = min(low, bottom)
            if top > high:
                high = top
                point = moved(plus(start, (at[0], at[1], 0.0)), edge, share)
    if high < low:
        return none()
    if ground.round[item] == 1 or ground.pad[item] > 0.0:
        # The center is above the point of the core at the place on the path at which the ball rests.
        return _padded(ground, item, at, way, radius, Height(low, high, point, normal))
    return Height(low, high, point, normal)


def _padded(ground: Ground, item: int, at: Vector, way: Vector, radius: float, found: Height) -> Height:
    """Return the same for a surface around a core: the point and the normal are those of the surface."""
    # The place on the path that is nearest to the point of the core.
    square = way[0] * way[0] + way[1] * way[1]
    ahead = found.point[0] - at[0], found.point[1] - at[1], 0.0
    share = min(max(dot(ahead, way) / square, 0.0), 1.0) if square > 0.0 else 0.0
    out = (
        at[0] + share * way[0] - found.point[0],
        at[1] + share * way[1] - found.point[1],
        found.high - found.point[2],
    )
    size = sqrt(dot(out, out))
    out = scaled(1.0 / size, out) if size > 0.0 else (0.0, 0.0, 1.0)
    return Height(found.low, found.high, moved(found.point, out, ground.pad[item]), out)


def _between(start: Vector, end: Vector) -> Vector:
    return end[0] - start[0], end[1] - start[1], end[2] - start[2]


def _within(a: Vector, b: Vector, c: Vector, point: Vector) -> bool:
    """Whether a triangle, seen from above, contains a point."""
    one = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    two = (c[0] - b[0]) * (point[1] - b[1]) - (c[1] - b[1]) * (point[0] - b[0])
    three = (a[0] - c[0]) * (point[1] - c[1]) - (a[1] - c[1]) * (point[0] - c[0])
    return (one >= 0.0 and two >= 0.0 and three >= 0.0) or (one <= 0.0 and two <= 0.0 and three <= 0.0)


def _over_edge(start: Vector, edge: Vector, square: float) -> tuple[float, float, float]:
    """The highest and lowest center over the origin of a ball that touches an edge.

    The second value is the parameter of the highest contact on the edge.

    Infinite if the horizontal distance of the edge exceeds the radius, whose square is `square`.
    """
    flat = edge[0] * edge[0] + edge[1] * edge[1]
    if flat <= 0.0:
        free = square - start[0] * start[0] - start[1] * start[1]
        if free <= 0.0:
            return -inf, 0.0, inf
        free = sqrt(free)
        end = start[2] + edge[2]
        return max(start[2], end) + free, 1.0 if end > start[2] else 0.0, min(start[2], end) - free
    long = sqrt(flat)
    aside = (start[0] * edge[1] - start[1] * edge[0]) / long
    free = square - aside * aside
    if free <= 0.0:
        return -inf, 0.0, inf
    free = sqrt(free)
    # In the vertical plane of the edge: a disc of radius `free` about `middle`, and a line of this slope.
    middle, slope = -(start[0] * edge[0] + start[1] * edge[1]) / long, edge[2] / long
    first, last = max(0.0, middle - free), min(long, middle + free)
    if first >= last:
        return -inf, 0.0, inf
    lean = slope * free / sqrt(1.0 + slope * slope)
    place = min(max(middle + lean, first), last)
    top = start[2] + slope * place + sqrt(max(free * free - (place - middle) * (place - middle), 0.0))
    other = min(max(middle - lean, first), last)
    bottom = start[2] + slope * other - sqrt(max(free * free - (other - middle) * (other - middle), 0.0))
    return top, place / long, bottom


def _over_swept(start: Vector, edge: Vector, way: Vector, radius: float) -> tuple[float, float, float]:
    """Return the same for the parallelogram between an edge and the same edge moved back by a level path."""
    # The normal of the edge and the reversed path, without the sign.
    normal = edge[2] * way[1], -edge[2] * way[0], edge[1] * way[0] - edge[0] * way[1]
    size = sqrt(dot(normal, normal))
    if abs(normal[2]) <= STEEP_FACE * size:
        return -inf, 0.0, inf
    sign = 1.0 if normal[2] > 0.0 else -1.0
    normal = scaled(sign / size, normal)
    level = dot(normal, start) / normal[2]
    top, share, bottom = -inf, 0.0, inf
    area = edge[0] * way[1] - edge[1] * way[0]
    for n in range(2):
        turn = -radius if n == 0 else radius
        place = turn * normal[0] - start[0], turn * normal[1] - start[1], 0.0
        # place = share * edge - time * way
        along = (place[0] * way[1] - place[1] * way[0]) / area
        time = -(edge[0] * place[1] - edge[1] * place[0]) / area
        if 0.0 <= along <= 1.0 and 0.0 <= time <= 1.0:
            if n == 0:
                top, share = level + radius / normal[2], along
            else:
                bottom = level - radius / normal[2]
    return top, share, bottom


def _of_curved(ground: Ground, item: int, at: Vector, way: Vector, radius: float) -> Height:
    """Lower and raise the path to a curved shape, by conservative advancement."""
    ground.path_points[0, 1], ground.path_points[1, 1], ground.path_points[2, 1] = way
    reach = radius + ground.pad[item]
    low, high = ground.span[item, 2] - 2.0 * radius, ground.span[item, 5] + 2.0 * radius
    high, point, normal = _lowered(ground, item, (at[0], at[1], high), reach, -1.0)
    if high == -inf:
        return none()
    low, _, _ = _lowered(ground, item, (at[0], at[1], low), reach, 1.0)
    point = moved(point, normal, ground.pad[item])
    return Height(min(low, high), high, point, _flat_end(ground, item, point, normal))


def _lowered(ground: Ground, item: int, start: Vector, reach: float, turn: float) -> tuple[float, Vector, Vector]:
    """The height at which a path that moves up or down reaches a curved shape. Infinite if never.

    Also the point of the shape, and the normal from it to the path.
    """
    rows = item - len(ground.corners) - len(ground.planes)
    length, close = abs(ground.span[item, 5] - ground.span[item, 2]) + reach, WALK_CONVERGED * reach
    place, point, normal = start, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for _ in range(_MOST_STEPS):
        distance, way, on = _nearest(ground, rows, place, length)
        point, normal = on, scaled(-1.0, way)
        gap = distance - reach
        if gap <= close:
            return place[2], point, normal
        pace = way[2] * turn
        if pace <= 0.0:
            return -inf if turn < 0.0 else inf, point, normal
        place = place[0], place[1], place[2] + turn * gap / pace
        if abs(place[2] - start[2]) > 2.0 * length + 4.0 * reach:
            return -inf if turn < 0.0 else inf, point, normal
    return place[2], point, normal


def _nearest(ground: Ground, which: int, place: Vector, size: float) -> tuple[float, Vector, Vector]:
    """The distance of the path from a curved shape, the normal to the shape, and the point of the shape."""
    cylinders, cones = len(ground.cylinders.translation), len(ground.cones.translation)
    if which < cylinders:
        return _from_path(ground.path, ground.cylinders, which, place, size)
    if which < cylinders + cones:
        return _from_path(ground.path, ground.cones, which - cylinders, place, size)
    return _from_path(ground.path, ground.ellipsoids, which - cylinders - cones, place, size)


def _from_path(path: Side, side: Side, at: int, place: Vector, size: float) -> tuple[float, Vector, Vector]:
    # Relative to the shape, so that its place in the world costs no digits.
    here = row(side.translation, at)
    start = place[0] - here[0], place[1] - here[1], place[2] - here[2]
    one, other = Shape(path, 0, start), placed(side, at, here)
    state, _, bound, normal, _, on, _, _, _ = nearest(one, other, start, size, inf, CURVED_DISTANCE)
    return bound if state == APART else 0.0, normal, plus(on, here)


def _flat_end(ground: Ground, item: int, point: Vector, normal: Vector) -> Vector:
    """The normal of the cap of a cylinder, or of the base of a cone, at a point on it, if it faces up more."""
    which = item - len(ground.corners) - len(ground.planes)
    cylinders, cones = len(ground.cylinders.translation), len(ground.cones.translation)
    if ground.pad[item] > 0.0 or which >= cylinders + cones:
        return normal
    if which < cylinders:
        return _cap(ground.cylinders, which, point, normal, True)
    return _cap(ground.cones, which - cylinders, point, normal, False)


def _cap(side: Side, at: int, point: Vector, normal: Vector, both: bool) -> Vector:
    axis = row(side.linear, at)
    along = side.linear[at, 3], side.linear[at, 4], side.linear[at, 5]
    half = sqrt(dot(along, along))
    off = dot(axis, _between(row(side.translation, at), point))
    close = WALK_CONVERGED * (half + side.sizes[at, 0]) * 10.0
    if both and abs(off - half) <= close and axis[2] > normal[2]:
        return axis
    if abs(off + (half if both else 0.0)) <= close and -axis[2] > normal[2]:
        return scaled(-1.0, axis)
    return normal
