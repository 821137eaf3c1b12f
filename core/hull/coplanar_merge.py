# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of hulls as polygons: without vertices that protrude by no more than rounding, or coplanar triangles.

Points that are computed to be on a plane or a line are there only to rounding. Exact arithmetic turns this noise into
vertices and slivers. For each vertex, the height above its neighbors along the mean of the normals around it is an
upper bound of its distance from the hull of all others. Vertices within rounding are excluded, and the hull is rebuilt
exactly from the rest. Excluded points that are then more than rounding above a facet are inserted again. This is
repeated until no vertex is left to try. The smallest hull is returned.

Two triangles are coplanar if the tetrahedron of their four corners is thinner than rounding. This measure does not
depend on the diagonal between the four corners, and is robust for slivers. Triangles connected through such edges are
merged to a face if they are flat together, have a single outline and turn left at each of its corners. No vertex may be
left with fewer than three faces, and no two faces may have two edges in common. Regions that fail are left as
triangles: the hull is still correct.

For a flat set, a solid is built: its coordinates in its plane are rounded to the grid, and an apex is added above the
plane. The neighbors of the apex in the hull of the solid are the outline of the set.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..numerics.rows import connected_components, cyclic_successors
from ..numerics.tolerances import HULL_CORNER
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross
from .quickhull import (
    GRID_BITS,
    SimplicialHulls,
    accurate_cross,
    dot,
    run_starts,
    scrambled_priority,
    simplicial_hulls,
    spanning_simplices,
    unit_normals,
)

ATTEMPTS = (1, 16)
"""Least and greatest number of times that a hull is rebuilt to remove vertices."""

VERTICES_REBUILT = 1 << 17
"""Approximate limit on the total number of vertices over all rebuilds, because large hulls are slow."""


def directed_edges(hulls: SimplicialHulls) -> tuple[Ints, Ints]:
    """Tail and head of every edge, once in each direction, as stored by its two facets."""
    return hulls.corners.ravel(), hulls.corners[:, [1, 2, 0]].ravel()


def _redundant(points: Floats, hulls: SimplicialHulls, rounding: Floats) -> Bools:
    """Vertices that protrude by no more than rounding, or are within rounding of a neighbor with a lower index."""
    normal = np.empty((len(points), 3))
    for axis in range(3):
        normal[:, axis] = np.bincount(hulls.corners.ravel(), np.repeat(hulls.normals[:, axis], 3), len(points))
    length = np.sqrt(dot(normal, normal))
    tail, head = directed_edges(hulls)
    edge = points[tail] - points[head]
    short = dot(edge, edge) <= rounding[tail] ** 2
    low = dot(edge, normal[tail]) <= rounding[tail] * length[tail]
    redundant = np.zeros(len(points), np.bool_)
    redundant[tail[np.where(short, head < tail, low)]] = True
    return redundant


def _independent(hulls: SimplicialHulls, scrambled: Ints, chosen: Bools) -> Bools:
    """A large subset of the chosen vertices in which no two are neighbors."""
    rank = np.where(chosen, scrambled, -1)
    highest = np.full(len(chosen), -1, np.int64)
    tail, head = directed_edges(hulls)
    np.maximum.at(highest, tail, rank[head])
    return chosen & (rank > highest)


