# SPDX-License-Identifier: GPL-3.0-or-later
"""The nearest triangle of a mesh to each of many points."""

import numpy as np

from ...numerics.rows import smallest_per_group
from ...numerics.types import Floats, Ints
from ...numerics.vectors import dot, length
from ...shapes import Spheres
from .bvh_traversal import may_be_nearest, nearest_few
from .operands import side
from .placed import Surfaces

# Points times triangles that are compared at once.
_COMPARED = 1 << 17
# Triangles of a mesh that are all compared, and of larger ones those that give a first bound.
_FEW_TRIANGLES = 64
_FIRST = 4


def nearest_triangles(surfaces: Surfaces, row: Ints, point: Floats) -> tuple[Floats, Ints]:
    """How far points (K, 3) are from the surfaces of rows (K,), and which triangles are nearest."""
    far, triangle = np.empty(len(row)), np.empty(len(row), dtype=np.int64)
    for number, mesh in enumerate(surfaces.meshes):
        mine = np.flatnonzero(surfaces.mesh[row] == number)
        count = len(mesh.triangles)
        if count > _FEW_TRIANGLES:
            far[mine], triangle[mine] = _nearest_by_tree(surfaces.take(row[mine]), point[mine])
            continue
        # Each against all: no tree is faster.
        step = max(1, _COMPARED // count)
        for first in range(0, len(mine), step):
            block = mine[first : first + step]
            corner = surfaces.placed(np.repeat(row[block], count), np.tile(np.arange(count), len(block)))
            each = to_triangles(np.repeat(point[block], count, axis=0), corner).reshape(-1, count)
            triangle[block] = each.argmin(axis=1)
            far[block] = each[np.arange(len(block)), triangle[block]]
    return far, triangle


def _nearest_by_tree(surfaces: Surfaces, point: Floats) -> tuple[Floats, Ints]:
    """The nearest triangle of row i to point i: a few give a bound, then all nearer candidates are compared."""
    points = side(Spheres(point, np.zeros(len(point)))).bodies
    far, triangle = np.full(len(point), np.inf), np.zeros(len(point), dtype=np.int64)
    for asked in (nearest_few(points, surfaces.bodies, _FIRST), None):
        at = may_be_nearest(points, surfaces.bodies, far) if asked is None else asked
        each = np.empty(len(at))
        for first in range(0, len(at), _COMPARED):
            some = at.take(np.arange(first, min(first + _COMPARED, len(at))))
            each[first : first + len(some)] = to_triangles(point[some.pair], surfaces.placed(some.pair, some.b))
        best = smallest_per_group(at.pair, each)
        pair = at.pair[best]
        better = each[best] < far[pair]
        far[pair[better]], triangle[pair[better]] = each[best[better]], at.b[best[better]]
    return far, triangle


def to_triangles(point: Floats, corner: Floats) -> Floats:
    """How far points (K, 3) are from triangles (K, 3, 3): (K,).

    Over the inside that is the height, else the distance from the nearest side (Ericson, "Real-Time Collision
    Detection", 2005, section 5.1.5).
    """
    side = np.roll(corner, -1, axis=1) - corner
    out = point[:, None] - corner
    square = dot(side, side)
    share = np.clip(dot(out, side) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    beside = out - share[..., None] * side
    square = dot(beside, beside).min(axis=1)
    across = np.cross(side[:, 0], side[:, 1])
    within = (dot(np.cross(side, out), across[:, None]) >= 0.0).all(axis=1)
    size = length(across)
    over = within & (size > 0.0)
    height = np.abs(dot(out[:, 0], across)) / np.where(size > 0.0, size, 1.0)
    return np.where(over, np.minimum(height, np.sqrt(square)), np.sqrt(square))
