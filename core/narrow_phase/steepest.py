# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions along which the overlap of two convex shapes has a local minimum.

The overlap along a unit vector n is h(n), the support function of A - B. Its gradient is the support point. Its second
derivatives are given by the curvature of the surface of A - B. If the support point jumps, A - B has an edge, which may
be curved. Within the directions perpendicular to an edge, the overlap is smooth. Across them, it has a kink.

The decomposition into a smooth part and one with a kink follows Mifflin and Sagastizábal, A VU-algorithm for convex
minimization, 2005.
"""

import numpy as np

from ..convex.support_map import Supported
from ..numerics.tolerances import EPS
from ..numerics.types import Floats
from ..numerics.vectors import dot, normalized, perpendicular

# Radians between directions whose support points give the curvature and the edges of the surface.
_TURN, _LITTLE_TURN = 1e-4, 1e-7
# Dimensionless: a fraction of the size of a pair. A greater radius of curvature is treated as an edge.
_EDGE = 100.0
# Maximum number of steps, and radians of the longest step.
_MOST_STEPS, _LONGEST_STEP = 24, 0.3
_LEAST = np.finfo(np.float64).tiny
_UP = np.array([0.0, 0.0, 1.0])


def steepest(a: Supported, b: Supported, normal: Floats) -> Floats:
    """Unit directions (P, 3) along which the gap has a local maximum, by Newton's method.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    normal : (P, 3) float64
        Initial unit directions.
    """
    result = normal.copy()
    point = _support(a, b, result)
    level, longest = dot(point, result), np.full(len(result), _LONGEST_STEP)
    rows = np.arange(len(result))
    for _ in range(_MOST_STEPS):
        part_a, part_b, here = a.take(rows), b.take(rows), result[rows]
        trial, turn, radius, across = _newton_step(part_a, part_b, here, point[rows], longest[rows])
        reach = _support(part_a, part_b, trial)
        height = dot(reach, trial)
        edge = np.flatnonzero(radius > _EDGE * (part_a.size + part_b.size))
        part_a, part_b = part_a.take(edge), part_b.take(edge)
        beside, turned = _step_beside_edge(part_a, part_b, here[edge], across[edge], longest[rows[edge]])
        reach_beside = _support(part_a, part_b, beside)
        lower = np.flatnonzero(dot(reach_beside, beside) < height[edge])
        at = edge[lower]
        trial[at], reach[at], turn[at] = beside[lower], reach_beside[lower], turned[lower]
        height[at] = dot(reach[at], trial[at])
        better = height < level[rows]
        where = rows[better]
        result[where], point[where], level[where] = trial[better], reach[better], height[better]
        longest[rows] = np.where(better, np.minimum(4.0 * longest[rows], _LONGEST_STEP), turn / 4.0)
        rows = rows[np.minimum(longest[rows], turn) > EPS]
        if not len(rows):
            break
    return result


def _support(a: Supported, b: Supported, way: Floats) -> Floats:
    """Support points of A - B along directions (P, 3) of any length."""
    return a.support(way) - b.support(-way)


def _newton_step(
    a: Supported, b: Supported, here: Floats, point: Floats, longest: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Minimizer of the overlap for constant second derivatives.

    Returns
    -------
    trial : (P, 3) float64
        Unit directions.
    turn : (P,) float64
        Radians from `here`, at most `longest`.
    radius, across : (P,) and (P, 3) float64
        The greatest radius of curvature of A - B, and the unit vector along which it is attained.
    """
    axes = np.stack([side := perpendicular(here), np.cross(here, side)], axis=1)
    slope = np.einsum("pki,pi->pk", axes, point)
    bend = np.empty((len(here), 2, 2))
    for k in range(2):
        step = _TURN * axes[:, k]
        between = _support(a, b, here + step) - _support(a, b, here - step)
        bend[:, k] = np.einsum("pki,pi->pk", axes, between) / (2.0 * _TURN)
    level = dot(point, here)
    bend = (bend + bend.transpose(0, 2, 1)) / 2.0 - level[:, None, None] * np.eye(2)
    value, vector = np.linalg.eigh(bend)
    # No rotation is longer than one radian, however small the curvature is.
    least = np.maximum(np.hypot(slope[:, :1], slope[:, 1:]), _LEAST)
    along = np.einsum("pji,pj->pi", vector, slope) / np.maximum(np.abs(value), least)
    turn = -np.einsum("pij,pj->pi", vector, along)
    far = np.hypot(turn[:, 0], turn[:, 1])
    turn *= np.minimum(1.0, longest / np.where(far > 0.0, far, 1.0))[:, None]
    trial = normalized(here + np.einsum("pk,pki->pi", turn, axes), _UP)
    return trial, np.minimum(far, longest), value[:, 1], np.einsum("pk,pki->pi", vector[:, :, 1], axes)


def _step_beside_edge(
    a: Supported, b: Supported, here: Floats, across: Floats, longest: Floats
) -> tuple[Floats, Floats]:
    """A Newton step among the directions perpendicular to an edge of A - B, and its length.

    Parameters
    ----------
    here : (P, 3) float64
        Unit directions that are nearly perpendicular to the edge.
    across : (P, 3) float64
        Unit vectors perpendicular to `here`, approximately along the edge.
    longest : (P,) float64
        Radians.
    """

    def moved(way: Floats, edge: Floats, *turns: float) -> tuple[Floats, Floats]:
        """The nearby direction that is perpendicular to its edge, and this edge."""
        for turn in turns:
            edge = normalized(_support(a, b, way + turn * edge) - _support(a, b, way - turn * edge), _UP)
            way = normalized(way - dot(way, edge)[:, None] * edge, _UP)
        return way, edge

    # The small rotation includes less of the curved surface beside the edge.
    start, edge = moved(here, across, _TURN, _LITTLE_TURN)
    side = np.cross(start, edge)
    ahead, edge_ahead = moved(normalized(start + _TURN * side, _UP), edge, _LITTLE_TURN)
    slope = dot(_support(a, b, start), side)
    bend = (dot(_support(a, b, ahead), np.cross(ahead, edge_ahead)) - slope) / _TURN
    turn = np.clip(-slope / np.maximum(np.maximum(np.abs(bend), np.abs(slope)), _LEAST), -longest, longest)
    trial, _ = moved(normalized(start + turn[:, None] * side, _UP), edge, _TURN, _LITTLE_TURN)
    return trial, np.abs(turn)