def remove_noise(points: Floats, start: Ints, rounding: Floats, hulls: SimplicialHulls) -> SimplicialHulls:
    """Rebuild hulls without the vertices that protrude by no more than rounding.

    Parameters
    ----------
    points, start
        As for `simplicial_hulls`.
    rounding : (H,) float64
        In grid steps.
    hulls : SimplicialHulls
        The exact hulls of the points.

    Returns
    -------
    SimplicialHulls
        Hulls of a subset of the vertices. Their `offset_slack`, for the excluded points, is at most the rounding.
    """
    sets = len(rounding)
    point_set = np.repeat(np.arange(sets, dtype=np.int64), np.diff(start))
    redundant = _redundant(points, hulls, rounding[point_set])
    if not redundant.any():
        return hulls
    scrambled = scrambled_priority(start)
    used = np.zeros(len(points), np.bool_)
    used[hulls.corners] = True
    keep = used & ~redundant
    open_sets = np.unique(point_set[redundant])
    collapsed = np.zeros(sets, np.bool_)
    collapsed[open_sets] = ~_spans_space(points, start, rounding, keep, open_sets)
    keep = np.where(collapsed[point_set], used & ~_independent(hulls, scrambled, redundant), keep)

    size = np.add.reduceat(used, start[:-1], dtype=np.int64)
    attempts = np.clip(VERTICES_REBUILT // size, *ATTEMPTS)
    needed = np.zeros(len(points), np.bool_)
    versions, version_of = [hulls], np.zeros(sets, np.int64)
    while True:
        open_sets = open_sets[attempts[open_sets] >= len(versions)]
        open_sets = open_sets[_spans_space(points, start, rounding, keep, open_sets)]
        if not len(open_sets):
            return _select_versions(versions, version_of, point_set)
        kept, starts = _members(keep, start, open_sets)
        _, simplex = spanning_simplices(points[kept], starts, rounding[open_sets])
        chosen, starts = _members(used, start, open_sets)
        simplex = np.searchsorted(chosen, kept[simplex])
        built = simplicial_hulls(points[chosen], starts, simplex, ~keep[chosen], rounding[open_sets])
        built = replace(built, corners=chosen[built.corners])

        remains = np.zeros(len(points), np.bool_)
        remains[built.corners] = True
        new_size = np.add.reduceat(remains, start[:-1], dtype=np.int64)
        smaller = open_sets[new_size[open_sets] < size[open_sets]]
        size[smaller] = new_size[smaller]
        version_of[smaller] = len(versions)
        versions.append(built)

        # Vertices that were hidden by their neighbors may now be redundant. Inserted vertices are not tried again.
        needed |= remains & ~keep
        redundant = _redundant(points, built, rounding[point_set]) & ~needed
        keep = remains & ~_independent(built, scrambled, redundant)
        open_sets = open_sets[np.logical_or.reduceat(redundant, start[:-1])[open_sets]]


def _spans_space(points: Floats, start: Ints, rounding: Floats, keep: Bools, sets: Ints) -> Bools:
    """Whether the kept points of some sets span space."""
    if not len(sets):
        return np.zeros(0, np.bool_)
    result: Bools = np.add.reduceat(keep, start[:-1], dtype=np.int64)[sets] >= 4
    if result.any():
        chosen, starts = _members(keep, start, sets[result])
        result[result] = spanning_simplices(points[chosen], starts, rounding[sets[result]])[0] == 3
    return result


def _members(keep: Bools, start: Ints, sets: Ints) -> tuple[Ints, Ints]:
    """The kept points of some sets, and the start of each set among them."""
    wanted = np.zeros(len(start) - 1, np.bool_)
    wanted[sets] = True
    chosen = np.flatnonzero(keep & np.repeat(wanted, np.diff(start)))
    return chosen, np.append(np.searchsorted(chosen, start[sets]), len(chosen))


def _select_versions(versions: list[SimplicialHulls], version_of: Ints, point_set: Ints) -> SimplicialHulls:
    """The selected version of the hull of each set, in the order of the sets."""
    corners = np.concatenate([one.corners for one in versions])
    lengths = [len(one.corners) for one in versions]
    version = np.repeat(np.arange(len(versions), dtype=np.int64), lengths)
    offset = np.cumsum(lengths) - lengths
    neighbors = np.concatenate([one.neighbors for one in versions]) + offset[version][:, None]
    owner = point_set[corners[:, 0]]
    chosen = np.flatnonzero(version == version_of[owner])
    chosen = chosen[np.argsort(owner[chosen], kind="stable")]
    position = np.empty(len(corners), np.int64)
    position[chosen] = np.arange(len(chosen), dtype=np.int64)
    return SimplicialHulls(
        corners[chosen],
        position[neighbors[chosen]],
        np.concatenate([one.normals for one in versions])[chosen],
        np.concatenate([one.offset_slack for one in versions])[chosen],
    )


@dataclass(frozen=True)
class PolygonSurfaces:
    """The faces of many point sets.

    Attributes
    ----------
    tail : (C,) int64
        The corners of all faces in their order around them, counterclockwise seen from outside.
    count : (F,) int64
        Number of corners of each face.
    normals : (F, 3) float64
        Unit, outward.
    offset_slack : (F,) float64
        Greatest height of points above the highest corner of each face, in grid steps.
    owner : (F,) int64
        The point set of each face.
    """

    tail: Ints
    count: Ints
    normals: Floats
    offset_slack: Floats
    owner: Ints


def _coplanar_edges(points: Floats, hulls: SimplicialHulls, areas: Floats, rounding: Floats) -> tuple[Ints, Ints]:
    """Pairs of neighboring facets whose corners are coplanar within rounding."""
    facet, side = np.nonzero(hulls.neighbors > np.arange(len(hulls.corners), dtype=np.int64)[:, None])
    other = hulls.neighbors[facet, side]
    start = hulls.corners[facet, side]
    end = hulls.corners[facet, (side + 1) % 3]
    apex = hulls.corners[facet, (side + 2) % 3]
    # The edge's two corners belong to both triangles, so subtracting them from the sum leaves the third corner.
    other_apex = hulls.corners[other].sum(axis=1) - start - end
    swap = areas[other] > areas[facet]
    base, tip = np.where(swap, other, facet), np.where(swap, apex, other_apex)
    volume = -dot(points[tip] - points[start], hulls.normals[base]) * areas[base]
    along, opposite = points[end] - points[start], points[other_apex] - points[apex]
    limit = rounding[facet]
    # The thickness is six times the volume divided by the greatest projected area of the four corners. An upper bound
    # of that area rejects most edges.
    thin = np.flatnonzero(
        volume <= limit * np.maximum(areas[base], np.sqrt(dot(along, along) * dot(opposite, opposite)))
    )
    shown = cross(along[thin], opposite[thin])
    thin = thin[volume[thin] <= limit[thin] * np.maximum(areas[base[thin]], np.sqrt(dot(shown, shown)))]
    return facet[thin], other[thin]


def _next_half_edge(tail: Ints, head: Ints, face: Ints, size: int) -> Ints:
    """For each half edge, the next one around the same face."""
    key = face * size + tail
    order = np.argsort(key, kind="stable")
    following: Ints = order[np.searchsorted(key[order], face * size + head)]
    return following


class _RegionMerger:
    """Regions of coplanar facets, and tests of whether they can be merged."""

    def __init__(self, points: Floats, hulls: SimplicialHulls, areas: Floats, rounding: Floats) -> None:
        self.points, self.hulls, self.areas, self.rounding = points, hulls, areas, rounding

    def normals(self, label: Ints) -> Floats:
        """Unit normal of each region, indexed by label. Single facets keep their normals."""
        merged = np.bincount(label, minlength=len(label))[label] > 1
        total = np.empty((len(label), 3))
        for axis in range(3):
            total[:, axis] = np.bincount(label[merged], (self.hulls.normals[:, axis] * self.areas)[merged], len(label))
        length = np.sqrt(dot(total, total))
        single = length == 0.0
        length[single] = 1.0
        result: Floats = np.where(single[:, None], self.hulls.normals, total / length[:, None])
        return result

    def border(self, label: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """The half edges between regions: tail, head, region and the region across."""
        beyond = label[self.hulls.neighbors]
        facet, side = np.nonzero(beyond != label[:, None])
        corners = self.hulls.corners
        return corners[facet, side], corners[facet, (side + 1) % 3], label[facet], beyond[facet, side]

    def offset_slacks(self, label: Ints) -> Floats:
        """Greatest height of points above the highest corner of each region, indexed by label.

        The normal of a region is a weighted sum of the normals of its facets, so no point is farther along it than the
        same weighted sum of their offsets.
        """
        count = len(label)
        corners, facet_normals = self.hulls.corners, self.hulls.normals
        normal = self.normals(label)
        origin = self.points[corners[:, 0]]
        offset = dot(origin - origin[label], facet_normals) + self.hulls.offset_slack
        along = np.bincount(label, self.areas * dot(facet_normals, normal[label]), count)[label]
        limit = np.bincount(label, self.areas / along * offset, count)
        tail, _, region, _ = self.border(label)
        highest = np.full(count, -np.inf)
        np.maximum.at(highest, region, dot(self.points[tail] - origin[region], normal[region]))
        offset_slack: Floats = limit - highest
        return offset_slack

    def invalid_regions(self, label: Ints) -> Bools:
        """Regions of several facets that are not flat convex polygons, indexed by label."""
        count = len(label)
        triangles = np.bincount(label, minlength=count)
        merged = triangles > 1
        facet = np.flatnonzero(merged[label])
        region, corner = np.repeat(label[facet], 3), self.hulls.corners[facet].ravel()
        normal = self.normals(label)
        height = dot(self.points[corner] - self.points[self.hulls.corners[region, 0]], normal[region])
        highest, lowest = np.zeros(count), np.zeros(count)
        np.maximum.at(highest, region, height)
        np.minimum.at(lowest, region, height)
        bad = highest - lowest > 2.0 * self.rounding

        size = len(self.points)
        vertices = np.bincount(np.unique(region * size + corner) // size, minlength=count)
        tail, head, region, _ = self.border(label)
        inside = merged[region]
        tail, head, region = tail[inside], head[inside], region[inside]
        sides = np.bincount(region, minlength=count)
        # A disk has Euler characteristic one. If one half edge leaves each corner, its outline is a single polygon.
        bad |= 2 * (vertices + triangles) - (3 * triangles + sides) != 2
        repeated, times = np.unique(region * size + tail, return_counts=True)
        bad[(repeated // size)[times > 1]] = True
        following = _next_half_edge(tail, head, region, size)
        before = self.points[head] - self.points[tail]
        after = before[following]
        turn = dot(accurate_cross(before, after), normal[region])
        longer = np.sqrt(np.maximum(dot(before, before), dot(after, after)))
        bad[region[turn <= HULL_CORNER * self.rounding[region] * longer]] = True
        return bad & merged

    def invalid_adjacencies(self, label: Ints) -> Bools:
        """Regions of several facets that share two edges, or a vertex with only two faces, with another region."""
        count = len(label)
        _, _, region, beyond = self.border(label)
        merged: Bools = np.bincount(label, minlength=count) > 1
        # At a vertex with only two faces, two edges are between the same two faces.
        pairs, times = np.unique((region * count + beyond)[merged[region]], return_counts=True)
        bad = np.zeros(count, np.bool_)
        bad[pairs[times > 1] // count] = True
        return bad


def merge_coplanar(points: Floats, hulls: SimplicialHulls, owner: Ints, rounding: Floats) -> PolygonSurfaces:
    """Merge coplanar facets into polygons.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points.
    hulls : SimplicialHulls
    owner : (T,) int64
        The point set of each facet.
    rounding : (T,) float64
        For each facet, in grid steps.

    Returns
    -------
    PolygonSurfaces
        Each is convex, and flat within twice the rounding. Together they are closed surfaces.
    """
    areas = unit_normals(points, hulls.corners)[1]
    singles = np.arange(len(areas), dtype=np.int64)
    first, second = _coplanar_edges(points, hulls, areas, rounding)
    if not len(first):
        count = np.full(len(areas), 3)
        return PolygonSurfaces(hulls.corners.ravel(), count, hulls.normals, hulls.offset_slack, owner)
    label = connected_components(len(areas), first, second)
    merging = _RegionMerger(points, hulls, areas, rounding)
    label = np.where(merging.invalid_regions(label)[label], singles, label)
    while (bad := merging.invalid_adjacencies(label)).any():
        label = np.where(bad[label], singles, label)

    size = np.bincount(label, minlength=len(areas))
    single = np.flatnonzero(size[label] == 1)
    tail, head, region, _ = merging.border(label)
    outline = size[region] > 1
    used, face = np.unique(region[outline], return_inverse=True)
    tail, _, face = sort_around_faces(tail[outline], head[outline], face.reshape(-1), len(points))
    return PolygonSurfaces(
        np.concatenate((hulls.corners[single].ravel(), tail)),
        np.concatenate((np.full(len(single), 3), np.bincount(face))),
        np.concatenate((hulls.normals[single], merging.normals(label)[used])),
        np.concatenate((hulls.offset_slack[single], merging.offset_slacks(label)[used])),
        np.concatenate((owner[single], owner[used])),
    )


def sort_around_faces(tail: Ints, head: Ints, face: Ints, size: int) -> tuple[Ints, Ints, Ints]:
    """Sort half edges around their faces, by list ranking with pointer doubling: tail, head and face."""
    order = np.argsort(face, kind="stable")
    tail, head, face = tail[order], head[order], face[order]
    count = np.bincount(face)
    first = np.cumsum(count) - count
    following = _next_half_edge(tail, head, face, size)
    last = following == first[face]
    following = np.where(last, np.arange(len(face), dtype=np.int64), following)
    remaining = np.where(last, 0, 1)
    while True:
        further = remaining[following]
        if not further.any():
            break
        remaining = remaining + further
        following = following[following]
    sequence = np.empty(len(face), np.int64)
    sequence[first[face] + count[face] - 1 - remaining] = np.arange(len(face), dtype=np.int64)
    return tail[sequence], head[sequence], face


def polygon_surfaces(points: Floats, start: Ints, rounding: Floats, dimension: Ints, simplex: Ints) -> PolygonSurfaces:
    """Find the faces of point sets of two and three dimensions.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all sets, one set after another, without duplicates.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    rounding : (H,) float64
        In grid steps.
    dimension, simplex
        Results of `spanning_simplices`. Sets of fewer than two dimensions have no faces.
    """
    parts = []
    for wanted, build in ((2, _flat_surfaces), (3, _solid_surfaces)):
        sets = np.flatnonzero(dimension == wanted)
        if not len(sets):
            continue
        first = run_starts(np.diff(start)[sets])
        shift = np.repeat(start[sets] - first[:-1], np.diff(first))
        source = np.arange(len(shift), dtype=np.int64) + shift
        corners = simplex[sets] - (start[sets] - first[:-1])[:, None]
        part = build(points[source], first, rounding[sets], corners)
        parts.append(PolygonSurfaces(source[part.tail], part.count, part.normals, part.offset_slack, sets[part.owner]))
    if not parts:
        none = np.empty(0, np.int64)
        return PolygonSurfaces(none, none, np.empty((0, 3)), np.empty(0), none)
    return PolygonSurfaces(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in PolygonSurfaces.__dataclass_fields__)
    )


def _solid_surfaces(points: Floats, start: Ints, rounding: Floats, simplex: Ints) -> PolygonSurfaces:
    hulls = remove_noise(points, start, rounding, simplicial_hulls(points, start, simplex))
    owner = np.repeat(np.arange(len(rounding), dtype=np.int64), np.diff(start))[hulls.corners[:, 0]]
    return merge_coplanar(points, hulls, owner, rounding[owner])


def _flat_surfaces(points: Floats, start: Ints, rounding: Floats, simplex: Ints) -> PolygonSurfaces:
    sets = len(rounding)
    owner = np.repeat(np.arange(sets, dtype=np.int64), np.diff(start))
    base = points[simplex[:, :3]]
    normal = accurate_cross(base[:, 1] - base[:, 0], base[:, 2] - base[:, 0])
    normal /= np.sqrt(dot(normal, normal))[:, None]
    first_axis = cross(normal, np.eye(3)[np.argmin(np.abs(normal), axis=1)])
    first_axis /= np.sqrt(dot(first_axis, first_axis))[:, None]
    second_axis = cross(normal, first_axis)
    offset = points - base[owner, 0]
    across, along = dot(offset, first_axis[owner]), dot(offset, second_axis[owner])
    # Diagonals can exceed the width of the grid. Shrink coordinates outside the exact range by a power of two.
    reach = np.maximum.reduceat(np.maximum(np.abs(across), np.abs(along)), start[:-1])
    shrink = np.ldexp(1.0, np.minimum(GRID_BITS - np.frexp(reach)[1], 0))

    # Each set is followed by its apex, whose height is the width of the triangle.
    first = start + np.arange(sets + 1, dtype=np.int64)
    apex = first[1:] - 1
    raised = np.zeros((first[-1], 3))
    row = np.arange(len(points), dtype=np.int64) + owner
    raised[row, 0] = np.rint(across * shrink[owner])
    raised[row, 1] = np.rint(along * shrink[owner])
    corners = np.concatenate((simplex[:, :3] + np.arange(sets, dtype=np.int64)[:, None], apex[:, None]), axis=1)
    flattened = raised[corners[:, :3]]
    raised[apex] = np.rint(flattened.mean(axis=1))
    raised[apex, 2] = np.abs(flattened).max(axis=(1, 2))
    rounding = rounding * shrink

    hulls = remove_noise(raised, first, rounding, simplicial_hulls(raised, first, corners))
    is_apex = np.zeros(len(raised), np.bool_)
    is_apex[apex] = True
    facet, side = np.nonzero(is_apex[hulls.corners])
    tail, head = hulls.corners[facet, (side + 1) % 3], hulls.corners[facet, (side + 2) % 3]
    raised_owner = np.repeat(np.arange(sets, dtype=np.int64), np.diff(first))
    tail, head, face = sort_around_faces(tail, head, raised_owner[tail], len(raised))
    before = np.empty_like(tail)
    before[cyclic_successors(np.bincount(face))] = tail
    turn = accurate_cross(raised[tail] - raised[before], raised[head] - raised[tail])
    corner = turn[:, 2] > 0.0  # exact: points on a straight line are not vertices
    face = face[corner]
    tail = tail[corner] - face

    # Heights of points above the highest corner, on both sides.
    height = dot(offset, normal[owner])
    count = np.bincount(face)
    first_corner = np.cumsum(count) - count
    above = np.maximum.reduceat(height, start[:-1]) - np.maximum.reduceat(height[tail], first_corner)
    below = np.minimum.reduceat(height[tail], first_corner) - np.minimum.reduceat(height, start[:-1])

    both = np.concatenate((2 * face, 2 * face[::-1] + 1))
    return PolygonSurfaces(
        np.concatenate((tail, tail[::-1]))[np.argsort(both, kind="stable")],
        np.repeat(count, 2),
        np.stack((normal, -normal), axis=1).reshape(-1, 3),
        np.stack((above, below), axis=1).ravel(),
        np.repeat(np.arange(sets, dtype=np.int64), 2),
    )
