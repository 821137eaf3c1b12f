# SPDX-License-Identifier: GPL-3.0-or-later
"""Dimension of point sets within rounding, and a large initial simplex for each."""

import numpy as np

from ..numerics.types import Bools, Floats, Ints
from .grid import accurate_cross, dot


def segment_argmax(values: Floats, start: Ints) -> tuple[Ints, Floats]:
    """Position of the first greatest value of each run, and that value.

    Run h is ``values[start[h]:start[h + 1]]``; no run is empty.
    """
    best = np.maximum.reduceat(values, start[:-1])
    row = np.repeat(np.arange(len(best), dtype=np.int64), np.diff(start))
    hits = np.flatnonzero(values == best[row])[::-1]
    position = np.empty(len(best), np.int64)
    position[row[hits]] = hits  # reversed, so that the first of equal values wins
    return position, best


def _safe_divide(vectors: Floats, lengths: Floats) -> Floats:
    """Unit vectors; zero where the length is zero."""
    quotient: Floats = vectors / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return quotient


def spanning_simplices(points: Floats, start: Ints, rounding: Floats) -> tuple[Ints, Ints]:
    """Find the dimension of each point set and points that span it.

    The rule: two points farther apart than the rounding span a line, one farther than that from the line a
    plane, and two farther than that apart across the plane space.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all the sets, one set after another; no set is empty.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    rounding : (H,) float64
        In grid steps.

    Returns
    -------
    dimension : (H,) int64
        0 to 3.
    simplex : (H, 4) int64
        Indices of points; the first ``dimension + 1`` of each row count.
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
