# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices that stick out of a hull by no more than rounding, and the exact hulls without them.

Points computed to lie on a plane or a line do so within rounding only, and exact arithmetic then makes
vertices, needles and slivers of their noise. Here every vertex gets a certificate: how far it stands out from
its neighbours along the mean of the normals around it, which is at most its distance from the hull of all the
others. Vertices for which that is within rounding are left out and the hull is built again, exactly, from the
others. Then every facet is asked for its support among all the vertices of the first hull: wherever one is
left outside by more than rounding it is taken back. The last version without such a vertex counts; at worst
the first, exact one.
"""

from functools import cached_property

import numpy as np

from .hull_grid import dot
from .hull_quickhull import SimplicialHulls, scrambled_order, simplicial_hulls
from .hull_rank import spanning_simplices
from .results import Bools, Floats, Ints

ATTEMPTS = 16
"""How often a hull is built again, with vertices taken back or more of them left out."""


def directed_edges(hulls: SimplicialHulls) -> tuple[Ints, Ints]:
    """Tail and head of every edge, once in each direction, as its two facets have it."""
    return hulls.corners.ravel(), hulls.corners[:, [1, 2, 0]].ravel()


class VertexGraph:
    """The vertices of simplicial hulls and their neighbours, to climb to support points."""

    def __init__(self, points: Floats, hulls: SimplicialHulls) -> None:
        self.points, self.hulls = points, hulls

    @cached_property
    def _neighbours(self) -> tuple[Ints, Ints, Ints]:
        """The neighbours of all vertices, where those of each start, and how many they are."""
        tail, head = directed_edges(self.hulls)
        count = np.bincount(tail, minlength=len(self.points))
        return head[np.argsort(tail, kind="stable")], np.cumsum(count) - count, count

    def support(self, origin: Ints, direction: Floats) -> tuple[Ints, Floats]:
        """The farthest vertices along directions, and how far beyond the starting vertices they are."""
        neighbours, first, degree = self._neighbours
        vertex = origin.copy()
        reached = np.zeros(len(origin))
        active = np.arange(len(origin))
        while len(active):
            count = degree[vertex[active]]
            starts = np.cumsum(count) - count
            row = np.repeat(np.arange(len(active)), count)
            head = neighbours[np.arange(len(row)) + np.repeat(first[vertex[active]] - starts, count)]
            height = dot(self.points[head] - self.points[origin[active][row]], direction[active][row])
            best = np.maximum.reduceat(height, starts)
            hits = np.flatnonzero(height == best[row])[::-1]
            choice = np.empty(len(active), np.int64)
            choice[row[hits]] = head[hits]
            higher = best > reached[active]
            active, best, choice = active[higher], best[higher], choice[higher]
            vertex[active], reached[active] = choice, best
        return vertex, reached


def _redundant(points: Floats, hulls: SimplicialHulls, rounding: Floats) -> Bools:
    """Vertices that stand out by no more than rounding, or repeat a lower neighbour within it."""
    normal = np.empty((len(points), 3))
    for axis in range(3):
        normal[:, axis] = np.bincount(
            hulls.corners.ravel(), np.repeat(hulls.normals[:, axis], 3), len(points)
        )
    length = np.sqrt(dot(normal, normal))
    tail, head = directed_edges(hulls)
    edge = points[tail] - points[head]
    short = dot(edge, edge) <= rounding[tail] ** 2
    low = dot(edge, normal[tail]) <= rounding[tail] * length[tail]
    redundant = np.zeros(len(points), np.bool_)
    redundant[tail[np.where(short, head < tail, low)]] = True
    return redundant


def _independent(hulls: SimplicialHulls, scrambled: Ints, chosen: Bools) -> Bools:
    """A large part of some vertices in which no two are neighbours."""
    rank = np.where(chosen, scrambled, -1)
    highest = np.full(len(chosen), -1)
    tail, head = directed_edges(hulls)
    np.maximum.at(highest, tail, rank[head])
    return chosen & (rank > highest)


def simplified(
    points: Floats, start: Ints, rounding: Floats, hulls: SimplicialHulls, graph: VertexGraph
) -> tuple[SimplicialHulls, Bools]:
    """Rebuild hulls without the vertices that stick out by no more than rounding.

    Parameters
    ----------
    points, start
        As for `simplicial_hulls`.
    rounding : (H,) float64
        In grid steps.
    hulls : SimplicialHulls
        The exact hulls of the points.
    graph : VertexGraph
        Of `hulls`.

    Returns
    -------
    hulls : SimplicialHulls
        Of a subset of the vertices; every vertex of those given is at most the rounding above every facet.
    changed : (H,) bool
        Hulls that lost vertices.
    """
    sets = len(rounding)
    point_set = np.repeat(np.arange(sets), np.diff(start))
    redundant = _redundant(points, hulls, rounding[point_set])
    if not redundant.any():
        return hulls, np.zeros(sets, np.bool_)
    scrambled = scrambled_order(start)
    used = np.zeros(len(points), np.bool_)
    used[hulls.corners] = True
    keep = used & ~redundant
    open_sets = np.unique(point_set[redundant])
    collapsed = np.zeros(sets, np.bool_)
    collapsed[open_sets] = ~_spanned(points, start, rounding, keep, open_sets)
    keep = np.where(collapsed[point_set], used & ~_independent(hulls, scrambled, redundant), keep)

    needed = np.zeros(len(points), np.bool_)
    versions, version_of = [hulls], np.zeros(sets, np.int64)
    for _ in range(ATTEMPTS):
        open_sets = open_sets[_spanned(points, start, rounding, keep, open_sets)]
        if not len(open_sets):
            break
        chosen, starts = _members(keep, start, open_sets)
        _, simplex = spanning_simplices(points[chosen], starts, rounding[open_sets])
        built = simplicial_hulls(points[chosen], starts, simplex)
        built = SimplicialHulls(chosen[built.corners], built.neighbours, built.normals)

        facet_set = point_set[built.corners[:, 0]]
        support, gap = graph.support(built.corners[:, 0], built.normals)
        outside = gap > rounding[facet_set]
        needed[support[outside]] = True
        is_open = np.zeros(sets, np.bool_)
        is_open[facet_set[outside]] = True
        version_of[open_sets[~is_open[open_sets]]] = len(versions)
        versions.append(built)

        # What was hidden among its neighbours may show now.
        redundant = _redundant(points, built, rounding[point_set]) & ~needed & ~is_open[point_set]
        keep = (keep & ~_independent(built, scrambled, redundant)) | needed
        is_open[point_set[redundant]] = True
        open_sets = open_sets[is_open[open_sets]]
    return _joined(versions, version_of, point_set), version_of > 0


def _spanned(points: Floats, start: Ints, rounding: Floats, keep: Bools, sets: Ints) -> Bools:
    """Whether the kept points of some sets span space."""
    if not len(sets):
        return np.zeros(0, np.bool_)
    result: Bools = np.add.reduceat(keep, start[:-1], dtype=np.int64)[sets] >= 4
    if result.any():
        chosen, starts = _members(keep, start, sets[result])
        result[result] = spanning_simplices(points[chosen], starts, rounding[sets[result]])[0] == 3
    return result


def _members(keep: Bools, start: Ints, sets: Ints) -> tuple[Ints, Ints]:
    """The kept points of some sets, and where each set starts among them."""
    wanted = np.zeros(len(start) - 1, np.bool_)
    wanted[sets] = True
    chosen = np.flatnonzero(keep & np.repeat(wanted, np.diff(start)))
    return chosen, np.append(np.searchsorted(chosen, start[sets]), len(chosen))


def _joined(versions: list[SimplicialHulls], version_of: Ints, point_set: Ints) -> SimplicialHulls:
    """The hull of each set out of the version that counts, in the order of the sets."""
    corners = np.concatenate([one.corners for one in versions])
    lengths = [len(one.corners) for one in versions]
    version = np.repeat(np.arange(len(versions)), lengths)
    offset = np.cumsum(lengths) - lengths
    neighbours = np.concatenate([one.neighbours for one in versions]) + offset[version][:, None]
    owner = point_set[corners[:, 0]]
    chosen = np.flatnonzero(version == version_of[owner])
    chosen = chosen[np.argsort(owner[chosen], kind="stable")]
    position = np.empty(len(corners), np.int64)
    position[chosen] = np.arange(len(chosen))
    normals = np.concatenate([one.normals for one in versions])
    return SimplicialHulls(corners[chosen], position[neighbours[chosen]], normals[chosen])
