# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices and faces of colliders in their own frames. Faces point outward."""

import numpy as np
from numpy.typing import NDArray

from ...core.hull import ConvexHull
from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross

Faces = list[list[int]]
Mesh = tuple[Floats, Faces]

# Divisible by four, so that there is a vertex on each axis and the bounds are those of the round shape.
SEGMENTS = 24
RINGS = 12
# For meshes that become the collider: cylinders, spheres and capsules have at most 64 vertices, the default limit of
# validation. Rings apply to spheres and capsules.
MESH_SEGMENTS = 16
SPHERE_SEGMENTS = 12
CAPSULE_SEGMENTS = 8
MESH_RINGS = 6

# Shorter capsules, as a fraction of the radius, are as round as spheres: their sides would have no area.
NO_LENGTH = 1e-6

_BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def box_mesh(lower: Floats, upper: Floats) -> Mesh:
    """Return an axis-aligned box with the given corners, (3,) each."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], bool)
    return np.where(corners, upper, lower), [list(face) for face in _BOX_FACES]


def round_mesh(radius: float, half_length: float, segments: int = SEGMENTS, rings: int = RINGS) -> Mesh:
    """Return a sphere or, with a length, a capsule along Z, with vertices on the surface.

    Parameters
    ----------
    radius : float
    half_length : float
        Half length of the capsule's segment. 0: a sphere.
    segments, rings : int
        Around the axis, and from pole to pole. An even number of rings puts a ring on the equator.
    """
    if half_length <= NO_LENGTH * radius:
        radius, half_length = radius + half_length, 0.0
    down = np.pi * np.arange(1, rings) / rings
    shift = np.sign(rings // 2 - np.arange(1, rings)) * half_length
    if half_length > 0.0:  # the equator twice
        middle = rings // 2 - 1
        down = np.insert(down, middle, down[middle])
        shift = np.insert(shift, middle, half_length)
        shift[middle + 1] = -half_length
    circle = _circle(segments)
    ring = np.sin(down)[:, None, None] * circle
    height = np.broadcast_to((radius * np.cos(down) + shift)[:, None, None], (len(down), segments, 1))
    sides = np.concatenate([radius * ring, height], axis=2).reshape(-1, 3)
    pole = np.array([[0.0, 0.0, radius + half_length]])
    faces: Faces = [[0, 1 + i, 1 + (i + 1) % segments] for i in range(segments)]
    for row in range(len(down) - 1):
        faces += _band(1 + row * segments, segments)
    last, base = len(sides) + 1, 1 + (len(down) - 1) * segments
    faces += [[last, base + (i + 1) % segments, base + i] for i in range(segments)]
    return np.concatenate([pole, sides, -pole]), faces


def cylinder_mesh(radius: float, low: float, high: float, segments: int = SEGMENTS) -> Mesh:
    """Return a cylinder along Z between two heights, with vertices on the rims."""
    circle = radius * _circle(segments)
    rims = [np.column_stack([circle, np.full(segments, height)]) for height in (high, low)]
    top, bottom = list(range(segments)), list(range(2 * segments - 1, segments - 1, -1))
    return np.concatenate(rims), [top, bottom, *_band(0, segments)]


def hull_mesh(hull: ConvexHull) -> Mesh:
    """Return the vertices and faces of a convex hull."""
    place = {int(vertex): row for row, vertex in enumerate(hull.vertices)}
    return hull.points[hull.vertices], [[place[int(vertex)] for vertex in face] for face in hull.faces]


def ball_inset(segments: int, rings: int) -> float:
    """Return the smallest distance of the flat faces of `round_mesh` from the center of a unit sphere."""
    points, faces = round_mesh(1.0, 0.0, segments, rings)
    corner = points[np.array([face[:3] for face in faces])]
    normal = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    return float((np.abs((normal * corner[:, 0]).sum(axis=1)) / np.sqrt((normal * normal).sum(axis=1))).min())


def circle_inset(segments: int) -> float:
    """Return the inradius of a regular polygon inscribed in the unit circle."""
    return float(np.cos(np.pi / segments))


def _circle(segments: int) -> NDArray[np.float64]:
    """Return points of the unit circle, (segments, 2). Those on the axes are exact."""
    quarter = segments // 4
    turn = 0.5 * np.pi * np.arange(quarter) / quarter
    first = np.column_stack([np.cos(turn), np.sin(turn)])
    second = np.column_stack([-first[:, 1], first[:, 0]])
    return np.concatenate([first, second, -first, -second]) + 0.0


def _band(start: int, segments: int) -> Faces:
    """Return the faces between a ring and the ring below it."""
    upper = [start + i for i in range(segments)]
    return [
        [upper[i], upper[i] + segments, upper[(i + 1) % segments] + segments, upper[(i + 1) % segments]]
        for i in range(segments)
    ]
