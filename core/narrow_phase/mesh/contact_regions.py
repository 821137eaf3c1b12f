# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of contact: connected pieces of where the triangles of two surfaces meet, and the vertices inside."""

from dataclasses import dataclass

import numpy as np

from ...numerics.rows import numbered_components
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import length, normalized
from ...shapes import Triangles
from ..triangle_intersection import Crossings, triangle_intersections
from .bvh_traversal import LeafPairs
from .operands import ConvexRows, MeshRows, ShapeRows
from .ray_casting import inside


@dataclass(frozen=True)
class Regions:
    """The regions of all pairs.

    Attributes
    ----------
    of : (K,) int64
        The region of each pair of pieces that meets.
    pair, count : (R,) int64
        The pair of each region, and how many pieces meet in it. Regions are ordered by pair.
    normal_a, normal_b : (R, 3) float64
        Mean unit normals of the triangles that meet there, weighted by how long they do; zero where they cancel, and
        for a shape that is no mesh.
    """

    of: Ints
    pair: Ints
    count: Ints
    normal_a: Floats
    normal_b: Floats


def regions(a: ShapeRows, b: MeshRows, met: LeafPairs) -> Regions:
    """The regions that pairs of pieces which meet fall into; see `region_labels`."""
    label = region_labels(a, b, met)
    count = np.bincount(label)
    of_pair = np.zeros(len(count), dtype=np.int64)
    of_pair[label] = met.pair
    q = b.placed(met.pair, met.b)
    normal_b = normals(q) * facing(b, met.pair)[:, None]
    if isinstance(a, ConvexRows):
        area = length(np.cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]))
        nothing = np.zeros((len(count), 3))
        return Regions(label, of_pair, count, nothing, _mean(label, normal_b * area[:, None], len(count)))
    p = a.placed(met.pair, met.a)
    found = triangle_intersections(Triangles(p), Triangles(q))
    run = length(runs(found))
    # Coplanar triangles count with their extent, points a little.
    extent = np.minimum(length(p - p.mean(axis=1, keepdims=True)).max(axis=1), _spread(q))
    weight = np.where(found.coplanar, extent, run + 1e-6 * extent)[:, None]
    return Regions(
        label,
        of_pair,
        count,
        _mean(label, normals(p) * facing(a, met.pair)[:, None] * weight, len(count)),
        _mean(label, normal_b * weight, len(count)),
    )


def region_labels(a: ShapeRows, b: MeshRows, met: LeafPairs) -> Ints:
    """The number of the region of each pair of pieces that meets, (K,), ordered by pair.

    Two of them are of one region if the two triangles of each mesh are the same or share a vertex. What convex solids
    have in common is convex: they have one region.
    """
    key_b = vertex_names(b, met.pair, met.b)
    key_a = np.zeros((len(met), 1), dtype=np.int64) if isinstance(a, ConvexRows) else vertex_names(a, met.pair, met.a)
    key = (key_a[:, :, None] * (int(key_b.max(initial=0)) + 1) + key_b[:, None, :]).reshape(len(met), -1)
    width = key.shape[1]
    pair = np.repeat(met.pair, width)
    order = np.lexsort((key.reshape(-1), pair))
    flat, pair = key.reshape(-1)[order], pair[order]
    same = (flat[1:] == flat[:-1]) & (pair[1:] == pair[:-1])
    owner = order // width
    label = numbered_components(len(met), owner[:-1][same], owner[1:][same])
    several = np.flatnonzero(np.bincount(np.unique(np.stack([met.pair, label]), axis=1)[0], minlength=len(b)) > 1)
    convex = np.zeros(len(b), dtype=bool)
    convex[several] = b.convex(several) & (isinstance(a, ConvexRows) or a.convex(several))
    if convex.any():
        first = np.searchsorted(met.pair, met.pair)
        label = np.unique(np.where(convex[met.pair], label[first], label), return_inverse=True)[1]
    return label


def runs(found: Crossings) -> Floats:
    """From the start to the end of each crossing, (K, 3); zero where there is no segment."""
    result: Floats = np.nan_to_num(found.end) - np.nan_to_num(found.start)
    return result


def normals(corners: Floats) -> Floats:
    """Unit normals of triangles (K, 3, 3), zero where they have no area."""
    return normalized(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), np.zeros(3))


