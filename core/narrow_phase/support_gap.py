# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance or depth of any two convex shapes with support mappings.

GJK measures separated cores, and the expanding polytope algorithm overlapping ones. Both return bounds. If the cores
touch, or the polytope would become too large, other methods refine the result. Radii are subtracted afterwards.
A direction of less overlap than the best one that is known can only be near the normals of faces of the polytope that
are nearer than this overlap. So the search for it begins at these.

`steepest` finds directions along which the overlap has a local minimum. The overlap along a unit vector n is h(n), the
support function of A - B. Its gradient is the support point. Its second derivatives are given by the curvature of the
surface of A - B. If the support point jumps, A - B has an edge, which may be curved. Within the directions
perpendicular to an edge, the overlap is smooth. Across them, it has a kink. The decomposition into a smooth part and
one with a kink follows Mifflin and Sagastizábal, A VU-algorithm for convex minimization, 2005.
"""

from dataclasses import dataclass

import numpy as np

from ..convex.active_set import Moved, brought_together, extreme_feature, settled
from ..convex.epa import Faces, penetration
from ..convex.gjk import CURVED, closest
from ..numerics.rows import RowTable, smallest_per_group
from ..numerics.tolerances import EPS, NEAR, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized, perpendicular
from ..shapes.support_mapped import Supported
from .convex_convex import Gap
from .support_cores import Core

# Radians between directions whose support points give the curvature and the edges of the surface.
_TURN, _LITTLE_TURN, _LEAST_TURN = 1e-4, 1e-7, 1e-13
# Dimensionless: a fraction of the size of a pair. A greater radius of curvature is treated as an edge.
_EDGE = 100.0
# Maximum number of steps, and radians of the longest step.
_MOST_STEPS, _LONGEST_STEP = 64, 0.3
_TINY = np.finfo(np.float64).tiny
_UP = np.array([0.0, 0.0, 1.0])


def steepest(a: Supported, b: Supported, normal: Floats, *, near: bool = True) -> tuple[Floats, Bools]:
    """Directions near the given ones along which the gap has a local maximum, by Newton's method.

    The steps perpendicular to edges have a length of their own. Gains within rounding do not count, but a search that
    converges goes on to directions that are exact to rounding.

    Parameters
    ----------
    near : bool
        The given directions are near a maximum. Then edges are found with all digits. Elsewhere, this would take a
        surface that is curved as sharply as a needle for an edge.

    Returns
    -------
    normal : (P, 3) float64
        Unit vectors.
    converged : (P,) bool
        Whether the number of steps was sufficient.
    """
    result = normal.copy()
    point = _support(a, b, result)
    level = dot(point, result)
    # The longest steps of both sorts. They become shorter with each step that gains nothing.
    longest, longest_beside = np.full((2, len(result)), _LONGEST_STEP)
    last, slack = np.full(len(result), np.inf), 2.0 * EPS * (a.size + b.size)
    turns = (_TURN, _LITTLE_TURN, _LEAST_TURN) if near else (_TURN, _LITTLE_TURN)
    rows = np.arange(len(result))
    for _ in range(_MOST_STEPS):
        part_a, part_b, here = a.take(rows), b.take(rows), result[rows]
        trial, turn, radius, across = _newton_step(part_a, part_b, here, point[rows], longest[rows])
        reach = _support(part_a, part_b, trial)
        height = dot(reach, trial)
        edge = np.flatnonzero(radius > _EDGE * (part_a.size + part_b.size))
        part_a, part_b = part_a.take(edge), part_b.take(edge)
        limit = longest_beside[rows]
        beside, turned = _step_beside_edge(part_a, part_b, here[edge], across[edge], limit[edge], turns)
        reach_beside = _support(part_a, part_b, beside)
        lower = np.flatnonzero(dot(reach_beside, beside) < height[edge])
        at = edge[lower]
        trial[at], reach[at], turn[at] = beside[lower], reach_beside[lower], turned[lower]
        height[at] = dot(reach[at], trial[at])
        full = turn < longest[rows]
        full[at] = turned[lower] < limit[at]
        gain = level[rows] - height
        # The overlap of a direction is exact to rounding when the direction itself is only exact to its square root.
        # From there on, full steps that become shorter still improve the direction.
        converging = (gain >= -slack[rows]) & (turn <= last[rows] / 2.0) & full
        better = (gain > slack[rows]) | converging
        last[rows] = turn
        where = rows[better]
        result[where], point[where] = trial[better], reach[better]
        level[where] = np.minimum(level[where], height[better])
        longest[rows] = np.where(better, np.minimum(4.0 * longest[rows], _LONGEST_STEP), turn / 4.0)
        longest_beside[rows[edge]] = turned / 4.0
        at = at[better[at]]
        longest_beside[rows[at]] = np.minimum(16.0 * longest_beside[rows[at]], _LONGEST_STEP)
        rows = rows[np.minimum(longest[rows], turn) > EPS]
        if not len(rows):
            break
    converged = np.ones(len(result), dtype=bool)
    converged[rows] = False
    return result, converged


def _support(a: Supported, b: Supported, way: Floats) -> Floats:
    """Support points of A - B along directions (P, 3) of any length."""
    return a.support(way) - b.support(-way)


def _gap(a: Supported, b: Supported, normal: Floats) -> Floats:
    """The gap between A and B along unit directions (P, 3), (P,)."""
    return dot(b.support(-normal) - a.support(normal), normal)


def _supports(a: Supported, b: Supported, ways: Floats) -> Floats:
    """Support points of each A - B along several directions: (K, P, 3) -> (K, P, 3)."""
    every = np.tile(np.arange(len(a)), len(ways))
    return _support(a.take(every), b.take(every), ways.reshape(-1, 3)).reshape(ways.shape)


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
    step = _TURN * axes.swapaxes(0, 1)
    ahead, behind = np.split(_supports(a, b, here + np.concatenate([step, -step])), 2)
    bend = np.einsum("pki,jpi->pjk", axes, ahead - behind) / (2.0 * _TURN)
    level = dot(point, here)
    bend = (bend + bend.transpose(0, 2, 1)) / 2.0 - level[:, None, None] * np.eye(2)
    value, vector = np.linalg.eigh(bend)
    # No rotation is longer than one radian, however small the curvature is.
    least = np.maximum(np.hypot(slope[:, :1], slope[:, 1:]), _TINY)
    along = np.einsum("pji,pj->pi", vector, slope) / np.maximum(np.abs(value), least)
    turn = -np.einsum("pij,pj->pi", vector, along)
    far = np.hypot(turn[:, 0], turn[:, 1])
    turn *= np.minimum(1.0, longest / np.where(far > 0.0, far, 1.0))[:, None]
    trial = normalized(here + np.einsum("pk,pki->pi", turn, axes), _UP)
    return trial, np.minimum(far, longest), value[:, 1], np.einsum("pk,pki->pi", vector[:, :, 1], axes)


def _step_beside_edge(
    a: Supported, b: Supported, here: Floats, across: Floats, longest: Floats, turns: tuple[float, ...]
) -> tuple[Floats, Floats]:
    """A Newton step of at most `longest` radians perpendicular to an edge of A - B, and its length.

    `here` (P, 3) are nearly perpendicular to the edge, and `across` (P, 3) are perpendicular to `here` and nearly along
    it. The edge is found by rotations by `turns`. Smaller ones include less of the curved surface beside it.
    """
    twice = np.tile(np.arange(len(here)), 2)
    both_a, both_b = a.take(twice), b.take(twice)

    def moved(way: Floats, edge: Floats, turns: tuple[float, ...]) -> tuple[Floats, Floats]:
        """The nearby direction that is perpendicular to its edge, and this edge."""
        for turn in turns:
            ways = np.concatenate([way - turn * edge, way + turn * edge])
            start, end = np.split(_support(both_a, both_b, ways), 2)
            edge = normalized(end - start, edge)
            way = normalized(way - dot(way, edge)[:, None] * edge, _UP)
        return way, edge

    start, edge = moved(here, across, turns)
    side = np.cross(start, edge)
    ahead, edge_ahead = moved(normalized(start + _TURN * side, _UP), edge, (_LITTLE_TURN,))
    slope = dot(_support(a, b, start), side)
    bend = (dot(_support(a, b, ahead), np.cross(ahead, edge_ahead)) - slope) / _TURN
    turn = np.clip(-slope / np.maximum(np.maximum(np.abs(bend), np.abs(slope)), _TINY), -longest, longest)
    trial, _ = moved(normalized(start + turn[:, None] * side, _UP), edge, turns)
    return trial, np.abs(turn)


# Multiple of the rounding error. Pairs that are this close to the limit are measured as if there were none.
_CERTAIN = 4.0
# Dimensionless: relative difference of the bounds of a depth.
_DEEP = 1e-11

# Dimensionless: a fraction of the size of a pair. Touching shapes are moved apart by this much to be measured.
_STEP_OUT, _LEAST_STEP_OUT, _GREATEST_STEP_OUT = 1e-6, 1e-9, 1e-3
# Maximum number of such steps, and of consecutive steps without gain.
_STEPS_OUT, _IDLE = 64, 3
# Dimensionless: a fraction of the size of a pair. A step that gains no more depth than this is without gain. Points
# with an error of at most this are accurate enough.
_GAIN = 1e-14

# Maximum number of faces of an unfinished polytope at whose normals a search for less overlap begins, and the multiple
# of `_GAIN` within which its points agree.
_FACES, _TOUCHING = 24, 100.0
# Dimensionless: a fraction of the size of a pair. Depths that differ by less belong to one valley.
_VALLEY = 1e-6

# Dimensionless: a fraction of the size of a pair, by which B is moved out of symmetric positions; and the directions.
_ASIDE = 1e-9
_SKEW = np.array([[0.61, -0.47, 0.29], [-0.31, 0.43, 0.71]])

# Dimensionless: a fraction of the size of a pair. Points that are farther off a supporting plane are improved.
_OFF = 1e-9

# The number of the best directions of a search that are refined by steps apart.
_FOLLOWED = 8

# Directions to the faces, edges and corners of a cube.
AROUND = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], dtype=float)


def measured(a: Core, b: Core, offset: Floats, limit: float | None = None, *, deep: bool = True) -> Gap:
    """Measure the distance or depth of each pair.

    Parameters
    ----------
    a, b : Core
        P rows each, relative to a nearby origin.
    offset : (P,) float64
        Distance of the pair from the world's origin, for the rounding error.
    limit : float, optional
        Pairs farther apart than this are not measured.
    deep : bool
        If False, pairs that certainly overlap are not measured. Their gap is minus infinity if the cores overlap, and
        otherwise an upper bound.
    """
    size, radii = a.size + b.size, a.radius + b.radius
    slack = rounding(size, offset)
    reach = None if limit is None else limit + _CERTAIN * slack + radii
    near = closest(a, b, a.center - b.center, reach, CURVED, settle=False)
    best = _Best(near.distance.copy(), near.normal.copy(), near.point_a.copy(), near.point_b.copy())
    best.normal[~best.normal.any(axis=1)] = _UP
    scale = _scale(a, b)
    rows = np.flatnonzero(~near.overlap & ~near.beyond & (near.doubtful | (near.distance <= NEAR * scale)))
    best.gap[rows] = _gap(a.take(rows), b.take(rows), best.normal[rows])
    unproved = near.distance - best.gap > slack
    if not deep:
        # If the points are certainly within the radii, or coincide by far, this is sufficient.
        together = near.distance <= np.maximum(radii - _CERTAIN * slack, slack / _CERTAIN)
        unproved &= ~together
        best.gap[rows] = np.where(together, 0.0, best.gap)[rows]
    rows = rows[unproved[rows]]
    # If the closest direction found shows an overlap, GJK has stalled before a sharp edge or tip.
    close = rows[(near.distance[rows] <= NEAR * scale[rows]) | (best.gap[rows] < -slack[rows])]
    _measure_apart(a, b, close, best, toward=True)
    # Cores without volume have their shortest separating translation perpendicular to them.
    close = close[best.gap[close] < -NEAR * scale[close]]
    _symmetric_depths(a, b, close, np.zeros(len(close)), best)
    rows = rows[near.distance[rows] - best.gap[rows] > slack[rows]]
    _settle(a, b, rows, best, slack)
    inside = near.overlap
    if not deep:
        sure = near.overlap & near.certain
        best.gap[sure] = -np.inf
        inside = inside & ~sure
    rows = np.flatnonzero(inside)
    _deep(a, b, rows, near.simplex[rows], best)
    if deep:
        _to_supporting_planes(a, b, np.flatnonzero(near.overlap | unproved), best)
    middle = (best.point_a + best.point_b) / 2.0 + best.normal * ((a.radius - b.radius) / 2.0)[:, None]
    middle[near.beyond] = np.nan
    return Gap(best.gap - radii, best.normal, middle, slack)


def _scale(a: Core, b: Core) -> Floats:
    """The size of the cores of each pair, without the radii. The lower bound limits the share of rounding to `NEAR`."""
    size, radii = a.size + b.size, a.radius + b.radius
    return np.maximum(size - radii, rounding(size, np.zeros(len(size))) / NEAR)


@dataclass(frozen=True)
class _Best(RowTable):
    """The direction with the largest gap found so far, and its points."""

    gap: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats

    def miss(self) -> Floats:
        """Distance between the points' difference and the gap along the direction: the error of the points."""
        return length(self.point_b - self.point_a - self.gap[:, None] * self.normal)


