# SPDX-License-Identifier: GPL-3.0-or-later
"""The intersection of the surfaces of pairs of shapes, of which the second is a mesh, shared by several queries.

It has the pieces that intersect, their contact regions, which are the connected components of the intersection, and the
submerged vertices, which are inside the other body. A check asks for the distance, the interference and the contacts of
the same pairs. All three need the pieces, and two need the rest. `IntersectionDistances` keeps them for the next query.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import RowTable, numbered_components, of_each, rows_of_each, smallest_per_group, takes_rows
from ...numerics.tolerances import FIT_NORMALS, FIT_OPPOSED
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...results import Distances
from ...shapes import Triangles
from ..triangle_intersection import Crossings, triangle_intersections
from .bvh_traversal import LeafPairs
from .leaf_queries import meeting
from .operands import ConvexRows, MeshRows, ShapeRows
from .ray_casting import hits, inside


@dataclass(frozen=True)
class Regions:
    """The contact regions of all pairs.

    Attributes
    ----------
    of : (K,) int64
        The region of each pair of intersecting pieces.
    pair, count : (R,) int64
        The pair of each region, and its number of intersecting pieces. Regions are ordered by pair.
    normal_a, normal_b : (R, 3) float64
        Mean unit normals of the intersecting triangles, weighted by the length of the intersection, or by area if A is
        a convex shape. Zero if they cancel, and for a shape that is not a mesh.
    """

    of: Ints
    pair: Ints
    count: Ints
    normal_a: Floats
    normal_b: Floats

    def alone(self) -> Bools:
        """Which regions are the only ones of their pairs, (R,)."""
        result: Bools = (np.bincount(self.pair) == 1)[self.pair]
        return result


def regions(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Regions:
    """Group pairs of intersecting pieces into regions; see `region_labels`."""
    label = region_labels(a, b, intersecting)
    count = np.bincount(label)
    of_pair = np.zeros(len(count), dtype=np.int64)
    of_pair[label] = intersecting.pair
    q = b.placed(intersecting.pair, intersecting.b)
    normal_b = normals(q)
    if isinstance(a, ConvexRows):
        area = length(np.cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]))
        nothing = np.zeros((len(count), 3))
        return Regions(label, of_pair, count, nothing, _mean(label, normal_b * area[:, None], len(count)))
    p = a.placed(intersecting.pair, intersecting.a)
    found = triangle_intersections(Triangles(p), Triangles(q), overlap=True)
    run = length(runs(found))
    # Coplanar triangles are weighted by their extent. Points get a small weight.
    extent = np.minimum(_spread(p), _spread(q))
    weight = np.where(found.coplanar, extent, run + 1e-6 * extent)[:, None]
    return Regions(
        label,
        of_pair,
        count,
        _mean(label, normals(p) * weight, len(count)),
        _mean(label, normal_b * weight, len(count)),
    )


def region_labels(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Ints:
    """The number of the region of each pair of intersecting pieces, (K,), ordered by pair.

    Two pairs of pieces belong to one region if, in each mesh, their triangles are identical or share a vertex. The
    intersection of convex solids is convex, so they have one region.
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
    label = numbered_components(len(intersecting), owner[:-1][same], owner[1:][same])
    several = np.flatnonzero(
        np.bincount(np.unique(np.stack([intersecting.pair, label]), axis=1)[0], minlength=len(b)) > 1
    )
    convex = np.zeros(len(b), dtype=bool)
    convex[several] = b.convex(several) & (isinstance(a, ConvexRows) or a.convex(several))
    if convex.any():
        first = np.searchsorted(intersecting.pair, intersecting.pair)
        label = np.unique(np.where(convex[intersecting.pair], label[first], label), return_inverse=True)[1]
    return label


# Limit on the patches of one pair. A round hole has one for each of its sides.
_PATCHES = 64


