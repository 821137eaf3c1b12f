# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs with a mesh as the second shape: where the bodies are deepest in each other.

Each region, a connected part of the overlap, has its own contacts. Boundary points of one body inside the other have
the depth and the direction of the nearest point of the other boundary. These points are the vertices inside, the
deepest points, and points beside the intersection of the surfaces. Points with similar directions form a patch, of
which up to four are kept. The deepest contact of a pair is as deep as its interference.

If the surfaces of a region only touch, its contacts have depth 0 and the normals of the faces that support them. Two
bodies without volume have the contacts of their pieces.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ...convex.manifold import Patch, reduced
from ...kernels import points as kernels
from ...numerics.rows import RowTable, of_each, ragged_arange, rows_of_each, smallest_per_group
from ...numerics.steps import ALL_ROWS, exhausted
from ...numerics.tolerances import DEEP_POINTS, INTERFERENCE, OPPOSED_NORMALS, SIMILAR_NORMALS
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length, normalized
from ...results import Contacts, FeatureKind, contact_type, contacts_per_margin
from ...shapes import Boxes, Hulls, Spheres, Triangles
from ..convex_table import EITHER_ORDER
from ..triangle_intersection import triangle_intersections
from . import leaf_queries
from .boundary import boundary
from .bvh_traversal import LeafPairs
from .deepest import Points, depth_of_points, nearest_triangles
from .interference import Deepest, Problems, deepest_points_steps
from .intersection import Intersection, Parts, normals
from .operands import ConvexRows, MeshRows, ShapeRows, in_frame, in_world, reaches, slack_of, surfaces_of

# Number of candidates of a patch, the deepest ones, from which its four points are chosen.
_CANDIDATES = 256
# Dimensionless: fraction of the depth of a region. Points whose depths differ by less keep their order.
_EQUAL = 1e-6
# Number of pairs of intersecting triangles of a region beside whose segments points are taken.
_BESIDE = 64


@dataclass(frozen=True)
class _Points(RowTable):
    """Points of one boundary inside the other body.

    Attributes
    ----------
    region : (K,) int64
    point : (K, 3) float64
        In the world.
    own : (K, 3) float64
        The outward normal of the boundary there. Zero if unknown.
    searched : (K,) bool
        Whether the point was found by a search for the deepest one, which stops at any of several.
    """

    region: Ints
    point: Floats
    own: Floats
    searched: Bools

    @classmethod
    def listed(cls, region: Ints, point: Floats, own: Floats | None = None, searched: bool = False) -> "_Points":
        """Points with the same value of `searched`."""
        return cls(region, point, np.zeros((len(region), 3)) if own is None else own, np.full(len(region), searched))


@dataclass(frozen=True)
class _Candidates(RowTable):
    """Contact points before they are grouped into patches. `depth` is measured from the nearest boundary point."""

    region: Ints
    point: Floats
    normal: Floats
    depth: Floats
    feature_a: Ints
    feature_b: Ints


def local_contacts(shared: Intersection) -> Contacts:
    """The contacts of all regions, each with at least one, ordered by pair and deepest first."""
    return exhausted(local_contact_steps(shared, ALL_ROWS))


def local_contact_steps(shared: Intersection, together: int) -> Generator[None, None, Contacts]:
    """Run `local_contacts` in steps. So many triangles are searched for the deepest points in one."""
    yield from shared.steps()
    a, b, found = shared.a, shared.b, shared.regions
    yield
    flat = ~b.has_volume() & ~a.has_volume()
    regions = Problems(found.pair, found.of, found.of_a, found.of_b)
    inner = yield from deepest_points_steps(shared, regions, None, together)
    yield
    deep = (inner.bound > 4.0 * slack_of(a, b)[found.pair]) & ~flat[found.pair]
    points = yield from _inside(shared, inner, deep)
    yield
    deep = np.isin(np.arange(len(found.pair)), points.region)
    leaves = np.flatnonzero(~deep[found.of])
    some, region = shared.leaves.take(leaves), found.of[leaves]
    solid = ~flat[some.pair]
    points = _Candidates.joined(
        [
            points,
            _touching(a, b, some.take(solid), region[solid]),
            _of_pieces(a, b, some.take(~solid), region[~solid]),
        ]
    )
    points = points.take(_by_depth(points, slack_of(a, b)[found.pair]))
    patch = _patches(points.region, points.normal)
    most = np.zeros(int(patch.max(initial=-1)) + 1)
    np.maximum.at(most, patch, points.depth)
    kept = points.depth >= DEEP_POINTS * most[patch]
    points = points.take(kept)
    points = points.take(_chosen(patch[kept], points))
    pair = found.pair[points.region]
    kind = contact_type(points.feature_a[:, 0], points.feature_b[:, 0])
    result = Contacts(pair, points.point, points.normal, points.depth, kind, points.feature_a, points.feature_b)
    return result.take(np.lexsort((-result.depth, pair)))


