# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes (A) against triangle meshes (B): another mesh, or a convex shape against the triangles.

Bounding box trees find the triangles that may intersect.

For each contact region there are a normal, a depth and up to four contact points. The depth of a region is how far B
must move along the region's normal to separate it. The normal is the one with the least depth among the mean normals of
both surfaces and the separating direction of the pair. If a component of one shape is inside the other without
intersecting it, the pair has one additional contact along the separating translation of the pair.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...constants import Verdict
from ...convex.manifold import Patch, reduced
from ...numerics.rows import RowTable, smallest_per_group
from ...numerics.tolerances import FACE_ALIGNMENT, FIT_SHARE, MESH_PROBE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, normalized
from ...results import Contacts, Distances, FeatureKind, Separations, contact_type, contacts_per_margin
from ...shapes import Meshes
from ...shapes.batch import Rows
from ..algorithm import PairAlgorithm
from . import containment, leaf_queries, press_fits, verdicts
from .bvh_traversal import NO_LEAVES, LeafPairs, among
from .directional_depth import depths_along
from .interference import interference
from .intersection import (
    Intersection,
    IntersectionDistances,
    Regions,
    Submerged,
    has_opposed_faces,
    has_opposed_normals,
    intersection_of,
    patches,
    rays,
)
from .operands import Convex, ConvexRows, MeshRows, ShapeRows, reaches, size_of, slack_of
from .orientation import oriented_rows, oriented_side
from .penetration import RegionDepths, Translation, directions, region_depths, separating_translation
from .point_depth import depths_in

# Number of candidates of a region, the deepest ones, from which its four points are chosen.
_CANDIDATES = 64
# Intersecting pieces of a pair whose corners are measured before the whole pair is.
_FEW = 4


