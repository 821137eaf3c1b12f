# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of one shape of a world as primitives. Round shapes are circles."""

import numpy as np

from ...core.hull import ConvexHull
from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, dot, length, normalized, perpendicular
from ...core.planar.world import PlacedWorld
from ...core.shapes import (
    Boxes,
    Capsules,
    Compounds,
    Cylinders,
    HalfSpaces,
    Hulls,
    Meshes,
    Planes,
    Shapes,
    Spheres,
    SupportMapped,
    Triangles,
)
from ...core.world.world import World
from .extract import HEAD, arrows
from .margins import margin_lines, margin_of
from .mesh_lines import NearFaces, mesh_lines
from .planar import outline_primitives
from .primitives import Primitives, as_lines, concatenate
from .roles import Role

# Number of segments of a full circle: a multiple of four, so that half and quarter circles end at a corner.
CIRCLE = 64

# More edges of a hull than this would hide its shape.
MANY = 300
# Cosine of the angle between two faces from which on their edge is a crease.
CREASE = np.cos(np.radians(30.0))

# Number of squares along each side of a half-space's patch.
GRID = 8

# Corners of a box in units of its half extents, in binary order, and the pairs of corners that its edges join.
CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
BOX_EDGES = np.array([(i, i | bit) for bit in (4, 2, 1) for i in range(8) if not i & bit])


def shape_edges(
    world: World | PlacedWorld, row: int, role: Role, *, focus: Floats | None = None, size: float = 1.0
) -> Primitives:
    """Return the edges of one shape of the world.

    A sphere is three great circles. A capsule is two circles, and two half circles and two lines in each of two planes.
    A cylinder is two circles and four lines. A box, a triangle and a hull are their edges. A plane is a square patch
    with a grid, and a half-space is the same with its normal. A hull with more than `MANY` edges is mostly round, and
    is shown by its creases and three sections through its middle. A mesh is drawn like a hull, and its open edges count
    as creases. If it is much larger than `size`, such as a terrain, only the part near the focus is drawn. A shape with
    a margin also has the lines of its inflated surface. In a planar world, the outline is drawn, filled faintly.

    Parameters
    ----------
    world : World or PlacedWorld
    row : int
    role : Role
        Role of every line, usually `Role.SHAPE_A` or `Role.SHAPE_B`.
    focus : (3,) float64, optional
        The patch of a half-space or plane is nearest to this point. Default: the origin, and entire meshes.
    size : float, optional
        Half the side of such a patch, and the distance from the focus up to which large meshes are drawn, in the
        caller's unit.
    """
    if isinstance(world, PlacedWorld):
        return outline_primitives(world, row, role, focus=focus)
    shape = shape_at(world, row)
    met: NearFaces | None = None
    if isinstance(shape, Compounds):
        return concatenate([shape_edges(*part, role, focus=focus, size=size) for part in parts_of(shape)])
    if isinstance(shape, HalfSpaces | Planes):
        normal, near = shape.normal[0], np.zeros(3) if focus is None else focus
        patch = as_lines(_patch(normal, _on_surface(shape, near), size), role)
        if isinstance(shape, Planes):
            return patch
        center, arrow = patch.lines.mean(axis=(0, 1)), size / 2.0
        return concatenate([patch, arrows(center[None], (arrow * normal)[None], HEAD * arrow, role)])
    if isinstance(shape, Spheres):
        lines = sphere_lines(shape.center[0], shape.radius[0])
    elif isinstance(shape, Capsules):
        lines = capsule_lines(shape.start[0], shape.end[0], shape.radius[0])
    elif isinstance(shape, Cylinders):
        lines = _cylinder(shape.start[0], shape.end[0], shape.radius[0])
    elif isinstance(shape, SupportMapped):
        lines = shape.lines(CIRCLE)[0]
    elif isinstance(shape, Boxes):
        lines = box_corners(shape)[BOX_EDGES]
    elif isinstance(shape, Triangles):
        lines = np.stack([shape.vertices[0], np.roll(shape.vertices[0], -1, axis=0)], axis=1)
    elif isinstance(shape, Meshes):
        if focus is not None:
            met = NearFaces((focus - shape.translation[0]) @ shape.rotation[0], size)
        lines = mesh_lines(shape.geometry[shape.index[0]], MANY, met) @ shape.rotation[0].T + shape.translation[0]
    else:
        lines = hull_lines(shape.geometry[shape.index[0]]) @ shape.rotation[0].T + shape.translation[0]
    margin = margin_of(world, row)
    return as_lines(np.concatenate([lines, margin_lines(shape, margin, met)]) if margin > 0.0 else lines, role)


def parts_of(body: Compounds) -> list[tuple[World, int]]:
    """Return the parts of the first body of a batch, as rows of a world."""
    world = World(body.parts.batches)
    numbers = body.parts_of(np.zeros(1, dtype=np.int64))[1]
    start = np.cumsum([0, *map(len, world.batches)])
    return [(world, int(start[body.parts.batch[part]] + body.parts.slot[part])) for part in numbers]


def shape_at(world: World, row: int) -> Shapes:
    """Return the shape of one row of the world, as a batch of one."""
    return world.batches[world.batch[row]].take(world.slot[[row]])