def _by_depth(points: _Candidates, slack: Floats) -> Ints:
    """The order of points by region, deepest first. Depths that are equal within rounding keep their order."""
    order = np.lexsort((-points.depth, points.region))
    if not len(order):
        return order
    region, depth = points.region[order], points.depth[order]
    first = np.append(True, region[1:] != region[:-1])
    most = depth[np.flatnonzero(first)][np.cumsum(first) - 1]
    step = np.append(0.0, depth[:-1] - depth[1:]) > _EQUAL * most + 8.0 * slack[region]
    level = np.empty(len(order), dtype=np.int64)
    level[order] = np.cumsum(step | first)
    return np.argsort(level, kind="stable")


def _chosen(patch: Ints, points: _Candidates) -> Ints:
    """Choose up to four points of each patch, given in the order of their depths."""
    order = np.argsort(patch, kind="stable")
    if not len(order):
        return order
    start = np.flatnonzero(np.append(True, patch[order][1:] != patch[order][:-1]))
    row, rank = ragged_arange(np.diff(np.append(start, len(order))))
    kept = rank < _CANDIDATES
    row, rank, at = row[kept], rank[kept], order[kept]
    shape = (len(start), int(rank.max()) + 1)
    corners = Patch(
        np.zeros((*shape, 3)), np.zeros(shape), np.zeros(shape, dtype=bool), *np.zeros((2, *shape, 2), np.int64)
    )
    # From the first point, which is the deepest, and relative to their extent.
    corners.point[row, rank] = points.point[at] - points.point[order[start]][row]
    extent = np.abs(corners.point).max(axis=(1, 2))
    corners.point[:] /= np.where(extent > 0.0, extent, 1.0)[:, None, None]
    corners.depth[:, 0], corners.valid[row, rank] = 1.0, True
    chosen = reduced(corners, points.normal[order[start]], np.full(len(start), -np.inf))
    which, slot = np.nonzero(chosen >= 0)
    result: Ints = order[start[which] + chosen[which, slot]]
    return result


def _inside(shared: Intersection, inner: Deepest, wanted: Bools) -> Generator[None, None, _Candidates]:
    """Boundary points inside the other body, of these regions (R,)."""
    a, b, pair = shared.a, shared.b, shared.regions.pair
    parts, sure = [], np.zeros(len(pair), dtype=bool)
    for number, one, other, deepest in ((0, a, b, inner.of_a), (1, b, a, inner.of_b)):
        points = _candidates(shared, inner, number, deepest)
        yield
        points = points.take(wanted[points.region] & other.has_volume()[pair[points.region]])
        row = pair[points.region]
        exits = exits_of(other, row, points.point)
        yield
        kept = exits.depth > 4.0 * slack_of(a, b)[row]
        points, row, exits = points.take(kept), row[kept], exits.take(kept)
        # The body leaves where the surfaces face each other, not beside this place.
        facing = (dot(exits.outward, points.own) < OPPOSED_NORMALS) | ~points.own.any(axis=1)
        middle = points.point + exits.outward * (exits.depth / 2.0)[:, None]
        features = _own_features(one, row, points), exits.feature
        sign = 1.0 if number else -1.0
        found = _Candidates(
            points.region, middle, sign * exits.outward, exits.depth, *(features[::-1] if number else features)
        )
        parts.append((found, facing, points.searched))
        sure[points.region[facing]] = True
    found = _Candidates.joined([part for part, _, _ in parts])
    facing, searched = (np.concatenate([each[k] for each in parts]) for k in (1, 2))
    # If several points are equally deep, a search stops at any, so its point is used only if it is deeper than the
    # others.
    most = np.zeros(len(pair))
    np.maximum.at(most, found.region[~searched], found.depth[~searched])
    needed = ~searched | (found.depth > (1.0 + _EQUAL) * most[found.region])
    found, facing = found.take(needed), facing[needed]
    # The deepest point is always used.
    most[:] = 0.0
    np.maximum.at(most, found.region[facing], found.depth[facing])
    return found.take(facing | ~sure[found.region] | (found.depth > (1.0 + INTERFERENCE) * most[found.region]))


