# SPDX-License-Identifier: GPL-3.0-or-later
"""Correction of inaccurate directions between closest points, on component arrays.

Closest points have an error of a few roundings of the size. The relative error of their direction is this error divided
by their distance, and causes an error in the support at the far ends of the shapes. The features of the closest points
give an accurate direction: it is perpendicular to an edge, to two edges, or to a face. The candidate with the largest
gap between the cores is the normal.
"""

from collections.abc import Callable, Iterable

import numpy as np

from ..numerics import vectors
from ..numerics.soa import dot
from ..numerics.tolerances import EPS
from ..numerics.types import Floats, Ints

# Roundings of the size. A direction whose gap is less than the distance by up to this is accurate enough.
_SHOWN = 4.0

Gap = Callable[[Floats, Ints | slice], Floats]
Directions = Callable[[Floats, Ints], Iterable[Floats]]


def correct(way: Floats, far: Floats, size: Floats, gap: Gap, others: Directions) -> None:
    """Replace in place the directions of closest points whose gap is less than the distance.

    Parameters
    ----------
    way : (3, P) float64
        Unit directions between the closest points, from A to B.
    far, size : (P,) float64
        Distances of the cores, and sizes of the pairs. Pairs whose distance is not positive are left unchanged.
    gap
        Function of directions (3, R) and of the rows they are for. Returns the gaps between the cores along them, (R,).
    others
        Function of directions and of the rows they are for. Returns candidates (3, R), one of which is better.
    """
    shown = far - _SHOWN * EPS * size
    rows = np.flatnonzero((far > 0.0) & (gap(way, slice(None)) < shown))
    if not len(rows):
        return
    old = way[:, rows]
    tried = np.stack([old, *others(old, rows)])
    gaps = np.stack([np.where(each.any(axis=0), gap(each, rows), -np.inf) for each in tried])
    # Of equal gaps within rounding, take the nearest direction: it points from one closest point to the other.
    turn = np.where(gaps >= gaps.max(axis=0) - _SHOWN * EPS * size[rows], ((tried - old) ** 2).sum(axis=1), np.inf)
    way[:, rows] = tried[turn.argmin(axis=0), :, np.arange(len(rows))].T


def perpendicular_to(way: Floats, edge: Floats) -> Floats:
    """Unit directions (3, P) perpendicular to edges and nearest to `way`; zero where there is none."""
    along = _unit(edge)
    for _ in range(2):
        # The second pass removes the rounding error of the first.
        way = _unit(way - along * dot(way, along))
    return way


def perpendicular_to_both(way: Floats, one: Floats, other: Floats) -> Floats:
    """Unit directions perpendicular to two edges each, on the side of `way`; zero where the edges are parallel."""
    none = np.zeros_like(one.T)
    result = _unit(vectors.cross_dd(one.T, other.T, none, none).T)
    result *= np.where(dot(result, way) < 0.0, -1.0, 1.0)
    return result


def _unit(vectors: Floats) -> Floats:
    """Normalize vectors. Zero vectors stay zero."""
    size = np.sqrt(dot(vectors, vectors))
    return vectors / np.where(size > 0.0, size, 1.0)
