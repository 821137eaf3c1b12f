# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex outlines of planar point sets: Andrew's monotone chain, exact on the grid, for many sets at once.

A point of the sorted sequence that does not turn left between its two neighbors lies in the hull of the others and is
not a strict corner, whatever happens to those neighbors later. All such points of all sets are therefore dropped at
once, round after round, until few are left; a sequential linear scan does the rest.
"""

import numpy as np

from ..numerics.types import Bools, Floats, Ints
from .grid import accurate_cross

# A round that drops less than one in this many points costs more than scanning the remaining ones.
_ROUND_WORTH = 32

# Dimensionless: twice the relative error of a product and of a difference of two, rounded up (2^-53 each).
_CROSS_ERROR = 2.0**-51


def left_turn(a: Floats, b: Floats, c: Floats) -> Bools:
    """Whether a, b, c make a strict left turn, decided exactly: (m, 2) grid points each.

    Notes
    -----
    Differences of grid points are integers of at most 53 bits, hence exact. Where the rounded determinant is
    inconclusive, both products are expanded into head and tail. Heads are ordered like the products, and the tails are
    integers of 52 bits with an exact difference, so the sign of `accurate_cross` is that of the determinant.
    """
    u, v = b - a, c - a
    first, second = u[:, 0] * v[:, 1], u[:, 1] * v[:, 0]
    determinant = first - second
    doubtful = np.flatnonzero(np.abs(determinant) <= _CROSS_ERROR * (np.abs(first) + np.abs(second)))
    if len(doubtful):
        determinant[doubtful] = accurate_cross(_lifted(u[doubtful]), _lifted(v[doubtful]))[:, 2]
    turns: Bools = determinant > 0.0
    return turns


def outlines(points: Floats, start: Ints) -> tuple[Ints, Ints]:
    """Strict corners of the hull of each point set, counter-clockwise from the lexicographically first.

    Parameters
    ----------
    points : (n, 2) float64
        Grid points of all sets, one set after another, each in lexicographic order without repetitions.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``; no set is empty.

    Returns
    -------
    corner : (C,) int64
        Rows of `points`, one outline after another: one corner for a single point, two for collinear points.
    owner : (C,) int64
        The set of each corner.
    """
    count = len(start) - 1
    owner = np.repeat(np.arange(count), np.diff(start))
    forward = np.arange(len(points))
    # The lower chain runs left to right, the upper chain right to left: both must turn left throughout.
    row = np.concatenate((forward, forward[::-1]))
    chain = np.concatenate((owner, 2 * count - 1 - owner[::-1]))
    row, chain = _convex_chains(points, row, chain)
    # The last point of each chain is the first of the other chain of its set, except for single points.
    last = np.append(chain[1:] != chain[:-1], True)
    owner = np.minimum(chain, 2 * count - 1 - chain)
    single = np.diff(start)[owner] == 1
    keep = np.where(single, chain < count, ~last)
    row, owner = row[keep], owner[keep]
    order = np.argsort(owner, kind="stable")
    return row[order], owner[order]


def remove_noisy_corners(ring: Floats, limit: float) -> Ints:
    """Corners of an outline, without those within `limit` of a side between two others.

    Parameters
    ----------
    ring : (k, 2) float64
        Corners of a strictly convex polygon in order; the first is always kept.
    limit : float
        Every dropped corner is at most this far from the side that replaces it.
    """
    kept, tail, count = [0], 0, len(ring)
    while tail < count:
        head = tail + 1
        while head < count and _max_deviation(ring[tail : head + 1], ring[(head + 1) % count]) <= limit:
            head += 1
        kept.append(head)
        tail = head
    return np.array(kept[:-1], dtype=np.int64)


def distances_to_segments(points: Floats, start: Floats, end: Floats) -> Floats:
    """Distance of each point from its segment, which may be a single point: (m, 2) each -> (m,)."""
    along, offset = end - start, points - start
    square = (along * along).sum(axis=1)
    t = np.clip((offset * along).sum(axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    nearest = offset - t[:, None] * along
    # Within the segment the cross product gives the height, which the difference above loses to rounding.
    doubled = np.abs(accurate_cross(_lifted(along), _lifted(offset))[:, 2])
    height = doubled / np.sqrt(np.where(square > 0.0, square, 1.0))
    return np.where((t > 0.0) & (t < 1.0), height, np.hypot(nearest[:, 0], nearest[:, 1]))


def _max_deviation(run: Floats, end: Floats) -> float:
    """Greatest distance of the points of a run, except the first, from the side that closes the run."""
    points = run[1:]
    return float(
        distances_to_segments(points, np.broadcast_to(run[0], points.shape), np.broadcast_to(end, points.shape)).max()
    )


def _lifted(a: Floats) -> Floats:
    """Planar vectors as vectors in space."""
    return np.column_stack((a, np.zeros(len(a))))


def _convex_chains(points: Floats, row: Ints, chain: Ints) -> tuple[Ints, Ints]:
    """The chains, numbered in order, without the points at which they do not turn left; end points are kept."""
    suspect = np.ones(len(row), np.bool_)
    while True:
        inner = np.zeros(len(row), np.bool_)
        inner[1:-1] = (chain[2:] == chain[1:-1]) & (chain[:-2] == chain[1:-1])
        suspect &= inner
        at = np.flatnonzero(suspect)
        dropped = at[~left_turn(points[row[at - 1]], points[row[at]], points[row[at + 1]])]
        if not len(dropped):
            return row, chain
        suspect[at] = False
        suspect[dropped - 1] = suspect[dropped + 1] = True
        few = len(dropped) * _ROUND_WORTH < len(row)
        stay = np.ones(len(row), np.bool_)
        stay[dropped] = False
        row, chain, suspect = row[stay], chain[stay], suspect[stay]
        if few:
            break
    stay = np.ones(len(row), np.bool_)
    for which in np.unique(chain[suspect]):
        first, end = np.searchsorted(chain, (which, which + 1))
        stay[first:end] = _scan(points[row[first:end]].astype(np.int64).tolist())
    return row[stay], chain[stay]


def _scan(points: list[list[int]]) -> Bools:
    """Which points of one chain are strict corners, in integer arithmetic."""
    kept: list[int] = []
    for index, (x, y) in enumerate(points):
        while len(kept) > 1:
            (ax, ay), (bx, by) = points[kept[-2]], points[kept[-1]]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            kept.pop()
        kept.append(index)
    result = np.zeros(len(points), np.bool_)
    result[kept] = True
    return result
