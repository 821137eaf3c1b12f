# SPDX-License-Identifier: GPL-3.0-or-later
"""The features of shapes that candidate axes are made of: the directions of their faces and of their edges."""

from dataclasses import dataclass

import numpy as np

from ..convex.polytopes import polytopes
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length, normalized
from ..results import FeatureKind, UnsupportedPair
from ..shapes import Boxes, Capsules, Cylinders, HalfSpaces, Hulls, Planes, Shapes, Spheres, Triangles


@dataclass(frozen=True)
class AxisFeatures:
    """Faces and edge directions of the rows of a batch; short rows are padded.

    Attributes
    ----------
    faces : (N, F, 3) float64
        Unit normals, outward; zero where a face has no area and hence no normal.
    face_names : (N, F, 2) int64
        `FeatureKind` and index; an edge where the face is the one of zero width through it.
    face_real : (N, F) bool
        False for padding.
    mirrored : bool
        Every face stands for the opposite one as well.
    edges : (N, E, 3) float64
        Unit directions; zero where an edge has no length.
    edge_names : (N, E) int64
        Indices of the edges; of parallel ones that are taken together, the first.
    edge_real : (N, E) bool
    """

    faces: Floats
    face_names: Ints
    face_real: Bools
    mirrored: bool
    edges: Floats
    edge_names: Ints
    edge_real: Bools


def axis_features(shapes: Shapes) -> AxisFeatures:
    """Faces and edges of each shape.

    A box has three faces and three edges, each standing for all that are parallel to it. A triangle has its face, the
    three of zero width through its sides, and its sides. A capsule has its axis for an edge, a cylinder its axis for
    a face and for an edge, a sphere nothing. A half-space and a plane are one face.

    Raises
    ------
    UnsupportedPair
        For meshes and assemblies.
    """
    count = len(shapes)
    if isinstance(shapes, Boxes):
        axes = shapes.rotation.transpose(0, 2, 1)
        return _fixed(axes, np.array([1, 3, 5]), axes, 4 * np.arange(3))
    if isinstance(shapes, Triangles):
        along = np.roll(shapes.vertices, -1, axis=1) - shapes.vertices
        sides = normalized(along, np.zeros(3))
        # Its face 1, whose opposite is face 0, on the side of the normal.
        normal = normalized(np.cross(-along[:, 2], along[:, 0]), np.zeros(3))
        across = normalized(np.cross(sides, normal[:, None]), np.zeros(3))
        result = _fixed(np.concatenate([normal[:, None], across], axis=1), np.array([1, 0, 1, 2]), sides, np.arange(3))
        result.face_names[:, 1:, 0] = FeatureKind.EDGE
        return result
    if isinstance(shapes, Capsules | Cylinders):
        along = normalized(shapes.end - shapes.start, np.zeros(3))[:, None]
        # A cylinder's side is its edge 2, after the rims; a capsule has no other edge.
        side = np.array([2 if isinstance(shapes, Cylinders) else 0])
        return _fixed(along[:, : isinstance(shapes, Cylinders)], np.ones(1, np.int64), along, side)
    if isinstance(shapes, HalfSpaces | Planes):
        nothing = np.empty((count, 0, 3))
        return _fixed(shapes.normal[:, None], np.zeros(1, np.int64), nothing, np.empty(0, np.int64))
    if isinstance(shapes, Spheres):
        nothing, none = np.empty((count, 0, 3)), np.empty(0, np.int64)
        return _fixed(nothing, none, nothing, none)
    if isinstance(shapes, Hulls):
        return _of_hulls(shapes)
    raise UnsupportedPair(f"{type(shapes).__name__}: what need not be convex has no separating axes")


def _fixed(faces: Floats, face_index: Ints, edges: Floats, edge_index: Ints) -> AxisFeatures:
    """Features of shapes that all have equally many, in opposite pairs."""
    count = len(faces)
    names = np.empty((*faces.shape[:2], 2), dtype=np.int64)
    names[..., 0], names[..., 1] = FeatureKind.FACE, face_index[: faces.shape[1]]
    return AxisFeatures(
        faces=faces,
        face_names=names,
        face_real=np.ones(faces.shape[:2], dtype=bool),
        mirrored=True,
        edges=edges,
        edge_names=np.broadcast_to(edge_index, (count, edges.shape[1])),
        edge_real=np.ones(edges.shape[:2], dtype=bool),
    )


def _of_hulls(shapes: Hulls) -> AxisFeatures:
    rows = polytopes(shapes)
    pool, geometry = rows.pool, rows.geometry
    faces, edges = rows.normals, rows.edges
    names = np.empty((*faces.shape[:2], 2), dtype=np.int64)
    names[..., 0], names[..., 1] = FeatureKind.FACE, np.arange(faces.shape[1])
    thin = np.arange(faces.shape[1]) >= pool.faces[geometry][:, None]
    # A face of zero width goes by the first edge beside it.
    beside = np.full(faces.shape[:2], edges.shape[1])
    for side in (2, 3):
        np.minimum.at(beside, (np.arange(len(rows))[:, None], edges[..., side]), np.arange(edges.shape[1]))
    names[thin] = np.stack([np.full(np.count_nonzero(thin), FeatureKind.EDGE), beside[thin]], axis=1)
    at = np.arange(len(rows))[:, None]
    along = rows.vertices[at, edges[..., 1]] - rows.vertices[at, edges[..., 0]]
    return AxisFeatures(
        faces=faces,
        face_names=names,
        face_real=np.arange(faces.shape[1]) < pool.normals.count[geometry][:, None],
        mirrored=False,
        edges=along / np.where(length(along) > 0.0, length(along), 1.0)[..., None],
        edge_names=np.broadcast_to(np.arange(edges.shape[1]), edges.shape[:2]),
        edge_real=np.arange(edges.shape[1]) < pool.edges.count[geometry][:, None],
    )
