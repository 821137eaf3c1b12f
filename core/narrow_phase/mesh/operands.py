# SPDX-License-Identifier: GPL-3.0-or-later
"""What meets a mesh, row for row: another mesh, or any bounded convex shape, through the same few questions."""

from dataclasses import dataclass

import numpy as np

from ...numerics.tolerances import rounding
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length
from ...shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres, SupportMapped, Triangles
from .placed import Bodies, Convex, Surfaces, boxes_of, surfaces


@dataclass(frozen=True, eq=False)
class Whole:
    """Rows of convex shapes, each in one piece.

    Attributes
    ----------
    shapes : batch of one kind
    bodies : Bodies
    """

    shapes: Convex
    bodies: Bodies

    def __len__(self) -> int:
        return len(self.shapes)

    def take(self, rows: Ints) -> "Whole":
        """These rows."""
        return Whole(self.shapes.take(rows), self.bodies.take(rows))

    def parts(self, row: Ints, part: Ints) -> Convex:
        """The pieces of rows, (K,)."""
        return self.shapes.take(row)

    def some_point(self) -> Floats:
        """A point in the middle of each shape, (N, 3)."""
        shapes = self.shapes
        if isinstance(shapes, Spheres | Boxes):
            return shapes.center
        if isinstance(shapes, Capsules | Cylinders):
            return shapes.start + (shapes.end - shapes.start) / 2.0
        if isinstance(shapes, SupportMapped):
            return shapes.interior_point()
        if isinstance(shapes, Triangles):
            return shapes.vertices.mean(axis=1)
        local = np.array([shapes.geometry[index].centroid for index in shapes.index]).reshape(-1, 3)
        result: Floats = np.einsum("nij,nj->ni", shapes.rotation, local) + shapes.translation
        return result

    def has_volume(self) -> Bools:
        """Which rows have an inside, (N,)."""
        shapes = self.shapes
        if isinstance(shapes, Boxes):
            return np.asarray((shapes.half_extents > 0.0).all(axis=1), dtype=np.bool_)
        if isinstance(shapes, SupportMapped):
            return shapes.has_volume()
        if isinstance(shapes, Spheres | Capsules | Cylinders):
            return shapes.radius > 0.0
        if isinstance(shapes, Triangles):
            return np.zeros(len(shapes), dtype=bool)
        result: Bools = np.array([hull.dimension == 3 for hull in shapes.geometry], dtype=bool)[shapes.index]
        return result

    def farthest(self, row: Ints, direction: Floats) -> Floats:
        """How far each row (K,) reaches along its direction (K, 3): (K,)."""
        return dot(self.head(row, direction), direction)

    def head(self, row: Ints, direction: Floats) -> Floats:
        """The point of each row (K,) farthest along its unit direction: (K, 3)."""
        bodies, shapes = self.bodies, self.shapes
        if isinstance(shapes, SupportMapped):
            return shapes.take(row).support(direction)
        if isinstance(shapes, Triangles):
            corners = shapes.vertices[row]
            return _farthest(corners, direction)
        if isinstance(shapes, Hulls):
            result = np.empty((len(row), 3))
            for number in np.unique(shapes.index[row]):
                mine = np.flatnonzero(shapes.index[row] == number)
                hull = shapes.geometry[number]
                turn = shapes.rotation[row[mine]]
                local = np.einsum("kji,kj->ki", turn, direction[mine])
                points = hull.points[hull.vertices]
                far = points[np.argmax(local @ points.T, axis=1)]
                result[mine] = np.einsum("kij,kj->ki", turn, far) + shapes.translation[row[mine]]
            return result
        turn, half = bodies.rotation[row], bodies.boxes(bodies.node_start[row])[1]
        local = np.matmul(direction[:, None], turn)[:, 0]
        if isinstance(shapes, Cylinders):
            across = local[:, :2]
            size = np.hypot(across[:, 0], across[:, 1])[:, None]
            rim = half[:, :1] * across / np.where(size > 0.0, size, 1.0)
            corner = np.column_stack([rim, half[:, 2] * np.sign(local[:, 2])])
        else:
            corner = half * np.sign(local)
        far = np.einsum("kij,kj->ki", turn, corner) + bodies.translation[row]
        return far + bodies.radius[row][:, None] * direction


Side = Whole | Surfaces


def _farthest(points: Floats, direction: Floats) -> Floats:
    """Of each row of points (K, n, 3) the one farthest along its direction: (K, 3)."""
    best = np.argmax(dot(points, direction[:, None]), axis=1)
    result: Floats = points[np.arange(len(points)), best]
    return result


def side(shapes: Convex | Meshes) -> Side:
    """The rows of a batch as what meets a mesh."""
    return surfaces(shapes) if isinstance(shapes, Meshes) else Whole(shapes, boxes_of(shapes))


def pieces(of: Side, row: Ints, part: Ints) -> Convex:
    """The convex pieces of rows (K,): triangles of a mesh, or the whole of another shape."""
    if isinstance(of, Whole):
        return of.parts(row, part)
    return Triangles(of.placed(row, part))


def slack_of(a: Side, b: Side) -> Floats:
    """What cannot be told from zero at the coordinates of each pair, (P,)."""
    offset = np.maximum(length(a.bodies.translation), length(b.bodies.translation))
    return rounding(a.bodies.reach + b.bodies.reach, offset)


def size_of(a: Side, b: Side) -> Floats:
    """Size of each pair, (P,): the sum of the radii of two balls that hold the shapes."""
    result: Floats = a.bodies.reach + b.bodies.reach
    return result


def reaches(of: Side, row: Ints, direction: Floats) -> Floats:
    """How far each row (K,) reaches along its unit direction: (K,)."""
    if isinstance(of, Whole):
        return of.farthest(row, direction)
    return extremes(of, row, direction)[0]


def extremes(of: Surfaces, row: Ints, direction: Floats) -> tuple[Floats, Ints]:
    """How far each mesh (K,) reaches along its unit direction, and the vertex that does: (K,) each."""
    reach, vertex = np.empty(len(row)), np.empty(len(row), dtype=np.int64)
    local = np.matmul(direction[:, None], of.bodies.rotation[row])[:, 0]
    for number in np.unique(of.mesh[row]):
        mesh = of.meshes[number]
        mine = np.flatnonzero(of.mesh[row] == number)
        points = mesh.points[mesh.used]
        step = max(1, _BLOCK // len(points))
        for first in range(0, len(mine), step):
            block = mine[first : first + step]
            along = local[block] @ points.T
            best = along.argmax(axis=1)
            vertex[block] = mesh.used[best]
            reach[block] = along[np.arange(len(block)), best]
    reach += dot(of.bodies.translation[row], direction)
    return reach, vertex


# Numbers in the largest intermediate array.
_BLOCK = 1 << 20
