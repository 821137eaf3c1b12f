# SPDX-License-Identifier: GPL-3.0-or-later
"""Point-in-solid tests, ray casting, and components of a mesh that are inside another solid.

A point is inside if the winding number of the surface about it is not zero. A ray counts this number: each triangle
that it crosses from behind adds one, each from the front subtracts one. If a ray is too near to an edge to be certain,
two others are tried. If they are, too, the solid angles of all triangles are added up. This has no special cases.

If no triangles of two shapes cross, each component is completely inside or completely outside the other solid. One
point of it that is not on the other surface decides which.
"""

from dataclasses import dataclass

import numpy as np

from ...mesh.triangle_mesh import EMPTY, TriangleMesh
from ...numerics.rows import RowTable, ragged_arange, rows_of_each
from ...numerics.tolerances import MESH_RAY
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import as_columns, cross_columns, dot, dot_columns, length
from .bvh_traversal import LeafPairs
from .operands import ConvexRows, MeshRows, ShapeRows, in_frame

# Number of elements of the largest intermediate array.
_BLOCK = 1 << 18
# Boxes tested together. Their arrays fit in cache.
_TOGETHER = 1 << 13
# Dimensionless: the least component of a direction. A ray hardly moves along it, for any length that occurs.
_LEAST = 1e-130

# Directions of rays in the mesh's frame, one after the other for points that are left. They are not parallel to
# directions that are common in models, such as axes and diagonals.
ASLANT = np.array([[0.5377, 0.2113, 0.8163], [-0.3391, 0.8717, 0.3539], [0.7283, -0.5881, -0.3517]])


@dataclass(frozen=True)
class Hits:
    """Intersections of rays with surfaces.

    Attributes
    ----------
    winding : (K,) int64
        Winding number of the surface about the origin of the ray; only valid without `doubt`.
    doubt : (K,) bool
        The ray passes through an edge, or begins on a triangle, within rounding.
    distance : (K,) float64
        From the origin to the first triangle, doubtful ones included, in multiples of the direction; inf if none.
    triangle : (K,) int64
        That triangle, -1 if none.
    """

    winding: Ints
    doubt: Bools
    distance: Floats
    triangle: Ints


def inside(surface: MeshRows, row: Ints, point: Floats) -> Bools:
    """Whether each point (K, 3) is inside the solid of its row (K,), (K,). Nothing is inside a surface.

    On the surface itself, within rounding, the result is arbitrary.
    """
    result = np.zeros(len(row), dtype=bool)
    local = in_frame(surface.bodies, row, point)
    span = surface.bodies.span[surface.bodies.node_start[row]]
    within = (span[:, :3] <= local).all(axis=1) & (span[:, 3:] <= -local).all(axis=1)
    asked = np.flatnonzero(surface.solid[row] & within)
    for aslant in ASLANT:
        if not len(asked):
            return result
        found = _local_hits(surface, row[asked], local[asked], np.broadcast_to(aslant, (len(asked), 3)))
        result[asked] = found.winding != 0
        asked = asked[found.doubt]
    result[asked] = _windings(surface, row[asked], local[asked]) != 0
    return result


def hits(surface: MeshRows, row: Ints, origin: Floats, direction: Floats) -> Hits:
    """Cast rays from world points (K, 3) along directions (K, 3) at rows (K,)."""
    local = in_frame(surface.bodies, row, origin)
    along = np.matmul(direction[:, None], surface.bodies.rotation[row])[:, 0]
    return _local_hits(surface, row, local, along)


def _local_hits(surface: MeshRows, row: Ints, origin: Floats, direction: Floats) -> Hits:
    """Cast rays that are given in the frames of the rows."""
    count = len(row)
    result = Hits(
        np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool), np.full(count, np.inf), np.full(count, -1)
    )
    ray = np.arange(count)
    slabs, leaves_of = _Slabs(surface, row, origin, direction), np.left_shift(1, surface.bodies.levels[row])
    waiting = [(ray, ray * 0)]
    while waiting:
        ray, node = waiting.pop()
        if len(ray) > _TOGETHER:
            waiting += [(ray[i : i + _TOGETHER], node[i : i + _TOGETHER]) for i in range(0, len(ray), _TOGETHER)]
            continue
        passed = np.flatnonzero(slabs.passes(ray, node))
        ray, node = ray.take(passed), node.take(passed)
        leaves = leaves_of.take(ray)
        leaf = node + 1 >= leaves
        if leaf.any():
            which = ray[leaf]
            place = surface.bodies.leaf_start[row[which]] + node[leaf] + 1 - leaves[leaf]
            _count(surface, row[which], surface.bodies.leaf[place], which, origin, direction, result)
            ray, node = ray[~leaf], node[~leaf]
        ray, node = np.repeat(ray, 2), np.repeat(2 * node, 2)
        node[::2] += 1
        node[1::2] += 2
        if len(ray):
            waiting.append((ray, node))
    return result


