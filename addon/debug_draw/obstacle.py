# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration space obstacle A - B as lines, with the origin and the shortest way to its surface."""

import numpy as np

from ...core.convex.minkowski import configuration_space_obstacle
from ...core.hull import ConvexHull, convex_hull
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross, dot, length, normalized
from ...core.shapes import Boxes, Capsules, Cylinders, HalfSpaces, Hulls, Planes, Spheres, SupportMapped, Triangles
from ...core.world.world import World
from .extract import arrows
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role
from .shapes import (
    CIRCLE,
    MANY,
    arc_lines,
    box_corners,
    capsule_lines,
    frame,
    hull_lines,
    hull_points,
    shape_at,
    sphere_lines,
)

# Maximum product of the numbers of corners of A and B for which the obstacle is exact: a second or two of work.
MOST_SUMS = 1 << 24

# Number of directions in which corners of too detailed shapes are searched, from pole to pole and around.
RINGS, SEGMENTS = 24, 48


def obstacle_lines(world: World, row_a: int, row_b: int) -> Floats:
    """Return the surface of A - B for two shapes of a world, about the origin, as lines (L, 2, 3).

    These are the edges of the convex hull of all differences x - y (doc4code 2011, "Configuration Space Obstacle"),
    with coplanar faces merged. With more than `MANY` edges, the creases and three sections through the middle are
    drawn.

    If A or B is round, A - B is the difference of their cores (a ball's center, a capsule's segment) inflated by both
    radii: a ball, a capsule, or a polytope with rounded edges. The lines are the outlines of its flat parts and the
    arcs between them, where the surface continues as cylinders and spheres. Circles have `shapes.CIRCLE` segments, and
    a cylinder is a prism with as many sides.

    Too detailed shapes are replaced by inscribed polytopes with corners in about a thousand directions: A and B with
    more than `MOST_SUMS` differences of corners, and rounded polytopes with more than `MANY` edges.

    Raises
    ------
    ValueError
        If A or B is unbounded or not convex.
    """
    (points_a, radius_a), (points_b, radius_b) = _core(world, row_a), _core(world, row_b)
    # Relative to their middles: far from the origin, the hull would be as coarse as the rounding of its coordinates.
    middle_a, middle_b = points_a.mean(axis=0), points_b.mean(axis=0)
    core = _difference(points_a - middle_a, points_b - middle_b)
    lines = _rounded(core, radius_a + radius_b)
    return lines + (middle_a - middle_b)


def obstacle_primitives(
    world: World,
    pairs: Ints,
    way: Floats,
    distance: float,
    *,
    offset: Floats,
    head: float,
    label: str = "",
) -> Primitives:
    """Show the obstacles of pairs of shapes, the origin, and the shortest way from it to the surface.

    Parameters
    ----------
    world : World
    pairs : (P, 2) int64
        Rows of the world, A and B of each. Several pairs make an obstacle that is their union.
    way : (3,) float64
        From the origin to the nearest point of the surface. Moving B by it makes B touch A.
    distance : float
        Signed distance of A and B. Negative: the origin is inside.
    offset : (3,) float64
        Where the origin is drawn, and everything with it.
    head : float
        Length of the arrowhead, in the caller's unit.
    label : str, optional
        Text at the origin.

    Raises
    ------
    ValueError
        As for `obstacle_lines`.
    """
    stretch = Role.DEPTH if distance < 0.0 else Role.GAP
    return concatenate(
        [
            *(as_lines(obstacle_lines(world, int(a), int(b)) + offset, Role.OBSTACLE) for a, b in pairs),
            arrows(offset[None], way[None], head, stretch),
            as_points(offset[None], Role.ORIGIN),
            as_label(offset, stretch, label),
        ]
    )


