# SPDX-License-Identifier: GPL-3.0-or-later
"""The deepest point of the boundary of one body in another, by branch and bound.

The depth over a triangle has two upper bounds. One is that of the other body (see `InsideMesh`). The other holds
because the depth changes by at most the distance between two points. Pieces whose bound is above the best known depth
are cut. They are cut along the planes of the triangles that intersect them, and then where two bounds are equal. So
each part has one nearest triangle, as in a Voronoi diagram. Patches of round boundaries are pieces with a bound on
their bulge.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...numerics.rows import RowTable, of_each, ragged_arange, smallest_per_group
from ...numerics.tolerances import INTERFERENCE, INTERFERENCE_ROUND
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import SupportMapped, Triangles
from .boundary import FLAT, SIDE, Curved, boundary, bulges, ends_of, moved_to_boundary
from .bvh_traversal import LeafPairs, near
from .intersection import normals, triangles_at, vertices_inside
from .leaf_queries import farther_than, meeting, overlap
from .operands import ConvexRows, MeshRows, ShapeRows, Trees, in_world, side, slack_of
from .point_depth import NO_KEY, InsideConvex, InsideMesh, depths_in

# Pieces of each pair that are processed together: those with the greatest bounds.
_TOGETHER = 256
# Rounds of cuts, after which the upper bound is returned.
ROUNDS = 400
# Steps of the search for the point on an edge where two bounds are equal. Any point is valid; a good one saves cuts.
_STEPS = 8
# Levels of a bounding box tree that are descended at once, and of trees of which all triangles are measured.
_LEVELS, _SMALL = 3, 8
# Levels of the tree of a mesh, up to which its vertices inside the other mesh are found, and how many may be measured.
_MIDDLE, _VERTICES = 12, 256
# Share of an edge. A cut nearer to its end would make parts without width.
_LEAST_SHARE = 1e-3


@dataclass(frozen=True)
class Inner(RowTable):
    """Points of the boundary of one body that are inside the other.

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
class _Parts(RowTable):
    """Parts of a boundary.

    Attributes
    ----------
    row : (K,) int64
    corner : (K, 3, 3) float64
        In the world.
    kind : (K,) int64
        Flat, or the kind of patch of a round boundary; see `boundary`.
    source : (K,) int64
        The triangle of a mesh that this is a part of; otherwise 0.
    clear : (K,) bool
        No triangle of the other boundary intersects the part.
    """

    row: Ints
    corner: Floats
    kind: Ints
    source: Ints
    clear: Bools


@dataclass(frozen=True)
class _Pieces(_Parts):
    """Parts of a boundary whose depths have been measured.

    Attributes
    ----------
    depth : (K, 4) float64
        Signed depths of the corners and of the middle.
    key : (K, 4, 4) float64
        Keys of upper bounds (see `InsideMesh`), usually one for each of these points.
    bound : (K,) float64
        Upper bound of the depth of all its points; see `DeepestPoints`.
    """

    depth: Floats
    key: Floats
    bound: Floats


@dataclass(frozen=True)
class _NearbyPoints(RowTable):
    """Known data of a point near each query point. They save depth queries.

    Attributes
    ----------
    point : (K, 3) float64
        In the world.
    depth : (K,) float64
        Signed. The distance of the point from the boundary is at least the absolute value.
    key : (K, 4) float64
        Key of an upper bound of the depth at the point; `NO_KEY` if unknown.
    """

    point: Floats
    depth: Floats
    key: Floats

    @classmethod
    def nothing(cls, count: int) -> "_NearbyPoints":
        """Return `count` rows without knowledge."""
        return cls(np.zeros((count, 3)), np.zeros(count), np.full((count, 4), NO_KEY))

    def side(self, point: Floats) -> Ints:
        """1 for each point (K, 3) that must be inside because the point near it is, -1 outside, 0 if not known."""
        near = length(point - self.point) < np.abs(self.depth)
        return np.where(near, np.sign(self.depth), 0.0).astype(np.int64)


