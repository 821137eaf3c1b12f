# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays that count the winding number of a surface about a point, and tests for inside points.

Each triangle that a ray crosses from behind adds one to the winding number, and each from the front subtracts one. A
ray that is too near an edge is uncertain. Then other directions are tried, and if all are uncertain, the solid angles
of all triangles are added (van Oosterom and Strackee, "The solid angle of a plane triangle", 1983). This has no special
cases.
"""

from math import atan2, inf, pi, sqrt

from ..numerics.tolerances import MESH_RAY
from .arrays import Bools1, Floats1, Floats2, Floats3, Ints1, Vector, ints1
from .loading import kernel
from .rays import Surfaces, box_entry
from .vectors import corner, cross, dot, minus, row

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Directions of rays in the frame of the mesh, tried in this order. They are not parallel to directions that are common
# in models, such as axes and diagonals.
_DIRECTIONS = 3


@kernel
def cast(surfaces: Surfaces, rays: Floats2, winding: Ints1, doubt: Bools1, distance: Floats1, triangle: Ints1) -> None:
    """Cast rays at surfaces.

    Parameters
    ----------
    surfaces : Surfaces
    rays : (R, 6) float64
        The origin of each ray and its direction, of any length, in the frame of the mesh.
    winding : (R,) int64
        Written: the winding number of the surface about the origin; only valid without `doubt`.
    doubt : (R,) bool
        Written: whether the ray passes through an edge, or begins on a triangle, within rounding.
    distance : (R,) float64
        Written: the distance of the first triangle, including uncertain ones, in multiples of the direction. inf if
        none.
    triangle : (R,) int64
        Written: that triangle. -1 if none.
    """
    nodes = ints1(_DEPTH)
    for at in range(len(rays)):
        along = rays[at, 3], rays[at, 4], rays[at, 5]
        number, sure, far, first = wound(surfaces, at, row(rays, at), along, nodes)
        winding[at], doubt[at], distance[at], triangle[at] = number, not sure, far, first


@kernel
def inside(surfaces: Surfaces, points: Floats2, within: Bools1) -> None:
    """Decide which points, in the frame of the mesh, are inside a closed surface. On the surface, either may result.

    Parameters
    ----------
    surfaces : Surfaces
    points : (R, 3) float64
    within : (R,) bool
        Written.
    """
    nodes = ints1(_DEPTH)
    for at in range(len(points)):
        within[at] = is_inside(surfaces, at, row(points, at), nodes)


def is_inside(surfaces: Surfaces, at: int, point: Vector, nodes: Ints1) -> bool:
    """Whether a point is inside the closed surface of a row. `nodes` is room."""
    root = surfaces.rows[at, 0]
    if (
        point[0] < surfaces.span[root, 0]
        or point[1] < surfaces.span[root, 1]
        or point[2] < surfaces.span[root, 2]
        or -point[0] < surfaces.span[root, 3]
        or -point[1] < surfaces.span[root, 4]
        or -point[2] < surfaces.span[root, 5]
    ):
        return False
    for which in range(_DIRECTIONS):
        number, sure, _, _ = wound(surfaces, at, point, aslant(which), nodes)
        if sure:
            return number != 0
    return abs(_angles(surfaces, at, point)) > 0.5


def is_surely_inside(surfaces: Surfaces, at: int, point: Vector, nodes: Ints1) -> bool:
    """Whether a point is inside the closed surface of a row, and a ray is certain of it."""
    for which in range(_DIRECTIONS):
        number, sure, _, _ = wound(surfaces, at, point, aslant(which), nodes)
        if sure:
            return number != 0
    return False


def aslant(which: int) -> Vector:
    """Return one of the directions of rays."""
    if which == 0:
        return 0.5377, 0.2113, 0.8163
    if which == 1:
        return -0.3391, 0.8717, 0.3539
    return 0.7283, -0.5881, -0.3517


def wound(surfaces: Surfaces, at: int, start: Vector, along: Vector, nodes: Ints1) -> tuple[int, bool, float, int]:
    """Cast one ray: the winding number, whether it is certain, and the distance and index of the first triangle."""
    root, leaf, first, leaves = surfaces.rows[at, 0], surfaces.rows[at, 1], surfaces.rows[at, 2], surfaces.rows[at, 3]
    slack = 0.0
    for k in range(6):
        slack += abs(surfaces.span[root, k])
    slack *= MESH_RAY
    winding, sure, least, hit = 0, True, inf, -1
    nodes[0], top = 0, 1
    while top > 0:
        top -= 1
        node = nodes[top]
        if box_entry(surfaces.span, root + node, start, along, slack, 0.0) == inf:
            continue
        if node + 1 < leaves:
            nodes[top], nodes[top + 1] = 2 * node + 2, 2 * node + 1
            top += 2
            continue
        number = surfaces.leaf[leaf + node + 1 - leaves]
        if number < 0:
            continue
        turn, certain, height = _crossed(surfaces.corners, first + number, start, along)
        winding += turn
        sure = sure and certain
        if height < least:
            least, hit = height, number
    return winding, sure, least, hit


def _crossed(corners: Floats3, at: int, start: Vector, along: Vector) -> tuple[int, bool, float]:
    """Return a triangle's contribution to the winding number, whether it is certain, and the hit parameter, or inf."""
    p, q = minus(corner(corners, at, 0), start), minus(corner(corners, at, 1), start)
    r = minus(corner(corners, at, 2), start)
    middle = cross(q, r)
    # Volumes spanned by the ray and each edge. They have the same sign if the ray passes between the edges.
    one, two, three = dot(along, cross(p, q)), dot(along, middle), dot(along, cross(r, p))
    pp, qq, rr, unit = dot(p, p), dot(q, q), dot(r, r), dot(along, along)
    error = MESH_RAY * sqrt(unit)
    first, second, third = error * max(pp, qq), error * max(qq, rr), error * max(rr, pp)
    forward = one >= -first and two >= -second and three >= -third
    if not forward and not (one <= first and two <= second and three <= third):
        return 0, True, inf
    volume, total, largest = dot(p, middle), one + two + three, max(max(pp, qq), rr)
    begins = abs(volume) <= MESH_RAY * largest * sqrt(largest)
    certain = abs(one) > first and abs(two) > second and abs(three) > third and not begins
    height = volume / total if total != 0.0 else volume
    if abs(total) <= first + second + third:
        # A ray in the plane of the triangle: the nearest corner is a lower bound of the hit.
        height = max(min(min(dot(p, along), dot(q, along)), dot(r, along)) / unit, 0.0)
    if height <= 0.0 and not begins:
        return 0, True, inf
    if not certain:
        return 0, False, max(height, 0.0)
    return 1 if total > 0.0 else -1, True, height


def _angles(surfaces: Surfaces, at: int, point: Vector) -> float:
    """The winding number of a surface about a point, by the solid angles of its triangles."""
    leaf, first, leaves, total = surfaces.rows[at, 1], surfaces.rows[at, 2], surfaces.rows[at, 3], 0.0
    for n in range(leaf, leaf + leaves):
        number = surfaces.leaf[n]
        if number < 0:
            continue
        p = minus(corner(surfaces.corners, first + number, 0), point)
        q = minus(corner(surfaces.corners, first + number, 1), point)
        r = minus(corner(surfaces.corners, first + number, 2), point)
        pp, qq, rr = sqrt(dot(p, p)), sqrt(dot(q, q)), sqrt(dot(r, r))
        level = pp * qq * rr + dot(p, q) * rr + dot(q, r) * pp + dot(r, p) * qq
        total += 2.0 * atan2(dot(p, cross(q, r)), level)
    return total / (4.0 * pi)
