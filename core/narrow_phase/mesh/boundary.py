# SPDX-License-Identifier: GPL-3.0-or-later
"""Boundaries of convex shapes as triangles: exact where flat, curved patches where round."""

from dataclasses import dataclass

import numpy as np

from ...hull import ConvexHull
from ...numerics.rows import ragged_arange, rows_of_each
from ...numerics.types import Floats, Ints
from ...numerics.vectors import circles, cross, dot, length, normalized, perpendicular
from ...shapes import Boxes, Capsules, Cylinders, Hulls, Spheres, SupportMapped, Triangles
from .operands import Convex

Round = Spheres | Capsules | Cylinders
Curved = Round | SupportMapped
# Kinds of triangles: flat, sphere about the start or the end, lateral surface, flat cap.
FLAT, START, END, SIDE, CAP = range(5)

# Number of patches around an axis. The round surface is off each patch by less than 1/13 of the radius.
_AROUND = 8
# Dimensionless, relative to the radius: corners of a cap within this distance of its rim are on the rim.
_ON_RIM = 1e-9


@dataclass(frozen=True)
class Boundary:
    """Triangles of the boundaries of all rows.

    Attributes
    ----------
    row : (K,) int64
    corner : (K, 3, 3) float64
        World coordinates. All corners are on the boundary.
    kind : (K,) int64
        `FLAT`, `START`, `END`, `SIDE` or `CAP`.
    """

    row: Ints
    corner: Floats
    kind: Ints


def boundary(shapes: Convex) -> Boundary:
    """Return the boundary of each shape. A shape without volume is its own boundary."""
    if isinstance(shapes, Triangles):
        return _flat(np.arange(len(shapes)), shapes.vertices)
    if isinstance(shapes, Boxes):
        signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
        corner = np.einsum("nij,nkj->nki", shapes.rotation, shapes.half_extents[:, None] * signs)
        corner += shapes.center[:, None]
        return _flat(np.repeat(np.arange(len(shapes)), len(_BOX)), corner[:, _BOX].reshape(-1, 3, 3))
    if isinstance(shapes, Hulls):
        rows, corners = [np.empty(0, dtype=np.int64)], [np.empty((0, 3, 3))]
        for number, mine in rows_of_each(shapes.index):
            hull = shapes.geometry[number]
            local = hull.points[hull.vertices][hull_triangles(hull)]
            turned = np.einsum("nij,tkj->ntki", shapes.rotation[mine], local) + shapes.translation[mine, None, None]
            rows.append(np.repeat(mine, len(local)))
            corners.append(turned.reshape(-1, 3, 3))
        return _flat(np.concatenate(rows), np.concatenate(corners))
    if isinstance(shapes, SupportMapped):
        return Boundary(*shapes.patches())
    return _round(shapes)


def _flat(row: Ints, corner: Floats) -> Boundary:
    return Boundary(row, corner, np.zeros(len(row), dtype=np.int64))


# Two triangles for each face of a box. The corners are numbered by the signs of x, y and z.
_BOX = np.array(
    [
        (a, b, c)
        for first, second, third, fourth in (
            (0, 1, 3, 2),
            (4, 6, 7, 5),
            (0, 4, 5, 1),
            (2, 3, 7, 6),
            (0, 2, 6, 4),
            (1, 5, 7, 3),
        )
        for a, b, c in ((first, second, third), (first, third, fourth))
    ]
)


def hull_triangles(hull: ConvexHull) -> Ints:
    """Triangles of the surface of a hull (T, 3), as rows of its vertices. Degenerate for a segment or a point."""
    if hull.dimension < 2:
        return np.array([[0, 0, hull.dimension]])
    size = np.array([len(face) for face in hull.faces])
    corner = np.searchsorted(hull.vertices, np.concatenate(hull.faces))
    first = np.cumsum(size) - size
    face, place = ragged_arange(size - 2)
    start = first[face]
    return np.stack([corner[start], corner[start + place + 1], corner[start + place + 2]], axis=1)


def ends_of(shapes: Round) -> tuple[Floats, Floats]:
    """Both ends of the axis of each shape, (N, 3) each. For a sphere both are its center."""
    return (shapes.center, shapes.center) if isinstance(shapes, Spheres) else (shapes.start, shapes.end)


