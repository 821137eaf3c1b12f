# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest translation that separates two bodies, one of which is concave.

The translations of B at which it meets A are the configuration space obstacle A − B (doc4code 2011). Here it is a union
of convex sets, one for each pair of pieces. The shortest separating translation ends on the boundary of the union: in
the interior of a side or an arc of one set, or where two of them cross. All such points (exits) are candidates. They
are tried in order of length. The first one a little beyond which the bodies do not overlap is the result, proved by
this test. The translation may lead into a hole, and may pass through other parts on its way.

If there are many sets, the plane of translations is searched by branch and bound. It is divided into square cells, the
nearest to the origin first, each with a list of the sets that reach it. A cell inside one set contains no exit. A set
that does not reach a cell is removed from its list. A point outside all sets is an upper bound: cells farther away
are not searched. When the list of a cell is short, the exits in the cell are tried one by one (`cells`).
"""

from heapq import heappop, heappush

import numpy as np

from ...numerics.rows import blocks as row_blocks
from ...numerics.rows import ragged_arange
from ...numerics.tolerances import EXIT, EXIT_AROUND, EXIT_BETTER
from ...numerics.types import Bools, Floats, Ints
from ..narrow_phase import convex
from ..narrow_phase.convex import blocks
from ..shapes.regions import Body, local_pairs, piece_pairs, pieces_of, ranges
from .boundary import Curves, Exits, crossings, nearest_places, nearness, sides
from .cells import Cells, shorter_way
from .minkowski_difference import Obstacle

# The number of sets in the lists of cells that are processed together; their arrays take some tens of megabytes.
_BATCH = 1 << 16
# A list of at most this many sets is short.
_FEW = 8
# The number of halvings after which lists no longer become shorter, because the sides of the sets meet in one point.
_HALVINGS = 10
# In multiples of half the side of a cell. A set narrower than this cannot cover the cell, so its bounds suffice.
_NARROW = 2.0

# A cell to be searched: the distance of its nearest point from the origin, a unique number, center, half the length of
# a side, and its list.
_Waiting = tuple[float, int, float, float, float, Ints]


class _Quarters:
    """The quarters of some cells; which of them one set covers, and which have a center outside all sets."""

    def __init__(self, cells: Cells) -> None:
        count = len(cells.x)
        self.half = np.repeat(cells.half / 2.0, 4)
        self.x = np.repeat(cells.x, 4) + self.half * np.tile([-1.0, 1.0, -1.0, 1.0], count)
        self.y = np.repeat(cells.y, 4) + self.half * np.tile([-1.0, -1.0, 1.0, 1.0], count)
        away = np.abs(self.x) - self.half, np.abs(self.y) - self.half
        self.nearest = np.hypot(np.maximum(away[0], 0.0), np.maximum(away[1], 0.0))
        self.covered = np.zeros(4 * count, np.bool_)
        self.free = np.ones(4 * count, np.bool_)


class _Search:
    """The search of one obstacle that contains the origin, for the shortest separating translation (2,).

    It is defined as for few sets: the shortest exit at which B, moved beyond it by a fraction of 1e-9 of the size, does
    not overlap A. If two exits differ in length by less than that, either may be returned. `way` is the shortest
    translation known, and `_bound` limits its length.
    """

    def __init__(self, obstacle: Obstacle, way: Floats) -> None:
        self.way = way
        self._obstacle = obstacle
        self._bound = float(np.hypot(*way))
        self._free = way
        self._beyond = EXIT * obstacle.size
        self._margin = EXIT_AROUND * self._beyond
        self._smallest = self._bound * 0.5**_HALVINGS
        self._waiting: list[_Waiting] = []
        self._made = 0

    def run(self) -> Floats:
        """Search cells until none is left that may contain a shorter separating translation."""
        zero, everything = np.zeros(1), np.arange(self._obstacle.count)
        self._split(Cells(zero, zero, np.array([self._bound]), np.array([len(everything)]), everything))
        while batch := self._batch():
            x, y, half = np.array([cell[2:5] for cell in batch]).T
            lists = [cell[5] for cell in batch]
            cells = Cells(x, y, half, np.array([len(one) for one in lists]), np.concatenate(lists))
            done = (cells.count <= _FEW) | (half <= self._smallest)
            if done.any():
                self.way = shorter_way(self._obstacle, cells.take(done), self.way, self._beyond)
            if not done.all():
                self._split(cells.take(~done))
        if self._bound < float(np.hypot(*self.way)) - self._beyond:
            self._shorten()
        return self.way

    def _shorten(self) -> None:
        """Shorten the translation to the nearest free point known, straight towards the origin, while it stays free.

        This is needed if none of the exits tried is as near, because the exits of an arc about the origin are a sample.
        """
        everything = np.arange(self._obstacle.count)
        low_x, high_x, low_y, high_y = self._obstacle.boxes(everything)
        x, y = self._free
        passed = (low_x <= max(x, 0.0)) & (high_x >= min(x, 0.0)) & (low_y <= max(y, 0.0)) & (high_y >= min(y, 0.0))
        sets = everything[passed]
        blocked, free = 0.0, 1.0
        while (free - blocked) * self._bound > EXIT_BETTER * self._beyond:
            middle = (blocked + free) / 2.0
            place = np.full((2, len(sets)), middle) * self._free[:, None]
            if (self._obstacle.gaps(sets, place[0], place[1]) > 0.0).all():
                free = middle
            else:
                blocked = middle
        self.way = free * self._free

    def _limit(self) -> float:
        """A cell must be nearer than this to contain a better translation."""
        return min(self._bound, float(np.hypot(*self.way)) - EXIT_BETTER * self._beyond)

    def _batch(self) -> list[_Waiting]:
        """The nearest of the cells to be searched."""
        batch: list[_Waiting] = []
        total, limit = 0, self._limit()
        while self._waiting and self._waiting[0][0] < limit and total < _BATCH:
            batch.append(heappop(self._waiting))
            total += len(batch[-1][5])
        return batch

    def _split(self, cells: Cells) -> None:
        """Queue the quarters of some cells, with the sets that reach them."""
        quarters = _Quarters(cells)
        wanted = quarters.nearest < self._limit()
        found = [self._reaching(quarters, wanted, cells, part) for part in row_blocks(len(cells.sets), _BATCH)]
        quarter, sets = (np.concatenate(part) for part in zip(*found, strict=True))
        kept = np.flatnonzero(~quarters.covered[quarter])
        kept = kept[np.argsort(quarter[kept], kind="stable")]
        count = np.bincount(quarter[kept], minlength=len(wanted))
        end, sets = np.cumsum(count), sets[kept]
        free = np.flatnonzero(quarters.free & wanted)
        length = np.hypot(quarters.x[free], quarters.y[free])
        if length.min(initial=np.inf) < self._bound:
            nearest = free[length.argmin()]
            self._bound, self._free = float(length.min()), np.array([quarters.x[nearest], quarters.y[nearest]])
        for at in np.flatnonzero((count > 0) & (quarters.nearest < self._limit())).tolist():
            self._made += 1
            place = float(quarters.x[at]), float(quarters.y[at]), float(quarters.half[at])
            own = sets[end[at] - count[at] : end[at]]
            heappush(self._waiting, (float(quarters.nearest[at]), self._made, *place, own))

    def _reaching(self, quarters: _Quarters, wanted: Bools, cells: Cells, part: slice) -> tuple[Ints, Ints]:
        """The quarters that the sets of a part of the lists reach, and these sets, one row for each such pair."""
        cell, sets = cells.cell[part], cells.sets[part]
        low_x, high_x, low_y, high_y = self._obstacle.boxes(sets)
        # A set that reaches the cell reaches the quarters on its side of the center.
        x, y, margin = cells.x[cell], cells.y[cell], self._margin
        in_x, in_y = (low_x <= x + margin, high_x >= x - margin), (low_y <= y + margin, high_y >= y - margin)
        reached_rows = [np.flatnonzero(in_x[q % 2] & in_y[q // 2] & wanted[4 * cell + q]) for q in range(4)]
        quarter = np.concatenate([4 * cell[rows] + q for q, rows in enumerate(reached_rows)])
        which = np.concatenate(reached_rows)
        narrow = np.minimum(high_x - low_x, high_y - low_y)[which] < _NARROW * quarters.half[quarter]
        quarters.free[quarter[narrow]] = False
        wide = np.flatnonzero(~narrow)
        at = quarter[wide]
        reach = np.sqrt(2.0) * quarters.half[at] + margin
        gap = self._obstacle.gaps(sets[which[wide]], quarters.x[at], quarters.y[at], reach)
        quarters.covered[at[gap < -reach]] = True
        # A center in a gap between two sets that is no wider than rounding does not count as free.
        quarters.free[at[gap <= margin]] = False
        reached = narrow
        reached[wide[gap <= reach]] = True
        return quarter[reached], sets[which[reached]]


# With at most this many sets in a pair, all pairs of curves are intersected; with more, the plane is searched.
_FEW_SETS = 12
# The number of candidates of each pair that are tried together at first; it doubles each time none of them is free.
_FIRST_TRIES = 4


def shortest_exit(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> tuple[Floats, Floats]:
    """Length (P,) and direction (P, 2) of the shortest translation of B that separates it from A; the pairs overlap."""
    best = np.empty((len(rows_a), 2))
    for some, one, other in local_pairs(a, b, rows_a, rows_b):
        best[some] = _shortest(one, other)
    bound = np.hypot(best[:, 0], best[:, 1])
    apart = bound > 0.0
    direction = np.where(apart[:, None], best / np.where(apart, bound, 1.0)[:, None], [0.0, 1.0])
    return bound, direction


def _shortest(a: Body, b: Body) -> Floats:
    """The shortest separating translation of each row, (P, 2)."""
    rows = np.arange(len(a))
    best = _around(a, b)
    length = np.hypot(best[:, 0], best[:, 1])
    many = ranges(a, rows)[1] * ranges(b, rows)[1] > _FEW_SETS
    for at in np.flatnonzero(many & (length > 0.0)).tolist():
        best[at] = _Search(Obstacle(a, b, at, at, length[at]), best[at]).run()
    few = np.flatnonzero(~many)
    if len(few):
        best[few] = _least_of_all(a, b, few, best[few])
    return best


def _least_of_all(a: Body, b: Body, rows: Ints, best: Floats) -> Floats:
    """The shortest separating translation of some rows, (R, 2), from all exits of their curves; `best` are known."""
    curves, size = _curves(a, b, rows, rows)
    bound = np.hypot(best[:, 0], best[:, 1])
    for step in (nearest_places, crossings):
        # Only curves that are nearer than a known separating translation are used.
        curves = curves.take(nearness(curves) <= bound[curves.owner])
        exits = step(curves)
        found = _first_free(a, b, rows, exits, bound, size)
        better = np.isfinite(found[:, 0])
        best[better] = found[better]
        bound = np.hypot(best[:, 0], best[:, 1])
    return best


def _around(a: Body, b: Body) -> Floats:
    """The shortest translation along an axis that separates the bounding boxes of each row, (P, 2)."""
    (lower_a, upper_a), (lower_b, upper_b) = a.bounds(), b.bounds()
    ways = np.concatenate([upper_a - lower_b, lower_a - upper_b], axis=1)
    least = np.abs(ways).argmin(axis=1)
    result = np.zeros((len(a), 2))
    at = np.arange(len(a))
    result[at, least % 2] = ways[at, least]
    return result


def _curves(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> tuple[Curves, Floats]:
    """The boundaries of the sets of all pairs of pieces, and the size of each pair of bodies."""
    found = []
    size = np.zeros(len(rows_a))
    first, second = pieces_of(a), pieces_of(b)
    for part in piece_pairs(a, b, rows_a, rows_b):
        for block in blocks(first, second, part.a, part.b):
            owner = part.owner[block.slots]
            np.maximum.at(size, owner, block.size)
            found += sides(block, owner)
    return Curves.joined(found), size


def _first_free(a: Body, b: Body, rows: Ints, exits: Exits, bound: Floats, size: Floats) -> Floats:
    """The shortest exit of each row a little beyond which the bodies do not overlap; infinite if there is none."""
    result = np.full((len(rows), 2), np.inf)
    length = np.hypot(exits.x, exits.y)
    order = np.lexsort((length, exits.owner))
    order = order[length[order] < bound[exits.owner[order]]]
    owner = exits.owner[order]
    begin, end = (np.searchsorted(owner, np.arange(len(rows)), side=side) for side in ("left", "right"))
    tries = _FIRST_TRIES
    waiting = np.flatnonzero(begin < end)
    while len(waiting):
        until = np.minimum(begin[waiting] + tries, end[waiting])
        count = until - begin[waiting]
        at = ragged_arange(count, begin[waiting])[1]
        tried, pair = order[at], owner[at]
        reach = EXIT * size[pair]
        shift = np.stack([exits.x[tried] + reach * exits.ox[tried], exits.y[tried] + reach * exits.oy[tried]], axis=1)
        free = np.flatnonzero(~meets(a, b, rows[pair], rows[pair], shift))
        if len(free):
            which, place = np.unique(pair[free], return_index=True)
            chosen = tried[free[place]]
            result[which] = np.stack([exits.x[chosen], exits.y[chosen]], axis=1)
        begin[waiting] = until
        waiting = waiting[(until < end[waiting]) & ~np.isfinite(result[waiting, 0])]
        tries *= 2
    return result


def meets(a: Body, b: Body, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> Bools:
    """Whether any two pieces have a common point; B is moved by `shift` (P, 2)."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    for part in piece_pairs(a, b, rows_a, rows_b):
        moved = None if shift is None else shift[part.owner]
        together = convex.overlap(pieces_of(a), pieces_of(b), part.a, part.b, moved)
        result[part.owner[together]] = True
    return result
