# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether points lie in a region with holes, exactly."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.types import Bools, Floats, Ints
from ...numerics.validation import array, check_flag
from .decomposition import rings
from .predicates import orientation

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
        The answer for points on the boundary, be it of the outline or of a hole: touching is contact, so they belong to
        the region unless this says otherwise. Edges with the region on both sides or on neither are no boundary: a
        bridge to a hole is inside, a spike without width or the wall between two holes that share a side is outside.

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

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.inside([[0, 0], [2, 0], [0, 2]], [], [[0.5, 0.5], [2, 2]])
    array([ True, False])
    """
    check_flag(boundary, "boundary")
    given = rings(outline, holes)
    place = array(points, "points", (-1, 2))
    start, stop = given.points, given.points[given.following]
    result = np.zeros(len(place), dtype=np.bool_)
    on_boundary = np.zeros(len(place), dtype=np.bool_)
    sized = (start != stop).any(axis=1)
    start, stop = start[sized], stop[sized]
    step = max(1, _BLOCK // max(len(start), 1))
    for first in range(0, len(place), step):
        here = place[first : first + step]
        low, high = np.minimum(start, stop), np.maximum(start, stop)
        level = (here[:, None, 1] >= low[None, :, 1]) & (here[:, None, 1] <= high[None, :, 1])
        point, edge = np.nonzero(level & (here[:, None, 0] <= high[None, :, 0]))
        side = orientation(start[edge], stop[edge], here[point])
        met = np.flatnonzero((side == 0) & (here[point, 0] >= low[edge, 0]))
        on_boundary[first + _between_sides(here, point[met], start[edge[met]], stop[edge[met]])] = True
        upward = start[edge, 1] < stop[edge, 1]
        half_open = (here[point, 1] >= low[edge, 1]) & (here[point, 1] < high[edge, 1])
        crossed = half_open & (side == np.where(upward, 1, -1))
        result[first : first + step] = np.bincount(point[crossed], minlength=len(here)) % 2 == 1
    return np.where(on_boundary, boundary, result)


def _between_sides(place: Floats, point: Ints, start: Floats, stop: Floats) -> Ints:
    """Which of the points that lie on edges have an odd number of them in some direction: the region on one side."""
    # From each point to the ends of its edges; those of one point together.
    point, end = np.tile(point, 2), np.concatenate([start, stop])
    away = (end != place[point]).any(axis=1)
    order = np.flatnonzero(away)[np.argsort(point[away], kind="stable")]
    point, end = point[order], end[order]
    count = np.bincount(point, minlength=len(place))[point]
    one = np.repeat(np.arange(len(point)), count)
    rank = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
    other = np.searchsorted(point, point[one]) + rank
    about = place[point[one]]
    same = orientation(about, end[one], end[other]) == 0
    same &= (np.sign(end[one] - about) == np.sign(end[other] - about)).all(axis=1)
    return np.unique(point[np.bincount(one[same], minlength=len(point)) % 2 == 1])
