# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of a shape (A) with a mesh (B): for each region its normal, its depth and up to four points.

A region's depth is how far, along its normal, what meets there has to go until it is past: its pieces, and what hangs
together with them and is inside the other's solid. The normal is the one of least depth among the mean normals of both
sides and the direction that frees the pair (see `region_depths`). A pair of which a loose part is inside the other,
crossing nothing, has one contact more: the way out of the pair.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...convex.manifold import Patch, reduced
from ...numerics.rows import RowTable, smallest_per_group
from ...numerics.tolerances import FACE_ALIGNMENT, FIT_SHARE, MESH_PROBE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, normalized
from ...results import Contacts, Distances, FeatureKind, contact_type
from . import leaf_queries as piece_pairs
from . import press_fits
from .bvh_traversal import Near, among
from .contact_regions import Regions, Submerged, regions, submerged
from .directional_depth import exits
from .interference import interference
from .operands import Side, Whole, size_of, slack_of
from .placed import Surfaces
from .region_depths import RegionDepths, rays, region_depths

# Of so many candidates, the deepest, a region keeps its four points.
_CANDIDATES = 64


def contacts(a: Side, b: Surfaces, met: Near, stand: Distances, margin: float) -> Contacts:
    """Contacts of each pair that overlaps or is within `margin`, deepest first; `stand` is how the pairs do."""
    close = stand.distance <= margin + stand.rounding
    close[met.pair] = False
    # What lies wholly inside is of no region.
    close |= piece_pairs.held(a, b, met)
    parts = [_single(a, b, stand, np.flatnonzero(close), margin)]
    if len(met):
        fit = _fits(a, b, met, stand)
        found = _regional(a, b, met.take(~fit[met.pair]), stand, margin)
        # A region that wraps around what slides along it has a longer way out than the pair has.
        most = np.maximum(-stand.distance, 0.0) + 4.0 * stand.rounding
        fit[found.pair[found.depth > most[found.pair]]] = True
        fitted = _fitted(a, b, met, stand, np.flatnonzero(fit))
        bare = np.setdiff1d(np.flatnonzero(fit), np.concatenate([fitted.pair, found.pair]))
        found = Contacts.joined([found, _regional(a, b, met.take(np.isin(met.pair, bare)), stand, margin)])
        parts += [fitted, found.take(np.flatnonzero(~np.isin(found.pair, fitted.pair)))]
    found = Contacts.joined(parts)
    return found.take(np.lexsort((-found.depth, found.pair)))


def _fits(a: Side, b: Surfaces, met: Near, stand: Distances) -> Bools:
    """Which pairs are fits, (P,): met on sides that face each other, and no point is deep in the other."""
    result = press_fits.opposed(a, b, met)
    rows = np.flatnonzero(result & stand.touches())
    if len(rows):
        found = press_fits.touches(a.take(rows), b.take(rows), among(met, rows))
        result[rows] = press_fits.oppose(found.pair, found.normal, len(rows))
    rows = np.flatnonzero(result & ~stand.touches())
    if len(rows):
        level = FIT_SHARE * -stand.distance[rows]
        result[rows] = interference(a.take(rows), b.take(rows), among(met, rows), level=level) <= level
    return result


def _fitted(a: Side, b: Surfaces, met: Near, stand: Distances, rows: Ints) -> Contacts:
    """Up to four contacts for each side on which one of the pair, a fit, meets the other."""
    if not len(rows):
        return Contacts.joined([])
    here_a, here_b, pieces = a.take(rows), b.take(rows), among(met, rows)
    touching = stand.touches()[rows]
    deep = np.flatnonzero(~touching)
    found = press_fits.cuts(here_a.take(deep), here_b.take(deep), among(pieces, deep))
    found = press_fits.Points.joined(
        [replace(found, pair=deep[found.pair]), press_fits.touches(here_a, here_b, pieces.take(touching[pieces.pair]))]
    )
    patch = press_fits.patches(found.pair, found.normal)
    pair = np.zeros(int(patch.max(initial=-1)) + 1, dtype=np.int64)
    pair[patch] = found.pair
    total = np.zeros((len(pair), 3))
    np.add.at(total, patch, found.normal)
    rows_of = _Rows(patch, found.point, found.depth, found.feature_a, found.feature_b)
    return _chosen(rows[pair], normalized(total, np.zeros(3)), rows_of, 0.0)


def _single(a: Side, b: Surfaces, stand: Distances, rows: Ints, margin: float) -> Contacts:
    """One contact for each of these pairs, between the pieces that decide how the pair stands."""
    depth = -stand.distance[rows]
    shift = np.maximum(depth, 0.0)[:, None] * stand.normal[rows]
    # Of pairs that overlap, the pieces that touch once they are freed.
    freed = a.take(rows), b.take(rows, shift)
    kinds = _deepest(*freed, piece_pairs.nearest(*freed).near())
    return Contacts(
        rows,
        (stand.point_a[rows] + stand.point_b[rows]) / 2.0,
        stand.normal[rows],
        np.maximum(depth, -margin),
        kinds.type,
        kinds.feature_a,
        kinds.feature_b,
    )


