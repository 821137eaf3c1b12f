# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools of polytopes in their own frames, with all data that the convex algorithms need.

GJK and EPA use their support mapping (`support_mapped.Supported`). Small polytopes search all their vertices. Large
ones, and those with many queries, use support tables. All other data of hulls is computed when it is first needed.

The Gauss map of a polytope (the directions in which each feature is the support) consists of its normals and, for each
edge, of the two normals at the ends of its arc. A flat core gets additional faces of zero width, so that its arcs are
at most a quarter circle. A polygon has its two faces and one face through each edge. A segment has four faces along
itself. Then the facets of A - B are always faces of A, faces of B, or pairs of edges whose arcs cross.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...hull import ConvexHull, compute
from ...numerics import vectors
from ...numerics.rows import Scalar, Table
from ...numerics.tolerances import COPLANAR, PARALLEL, SLIVER
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import area_vectors, cross, dot, length, normalized, perpendicular
from ...shapes.bounded import HullGeometries
from .coplanar_faces import coplanar_groups, coplanar_pairs
from .support_table import DirectionTable, direction_tables

# Maximum number of vertices to search all, and of queries per polytope. Below both limits, a table costs more.
_SEARCHED, _ROWS = 128, 64
# Up to this many vertices, kernels search all even if there is a table.
_FEW = 16


@dataclass(eq=False)
class Corners:
    """The vertices (V, 3) of one polytope, and their direction table once it is built."""

    points: Floats
    table: DirectionTable | None = None


@dataclass(frozen=True, eq=False)
class Cores:
    """The vertices of distinct polytopes, in their own frames.

    Attributes
    ----------
    vertices : Table of (V, 3)
    """

    vertices: Table[np.float64]

    @property
    def pool(self) -> "Pool":
        """The polytopes with their faces and edges."""
        raise NotImplementedError

    @property
    def is_faceted(self) -> bool:
        """Whether the faces and edges of all polytopes are known."""
        return "pool" in vars(self)

    def faceted(self, geometry: Ints) -> tuple["Pool", Ints]:
        """A pool that contains these polytopes (P,), and their indices in it."""
        return self.pool, geometry

    def owners(self) -> Sequence[Corners]:
        """The objects that cache the direction table of each polytope; empty if caching is not worthwhile."""
        return ()

    @cached_property
    def columns(self) -> Floats:
        """(3, V) the vertices of all polytopes in component arrays."""
        return np.ascontiguousarray(self.vertices.values.T)

    @cached_property
    def reach(self) -> Floats:
        """(G,) distance of the farthest vertex of each polytope from its origin."""
        far: Floats = np.maximum.reduceat(length(self.vertices.values), self.vertices.start)
        return far

    @cached_property
    def centers(self) -> Floats:
        """(G, 3) a point inside each polytope: the mean of its vertices, for hulls that of `ConvexHull.corners`."""
        sums = np.add.reduceat(self.vertices.values, self.vertices.start, axis=0)
        means: Floats = sums / self.vertices.count[:, None]
        return means

    @cached_property
    def spread(self) -> Floats:
        """(G,) distance of the farthest vertex of each polytope from its center."""
        away = self.vertices.values - np.repeat(self.centers, self.vertices.count, axis=0)
        far: Floats = np.maximum.reduceat(length(away), self.vertices.start)
        return far

    @cached_property
    def table(self) -> DirectionTable:
        """The direction tables of all polytopes."""
        owners = self.owners()
        if not owners:
            return direction_tables(self.vertices.values, self.vertices.start, self.vertices.count)
        missing = list(dict.fromkeys(one for one in owners if one.table is None))
        if missing:
            vertices = Table.of([one.points for one in missing])
            made = direction_tables(vertices.values, vertices.start, vertices.count)
            for place, one in enumerate(missing):
                one.table = made.one(place)
        return DirectionTable.joined([one.table for one in owners if one.table is not None])

    def table_for(self, pairs: int) -> DirectionTable | None:
        """The direction tables if kernels search them faster than all vertices in this many pairs, else None."""
        width, many = int(self.vertices.count.max(initial=1)), pairs >= _ROWS * len(self.vertices.count)
        return self.table if width > _SEARCHED or (width > _FEW and ("table" in vars(self) or many)) else None