def _to_supporting_planes(a: Core, b: Core, rows: Ints, best: _Best) -> None:
    """Move points along the normal to the supporting planes. They may be off by the thickness of a sliver."""
    part = best.take(rows)
    for point, way, rise in _below_supporting_planes(a.take(rows), b.take(rows), part):
        point += rise[:, None] * way
    best.put(rows, part)


def _below_supporting_planes(a: Core, b: Core, best: _Best) -> list[tuple[Floats, Floats, Floats]]:
    """The points of A and of B, the directions to the supporting planes, and the distances from these."""
    ends = (a, best.point_a, best.normal), (b, best.point_b, -best.normal)
    return [(point, way, dot(shapes.support(way) - point, way)) for shapes, point, way in ends]


def _deep(a: Core, b: Core, rows: Ints, simplex: Floats, best: _Best) -> None:
    """Depths of pairs whose cores overlap. `simplex` contains the origin."""
    if not len(rows):
        return
    faces = Faces(np.zeros((len(rows), _FACES, 3)), np.full(len(rows), np.inf))
    found = penetration(a.take(rows), b.take(rows), simplex, _DEEP, faces)
    best.put(rows, _Best(-found.depth, found.normal, found.point_a, found.point_b))
    scale = _scale(a, b)[rows]
    # A large triangle of A - B may be tilted so that its vertices, and the points of A and B in it, are off a surface.
    below = [np.abs(rise) for _, _, rise in _below_supporting_planes(a.take(rows), b.take(rows), best.take(rows))]
    inexact = ~found.converged | (np.maximum(*below) > _OFF * scale)
    tried = np.flatnonzero(inexact & np.isfinite(found.depth))
    inexact[tried[_from_faces(a, b, rows[tried], faces.take(tried), best)]] = False
    unsure = inexact & ~found.converged & (found.depth - found.lower > _DEEP * scale)
    _measure_apart(a, b, rows[unsure], best, toward=True)
    unsure &= -best.gap[rows] > NEAR * scale
    _symmetric_depths(a, b, rows[unsure], found.lower[unsure], best)
    _measure_apart(a, b, rows[inexact & ~unsure], best)


