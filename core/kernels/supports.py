# SPDX-License-Identifier: GPL-3.0-or-later
"""Support mappings: the point of a convex shape that is farthest along a direction.

Ericson, Real-Time Collision Detection, 2005, section 9.5.4; van den Bergen, Collision Detection in Interactive 3D
Environments, 2003, section 4.3.4.
"""

from math import inf
from typing import NamedTuple

from ..numerics.tolerances import EPS, ROUNDING_STEPS
from .arrays import Floats2, Ints1, Ints2, Vector
from .loading import interpreted, kernel
from .vectors import divided, dot, length, minus, plus, product, put, row, scaled

# Kinds of rows of `Side`.
POLYTOPE, BOX, CYLINDER, CONE, ELLIPSOID, OTHER = 0, 1, 2, 3, 4, 5


class Side(NamedTuple):
    """The shapes on one side of pairs. All arrays are contiguous.

    Attributes
    ----------
    kind : int
        `POLYTOPE`, `BOX`, `CYLINDER`, `CONE`, `ELLIPSOID` or `OTHER`, for all rows.
    linear : (P, 9) float64
        The rows of a matrix. For a polytope: it maps the vertices to world axes. For a box: the corners of the cube
        from -1 to 1. For an ellipsoid: the columns are its axes. For a cylinder: the unit axis, and the vector from the
        center to the center of the end cap. For a cone: the unit axis, and the vector from the base to the apex.
    translation : (P, 3) float64
        For a cylinder the center, for a cone the center of the base.
    sizes : (P, 3) float64
        For an ellipsoid the semi-axes. For a cylinder and a cone: the radius comes first.
    points : (3, V) float64
        The vertices of all polytopes.
    places : (P, 4) int64
        For a polytope: its first vertex, the number of vertices, and the grid and the first cell in the direction table
        (`collision_kit.core.convex.polytopes.support_table`). A grid of -1 means that there is no table.
    starts, candidates : (C + 1,), (K,) int64
        The direction table.
    centers : (P, 3) float64
        Points in the middle of the shapes, relative to their translations. They and the extents are optional.
    extents : (P, 4) float64
        The radius of a sphere about the translation that contains the shape; how far the shape extends beyond the core
        that is described here; and the distance from the world's origin of its farthest point and of its middle.
    backward : bool
        Directions are reversed: the support point is the one that is farthest against a direction.
    """

    kind: int
    linear: Floats2
    translation: Floats2
    sizes: Floats2
    points: Floats2
    places: Ints2
    starts: Ints1
    candidates: Ints1
    centers: Floats2
    extents: Floats2
    backward: bool = False


class Shape(NamedTuple):
    """A row of a side, and its translation, which may be another than that of the side."""

    side: Side
    at: int
    place: Vector


def placed(side: Side, at: int, origin: Vector) -> Shape:
    """A row of a side in a frame with this origin."""
    return Shape(side, at, minus(row(side.translation, at), origin))


def shifted(of: Shape, by: Vector) -> Shape:
    """A shape that is moved."""
    return Shape(of.side, of.at, plus(of.place, by))


def support(of: Shape, way: Vector) -> Vector:
    """The support point of a shape along a direction of any length."""
    return support_of_row(of.side, of.at, of.place, way)


def support_of_row(side: Side, at: int, place: Vector, way: Vector) -> Vector:
    """The support point of a row, whose translation is `place`, along a direction of any length.

    Ties: for a polytope, the first vertex; for a box, the lower side along its own axes; for a cylinder, the start; for
    a cone, the base. If a whole cap or base is equally far, its center is returned.
    """
    if side.backward:
        way = scaled(-1.0, way)
    if side.kind == POLYTOPE:
        return plus(mapped(side, at, vertex(side, at, turned_back(side, at, way))), place)
    if side.kind == BOX:
        return plus(mapped(side, at, on_cube(turned_back(side, at, way))), place)
    if side.kind == ELLIPSOID:
        radii = row(side.sizes, at)
        return plus(mapped(side, at, product(radii, on_ball(product(radii, turned_back(side, at, way))))), place)
    if side.kind == OTHER:
        return plus(asked(side, at, way), place)
    axis = row(side.linear, at)
    along = side.linear[at, 3], side.linear[at, 4], side.linear[at, 5]
    rim = on_disc(axis, side.sizes[at, 0], way)
    if side.kind == CONE:
        return plus(place, along if dot(along, way) > dot(rim, way) else rim)
    return plus(plus(place, scaled(1.0 if dot(along, way) > 0.0 else -1.0, along)), rim)