class _Crossed:
    """The triangles of the other body that intersect each piece of a mesh."""

    def __init__(self, intersecting: LeafPairs) -> None:
        self.span = int(intersecting.a.max(initial=0)) + 1
        key = intersecting.pair * self.span + intersecting.a
        order = np.argsort(key, kind="stable")
        self.key, self.other = key[order], intersecting.b[order]

    def of(self, row: Ints, triangle: Ints) -> LeafPairs:
        """All of these triangles (K,) of the mesh of their rows; `pair` is the index into them."""
        known = np.flatnonzero(triangle < self.span)
        which, place = of_each(row[known] * self.span + triangle[known], self.key)
        return LeafPairs(known[which], which * 0, self.other[place], np.zeros(len(which)))


class DeepestPoints:
    """Search for the deepest point of the boundary of each row of `one` in the other body.

    Parameters
    ----------
    intersecting : LeafPairs
        All pairs of pieces of `one` and of the other body that intersect.
    best : (P,) float64
        The greatest known depths.
    level : (P,) float64, optional
        If given, the search stops once it is known whether the depth is above this level. All corners of triangles
        that may be deeper are measured; see `seen`.
    least : (P,) float64, optional
        Depths of at most this value are not measured exactly.

    Attributes
    ----------
    best : (P,) float64
        The greatest known depth of each row. Its relative error is at most `INTERFERENCE` once the search is `done`.
    seen : list of Inner
        Points of the boundary that were found inside the other body.
    most : (P,) float64
        Known upper bounds of the depths; inf if there is none.
    done : bool
    """

    def __init__(
        self,
        one: ShapeRows,
        other: ShapeRows,
        intersecting: LeafPairs,
        best: Floats,
        level: Floats | None,
        least: Floats | None = None,
    ) -> None:
        self.one, self.other, self.within, self.best = one, other, depths_in(other), best.copy()
        self.slack, self.level, self.least = slack_of(one, other), level, least
        self.seen: list[Inner] = []
        self.round = one.shapes if isinstance(one, ConvexRows) and isinstance(one.shapes, Curved) else None
        give = 0.0 if self.round is None else INTERFERENCE_ROUND * one.bodies.reach
        self.give = np.maximum(2.0 * self.slack, give)
        self.rounds, self.most = 0, np.full(len(best), np.inf)
        self.crossed = _Crossed(intersecting)
        if isinstance(one, ConvexRows):
            found = boundary(one.shapes)
            row, corner, kind, source = found.row, found.corner, found.kind, found.row * 0
            known = _NearbyPoints.nothing(len(row))
        else:
            row, source, known = self._triangles(one, intersecting)
            corner, kind = one.placed(row, source), np.full(len(row), FLAT)
        waiting = self._measured(_Parts(row, corner, kind, source, np.zeros(len(row), dtype=bool)), known)
        if isinstance(self.within, InsideConvex) and self.round is None:
            # A plane separates a piece that only touches. It need not be the nearest plane of any of the sampled
            # points.
            waiting = waiting.take(np.flatnonzero(waiting.bound > self._threshold(waiting.row)))
            waiting.key[:, 3] = self.within.separating_planes(waiting.row, waiting.corner)
            waiting = self._bounded(waiting)
        self.waiting = waiting

    @property
    def done(self) -> bool:
        """Whether no piece is left that may be deeper."""
        return not len(self.waiting)

    def run(self, rounds: int) -> None:
        """Raise the best depths by `rounds` rounds of cuts.

        After `ROUNDS` rounds in all, the upper bounds of the remaining pieces are taken as depths. Then nothing is
        left.
        """
        for _ in range(rounds):
            waiting = self._drop_shallow()
            if not len(waiting):
                return
            now = np.zeros(len(waiting), dtype=bool)
            now[smallest_per_group(waiting.row, -waiting.bound, _TOGETHER)] = True
            self.waiting = _Pieces.joined([waiting.take(~now), self._cut(waiting.take(now))])
            self.rounds += 1
        waiting = self._drop_shallow()
        if self.rounds >= ROUNDS:
            # The limit is reached: return the upper bound, so that no depth is missed.
            np.maximum.at(self.best, waiting.row, np.minimum(waiting.bound, self.most[waiting.row]))
            self._drop_shallow()

    def _drop_shallow(self) -> _Pieces:
        """Discard all waiting pieces that cannot be deeper than the best, and return the others."""
        self.waiting = self.waiting.take(np.flatnonzero(self.waiting.bound > self._threshold(self.waiting.row)))
        return self.waiting

    def _threshold(self, row: Ints) -> Floats:
        """The value that a bound must exceed to matter, for rows (K,)."""
        enough = self.best * (1.0 + INTERFERENCE) + self.give
        if self.least is not None:
            enough = np.maximum(enough, self.least)
        enough = np.where(self.most <= enough, np.inf, enough)
        if self.level is not None:
            enough = np.where(self.best > self.level, np.inf, np.maximum(enough, self.level))
        return enough[row]

    def _enough(self, row: Ints, radius: Floats) -> Floats:
        """The depth of the middle of a part up to which the part cannot be deeper than the best, nor raise it, (K,)."""
        return np.minimum(self._threshold(row) - radius, self.best[row])

    def _triangles(self, one: MeshRows, intersecting: LeafPairs) -> tuple[Ints, Ints, _NearbyPoints]:
        """Rows and triangles of meshes that may contain the deepest point."""
        rest, parts = np.ones(len(one), dtype=bool), []
        if isinstance(self.other, MeshRows):
            rows = np.flatnonzero(one.bodies.levels <= _MIDDLE)
            row, vertex = vertices_inside(one, self.other, rows, intersecting.pair, intersecting.a)
            rows = rows[np.bincount(row, minlength=len(one))[rows] <= _VERTICES]
            rest[rows] = False
            kept = ~rest[row]
            parts.append(self._around(one, row[kept], vertex[kept], intersecting.take(~rest[intersecting.pair])))
        small = one.bodies.levels <= _SMALL
        # The other body as a single box.
        whole = replace(self.other.bodies, levels=np.zeros_like(self.other.bodies.levels))
        few = near(one.bodies, whole, np.where(small & rest, 2.0 * self.slack, -1.0))
        parts.append((few.pair, few.a, _NearbyPoints.nothing(len(few))))
        parts.append(self._descend(one, np.flatnonzero(~small & rest)))
        pairs, triangles, known = zip(*parts, strict=True)
        return np.concatenate(pairs), np.concatenate(triangles), _NearbyPoints.joined(known)

    def _around(
        self, one: MeshRows, row: Ints, vertex: Ints, intersecting: LeafPairs
    ) -> tuple[Ints, Ints, _NearbyPoints]:
        """Rows and triangles that may contain the deepest point, given all vertices inside another mesh.

        Only triangles that intersect the other mesh, or have vertices inside, have points inside. The deepest vertices
        rule out most of them.
        """
        points = _NearbyPoints(one.vertices(row, vertex), np.zeros(len(row)), np.full((len(row), 4), NO_KEY))
        every = np.arange(len(row))
        # At first only upper bounds of the depths: the distances from some triangle near each vertex.
        self._deepen(row, points, every, np.full(len(row), np.inf))
        for some in (smallest_per_group(row, -points.depth), every):
            asked = some[points.depth[some] > self.best[row[some]]]
            self._deepen(row, points, asked, self.best[row[asked]])
            np.maximum.at(self.best, row[asked], points.depth[asked])
        # Each triangle once, with its deepest vertex.
        span = max(len(mesh.triangles) for mesh in one.meshes)
        of, triangle = triangles_at(one, row, vertex)
        key = np.append(row[of] * span + triangle, intersecting.pair * span + intersecting.a)
        of = np.append(of, np.full(len(intersecting), -1))
        first = smallest_per_group(key, np.append(-points.depth, np.inf)[of])
        pair, triangle, of = key[first] // span, key[first] % span, of[first]
        known = _NearbyPoints.joined([points, _NearbyPoints.nothing(1)]).take(of)
        kind, clear = np.full(len(pair), FLAT), np.zeros(len(pair), dtype=bool)
        kept = self._may_be_deeper(_Parts(pair, one.placed(pair, triangle), kind, triangle, clear), known)
        # Now these must be exact.
        asked = np.unique(of[kept][of[kept] >= 0])
        asked = asked[points.depth[asked] <= self.best[row[asked]]]
        self._deepen(row, points, asked, np.zeros(len(asked)))
        known = _NearbyPoints.joined([points, _NearbyPoints.nothing(1)]).take(of[kept])
        return pair[kept], triangle[kept], known

    def _deepen(self, row: Ints, points: _NearbyPoints, some: Ints, enough: Floats) -> None:
        """Measure some points inside, in place. Depths up to `enough` (K,) need not be exact."""
        inward, key = np.ones(len(some), dtype=np.int64), points.key[some]
        points.depth[some], points.key[some] = self.within.depth(row[some], points.point[some], inward, key, enough)

    def _descend(self, one: MeshRows, rows: Ints) -> tuple[Ints, Ints, _NearbyPoints]:
        """Rows and triangles of the leaves that may contain a deeper point than the best, level by level."""
        bodies = one.bodies
        pair, node, near = rows, rows * 0, _NearbyPoints.nothing(len(rows))
        level, found = 0, [(pair[:0], node[:0])]
        seen = [near.take(node[:0])]
        while True:
            done = bodies.levels[pair] <= level
            if done.any():
                first = np.left_shift(1, bodies.levels[pair[done]]) - 1
                found.append((pair[done], bodies.leaf[bodies.leaf_start[pair[done]] + node[done] - first]))
                seen.append(near.take(done))
                pair, node, near = pair[~done], node[~done], near.take(~done)
            if not len(pair):
                break
            pair, node, near = self._at_boxes(bodies, pair, node, near)
            if self.level is None:
                self._probe(one, pair, node, near)
            step = np.minimum(bodies.levels[pair] - level, _LEVELS)
            # The descendants of node i, `levels` levels below, start at node (i + 1) * 2**levels - 1.
            width = np.left_shift(1, step)
            which, offset = ragged_arange(width)
            node = (node[which] + 1) * width[which] - 1 + offset
            pair, near = pair[which], near.take(which)
            level += _LEVELS
        row, triangle = (np.concatenate(part) for part in zip(*found, strict=True))
        known, full = _NearbyPoints.joined(seen), np.flatnonzero(triangle >= 0)
        return row[full], triangle[full], known.take(full)

    def _probe(self, one: MeshRows, pair: Ints, node: Ints, near: _NearbyPoints) -> None:
        """Raise the best depths by a corner of a triangle in the box of each pair whose center is deepest."""
        most = smallest_per_group(pair, -near.depth)
        pair, node, levels = pair[most], node[most], one.bodies.levels[pair[most]]
        # The first leaf below a node has the number of the node in its level, times the leaves below each.
        below = levels - np.frexp(node + 1)[1] + 1
        leaf = np.left_shift(node + 1, below) - np.left_shift(1, levels)
        corner = one.placed(pair, one.bodies.leaf[one.bodies.leaf_start[pair] + leaf])[:, 0]
        depth = self.within.depth(pair, corner, None, near.key[most], self.best[pair])[0]
        np.maximum.at(self.best, pair, depth)

    def _at_boxes(self, bodies: Trees, pair: Ints, node: Ints, near: _NearbyPoints) -> tuple[Ints, Ints, _NearbyPoints]:
        """Return the boxes that may contain a deeper point than the best, and the known data of their centers.

        The known data `near` the boxes rule out most of them without a depth query.
        """
        center, half = bodies.boxes(bodies.node_start[pair] + node)
        radius, place = length(half), in_world(bodies, pair, center[:, None])[:, 0]
        bound = np.full(len(pair), np.inf)
        known = np.flatnonzero(near.key[:, 0] != NO_KEY)
        by_key = self.within.bound(pair[known], near.key[known], place[known])
        bound[known] = np.minimum(by_key, near.depth[known] + length(place[known] - near.point[known]))
        kept = np.flatnonzero((bound + radius > self._threshold(pair)) & (half >= 0.0).all(axis=1))
        pair, node, place, radius, near = pair[kept], node[kept], place[kept], radius[kept], near.take(kept)
        depth, key = self.within.depth(pair, place, near.side(place), near.key, self._enough(pair, radius))
        # Each box contains a point of the boundary.
        np.maximum.at(self.best, pair, depth - radius - self.slack[pair])
        kept = np.flatnonzero(depth + radius > self._threshold(pair))
        return pair[kept], node[kept], _NearbyPoints(place[kept], depth[kept], key[kept])

    def _measured(self, parts: _Parts, near: _NearbyPoints) -> _Pieces:
        """Measure the depths of the corners and middles of parts that may be deeper than the best.

        Raises `best` in place; see `_NearbyPoints`.
        """
        kept = self._may_be_deeper(parts, near)
        parts, near = parts.take(kept), near.take(kept)
        row = parts.row
        middle: Floats = parts.corner.mean(axis=1)
        if self.round is not None:
            middle = moved_to_boundary(self.round, row, parts.kind, middle)
        # A part that no triangle intersects is completely inside if its middle is. Only such parts are cut further.
        on_side = np.where(parts.clear, 1, near.side(middle))
        radius = length(parts.corner - middle[:, None]).max(axis=1) + self._bulge(parts)
        enough = self._enough(row, radius) if self.level is None else None
        depth, key = self.within.depth(row, middle, on_side, near.key, enough)
        self._see(row, middle, depth)
        middles = _NearbyPoints(middle, depth, key)
        kept = self._may_be_deeper(parts, middles)
        parts, near, middles = parts.take(kept), near.take(kept), middles.take(kept)
        # Corners shared by several parts are measured once.
        flat = np.column_stack([np.repeat(parts.row, 3), parts.corner.reshape(-1, 3)])
        some, first, which = np.unique(flat, axis=0, return_index=True, return_inverse=True)
        which = which.reshape(-1, 3)
        of_some, part = some[:, 0].astype(np.int64), first // 3
        place: Floats = np.ascontiguousarray(some[:, 1:])
        on_side, by_middle = near.take(part).side(place), middles.take(part).side(place)
        on_side = np.where(on_side == 0, by_middle, on_side)
        on_side[which[parts.clear]] = 1
        depth, key = self.within.depth(of_some, place, on_side, middles.key[part])
        self._see(of_some, place, depth)
        depths = np.column_stack([depth[which], middles.depth])
        keys = np.concatenate([key[which], middles.key[:, None]], axis=1)
        bound = np.zeros(len(parts))
        return self._bounded(
            _Pieces(parts.row, parts.corner, parts.kind, parts.source, parts.clear, depths, keys, bound)
        )

    def _may_be_deeper(self, parts: _Parts, near: _NearbyPoints) -> Ints:
        """Parts that the points near them do not rule out. If there is a level, all points inside are wanted."""
        if self.level is not None:
            return np.arange(len(parts))
        bound = np.full(len(parts), np.inf)
        known = np.flatnonzero(near.key[:, 0] != NO_KEY)
        point, from_key = parts.corner[known].reshape(-1, 3), near.take(np.repeat(known, 3))
        by_key = self.within.bound(np.repeat(parts.row[known], 3), from_key.key, point)
        # Both bounds are convex, so each is greatest at a corner.
        by_way = from_key.depth + length(point - from_key.point)
        bound[known] = np.minimum(by_key.reshape(-1, 3).max(axis=1), by_way.reshape(-1, 3).max(axis=1))
        result: Ints = np.flatnonzero(bound + self._bulge(parts) > self._threshold(parts.row))
        return result

    def _see(self, row: Ints, point: Floats, depth: Floats) -> None:
        """Raise the best depths by those of boundary points, and note the points that are inside."""
        np.maximum.at(self.best, row, depth)
        inside = np.flatnonzero(depth > 4.0 * self.slack[row])
        self.seen.append(Inner(row[inside], point[inside], depth[inside]))

    def _bulge(self, parts: _Parts) -> Floats:
        """Upper bound of the distance between the boundary and flat parts, (K,)."""
        if self.round is None:
            return np.zeros(len(parts))
        return bulges(self.round, parts.row, parts.kind, parts.corner)

    def _bounds(self, row: Ints, key: Floats, corner: Floats) -> Floats:
        """The bound of each of four keys (K, 4, 4) at each corner (K, 3, 3), (K, 4, 3)."""
        row, key, point = np.repeat(row, 12), np.repeat(key, 3, axis=1), np.tile(corner, (1, 4, 1))
        result: Floats = self.within.bound(row, key.reshape(-1, 4), point.reshape(-1, 3)).reshape(len(corner), 4, 3)
        return result

    def _bounded(self, pieces: _Pieces) -> _Pieces:
        """Return the pieces with their upper bounds of the depth."""
        if not len(pieces):
            return pieces
        edge = length(pieces.corner - np.roll(pieces.corner, -1, axis=1))
        farthest = np.maximum(edge, np.roll(edge, 1, axis=1))
        result: Floats = (pieces.depth[:, :3] + farthest).min(axis=1)
        bulge = self._bulge(pieces)
        asked = np.flatnonzero(result + bulge > self._threshold(pieces.row))
        some = pieces.take(asked)
        by_keys = self._bounds(some.row, some.key, some.corner).max(axis=2).min(axis=1)
        result[asked] = np.minimum(result[asked], by_keys)
        return replace(pieces, bound=result + bulge)

    def _cut(self, pieces: _Pieces) -> _Pieces:
        """Cut pieces along intersecting triangles or where bounds are equal. Drops parts that cannot be deeper."""
        heights = np.zeros((len(pieces), 3))
        crossed, clear, out = np.zeros((3, len(pieces)), dtype=bool)
        bulging = self._bulge(pieces)
        if isinstance(self.within, InsideMesh):
            flat = pieces.kind == FLAT
            asked = np.flatnonzero(flat & ~pieces.clear)
            heights[asked] = self._crossing(pieces.take(asked), self.within.surfaces)
            crossed = (heights.min(axis=1) < 0.0) & (heights.max(axis=1) > 0.0)
            clear = flat & ~crossed
            # A piece that no triangle intersects is completely inside or completely outside, as its middle is.
            out = clear & (pieces.depth[:, 3] <= 0.0)
            # So is a patch of a round boundary with no triangle within its bulge.
            asked = np.flatnonzero(~flat & (pieces.depth[:, 3] <= 0.0))
            some = pieces.take(asked)
            patches, there = side(Triangles(some.corner)), self.within.surfaces.take(some.row)
            out[asked] = farther_than(patches, there, bulging[asked])
        level = heights[crossed]
        lone, first, second = _ends(level)
        at = np.arange(len(level))
        shares = [level[at, lone] / (level[at, lone] - level[at, end]) for end in (first, second)]
        parts = [self._parts(pieces.take(crossed), (lone, first, second), (shares[0], shares[1]))]
        rest = ~crossed & ~out
        some = replace(pieces, clear=clear).take(rest)
        parts.append(self._divided(some, bulging[rest]))
        return _Pieces.joined(parts)

    def _crossing(self, parts: _Pieces, surfaces: MeshRows) -> Floats:
        """Heights of corners over the plane of a triangle that intersects each piece, (K, 3); zeros if none does."""
        result = np.zeros((len(parts), 3))
        if not len(parts):
            return result
        pieces, there = side(Triangles(parts.corner)), surfaces.take(parts.row)
        if isinstance(self.one, MeshRows):
            found = self.crossed.of(parts.row, parts.source)
            found = found.take(overlap(pieces, there, found))
        else:
            found = meeting(pieces, there)
        corner = there.placed(found.pair, found.b)
        height = dot(parts.corner[found.pair] - corner[:, :1], normals(corner)[:, None])
        slack = 2.0 * self.slack[parts.row[found.pair]]
        height[np.abs(height) <= slack[:, None]] = 0.0
        least = np.minimum(height.max(axis=1), -height.min(axis=1))
        through = np.flatnonzero(least > 0.0)
        most = through[smallest_per_group(found.pair[through], -least[through])]
        result[found.pair[most]] = height[most]
        return result

    def _divided(self, pieces: _Pieces, bulging: Floats) -> _Pieces:
        """Cut pieces where the bound of the best key equals the bound of the key of the worst corner."""
        if not len(pieces):
            return pieces
        bounds = self._bounds(pieces.row, pieces.key, pieces.corner)
        at = np.arange(len(pieces))
        best = bounds.max(axis=2).argmin(axis=1)
        worst = bounds[at, best].argmax(axis=1)
        difference = bounds[at, best] - bounds[at, worst]
        flat = bounds.max(axis=2).min(axis=1)
        usable = (difference.max(axis=1) > 0.0) & (difference.min(axis=1) <= 0.0) & (flat > self._threshold(pieces.row))
        usable &= (difference < 0.0).any(axis=1)
        keys = pieces.key[at, best], pieces.key[at, worst]
        lone, first, second = _ends(difference)
        shares = self._shares(pieces, difference, lone, (first, second), keys)
        usable &= (np.minimum(*shares) >= _LEAST_SHARE) & (shares[0] <= 1.0 - _LEAST_SHARE)
        # Otherwise cut at the middle of an edge. If the bulge is the problem, take the edge that bulges most.
        along, next_one, last = self._edge(pieces, flat <= self._threshold(pieces.row))
        return self._parts(
            pieces,
            (np.where(usable, lone, along), np.where(usable, first, next_one), np.where(usable, second, last)),
            (np.where(usable, shares[0], 0.5), np.where(usable, shares[1], 1.0)),
        )

    def _edge(self, pieces: _Pieces, bulging: Bools) -> tuple[Ints, Ints, Ints]:
        """The corners of the longest edge of each piece, and the remaining corner."""
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
        """Cut pieces along a line between two edges of a corner, at these shares of the edges."""
        if not len(pieces):
            return pieces
        at = np.arange(len(pieces))
        tip, left, right = (pieces.corner[at, each] for each in corners)
        x = tip + shares[0][:, None] * (left - tip)
        whole = shares[1] >= 1.0
        y = np.where(whole[:, None], right, tip + shares[1][:, None] * (right - tip))
        if self.round is not None:
            x = moved_to_boundary(self.round, pieces.row, pieces.kind, x, (tip, left))
            y = np.where(whole[:, None], y, moved_to_boundary(self.round, pieces.row, pieces.kind, y, (tip, right)))
        third = np.flatnonzero(~whole)
        corner = np.concatenate(
            [np.stack([tip, x, y], axis=1), np.stack([x, left, right], axis=1), np.stack([x, right, y], axis=1)[third]]
        )
        which = np.concatenate([at, at, third])
        parts = _Parts(pieces.row[which], corner, *(each[which] for each in (pieces.kind, pieces.source, pieces.clear)))
        key = pieces.key[which]
        # Parts that the keys of the whole piece rule out are not measured.
        bounds = self._bounds(parts.row, key, corner).max(axis=2)
        best = bounds.argmin(axis=1)
        kept = np.flatnonzero(bounds.min(axis=1) + self._bulge(parts) > self._threshold(parts.row))
        which = which[kept]
        deepest = np.abs(pieces.depth[which, :3]).argmax(axis=1)
        near = _NearbyPoints(pieces.corner[which, deepest], pieces.depth[which, deepest], key[kept, best[kept]])
        return self._measured(parts.take(kept), near)

    def _shares(
        self, pieces: _Pieces, level: Floats, start: Ints, ends: tuple[Ints, Ints], keys: tuple[Floats, Floats]
    ) -> tuple[Floats, Floats]:
        """Shares (K,) at which two keys have equal bounds on the edges from corners `start` to each of the `ends`."""
        count = len(pieces)
        at, end = np.tile(np.arange(count), 2), np.concatenate(ends)
        start = np.tile(start, 2)
        low, high = level[at, start].copy(), level[at, end].copy()
        on_line = high == 0.0
        tip, tail = pieces.corner[at, start], pieces.corner[at, end]
        row, key = np.tile(pieces.row, 4), np.concatenate([keys[0], keys[0], keys[1], keys[1]])
        left, right, share = np.zeros(2 * count), np.ones(2 * count), np.ones(2 * count)
        for _ in range(_STEPS):
            # Regula falsi. The value of an end that does not move is halved (Illinois method).
            share = np.clip(left + (right - left) * low / np.where(low != high, low - high, 1.0), left, right)
            place = tip + share[:, None] * (tail - tip)
            bound = self.within.bound(row, key, np.tile(place, (2, 1)))
            value = bound[: 2 * count] - bound[2 * count :]
            same = np.sign(value) == np.sign(low)
            high = np.where(same, high / 2.0, value)
            low = np.where(same, value, low / 2.0)
            left, right = np.where(same, share, left), np.where(same, right, share)
        share = np.where(on_line, 1.0, share)
        return share[:count], share[count:]


def _ends(level: Floats) -> tuple[Ints, Ints, Ints]:
    """The corner that is alone on its side of the zero line of the level (K, 3), and the other two.

    A corner on the line itself is returned last. The cut ends there.
    """
    at = np.arange(len(level))
    above = np.count_nonzero(level > 0.0, axis=1) == 1
    lone = np.where(above, level.argmax(axis=1), level.argmin(axis=1))
    first, second = (lone + 1) % 3, (lone + 2) % 3
    turned = level[at, first] == 0.0
    return lone, np.where(turned, second, first), np.where(turned, first, second)
