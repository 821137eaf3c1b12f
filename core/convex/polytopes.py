# SPDX-License-Identifier: GPL-3.0-or-later
"""Every convex kind as a polytope with a radius, which is what the generic convex algorithms work on.

A sphere is a point and a radius, a capsule a segment and a radius, boxes and hulls are polytopes of radius zero. The
distance and depth of the rounded shapes follow exactly from those of their cores: the radii are subtracted or added.

The Gauss map of a polytope (the directions in which each feature is the support) is described by its normals and, for
each edge, by the two normals that its arc runs between. A flat core gets faces of no width all round, so that its arcs
are a quarter circle at most: a polygon has its two faces and one face through each edge, a segment four faces along
itself. The facets of A - B are then, without exception, faces of A, faces of B, and pairs of edges whose arcs cross.

Polytopes in their own frames are in pools, with all that the convex algorithms need of them. GJK and EPA use their
support mapping (`support_map.Supported`) by the pool's support tables.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..geometry.triangles import area_vectors
from ..hull import ConvexHull
from ..numerics import error_free
from ..numerics.rows import Scalar, Table
from ..numerics.tolerances import COPLANAR, COPLANAR_COSINE, PARALLEL, SLIVER, SUPPORT, THIN
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized, perpendicular, rotated
from ..shapes import Boxes, Capsules, Hulls, Kind, Spheres, Triangles
from .coplanar_faces import level_faces
from .support_table import DirectionTable, direction_tables


@dataclass(frozen=True)
class Pool:
    """The distinct polytopes of a batch, in their own frames.

    Attributes
    ----------
    vertices : Table of (V, 3)
    names : Table of (V,)
        The feature id of each vertex: its index in the points the shape was made of.
    normals : Table of (F, 3)
        Unit, outward; zero-width faces included, after the real ones.
    faces : (G,) int64
        How many of the normals belong to real faces, of positive area.
    polygons : Table of vertex indices
        The outline of each real face, counter-clockwise; face f of polytope g is row ``first_polygon[g] + f``. It is
        about all faces level with it, of which `chief` (L,) is the one that stands for all, row for row.
    first_polygon : (G,) int64
    edges : Table of (E, 4)
        Two vertices and the two normals next to the edge, the second cross the first pointing from the first vertex
        to the second. Vertices and normals count within their polytope.
    parts : tuple of Parts
        What the pool was put together from, which keep their direction tables; empty where there are no such tables
        worth keeping.
    """

    vertices: Table[np.float64]
    names: Table[np.int64]
    normals: Table[np.float64]
    faces: Ints
    polygons: Table[np.int64]
    chief: Ints
    first_polygon: Ints
    edges: Table[np.int64]
    parts: tuple["Parts", ...] = ()

    @cached_property
    def columns(self) -> Floats:
        """(3, V) the vertices of all polytopes on components."""
        return np.ascontiguousarray(self.vertices.values.T)

    @cached_property
    def joined(self) -> Bools:
        """(G,) whether some faces of each polytope are level with others and go as one."""
        row = np.arange(len(self.chief))
        owner = np.searchsorted(self.first_polygon, row, side="right") - 1
        other = self.chief != row - self.first_polygon[owner]
        result: Bools = np.bincount(owner, other, minlength=len(self.faces)) > 0.0
        return result

    @cached_property
    def reach(self) -> Floats:
        """(G,) distance of the farthest vertex of each polytope from its origin."""
        far: Floats = np.maximum.reduceat(length(self.vertices.values), self.vertices.start)
        return far

    @cached_property
    def centers(self) -> Floats:
        """(G, 3) mean of the vertices of each polytope."""
        sums = np.add.reduceat(self.vertices.values, self.vertices.start, axis=0)
        means: Floats = sums / self.vertices.count[:, None]
        return means

    @cached_property
    def spread(self) -> Floats:
        """(G,) distance of the farthest vertex of each polytope from the mean of its vertices."""
        away = self.vertices.values - np.repeat(self.centers, self.vertices.count, axis=0)
        far: Floats = np.maximum.reduceat(length(away), self.vertices.start)
        return far

    @cached_property
    def table(self) -> DirectionTable:
        """The direction tables of all polytopes."""
        if not self.parts:
            return direction_tables(self.vertices.values, self.vertices.start, self.vertices.count)
        missing = [part for part in self.parts if part not in _TABLES]
        if missing:
            vertices = Table.of([part.vertices for part in missing])
            made = direction_tables(vertices.values, vertices.start, vertices.count)
            _TABLES.update({part: made.one(place) for place, part in enumerate(missing)})
        return DirectionTable.joined([_TABLES[part] for part in self.parts])


@dataclass(frozen=True, eq=False)
class Parts:
    """One polytope on its way into a pool.

    `inner` is the radius of a ball about the mean of the vertices that lies within; 0 for what is flat.
    """

    vertices: Floats
    names: Ints
    normals: Floats
    faces: Table[np.int64]
    chief: Ints
    edges: Ints
    inner: float = 0.0


def pool_of(parts: list[Parts]) -> Pool:
    """The pool of these polytopes, in their order."""
    faces = np.array([len(part.faces.count) for part in parts], dtype=np.int64)
    return Pool(
        vertices=Table.of([part.vertices for part in parts]),
        names=Table.of([part.names for part in parts]),
        normals=Table.of([part.normals for part in parts]),
        faces=faces,
        polygons=Table.joined([part.faces for part in parts] if faces.any() else [_NO_POLYGON]),
        chief=np.concatenate([part.chief for part in parts]) if faces.any() else _NO_POLYGON.start,
        first_polygon=np.cumsum(faces) - faces,
        edges=Table.of([part.edges for part in parts]),
        parts=tuple(parts),
    )


def _parts(vertices: Floats, normals: Floats, faces: list[Ints], edges: Ints, names: Ints) -> Parts:
    """One polytope, the two normals of its edges put in the order that `Pool.edges` promises."""
    turn = np.cross(normals[edges[:, 3]], normals[edges[:, 2]])
    wrong = dot(turn, vertices[edges[:, 1]] - vertices[edges[:, 0]]) < 0.0
    ordered = np.where(wrong[:, None], edges[:, [0, 1, 3, 2]], edges)
    beside = edges[(edges[:, 2:] < len(faces)).all(axis=1), 2:]
    outlines, chief = level_faces(vertices, normals, Table.of(faces) if faces else _NO_FACES, beside)
    return Parts(vertices, names, normals, outlines, chief, ordered)


def parts_of(hull: ConvexHull) -> Parts:
    """The hull's parts, made once for each hull however often it is asked about."""
    parts = _PARTS.get(hull)
    if parts is None:
        parts = _PARTS[hull] = _hull_parts(hull)
    return parts


