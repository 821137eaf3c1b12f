# SPDX-License-Identifier: GPL-3.0-or-later
"""The greatest depth of a point of one body inside the other, by branch and bound over parts of their boundaries.

The depth of a point inside a body is its distance from the boundary, that is, the least of its distances from the
sides. The distance from a side is a convex function, and so is the mean of two such distances. Over a segment, a
triangle, or the triangle around an arc, a convex function is greatest at a corner. The least of these greatest values,
over all sides, is an upper bound on the depth in the part. The depth of any point of the part is a lower bound. Parts
whose upper bound exceeds the greatest known depth are halved.

If the boundaries of the bodies coincide, as for two copies in one place, neither has a boundary inside the other.
Therefore the points that are inside both bodies count as well, with the lesser of their depths in the two. The greatest
of these depths is the radius of the largest circle in the intersection.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from ...numerics.rows import cyclic_successors, ragged_arange, ragged_blocks
from ...numerics.tolerances import PLANAR_INTERFERENCE, rounding
from ...numerics.types import Floats, Ints
from ...results import Distances
from ..shapes.blocks import corners_of
from ..shapes.convex import Circles
from ..shapes.regions import Body, Regions, local_pairs, pieces_of, product, ranges

# The number of distances between parts and sides that are computed together.
_TOGETHER = 1 << 17
# Radians: the length of the longest arc at the beginning.
_LONGEST_ARC = np.pi / 4.0
# In multiples of a pair's rounding: how far parts may extend out of the bodies that they are clipped to.
_SLACK = 4.0


def interference(a: Body, b: Body, rows_a: Ints, rows_b: Ints, known: Distances) -> Floats:
    """The interference of each pair, (P,); `known` is the result of `distance`.

    For two convex shapes, it is the penetration depth.
    """
    result = np.maximum(-known.distance, 0.0)
    result[result <= known.rounding] = 0.0
    concave = (ranges(a, rows_a)[1] > 1) | (ranges(b, rows_b)[1] > 1)
    rows = np.flatnonzero(concave & (result > 0.0))
    for some, one, other in local_pairs(a, b, rows_a[rows], rows_b[rows]):
        result[rows[some]] = np.minimum(result[rows[some]], _concave_interference(one, other))
    return result


def _concave_interference(a: Body, b: Body) -> Floats:
    """The interference of each row; at least one of the bodies has several pieces."""
    sides = [_sides(shapes) for shapes in (a, b)]
    slack = _SLACK * _rounding(a, b)
    best = np.zeros(len(a))
    for (one, of_one), (other, of_other) in permutations(zip((a, b), sides, strict=True)):
        if isinstance(other, Circles):
            best = np.maximum(best, other.radius - of_one.least_distance(other.center))
        else:
            parts = _arcs(one, other, slack) if isinstance(one, Circles) else _segments(of_one, other, slack)
            best = _deepest(parts, of_other, None, best, slack)
    circles = next((shapes for shapes in (a, b) if isinstance(shapes, Circles)), None)
    best = _deepest(_shared(a, b, slack), _Sides.joined(sides), circles, best, slack)
    return np.where(best > slack, best, 0.0)


def _rounding(a: Body, b: Body) -> Floats:
    """The rounding of the coordinates of each pair, (P,)."""
    reach = [np.abs(np.stack(shapes.bounds())).max(axis=(0, 2)) for shapes in (a, b)]
    return rounding(reach[0] + reach[1], np.zeros(len(a)))


@dataclass(frozen=True, eq=False)
class _Sides:
    """The sides of bodies, grouped by row.

    Attributes
    ----------
    p, q : (E, 2) float64
        The ends of the sides.
    first : (P + 1,) int64
        The first side of each row.
    """

    p: Floats
    q: Floats
    first: Ints

    @classmethod
    def joined(cls, parts: "list[_Sides]") -> "_Sides":
        """The sides of both bodies of each row."""
        owner = np.concatenate([np.repeat(np.arange(len(part.first) - 1), np.diff(part.first)) for part in parts])
        order = np.argsort(owner, kind="stable")
        p, q = (np.concatenate([getattr(part, name) for part in parts])[order] for name in ("p", "q"))
        return cls(p, q, sum((part.first for part in parts), np.zeros_like(parts[0].first)))

    def least_distance(self, point: Floats) -> Floats:
        """Distance of a point (P, 2) from the sides of its row; infinite for a row without sides."""
        count = np.diff(self.first)
        result = np.full(len(count), np.inf)
        away = _distances(np.repeat(point, count, axis=0), self.p, self.q)
        some = count > 0
        result[some] = np.minimum.reduceat(away, self.first[:-1][some]) if len(away) else np.inf
        return result


def _distances(point: Floats, p: Floats, q: Floats) -> Floats:
    """Distances of points (..., 2) from segments (..., 2)."""
    along, to = q - p, point - p
    square = (along * along).sum(axis=-1)
    t = np.clip((to * along).sum(axis=-1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    gap = to - t[..., None] * along
    result: Floats = np.hypot(gap[..., 0], gap[..., 1])
    return result


def _sides(shapes: Body) -> _Sides:
    """The sides of each row; circles have none."""
    if isinstance(shapes, Circles):
        return _Sides(np.empty((0, 2)), np.empty((0, 2)), np.zeros(len(shapes) + 1, np.int64))
    if isinstance(shapes, Regions):
        corners, start = _corners(shapes.sides)
        return _Sides(corners[start[:-1]], corners[start[:-1] + 1], shapes.first_side)
    corners, start = _corners(shapes)
    return _Sides(corners, corners[cyclic_successors(np.diff(start))], start)


def _corners(shapes: Any) -> tuple[Floats, Ints]:
    """The corners of convex shapes, and the first corner of each row."""
    found = corners_of(shapes, np.arange(len(shapes)))
    return found.points(), np.append(found.start, len(found.x))


def _half_planes(shapes: Any, rows: Ints) -> Iterator[tuple[Ints, Floats, Floats]]:
    """For each side in turn: the rows that have it, its outward unit normals (n, 2), and its offsets (n,)."""
    pieces = corners_of(shapes, rows)
    for side in range(int(pieces.sides.max(initial=0))):
        some = np.flatnonzero(pieces.sides > side)
        at = pieces.start[some] + side
        normal = np.stack([pieces.nx[at], pieces.ny[at]], axis=1)
        yield some, normal, pieces.offset[at] + (normal * pieces.place.T[some]).sum(axis=1)


@dataclass(frozen=True, eq=False)
class _Parts:
    """Parts of boundaries or of areas.

    Attributes
    ----------
    owner : (n,) int64
        The row of each part.
    hull : (n, K, 2) float64
        Corners of a polygon around each part: two for a segment, three around an arc; for an area, its corners with the
        last one repeated.
    angle : (n, 2) float64, optional
        Where arcs begin and end. The corners of their hulls are these two points and the intersection of their
        tangents.
    """

    owner: Ints
    hull: Floats
    angle: Floats | None = None
    circles: Circles | None = None

    def take(self, rows: Ints | slice) -> "_Parts":
        angle = None if self.angle is None else self.angle[rows]
        return _Parts(self.owner[rows], self.hull[rows], angle, self.circles)

    @classmethod
    def arcs(cls, owner: Ints, angle: Floats, circles: Circles) -> "_Parts":
        """Arcs of the circles of some rows."""
        ends = [_around(circles, owner, turn) for turn in angle.T]
        ends.append(_around(circles, owner, angle.mean(axis=1), np.cos((angle[:, 1] - angle[:, 0]) / 2.0)))
        return cls(owner, np.stack(ends, axis=1), angle, circles)

    @classmethod
    def areas(cls, owner: Ints, corners: list[Floats]) -> "_Parts":
        """Convex polygons with different numbers of corners; empty ones are left out."""
        most = max(part.shape[1] for part in corners)
        hull = np.concatenate([np.pad(part, ((0, 0), (0, most - part.shape[1]), (0, 0)), "edge") for part in corners])
        some = np.isfinite(hull[:, 0, 0])
        return cls(owner[some], hull[some])

    def middle(self) -> Floats:
        """A point of each part, (n, 2)."""
        if self.angle is None or self.circles is None:
            return self.hull.mean(axis=1)
        return _around(self.circles, self.owner, self.angle.mean(axis=1))

    def halves(self) -> "_Parts":
        """The two halves of each part."""
        if self.angle is not None and self.circles is not None:
            low, high = self.angle.T
            middle = self.angle.mean(axis=1)
            ends = np.concatenate([np.stack([low, middle], axis=1), np.stack([middle, high], axis=1)])
            return _Parts.arcs(np.tile(self.owner, 2), ends, self.circles)
        if self.hull.shape[1] == 2:
            middle = self.hull.mean(axis=1)
            parts = [np.stack([self.hull[:, 0], middle], axis=1), np.stack([middle, self.hull[:, 1]], axis=1)]
            return _Parts(np.tile(self.owner, 2), np.concatenate(parts))
        # Areas are cut perpendicular to the line from their first corner to the corner farthest from it.
        spoke = self.hull - self.hull[:, :1]
        way = spoke[np.arange(len(spoke)), np.hypot(spoke[..., 0], spoke[..., 1]).argmax(axis=1)]
        place = (self.hull * way[:, None]).sum(axis=2)
        level = (place.min(axis=1) + place.max(axis=1)) / 2.0
        return _Parts.areas(np.tile(self.owner, 2), [_cut(self.hull, *side) for side in ((way, level), (-way, -level))])


def _around(circles: Circles, owner: Ints, angle: Floats, share: Floats | float = 1.0) -> Floats:
    """Points at angles about the centers of circles, at their radius divided by `share`, (n, 2)."""
    reach = circles.radius[owner] / share
    return circles.center[owner] + reach[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _segments(sides: _Sides, other: Any, slack: Floats) -> _Parts:
    """The parts of sides that lie inside the pieces of other bodies."""
    lower, upper = np.minimum(sides.p, sides.q), np.maximum(sides.p, sides.q)
    hulls, owners = [np.empty((0, 2, 2))], [np.empty(0, np.int64)]
    for owner, side, piece in _near(lower, upper, sides.first, other, slack):
        p, q = sides.p[side], sides.q[side]
        low, high = np.zeros(len(side)), np.ones(len(side))
        for some, normal, offset in _half_planes(pieces_of(other), piece):
            begin, end = ((normal * point[some]).sum(axis=1) - offset - slack[owner[some]] for point in (p, q))
            cross = begin / np.where(begin != end, begin - end, 1.0)
            low[some] = np.where(begin > 0.0, np.where(end > 0.0, 2.0, np.maximum(low[some], cross)), low[some])
            high[some] = np.where((end > 0.0) & (begin <= 0.0), np.minimum(high[some], cross), high[some])
        kept = np.flatnonzero(low <= high)
        along = (q - p)[kept]
        ends = [p[kept] + low[kept, None] * along, p[kept] + high[kept, None] * along]
        hulls.append(np.stack(ends, axis=1))
        owners.append(owner[kept])
    return _Parts(np.concatenate(owners), np.concatenate(hulls))


def _near(lower: Floats, upper: Floats, first: Ints, other: Body, slack: Floats) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Rows, objects and pieces of other bodies with overlapping bounds, in chunks; `first` are each row's objects."""
    pieces = pieces_of(other)
    low, high = pieces.bounds()
    begin, count = ranges(other, np.arange(len(other)))
    item, size = np.arange(len(lower)), np.diff(first)
    row = np.repeat(np.arange(len(size)), size)
    spare = slack[row, None]
    # The bounds of all pieces of a row are compared first.
    whole = [side[row] for side in other.bounds()]
    near = np.flatnonzero(((lower <= whole[1] + spare) & (upper >= whole[0] - spare)).all(axis=1))
    one = np.ones(len(near), np.int64)
    for part in product(item[near], one, begin[row[near]], count[row[near]]):
        spare = slack[row[part.a], None]
        overlapping = ((lower[part.a] <= high[part.b] + spare) & (upper[part.a] >= low[part.b] - spare)).all(axis=1)
        yield row[part.a[overlapping]], part.a[overlapping], part.b[overlapping]


