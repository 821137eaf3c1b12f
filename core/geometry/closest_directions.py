# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions in which two small polytopes may be closest, for pairs that no facet of A - B can decide.

Where A - B is flat, as that of coplanar triangles, or all but flat, its facets show no gap worth the name, however far
apart the two are within their plane. But the closest points of two polytopes lie on a vertex or an edge of each, or on
a face, and what they lie on gives the direction: two vertices their difference, a vertex and an edge the difference
less its part along the edge. (Two edges their cross product, a face its normal: those are facets.) Of all these
directions the one with the largest gap shows the distance.
"""

import numpy as np

from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, normalized
from ..results import FeatureKind


def closest_axes(a: Floats, edges_a: Ints, b: Floats, edges_b: Ints) -> tuple[Floats, Ints]:
    """The directions that vertices and edges give.

    Parameters
    ----------
    a, b : (P, V, 3), (P, W, 3) float64
        The vertices.
    edges_a, edges_b : (E, 2), (F, 2) int64
        The two vertices of each edge.

    Returns
    -------
    axes : (P, K, 3) float64
        Unit, or zero where two vertices coincide or a vertex lies on an edge's line.
    features : (K, 4) int64
        What makes each: `FeatureKind` and index in A, kind and index in B.
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
    """What is left of vectors without their parts along others, at right angles to these to the last digit."""
    unit = normalized(along, np.zeros(3))
    for _ in range(2):
        # The second time takes off what rounding of a long vector left of the first; a gap is as good as the angle.
        vectors = normalized(vectors - dot(vectors, unit)[..., None] * unit, np.zeros(3))
    return vectors


def _features(kind_a: FeatureKind, index_a: Ints, kind_b: FeatureKind, index_b: Ints) -> Ints:
    return np.stack([np.full_like(index_a, kind_a), index_a, np.full_like(index_b, kind_b), index_b], axis=1)
