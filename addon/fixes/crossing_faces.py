# SPDX-License-Identifier: GPL-3.0-or-later
"""The faces of a mesh that intersect other surfaces; does not need Blender."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core import Meshes, Spheres, crossing, distance, overlap
from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Floats, Ints
from ..collisions.pairing import touching_levels


@dataclass(frozen=True, eq=False)
class IntersectingFaces:
    """Faces of one mesh, by their indices, ascending.

    Attributes
    ----------
    crossing : (F,) int64
        Faces that intersect a surface that penetrates the mesh.
    touching : (T,) int64
        Faces that intersect only surfaces that touch the mesh.
    inside : (I,) int64
        Faces that intersect nothing and lie inside another solid.
    """

    crossing: Ints
    touching: Ints
    inside: Ints


def crossing_faces(
    mesh: TriangleMesh, polygons: Ints, others: Sequence[TriangleMesh], touching: float | None = None
) -> IntersectingFaces:
    """Find the faces of a mesh that other surfaces intersect.

    Parameters
    ----------
    mesh : TriangleMesh
        In world coordinates.
    polygons : (m,) int64
        The face that each triangle belongs to.
    others : sequence of TriangleMesh
        In world coordinates.
    touching : float, optional
        Depths up to this count as touching. None: the rounding of float32 at the coordinates.
    """
    lower, upper = mesh.points.min(axis=0), mesh.points.max(axis=0)
    level = float(touching_levels(lower[None], upper[None], touching)[0])
    near = [
        other
        for other in others
        if (other.points.min(axis=0) <= upper + level).all() and (other.points.max(axis=0) >= lower - level).all()
    ]
    none = np.empty(0, dtype=np.int64)
    if not near:
        return IntersectingFaces(none, none, none)
    first, second = Meshes([mesh], [0]), Meshes(near, np.arange(len(near)))
    pairs = np.stack([np.zeros(len(near), dtype=np.int64), np.arange(len(near))], axis=1)
    met = crossing(first, second, pairs)
    meeting = np.unique(met.pair)
    deep = np.zeros(len(near), dtype=bool)
    if len(meeting):
        # Triangles of surfaces in contact intersect, too. The depth of the whole pair distinguishes the two cases.
        measured = distance(first, second, pairs[meeting])
        levels = touching_levels(*second.take(meeting).bounds(), touching)
        deep[meeting] = -measured.distance > np.maximum(np.maximum(level, levels), measured.rounding)
    through = np.unique(polygons[met.triangle_a[deep[met.pair]]])
    beside = np.setdiff1d(polygons[met.triangle_a[~deep[met.pair]]], through)
    rest = np.setdiff1d(polygons, np.concatenate([through, beside]))
    return IntersectingFaces(through, beside, rest[_inside(mesh, polygons, rest, second)])


def _inside(mesh: TriangleMesh, polygons: Ints, faces: Ints, others: Meshes) -> Ints:
    """Return the given faces that lie inside another solid. They intersect no surface, so one point of each decides."""
    _, triangle = np.unique(polygons, return_index=True)
    of_face = triangle[np.searchsorted(np.unique(polygons), faces)]
    points: Floats = mesh.points[mesh.triangles[of_face]].mean(axis=1)
    solid = np.flatnonzero(others.solid)
    lower, upper = others.bounds()
    within = (points[:, None] >= lower[solid]) & (points[:, None] <= upper[solid])
    point, other = np.nonzero(within.all(axis=2))
    if not len(point):
        return np.empty(0, dtype=np.int64)
    hit = overlap(Spheres(points, np.zeros(len(points))), others, np.stack([point, solid[other]], axis=1))
    return np.unique(point[hit])
