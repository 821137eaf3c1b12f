# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a solid contains all of another shape, touching from inside included.

A surface can leave a solid only through its boundary, or by a connected component that is completely outside. So all
vertices are tested, and the points next to each intersection segment on both sides of it. A solid whose surface does
not leave A may still surround or fill a cavity of A. Points next to the surface of the cavity are tested for this.
"""

import numpy as np

from ...numerics.tolerances import MESH_BESIDE, MESH_PROBE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length, normalized
from ...shapes import Kind, Triangles
from ..convex_table import EITHER_ORDER
from ..triangle_intersection import triangle_intersections
from .bvh_traversal import LeafPairs
from .intersection import normals, runs
from .leaf_queries import distances, meeting
from .operands import AROUND, ConvexRows, MeshRows, ShapeRows, distances_from, frames, in_world, size_of, slack_of
from .ray_casting import contained_components, inside, triangles_of


def contains(a: ShapeRows, b: MeshRows) -> Bools:
    """Whether A contains all of the mesh B, (P,)."""
    result = np.zeros(len(b), dtype=bool)
    rows = np.arange(len(b)) if isinstance(a, ConvexRows) else np.flatnonzero(a.solid)
    rows = rows[_extends_as_far(a.take(rows), b.take(rows))]
    if not len(rows):
        return result
    if isinstance(a, ConvexRows):
        result[rows] = _convex_contains(a.take(rows), b.take(rows))
    else:
        result[rows] = _mesh_contains(a.take(rows), b.take(rows))
    return result


def contained(a: ShapeRows, b: MeshRows) -> Bools:
    """Whether the mesh B contains all of A, (P,)."""
    if not isinstance(a, ConvexRows):
        return contains(b, a)
    result = np.zeros(len(b), dtype=bool)
    rows = np.flatnonzero(b.solid)
    rows = rows[_within_box(a.take(rows), b.take(rows))]
    if not len(rows):
        return result
    here_a, here_b = a.take(rows), b.take(rows)
    intersecting = meeting(here_a, here_b)
    depth = distances(here_a, here_b, intersecting)
    contains_all = np.ones(len(rows), dtype=bool)
    # If the surface penetrates the shape, part of the shape is outside.
    contains_all[intersecting.pair[depth.distance < -4.0 * slack_of(here_a, here_b)[intersecting.pair]]] = False
    rows = rows[contains_all]
    row = np.repeat(rows, len(AROUND))
    turned = np.einsum("nij,kj->nki", a.bodies.rotation[rows], AROUND).reshape(-1, 3)
    points = np.concatenate([a.interior_point()[rows], a.support_point(row, turned)])
    row = np.concatenate([rows, row])
    outside = ~_in_or_on(b, row, points, slack_of(a, b))
    result[rows] = True
    result[row[outside]] = False
    return result


def _within_box(a: ConvexRows, b: MeshRows) -> Bools:
    """Whether each convex shape is within the box of the mesh's tree, (P,), which contains the mesh."""
    center, half = b.bodies.boxes(b.bodies.node_start)
    middle = in_world(b.bodies, np.arange(len(b)), center[:, None])
    axes = b.bodies.rotation.transpose(0, 2, 1)
    ways = np.concatenate([axes, -axes], axis=1)
    far = a.support_distance(np.repeat(np.arange(len(b)), 6), ways.reshape(-1, 3)).reshape(-1, 6) - dot(ways, middle)
    result = np.zeros(len(b), dtype=bool)
    result[:] = np.all(far <= np.tile(half, 2) + 4.0 * slack_of(a, b)[:, None], axis=1)
    return result


def _extends_as_far(a: ShapeRows, b: MeshRows) -> Bools:
    """Necessary condition, (P,): A's box is wide enough for B's, and the outermost vertices of B are in it."""
    size_a, size_b = (side.bodies.boxes(side.bodies.node_start)[1] for side in (a, b))
    slack = a.bodies.radius + 4.0 * slack_of(a, b)
    result: Bools = size_b.max(axis=1, initial=0.0) <= length(size_a) + slack
    rows = np.flatnonzero(result)
    result[rows] = _outermost_inside(a.take(rows), b.take(rows), slack[rows])
    return result


def _outermost_inside(a: ShapeRows, b: MeshRows, slack: Floats) -> Bools:
    """Whether the outermost vertices of each mesh B are no farther than `slack` (P,) outside A's box, (P,)."""
    if not len(b):
        return np.zeros(0, dtype=bool)
    used, mesh = np.unique(b.mesh, return_inverse=True)
    points = np.array([b.meshes[number].outermost for number in used.tolist()])[mesh.reshape(-1)]
    turn = frames(a, b).T
    points = np.matmul(points, turn[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)) + turn[:, None, 9:]
    center, half = a.bodies.boxes(a.bodies.node_start)
    most = half + slack[:, None]
    result: Bools = (np.abs(points - center[:, None]) <= most[:, None]).all(axis=(1, 2))
    return result


