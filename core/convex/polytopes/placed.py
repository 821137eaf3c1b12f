# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex kinds as polytopes with a radius, on which the generic convex algorithms work.

A sphere is a point with a radius, a capsule a segment with a radius. Boxes and hulls are polytopes of radius zero. The
distance and depth of rounded shapes follow exactly from those of their cores: the radii are subtracted or added.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from ...kernels.solids import Solids
from ...kernels.supports import POLYTOPE, Side
from ...numerics.tolerances import COPLANAR, COPLANAR_COSINE, SUPPORT, THIN
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length, normalized, perpendicular, rotated
from ...shapes import Boxes, Capsules, Hulls, Kind, Spheres, Triangles
from ...shapes.sides import NO_CELLS, NO_FLOATS, box_side, farthest
from .pools import CUBE, POINT, SEGMENT, Cores, HullCores, Pool, triangles

# The kinds that are polytopes with a radius.
CORED = frozenset((Kind.SPHERE, Kind.CAPSULE, Kind.BOX, Kind.TRIANGLE, Kind.HULL))

# Number of heights of planes that are stored at once.
_HEIGHTS = 1 << 18

# Number of vertices from which a direction table is faster than all inner products.
_LARGE = 256


# Arrays with a row for each polytope that `Polytopes.take` copies if they are already computed.
_KEPT = ("vertices", "normals", "edges")


