# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of point sets in the plane, one or many at a time. For hulls in space, see `collision_kit.core.hull`.

Grid, rounding and dimension are those of hulls in space, so a flat set has the same corners in the plane and in space.
The exact outline is found on the grid by Andrew's monotone chain, for many sets at once. If a point of the sorted
sequence does not turn left between its two neighbors, it is in the hull of the others and not a strict corner, whatever
is removed later. All such points of all sets are therefore removed at once, in several rounds, until few are left. A
sequential linear scan removes these. Finally, corners that are rounding noise are removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.rows import cyclic_successors
from ..numerics.tolerances import HULL_THICKNESS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import items, point_set
from .grid import accurate_cross, grid_exponent, grid_points, rounding_in_steps, run_starts, spanning_simplices

# A round that removes less than one in this many points takes longer than scanning the remaining points.
_ROUND_WORTH = 32

# Dimensionless: twice the relative error of a product and of a difference of two, rounded up (2^-53 each).
_CROSS_ERROR = 2.0**-51


def left_turn(a: Floats, b: Floats, c: Floats) -> Bools:
    """Whether a, b, c make a strict left turn, decided exactly: (m, 2) grid points each.

    Notes
    -----
    Differences of grid points are integers of at most 53 bits and therefore exact. If the rounded determinant is
    inconclusive, both products are expanded into head and tail. Heads are ordered like the products, and the tails are
    integers of 52 bits with an exact difference, so the sign of `accurate_cross` is that of the determinant.
    """
    u, v = b - a, c - a
    first, second = u[:, 0] * v[:, 1], u[:, 1] * v[:, 0]
    determinant = first - second
    doubtful = np.flatnonzero(np.abs(determinant) <= _CROSS_ERROR * (np.abs(first) + np.abs(second)))
    if len(doubtful):
        determinant[doubtful] = accurate_cross(_lifted(u[doubtful]), _lifted(v[doubtful]))[:, 2]
    turns: Bools = determinant > 0.0
    return turns


def outlines(points: Floats, start: Ints) -> tuple[Ints, Ints]:
    """Strict corners of the hull of each point set, counterclockwise from the lexicographically first.

    Parameters
    ----------
    points : (n, 2) float64
        Grid points of all sets, one set after another, each in lexicographic order without duplicates.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``. No set is empty.

    Returns
    -------
    corner : (C,) int64
        Rows of `points`, one outline after another: one corner for a single point, two for collinear points.
    owner : (C,) int64
        The set of each corner.
    """
    count = len(start) - 1
    owner = np.repeat(np.arange(count), np.diff(start))
    forward = np.arange(len(points))
    # The lower chain runs left to right, the upper chain right to left. Both must turn left everywhere.
    row = np.concatenate((forward, forward[::-1]))
    chain = np.concatenate((owner, 2 * count - 1 - owner[::-1]))
    row, chain = _convex_chains(points, row, chain)
    # The last point of each chain is the first of the other chain of its set, except for single points.
    last = np.append(chain[1:] != chain[:-1], True)
    owner = np.minimum(chain, 2 * count - 1 - chain)
    single = np.diff(start)[owner] == 1
    keep = np.where(single, chain < count, ~last)
    row, owner = row[keep], owner[keep]
    order = np.argsort(owner, kind="stable")
    return row[order], owner[order]


def remove_noisy_corners(ring: Floats, limit: float) -> Ints:
    """Corners of an outline without those that are within `limit` of a side between two others.

    `ring` (k, 2) are the corners of a strictly convex polygon in order. The first one is always kept.
    """
    kept, tail, count = [0], 0, len(ring)
    while tail < count:
        head = tail + 1
        while head < count and _max_deviation(ring[tail : head + 1], ring[(head + 1) % count]) <= limit:
            head += 1
        kept.append(head)
        tail = head
    return np.array(kept[:-1], dtype=np.int64)


