# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points are from the surface of a hull or of a mesh."""

import numpy as np

from ..hull import ConvexHull
from ..mesh.bodies import surfaces
from ..mesh.boundary import hull_triangles
from ..mesh.pieces import nearest
from ..mesh.sides import side
from ..results import Floats, Ints
from ..shapes import Meshes, Spheres

_NUMBERS = 1 << 22
"""Heights computed in one go; bounds the memory."""


def to_hull(points: Floats, hull: ConvexHull) -> Floats:
    """Signed distances from the surface of a hull, negative inside: (K, 3) -> (K,).

    Inside, the nearest face is that of the greatest height; outside, triangles of the surface are compared.
    """
    result = highest(points, hull)
    outside = np.flatnonzero(result > 0.0)
    if len(outside):
        vertices = hull.points[hull.vertices]
        surface = Meshes.from_triangles([(vertices, hull_triangles(hull))], solid=False)
        result[outside] = to_surface(points[outside], surface)
    return result


def highest(points: Floats, hull: ConvexHull) -> Floats:
    """The greatest height of each point above the faces of a hull, (K,); infinite for a hull without a volume."""
    result = np.full(len(points), np.inf)
    if hull.dimension == 3:
        block = max(1, _NUMBERS // len(hull.faces))
        for first in range(0, len(points), block):
            height = points[first : first + block] @ hull.normals.T
            result[first : first + block] = (height - hull.offsets).max(axis=1)
    return result


def to_surface(points: Floats, surface: Meshes) -> Floats:
    """Distances from the triangles of one mesh, solid or not: (K, 3) -> (K,)."""
    return nearest_triangles(points, surface)[0]


def nearest_triangles(points: Floats, surface: Meshes) -> tuple[Floats, Ints]:
    """The same, and which triangles are nearest."""
    rows = surface.take(np.zeros(len(points), np.int64))
    found = nearest(side(Spheres(points, np.zeros(len(points)))), surfaces(rows))
    return np.maximum(found.found.distance, 0.0), found.piece_b
