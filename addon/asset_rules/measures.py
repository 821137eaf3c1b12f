# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances from surfaces to other surfaces, measured at sample points."""

from collections.abc import Sequence

import numpy as np

from ...core.fit import with_floor
from ...core.fit.point_set import to_hull, to_surface
from ...core.kernels.windings import aslant
from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.narrow_phase.mesh.boundary import hull_triangles
from ...core.narrow_phase.mesh.orientation import oriented_rows
from ...core.narrow_phase.mesh.ray_casting import hits, inside, winding_numbers
from ...core.numerics.rows import blocks
from ...core.numerics.tolerances import COVERAGE
from ...core.numerics.types import Floats
from ...core.numerics.vectors import length
from ...core.shapes import Hulls, Meshes
from ...core.world.hausdorff.coverage import greatest_distance
from ...core.world.world import World
from .subject import Collider, SolidPlanes

# Number of sample points that are tested for an open surface, farthest first.
_MOST_WINDINGS = 500

# Minimum fraction of the view of an inside point that is covered by back faces of an open surface. In the plane of the
# border, it is half.
_BEHIND = 0.6

# Dimensionless: fraction of the size. Minimum tolerance of certified distances.
_FINEST = 1e-4

# Dimensionless: fraction of the size of a mesh. Points within are on its surface.
_ON_SURFACE = 1e-7

# Number of heights of points above planes that are computed at once.
_HEIGHTS = 1 << 17

MOST_POINTS = 2000
"""Maximum number of sample points of a surface. A finer surface is sampled at evenly spread vertices."""


def surface_points(mesh: TriangleMesh) -> Floats:
    """Return sample points of a surface: its vertices, edge midpoints and triangle centers."""
    vertices = mesh.used_points
    if len(vertices) >= MOST_POINTS:
        return vertices[np.linspace(0, len(vertices) - 1, MOST_POINTS).astype(np.int64)]
    between = np.concatenate([mesh.points[mesh.edges.vertices].mean(axis=1), mesh.corners.mean(axis=1)])
    room = min(MOST_POINTS - len(vertices), len(between))
    return np.concatenate([vertices, between[np.linspace(0, len(between) - 1, room).astype(np.int64)]])


def collider_points(collider: Collider) -> Floats:
    """Return points of the surface that a collider has in an engine: of its hull, or of its triangles."""
    if collider.kind == "MESH":
        return surface_points(collider.mesh)
    hull = collider.hull
    return surface_points(TriangleMesh(hull.points[hull.vertices], hull_triangles(hull)))


def outside_of_mesh(points: Floats, mesh: TriangleMesh) -> Floats:
    """Return the distances (K,) of points (K, 3) to a mesh. They are zero inside; an open mesh has no inside."""
    batch = Meshes((mesh,), np.zeros(1, np.int64))
    result, row = np.zeros(len(points)), np.zeros(len(points), np.int64)
    if not mesh.watertight or not len(points):
        return to_surface(points, batch)[0] if len(points) else result
    # Distances of inside points are skipped, because they would take longest. Rays are uncertain for points on the
    # surface, whose distance tells the same sooner.
    solid = oriented_rows(batch)
    found = hits(solid, row, points, np.tile(aslant(0), (len(points), 1)))
    left = np.flatnonzero(found.doubt | (found.winding == 0))
    if len(left):
        result[left] = to_surface(points[left], batch)[0]
    left = np.flatnonzero(found.doubt & (result > _ON_SURFACE * mesh.reach))
    result[left[inside(solid, row[left], points[left])]] = 0.0
    return result


def most_outside(render: Collider, colliders: Sequence[Collider], enough: float) -> float:
    """Return the largest distance of points of a visible mesh to the union of these colliders. Zero if all are inside.

    Points that are provably nearer than `enough`, or than another point, are not measured.
    """
    if any(one.kind != "MESH" and _is_within(render, one, enough) for one in colliders):
        return 0.0
    return _most_outside(surface_points(render.mesh), [(one, one.kind != "MESH") for one in colliders], enough)


def most_outside_of_surface(collider: Collider, visible: Sequence[Collider], enough: float) -> float:
    """Return `most_outside` of a collider for visible meshes. A mesh whose openings are covered counts as closed.

    For a mesh that is still open, points that see mostly back faces are inside.
    """
    convex = [one for one in visible if one.solidity.closed and one.solidity.convex]
    if any(_is_within(collider, one, enough) for one in convex):
        return 0.0
    points = collider_points(collider)
    closed = [(one, not one.mesh.watertight or one.solidity.convex) for one in visible if one.solidity.closed]
    if len(closed) == len(visible):
        return _most_outside(points, closed, enough)
    least = _outside_of_all(points, closed)
    for one in visible:
        if not one.solidity.closed:
            least = np.minimum(least, _outside_of_open(points, one, enough))
    return float(least.max(initial=0.0))


