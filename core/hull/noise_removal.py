# SPDX-License-Identifier: GPL-3.0-or-later
"""Removal of vertices that protrude from a hull by no more than rounding.

Points computed to lie on a plane or a line do so only within rounding, and exact arithmetic turns this noise into
vertices and slivers. Each vertex is bounded by its height above its neighbors along the mean of the normals around it,
which is at least its distance from the hull of all others. Vertices within rounding are excluded and the hull is
rebuilt exactly from the rest; excluded points that end up more than rounding above a facet are reinserted. This repeats
until no vertex is left to try; the smallest hull is returned.
"""

from dataclasses import replace

import numpy as np

from ..numerics.types import Bools, Floats, Ints
from .affine_rank import spanning_simplices
from .grid import dot
from .quickhull import SimplicialHulls, scrambled_priority, simplicial_hulls

ATTEMPTS = (1, 16)
"""Least and greatest number of times that a hull is rebuilt to remove vertices."""

VERTICES_REBUILT = 1 << 17
"""Approximate limit on the total number of vertices over all rebuilds; large hulls are slow."""


def directed_edges(hulls: SimplicialHulls) -> tuple[Ints, Ints]:
    """Tail and head of every edge, once in each direction, as stored by its two facets."""
    return hulls.corners.ravel(), hulls.corners[:, [1, 2, 0]].ravel()


def _redundant(points: Floats, hulls: SimplicialHulls, rounding: Floats) -> Bools:
    """Vertices that protrude by no more than rounding, or duplicate a lower neighbor within it."""
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
        Of a subset of the vertices; `offset_slack`, of the excluded points, is at most the rounding.
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

        # Vertices hidden by their neighbors may now be redundant. Reinserted vertices are not tried again.
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
    """The kept points of some sets, and where each set starts among them."""
    wanted = np.zeros(len(start) - 1, np.bool_)
    wanted[sets] = True
    chosen = np.flatnonzero(keep & np.repeat(wanted, np.diff(start)))
    return chosen, np.append(np.searchsorted(chosen, start[sets]), len(chosen))


def _select_versions(versions: list[SimplicialHulls], version_of: Ints, point_set: Ints) -> SimplicialHulls:
    """The selected version of each set's hull, in the order of the sets."""
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
