# SPDX-License-Identifier: GPL-3.0-or-later
"""Fast tests whether the shapes of overlapping pairs are deeper in each other than a tolerance.

Bounds decide most pairs that only touch: if the extents of both along some direction overlap by no more than the
tolerance, no point is deeper in the other shape. A deeper point decides most pairs that penetrate. For all others, the
interference must be measured.
"""

import numpy as np

from ...convex.batch_sides import are_curved, proved_deeper, readable, side_rows
from ...kernels import deep_points, trees
from ...kernels.loading import pays
from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import rows_of_each
from ...numerics.types import Bools, Floats, Ints
from ...shapes import Meshes
from ..convex_table import EITHER_ORDER
from .intersection import normals
from .leaf_queries import traversed
from .operands import (
    ConvexRows,
    MeshRows,
    ShapeRows,
    Trees,
    distances_from,
    few_vertices,
    frames,
    hulls_by_vertices,
    hulls_of,
    in_world,
    mesh_rows,
    slack_of,
    surfaces_of,
)
from .orientation import orientation
from .ray_casting import hits, inside

# Results of `decided`: unknown, and the two answers.
UNKNOWN, SHALLOW, DEEP = -1, 0, 1


def decided(a: ShapeRows, b: MeshRows, level: Floats) -> Ints:
    """Return which overlapping pairs are `DEEP`: a point of one shape is deeper in the other than `level` (P,), (P,).

    The level is at least the rounding of the pair. `SHALLOW`: no point is. `UNKNOWN`: undecided.
    """
    result = np.full(len(b), UNKNOWN)
    result[_overlap_of_boxes(a, b) <= level] = SHALLOW
    rows = np.flatnonzero(result == UNKNOWN)
    if isinstance(a, MeshRows):
        result[rows[_has_deep_point(a.take(rows), b.take(rows), level[rows])]] = DEEP
    rows = np.flatnonzero(result == UNKNOWN)
    result[rows[_has_shallow_hulls(a.take(rows), b.take(rows), level[rows])]] = SHALLOW
    rows = np.flatnonzero(result == UNKNOWN)
    if isinstance(a, MeshRows) and len(rows):
        result[rows[_has_common_ball(a.take(rows), b.take(rows), level[rows])]] = DEEP
    return result


def _overlap_of_boxes(a: ShapeRows, b: MeshRows) -> Floats:
    """The least overlap of the boxes around both shapes along the axes of either box, (P,)."""
    (center_a, half_a), (center_b, half_b) = _root_boxes(a.bodies), _root_boxes(b.bodies)
    turn = frames(a, b).T
    matrix, shift = turn[:, :9].reshape(-1, 3, 3), turn[:, 9:]
    way = np.einsum("nij,nj->ni", matrix, center_b) + shift - center_a
    size = np.abs(matrix)
    along_a = half_a + np.einsum("nij,nj->ni", size, half_b) - np.abs(way)
    along_b = half_b + np.einsum("nji,nj->ni", size, half_a) - np.abs(np.einsum("nji,nj->ni", matrix, way))
    # Of round shapes, the box is that of the core.
    radius: Floats = a.bodies.radius + b.bodies.radius + slack_of(a, b)
    return np.minimum(along_a.min(axis=1), along_b.min(axis=1)) + radius


def _root_boxes(bodies: Trees) -> tuple[Floats, Floats]:
    """Centers and half extents of the boxes around whole shapes, in their own frames, (P, 3) each."""
    return bodies.boxes(bodies.node_start)


def _has_shallow_hulls(a: ShapeRows, b: MeshRows, level: Floats) -> Bools:
    """Return which pairs have convex hulls that are no deeper in each other than their level, (P,). May miss some."""
    result = np.zeros(len(b), dtype=bool)
    rows = np.flatnonzero(few_vertices(a) & few_vertices(b))
    if not len(rows):
        return result
    first, second, level = a.take(rows), b.take(rows), level[rows]
    deep, left = np.zeros(len(rows), dtype=bool), np.arange(len(rows))
    if isinstance(first, MeshRows) or readable(first.shapes):
        hulls = (hulls_by_vertices(first), left) if isinstance(first, MeshRows) else side_rows(first.shapes)
        curved = isinstance(first, ConvexRows) and are_curved(first.shapes)
        deep, left = proved_deeper(hulls, (hulls_by_vertices(second), left), level, curved=curved)
    deep[left] = _overlap_of_hulls(first.take(left), second.take(left)) > level[left]
    result[rows] = ~deep
    return result


def _overlap_of_hulls(a: ShapeRows, b: MeshRows) -> Floats:
    """The penetration depth of the convex hulls of both shapes, (P,). Infinite for meshes with many vertices."""
    result = np.full(len(b), np.inf)
    if not len(b):
        return result
    (first, edges_a), (second, edges_b) = hulls_of(a), hulls_of(b)
    rows = np.flatnonzero(np.maximum(edges_a, edges_b) < _MOST_EDGES)
    if first is None or second is None or not len(rows):
        return result
    pair = EITHER_ORDER[first.kind, second.kind]
    result[rows] = -pair.distance(first.take(rows), second.take(rows)).distance + slack_of(a, b)[rows]
    return result


