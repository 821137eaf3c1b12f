# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance or depth of any two convex shapes with support mappings: `kernels.curved_gaps` with the radii."""

from dataclasses import dataclass

import numpy as np

from ..convex.rooms import polytope_room, work_room
from ..kernels import curved_gaps as kernel
from ..kernels import steepest as steepest_kernel
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats
from ..shapes.sides import backward, chosen, side_of
from ..shapes.support_mapped import Supported
from .support_cores import Core


def steepest(
    a: Supported, b: Supported, normal: Floats, *, near: bool = True, within: bool = False
) -> tuple[Floats, Bools]:
    """Directions near the given ones along which the gap has a local maximum, by Newton's method.

    The steps perpendicular to edges have a length of their own. Gains within rounding do not count, but a search that
    converges goes on to directions that are exact to rounding.

    Parameters
    ----------
    near : bool
        The given directions are near a maximum. Then edges are found with all digits. Elsewhere, this would take a
        surface that is curved as sharply as a needle for an edge.
    within : bool
        Return directions along which A extends least beyond B, instead.

    Returns
    -------
    normal : (P, 3) float64
        Unit vectors.
    converged : (P,) bool
        Whether the number of steps was sufficient.
    """
    result, converged = np.empty(normal.shape), np.empty(len(normal), dtype=bool)
    sides = side_of(a), backward(side_of(b)) if within else side_of(b)
    find = chosen(steepest_kernel.steepest, "steepest.steepest", *sides)
    find(*sides, a.size + b.size, np.ascontiguousarray(normal), near, result, converged)
    return result, converged


@dataclass(frozen=True)
class Gap:
    """The signed distance of each pair, in its frame.

    Attributes
    ----------
    distance : (P,) float64
        Signed distance, radii included. For pairs beyond the limit, a lower bound that is also beyond it.
    normal : (P, 3) float64
    middle : (P, 3) float64
        Midpoint between the witness points; NaN for pairs beyond the limit.
    slack : (P,) float64
        Rounding error of the pair. The pair overlaps if the distance is at most this.
    """

    distance: Floats
    normal: Floats
    middle: Floats
    slack: Floats


def measured(a: Core, b: Core, offset: Floats, limit: float | None = None, *, deep: bool = True) -> Gap:
    """Measure the distance or depth of each pair.

    Parameters
    ----------
    a, b : Core
        P rows each, relative to a nearby origin.
    offset : (P,) float64
        Distance of the pair from the world's origin, for the rounding error.
    limit : float, optional
        Pairs farther apart than this are not measured.
    deep : bool
        If False, pairs that certainly overlap are not measured. Their gap is minus infinity if the cores overlap, and
        otherwise an upper bound.
    """
    size, radii = a.size + b.size, a.radius + b.radius
    slack = rounding(size, offset)
    gap, (normal, middle) = np.empty(len(a)), np.empty((2, len(a), 3))
    sides = side_of(a), side_of(b)
    find = chosen(kernel.measure, "curved_gaps.measure", *sides)
    given = np.ascontiguousarray(a.center - b.center), size, radii, slack, np.inf if limit is None else limit, deep
    find(*sides, polytope_room(), work_room(), *given, gap, normal, middle)
    middle += normal * ((a.radius - b.radius) / 2.0)[:, None]
    return Gap(gap - radii, normal, middle, slack)
