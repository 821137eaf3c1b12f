# SPDX-License-Identifier: GPL-3.0-or-later
"""The surface of one shape of a world, as triangles to be filled in an image."""

import numpy as np

from ...core.hull import convex_hull
from ...core.narrow_phase.mesh.orientation import oriented
from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, length, normalized
from ...core.planar.world import PlacedWorld
from ...core.shapes import (
    Boxes,
    Capsules,
    Compounds,
    Cylinders,
    HalfSpaces,
    Meshes,
    Planes,
    Spheres,
    SupportMapped,
    Triangles,
)
from ...core.world.world import World
from .planar import outline_primitives
from .roles import Role
from .shapes import box_corners, frame, hull_points, parts_of, shape_at

# Rings from pole to pole and segments around a round shape. The silhouette error is 0.3 % of the radius.
RINGS = 20
SEGMENTS = 40

# Quads of a box by its corners in binary order, counterclockwise seen from outside.
BOX_QUADS = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])


def shape_triangles(world: World | PlacedWorld, row: int, *, focus: Floats | None = None, size: float = 1.0) -> Floats:
    """Return triangles (T, 3, 3) of one shape of the world, counterclockwise seen from outside.

    Boxes, hulls and meshes are exact, and round shapes are inscribed. A half-space is a slab below its plane: a square
    with side twice `size`, `size` deep, where the plane is nearest to `focus` (default: the origin). A triangle, the
    patch of a plane, and the outlines of a planar world have two sides.
    """
    if isinstance(world, PlacedWorld):
        return outline_primitives(world, row, Role.CLEAR, focus=focus).triangles
    shape = shape_at(world, row)
    if isinstance(shape, Compounds):
        return np.concatenate([shape_triangles(*part, focus=focus, size=size) for part in parts_of(shape)])
    if isinstance(shape, Spheres):
        return _round(shape.center[0], shape.center[0], shape.radius[0])
    if isinstance(shape, Capsules):
        return _round(shape.start[0], shape.end[0], shape.radius[0])
    if isinstance(shape, Cylinders):
        return _cylinder(shape.start[0], shape.end[0], shape.radius[0])
    if isinstance(shape, SupportMapped):
        return _mapped(shape)
    if isinstance(shape, Boxes):
        return box_triangles(shape)
    if isinstance(shape, Triangles):
        return _fans(shape.vertices[0], [np.array([0, 1, 2]), np.array([0, 2, 1])])
    if isinstance(shape, Meshes):
        mesh = oriented(shape.geometry[shape.index[0]])
        return mesh.corners @ shape.rotation[0].T + shape.translation[0]
    if isinstance(shape, HalfSpaces | Planes):
        depth = size if isinstance(shape, HalfSpaces) else 0.0
        return _slab(shape.normal[0], shape.offset[0], np.zeros(3) if focus is None else focus, size, depth)
    return _fans(hull_points(shape), list(shape.geometry[shape.index[0]].faces))


def box_triangles(box: Boxes) -> Floats:
    """Return triangles (12, 3, 3) of the first box of a batch, counterclockwise seen from outside."""
    return _fans(box_corners(box), list(BOX_QUADS))


def _fans(points: Floats, faces: list[np.ndarray]) -> Floats:
    """Return convex faces as triangle fans from their first corner."""
    if not faces:
        return np.empty((0, 3, 3))
    corners = [np.stack([np.broadcast_to(f[0], len(f) - 2), f[1:-1], f[2:]], axis=1) for f in faces]
    return points[np.concatenate(corners)]


def _round(start: Floats, end: Floats, radius: float) -> Floats:
    """Return a capsule, or a sphere if the ends are equal."""
    axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
    u, v = frame(axis)
    # The equator twice, once about each end. The side of the capsule is between them.
    polar = np.linspace(0.0, np.pi, RINGS + 1)
    polar = np.concatenate([polar[: RINGS // 2 + 1], polar[RINGS // 2 :]])
    around = np.linspace(0.0, 2.0 * np.pi, SEGMENTS + 1)
    centers = np.where((np.arange(len(polar)) <= RINGS // 2)[:, None], end, start)
    circle = np.cos(around)[:, None] * u + np.sin(around)[:, None] * v
    points = centers[:, None] + radius * (np.cos(polar)[:, None, None] * axis + np.sin(polar)[:, None, None] * circle)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    triangles = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3)
    area = length(cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]))
    return triangles[area > 1e-9 * area.max(initial=0.0)]


def _mapped(shape: SupportMapped) -> Floats:
    """Return the hull of extreme points in directions all around, and of the ends of edges."""
    polar = (np.arange(RINGS) + 0.5) * np.pi / RINGS
    around = np.arange(SEGMENTS) * (2.0 * np.pi / SEGMENTS)
    ring = np.stack([np.cos(around), np.sin(around), np.zeros(SEGMENTS)], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    ball = (np.sin(polar)[:, None, None] * ring + np.cos(polar)[:, None, None] * up).reshape(-1, 3)
    _, half, turn = (each[0] for each in shape.oriented_box())
    # Evenly distributed on long or flat shapes, too: normals of an ellipsoid with these extents.
    along = ball / np.where(half > 0.0, half / max(half.max(), np.finfo(np.float64).tiny), 1.0)
    found = shape.take(np.zeros(len(along), dtype=np.int64)).support(along @ turn.T)
    hull = convex_hull(np.concatenate([found, shape.lines(SEGMENTS)[0].reshape(-1, 3)]))
    return _fans(hull.points, list(hull.faces))


def _cylinder(start: Floats, end: Floats, radius: float) -> Floats:
    u, v = frame(normalized(end - start, np.zeros(3)))
    around = np.linspace(0.0, 2.0 * np.pi, SEGMENTS, endpoint=False)
    circle = radius * (np.cos(around)[:, None] * u + np.sin(around)[:, None] * v)
    low, high = np.arange(SEGMENTS), SEGMENTS + np.arange(SEGMENTS)
    sides = np.stack([low, np.roll(low, -1), np.roll(high, -1), high], axis=1)
    return _fans(np.concatenate([start + circle, end + circle]), [low[::-1], high, *sides])


def _slab(normal: Floats, offset: float, focus: Floats, size: float, depth: float) -> Floats:
    """Return a square with side twice `size` on the plane near the focus, and `depth` of the solid below.

    0: both sides.
    """
    top = focus - (focus @ normal - offset) * normal
    u, v = frame(normal)
    if depth == 0.0:
        corners = top + size * np.stack([-u - v, u - v, u + v, v - u])
        return _fans(corners, [np.arange(4), np.arange(4)[::-1]])
    half = np.array([size, size, depth / 2.0])
    return box_triangles(Boxes([top - normal * (depth / 2.0)], [half], [np.stack([u, v, normal], axis=1)]))