def _hull_parts(hull: ConvexHull) -> Parts:
    vertices = hull.points[hull.vertices]
    local = np.zeros(len(hull.points), dtype=np.int64)
    local[hull.vertices] = np.arange(len(hull.vertices))
    if hull.dimension == 3:
        faces = [local[face] for face in hull.faces]
        edges = np.hstack([local[hull.edges], hull.edge_faces])
        inner = float((hull.offsets - hull.normals @ vertices.mean(axis=0)).min())
        return replace(_parts(vertices, hull.normals, faces, edges, hull.vertices), inner=max(0.0, inner))
    if hull.dimension == 2:
        outline = local[hull.faces[0]]
        along = vertices[np.roll(outline, -1)] - vertices[outline]
        outward = normalized(np.cross(along, hull.normals[0]), hull.normals[0])
        following = np.stack([outline, np.roll(outline, -1)], axis=1)
        side = 2 + np.arange(len(outline))
        upper = np.column_stack([following, np.zeros(len(side), dtype=np.int64), side])
        lower = np.column_stack([following, side, np.ones(len(side), dtype=np.int64)])
        return _parts(
            vertices,
            np.vstack([hull.normals, outward]),
            [local[face] for face in hull.faces],
            np.vstack([upper, lower]),
            hull.vertices,
        )
    if hull.dimension == 1:
        direction = normalized(vertices[1:] - vertices[:1], np.array([0.0, 0.0, 1.0]))
        across = perpendicular(direction)
        other = np.cross(direction, across)
        return _parts(vertices, np.vstack([across, other, -across, -other]), [], _SEGMENT_EDGES, hull.vertices)
    return _parts(vertices, _UP, [], _NO_ARC, hull.vertices)


