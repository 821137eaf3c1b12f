# SPDX-License-Identifier: GPL-3.0-or-later
"""Depth of points in a body, upper bounds of the depth of other points, and nearest triangles.

The depth of a point is its distance from the boundary of the body. It is at most the distance from any one triangle of
a mesh. In a convex shape it is at most the height below any one supporting plane. Both bounds are convex functions of
the point inside the body. So their maximum over a triangle is at a corner.

Bodies whose boundaries coincide, such as two copies in one place, have no boundary inside each other. Points in their
middles distinguish them from bodies that touch.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...mesh.triangle_mesh import EMPTY, TriangleMesh
from ...numerics.rows import blocks, smallest_per_group
from ...numerics.tolerances import EPS, MESH_BESIDE, MESH_RAY
from ...numerics.types import Floats, Ints
from ...numerics.vectors import as_columns, cross_columns, dot, dot_columns, length, normalized
from ...shapes import Kind, Spheres, Triangles
from ..convex_table import EITHER_ORDER
from .operands import ConvexRows, MeshRows, ShapeRows, in_frame, in_world
from .ray_casting import hits, inside

# Value in a key that is not known. No triangle has this number, and no unit normal has this component.
NO_KEY = -2.0


@dataclass(frozen=True)
class InsideMesh:
    """Depth of points in solid meshes. A key is a triangle."""

    surfaces: MeshRows

    def depth(
        self,
        row: Ints,
        point: Floats,
        on_side: Ints | None = None,
        near: Floats | None = None,
        enough: Floats | None = None,
    ) -> tuple[Floats, Floats]:
        """Depth of world points (K, 3) in rows (K,), negative outside, and keys (K, 4) of upper bounds.

        `on_side` (K,) is 1 for points known to be inside and -1 for points known to be outside. Keys of points `near`
        (K, 4) save time. A depth of at most `enough` (K,) need not be exact: any value up to `enough` may be returned
        for it.
        """
        guess = np.full(len(row), -1) if near is None else near[:, 0].astype(np.int64)
        side = np.zeros(len(row), dtype=np.int64) if on_side is None else on_side.copy()
        # Which points need only their sides, because the depth of points outside does not matter.
        shallow = np.zeros(len(row), dtype=bool)
        if enough is not None:
            self._ask_side(row, point, side, np.flatnonzero(enough >= 0.0))
            shallow = (side < 0) & (enough >= 0.0)
        far, triangle = np.zeros(len(row)), np.maximum(guess, 0)
        rest = np.flatnonzero(~shallow)
        most = None if enough is None else enough[rest]
        far[rest], triangle[rest] = nearest_triangles(self.surfaces, row[rest], point[rest], guess[rest], most)
        # On the surface itself, both sides are right.
        rounding = MESH_RAY * (self.surfaces.bodies.reach[row] + length(self.surfaces.bodies.translation[row]))
        self._ask_side(row, point, side, rest[far[rest] > 4.0 * rounding[rest]])
        key = np.zeros((len(row), 4))
        key[:, 0] = triangle
        result: Floats = side * far
        return result, key

    def _ask_side(self, row: Ints, point: Floats, side: Ints, some: Ints) -> None:
        """Set the sides of some points that are still 0 to 1 inside and to -1 outside, in place."""
        asked = some[side[some] == 0]
        side[asked] = np.where(inside(self.surfaces, row[asked], point[asked]), 1, -1)

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """Upper bounds (K,) of keys (K, 4) on the depth of points (K, 3) that are inside."""
        corner = self.surfaces.corners[self.surfaces.triangle_start[row] + key[:, 0].astype(np.int64)]
        return to_triangles(in_frame(self.surfaces.bodies, row, point), corner)


@dataclass(frozen=True)
class InsideConvex:
    """Depth of points in convex shapes. A key is a supporting plane: its outward normal and its offset."""

    shapes: ConvexRows

    def depth(
        self,
        row: Ints,
        point: Floats,
        on_side: Ints | None = None,
        near: Floats | None = None,
        enough: Floats | None = None,
    ) -> tuple[Floats, Floats]:
        """See `InsideMesh`. Everything is measured exactly: the last three arguments do not matter."""
        if not len(row):
            return np.empty(0), np.empty((0, 4))
        points, shapes = Spheres(point, np.zeros(len(point))), self.shapes.shapes.take(row)
        found = EITHER_ORDER[points.kind, shapes.kind].distance(points, shapes)
        return -found.distance, self._planes(row, -found.normal)

    def separating_planes(self, row: Ints, corner: Floats) -> Floats:
        """Keys with the best bounds for the depth of all points of triangles (K, 3, 3)."""
        if not len(row):
            return np.empty((0, 4))
        shapes = self.shapes.shapes.take(row)
        return self._planes(row, EITHER_ORDER[shapes.kind, Kind.TRIANGLE].distance(shapes, Triangles(corner)).normal)

    def _planes(self, row: Ints, outward: Floats) -> Floats:
        """Supporting planes with these outward normals, (K, 4)."""
        return np.column_stack([outward, self.shapes.support_distance(row, outward)])

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `InsideMesh`."""
        result: Floats = key[:, 3] - dot(key[:, :3], point)
        return result


