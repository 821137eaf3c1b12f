# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles with sorted corners, so that results do not depend on the order in which the corners were given."""

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
