# SPDX-License-Identifier: GPL-3.0-or-later
"""The exits of an obstacle that lie in square cells which few of its sets reach.

As in `depth`, exits are feet of the origin on the sides of sets, and crossings of two sides. An exit is free if no set
contains the point a little beyond it. Within a cell, a set is described by its few sides that pass through the cell.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...numerics.rows import RowTable, ragged_arange
from ...numerics.tolerances import WAY_OUT, WAY_OUT_AROUND, WAY_OUT_BETTER
from ...numerics.types import Bools, Floats, Ints
from ..shapes.regions import product
from .boundary import crossings, nearest_places, nearness
from .minkowski_difference import Obstacle

# The number of exits tried together at first, and the number of sets that each is tested against. Both double each
# time: the first if none of the exits is free, the second if some exits are in none of the sets.
_FIRST_TRIES = 256
_FIRST_SETS = 8


@dataclass(frozen=True, eq=False)
class Cells:
    """Squares, and the sets that reach each of them.

    Attributes
    ----------
    x, y, half : (C,) float64
        Centers, and half the length of a side.
    count : (C,) int64
        The number of sets in the list of each cell.
    sets : (L,) int64
        The lists of all cells, concatenated.
    """

    x: Floats
    y: Floats
    half: Floats
    count: Ints
    sets: Ints

    @property
    def cell(self) -> Ints:
        """The cell of each set, (L,)."""
        return np.repeat(np.arange(len(self.x)), self.count)

    def take(self, chosen: Bools) -> "Cells":
        """The given cells, with their lists."""
        sets = self.sets[np.repeat(chosen, self.count)]
        return Cells(self.x[chosen], self.y[chosen], self.half[chosen], self.count[chosen], sets)


@dataclass(frozen=True, eq=False)
class _Sides:
    """The sides that pass through each cell, grouped by set, and these groups by cell.

    Attributes
    ----------
    cell : (F,) int64
    nx, ny : (F,) float64
        Outward unit normals.
    height : (F,) float64
        Height of the center of the cell above the side.
    slack : (F,) float64
        The rounding of the set.
    first, count : (I,) int64
        The first side of each set in each cell, and the number of its sides there.
    first_set, set_count : (C,) int64
        The first set of each cell, and the number of its sets.
    """

    cell: Ints
    nx: Floats
    ny: Floats
    height: Floats
    slack: Floats
    first: Ints
    count: Ints
    first_set: Ints
    set_count: Ints


@dataclass(frozen=True, eq=False)
class _Places(RowTable):
    """Points in cells, relative to the centers, and the outward direction at each."""

    cell: Ints
    dx: Floats
    dy: Floats
    ox: Floats
    oy: Floats


# The cells of some points, and the points relative to the centers.
Tried = tuple[Ints, Floats, Floats]


def shorter_way(obstacle: Obstacle, cells: Cells, way: Floats, beyond: float) -> Floats:
    """The shortest separating translation that ends in one of the cells, (2,), or `way` if none is shorter."""
    if obstacle.round:
        return _shorter_round_way(obstacle, cells, way, beyond)
    sides = _sides(obstacle, cells, WAY_OUT_AROUND * beyond)
    free = partial(_free, partial(_contain, sides), sides.first_set, sides.set_count)
    best = _shortest_free(cells, _feet(cells, sides), free, way, beyond)
    one = _distinct(sides, WAY_OUT_BETTER * beyond)
    cell = sides.cell[one]
    rank = np.arange(len(one))
    later = np.searchsorted(cell, cell, side="right") - rank - 1
    for pairs in product(rank, np.ones(len(one), np.int64), rank + 1, later):
        best = _shortest_free(cells, _crossings(sides, one[pairs.a], one[pairs.b]), free, best, beyond)
    return best


def _shorter_round_way(obstacle: Obstacle, cells: Cells, way: Floats, beyond: float) -> Floats:
    """`shorter_way` where one of the bodies is a circle: few sets, with sides and arcs."""
    curves = obstacle.curves(cells.sets, cells.cell)
    x, y = cells.x[curves.owner], cells.y[curves.owner]
    seen = replace(curves, px=curves.px - x, py=curves.py - y, qx=curves.qx - x, qy=curves.qy - y)
    curves = curves.take(nearness(seen) <= np.sqrt(2.0) * (cells.half[curves.owner] + WAY_OUT_AROUND * beyond))
    free = partial(_free, partial(_round_contain, obstacle, cells), np.cumsum(cells.count) - cells.count, cells.count)
    for step in (nearest_places, crossings):
        found = step(curves)
        dx, dy = found.x - cells.x[found.owner], found.y - cells.y[found.owner]
        places = _Places(found.owner, dx, dy, found.ox, found.oy)
        way = _shortest_free(cells, places, free, way, beyond)
    return way


def _sides(obstacle: Obstacle, cells: Cells, margin: float) -> _Sides:
    """The sides that pass through the cells or within `margin` of them; none for cells that one set covers."""
    cell = cells.cell
    parts = list(obstacle.lines(cells.sets, cells.x[cell], cells.y[cell]))
    row, nx, ny, height = (
        np.concatenate([vars(part)[name] for part in parts]) for name in ("row", "nx", "ny", "height")
    )
    slack = obstacle.slack(cells.sets)
    width = (cells.half[cell[row]] + margin) * (np.abs(nx) + np.abs(ny)) + slack[row]
    apart = np.zeros(len(cell), np.bool_)
    apart[row[height > width]] = True
    through = np.abs(height) <= width
    whole = ~apart
    whole[row[through]] = False
    covered = np.zeros(len(cells.x), np.bool_)
    covered[cell[whole]] = True
    kept = np.flatnonzero(through & ~(apart | covered[cell])[row])
    kept = kept[np.argsort(row[kept], kind="stable")]
    which, first, count = np.unique(row[kept], return_index=True, return_counts=True)
    set_count = np.bincount(cell[which], minlength=len(cells.x))
    return _Sides(
        *(cell[row[kept]], nx[kept], ny[kept], height[kept], slack[row[kept]]),
        *(first, count, np.cumsum(set_count) - set_count, set_count),
    )


def _distinct(sides: _Sides, step: float) -> Ints:
    """One of all sides of a cell that lie on the same line, grouped by cell."""
    keys = sides.cell, *(np.rint(part) for part in (sides.nx / WAY_OUT, sides.ny / WAY_OUT, sides.height / step))
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), np.bool_)
    if len(order):
        new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return order[new]


def _feet(cells: Cells, sides: _Sides) -> _Places:
    """The feet of the perpendiculars from the origin."""
    x, y = cells.x[sides.cell], cells.y[sides.cell]
    height = sides.height - sides.nx * x - sides.ny * y
    return _Places(sides.cell, -height * sides.nx - x, -height * sides.ny - y, sides.nx, sides.ny)


def _crossings(sides: _Sides, i: Ints, j: Ints) -> _Places:
    """The points where sides of one cell cross, with an outward direction for both."""
    ux, uy, vx, vy = sides.nx[i], sides.ny[i], sides.nx[j], sides.ny[j]
    sine, ox, oy = ux * vy - uy * vx, ux + vx, uy + vy
    length = np.hypot(ox, oy)
    real = np.flatnonzero((sine != 0.0) & (length > WAY_OUT))
    dx = (sides.height[j] * uy - sides.height[i] * vy)[real] / sine[real]
    dy = (sides.height[i] * vx - sides.height[j] * ux)[real] / sine[real]
    return _Places(sides.cell[i[real]], dx, dy, ox[real] / length[real], oy[real] / length[real])


def _shortest_free(cells: Cells, places: _Places, free: Callable[[Tried], Bools], way: Floats, beyond: float) -> Floats:
    """The shortest translation to one of these points that is free a little beyond it, or `way` if none is shorter."""
    inside = np.maximum(np.abs(places.dx), np.abs(places.dy)) <= cells.half[places.cell] + beyond
    places = places.take(inside)
    x, y = cells.x[places.cell] + places.dx, cells.y[places.cell] + places.dy
    length = np.hypot(x, y)
    order = np.flatnonzero(length < np.hypot(*way) - WAY_OUT_BETTER * beyond)
    order = order[np.argsort(length[order])]
    first, tries = 0, _FIRST_TRIES
    while first < len(order):
        rows = order[first : first + tries]
        tried = places.take(rows)
        is_free = free((tried.cell, tried.dx + beyond * tried.ox, tried.dy + beyond * tried.oy))
        if is_free.any():
            best = rows[is_free.argmax()]
            return np.array([x[best], y[best]])
        first += tries
        tries *= 2
    return way


def _free(contains: Callable[[Ints, Ints, Floats, Floats], Bools], first: Ints, count: Ints, places: Tried) -> Bools:
    """Whether points are in none of the sets of their cells: `count` (C,) sets from `first` (C,) on.

    `contains` returns whether sets contain points.
    """
    cell, dx, dy = places
    result = np.ones(len(cell), np.bool_)
    begin, many = 0, _FIRST_SETS
    while len(left := np.flatnonzero(result & (count[cell] > begin))):
        size = np.minimum(count[cell[left]] - begin, many)
        which, sets = ragged_arange(size, first[cell[left]] + begin)
        row = left[which]
        result[row[contains(sets, cell[row], dx[row], dy[row])]] = False
        begin += many
        many *= 2
    return result


def _contain(sides: _Sides, sets: Ints, cell: Ints, dx: Floats, dy: Floats) -> Bools:
    """Whether sets contain points: a point beyond one of the sides is outside."""
    result = np.ones(len(sets), np.bool_)
    for side in range(int(sides.count[sets].max(initial=0))):
        within = np.flatnonzero(result & (sides.count[sets] > side))
        at = sides.first[sets[within]] + side
        height = sides.nx[at] * dx[within] + sides.ny[at] * dy[within] + sides.height[at]
        result[within[height > sides.slack[at]]] = False
    return result


def _round_contain(obstacle: Obstacle, cells: Cells, sets: Ints, cell: Ints, dx: Floats, dy: Floats) -> Bools:
    """Whether sets with arcs contain points, decided by the distance from the sets."""
    return obstacle.gaps(cells.sets[sets], cells.x[cell] + dx, cells.y[cell] + dy) <= 0.0
