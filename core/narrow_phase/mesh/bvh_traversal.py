# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous traversal of two bounding box trees for many pairs of bodies at once, level by level."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ...mesh.triangle_mesh import EMPTY
from ...numerics.rows import RowTable, rows_of_each
from ...numerics.tolerances import rounding
from ...numerics.types import Floats, Ints
from ...numerics.vectors import as_columns, dot_columns, length
from .operands import Trees

# Node pairs processed together. Their arrays fit in cache. The rest is deferred, which bounds the memory.
_BLOCK = 1 << 14
# Number of levels of B's tree, counted from its leaves, for which boxes are computed again in A's frame, tight around
# the triangles.
_TIGHT = 5
# Node pairs for which this is done together.
_TOGETHER = 1 << 11


@dataclass(frozen=True)
class LeafPairs(RowTable):
    """Pairs of triangles whose bounding boxes are near each other.

    Attributes
    ----------
    pair : (K,) int64
        Ascending.
    a, b : (K,) int64
        The triangles; 0 for a shape that is not a mesh.
    bound : (K,) float64
        Lower bound of their distance.
    """

    pair: Ints
    a: Ints
    b: Ints
    bound: Floats


NO_LEAVES = LeafPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def among(leaves: LeafPairs, rows: Ints) -> LeafPairs:
    """Select the leaf pairs of these rows, which are ascending, and renumber their pairs from 0."""
    kept = leaves.take(np.isin(leaves.pair, rows))
    return LeafPairs(np.searchsorted(rows, kept.pair), kept.a, kept.b, kept.bound)


@dataclass(frozen=True)
class _Frontier(RowTable):
    """Node pairs that are still to be tested. Nodes are numbered within their trees."""

    pair: Ints
    a: Ints
    b: Ints


