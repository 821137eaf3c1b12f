# SPDX-License-Identifier: GPL-3.0-or-later
"""Quickhull (Barber, Dobkin and Huhdanpaa 1996) of many point sets at once, on an integer grid with exact predicates.

Points are scaled by a power of two so that the largest coordinate is between 2^51 and 2^52, and rounded to integers
that are stored as float64. A grid step is one to two units in the last place of the largest coordinate, so this
rounding is that of the coordinates themselves. Differences of points are then exact in float64, and a determinant of
such differences is a sum of 24 exact terms. The side of a plane on which a point lies is therefore always
certain, for any scale and offset of the input. The dimension of a point set is determined within rounding, and a large
initial simplex is found for each set.

The hull of each set is simplicial. Points can be excluded. They are assigned to facets like the others, but inserted at
the end only if they are too far above a facet. For the remaining excluded points, the facets that they are above, and
their heights, are then known without comparing all points with all facets. See `kernels.quickhull`.

Signs are exact and visibility is strict: a point in the plane of a facet does not see it. New triangles are therefore
never degenerate, since a point strictly above the visible facet at an edge is not on the line of that edge. Facets may
be coplanar with their neighbors, and vertices may be on edges or inside faces.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import quickhull as kernel
from ..numerics.tolerances import HULL_ROUNDING, HULL_SINGLE_ROUNDING
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, two_product

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
    product = accurate_cross(points.take(corners[:, 1], axis=0) - origin, points.take(corners[:, 2], axis=0) - origin)
    length = np.sqrt(dot(product, product))
    return product / length[:, None], length


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

    across = cross(offset, _safe_divide(axis, length)[row])
    simplex[:, 2], width = segment_argmax(np.sqrt(dot(across, across)), start)
    is_plane = is_line & (width > rounding)

    normal = accurate_cross(axis, offset[simplex[:, 2]])
    height = dot(offset, _safe_divide(normal, np.sqrt(dot(normal, normal)))[row])
    highest, above = segment_argmax(height, start)
    lowest, below = segment_argmax(-height, start)
    simplex[:, 3] = np.where(above >= below, highest, lowest)
    is_solid = is_plane & (above + below > rounding)
    return is_line.astype(np.int64) + is_plane + is_solid, simplex


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
    count = 2 * len(points)
    facets = kernel.Facets(
        np.ascontiguousarray(points),
        np.empty((count, 3), np.int64),
        np.empty((count, 3), np.int64),
        np.empty((count, 8)),
        np.zeros((count, 5), np.int64),
        np.empty((count, 4), np.int64),
        np.empty(len(points), np.int64),
        np.empty(len(points), np.int64),
        np.empty(len(points), np.int64),
        np.empty((len(points), 3), np.int64),
    )
    out = np.zeros(len(points), np.bool_) if excluded is None else excluded.copy()
    most = np.full(len(simplex), -1.0) if limit is None else limit
    kernel.simplicial_hulls(facets, start, np.ascontiguousarray(simplex), out, most)
    alive = np.flatnonzero(facets.state[:, kernel.ALIVE])
    position = np.empty(count, np.int64)
    position[alive] = np.arange(len(alive), dtype=np.int64)
    planes = facets.planes[alive]
    return SimplicialHulls(
        facets.corners[alive],
        position[facets.neighbors[alive]],
        planes[:, : kernel.ANCHOR],
        planes[:, kernel.SLACK],
    )