@dataclass(frozen=True, eq=False)
class Pool(Cores):
    """Distinct polytopes with their faces and edges.

    Attributes
    ----------
    names : Table of (V,)
        The feature id of each vertex: its index in the input points of the shape.
    normals : Table of (F, 3)
        Unit, outward. Faces of zero width follow after the real ones.
    faces : (G,) int64
        Number of normals that belong to real faces, which have a positive area.
    polygons : Table of vertex indices
        The outline of each real face, counterclockwise. Face f of polytope g is row ``first_polygon[g] + f``. The
        outline is that of the whole group of coplanar faces.
    representative : (L,) int64
        The face that represents the group of each polygon, numbered within its polytope.
    first_polygon : (G,) int64
    edges : Table of (E, 4)
        Two vertices and the two normals next to the edge. The cross product of the second and the first normal points
        from the first vertex to the second. Vertices and normals are numbered within their polytope.
    inner : (G,) float64
        Radius of a sphere about the center that is inside the polytope; 0 for flat polytopes.
    corners : sequence of Corners
        The caches returned by `owners`.
    """

    names: Table[np.int64]
    normals: Table[np.float64]
    faces: Ints
    polygons: Table[np.int64]
    representative: Ints
    first_polygon: Ints
    edges: Table[np.int64]
    inner: Floats
    corners: Sequence[Corners] = ()

    @property
    def pool(self) -> "Pool":
        """The pool itself."""
        return self

    @property
    def is_faceted(self) -> bool:
        """See `Cores`."""
        return True

    def centered(self, centers: Floats) -> "Pool":
        """Set the centers (G, 3) and return the pool."""
        vars(self)["centers"] = centers
        return self

    def owners(self) -> Sequence[Corners]:
        """The `corners`."""
        return self.corners

    @cached_property
    def tables(self) -> tuple[Floats, Floats, Ints, Ints, Ints, Ints, Ints]:
        """The first fields of `kernels.solids.Solids`."""
        polytopes = np.stack(
            [
                self.vertices.start,
                self.vertices.count,
                self.normals.start,
                self.faces,
                self.first_polygon,
                self.edges.start,
                self.edges.count,
                self.joined.astype(np.int64),
                self.normals.count,
            ],
            axis=1,
        )
        polygons = np.stack([self.polygons.start, self.polygons.count, self.representative], axis=1)
        floats = self.vertices.values, self.normals.values
        edges, corners, names = map(np.ascontiguousarray, (self.edges.values, self.polygons.values, self.names.values))
        return *floats, edges, corners, names, polytopes, polygons

    @cached_property
    def width(self) -> int:
        """The greatest number of vertices, of normals and of corners of a face, and half of that of edges."""
        counts = self.vertices.count, self.normals.count, self.polygons.count, (self.edges.count + 1) // 2
        return max(int(count.max(initial=1)) for count in counts)

    @cached_property
    def joined(self) -> Bools:
        """(G,) whether some faces of each polytope are joined with coplanar faces."""
        row = np.arange(len(self.representative))
        owner = np.searchsorted(self.first_polygon, row, side="right") - 1
        other = self.representative != row - self.first_polygon[owner]
        result: Bools = np.bincount(owner, other, minlength=len(self.faces)) > 0.0
        return result


@dataclass(frozen=True, eq=False)
class Parts:
    """The data of one polytope for a pool.

    `inner` is the radius of a sphere about the center that is inside the polytope; 0 for flat polytopes.
    """

    corners: Corners
    names: Ints
    normals: Floats
    faces: Table[np.int64]
    representative: Ints
    edges: Ints
    center: Floats
    inner: float = 0.0


