# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of a shape (A) with a mesh (B): for each contact region a normal, a depth and up to four points.

The depth of a region is how far B must move along the region's normal to separate it. This is the greatest of three
distances: that of the intersecting pieces, that of the vertices of one mesh inside the other, and that of the pieces
that still intersect after B has moved by the first two (`_last_separations`). The third is needed because the deepest
points may be on two edges whose triangles do not intersect. The normal is the one with the least depth among the mean
normals of both surfaces and the separating direction of the pair. If a component of one shape is inside the other
without intersecting it, the pair has one additional contact along the separating translation of the pair.
"""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ...convex.manifold import Patch, reduced
from ...numerics.rows import RowTable, smallest_per_group
from ...numerics.tolerances import FACE_ALIGNMENT, FIT_SHARE, MESH_PROBE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...results import Contacts, Distances, FeatureKind, contact_type, contacts_per_margin
from . import leaf_queries as piece_pairs
from . import press_fits
from .bvh_traversal import LeafPairs, among
from .directional_depth import depths_along, lengths_along
from .interference import interference
from .intersection import Intersection, Regions, Submerged, region_labels, triangles_at, vertex_names
from .leaf_queries import meeting
from .operands import ConvexRows, MeshRows, ShapeRows, reaches, size_of, slack_of
from .penetration import piece_distances, rays
from .point_depth import depths_in

# Number of candidates of a region, the deepest ones, from which its four points are chosen.
_CANDIDATES = 64
# Intersecting pieces of a pair whose corners are measured before the whole pair is.
_FEW = 4


def contacts(a: ShapeRows, b: MeshRows, intersection: Intersection, separation: Distances, margin: float) -> Contacts:
    """Contacts of each pair that overlaps or is within `margin`, deepest first. `separation`: known distances."""
    intersecting = intersection.leaves
    close = separation.distance <= margin + separation.rounding
    close[intersecting.pair] = False
    # A component that lies completely inside the other body belongs to no region.
    close |= piece_pairs.contains_component(a, b, intersecting)
    parts = [_single(a, b, separation, np.flatnonzero(close), margin)]
    if len(intersecting):
        fit = _are_press_fits(a, b, intersecting, separation)
        found = _regional(a, b, intersection.only(~fit), separation, margin)
        # A region around a shape that slides along it has a greater depth than the pair.
        most = np.maximum(-separation.distance, 0.0) + 4.0 * separation.rounding
        fit[found.pair[found.depth > most[found.pair]]] = True
        fitted = _of_press_fits(a, b, intersecting, separation, np.flatnonzero(fit))
        bare = fit.copy()
        bare[np.concatenate([fitted.pair, found.pair])] = False
        found = Contacts.joined([found, _regional(a, b, intersection.only(bare), separation, margin)])
        parts += [fitted, found.take(np.flatnonzero(~np.isin(found.pair, fitted.pair)))]
    found = Contacts.joined(parts)
    return found.take(np.lexsort((-found.depth, found.pair)))


def _are_press_fits(a: ShapeRows, b: MeshRows, intersecting: LeafPairs, separation: Distances) -> Bools:
    """Which pairs are press fits, (P,): faces in contact face each other, and no point is deep in the other body."""
    result = press_fits.has_opposed_faces(a, b, intersecting)
    # Shapes on different sides of a plane do not hold each other.
    row = np.flatnonzero(result)
    along = separation.normal[row]
    result[row] = reaches(a, row, along) + reaches(b, row, -along) > 4.0 * slack_of(a, b)[row]
    rows = np.flatnonzero(result & separation.touches())
    if len(rows):
        found = press_fits.touching_points(a.take(rows), b.take(rows), among(intersecting, rows))
        result[rows] = press_fits.has_opposed_normals(found.pair, found.normal, len(rows))
    level, left = FIT_SHARE * -separation.distance, result & ~separation.touches()
    result[_with_corner_deeper(a, b, intersecting.take(left[intersecting.pair]), level)] = False
    rows = np.flatnonzero(result & left)
    if len(rows):
        level = level[rows]
        result[rows] = interference(a.take(rows), b.take(rows), among(intersecting, rows), level=level) <= level
    return result


def _with_corner_deeper(a: ShapeRows, b: MeshRows, intersecting: LeafPairs, level: Floats) -> Ints:
    """Pairs of solids of which a corner of a few intersecting pieces is deeper in the other body than `level` (P,)."""
    result = [np.empty(0, dtype=np.int64)]
    few = intersecting.take(smallest_per_group(intersecting.pair, intersecting.bound, _FEW))
    for one, other, piece in ((a, b, few.a), (b, a, few.b)):
        mine = np.flatnonzero(other.has_volume()[few.pair])
        if isinstance(one, MeshRows) and len(mine):
            row, point = np.repeat(few.pair[mine], 3), one.placed(few.pair[mine], piece[mine]).reshape(-1, 3)
            deep = depths_in(other).depth(row, point)[0] > level[row] + 4.0 * slack_of(a, b)[row]
            result.append(row[deep])
    return np.unique(np.concatenate(result))


def _of_press_fits(a: ShapeRows, b: MeshRows, intersecting: LeafPairs, separation: Distances, rows: Ints) -> Contacts:
    """Up to four contacts for each group of press-fit contact points with similar normals."""
    if not len(rows):
        return Contacts.joined([])
    here_a, here_b, pieces = a.take(rows), b.take(rows), among(intersecting, rows)
    touching = separation.touches()[rows]
    deep = np.flatnonzero(~touching)
    found = press_fits.penetrating_points(here_a.take(deep), here_b.take(deep), among(pieces, deep))
    found = press_fits.Points.joined(
        [
            replace(found, pair=deep[found.pair]),
            press_fits.touching_points(here_a, here_b, pieces.take(touching[pieces.pair])),
        ]
    )
    patch = press_fits.patches(found.pair, found.normal)
    pair = np.zeros(int(patch.max(initial=-1)) + 1, dtype=np.int64)
    pair[patch] = found.pair
    total = np.zeros((len(pair), 3))
    np.add.at(total, patch, found.normal)
    rows_of = _Rows(patch, found.point, found.depth, found.feature_a, found.feature_b)
    return _chosen(rows[pair], normalized(total, np.zeros(3)), rows_of, 0.0)


def _single(a: ShapeRows, b: MeshRows, separation: Distances, rows: Ints, margin: float) -> Contacts:
    """One contact for each of these pairs, with the features of the pieces that decide the distance."""
    depth = -separation.distance[rows]
    shift = np.maximum(depth, 0.0)[:, None] * separation.normal[rows]
    # For overlapping pairs, these are the pieces that touch after the separating translation.
    freed = a.take(rows), b.take(rows, shift)
    kinds = _deepest(*freed, piece_pairs.nearest(*freed).near())
    return Contacts(
        rows,
        (separation.point_a[rows] + separation.point_b[rows]) / 2.0,
        separation.normal[rows],
        np.maximum(depth, -margin),
        kinds.type,
        kinds.feature_a,
        kinds.feature_b,
    )


def _deepest(a: ShapeRows, b: MeshRows, leaves: LeafPairs) -> Contacts:
    """The deepest contact of each of these pairs of pieces, however far apart they are."""
    if not len(leaves):
        return Contacts.joined([])
    apart = piece_pairs.distances(a, b, leaves)
    found = contacts_per_margin(
        lambda some, most: piece_pairs.contacts(a, b, leaves.take(some), most),
        np.maximum(apart.distance + 2.0 * apart.rounding, 0.0),
    )
    found = found.take(np.unique(found.pair, return_index=True)[1])
    # Contacts have their own rounding errors. They may be missing for pieces at the limit of the margin.
    bare = np.setdiff1d(np.arange(len(leaves)), found.pair)
    if not len(bare):
        return found
    made = piece_pairs.separations(a, b, leaves.take(bare))
    features = [np.where(each < 0, _A_FACE, each) for each in (made.feature_a, made.feature_b)]
    kind = contact_type(features[0][:, 0], features[1][:, 0])
    middle = (apart.point_a + apart.point_b)[bare] / 2.0
    rest = Contacts(bare, middle, apart.normal[bare], -apart.distance[bare], kind, *features)
    return Contacts.joined([found, rest])


_A_FACE = np.array([FeatureKind.FACE, 0])


def _regional(a: ShapeRows, b: MeshRows, intersection: Intersection, separation: Distances, margin: float) -> Contacts:
    """The contacts of all regions."""
    intersecting = intersection.leaves
    if not len(intersecting):
        return Contacts.joined([])
    found, under = intersection.regions(a, b), intersection.submerged(a, b)
    # A region that is alone is separated where the pair is.
    pair_depth = np.where(found.alone(), -separation.distance[found.pair], np.inf)
    deep = region_depths(a, b, intersecting, found, under, separation.normal[found.pair], pair_depth)
    if isinstance(a, ConvexRows):
        rows = _of_convex(a, b, intersecting, found, deep.normal, deep.depth)
    else:
        rows = _of_meshes(a, b, intersecting, found, under, deep)
    return _chosen(found.pair, deep.normal, rows, margin)


def _chosen(pair: Ints, normal: Floats, rows: "_Rows", margin: float) -> Contacts:
    """Choose up to four candidates of each region, given the pair (R,) and the normal (R, 3) of each region."""
    # Rounding decides which of equally deep candidates is the deepest, so keep their order.
    order = np.sort(smallest_per_group(rows.region, -rows.depth, _CANDIDATES))
    order = order[np.argsort(rows.region[order], kind="stable")]
    region, start = rows.region, np.unique(rows.region[order], return_index=True)[1]
    rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
    # Every region has intersecting pieces, so all region numbers occur.
    shape = (len(normal), int(rank.max(initial=0)) + 1)
    patch = Patch(
        np.zeros((*shape, 3)), np.zeros(shape), np.zeros(shape, dtype=bool), *np.zeros((2, *shape, 2), np.int64)
    )
    place = (region[order], rank)
    patch.point[place], patch.depth[place], patch.valid[place] = rows.point[order], rows.depth[order], True
    patch.feature_a[place], patch.feature_b[place] = rows.feature_a[order], rows.feature_b[order]
    chosen = reduced(patch, normal, np.full(len(normal), -margin))
    at, slot = np.nonzero(chosen >= 0)
    pick = chosen[at, slot]
    feature_a, feature_b = patch.feature_a[at, pick], patch.feature_b[at, pick]
    return Contacts(
        pair[at],
        patch.point[at, pick],
        normal[at],
        patch.depth[at, pick],
        contact_type(feature_a[:, 0], feature_b[:, 0]),
        feature_a,
        feature_b,
    )


@dataclass(frozen=True)
class _Rows(RowTable):
    """Candidates for the contact points of all regions."""

    region: Ints
    point: Floats
    depth: Floats
    feature_a: Ints
    feature_b: Ints


def _of_meshes(
    a: ShapeRows, b: MeshRows, intersecting: LeafPairs, found: Regions, under: Submerged, deep: "RegionDepths"
) -> _Rows:
    """Candidates from intersecting triangles, from triangles that separate last, and from submerged vertices."""
    assert isinstance(a, MeshRows)
    normal, last = deep.normal, deep.last
    along, within = normal[found.of], found.pair[last.region]
    slack = slack_of(a, b)[intersecting.pair]
    ends = depths_along(
        a.placed(intersecting.pair, intersecting.a), b.placed(intersecting.pair, intersecting.b), along, slack
    )
    parts = [
        _Rows(
            found.of,
            ends.point - along * (ends.length / 2.0)[:, None],
            ends.length,
            piece_pairs.mesh_features(a, intersecting.pair, intersecting.a, ends.feature_p),
            piece_pairs.mesh_features(b, intersecting.pair, intersecting.b, ends.feature_q),
        ),
        _Rows(
            last.region,
            last.point - normal[last.region] * (last.length / 2.0)[:, None],
            last.length,
            piece_pairs.mesh_features(a, within, last.a, last.feature_a),
            piece_pairs.mesh_features(b, within, last.b, last.feature_b),
        ),
    ]
    ways = rays(a, b, found.pair, under, normal)
    for region, ahead in ways:
        of_b = bool(under.of_b.all()) or (len(ways) == 2 and ahead is ways[1][1])
        sign = 1.0 if of_b else -1.0
        vertex = np.stack([np.full(len(region), FeatureKind.VERTEX), ahead.vertex], axis=1)
        face = np.stack([np.full(len(region), FeatureKind.FACE), ahead.triangle], axis=1)
        point = ahead.point + sign * normal[region] * (ahead.distance / 2.0)[:, None]
        parts.append(_Rows(region, point, ahead.distance, *((face, vertex) if of_b else (vertex, face))))
    return _Rows.joined(parts)


def _of_convex(
    a: ConvexRows, b: MeshRows, intersecting: LeafPairs, found: Regions, normal: Floats, depth: Floats
) -> _Rows:
    """Candidates where the shape touches the region after the region has moved by its depth."""
    shift = depth[:, None] * normal
    here_a, here_b = a.take(found.pair), b.take(found.pair, shift)
    of = LeafPairs(found.of, intersecting.a, intersecting.b, intersecting.bound)
    apart = piece_pairs.distances(here_a, here_b, of)
    nearest = smallest_per_group(found.of, apart.distance, 1)
    first = _deepest(here_a, here_b, of.take(nearest))
    region = found.of[nearest]
    middle = (apart.point_a[nearest] + apart.point_b[nearest]) / 2.0
    back = shift / 2.0
    witness = _Rows(region, middle - back[region], depth[region], first.feature_a, first.feature_b)
    parts = [witness]
    level = (size_of(a, b) * MESH_PROBE + 2.0 * slack_of(a, b))[found.pair]
    close = np.flatnonzero(apart.distance <= level[found.of])
    if len(close):
        touch = contacts_per_margin(
            lambda some, most: piece_pairs.contacts(here_a, here_b, of.take(close[some]), most), level[found.of[close]]
        )
        region = found.of[close][touch.pair]
        kept = np.flatnonzero(
            (dot(touch.normal, normal[region]) >= 1.0 - FACE_ALIGNMENT) & (touch.depth >= -level[region])
        )
        # The contacts of pieces are ordered by depths, which are equal but for rounding.
        features = np.hstack([touch.feature_a, touch.feature_b])[kept]
        kept = kept[np.lexsort((*features.T, touch.pair[kept]))]
        region = region[kept]
        point = touch.point[kept] - back[region]
        # On ties, corners of faces come before the witness point, which may lie anywhere between them.
        parts.insert(0, _Rows(region, point, depth[region], touch.feature_a[kept], touch.feature_b[kept]))
    return _Rows.joined(parts)


# Dimensionless: fraction of an expected translation. So far before its end, only pieces that separate last intersect.
_JUST_BEFORE = 1e-3
# Multiple of the rounding error within which two translations are the same.
_SAME = 16.0
# Maximum number of steps for the pieces that still intersect, and of regions per pair. Each step queries whole meshes.
_MOST_STEPS, _MOST_REGIONS = 16, 64


@dataclass(frozen=True)
class LastSeparations(RowTable):
    """Triangles that still intersect after the others are separated: where they separate last, at most one per region.

    Attributes
    ----------
    region, a, b : (K,) int64
        The region and the triangles.
    length : (K,) float64
        Translation along the region's normal.
    point : (K, 3) float64
        On A's surface.
    feature_a, feature_b : (K, 2) int64
        Numbered within the triangles.
    """

    region: Ints
    a: Ints
    b: Ints
    length: Floats
    point: Floats
    feature_a: Ints
    feature_b: Ints


_NONE = np.empty(0, dtype=np.int64)
_NO_ENDS = LastSeparations(
    _NONE, _NONE, _NONE, np.empty(0), np.empty((0, 3)), np.empty((0, 2), np.int64), np.empty((0, 2), np.int64)
)


@dataclass(frozen=True)
class RegionDepths:
    """The normal of each region and the depth along it.

    Attributes
    ----------
    normal : (R, 3) float64
    depth : (R,) float64
    last : LastSeparations
        For the regions whose depth is determined by these triangles.
    """

    normal: Floats
    depth: Floats
    last: LastSeparations


def region_depths(
    a: ShapeRows,
    b: MeshRows,
    intersecting: LeafPairs,
    found: Regions,
    under: Submerged,
    direction: Floats,
    expected: Floats,
) -> RegionDepths:
    """The normal with the least depth of each region, and this depth.

    `direction` (R, 3) separates the pair. `expected` (R,) is the depth of a region along it; inf if not known.
    """
    both = normalized(found.normal_a - found.normal_b, np.zeros(3))
    candidates = [direction, both, found.normal_a, -found.normal_b]
    # The triangles of a surface have no outer side, so both directions are candidates.
    for surface, normal in ((a, -found.normal_a), (b, found.normal_b)):
        if isinstance(surface, MeshRows):
            candidates.append(np.where(surface.solid[found.pair][:, None], 0.0, normal))
    best, chosen, settled = np.full(len(found.pair), np.inf), direction.copy(), np.zeros(len(found.pair), dtype=bool)
    slack = slack_of(a, b)[found.pair]
    last = _NO_ENDS
    start: tuple[_Triangles, _Triangles] | None = None
    if isinstance(a, MeshRows) and not found.alone().all():
        start = (
            _Triangles(a, intersecting.a, False, found, under),
            _Triangles(b, intersecting.b, True, found, under),
        )
    unknown = np.full(len(best), np.inf)
    connected = np.zeros(len(best), dtype=bool)
    if isinstance(a, MeshRows):
        connected = np.isfinite(expected) & (a.connected() & b.connected())[found.pair]
    for number, candidate in enumerate(candidates):
        usable = (length(candidate) > 0.5) & ~settled
        if not usable.any():
            continue
        normal = np.where(usable[:, None], candidate, chosen)
        depth = np.where(usable, _depths(a, b, intersecting, found, under, normal, usable), np.inf)
        ends = _NO_ENDS
        if not isinstance(a, ConvexRows):
            # The remaining intersections can only increase the depth.
            known = None if start is None else (copy(start[0]), copy(start[1]))
            ends = _last_separations(a, b, found, known, normal, depth, best - slack, unknown if number else expected)
            depth[ends.region] = ends.length
        better = depth < best - slack
        best[better], chosen[better] = depth[better], normal[better]
        last = LastSeparations.joined([last.take(~better[last.region]), ends.take(better[ends.region])])
        # The search for the separating translation of the pair has tried the other normals of a region that is alone.
        # Other components of a mesh may prevent a shorter translation of the pair, and so may, for a convex shape,
        # triangles that are met on the way.
        settled |= connected & (best <= expected + _SAME * slack)
    return RegionDepths(chosen, best, last)


def _depths(
    a: ShapeRows, b: MeshRows, intersecting: LeafPairs, found: Regions, under: Submerged, normal: Floats, usable: Bools
) -> Floats:
    """Translations along the `usable` normals that separate the intersecting pieces and submerged vertices, (R,)."""
    result = np.zeros(len(normal))
    some = np.flatnonzero(usable[found.of])
    region = found.of[some]
    np.maximum.at(result, region, piece_distances(a, b, intersecting.take(some), normal[region]))
    for of, ahead in rays(a, b, found.pair, under.take(usable[under.region]), normal):
        np.maximum.at(result, of, ahead.distance)
    return result


class _Triangles:
    """Triangles of one mesh that belong to each region of a pair with several."""

    def __init__(self, shapes: MeshRows, intersecting: Ints, of_b: bool, found: Regions, under: Submerged) -> None:
        """Start with triangles that share a vertex with an intersecting one, and with those of submerged vertices."""
        self.span = max(len(mesh.triangles) for mesh in shapes.meshes)
        self.keys = np.empty(0, dtype=np.int64)
        several = ~found.alone()
        mine, of = (under.of_b == of_b) & several[under.region], found.of[several[found.of]]
        names = vertex_names(shapes, found.pair[of], intersecting[several[found.of]])
        region = np.concatenate([np.repeat(of, 3), under.region[mine]])
        vertex = np.concatenate([names.reshape(-1), under.vertex[mine]])
        listed = np.unique(np.stack([region, vertex], axis=1), axis=0)
        which, triangle = triangles_at(shapes, found.pair[listed[:, 0]], listed[:, 1])
        self.add(listed[which, 0], triangle)

    def add(self, region: Ints, triangle: Ints) -> None:
        """Add these triangles to their regions."""
        self.keys = np.union1d(self.keys, region * self.span + triangle)

    def has(self, region: Ints, triangle: Ints) -> Bools:
        """Whether each triangle belongs to its region."""
        return np.isin(region * self.span + triangle, self.keys)


def _last_separations(
    a: MeshRows,
    b: MeshRows,
    found: Regions,
    known: tuple[_Triangles, _Triangles] | None,
    normal: Floats,
    depth: Floats,
    most: Floats,
    expected: Floats,
) -> LastSeparations:
    """For each contact region: the triangles that still intersect after `depth`, and where they separate last.

    B has moved by `depth` (R,) along the region's normal (R, 3). It moves on by the longest distance of the
    intersecting triangles until none of the region intersect. If the pair has several regions, a connected group of
    intersections belongs to this one if it has triangles `known` of both meshes, to which its own are added. Regions
    whose translation reaches `most` (R,) are dropped.

    If a translation is `expected` (R,), B starts just before it. It starts again at `depth` if this was wrong.
    """
    rows = np.flatnonzero((depth < most) & (a.solid | b.solid)[found.pair])
    # The largest regions of each pair.
    rows = np.sort(rows[smallest_per_group(found.pair[rows], -found.count[rows].astype(np.float64), _MOST_REGIONS)])
    result, start = _NO_ENDS, np.where(np.isfinite(expected), expected * (1.0 - _JUST_BEFORE), 0.0)
    way = np.maximum(depth, start)
    jumped = rows[start[rows] > depth[rows]]
    alone = found.alone()
    for _ in range(_MOST_STEPS):
        if not len(rows):
            break
        here_a = a.take(found.pair[rows])
        here_b = b.take(found.pair[rows], way[rows, None] * normal[rows])
        now = meeting(here_a, here_b)
        region = rows[now.pair]
        others = np.flatnonzero(~alone[region])
        if known is not None and len(others):
            some, of = now.take(others), region[others]
            label = region_labels(here_a, here_b, some)
            own = np.isin(label, label[known[0].has(of, some.a) & known[1].has(of, some.b)])
            known[0].add(of[own], some.a[own])
            known[1].add(of[own], some.b[own])
            kept = np.delete(np.arange(len(now)), others[~own])
            now, region = now.take(kept), region[kept]
        slack = slack_of(here_a, here_b)[now.pair]
        p, q = here_a.placed(now.pair, now.a), here_b.placed(now.pair, now.b)
        ahead = lengths_along(p, q, normal[region], slack)
        far = np.flatnonzero(ahead > 4.0 * slack)
        far = far[smallest_per_group(region[far], -ahead[far])]
        rows = region[far]
        way[rows] += ahead[far]
        ends = depths_along(p[far], q[far], normal[rows], slack[far])
        separated = LastSeparations(rows, now.a[far], now.b[far], way[rows], ends.point, ends.feature_p, ends.feature_q)
        result = LastSeparations.joined([result.take(~np.isin(result.region, rows)), separated])
        rows = rows[way[rows] < most[rows]]
        if len(jumped):
            right = np.zeros(len(depth), dtype=bool)
            right[separated.region] = True
            off = np.abs(way - expected)[jumped]
            right[jumped] &= off <= _SAME * slack_of(a, b)[found.pair[jumped]]
            wrong = jumped[~right[jumped]]
            way[wrong] = depth[wrong]
            result = result.take(~np.isin(result.region, wrong))
            rows, jumped = np.union1d(np.setdiff1d(rows, jumped), wrong), jumped[:0]
    return result
