# SPDX-License-Identifier: GPL-3.0-or-later
"""A translation that separates a shape (A) and a mesh (B). The result is verified: B is free after the translation.

For one direction, the first free position is found exactly. Two convex pieces that intersect do so until B has moved by
their separating translation along the direction. A vertex inside the other solid stays inside until its ray hits the
surface. So B moves by the longest of these translations. This is repeated until no pieces intersect and no component of
either shape is inside the other (a component may get there on the way). Several directions are tried: the normals of
the intersecting faces, the axes of both shapes, and the separating direction of the convex hulls. None depends on the
axes of the world. Pairs whose extents along one of the shapes' own directions overlap by no more than rounding need no
search. The shortest translation found is returned. For convex solids it is the penetration depth. For other
shapes a shorter one may exist, along a direction that was not tried or along a bent path.

The depth of a contact region is how far B must move along the region's normal to separate it. This is the greatest of
three distances: that of the intersecting pieces, that of the vertices of one mesh inside the other, and that of the
pieces that still intersect after B has moved by the first two (`_last_separations`). The third is needed because the
deepest points may be on two edges whose triangles do not intersect.
"""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ...convex.gjk import separating_gap
from ...convex.polytopes import PolytopeSupport, polytopes
from ...numerics.rows import RowTable, blocks, of_each, smallest_per_group
from ...numerics.tolerances import MESH_PROBE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import Capsules, Cylinders, Kind, Spheres, SupportMapped, Triangles
from ...shapes.support_mapped import Supported
from ..convex_table import EITHER_ORDER
from .bvh_traversal import LeafPairs
from .directional_depth import depths_along, lengths_along
from .intersection import Intersection, Regions, Submerged, rays, region_labels, triangles_at, vertex_names
from .leaf_queries import distances, meeting, penetrating, some_intersecting
from .operands import (
    ConvexRows,
    MeshRows,
    ShapeRows,
    axes_of,
    box_centers,
    extremes,
    hulls_of,
    reaches,
    size_of,
    slack_of,
)
from .ray_casting import contained_components, hits, inside

# Limit on the product of the edge counts of two hulls, up to which the hulls are separated exactly.
_EDGES = 1 << 16
# Number of contact regions per pair that give directions: the largest ones.
_REGIONS = 4


def directions(a: ShapeRows, b: MeshRows, found: Regions) -> tuple[Ints, Floats]:
    """Candidate directions for each pair from both shapes and from the regions: the pair (K,) and the unit vector."""
    row, along = _of_shapes(a, b)
    more, normal, _ = _of_regions(found)
    return np.append(row, more), np.concatenate([along, normal])


def _of_shapes(a: ShapeRows, b: MeshRows) -> tuple[Ints, Floats]:
    """Directions from the convex hulls of both shapes, from their axes and from their boxes' centers."""
    every = np.arange(len(b))
    found = [hull_normals(a, b)]
    for side in (a, b):
        axes = axes_of(side)
        turned = np.einsum("nij,kj->nki", side.bodies.rotation, axes)
        found.append((np.repeat(every, len(axes)), turned.reshape(-1, 3)))
    found.append((every, box_centers(b) - box_centers(a)))
    row, along = (np.concatenate(part) for part in zip(*found, strict=True))
    size = length(along)
    sure = size > 0.0
    return row[sure], along[sure] / size[sure, None]


def hull_normals(a: ShapeRows, b: MeshRows) -> tuple[Ints, Floats]:
    """Normals between the convex hulls of pairs with few hull edges: pairs (K,), normals (K, 3)."""
    first, edges_a = hulls_of(a)
    second, edges_b = hulls_of(b)
    row = np.flatnonzero(edges_a * edges_b <= _EDGES)
    if first is None or second is None or not len(row):
        return row[:0], np.empty((0, 3))
    return row, EITHER_ORDER[first.kind, Kind.HULL].distance(first.take(row), second.take(row)).normal