def pool_of(parts: list[Parts]) -> Pool:
    """Build the pool of these polytopes, in their order."""
    faces = np.array([len(part.faces.count) for part in parts], dtype=np.int64)
    return Pool(
        vertices=Table.of([part.corners.points for part in parts]),
        names=Table.of([part.names for part in parts]),
        normals=Table.of([part.normals for part in parts]),
        faces=faces,
        polygons=Table.joined([part.faces for part in parts] if faces.any() else [_NO_POLYGON]),
        representative=np.concatenate([part.representative for part in parts]) if faces.any() else _NO_POLYGON.start,
        first_polygon=np.cumsum(faces) - faces,
        edges=Table.of([part.edges for part in parts]),
        inner=np.array([part.inner for part in parts]),
        corners=[part.corners for part in parts],
    ).centered(np.array([part.center for part in parts]))


def _parts(vertices: Floats, normals: Floats, faces: list[Ints], edges: Ints, names: Ints) -> Parts:
    """One polytope. The two normals of each edge are put in the order of `Pool.edges`."""
    ordered = _ordered(vertices, normals, edges, 0, 0)
    beside = edges[(edges[:, 2:] < len(faces)).all(axis=1), 2:]
    outlines, representative = coplanar_groups(vertices, normals, Table.of(faces) if faces else _NO_FACES, beside)
    return Parts(Corners(vertices), names, normals, outlines, representative, ordered, vertices.mean(axis=0))


def _ordered(vertices: Floats, normals: Floats, edges: Ints, first_vertex: Ints | int, first_face: Ints | int) -> Ints:
    """Edges (E, 4) with normals in the order of `Pool.edges`, given the first vertex and face of each polytope."""
    start, end, one, other = edges.T
    turn = cross(normals[other + first_face], normals[one + first_face])
    wrong = dot(turn, vertices[end + first_vertex] - vertices[start + first_vertex]) < 0.0
    return np.where(wrong[:, None], edges[:, [0, 1, 3, 2]], edges)


@dataclass(frozen=True, eq=False)
class HullCores(Cores):
    """Hulls. Their faces and edges are computed when they are first needed."""

    hulls: list[ConvexHull]

    @classmethod
    def of(cls, geometry: HullGeometries) -> "HullCores":
        """The cores of these hulls, cached with them."""
        kept: HullCores | None = vars(geometry).get("cores")
        if kept is None:
            kept = vars(geometry)["cores"] = cls(geometry.corners, list(geometry))
        return kept

    @cached_property
    def pool(self) -> Pool:
        """The hulls with their faces and edges."""
        return pool_of(_parts_of(self.hulls))

    def faceted(self, geometry: Ints) -> tuple[Pool, Ints]:
        """A pool that contains these hulls (P,), and their indices in it."""
        used = np.bincount(geometry, minlength=len(self.hulls)) > 0
        if self.is_faceted or 2 * np.count_nonzero(used) > len(used):
            return self.pool, geometry
        rows = np.flatnonzero(used).tolist()
        if len(rows) > 1:
            return pool_of(_parts_of([self.hulls[row] for row in rows])), (np.cumsum(used) - 1)[geometry]
        pool = self._pools.get(rows[0])
        if pool is None:
            pool = self._pools[rows[0]] = pool_of(_parts_of([self.hulls[rows[0]]]))
        return pool, np.zeros_like(geometry)

    @cached_property
    def _pools(self) -> dict[int, Pool]:
        """The pools of single hulls that calls with one pair have needed."""
        return {}

    def owners(self) -> Sequence[Corners]:
        """The objects that cache the direction table of each hull, in whatever pool it is."""
        return [_corners_of(hull) for hull in self.hulls]


def _corners_of(hull: ConvexHull) -> Corners:
    corners = _CORNERS.get(hull)
    if corners is None:
        corners = _CORNERS[hull] = Corners(hull.corners)
    return corners


