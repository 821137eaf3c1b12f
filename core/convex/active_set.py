# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points of pairs that GJK does not decide, see `kernels.active_set`."""

from dataclasses import dataclass

import numpy as np

from ..kernels import active_set as kernel
from ..numerics.rows import RowTable
from ..numerics.types import Floats
from ..shapes.sides import chosen, side_of
from ..shapes.support_mapped import Supported
from .rooms import work_room


@dataclass(frozen=True)
class Settled(RowTable):
    """The gap of each pair and its witness points.

    Attributes
    ----------
    lower : (P,) float64
        The gap along `normal`, a lower bound of the distance; at most zero for intersecting pairs.
    normal : (P, 3) float64
        Unit vector from A to B.
    point_a, point_b : (P, 3) float64
        Points of A and B. Of all candidates, those for which ``point_b - point_a`` is nearest to ``lower * normal``.
    miss : (P,) float64
        Distance between ``point_b - point_a`` and ``lower * normal``.
    """

    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    miss: Floats

    @classmethod
    def empty(cls, count: int) -> "Settled":
        """Allocate `count` rows."""
        normal, point_a, point_b = np.zeros((3, count, 3))
        return cls(np.full(count, -np.inf), normal, point_a, point_b, np.full(count, np.inf))


def settled(a: Supported, b: Supported, normal: Floats, tolerance: Floats, points: Floats | None = None) -> Settled:
    """Closest points of pairs (P), and the direction that proves them.

    The search begins at an approximate unit `normal` (P, 3) from A to B, and at known `points` (P, K, 6) of A - B, each
    followed by the point of A that it comes from. A pair is finished if its points agree with the bound within the
    `tolerance` (P,), or if their distance is at most that.
    """
    result = Settled.empty(len(a))
    known = np.empty((len(a), 0, 6)) if points is None else np.ascontiguousarray(points)
    given = np.ascontiguousarray(normal), np.ascontiguousarray(tolerance), known.shape[1], known
    sides = side_of(a), side_of(b)
    chosen(kernel.settle, "active_set.settle", *sides)(*sides, work_room(), *given, *vars(result).values())
    return result


def brought_together(a: Supported, b: Supported, normal: Floats, gap: Floats, tolerance: Floats) -> Settled:
    """Witness points of overlapping pairs: where the shapes touch after B has moved out of A.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    normal, gap : (P, 3), (P,) float64
        Unit normal, and the gap along it: minus the depth or a slightly greater depth. If they are separated after this
        translation, another direction has a shorter separating translation. It becomes the normal.
    tolerance : (P,) float64
        Points that coincide within this are accurate enough.

    Returns
    -------
    Settled
        `lower` is the gap along the normal.
    """
    result = Settled.empty(len(a))
    given = np.ascontiguousarray(normal), np.ascontiguousarray(gap), np.ascontiguousarray(tolerance)
    sides = side_of(a), side_of(b)
    find = chosen(kernel.bring_together, "active_set.bring_together", *sides)
    find(*sides, work_room(), *given, *vars(result).values())
    return result