def box_corners(box: Boxes) -> Floats:
    """Return the eight corners (8, 3) of the first box of a batch, in binary order of its axes."""
    return box.center[0] + (CORNERS * box.half_extents[0]) @ box.rotation[0].T


def hull_points(hull: Hulls) -> Floats:
    """Return all points (k, 3) of the first hull of a batch in world space, in the order of its geometry."""
    return hull.geometry[hull.index[0]].points @ hull.rotation[0].T + hull.translation[0]


def frame(direction: Floats) -> tuple[Floats, Floats]:
    """Return two unit vectors that form a right-handed frame with the unit vector `direction` (3,)."""
    first = perpendicular(direction[None])[0]
    return first, cross(direction, first)


def hull_lines(hull: ConvexHull) -> Floats:
    """Return lines (L, 2, 3) in the hull's frame: its edges. With very many edges, the creases and three sections."""
    if len(hull.edges) <= MANY:
        return hull.points[hull.edges]
    turn = dot(*np.moveaxis(hull.normals[hull.edge_faces], 1, 0))
    creases = hull.points[hull.edges[turn < CREASE]]
    return np.concatenate([creases, *(section_lines(hull, axis) for axis in range(3))])


def section_lines(hull: ConvexHull, axis: int) -> Floats:
    """Return lines (L, 2, 3) in which the plane through the centroid across a coordinate axis cuts the surface."""
    above = hull.points[:, axis] >= hull.centroid[axis]
    cut = np.flatnonzero(above[hull.edges[:, 0]] != above[hull.edges[:, 1]])
    start, end = hull.points[hull.edges[cut, 0]], hull.points[hull.edges[cut, 1]]
    share = (hull.centroid[axis] - start[:, axis]) / (end[:, axis] - start[:, axis])
    at = start + share[:, None] * (end - start)
    # Every face that is cut has two cut edges, and its line joins them.
    by_face = np.argsort(hull.edge_faces[cut].reshape(-1), kind="stable") // 2
    return at[by_face.reshape(-1, 2)]


def sphere_lines(center: Floats, radius: float) -> Floats:
    """Return lines (L, 2, 3) along three great circles."""
    x, y, z = radius * np.eye(3)
    return np.concatenate([arc_lines(center, x, y), arc_lines(center, y, z), arc_lines(center, z, x)])


def capsule_lines(start: Floats, end: Floats, radius: float) -> Floats:
    """Return lines (L, 2, 3) along the circles about a capsule's ends, and two sections along its axis."""
    if length(end - start) == 0.0:
        return sphere_lines(start, radius)
    axis = normalized(end - start, np.zeros(3))
    u, v = frame(axis)
    pieces = [arc_lines(start, radius * u, radius * v), arc_lines(end, radius * u, radius * v)]
    for across in (radius * u, radius * v):
        pieces.append(arc_lines(end, across, radius * axis, turn=0.5))
        pieces.append(arc_lines(start, across, -radius * axis, turn=0.5))
        pieces.append(np.array([[start + across, end + across], [start - across, end - across]]))
    return np.concatenate(pieces)


def _cylinder(start: Floats, end: Floats, radius: float) -> Floats:
    u, v = frame(normalized(end - start, np.zeros(3)))
    sides = [[start + across, end + across] for across in (radius * u, radius * v, -radius * u, -radius * v)]
    circles = [arc_lines(center, radius * u, radius * v) for center in (start, end)]
    return np.concatenate([*circles, np.array(sides)])


def arc_lines(center: Floats, u: Floats, v: Floats, turn: float = 1.0) -> Floats:
    """Return lines (n, 2, 3) along the circle from `u` towards `v`, over this fraction of a full turn."""
    angle = np.linspace(0.0, 2.0 * np.pi * turn, round(CIRCLE * turn) + 1)[:, None]
    points = center + np.cos(angle) * u + np.sin(angle) * v
    return np.stack([points[:-1], points[1:]], axis=1)


def unbounded_patch(shape: HalfSpaces | Planes, focus: Floats, size: float) -> Floats:
    """Return corners (4, 3) of a square with side twice `size` on the first surface of a batch, nearest to `focus`."""
    u, v = frame(shape.normal[0])
    return _on_surface(shape, focus) + size * np.stack([-u - v, u - v, u + v, v - u])


def _on_surface(shape: HalfSpaces | Planes, focus: Floats) -> Floats:
    """Return the point of the first surface of a batch that is nearest to `focus` (3,)."""
    return focus - (focus @ shape.normal[0] - shape.offset[0]) * shape.normal[0]


def _patch(normal: Floats, center: Floats, size: float) -> Floats:
    """Return lines (L, 2, 3) of a square grid about a point, perpendicular to the normal."""
    u, v = frame(normal)
    steps = np.linspace(-size, size, GRID + 1)[:, None]
    along_u = np.stack([center + steps * v - size * u, center + steps * v + size * u], axis=1)
    along_v = np.stack([center + steps * u - size * v, center + steps * u + size * v], axis=1)
    return np.concatenate([along_u, along_v])
