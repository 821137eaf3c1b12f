# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact tests of points against a region with holes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.rows import blocks, of_each
from ...numerics.types import Bools, Floats, Ints
from ...numerics.validation import array, check_flag
from .decomposition import rings
from .predicates import orientation

# The number of pairs of points and edges that are tested together; their arrays take a few megabytes.
_BLOCK = 1 << 18


def inside(outline: ArrayLike, holes: Sequence[ArrayLike], points: ArrayLike, *, boundary: bool = True) -> Bools:
    """Whether each point lies in the region inside an outline and outside its holes.

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, in either direction; the last is joined to the first.
    holes : sequence of (k, 2) array-like
    points : (n, 2) array-like
    boundary : bool
        The result for points on the boundary of the outline or of a hole. By default they belong to the region, because
        touching is contact. Edges with the region on both sides or on neither side are not boundary: a bridge to a hole
        is inside; a spike without width, or the wall between two holes that share a side, is outside.

    Returns
    -------
    (n,) bool
        Exact for any float64 coordinates, without a tolerance.

    Raises
    ------
    ValueError
        If a ring is empty, a shape is wrong, a coordinate is not finite, or `boundary` is neither True nor False.

    Notes
    -----
    A ray to the right counts the edges that it crosses. An edge includes its lower end and excludes its upper end. An
    odd number is inside. The same rule is used for rings that cross themselves; `decompose` does not accept them.

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
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    for rows in blocks(len(place), max(1, _BLOCK // max(len(start), 1))):
        here = place[rows]
        level = (here[:, None, 1] >= low[None, :, 1]) & (here[:, None, 1] <= high[None, :, 1])
        point, edge = np.nonzero(level & (here[:, None, 0] <= high[None, :, 0]))
        side = orientation(start[edge], stop[edge], here[point])
        touching = np.flatnonzero((side == 0) & (here[point, 0] >= low[edge, 0]))
        between = _between_sides(here, point[touching], start[edge[touching]], stop[edge[touching]])
        on_boundary[rows.start + between] = True
        upward = start[edge, 1] < stop[edge, 1]
        half_open = (here[point, 1] >= low[edge, 1]) & (here[point, 1] < high[edge, 1])
        crossed = half_open & (side == np.where(upward, 1, -1))
        result[rows] = np.bincount(point[crossed], minlength=len(here)) % 2 == 1
    return np.where(on_boundary, boundary, result)


def _between_sides(place: Floats, point: Ints, start: Floats, stop: Floats) -> Ints:
    """The points on edges that have an odd number of edges in some direction: the region is on only one side there."""
    # Segments from each point to the ends of its edges, grouped by point.
    point, end = np.tile(point, 2), np.concatenate([start, stop])
    away = (end != place[point]).any(axis=1)
    order = np.flatnonzero(away)[np.argsort(point[away], kind="stable")]
    point, end = point[order], end[order]
    one, other = of_each(point, point)
    about = place[point[one]]
    same = orientation(about, end[one], end[other]) == 0
    same &= (np.sign(end[one] - about) == np.sign(end[other] - about)).all(axis=1)
    return np.unique(point[np.bincount(one[same], minlength=len(point)) % 2 == 1])
