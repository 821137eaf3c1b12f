# SPDX-License-Identifier: GPL-3.0-or-later
"""Features of the convex hull of a mesh as features of the mesh, for meshes that are the boundary of their hull."""

from dataclasses import dataclass

import numpy as np

from ..hull import ConvexHull
from ..numerics.rows import of_each, smallest_per_group
from ..numerics.types import Floats, Ints
from ..numerics.vectors import cross, dot, normalized
from .triangle_mesh import TriangleMesh

# Cosines that differ by less are equal: coplanar triangles, and edges in one line.
_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class HullFeatures:
    """The feature of a convex mesh for each feature of its hull.

    Attributes
    ----------
    index : (K,) int64
        The vertices, the edges and the triangles of the mesh, one after another, and -1 for no feature. An edge of the
        hull that consists of several edges of the mesh has the part at its first vertex. A face has the lowest triangle
        at its first corner.
    start : (4,) int64
        Where each kind starts. The last is for no feature, which has the number -1.
    """

    index: Ints
    start: Ints

    def of(self, feature: Ints) -> Ints:
        """Convert features (K, 2) of the hull, as shapes of contacts have them."""
        result = feature.copy()
        result[:, 1] = self.index[self.start[feature[:, 0]] + feature[:, 1]]
        return result


def hull_features(mesh: TriangleMesh) -> HullFeatures:
    """Find the features of a convex mesh. They are computed once for each mesh."""
    known: HullFeatures | None = vars(mesh).get("hull_features")
    if known is None:
        known = vars(mesh)["hull_features"] = _found(mesh)
    return known


def _found(mesh: TriangleMesh) -> HullFeatures:
    hull = mesh.hull
    ends, edge = mesh.used[_core_edges(hull)], np.empty(0, dtype=np.int64)
    if len(ends):
        which, triangle = _triangles_at(mesh, ends[:, 0])
        # The two sides of each triangle at the vertex, and their other ends.
        corner = np.argmax(mesh.welded_triangles[triangle] == ends[which, :1], axis=1)
        side = np.stack([corner, (corner + 2) % 3], axis=1).reshape(-1)
        other = np.stack([(corner + 1) % 3, (corner + 2) % 3], axis=1).reshape(-1)
        which, triangle = np.repeat(which, 2), np.repeat(triangle, 2)
        way = mesh.points[mesh.welded_triangles[triangle, other]] - mesh.points[ends[which, 0]]
        along = mesh.points[ends[:, 1]] - mesh.points[ends[:, 0]]
        edge = _likest(which, way, along, mesh.edges.of_triangle[triangle, side])
    face = np.empty(0, dtype=np.int64)
    if len(hull.faces):
        first = mesh.used[np.array([corners[0] for corners in hull.faces])]
        which, triangle = _triangles_at(mesh, first)
        face = _likest(which, _outward(mesh, triangle), hull.normals, triangle)
    index = np.concatenate([mesh.used, edge, face, [-1]])
    kinds = np.array([len(mesh.used), len(edge), len(face), 1])
    return HullFeatures(index, np.cumsum(kinds) - kinds + np.array([0, 0, 0, 1]))


def _core_edges(hull: ConvexHull) -> Ints:
    """The ends of the edges as `collision_kit.core.convex.polytopes.pools` numbers them, (E, 2).

    A flat hull has those of both faces, each in the order of the outline, and a segment has four.
    """
    if hull.dimension == 2:
        return np.tile(np.stack([hull.faces[0], np.roll(hull.faces[0], -1)], axis=1), (2, 1))
    return hull.edges if hull.dimension == 3 else np.tile(hull.edges, (4, 1))


def _triangles_at(mesh: TriangleMesh, vertex: Ints) -> tuple[Ints, Ints]:
    """The triangles at welded vertices (K,): the index into these, and the triangle."""
    which, place = of_each(vertex, mesh.welded_triangles.reshape(-1)[mesh.by_vertex])
    return which, mesh.by_vertex[place] // 3


def _outward(mesh: TriangleMesh, triangle: Ints) -> Floats:
    """Normals of triangles (K,), outward even if all triangles of the mesh face inward. For a flat mesh, unchanged."""
    corner = mesh.corners - mesh.hull.centroid
    inward = mesh.hull.dimension == 3 and float(dot(corner[:, 0], cross(corner[:, 1], corner[:, 2])).sum()) < 0.0
    first, second, third = mesh.corners[triangle].transpose(1, 0, 2)
    normal: Floats = cross(second - first, third - first)
    return -normal if inward else normal


def _likest(which: Ints, direction: Floats, wanted: Floats, number: Ints) -> Ints:
    """For each requested direction (G, 3), the lowest index of those (K,) with the most similar directions."""
    cosine = dot(normalized(direction, np.zeros(3)), normalized(wanted, np.zeros(3))[which])
    cosine[number < 0] = -2.0
    best = np.full(len(wanted), -2.0)
    np.maximum.at(best, which, cosine)
    kept = np.flatnonzero(cosine >= best[which] - _EQUAL)
    return number[kept[smallest_per_group(which[kept], number[kept].astype(np.float64))]]