def facing(shapes: MeshRows, row: Ints) -> Floats:
    """1.0 where the triangles of a row's mesh face outwards for the most part, -1.0 where inwards: (K,)."""
    result: Floats = np.array([mesh.facing for mesh in shapes.meshes])[shapes.mesh[row]]
    return result


def vertex_names(shapes: MeshRows, row: Ints, triangle: Ints) -> Ints:
    """Welded vertices of triangles of rows, (K, 3)."""
    result = np.zeros((len(row), 3), dtype=np.int64)
    for number, mesh in enumerate(shapes.meshes):
        mine = np.flatnonzero(shapes.mesh[row] == number)
        result[mine] = mesh.welded_triangles[triangle[mine]]
    return result


def _spread(corners: Floats) -> Floats:
    result: Floats = length(corners - corners.mean(axis=1, keepdims=True)).max(axis=1)
    return result


def _mean(label: Ints, vector: Floats, count: int) -> Floats:
    """Unit vectors along the sums of vectors with the same label; zero where nearly all cancels."""
    total = np.empty((count, 3))
    for axis in range(3):
        total[:, axis] = np.bincount(label, weights=vector[:, axis], minlength=count)
    most = np.bincount(label, weights=length(vector), minlength=count)
    strong = length(total) > CANCELED * most
    return np.where(strong[:, None], normalized(total, np.zeros(3)), 0.0)


# Dimensionless: a share. Normals that add up to less than this of what they would if all were parallel have no mean.
CANCELED = 1e-3


@dataclass(frozen=True)
class Submerged:
    """Submerged vertices with a region each; one that hangs together with several regions is listed for each.

    Attributes
    ----------
    region, vertex : (K,) int64
    of_b : (K,) bool
        Whether it is a vertex of B.
    """

    region: Ints
    vertex: Ints
    of_b: Bools


def submerged(a: ShapeRows, b: MeshRows, met: LeafPairs, found: Regions) -> Submerged:
    """The submerged vertices of all pairs that meet; none of a convex shape, whose pieces are whole."""
    parts = []
    if not isinstance(a, ConvexRows):
        parts.append((_of(a, b, met.pair, met.a, found), False))
        parts.append((_of(b, a, met.pair, met.b, found), True))
    none = np.empty(0, dtype=np.int64)
    return Submerged(
        np.concatenate([none, *(part[0] for part, _ in parts)]),
        np.concatenate([none, *(part[1] for part, _ in parts)]),
        np.concatenate([np.empty(0, dtype=bool), *(np.full(len(part[0]), of_b) for part, of_b in parts)]),
    )


def _of(one: MeshRows, other: MeshRows, pair: Ints, triangle: Ints, found: Regions) -> tuple[Ints, Ints]:
    """Regions and vertices of the one mesh inside the other."""
    some = np.unique(pair[other.solid[pair]])
    rows, points, names = [], [], []
    for row in some:
        used = one.meshes[one.mesh[row]].used
        rows.append(np.full(len(used), row))
        names.append(used)
        points.append(one.points(int(row))[used])
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    row, vertex = np.concatenate(rows), np.concatenate(names)
    within = inside(other, row, np.concatenate(points))
    row, vertex = row[within], vertex[within]
    # Vertices are joined along edges of which both ends are submerged, and to the regions of their triangles.
    span = max((len(mesh.points) for mesh in one.meshes), default=1)
    key = row * span + vertex
    if not len(key):
        return key, key
    first, second = [], []
    for each in some:
        ends = one.meshes[one.mesh[each]].edges.vertices + each * span
        at = np.minimum(np.searchsorted(key, ends), len(key) - 1)
        both = (key[at] == ends).all(axis=1)
        first.append(at[both, 0])
        second.append(at[both, 1])
    label = numbered_components(len(key), np.concatenate(first), np.concatenate(second))
    corner = vertex_names(one, pair, triangle) + pair[:, None] * span
    at = np.minimum(np.searchsorted(key, corner), len(key) - 1)
    hit, place = np.nonzero(key[at] == corner)
    links = np.unique(np.stack([label[at[hit, place]], found.of[hit]], axis=1), axis=0)
    # Each component of vertices once for each of its regions.
    start = np.searchsorted(links[:, 0], label)
    count = np.searchsorted(links[:, 0], label, side="right") - start
    which = np.repeat(np.arange(len(key)), count)
    link = np.repeat(start, count) + np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    return links[link, 1], vertex[which]
