# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions of closest points that are known to too few digits, on components.

Closest points are right to some roundings of the size. Their direction is no better than that as a share of their
distance, and what it is off is felt at the far ends of the shapes. What the points lie on tells it to the last digit:
it is at right angles to an edge, to two of them, or to a face. Of all these directions the one along which the cores
are farthest apart is the normal.
"""

from collections.abc import Callable, Iterable

import numpy as np

from ..numerics import error_free
from ..numerics.soa import dot
from ..numerics.tolerances import EPS
from ..numerics.types import Floats, Ints

# Roundings of the size: a direction that shows the distance less so much is good enough.
_SHOWN = 4.0

Gap = Callable[[Floats, Ints | slice], Floats]
Directions = Callable[[Floats, Ints], Iterable[Floats]]


def correct(way: Floats, far: Floats, size: Floats, gap: Gap, others: Directions) -> None:
    """Replace, in place, the directions of closest points that show less than the distance.

    Parameters
    ----------
    way : (3, P) float64
        The directions of the closest points, unit, from A to B.
    far, size : (P,) float64
        The distances of the cores, those that are not positive to be left alone, and the sizes of the pairs.
    gap
        From directions (3, R) of some pairs, and which: how far apart the cores of these are along them, (R,).
    others
        From the directions of some pairs, and which: more directions (3, R), one of which is better.
    """
    shown = far - _SHOWN * EPS * size
    rows = np.flatnonzero((far > 0.0) & (gap(way, slice(None)) < shown))
    if not len(rows):
        return
    old = way[:, rows]
    tried = np.stack([old, *others(old, rows)])
    gaps = np.stack([np.where(each.any(axis=0), gap(each, rows), -np.inf) for each in tried])
    # Of those that show as much, to rounding, the nearest: it leads from the one closest point to the other.
    turn = np.where(gaps >= gaps.max(axis=0) - _SHOWN * EPS * size[rows], ((tried - old) ** 2).sum(axis=1), np.inf)
    way[:, rows] = tried[turn.argmin(axis=0), :, np.arange(len(rows))].T


def upright(way: Floats, edge: Floats) -> Floats:
    """Unit directions (3, P) at right angles to edges, as near to others as can be; zero where there is none."""
    along = _unit(edge)
    for _ in range(2):
        # The second time takes off what rounding of a long vector left of the first.
        way = _unit(way - along * dot(way, along))
    return way


def across(way: Floats, one: Floats, other: Floats) -> Floats:
    """Unit directions at right angles to two edges each, on the side of `way`; zero where the edges are parallel."""
    none = np.zeros_like(one.T)
    result = _unit(error_free.cross_dd(one.T, other.T, none, none).T)
    result *= np.where(dot(result, way) < 0.0, -1.0, 1.0)
    return result


def _unit(vectors: Floats) -> Floats:
    """Zeros stay."""
    size = np.sqrt(dot(vectors, vectors))
    return vectors / np.where(size > 0.0, size, 1.0)
