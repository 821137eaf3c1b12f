# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of points in solids, and upper bounds of the depth.

The depth of a point is its distance from the boundary of the solid, negative outside. A point is at most as deep as its
distance from any triangle of the boundary. In a convex solid, it is at most as deep as its distance from any plane of
the boundary. Both are convex functions of the point, so their maximum over a piece of a triangle is at a corner. So is
the distance from two triangles that are a convex quad (`quads`).
"""

from math import inf, sqrt
from typing import NamedTuple

from .arrays import Floats1, Floats2, Ints1, Ints2, Vector, floats1, ints1
from .loading import kernel
from .pieces import point_of
from .points import nearest_triangle, square_to_triangle
from .rays import Surfaces
from .vectors import row
from .windings import is_inside

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128


class Boundaries(NamedTuple):
    """The boundaries of the solids of problems.

    Attributes
    ----------
    surfaces : Surfaces
        The solid of each problem, if it is a mesh.
    quads : (M, 2) float64
        As written by `quads`, for the triangles of the surfaces.
    planes : (F, 4) float64
        Outward unit normals and offsets of the faces of convex solids.
    faces : (R, 2) int64
        First face of the solid of each problem, and the end. For meshes, both are equal.
    """

    surfaces: Surfaces
    quads: Floats2
    planes: Floats2
    faces: Ints2


def is_convex(solids: Boundaries, at: int) -> bool:
    """Whether a solid is given by the planes of its faces."""
    return solids.faces[at, 0] < solids.faces[at, 1]


@kernel
def points(surfaces: Surfaces, places: Floats2, enough: Floats1, depth: Floats1, triangle: Ints1) -> None:
    """Measure the depths of points in meshes.

    Parameters
    ----------
    surfaces : Surfaces
        The solid of each point.
    places : (K, 3) float64
        In the frame of the solid.
    enough : (K,) float64
        Points that are at most this deep need not be measured exactly: any value up to it may be returned.
    depth : (K,) float64
        Written: the depths, negative outside.
    triangle : (K,) int64
        Written: the nearest triangle.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    for at in range(len(places)):
        point = row(places, at)
        far, near = nearest_triangle(surfaces, at, point, max(enough[at], 0.0), -1, nodes, gaps)
        depth[at], triangle[at] = far, near
        if far > enough[at] and not is_inside(surfaces, at, point, nodes):
            depth[at] = -far


@kernel
def distances(surfaces: Surfaces, places: Floats2, distance: Floats1, triangle: Ints1) -> None:
    """Measure the distances of points (K, 3), in the frame of a mesh, from it, and write the nearest triangles."""
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    for at in range(len(places)):
        distance[at], triangle[at] = nearest_triangle(surfaces, at, row(places, at), 0.0, -1, nodes, gaps)


def distance_of(
    solids: Boundaries, at: int, point: Vector, enough: float, guess: int, nodes: Ints1, gaps: Floats1
) -> tuple[float, int]:
    """The distance of a point from the boundary of a solid, and the nearest triangle. `guess` is tried first.

    If the boundary is within `enough`, any triangle within it may be returned. For convex solids: the signed depth.
    """
    if is_convex(solids, at):
        least, face = inf, -1
        for n in range(solids.faces[at, 0], solids.faces[at, 1]):
            depth = _depth_below(solids.planes, n, point)
            if depth < least:
                least, face = depth, n - solids.faces[at, 0]
        return least, face
    return nearest_triangle(solids.surfaces, at, point, enough, guess, nodes, gaps)


def _depth_below(planes: Floats2, at: int, point: Vector) -> float:
    """Return how far a point is below a plane."""
    return planes[at, 3] - (planes[at, 0] * point[0] + planes[at, 1] * point[1] + planes[at, 2] * point[2])


def key_bound(solids: Boundaries, at: int, key: float, point: Vector) -> float:
    """The upper bound of the depth of a point from a triangle, or the quad that it is a half of, or a plane."""
    if is_convex(solids, at):
        return _depth_below(solids.planes, solids.faces[at, 0] + int(key), point)
    triangle = solids.surfaces.rows[at, 2] + int(key)
    square = square_to_triangle(solids.surfaces.corners, triangle, point, inf)
    other = int(solids.quads[triangle, 0])
    if other != 0:
        square = min(square, square_to_triangle(solids.surfaces.corners, triangle + other, point, inf))
    return sqrt(square)


def bound_by(solids: Boundaries, at: int, key: int, waiting: Floats2, piece: int) -> float:
    """The upper bound that a triangle or a plane of the solid gives for the depth of a piece: that of a corner.

    If the triangle is a half of a quad, the distance from the quad is also convex, apart from its height.
    """
    most, convex = -inf, is_convex(solids, at)
    triangle = 0 if convex else solids.surfaces.rows[at, 2] + key
    if convex or solids.quads[triangle, 0] == 0.0:
        for n in range(3):
            most = max(most, key_bound(solids, at, float(key), point_of(waiting, piece, n)))
        return most
    other, whole = triangle + int(solids.quads[triangle, 0]), -inf
    for n in range(3):
        point = point_of(waiting, piece, n)
        square = square_to_triangle(solids.surfaces.corners, triangle, point, inf)
        most = max(most, square)
        whole = max(whole, min(square, square_to_triangle(solids.surfaces.corners, other, point, inf)))
    return min(sqrt(most), sqrt(whole) + solids.quads[triangle, 1])


def is_within(surfaces: Surfaces, at: int, point: Vector, far: float, slack: float, nodes: Ints1) -> bool:
    """Whether a point is in a solid at distance `far` from its boundary. On the boundary, within rounding, it is True.

    On the boundary, no ray is certain, and the angles of all triangles would have to be added.
    """
    return far <= slack or is_inside(surfaces, at, point, nodes)
