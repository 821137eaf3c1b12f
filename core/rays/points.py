# SPDX-License-Identifier: GPL-3.0-or-later
"""Points against shapes: the signed distance from the surface, and the nearest point.

A point is a sphere with radius zero, so convex shapes use the algorithms for spheres. The nearest triangle of a mesh is
found by traversal of its tree, and the sign of the distance from the winding number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import points as kernels
from ..narrow_phase.mesh.operands import surfaces_of
from ..narrow_phase.mesh.orientation import oriented_rows
from ..narrow_phase.mesh.ray_casting import inside
from ..numerics.rows import RowTable, with_positive_zeros
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import coordinates
from ..numerics.vectors import dot, length
from ..query import dispatch
from ..query.operands import Operand, rows_of_pairs, split
from ..results import ClosestPoints, FeatureKind
from ..shapes import Batch, Compounds, Meshes, Spheres, check_shapes


@dataclass(frozen=True, eq=False, repr=False)
class Measured(RowTable):
    """Points measured against shapes: `ClosestPoints`, with the rounding of each distance."""

    distance: Floats
    point: Floats
    normal: Floats
    feature: Ints
    part: Ints
    rounding: Floats


def signed_distance(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None = None) -> Floats:
    """Signed distance of points from the surface of shapes, negative inside.

    Parameters
    ----------
    shapes : batch of shapes or World
        Without `pairs`, shapes and points are paired row by row, and a single shape or a single point with every row of
        the other.
    points : (Q, 3) array-like
    pairs : (P, 2) array-like of int, optional
        The rows of `shapes`, and those of `points`; "all": each shape with each point.

    Returns
    -------
    (Q,) float64
        The distance from the nearest point of the surface. The inside of a solid mesh is where the winding number is
        not zero. For a compound, the smallest value of its parts.

    Raises
    ------
    UnsupportedPair
        For planar shapes.
    ValueError
        If `shapes` is not a batch of shapes, points have the wrong shape or are not finite, or numbers of rows do not
        match; names the argument and the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.signed_distance(ck.Boxes([0, 0, 0], 1), [[3, 0, 0], [0.5, 0, 0]])
    array([ 2. , -0.5])
    """
    return _measured(shapes, points, pairs, features=False).distance


def contains_points(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None = None) -> Bools:
    """Whether points are inside shapes. The surface counts as inside, within rounding at the coordinates.

    Parameters
    ----------
    shapes, points, pairs
        As for `signed_distance`.

    Returns
    -------
    (Q,) bool
        For a shape without an inside, such as a plane or an open mesh: whether the point is on it.

    Raises
    ------
    UnsupportedPair, ValueError
        As for `signed_distance`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.contains_points(ck.Boxes([0, 0, 0], 1), [[3, 0, 0], [0.5, 0, 0], [1, 1, 1]])
    array([False,  True,  True])
    """
    found = _measured(shapes, points, pairs, features=False)
    return np.asarray(found.distance <= found.rounding)


def closest_points(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None = None) -> ClosestPoints:
    """The nearest points on the surface of shapes to given points.

    Parameters
    ----------
    shapes, points, pairs
        As for `signed_distance`.

    Returns
    -------
    ClosestPoints
        A row for each pair: the signed distance, the nearest point, the normal, which is the gradient of the distance,
        and the feature. If several points are equally near, one of them is returned. At the center of a sphere, the
        normal is +Z.

    Raises
    ------
    UnsupportedPair, ValueError
        As for `signed_distance`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> found = ck.closest_points(ck.Boxes([0, 0, 0], 1), [[3, 0, 0], [3, 3, 0]])
    >>> found.point
    array([[1., 0., 0.],
           [1., 1., 0.]])
    """
    found = _measured(shapes, points, pairs, features=True)
    return with_positive_zeros(closest(found))


def closest(found: Measured) -> ClosestPoints:
    """Return the public part of the result."""
    return ClosestPoints(found.distance, found.point, found.normal, found.feature, found.part)


def checked_points(points: ArrayLike, dimensions: int = 3) -> Floats:
    """Validated points (Q, 3), in the plane (Q, 2); `ValueError` names the row."""
    return coordinates(points, "points", (-1, dimensions))


def _measured(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None, features: bool) -> Measured:
    check_shapes(shapes, "shapes")
    given = checked_points(points)
    return measure(shapes, rows_of_pairs(shapes, given, pairs, ("shapes", "points")), given, features)


def measure(shapes: Any, rows: Ints, points: Floats, features: bool) -> Measured:
    """Measure points against shapes; the rows (P, 2) of both are given. Without `features`, they are (-1, -1)."""
    count = len(rows)
    vectors, part, feature = np.empty((2, count, 3)), np.zeros(count, np.int64), np.full((count, 2), -1)
    result = Measured(np.empty(count), vectors[0], vectors[1], feature, part, np.empty(count))
    for batch, index, place in split(shapes, rows[:, 0]):
        point = points[rows[place, 1]]
        if isinstance(batch, Compounds):
            found = _of_compounds(batch, index, point, features)
        elif isinstance(batch, Meshes):
            found = _of_meshes(batch.take(index), point)
        else:
            found = _of_convex(batch, index, point, features)
        if not isinstance(shapes, Batch) and shapes.margin is not None:
            margin = shapes.margin[rows[place, 0]]
            surface = found.point + margin[:, None] * found.normal
            found = replace(found, distance=found.distance - margin, point=surface)
        result.put(place, found)
    return result


def _of_convex(batch: Any, index: Ints, point: Floats, features: bool) -> Measured:
    """Measure points against shapes of a convex or unbounded kind."""
    count = len(index)
    balls = Spheres(point, np.zeros(count))
    pairs = np.stack([index, np.arange(count)], axis=1)
    found = dispatch.distance(batch, balls, pairs)
    feature = np.full((count, 2), -1)
    if features and count:
        feature = dispatch.separating_axis(batch, balls, pairs).feature_a
    return Measured(found.distance, found.point_a, found.normal, feature, np.zeros(count, np.int64), found.rounding)


def _of_meshes(shapes: Meshes, point: Floats) -> Measured:
    """Measure points against meshes, row by row."""
    count, row = len(shapes), np.arange(len(shapes))
    surface = oriented_rows(shapes)
    bodies = surface.bodies
    local = np.einsum("nji,nj->ni", bodies.rotation, point - bodies.translation)
    nearest, part = np.empty((count, 3)), np.empty((count, 3), dtype=np.int64)
    kernels.nearest(surfaces_of(bodies), np.ascontiguousarray(local), nearest, part)
    place = np.einsum("nij,nj->ni", bodies.rotation, nearest) + bodies.translation
    away = point - place
    distance = length(away)
    sign = np.where(inside(surface, row, point), -1.0, 1.0)
    slack = rounding(bodies.reach, length(bodies.translation) + length(point))
    # On the surface, the direction to it is rounding error, so the normal is that of the triangle.
    plane = np.einsum("nij,nj->ni", bodies.rotation, surface.planes[bodies.triangle_start + part[:, 0], :3])
    clear = distance > slack
    unit = sign[:, None] * away / np.where(clear, distance, 1.0)[:, None]
    normal = np.where(clear[:, None], unit, np.where(plane.any(axis=1)[:, None], plane, np.array([0.0, 0.0, 1.0])))
    gap = np.where(clear, sign * distance, sign * np.abs(dot(away, normal)))
    point_on = np.where(clear[:, None], place, point - gap[:, None] * normal)
    feature = np.empty((count, 2), dtype=np.int64)
    feature[:, 0] = part[:, 1]
    for number in np.unique(surface.mesh):
        mesh, mine = surface.meshes[number], np.flatnonzero(surface.mesh == number)
        triangle, kind, index = part[mine].T
        edge = mesh.edges.of_triangle[triangle, index]
        vertex = mesh.welded_triangles[triangle, index]
        feature[mine, 1] = np.select([kind == FeatureKind.FACE, kind == FeatureKind.EDGE], [triangle, edge], vertex)
    return Measured(gap, point_on, normal, feature, np.zeros(count, np.int64), slack)


def _of_compounds(shapes: Compounds, index: Ints, point: Floats, features: bool) -> Measured:
    """Measure points against bodies: the nearest or deepest part of each."""
    of, part = shapes.parts_of(index)
    found = measure(shapes.parts, np.stack([part, of], axis=1), point, features)
    order = np.lexsort((found.distance, of))
    first = order[np.append(True, of[order][1:] != of[order][:-1])] if len(order) else order
    return replace(found.take(first), part=part[first] - shapes.first[index])