def depths_in(body: ShapeRows) -> InsideConvex | InsideMesh:
    """Return the depth queries of a convex shape or a mesh."""
    return InsideConvex(body) if isinstance(body, ConvexRows) else InsideMesh(body)


# Sample points in the middle of a mesh, over all of its components.
_MIDDLES = 16


def depth_of_middles(one: ShapeRows, other: ShapeRows) -> Floats:
    """Depth in both bodies of points in the middle of `one`, (P,); 0.0 if no point is inside both."""
    result = np.zeros(len(one))
    if isinstance(one, ConvexRows):
        row = np.flatnonzero(one.has_volume())
        point = one.interior_point()[row]
    else:
        row, point = _middles(one)
    if not len(row):
        return result
    depth = depths_in(other).depth(row, point, enough=np.zeros(len(row)))[0]
    deep = np.flatnonzero(depth > 0.0)
    if len(deep):
        np.maximum.at(result, row[deep], np.minimum(depth[deep], depths_in(one).depth(row[deep], point[deep])[0]))
    return result


def _middles(shapes: MeshRows) -> tuple[Ints, Floats]:
    """Points in the middle of solids, some for each component of their surfaces: rows (K,) and points (K, 3).

    Each point is halfway between a large triangle and the surface opposite to it.
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
    inward = -normalized(across[large], np.zeros(3))
    start = corner[large].mean(axis=1) + MESH_BESIDE * mesh.reach * inward
    still = replace(shapes.bodies, rotation=np.eye(3)[None], translation=np.zeros((1, 3)))
    there = replace(shapes, bodies=still)
    row = np.zeros(len(large), dtype=np.int64)
    ahead = hits(there, row, start, inward).distance
    behind = np.isfinite(ahead)
    result: Floats = start[behind] + inward[behind] * (ahead[behind] / 2.0)[:, None]
    return result


# Boxes processed together. Their arrays fit in cache.
_BLOCK = 1 << 14
# Levels of a tree that are descended at once.
_STEP = 2


def nearest_triangles(
    surfaces: MeshRows, row: Ints, point: Floats, guess: Ints | None = None, enough: Floats | None = None
) -> tuple[Floats, Ints]:
    """Distances of points (K, 3) from the surfaces of rows (K,), and the nearest triangles.

    Ties go to the lowest triangle. A `guess` (K,) of the nearest triangle saves time; negative if there is none. For
    points within `enough` (K,), any triangle within it may be returned.
    """
    if guess is None:
        guess = np.full(len(row), -1)
    far, triangle = np.empty(len(row)), np.empty(len(row), dtype=np.int64)
    levels = surfaces.bodies.levels[row]
    for level in np.unique(levels):
        mine = np.flatnonzero(levels == level)
        search = _Nearest(surfaces, row[mine], point[mine], int(level), guess[mine])
        search.run(np.arange(len(mine)) if enough is None else np.flatnonzero(search.far > enough[mine]))
        far[mine], triangle[mine] = search.far, search.triangle
    return far, triangle


class _Nearest:
    """The nearest triangle of row i to point i, for trees with the same number of levels."""

    def __init__(self, surfaces: MeshRows, row: Ints, point: Floats, levels: int, guess: Ints) -> None:
        self.bodies, self.corners, self.levels = surfaces.bodies, surfaces.corners, levels
        self.planes = surfaces.planes
        self.node_start, self.leaf_start = self.bodies.node_start[row], self.bodies.leaf_start[row]
        self.first = surfaces.triangle_start[row]
        self.point = in_frame(self.bodies, row, point)
        self.rounding = MESH_RAY * (self.bodies.reach[row] + np.abs(self.point).max(axis=1, initial=0.0))
        # Added to the spans of boxes, these give the signed gaps.
        self.ends = np.concatenate([-self.point, self.point], axis=1)
        self.triangle, known = self._descent(), np.flatnonzero(guess >= 0)
        self.far = to_triangles(self.point, self.corners[self.first + self.triangle])
        far = to_triangles(self.point[known], self.corners[self.first[known] + guess[known]])
        nearer = (far < self.far[known]) | ((far == self.far[known]) & (guess[known] < self.triangle[known]))
        self.far[known[nearer]], self.triangle[known[nearer]] = far[nearer], guess[known[nearer]]

    def run(self, which: Ints) -> None:
        """Find the nearest triangles of some points (K,)."""
        waiting = [(which, which * 0, 0)]
        while waiting:
            which, node, level = waiting.pop()
            if len(which) > _BLOCK:
                parts = range(0, len(which), _BLOCK)
                waiting += [(which[at : at + _BLOCK], node[at : at + _BLOCK], level) for at in parts]
                continue
            which, node, gap, level = self._below(which, node, level)
            out = np.maximum(gap[:, :3], gap[:, 3:])
            np.maximum(out, 0.0, out=out)
            # Boxes at an equal distance up to rounding are kept.
            far = (1.0 + 8.0 * EPS) * np.square(self.far).take(which)
            square = np.einsum("ki,ki->k", out, out)
            kept = np.flatnonzero(square <= far)
            which, node = which.take(kept), node.take(kept)
            if level == self.levels:
                self._compare(which, node, square.take(kept))
            elif len(which):
                waiting.append((which, node, level))

    def _below(self, which: Ints, node: Ints, level: int) -> tuple[Ints, Ints, Floats, int]:
        """Descend some levels: the nodes of each point, and their signed gaps both ways along each axis, (K, 6)."""
        step = min(_STEP, self.levels - level)
        width = 1 << step
        # The descendants of node i start at node (i + 1) * width - 1.
        node = (((node + 1) * width - 1)[:, None] + np.arange(width)).reshape(-1)
        which = np.repeat(which, width)
        gap = self.bodies.span.take(node + self.node_start.take(which), axis=0)
        gap += self.ends.take(which, axis=0)
        return which, node, gap, level + step

    def _descent(self) -> Ints:
        """A triangle that is probably near each point, by a descent to the child whose center is nearest."""
        which = np.arange(len(self.point))
        level, node, at = 0, which * 0, which
        while len(which) and level < self.levels:
            _, below, gap, level = self._below(which, node, level)
            off = gap[:, :3] - gap[:, 3:]
            square = np.where(gap[:, 0] < EMPTY / 2.0, np.einsum("ki,ki->k", off, off), np.inf)
            below = below.reshape(len(which), -1)
            node = below[at, square.reshape(below.shape).argmin(axis=1)]
        return self._leaf(which, node)

    def _leaf(self, which: Ints, node: Ints) -> Ints:
        """The triangles of leaves."""
        result: Ints = self.bodies.leaf[self.leaf_start[which] + node + 1 - (1 << self.levels)]
        return result

    def _compare(self, which: Ints, node: Ints, square: Floats) -> None:
        """Update the nearest triangles with these leaves, which are ordered by point.

        The box of each point that is nearest (`square` (K,): the squares of the distances) is tested first.
        """
        if not len(which):
            return
        start = np.flatnonzero(np.append(True, which[1:] != which[:-1]))
        least = np.repeat(np.minimum.reduceat(square, start), np.diff(np.append(start, len(which))))
        first = np.flatnonzero(square == least)
        self._measure(which.take(first), node.take(first))
        rest = np.flatnonzero((square > least) & (square <= (1.0 + 8.0 * EPS) * np.square(self.far).take(which)))
        self._measure(which.take(rest), node.take(rest))

    def _measure(self, which: Ints, node: Ints) -> None:
        """Update the nearest triangles with the triangles of these leaves, which are ordered by point."""
        triangle = self._leaf(which, node)
        place = self.first.take(which) + triangle
        # A triangle is at least as far away as its plane.
        plane, point = self.planes.take(place, axis=0), self.point.take(which, axis=0)
        height = np.abs(np.einsum("ki,ki->k", plane[:, :3], point) - plane[:, 3])
        kept = np.flatnonzero(height <= self.far.take(which) + self.rounding.take(which) * plane[:, 4])
        if not len(kept):
            return
        which, triangle, place = which.take(kept), triangle.take(kept), place.take(kept)
        each = to_triangles(point.take(kept, axis=0), self.corners.take(place, axis=0))
        start = np.flatnonzero(np.append(True, which[1:] != which[:-1]))
        at, far = which[start], np.minimum.reduceat(each, start)
        # Ties go to the lowest triangle.
        least = each == np.repeat(far, np.diff(np.append(start, len(which))))
        triangle = np.minimum.reduceat(np.where(least, triangle, np.iinfo(np.int64).max), start)
        nearer = (far < self.far[at]) | ((far == self.far[at]) & (triangle < self.triangle[at]))
        self.far[at[nearer]], self.triangle[at[nearer]] = far[nearer], triangle[nearer]


def to_triangles(point: Floats, corner: Floats) -> Floats:
    """Distances of points (K, 3) from triangles (K, 3, 3), (K,).

    If a point projects into the triangle, this is its height, otherwise the distance from the nearest edge (Ericson,
    "Real-Time Collision Detection", 2005, section 5.1.5).
    """
    result = np.empty(len(point))
    for rows in blocks(len(point)):
        result[rows] = _to_triangles(as_columns(point[rows]), corner[rows])
    return result


def _to_triangles(point: Floats, corner: Floats) -> Floats:
    """`to_triangles` for a block of points (3, K)."""
    ends = as_columns(corner.reshape(-1, 9)).reshape(3, 3, -1)
    sides = [ends[1] - ends[0], ends[2] - ends[1], ends[0] - ends[2]]
    across = cross_columns(sides[0], sides[1])
    size = length(across.T)
    over = size > 0.0
    square = np.full(point.shape[1], np.inf)
    for start, side in zip(ends, sides, strict=True):
        out = point - start
        whole = dot_columns(side, side)
        share = dot_columns(out, side) / np.where(whole > 0.0, whole, 1.0)
        beside = out - np.clip(share, 0.0, 1.0) * side
        np.minimum(square, dot_columns(beside, beside), out=square)
        over &= dot_columns(cross_columns(side, out), across) >= 0.0
    height = np.abs(dot_columns(point - ends[0], across)) / np.where(size > 0.0, size, 1.0)
    nearest = np.sqrt(square)
    result: Floats = np.where(over, np.minimum(height, nearest), nearest)
    return result
