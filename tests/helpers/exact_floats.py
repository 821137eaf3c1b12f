# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact signs of the gaps of solid polytopes: in floating point where that is certain, otherwise in integers.

Every facet of A - B has a normal that is the cross product of two edges of A or B. A floating-point gap along any
direction is a gap of the shapes, whatever rounding did to the direction. Shapes that are clearly apart are therefore
apart. Shapes that clearly overlap do so if no cross product lost its direction to rounding. All other gaps are computed
again from the exact floats as integers, without rounding.
"""

import numpy as np

import collision_kit.core as ck
from tests.helpers import exact_polytopes as exact

# For shapes of about unit size: far above the rounding of float64, far below the gaps of random pairs.
_DOUBT = 1e-9
# The sine of the angle of two edges; the error of their cross product is eps divided by this.
_PARALLEL = 1e-5
_ROWS = 500


def corners(shapes):
    """Corners (N, V, 3) and edge directions (N, E, 3) of a batch as integers, and the power of two of their unit."""
    if isinstance(shapes, ck.Hulls):
        points = np.stack([shapes.geometry[index].points for index in shapes.index])
        (local, turn, place), power = exact.integers(points, shapes.rotation, shapes.translation)
        placed = np.stack([(turn * local[:, [k]]).sum(axis=2) for k in range(points.shape[1])], axis=1)
        first, second = np.triu_indices(points.shape[1], 1)
        world = placed + place[:, None] * 2**power
        return world, world[:, first] - world[:, second], 2 * power
    world, edges, _, power = exact.as_integers(shapes)
    along = world[:, edges[:, 1]] - world[:, edges[:, 0]]
    return world, along[:, ::4] if len(edges) == 12 else along, power


def gaps(a, b, doubt=_DOUBT):
    """The gap of each pair of solid polytopes with an exact sign, to 1e-12 of unit size; and the doubtful pairs."""
    result, doubtful = np.empty(len(a)), np.empty(len(a), dtype=bool)
    for first in range(0, len(a), _ROWS):
        rows = np.arange(first, min(first + _ROWS, len(a)))
        (p, along_a, power_a), (q, along_b, power_b) = corners(a.take(rows)), corners(b.take(rows))
        power = max(power_a, power_b)
        p, along_a = p * 2 ** (power - power_a), along_a * 2 ** (power - power_a)
        q, along_b = q * 2 ** (power - power_b), along_b * 2 ** (power - power_b)
        along = np.concatenate([along_a, along_b], axis=1)
        unit = [np.ldexp(x.astype(np.float64), -power) for x in (p, q, along)]
        gap, lost = _along_crosses(*unit)
        open_still = (np.abs(gap) <= doubt) | ((gap < 0.0) & lost)
        if open_still.any():
            of_these, _ = _along_crosses(p[open_still], q[open_still], along[open_still])
            gap[open_still] = np.ldexp(of_these, -power)
        result[rows], doubtful[rows] = gap, open_still
    return result, doubtful


def gaps_of_integers(p, q):
    """The gap of each pair of solid hulls of integer points (N, V, 3), small enough for int64; zero if it is zero."""
    result = np.empty(len(p))
    for first in range(0, len(p), _ROWS):
        rows = slice(first, first + _ROWS)
        along = [s[rows][:, i] - s[rows][:, j] for s in (p, q) for i, j in [np.triu_indices(s.shape[1], 1)]]
        result[rows] = _along_crosses(p[rows], q[rows], np.concatenate(along, axis=1))[0]
    return result


def _along_crosses(p, q, along):
    """The largest gap along all cross products of directions, and whether any of these may have lost its direction."""
    i, j = np.triu_indices(along.shape[1], 1)
    axis = exact.cross(along[:, i], along[:, j])
    on_p, on_q = (np.stack([(axis * s[:, [k]]).sum(axis=2) for k in range(s.shape[1])]) for s in (p, q))
    gap = np.maximum(on_q.min(axis=0) - on_p.max(axis=0), on_p.min(axis=0) - on_q.max(axis=0))
    size, lengths = (np.sqrt((v.astype(np.float64) ** 2).sum(axis=2)) for v in (axis, along))
    quotient = np.where(size > 0.0, gap / np.where(size > 0.0, size, 1.0), -np.inf).astype(np.float64)
    lost = (size <= _PARALLEL * lengths[:, i] * lengths[:, j]).any(axis=1)
    return quotient.max(axis=1), lost