def _parts_of(hulls: list[ConvexHull]) -> list[Parts]:
    """The data of hulls. It is computed once for each hull."""
    missing = list(dict.fromkeys(hull for hull in hulls if hull not in _PARTS))
    compute(missing)
    solid = [hull for hull in missing if hull.dimension == 3]
    flat = [hull for hull in missing if hull.dimension < 3]
    for hull, parts in [*zip(solid, _solid_parts(solid), strict=True), *((hull, _flat_parts(hull)) for hull in flat)]:
        _PARTS[hull] = replace(parts, corners=_corners_of(hull)) if hull.large else parts
    return [_PARTS[hull] for hull in hulls]


def _numbers(hull: ConvexHull) -> Ints:
    """For each point that is a vertex, its number among the vertices."""
    local = np.zeros(len(hull.points), dtype=np.int64)
    local[hull.vertices] = np.arange(len(hull.vertices))
    return local


def _solid_parts(hulls: list[ConvexHull]) -> Iterator[Parts]:
    """The data of solid hulls, computed at once except for hulls with coplanar faces."""
    if not hulls:
        return
    local = [_numbers(hull) for hull in hulls]
    place = [hull.points[hull.vertices] for hull in hulls]
    cores, vertices = Cores(Table.of([hull.corners for hull in hulls])), Cores(Table.of(place))
    normals = Table.of([hull.normals for hull in hulls])
    corners = [number[np.concatenate(hull.faces)] for number, hull in zip(local, hulls, strict=True)]
    sizes = [np.array([len(face) for face in hull.faces], dtype=np.int64) for hull in hulls]
    faces = [Table(corner, np.cumsum(size) - size, size) for corner, size in zip(corners, sizes, strict=True)]
    both = zip(local, hulls, strict=True)
    edges = Table.of([np.hstack([number[hull.edges], hull.edge_faces]) for number, hull in both])
    owner = np.repeat(np.arange(len(hulls)), edges.count)
    first_vertex, first_face = vertices.vertices.start[owner], normals.start[owner]
    ordered = _ordered(vertices.vertices.values, normals.values, edges.values, first_vertex, first_face)
    offsets = np.concatenate([hull.offsets for hull in hulls])
    heights = offsets - dot(normals.values, np.repeat(cores.centers, normals.count, axis=0))
    inner = np.maximum(np.minimum.reduceat(heights, normals.start), 0.0).tolist()
    every, shift = Table.joined(faces), np.repeat(vertices.vertices.start, [len(corner) for corner in corners])
    beside = edges.values[:, 2:] + first_face[:, None]
    level = coplanar_pairs(
        vertices.vertices.values,
        normals.values,
        replace(every, values=every.values + shift),
        np.concatenate([beside, beside[:, ::-1]]),
        np.tile(COPLANAR * vertices.spread[owner], 2),
    )
    uneven = np.bincount(np.tile(owner, 2)[level], minlength=len(hulls)) > 0
    for row, (hull, outlines) in enumerate(zip(hulls, faces, strict=True)):
        own, representative = slice(edges.start[row], edges.start[row] + edges.count[row]), np.arange(len(hull.normals))
        if uneven[row]:
            outlines, representative = coplanar_groups(place[row], hull.normals, outlines, edges.values[own, 2:])
        center = cores.centers[row].copy()
        yield Parts(
            Corners(place[row]),
            hull.vertices,
            hull.normals,
            outlines,
            representative,
            ordered[own].copy(),
            center,
            inner[row],
        )


def _flat_parts(hull: ConvexHull) -> Parts:
    vertices, local = hull.points[hull.vertices], _numbers(hull)
    if hull.dimension == 2:
        outline = local[hull.faces[0]]
        along = vertices[np.roll(outline, -1)] - vertices[outline]
        outward = normalized(cross(along, hull.normals[0]), hull.normals[0])
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
        other = cross(direction, across)
        return _parts(vertices, np.vstack([across, other, -across, -other]), [], _SEGMENT_EDGES, hull.vertices)
    return _parts(vertices, _OF_POINT, [], _NO_ARC, hull.vertices)