def _deepest(a: Side, b: Surfaces, of: Near) -> Contacts:
    """The deepest contact of each of these pairs of pieces, however far apart they are."""
    if not len(of):
        return Contacts.joined([])
    apart = piece_pairs.distances(a, b, of)
    margin = float(np.maximum(apart.distance + 2.0 * apart.rounding, 0.0).max())
    found = piece_pairs.contacts(a, b, of, margin)
    found = found.take(np.unique(found.pair, return_index=True)[1])
    # Contacts are measured by themselves, and may leave out what is as far apart as rounding says.
    bare = np.setdiff1d(np.arange(len(of)), found.pair)
    if not len(bare):
        return found
    made = piece_pairs.separations(a, b, of.take(bare))
    features = [np.where(each < 0, _A_FACE, each) for each in (made.feature_a, made.feature_b)]
    kind = contact_type(features[0][:, 0], features[1][:, 0])
    middle = (apart.point_a + apart.point_b)[bare] / 2.0
    rest = Contacts(bare, middle, apart.normal[bare], -apart.distance[bare], kind, *features)
    return Contacts.joined([found, rest])


_A_FACE = np.array([FeatureKind.FACE, 0])


def _regional(a: Side, b: Surfaces, met: Near, stand: Distances, margin: float) -> Contacts:
    """The contacts of all regions."""
    if not len(met):
        return Contacts.joined([])
    found = regions(a, b, met)
    under = submerged(a, b, met, found)
    deep = region_depths(a, b, met, found, under, stand.normal[found.pair])
    if isinstance(a, Whole):
        rows = _of_convex(a, b, met, found, deep.normal, deep.depth)
    else:
        rows = _of_meshes(a, b, met, found, under, deep)
    return _chosen(found.pair, deep.normal, rows, margin)


def _chosen(pair: Ints, normal: Floats, rows: "_Rows", margin: float) -> Contacts:
    """Of each region, whose pair (R,) and normal (R, 3) are given, up to four of the rows."""
    region, order = rows.region, np.lexsort((-rows.depth, rows.region))
    start = np.unique(region[order], return_index=True)[1]
    rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
    kept = rank < _CANDIDATES
    order, rank = order[kept], rank[kept]
    # Every region has a piece that meets, so that regions are numbered through.
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
    """Candidates for contact points, of all regions."""

    region: Ints
    point: Floats
    depth: Floats
    feature_a: Ints
    feature_b: Ints


def _of_meshes(a: Side, b: Surfaces, met: Near, found: Regions, under: Submerged, deep: RegionDepths) -> _Rows:
    """The ends of the ways out of all triangles that cross, of those that part last, and of the submerged vertices."""
    assert isinstance(a, Surfaces)
    normal, last = deep.normal, deep.last
    along, within = normal[found.of], found.pair[last.region]
    slack = slack_of(a, b)[met.pair]
    ends = exits(a.placed(met.pair, met.a), b.placed(met.pair, met.b), along, slack)
    parts = [
        _Rows(
            found.of,
            ends.point - along * (ends.length / 2.0)[:, None],
            ends.length,
            piece_pairs.named(a, met.pair, met.a, ends.feature_p),
            piece_pairs.named(b, met.pair, met.b, ends.feature_q),
        ),
        _Rows(
            last.region,
            last.point - normal[last.region] * (last.length / 2.0)[:, None],
            last.length,
            piece_pairs.named(a, within, last.a, last.feature_a),
            piece_pairs.named(b, within, last.b, last.feature_b),
        ),
    ]
    ways = rays(a, b, found, under, normal)
    for region, ahead in ways:
        of_b = bool(under.of_b.all()) or (len(ways) == 2 and ahead is ways[1][1])
        sign = 1.0 if of_b else -1.0
        vertex = np.stack([np.full(len(region), FeatureKind.VERTEX), ahead.vertex], axis=1)
        face = np.stack([np.full(len(region), FeatureKind.FACE), ahead.triangle], axis=1)
        point = ahead.point + sign * normal[region] * (ahead.distance / 2.0)[:, None]
        parts.append(_Rows(region, point, ahead.distance, *((face, vertex) if of_b else (vertex, face))))
    return _Rows.joined(parts)


def _of_convex(a: Whole, b: Surfaces, met: Near, found: Regions, normal: Floats, depth: Floats) -> _Rows:
    """Where the shape touches the region once the region is moved out of its way, at the level of the normal."""
    shift = depth[:, None] * normal
    here_a, here_b = a.take(found.pair), b.take(found.pair, shift)
    of = Near(found.of, met.a, met.b, met.bound)
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
        touch = piece_pairs.contacts(here_a, here_b, of.take(close), float(level.max()))
        region = found.of[close][touch.pair]
        kept = np.flatnonzero(
            (dot(touch.normal, normal[region]) >= 1.0 - FACE_ALIGNMENT) & (touch.depth >= -level[region])
        )
        region = region[kept]
        point = touch.point[kept] - back[region]
        # Of equals the corners of faces come before the witness, which may lie anywhere between them.
        parts.insert(0, _Rows(region, point, depth[region], touch.feature_a[kept], touch.feature_b[kept]))
    return _Rows.joined(parts)