def _candidates(shared: Intersection, inner: Deepest, number: int, deepest: Points) -> _Points:
    """Points of the boundary of A, or of B if `number` is 1, that may be inside the other body."""
    one, other = (shared.b, shared.a) if number else (shared.a, shared.b)
    regions, under = shared.regions, shared.submerged[number].vertices
    middle = inner.middle_b if number else inner.middle_a
    parts = [_with_normals(one, regions.pair, deepest), _Points.listed(middle.row, middle.point, searched=True)]
    if isinstance(one, ConvexRows):
        if isinstance(one.shapes, Boxes | Hulls | Triangles):
            found = boundary(one.shapes)
            place: Floats = np.unique(np.column_stack([np.repeat(found.row, 3), found.corner.reshape(-1, 3)]), axis=0)
            row = place[:, 0].astype(np.int64)
            kept = np.isin(row, regions.pair)
            parts.append(_Points.listed(np.searchsorted(regions.pair, row[kept]), place[kept, 1:]))
        return _Points.joined([_nearest_region(shared, points) for points in parts])
    if isinstance(other, ConvexRows):
        # All triangles inside a convex shape are known.
        corner = one.placed(shared.leaves.pair, shared.leaves.b)
        own = np.repeat(normals(corner), 3, axis=0)
        parts.append(_Points.listed(np.repeat(regions.of, 3), corner.reshape(-1, 3), own))
    else:
        label = regions.of_b if number else regions.of_a
        point = one.vertices(under.pair, under.index)
        parts.append(_facing(one, other, under, _Points.listed(label[under.label], point)))
        parts.append(_beside(shared, number, inner.best))
    return _Points.joined(parts)


def _with_normals(one: ShapeRows, pair: Ints, points: Points) -> _Points:
    """Deepest points, with the normals of the triangles that they are on."""
    own = np.zeros((len(points), 3))
    if isinstance(one, MeshRows) and len(points):
        row = pair[points.row]
        triangle = nearest_triangles(one, row, points.point)[1]
        own = normals(one.placed(row, triangle))
    return _Points.listed(points.row, points.point, own, searched=True)