def _arcs(circles: Circles, other: Any, slack: Floats) -> _Parts:
    """The arcs of circles that lie in the pieces of other bodies, inside the half-planes of all their sides."""
    angles, owners = [np.empty((0, 2))], [np.empty(0, np.int64)]
    for owner, _, piece in _near(*circles.bounds(), np.arange(len(circles) + 1), other, slack):
        center, radius = circles.center[owner], circles.radius[owner]
        starts, sizes = [], []
        for some, normal, offset in _half_planes(pieces_of(other), piece):
            room = offset + slack[owner[some]] - (normal * center[some]).sum(axis=1)
            sized = radius[some] > 0.0
            share = np.where(sized, room / np.where(sized, radius[some], 1.0), np.where(room >= 0.0, 1.0, -1.0))
            half, turn = np.zeros(len(owner)), np.zeros(len(owner))
            half[some] = np.arccos(np.clip(share, -1.0, 1.0))
            turn[some] = np.arctan2(normal[:, 1], normal[:, 0])
            starts.append(turn - half)
            sizes.append(2.0 * half)
        begin, free = _uncovered(np.stack(starts), np.stack(sizes))
        at, which = np.nonzero(free.T > 0.0)
        low, size = begin[which, at], free[which, at]
        count = np.ceil(size / _LONGEST_ARC).astype(np.int64)
        which, number = ragged_arange(count)
        step = (size / count)[which]
        from_here = low[which] + number * step
        angles.append(np.stack([from_here, from_here + step], axis=1))
        owners.append(owner[at[which]])
    return _Parts.arcs(np.concatenate(owners), np.concatenate(angles), circles)


