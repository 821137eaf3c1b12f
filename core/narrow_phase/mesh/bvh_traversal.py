# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous traversal of two bounding box trees for many pairs of bodies at once, level by level."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.tolerances import rounding
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import length
from .operands import Trees

# Node pairs processed together. The rest is deferred to bound the memory.
_BLOCK = 1 << 17
# Largest number of B's boxes that are transformed to A's frame in advance, before it is known which are needed.
_TABLE = 1 << 19
# Trees with at least this many boxes are transformed one by one.
_LARGE = 256


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
class _Frontier:
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
        self.spread = np.abs(self.turn)
        self.room = np.zeros_like(self.shift)
        if way is not None:
            half = np.matmul(back, way[:, :, None])[:, :, 0] / 2.0
            self.shift += half
            self.room += np.abs(half)
        self.radius = a.radius + b.radius
        self.slack = rounding(a.reach + b.reach, np.maximum(length(a.translation), length(b.translation)))

        size = np.left_shift(2, b.levels) - 1
        self.start = np.cumsum(size) - size
        self.size = size
        self.table: Floats | None = None

    def bound(self, at: _Frontier, reach: Floats, closing: bool = False) -> tuple[Ints, Floats]:
        """Return the node pairs whose boxes are within `reach` (P,), and a lower bound of their distance.

        If `closing`, `reach` is lowered in place to the least known upper bound of the distance of the nearest
        triangles.
        """
        gap = self.gaps(at)
        more = self.radius + self.slack
        if closing:
            # The two corners that are farthest from each other bound the distance from above.
            far = np.minimum(gap[:, :3], gap[:, 3:])
            np.minimum.at(reach, at.pair, np.sqrt(np.einsum("ki,ki->k", far, far)) + self.slack[at.pair])
        limit = reach + more
        # At most one of the two signed gaps on each axis is positive. One column at a time is fastest.
        widest = np.maximum(gap[:, 0], gap[:, 3])
        for column in (1, 4, 2, 5):
            np.maximum(widest, gap[:, column], out=widest)
        rows = np.flatnonzero(widest <= (limit if len(limit) == 1 else limit[at.pair]))
        up = np.maximum(gap[rows], 0.0)
        bound = np.sqrt(np.einsum("ki,ki->k", up, up))
        kept = np.flatnonzero(bound <= limit[at.pair[rows]])
        rows = rows[kept]
        return rows, np.maximum(bound[kept] - more[at.pair[rows]], 0.0)

    def gaps(self, at: _Frontier) -> Floats:
        """Signed gaps between the boxes of node pairs, in both directions of each of A's axes, (K, 6)."""
        total = int(self.size.sum())
        if self.table is None and total <= min(_TABLE, 4 * len(at.pair)):
            self.table = self._all_boxes(total)
        gap = self.a.span[self.a.node_start[at.pair] + at.a]
        if self.table is None:
            gap += self._box_bounds(at.pair, self.b.node_start[at.pair] + at.b)
        else:
            gap += self.table[self.start[at.pair] + at.b]
        return gap

    def _all_boxes(self, total: int) -> Floats:
        """`_box_bounds` for all boxes of B, pair by pair."""
        count = len(self.size)
        if total < _LARGE * count:
            pair = np.repeat(np.arange(count), self.size)
            return self._box_bounds(pair, np.arange(len(pair)) - self.start[pair] + self.b.node_start[pair])
        result, known = np.empty((total, 6)), {}
        for number, (first, size, start) in enumerate(
            zip(self.b.node_start.tolist(), self.size.tolist(), self.start.tolist(), strict=True)
        ):
            if first not in known:
                known[first] = self.b.boxes(np.arange(first, first + size))
            center = known[first][0] @ self.turn[number].T + self.shift[number]
            half = known[first][1] @ self.spread[number].T + self.room[number]
            result[start : start + size, :3] = -center - half
            result[start : start + size, 3:] = center - half
        return result

    def _box_bounds(self, pair: Ints, node: Ints) -> Floats:
        """Negated upper bounds and lower bounds of B's boxes in A's frame (K, 6). Added to A's spans they are gaps."""
        center, half = self.b.boxes(node)
        if len(self.turn) == 1:
            center, half = center @ self.turn[0].T + self.shift[0], half @ self.spread[0].T + self.room[0]
        else:
            center = np.einsum("kij,kj->ki", self.turn[pair], center) + self.shift[pair]
            half = np.einsum("kij,kj->ki", self.spread[pair], half) + self.room[pair]
        return np.concatenate([-center - half, center - half], axis=1)

    def split(self, at: _Frontier) -> tuple[_Frontier, Bools]:
        """The children of node pairs, and which pairs consist of two leaves and have none."""
        leaf_a = at.a + 1 >= np.left_shift(1, self.a.levels[at.pair])
        leaf_b = at.b + 1 >= np.left_shift(1, self.b.levels[at.pair])
        done = leaf_a & leaf_b
        parts = []
        for rows, step_a, step_b in (
            (np.flatnonzero(~leaf_a & ~leaf_b), (1, 1, 2, 2), (1, 2, 1, 2)),
            (np.flatnonzero(~leaf_a & leaf_b), (1, 2), (0, 0)),
            (np.flatnonzero(leaf_a & ~leaf_b), (0, 0), (1, 2)),
        ):
            if len(rows):
                times = len(step_a)
                a = np.repeat(at.a[rows], times) * (2 if step_a[0] else 1) + np.tile(step_a, len(rows))
                b = np.repeat(at.b[rows], times) * (2 if step_b[0] else 1) + np.tile(step_b, len(rows))
                parts.append((np.repeat(at.pair[rows], times), a, b))
        if not parts:
            none = np.empty(0, dtype=np.int64)
            return _Frontier(none, none, none), done
        return _Frontier(*(np.concatenate(part) for part in zip(*parts, strict=True))), done

    def leaves(self, at: _Frontier, bound: Floats) -> LeafPairs:
        """Convert pairs of leaves to pairs of triangles."""
        first_a, first_b = np.left_shift(1, self.a.levels[at.pair]) - 1, np.left_shift(1, self.b.levels[at.pair]) - 1
        return LeafPairs(
            at.pair,
            self.a.leaf[self.a.leaf_start[at.pair] + at.a - first_a],
            self.b.leaf[self.b.leaf_start[at.pair] + at.b - first_b],
            bound,
        )