def distances_to_segments(points: Floats, start: Floats, end: Floats) -> Floats:
    """Distance of each point from its segment, which may be a single point: (m, 2) each -> (m,)."""
    along, offset = end - start, points - start
    square = (along * along).sum(axis=1)
    t = np.clip((offset * along).sum(axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    nearest = offset - t[:, None] * along
    # Inside the segment, the cross product gives the height, which the difference above loses to rounding.
    doubled = np.abs(accurate_cross(_lifted(along), _lifted(offset))[:, 2])
    height = doubled / np.sqrt(np.where(square > 0.0, square, 1.0))
    return np.where((t > 0.0) & (t < 1.0), height, np.hypot(nearest[:, 0], nearest[:, 1]))


def _max_deviation(run: Floats, end: Floats) -> float:
    """Greatest distance of the points of a run, except the first, from the segment from that point to `end`."""
    points = run[1:]
    return float(
        distances_to_segments(points, np.broadcast_to(run[0], points.shape), np.broadcast_to(end, points.shape)).max()
    )


def _lifted(a: Floats) -> Floats:
    """Planar vectors as vectors in space."""
    return np.column_stack((a, np.zeros(len(a))))


def _convex_chains(points: Floats, row: Ints, chain: Ints) -> tuple[Ints, Ints]:
    """The chains, numbered in order, without the points at which they do not turn left. End points are kept."""
    suspect = np.ones(len(row), np.bool_)
    while True:
        inner = np.zeros(len(row), np.bool_)
        inner[1:-1] = (chain[2:] == chain[1:-1]) & (chain[:-2] == chain[1:-1])
        suspect &= inner
        at = np.flatnonzero(suspect)
        dropped = at[~left_turn(points[row[at - 1]], points[row[at]], points[row[at + 1]])]
        if not len(dropped):
            return row, chain
        suspect[at] = False
        suspect[dropped - 1] = suspect[dropped + 1] = True
        few = len(dropped) * _ROUND_WORTH < len(row)
        stay = np.ones(len(row), np.bool_)
        stay[dropped] = False
        row, chain, suspect = row[stay], chain[stay], suspect[stay]
        if few:
            break
    stay = np.ones(len(row), np.bool_)
    for which in np.unique(chain[suspect]):
        first, end = np.searchsorted(chain, (which, which + 1))
        stay[first:end] = strict_corners(points[row[first:end]].astype(np.int64).tolist())
    return row[stay], chain[stay]


def strict_corners(points: Sequence[Sequence[int]]) -> Bools:
    """Return which points of a path in ascending or descending order are corners of the hull to its left.

    Points on straight sides are not corners. The coordinates are integers of any size.
    """
    kept: list[int] = []
    for index, (x, y) in enumerate(points):
        while len(kept) > 1:
            (ax, ay), (bx, by) = points[kept[-2]], points[kept[-1]]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            kept.pop()
        kept.append(index)
    result = np.zeros(len(points), np.bool_)
    result[kept] = True
    return result


_CERTAIN = 8.0
"""Grid steps: error of a height from rounding to the grid (1.5), a unit normal and an inner product (2 each)."""


@dataclass(frozen=True, eq=False, repr=False)
class PlanarHull:
    """The convex hull of a point set in the plane, constructed by `collision_kit.core.planar.convex_hull`.

    All indices are rows of `points`. Arrays are read-only.

    Attributes
    ----------
    points : (n, 2) float64
        The input.
    dimension : int
        2: a polygon. 1: two vertices, and the two sides of the segment between them. 0: one vertex. A width of less
        than three times the tolerance counts as zero, as in space.
    vertices : (V,) int64
        The extreme points, ascending. Of points that coincide, the lowest index.
    outline : (V,) int64
        The vertices in counterclockwise order, starting with the lowest index.
    edges : (E, 2) int64
        From each vertex of the outline to the next. A segment has both directions; a point has no edges.
    normals : (E, 2) float64
        Unit normals of the edges, outward.
    offsets : (E,) float64
        ``points @ normals.T <= offsets + tolerance``. Both ends of an edge are within the tolerance of its offset.
    area : float
    perimeter : float
        Length of the outline. For a segment, both sides.
    centroid : (2,) float64
        Centroid of the area. For a segment, its midpoint.
    tolerance : float
        The distance, in the unit of the points, within which points count as collinear or equal: 32 to 64 eps times the
        largest coordinate, and about 4 float32 eps more for points given as float32.
    """

    points: Floats
    dimension: int
    vertices: Ints
    outline: Ints
    edges: Ints
    normals: Floats
    offsets: Floats
    area: float
    perimeter: float
    centroid: Floats
    tolerance: float

    def __repr__(self) -> str:
        counts = f"dimension={self.dimension}, points={len(self.points)}, vertices={len(self.vertices)}"
        return f"PlanarHull({counts}, area={self.area:.6g})"


def convex_hull(points: ArrayLike) -> PlanarHull:
    """Convex hull of points in the plane. It never fails on finite input.

    doc4code 2011, "Convex Hull", "Polytope" and "Vertex".

    Parameters
    ----------
    points : (n, 2) array-like
        At least one point. Duplicates and collinear points are allowed. An array of float32 or float16 is assumed to be
        rounded to its type: points that are collinear within that rounding are merged.

    Returns
    -------
    PlanarHull

    Raises
    ------
    ValueError
        If there is no point, the shape is wrong, or a coordinate is not finite; names the row.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.convex_hull([[0, 0], [1, 0], [1, 1], [0.5, 0.5]]).vertices
    array([0, 1, 2])
    """
    return _hulls([point_set(points, "points", (2,))])[0]


def convex_hulls(points: Sequence[ArrayLike]) -> list[PlanarHull]:
    """Convex hulls of many point sets at once: the results of `convex_hull`, much faster than one by one.

    Parameters
    ----------
    points : sequence of (n, 2) array-like

    Returns
    -------
    list of PlanarHull
        One for each point set, in order.

    Raises
    ------
    ValueError
        As for `convex_hull`; names the set and the row.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> [hull.vertices.size for hull in planar.convex_hulls([[[0, 0], [1, 0], [1, 1]], [[0, 0], [2, 0]]])]
    [3, 2]
    """
    return _hulls([point_set(one, f"points[{index}]", (2,)) for index, one in enumerate(items(points, "points"))])


def _hulls(inputs: list[NDArray[Any]]) -> list[PlanarHull]:
    """The hulls of validated points."""
    if not inputs:
        return []
    steps = np.array([rounding_in_steps(one.dtype) for one in inputs])
    sets: list[Floats] = [one.astype(np.float64) for one in inputs]
    exponent = np.array([grid_exponent(one) for one in sets], np.int64)
    first = run_starts(np.array([len(one) for one in sets]))
    together = np.concatenate(sets)
    lifted = np.ascontiguousarray(np.column_stack((together, np.zeros(len(together)))))
    lifted, index, start = grid_points(lifted, first, exponent)
    distinct = np.ascontiguousarray(lifted[:, :2])
    dimension, simplex = spanning_simplices(lifted, start, HULL_THICKNESS * steps)
    corner, ring_owner = outlines(distinct, start)
    ring_start = np.searchsorted(ring_owner, np.arange(len(sets) + 1))
    noisy = _has_noisy_corner(distinct[corner], ring_owner, ring_start, steps - _CERTAIN)
    found = []
    for h, points in enumerate(sets):
        if dimension[h] == 2:
            ring = corner[ring_start[h] : ring_start[h + 1]]
            if noisy[h]:
                # Start at a corner that is certainly a vertex: the farthest one from some point.
                reach = np.hypot(*(distinct[ring] - distinct[simplex[h, 1]]).T)
                ring = np.roll(ring, -int(np.argmax(reach)))
                ring = ring[remove_noisy_corners(distinct[ring], steps[h] - _CERTAIN)]
        else:
            ring = np.sort(simplex[h, : dimension[h] + 1])
        outline = index[ring] - first[h]
        if dimension[h] == 0:
            outline[:] = 0  # all points coincide within rounding: use the first
        turn = -int(np.argmin(outline))
        found.append(
            _planar_hull(
                points,
                int(dimension[h]),
                np.roll(outline, turn),
                np.roll(distinct[ring], turn, axis=0),
                int(exponent[h]),
                float(np.ldexp(steps[h], exponent[h])),
            )
        )
    return found


def _has_noisy_corner(corners: Floats, owner: Ints, start: Ints, limit: Floats) -> Bools:
    """Whether each outline has a corner within the limit of the side that would replace it."""
    following = cyclic_successors(np.diff(start))
    preceding = np.argsort(following)
    height = distances_to_segments(corners, corners[preceding], corners[following])
    noisy: Bools = np.bincount(owner[height <= limit[owner]], minlength=len(limit)) > 0
    return noisy


def _planar_hull(
    points: Floats, dimension: int, outline: Ints, ring: Floats, exponent: int, tolerance: float
) -> PlanarHull:
    """A hull from its outline and the grid coordinates of its corners."""
    edges = np.column_stack((outline, np.roll(outline, -1)))[: len(outline) if dimension else 0]
    along = (np.roll(ring, -1, axis=0) - ring)[: len(edges)]
    length = np.hypot(along[:, 0], along[:, 1])
    normals = np.column_stack((along[:, 1], -along[:, 0])) / length[:, None]
    offsets = np.einsum("eki,ei->ek", points[edges], normals).max(axis=1) if len(edges) else np.empty(0)
    area, centroid = 0.0, np.ldexp(ring.mean(axis=0), exponent) if dimension else points[outline[0]]
    if dimension == 2:
        spokes = np.column_stack((ring - ring[0], np.zeros(len(ring))))
        doubled = accurate_cross(spokes[1:-1], spokes[2:])[:, 2]
        area = float(doubled.sum()) / 2.0
        middle = (doubled[:, None] * (spokes[1:-1, :2] + spokes[2:, :2])).sum(axis=0) / (6.0 * area)
        centroid = np.ldexp(ring[0] + middle, exponent)
    with np.errstate(over="ignore"):  # only these values can overflow
        area, perimeter = float(np.ldexp(area, 2 * exponent)), float(np.ldexp(length.sum(), exponent))
    hull = PlanarHull(
        points=points,
        dimension=dimension,
        vertices=np.sort(outline),
        outline=outline,
        edges=edges,
        normals=normals,
        offsets=offsets,
        area=area,
        perimeter=perimeter,
        centroid=centroid,
        tolerance=tolerance,
    )
    for array in (points, hull.vertices, outline, edges, normals, offsets, centroid):
        array.flags.writeable = False
    return hull
