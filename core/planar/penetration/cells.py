# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways out of an obstacle that end in square cells which few of its sets reach.

They are those of `depth`: feet of the origin on the sides of sets, and crossings of two sides, where a little
beyond no set is met. In a cell a set is what the few sides of it that pass through the cell leave of that.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.tolerances import WAY_OUT, WAY_OUT_AROUND, WAY_OUT_BETTER
from ...numerics.types import Bools, Floats, Ints
from ..shapes.regions import product
from .boundary import crossings, nearest_places, nearness
from .minkowski_difference import Obstacle

# Exits tried together at first, and sets that each is tried against: twice as many each time none of the exits is free,
# or some exits are in none of the sets.
_FIRST_TRIES = 256
_FIRST_SETS = 8


@dataclass(frozen=True, eq=False)
class Cells:
    """Squares, and the sets that reach each.

    Attributes
    ----------
    x, y, half : (C,) float64
        Centers, and half the length of a side.
    count : (C,) int64
        Sets in the list of each.
    sets : (L,) int64
        The lists, one after another.
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
        """Some of the cells, with their lists."""
        sets = self.sets[np.repeat(chosen, self.count)]
        return Cells(self.x[chosen], self.y[chosen], self.half[chosen], self.count[chosen], sets)


@dataclass(frozen=True, eq=False)
class _Sides:
    """The sides that pass through each cell, those of one set together, and the sets of one cell together.

    Attributes
    ----------
    cell : (F,) int64
    nx, ny : (F,) float64
        Outward unit normals.
    height : (F,) float64
        Of the center of the cell above the side.
    slack : (F,) float64
        The rounding of the set.
    first, count : (I,) int64
        The first side of each set in each cell, and how many it has there.
    first_set, set_count : (C,) int64
        The same of the sets of each cell.
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
    """Places in cells, as seen from the centers, and the direction of the outside at each."""

    cell: Ints
    dx: Floats
    dy: Floats
    ox: Floats
    oy: Floats


# The cells of some places, and where they lie as seen from the centers.
Tried = tuple[Ints, Floats, Floats]


def shorter_way(obstacle: Obstacle, cells: Cells, way: Floats, beyond: float) -> Floats:
    """The shortest way out that ends in one of the cells, (2,), or `way` if none is shorter."""
    if obstacle.round:
        return _shorter_round_way(obstacle, cells, way, beyond)
    sides = _sides(obstacle, cells, WAY_OUT_AROUND * beyond)
    free = partial(_free, partial(_hold, sides), sides.first_set, sides.set_count)
    best = _tried(cells, _feet(cells, sides), free, way, beyond)
    one = _distinct(sides, WAY_OUT_BETTER * beyond)
    cell = sides.cell[one]
    rank = np.arange(len(one))
    later = np.searchsorted(cell, cell, side="right") - rank - 1
    for pairs in product(rank, np.ones(len(one), np.int64), rank + 1, later):
        best = _tried(cells, _crossings(sides, one[pairs.a], one[pairs.b]), free, best, beyond)
    return best


def _shorter_round_way(obstacle: Obstacle, cells: Cells, way: Floats, beyond: float) -> Floats:
    """The shortest way out among sets with sides and arcs, which are few: one of the bodies is a circle."""
    curves = obstacle.curves(cells.sets, cells.cell)
    x, y = cells.x[curves.owner], cells.y[curves.owner]
    seen = replace(curves, px=curves.px - x, py=curves.py - y, qx=curves.qx - x, qy=curves.qy - y)
    curves = curves.take(nearness(seen) <= np.sqrt(2.0) * (cells.half[curves.owner] + WAY_OUT_AROUND * beyond))
    free = partial(_free, partial(_round_hold, obstacle, cells), np.cumsum(cells.count) - cells.count, cells.count)
    for step in (nearest_places, crossings):
        found = step(curves)
        dx, dy = found.x - cells.x[found.owner], found.y - cells.y[found.owner]
        places = _Places(found.owner, dx, dy, found.ox, found.oy)
        way = _tried(cells, places, free, way, beyond)
    return way


