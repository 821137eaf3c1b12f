# SPDX-License-Identifier: GPL-3.0-or-later
"""Point-in-solid tests, ray casting, and components of a mesh that are inside another solid.

A point is inside if the winding number of the surface about it is not zero; see `kernels/windings`.

If no triangles of two shapes cross, each component is completely inside or completely outside the other solid. One
point of it that is not on the other surface decides which.
"""

from dataclasses import dataclass

import numpy as np

from ...kernels import windings
from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import RowTable, ragged_arange, rows_of_each
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length
from .bvh_traversal import LeafPairs
from .operands import ConvexRows, MeshRows, ShapeRows, in_frame, surfaces_of

# Number of elements of the largest intermediate array.
_BLOCK = 1 << 18


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
    """Whether each point (K, 3) is inside the solid of its row (K,), (K,). Surfaces have no inside.

    On the surface itself, within rounding, the result is arbitrary.
    """
    result = np.zeros(len(row), dtype=bool)
    asked = np.flatnonzero(surface.solid[row])
    found = np.empty(len(asked), dtype=bool)
    local = np.ascontiguousarray(in_frame(surface.bodies, row[asked], point[asked]))
    windings.inside(surfaces_of(surface.bodies, row[asked]), local, found)
    result[asked] = found
    return result


def hits(surface: MeshRows, row: Ints, origin: Floats, direction: Floats) -> Hits:
    """Cast rays from world points (K, 3) along directions (K, 3) at rows (K,)."""
    along = np.matmul(direction[:, None], surface.bodies.rotation[row])[:, 0]
    rays = np.concatenate([in_frame(surface.bodies, row, origin), along], axis=1)
    count = len(row)
    result = Hits(np.empty(count, np.int64), np.empty(count, bool), np.empty(count), np.empty(count, np.int64))
    found = result.winding, result.doubt, result.distance, result.triangle
    windings.cast(surfaces_of(surface.bodies, row), rays, *found)
    return result


def winding_numbers(corners: Floats, point: Floats) -> Floats:
    """Winding numbers by the solid angles of all triangles (van Oosterom and Strackee, 1983).

    For an open surface it is a fraction: the solid angle of its back, minus that of its front.

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
        volume = dot(p, cross(q, r))
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