def _facing(one: MeshRows, other: ShapeRows, under: Parts, points: _Points) -> _Points:
    """Vertices with the outward normal, among those of their triangles, that points most into the other body."""
    if not len(points):
        return points
    which, normal = [], []
    for number, rows in rows_of_each(one.mesh[under.pair]):
        mesh, vertex = one.meshes[number], under.index[rows]
        at, place = ragged_arange(np.diff(mesh.corner_start)[vertex], mesh.corner_start[vertex])
        turn = one.bodies.rotation[under.pair[rows[at]]]
        which.append(rows[at])
        normal.append(np.einsum("kij,kj->ki", turn, mesh.planes[mesh.by_vertex[place] // 3, :3]))
    at, around = np.concatenate(which), np.concatenate(normal)
    outward = exits_of(other, under.pair, points.point).outward
    first = smallest_per_group(at, dot(around, outward[at]))
    own = np.zeros_like(points.own)
    own[at[first]] = around[first]
    return replace(points, own=own)


def _beside(shared: Intersection, number: int, depth: Floats) -> _Points:
    """Points of the triangles of A, or of B if `number` is 1, beside the segments in which the surfaces intersect.

    Their distance from the segments is the depth of the deepest point of the region, so that they are as deep as that
    point between parallel faces.
    """
    leaves, region = shared.leaves, shared.regions.of
    kept = np.sort(smallest_per_group(region, np.zeros(len(region)), _BESIDE))
    leaves, region = leaves.take(kept), region[kept]
    assert isinstance(shared.a, MeshRows)
    p, q = shared.a.placed(leaves.pair, leaves.a), shared.b.placed(leaves.pair, leaves.b)
    found = triangle_intersections(Triangles(p), Triangles(q))
    run = found.end - found.start
    kept = np.flatnonzero(~found.coplanar & (length(np.nan_to_num(run)) > 0.0))
    if number:
        p, q = q, p
    p, q, run, region = p[kept], q[kept], run[kept], region[kept]
    own = normals(p)
    inward = normalized(cross(own, run), np.zeros(3))
    inward *= -np.sign(dot(inward, normals(q)))[:, None]
    parts = []
    for start in (found.start[kept], found.end[kept]):
        # Not beyond the edges of the triangle.
        edge = np.roll(p, -1, axis=1) - p
        out = cross(edge, own[:, None])
        toward, gap = dot(out, inward[:, None]), dot(out, p - start[:, None])
        room = np.where(toward > 0.0, np.maximum(gap, 0.0) / np.where(toward > 0.0, toward, 1.0), np.inf).min(axis=1)
        step = np.minimum(room, depth[region])
        parts.append(_Points.listed(region, start + step[:, None] * inward, own))
    return _Points.joined(parts)


def _nearest_region(shared: Intersection, points: _Points) -> _Points:
    """Points of a convex shape A, whose regions are any of their pairs, in the regions of the nearest pieces of B."""
    regions, leaves = shared.regions, shared.leaves
    at, leaf = of_each(regions.pair[points.region], leaves.pair)
    middle = shared.b.placed(leaves.pair, leaves.b).mean(axis=1)
    first = smallest_per_group(at, length(points.point[at] - middle[leaf]))
    region = points.region.copy()
    region[at[first]] = regions.of[leaf[first]]
    return replace(points, region=region)


@dataclass(frozen=True)
class Exits(RowTable):
    """Depths of points, the outward directions to the nearest boundary points, and the features of these."""

    depth: Floats
    outward: Floats
    feature: Ints


def exits_of(body: ShapeRows, row: Ints, point: Floats) -> Exits:
    """Return how points (K, 3) in the bodies of rows (K,) leave them."""
    if isinstance(body, ConvexRows):
        if not len(row):
            return Exits(np.empty(0), np.empty((0, 3)), np.empty((0, 2), dtype=np.int64))
        points, shapes = Spheres(point, np.zeros(len(point))), body.shapes.take(row)
        pair = EITHER_ORDER[points.kind, shapes.kind]
        found = pair.distance(points, shapes)
        return Exits(-found.distance, -found.normal, pair.separating_axis(points, shapes).feature_b)
    place, feature, triangle = _nearest(body, row, point)
    slack = slack_of(body, body)[row]
    depth, away = depth_of_points(body, row, point, 4.0 * slack), place - point
    # On the surface, the direction to it is rounding.
    far = length(away) > 8.0 * slack
    outward = np.where(far[:, None], normalized(away, np.zeros(3)), normals(body.placed(row, triangle)))
    return Exits(depth, outward, feature)


def _nearest(body: MeshRows, row: Ints, point: Floats) -> tuple[Floats, Ints, Ints]:
    """The nearest point of each surface in the world, the feature that it is on, and the triangle."""
    local, part = np.empty((len(row), 3)), np.zeros((len(row), 3), dtype=np.int64)
    asked = np.ascontiguousarray(in_frame(body.bodies, row, point))
    kernels.nearest(surfaces_of(body.bodies, row), asked, local, part)
    feature = leaf_queries.mesh_features(body, row, part[:, 0], part[:, 1:])
    return in_world(body.bodies, row, local[:, None])[:, 0], feature, part[:, 0]


def _own_features(one: ShapeRows, row: Ints, points: _Points) -> Ints:
    """The features of their own body that contain points: a vertex or an edge if they are on it within rounding."""
    if isinstance(one, ConvexRows):
        return exits_of(one, row, points.point).feature
    triangle = nearest_triangles(one, row, points.point)[1]
    corner, place = one.placed(row, triangle), points.point[:, None]
    slack = 8.0 * slack_of(one, one)[row, None]
    edge = np.roll(corner, -1, axis=1) - corner
    square = dot(edge, edge)
    share = np.clip(dot(place - corner, edge) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    vertex = length(place - corner) <= slack
    on_edge = length(place - corner - share[..., None] * edge) <= slack
    kind = np.where(
        vertex.any(axis=1), FeatureKind.VERTEX, np.where(on_edge.any(axis=1), FeatureKind.EDGE, FeatureKind.FACE)
    )
    index = np.where(vertex.any(axis=1), vertex.argmax(axis=1), on_edge.argmax(axis=1))
    return leaf_queries.mesh_features(one, row, triangle, np.stack([kind, index], axis=1))


def _of_pieces(a: ShapeRows, b: MeshRows, leaves: LeafPairs, region: Ints) -> _Candidates:
    """The contacts of pieces of bodies without volume."""
    found = leaf_queries.contacts(a, b, leaves, 0.0) if len(leaves) else Contacts.joined([])
    fields = found.point, found.normal, found.depth, found.feature_a, found.feature_b
    return _Candidates(region[found.pair], *fields)


def _touching(a: ShapeRows, b: MeshRows, intersecting: LeafPairs, region: Ints) -> _Candidates:
    """Contact points of pieces that only touch, with the normals of the supporting faces, and depth 0.

    A face supports if everything that touches it is on its outer side: the other piece, or the whole convex shape. If
    no face of a region supports, such as for two touching edges, the normals of the pieces are used.
    """
    if not len(intersecting):
        return _of_pieces(a, b, intersecting, region)
    slack = 4.0 * slack_of(a, b)
    row = intersecting.pair
    found = contacts_per_margin(
        lambda some, most: leaf_queries.contacts(a, b, intersecting.take(some), most), slack[row]
    )
    q = b.placed(row, intersecting.b)
    out_b = normals(q) * b.solid[row][:, None]
    if isinstance(a, MeshRows):
        p = a.placed(row, intersecting.a)
        out_a = normals(p) * a.solid[row][:, None]
        by_a = _supports(p[:, 0], out_a, dot(q, out_a[:, None]), -out_b, slack[row])
        by_b = _supports(q[:, 0], out_b, dot(p, out_b[:, None]), -out_a, slack[row])
    else:
        out_a, by_a = np.zeros_like(out_b), np.zeros(len(row), dtype=bool)
        low, high = -reaches(a, row, -out_b), reaches(a, row, out_b)
        by_b = _supports(q[:, 0], out_b, np.stack([low, high], axis=1), np.zeros_like(out_b), slack[row])
    normal = np.where(by_a[:, None], out_a, -out_b)[found.pair]
    sure = (by_a | by_b)[found.pair]
    # Otherwise the normal of the pieces, oriented by the outer sides of the faces.
    way = np.sign(dot(found.normal, (out_a - out_b)[found.pair]))
    normal = np.where(sure[:, None], normal, found.normal * np.where(way < 0.0, -1.0, 1.0)[:, None])
    of = region[found.pair]
    supported = np.zeros(int(region.max()) + 1, dtype=bool)
    supported[of[sure]] = True
    kept = np.flatnonzero(sure | ~supported[of])
    none = np.zeros(len(kept))
    return _Candidates(of[kept], found.point[kept], normal[kept], none, found.feature_a[kept], found.feature_b[kept])


def _supports(place: Floats, outward: Floats, level: Floats, against: Floats, slack: Floats) -> Bools:
    """Whether heights along the outward normals (K, 3) of faces through `place` are all on the outer side, (K,).

    A piece in the plane of the face is on its outer side if it faces in the opposite direction.
    """
    height = level - dot(place, outward)[:, None]
    faces = dot(against, outward)
    beyond = (height.max(axis=1) > slack) | (faces > 0.0) | (length(against) == 0.0)
    return (height.min(axis=1) >= -slack) & beyond & (length(outward) > 0.0)


# Limit on the patches of one region. A round hole has one for each of its sides.
_PATCHES = 64


def _patches(region: Ints, normal: Floats) -> Ints:
    """Patch numbers of points (K,). Normals of one region within `SIMILAR_NORMALS` of the first form a patch."""
    turn = np.full(len(region), -1)
    for number in range(_PATCHES):
        left = np.flatnonzero(turn < 0)
        if not len(left):
            break
        some, first = np.unique(region[left], return_index=True)
        seed = normal[left[first]][np.searchsorted(some, region[left])]
        near = dot(normal[left], seed) >= (SIMILAR_NORMALS if number < _PATCHES - 1 else -2.0)
        # A zero normal is similar to no normal.
        near[first] = True
        turn[left[near]] = number
    result: Ints = np.unique(region * _PATCHES + turn, return_inverse=True)[1].reshape(-1)
    return result