def most_outside_of_hull(collider: Collider, visible: Sequence[Collider], enough: float) -> float:
    """Return an upper bound of how far a collider is outside of the hull of what is visible. See `most_outside`.

    Exact, because the distance from a convex shape is greatest at a vertex.
    """
    if any(_is_within(collider, one, enough) for one in visible):
        return 0.0
    corners = [one.hull.points[one.hull.vertices] for one in (collider, *visible)]
    around = visible[0]
    if len(visible) > 1:
        around = Collider("", np.concatenate(corners[1:]), np.empty((0, 3), np.int64))
    return _most_outside(corners[0], [(around, True)], enough)


def _outside_of_open(points: Floats, render: Collider, enough: float) -> Floats:
    """Return the distances (K,) of points (K, 3) to an open mesh."""
    mesh = TriangleMesh(*with_floor(render.mesh.points, render.mesh.triangles))
    out = outside_of_mesh(points, mesh)
    if mesh.watertight:
        return out
    far = np.flatnonzero(out > enough)
    far = far[np.argsort(-out[far])]
    looked_at, others = far[:_MOST_WINDINGS], far[_MOST_WINDINGS:]
    out[looked_at[np.abs(winding_numbers(mesh.corners, points[looked_at])) >= _BEHIND]] = 0.0
    out[others] = enough
    return out


def _most_outside(points: Floats, parts: Sequence[tuple[Collider, bool]], enough: float) -> float:
    """Return `most_outside` for colliders, each with a flag whether its hull is used."""
    near = np.full(len(points), np.inf)
    far = np.full(len(points), np.inf)
    for collider, is_hull in parts:
        if is_hull and collider.hull.dimension == 3:
            hull = collider.hull
            low, high = _bounds(points, SolidPlanes(hull.normals, hull.offsets, hull.centroid))
            near, far = np.minimum(near, low), np.minimum(far, high)
        else:
            near = np.zeros(len(points))
    least = max(enough, float(near.max()))
    rest = points[far >= least * (1.0 - 1e-9)]
    return float(_outside_of_all(rest, parts).max(initial=0.0))


def _is_within(one: Collider, collider: Collider, enough: float) -> bool:
    """Return whether the distances of the points of a mesh to the hull of a collider are provably at most `enough`.

    The distance to a convex shape is convex, so those of all points between them are, too.
    """
    known = one.bounds_of_distance
    if collider not in known and one.twin is collider.twin and np.array_equal(one.matrix, collider.matrix):
        known[collider] = 0.0
    if collider not in known:
        planes, points = collider.solid_planes, one.world_points
        if planes is not None and len(points) > MOST_POINTS:
            points = one.hull.points[one.hull.vertices]
        known[collider] = np.inf if planes is None else float(_bounds(points, planes)[1].max(initial=0.0))
    return known[collider] <= enough * (1.0 - 1e-9)


def _bounds(points: Floats, solid: SolidPlanes) -> tuple[Floats, Floats]:
    """Return bounds of the distance of points to a hull: from its planes, and along the line to a point inside."""
    depth = solid.offsets - solid.normals @ solid.inside
    step = points - solid.inside
    ratio, height = np.empty((2, len(points)))
    for rows in blocks(len(points), max(1, _HEIGHTS // len(depth))):
        along = step[rows] @ solid.normals.T
        height[rows] = (along - depth).max(axis=1)
        along /= depth
        ratio[rows] = along.max(axis=1)
    over = np.where(ratio > 1.0, 1.0 - 1.0 / np.maximum(ratio, 1.0), 0.0)
    return np.maximum(height, 0.0), over * length(step)


def _outside_of_all(points: Floats, parts: Sequence[tuple[Collider, bool]]) -> Floats:
    """Return the distances (K,) of points (K, 3) to the union of these colliders. They are zero inside any of them."""
    least = np.full(len(points), np.inf)
    for collider, is_hull in parts:
        left = np.flatnonzero(least > 0.0)
        if not len(left):
            break
        if is_hull:
            out = np.maximum(to_hull(points[left], collider.hull), 0.0)
        else:
            out = outside_of_mesh(points[left], collider.mesh)
        least[left] = np.minimum(least[left], out)
    return least


def farthest(
    surfaces: Sequence[Collider], target: Sequence[Collider], most: float, *, union: bool = False
) -> tuple[int, float] | None:
    """Return the surface with the point farthest from all targets, and its distance. None if within `most`.

    The distance is certified: it is less than the true one by at most a hundredth of `most` or a thousandth of the
    size. The error is not reduced below a ten-thousandth of the size, because that takes too long.
    """
    if not surfaces or not target:
        return None
    size = max(one.size for one in (*surfaces, *target))
    tolerance = max(min(most / 100.0, COVERAGE * size), _FINEST * size)
    if tolerance <= 0.0:
        return None
    given, others = _world_of(surfaces), _world_of(target)
    found = greatest_distance(given, others, tolerance=tolerance, union=union)
    return (found.shape, found.distance) if found.distance > most else None


def _world_of(parts: Sequence[Collider]) -> World:
    """Return the shapes that engines make of colliders, and render meshes, one row each."""
    batches = [
        Meshes((one.mesh,), np.zeros(1, np.int64))
        if one.kind == "MESH" or not one.own
        else Hulls((one.hull,), np.zeros(1, np.int64))
        for one in parts
    ]
    return World(batches)
