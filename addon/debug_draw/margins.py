# SPDX-License-Identifier: GPL-3.0-or-later
"""The surface of a shape with a margin: its faces offset outward, and arcs that join them around the corners."""

import numpy as np

from ...core.hull import ConvexHull, convex_hull
from ...core.mesh.triangle_mesh import CREASE, TriangleMesh
from ...core.narrow_phase.mesh.orientation import oriented
from ...core.numerics.types import Bools, Floats
from ...core.numerics.vectors import cross, dot, length, normalized, perpendicular
from ...core.planar import Regions
from ...core.planar.shapes.regions import Body
from ...core.planar.world import PlacedWorld
from ...core.shapes import Boxes, Cylinders, Hulls, Meshes, Shapes, Triangles
from ...core.world.world import World
from .mesh_lines import NearFaces, drawn_edges

# Number of segments of an arc from one face to the next, at most a half circle.
ARC = 6

# With more edges than this, only creases are offset, because more lines would hide the shape.
MANY = 300
# Cosine of the angle between opposite faces, for which the arc is ambiguous.
OPPOSITE = -0.999

_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def margin_of(world: World | PlacedWorld, row: int) -> float:
    """Return the margin of a row of a world that its shape does not already include."""
    margin = (world.flat if isinstance(world, PlacedWorld) else world).margin
    return 0.0 if margin is None else float(margin[row])


def margin_lines(shape: Shapes, margin: float, near: NearFaces | None = None) -> Floats:
    """Return lines (L, 2, 3) on the surface of the first shape of a batch, inflated by its margin.

    Empty for round kinds.

    For a mesh, only the edges that `mesh_lines` draws have such lines. `near` is in its own frame.
    """
    if isinstance(shape, Boxes):
        corners = shape.center[0] + (_CORNERS * shape.half_extents[0]) @ shape.rotation[0].T
        return _hull_lines(convex_hull(corners), margin)
    if isinstance(shape, Triangles):
        return _hull_lines(convex_hull(shape.vertices[0]), margin)
    if isinstance(shape, Cylinders):
        return _cylinder_lines(shape.start[0], shape.end[0], float(shape.radius[0]), margin)
    if isinstance(shape, Hulls):
        lines = _hull_lines(shape.geometry[shape.index[0]], margin)
    elif isinstance(shape, Meshes):
        lines = _mesh_lines(shape.geometry[shape.index[0]], bool(shape.solid[0]), margin, near)
    else:
        return np.empty((0, 2, 3))
    return lines @ shape.rotation[0].T + shape.translation[0]


def outline_margin_lines(shape: Body, lines: Floats, parts: list[Floats], margin: float) -> Floats:
    """Return lines (L, 2, 2): the boundary of a planar shape offset outward, and arcs at the corners of a convex one.

    Parameters
    ----------
    shape : batch of planar shapes
    lines : (K, 2, 2) float64
        Boundary of its first shape.
    parts : list of (k, 2) float64
        Its convex parts, counterclockwise.
    margin : float
    """
    along = lines[:, 1] - lines[:, 0]
    normal = normalized(np.stack([along[:, 1], -along[:, 0], np.zeros(len(along))], axis=1), np.zeros(3))[:, :2]
    if isinstance(shape, Regions):
        step = 1e-6 * float(np.ptp(lines.reshape(-1, 2), axis=0).max(initial=0.0))
        inside = _inside_any(lines.mean(axis=1) + step * normal, parts)
        normal = np.where(inside[:, None], -normal, normal)
        return lines + margin * normal[:, None]
    if not len(lines):
        return lines
    first = np.arctan2(normal[:, 1], normal[:, 0])
    turn = (np.roll(first, -1) - first) % (2.0 * np.pi)
    angle = first[:, None] + turn[:, None] * np.linspace(0.0, 1.0, ARC + 1)
    points = lines[:, 1:] + margin * np.stack([np.cos(angle), np.sin(angle)], axis=2)
    arcs = np.stack([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 2, 2)
    return np.concatenate([lines + margin * normal[:, None], arcs])


def _inside_any(points: Floats, parts: list[Floats]) -> Bools:
    found = np.zeros(len(points), dtype=np.bool_)
    for corners in parts:
        side = np.roll(corners, -1, axis=0) - corners
        spoke = points[:, None] - corners
        found |= (side[:, 0] * spoke[..., 1] - side[:, 1] * spoke[..., 0] >= 0.0).all(axis=1)
    return found


def _hull_lines(hull: ConvexHull, margin: float) -> Floats:
    if not len(hull.normals) or not len(hull.edges) or (hull.edge_faces < 0).any():
        return np.empty((0, 2, 3))
    first, second = hull.normals[hull.edge_faces[:, 0]], hull.normals[hull.edge_faces[:, 1]]
    cosine = dot(first, second)
    shown = np.ones(len(cosine), dtype=bool) if len(cosine) <= MANY else cosine < CREASE
    first, second, cosine, ends = first[shown], second[shown], cosine[shown], hull.points[hull.edges[shown]]
    moved = [ends + margin * first[:, None], ends + margin * second[:, None]]
    round_ = cosine > OPPOSITE
    for end in (0, 1):
        moved.append(_arcs(ends[round_, end], first[round_], second[round_], margin))
    return np.concatenate(moved)


def _arcs(center: Floats, first: Floats, second: Floats, radius: float) -> Floats:
    """Return lines along arcs about points (K, 3) from one unit vector (K, 3) to another."""
    share = np.linspace(0.0, 1.0, ARC + 1)[:, None, None]
    angle = np.arctan2(length(cross(first, second)), dot(first, second))[None, :, None]
    across = normalized(second - dot(first, second)[:, None] * first, np.zeros(3))
    points = center + radius * (np.cos(share * angle) * first + np.sin(share * angle) * across)
    return np.stack([points[:-1], points[1:]], axis=2).reshape(-1, 2, 3)


def _mesh_lines(mesh: TriangleMesh, solid: bool, margin: float, near: NearFaces | None) -> Floats:
    """Return the triangle sides along drawn edges, offset along their normals. For an open surface, to both sides."""
    mesh = oriented(mesh) if solid else mesh
    corner = mesh.corners
    normal = normalized(cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), np.zeros(3))
    edge = mesh.edges.of_triangle
    shown = (edge >= 0) & drawn_edges(mesh, MANY, near)[edge]
    triangle, side = np.nonzero(shown)
    ends = np.stack([corner[triangle, side], corner[triangle, (side + 1) % 3]], axis=1)
    way = margin * normal[triangle][:, None]
    if solid:
        return ends + way
    return np.concatenate([ends + way, ends - way])


def _cylinder_lines(start: Floats, end: Floats, radius: float, margin: float) -> Floats:
    axis = normalized(end - start, np.zeros(3))
    u = perpendicular(axis[None])[0]
    v = cross(axis, u)
    angle = np.linspace(0.0, 2.0 * np.pi, 65)[:, None]
    ring = np.cos(angle) * u + np.sin(angle) * v
    found = []
    for center, way in ((start, -axis), (end, axis)):
        for points in (center + margin * way + radius * ring, center + (radius + margin) * ring):
            found.append(np.stack([points[:-1], points[1:]], axis=1))
        spokes = ring[:-1:16]
        found.append(_arcs(center + radius * spokes, spokes, np.broadcast_to(way, spokes.shape), margin))
    sides = [[start + (radius + margin) * spoke, end + (radius + margin) * spoke] for spoke in ring[:-1:16]]
    return np.concatenate([*found, np.array(sides)])