@interpreted
def asked(side: Side, at: int, way: Vector) -> Vector:
    """The support point of a shape of another kind; see `shapes.sides.AskedSide`."""
    return side.ask(at, way)  # type: ignore[attr-defined]


def turned_back(side: Side, at: int, way: Vector) -> Vector:
    """The direction in a row's own frame."""
    return (
        side.linear[at, 0] * way[0] + side.linear[at, 3] * way[1] + side.linear[at, 6] * way[2],
        side.linear[at, 1] * way[0] + side.linear[at, 4] * way[1] + side.linear[at, 7] * way[2],
        side.linear[at, 2] * way[0] + side.linear[at, 5] * way[1] + side.linear[at, 8] * way[2],
    )


def mapped(side: Side, at: int, point: Vector) -> Vector:
    """A point of a row's own frame along the axes of the world, relative to the row's translation."""
    x, y, z = point
    return (
        side.linear[at, 0] * x + side.linear[at, 1] * y + side.linear[at, 2] * z,
        side.linear[at, 3] * x + side.linear[at, 4] * y + side.linear[at, 5] * z,
        side.linear[at, 6] * x + side.linear[at, 7] * y + side.linear[at, 8] * z,
    )


def vertex(side: Side, at: int, way: Vector) -> Vector:
    """The farthest vertex of a polytope in its own frame."""
    first, grid = side.places[at, 0], side.places[at, 2]
    x, y, z = way
    best, most = first, -inf
    if grid < 0:
        for k in range(first, first + side.places[at, 1]):
            height = x * side.points[0, k] + y * side.points[1, k] + z * side.points[2, k]
            if height > most:
                best, most = k, height
    else:
        # The cell of the direction; see `DirectionTable.candidates`.
        size = abs(x) + abs(y) + abs(z)
        scale = 0.5 * grid / (size if size > 0.0 else 1.0)
        across = min(int((x + y) * scale + 0.5 * grid), max(grid - 1, 0))
        along = min(int((x - y) * scale + 0.5 * grid), max(grid - 1, 0))
        cell = side.places[at, 3] + (across + (grid if z < 0.0 else 0)) * grid + along
        for place in range(side.starts[cell], side.starts[cell + 1]):
            k = first + side.candidates[place]
            height = x * side.points[0, k] + y * side.points[1, k] + z * side.points[2, k]
            if height > most:
                best, most = k, height
    return side.points[0, best], side.points[1, best], side.points[2, best]


def on_cube(way: Vector) -> Vector:
    """The support point of the cube from -1 to 1."""
    return 1.0 if way[0] > 0.0 else -1.0, 1.0 if way[1] > 0.0 else -1.0, 1.0 if way[2] > 0.0 else -1.0


def on_ball(way: Vector) -> Vector:
    """The support point of the unit ball. For a zero direction, its center."""
    size = length(way)
    return divided(way, size) if size > 0.0 else way


def on_disc(axis: Vector, radius: float, way: Vector) -> Vector:
    """The support point of a disc about the origin: zero if all of the disc is equally far within rounding."""
    # Twice: one pass leaves a residue along the axis if the direction is nearly parallel to it.
    aside = minus(way, scaled(dot(way, axis), axis))
    aside = minus(aside, scaled(dot(aside, axis), axis))
    size = length(aside)
    if size <= ROUNDING_STEPS * EPS * length(way):
        return 0.0, 0.0, 0.0
    return scaled(radius / size, aside)


@kernel
def supports(side: Side, directions: Floats2, result: Floats2) -> None:
    """Write the support point of each row along its direction, (P, 3) -> (P, 3)."""
    for at in range(len(directions)):
        put(result, at, support_of_row(side, at, row(side.translation, at), row(directions, at)))
