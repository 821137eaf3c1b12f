# SPDX-License-Identifier: GPL-3.0-or-later
"""Every convex kind as a polytope with a radius, which is what the generic convex algorithms work on.

A sphere is a point and a radius, a capsule a segment and a radius, boxes and hulls are polytopes of radius zero. The
distance and depth of the rounded shapes follow exactly from those of their cores: the radii are subtracted or added.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from ..numerics.tolerances import COPLANAR, COPLANAR_COSINE, SUPPORT, THIN
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized, perpendicular, rotated
from ..shapes import Boxes, Capsules, Hulls, Kind, Spheres, Triangles
from .pools import CUBE, POINT, SEGMENT, Cores, HullCores, Pool, triangles

# The kinds that are polytopes with a radius.
CORED = frozenset((Kind.SPHERE, Kind.CAPSULE, Kind.BOX, Kind.TRIANGLE, Kind.HULL))

# Heights of planes that are held at once.
_HEIGHTS = 1 << 18

# Vertices from which on a direction table tells sooner than all inner products how far a polytope reaches.
_LARGE = 256


# What `Polytopes.take` gathers, where it is known: an array with a row for each polytope.
_KEPT = ("vertices", "normals", "heights", "edges")


@dataclass(frozen=True)
class Polytopes:
    """Rows of a batch as polytopes placed in the world.

    Attributes
    ----------
    cores : Cores
        The pool, or what of it is known before its faces and edges are asked for.
    geometry : (P,) int64
        Which polytope of the pool.
    linear : (P, 3, 3) float64
        Takes the pool's vertices to the world's axes.
    rotation : (P, 3, 3) float64
        Takes the pool's normals there.
    translation : (P, 3) float64
    radius : (P,) float64
    reach : (P,) float64
        Distance of the farthest vertex from the translation.
    ball : (P,) float64, optional
        `inner`, where that is not known to the pool.
    """

    cores: Cores
    geometry: Ints
    linear: Floats
    rotation: Floats
    translation: Floats
    radius: Floats
    reach: Floats
    ball: Floats | None = None

    def __len__(self) -> int:
        return len(self.geometry)

    def take(self, rows: Ints | slice, origin: Floats | None = None) -> "Polytopes":
        """The polytopes of these rows, seen from the points `origin` (P, 3) if given."""
        if origin is None and len(self) == 1 and not isinstance(rows, slice) and len(rows) == 1:
            return self
        moved = self.translation[rows]
        result = Polytopes(
            self.cores,
            self.geometry[rows],
            self.linear[rows],
            self.rotation[rows],
            moved if origin is None else moved - origin,
            self.radius[rows],
            self.reach[rows],
            None if self.ball is None else self.ball[rows],
        )
        if origin is None:
            # What is known of all rows is gathered sooner than worked out again.
            vars(result).update({name: vars(self)[name][rows] for name in _KEPT if name in vars(self)})
        return result

    def faceted(self, rows: Ints) -> "Polytopes":
        """The polytopes of these rows, with no other faces and edges in their pool where those are not made yet."""
        taken = self.take(rows)
        pool, geometry = self.cores.faceted(taken.geometry)
        return replace(taken, cores=pool, geometry=geometry)

    @property
    def pool(self) -> Pool:
        """The polytopes in their own frames, with faces and edges."""
        return self.cores.pool

    @cached_property
    def inner(self) -> Floats:
        """(P,) radius of a ball about the core's center that lies within the core."""
        return self.pool.inner.take(self.geometry) if self.ball is None else self.ball

    @property
    def known_inner(self) -> Floats:
        """`inner`, or 0 where that takes more than is known yet."""
        return self.cores.known_inner(self.geometry) if self.ball is None else self.ball

    @cached_property
    def vertices(self) -> Floats:
        """(P, V, 3), short rows padded with their last vertex."""
        local = self.pool.vertices.padded(self.geometry)
        return rotated(self.linear, local) + self.translation[:, None]

    @cached_property
    def normals(self) -> Floats:
        """(P, F, 3), short rows padded with their last normal."""
        return rotated(self.rotation, self.pool.normals.padded(self.geometry))

    @cached_property
    def heights(self) -> Floats:
        """(P, F) how far along its normal each face lies; of no account for faces that are not real."""
        if self.cores is CUBE:
            local = np.repeat(np.einsum("pij,pij->pj", self.rotation, self.linear), 2, axis=1)
        else:
            local = self.pool.heights.padded(self.geometry, self.normals.shape[1])
        return local + dot(self.normals, self.translation[:, None])

    @cached_property
    def edges(self) -> Ints:
        """(P, E, 4): two vertices and two normals of each edge, short rows padded with their last edge."""
        return self.pool.edges.padded(self.geometry)

    @cached_property
    def large(self) -> bool:
        """Whether some have so many vertices that not all of them should meet all of anything."""
        return int(self.pool.vertices.count[self.geometry].max(initial=0)) >= _LARGE

    @property
    def thin(self) -> Bools:
        """Which are needles, plates or flat, with their radius: (P,)."""
        return self.inner + self.radius <= THIN * self.size

    def greatest(self, axes: Floats) -> Floats:
        """The greatest inner product of each core's vertices with each of its axes: (P, K, 3) -> (P, K)."""
        if not self.large:
            found: Floats = np.matmul(axes, self.vertices.transpose(0, 2, 1)).max(axis=2)
            return found
        shape = axes.shape[:2]
        which = np.repeat(self.geometry, shape[1])
        local = np.einsum("pij,pki->jpk", self.linear, axes).reshape(3, -1)
        height = self.pool.table.farthest(which, local, self.pool.columns, self.pool.vertices.start[which])[1]
        return height.reshape(shape) + dot(axes, self.translation[:, None])

    @cached_property
    def centers(self) -> Floats:
        """(P, 3) mean of each core's vertices."""
        return np.einsum("pij,pj->pi", self.linear, self.cores.centers[self.geometry]) + self.translation

    @cached_property
    def size(self) -> Floats:
        """(P,) radius of a ball about the translation that holds the shape."""
        return self.reach + self.radius

    def surface(self, rows: Ints, points: Floats, direction: Floats) -> Floats:
        """How far along unit directions (K, 3) the surfaces of these rows are over points (K, 3), seen that way: (K,).

        By the planes of all faces that look that way, not those alone that stand for them. Infinite where none does,
        and where what they show is outside: faces that stand up end there.
        """
        result = np.empty(len(rows))
        offsets, count = self.greatest(self.normals), self.pool.faces[self.geometry]
        step = max(1, _HEIGHTS // self.normals.shape[1])
        for first in range(0, len(rows), step):
            some = slice(first, first + step)
            normals = self.normals[rows[some]]
            cosine = np.matmul(normals, direction[some, :, None])[:, :, 0]
            facing = cosine >= COPLANAR_COSINE
            facing &= np.arange(normals.shape[1]) < count[rows[some], None]
            below = offsets[rows[some]] - np.matmul(normals, points[some, :, None])[:, :, 0]
            rise = np.where(facing, below / np.where(facing, cosine, 1.0), np.inf).min(axis=1)
            beyond = (np.where(np.isfinite(rise), rise, 0.0)[:, None] * cosine - below).max(axis=1)
            result[some] = np.where(beyond <= COPLANAR * self.size[rows[some]], rise, np.inf)
        return result

    def polygon(self, face: Ints) -> tuple[Floats, Ints]:
        """Outline of one real face of each row: corners (P, K, 3) and their vertex indices (P, K).

        Short outlines repeat their last corner.
        """
        row = self.pool.first_polygon[self.geometry] + face
        index = self.pool.polygons.padded(row)
        return np.take_along_axis(self.vertices, index[..., None], axis=1), index


def polytopes(shapes: Spheres | Capsules | Boxes | Triangles | Hulls) -> Polytopes:
    """The batch as polytopes with radii, row for row."""
    count = len(shapes)
    same, none = np.zeros(count, dtype=np.int64), np.zeros(count)
    if isinstance(shapes, Spheres):
        still = np.broadcast_to(np.eye(3), (count, 3, 3))
        return Polytopes(POINT, same, still, still, shapes.center, shapes.radius, none, none)
    if isinstance(shapes, Capsules):
        half = (shapes.end - shapes.start) / 2.0
        direction = normalized(half, np.array([0.0, 0.0, 1.0]))
        side = perpendicular(direction)
        rotation = np.stack([side, np.cross(direction, side), direction], axis=2)
        linear = np.zeros((count, 3, 3))
        linear[:, :, 2] = half
        # The midpoint is taken from the start, so that it carries no more rounding than the start itself.
        return Polytopes(SEGMENT, same, linear, rotation, shapes.start + half, shapes.radius, length(half), none)
    if isinstance(shapes, Boxes):
        linear = shapes.rotation * shapes.half_extents[:, None, :]
        half = shapes.half_extents
        return Polytopes(CUBE, same, linear, shapes.rotation, shapes.center, none, length(half), half.min(axis=1))
    if isinstance(shapes, Triangles):
        still = np.broadcast_to(np.eye(3), (count, 3, 3))
        place = shapes.vertices[:, 0]
        pool = triangles(shapes.vertices - place[:, None])
        return Polytopes(pool, np.arange(count), still, still, place, none, pool.reach, none)
    cores = HullCores.of(shapes.geometry)
    reach = cores.reach.take(shapes.index)
    return Polytopes(cores, shapes.index, shapes.rotation, shapes.rotation, shapes.translation, none, reach)


@dataclass(frozen=True)
class PolytopeSupport:
    """Cores of polytopes placed in the world, on components.

    Attributes
    ----------
    cores : Cores
    polytope : (P,) int64
        Which polytope of the pool.
    base : (P,) int64
        Where its vertices begin.
    linear : (3, 3, P) float64
        Takes the vertices to the world's axes.
    translation : (3, P) float64
    size : (P,) float64
    """

    cores: Cores
    polytope: Ints
    base: Ints
    linear: Floats
    translation: Floats
    size: Floats

    @classmethod
    def of(cls, shapes: Polytopes) -> "PolytopeSupport":
        """The support mapping of the cores of these shapes, radii left out."""
        return cls(
            shapes.cores,
            shapes.geometry,
            shapes.cores.vertices.start[shapes.geometry],
            np.ascontiguousarray(shapes.linear.transpose(1, 2, 0)),
            np.ascontiguousarray(shapes.translation.T),
            shapes.size,
        )

    def __len__(self) -> int:
        return len(self.polytope)

    def support(self, direction: Floats) -> Floats:
        """The farthest vertex of each core along its direction: (P, 3) -> (P, 3)."""
        local = np.einsum("ijp,ip->jp", self.linear, direction.T)
        best = self.cores.support(self.polytope, local, self.base)
        result = np.einsum("ijp,jp->ip", self.linear, self.cores.columns.take(best, axis=1))
        result += self.translation
        return result.T

    def level(self, direction: Floats) -> Ints:
        """How many vertices of each core are farthest along its unit direction (3, P), up to `tolerances.SUPPORT`."""
        local = np.einsum("ijp,ip->jp", self.linear, direction)
        return self.cores.table.level(self.polytope, local, self.cores.columns, self.base, SUPPORT * self.size)

    def take(self, rows: Ints) -> Self:
        """The cores of these rows, in that order."""
        return type(self)(
            self.cores,
            self.polytope.take(rows),
            self.base.take(rows),
            self.linear.take(rows, axis=2),
            self.translation.take(rows, axis=1),
            self.size.take(rows),
        )


@dataclass(frozen=True)
class BoxSupport(PolytopeSupport):
    """The support of boxes, whose corner is known by the signs of the direction, without a table."""

    def support(self, direction: Floats) -> Floats:
        """The farthest corner of each box along its direction: (P, 3) -> (P, 3)."""
        local = np.einsum("ijp,ip->jp", self.linear, direction.T)
        result = np.einsum("ijp,jp->ip", self.linear, np.copysign(1.0, local, out=local))
        result += self.translation
        return result.T