def near(a: Trees, b: Trees, reach: Floats, way: Floats | None = None) -> LeafPairs:
    """All pairs of triangles whose boxes are within `reach` (P,). A negative reach excludes the pair.

    With `way` (P, 3), boxes of B count that are within reach at any time during this translation of B.
    """
    found = []
    for rows in _blocks(b):
        traversal = _Traversal(a.take(rows), b.take(rows), None if way is None else way[rows])
        part = _descend(traversal, reach[rows], closing=False)
        found.append(replace(part, pair=part.pair + rows[0]))
    return LeafPairs.joined(found) if found else NO_LEAVES


def _blocks(b: Trees) -> list[Ints]:
    """Blocks of rows. Each block has few enough boxes of B to transform them in advance, or is a single row."""
    block = np.cumsum(np.left_shift(2, b.levels) - 1) // _TABLE
    return np.split(np.arange(len(b)), np.flatnonzero(np.diff(block)) + 1) if len(b) else []


def may_be_nearest(a: Trees, b: Trees, reach: Floats) -> LeafPairs:
    """All pairs of triangles within `reach` (P,) that may be the nearest ones of their pair."""
    reach = reach.copy()
    found = _descend(_Traversal(a, b), reach, closing=True)
    return found.take(found.bound <= reach[found.pair])


def _descend(traversal: _Traversal, reach: Floats, closing: bool) -> LeafPairs:
    found: list[LeafPairs] = []
    pair = np.flatnonzero(reach >= 0.0)
    waiting = [_Frontier(pair, pair * 0, pair * 0)]
    while waiting:
        at = waiting.pop()
        if len(at.pair) > _BLOCK:
            for first in range(0, len(at.pair), _BLOCK):
                part = slice(first, first + _BLOCK)
                waiting.append(_Frontier(at.pair[part], at.a[part], at.b[part]))
            continue
        rows, bound = traversal.bound(at, reach, closing)
        kept = _Frontier(at.pair[rows], at.a[rows], at.b[rows])
        below, done = traversal.split(kept)
        if done.any():
            found.append(traversal.leaves(_Frontier(kept.pair[done], kept.a[done], kept.b[done]), bound[done]))
        if len(below.pair):
            waiting.append(below)
    return _in_order(found)


def nearest_few(a: Trees, b: Trees, width: int) -> LeafPairs:
    """A few triangle pairs that are probably the nearest. The `width` nearest node pairs of each level are kept."""
    anything = np.full(len(a), 1e140)  # the boxes of empty nodes are farther away
    return _best_few(_Traversal(a, b), anything, width, lambda _at, bound: bound)


def likely_intersecting(a: Trees, b: Trees, reach: Floats, width: int) -> LeafPairs:
    """A few triangle pairs within `reach` (P,) that probably intersect.

    Each level keeps the node pairs with the least distance of box centers, relative to the size of the boxes.
    """
    traversal = _Traversal(a, b)

    def off_center(at: _Frontier, _bound: Floats) -> Floats:
        low, high = np.split(traversal.gaps(at), 2, axis=1)
        size = -(low + high)
        off: Floats = (np.abs(low - high) / np.where(size > 0.0, size, 1.0)).max(axis=1)
        return off

    return _best_few(traversal, reach, width, off_center)


def _best_few(
    traversal: _Traversal, reach: Floats, width: int, key: Callable[[_Frontier, Floats], Floats]
) -> LeafPairs:
    """A few triangle pairs of each pair. Each level keeps the `width` node pairs with the least keys."""
    found: list[LeafPairs] = []
    pair = np.arange(len(reach))
    at = _Frontier(pair, pair * 0, pair * 0)
    while len(at.pair):
        rows, bound = traversal.bound(at, reach)
        at = _Frontier(at.pair[rows], at.a[rows], at.b[rows])
        best = _least(at.pair, key(at, bound), width)
        at, bound = _Frontier(at.pair[best], at.a[best], at.b[best]), bound[best]
        below, done = traversal.split(at)
        if done.any():
            found.append(traversal.leaves(_Frontier(at.pair[done], at.a[done], at.b[done]), bound[done]))
        at = below
    return _in_order(found)


def _least(pair: Ints, key: Floats, width: int) -> Ints:
    """Row indices of the `width` least keys of each pair."""
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


def _in_order(found: list[LeafPairs]) -> LeafPairs:
    if not found:
        return NO_LEAVES
    everything = LeafPairs.joined(found)
    return everything.take(np.lexsort((everything.b, everything.a, everything.pair)))
