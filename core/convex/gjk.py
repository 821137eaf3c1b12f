# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of pairs by the algorithm of Gilbert, Johnson and Keerthi (GJK).

The distance of A and B is that of the origin from A - B (doc4code 2011, "Distance"). `kernels.gjk` approaches it over
simplices of A - B whose vertices are differences of support points. It only uses the support mapping of the shapes. So
polytopes and shapes with curved surfaces are handled alike.
"""

from dataclasses import dataclass

import numpy as np

from ..kernels import closest as kernel
from ..numerics.types import Bools, Floats
from ..shapes.sides import chosen, side_of
from ..shapes.support_mapped import Supported
from .rooms import work_room


@dataclass(frozen=True)
class Closest:
    """The distance of each pair and its proof.

    Attributes
    ----------
    distance : (P,) float64
        An upper bound, proved by the points. Zero where `overlap`.
    lower : (P,) float64
        A lower bound, proved by `normal`: along it, the gap between A and B is this. For polytopes the two bounds agree
        within rounding, for curved shapes within the given tolerance.
    normal : (P, 3) float64
        Unit vector from A to B; zero if the points coincide.
    point_a, point_b : (P, 3) float64
        The closest points. Undefined where `overlap` or `beyond`.
    overlap : (P,) bool
        The origin is in the interior of A - B, by more than rounding.
    certain : (P,) bool
        As `overlap`, and this holds regardless of the rounding errors of the corners of the simplex.
    beyond : (P,) bool
        The pair is farther apart than the limit and was not measured further. `distance` is only the lower bound.
    doubtful : (P,) bool
        The distance of the points exceeds `lower` by more than rounding or the given tolerance.
    simplex : (P, 4, 6) float64
        Where `overlap`: four vertices of A - B that contain the origin, each followed by the point of A that it comes
        from.
    """

    distance: Floats
    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    overlap: Bools
    certain: Bools
    beyond: Bools
    doubtful: Bools
    simplex: Floats

    @classmethod
    def empty(cls, count: int) -> "Closest":
        """Allocate `count` rows."""
        normal, point_a, point_b = np.zeros((3, count, 3))
        overlap, certain, beyond, doubtful = np.zeros((4, count), dtype=bool)
        distance, lower = np.zeros((2, count))
        return cls(
            distance, lower, normal, point_a, point_b, overlap, certain, beyond, doubtful, np.empty((count, 4, 6))
        )


def closest(
    a: Supported,
    b: Supported,
    start: Floats | None = None,
    limit: Floats | None = None,
    tolerance: float = 0.0,
    *,
    settle: bool = True,
) -> Closest:
    """Find the closest points of the two shapes of each pair.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    start : (P, 3) float64, optional
        Approximate vector from B to A, where the search begins. The difference of the centers is a good choice.
    limit : (P,) float64, optional
        Pairs farther apart than this are not measured. With 0, only overlap is decided.
    tolerance : float
        Dimensionless. A pair is finished if its bounds differ by at most this times the distance. Zero requests the
        accuracy of rounding, for polytopes. Curved shapes need `tolerances.CURVED_DISTANCE` or more, as no step finds
        their last vertex.
    settle : bool
        Whether pairs whose points are not proved to be the closest are repeated with more points. If False, they are
        `doubtful` in the result.
    """
    count = len(a)
    result = Closest.empty(count)
    if not count:
        return result
    if start is None:
        axis = np.broadcast_to(np.array([1.0, 0.0, 0.0]), (count, 3))
        start = (a.support(axis) + a.support(-axis) - b.support(axis) - b.support(-axis)) / 2.0
    size = a.size + b.size
    limits = np.full(count, np.inf) if limit is None else np.ascontiguousarray(limit)
    sides = side_of(a), side_of(b)
    find = chosen(kernel.closest, "closest.closest", *sides)
    given = np.ascontiguousarray(start), size, limits, tolerance, settle
    find(*sides, work_room(), *given, *vars(result).values())
    return result