class BoundedMesh(PairAlgorithm[Convex | Meshes, Meshes]):
    """Pair queries by bounding box trees over the triangles."""

    def overlap(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether the surfaces intersect, touching included, or one shape is inside the solid of the other, (P,)."""
        return _overlap(*_operands(a, b))

    def classify(self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, clearance: Floats) -> Ints:
        """The verdict on each pair (P,). Distances are not measured, and the interference only where it has to be."""
        first, second = _operands(a, b)
        result = np.full(len(b), int(Verdict.SEPARATED))
        overlaps = _overlap(first, second)
        apart = ~overlaps
        for reach, least, verdict in (
            (touching, 0.0 * touching, Verdict.TOUCHING),
            (clearance, touching, Verdict.WITHIN_CLEARANCE),
        ):
            left = np.flatnonzero(apart & (result == Verdict.SEPARATED) & (reach > least))
            result[left[leaf_queries.any_within(first.take(left), second.take(left), reach[left])]] = verdict
        rows = np.flatnonzero(overlaps)
        level = np.maximum(touching, slack_of(first, second))[rows]
        deep = verdicts.decided(first.take(rows), second.take(rows), level)
        unknown = np.flatnonzero(deep == verdicts.UNKNOWN)
        if len(unknown):
            at = rows[unknown]
            deep[unknown] = self.interference(a.take(at), b.take(at), level[unknown]) > level[unknown]
        result[rows] = np.where(deep == verdicts.DEEP, int(Verdict.PENETRATING), int(Verdict.TOUCHING))
        return result

    def distance(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Distances:
        """Signed distance (P,): the least distance of two pieces, or minus the length of a separating translation."""
        first, second = _operands(a, b)
        intersection = intersection_of(first, second)
        found = _separation(first, second, intersection)[0]
        return IntersectionDistances.of(found, intersection, np.arange(len(b)))

    def separating_axis(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Separations:
        """Best of the tried axes. The gap is that of the convex hulls and may be negative for separated shapes."""
        first, second = _operands(a, b)
        intersection = intersection_of(first, second)
        separation, deciding = _separation(first, second, intersection)
        row, along = directions(first, second, intersection.regions(first, second))
        row, along = np.append(np.arange(len(b)), row), np.concatenate([separation.normal, along])
        gap = -reaches(first, row, along) - reaches(second, row, -along)
        # The normal is listed first. It wins over axes that are better only by rounding.
        gap[len(b) :] -= slack_of(first, second)[row[len(b) :]]
        best = smallest_per_group(row, -gap)
        made = leaf_queries.separations(first, second, deciding.near())
        axis = along[best]
        exact = -reaches(first, np.arange(len(b)), axis) - reaches(second, np.arange(len(b)), -axis)
        return Separations(exact, axis, made.feature_a, made.feature_b)

    def contacts(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four contacts for each contact region, else one at the witness points."""
        first, second = _operands(a, b)
        intersection = intersection_of(first, second, known)
        separation = _separation(first, second, intersection)[0] if known is None else known
        return _contacts(first, second, intersection, separation, margin)

    def interference(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """Interference of each pair (P,). Values up to `touching` (P,) need not be exact."""
        first, second = _operands(a, b)
        # A pair that fits but for rounding has thousands of slivers to search. `least` avoids this search.
        leaves = intersection_of(first, second, known).leaves
        return interference(first, second, leaves, least=touching)

    def farther(self, a: Rows[Convex | Meshes], b: Rows[Meshes], reach: Floats) -> Bools:
        """Whether no two pieces are within `reach` (P,) and neither shape is inside the other, (P,)."""
        return leaf_queries.farther_than(*_operands(a, b), reach)

    def contains(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether A contains all of B, (P,). A surface contains nothing."""
        return containment.contains(*_operands(a, b))

    def contained(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether B contains all of A, (P,)."""
        return containment.contained(*_operands(a, b))


def _overlap(a: ShapeRows, b: MeshRows) -> Bools:
    result = leaf_queries.any_intersecting(a, b)
    rest = np.flatnonzero(~result)
    if len(rest):
        result[rest] = leaf_queries.contains_component(a.take(rest), b.take(rest), NO_LEAVES)
    return result


def _operands(a: Rows[Convex | Meshes], b: Rows[Meshes]) -> tuple[ShapeRows, MeshRows]:
    """All rows of both operands."""
    return oriented_side(a.gathered()), oriented_rows(b.gathered())


def _separation(a: ShapeRows, b: MeshRows, intersection: Intersection) -> tuple[Distances, leaf_queries.ClosestLeaves]:
    """Return the signed distance of each pair, and the pieces that decide it.

    For overlapping pairs these are the pieces that touch after the separating translation.
    """
    count, intersecting = len(b), intersection.leaves
    overlaps = np.zeros(count, dtype=bool)
    overlaps[intersecting.pair] = True
    overlaps |= leaf_queries.contains_component(a, b, intersecting)
    free = Translation(np.zeros(count), np.zeros((count, 3)))
    rows = np.flatnonzero(overlaps)
    if len(rows):
        mine = intersection.take(rows)
        part = separating_translation(a.take(rows), b.take(rows), mine)
        intersection.learn(mine, rows)
        free.length[rows], free.direction[rows] = part.length, part.direction
        held = np.flatnonzero(free.length > 4.0 * slack_of(a, b))
        held = held[has_opposed_faces(a.take(held), b.take(held), among(intersecting, held))]
        if len(held):
            known = Translation(free.length[held], free.direction[held])
            part = press_fits.shortened(a.take(held), b.take(held), intersection.take(held), known)
            free.length[held], free.direction[held] = part.length, part.direction
    shift = free.length[:, None] * free.direction
    decided = leaf_queries.nearest(a, b.take(np.arange(count), shift), overlaps)
    found = decided.found
    result = Distances(
        np.where(overlaps, -free.length, found.distance),
        found.point_a,
        np.where(overlaps[:, None], found.point_a - shift, found.point_b),
        # The normals of separated pairs are recomputed from their witness points.
        np.where(overlaps[:, None], free.direction, normalized(found.point_b - found.point_a, found.normal)),
        np.maximum(found.rounding, 0.0),
    )
    return result, decided


def _contacts(a: ShapeRows, b: MeshRows, intersection: Intersection, separation: Distances, margin: float) -> Contacts:
    """Contacts of each pair that overlaps or is within `margin`, deepest first. `separation`: known distances."""
    intersecting = intersection.leaves
    close = separation.distance <= margin + separation.rounding
    close[intersecting.pair] = False
    # A component that lies completely inside the other body belongs to no region.
    close |= leaf_queries.contains_component(a, b, intersecting)
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
    result = has_opposed_faces(a, b, intersecting)
    # Shapes on different sides of a plane do not hold each other.
    row = np.flatnonzero(result)
    along = separation.normal[row]
    result[row] = reaches(a, row, along) + reaches(b, row, -along) > 4.0 * slack_of(a, b)[row]
    rows = np.flatnonzero(result & separation.touches())
    if len(rows):
        found = press_fits.touching_points(a.take(rows), b.take(rows), among(intersecting, rows))
        result[rows] = has_opposed_normals(found.pair, found.normal, len(rows))
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
    patch = patches(found.pair, found.normal)
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
    kinds = _deepest(*freed, leaf_queries.nearest(*freed).near())
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
    apart = leaf_queries.distances(a, b, leaves)
    found = contacts_per_margin(
        lambda some, most: leaf_queries.contacts(a, b, leaves.take(some), most),
        np.maximum(apart.distance + 2.0 * apart.rounding, 0.0),
    )
    found = found.take(np.unique(found.pair, return_index=True)[1])
    # Contacts have their own rounding errors. They may be missing for pieces at the limit of the margin.
    bare = np.setdiff1d(np.arange(len(leaves)), found.pair)
    if not len(bare):
        return found
    made = leaf_queries.separations(a, b, leaves.take(bare))
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
            leaf_queries.mesh_features(a, intersecting.pair, intersecting.a, ends.feature_p),
            leaf_queries.mesh_features(b, intersecting.pair, intersecting.b, ends.feature_q),
        ),
        _Rows(
            last.region,
            last.point - normal[last.region] * (last.length / 2.0)[:, None],
            last.length,
            leaf_queries.mesh_features(a, within, last.a, last.feature_a),
            leaf_queries.mesh_features(b, within, last.b, last.feature_b),
        ),
    ]
    ahead = rays(a, b, found.pair, under, normal)
    of_b = ahead.of_b[:, None]
    vertex = np.stack([np.full(len(ahead), FeatureKind.VERTEX), ahead.vertex], axis=1)
    face = np.stack([np.full(len(ahead), FeatureKind.FACE), ahead.triangle], axis=1)
    point = ahead.point + np.where(of_b, 1.0, -1.0) * normal[ahead.region] * (ahead.distance / 2.0)[:, None]
    features = np.where(of_b, face, vertex), np.where(of_b, vertex, face)
    parts.append(_Rows(ahead.region, point, ahead.distance, *features))
    return _Rows.joined(parts)


def _of_convex(
    a: ConvexRows, b: MeshRows, intersecting: LeafPairs, found: Regions, normal: Floats, depth: Floats
) -> _Rows:
    """Candidates where the shape touches the region after the region has moved by its depth."""
    shift = depth[:, None] * normal
    here_a, here_b = a.take(found.pair), b.take(found.pair, shift)
    of = LeafPairs(found.of, intersecting.a, intersecting.b, intersecting.bound)
    apart = leaf_queries.distances(here_a, here_b, of)
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
            lambda some, most: leaf_queries.contacts(here_a, here_b, of.take(close[some]), most), level[found.of[close]]
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
