# SPDX-License-Identifier: GPL-3.0-or-later
"""Penetration depth of pairs by the expanding polytope algorithm.

The depth of A in B is the distance of the origin from the boundary of A - B (doc4code 2011, "Penetration depth").
`kernels.epa` computes it.

Both bounds of the depth are certified. The plane through a support point is an upper bound, whatever the face it came
from. The distance of the nearest face is a lower bound for two reasons. The faces form a closed surface, because the
cone over the rim replaces the faces that it borders. And the origin is behind all faces. Such a surface encloses the
origin, and the ball up to its nearest face is inside the hull of its vertices. The surface need not be convex for this.
"""

from dataclasses import dataclass

import numpy as np

from ..kernels import epa as kernel
from ..numerics.rows import RowTable
from ..numerics.types import Bools, Floats
from ..shapes.sides import chosen, side_of
from ..shapes.support_mapped import Supported
from .rooms import polytope_room


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


@dataclass(frozen=True)
class OpenFaces(RowTable):
    """Faces of unfinished polytopes at which to search for less overlap.

    A direction of less overlap than the upper bound is near the normal of a face that is nearer than this bound.

    Attributes
    ----------
    normal : (P, K, 3) float64
        Normals of faces, zero if unused: of the nearest one, of the nearest one that is turned from it by more than
        `kernels.epa.ALIKE`, of the nearest one that is turned from both, and so on.
    rest : (P,) float64
        The distance of the nearest other face, infinite if there is none below the upper bound: no direction that is
        turned from all of `normal` has less overlap.
    """

    normal: Floats
    rest: Floats


def penetration(
    a: Supported, b: Supported, simplex: Floats, tolerance: float = 0.0, faces: OpenFaces | None = None
) -> Penetration:
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
    faces : OpenFaces, optional
        Where a pair is not finished, faces of its polytope are written here.
    """
    count = len(a)
    vectors, flags = np.zeros((3, count, 3)), np.zeros((2, count), dtype=bool)
    result = Penetration(np.full(count, np.inf), np.zeros(count), *vectors, *flags)
    if not count:
        return result
    size = a.size + b.size + np.abs(simplex[..., :3]).max(axis=(1, 2), initial=0.0)
    if faces is None:
        faces = OpenFaces(np.empty((count, 0, 3)), np.empty(count))
    given = np.ascontiguousarray(simplex), size, tolerance
    most = faces.normal.shape[1]
    sides = side_of(a), side_of(b)
    find = chosen(kernel.penetration, "epa.penetration", *sides)
    find(*sides, polytope_room(), *given, *vars(result).values(), most, *vars(faces).values())
    return result