def _uncovered(start: Floats, size: Floats) -> tuple[Floats, Floats]:
    """The parts of circles that arcs (S, n) leave uncovered: starts and sizes; sizes are not above zero for none."""
    whole = 2.0 * np.pi
    size = np.where(size > 0.0, size, 0.0)
    origin = start[size.argmax(axis=0), np.arange(start.shape[1])]
    start = np.where(size > 0.0, (start - origin) % whole, 0.0)
    order = np.argsort(start, axis=0)
    start, size = np.take_along_axis(start, order, axis=0), np.take_along_axis(size, order, axis=0)
    end = start + size
    wrapped = (end - whole).max(axis=0)
    reached = np.maximum(np.maximum.accumulate(end, axis=0), wrapped)
    following_start = np.concatenate([start[1:], np.full((1, start.shape[1]), whole)])
    return reached + origin, following_start - reached


def _shared(a: Any, b: Any, slack: Floats) -> _Parts:
    """The intersections of all pieces of two bodies; for a circle, of the square around it."""
    hulls, owners = [np.empty((0, 1, 2))], [np.empty(0, np.int64)]
    if isinstance(a, Circles):
        a, b = b, a
    pieces_a, pieces_b = pieces_of(a), pieces_of(b)
    lower, upper = pieces_b.bounds()
    first = np.cumsum([0, *ranges(b, np.arange(len(b)))[1]])
    for owner, that, this in _near(lower, upper, first, a, slack):
        solid = np.flatnonzero((pieces_b.rows.inner[that] > 0.0) & (pieces_a.rows.inner[this] > 0.0))
        owner, that, this = owner[solid], that[solid], this[solid]
        if isinstance(b, Circles):
            low, high = lower[that], upper[that]
            square = [low, np.stack([high[:, 0], low[:, 1]], axis=1), high, np.stack([low[:, 0], high[:, 1]], axis=1)]
            corners = np.stack(square, axis=1)
        else:
            flat, start = _corners(pieces_b.take(that))
            count = np.diff(start)
            corners = flat[start[:-1, None] + np.minimum(np.arange(int(count.max(initial=1))), count[:, None] - 1)]
        for some, normal, offset in _half_planes(pieces_a, this):
            cut = _cut(corners[some], normal, offset)
            more = max(cut.shape[1] - corners.shape[1], 0)
            corners = np.pad(corners, ((0, 0), (0, more), (0, 0)), "edge")
            corners[some] = np.pad(cut, ((0, 0), (0, corners.shape[1] - cut.shape[1]), (0, 0)), "edge")
        hulls.append(corners)
        owners.append(owner)
    return _Parts.areas(np.concatenate(owners), hulls)