class _Traversal:
    """The two trees of each pair in A's frame. If B is translated by `way`, its boxes cover the swept volume."""

    def __init__(self, a: Trees, b: Trees, way: Floats | None = None) -> None:
        self.a, self.b = a, b
        back = a.rotation.transpose(0, 2, 1)
        self.turn = np.matmul(back, b.rotation)
        self.shift = np.matmul(back, (b.translation - a.translation)[:, :, None])[:, :, 0]
        self.room = np.zeros_like(self.shift)
        if way is not None:
            half = np.matmul(back, way[:, :, None])[:, :, 0] / 2.0
            self.shift += half
            self.room += np.abs(half)
        # B's frames as columns: the matrix, the translation, and what the sweep adds.
        self.frames = np.concatenate([self.turn.reshape(-1, 9), self.shift, self.room], axis=1).T.copy()
        slack = rounding(a.reach + b.reach, np.maximum(length(a.translation), length(b.translation)))
        self.more = a.radius + b.radius + slack
        self.slack = slack
        self.node_a, self.node_b = _PerPair(a.node_start), _PerPair(b.node_start)
        self.leaves_a, self.leaves_b = _PerPair(np.left_shift(1, a.levels)), _PerPair(np.left_shift(1, b.levels))
        self.leaf_a, self.leaf_b = _PerPair(a.leaf_start), _PerPair(b.leaf_start)
        # For `below`: B's boxes in A's frame, and the pair that each subtree belongs to.
        self.boxes: Floats | None = None
        self.old = np.arange(len(b))

    def below(self, at: _Frontier, levels: int) -> tuple["_Traversal", _Frontier]:
        """The traversal of the subtrees of B's nodes, which have `levels` levels, instead of B's trees.

        Their boxes are computed again in A's frame, from the triangles. Each subtree of a pair is a pair of its own.
        """
        span = int(at.b.max(initial=0)) + 1
        key, pair = np.unique(at.pair * span + at.b, return_inverse=True)
        old, node = key // span, key % span
        leaves = 1 << levels
        # The descendants of node i, `levels` levels below, start at node (i + 1) * leaves - 1.
        leaf = self.leaf_b.of(old) + (node + 1) * leaves - self.leaves_b.of(old)
        result = copy(self)
        result.more, result.slack = self.more[old], self.slack[old]
        result.node_a, result.leaves_a, result.leaf_a = (
            value.take(old) for value in (self.node_a, self.leaves_a, self.leaf_a)
        )
        size = 2 * leaves - 1
        result.node_b, result.leaf_b = _PerPair(np.arange(len(old)) * size), _PerPair(leaf)
        result.leaves_b = _PerPair(np.full(len(old), leaves))
        result.old = old
        result.boxes = self._boxes(old, leaf, leaves).reshape(-1, 6)
        return result, _Frontier(pair.reshape(-1), at.a, np.zeros(len(at), dtype=np.int64))

    def _boxes(self, pair: Ints, leaf: Ints, leaves: int) -> Floats:
        """Boxes of the trees over consecutive leaves, in the form of `_box_bounds`, (T, 2 * leaves - 1, 6)."""
        count, b = len(pair), self.b
        triangle = b.leaf.take(leaf[:, None] + np.arange(leaves))
        corner = b.corners.take(np.maximum(triangle, 0) + b.triangle_start[pair, None], axis=0)
        placed = np.matmul(corner.reshape(count, 3 * leaves, 3), self.turn[pair].transpose(0, 2, 1))
        placed += self.shift[pair, None]
        first, second, third = placed.reshape(count, leaves, 3, 3).transpose(2, 0, 1, 3)
        boxes = np.empty((count, 2 * leaves - 1, 6))
        room, lowest = self.room[pair, None], boxes[:, leaves - 1 :]
        np.negative(np.maximum(np.maximum(first, second), third) + room, out=lowest[..., :3])
        np.subtract(np.minimum(np.minimum(first, second), third), room, out=lowest[..., 3:])
        lowest[triangle < 0] = EMPTY
        while leaves > 1:
            # The children 2 i + 1 and 2 i + 2 of the nodes of one level are next to each other.
            children = boxes[:, leaves - 1 : 2 * leaves - 1]
            leaves //= 2
            np.minimum(children[:, ::2], children[:, 1::2], out=boxes[:, leaves - 1 : 2 * leaves - 1])
        return boxes

    def within(self, at: _Frontier, limit: "_PerPair") -> tuple[Ints, Floats]:
        """Return the node pairs that no axis separates by more than `limit`, and their signed gaps; see `gaps`."""
        gap = self.gaps(at)
        # At most one of the two signed gaps on each axis is positive. One column at a time is fastest.
        widest = np.maximum(gap[:, 0], gap[:, 3])
        for column in (1, 4, 2, 5):
            np.maximum(widest, gap[:, column], out=widest)
        rows = np.flatnonzero(widest <= limit.of(at.pair))
        return rows, gap.take(rows, axis=0)

    def gaps(self, at: _Frontier) -> Floats:
        """Signed gaps between the boxes of node pairs, in both directions of each of A's axes, (K, 6)."""
        gap = self.a.span.take(self.node_a.of(at.pair) + at.a, axis=0)
        node = self.node_b.of(at.pair) + at.b
        gap += self._box_bounds(at.pair, node) if self.boxes is None else self.boxes.take(node, axis=0)
        return gap

    def _box_bounds(self, pair: Ints, node: Ints) -> Floats:
        """Negated upper bounds and lower bounds of B's boxes in A's frame (K, 6). Added to A's spans they are gaps."""
        span = as_columns(self.b.span.take(node, axis=0))
        center, half = (span[:3] - span[3:]) / 2.0, (span[:3] + span[3:]) / -2.0
        frame = self.frames if self.frames.shape[1] == 1 else self.frames.take(pair, axis=1)
        result = np.empty((len(node), 6))
        for axis in range(3):
            turn = frame[3 * axis : 3 * axis + 3]
            middle, extent = dot_columns(turn, center), dot_columns(np.abs(turn), half)
            middle += frame[9 + axis]
            extent += frame[12 + axis]
            np.negative(middle + extent, out=result[:, axis])
            np.subtract(middle, extent, out=result[:, 3 + axis])
        return result

    def split(self, at: _Frontier) -> tuple[_Frontier, Ints]:
        """The children of node pairs, and the pairs that consist of two leaves and have none."""
        inner_a = at.a + 1 < self.leaves_a.of(at.pair)
        inner_b = at.b + 1 < self.leaves_b.of(at.pair)
        parts = []
        for chosen, ways_a, ways_b in (
            (inner_a & inner_b, (1, 1, 2, 2), (1, 2, 1, 2)),
            (inner_a & ~inner_b, (1, 2), (0, 0)),
            (~inner_a & inner_b, (0, 0), (1, 2)),
        ):
            rows = np.flatnonzero(chosen)
            if len(rows):
                below = at if len(rows) == len(chosen) else at.take(rows)
                parts.append(
                    _Frontier(
                        np.repeat(below.pair, len(ways_a)),
                        _below(below.a, ways_a),
                        _below(below.b, ways_b),
                    )
                )
        done = np.flatnonzero(~(inner_a | inner_b))
        if not parts:
            return at.take(done[:0]), done
        return parts[0] if len(parts) == 1 else _Frontier.joined(parts), done

    def leaves(self, at: _Frontier, bound: Floats) -> LeafPairs:
        """Convert pairs of leaves to pairs of triangles."""
        place_a = self.leaf_a.of(at.pair) + at.a + 1 - self.leaves_a.of(at.pair)
        place_b = self.leaf_b.of(at.pair) + at.b + 1 - self.leaves_b.of(at.pair)
        return LeafPairs(at.pair, self.a.leaf.take(place_a), self.b.leaf.take(place_b), bound)

    def bounds(self, pair: Ints, gap: Floats) -> Floats:
        """Lower bounds (K,) of the distances of the contents of the boxes, from their signed gaps."""
        return np.maximum(_size(np.maximum(gap, 0.0)) - self.more[pair], 0.0)