def _from_faces(a: Core, b: Core, rows: Ints, faces: Faces, best: _Best) -> Bools:
    """Search for less overlap from the best direction and from normals of faces.

    Returns
    -------
    (P,) bool
        Where the search has converged, no other face is nearer than the depth found, and A and B touch at the points
        found once B has moved out by it. Edges that are short beside the shapes may stop Newton's method before that.
        In a curved valley of almost equal overlap, it stops at several places. These pairs stay as they were.
    """
    if not len(rows):
        return np.zeros(0, dtype=bool)
    starts = np.concatenate([best.normal[rows][:, None], faces.normal], axis=1)
    pair, which = np.nonzero(starts.any(axis=2))
    part_a, part_b = a.take(rows[pair]), b.take(rows[pair])
    normal, converged = steepest(part_a, part_b, normalized(starts[pair, which], _UP))
    gap = _gap(part_a, part_b, normal)
    top = smallest_per_group(pair, -gap)
    a, b, slack = a.take(rows), b.take(rows), _GAIN * _scale(a, b)[rows]
    found = brought_together(a, b, normal[top], gap[top], slack)
    exact = converged[top] & (found.miss <= _TOUCHING * slack) & (found.lower >= best.gap[rows] - slack)
    exact &= faces.rest >= -found.lower - slack
    behind = gap[top][pair] - gap
    exact[pair[(behind > slack[pair]) & (behind < _VALLEY / _GAIN * slack[pair])]] = False
    best.put(rows[exact], _Best(found.lower, found.normal, found.point_a, found.point_b).take(exact))
    return exact