def _of_regions(found: Regions) -> tuple[Ints, Floats, Bools]:
    """Mean normals of both shapes in the largest contact regions, and the opposite directions: pairs and directions.

    Also which ones are outward normals of A, inward ones of B, or their mean, in the largest region of a pair. Along
    these, `contacts` separates that region.
    """
    size = -found.count.astype(np.float64)
    largest, first = (smallest_per_group(found.pair, size, most) for most in (_REGIONS, 1))
    both = normalized(found.normal_a - found.normal_b, np.zeros(3))
    outward = [found.normal_a, -found.normal_b, both]
    inward = [-found.normal_a, found.normal_b]
    along = np.concatenate([normal[largest] for normal in outward + inward])
    own = np.isin(largest, first)
    own = np.append(np.tile(own, 3), np.zeros(2 * len(own), dtype=bool))
    size = length(along)
    sure = size > 0.0
    return np.tile(found.pair[largest], 5)[sure], along[sure] / size[sure, None], own[sure]


# Steps until the best translation found so far is returned. The one that separates the extents is always valid.
_MOST_STEPS = 96
# Directions of each pair that are continued in one step.
_AT_A_TIME = 2
# Limit on directions times intersecting pieces per pair. Steps on many pieces are expensive, and the first directions
# are good.
_WORK = 1 << 10
# Submerged vertices of each mesh that are considered along each direction before the first step, those of them whose
# rays are cast, and the directions that are processed together.
_MOST_VERTICES, _FIRST_RAYS, _PROBLEMS = 64, 4, 1 << 12
# Pieces of each pair that are tested first for one that penetrates.
_FIRST = 4
# Newton steps towards the end of a separating translation. The gap is convex along the direction; three usually do.
_STEPS = 12


@dataclass(frozen=True)
class Translation:
    """A separating translation of each pair.

    Attributes
    ----------
    length : (P,) float64
        At least zero.
    direction : (P, 3) float64
        Unit. B translated by ``length * direction`` at most touches A.
    """

    length: Floats
    direction: Floats


def separating_translation(a: ShapeRows, b: MeshRows, intersection: Intersection) -> Translation:
    """Find a separating translation for each pair. The pairs overlap."""
    row, along = _of_shapes(a, b)
    whole = reaches(a, row, along) + reaches(b, row, -along)
    best, chosen = np.full(len(b), np.inf), np.zeros((len(b), 3))
    _improve(best, chosen, row, along, whole)
    # Most touching pairs are decided here: their extents only touch.
    rest = np.flatnonzero(best > slack_of(a, b))
    if len(rest):
        kept = np.isin(row, rest)
        known = np.searchsorted(rest, row[kept]), along[kept], whole[kept]
        # Contacts ask for the regions and the submerged vertices of all pairs.
        intersection.submerged(a, b)
        part = _shortest(a.take(rest), b.take(rest), intersection.take(rest), *known)
        best[rest], chosen[rest] = part.length, part.direction
    return Translation(best, chosen)


def _improve(best: Floats, chosen: Floats, row: Ints, along: Floats, way: Floats) -> None:
    """Write free translations of rows (K,) where they are shorter than the `best` ones (P,), in place."""
    # If an index is repeated, the last value written remains: the first of the shortest ones.
    order = np.argsort(way, kind="stable")[::-1]
    order = order[way[order] < best[row[order]]]
    best[row[order]], chosen[row[order]] = np.maximum(way[order], 0.0), along[order]


