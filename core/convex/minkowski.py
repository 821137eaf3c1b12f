# SPDX-License-Identifier: GPL-3.0-or-later
"""Minkowski sums and configuration space obstacles of point sets, and distance and depth of the origin.

doc4code 2011, "Minkowski Addition" to "Penetration Depth", directly from the definitions. A - B contains the origin if
and only if A and B intersect. The distance of the origin from A - B is their distance, and the depth of the origin in A
- B is their penetration depth. This module uses none of the iterative or separating-axis algorithms for shapes, which
are tested against it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..hull.planar import PlanarHull
from ..hull.planar import convex_hull as planar_hull
from ..numerics.rows import ragged_arange
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_type, point_set
from ..numerics.vectors import cross, dot, length, normalized, perpendicular
from .polytopes.support_table import direction_tables

# Number of sums up to which all are computed. Otherwise only sums of vertices that some direction supports in both.
_ALL_SUMS = 1 << 14
# Number of sums that are computed before the interior ones are dropped. This bounds the memory.
_SUMS_PER_BLOCK = 1 << 21


def reflection(points: ArrayLike) -> Floats:
    """The reflection of the set through the origin, written -B (doc4code 2011, "Minkowski Addition").

    Parameters
    ----------
    points : (n, 2) or (n, 3) array-like

    Returns
    -------
    (n, 2) or (n, 3) float64

    Raises
    ------
    ValueError
        If there is no point, the shape is wrong, or a coordinate is not finite; names the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.reflection([[1, 2, 3]])
    array([[-1., -2., -3.]])
    """
    return 0.0 - _points(points, "points")  # not -0.0


def minkowski_sum(a_points: ArrayLike, b_points: ArrayLike) -> ConvexHull | PlanarHull:
    """Sum of the convex hulls of two point sets: all x + y (doc4code 2011, "Minkowski Addition").

    Parameters
    ----------
    a_points, b_points : (n, 2) or (n, 3) array-like
        Both in the plane or both in space, at least one point each.

    Returns
    -------
    ConvexHull or PlanarHull
        Its `points` are sums of a vertex of A and a vertex of B. In space, row ``i * V + j`` is the sum of vertex i of
        the hull of A and vertex j of the hull of B, which has V vertices. This does not hold if there are more than
        sixteen thousand such sums.

    Raises
    ------
    ValueError
        As for `reflection`, or if one set is in the plane and the other in space.

    Notes
    -----
    In space, this is the hull of all sums of two vertices. conv(A) + conv(B) = conv(A + B), because a convex
    combination of A plus one of B is a convex combination of their sums, with the products of the weights; and conv(A)
    = conv(vert(A)). A vertex of the sum is the farthest point along some direction, and so are its two summands. If
    there are many sums, only those are computed whose summands may be the farthest in a common cell of directions. In
    the plane, a vertex of the sum is the sum of the vertices that one direction supports. All those pairs are found by
    traversing both outlines simultaneously, with the edges in the order of their directions.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    >>> ck.minkowski_sum(square, [[0, 0, 0], [0, 0, 1]]).vertices.size
    8
    """
    a, b = _points(a_points, "a_points"), _points(b_points, "b_points")
    if a.shape[1] != b.shape[1]:
        raise ValueError(f"b_points: shape {b.shape}, but a_points has {a.shape}")
    if a.shape[1] == 2:
        return planar_hull(_merged(planar_hull(a), planar_hull(b)))
    return convex_hull(_sums(_vertices(a), _vertices(b)))


def configuration_space_obstacle(a_points: ArrayLike, b_points: ArrayLike) -> ConvexHull | PlanarHull:
    """All x - y for x in the convex hull of A and y in that of B (doc4code 2011, "Configuration Space Obstacle").

    These are the translations of B after which it intersects A.

    Parameters
    ----------
    a_points, b_points : (n, 2) or (n, 3) array-like
        Both in the plane or both in space, at least one point each.

    Returns
    -------
    ConvexHull or PlanarHull
        As `minkowski_sum` of A and -B.

    Raises
    ------
    ValueError
        As `minkowski_sum`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a, b = [[0, 0, 0], [1, 0, 0]], [[3, 0, 0], [4, 0, 0]]
    >>> hull = ck.configuration_space_obstacle(a, b)
    >>> hull.points[hull.vertices]
    array([[-4.,  0.,  0.],
           [-2.,  0.,  0.]])
    """
    return minkowski_sum(_points(a_points, "a_points"), 0.0 - _points(b_points, "b_points"))


@dataclass(frozen=True, eq=False)
class OriginProjection:
    """The point of a polytope, or of the space outside it, that is nearest to the origin.

    Attributes
    ----------
    distance : float
        Distance of `point` from the origin, not negative.
    point : (d,) float64
    normal : (d,) float64
        Unit, outward from the polytope. For A - B this is the direction from A to B with the largest gap or the least
        overlap.
    """

    distance: float
    point: Floats
    normal: Floats


def distance_to_origin(polytope: ConvexHull | PlanarHull) -> OriginProjection:
    """The point of a polytope nearest to the origin (doc4code 2011, "Distance").

    The distance of A - B from the origin is the distance of A and B. The point is a - b for the closest points a of A
    and b of B.

    Parameters
    ----------
    polytope : ConvexHull or PlanarHull
        The polytope of A - B, see `configuration_space_obstacle`.

    Returns
    -------
    OriginProjection
        ``point == -distance * normal`` if the distance exceeds the polytope's `tolerance`. Otherwise the normal is that
        of the face with the least offset. Segments and points have no faces. Their normal is perpendicular to the
        segment, or is the last coordinate axis.

    Raises
    ------
    ValueError
        If `polytope` is neither.

    Notes
    -----
    The nearest point is on a vertex, an edge or a face. All are tested: each edge with its ends, and each face into
    which the origin projects.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.distance_to_origin(ck.convex_hull([[1, -1, 0], [1, 1, 0]])).distance
    1.0
    """
    check_type(polytope, (ConvexHull, PlanarHull), "polytope")
    depth, normal = _nearest_facet(polytope)
    width = polytope.points.shape[1]
    solid = polytope.dimension == width
    if solid and depth >= 0.0:
        return OriginProjection(0.0, np.zeros(width), normal)
    point = _nearest_on_edges(polytope)
    distance = float(length(_in_space(point)))
    if distance > polytope.tolerance:  # below the tolerance, the direction of the point is mostly rounding error
        normal = -point / distance
    # By rounding, the origin may be behind both faces of a flat hull.
    facing = polytope.offsets <= (0.0 if solid else polytope.tolerance)
    gap = np.where(facing & _projects_inside(polytope), np.maximum(-polytope.offsets, 0.0), np.inf)
    if gap.min(initial=np.inf) <= distance:
        facet = int(np.argmin(gap))
        distance, normal = float(gap[facet]), polytope.normals[facet]
        point = -distance * normal
    return OriginProjection(distance, point + 0.0, normal + 0.0)


def penetration_depth_of_origin(polytope: ConvexHull | PlanarHull) -> OriginProjection:
    """The shortest vector from the origin out of a polytope (doc4code 2011, "Penetration Depth").

    The infimum of ``|x|`` over all x not in the polytope. For A - B it is the length of the shortest translation after
    which A and B at most touch: of B by `point`, or of A by its negative.

    Parameters
    ----------
    polytope : ConvexHull or PlanarHull
        The polytope of A - B, see `configuration_space_obstacle`.

    Returns
    -------
    OriginProjection
        If the origin is outside or on the surface, and for flat polytopes: distance zero, the origin, and the normal of
        `distance_to_origin`.

    Raises
    ------
    ValueError
        If `polytope` is neither.

    Notes
    -----
    A polytope is the set of points with ``normal · x <= offset`` for all its faces. So the nearest x outside is just
    beyond the face with the least offset.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> corners = [[x, y, z] for x in (-1, 2) for y in (-2, 2) for z in (-3, 3)]
    >>> ck.penetration_depth_of_origin(ck.convex_hull(corners)).distance
    1.0
    """
    check_type(polytope, (ConvexHull, PlanarHull), "polytope")
    depth, normal = _nearest_facet(polytope)
    width = polytope.points.shape[1]
    if depth > 0.0 and polytope.dimension == width:
        return OriginProjection(depth, depth * normal + 0.0, normal)
    return OriginProjection(0.0, np.zeros(width), distance_to_origin(polytope).normal)


def _points(points: ArrayLike, name: str) -> Floats:
    """Convert points of the plane or of space to float64."""
    return point_set(points, name, (2, 3)).astype(np.float64)


def _vertices(points: Floats) -> Floats:
    hull = convex_hull(points)
    return hull.points[hull.vertices]


def _sums(a: Floats, b: Floats) -> Floats:
    """Sums of two vertices. They include all vertices of the hull of all sums, and usually some more."""
    if len(a) * len(b) <= _ALL_SUMS:
        return (a[:, None] + b).reshape(-1, 3)
    table = direction_tables(np.concatenate([a, b]), np.array([0, len(a)]), np.array([len(a), len(b)]), alike=True)
    of_a, of_b = (table.one(polytope) for polytope in range(2))
    count_b = np.diff(of_b.start)
    sums = np.diff(of_a.start) * count_b
    # Split the cells into blocks with about as many sums as are computed at once.
    block = (np.cumsum(sums) - sums) // _SUMS_PER_BLOCK
    parts = []
    for cells in np.split(np.arange(len(sums)), np.flatnonzero(np.diff(block)) + 1):
        which, number = ragged_arange(sums[cells])
        cell = cells[which]
        i, j = np.divmod(number, count_b[cell])
        pair = np.unique(of_a.candidate[of_a.start[cell] + i] * len(b) + of_b.candidate[of_b.start[cell] + j])
        parts.append(a[pair // len(b)] + b[pair % len(b)])
    return parts[0] if len(parts) == 1 else np.concatenate([_vertices(part) for part in parts])


def _merged(a: PlanarHull, b: PlanarHull) -> Floats:
    """The sums of vertices found by traversing both outlines simultaneously."""
    first, angle_a = _by_direction(a)
    second, angle_b = _by_direction(b)
    order = np.argsort(np.concatenate((angle_a, angle_b)), kind="stable")
    from_a = order < len(angle_a)
    # Number of edges of each outline that are passed at the start of each edge of the sum.
    steps_a: Ints = np.cumsum(from_a) - from_a
    steps_b = np.arange(len(order)) - steps_a
    if not len(order):
        return a.points[first] + b.points[second]
    return a.points[first[steps_a % len(first)]] + b.points[second[steps_b % len(second)]]


def _by_direction(hull: PlanarHull) -> tuple[Ints, Floats]:
    """The outline from the edge with the least direction angle on, and these angles in ascending order."""
    if not len(hull.edges):
        return hull.outline, np.empty(0)
    # The direction of an edge is its normal, rotated by 90 degrees. Edges are already sorted: each remaining corner
    # turns by more than the rounding of these angles.
    angle = np.arctan2(hull.normals[:, 0], -hull.normals[:, 1])
    turn = -int(np.argmin(angle))
    return np.roll(hull.outline, turn), np.roll(angle, turn)


def _nearest_facet(polytope: ConvexHull | PlanarHull) -> tuple[float, Floats]:
    """The least offset of a facet and its normal; without facets, zero and a normal of the segment or point."""
    if len(polytope.offsets):
        facet = int(np.argmin(polytope.offsets))
        return float(polytope.offsets[facet]), polytope.normals[facet]
    if polytope.dimension == 1:
        start, end = polytope.points[polytope.vertices]
        return 0.0, perpendicular(normalized(end - start, end - start)[None])[0]
    return 0.0, np.eye(polytope.points.shape[1])[-1]


def _nearest_on_edges(polytope: ConvexHull | PlanarHull) -> Floats:
    """The nearest point to the origin on the edges, ends included."""
    ends = polytope.edges if len(polytope.edges) else np.repeat(polytope.vertices[None, :1], 2, axis=1)
    start, end = _in_space(polytope.points[ends[:, 0]]), _in_space(polytope.points[ends[:, 1]])
    unit = normalized(end - start, np.zeros(3))
    # Compute from the nearer end, so that a long edge does not reduce the accuracy of a near point. Then the other end
    # cannot be the nearest point.
    swap = (length(end) < length(start))[:, None]
    start, unit = np.where(swap, end, start), np.where(swap, -unit, unit)
    candidates = start + np.maximum(-dot(start, unit), 0.0)[:, None] * unit
    nearest: Floats = candidates[np.argmin(length(candidates))][: polytope.points.shape[1]]
    return nearest


def _projects_inside(polytope: ConvexHull | PlanarHull) -> Bools:
    """Whether the origin projects into each facet."""
    if isinstance(polytope, PlanarHull):
        start, end = polytope.points[polytope.edges[:, 0]], polytope.points[polytope.edges[:, 1]]
        along = end - start
        within: Bools = ((along * start).sum(axis=1) <= 0.0) & ((along * end).sum(axis=1) >= 0.0)
        return within
    count = np.array([len(face) for face in polytope.faces], dtype=np.int64)
    corner = np.concatenate([np.zeros(0, np.int64), *polytope.faces])
    following = np.concatenate([np.zeros(0, np.int64), *(np.roll(face, -1) for face in polytope.faces)])
    face = np.repeat(np.arange(len(count)), count)
    inward = cross(polytope.normals[face], polytope.points[following] - polytope.points[corner])
    # Perpendicular to the normal, so that the origin and its projection are on the same side.
    outside = dot(inward, polytope.points[corner]) > 0.0
    return np.bincount(face[outside], minlength=len(count)) == 0


def _in_space(vectors: Floats) -> Floats:
    """Append zeros to vectors of the plane to make them vectors of space."""
    return np.concatenate((vectors, np.zeros((*vectors.shape[:-1], 3 - vectors.shape[-1]))), axis=-1)
