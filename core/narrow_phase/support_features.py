# SPDX-License-Identifier: GPL-3.0-or-later
"""Supporting features of shapes along directions, on component arrays, with the names of the generic convex method.

A sphere is a face, and a point is a vertex. The side of a capsule is an edge, and its caps are faces (Lee 2018, section
13.2.5). For a box or a triangle, the feature is a face perpendicular to the direction, else an edge perpendicular to
it, else a vertex.
"""

import numpy as np

from ..numerics.soa import cross, dot, of_rows
from ..numerics.tolerances import FACE_ALIGNMENT, SUPPORT
from ..numerics.types import Floats, Ints
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Spheres, Triangles

Rounded = Spheres | Capsules | Boxes | Triangles


def supporting_feature(shapes: Rounded, rows: Ints, direction: Floats) -> Ints:
    """`FeatureKind` and index of the supporting feature of these rows along `direction` (3, K), (K, 2)."""
    result = np.empty((len(rows), 2), dtype=np.int64)
    if isinstance(shapes, Spheres):
        result[:, 0], result[:, 1] = _cap(shapes.radius[rows]), 0
    elif isinstance(shapes, Capsules):
        along = of_rows(shapes.end[rows] - shapes.start[rows])
        rise, square = dot(along, direction), dot(along, along)
        size = np.sqrt(square) / 2.0 + shapes.radius[rows]
        edge = (np.abs(rise) <= SUPPORT * size) & (square > 0.0)
        result[:, 0] = np.where(edge, FeatureKind.EDGE, _cap(shapes.radius[rows]))
        result[:, 1] = ~edge & (rise > 0.0)
    elif isinstance(shapes, Boxes):
        _box_feature(shapes, rows, direction, result)
    else:
        _triangle_feature(shapes, rows, direction, result)
    return result


def _cap(radius: Floats) -> Ints:
    return np.where(radius > 0.0, int(FeatureKind.FACE), int(FeatureKind.VERTEX))


def _box_feature(boxes: Boxes, rows: Ints, direction: Floats, result: Ints) -> None:
    half = of_rows(boxes.half_extents[rows])
    turn = of_rows(boxes.rotation[rows])
    local = np.stack([dot(turn[:, k], direction) for k in range(3)])
    steep = np.abs(local)
    bits = (half * local > 0.0).astype(np.int64)
    result[:, 0], result[:, 1] = FeatureKind.VERTEX, bits[0] + 2 * bits[1] + 4 * bits[2]
    level = SUPPORT * np.sqrt(dot(half, half))
    # The first edge in the order of `polytopes` wins. A face wins over all edges.
    for k, (i, j) in ((2, (0, 1)), (1, (0, 2)), (0, (1, 2))):
        edge = (2.0 * half[k] * steep[k] <= level) & (half[k] > 0.0)
        np.copyto(result[:, 0], int(FeatureKind.EDGE), where=edge)
        np.copyto(result[:, 1], 4 * k + bits[i] + 2 * bits[j], where=edge)
    for k in range(3):
        face = steep[k] >= 1.0 - FACE_ALIGNMENT
        np.copyto(result[:, 0], int(FeatureKind.FACE), where=face)
        np.copyto(result[:, 1], 2 * k + (local[k] > 0.0), where=face)


def _triangle_feature(triangles: Triangles, rows: Ints, direction: Floats, result: Ints) -> None:
    corner = of_rows(triangles.vertices[rows])  # vertex k is corner[k]
    side = [corner[(k + 1) % 3] - corner[k] for k in range(3)]
    square = np.stack([dot(one, one) for one in side])
    level = np.stack([dot(corner[k] - corner[0], direction) for k in range(3)])
    size = np.sqrt(np.maximum(square[0], square[2]))
    top = level >= level.max(axis=0) - SUPPORT * size
    result[:, 0], result[:, 1] = FeatureKind.VERTEX, level.argmax(axis=0)
    for k in (2, 1, 0):
        edge = top[k] & top[(k + 1) % 3] & (square[k] > 0.0)
        np.copyto(result[:, 0], int(FeatureKind.EDGE), where=edge)
        np.copyto(result[:, 1], k, where=edge)
    normal = cross(side[0], side[1])
    area = np.sqrt(dot(normal, normal))
    rise = dot(normal, direction)
    face = (np.abs(rise) >= (1.0 - FACE_ALIGNMENT) * area) & (area > 0.0)
    np.copyto(result[:, 0], int(FeatureKind.FACE), where=face)
    np.copyto(result[:, 1], (rise < 0.0).astype(np.int64), where=face)