def _core(world: World, row: int) -> tuple[Floats, float]:
    """Return the corners of a shape, and the radius by which it is rounded."""
    shape = shape_at(world, row)
    if isinstance(shape, HalfSpaces | Planes):
        raise ValueError(f"row {row} is unbounded, and so is what it makes")
    if isinstance(shape, Spheres):
        return shape.center, float(shape.radius[0])
    if isinstance(shape, Capsules):
        return np.concatenate([shape.start, shape.end]), float(shape.radius[0])
    if isinstance(shape, Cylinders):
        return _circles(shape), 0.0
    if isinstance(shape, SupportMapped):
        along = _directions()
        return shape.take(np.zeros(len(along), dtype=np.int64)).support(along), 0.0
    if isinstance(shape, Boxes):
        return box_corners(shape), 0.0
    if isinstance(shape, Triangles):
        return shape.vertices[0], 0.0
    if isinstance(shape, Hulls):
        return hull_points(shape)[shape.geometry[shape.index[0]].vertices], 0.0
    raise ValueError(f"row {row} is not convex: its convex parts have an obstacle each")


def _circles(cylinder: Cylinders) -> Floats:
    axis = (cylinder.end - cylinder.start)[0]
    first, second = frame(axis / length(axis))
    across = arc_lines(np.zeros(3), cylinder.radius[0] * first, cylinder.radius[0] * second)[:, 0]
    return np.concatenate([cylinder.start + across, cylinder.end + across])


def _difference(a: Floats, b: Floats) -> ConvexHull:
    """Return the hull of A - B. Faces that are coplanar within the rounding of scene coordinates are merged."""
    if len(a) * len(b) <= MOST_SUMS:
        exact = configuration_space_obstacle(a, b)
        corners = exact.points[exact.vertices]
    else:
        direction = _directions()
        corners = a[np.argmax(direction @ a.T, axis=1)] - b[np.argmin(direction @ b.T, axis=1)]
    return convex_hull(corners.astype(np.float32))


def _rounded(core: ConvexHull, radius: float) -> Floats:
    """Return lines (L, 2, 3) of a polytope inflated by a radius."""
    if radius == 0.0:
        return hull_lines(core)
    corners = core.points[core.vertices]
    if core.dimension == 0:
        return sphere_lines(corners[0], radius)
    if core.dimension == 1:
        return capsule_lines(corners[0], corners[1], radius)
    if len(core.edges) > MANY:
        direction = _directions()
        return hull_lines(convex_hull(corners[np.argmax(direction @ corners.T, axis=1)] + radius * direction))
    faces = [
        np.stack([core.points[face], np.roll(core.points[face], -1, axis=0)], axis=1) + radius * normal
        for face, normal in zip(core.faces, core.normals, strict=True)
    ]
    return np.concatenate([*faces, _rims(core, radius)])


def _rims(core: ConvexHull, radius: float) -> Floats:
    """Return arcs about both ends of each edge, from one offset face to the other, as lines (L, 2, 3)."""
    first, second = np.moveaxis(core.normals[core.edge_faces], 1, 0)
    ends = core.points[core.edges]
    # The first face runs along its edge from the lower index to the higher, so this points out of it. For a flat core
    # with opposite faces, it is the direction of the arc.
    outward = cross(normalized(ends[:, 1] - ends[:, 0], np.zeros(3)), first)
    angle = np.abs(np.arctan2(dot(second, outward), dot(second, first)))
    steps = max(1, int(np.ceil(angle.max(initial=0.0) / (2.0 * np.pi) * CIRCLE)))
    turn = np.linspace(0.0, 1.0, steps + 1)[:, None] * angle[:, None, None]
    arc = radius * (np.cos(turn) * first[:, None] + np.sin(turn) * outward[:, None])
    rims = ends[:, :, None] + arc[:, None]
    return np.stack([rims[:, :, :-1], rims[:, :, 1:]], axis=3).reshape(-1, 2, 3)


def _directions() -> Floats:
    """Return unit vectors (D, 3) in all directions: both poles and the rings between them."""
    polar, around = np.meshgrid(
        np.linspace(0.0, np.pi, RINGS + 1)[1:-1], np.linspace(0.0, 2.0 * np.pi, SEGMENTS, endpoint=False)
    )
    ring = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1)
    return np.concatenate([ring.reshape(-1, 3), [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]])