# Maximum number of edges of hulls whose depth is measured.
_MOST_EDGES = 1 << 14


def _has_deep_point(a: MeshRows, b: MeshRows, level: Floats) -> Bools:
    """Return which pairs have a point that is proved to be deeper than their level, (P,). May miss some."""
    result = np.zeros(len(b), dtype=bool)
    if not pays(len(b)) or not len(b):
        return result
    in_a, in_b = a.has_volume(), b.has_volume()
    for own, solid, has_inside in ((a, b, in_b), (b, a, in_a)):
        asked, found = has_inside & ~result, np.zeros(len(b), dtype=bool)
        way = frames(solid, own).T
        level_there = np.ascontiguousarray(level)
        deep_points.deeper(
            surfaces_of(own.bodies),
            surfaces_of(solid.bodies),
            np.ascontiguousarray(way),
            _middles(own, solid),
            level_there,
            asked,
            found,
        )
        result |= found
    flat = np.flatnonzero(~(in_a | in_b))
    if len(flat):
        # Surfaces have no inside. For them, two triangles must be that deep in each other.
        pieces, sure = traversed(a.take(flat), b.take(flat), 0.0 * level[flat], level[flat], trees.FIRST_MEETING)
        result[flat[pieces.pair[sure > 0.0]]] = True
    return result


def _middles(own: MeshRows, other: MeshRows) -> Floats:
    """The middle of the overlap of the bounds of both, in the frames of `own`, (P, 3)."""
    (center, half), (middle, size) = _root_boxes(own.bodies), _root_boxes(other.bodies)
    turn = frames(own, other).T
    matrix = turn[:, :9].reshape(-1, 3, 3)
    middle = np.einsum("nij,nj->ni", matrix, middle) + turn[:, 9:]
    size = np.einsum("nij,nj->ni", np.abs(matrix), size)
    low, high = np.maximum(center - half, middle - size), np.minimum(center + half, middle + size)
    return np.ascontiguousarray((low + high) / 2.0)


# Number of triangles from whose centers rays are cast, and their distance from the surface, as a fraction of the size.
_RAYS, _BELOW = 64, 1e-6
# Number of deepest points inside a mesh that are kept.
_INNER = 16


def inner_depths(batch: Meshes, rows: Ints) -> Floats:
    """A depth that some point of the solid of each row (K,) has, (K,): a lower bound of the greatest depth."""
    result = np.zeros(len(rows))
    for number, some in rows_of_each(batch.index[rows]):
        result[some] = inner_points(orientation(batch.geometry[number]).mesh)[1].max(initial=0.0)
    return result


def inner_points(mesh: TriangleMesh) -> tuple[Floats, Floats]:
    """Some points inside a solid (K, 3) and their depths (K,), minus rounding, deepest first.

    They are the midpoints of chords. They are computed once for each mesh.
    """
    known: tuple[Floats, Floats] | None = vars(mesh).get("inner_points")
    if known is not None:
        return known
    solid = mesh_rows(Meshes([mesh], [0]))
    corner = mesh.corners[:: max(1, len(mesh.corners) // _RAYS)]
    inward = -normals(corner)
    wide = inward.any(axis=1)  # A triangle without area has no normal.
    corner, inward = corner[wide], inward[wide]
    start = corner.mean(axis=1) + _BELOW * mesh.reach * inward
    ahead = hits(solid, np.zeros(len(start), dtype=np.int64), start, inward)
    sound = np.flatnonzero(np.isfinite(ahead.distance))
    point = start[sound] + (ahead.distance[sound] / 2.0)[:, None] * inward[sound]
    point = point[inside(solid, np.zeros(len(point), dtype=np.int64), point)]
    depth = distances_from(solid, np.zeros(len(point), dtype=np.int64), point) - slack_of(solid, solid)
    order = np.argsort(-depth, kind="stable")[:_INNER]
    result = vars(mesh)["inner_points"] = point[order], depth[order]
    return result


def _has_common_ball(a: MeshRows, b: MeshRows, level: Floats) -> Bools:
    """Return which pairs of solids have a point that is proved to be deeper than their level in both, (P,).

    It may miss some. It finds copies and levels of detail that nearly coincide, whose surfaces are nowhere deep in each
    other.
    """
    result = np.zeros(len(b), dtype=bool)
    both = a.has_volume() & b.has_volume()
    for own, solid in ((a, b), (b, a)):
        for number, rows in rows_of_each(np.where(both & ~result, own.mesh, -1)):
            if number < 0:
                continue
            inner, depth = inner_points(own.meshes[number])
            row = np.repeat(rows, len(inner))
            point = in_world(own.bodies, row, np.tile(inner, (len(rows), 1))[:, None])[:, 0]
            some = np.flatnonzero(np.tile(depth, len(rows)) > level[row])
            some = some[inside(solid, row[some], point[some])]
            deep = distances_from(solid, row[some], point[some]) > (level + slack_of(a, b))[row[some]]
            result[row[some[deep]]] = True
    return result
