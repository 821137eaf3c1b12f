# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep points are in a body, what bounds the depth of other points from above, and which triangles are nearest.

The depth of a point is its distance from the boundary of the body. It is at most the distance from any one triangle of
a mesh, and in a convex shape at most the height under any one supporting plane. Both are convex functions of the point
inside, so that over a triangle they are greatest at a corner.

Bodies whose boundaries coincide, such as two copies in one place, have no boundary inside each other. Points in their
middles distinguish them from bodies that touch.
"""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import smallest_per_group
from ...numerics.tolerances import MESH_BESIDE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import Kind, Spheres, Triangles
from ..convex_table import algorithm
from .bvh_traversal import may_be_nearest, nearest_few
from .operands import ConvexRows, MeshRows, ShapeRows, in_world, side
from .ray_casting import hits, inside


class Inside(Protocol):
    """The body in which points are: their signed depth, and what bounds that from above."""

    def depth(self, row: Ints, point: Floats, within: Bools | None = None) -> tuple[Floats, Floats]:
        """Depth of world points (K, 3) in rows (K,), negative outside, and the bound at each: a key (K, 4).

        Those of points known to be `within` (K,) are not negative.
        """

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """What keys (K, 4) bound the depth of points (K, 3) by, where those are inside: (K,)."""


@dataclass(frozen=True)
class InsideConvex:
    """A convex shape: a key is a supporting plane, its outward normal and its offset."""

    shapes: ConvexRows

    def depth(self, row: Ints, point: Floats, within: Bools | None = None) -> tuple[Floats, Floats]:
        """See `Inside`."""
        if not len(row):
            return np.empty(0), np.empty((0, 4))
        points, shapes = Spheres(point, np.zeros(len(point))), self.shapes.shapes.take(row)
        found = algorithm(points.kind, shapes.kind).distance(points, shapes)
        return -found.distance, self._planes(row, -found.normal)

    def parting(self, row: Ints, corner: Floats) -> Floats:
        """For triangles (K, 3, 3) the keys that bound the depth of all of their points best."""
        if not len(row):
            return np.empty((0, 4))
        shapes = self.shapes.shapes.take(row)
        return self._planes(row, algorithm(shapes.kind, Kind.TRIANGLE).distance(shapes, Triangles(corner)).normal)

    def _planes(self, row: Ints, outward: Floats) -> Floats:
        """Supporting planes."""
        return np.column_stack([outward, self.shapes.support_distance(row, outward)])

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `Inside`."""
        result: Floats = key[:, 3] - dot(key[:, :3], point)
        return result


@dataclass(frozen=True)
class InsideMesh:
    """A solid mesh: a key is a triangle."""

    surfaces: MeshRows

    def depth(self, row: Ints, point: Floats, within: Bools | None = None) -> tuple[Floats, Floats]:
        """See `Inside`."""
        far, triangle = nearest_triangles(self.surfaces, row, point)
        key = np.zeros((len(row), 4))
        key[:, 0] = triangle
        result = far if within is None else np.where(within, far, -far)
        asked = np.arange(len(row)) if within is None else np.flatnonzero(~within)
        result[asked] = np.where(inside(self.surfaces, row[asked], point[asked]), far[asked], -far[asked])
        return result, key

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `Inside`."""
        return to_triangles(point, self.surfaces.placed(row, key[:, 0].astype(np.int64)))


def depths_in(body: ShapeRows) -> Inside:
    """The depths of points in a body of either sort."""
    return InsideConvex(body) if isinstance(body, ConvexRows) else InsideMesh(body)


# Points in the middle of a mesh, over all of its components.
_MIDDLES = 16


def depth_of_middles(one: ShapeRows, other: ShapeRows) -> Floats:
    """The depth in both bodies of points in the middle of `one`, (P,); 0.0 where none is inside both."""
    result = np.zeros(len(one))
    if isinstance(one, ConvexRows):
        row = np.flatnonzero(one.has_volume())
        point = one.interior_point()[row]
    else:
        row, point = _middles(one)
    if not len(row):
        return result
    depth = depths_in(other).depth(row, point)[0]
    deep = np.flatnonzero(depth > 0.0)
    if len(deep):
        np.maximum.at(result, row[deep], np.minimum(depth[deep], depths_in(one).depth(row[deep], point[deep])[0]))
    return result


def _middles(shapes: MeshRows) -> tuple[Ints, Floats]:
    """Points in the middle of solids, some for each component of their surfaces: rows (K,) and points (K, 3).

    Each is halfway from a large triangle to what lies straight behind it.
    """
    rows, points = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for number in np.unique(shapes.mesh[shapes.solid]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero((shapes.mesh == number) & shapes.solid)
        if "middles" not in vars(mesh):
            vars(mesh)["middles"] = _halfway(shapes.take(mine[:1]), mesh)
        local: Floats = vars(mesh)["middles"]
        rows.append(np.repeat(mine, len(local)))
        points.append(in_world(shapes.bodies, rows[-1], np.tile(local, (len(mine), 1))[:, None])[:, 0])
    return np.concatenate(rows), np.concatenate(points)


def _halfway(shapes: MeshRows, mesh: TriangleMesh) -> Floats:
    """The points of one mesh, in its own frame."""
    corner = mesh.corners
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    large = smallest_per_group(mesh.component, -length(across), max(1, _MIDDLES // len(mesh.representatives)))
    large = large[across[large].any(axis=1)]
    inward = -mesh.facing * normalized(across[large], np.zeros(3))
    start = corner[large].mean(axis=1) + MESH_BESIDE * mesh.reach * inward
    still = replace(shapes.bodies, rotation=np.eye(3)[None], translation=np.zeros((1, 3)))
    there = replace(shapes, bodies=still)
    row = np.zeros(len(large), dtype=np.int64)
    ahead = hits(there, row, start, inward).distance
    behind = np.isfinite(ahead)
    result: Floats = start[behind] + inward[behind] * (ahead[behind] / 2.0)[:, None]
    return result


# Points times triangles that are compared at once.
_COMPARED = 1 << 17
# Triangles of a mesh that are all compared, and of larger ones those that give a first bound.
_FEW_TRIANGLES = 64
_FIRST = 4


def nearest_triangles(surfaces: MeshRows, row: Ints, point: Floats) -> tuple[Floats, Ints]:
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


def _nearest_by_tree(surfaces: MeshRows, point: Floats) -> tuple[Floats, Ints]:
    """The nearest triangle of row i to point i: a few give a bound, then all nearer candidates are compared."""
    points = side(Spheres(point, np.zeros(len(point)))).bodies
    far, triangle = np.full(len(point), np.inf), np.zeros(len(point), dtype=np.int64)
    # The points are placed in the frames of the meshes: one box a pair, not all of a tree.
    for asked in (nearest_few(surfaces.bodies, points, _FIRST), None):
        at = may_be_nearest(surfaces.bodies, points, far) if asked is None else asked
        each = np.empty(len(at))
        for first in range(0, len(at), _COMPARED):
            some = at.take(np.arange(first, min(first + _COMPARED, len(at))))
            each[first : first + len(some)] = to_triangles(point[some.pair], surfaces.placed(some.pair, some.a))
        best = smallest_per_group(at.pair, each)
        pair = at.pair[best]
        better = each[best] < far[pair]
        far[pair[better]], triangle[pair[better]] = each[best[better]], at.a[best[better]]
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
