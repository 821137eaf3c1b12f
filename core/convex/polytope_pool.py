# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools of polytopes in their own frames, with all that convex algorithms ask of them: see `polytopes`."""

from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..hull import ConvexHull
from ..numerics import error_free
from ..numerics.rows import Scalar, Table
from ..numerics.tolerances import PARALLEL, SLIVER
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized, perpendicular
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
        corners, first = vertices[sliver], longest[sliver]
        runs = [
            error_free.two_diff(corners[here, (first + k + 1) % 3], corners[here, (first + k) % 3])
            for here in (np.arange(len(sliver)),)
            for k in (1, 2)
        ]
        cross[sliver] = error_free.cross_dd(runs[0][0], runs[1][0], runs[0][1], runs[1][1])
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