@dataclass(frozen=True)
class Polytopes:
    """Rows of a batch as polytopes in the world.

    Attributes
    ----------
    cores : Cores
        The pool, or the part of it that is known before its faces and edges are needed.
    geometry : (P,) int64
        Index of the polytope in the pool.
    linear : (P, 3, 3) float64
        Maps the pool's vertices to world axes.
    rotation : (P, 3, 3) float64
        Maps the pool's normals to world axes.
    translation : (P, 3) float64
    radius : (P,) float64
    reach : (P,) float64
        Distance of the farthest vertex from the translation.
    ball : (P,) float64, optional
        `inner`, if the pool does not know it.
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
        """Select rows, relative to the points `origin` (P, 3) if given."""
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
            # Copying computed rows is faster than computing them again.
            vars(result).update({name: vars(self)[name][rows] for name in _KEPT if name in vars(self)})
        return result

    def faceted(self, rows: Ints) -> "Polytopes":
        """Select rows. If the pool has no faces and edges yet, only those of these polytopes are computed."""
        taken = self.take(rows)
        pool, geometry = self.cores.faceted(taken.geometry)
        return replace(taken, cores=pool, geometry=geometry)

    @property
    def pool(self) -> Pool:
        """The polytopes in their own frames, with faces and edges."""
        return self.cores.pool

    @cached_property
    def inner(self) -> Floats:
        """(P,) radius of a sphere about the core's center that is inside the core."""
        return self.pool.inner.take(self.geometry) if self.ball is None else self.ball

    @cached_property
    def vertices(self) -> Floats:
        """(P, V, 3), padded with the last vertex."""
        local = self.pool.vertices.padded(self.geometry)
        return rotated(self.linear, local) + self.translation[:, None]

    @cached_property
    def normals(self) -> Floats:
        """(P, F, 3), padded with the last normal."""
        return rotated(self.rotation, self.pool.normals.padded(self.geometry))

    @cached_property
    def edges(self) -> Ints:
        """(P, E, 4): two vertices and two normals of each edge, padded with the last edge."""
        return self.pool.edges.padded(self.geometry)

    @cached_property
    def large(self) -> bool:
        """Whether some polytopes have so many vertices that algorithms on all of them are too slow."""
        return int(self.pool.vertices.count[self.geometry].max(initial=0)) >= _LARGE

    @property
    def thin(self) -> Bools:
        """Return which are needles, plates or flat, radius included, (P,)."""
        return self.inner + self.radius <= THIN * self.size

    @cached_property
    def solids(self) -> Solids:
        """The polytopes as kernels read them."""
        count = len(self)
        extents = np.stack([self.size, self.radius, self.thin], axis=1)
        linear, rotation = (np.ascontiguousarray(each).reshape(count, 9) for each in (self.linear, self.rotation))
        geometry, place = np.ascontiguousarray(self.geometry), np.ascontiguousarray(self.translation)
        return Solids(*self.pool.tables, geometry, linear, rotation, place, extents)

    def greatest(self, axes: Floats) -> Floats:
        """The greatest inner product of each core's vertices with each of its axes, (P, K, 3) -> (P, K)."""
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
        """(P,) radius of a sphere about the translation that contains the shape."""
        return self.reach + self.radius

    def surface(self, rows: Ints, points: Floats, direction: Floats) -> Floats:
        """Distance along unit directions (K, 3) from points (K, 3) to the surfaces of these rows, (K,).

        Uses the planes of all faces that point in this direction, not only of the representatives. Infinite if there
        are none, or if the point found is outside the shape. The latter happens beyond faces parallel to the direction.
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
    """Convert a batch to polytopes with radii, row by row."""
    count = len(shapes)
    same, none = np.zeros(count, dtype=np.int64), np.zeros(count)
    if isinstance(shapes, Spheres):
        still = np.broadcast_to(np.eye(3), (count, 3, 3))
        return Polytopes(POINT, same, still, still, shapes.center, shapes.radius, none, none)
    if isinstance(shapes, Capsules):
        half = (shapes.end - shapes.start) / 2.0
        direction = normalized(half, np.array([0.0, 0.0, 1.0]))
        side = perpendicular(direction)
        rotation = np.stack([side, cross(direction, side), direction], axis=2)
        linear = np.zeros((count, 3, 3))
        linear[:, :, 2] = half
        # The midpoint is computed from the start, so that its rounding error is not larger than that of the start.
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
    """Support mapping of the cores of polytopes in the world, in component arrays.

    Attributes
    ----------
    cores : Cores
    polytope : (P,) int64
        Index of the polytope in the pool.
    base : (P,) int64
        Index of its first vertex.
    linear : (3, 3, P) float64
        Maps the vertices to world axes.
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
        """The support mapping of the cores of these shapes, without radii."""
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

    @cached_property
    def side(self) -> Side:
        """The cores as kernels read them."""
        cores, which, count = self.cores, self.polytope, len(self)
        linear = np.ascontiguousarray(self.linear.reshape(9, -1).T)
        translation = np.ascontiguousarray(self.translation.T)
        if cores is CUBE:
            return box_side(linear, translation)
        table = cores.table_for(count)
        places = np.empty((count, 4), dtype=np.int64)
        places[:, 0], places[:, 1], places[:, 2] = self.base, cores.vertices.count.take(which), -1
        starts = candidates = NO_CELLS
        if table is not None:
            places[:, 2], places[:, 3] = table.grid.take(which), table.first.take(which)
            starts, candidates = table.start, table.candidate
        return Side(
            POLYTOPE, linear, translation, NO_FLOATS, cores.columns, places, starts, candidates, NO_FLOATS, NO_FLOATS
        )

    def support(self, direction: Floats) -> Floats:
        """Support points of each core along its direction, (P, 3) -> (P, 3)."""
        return farthest(self.side, direction)

    def level(self, direction: Floats) -> Ints:
        """Number of vertices of each core on the support plane of a direction (3, P), within `tolerances.SUPPORT`."""
        local = np.einsum("ijp,ip->jp", self.linear, direction)
        return self.cores.table.level(self.polytope, local, self.cores.columns, self.base, SUPPORT * self.size)

    def take(self, rows: Ints) -> Self:
        """Select rows, in this order."""
        return type(self)(
            self.cores,
            self.polytope.take(rows),
            self.base.take(rows),
            self.linear.take(rows, axis=2),
            self.translation.take(rows, axis=1),
            self.size.take(rows),
        )
