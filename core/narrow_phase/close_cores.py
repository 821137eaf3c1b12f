# SPDX-License-Identifier: GPL-3.0-or-later
"""The normals of cores that are close to each other, on components.

Closest points are right to some roundings of the size. Their direction is no better than that as a share of their
distance, and what it is off is felt at the far ends of the shapes. What the points lie on tells it to the last digit:
it is at right angles to an edge, to two of them, or to a face. Of all these directions the one along which the cores
are farthest apart is the normal.
"""

from collections.abc import Callable, Iterable

import numpy as np

from ..numerics import error_free
from ..numerics.soa import dot
from ..numerics.tolerances import CLOSE_CORES
from ..numerics.types import Floats, Ints


def close(far: Floats, size: Floats) -> Ints:
    """The pairs whose cores are apart, but so close that the direction of the closest points is not good enough."""
    return np.flatnonzero((far <= CLOSE_CORES * size) & (far > 0.0))


def farthest(ways: Iterable[Floats], gap: Callable[[Floats], Floats]) -> Floats:
    """Of directions (3, P) of each pair, zero where there is none, the one with the largest gap: (3, P)."""
    result, most = np.empty(0), np.empty(0)
    for number, way in enumerate(ways):
        this = gap(way)
        if number == 0:
            result, most = way.copy(), this
            continue
        better = (this > most) & way.any(axis=0)
        np.copyto(result, way, where=better)
        np.copyto(most, this, where=better)
    return result


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