def has_opposed_faces(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Bools:
    """Whether either shape of each pair is touched on faces that face each other, as a hole is by its peg, (P,)."""
    result = np.zeros(len(b), dtype=bool)
    for of, piece in ((a, intersecting.a), (b, intersecting.b)):
        if isinstance(of, MeshRows):
            outward = normals(of.placed(intersecting.pair, piece))
            result |= has_opposed_normals(intersecting.pair, outward, len(b))
    return result


def has_opposed_normals(pair: Ints, normal: Floats, count: int) -> Bools:
    """Which pairs have normals that oppose each other, (P,)."""
    result = np.zeros(count, dtype=bool)
    first = smallest_per_group(patches(pair, normal), np.zeros(len(pair)))
    pair, normal = pair[first], normal[first]
    # Patches of one pair are consecutive. Each is compared with the next, then with the one after that, and so on.
    for step in range(1, len(first)):
        same = pair[step:] == pair[:-step]
        if not same.any():
            break
        against = same & (dot(normal[step:], normal[:-step]) < FIT_OPPOSED)
        result[pair[step:][against]] = True
    return result


def patches(pair: Ints, normal: Floats) -> Ints:
    """Patch numbers of points (K,). Normals of one pair within `FIT_NORMALS` of the first form a patch."""
    turn = np.full(len(pair), -1)
    for number in range(_PATCHES):
        left = np.flatnonzero(turn < 0)
        if not len(left):
            break
        some, first = np.unique(pair[left], return_index=True)
        seed = normal[left[first]][np.searchsorted(some, pair[left])]
        near = dot(normal[left], seed) >= (FIT_NORMALS if number < _PATCHES - 1 else -2.0)
        # A zero normal is similar to no normal.
        near[first] = True
        turn[left[near]] = number
    result: Ints = np.unique(pair * _PATCHES + turn, return_inverse=True)[1].reshape(-1)
    return result


def runs(found: Crossings) -> Floats:
    """Vectors from the start to the end of each intersection segment, (K, 3); zero if there is no segment."""
    result: Floats = np.nan_to_num(found.end) - np.nan_to_num(found.start)
    return result


def normals(corners: Floats) -> Floats:
    """Unit normals of triangles (K, 3, 3); zero for triangles without area."""
    return normalized(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), np.zeros(3))


def vertex_names(shapes: MeshRows, row: Ints, triangle: Ints) -> Ints:
    """Welded vertices of triangles of rows, (K, 3)."""
    result = np.zeros((len(row), 3), dtype=np.int64)
    for number, mesh in enumerate(shapes.meshes):
        mine = np.flatnonzero(shapes.mesh[row] == number)
        result[mine] = mesh.welded_triangles[triangle[mine]]
    return result


