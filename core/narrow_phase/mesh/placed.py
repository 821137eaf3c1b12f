# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a batch as trees of boxes placed in the world: a mesh has its own, any other shape is a single box."""

from dataclasses import dataclass, replace

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import length, normalized, perpendicular
from ...shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres, SupportMapped, Triangles

Convex = Spheres | Capsules | Cylinders | SupportMapped | Boxes | Triangles | Hulls


@dataclass(frozen=True, eq=False)
class Bodies:
    """Trees placed in the world.

    Attributes
    ----------
    span : (nodes, 6) float64
        The boxes of all trees, one tree after another, in their own frames; see `Tree`.
    leaf : (leaves,) int64
        The triangle of each leaf of all trees.
    node_start, leaf_start : (N,) int64
        Where the tree of each row begins.
    levels : (N,) int64
    rotation : (N, 3, 3) float64
    translation : (N, 3) float64
    radius : (N,) float64
        What there is of the shape about its boxes.
    reach : (N,) float64
        Radius of a ball about the translation that holds the shape.
    """

    span: Floats
    leaf: Ints
    node_start: Ints
    leaf_start: Ints
    levels: Ints
    rotation: Floats
    translation: Floats
    radius: Floats
    reach: Floats

    def __len__(self) -> int:
        return len(self.levels)

    def boxes(self, node: Ints) -> tuple[Floats, Floats]:
        """Centers and half extents of nodes in their own frames, (K, 3) each."""
        span = self.span[node]
        low, less = span[:, :3], span[:, 3:]
        return (low - less) / 2.0, (low + less) / -2.0

    def take(self, rows: Ints, shift: Floats | None = None) -> "Bodies":
        """These rows, moved by `shift` (K, 3) if given."""
        moved = self.translation[rows]
        return replace(
            self,
            node_start=self.node_start[rows],
            leaf_start=self.leaf_start[rows],
            levels=self.levels[rows],
            rotation=self.rotation[rows],
            translation=moved if shift is None else moved + shift,
            radius=self.radius[rows],
            reach=self.reach[rows],
        )


@dataclass(frozen=True, eq=False)
class Surfaces:
    """Rows of a batch of meshes: their trees, and all their triangles in one table.

    Attributes
    ----------
    meshes : tuple of TriangleMesh
        Those that the rows have, each once.
    mesh : (N,) int64
        The mesh of each row.
    bodies : Bodies
    solid : (N,) bool
    corners : (M, 3, 3) float64
        Triangles of all meshes, in their own frames.
    triangle_start : (N,) int64
        Where the triangles of each row begin.
    """

    meshes: tuple[TriangleMesh, ...]
    mesh: Ints
    bodies: Bodies
    solid: np.ndarray
    corners: Floats
    triangle_start: Ints

    def __len__(self) -> int:
        return len(self.mesh)

    def has_volume(self) -> Bools:
        """Which rows have an inside, (N,)."""
        result: Bools = self.solid & np.array([mesh.has_volume for mesh in self.meshes], dtype=bool)[self.mesh]
        return result

    def convex(self, rows: Ints) -> Bools:
        """Which of these rows (K,) are convex solids, (K,)."""
        result: Bools = self.solid[rows].copy()
        for number in np.unique(self.mesh[rows[result]]):
            result[self.mesh[rows] == number] &= self.meshes[number].convex
        return result

    def take(self, rows: Ints, shift: Floats | None = None) -> "Surfaces":
        """These rows, moved by `shift` (K, 3) if given."""
        return replace(
            self,
            mesh=self.mesh[rows],
            bodies=self.bodies.take(rows, shift),
            solid=self.solid[rows],
            triangle_start=self.triangle_start[rows],
        )

    def placed(self, row: Ints, triangle: Ints) -> Floats:
        """Corners of triangles in the world, (K, 3, 3); a vertex has the same coordinates in all its triangles."""
        return in_world(self.bodies, row, self.corners[self.triangle_start[row] + triangle])

    def table(self, row: Ints, triangle: Ints) -> tuple[Floats, Ints]:
        """Corners of triangles in the world (T, 3, 3), and which of them each of `row` and `triangle` (K,) is.

        Of a single row each triangle is placed once, however often it is listed.
        """
        if len(self) > 1 or not len(triangle):
            return self.placed(row, triangle), np.arange(len(triangle))
        listed = np.zeros(int(triangle.max()) + 1, dtype=bool)
        listed[triangle] = True
        some = np.flatnonzero(listed)
        return self.placed(some * 0, some), (np.cumsum(listed) - 1)[triangle]

    def points(self, row: int) -> Floats:
        """All vertices of one row in the world, as its mesh numbers them: (k, 3)."""
        points = self.meshes[self.mesh[row]].points
        return in_world(self.bodies, np.full(len(points), row), points[:, None])[:, 0]


