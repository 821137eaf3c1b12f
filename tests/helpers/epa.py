# SPDX-License-Identifier: GPL-3.0-or-later
"""The penetration depth of batches by the expanding polytope algorithm, as kernels compute it for one pair."""

from dataclasses import dataclass

import numpy as np

from collision_kit.core.convex.rooms import polytope_room
from collision_kit.core.kernels import epa, loading
from collision_kit.core.kernels.supports import placed
from collision_kit.core.numerics.types import Bools, Floats
from collision_kit.core.shapes.sides import side_of
from collision_kit.core.shapes.support_mapped import Supported


@dataclass(frozen=True)
class Penetration:
    """Penetration of the two shapes of each pair.

    Attributes
    ----------
    depth : (P,) float64
        An upper bound: a translation of B by ``depth * normal`` separates the two.
    lower : (P,) float64
        A lower bound: no shorter translation separates them.
    normal : (P, 3) float64
        Unit vector from A to B.
    point_a, point_b : (P, 3) float64
        Surface points that this translation brings together: ``point_a - point_b == depth * normal``.
    converged : (P,) bool
        The bounds agree within the tolerance, and the distance of the points along the normal is the depth. False also
        if a face became too thin, the polytope too large, or the origin is so near to the boundary that its side is
        unknown. The bounds are valid nevertheless. If the given vertices have a face without area, the upper bound is
        infinite.
    tied : (P,) bool
        Another direction is equally good within rounding.
    """

    depth: Floats
    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    converged: Bools
    tied: Bools


def penetration(a: Supported, b: Supported, simplex: Floats, tolerance: float = 0.0) -> Penetration:
    """Penetration depth of overlapping pairs.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    simplex : (P, 4, 6) float64
        Vertices of A - B that contain the origin, and the points of A that they come from, as returned by
        `collision_kit.core.convex.gjk.closest`.
    tolerance : float
        Dimensionless. A pair is finished if its bounds differ by at most this times the depth. Zero is for polytopes.
        Curved shapes need 1e-6 or more.
    """
    count = len(a)
    vectors, flags = np.zeros((3, count, 3)), np.zeros((2, count), dtype=bool)
    result = Penetration(np.full(count, np.inf), np.zeros(count), *vectors, *flags)
    size = a.size + b.size + np.abs(simplex[..., :3]).max(axis=(1, 2), initial=0.0)
    for pair in range(count):
        given = side_of(a), side_of(b), pair, polytope_room(), simplex[pair], float(size[pair]), tolerance
        found = loading._with_views(_deepest)(*given)
        if found is not None:
            result.depth[pair], result.lower[pair], result.normal[pair] = found[:3]
            result.point_a[pair], result.point_b[pair], _, result.converged[pair], result.tied[pair] = found[3:8]
    return result


def _deepest(a, b, pair, polytope, simplex, size, tolerance):
    """The answer of `kernels.epa.deepest` about one pair; None if a face of the simplex has no normal."""
    for corner in range(4):
        for m in range(6):
            polytope.vertices[corner, m] = simplex[corner, m]
    if not epa.begun(polytope):
        return None
    zero = 0.0, 0.0, 0.0
    return epa.deepest(placed(a, pair, zero), placed(b, pair, zero), polytope, size, tolerance)