_PARTS: WeakKeyDictionary[ConvexHull, Parts] = WeakKeyDictionary()
_TABLES: WeakKeyDictionary[Parts, DirectionTable] = WeakKeyDictionary()
_UP = np.array([[0.0, 0.0, 1.0]])
_NO_FACES: Table[np.int64] = Table(*np.zeros((3, 0), dtype=np.int64))
# An outline that no face asks for, in a pool without faces.
_NO_POLYGON: Table[np.int64] = Table(*np.array([[0], [0], [1]], dtype=np.int64))
# A point has no edges; a padded edge from the point to itself has no direction, and therefore makes no axis.
_NO_ARC = np.zeros((1, 4), dtype=np.int64)
_SEGMENT_EDGES = np.array([[0, 1, 0, 1], [0, 1, 1, 2], [0, 1, 2, 3], [0, 1, 3, 0]], dtype=np.int64)
# Each side twice, between the face through it and one of the triangle's two: first above, then below.
_TRIANGLE_EDGES = np.array(
    [[0, 1, 2, 0], [1, 2, 3, 0], [2, 0, 4, 0], [0, 1, 1, 2], [1, 2, 1, 3], [2, 0, 1, 4]], dtype=np.int64
)
POINT = pool_of([_parts(np.zeros((1, 3)), _UP, [], _NO_ARC, np.arange(1))])
SEGMENT = pool_of(
    [
        _parts(
            np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]),
            np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]),
            [],
            _SEGMENT_EDGES,
            np.arange(2),
        )
    ]
)


def triangles(vertices: Floats) -> Pool:
    """A pool with each triangle (N, 3, 3): two faces, and one of zero width through each side.

    Corners in a line, to rounding, have no faces, but the same normals, which then are those of a segment.
    """
    count = len(vertices)
    along = np.roll(vertices, -1, axis=1) - vertices
    # Of the two sides whose cross product is the normal, the shorter ones lose least to rounding.
    longest = np.argmax(dot(along, along), axis=1)
    at = np.arange(count)
    one, other = along[at, (longest + 1) % 3], along[at, (longest + 2) % 3]
    cross = np.cross(one, other)
    sides, area = dot(one, one) * dot(other, other), dot(cross, cross)
    sliver = np.flatnonzero(area < SLIVER * sides)
    if len(sliver):
        corners = vertices[sliver]
        cross[sliver] = area_vectors(*error_free.two_diff(np.roll(corners, -1, axis=1), corners))
        area[sliver] = dot(cross[sliver], cross[sliver])
    line = normalized(along[at, longest], _UP[0])
    proper = area > PARALLEL * sides
    normal = np.where(proper[:, None], normalized(cross, _UP[0]), perpendicular(line))
    outward = normalized(np.cross(along, normal[:, None]), normal[:, None])
    normals = np.concatenate([normal[:, None], -normal[:, None], outward], axis=1)
    faces = np.where(proper, 2, 0)

    def table(rows: NDArray[Scalar], width: int) -> Table[Scalar]:
        return Table(rows, width * at, np.full(count, width))

    outlines = np.tile(np.array([[0, 1, 2], [0, 2, 1]], dtype=np.int64), (count, 1)).reshape(-1)
    return Pool(
        vertices=table(vertices.reshape(-1, 3), 3),
        names=table(np.tile(np.arange(3), count), 3),
        normals=table(normals.reshape(-1, 3), 5),
        faces=faces,
        polygons=Table(outlines, 3 * np.arange(2 * count), np.full(2 * count, 3)),
        chief=np.tile(np.arange(2), count),
        first_polygon=2 * at,
        edges=table(np.tile(_TRIANGLE_EDGES, (count, 1)), 6),
    )


def _cube() -> Pool:
    """The cube [-1, 1]³; vertex i has the signs of the bits of i, face 2k looks along -k and face 2k + 1 along +k."""
    vertices = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
    normals = np.vstack([sign * row for row in np.eye(3) for sign in (-1.0, 1.0)])
    faces = []
    for normal in normals:
        corners = np.flatnonzero(dot(vertices, normal) > 0.0)
        spoke = vertices[corners] - normal
        side = perpendicular(normal[None])[0]
        faces.append(corners[np.argsort(np.arctan2(spoke @ np.cross(normal, side), spoke @ side))])
    edges = [
        (first, first | bit, *np.flatnonzero(dot(normals, vertices[first]) + dot(normals, vertices[first | bit]) > 1.5))
        for bit in (1, 2, 4)
        for first in range(8)
        if not first & bit
    ]
    return pool_of([_parts(vertices, normals, faces, np.array(edges, dtype=np.int64), np.arange(8))])


CUBE = _cube()


# The kinds that are polytopes with a radius.
CORED = frozenset((Kind.SPHERE, Kind.CAPSULE, Kind.BOX, Kind.TRIANGLE, Kind.HULL))

