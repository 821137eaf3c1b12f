# SPDX-License-Identifier: GPL-3.0-or-later
"""Support mappings of polytopes by tables of the vertices that may be farthest along a cell of directions.

The sphere of directions is divided into cells: two hemispheres, each mapped to a square through the octahedron |x| +
|y| + |z| = 1 and divided into N x N cells. For each cell, the table lists all vertices that are the support of some
direction in it. So a support query costs one look-up and a few inner products, for any number of vertices.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...numerics.rows import ragged_arange
from ...numerics.types import Bools, Floats, Ints

# Maximum number of vertices for which a polytope has one cell with all of them.
_FEW = 4

# Number of vertices from which tables are first built with coarse cells, and the number of these along a side.
_MANY, _COARSE = 128, 8

# Number of heights in the largest intermediate array of a build: 512 KB in float32, to stay in cache.
_BLOCK = 1 << 17

# Dimensionless: a fraction of the polytope's size. A vertex is dropped from a cell if another is higher by more than
# this in every direction of the cell. This is well above the rounding of float32, in which the tables are built.
_BEATEN = 1e-5


@dataclass(frozen=True)
class DirectionTable:
    """Direction tables of one or more polytopes, concatenated.

    Attributes
    ----------
    grid : (G,) int64
        Cells along a side of each hemisphere's square, even; 0 if one cell contains all directions.
    first : (G + 1,) int64
        The first cell of each polytope.
    start : (C + 1,) int64
        The first candidate of each cell. No cell is empty.
    candidate : (K,) int64
        Vertices, numbered within their polytope.
    """

    grid: Ints
    first: Ints
    start: Ints
    candidate: Ints

    def one(self, polytope: int) -> "DirectionTable":
        """Copy the table of a single polytope."""
        start = self.start[self.first[polytope] : self.first[polytope + 1] + 1]
        chosen = self.candidate[start[0] : start[-1]].copy()
        one = slice(polytope, polytope + 1)
        return DirectionTable(self.grid[one].copy(), np.array([0, len(start) - 1]), start - start[0], chosen)

    @classmethod
    def joined(cls, tables: list["DirectionTable"]) -> "DirectionTable":
        """Concatenate tables, in this order."""
        cells = np.cumsum([0, *(len(table.start) - 1 for table in tables)])
        sizes = np.cumsum([0, *(len(table.candidate) for table in tables)])
        return cls(
            np.concatenate([table.grid for table in tables]),
            np.concatenate([[0], *(table.first[1:] + cell for table, cell in zip(tables, cells[:-1], strict=True))]),
            np.concatenate([[0], *(table.start[1:] + size for table, size in zip(tables, sizes[:-1], strict=True))]),
            np.concatenate([table.candidate for table in tables]),
        )

    @cached_property
    def _half(self) -> Floats:
        """(G,) half of `grid`."""
        return self.grid.astype(np.float64) / 2.0

    @cached_property
    def _before(self) -> Floats:
        """(G,) number of cells of all previous polytopes, in floating point."""
        return self.first[:-1].astype(np.float64)

    @cached_property
    def _count(self) -> Ints:
        """(C,) number of candidates in each cell."""
        return np.diff(self.start)

    def candidates(self, polytope: Ints, direction: Floats) -> tuple[Ints, Ints]:
        """Start in `candidate`, and number, of the candidates for each direction (3, P), of any length."""
        x, y, z = direction
        size = np.abs(direction).sum(axis=0)
        size[size == 0.0] = 1.0
        half = self._half.take(polytope)
        scale = half / size
        grid = half + half
        last = np.maximum(grid - 1.0, 0.0)
        # Integers in floating point. They are exact and several times as fast as integers.
        across, along = x + y, x - y
        for place in (across, along):
            place *= scale
            place += half
            # Round towards zero. On the border of the square, the value may be below zero by rounding.
            np.minimum(np.trunc(place, out=place), last, out=place)
        across += (z < 0.0) * grid
        across *= grid
        across += along
        across += self._before.take(polytope)
        cell = across.astype(np.int64)
        return self.start.take(cell), self._count.take(cell)

    def farthest(
        self, polytope: Ints, direction: Floats, vertices: Floats, base: Ints, slack: Floats | None = None
    ) -> tuple[Ints, Floats, Bools | None]:
        """The farthest vertex of each polytope along its direction. Ties go to the first vertex.

        Parameters
        ----------
        polytope : (P,) int64
        direction : (3, P) float64
            In the frame of the polytope, of any length.
        vertices : (3, V) float64
            Vertices of all polytopes.
        base : (P,) int64
            Index of the first vertex of each polytope.
        slack : (P,) float64, optional
            Vertices that are lower by at most this are equally far.

        Returns
        -------
        vertex : (P,) int64
            Columns of `vertices`.
        height : (P,) float64
            Their inner products with the directions.
        tied : (P,) bool or None
            Whether other vertices are equally far; None without `slack`.
        """
        start, count = self.candidates(polytope, direction)
        best: Ints = base + self.candidate.take(start)
        several = count > 1
        other = base + self.candidate.take(start + several)
        one, two = _heights(vertices, best, direction), _heights(vertices, other, direction)
        best, height = np.where(two > one, other, best), np.maximum(one, two)
        tied = None if slack is None else several & (np.minimum(one, two) >= height - slack)
        # Process the remaining candidates of rows with more than two.
        rows = np.flatnonzero(count > 2)
        if not len(rows):
            return best, height, tied
        more = count.take(rows) - 2
        first = np.cumsum(more) - more
        row = np.repeat(rows, more)
        place = np.arange(len(row)) + np.repeat(start.take(rows) + 2 - first, more)
        other = base.take(row) + self.candidate.take(place)
        its, led = _heights(vertices, other, direction.take(row, axis=1)), height.take(rows)
        top = np.maximum.reduceat(its, first)
        winner = np.flatnonzero((its == np.repeat(top, more)) & (its > np.repeat(led, more)))[::-1]  # the first is last
        best[row.take(winner)] = other.take(winner)
        height[rows] = np.maximum(led, top)
        if slack is not None and tied is not None:
            level = np.maximum(led, top) - slack.take(rows)
            as_far = np.add.reduceat(its >= np.repeat(level, more), first, dtype=np.int64)
            for heights in (one, two):
                as_far += heights.take(rows) >= level
            tied[rows] = as_far > 1
        return best, height, tied

    def level(self, polytope: Ints, direction: Floats, vertices: Floats, base: Ints, slack: Floats) -> Ints:
        """Number of vertices on the support plane of each direction, within a slack (P,); see `farthest`."""
        start, count = self.candidates(polytope, direction)
        first = np.cumsum(count) - count
        row, place = ragged_arange(count, start)
        its = _heights(vertices, base.take(row) + self.candidate.take(place), direction.take(row, axis=1))
        least = np.maximum.reduceat(its, first) - slack if len(row) else slack
        return np.bincount(row[its >= least[row]], minlength=len(first))


def _heights(vertices: Floats, index: Ints, direction: Floats) -> Floats:
    result: Floats = vertices[0].take(index) * direction[0]
    result += vertices[1].take(index) * direction[1]
    result += vertices[2].take(index) * direction[2]
    return result


def direction_tables(vertices: Floats, first: Ints, count: Ints, *, alike: bool = False) -> DirectionTable:
    """Build the tables of polytopes. The vertices of polytope g are rows ``first[g]`` to ``first[g] + count[g]``.

    If `alike`, all polytopes use the cells of the largest, so that a cell has the same directions in each.
    """
    grids = _grid_size(np.full_like(count, count.max(initial=0)) if alike else count)
    if not grids.any():
        return _undivided(count)
    tables: list[DirectionTable | None] = [None] * len(count)
    for grid in np.unique(grids):
        members = np.flatnonzero(grids == grid)
        members = members[np.argsort(count[members], kind="stable")]
        coarse = int(grid) if grid <= _COARSE or grid % _COARSE else _COARSE
        begin = 0
        while begin < len(members):
            # Sizes ascend: the last polytope of a block determines its width.
            cost = np.arange(1, len(members) - begin + 1) * count[members[begin:]] * 2 * max(coarse, 1) ** 2
            block = members[begin : begin + max(1, int(np.count_nonzero(cost <= _BLOCK)))]
            begin += len(block)
            made = _undivided(count[block])
            if grid:
                unit = _unit(vertices, first[block], count[block])
                made = _built(unit, count[block], coarse)
                if coarse < grid:
                    made = _refined(made, unit, int(grid))
            for place, polytope in enumerate(block.tolist()):
                tables[polytope] = made.one(place)
    return DirectionTable.joined([table for table in tables if table is not None])


def _grid_size(count: Ints) -> Ints:
    """Number of cells along a side: about four cells in all for each vertex."""
    sides = 2 * np.ceil(np.sqrt(np.minimum(count, 1024) / 2.0)).astype(np.int64)
    sides = np.where(count <= _FEW, 0, sides)
    return np.where(count < _MANY, sides, -(-sides // _COARSE) * _COARSE)


def _undivided(count: Ints) -> DirectionTable:
    """Tables with one cell for each polytope."""
    ends = np.concatenate([[0], np.cumsum(count)])
    every = np.arange(ends[-1]) - np.repeat(ends[:-1], count)
    return DirectionTable(np.zeros(len(count), np.int64), np.arange(len(count) + 1), ends, every)


def _unit(vertices: Floats, first: Ints, count: Ints) -> NDArray[np.float32]:
    """The vertices relative to the centers of their polytopes and scaled by their sizes, (G, W, 3), padded."""
    at = np.minimum(np.arange(count.max()), count[:, None] - 1)
    points = vertices[first[:, None] + at]
    points = points - points.mean(axis=1, keepdims=True)
    size = np.abs(points).max(axis=(1, 2))
    return (points / np.where(size > 0.0, size, 1.0)[:, None, None]).astype(np.float32)


def _built(unit: NDArray[np.float32], count: Ints, grid: int) -> DirectionTable:
    """Build the tables of polytopes with equal grid sizes."""
    number, width = unit.shape[:2]
    # Heights along the directions of the cell corners: a row for each hemisphere of each polytope.
    heights = _corners(grid).reshape(-1, 3) @ unit.transpose(0, 2, 1)
    cell, vertex = _candidates(heights.reshape(2 * number, grid + 1, grid + 1, width), np.repeat(count, 2))
    cells = 2 * grid * grid
    ends = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=number * cells))])
    return DirectionTable(np.full(number, grid), cells * np.arange(number + 1), ends, vertex)


def _refined(table: DirectionTable, unit: NDArray[np.float32], grid: int) -> DirectionTable:
    """Subdivide the cells of tables to `grid` cells along a side. Only the known candidates are tested again."""
    number, old = len(unit), int(table.grid[0])
    parts = grid // old
    corners, step = _corners(grid), np.arange(parts + 1)
    polytope, half, row, column = np.unravel_index(np.arange(number * 2 * old * old), (number, 2, old, old))
    # The first fine cell in each of the coarse cells.
    origin = ((2 * polytope + half) * grid + row * parts) * grid + column * parts
    count = np.diff(table.start)
    order = np.argsort(count, kind="stable")
    found, begin = [], 0
    while begin < len(order):
        cost = np.arange(1, len(order) - begin + 1) * count[order[begin:]] * (parts + 1) ** 2
        cells = order[begin : begin + max(1, int(np.count_nonzero(cost <= _BLOCK)))]
        begin += len(cells)
        at = np.minimum(np.arange(count[cells].max()), count[cells, None] - 1)
        vertex = table.candidate[table.start[cells, None] + at]
        across = (row[cells] * parts)[:, None] + step, (column[cells] * parts)[:, None] + step
        towards = corners[half[cells, None, None], across[0][:, :, None], across[1][:, None]]
        heights = towards.reshape(len(cells), -1, 3) @ unit[polytope[cells, None], vertex].transpose(0, 2, 1)
        small, slot = _candidates(heights.reshape(len(cells), parts + 1, parts + 1, -1), count[cells])
        block, place = np.divmod(small, parts * parts)
        cell = origin[cells[block]] + place // parts * grid + place % parts
        found.append(np.stack([cell, vertex[block, slot]]))
    cell, chosen = np.concatenate(found, axis=1)
    chosen = chosen[np.lexsort((chosen, cell))]
    every = 2 * grid * grid
    ends = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=number * every))])
    return DirectionTable(np.full(number, grid), every * np.arange(number + 1), ends, chosen)


def _candidates(heights: NDArray[np.float32], count: Ints) -> tuple[Ints, Ints]:
    """Vertices that may be the support of some direction in each cell: cell and vertex, in ascending order.

    Parameters
    ----------
    heights : (B, N + 1, N + 1, W) float32
        Heights of W vertices along the directions of the corners of N x N cells.
    count : (B,) int64
        Number of vertices that are not padding.

    Returns
    -------
    cell : (K,) int64
        Numbered over all blocks.
    vertex : (K,) int64
    """
    across, width = heights.shape[1], heights.shape[3]
    grid = across - 1
    low, high = np.minimum(heights[:, 1:], heights[:, :-1]), np.maximum(heights[:, 1:], heights[:, :-1])
    low, high = np.minimum(low[..., 1:, :], low[..., :-1, :]), np.maximum(high[..., 1:, :], high[..., :-1, :])
    # A vertex whose greatest height is below the least height of another is never the support.
    possible = high >= low.max(axis=-1, keepdims=True) - np.float32(_BEATEN)
    possible &= np.arange(width) < count[:, None, None, None]
    cell, vertex = np.divmod(np.flatnonzero(possible), width)
    # Neither is a vertex that is lower than another at all four corners: the cell is the convex hull of its corners.
    block, place = np.divmod(cell, grid * grid)
    corner = block * across**2 + place // grid * across + place % grid
    corners = [corner + step for step in (0, 1, across, across + 1)]
    mine, every = [heights.take(where * width + vertex) for where in corners], heights.reshape(-1, width)
    top = every.argmax(axis=1)
    kept = np.ones(len(vertex), dtype=bool)
    for where in corners:
        rival = top.take(where)
        lead = mine[0] - heights.take(corners[0] * width + rival)
        for own, other in zip(mine[1:], corners[1:], strict=True):
            np.maximum(lead, own - heights.take(other * width + rival), out=lead)
        kept &= lead >= -_BEATEN
    return cell[kept], vertex[kept]


def _corners(grid: int) -> NDArray[np.float32]:
    """Directions at the corners of the cells, (2, N + 1, N + 1, 3): upper hemisphere, lower hemisphere."""
    line = np.linspace(-1.0, 1.0, grid + 1)
    p, q = np.meshgrid(line, line, indexing="ij")
    x, y = (p + q) / 2.0, (p - q) / 2.0
    z = 1.0 - np.abs(x) - np.abs(y)
    upper = np.stack([x, y, z], axis=-1).astype(np.float32)
    return np.stack([upper, upper * np.array([1.0, 1.0, -1.0], dtype=np.float32)])