def _round(shapes: Round) -> Boundary:
    """Patches around the axis of spheres, capsules or cylinders."""
    start, end = ends_of(shapes)
    axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
    first = perpendicular(axis)
    second = cross(axis, first)
    out = circles(first, second, _AROUND)
    rim = out * shapes.radius[:, None, None]
    following = np.roll(rim, -1, axis=1)
    corners, kinds = [], []
    tip = np.zeros(len(shapes)) if isinstance(shapes, Cylinders) else shapes.radius
    for place, sign, kind in ((start, -1.0, START), (end, 1.0, END)):
        pole = np.broadcast_to((sign * tip[:, None] * axis)[:, None], rim.shape)
        corners.append(np.stack([pole, rim, following], axis=2) + place[:, None, None])
        kinds.append(CAP if isinstance(shapes, Cylinders) else kind)
    low, high = start[:, None], end[:, None]
    corners.append(np.stack([rim + low, following + low, following + high], axis=2))
    corners.append(np.stack([rim + low, following + high, rim + high], axis=2))
    kinds += [SIDE, SIDE]
    count = len(shapes) * _AROUND
    row = np.tile(np.repeat(np.arange(len(shapes)), _AROUND), len(kinds))
    patch = np.repeat(np.array(kinds), count)
    corner = np.concatenate(corners).reshape(-1, 3, 3)
    if isinstance(shapes, Spheres):
        row, corner, patch = row[: 2 * count], corner[: 2 * count], patch[: 2 * count]
    return Boundary(row, corner, patch)


def moved_to_boundary(
    shapes: Curved, row: Ints, kind: Ints, point: Floats, ends: tuple[Floats, Floats] | None = None
) -> Floats:
    """Move points (K, 3) of patches onto the round boundary.

    On a cap, only points of edges on the rim are moved. `ends` are the end points of the edge on which each point lies.
    """
    if isinstance(shapes, SupportMapped):
        return shapes.on_patch(row, kind, point, ends)
    start, end = (each[row] for each in ends_of(shapes))
    radius = shapes.radius[row]
    axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
    foot = np.where((kind == START)[:, None], start, end)
    along = np.isin(kind, (SIDE, CAP))
    foot[along] = start[along] + dot(point[along] - start[along], axis[along])[:, None] * axis[along]
    out = point - foot
    result = foot + radius[:, None] * normalized(out, np.zeros(3))
    cap = kind == CAP
    if cap.any():
        stays = cap.copy()
        if ends is not None:
            on_rim = [length(cross(each - start, axis)) >= radius * (1.0 - _ON_RIM) for each in ends]
            stays &= ~(on_rim[0] & on_rim[1])
        result[stays] = point[stays]
    return result


def bulges(shapes: Curved, row: Ints, kind: Ints, corner: Floats) -> Floats:
    """Upper bounds (K,) of the distance between flat patches (K, 3, 3) and the boundary."""
    if isinstance(shapes, SupportMapped):
        return shapes.bulge(row, kind, corner)
    start, end = (each[row] for each in ends_of(shapes))
    radius = shapes.radius[row]
    edge = np.roll(corner, -1, axis=1) - corner
    axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
    across = edge - dot(edge, axis[:, None])[..., None] * axis[:, None]
    chord = length(across)
    # Only edges along the rim of a cap are off the boundary.
    far = length(cross(corner - start[:, None], axis[:, None])) >= (radius * (1.0 - _ON_RIM))[:, None]
    on_rim = far & np.roll(far, -1, axis=1)
    chord = np.where((kind == CAP)[:, None] & ~on_rim, 0.0, chord).max(axis=1)
    ball = np.isin(kind, (START, END))
    # Three points of a sphere lie on a circle whose radius is at most the longest edge divided by sqrt(3).
    half = np.where(ball, length(edge).max(axis=1) / np.sqrt(3.0), chord / 2.0)
    result = radius - np.sqrt(np.maximum(radius * radius - half * half, 0.0))
    # If one of two adjacent side patches is cut, their common edge no longer coincides. The bound is doubled for this.
    return np.where(kind == FLAT, 0.0, np.where(kind == SIDE, 2.0 * result, result))