# Heights of planes that are held at once.
_HEIGHTS = 1 << 18

# Vertices from which on a direction table tells sooner than all inner products how far a polytope reaches.
_LARGE = 256


@dataclass(frozen=True)
class Polytopes:
    """Rows of a batch as polytopes placed in the world.

    Attributes
    ----------
    pool : Pool
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
    inner : (P,) float64
        Radius of a ball about the core's center that lies within the core.
    """

    pool: Pool
    geometry: Ints
    linear: Floats
    rotation: Floats
    translation: Floats
    radius: Floats
    reach: Floats
    inner: Floats

    def __len__(self) -> int:
        return len(self.geometry)

    def take(self, rows: Ints | slice, origin: Floats | None = None) -> "Polytopes":
        """The polytopes of these rows, seen from the points `origin` (P, 3) if given."""
        moved = self.translation[rows]
        return Polytopes(
            self.pool,
            self.geometry[rows],
            self.linear[rows],
            self.rotation[rows],
            moved if origin is None else moved - origin,
            self.radius[rows],
            self.reach[rows],
            self.inner[rows],
        )

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
        return np.einsum("pij,pj->pi", self.linear, self.pool.centers[self.geometry]) + self.translation

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
    return PooledHulls(shapes.geometry, shapes.index).of(shapes)


class PooledHulls:
    """One pool with the geometries of hulls, however many times some of these hulls are made polytopes.

    Parameters
    ----------
    geometry : tuple of ConvexHull
    index : (P,) int64
        Those that belong in the pool.
    """

    def __init__(self, geometry: tuple[ConvexHull, ...], index: Ints) -> None:
        asked = np.bincount(index, minlength=len(geometry)) > 0
        parts = [parts_of(geometry[which]) for which in np.flatnonzero(asked).tolist()]
        self.pool = pool_of(parts)
        self._inner = np.array([part.inner for part in parts])
        self._slot = np.cumsum(asked) - 1

    def of(self, shapes: Hulls) -> Polytopes:
        """Hulls of these geometries as polytopes, row for row."""
        slot, rotation, none = self._slot.take(shapes.index), shapes.rotation, np.zeros(len(shapes))
        reach, inner = self.pool.reach.take(slot), self._inner.take(slot)
        return Polytopes(self.pool, slot, rotation, rotation, shapes.translation, none, reach, inner)


@dataclass(frozen=True)
class PolytopeSupport:
    """Cores of polytopes placed in the world, on components.

    Attributes
    ----------
    table : DirectionTable
    vertices : (3, V) float64
        Of the whole pool, in the frames of the polytopes.
    polytope : (P,) int64
        Which polytope of the pool.
    base : (P,) int64
        Where its vertices begin.
    linear : (3, 3, P) float64
        Takes the vertices to the world's axes.
    translation : (3, P) float64
    size : (P,) float64
    """

    table: DirectionTable
    vertices: Floats
    polytope: Ints
    base: Ints
    linear: Floats
    translation: Floats
    size: Floats

    @classmethod
    def of(cls, shapes: Polytopes) -> "PolytopeSupport":
        """The support mapping of the cores of these shapes, radii left out."""
        pool = shapes.pool
        return cls(
            pool.table,
            pool.columns,
            shapes.geometry,
            pool.vertices.start[shapes.geometry],
            np.ascontiguousarray(shapes.linear.transpose(1, 2, 0)),
            np.ascontiguousarray(shapes.translation.T),
            shapes.size,
        )

    def __len__(self) -> int:
        return len(self.polytope)

    def support(self, direction: Floats) -> Floats:
        """The farthest vertex of each core along its direction: (P, 3) -> (P, 3)."""
        local = np.einsum("ijp,ip->jp", self.linear, direction.T)
        best = self.table.support(self.polytope, local, self.vertices, self.base)
        result = np.einsum("ijp,jp->ip", self.linear, self.vertices.take(best, axis=1))
        result += self.translation
        return result.T

    def level(self, direction: Floats) -> Ints:
        """How many vertices of each core are farthest along its unit direction (3, P), up to `tolerances.SUPPORT`."""
        local = np.einsum("ijp,ip->jp", self.linear, direction)
        return self.table.level(self.polytope, local, self.vertices, self.base, SUPPORT * self.size)

    def take(self, rows: Ints) -> Self:
        """The cores of these rows, in that order."""
        return type(self)(
            self.table,
            self.vertices,
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
