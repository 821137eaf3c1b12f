# SPDX-License-Identifier: GPL-3.0-or-later
"""Fast tests of hulls against meshes by the surfaces of the hulls.

The surface of a hull is a mesh, and the kernel that traverses the trees of two meshes takes a tenth of the time that
the hull needs with each triangle. It leaves pairs that touch within rounding.
"""

import numpy as np

from ...hull.spatial import ConvexHull
from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.types import Bools, Floats, Ints
from ...shapes import Hulls, Meshes
from .boundary import hull_triangles
from .bvh_traversal import NO_LEAVES
from .leaf_queries import any_within, contains_component, meeting_by_kernel
from .operands import ConvexRows, MeshRows, mesh_rows, slack_of

# Multiple of a hull's tolerance. Its triangles are at most this far below its vertices.
_BELOW = 8.0


def decided(a: ConvexRows, b: MeshRows, reach: Floats) -> tuple[Bools, Bools]:
    """Return which pairs surely overlap, and which are surely farther apart than `reach` (P,), (P,) each.

    Pairs without a solid hull are left, and all pairs if kernels are interpreted.
    """
    overlap, apart = (np.zeros(len(b), dtype=bool) for _ in range(2))
    shapes = a.shapes
    if not isinstance(shapes, Hulls):
        return overlap, apart
    rows = np.flatnonzero(a.has_volume())
    surface, below = _surfaces(shapes, rows)
    other = b.take(rows)
    found = meeting_by_kernel(surface, other, first=True) if len(rows) else None
    if found is None:
        return overlap, apart
    # A hull contains the triangles of its surface.
    overlap[rows[found[0].pair[found[1]]]] = True
    left = np.flatnonzero(~overlap[rows])
    first, second = surface.take(left), other.take(left)
    near = any_within(first, second, reach[rows[left]] + below[left] + 4.0 * slack_of(first, second), searched=True)
    # Of triangles whose edges cross each other, the first ones are in doubt.
    close, left = left[near], left[~near]
    found = meeting_by_kernel(surface.take(close), other.take(close))
    if found is not None:
        overlap[rows[close[found[0].pair[found[1]]]]] = True
    inside = contains_component(surface.take(left), other.take(left), NO_LEAVES)
    overlap[rows[left[inside]]], apart[rows[left[~inside]]] = True, True
    return overlap, apart


def _surfaces(shapes: Hulls, rows: Ints) -> tuple[MeshRows, Floats]:
    """The surfaces of rows of hulls (K,), and how far their triangles may be below their vertices, (K,)."""
    used, number = np.unique(shapes.index[rows], return_inverse=True)
    hulls = [shapes.geometry[index] for index in used.tolist()]
    below = _BELOW * np.array([hull.tolerance for hull in hulls])[number.reshape(-1)]
    meshes, place = [_surface(hull) for hull in hulls], (shapes.translation[rows], shapes.rotation[rows])
    return mesh_rows(Meshes(meshes, number.reshape(-1), *place, solid=True)), below


def _surface(hull: ConvexHull) -> TriangleMesh:
    """The surface of a hull, which is made once."""
    known: TriangleMesh | None = vars(hull).get("surface")
    if known is None:
        known = TriangleMesh(hull.points[hull.vertices], hull_triangles(hull))
        vars(hull)["surface"] = known
    return known
