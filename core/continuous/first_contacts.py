# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the closed forms for translating shapes, and a test for pairs whose bounding spheres never meet."""

from dataclasses import dataclass

import numpy as np

from ..geometry.segments import over, unit_interval
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot_columns


@dataclass(frozen=True, eq=False)
class FirstContacts:
    """First contacts from a closed form. Pairs without a result are left to conservative advancement.

    Attributes
    ----------
    settled : (P,) bool
        False if rounding could change the result, and if the pair may touch at the start.
    rows : (H,) int64
        Indices of the settled pairs that touch.
    time : (H,) float64
    point, normal : (H, 3) float64
        Midway between the surfaces, and from A to B, both at that time. NaN if the caller has to measure the pair at
        that time.
    """

    settled: Bools
    rows: Ints
    time: Floats
    point: Floats
    normal: Floats


def swept_slack(extent: Floats) -> Floats:
    """Gaps or overlaps up to this may be touching contact after a displacement: (P,).

    It is four times the tolerance for touching at the end of the displacement, so that rounding decides no result.
    `extent` (P,) is the sum of the pair's size, its distances from the origin and the lengths of the displacements.
    """
    return 4.0 * ROUNDING_STEPS * EPS * extent


def swept_spheres_disjoint(
    center_a: Floats, center_b: Floats, radius: Floats, path: Floats, deviation: Floats | float = 0.0
) -> Bools:
    """Whether bounding spheres of each pair are proved to be separated during the whole interval [0, 1].

    Parameters
    ----------
    center_a, center_b : (3, P) float64
        Their positions at time 0.
    radius : (P,) float64
        The sum of the two radii; infinite for unbounded shapes.
    path : (3, P) float64
        Displacement of B relative to A, in a straight line.
    deviation : (P,) float64
        How much closer the two may come than during that displacement. For rotating shapes with zero `path`, it is the
        whole relative motion.
    """
    apart = center_b - center_a
    # The point of the path that is nearest to the origin.
    apart += path * unit_interval(over(-dot_columns(apart, path), dot_columns(path, path)))
    reach = radius + deviation
    extent = np.abs(center_a)
    extent += np.abs(center_b)
    extent += np.abs(path)
    reach += swept_slack(extent.sum(axis=0) + reach)
    result: Bools = dot_columns(apart, apart) > reach * reach
    return result
