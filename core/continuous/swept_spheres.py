# SPDX-License-Identifier: GPL-3.0-or-later
"""The early out of motion: balls about moving shapes that never come near each other."""

import numpy as np

from ..geometry.segments import over, unit_interval
from ..numerics import soa as vector
from ..numerics.types import Bools, Floats
from .first_contacts import swept_slack


def never_near(center_a: Floats, center_b: Floats, radius: Floats, path: Floats, wander: Floats | float = 0.0) -> Bools:
    """Whether balls about the shapes of each pair are proved apart at all times from 0 to 1.

    Parameters
    ----------
    center_a, center_b : (3, P) float64
        Where they are at time 0.
    radius : (P,) float64
        The sum of the two, without end where a shape is.
    path : (3, P) float64
        How far B's is displaced against A's in a straight line.
    wander : (P,) float64
        How far the two may come nearer than that: of shapes that turn, whose `path` is zero, all their way.
    """
    apart = center_b - center_a
    # The point of the way that is nearest to the origin.
    apart += path * unit_interval(over(-vector.dot(apart, path), vector.dot(path, path)))
    reach = radius + wander
    extent = np.abs(center_a)
    extent += np.abs(center_b)
    extent += np.abs(path)
    reach += swept_slack(extent.sum(axis=0) + reach)
    result: Bools = vector.dot(apart, apart) > reach * reach
    return result
