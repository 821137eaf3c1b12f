# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside and outside of solids, what a ray hits first, and components of a mesh inside another solid.

A point is inside where the surface winds about it a number of times other than zero. A ray counts that number: each
triangle that it passes from behind adds one, each from the front takes one off. If a ray is too near to an edge to be
certain, the solid angles of all triangles are added up instead, which has no special case.

Where no triangles of two shapes cross, each component is all inside the other's solid or all outside of it, and one
point of it that does not lie on the other's surface tells which.
"""

from dataclasses import dataclass

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import RowTable
from ...numerics.tolerances import MESH_RAY
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length
from .bvh_traversal import LeafPairs
from .operands import ConvexRows, MeshRows, ShapeRows, in_frame

# Numbers in the largest intermediate array.
_BLOCK = 1 << 18

# In the mesh's frame: aslant to all that is modeled along axes and diagonals.
ASLANT = np.array([0.5377, 0.2113, 0.8163])


@dataclass(frozen=True)
class Hits:
    """What rays pass through.

    Attributes
    ----------
    winding : (K,) int64
        How often the surface winds about the origin of the ray, where there is no `doubt`.
    doubt : (K,) bool
        The ray passes an edge, or begins on a triangle, within rounding.
    distance : (K,) float64
        From the origin to the first triangle, doubtful ones included, in lengths of the direction; inf if none.
    triangle : (K,) int64
        That triangle, -1 if none.
    """

    winding: Ints
    doubt: Bools
    distance: Floats
    triangle: Ints


def inside(surface: MeshRows, row: Ints, point: Floats) -> Bools:
    """Whether each point (K, 3) is inside the solid of its row (K,); of a surface nothing is inside.

    On the surface itself, within rounding, the answer is either.
    """
    result = np.zeros(len(row), dtype=bool)
    local = in_frame(surface.bodies, row, point)
    span = surface.bodies.span[surface.bodies.node_start[row]]
    within = (span[:, :3] <= local).all(axis=1) & (span[:, 3:] <= -local).all(axis=1)
    asked = np.flatnonzero(surface.solid[row] & within)
    if len(asked):
        direction = np.broadcast_to(ASLANT, (len(asked), 3))
        found = _local_hits(surface, row[asked], local[asked], direction)
        result[asked] = found.winding != 0
        doubtful = asked[found.doubt]
        result[doubtful] = _windings(surface, row[doubtful], local[doubtful]) != 0
    return result


def hits(surface: MeshRows, row: Ints, origin: Floats, direction: Floats) -> Hits:
    """What the rays from world points (K, 3) along directions (K, 3) hit of rows (K,)."""
    local = in_frame(surface.bodies, row, origin)
    along = np.matmul(direction[:, None], surface.bodies.rotation[row])[:, 0]
    return _local_hits(surface, row, local, along)


def _local_hits(surface: MeshRows, row: Ints, origin: Floats, direction: Floats) -> Hits:
    """What rays in the frames of the rows hit."""
    count = len(row)
    result = Hits(
        np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool), np.full(count, np.inf), np.full(count, -1)
    )
    ray = np.arange(count)
    waiting = [(ray, ray * 0)]
    while waiting:
        ray, node = waiting.pop()
        if len(ray) > _BLOCK:
            waiting += [(ray[i : i + _BLOCK], node[i : i + _BLOCK]) for i in range(0, len(ray), _BLOCK)]
            continue
        passed = _passes(surface, row[ray], node, origin[ray], direction[ray])
        ray, node = ray[passed], node[passed]
        leaves = np.left_shift(1, surface.bodies.levels[row[ray]])
        leaf = node + 1 >= leaves
        if leaf.any():
            which = ray[leaf]
            place = surface.bodies.leaf_start[row[which]] + node[leaf] + 1 - leaves[leaf]
            _count(surface, row[which], surface.bodies.leaf[place], which, origin, direction, result)
        ray, node = np.repeat(ray[~leaf], 2), np.repeat(node[~leaf], 2) * 2
        node[::2] += 1
        node[1::2] += 2
        if len(ray):
            waiting.append((ray, node))
    return result


def _passes(surface: MeshRows, row: Ints, node: Ints, origin: Floats, direction: Floats) -> Bools:
    """Whether each ray passes the box of its node."""
    span = surface.bodies.span[surface.bodies.node_start[row] + node]
    # A hair more than the box, for the rounding of what follows.
    span = span - MESH_RAY * surface.bodies.reach[row][:, None]
    low, high = span[:, :3] - origin, -span[:, 3:] - origin
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        first, second = low / direction, high / direction
    # Along an axis in which the ray does not move it is within the box always or never.
    still = direction == 0.0
    within = (low <= 0.0) & (high >= 0.0)
    enter = np.where(still, np.where(within, -np.inf, np.inf), np.minimum(first, second)).max(axis=1)
    leave = np.where(still, np.where(within, np.inf, -np.inf), np.maximum(first, second)).min(axis=1)
    result: Bools = (enter <= leave) & (leave >= 0.0) & (low[:, 0] <= high[:, 0])
    return result


def _count(
    surface: MeshRows, row: Ints, triangle: Ints, ray: Ints, origin: Floats, direction: Floats, result: Hits
) -> None:
    """Add to the result what rays do with triangles whose boxes they pass."""
    corner = surface.corners[surface.triangle_start[row] + triangle] - origin[ray][:, None]
    along = direction[ray]
    following = np.roll(corner, -1, axis=1)
    # The volumes that the ray spans with each side: of one sign if it passes between them.
    side = dot(along[:, None], np.cross(corner, following))
    far = np.maximum(length(corner), length(following))
    error = MESH_RAY * far * far * length(along)[:, None]
    none_below, none_above = (side >= -error).all(axis=1), (side <= error).all(axis=1)
    volume = dot(corner[:, 0], np.cross(corner[:, 1], corner[:, 2]))
    total = side.sum(axis=1)
    flat = np.abs(total) <= error.sum(axis=1)
    height = volume / np.where(total != 0.0, total, 1.0)
    begins = np.abs(volume) <= MESH_RAY * (far.max(axis=1) ** 3)
    passes = none_below | none_above
    sure = passes & (np.abs(side) > error).all(axis=1) & ~begins
    # In the plane of the triangle, or past an edge: wherever it may be hit, its nearest corner is as near.
    nearest = dot(corner, along[:, None]).min(axis=1) / dot(along, along)
    height = np.where(flat, np.maximum(nearest, 0.0), height)
    ahead = passes & ((height > 0.0) | begins)
    doubt = ahead & ~sure
    np.logical_or.at(result.doubt, ray[doubt], True)
    counted = np.flatnonzero(sure & (height > 0.0))
    np.add.at(result.winding, ray[counted], np.sign(total[counted]).astype(np.int64))
    rows = np.flatnonzero(ahead)
    order = rows[np.argsort(-height[rows], kind="stable")]
    nearer = order[height[order] < result.distance[ray[order]]]
    # The last written is the nearest of each ray.
    result.distance[ray[nearer]] = np.maximum(height[nearer], 0.0)
    result.triangle[ray[nearer]] = triangle[nearer]


def _windings(surface: MeshRows, row: Ints, point: Floats) -> Ints:
    """Winding numbers by the solid angles of all triangles (van Oosterom and Strackee, 1983)."""
    result = np.zeros(len(row), dtype=np.int64)
    for number in np.unique(surface.mesh[row]):
        mine = np.flatnonzero(surface.mesh[row] == number)
        corners = surface.meshes[number].corners
        step = max(1, _BLOCK // len(corners))
        for first in range(0, len(mine), step):
            block = mine[first : first + step]
            p, q, r = np.moveaxis(corners[None] - point[block][:, None, None], 2, 0)
            size_p, size_q, size_r = length(p), length(q), length(r)
            volume = dot(p, np.cross(q, r))
            level = size_p * size_q * size_r + dot(p, q) * size_r + dot(q, r) * size_p + dot(r, p) * size_q
            angle = 2.0 * np.arctan2(volume, level).sum(axis=1)
            result[block] = np.rint(angle / (4.0 * np.pi)).astype(np.int64)
    return result


@dataclass(frozen=True)
class Places(RowTable):
    """A point of each component.

    Attributes
    ----------
    row, component : (K,) int64
    point : (K, 3) float64
        In the world.
    """

    row: Ints
    component: Ints
    point: Floats


def held_places(a: ShapeRows, b: MeshRows, met: LeafPairs, along: Floats, probe: Floats) -> tuple[Places, Places]:
    """The components of A inside the solid B, and those of B inside the solid A, of pairs that cross nowhere.

    Of other pairs these are all components that are inside, and some of those that cross.

    Parameters
    ----------
    met : LeafPairs
        All pieces that meet.
    along : (P, 3) float64
        Unit direction in which B is to go.
    probe : (P,) float64
        How far into a mesh a vertex is moved that may lie on its surface.
    """
    if isinstance(a, ConvexRows):
        row = np.flatnonzero(b.solid)
        return _inside(b, Places(row, row * 0, a.interior_point()[row])), _none()
    of_a = _places(a, b, met.pair, met.a, -along, probe)
    return _inside(b, of_a), _inside(a, _places(b, a, met.pair, met.b, along, probe))


def untouched(shapes: MeshRows, other: MeshRows, row: Ints, triangle: Ints) -> Places:
    """A vertex of each component that has none of these triangles, where the other is a solid."""
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
        parts.append(Places(mine[which], component, point))
    return _joined(parts)


def triangles_of(shapes: MeshRows, places: Places) -> tuple[Ints, Ints]:
    """All triangles of these components: rows of `shapes` and triangles."""
    rows, triangles = [_none().row], [_none().row]
    for number in np.unique(shapes.mesh[places.row]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero(shapes.mesh[places.row] == number)
        which, triangle = _triangles(mesh, places.component[mine])
        rows.append(places.row[mine[which]])
        triangles.append(triangle)
    return np.concatenate(rows), np.concatenate(triangles)


def _triangles(mesh: TriangleMesh, component: Ints) -> tuple[Ints, Ints]:
    """The triangles of components (K,) of a mesh: which of the K each belongs to, and the triangle."""
    size = np.diff(mesh.component_start)[component]
    which = np.repeat(np.arange(len(component)), size)
    at = np.arange(len(which)) - np.repeat(np.cumsum(size) - size, size)
    return which, mesh.by_component[mesh.component_start[component[which]] + at]


def _inside(solid: MeshRows, places: Places) -> Places:
    return places.take(inside(solid, places.row, places.point))


def _none() -> Places:
    none = np.empty(0, dtype=np.int64)
    return Places(none, none, np.empty((0, 3)))


def _places(shapes: MeshRows, other: MeshRows, row: Ints, triangle: Ints, along: Floats, probe: Floats) -> Places:
    """A point of each component off the other's surface, where the other is a solid; these triangles touch that.

    Where all triangles of a component touch, it is the vertex that leaves last along the direction (P, 3) of its row,
    moved on a little: into the component, unless that is bent.
    """
    span = max(len(mesh.triangles) for mesh in shapes.meshes)
    touched = np.unique(row * span + triangle)
    parts = [_none()]
    for number in np.unique(shapes.mesh[other.solid]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero((shapes.mesh == number) & other.solid)
        count = len(mesh.representatives)
        which, component = np.repeat(mine, count), np.tile(np.arange(count), len(mine))
        chosen = mesh.representatives[component]
        asked = np.flatnonzero(_among(which * span + chosen, touched))
        # All triangles of the components whose first one touches.
        of_asked, of_problem = _triangles(mesh, component[asked])
        problem = asked[of_asked]
        free = np.flatnonzero(~_among(which[problem] * span + of_problem, touched))
        # The last written is the first of each.
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
        parts.append(Places(which, component, point))
    return _joined(parts)


def _among(key: Ints, ordered: Ints) -> Bools:
    """Whether each key is one of those in ascending order."""
    if not len(ordered):
        return np.zeros(len(key), dtype=bool)
    at = np.minimum(np.searchsorted(ordered, key), len(ordered) - 1)
    result: Bools = ordered[at] == key
    return result


def _joined(parts: list[Places]) -> Places:
    return Places.joined(parts)