class _Slabs:
    """Rays in the form in which boxes are tested. A zero component of a direction counts as a very small one."""

    def __init__(self, surface: MeshRows, row: Ints, origin: Floats, direction: Floats) -> None:
        self.span, self.start = surface.bodies.span, surface.bodies.node_start[row]
        self.ends = np.concatenate([origin, -origin], axis=1)
        # Boxes are enlarged for rounding errors.
        self.ends += (MESH_RAY * surface.bodies.reach[row])[:, None]
        self.inverse = 1.0 / np.where(np.abs(direction) < _LEAST, np.copysign(_LEAST, direction), direction)

    def passes(self, ray: Ints, node: Ints) -> Bools:
        """Whether each ray intersects the box of its node."""
        span = self.span.take(self.start.take(ray) + node, axis=0)
        full = span[:, 0] < EMPTY / 2.0
        span -= self.ends.take(ray, axis=0)
        inverse = self.inverse.take(ray, axis=0)
        first, second = span[:, :3] * inverse, span[:, 3:] * -inverse
        enter, leave = np.minimum(first, second), np.maximum(first, second)
        enters = np.maximum(np.maximum(enter[:, 0], enter[:, 1]), enter[:, 2])
        leaves = np.minimum(np.minimum(leave[:, 0], leave[:, 1]), leave[:, 2])
        result: Bools = (enters <= leaves) & (leaves >= 0.0) & full
        return result


def _count(
    surface: MeshRows, row: Ints, triangle: Ints, ray: Ints, origin: Floats, direction: Floats, result: Hits
) -> None:
    """Update the result with triangles whose boxes the rays intersect."""
    # Columns: (3, K) for each corner, and for the direction.
    corner = as_columns(surface.corners.take(surface.triangle_start.take(row) + triangle, axis=0).reshape(-1, 9))
    corner = corner.reshape(3, 3, -1) - as_columns(origin.take(ray, axis=0))
    along = as_columns(direction.take(ray, axis=0))
    across = [cross_columns(corner[n], corner[n - 2]) for n in range(3)]
    # Volumes spanned by the ray and each edge. They have the same sign if the ray passes between the edges.
    side = np.array([dot_columns(along, each) for each in across])
    square, unit = np.array([dot_columns(each, each) for each in corner]), dot_columns(along, along)
    error = MESH_RAY * np.maximum(square, square[[1, 2, 0]]) * np.sqrt(unit)
    passes = (side >= -error).all(axis=0) | (side <= error).all(axis=0)
    volume = dot_columns(corner[0], across[1])
    total = side[0] + side[1] + side[2]
    flat = np.abs(total) <= error[0] + error[1] + error[2]
    height = volume / np.where(total != 0.0, total, 1.0)
    begins = np.abs(volume) <= MESH_RAY * square.max(axis=0) ** 1.5
    sure = passes & (np.abs(side) > error).all(axis=0) & ~begins
    # A ray in the triangle's plane or through an edge: the nearest corner is a lower bound of the hit.
    nearest = np.min([dot_columns(each, along) for each in corner], axis=0) / unit
    height = np.where(flat, np.maximum(nearest, 0.0), height)
    ahead = passes & ((height > 0.0) | begins)
    doubt = ahead & ~sure
    np.logical_or.at(result.doubt, ray[doubt], True)
    counted = np.flatnonzero(sure & (height > 0.0))
    np.add.at(result.winding, ray[counted], np.sign(total[counted]).astype(np.int64))
    rows = np.flatnonzero(ahead)
    order = rows[np.argsort(-height[rows], kind="stable")]
    nearer = order[height[order] < result.distance[ray[order]]]
    # If an index is repeated, the last value written remains: the nearest.
    result.distance[ray[nearer]] = np.maximum(height[nearer], 0.0)
    result.triangle[ray[nearer]] = triangle[nearer]


def _windings(surface: MeshRows, row: Ints, point: Floats) -> Ints:
    """The winding numbers of closed surfaces about points."""
    result = np.zeros(len(row), dtype=np.int64)
    for number, mine in rows_of_each(surface.mesh[row]):
        result[mine] = np.rint(winding_numbers(surface.meshes[number].corners, point[mine])).astype(np.int64)
    return result