def _symmetric_depths(a: Core, b: Core, rows: Ints, lower: Floats, best: _Best) -> None:
    """Depths of pairs in symmetric positions, with lower bounds (P,): by small shifts of B, then by a global search."""
    size, proved = _scale(a, b)[rows], lower.copy()
    unsure = np.ones(len(rows), dtype=bool)
    for skew in _SKEW:
        some = np.flatnonzero(unsure)
        bound = _shifted_depth(a, b, rows[some], skew * (_ASIDE * size[some])[:, None], best)
        proved[some] = np.maximum(proved[some], bound)
        unsure &= -best.gap[rows] - proved > 4.0 * _ASIDE * size
    _search(a, b, rows[unsure], best)
    _measure_apart(a, b, rows, best)


def _shifted_depth(a: Core, b: Core, rows: Ints, shift: Floats, best: _Best) -> Floats:
    """Lower bounds of the depth from a small shift of B out of a symmetric position. Updates `best`."""
    lower = np.zeros(len(rows))
    if not len(rows):
        return lower
    a, b = a.take(rows), b.take(rows)
    moved = Moved(b, shift)
    near = closest(a, moved, a.center - b.center - shift, None, CURVED, settle=False)
    some = np.flatnonzero(near.overlap)
    found = penetration(a.take(some), moved.take(some), near.simplex[some], _DEEP)
    # The depth changes by at most the length of the shift.
    lower[some] = found.lower - length(shift[some])
    usable = np.flatnonzero(np.isfinite(found.depth))
    at, normal = some[usable], found.normal[usable]
    level = _gap(a.take(at), b.take(at), normal)
    better = np.flatnonzero(level > best.gap[rows[at]])
    which = usable[better]
    points = found.point_a[which], found.point_b[which] - shift[some[which]]
    best.put(rows[at[better]], _Best(level[better], normal[better], *points))
    return lower


