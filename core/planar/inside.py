# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether points lie in a region with holes, exactly."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..inputs import array, check_flag
from ..results import Bools
from .arrangement import rings
from .exact import orientation

# Points times edges looked at together: a few megabytes at a time.
_BLOCK = 1 << 18


def inside(outline: ArrayLike, holes: Sequence[ArrayLike], points: ArrayLike, *, boundary: bool = True) -> Bools:
    """Whether each point lies in the region that an outline bounds, less its holes.

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, either way around; the last is joined to the first.
    holes : sequence of (k, 2) array-like
    points : (n, 2) array-like
    boundary : bool
        The answer for points on an edge, be it of the outline or of a hole: touching is contact, so they belong to the
        region unless this says otherwise.

    Returns
    -------
    (n,) bool
        Exact for any float64 coordinates: no tolerance, no rounding.

    Raises
    ------
    ValueError
        If a ring is empty, a shape is wrong, a coordinate is not finite, or `boundary` is neither True nor False.

    Notes
    -----
    A ray to the right is counted where it crosses edges, those that reach up from its height and not those that end
    there; odd is inside. Rings that cross themselves are taken by that same rule; `decompose` refuses them.
    """
    check_flag(boundary, "boundary")
    given = rings(outline, holes)
    place = array(points, "points", (-1, 2))
    start, stop = given.points, given.points[given.following]
    result = np.zeros(len(place), dtype=np.bool_)
    on_edge = np.zeros(len(place), dtype=np.bool_)
    step = max(1, _BLOCK // len(start))
    for first in range(0, len(place), step):
        here = place[first : first + step]
        low, high = np.minimum(start, stop), np.maximum(start, stop)
        level = (here[:, None, 1] >= low[None, :, 1]) & (here[:, None, 1] <= high[None, :, 1])
        point, edge = np.nonzero(level & (here[:, None, 0] <= high[None, :, 0]))
        side = orientation(start[edge], stop[edge], here[point])
        on_edge[first + point[(side == 0) & (here[point, 0] >= low[edge, 0])]] = True
        upward = start[edge, 1] < stop[edge, 1]
        half_open = (here[point, 1] >= low[edge, 1]) & (here[point, 1] < high[edge, 1])
        crossed = half_open & (side == np.where(upward, 1, -1))
        result[first : first + step] = np.bincount(point[crossed], minlength=len(here)) % 2 == 1
    return np.where(on_edge, boundary, result)