def winding_numbers(corners: Floats, point: Floats) -> Floats:
    """Winding numbers by the solid angles of all triangles (van Oosterom and Strackee, 1983).

    Of an open surface it is a fraction: how much of it is seen from a point, from behind less from the front.

    Parameters
    ----------
    corners : (m, 3, 3) float64
    point : (K, 3) float64

    Returns
    -------
    (K,) float64
    """
    result = np.empty(len(point))
    step = max(1, _BLOCK // len(corners))
    for first in range(0, len(point), step):
        block = slice(first, first + step)
        p, q, r = np.moveaxis(corners[None] - point[block][:, None, None], 2, 0)
        size_p, size_q, size_r = length(p), length(q), length(r)
        volume = dot(p, np.cross(q, r))
        level = size_p * size_q * size_r + dot(p, q) * size_r + dot(q, r) * size_p + dot(r, p) * size_q
        result[block] = 2.0 * np.arctan2(volume, level).sum(axis=1) / (4.0 * np.pi)
    return result


@dataclass(frozen=True)
class ComponentPoints(RowTable):
    """One point of each component.

    Attributes
    ----------
    row, component : (K,) int64
    point : (K, 3) float64
        In the world.
    """

    row: Ints
    component: Ints
    point: Floats


def contained_components(
    a: ShapeRows, b: MeshRows, intersecting: LeafPairs, along: Floats, probe: Floats
) -> tuple[ComponentPoints, ComponentPoints]:
    """Components of A inside the solid B, and components of B inside the solid A, for pairs that do not cross.

    For other pairs, these are all components that are inside, and some of the components that cross.

    Parameters
    ----------
    intersecting : LeafPairs
        All pairs of pieces that intersect.
    along : (P, 3) float64
        Unit direction in which B will move.
    probe : (P,) float64
        How far a vertex that may lie on the other surface is moved.
    """
    if isinstance(a, ConvexRows):
        row = np.flatnonzero(b.solid)
        return _inside(b, ComponentPoints(row, row * 0, a.interior_point()[row])), _none()
    of_a = _component_points(a, b, intersecting.pair, intersecting.a, -along, probe)
    return _inside(b, of_a), _inside(a, _component_points(b, a, intersecting.pair, intersecting.b, along, probe))


def untouched_components(shapes: MeshRows, other: MeshRows, row: Ints, triangle: Ints) -> ComponentPoints:
    """A vertex of each component that has none of these triangles, for rows whose other shape is a solid."""
    parts = [_none()]
    for number in np.unique(shapes.mesh[other.solid]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero((shapes.mesh == number) & other.solid)
        place = np.full(len(shapes), -1)
        place[mine] = np.arange(len(mine))
        free = np.ones((len(mine), len(mesh.representatives)), dtype=bool)
        among = place[row] >= 0
        free[place[row[among]], mesh.component[triangle[among]]] = False
        which, component = np.nonzero(free)
        point = shapes.placed(mine[which], mesh.representatives[component])[:, 0]
        parts.append(ComponentPoints(mine[which], component, point))
    return ComponentPoints.joined(parts)


def triangles_of(shapes: MeshRows, places: ComponentPoints) -> tuple[Ints, Ints]:
    """All triangles of these components: rows of `shapes` and triangles."""
    rows, triangles = [_none().row], [_none().row]
    for number, mine in rows_of_each(shapes.mesh[places.row]):
        which, triangle = _triangles(shapes.meshes[number], places.component[mine])
        rows.append(places.row[mine[which]])
        triangles.append(triangle)
    return np.concatenate(rows), np.concatenate(triangles)


def _triangles(mesh: TriangleMesh, component: Ints) -> tuple[Ints, Ints]:
    """The triangles of components (K,) of a mesh: the index into `component`, and the triangle."""
    which, at = ragged_arange(np.diff(mesh.component_start)[component], mesh.component_start[component])
    return which, mesh.by_component[at]


def _inside(solid: MeshRows, places: ComponentPoints) -> ComponentPoints:
    return places.take(inside(solid, places.row, places.point))


def _none() -> ComponentPoints:
    none = np.empty(0, dtype=np.int64)
    return ComponentPoints(none, none, np.empty((0, 3)))


def _component_points(
    shapes: MeshRows, other: MeshRows, row: Ints, triangle: Ints, along: Floats, probe: Floats
) -> ComponentPoints:
    """A point of each component that is not on the other surface, for rows whose other shape is a solid.

    `triangle` lists the triangles that touch the other surface. If all triangles of a component touch, the point is the
    vertex that leaves last along the direction `along` (P, 3), moved on by `probe`. Unless the component is bent, this
    is a point inside it.
    """
    span = max(len(mesh.triangles) for mesh in shapes.meshes)
    touched = row * span + triangle
    parts = [_none()]
    for number in np.unique(shapes.mesh[other.solid]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero((shapes.mesh == number) & other.solid)
        count = len(mesh.representatives)
        which, component = np.repeat(mine, count), np.tile(np.arange(count), len(mine))
        chosen = mesh.representatives[component]
        asked = np.flatnonzero(np.isin(which * span + chosen, touched))
        # All triangles of those components whose first triangle touches.
        of_asked, of_problem = _triangles(mesh, component[asked])
        problem = asked[of_asked]
        free = np.flatnonzero(~np.isin(which[problem] * span + of_problem, touched))
        # If an index is repeated, the last value written remains: the first triangle.
        chosen[problem[free[::-1]]] = of_problem[free[::-1]]
        point = shapes.placed(which, chosen)[:, 0]
        all_touch = np.ones(len(which), dtype=bool)
        all_touch[problem[free]] = False
        rest = np.flatnonzero(all_touch[problem])
        corner = shapes.placed(which[problem[rest]], of_problem[rest]).reshape(-1, 3)
        owner = np.repeat(problem[rest], 3)
        order = np.argsort(-dot(corner, along[which[owner]]), kind="stable")
        last = which[owner[order]]
        point[owner[order]] = corner[order] + probe[last][:, None] * along[last]
        parts.append(ComponentPoints(which, component, point))
    return ComponentPoints.joined(parts)
