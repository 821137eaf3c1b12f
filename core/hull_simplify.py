# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices that stick out of a hull by no more than rounding, and the exact hulls without them.

Points computed to lie on a plane or a line do so within rounding only, and exact arithmetic then makes vertices,
needles and slivers of their noise. Here every vertex gets a certificate: how far it stands out from its neighbours
along the mean of the normals around it, which is at most its distance from the hull of all the others. Vertices
for which that is within rounding are left out and the hull is built again, exactly, from the others. Then every
facet is asked for its support among all the vertices of the first hull: wherever one is left outside by more
than rounding it is taken back. What can not be simplified so stays as it was, which is always right.
"""

import numpy as np

from .hull_grid import dot
from .hull_quickhull import SimplicialHulls, simplicial_hulls
from .hull_rank import spanning_simplices
from .results import Bools, Floats, Ints

ATTEMPTS = 4
"""How often vertices may be taken back before a hull is left as it was."""


class VertexGraph:
    """The vertices of simplicial hulls and their neighbours, to climb to support points."""

    def __init__(self, points: Floats, hulls: SimplicialHulls) -> None:
        self.points = points
        tail = hulls.corners.ravel()
        head = hulls.corners[:, [1, 2, 0]].ravel()  # every edge runs both ways, once in each of its facets
        order = np.argsort(tail, kind="stable")
        self.tail, self.head = tail[order], head[order]
        self.count = np.bincount(tail, minlength=len(points))
        self.first = np.cumsum(self.count) - self.count

    def support(self, origin: Ints, direction: Floats) -> tuple[Ints, Floats]:
        """The farthest vertices along directions, and how far beyond the starting vertices they are."""
        vertex = origin.copy()
        reached = np.zeros(len(origin))
        active = np.arange(len(origin))
        while len(active):
            count = self.count[vertex[active]]
            starts = np.cumsum(count) - count
            row = np.repeat(np.arange(len(active)), count)
            head = self.head[np.arange(len(row)) + np.repeat(self.first[vertex[active]] - starts, count)]
            height = dot(self.points[head] - self.points[origin[active][row]], direction[active][row])
            best = np.maximum.reduceat(height, starts)
            hits = np.flatnonzero(height == best[row])[::-1]
            choice = np.empty(len(active), np.int64)
            choice[row[hits]] = head[hits]
            higher = best > reached[active]
            active, best, choice = active[higher], best[higher], choice[higher]
            vertex[active], reached[active] = choice, best
        return vertex, reached


def _redundant(points: Floats, hulls: SimplicialHulls, graph: VertexGraph, rounding: Floats) -> Bools:
    """Vertices that stand out from their neighbours by rounding at most, or repeat a lower vertex within it."""
    normal = np.stack(
        [
            np.bincount(hulls.corners.ravel(), np.repeat(hulls.normals[:, axis], 3), len(points))
            for axis in range(3)
        ],
        axis=1,
    )
    length = np.sqrt(dot(normal, normal))
    tail, head = graph.tail, graph.head
    edge = points[tail] - points[head]
    short = dot(edge, edge) <= rounding[tail] ** 2
    height = dot(edge, normal[tail])
    redundant = np.zeros(len(points), np.bool_)
    redundant[tail[~short & (height <= rounding[tail] * length[tail])]] = True
    redundant[tail[short & (head < tail)]] = True
    return redundant


def simplified(
    points: Floats, start: Ints, rounding: Floats, simplex: Ints, hulls: SimplicialHulls, graph: VertexGraph
) -> SimplicialHulls:
    """Rebuild hulls without the vertices that stick out by no more than rounding.

    Parameters
    ----------
    points, start, simplex
        As for `simplicial_hulls`.
    rounding : (H,) float64
        In grid steps.
    hulls : SimplicialHulls
        The exact hulls of the points.
    graph : VertexGraph
        Of `hulls`.

    Returns
    -------
    SimplicialHulls
        Of a subset of the vertices; every vertex of `hulls` is at most the rounding above every facet.
    """
    point_set = np.repeat(np.arange(len(rounding)), np.diff(start))
    redundant = _redundant(points, hulls, graph, rounding[point_set])
    if not redundant.any():
        return hulls
    keep = (graph.count > 0) & ~redundant
    open_sets = np.unique(point_set[redundant])
    done = [hulls]
    replaced = np.zeros(len(rounding), np.bool_)
    spanned = _spanned(points, start, rounding, keep, open_sets)
    if not spanned.all():
        # The certificate is a lower bound, so too much may have gone. The spanning simplex comes back.
        back = simplex[open_sets[~spanned]]
        keep[back] = graph.count[back] > 0
        open_sets = open_sets[_spanned(points, start, rounding, keep, open_sets)]
    for _ in range(ATTEMPTS):
        if not len(open_sets):
            break
        chosen, starts = _members(keep, start, open_sets)
        _, corners = spanning_simplices(points[chosen], starts, rounding[open_sets])
        built = simplicial_hulls(points[chosen], starts, corners)
        corners = chosen[built.corners]
        facet_set = point_set[corners[:, 0]]
        support, gap = graph.support(corners[:, 0], built.normals)
        outside = gap > rounding[facet_set]
        keep[support[outside]] = True
        still_open = np.zeros(len(rounding), np.bool_)
        still_open[facet_set[outside]] = True
        accepted = ~still_open[facet_set]
        done.append(_selected(SimplicialHulls(corners, built.neighbours, built.normals), accepted))
        replaced[open_sets[~still_open[open_sets]]] = True
        open_sets = open_sets[still_open[open_sets]]
    done[0] = _selected(hulls, ~replaced[point_set[hulls.corners[:, 0]]])
    return _joined(done, point_set)


def _spanned(points: Floats, start: Ints, rounding: Floats, keep: Bools, sets: Ints) -> Bools:
    """Whether the kept points of some sets span space."""
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


def _selected(hulls: SimplicialHulls, mask: Bools) -> SimplicialHulls:
    """Some whole hulls of many."""
    position = np.cumsum(mask) - 1
    return SimplicialHulls(hulls.corners[mask], position[hulls.neighbours[mask]], hulls.normals[mask])


def _joined(parts: list[SimplicialHulls], point_set: Ints) -> SimplicialHulls:
    """Hulls from several lists, in the order of the sets."""
    corners = np.concatenate([part.corners for part in parts])
    offsets = np.cumsum([0] + [len(part.corners) for part in parts[:-1]])
    neighbours = np.concatenate(
        [part.neighbours + offset for part, offset in zip(parts, offsets, strict=True)]
    )
    order = np.argsort(point_set[corners[:, 0]], kind="stable")
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    normals = np.concatenate([part.normals for part in parts])
    return SimplicialHulls(corners[order], position[neighbours[order]], normals[order])