_PARTS: WeakKeyDictionary[ConvexHull, Parts] = WeakKeyDictionary()
_CORNERS: WeakKeyDictionary[ConvexHull, Corners] = WeakKeyDictionary()
_UP = np.array([[0.0, 0.0, 1.0]])
# The normals of a point. They include those of a box around it, so that another point is beyond at least one of them.
_OF_POINT = np.concatenate([_UP, np.eye(3)[:2], -np.eye(3)])
_NO_FACES: Table[np.int64] = Table(*np.zeros((3, 0), dtype=np.int64))
# Unused outline for a pool without faces.
_NO_POLYGON: Table[np.int64] = Table(*np.array([[0], [0], [1]], dtype=np.int64))
# A point has no edges. A padded edge from the point to itself has no direction, so it gives no axis.
_NO_ARC = np.zeros((1, 4), dtype=np.int64)
_SEGMENT_EDGES = np.array([[0, 1, 0, 1], [0, 1, 1, 2], [0, 1, 2, 3], [0, 1, 3, 0]], dtype=np.int64)
# Each edge twice: between the zero-width face through it and the upper or the lower face of the triangle.
_TRIANGLE_EDGES = np.array(
    [[0, 1, 2, 0], [1, 2, 3, 0], [2, 0, 4, 0], [0, 1, 1, 2], [1, 2, 1, 3], [2, 0, 1, 4]], dtype=np.int64
)
POINT = pool_of([_parts(np.zeros((1, 3)), _OF_POINT, [], _NO_ARC, np.arange(1))])
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
    """A pool with each triangle (N, 3, 3): two faces, and a face of zero width through each edge.

    If the corners are collinear within rounding, there are no faces. The normals then are those of a segment.
    """
    count = len(vertices)
    along = np.roll(vertices, -1, axis=1) - vertices
    # The cross product of the two shorter edges has the least rounding error.
    longest = np.argmax(dot(along, along), axis=1)
    at = np.arange(count)
    one, other = along[at, (longest + 1) % 3], along[at, (longest + 2) % 3]
    product = cross(one, other)
    sides, area = dot(one, one) * dot(other, other), dot(product, product)
    sliver = np.flatnonzero(area < SLIVER * sides)
    if len(sliver):
        corners = vertices[sliver]
        product[sliver] = area_vectors(*vectors.two_diff(np.roll(corners, -1, axis=1), corners))
        area[sliver] = dot(product[sliver], product[sliver])
    line = normalized(along[at, longest], _UP[0])
    proper = area > PARALLEL * sides
    normal = np.where(proper[:, None], normalized(product, _UP[0]), perpendicular(line))
    outward = normalized(cross(along, normal[:, None]), normal[:, None])
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
        representative=np.tile(np.arange(2), count),
        first_polygon=2 * at,
        edges=table(np.tile(_TRIANGLE_EDGES, (count, 1)), 6),
        inner=np.zeros(count),
    )


def _cube() -> Pool:
    """The cube [-1, 1]³. The bits of i are the signs of vertex i. Face 2k points along -k and face 2k + 1 along +k."""
    vertices = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
    normals = np.vstack([sign * row for row in np.eye(3) for sign in (-1.0, 1.0)])
    faces = []
    for normal in normals:
        corners = np.flatnonzero(dot(vertices, normal) > 0.0)
        spoke = vertices[corners] - normal
        side = perpendicular(normal[None])[0]
        faces.append(corners[np.argsort(np.arctan2(spoke @ cross(normal, side), spoke @ side))])
    edges = [
        (first, first | bit, *np.flatnonzero(dot(normals, vertices[first]) + dot(normals, vertices[first | bit]) > 1.5))
        for bit in (1, 2, 4)
        for first in range(8)
        if not first & bit
    ]
    return pool_of([_parts(vertices, normals, faces, np.array(edges, dtype=np.int64), np.arange(8))])


CUBE = _cube()
