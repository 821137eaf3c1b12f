# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance or depth of any two convex shapes with support mappings.

GJK measures separated cores, and the expanding polytope algorithm overlapping ones. Both return bounds. If the cores
touch, or the polytope would become too large, other methods refine the result. Radii are subtracted afterwards. A
direction with less overlap than the best known one can only be near the normals of faces of the polytope that are
nearer than this overlap. So the search for it begins at these.
"""

from dataclasses import dataclass

import numpy as np

from ..convex.active_set import Moved, brought_together, extreme_feature, settled
from ..convex.epa import OpenFaces, penetration
from ..convex.gjk import closest
from ..convex.rooms import work_room
from ..kernels import apart as apart_kernel
from ..kernels import steepest as steepest_kernel
from ..kernels.apart import GAIN
from ..numerics.rows import RowTable, smallest_per_group
from ..numerics.tolerances import BEYOND, CURVED_DEPTH, CURVED_DISTANCE, NEAR, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..shapes.sides import chosen, side_of
from ..shapes.support_mapped import Supported
from .support_cores import Core

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
    result, converged = np.empty(normal.shape), np.empty(len(normal), dtype=bool)
    sides = side_of(a), side_of(b)
    find = chosen(steepest_kernel.steepest, "steepest.steepest", *sides)
    find(*sides, a.size + b.size, np.ascontiguousarray(normal), near, result, converged)
    return result, converged


def _gap(a: Supported, b: Supported, normal: Floats) -> Floats:
    """The gap between A and B along unit directions (P, 3), (P,)."""
    return dot(b.support(-normal) - a.support(normal), normal)


# Maximum number of faces of an unfinished polytope at whose normals a search for less overlap begins, and the multiple
# of `GAIN` within which its points agree.
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


@dataclass(frozen=True)
class Gap:
    """The signed distance of each pair, in its frame.

    Attributes
    ----------
    distance : (P,) float64
        Signed distance, radii included. For pairs beyond the limit, a lower bound that is also beyond it.
    normal : (P, 3) float64
    middle : (P, 3) float64
        Midpoint between the witness points; NaN for pairs beyond the limit.
    slack : (P,) float64
        Rounding error of the pair. The pair overlaps if the distance is at most this.
    """

    distance: Floats
    normal: Floats
    middle: Floats
    slack: Floats


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
    reach = None if limit is None else limit + BEYOND * slack + radii
    near = closest(a, b, a.center - b.center, reach, CURVED_DISTANCE, settle=False)
    best = _Best(near.distance.copy(), near.normal.copy(), near.point_a.copy(), near.point_b.copy())
    best.normal[~best.normal.any(axis=1)] = _UP
    scale = _scale(a, b)
    rows = np.flatnonzero(~near.overlap & ~near.beyond & (near.doubtful | (near.distance <= NEAR * scale)))
    best.gap[rows] = _gap(a.take(rows), b.take(rows), best.normal[rows])
    unproved = near.distance - best.gap > slack
    if not deep:
        # If the points are certainly within the radii, or coincide by far, this is sufficient.
        together = near.distance <= np.maximum(radii - BEYOND * slack, slack / BEYOND)
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
    faces = OpenFaces(np.zeros((len(rows), _FACES, 3)), np.full(len(rows), np.inf))
    found = penetration(a.take(rows), b.take(rows), simplex, CURVED_DEPTH, faces)
    best.put(rows, _Best(-found.depth, found.normal, found.point_a, found.point_b))
    scale = _scale(a, b)[rows]
    # A large triangle of A - B may be tilted so that its vertices, and the points of A and B in it, are off a surface.
    below = [np.abs(rise) for _, _, rise in _below_supporting_planes(a.take(rows), b.take(rows), best.take(rows))]
    inexact = ~found.converged | (np.maximum(*below) > _OFF * scale)
    tried = np.flatnonzero(inexact & np.isfinite(found.depth))
    inexact[tried[_from_faces(a, b, rows[tried], faces.take(tried), best)]] = False
    unsure = inexact & ~found.converged & (found.depth - found.lower > CURVED_DEPTH * scale)
    _measure_apart(a, b, rows[unsure], best, toward=True)
    unsure &= -best.gap[rows] > NEAR * scale
    _symmetric_depths(a, b, rows[unsure], found.lower[unsure], best)
    _measure_apart(a, b, rows[inexact & ~unsure], best)


def _from_faces(a: Core, b: Core, rows: Ints, faces: OpenFaces, best: _Best) -> Bools:
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
    a, b, slack = a.take(rows), b.take(rows), GAIN * _scale(a, b)[rows]
    found = brought_together(a, b, normal[top], gap[top], slack)
    exact = converged[top] & (found.miss <= _TOUCHING * slack) & (found.lower >= best.gap[rows] - slack)
    exact &= faces.rest >= -found.lower - slack
    behind = gap[top][pair] - gap
    exact[pair[(behind > slack[pair]) & (behind < _VALLEY / GAIN * slack[pair])]] = False
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
    near = closest(a, moved, a.center - b.center - shift, None, CURVED_DISTANCE, settle=False)
    some = np.flatnonzero(near.overlap)
    found = penetration(a.take(some), moved.take(some), near.simplex[some], CURVED_DEPTH)
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
    """Measure overlapping or touching pairs with B moved apart, see `kernels.apart`.

    Parameters
    ----------
    toward : bool
        The two almost touch: begin along the direction between the centers. Otherwise begin along the best direction.
    """
    if not len(rows):
        return
    a, b, own = a.take(rows), b.take(rows), best.take(rows)
    sides = side_of(a), side_of(b)
    find = chosen(apart_kernel.measure_apart, "apart.measure_apart", *sides)
    given = np.ascontiguousarray(a.center - b.center), _scale(a, b), a.size + b.size, toward
    find(*sides, work_room(), *given, *vars(own).values())
    best.put(rows, own)


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
