# SPDX-License-Identifier: GPL-3.0-or-later
"""Box against box: the fifteen axes of seed 002, section 13.4. The other questions take the convex way."""

import numpy as np

from ..results import FeatureKind, Floats, Ints, Separations
from ..shapes import Boxes
from ..tolerances import EPS, PARALLEL_SINE_SQUARED
from ..vectors import dot, length
from .convex_convex import contacts, contained, contains, distance, overlap

__all__ = ["contacts", "contained", "contains", "distance", "overlap", "separating_axis"]


def separating_axis(a: Boxes, b: Boxes) -> Separations:
    """The largest gap over the three axes of A, the three of B and their nine cross products.

    Cross products of parallel edges are no axes and are left out; an edge axis must beat the faces by more than
    rounding, so that the answer does not flip under noise.
    """
    count = len(a)
    at = np.arange(count)
    axes_a, axes_b = a.rotation.transpose(0, 2, 1), b.rotation.transpose(0, 2, 1)
    cross = np.cross(axes_a[:, :, None], axes_b[:, None]).reshape(count, 9, 3)
    square = dot(cross, cross)
    proper = square > PARALLEL_SINE_SQUARED
    cross /= np.sqrt(np.where(proper, square, 1.0))[..., None]
    axes = np.concatenate([axes_a, axes_b, cross], axis=1)
    reach = (np.abs(axes @ a.rotation) * a.half_extents[:, None]).sum(axis=2)
    reach += (np.abs(axes @ b.rotation) * b.half_extents[:, None]).sum(axis=2)
    shift = dot(axes, (b.center - a.center)[:, None])
    gaps = np.abs(shift) - reach
    gaps[:, 6:] = np.where(proper, gaps[:, 6:], -np.inf)
    slack = 8.0 * EPS * (length(a.half_extents) + length(b.half_extents))
    preferred = gaps - np.repeat([0.0, 1.0, 2.0], [3, 3, 9]) * slack[:, None]
    best = np.argmax(preferred, axis=1)
    sign = np.where(shift[at, best] < 0.0, -1.0, 1.0)
    feature_a, feature_b = np.full((2, count, 2), -1, dtype=np.int64)
    forward = np.where(shift[at, best] < 0.0, 0, 1)
    from_a, from_b, from_edges = best < 3, (best >= 3) & (best < 6), best >= 6
    feature_a[from_a] = np.stack([np.full(count, FeatureKind.FACE), 2 * best + forward], axis=1)[from_a]
    feature_b[from_b] = np.stack([np.full(count, FeatureKind.FACE), 2 * (best - 3) + 1 - forward], axis=1)[from_b]
    direction = axes[at, best] * sign[:, None]
    edge_a = _supporting_edge(a, direction, (best - 6) // 3)
    edge_b = _supporting_edge(b, -direction, (best - 6) % 3)
    feature_a[from_edges] = np.stack([np.full(count, FeatureKind.EDGE), edge_a], axis=1)[from_edges]
    feature_b[from_edges] = np.stack([np.full(count, FeatureKind.EDGE), edge_b], axis=1)[from_edges]
    return Separations(gaps[at, best], direction, feature_a, feature_b)


def _supporting_edge(boxes: Boxes, direction: Floats, axis: Ints) -> Ints:
    """Index, in the order of `polytopes`, of the edge along axis 0, 1 or 2 of each box that lies farthest."""
    local = np.einsum("nij,ni->nj", boxes.rotation, direction)
    bits = (local > 0.0).astype(np.int64)
    others = np.array([[1, 2], [0, 2], [0, 1]])[axis]
    at = np.arange(len(boxes))
    return axis * 4 + bits[at, others[:, 0]] + 2 * bits[at, others[:, 1]]
