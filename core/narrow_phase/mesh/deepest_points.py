# SPDX-License-Identifier: GPL-3.0-or-later
"""The deepest point of the boundary of one body in another, by branch and bound.

Over a triangle the depth is bounded from above in two ways: by what bounds the depth in the other body (see `depths`),
and as it changes by no more than the point moves. Pieces whose bound is above the best depth found so far are cut: by
the planes of the triangles that cross them, then where two bounds are equal, so that each part has one nearest
triangle, as in the faces of a Voronoi diagram. Patches of round boundaries are pieces that bulge.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...numerics.rows import RowTable, smallest_per_group
from ...numerics.tolerances import INTERFERENCE, INTERFERENCE_ROUND
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import SupportMapped, Triangles
from .boundary import FLAT, SIDE, Boundary, Curved, boundary, bulges, ends_of, settled
from .bvh_traversal import near
from .leaf_queries import meeting
from .operands import ConvexRows, MeshRows, ShapeRows, side, slack_of
from .point_depth import InsideConvex, InsideMesh, depths_in

# Pieces of each pair that are looked at together, those of the greatest bounds.
_TOGETHER = 256
# Rounds of cuts, after which the upper bound is the answer.
ROUNDS = 400
# Steps in the search for the place on an edge where two bounds are equal. Any place will do; a good one saves cuts.
_STEPS = 8
# Levels of a tree of boxes that are gone down at once.
_LEVELS = 3
# Of an edge: a cut nearer to its end would make parts without width.
_LEAST_SHARE = 1e-3


@dataclass(frozen=True)
class Inner(RowTable):
    """Points of the boundary of one body inside the other.

    Attributes
    ----------
    row : (K,) int64
    point : (K, 3) float64
        In the world.
    depth : (K,) float64
    """

    row: Ints
    point: Floats
    depth: Floats


@dataclass(frozen=True)
class _Pieces(RowTable):
    """Parts of a boundary.

    Attributes
    ----------
    row : (K,) int64
    corner : (K, 3, 3) float64
        In the world.
    kind : (K,) int64
        Flat, or which patch of a round boundary; see `boundary`.
    depth : (K, 4) float64
        Signed, of the corners and of the middle.
    key : (K, 4, 4) float64
        What bounds the depth, as a rule one for each of these.
    clear : (K,) bool
        Nothing of the other boundary crosses it.
    """

    row: Ints
    corner: Floats
    kind: Ints
    depth: Floats
    key: Floats
    clear: Bools


class DeepestPoints:
    """The search for the deepest point of the boundary of each of `one` in the other body.

    Parameters
    ----------
    best : (P,) float64
        The greatest depths known.
    level : (P,) float64, optional
        It is enough to know whether each depth is above this.
    """

    def __init__(self, one: ShapeRows, other: ShapeRows, best: Floats, level: Floats | None) -> None:
        self.one, self.other, self.within, self.best = one, other, depths_in(other), best.copy()
        self.slack, self.level = slack_of(one, other), level
        self.seen: list[Inner] = []
        self.round = one.shapes if isinstance(one, ConvexRows) and isinstance(one.shapes, Curved) else None
        give = 0.0 if self.round is None else INTERFERENCE_ROUND * one.bodies.reach
        self.give = np.maximum(2.0 * self.slack, give)

    def depths(self, rounds: int = ROUNDS) -> Floats:
        """The greatest depth of each row, (P,): attained to within `INTERFERENCE` of it.

        With fewer `rounds` of cuts than `ROUNDS` it is the greatest found until then.
        """
        parts = boundary(self.one.shapes) if isinstance(self.one, ConvexRows) else self._triangles(self.one)
        waiting = self._measured(parts.row, parts.corner, parts.kind, np.zeros(len(parts.row), dtype=bool))
        if isinstance(self.within, InsideConvex) and self.round is None:
            # What only touches is parted by a plane, which no point of it need be nearest to.
            waiting = waiting.take(np.flatnonzero(self._bound(waiting) > self._enough(waiting.row)))
            waiting.key[:, 3] = self.within.parting(waiting.row, waiting.corner)
        for _ in range(rounds):
            bound = self._bound(waiting)
            keep = np.flatnonzero(bound > self._enough(waiting.row))
            if not len(keep):
                return self.best
            waiting, bound = waiting.take(keep), bound[keep]
            now = np.zeros(len(waiting), dtype=bool)
            now[smallest_per_group(waiting.row, -bound, _TOGETHER)] = True
            waiting = _Pieces.joined([waiting.take(~now), self._cut(waiting.take(now))])
        if rounds == ROUNDS:
            # Not settled: nothing that may be deeper is hidden.
            np.maximum.at(self.best, waiting.row, self._bound(waiting))
        return self.best

    def _enough(self, row: Ints) -> Floats:
        """What a bound has to be above to matter."""
        enough = self.best * (1.0 + INTERFERENCE) + self.give
        if self.level is not None:
            enough = np.where(self.best > self.level, np.inf, np.maximum(enough, self.level))
        return enough[row]

    def _triangles(self, one: MeshRows) -> Boundary:
        """The triangles of a mesh that may have the deepest point, by the boxes of its tree."""
        # The other as one box.
        whole = replace(self.other.bodies, levels=np.zeros_like(self.other.bodies.levels))
        at = near(one.bodies, whole, 2.0 * self.slack)
        count = np.bincount(at.pair, minlength=len(one))
        many = np.flatnonzero(count > _TOGETHER)
        if len(many):
            few = at.take(count[at.pair] <= _TOGETHER)
            pair, triangle = self._descend(one, many)
            row, which = np.append(few.pair, pair), np.append(few.a, triangle)
        else:
            row, which = at.pair, at.a
        return Boundary(row, one.placed(row, which), np.zeros(len(row), dtype=np.int64))

    def _descend(self, one: MeshRows, rows: Ints) -> tuple[Ints, Ints]:
        """Rows and triangles of boxes that may hold a deeper point than the best known, level by level."""
        bodies = one.bodies
        pair, node, level = rows, rows * 0, 0
        found: list[tuple[Ints, Ints]] = []
        while True:
            done = bodies.levels[pair] <= level
            if done.any():
                first = np.left_shift(1, bodies.levels[pair[done]]) - 1
                found.append((pair[done], bodies.leaf[bodies.leaf_start[pair[done]] + node[done] - first]))
                pair, node = pair[~done], node[~done]
            if not len(pair):
                break
            step = np.minimum(bodies.levels[pair] - level, _LEVELS)
            # Below node i, so many levels down, are the nodes (i + 1) * 2**levels - 1 and those that follow.
            width = np.left_shift(1, step)
            which = np.repeat(np.arange(len(pair)), width)
            offset = np.arange(len(which)) - np.repeat(np.cumsum(width) - width, width)
            pair, node = pair[which], (node[which] + 1) * width[which] - 1 + offset
            center, half = bodies.boxes(bodies.node_start[pair] + node)
            filled = np.flatnonzero((half >= 0.0).all(axis=1))
            pair, node, center, half = pair[filled], node[filled], center[filled], half[filled]
            radius = length(half)
            place = np.einsum("kij,kj->ki", bodies.rotation[pair], center) + bodies.translation[pair]
            depth = self.within.depth(pair, place)[0]
            # Some point of each box is of the boundary.
            np.maximum.at(self.best, pair, depth - radius - self.slack[pair])
            kept = depth + radius > self._enough(pair)
            pair, node = pair[kept], node[kept]
            level += _LEVELS
        rows = np.concatenate([np.empty(0, dtype=np.int64), *(part[0] for part in found)])
        return rows, np.concatenate([np.empty(0, dtype=np.int64), *(part[1] for part in found)])

    def _measured(self, row: Ints, corner: Floats, kind: Ints, clear: Bools) -> _Pieces:
        """Pieces with the depths of their corners and middles, which the best may be among."""
        middle = corner.mean(axis=1)
        if self.round is not None:
            middle = settled(self.round, row, kind, middle)
        points = np.concatenate([corner, middle[:, None]], axis=1)
        # Corners that pieces share are measured once.
        flat = np.column_stack([np.repeat(row, 4), points.reshape(-1, 3)])
        some, which = np.unique(flat, axis=0, return_inverse=True)
        which = which.reshape(-1, 4)
        # What nothing crosses is all inside, as its middle is: else it would not be cut.
        clear_at = np.zeros(len(some), dtype=bool)
        clear_at[which[clear]] = True
        depth, key = self.within.depth(some[:, 0].astype(np.int64), np.ascontiguousarray(some[:, 1:]), clear_at)
        of_some = some[:, 0].astype(np.int64)
        inside = depth > 4.0 * self.slack[of_some]
        self.seen.append(Inner(of_some[inside], some[inside, 1:], depth[inside]))
        result = _Pieces(row, corner, kind, depth[which], key[which], clear)
        np.maximum.at(self.best, row, result.depth.max(axis=1, initial=0.0))
        return result

    def _bulge(self, pieces: _Pieces) -> Floats:
        """How far the boundary is from the flat pieces, (K,)."""
        if self.round is None:
            return np.zeros(len(pieces))
        return bulges(self.round, pieces.row, pieces.kind, pieces.corner)

    def _bounds(self, pieces: _Pieces) -> Floats:
        """What each of the four keys bounds the depth of each corner by, (K, 4, 3)."""
        count = len(pieces)
        row, key, point = np.repeat(pieces.row, 12), np.repeat(pieces.key, 3, axis=1), np.tile(pieces.corner, (1, 4, 1))
        result: Floats = self.within.bound(row, key.reshape(-1, 4), point.reshape(-1, 3)).reshape(count, 4, 3)
        return result

    def _bound(self, pieces: _Pieces) -> Floats:
        """The least upper bound for the depth of any point of each piece, (K,)."""
        if not len(pieces):
            return np.zeros(0)
        edge = length(pieces.corner - np.roll(pieces.corner, -1, axis=1))
        farthest = np.maximum(edge, np.roll(edge, 1, axis=1))
        by_moving = (pieces.depth[:, :3] + farthest).min(axis=1)
        result: Floats = by_moving.copy()
        asked = np.flatnonzero(by_moving > self._enough(pieces.row))
        some = pieces.take(asked)
        result[asked] = np.minimum(result[asked], self._bounds(some).max(axis=2).min(axis=1))
        return result + self._bulge(pieces)

    def _cut(self, pieces: _Pieces) -> _Pieces:
        """The parts of pieces that may be deeper than the best: cut where they cross, or where bounds are equal."""
        heights = np.zeros((len(pieces), 3))
        crossed, clear, out = np.zeros((3, len(pieces)), dtype=bool)
        bulging = self._bulge(pieces)
        if isinstance(self.within, InsideMesh):
            flat = pieces.kind == FLAT
            asked = np.flatnonzero(flat & ~pieces.clear)
            heights[asked] = self._crossing(pieces.take(asked), self.within.surfaces)
            crossed = (heights.min(axis=1) < 0.0) & (heights.max(axis=1) > 0.0)
            clear = flat & ~crossed
            # What nothing crosses is all inside or all outside, as its middle is.
            out = clear & (pieces.depth[:, 3] <= 0.0)
        level = heights[crossed]
        lone, first, second = _ends(level)
        at = np.arange(len(level))
        shares = [level[at, lone] / (level[at, lone] - level[at, end]) for end in (first, second)]
        parts = [self._parts(pieces.take(crossed), (lone, first, second), (shares[0], shares[1]))]
        rest = ~crossed & ~out
        some = _Pieces(pieces.row, pieces.corner, pieces.kind, pieces.depth, pieces.key, clear).take(rest)
        parts.append(self._divided(some, bulging[rest]))
        return _Pieces.joined(parts)

    def _crossing(self, parts: _Pieces, surfaces: MeshRows) -> Floats:
        """Heights of corners over the plane of a triangle that crosses each piece, (K, 3); zeros where none does."""
        result = np.zeros((len(parts), 3))
        if not len(parts):
            return result
        pieces, there = side(Triangles(parts.corner)), surfaces.take(parts.row)
        found = meeting(pieces, there)
        corner = there.placed(found.pair, found.b)
        normal = normalized(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), np.zeros(3))
        height = dot(parts.corner[found.pair] - corner[:, :1], normal[:, None])
        slack = 2.0 * self.slack[parts.row[found.pair]]
        height[np.abs(height) <= slack[:, None]] = 0.0
        least = np.minimum(height.max(axis=1), -height.min(axis=1))
        through = np.flatnonzero(least > 0.0)
        most = through[smallest_per_group(found.pair[through], -least[through])]
        result[found.pair[most]] = height[most]
        return result

    def _divided(self, pieces: _Pieces, bulging: Floats) -> _Pieces:
        """Pieces cut where the bound of the best key and that of the worst corner's own key are equal."""
        if not len(pieces):
            return pieces
        bounds = self._bounds(pieces)
        at = np.arange(len(pieces))
        best = bounds.max(axis=2).argmin(axis=1)
        worst = bounds[at, best].argmax(axis=1)
        difference = bounds[at, best] - bounds[at, worst]
        flat = bounds.max(axis=2).min(axis=1)
        usable = (difference.max(axis=1) > 0.0) & (difference.min(axis=1) <= 0.0) & (flat > self._enough(pieces.row))
        usable &= (difference < 0.0).any(axis=1)
        keys = pieces.key[at, best], pieces.key[at, worst]
        lone, first, second = _ends(difference)
        shares = [self._share(pieces, difference, lone, end, keys) for end in (first, second)]
        usable &= (np.minimum(*shares) >= _LEAST_SHARE) & (shares[0] <= 1.0 - _LEAST_SHARE)
        # Else along the middle of an edge: of the one that bulges where that is the trouble.
        along, next_one, last = self._edge(pieces, flat <= self._enough(pieces.row))
        half, full = np.full(len(pieces), 0.5), np.ones(len(pieces))
        return self._parts(
            pieces,
            (np.where(usable, lone, along), np.where(usable, first, next_one), np.where(usable, second, last)),
            (np.where(usable, shares[0], half), np.where(usable, shares[1], full)),
        )

    def _edge(self, pieces: _Pieces, bulging: Bools) -> tuple[Ints, Ints, Ints]:
        """The ends of the longest edge of each piece, and the corner that is left."""
        edge = np.roll(pieces.corner, -1, axis=1) - pieces.corner
        size = length(edge)
        if isinstance(self.round, SupportMapped):
            size = np.where(bulging[:, None], self.round.bend(pieces.row, pieces.kind, pieces.corner), size)
        elif self.round is not None:
            start, end = (each[pieces.row] for each in ends_of(self.round))
            axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
            across = length(np.cross(edge, axis[:, None]))
            size = np.where((bulging & (pieces.kind == SIDE))[:, None], across, size)
        lone = size.argmax(axis=1)
        return lone, (lone + 1) % 3, (lone + 2) % 3

    def _parts(self, pieces: _Pieces, corners: tuple[Ints, Ints, Ints], shares: tuple[Floats, Floats]) -> _Pieces:
        """Pieces cut from one of the edges at a corner to the other, at these shares of the edges."""
        count = len(pieces)
        if not count:
            return pieces
        at = np.arange(count)
        tip, left, right = (pieces.corner[at, each] for each in corners)
        x = tip + shares[0][:, None] * (left - tip)
        whole = shares[1] >= 1.0
        y = np.where(whole[:, None], right, tip + shares[1][:, None] * (right - tip))
        if self.round is not None:
            x = settled(self.round, pieces.row, pieces.kind, x, (tip, left))
            y = np.where(whole[:, None], y, settled(self.round, pieces.row, pieces.kind, y, (tip, right)))
        third = np.flatnonzero(~whole)
        corner = np.concatenate(
            [
                np.stack([tip, x, y], axis=1),
                np.stack([x, left, right], axis=1),
                np.stack([x, right, y], axis=1)[third],
            ]
        )
        which = np.concatenate([at, at, third])
        return self._measured(pieces.row[which], corner, pieces.kind[which], pieces.clear[which])

    def _share(self, pieces: _Pieces, level: Floats, start: Ints, end: Ints, keys: tuple[Floats, Floats]) -> Floats:
        """Where along the edges from corners `start` to `end` two keys bound alike, as a share of the edge: (K,)."""
        at = np.arange(len(pieces))
        low, high = level[at, start].copy(), level[at, end].copy()
        on_line = high == 0.0
        tip, tail = pieces.corner[at, start], pieces.corner[at, end]
        left, right, share = np.zeros(len(pieces)), np.ones(len(pieces)), np.ones(len(pieces))
        for _ in range(_STEPS):
            # The false position, with the share of an end halved that stays (the Illinois method).
            share = np.clip(left + (right - left) * low / np.where(low != high, low - high, 1.0), left, right)
            place = tip + share[:, None] * (tail - tip)
            value = self.within.bound(pieces.row, keys[0], place) - self.within.bound(pieces.row, keys[1], place)
            same = np.sign(value) == np.sign(low)
            high = np.where(same, high / 2.0, value)
            low = np.where(same, value, low / 2.0)
            left, right = np.where(same, share, left), np.where(same, right, share)
        return np.where(on_line, 1.0, share)


def _ends(level: Floats) -> tuple[Ints, Ints, Ints]:
    """The corner that is alone on its side of where the level (K, 3) is zero, and the other two.

    A corner on the line itself is the last: the cut ends there.
    """
    at = np.arange(len(level))
    above = np.count_nonzero(level > 0.0, axis=1) == 1
    lone = np.where(above, level.argmax(axis=1), level.argmin(axis=1))
    first, second = (lone + 1) % 3, (lone + 2) % 3
    turned = level[at, first] == 0.0
    return lone, np.where(turned, second, first), np.where(turned, first, second)
