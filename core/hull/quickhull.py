# SPDX-License-Identifier: GPL-3.0-or-later
"""Quickhull (Barber, Dobkin and Huhdanpaa 1996) of many point sets at once, on an integer grid with exact predicates.

Points are scaled by a power of two so that the largest coordinate is between 2^51 and 2^52, and rounded to integers
that are stored as float64. A grid step is one to two units in the last place of the largest coordinate, so this
rounding is that of the coordinates themselves. Differences of points are then exact in float64, and a determinant of
such differences is a Python integer of at most 162 bits. The side of a plane on which a point lies is therefore always
certain, for any scale and offset of the input. The dimension of a point set is determined within rounding, and a large
initial simplex is found for each set.

The hull of each set is simplicial, and the facets of all hulls are in one list. In each round, each facet with points
above it proposes its farthest point. For each proposed point, the facets that it sees are found by flood fill. Points
whose regions neither overlap nor share an edge are inserted together. This is valid because the facets that a point
sees are connected: a point that sees no facet next to the region of another point sees none of that point's new facets.
Each round inserts at least one point into every unfinished hull and, in large hulls, covers a large part of the
surface.

Points can also be excluded. They are assigned to facets like the others, but inserted at the end only if they are too
far above a facet. For the remaining excluded points, the facets that they are above, and their heights, are then known
without comparing all points with all facets.

Signs are exact and visibility is strict: a point in the plane of a facet does not see it. New triangles are therefore
never degenerate, since a point strictly above the visible facet at an edge is not on the line of that edge. Facets may
be coplanar with their neighbors, and vertices may be on edges or inside faces.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.rows import ragged_arange, ragged_blocks
from ..numerics.tolerances import HULL_HEIGHT_ERROR, HULL_ROUNDING, HULL_SINGLE_ROUNDING
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import two_product

GRID_BITS = 52
"""The largest coordinate is below 2^52 grid steps, so that differences stay within the 53 bits of float64."""

SMALLEST_EXPONENT = -960
"""Lower limit of the exponent of the largest coordinate, so that a grid step is a normal float64 number."""


def grid_exponent(points: Floats) -> int:
    """Exponent of a grid step for these points, which is a power of two in their unit."""
    return max(int(np.frexp(np.abs(points).max())[1]), SMALLEST_EXPONENT) - GRID_BITS


def run_starts(lengths: Ints) -> Ints:
    """Start of each of consecutive runs with these lengths, and the end of the last."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


