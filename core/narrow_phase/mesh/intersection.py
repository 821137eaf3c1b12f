# SPDX-License-Identifier: GPL-3.0-or-later
"""The intersection of the surfaces of pairs of shapes, the second being a mesh, and the parts inside the other.

A region is a connected part of the overlap of two bodies. Its boundary consists of pieces of both surfaces, which meet
where the surfaces intersect. A part of one surface that lies completely inside the other body is a region of its own.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...kernels import floods
from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import RowTable, numbered_components, rows_of_each
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, length, normalized
from ...shapes import Triangles
from ..triangle_intersection import Crossings, triangle_intersections
from .bvh_traversal import LeafPairs
from .leaf_queries import meeting
from .operands import ConvexRows, MeshRows, ShapeRows, frames, slack_of, surfaces_of
from .ray_casting import inside, triangles_of, untouched_components


@dataclass(frozen=True)
class Parts(RowTable):
    """Vertices or triangles of one mesh of each pair that are inside the other body.

    Attributes
    ----------
    pair, index : (K,) int64
        The pair, ascending, and the vertex or the triangle.
    label : (K,) int64
        Equal for parts that are connected inside.
    """

    pair: Ints
    index: Ints
    label: Ints


@dataclass(frozen=True)
class Submerged:
    """The parts of one mesh of each pair that are inside the other body.

    Attributes
    ----------
    vertices : Parts
    triangles : Parts
        Triangles with such a vertex that do not meet the other surface.
    labels : int
        The number of labels.
    """

    vertices: Parts
    triangles: Parts
    labels: int

    def of_pairs(self, number: Ints) -> "Submerged":
        """Select pairs, given the new number of each. Negative: left out."""
        vertices = self.vertices.take(number[self.vertices.pair] >= 0)
        triangles = self.triangles.take(number[self.triangles.pair] >= 0)
        used = np.unique(vertices.label)
        return Submerged(
            replace(vertices, pair=number[vertices.pair], label=np.searchsorted(used, vertices.label)),
            replace(triangles, pair=number[triangles.pair], label=np.searchsorted(used, triangles.label)),
            len(used),
        )


_NONE = np.empty(0, dtype=np.int64)
_NOTHING = Submerged(Parts(_NONE, _NONE, _NONE), Parts(_NONE, _NONE, _NONE), 0)


@dataclass(eq=False)
class Intersection:
    """The intersection of each pair of some rows `a` and `b`. Results are computed on demand, once.

    Attributes
    ----------
    a, b : ShapeRows, MeshRows
    """

    a: ShapeRows
    b: MeshRows

    @cached_property
    def leaves(self) -> LeafPairs:
        """All pairs of pieces that intersect, touching included."""
        return meeting(self.a, self.b)

    @cached_property
    def submerged(self) -> tuple[Submerged, Submerged]:
        """The parts of A's surface in B, and of B's surface in A. If A is convex, the pieces determine the latter."""
        if isinstance(self.a, ConvexRows):
            # A convex shape intersects every piece of a mesh inside it. It can only be inside a mesh entirely.
            row = np.setdiff1d(np.arange(len(self.b)), self.leaves.pair)
            row = row[inside(self.b, row, self.a.interior_point()[row])]
            whole = Submerged(Parts(row, np.full(len(row), -1), np.arange(len(row))), _NOTHING.triangles, len(row))
            return whole, _NOTHING
        of_a, of_b = (self.leaves.pair, self.leaves.a), (self.leaves.pair, self.leaves.b)
        return _submerged(self.a, self.b, *of_a), _submerged(self.b, self.a, *of_b)

    def steps(self) -> Generator[None, None, None]:
        """Find the intersecting pieces, and then the submerged parts."""
        len(self.leaves)
        yield
        len(self.submerged)
        yield

    @cached_property
    def regions(self) -> "MeetingRegions":
        """The regions in which the shapes overlap."""
        return _regions(self)

    def overlaps(self) -> Bools:
        """Return which pairs overlap, touching included, (P,). Their regions are not needed."""
        result = np.zeros(len(self.b), dtype=bool)
        for pair in (self.leaves.pair, *(under.vertices.pair for under in self.submerged)):
            result[pair] = True
        return result

    def take(self, rows: Ints) -> "Intersection":
        """Select pairs, which are ascending, and renumber them from 0."""
        result = Intersection(self.a.take(rows), self.b.take(rows))
        number = np.full(len(self.b), -1)
        number[rows] = np.arange(len(rows))
        leaves = self.leaves.take(number[self.leaves.pair] >= 0)
        vars(result)["leaves"] = replace(leaves, pair=number[leaves.pair])
        vars(result)["submerged"] = tuple(one.of_pairs(number) for one in self.submerged)
        return result


# Number of vertices and triangles for which there is room at once, in addition to those of the largest mesh.
_ROOM = 1 << 16


def _submerged(one: MeshRows, other: MeshRows, pair: Ints, triangle: Ints) -> Submerged:
    """Find the parts of one mesh of each pair inside the other, given the triangles that meet its surface."""
    solid = other.has_volume()
    key = np.unique(pair * _span(one) + triangle)
    touched = np.stack([key // _span(one), key % _span(one)], axis=1)
    touched = np.ascontiguousarray(touched[solid[touched[:, 0]]])
    parts: tuple[list[Ints], list[Ints]] = ([], [])
    label = 0
    if len(touched):
        pool, at = _Connectivity.of(one), 0
        starts = np.stack([one.point_start, one.triangle_start], axis=1)
        sides, marks, queue = (
            np.zeros(len(each), dtype=np.int64) for each in (pool.points, pool.triangles, pool.points)
        )
        between = np.ascontiguousarray(frames(other, one).T)
        room = [np.empty((len(each) + _ROOM, 3), dtype=np.int64) for each in (pool.points, pool.triangles)]
        fixed = surfaces_of(other.bodies), pool.points, pool.triangles, pool.corner_start, pool.corners, starts, between
        while at < len(touched):
            at, *count, label = floods.flood(
                *fixed, slack_of(one, other), touched, at, label, sides, marks, queue, *room
            )
            for found, table, end in zip(parts, room, count, strict=True):
                found.append(table[:end].copy())
    vertices, triangles = (Parts(*np.concatenate([np.empty((0, 3), dtype=np.int64), *found]).T) for found in parts)
    # Components that touch nothing and are inside.
    free = untouched_components(one, replace(other, solid=solid), touched[:, 0], touched[:, 1])
    free = free.take(inside(other, free.row, free.point))
    if len(free.row):
        row, covered = triangles_of(one, free)
        which = np.unique(np.stack([row, _component_of(one, row, covered)], axis=1), axis=0, return_inverse=True)[1]
        of = label + which.reshape(-1)
        label = int(of.max()) + 1
        corner = vertex_names(one, row, covered)
        some = np.unique(np.stack([np.repeat(row, 3), corner.reshape(-1), np.repeat(of, 3)], axis=1), axis=0)
        vertices = _in_order(Parts.joined([vertices, Parts(*some.T)]))
        triangles = _in_order(Parts.joined([triangles, Parts(row, covered, of)]))
    return Submerged(vertices, triangles, label)


def _in_order(parts: Parts) -> Parts:
    return parts.take(np.argsort(parts.pair, kind="stable"))


def _component_of(shapes: MeshRows, row: Ints, triangle: Ints) -> Ints:
    """The component of each triangle in its mesh."""
    result = np.empty(len(row), dtype=np.int64)
    for number, mine in rows_of_each(shapes.mesh[row]):
        result[mine] = shapes.meshes[number].component[triangle[mine]]
    return result


@dataclass(frozen=True)
class _Connectivity:
    """Vertices and triangles of several meshes in one table, and the triangles at each vertex."""

    points: Floats
    triangles: Ints
    corner_start: Ints
    corners: Ints

    @classmethod
    def of(cls, rows: MeshRows) -> "_Connectivity":
        """Return that of the tables of rows, which is made once."""
        known = vars(rows.tables)
        if "connectivity" not in known:
            known["connectivity"] = cls._joined(rows.meshes)
        result: _Connectivity = known["connectivity"]
        return result

    @classmethod
    def _joined(cls, meshes: tuple[TriangleMesh, ...]) -> "_Connectivity":
        if len(meshes) == 1:
            (mesh,) = meshes
            return cls(mesh.points, mesh.welded_triangles, mesh.corner_start, mesh.by_vertex)
        count = np.concatenate([np.diff(mesh.corner_start) for mesh in meshes])
        return cls(
            np.concatenate([mesh.points for mesh in meshes]),
            np.concatenate([mesh.welded_triangles for mesh in meshes]),
            np.append(0, np.cumsum(count)),
            np.concatenate([mesh.by_vertex for mesh in meshes]),
        )


@dataclass(frozen=True)
class MeetingRegions:
    """The regions of all pairs, ordered by pair.

    Attributes
    ----------
    pair : (R,) int64
    of : (K,) int64
        The region of each pair of intersecting pieces.
    of_a, of_b : (L,) int64
        The region of each label of the parts of A, and of B, inside the other.
    """

    pair: Ints
    of: Ints
    of_a: Ints
    of_b: Ints


def _regions(shared: Intersection) -> MeetingRegions:
    """Connect intersecting pieces with each other, and with adjacent parts inside the other body."""
    a, b, leaves = shared.a, shared.b, shared.leaves
    label = region_labels(a, b, leaves)
    groups = int(label.max(initial=-1)) + 1
    under_a, under_b = shared.submerged
    count = groups + under_a.labels + under_b.labels
    owner = np.zeros(count, dtype=np.int64)
    owner[label] = leaves.pair
    first, second = [_NONE], [_NONE]
    base = groups
    for one, triangle, under in ((a, leaves.a, under_a), (b, leaves.b, under_b)):
        owner[base + under.vertices.label] = under.vertices.pair
        if isinstance(one, MeshRows) and len(under.vertices):
            span = max(len(mesh.points) for mesh in one.meshes)
            key = under.vertices.pair * span + under.vertices.index
            order = np.argsort(key)
            corner = vertex_names(one, leaves.pair, triangle) + leaves.pair[:, None] * span
            at = order[np.minimum(np.searchsorted(key, corner, sorter=order), len(key) - 1)]
            leaf, _ = hit = np.nonzero(key[at] == corner)
            first.append(label[leaf])
            second.append(base + under.vertices.label[at[hit]])
        base += under.labels
    whole = numbered_components(count, np.concatenate(first), np.concatenate(second))
    # In the order of the pairs.
    regions = int(whole.max(initial=-1)) + 1
    pair = np.zeros(regions, dtype=np.int64)
    pair[whole] = owner
    order = np.argsort(pair, kind="stable")
    rank = np.empty(regions, dtype=np.int64)
    rank[order] = np.arange(regions)
    whole = rank[whole]
    return MeetingRegions(
        pair[order], whole[label], whole[groups : groups + under_a.labels], whole[groups + under_a.labels :]
    )


def region_labels(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Ints:
    """Numbers of connected groups of intersecting pieces, (K,).

    Two pairs of pieces belong to one group if, in each mesh, their triangles are identical or share a vertex.
    """
    key_b = vertex_names(b, intersecting.pair, intersecting.b)
    key_a = np.zeros((len(intersecting), 1), dtype=np.int64)
    if not isinstance(a, ConvexRows):
        key_a = vertex_names(a, intersecting.pair, intersecting.a)
    key = key_a[:, :, None] * (int(key_b.max(initial=0)) + 1) + key_b[:, None, :]
    width = key_a.shape[1] * key_b.shape[1]
    pair = np.repeat(intersecting.pair, width)
    order = np.lexsort((key.reshape(-1), pair))
    flat, pair = key.reshape(-1)[order], pair[order]
    same = (flat[1:] == flat[:-1]) & (pair[1:] == pair[:-1])
    owner = order // width
    return numbered_components(len(intersecting), owner[:-1][same], owner[1:][same])


@dataclass(frozen=True)
class MeanNormals:
    """Mean unit normals of the intersecting triangles of each region that has any; zero where they cancel.

    Attributes
    ----------
    region, count : (M,) int64
        The region, and its number of intersecting pieces.
    normal_a, normal_b : (M, 3) float64
        Weighted by the length of the intersection, or by area if A is a convex shape. Zero for such a shape.
    """

    region: Ints
    count: Ints
    normal_a: Floats
    normal_b: Floats


def mean_normals(shared: Intersection) -> MeanNormals:
    """The mean normals of both surfaces where they intersect."""
    a, b, intersecting = shared.a, shared.b, shared.leaves
    region, label = np.unique(shared.regions.of, return_inverse=True)
    label, count = label.reshape(-1), np.bincount(label.reshape(-1), minlength=len(region))
    q = b.placed(intersecting.pair, intersecting.b)
    normal_b = normals(q)
    if isinstance(a, ConvexRows):
        area = length(cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]))
        nothing = np.zeros((len(region), 3))
        return MeanNormals(region, count, nothing, _mean(label, normal_b * area[:, None], len(region)))
    p = a.placed(intersecting.pair, intersecting.a)
    found = triangle_intersections(Triangles(p), Triangles(q), overlap=True)
    # Coplanar triangles are weighted by their extent. Points get a small weight.
    extent = np.minimum(_spread(p), _spread(q))
    weight = np.where(found.coplanar, extent, length(runs(found)) + 1e-6 * extent)[:, None]
    both = (_mean(label, normal * weight, len(region)) for normal in (normals(p), normal_b))
    return MeanNormals(region, count, *both)


def runs(found: Crossings) -> Floats:
    """Vectors from the start to the end of each intersection segment, (K, 3); zero if there is no segment."""
    result: Floats = np.nan_to_num(found.end) - np.nan_to_num(found.start)
    return result


def normals(corners: Floats) -> Floats:
    """Unit normals of triangles (K, 3, 3); zero for triangles without area."""
    return normalized(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), np.zeros(3))


def vertex_names(shapes: MeshRows, row: Ints, triangle: Ints) -> Ints:
    """Welded vertices of triangles of rows, (K, 3)."""
    result = np.zeros((len(row), 3), dtype=np.int64)
    for number, mine in rows_of_each(shapes.mesh[row]):
        result[mine] = shapes.meshes[number].welded_triangles[triangle[mine]]
    return result


def _span(shapes: MeshRows) -> int:
    return max((len(mesh.triangles) for mesh in shapes.meshes), default=1)


def _spread(corners: Floats) -> Floats:
    result: Floats = length(corners - corners.mean(axis=1, keepdims=True)).max(axis=1)
    return result


def _mean(label: Ints, vector: Floats, count: int) -> Floats:
    """Unit vectors along the sums of vectors with the same label; zero if the vectors nearly cancel."""
    total = np.empty((count, 3))
    for axis in range(3):
        total[:, axis] = np.bincount(label, weights=vector[:, axis], minlength=count)
    most = np.bincount(label, weights=length(vector), minlength=count)
    strong = length(total) > _CANCELED * most
    return np.where(strong[:, None], normalized(total, np.zeros(3)), 0.0)


# Dimensionless: ratio of the length of the sum to the sum of the lengths. Below it, normals have no mean.
_CANCELED = 1e-3
