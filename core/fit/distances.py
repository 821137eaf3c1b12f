# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points are from the surface of a hull or of a mesh."""

import numpy as np

from ..hull import ConvexHull
from ..narrow_phase.mesh.boundary import hull_triangles
from ..narrow_phase.mesh.nearest_triangles import nearest_triangles
from ..narrow_phase.mesh.placed import surfaces
from ..numerics.types import Floats, Ints
from ..shapes import Meshes

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
        result[outside] = to_surface(points[outside], surface)[0]
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


def to_surface(points: Floats, surface: Meshes) -> tuple[Floats, Ints]:
    """Distances of points (K, 3) from the triangles of one mesh, solid or not, and which are nearest: (K,) each."""
    return nearest_triangles(surfaces(surface), np.zeros(len(points), np.int64), points)
