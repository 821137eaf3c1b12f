# SPDX-License-Identifier: GPL-3.0-or-later
"""A few vertices of a hull whose own hull is near to all of it."""

import numpy as np

from ..hull import ConvexHull, convex_hull
from ..numerics.types import Floats, Ints
from .polygon_simplify import side_planes

_AT_ONCE = 6
"""One in so many vertices is added at once."""


def decimated(hull: ConvexHull, count: int) -> Ints:
    """At most `count` vertices of a hull, as indices into its points; count at least its dimension and one.

    The vertex that stands out farthest of the hull of those chosen is the next, as in the first step of quickhull; of
    the vertices above one face only one is taken at a time.
    """
    vertices = hull.points[hull.vertices]
    if len(vertices) <= count:
        return hull.vertices
    chosen = _first(vertices, hull.dimension)
    while len(chosen) < count:
        inner = convex_hull(vertices[chosen])
        normals, offsets = side_planes(inner)
        height = vertices @ normals.T - offsets
        above = height.argmax(axis=1)
        out = height[np.arange(len(vertices)), above]
        out[chosen] = -np.inf
        order = np.argsort(-out)
        order = order[np.unique(above[order], return_index=True)[1]]
        order = order[np.argsort(-out[order])]
        order = order[out[order] > hull.tolerance]
        if not len(order):
            break
        most = min(count - len(chosen), max(1, len(chosen) // _AT_ONCE))
        chosen = np.concatenate([chosen, order[:most]])
    return hull.vertices[np.sort(chosen)]


def _first(vertices: Floats, dimension: int) -> Ints:
    """The corners of a large simplex: each is farthest from those before it."""
    chosen = [int(np.argmax(((vertices - vertices.mean(axis=0)) ** 2).sum(axis=1)))]
    rest = vertices - vertices[chosen[0]]
    for _ in range(dimension):
        size = (rest * rest).sum(axis=1)
        far = int(np.argmax(size))
        chosen.append(far)
        unit = rest[far] / np.sqrt(size[far])
        rest = rest - (rest @ unit)[:, None] * unit
    return np.array(chosen)