def _sides(obstacle: Obstacle, cells: Cells, margin: float) -> _Sides:
    """What passes through the cells and `margin` around them; nothing of those that one set covers."""
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
    """One of all sides of a cell that are the same line, those of a cell together."""
    keys = sides.cell, *(np.rint(part) for part in (sides.nx / WAY_OUT, sides.ny / WAY_OUT, sides.height / step))
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), np.bool_)
    if len(order):
        new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return order[new]


def _feet(cells: Cells, sides: _Sides) -> _Places:
    """The feet of the origin."""
    x, y = cells.x[sides.cell], cells.y[sides.cell]
    height = sides.height - sides.nx * x - sides.ny * y
    return _Places(sides.cell, -height * sides.nx - x, -height * sides.ny - y, sides.nx, sides.ny)


def _crossings(sides: _Sides, i: Ints, j: Ints) -> _Places:
    """Where sides of one cell cross; the outside lies beyond both."""
    ux, uy, vx, vy = sides.nx[i], sides.ny[i], sides.nx[j], sides.ny[j]
    sine, ox, oy = ux * vy - uy * vx, ux + vx, uy + vy
    length = np.hypot(ox, oy)
    real = np.flatnonzero((sine != 0.0) & (length > WAY_OUT))
    dx = (sides.height[j] * uy - sides.height[i] * vy)[real] / sine[real]
    dy = (sides.height[i] * vx - sides.height[j] * ux)[real] / sine[real]
    return _Places(sides.cell[i[real]], dx, dy, ox[real] / length[real], oy[real] / length[real])


def _tried(cells: Cells, places: _Places, free: Callable[[Tried], Bools], way: Floats, beyond: float) -> Floats:
    """The shortest of these ways out that is free a little beyond its end, or `way` if none is shorter."""
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
        parted = free((tried.cell, tried.dx + beyond * tried.ox, tried.dy + beyond * tried.oy))
        if parted.any():
            best = rows[parted.argmax()]
            return np.array([x[best], y[best]])
        first += tries
        tries *= 2
    return way


def _free(holds: Callable[[Ints, Ints, Floats, Floats], Bools], first: Ints, count: Ints, places: Tried) -> Bools:
    """Whether places are in none of the sets of their cells, which are `count` (C,) from `first` (C,) on.

    `holds` says whether sets hold places.
    """
    cell, dx, dy = places
    result = np.ones(len(cell), np.bool_)
    begin, many = 0, _FIRST_SETS
    while len(left := np.flatnonzero(result & (count[cell] > begin))):
        size = np.minimum(count[cell[left]] - begin, many)
        row = np.repeat(left, size)
        sets = np.arange(len(row)) + np.repeat(first[cell[left]] + begin - (np.cumsum(size) - size), size)
        result[row[holds(sets, cell[row], dx[row], dy[row])]] = False
        begin += many
        many *= 2
    return result


def _hold(sides: _Sides, sets: Ints, cell: Ints, dx: Floats, dy: Floats) -> Bools:
    """Whether sets hold places: what is beyond one of the sides is outside."""
    result = np.ones(len(sets), np.bool_)
    for side in range(int(sides.count[sets].max(initial=0))):
        within = np.flatnonzero(result & (sides.count[sets] > side))
        at = sides.first[sets[within]] + side
        height = sides.nx[at] * dx[within] + sides.ny[at] * dy[within] + sides.height[at]
        result[within[height > sides.slack[at]]] = False
    return result


def _round_hold(obstacle: Obstacle, cells: Cells, sets: Ints, cell: Ints, dx: Floats, dy: Floats) -> Bools:
    """Whether sets with arcs hold places, decided by the sets themselves."""
    return obstacle.gaps(cells.sets[sets], cells.x[cell] + dx, cells.y[cell] + dy) <= 0.0
