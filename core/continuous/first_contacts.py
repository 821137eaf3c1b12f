# SPDX-License-Identifier: GPL-3.0-or-later
"""What the closed forms of motion answer, and pairs whose bounding spheres never meet as they move."""

from dataclasses import dataclass

import numpy as np

from ..geometry.segments import over, unit_interval
from ..numerics import soa as vector
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class FirstContacts:
    """First contacts by a closed form, and which pairs it leaves to the advancement.

    Attributes
    ----------
    settled : (P,) bool
        False where rounding could change the verdict, and where a pair may touch at the start.
    rows : (H,) int64
        Those of the settled pairs that touch.
    time : (H,) float64
    point, normal : (H, 3) float64
        Midway between the surfaces, and from A to B, both at that time; NaN where they are left open: then the pair is
        to be measured at that time.
    """

    settled: Bools
    rows: Ints
    time: Floats
    point: Floats
    normal: Floats


def swept_slack(extent: Floats) -> Floats:
    """Gaps no larger than this, either way, may be touching when a shape has been displaced: (P,).

    Four times what is called touching at the end of the way, so that no verdict is left to rounding.

    Parameters
    ----------
    extent : (P,) float64
        Size of the pair, distances from the origin and lengths of the displacements, together.
    """
    return 4.0 * ROUNDING_STEPS * EPS * extent


def swept_spheres_disjoint(
    center_a: Floats, center_b: Floats, radius: Floats, path: Floats, deviation: Floats | float = 0.0
) -> Bools:
    """Whether balls about the shapes of each pair are proved apart at all times from 0 to 1.

    Parameters
    ----------
    center_a, center_b : (3, P) float64
        Where they are at time 0.
    radius : (P,) float64
        The sum of the two, without end where a shape is.
    path : (3, P) float64
        How far B's is displaced against A's in a straight line.
    deviation : (P,) float64
        How far the two may come nearer than that: of shapes that turn, whose `path` is zero, all their way.
    """
    apart = center_b - center_a
    # The point of the way that is nearest to the origin.
    apart += path * unit_interval(over(-vector.dot(apart, path), vector.dot(path, path)))
    reach = radius + deviation
    extent = np.abs(center_a)
    extent += np.abs(center_b)
    extent += np.abs(path)
    reach += swept_slack(extent.sum(axis=0) + reach)
    result: Bools = vector.dot(apart, apart) > reach * reach
    return result
