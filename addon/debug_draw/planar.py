# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar shapes placed in space: outlines as tested, filled faintly, and their convex pieces."""

import numpy as np

from ...core.numerics.types import Floats
from ...core.planar import AABBs, Circles, Polygons, Rectangles, Regions
from ...core.planar.shapes.regions import Body
from ...core.planar.world import PlacedWorld, Plane
from .margins import margin_of, outline_margin_lines
from .primitives import Primitives, as_lines, as_triangles, concatenate
from .roles import Role

# Number of segments of a full circle, as `shapes.CIRCLE`.
CIRCLE = 64

# Corners of a rectangle in units of its half extents, counterclockwise.
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def outline_primitives(world: PlacedWorld, row: int, role: Role, *, focus: Floats | None = None) -> Primitives:
    """Return the outline of one shape of the world, filled faintly.

    Parameters
    ----------
    world : PlacedWorld
    row : int
    role : Role
    focus : (3,) float64, optional
        It is drawn at the height of this point. Default: at the front of the shape.
    """
    shape = world.flat.batches[world.flat.batch[row]].take(world.flat.slot[[row]])
    height = world.front[row] if focus is None else world.plane.height(focus)
    lines, margin = boundary(shape), margin_of(world, row)
    if margin > 0.0:
        lines = np.concatenate([lines, outline_margin_lines(shape, lines, convex_parts(shape), margin)])
    fans = [_fan(corners) for corners in convex_parts(shape)]
    return concatenate(
        [
            as_triangles(world.plane.up(np.concatenate([np.empty((0, 3, 2)), *fans]), height), role),
            as_lines(world.plane.up(lines, height), role),
        ]
    )


def piece_primitives(pieces: list[Floats], plane: Plane, height: float, role: Role) -> Primitives:
    """Return convex pieces (k, 2) at a height of the plane: their sides, and a faint fill."""
    nothing = np.empty((0, 2, 2)), np.empty((0, 3, 2))
    lines = np.concatenate([nothing[0], *(_closed(corners) for corners in pieces)])
    fans = np.concatenate([nothing[1], *(_fan(corners) for corners in pieces)])
    return concatenate([as_triangles(plane.up(fans, height), role), as_lines(plane.up(lines, height), role)])


def outline_counts(world: PlacedWorld, row: int) -> tuple[int, int, float]:
    """Return the corners and convex pieces of a shape's outline as drawn (counts), and its area."""
    parts = convex_parts(world.flat.batches[world.flat.batch[row]].take(world.flat.slot[[row]]))
    about = [corners - corners[0] for corners in parts]
    area = sum(float((c[:, 0] * np.roll(c[:, 1], -1) - np.roll(c[:, 0], -1) * c[:, 1]).sum()) for c in about) / 2.0
    return len(np.unique(np.concatenate(parts), axis=0)), len(parts), area


def boundary(shape: Body) -> Floats:
    """Return the boundary of the first shape of a batch, including holes, as lines (L, 2, 2)."""
    if not isinstance(shape, Regions):
        return _closed(convex_parts(shape)[0])
    geometry = shape.index[0]
    sides = range(int(shape.first_side[geometry]), int(shape.first_side[geometry + 1]))
    ends = [_corners(shape.sides, side, side) for side in sides]
    # A side is a segment whose ends are repeated corners.
    return np.stack([[corners[0], corners[np.argmax(np.hypot(*(corners - corners[0]).T))]] for corners in ends])


def convex_parts(shape: Body) -> list[Floats]:
    """Return the convex parts of the first shape of a batch by corners (k, 2), with circles of `CIRCLE` segments."""
    if isinstance(shape, Circles):
        angle = np.linspace(0.0, 2.0 * np.pi, CIRCLE, endpoint=False)
        return [shape.center[0] + shape.radius[0] * np.stack([np.cos(angle), np.sin(angle)], axis=1)]
    if isinstance(shape, AABBs):
        lower, upper = shape.lower[0], shape.upper[0]
        return [(lower + upper) / 2.0 + _CORNERS * (upper - lower) / 2.0]
    if isinstance(shape, Rectangles):
        turn = np.array([[shape.cosine[0], shape.sine[0]], [-shape.sine[0], shape.cosine[0]]])
        return [shape.center[0] + (_CORNERS * shape.half_extents[0]) @ turn]
    if isinstance(shape, Polygons):
        return [_corners(shape, int(shape.index[0]), 0)]
    geometry = shape.index[0]
    pieces = range(int(shape.first[geometry]), int(shape.first[geometry + 1]))
    return [_corners(shape.pieces, piece, piece) for piece in pieces]


def _corners(shapes: Polygons, geometry: int, row: int) -> Floats:
    """Return the corners (k, 2) of a polygon in the plane: a geometry of a batch at the place of a row."""
    own = slice(int(shapes.pool.start[geometry]), int(shapes.pool.start[geometry + 1]))
    place = np.array([shapes.rows.x[row], shapes.rows.y[row]])
    return place + np.stack([shapes.pool.x[own], shapes.pool.y[own]], axis=1)


def _closed(corners: Floats) -> Floats:
    """Return lines from each corner to the next, except those of zero length."""
    lines = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    return lines[(lines[:, 0] != lines[:, 1]).any(axis=1)]


def _fan(corners: Floats) -> Floats:
    """Return a convex polygon as a fan of triangles (t, 3, 2) from its first corner."""
    first = np.broadcast_to(corners[0], (max(len(corners) - 2, 0), 2))
    return np.stack([first, corners[1:-1][: len(first)], corners[2:]], axis=1)