def in_world(bodies: Bodies, row: Ints, points: Floats) -> Floats:
    """Points (K, n, 3) of rows (K,) in the world, each computed by itself whatever stands next to it."""
    turn = bodies.rotation[row][:, None]
    result: Floats = (
        turn[..., 0] * points[..., 0:1]
        + turn[..., 1] * points[..., 1:2]
        + turn[..., 2] * points[..., 2:3]
        + bodies.translation[row][:, None]
    )
    return result


def in_frame(bodies: Bodies, row: Ints, points: Floats) -> Floats:
    """World points (K, 3) in the frames of rows (K,)."""
    result: Floats = np.matmul((points - bodies.translation[row])[:, None], bodies.rotation[row])[:, 0]
    return result


def surfaces(batch: Meshes) -> Surfaces:
    """The meshes of a batch, row for row."""
    used, mesh = np.unique(batch.index, return_inverse=True)
    meshes = tuple(batch.geometry[number] for number in used)
    mesh = mesh.reshape(-1)
    trees = [each.tree for each in meshes]
    nodes = np.array([len(tree.span) for tree in trees], dtype=np.int64)
    leaves = np.array([len(tree.triangle) for tree in trees], dtype=np.int64)
    triangles = np.array([len(each.triangles) for each in meshes], dtype=np.int64)
    bodies = Bodies(
        _joined([tree.span for tree in trees]),
        _joined([tree.triangle for tree in trees]),
        _starts(nodes)[mesh],
        _starts(leaves)[mesh],
        np.array([tree.levels for tree in trees], dtype=np.int64)[mesh],
        batch.rotation,
        batch.translation,
        np.zeros(len(batch)),
        np.array([each.reach for each in meshes], dtype=np.float64)[mesh],
    )
    corners = _joined([each.corners for each in meshes])
    return Surfaces(meshes, mesh, bodies, batch.solid, corners, _starts(triangles)[mesh])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """The arrays one after another; a single one is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty((0, 3))


def _starts(count: Ints) -> Ints:
    result: Ints = np.cumsum(count) - count
    return result


def boxes_of(shapes: Convex) -> Bodies:
    """Convex shapes as trees of one box each, as tight as their own axes make it."""
    count = len(shapes)
    still = np.broadcast_to(np.eye(3), (count, 3, 3))
    center, radius = np.zeros((count, 3)), np.zeros(count)
    turn, half, place = still, np.zeros((count, 3)), center
    if isinstance(shapes, Spheres):
        place, radius = shapes.center, shapes.radius
    elif isinstance(shapes, Capsules | Cylinders):
        along = (shapes.end - shapes.start) / 2.0
        axis = normalized(along, np.array([0.0, 0.0, 1.0]))
        side = perpendicular(axis)
        turn, place = np.stack([side, np.cross(axis, side), axis], axis=2), shapes.start + along
        half[:, 2] = length(along)
        if isinstance(shapes, Cylinders):
            half[:, :2] = shapes.radius[:, None]
        else:
            radius = shapes.radius
    elif isinstance(shapes, SupportMapped):
        place, half, turn = shapes.oriented_box()
    elif isinstance(shapes, Boxes):
        turn, half, place = shapes.rotation, shapes.half_extents, shapes.center
    elif isinstance(shapes, Triangles):
        # Along the longest side, within the plane, and across it.
        along = np.roll(shapes.vertices, -1, axis=1) - shapes.vertices
        longest = np.argmax((along * along).sum(axis=2), axis=1)
        first = normalized(along[np.arange(count), longest], np.array([1.0, 0.0, 0.0]))
        across = np.cross(along[:, 0], along[:, 1])
        normal = np.where(length(across)[:, None] > 0.0, normalized(across, np.zeros(3)), perpendicular(first))
        # Slivers leave the two not quite at right angles.
        first = normalized(first - normal * (first * normal).sum(axis=1)[:, None], first)
        turn = np.stack([first, np.cross(normal, first), normal], axis=2)
        local = np.matmul(shapes.vertices - shapes.vertices[:, :1], turn)
        low, high = local.min(axis=1), local.max(axis=1)
        center, half, place = (low + high) / 2.0, (high - low) / 2.0, shapes.vertices[:, 0]
    else:
        used, hull = np.unique(shapes.index, return_inverse=True)
        points = [shapes.geometry[number].points[shapes.geometry[number].vertices] for number in used]
        low = np.array([each.min(axis=0) for each in points]).reshape(-1, 3)[hull.reshape(-1)]
        high = np.array([each.max(axis=0) for each in points]).reshape(-1, 3)[hull.reshape(-1)]
        center = (low + high) / 2.0
        half = np.maximum(high - center, center - low)
        turn, place = shapes.rotation, shapes.translation
    row = np.arange(count)
    reach = length(np.abs(center) + half) + radius
    nothing = np.zeros(count, dtype=np.int64)
    span = np.concatenate([center - half, -center - half], axis=1)
    return Bodies(span, nothing, row, row, nothing, turn, place, radius, reach)
