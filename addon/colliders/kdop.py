# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes with beveled edges and corners: discrete oriented polytopes (k-DOPs), tight along fixed directions.

Klosowski et al., "Efficient collision detection using bounding volume hierarchies of k-DOPs", 1998.
"""

from itertools import product

import numpy as np

from ...core.hull import ConvexHull, convex_hull
from ...core.numerics.types import Floats
from ..model.tolerances import FLOAT32_EPS

# Dimensionless: fraction of the extent, so that rounding of locations to float32 leaves no point outside.
_ROOM = 4.0 * FLOAT32_EPS

_ALL = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)))
_COUNT = np.abs(_ALL).sum(axis=1)
_FACES, _EDGES, _CORNERS = (_ALL[count == _COUNT] for count in (1, 2, 3))


def kdop(points: Floats, axes: Floats, count: int) -> ConvexHull:
    """Return the tightest k-DOP that contains points.

    Parameters
    ----------
    points : (n, 3) float64
        Not all coplanar.
    axes : (3, 3) float64
        Columns are the axes of the box.
    count : int
        10: the four edges along one axis are beveled, the axis with the smallest volume. 18: all edges. 26: all edges
        and corners.
    """
    if count == 10:
        tried = [_polytope(points, axes, [_FACES, _EDGES[_EDGES[:, axis] == 0.0]]) for axis in range(3)]
        return min(tried, key=lambda hull: hull.volume)
    return _polytope(points, axes, [_FACES, _EDGES, *([_CORNERS] if count == 26 else [])])


def _polytope(points: Floats, axes: Floats, directions: list[Floats]) -> ConvexHull:
    """Return the vertices of an intersection of half-spaces, from the hull of the dual points about an inner point."""
    inside = points[convex_hull(points).vertices].mean(axis=0)
    normals = np.concatenate(directions)
    normals = (normals / np.linalg.norm(normals, axis=1, keepdims=True)) @ axes.T
    reach = ((points - inside) @ normals.T).max(axis=0)
    dual = convex_hull(normals / (reach + _ROOM * (reach.max() + np.abs(points).max()))[:, None])
    # Each face of the dual is a corner: the point whose dot product with all vertices of the face is 1.
    return convex_hull(dual.normals / dual.offsets[:, None] + inside)
