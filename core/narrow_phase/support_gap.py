# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart or how deep in each other any two convex shapes are that are known by their support mappings.

GJK measures cores that are apart, the expanding polytope those that are not; both tell how far their answers are
proved. Where the cores touch, or the polytope would have to become too large, other methods go on from there. Radii
are subtracted afterwards.
"""

from dataclasses import dataclass

import numpy as np

from ..convex.active_set import Moved, settled
from ..convex.epa import penetration
from ..convex.gap import Gap
from ..convex.gjk import closest
from ..numerics.rows import RowTable
from ..numerics.tolerances import EPS, NEAR, rounding
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, length, normalized
from .steepest import steepest
from .support_cores import Core

# Dimensionless: how far the bounds on a distance may be apart, as a share of it; and those on a depth.
_APART, _DEEP = 1e-14, 1e-11

# Dimensionless: a fraction of the size of a pair. Shapes that touch are measured from so far apart.
_STEP_OUT, _LEAST_STEP_OUT, _GREATEST_STEP_OUT = 1e-6, 1e-9, 1e-3
# Steps out at most, and those in a row that come to nothing.
_STEPS_OUT, _IDLE = 64, 3
# Dimensionless: a fraction of the size of a pair. Steps that gain no more depth than this come to nothing, and points
# that are as near to where they should be are good enough.
_GAIN = 1e-14

# Dimensionless: a fraction of the size of a pair, by which B is moved out of symmetric places; and in which ways.
_ASIDE = 1e-9
_SKEW = np.array([[0.61, -0.47, 0.29], [-0.31, 0.43, 0.71]])

# Of the directions that a search ends with, as many of the best are followed by steps out.
_FOLLOWED = 8

_UP = np.array([0.0, 0.0, 1.0])
_AROUND = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], dtype=float)


def measured(a: Core, b: Core, offset: Floats, limit: float | None = None, *, deep: bool = True) -> Gap:
    """Distance or depth of each pair.

    Parameters
    ----------
    a, b : Core
        P rows each, seen from somewhere near.
    offset : (P,) float64
        Distance of the pair from the world's origin, for rounding.
    limit : float, optional
        Pairs farther apart than this need no measuring.
    deep : bool
        False: of pairs whose cores overlap by more than rounding it is enough to know that; their gap is minus
        infinity.
    """
    size, radii = a.size + b.size, a.radius + b.radius
    slack = rounding(size, offset)
    reach = None if limit is None else limit + slack + radii
    near = closest(a, b, a.center - b.center, reach, _APART, settle=False)
    best = _Best(near.distance.copy(), near.normal.copy(), near.point_a.copy(), near.point_b.copy())
    best.normal[~best.normal.any(axis=1)] = _UP
    scale = _scale(a, b)
    rows = np.flatnonzero(~near.overlap & ~near.beyond & (near.doubtful | (near.distance <= NEAR * scale)))
    part_a, part_b, along = a.take(rows), b.take(rows), best.normal[rows]
    best.gap[rows] = dot(part_b.support(-along) - part_a.support(along), along)
    unproved = near.distance - best.gap > slack
    if not deep:
        # Where the points coincide it is enough that they do.
        unproved &= near.distance > slack
        best.gap[rows] = np.where(near.distance <= slack, 0.0, best.gap)[rows]
    rows = rows[unproved[rows]]
    close = rows[near.distance[rows] <= NEAR * scale[rows]]
    _step_out(a, b, close, best, toward=True)
    # What has no volume has its shortest way out across it.
    close = close[best.gap[close] < -NEAR * scale[close]]
    _untangle(a, b, close, np.zeros(len(close)), best)
    rows = rows[near.distance[rows] - best.gap[rows] > slack[rows]]
    _settle(a, b, rows, best, slack)
    rows = np.flatnonzero(near.overlap)
    if deep:
        _deep(a, b, rows, near.simplex[rows], best)
        _level(a, b, np.flatnonzero(near.overlap | unproved), best)
    else:
        best.gap[rows] = -np.inf
    middle = (best.point_a + best.point_b) / 2.0 + best.normal * ((a.radius - b.radius) / 2.0)[:, None]
    middle[near.beyond] = np.nan
    return Gap(best.gap - radii, best.normal, middle, slack)


def _scale(a: Core, b: Core) -> Floats:
    """The size of the cores of each pair, without the radii; at least what rounding has a share of `NEAR` in."""
    size, radii = a.size + b.size, a.radius + b.radius
    return np.maximum(size - radii, rounding(size, np.zeros(len(size))) / NEAR)


@dataclass(frozen=True)
class _Best(RowTable):
    """The direction with the largest gap found so far, and the points that show it."""

    gap: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats

    def miss(self) -> Floats:
        """How far the points are from being as far apart, and along that direction, as the gap says."""
        return length(self.point_b - self.point_a - self.gap[:, None] * self.normal)


def _level(a: Core, b: Core, rows: Ints, best: _Best) -> None:
    """Move points along the normal to where the shapes reach: they may be off by as much as a sliver is thick."""
    part = best.take(rows)
    for shapes, point, way in ((a, part.point_a, part.normal), (b, part.point_b, -part.normal)):
        point += dot(shapes.take(rows).support(way) - point, way)[:, None] * way
    best.put(rows, part)


def _deep(a: Core, b: Core, rows: Ints, simplex: Floats, best: _Best) -> None:
    """Depths of pairs whose cores overlap, `simplex` having the origin inside."""
    if not len(rows):
        return
    found = penetration(a.take(rows), b.take(rows), simplex, _DEEP)
    best.put(rows, _Best(-found.depth, found.normal, found.point_a, found.point_b))
    scale = _scale(a, b)[rows]
    unsure = ~found.converged & (found.depth - found.lower > _DEEP * scale)
    _step_out(a, b, rows[unsure], best, toward=True)
    unsure &= -best.gap[rows] > NEAR * scale
    _untangle(a, b, rows[unsure], found.lower[unsure], best)
    _step_out(a, b, rows[~found.converged & ~unsure], best)


def _untangle(a: Core, b: Core, rows: Ints, lower: Floats, best: _Best) -> None:
    """Depths of pairs in symmetric places, with lower bounds (P,): by moving B a little, then from all sides."""
    size, proved = _scale(a, b)[rows], lower.copy()
    unsure = np.ones(len(rows), dtype=bool)
    for skew in _SKEW:
        some = np.flatnonzero(unsure)
        bound = _shifted_depth(a, b, rows[some], skew * (_ASIDE * size[some])[:, None], best)
        proved[some] = np.maximum(proved[some], bound)
        unsure &= -best.gap[rows] - proved > 4.0 * _ASIDE * size
    _search(a, b, rows[unsure], best)
    _step_out(a, b, rows, best)


def _shifted_depth(a: Core, b: Core, rows: Ints, shift: Floats, best: _Best) -> Floats:
    """Lower bounds on the depths of pairs by those with B moved by a little, which takes it out of symmetric places."""
    lower = np.zeros(len(rows))
    if not len(rows):
        return lower
    a, b = a.take(rows), b.take(rows)
    moved = Moved(b, shift)
    near = closest(a, moved, a.center - b.center - shift, None, _APART, settle=False)
    some = np.flatnonzero(near.overlap)
    found = penetration(a.take(some), moved.take(some), near.simplex[some], _DEEP)
    # The depth changes by no more than what B is moved by.
    lower[some] = found.lower - length(shift[some])
    usable = np.flatnonzero(np.isfinite(found.depth))
    at, normal = some[usable], found.normal[usable]
    level = dot(b.take(at).support(-normal) - a.take(at).support(normal), normal)
    better = np.flatnonzero(level > best.gap[rows[at]])
    which = usable[better]
    points = found.point_a[which], found.point_b[which] - shift[some[which]]
    best.put(rows[at[better]], _Best(level[better], normal[better], *points))
    return lower


def _settle(a: Core, b: Core, rows: Ints, best: _Best, slack: Floats) -> None:
    """Do pairs again with more support points, whose simplices are slivers."""
    if not len(rows):
        return
    found = settled(a.take(rows), b.take(rows), best.normal[rows], slack[rows] / 4.0)
    # Of directions that are as good but for rounding, that whose points show it is the better one.
    deeper = found.lower > best.gap[rows] + slack[rows]
    better = np.flatnonzero(deeper | (found.miss < best.take(rows).miss()))
    best.put(rows[better], _Best(found.lower, found.normal, found.point_a, found.point_b).take(better))


def _step_out(a: Core, b: Core, rows: Ints, best: _Best, *, toward: bool = False) -> None:
    """Measure pairs that overlap or touch with B moved out so far that GJK can tell the closest direction.

    With B moved out along a unit vector n until s is between the two, the direction of the closest points is off the
    right one by about (d + s) / (r + s) of what n is, where d is the depth and r the radius of curvature of A - B.
    Where that is sharp, r is as small as d, and s becomes smaller with each step that gains depth. Where it is flat,
    the direction is off by the rounding of the points over s alone, and s becomes larger with each step that does not.

    Parameters
    ----------
    toward : bool
        The two all but touch: begin along the way from center to center. Else along the best direction so far.
    """
    if not len(rows):
        return
    a, b = a.take(rows), b.take(rows)
    size = _scale(a, b)
    own, step = best.take(rows), _STEP_OUT * size
    miss, idle = np.full(len(rows), np.inf), np.zeros(len(rows), dtype=np.int64)
    way, beyond = own.normal.copy(), np.maximum(-own.gap, 0.0)
    if toward:
        way, beyond = normalized(b.center - a.center, _UP), np.zeros(len(rows))
    last = np.zeros_like(way)
    at = np.arange(len(rows))
    for _ in range(_STEPS_OUT):
        part_a, part_b = a.take(at), b.take(at)
        shift = (step + beyond)[at, None] * way[at]
        start = part_a.center - part_b.center - shift
        near = closest(part_a, Moved(part_b, shift), start, None, _APART, settle=False)
        apart = ~near.overlap & (near.distance > 0.0)
        along = np.where(apart[:, None], near.normal, way[at])
        level = dot(part_b.support(-along) - part_a.support(along), along)
        more = np.flatnonzero(apart & (level > own.gap[at] + _GAIN * size[at]))
        here = at[more]
        own.gap[here], own.normal[here], miss[here] = level[more], along[more], np.inf
        found = _Best(own.gap[at], own.normal[at], near.point_a, near.point_b - shift)
        off = np.where(apart, found.miss(), np.inf)
        nearer = np.flatnonzero(off < miss[at])
        gained = ~apart | (off < miss[at] / 2.0)
        gained[more] = True
        idle[at] = np.where(gained, 0, idle[at] + 1)
        miss[at[nearer]] = off[nearer]
        own.put(at[nearer], found.take(nearer))
        next_step = np.where(gained, step[at] / 4.0, 16.0 * step[at])
        next_step = np.clip(next_step, _LEAST_STEP_OUT * size[at], _GREATEST_STEP_OUT * size[at])
        step[at] = np.where(apart, next_step, 8.0 * step[at])
        turn = along - way[at]
        ahead = _extrapolated(along, turn, last[at])
        further = dot(part_b.support(-ahead) - part_a.support(ahead), ahead)
        leap = apart & (further > level)
        last[at] = np.where(leap[:, None], 0.0, turn)
        level = np.where(leap, further, level)
        way[at] = np.where(leap[:, None], ahead, along)
        beyond[at] = np.where(apart, np.maximum(-level, 0.0), beyond[at])
        at = at[(idle[at] < _IDLE) & ~(miss[at] <= _GAIN * size[at])]
        if not len(at):
            break
    best.put(rows, own)


def _extrapolated(way: Floats, turn: Floats, last: Floats) -> Floats:
    """Where the directions end that turn by `turn` after `last`, each turn the same share of the one before.

    Aitken (1926), the delta-squared process. Directions stay as they are where the turns do not become shorter.
    """
    square = dot(last, last)
    share = np.clip(dot(turn, last) / np.where(square > 0.0, square, 1.0), 0.0, 1.0 - EPS)
    rest = turn * (share / (1.0 - share))[:, None]
    return normalized(way + rest / np.maximum(length(rest), 1.0)[:, None], _UP)


def _search(a: Core, b: Core, rows: Ints, best: _Best) -> None:
    """Look for directions with less overlap, from many sides: for pairs of which no bound tells the least."""
    if not len(rows):
        return
    part_a, part_b = a.take(rows), b.take(rows)
    count, every = len(_AROUND) + 1, np.arange(len(rows))
    pair = np.repeat(every, count)
    around = normalized(np.broadcast_to(_AROUND, (len(rows), *_AROUND.shape)), np.zeros(3))
    normal = np.concatenate([best.normal[rows][:, None], around], axis=1).reshape(-1, 3)
    many_a, many_b = part_a.take(pair), part_b.take(pair)
    normal = steepest(many_a, many_b, normal)
    gap = dot(many_b.support(-normal) - many_a.support(normal), normal).reshape(-1, count)
    pick = (every[:, None] * count + np.argsort(-gap, axis=1)[:, :_FOLLOWED]).reshape(-1)
    some_a, some_b, normal = many_a.take(pick), many_b.take(pick), normal[pick]
    point_a, point_b = some_a.support(normal), some_b.support(-normal)
    found = _Best(gap.reshape(-1)[pick], normal, point_a, point_b)
    _step_out(some_a, some_b, np.arange(len(pick)), found)
    top = every * _FOLLOWED + found.gap.reshape(-1, _FOLLOWED).argmax(axis=1)
    better = np.flatnonzero(found.gap[top] > best.gap[rows])
    best.put(rows[better], found.take(top[better]))