def _convex_contains(a: ConvexRows, b: MeshRows) -> Bools:
    """Whether each convex shape contains all vertices of the mesh's hull, (P,)."""
    result = np.ones(len(b), dtype=bool)
    row, corners = [], []
    for each in range(len(b)):
        hull = b.meshes[b.mesh[each]].hull
        extreme = b.points(each)[b.meshes[b.mesh[each]].used[hull.vertices]]
        threes = np.resize(extreme, (-(-len(extreme) // 3) * 3, 3)).reshape(-1, 3, 3)
        row.append(np.full(len(threes), each))
        corners.append(threes)
    if not row:
        return result
    which, triangles = np.concatenate(row), Triangles(np.concatenate(corners))
    shapes = a.shapes.take(which)
    within = EITHER_ORDER[shapes.kind, Kind.TRIANGLE].contains(shapes, triangles)
    result[which[~within]] = False
    return result


# Number of vertices that are tested first.
_FIRST = 64


def _mesh_contains(a: MeshRows, b: MeshRows) -> Bools:
    """Whether each solid A contains all of B, (P,)."""
    result = _has_vertices(a, b, _FIRST)
    rows = np.flatnonzero(result)
    if len(rows):
        result[rows] = _contains_surface(a.take(rows), b.take(rows))
    return result


def _has_vertices(a: MeshRows, b: MeshRows, most: int | None = None) -> Bools:
    """Whether each solid A contains all vertices of B, (P,), or at most about so many of them."""
    result = np.zeros(len(b), dtype=bool)
    slack = slack_of(a, b)
    for each in range(len(b)):
        used = b.meshes[b.mesh[each]].used
        points = b.points(each)[used if most is None else used[:: max(1, len(used) // most)]]
        result[each] = _in_or_on(a, np.full(len(points), each), points, slack).all()
    return result


def _contains_surface(a: MeshRows, b: MeshRows) -> Bools:
    """Return the same as `_mesh_contains`, by all vertices, by points beside crossings, and by cavities."""
    result = np.ones(len(b), dtype=bool)
    slack = slack_of(a, b)
    intersecting = meeting(a, b)
    row, points = _beside_crossings(a, b, intersecting)
    result[row[~_in_or_on(a, row, points, slack)]] = False
    rows = np.flatnonzero(result)
    result[rows] = _has_vertices(a.take(rows), b.take(rows))
    beside = [_beside_cavities(a, b, intersecting), _beside_touched(a, b, intersecting, result)]
    row, points = (np.concatenate(part) for part in zip(*beside, strict=True))
    asked = result[row]
    row, points = row[asked], points[asked]
    left_out = inside(b, row, points)
    left_out[left_out] = ~_in_or_on(a, row[left_out], points[left_out], slack)
    result[row[left_out]] = False
    return result


def _beside_cavities(a: MeshRows, b: MeshRows, intersecting: LeafPairs) -> tuple[Ints, Floats]:
    """Points on both sides of the triangles of A's components that are inside B: rows and points.

    B may surround a cavity of A although B's surface never leaves A.
    """
    along = np.broadcast_to(AROUND[0], (len(b), 3))
    row, triangle = triangles_of(a, contained_components(a, b, intersecting, along, MESH_PROBE * size_of(a, b))[0])
    corner = a.placed(row, triangle)
    step = normals(corner) * (MESH_BESIDE * size_of(a, b)[row])[:, None]
    middle = corner.mean(axis=1)
    return np.concatenate([row, row]), np.concatenate([middle + step, middle - step])


def _beside_touched(a: MeshRows, b: MeshRows, intersecting: LeafPairs, asked: Bools) -> tuple[Ints, Floats]:
    """Points on both sides of A's triangles, next to each intersection segment: rows and points.

    Only for the requested rows.

    Where the surfaces touch along edges, a triangle of A may be inside B although neither surface crosses the other.
    """
    some = np.flatnonzero(asked[intersecting.pair])
    pair = intersecting.pair[some]
    p, q = a.placed(pair, intersecting.a[some]), b.placed(pair, intersecting.b[some])
    which, place = _beside_segments(p, q, p, MESH_BESIDE * size_of(a, b)[pair])
    step = normals(p[which]) * (MESH_BESIDE / 4.0 * size_of(a, b)[pair[which]])[:, None]
    return np.repeat(pair[which][None], 2, axis=0).reshape(-1), np.concatenate([place + step, place - step])


def _beside_crossings(a: MeshRows, b: MeshRows, intersecting: LeafPairs) -> tuple[Ints, Floats]:
    """Points of B's triangles on both sides of each intersection segment: rows and points."""
    p, q = a.placed(intersecting.pair, intersecting.a), b.placed(intersecting.pair, intersecting.b)
    which, place = _beside_segments(p, q, q, MESH_BESIDE * size_of(a, b)[intersecting.pair])
    return intersecting.pair[which], place


def _beside_segments(p: Floats, q: Floats, own: Floats, step: Floats) -> tuple[Ints, Floats]:
    """Points `step` (K,) beside the segments in which p and q (K, 3, 3) intersect, in `own`, which is p or q.

    Returns their indices and the points.
    """
    found = triangle_intersections(Triangles(p), Triangles(q), overlap=True)
    run, normal = runs(found), normals(own)
    across = normalized(cross(normal, run), np.zeros(3)) * step[:, None]
    usable = np.flatnonzero((length(run) > step) & (length(normal) > 0.0))
    which, points = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for sign in (1.0, -1.0):
        place = (found.start + found.end)[usable] / 2.0 + sign * across[usable]
        corner = own[usable]
        turn = cross(np.roll(corner, -1, axis=1) - corner, place[:, None] - corner)
        within = (dot(turn, normal[usable][:, None]) >= 0.0).all(axis=1)
        which.append(usable[within])
        points.append(place[within])
    return np.concatenate(which), np.concatenate(points)


def _in_or_on(shapes: MeshRows, row: Ints, points: Floats, slack: Floats) -> Bools:
    """Whether points (K, 3) are inside the solids of rows (K,), or on their surface within rounding, (K,)."""
    # For points on the surface, rays are not certain.
    result: Bools = distances_from(shapes, row, points) <= 4.0 * slack[row]
    rest = np.flatnonzero(~result)
    result[rest] = inside(shapes, row[rest], points[rest])
    return result