def grid_points(points: Floats, first: Ints, exponent: NDArray[np.int32]) -> tuple[Floats, Ints, Ints]:
    """Round points to grid steps. The order of the input does not matter for the result.

    Parameters
    ----------
    points : (n, d) float64
        Set h is ``points[first[h]:first[h + 1]]``.
    first : (H + 1,) int64
    exponent : (H,) int32
        Of a grid step of each set.

    Returns
    -------
    distinct : (m, d) float64
        One set after another, each in lexicographic order without duplicates.
    index : (m,) int64
        Rows of `points`. Of points that coincide, the lowest.
    start : (H + 1,) int64
        Where each set starts in `distinct`.
    """
    owner = np.repeat(np.arange(len(exponent), dtype=np.int64), np.diff(first))
    grid = np.rint(np.ldexp(points, -exponent[owner][:, None]))
    order = np.lexsort((*grid.T[::-1], owner))
    ordered = grid[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    fresh[first[1:-1]] = True
    index = order[fresh]
    return ordered[fresh], index, run_starts(np.bincount(owner[index], minlength=len(exponent)))


def rounding_in_steps(dtype: np.dtype[Any]) -> float:
    """Number of grid steps that count as rounding for points of a type.

    float32 and float16 coordinates contain the rounding of their type, which is added.
    """
    if dtype.kind == "f" and dtype.itemsize < 8:
        return HULL_ROUNDING + HULL_SINGLE_ROUNDING * float(np.finfo(dtype).eps) * 2.0**GRID_BITS
    return HULL_ROUNDING


def dot(a: Floats, b: Floats) -> Floats:
    """Inner products of rows, added in a fixed order. The order of einsum depends on the memory layout.

    A hull must be the same whether it is built alone or with others.
    """
    terms = a * b
    total: Floats = terms[:, 0] + terms[:, 1]
    total += terms[:, 2]
    return total


def accurate_cross(a: Floats, b: Floats) -> Floats:
    """Cross product whose components are accurate to a few ulp despite cancellation.

    Normals of needles and slivers are therefore as accurate as those of other triangles.
    """
    following, preceding = [1, 2, 0], [2, 0, 1]
    a1, b1, a2, b2 = a[:, following], b[:, preceding], a[:, preceding], b[:, following]
    (first, first_error), (second, second_error) = two_product(a1, b1), two_product(a2, b2)
    result: Floats = (first - second) + (first_error - second_error)
    return result


def unit_normals(points: Floats, corners: Ints) -> tuple[Floats, Floats]:
    """Unit normals (T, 3) of triangles of grid points, and twice their areas (T,) in squared grid steps.

    The corners (T, 3) are not collinear, and counterclockwise as seen from the side that the normal points to.
    """
    origin = points.take(corners[:, 0], axis=0)
    cross = accurate_cross(points.take(corners[:, 1], axis=0) - origin, points.take(corners[:, 2], axis=0) - origin)
    length = np.sqrt(dot(cross, cross))
    return cross / length[:, None], length


def exactly_above(points: Floats, corners: Ints, point: Ints) -> Bools:
    """Whether each grid point (m,) is strictly above the plane of its triangle (m, 3), in integer arithmetic."""
    origin = points[corners[:, 0]]
    a, b, p = (
        (points[index] - origin).astype(np.int64).astype(object).T for index in (corners[:, 1], corners[:, 2], point)
    )
    determinant: NDArray[np.object_] = (
        p[0] * (a[1] * b[2] - a[2] * b[1]) + p[1] * (a[2] * b[0] - a[0] * b[2]) + p[2] * (a[0] * b[1] - a[1] * b[0])
    )
    above: Bools = (determinant > 0).astype(np.bool_)
    return above


def segment_argmax(values: Floats, start: Ints) -> tuple[Ints, Floats]:
    """Position of the first greatest value of each run, and that value.

    Run h is ``values[start[h]:start[h + 1]]``. No run may be empty.
    """
    best = np.maximum.reduceat(values, start[:-1])
    row = np.repeat(np.arange(len(best), dtype=np.int64), np.diff(start))
    hits = np.flatnonzero(values == best[row])[::-1]
    position = np.empty(len(best), np.int64)
    position[row[hits]] = hits  # reversed, so that the first of equal values is written last
    return position, best


def _safe_divide(vectors: Floats, lengths: Floats) -> Floats:
    """Unit vectors; zero where the length is zero."""
    quotient: Floats = vectors / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return quotient


def spanning_simplices(points: Floats, start: Ints, rounding: Floats) -> tuple[Ints, Ints]:
    """Find the dimension of each point set, and points that span it.

    Two points farther apart than the rounding span a line. A third point farther than that from the line spans a plane.
    Two points farther apart than that along the plane's normal span space.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all sets, one set after another. No set is empty.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    rounding : (H,) float64
        In grid steps.

    Returns
    -------
    dimension : (H,) int64
        0 to 3.
    simplex : (H, 4) int64
        Indices of points. The first ``dimension + 1`` of each row are valid.
    """
    row = np.repeat(np.arange(len(start) - 1, dtype=np.int64), np.diff(start))
    simplex = np.empty((len(start) - 1, 4), np.int64)
    simplex[:, 0] = start[:-1]
    for _ in range(2):
        offset = points - points[simplex[row, 0]]
        simplex[:, 0], _ = segment_argmax(dot(offset, offset), start)
    offset = points - points[simplex[row, 0]]

    simplex[:, 1], length = segment_argmax(np.sqrt(dot(offset, offset)), start)
    axis = offset[simplex[:, 1]]
    is_line: Bools = length > rounding

    across = np.cross(offset, _safe_divide(axis, length)[row])
    simplex[:, 2], width = segment_argmax(np.sqrt(dot(across, across)), start)
    is_plane = is_line & (width > rounding)

    normal = accurate_cross(axis, offset[simplex[:, 2]])
    height = dot(offset, _safe_divide(normal, np.sqrt(dot(normal, normal)))[row])
    highest, above = segment_argmax(height, start)
    lowest, below = segment_argmax(-height, start)
    simplex[:, 3] = np.where(above >= below, highest, lowest)
    is_solid = is_plane & (above + below > rounding)
    return is_line.astype(np.int64) + is_plane + is_solid, simplex


POINTS_PER_BLOCK = 1 << 12
"""Number of points that search for the facets that they see at a time. It limits the memory."""

PAIRS_PER_BLOCK = 1 << 18
"""Number of heights computed at a time when points are assigned to new facets. It limits the memory."""


@dataclass(frozen=True)
class SimplicialHulls:
    """The facets of many hulls, in the order of the hulls.

    Attributes
    ----------
    corners : (T, 3) int64
        Indices of points, counterclockwise as seen from outside.
    neighbors : (T, 3) int64
        The facet across the edge from corner i to corner i + 1.
    normals : (T, 3) float64
        Unit, outward.
    offset_slack : (T,) float64
        Greatest height of excluded points above the facet, or zero.
    """

    corners: Ints
    neighbors: Ints
    normals: Floats
    offset_slack: Floats


class _FacetList:
    """All facets so far, including removed ones, and the points that are still outside."""

    def __init__(self, points: Floats, priority: Ints, excluded: Bools, capacity: int) -> None:
        self.points = points
        self.priority = priority
        self.excluded = excluded
        self.count = 0
        self.corners = np.empty((capacity, 3), np.int64)
        self.neighbors = np.empty((capacity, 3), np.int64)
        self.normals = np.empty((capacity, 3))
        self.anchors = np.empty((capacity, 3))
        self.alive = np.zeros(capacity, np.bool_)
        self.farthest = np.empty(capacity, np.int64)
        self.farthest_height = np.empty(capacity)
        self.claimed_by = np.empty(capacity, np.int64)
        self.owner = np.full(len(points), -1, np.int64)
        self.outside = np.empty(0, np.int64)

    def _reserve(self, count: int) -> None:
        capacity = len(self.alive)
        if count <= capacity:
            return
        extra = max(count - capacity, capacity)
        for name in (
            "corners", "neighbors", "normals", "anchors", "alive", "farthest", "farthest_height", "claimed_by",
        ):  # fmt: skip
            old = getattr(self, name)
            setattr(self, name, np.concatenate((old, np.zeros((extra, *old.shape[1:]), old.dtype))))

    def add(self, corners: Ints, neighbors: Ints) -> None:
        """Append facets to which no point is assigned yet."""
        first, last = self.count, self.count + len(corners)
        self._reserve(last)
        self.corners[first:last] = corners
        self.neighbors[first:last] = neighbors
        self.normals[first:last] = unit_normals(self.points, corners)[0]
        self.anchors[first:last] = self.points.take(corners[:, 0], axis=0)
        self.alive[first:last] = True
        self.farthest[first:last] = -1
        self.farthest_height[first:last] = 0.0
        self.claimed_by[first:last] = -1
        self.count = last

    def heights(self, point: Ints, facet: Ints) -> tuple[Floats, Floats]:
        """Heights of points above the planes of facets, in grid steps, and an error bound."""
        terms = self.points.take(point, axis=0)
        terms -= self.anchors.take(facet, axis=0)
        terms *= self.normals.take(facet, axis=0)
        height = terms[:, 0] + terms[:, 1]
        height += terms[:, 2]
        np.abs(terms, out=terms)
        error = terms[:, 0] + terms[:, 1]
        error += terms[:, 2]
        error *= HULL_HEIGHT_ERROR
        return height, error

    def is_visible(self, point: Ints, facet: Ints) -> Bools:
        """Whether points are strictly above facets, exactly."""
        height, error = self.heights(point, facet)
        result: Bools = height > error
        # If the error bound is zero, every term is zero: the point is exactly in the plane.
        doubtful = np.flatnonzero((np.abs(height) <= error) & (error > 0.0))
        if len(doubtful):
            result[doubtful] = exactly_above(self.points, self.corners[facet[doubtful]], point[doubtful])
        return result

    def assign(self, point: Ints, first: Ints, count: Ints) -> None:
        """Assign each point to the facet that it is highest above, of `count` facets from `first` on, or drop it."""
        owner = np.full(len(point), -1, np.int64)
        height = np.zeros(len(point))
        for block in ragged_blocks(count, PAIRS_PER_BLOCK):
            owner[block], height[block] = self._highest_seen(point[block], first[block], count[block])
        self.owner[point] = owner
        kept = owner >= 0
        point, owner, height = point[kept], owner[kept], height[kept]
        self.outside = np.concatenate((self.outside, point))
        eligible = ~self.excluded[point]
        point, owner, height = point[eligible], owner[eligible], height[eligible]
        np.maximum.at(self.farthest_height, owner, height)
        is_farthest = np.flatnonzero(height == self.farthest_height[owner])[::-1]
        self.farthest[owner[is_farthest]] = point[is_farthest]  # the first of equal values is written last

    def _highest_seen(self, point: Ints, first: Ints, count: Ints) -> tuple[Ints, Floats]:
        starts = np.cumsum(count) - count
        row, facet = ragged_arange(count, first)
        height, error = self.heights(point[row], facet)
        certain = height > error
        score = np.where(certain, height, -1.0)
        best = np.maximum.reduceat(score, starts)
        undecided = best < 0.0
        if undecided.any():
            doubtful = np.flatnonzero(undecided[row] & (height >= -error) & (error > 0.0))
            if len(doubtful):
                above = exactly_above(self.points, self.corners[facet[doubtful]], point[row[doubtful]])
                doubtful = doubtful[above]
                score[doubtful] = np.maximum(height[doubtful], 0.0)
                best = np.maximum.reduceat(score, starts)
        owner = np.full(len(point), -1, np.int64)
        is_best = np.flatnonzero((score == best[row]) & (score >= 0.0))[::-1]
        owner[row[is_best]] = facet[is_best]
        return owner, best

    def select_apexes(self, pending: Ints) -> Ints:
        """The facets whose farthest point has priority over those of the three neighbors."""
        rank = np.full(self.count, -1, np.int64)
        rank[pending] = self.priority[self.farthest[pending]]
        beaten = (rank[self.neighbors[pending]] > rank[pending][:, None]).any(axis=1)
        return pending[~beaten]

    def find_visible(self, nominees: Ints) -> tuple[Ints, Ints, Ints]:
        """Find the facets that each proposed point sees, and keep points whose regions are disjoint.

        Returns
        -------
        apex : (C,) int64
            The farthest point of each nominated facet.
        facet, winner : (K,) int64
            The facets to remove, and the row of `apex` that removes each. `claimed_by` has the same information.
        """
        apex = self.farthest[nominees]
        rank = self.priority[apex]
        active = np.ones(len(apex), np.bool_)
        self.claimed_by[nominees] = np.arange(len(apex), dtype=np.int64)
        levels = [nominees]
        frontier = nominees
        while len(frontier):
            facet = self.neighbors[frontier].ravel()
            who = np.repeat(self.claimed_by[frontier], 3)
            fresh = np.flatnonzero((self.claimed_by[facet] != who) & active[who])
            facet, who = facet[fresh], who[fresh]
            seen = self.is_visible(apex[who], facet)
            facet, who = facet[seen], who[seen]
            holder = self.claimed_by[facet]
            contested = (holder >= 0) & active[holder]
            lost = contested & (rank[holder] > rank[who])
            active[holder[contested & ~lost]] = False
            active[who[lost]] = False
            facet, who = facet[~lost], who[~lost]
            pending = np.arange(len(facet), dtype=np.int64)
            while len(pending):  # repeat until the claim with the highest rank is the last one written
                self.claimed_by[facet[pending]] = who[pending]
                pending = pending[rank[self.claimed_by[facet[pending]]] < rank[who[pending]]]
            active[who[self.claimed_by[facet] != who]] = False
            order = np.arange(len(facet), dtype=np.int64)
            slot = np.empty(self.count, np.int64)
            slot[facet] = order
            frontier = facet[slot[facet] == order]
            levels.append(frontier)
        touched = np.concatenate(levels)
        touched = np.unique(touched)
        who = self.claimed_by[touched]
        across = self.claimed_by[self.neighbors[touched]]
        neighbor_active = (across >= 0) & active[across] & active[who][:, None]
        row, side = np.nonzero(neighbor_active & (across != who[:, None]))
        mine, theirs = who[row], across[row, side]
        active[np.where(rank[mine] < rank[theirs], mine, theirs)] = False
        won = active[who]
        self.claimed_by[touched[~won]] = -1
        return apex, touched[won], who[won]

    def insert(self, apex: Ints, removed: Ints, winner: Ints) -> Ints:
        """Replace the visible facets of each winner by the cone over their border. Returns the new facets."""
        across = self.neighbors[removed]
        row, side = np.nonzero(self.claimed_by[across] != winner[:, None])
        order = np.argsort(winner[row], kind="stable")
        row, side = row[order], side[order]
        who = winner[row]
        beyond = across[row, side]
        start = self.corners[removed[row], side]
        end = self.corners[removed[row], (side + 1) % 3]
        new_facets = self.count + np.arange(len(row), dtype=np.int64)

        by_start = np.argsort(who * len(self.points) + start, kind="stable")
        key = (who * len(self.points) + start)[by_start]
        following = by_start[np.searchsorted(key, who * len(self.points) + end)]
        neighbors = np.empty((len(row), 3), np.int64)
        neighbors[:, 0] = beyond
        neighbors[:, 1] = new_facets[following]
        neighbors[following, 2] = new_facets
        self.add(np.stack((start, end, apex[who]), axis=1), neighbors)
        self.neighbors[beyond, np.argmax(self.corners[beyond] == end[:, None], axis=1)] = new_facets
        self.alive[removed] = False

        count = np.bincount(who, minlength=len(apex))
        first = new_facets[0] + np.cumsum(count) - count
        evicted_by = self.claimed_by[self.owner[self.outside]]
        gone = evicted_by >= 0
        point, who = self.outside[gone], evicted_by[gone]
        self.outside = self.outside[~gone]
        rest = point != apex[who]
        self.assign(point[rest], first[who[rest]], count[who[rest]])
        return new_facets

    def insert_all(self, pending: Ints) -> None:
        """Insert points until no pending or new facet has points to insert."""
        while len(pending):
            new_facets = self.insert(*self.find_visible(self.select_apexes(pending)))
            pending = np.concatenate((pending[self.alive[pending]], new_facets[self.farthest[new_facets] >= 0]))

    def highest_outside_points(self) -> tuple[Ints, Floats]:
        """For each facet, the highest point that is still outside, or -1, and its height."""
        highest, offset_slack = np.full(self.count, -1, np.int64), np.zeros(self.count)
        for begin in range(0, len(self.outside), POINTS_PER_BLOCK):
            point = self.outside[begin : begin + POINTS_PER_BLOCK]
            facet = self.owner[point]
            done = np.empty(0, np.int64)
            while len(point):
                height, _ = self.heights(point, facet)
                np.maximum.at(offset_slack, facet, height)
                best = np.flatnonzero(height == offset_slack[facet])
                highest[facet[best]] = point[best]
                # The facets that a point sees are connected, so search the neighbors.
                done = np.sort(np.concatenate((done, point * self.count + facet)))
                new = np.unique(np.repeat(point, 3) * self.count + self.neighbors[facet].ravel())
                new = new[done[np.minimum(np.searchsorted(done, new), len(done) - 1)] != new]
                point, facet = new // self.count, new % self.count
                seen = self.is_visible(point, facet)
                point, facet = point[seen], facet[seen]
        return highest, offset_slack

    def reinsert(self, facet: Ints, point: Ints, height: Floats) -> Ints:
        """Stop excluding points, each at the facet above which it is highest. Returns those facets."""
        order = np.argsort(height, kind="stable")
        facet, point, height = facet[order], point[order], height[order]
        self.owner[point] = facet  # the highest is written last
        here = self.owner[point] == facet
        facet, point = facet[here], point[here]
        self.farthest[facet], self.farthest_height[facet] = point, height[here]
        self.excluded[point] = False
        return facet


def scrambled_priority(start: Ints) -> Ints:
    """Distinct pseudo-random priorities for the points of each set, independent of the other sets.

    With this order, there are no long chains of neighbors that all wait for the next.
    """
    local = np.arange(start[-1], dtype=np.int64) - np.repeat(start[:-1], np.diff(start))
    return (local * 2654435761) % (1 << 32)


def simplicial_hulls(
    points: Floats, start: Ints, simplex: Ints, excluded: Bools | None = None, limit: Floats | None = None
) -> SimplicialHulls:
    """Build the exact simplicial hulls of point sets that span space.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all sets, one set after another.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    simplex : (H, 4) int64
        Four points of each set that are not in one plane.
    excluded : (n,) bool, optional
        Points that are to be vertices only if they protrude too far. Points of the simplex cannot be excluded.
    limit : (H,) float64, with `excluded`
        Greatest height of excluded points above a facet of their set, in grid steps.

    Returns
    -------
    SimplicialHulls
        The facets of a set are the same whether it is processed alone or with others.
    """
    sets = len(simplex)
    length = np.diff(start)
    out = np.zeros(len(points), np.bool_) if excluded is None else excluded.copy()
    surfaces = _FacetList(points, scrambled_priority(start), out, 4 * sets + 8 * len(points) + 64)
    above = exactly_above(points, simplex[:, :3], simplex[:, 3])
    simplex = np.where(above[:, None], simplex[:, [1, 0, 2, 3]], simplex)
    surfaces.add(
        simplex[:, [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]].reshape(-1, 3),
        (
            4 * np.arange(sets, dtype=np.int64)[:, None, None]
            + np.array([[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]], np.int64)
        ).reshape(-1, 3),
    )
    inner = np.ones(len(points), np.bool_)
    inner[simplex] = False
    every = np.flatnonzero(inner)
    surfaces.assign(
        every, np.repeat(4 * np.arange(sets, dtype=np.int64), length)[every], np.full(len(every), 4, np.int64)
    )
    surfaces.insert_all(np.flatnonzero(surfaces.farthest[: surfaces.count] >= 0))
    offset_slack = np.zeros(surfaces.count)
    if limit is not None:
        highest, offset_slack = surfaces.highest_outside_points()
        point_limit = np.repeat(limit, length)
        while len(high := np.flatnonzero(offset_slack > point_limit[highest])):
            surfaces.insert_all(surfaces.reinsert(high, highest[high], offset_slack[high]))
            highest, offset_slack = surfaces.highest_outside_points()
    alive = np.flatnonzero(surfaces.alive[: surfaces.count])
    owner = np.repeat(np.arange(sets, dtype=np.int64), length)[surfaces.corners[alive, 0]]
    alive = alive[np.argsort(owner, kind="stable")]
    position = np.empty(surfaces.count, np.int64)
    position[alive] = np.arange(len(alive), dtype=np.int64)
    return SimplicialHulls(
        surfaces.corners[alive], position[surfaces.neighbors[alive]], surfaces.normals[alive], offset_slack[alive]
    )