def _settle(a: Core, b: Core, rows: Ints, best: _Best, slack: Floats) -> None:
    """Improve pairs whose points are not proved to be the closest."""
    if not len(rows):
        return
    a, b = a.take(rows), b.take(rows)
    normal = steepest(a, b, best.normal[rows])[0]
    found = settled(a, b, normal, slack[rows] / 4.0, extreme_feature(a, b, normal))
    # Of directions that are equal within rounding, the one with the more accurate points is better.
    farther, equal = (found.lower >= best.gap[rows] + sign * slack[rows] for sign in (1.0, -1.0))
    better = np.flatnonzero(farther | (equal & (found.miss < best.take(rows).miss())))
    best.put(rows[better], _Best(found.lower, found.normal, found.point_a, found.point_b).take(better))


def _measure_apart(a: Core, b: Core, rows: Ints, best: _Best, *, toward: bool = False) -> None:
    """Measure overlapping or touching pairs with B moved apart so far that GJK can find the closest direction.

    B is moved out along a unit vector n until the gap is s. Then the direction of the closest points is off the correct
    one by about (d + s) / (r + s) of the error of n. Here d is the depth and r the radius of curvature of A - B. For a
    sharp A - B, r is as small as d. Then s becomes smaller with each step that gains depth. For a flat A - B, the error
    of the direction is the rounding of the points over s. Then s becomes larger with each step without gain.

    Parameters
    ----------
    toward : bool
        The two almost touch: begin along the direction between the centers. Otherwise begin along the best direction.
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
        near = closest(part_a, Moved(part_b, shift), start, None, CURVED, settle=False)
        # Very close points may have no direction.
        apart = ~near.overlap & (near.distance > 0.0) & near.normal.any(axis=1)
        along = np.where(apart[:, None], near.normal, way[at])
        level = _gap(part_a, part_b, along)
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
        further = _gap(part_a, part_b, ahead)
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
    """Limit of the directions whose last two rotations are `last` and `turn`, for rotations in geometric sequence.

    This is Aitken's delta-squared process (1926). Directions whose rotations do not become shorter are kept.
    """
    square = dot(last, last)
    share = np.clip(dot(turn, last) / np.where(square > 0.0, square, 1.0), 0.0, 1.0 - EPS)
    rest = turn * (share / (1.0 - share))[:, None]
    return normalized(way + rest / np.maximum(length(rest), 1.0)[:, None], _UP)


def _search(a: Core, b: Core, rows: Ints, best: _Best) -> None:
    """Search for directions with less overlap from many sides, for pairs without a sufficient bound."""
    if not len(rows):
        return
    part_a, part_b = a.take(rows), b.take(rows)
    count, every = len(AROUND) + 1, np.arange(len(rows))
    pair = np.repeat(every, count)
    around = normalized(np.broadcast_to(AROUND, (len(rows), *AROUND.shape)), np.zeros(3))
    normal = np.concatenate([best.normal[rows][:, None], around], axis=1).reshape(-1, 3)
    many_a, many_b = part_a.take(pair), part_b.take(pair)
    normal, _ = steepest(many_a, many_b, normal, near=False)
    gap = _gap(many_a, many_b, normal).reshape(-1, count)
    pick = (every[:, None] * count + np.argsort(-gap, axis=1)[:, :_FOLLOWED]).reshape(-1)
    some_a, some_b, normal = many_a.take(pick), many_b.take(pick), normal[pick]
    point_a, point_b = some_a.support(normal), some_b.support(-normal)
    found = _Best(gap.reshape(-1)[pick], normal, point_a, point_b)
    _measure_apart(some_a, some_b, np.arange(len(pick)), found)
    top = every * _FOLLOWED + found.gap.reshape(-1, _FOLLOWED).argmax(axis=1)
    better = np.flatnonzero(found.gap[top] > best.gap[rows])
    best.put(rows[better], found.take(top[better]))
