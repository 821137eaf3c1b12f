# SPDX-License-Identifier: GPL-3.0-or-later
"""Smallest enclosing circles and balls of many sets of points at a time.

The problem is LP-type (Welzl 1991): at most d + 1 of the points determine the ball. As in Gärtner (1999), each step
adds the point that is farthest outside to the points that determine the ball, and finds the ball of these few by trying
all of their subsets. The radius grows with every step, so the steps end. A step takes all points into account, and few
steps are needed.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..numerics.soa import cross, dot
from ..numerics.tolerances import EPS, FIT_INSIDE
from ..numerics.types import Floats, Ints

_STEPS = 200
"""Far more steps than any set has needed (about twenty). A search whose radius no longer grows ends before."""


@dataclass(frozen=True, eq=False)
class Balls:
    """Smallest enclosing balls of K sets.

    Attributes
    ----------
    center : (K, d) float64
    radius : (K,) float64
    support : (K, d + 1) int64
        The points that determine each ball, as rows of its set; -1 for unused places.
    """

    center: Floats
    radius: Floats
    support: Ints


def least_balls(points: Floats, start: Ints | None = None) -> Balls:
    """The smallest balls that contain the sets of points (K, n, d), with d two or three and n at least 1.

    Parameters
    ----------
    start : (K,) int64, optional
        A point to begin with; fewer steps are needed if it is far from the others.
    """
    count, _, width = points.shape
    first = np.zeros(count, np.int64) if start is None else start
    support = np.full((count, width + 1), -1)
    support[:, 0] = first
    center = points[np.arange(count), first].copy()
    square = np.zeros(count)
    active = np.arange(count)
    for _ in range(_STEPS):
        here = points if len(active) == count else points[active]
        apart = (here[:, :, 0] - center[active, None, 0]) ** 2
        for k in range(1, width):
            apart += (here[:, :, k] - center[active, None, k]) ** 2
        far = np.argmax(apart, axis=1)
        excess = apart[np.arange(len(active)), far]
        out = np.flatnonzero(excess > square[active] * (1.0 + 8.0 * EPS))
        active, far, here = active[out], far[out], here[out]
        if not len(active):
            break
        new_center, new_square, new_support = _basis(here, support[active], far)
        better = np.flatnonzero(new_square > square[active])
        active = active[better]
        center[active], square[active] = new_center[better], new_square[better]
        support[active] = new_support[better]
    return Balls(center, np.sqrt(square), support)


def _basis(points: Floats, support: Ints, far: Ints) -> tuple[Floats, Floats, Ints]:
    """Find the smallest ball of the points of a support and one point outside its ball, which lies on the new ball.

    Returns centers, squared radii (zero if no ball is found because of rounding) and supports.
    """
    count, _, width = points.shape
    rows = np.arange(count)
    base = points[rows, far]
    # (3, K, slots): from the new point to those of the support. Circles are balls with third coordinates of zero.
    spoke = np.zeros((3, count, width + 1))
    spoke[:width] = np.moveaxis(points[rows[:, None], np.maximum(support, 0)] - base[:, None], 2, 0)
    filled = support >= 0
    extent = dot(spoke, spoke).max(axis=1)
    best, place = np.full(count, np.inf), np.zeros((3, count))
    chosen = np.full((count, width + 1), -1)
    for size in range(1, width + 1):
        for slots in combinations(range(width + 1), size):
            x = _circumcenter([spoke[:, :, slot] for slot in slots])
            square = dot(x, x)
            beyond = spoke - x[:, :, None]
            reach = np.where(filled, dot(beyond, beyond), 0.0).max(axis=1)
            slack = FIT_INSIDE * np.maximum(square, extent)
            good = filled[:, slots].all(axis=1) & (reach <= square + slack) & (square < best)
            best[good], place[:, good] = square[good], x[:, good]
            chosen[good] = -1
            chosen[np.ix_(good, range(size))] = support[good][:, slots]
            chosen[good, size] = far[good]
    found = np.isfinite(best)
    return base + np.where(found, place, 0.0)[:width].T, np.where(found, best, 0.0), chosen


def _circumcenter(spokes: list[Floats]) -> Floats:
    """Center of the smallest sphere through the origin and one to three other points (3, K); NaN if there is none."""
    if len(spokes) == 1:
        return spokes[0] / 2.0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        a, b = spokes[:2]
        if len(spokes) == 2:
            normal = cross(a, b)
            double = 2.0 * dot(normal, normal)
            return (dot(a, a) * cross(b, normal) + dot(b, b) * cross(normal, a)) / double
        c = spokes[2]
        bc = cross(b, c)
        result: Floats = (dot(a, a) * bc + dot(b, b) * cross(c, a) + dot(c, c) * cross(a, b)) / (2.0 * dot(a, bc))
        return result