def _cut(corners: Floats, normal: Floats, offset: Floats) -> Floats:
    """Clip convex polygons (n, K, 2), whose last corners may be repeated, to half-planes; NaN where nothing is left.

    The method is that of Sutherland and Hodgman ("Reentrant polygon clipping", 1974).
    """
    after = np.roll(corners, -1, axis=1)
    real = (corners != after).any(axis=2)
    # A polygon that is a single point keeps that point once.
    real[:, 0] |= ~real.any(axis=1)
    height = (corners * normal[:, None]).sum(axis=2) - offset[:, None]
    ahead = np.roll(height, -1, axis=1)
    within = height <= 0.0
    crossed = real & (within != (ahead <= 0.0))
    share = height / np.where(crossed, height - ahead, 1.0)
    slots = np.stack([corners, corners + share[..., None] * (after - corners)], axis=2).reshape(
        len(corners), 2 * corners.shape[1], 2
    )
    used = np.stack([real & within, crossed], axis=2).reshape(slots.shape[:2])
    left = used.sum(axis=1)
    order = np.argsort(~used, axis=1, kind="stable")
    order = np.take_along_axis(
        order, np.minimum(np.arange(max(int(left.max(initial=0)), 1)), left[:, None] - 1), axis=1
    )
    result = np.take_along_axis(slots, order[..., None], axis=1)
    result[left == 0] = np.nan
    return result