def _shortest(
    a: ShapeRows, b: MeshRows, intersection: Intersection, row: Ints, along: Floats, whole: Floats
) -> Translation:
    """Find the translations of pairs whose extents overlap by `whole` (K,) along directions (K, 3) of rows (K,)."""
    intersecting, found = intersection.leaves, intersection.regions(a, b)
    more, normal, own = _of_regions(found)
    own = np.append(np.zeros(len(row), dtype=bool), own)
    whole = np.append(whole, reaches(a, more, normal) + reaches(b, more, -normal))
    row, along = np.append(row, more), np.concatenate([along, normal])
    best, chosen = np.full(len(b), np.inf), np.zeros((len(b), 3))
    # The translation that separates the extents of A and B along the direction is always valid.
    _improve(best, chosen, row, along, whole)
    slack = slack_of(a, b)
    way = np.zeros(len(row))
    going = np.union1d(_directions_to_try(a, b, row, whole, intersecting), np.flatnonzero(own))
    if isinstance(a, MeshRows):
        way[going] = _vertex_distances(a, b, intersection.submerged(a, b), found.pair, row[going], along[going])
    fresh = np.ones(len(row), dtype=bool)
    for _ in range(_MOST_STEPS):
        going = going[way[going] < best[row[going]] - slack[row[going]]]
        if not len(going):
            break
        # Continue the directions with the shortest translations. Once one of these is free, most others are discarded.
        now = going[fresh[going] & (way[going] == 0.0)]
        if not len(now):
            now = going[np.sort(smallest_per_group(row[going], way[going], _AT_A_TIME))]
        mine = row[now]
        # Rays first: they are cheap and give long steps.
        step = _support_point_distances(a, b, mine, along[now], way[now])
        here = np.flatnonzero(step <= slack[mine])
        first = fresh[now[here]] & (way[now[here]] == 0.0)
        for some, known in ((here[first], intersecting), (here[~first], None)):
            step[some] = _remaining_distances(a, b, mine[some], along[now[some]], way[now[some]], known)
        fresh[now] = False
        way[now] += step
        free = now[step <= slack[mine]]
        going = np.setdiff1d(going, free, assume_unique=True)
        _improve(best, chosen, row[free], along[free], way[free])
    return Translation(best, chosen)


