# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry and exit times along each candidate axis of translating shapes: the moving separating axis test.

Along each axis, the projections overlap from an entry time to an exit time (doc4code 2011, "Moving objects"). The
shapes touch while all projections overlap: from the largest entry to the smallest exit, if the entry is before the
exit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.rows import smallest_per_group
from ..numerics.tolerances import rounding
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot
from ..query.candidate_axes import CandidateAxes, candidate_axes
from ..query.operands import Operand, index_pairs
from .motion import rigid_motion


@dataclass(frozen=True)
class SweptAxes:
    """Times at which the projections on each candidate axis begin and cease to overlap.

    Attributes
    ----------
    axes : CandidateAxes
        The axes at time 0.
    entry, exit : (C,) float64
        Times between which the projections overlap, as fractions of the interval but not limited to it. -inf and inf if
        they always overlap, both inf if they never do, NaN for skipped axes.
    first, last : (P,) int64
        For each pair, the rows with the largest entry and with the smallest exit.
    """

    axes: CandidateAxes
    entry: Floats
    exit: Floats
    first: Ints
    last: Ints


def swept_axes(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
) -> SweptAxes:
    """Entry and exit times along every candidate axis of each pair of convex shapes.

    For boxes, triangles and hulls, the largest entry is the time of impact if it is in the interval and before the
    smallest exit. For round shapes it is a lower bound, because their closest direction changes during the motion. It
    is also a lower bound for segments and points given as triangles or hulls, which have no normal.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    velocity_a, velocity_b : (N, 3) array-like, optional
        Displacement of each shape over the interval. A single row applies to all shapes. None: no displacement.

    Returns
    -------
    SweptAxes
        One row for each axis. Rows of the same pair are consecutive.

    Raises
    ------
    UnsupportedPair, ValueError
        As for `candidate_axes`, or if a velocity has the wrong shape or is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> axes = ck.swept_axes(a, ck.Boxes([[4, 0, 0]], [[1, 1, 1]]), velocity_b=[[-4, 0, 0]])
    >>> float(np.nanmax(axes.entry))
    0.5
    """
    rows = index_pairs(a, b, pairs)
    axes = candidate_axes(a, b, rows)
    moves = rigid_motion(a, "a", velocity_a, None, None), rigid_motion(b, "b", velocity_b, None, None)
    relative = moves[1].velocity[rows[:, 1]] - moves[0].velocity[rows[:, 0]]
    speed = dot(axes.axis, relative[axes.pair])
    # The projection of B moves at `speed`. Both gaps decrease by it: from A's end to B's start, and from A's start to
    # B's end.
    ahead = axes.interval_b[:, 0] - axes.interval_a[:, 1]
    behind = axes.interval_b[:, 1] - axes.interval_a[:, 0]
    # Touching is contact: a gap within rounding counts as zero.
    slack = _rounding(axes)
    ahead = np.where((ahead > 0.0) & (ahead <= slack), 0.0, ahead)
    behind = np.where((behind < 0.0) & (behind >= -slack), 0.0, behind)
    still = speed == 0.0
    apart = still & ((ahead > 0.0) | (behind < 0.0))
    safe = np.where(still, 1.0, speed)
    entry = np.where(speed < 0.0, ahead / -safe, -behind / safe)
    leave = np.where(speed < 0.0, behind / -safe, -ahead / safe)
    skipped = axes.status > 0
    entry = np.select([skipped, apart, still], [np.nan, np.inf, -np.inf], entry)
    leave = np.where(skipped, np.nan, np.where(still, np.inf, leave))
    return SweptAxes(axes, entry, leave, smallest_per_group(axes.pair, -entry), smallest_per_group(axes.pair, leave))


def _rounding(axes: CandidateAxes) -> Floats:
    """Rounding of the ends of the intervals on each axis: (C,)."""
    ends = np.concatenate([axes.interval_a, axes.interval_b], axis=1)
    reach = np.abs(np.where(np.isfinite(ends), ends, 0.0)).max(axis=1, initial=0.0)
    return rounding(reach, reach)