class _PerPair:
    """A value for each pair. If all are equal, it is not gathered."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values
        self.single = len(values) > 0 and bool((values == values[0]).all())

    def take(self, rows: Ints) -> "_PerPair":
        """The values of these pairs."""
        return self if self.single else _PerPair(self.values.take(rows))

    def of(self, pair: Ints) -> np.ndarray:
        """The values of these pairs, (K,) or a scalar."""
        result: np.ndarray = self.values[0] if self.single else self.values.take(pair)
        return result


def _below(node: Ints, ways: tuple[int, ...]) -> Ints:
    """The children of nodes (K,) in these directions, node by node. Direction 0 keeps the node."""
    if ways[0] == 0:
        return np.repeat(node, len(ways))
    return ((2 * node)[:, None] + np.array(ways)).reshape(-1)


def _size(gap: Floats) -> Floats:
    result: Floats = np.sqrt(np.einsum("ki,ki->k", gap, gap))
    return result


def near(a: Trees, b: Trees, reach: Floats, way: Floats | None = None) -> LeafPairs:
    """All pairs of triangles whose boxes are within `reach` (P,). A negative reach excludes the pair.

    With `way` (P, 3), boxes of B count that are within reach at any time during this translation of B.
    """
    return in_order(near_unordered(a, b, reach, way))


def near_unordered(a: Trees, b: Trees, reach: Floats, way: Floats | None = None) -> LeafPairs:
    """`near` in no particular order."""
    found = [NO_LEAVES]
    for levels, rows in rows_of_each(b.levels):
        rows = rows[reach[rows] >= 0.0]
        traversal = _Traversal(a.take(rows), b.take(rows), None if way is None else way[rows])
        # A single box of A is tested against few boxes, for which new ones do not pay off.
        anew = levels if traversal.leaves_a.values.max(initial=1) > 1 else 0
        part = _descend(traversal, reach[rows], _roots(len(rows)), anew)
        found.append(replace(part, pair=rows[part.pair]))
    return LeafPairs.joined(found)


def _roots(count: int) -> _Frontier:
    pair = np.arange(count)
    return _Frontier(pair, pair * 0, pair * 0)


# Raises the lower bounds of leaf pairs, and lowers the reach (P,) in place to upper bounds of their distances.
Tighten = Callable[[LeafPairs, Floats], LeafPairs]


def may_be_nearest(a: Trees, b: Trees, reach: Floats, tighten: Tighten | None) -> LeafPairs:
    """All pairs of triangles within `reach` (P,) that may be the nearest ones of their pair."""
    reach = reach.copy()
    found = _descend(_Traversal(a, b), reach, _roots(len(b)), closing=True, tighten=tighten)
    return in_order(found.take(np.flatnonzero(found.bound <= reach[found.pair])))


def _descend(
    traversal: _Traversal,
    reach: Floats,
    start: _Frontier,
    levels: int = 0,
    closing: bool = False,
    tighten: Tighten | None = None,
) -> LeafPairs:
    """Descend to all pairs of leaves within `reach`, from the node pairs `start`.

    Below the first `levels` but `_TIGHT` of B's trees, boxes are computed again. If `closing`, `reach` is lowered in
    place to the smallest known upper bound of the distance of the nearest triangles, and the nearest node pairs come
    first.
    """
    found = [NO_LEAVES]
    waiting = [(start, levels)]
    most = _BLOCK // 4 if closing else _BLOCK
    limit = _PerPair(reach + traversal.more)
    # Boxes are at most as far apart along the axes as their corners. For a reach of the size of rounding, this is
    # enough.
    round_corners = bool((reach > traversal.more).any())
    while waiting:
        at, left = waiting.pop()
        anew = left == _TIGHT and traversal.boxes is None
        width = _TOGETHER if anew else most
        if len(at) > width:
            waiting += [(at.take(slice(first, first + width)), left) for first in range(0, len(at), width)]
            continue
        if anew:
            below, start = traversal.below(at, left)
            part = _descend(below, reach[below.old], start)
            found.append(replace(part, pair=below.old[part.pair]))
            continue
        if closing:
            limit = _PerPair(reach + traversal.more)
        rows, gap = traversal.within(at, limit)
        at = at.take(rows)
        if closing:
            # The two corners that are farthest from each other bound the distance from above.
            far = _size(np.minimum(gap[:, :3], gap[:, 3:]))
            np.minimum.at(reach, at.pair, far + traversal.slack[at.pair])
            bound = traversal.bounds(at.pair, gap)
            kept = np.flatnonzero(bound <= reach[at.pair])
            if len(kept) > _BLOCK // 4:
                # The last block on the stack is the next one.
                kept = kept[np.argsort(-bound[kept])]
            at, gap = at.take(kept), gap.take(kept, axis=0)
        elif round_corners:
            kept = np.flatnonzero(traversal.bounds(at.pair, gap) <= reach[at.pair])
            at, gap = at.take(kept), gap.take(kept, axis=0)
        children, done = traversal.split(at)
        if len(done):
            leaf = at if len(done) == len(at) else at.take(done)
            near_ones = traversal.leaves(leaf, traversal.bounds(leaf.pair, gap[done]))
            found.append(near_ones if tighten is None else tighten(near_ones, reach))
        if len(children):
            waiting.append((children, left - 1))
    return LeafPairs.joined(found)


def nearest_few(a: Trees, b: Trees, width: int) -> LeafPairs:
    """A few triangle pairs that are probably the nearest. The `width` nearest node pairs of each level are kept."""
    anything = np.full(len(a), 1e140)  # the boxes of empty nodes are farther away
    return _best_few(_Traversal(a, b), anything, width, lambda _gap, bound: bound)


def likely_intersecting(a: Trees, b: Trees, reach: Floats, width: int) -> LeafPairs:
    """A few triangle pairs within `reach` (P,) that probably intersect.

    Each level keeps the node pairs with the smallest distance of box centers, relative to the size of the boxes.
    """

    def off_center(gap: Floats, _bound: Floats) -> Floats:
        low, high = gap[:, :3], gap[:, 3:]
        size = -(low + high)
        off: Floats = (np.abs(low - high) / np.where(size > 0.0, size, 1.0)).max(axis=1)
        return off

    return _best_few(_Traversal(a, b), reach, width, off_center)


def _best_few(traversal: _Traversal, reach: Floats, width: int, key: Callable[[Floats, Floats], Floats]) -> LeafPairs:
    """A few triangle pairs of each pair. Each level keeps the `width` node pairs with the smallest keys."""
    found = [NO_LEAVES]
    limit, at = _PerPair(reach + traversal.more), _roots(len(reach))
    while len(at):
        rows, gap = traversal.within(at, limit)
        at, bound = at.take(rows), traversal.bounds(at.pair[rows], gap)
        best = _least(at.pair, key(gap, bound), width)
        at, bound = at.take(best), bound[best]
        below, done = traversal.split(at)
        if len(done):
            found.append(traversal.leaves(at.take(done), bound[done]))
        at = below
    return in_order(LeafPairs.joined(found))


def _least(pair: Ints, key: Floats, width: int) -> Ints:
    """Rows with the `width` smallest keys of each pair, in any order.

    `smallest_per_group`, which sorts, takes longer.
    """
    order = np.argsort(pair, kind="stable")
    ordered = pair[order]
    if not len(order) or np.bincount(pair).max() <= width:
        return order
    group, first = np.unique(ordered, return_index=True, return_inverse=False)
    rank = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    place = np.searchsorted(group, ordered)
    row = np.full((len(group), int(rank.max()) + 1), -1)
    keys = np.full(row.shape, np.inf)
    row[place, rank], keys[place, rank] = order, key[order]
    best = np.take_along_axis(row, np.argpartition(keys, width, axis=1)[:, :width], axis=1).reshape(-1)
    result: Ints = best[best >= 0]
    return result


def in_order(found: LeafPairs) -> LeafPairs:
    """The leaf pairs by pair, then by triangle of A, then of B."""
    if len(found) < 2:
        return found
    of_a, of_b = int(found.a.max()) + 1, int(found.b.max()) + 1
    if int(found.pair.max() + 1) * of_a * of_b < 1 << 62:
        return found.take(np.argsort((found.pair * of_a + found.a) * of_b + found.b))
    return found.take(np.lexsort((found.b, found.a, found.pair)))
