# SPDX-License-Identifier: GPL-3.0-or-later
"""The integer grid on which hulls are built, and its exact predicates.

Points are scaled by a power of two so that the largest coordinate is between 2^51 and 2^52, and rounded to integers
that are stored as float64. A grid step is one to two units in the last place of the largest coordinate, so this
rounding is that of the coordinates themselves. Differences of points are then exact in float64, and a determinant of
such differences is a Python integer of at most 162 bits. The side of a plane on which a point lies is therefore always
certain, for any scale and offset of the input.

The dimension of a point set is determined within rounding, and a large initial simplex is found for each set.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.tolerances import HULL_ROUNDING, HULL_SINGLE_ROUNDING
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import two_product

GRID_BITS = 52
"""The largest coordinate is below 2^52 grid steps, so that differences stay within the 53 bits of float64."""

SMALLEST_EXPONENT = -960
"""Lower limit of the exponent of the largest coordinate, so that a grid step is a normal float64 number."""


def grid_exponent(points: Floats) -> int:
    """Exponent of a grid step for these points, which is a power of two in their unit."""
    return max(int(np.frexp(np.abs(points).max())[1]), SMALLEST_EXPONENT) - GRID_BITS


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
    """Unit normals of triangles on the grid and twice their areas.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points.
    corners : (T, 3) int
        Not collinear. Counter-clockwise as seen from the side that the normal points to.

    Returns
    -------
    normals : (T, 3) float64
    double_areas : (T,) float64
        In squared grid steps.
    """
    origin = points.take(corners[:, 0], axis=0)
    cross = accurate_cross(points.take(corners[:, 1], axis=0) - origin, points.take(corners[:, 2], axis=0) - origin)
    length = np.sqrt(dot(cross, cross))
    return cross / length[:, None], length


def exactly_above(points: Floats, corners: Ints, point: Ints) -> Bools:
    """Whether points lie strictly above the planes of triangles, in integer arithmetic.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points.
    corners : (m, 3) int
        The triangle of each row.
    point : (m,) int
        The point of each row.
    """
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