def _directions_to_try(a: ShapeRows, b: MeshRows, row: Ints, whole: Floats, intersecting: LeafPairs) -> Ints:
    """Indices of the directions to try. If many pieces intersect, these are only the shortest by the extents."""
    most = np.maximum(_WORK // np.maximum(np.bincount(intersecting.pair, minlength=len(b)), 1), 2)
    # If pieces only touch, any direction may need no translation at all, however far the extents overlap along it.
    many = most < np.bincount(row, minlength=len(b))
    asked = intersecting.take(many[intersecting.pair])
    few = asked.take(smallest_per_group(asked.pair, asked.bound, _FIRST))
    for some in (few, asked):
        some = some.take(many[some.pair])
        many[some.pair[penetrating(a, b, some, 4.0 * slack_of(a, b))]] = False
    most[many] = len(row)
    order = np.lexsort((whole, row))
    start = np.searchsorted(row[order], row[order])
    return np.sort(order[np.arange(len(order)) - start < most[row[order]]])


def _remaining_distances(
    a: ShapeRows, b: MeshRows, row: Ints, along: Floats, way: Floats, intersecting: LeafPairs | None
) -> Floats:
    """How much farther B must move after `way`, for each row and direction; 0 if it is free.

    Intersecting pieces decide. If none of them penetrates, components inside the other solid decide.
    """
    result = np.zeros(len(row))
    if not len(row):
        return result
    here_a, here_b = a.take(row), b.take(row, way[:, None] * along)
    slack, rest = slack_of(here_a, here_b), np.arange(len(row))
    if intersecting is None:
        # Only some intersecting pieces are needed as long as there are any.
        some = some_intersecting(here_a, here_b)
        np.maximum.at(result, some.pair, piece_distances(here_a, here_b, some, along[some.pair]))
        rest = np.flatnonzero(result <= slack)
        here_a, here_b, along = here_a.take(rest), here_b.take(rest), along[rest]
    found = meeting(here_a, here_b) if intersecting is None else _of_problems(intersecting, row)
    np.maximum.at(result, rest[found.pair], piece_distances(here_a, here_b, found, along[found.pair]))
    past = np.flatnonzero(result[rest] <= slack[rest])
    result[rest[past]] = _component_distances(
        here_a.take(past), here_b.take(past), along[past], _of_problems(found, past)
    )
    return result


def _component_distances(a: ShapeRows, b: MeshRows, along: Floats, intersecting: LeafPairs) -> Floats:
    """How far B must move along its direction until a point of each contained component has left the other solid."""
    result = np.zeros(len(b))
    of_a, of_b = contained_components(a, b, intersecting, along, MESH_PROBE * size_of(a, b))
    for solid, inner, sign in ((b, of_a, -1.0), (a, of_b, 1.0)):
        if len(inner.row) and not isinstance(solid, ConvexRows):
            ahead = hits(solid, inner.row, inner.point, sign * along[inner.row]).distance
            np.maximum.at(result, inner.row, np.where(np.isfinite(ahead), ahead, 0.0))
    return result


def _support_point_distances(a: ShapeRows, b: MeshRows, row: Ints, along: Floats, way: Floats) -> Floats:
    """How far B must move until its last point has left A, if it is inside A, and likewise for A's last point in B."""
    every = np.arange(len(row))
    here_a, here_b = a.take(row), b.take(row, way[:, None] * along)
    probe = MESH_PROBE * size_of(here_a, here_b)
    if isinstance(here_a, ConvexRows):
        return _exit_distances(here_b, here_a.support_point(every, along), -along, probe)
    tail = here_b.vertices(every, extremes(here_b, every, -along)[1])
    head = here_a.vertices(every, extremes(here_a, every, along)[1])
    return np.maximum(_exit_distances(here_a, tail, along, probe), _exit_distances(here_b, head, -along, probe))


def _exit_distances(surface: MeshRows, point: Floats, along: Floats, probe: Floats) -> Floats:
    """How far each point inside its solid moves until it hits the surface, (K,); 0 outside, and on the surface."""
    row = np.arange(len(point))
    start = point + probe[:, None] * along
    within = np.flatnonzero(inside(surface, row, start))
    result = np.zeros(len(point))
    if len(within):
        ahead = hits(surface, within, start[within], along[within]).distance
        result[within] = np.where(np.isfinite(ahead) & (ahead > probe[within]), ahead + probe[within], 0.0)
    return result


def piece_distances(a: ShapeRows, b: MeshRows, leaves: LeafPairs, along: Floats) -> Floats:
    """How far intersecting pieces of B must move along unit directions (K, 3) to be separated from those of A, (K,)."""
    if not len(leaves):
        return np.zeros(0)
    slack = slack_of(a, b)[leaves.pair]
    if not isinstance(a, ConvexRows):
        return lengths_along(a.placed(leaves.pair, leaves.a), b.placed(leaves.pair, leaves.b), along, slack)
    corners = b.placed(leaves.pair, leaves.b)
    way = np.maximum(a.support_distance(leaves.pair, along) - dot(corners, along[:, None]).min(axis=1), 0.0)
    gap = _Gaps(a, b, leaves, along)
    going = np.flatnonzero(way > slack)
    moved = way.copy()
    for _ in range(_STEPS):
        if not len(going):
            break
        # From the free side: the separating plane gives a lower bound of how far B can move back.
        distance, normal = gap.at(going, moved[going])
        slope = dot(normal, along[going])
        back = distance / np.where(slope > 0.0, slope, 1.0)
        can = (distance > slack[going]) & (slope > 0.0)
        moved[going[can]] = np.maximum(moved[going[can]] - back[can], 0.0)
        going = going[can & (moved[going] > 0.0)]
    return moved


class _Gaps:
    """Distances between convex shapes and triangles that are translated along their directions."""

    def __init__(self, a: ConvexRows, b: MeshRows, leaves: LeafPairs, along: Floats) -> None:
        self.a, self.b, self.of, self.along = a, b, leaves, along
        self.cores: tuple[Supported, PolytopeSupport] | None = None
        # Round shapes have closed forms, which are faster.
        if isinstance(a.shapes, Spheres | Capsules | Cylinders):
            return
        every, origin = np.arange(len(leaves)), a.interior_point()[leaves.pair]
        shapes, corner = a.shapes.take(leaves.pair), b.placed(leaves.pair, leaves.b)
        left: Supported
        if isinstance(shapes, SupportMapped):
            left = shapes.seen_from(origin)
        else:
            left = PolytopeSupport.of(polytopes(shapes).take(every, origin))
        self.cores = left, PolytopeSupport.of(polytopes(Triangles(corner)).take(every, origin))
        self.start = origin - corner.mean(axis=1)

    def at(self, rows: Ints, way: Floats) -> tuple[Floats, Floats]:
        """Distances of these pieces after translations `way` (K,), 0.0 if they intersect, and normals (K, 3)."""
        gone = way[:, None] * self.along[rows]
        if self.cores is not None:
            left, right = self.cores[0].take(rows), self.cores[1].take(rows)
            return separating_gap(left, replace(right, translation=right.translation + gone.T), self.start[rows] - gone)
        part = self.of.take(rows)
        there = LeafPairs(np.arange(len(rows)), part.a, part.b, part.bound)
        found = distances(self.a.take(part.pair), self.b.take(part.pair, gone), there)
        return np.where(found.distance > found.rounding, found.distance, 0.0), found.normal


def _vertex_distances(a: MeshRows, b: MeshRows, under: Submerged, pair: Ints, row: Ints, along: Floats) -> Floats:
    """A lower bound of how far B must move in each row and direction, from the submerged vertices, (K,).

    `pair` (R,) is the pair of each region of the submerged vertices.
    """
    result = np.zeros(len(row))
    order = np.lexsort((under.vertex, under.of_b, pair[under.region]))
    of_pair, of_b, vertex = pair[under.region][order], under.of_b[order], under.vertex[order]
    listed = np.stack([of_pair, of_b, vertex])
    once = np.flatnonzero(np.append(True, (listed[:, 1:] != listed[:, :-1]).any(axis=0))[: len(vertex)])
    mesh = 2 * of_pair[once] + of_b[once]
    start = np.searchsorted(mesh, mesh)
    # Every vertex, or every second one, and so on.
    step = -(-(np.searchsorted(mesh, mesh, side="right") - start) // _MOST_VERTICES)
    kept = once[(np.arange(len(once)) - start) % step == 0]
    of_pair, of_b, vertex = of_pair[kept], of_b[kept], vertex[kept]
    for part in blocks(len(row), _PROBLEMS):
        problem, at = of_each(row[part], of_pair)
        asked = Submerged(problem, vertex[at], of_b[at])
        ahead = rays(a, b, row[part], asked, along[part], _FIRST_RAYS)
        np.maximum.at(result[part], ahead.region, ahead.distance)
    return result


def _of_problems(intersecting: LeafPairs, row: Ints) -> LeafPairs:
    """The intersecting pieces of each problem. `row` (K,) is the pair of each problem."""
    problem, at = of_each(row, intersecting.pair)
    return LeafPairs(problem, intersecting.a[at], intersecting.b[at], intersecting.bound[at])


# Dimensionless: fraction of an expected translation. So far before its end, only pieces that separate last intersect.
_JUST_BEFORE = 1e-3
# Multiple of the rounding error within which two translations are the same.
_SAME = 16.0
# Maximum number of steps for the pieces that still intersect, and of regions per pair. Each step queries whole meshes.
_REGION_STEPS, _MOST_REGIONS = 16, 64


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
    ahead = rays(a, b, found.pair, under.take(usable[under.region]), normal)
    np.maximum.at(result, ahead.region, ahead.distance)
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
    for _ in range(_REGION_STEPS):
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