def triangles_at(shapes: MeshRows, row: Ints, vertex: Ints) -> tuple[Ints, Ints]:
    """The triangles at welded vertices (K,) of rows (K,): the index into these, and the triangle."""
    which, triangle = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for number, mine in rows_of_each(shapes.mesh[row]):
        mesh = shapes.meshes[number]
        at, place = of_each(vertex[mine], mesh.welded_triangles.reshape(-1)[mesh.by_vertex])
        which.append(mine[at])
        triangle.append(mesh.by_vertex[place] // 3)
    return np.concatenate(which), np.concatenate(triangle)


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


@dataclass(frozen=True)
class Submerged(RowTable):
    """Submerged vertices and their regions. A vertex that is connected to several regions is listed for each.

    Attributes
    ----------
    region, vertex : (K,) int64
    of_b : (K,) bool
        Whether the vertex is of B.
    """

    region: Ints
    vertex: Ints
    of_b: Bools


def submerged(a: ShapeRows, b: MeshRows, intersecting: LeafPairs, found: Regions) -> Submerged:
    """The submerged vertices of all intersecting pairs; none if A is convex, as its pieces are whole shapes."""
    none = np.empty(0, dtype=np.int64)
    parts = [Submerged(none, none, np.empty(0, dtype=bool))]
    if not isinstance(a, ConvexRows):
        parts.append(_of(a, b, intersecting.pair, intersecting.a, found, False))
        parts.append(_of(b, a, intersecting.pair, intersecting.b, found, True))
    return Submerged.joined(parts)


def _of(one: MeshRows, other: MeshRows, pair: Ints, triangle: Ints, found: Regions, of_b: bool) -> Submerged:
    """The vertices of the one mesh that are inside the other."""
    key, ends, span = _inside(one, other, np.unique(pair[other.solid[pair]]), pair, triangle)
    if not len(key):
        return Submerged(key, key, np.empty(0, dtype=bool))
    # Submerged vertices are connected along edges between them, and to the regions of their triangles.
    first, second = np.searchsorted(key, ends).T
    label = numbered_components(len(key), first, second)
    corner = vertex_names(one, pair, triangle) + pair[:, None] * span
    at = np.minimum(np.searchsorted(key, corner), len(key) - 1)
    hit, place = np.nonzero(key[at] == corner)
    links = np.unique(np.stack([label[at[hit, place]], found.of[hit]], axis=1), axis=0)
    # List each component of vertices once for each of its regions.
    which, link = of_each(label, links[:, 0])
    return Submerged(links[link, 1], key[which] % span, np.full(len(which), of_b))


def vertices_inside(one: MeshRows, other: MeshRows, some: Ints, pair: Ints, triangle: Ints) -> tuple[Ints, Ints]:
    """All vertices of some rows of the one mesh that are inside the other: rows, ascending, and vertices.

    `triangle` (K,) lists all triangles of the one mesh that intersect the other surface, for each `pair` (K,).
    """
    key, _, span = _inside(one, other, some[other.solid[some]], pair, triangle)
    return key // span, key % span


def _inside(one: MeshRows, other: MeshRows, some: Ints, pair: Ints, triangle: Ints) -> tuple[Ints, Ints, int]:
    """Vertices of these rows of the one mesh that are inside the other, and the edges between two of them.

    Vertices are numbered through: ``row * span + vertex``.
    """
    span = max((len(mesh.points) for mesh in one.meshes), default=1)
    corner = vertex_names(one, pair, triangle) + pair[:, None] * span
    roots = []
    for number, place in rows_of_each(one.mesh[some]):
        mesh, row = one.meshes[number], some[place]
        touched = np.isin(row[:, None] * span + np.arange(len(mesh.points)), corner)
        roots.append((mesh, row, *_vertices_to_ask(mesh, touched)))
    which = np.concatenate([np.empty(0, np.int64), *(row[asked[0]] for _, row, _, asked in roots)])
    vertex = np.concatenate([np.empty(0, np.int64), *(asked[1] for _, _, _, asked in roots)])
    answers = inside(other, which, one.vertices(which, vertex))
    keys, ends, first = [np.empty(0, dtype=np.int64)], [np.empty((0, 2), dtype=np.int64)], 0
    for mesh, row, root, asked in roots:
        within = np.zeros(root.shape, dtype=bool)
        within[asked] = answers[first : first + len(asked[0])]
        first += len(asked[0])
        within = np.take_along_axis(within, root, axis=1)
        keys.append((row[:, None] * span + np.arange(len(mesh.points)))[within])
        both = within[:, mesh.edges.vertices].all(axis=2)
        ends.append((row[:, None, None] * span + mesh.edges.vertices)[both])
    return np.sort(np.concatenate(keys)), np.concatenate(ends), span


def _vertices_to_ask(mesh: TriangleMesh, touched: Bools) -> tuple[Ints, tuple[Ints, Ints]]:
    """For each vertex of a mesh one that is on the same side (rows, k), and where these are: rows and vertices.

    The other surfaces intersect only edges between two `touched` (rows, k) vertices. The ends of all other edges are on
    the same side.
    """
    root = np.arange(len(mesh.points))
    np.minimum.at(root, mesh.edges.vertices[:, 1], mesh.edges.vertices[:, 0])
    every = np.arange(len(root))
    root = np.where(touched & touched[:, root], every, root)
    while True:
        above = np.take_along_axis(root, root, axis=1)
        if np.array_equal(above, root):
            break
        root = above
    used = np.zeros(len(every), dtype=bool)
    used[mesh.used] = True
    row, vertex = np.nonzero((root == every) & used)
    return root, (row, vertex)


# Submerged vertices of a region, for each mesh, whose rays are cast.
_MOST_RAYS = 16


@dataclass(frozen=True)
class RayExits(Submerged):
    """Where rays from submerged vertices leave the other mesh.

    Attributes
    ----------
    point : (K, 3) float64
        The vertex in the world.
    distance : (K,) float64
    triangle : (K,) int64
        Of the other mesh.
    """

    point: Floats
    distance: Floats
    triangle: Ints


def rays(a: ShapeRows, b: MeshRows, pair: Ints, under: Submerged, normal: Floats, most: int = _MOST_RAYS) -> RayExits:
    """Cast rays from vertices of B along the normals of their regions, and from those of A in the opposite directions.

    `pair` (R,) and `normal` (R, 3) belong to each region. Rays start only at the `most` vertices of each mesh that
    leave last along the normal. Rays that miss are left out.
    """
    none = np.empty(0, dtype=np.int64)
    result = [RayExits(none, none, np.empty(0, dtype=bool), np.empty((0, 3)), np.empty(0), none)]
    for of_b, one, other, sign in ((False, a, b, -1.0), (True, b, a, 1.0)):
        mine = under.take(under.of_b == of_b)
        if isinstance(one, ConvexRows) or isinstance(other, ConvexRows) or not len(mine):
            continue
        point, along = one.vertices(pair[mine.region], mine.vertex), sign * normal[mine.region]
        last = smallest_per_group(mine.region, dot(point, along), most)
        mine, point = mine.take(last), point[last]
        ahead = hits(other, pair[mine.region], point, along[last])
        found = RayExits(mine.region, mine.vertex, mine.of_b, point, ahead.distance, ahead.triangle)
        result.append(found.take(np.isfinite(found.distance)))
    return RayExits.joined(result)


@dataclass(eq=False)
class Intersection:
    """The intersection of the surfaces of each pair of some rows `a` and `b`, which methods take as arguments.

    Attributes
    ----------
    leaves : LeafPairs
        All pairs of pieces that intersect.
    found : Regions, optional
        Their contact regions, once they are known.
    under : Submerged, optional
        The submerged vertices, once they are known.
    """

    leaves: LeafPairs
    found: Regions | None = None
    under: Submerged | None = None

    def regions(self, a: ShapeRows, b: MeshRows) -> Regions:
        """The contact regions."""
        if self.found is None:
            self.found = regions(a, b, self.leaves)
        return self.found

    def submerged(self, a: ShapeRows, b: MeshRows) -> Submerged:
        """The submerged vertices."""
        if self.under is None:
            self.under = submerged(a, b, self.leaves, self.regions(a, b))
        return self.under

    def take(self, rows: Ints) -> "Intersection":
        """Select these pairs, which are ascending, and renumber them from 0."""
        wanted = np.zeros(max(rows.max(initial=-1), self.leaves.pair.max(initial=-1)) + 1, dtype=bool)
        wanted[rows] = True
        some = self.only(wanted)
        number = np.cumsum(wanted) - 1
        found = None if some.found is None else replace(some.found, pair=number[some.found.pair])
        return Intersection(replace(some.leaves, pair=number[some.leaves.pair]), found, some.under)

    def only(self, wanted: Bools) -> "Intersection":
        """Select the pieces of the wanted pairs (P,). Pairs keep their numbers."""
        kept = wanted[self.leaves.pair]
        leaves, found, under = self.leaves.take(kept), self.found, self.under
        if found is None:
            return Intersection(leaves)
        region = wanted[found.pair]
        number = np.cumsum(region) - 1
        if under is not None:
            under = under.take(region[under.region])
            under = replace(under, region=number[under.region])
        means = found.normal_a[region], found.normal_b[region]
        mine = Regions(number[found.of[kept]], found.pair[region], found.count[region], *means)
        return Intersection(leaves, mine, under)

    def learn(self, part: "Intersection", rows: Ints) -> None:
        """Adopt what is known about these rows, which are all that have intersecting pieces."""
        if part.found is not None:
            self.found, self.under = replace(part.found, pair=rows[part.found.pair]), part.under


class IntersectionDistances(Distances):
    """Distances of pairs with a mesh, with the intersection of their surfaces for the next query about them.

    Attributes
    ----------
    intersection : Intersection or None
        None if the distances were made from other tables.
    row : (N,) int64
        The pair of the intersection that each row is about.
    """

    # Not in `vars`, which has the fields of the table.
    __slots__ = ("intersection", "row")

    def __init__(self, *fields: Any, **named: Any) -> None:
        super().__init__(*fields, **named)
        self.intersection: Intersection | None = None
        self.row: Ints = np.empty(0, dtype=np.int64)

    @classmethod
    def of(cls, distances: Distances, intersection: Intersection, row: Ints) -> "IntersectionDistances":
        """Distances of pairs `row` (N,) of the intersection."""
        result = cls(**vars(distances))
        result.intersection, result.row = intersection, row
        return result

    @takes_rows
    def take(self, rows: Ints | slice) -> Self:
        """These rows, in that order; `rows` may also be a mask of all rows."""
        result = super().take(rows)
        if self.intersection is not None:
            result.intersection, result.row = self.intersection, self.row[rows]
        return result


def intersection_of(a: ShapeRows, b: MeshRows, known: Distances | None = None) -> Intersection:
    """The intersection of each pair, as the `known` distances of the same pairs keep it, or found anew."""
    if isinstance(known, IntersectionDistances) and known.intersection is not None and (np.diff(known.row) > 0).all():
        return known.intersection.take(known.row)
    return Intersection(meeting(a, b))
