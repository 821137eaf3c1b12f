# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles with sorted corners, and the directions in which two triangles may be closest.

With sorted corners, results do not depend on the order in which the corners were given. `closest_axes` is for pairs
that the facets of A - B do not separate reliably.
"""

import numpy as np

from ..numerics import vectors
from ..numerics.tolerances import PARALLEL, rounding
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..results import FeatureKind


def sorted_corners(vertices: Floats) -> tuple[Ints, Floats]:
    """Sort the corners of each triangle lexicographically: their indices (P, 3) and the corners (P, 3, 3)."""
    order = np.lexsort((vertices[..., 2], vertices[..., 1], vertices[..., 0]), axis=1)
    return order, np.take_along_axis(vertices, order[..., None], axis=1)


def rename(features: Ints, order: Ints) -> None:
    """Change features (P, 2) of triangles with sorted corners to those of the given triangles, in place."""
    at = np.arange(len(order))
    kind, index = features[:, 0], features[:, 1]
    corner = order[at, np.clip(index, 0, 2)]
    # Side k is opposite corner k + 2.
    side = (order[at, (np.clip(index, 0, 2) + 2) % 3] + 1) % 3
    odd = (order[:, 1] - order[:, 0]) % 3 == 2
    face = np.where(odd, 1 - index, index)
    features[:, 1] = np.select(
        [kind == FeatureKind.VERTEX, kind == FeatureKind.EDGE, kind == FeatureKind.FACE], [corner, side, face], index
    )


def sizes(vertices: Floats) -> tuple[Floats, Floats]:
    """Longest side, and greatest distance of a corner from the origin, independent of corner order: (P,), (P,)."""
    sides = length(np.roll(vertices, -1, axis=1) - vertices)
    return sides.max(axis=1), length(vertices).max(axis=1)


def area_vectors(sides: Floats, errors: Floats) -> Floats:
    """Cross product of two sides of each triangle, from sides and their rounding errors (P, 3, 3), with all digits."""
    return vectors.cross_dd(sides[:, 0], sides[:, 1], errors[:, 0], errors[:, 1])


def normals(sides: Floats, errors: Floats) -> Floats:
    """Unit normal of each triangle from its sides and their rounding errors (P, 3, 3); zero if it has no area."""
    normal = area_vectors(sides, errors)
    size = dot(sides, sides)
    flat = dot(normal, normal) <= PARALLEL * size[:, 0] * size[:, 1]
    return np.where(flat[:, None], 0.0, normalized(normal, np.zeros(3)))


def slack(a: Floats, b: Floats) -> Floats:
    """Greatest gap between triangles (P, 3, 3) that still counts as contact: (P,)."""
    (size_a, offset_a), (size_b, offset_b) = sizes(a), sizes(b)
    return rounding(size_a + size_b, np.maximum(offset_a, offset_b))


def closest_axes(a: Floats, edges_a: Ints, b: Floats, edges_b: Ints) -> tuple[Floats, Ints]:
    """Directions from pairs of vertices, and from pairs of a vertex and an edge, of two small polytopes.

    If A - B is flat or nearly flat, as for coplanar triangles, its facets show hardly any gap, however far apart the
    two are within their plane. The closest points of two polytopes lie on a vertex, an edge or a face of each. These
    features determine the direction. For two vertices it is their difference. For a vertex and an edge it is the
    component of the difference that is perpendicular to the edge. Two edges give their cross product and a face its
    normal, but these are facets of A - B. The direction with the largest gap of all shows the distance.

    Parameters
    ----------
    a, b : (P, V, 3), (P, W, 3) float64
        The vertices.
    edges_a, edges_b : (E, 2), (F, 2) int64
        The two vertices of each edge.

    Returns
    -------
    axes : (P, K, 3) float64
        Unit vectors; zero where two vertices coincide or a vertex lies on the line of an edge.
    features : (K, 4) int64
        The features of each direction: `FeatureKind` and index in A, kind and index in B.
    """
    count = len(a)
    between = b[:, None, :] - a[:, :, None]
    vertex_a, vertex_b = np.indices(between.shape[1:3]).reshape(2, -1)
    axes = [between.reshape(count, -1, 3)]
    features = [_features(FeatureKind.VERTEX, vertex_a, FeatureKind.VERTEX, vertex_b)]
    edge, vertex = np.indices((len(edges_a), b.shape[1])).reshape(2, -1)
    along = a[:, edges_a[edge, 1]] - a[:, edges_a[edge, 0]]
    axes.append(_across(between[:, edges_a[edge, 0], vertex], along))
    features.append(_features(FeatureKind.EDGE, edge, FeatureKind.VERTEX, vertex))
    edge, vertex = np.indices((len(edges_b), a.shape[1])).reshape(2, -1)
    along = b[:, edges_b[edge, 1]] - b[:, edges_b[edge, 0]]
    axes.append(_across(between[:, vertex, edges_b[edge, 0]], along))
    features.append(_features(FeatureKind.VERTEX, vertex, FeatureKind.EDGE, edge))
    return normalized(np.concatenate(axes, axis=1), np.zeros(3)), np.concatenate(features)


def _across(vectors: Floats, along: Floats) -> Floats:
    """Unit vectors of the components of `vectors` that are perpendicular to `along`, accurate to the last digit."""
    unit = normalized(along, np.zeros(3))
    for _ in range(2):
        # The second pass removes the rounding that the first one left; the gap is only as exact as the right angle.
        vectors = normalized(vectors - dot(vectors, unit)[..., None] * unit, np.zeros(3))
    return vectors


def _features(kind_a: FeatureKind, index_a: Ints, kind_b: FeatureKind, index_b: Ints) -> Ints:
    return np.stack([np.full_like(index_a, kind_a), index_a, np.full_like(index_b, kind_b), index_b], axis=1)