def _deepest(parts: _Parts, sides: _Sides, circles: Circles | None, best: Floats, slack: Floats) -> Floats:
    """The greatest depth of any point of the parts of each row, or the best one known if that is greater, (P,).

    With circles, the depth is the lesser of this value and the depth in the circle.
    """
    best = best.copy()
    while len(parts.owner):
        blocks = ragged_blocks(np.diff(sides.first)[parts.owner], _TOGETHER)
        bound = np.concatenate([_bounds(parts.take(some), sides, circles, best) for some in blocks])
        parts = parts.take(np.flatnonzero(bound > (best * (1.0 + PLANAR_INTERFERENCE) + slack)[parts.owner])).halves()
    return best


def _bounds(parts: _Parts, sides: _Sides, circles: Circles | None, best: Floats) -> Floats:
    """Upper bounds of the depth of all points of some parts, (n,); `best` is raised to depths that are found."""
    count = np.diff(sides.first)[parts.owner]
    begin = np.cumsum(count) - count
    row, side = ragged_arange(count, sides.first[parts.owner])
    points = np.concatenate([parts.hull, parts.middle()[:, None]], axis=1)
    away = _distances(points[row], sides.p[side, None], sides.q[side, None])
    depth = np.minimum.reduceat(away, begin)
    corners = away[:, :-1]
    # The mean with the side nearest to the center: between two parallel sides, it is constant.
    nearest = np.flatnonzero(away[:, -1] == depth[row, -1])
    at = np.empty(len(count), np.int64)
    at[row[nearest[::-1]]] = nearest[::-1]
    both = (corners + corners[at[row]]) / 2.0
    bound = np.minimum.reduceat(np.minimum(corners.max(axis=1), both.max(axis=1)), begin)
    if circles is not None:
        center, radius = circles.center[parts.owner], circles.radius[parts.owner]
        depth = np.minimum(depth, radius[:, None] - np.hypot(*(points - center[:, None]).transpose(2, 0, 1)))
        bound = np.minimum(bound, radius - _polygon_distances(center, parts.hull))
    # The third corner around an arc is not a point of the arc.
    own = depth if parts.angle is None else depth[:, [0, 1, -1]]
    np.maximum.at(best, parts.owner, own.max(axis=1))
    return bound


def _polygon_distances(point: Floats, corners: Floats) -> Floats:
    """Distances of points (n, 2) from convex polygons (n, K, 2); 0 inside."""
    after = np.roll(corners, -1, axis=1)
    away: Floats = _distances(point[:, None], corners, after).min(axis=1)
    along, to = after - corners, point[:, None] - corners
    turn = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
    return np.where((turn >= 0.0).all(axis=1) | (turn <= 0.0).all(axis=1), 0.0, away)
