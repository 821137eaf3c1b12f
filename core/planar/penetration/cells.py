# SPDX-License-Identifier: GPL-3.0-or-later
"""End points of translations that separate a pair, within one cell of the grid of the branch and bound.

The end points (exits) are found as for few sets, in `boundary`, from the sides and arcs that pass through the cell. An
exit is free if no set in the list of its cell contains the point a little beyond it.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.rows import ragged_arange
from ...numerics.tolerances import EXIT, EXIT_AROUND, EXIT_BETTER
from ...numerics.types import Bools, Floats, Ints
from .boundary import Curves, Exits, crossings, nearest_places
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


def shorter_way(obstacle: Obstacle, cells: Cells, way: Floats, beyond: float) -> Floats:
    """The shortest separating translation that ends in one of the cells, (2,), or `way` if none is shorter."""
    cell = cells.cell
    reach = np.sqrt(2.0) * (cells.half[cell] + EXIT_AROUND * beyond)
    curves = _distinct(obstacle.curves(cells.sets, cell, cells.x[cell], cells.y[cell], reach), beyond)
    for step in (nearest_places, crossings):
        way = _shortest_free(obstacle, cells, step(curves), way, beyond)
    return way


def _distinct(curves: Curves, beyond: float) -> Curves:
    """The curves of each cell, reduced to one curve per group of coinciding ones."""
    places = np.stack([curves.px, curves.py, curves.radius]) / (EXIT_BETTER * beyond)
    keys = np.rint(np.stack([*places, curves.nx / EXIT, curves.ny / EXIT, curves.owner]))
    order = np.lexsort(keys)
    new = np.append(True, (np.diff(keys[:, order], axis=1) != 0.0).any(axis=0))[: len(order)]
    return curves.take(order[new])


def _shortest_free(obstacle: Obstacle, cells: Cells, exits: Exits, way: Floats, beyond: float) -> Floats:
    """The shortest of the exits that lie in their cells and are free, (2,), or `way` if none is shorter."""
    half, length = cells.half[exits.owner] + beyond, np.hypot(exits.x, exits.y)
    inside = np.maximum(np.abs(exits.x - cells.x[exits.owner]), np.abs(exits.y - cells.y[exits.owner])) <= half
    order = np.flatnonzero(inside & (length < np.hypot(*way) - EXIT_BETTER * beyond))
    order = order[np.argsort(length[order])]
    first, tries = 0, _FIRST_TRIES
    while first < len(order):
        tried = exits.take(order[first : first + tries])
        free = _free(obstacle, cells, tried.owner, tried.x + beyond * tried.ox, tried.y + beyond * tried.oy)
        if free.any():
            best = free.argmax()
            return np.array([tried.x[best], tried.y[best]])
        first += tries
        tries *= 2
    return way


def _free(obstacle: Obstacle, cells: Cells, cell: Ints, x: Floats, y: Floats) -> Bools:
    """Whether points are in none of the sets of their cells."""
    start = np.cumsum(cells.count) - cells.count
    result = np.ones(len(cell), np.bool_)
    begin, many = 0, _FIRST_SETS
    while len(left := np.flatnonzero(result & (cells.count[cell] > begin))):
        size = np.minimum(cells.count[cell[left]] - begin, many)
        which, place = ragged_arange(size, start[cell[left]] + begin)
        row = left[which]
        gaps = obstacle.gaps(cells.sets[place], x[row], y[row], 0.0)
        result[row[gaps <= 0.0]] = False
        begin += many
        many *= 2
    return result
