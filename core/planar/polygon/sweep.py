# SPDX-License-Identifier: GPL-3.0-or-later
"""A sweep over closed curves: where their sides touch, the winding numbers of all areas, and triangles that fill them.

A line sweeps the plane from left to right, and stops at each vertex (Shamos and Hoey, "Geometric intersection
problems", 1976). It keeps the sides that it crosses in order, from below to above. Two sides that become neighbors are
compared: if the end of the one that ends first is on the wrong side of the other, they cross. A side with a vertex in
its interior is split there, and sides that overlap become one.

Each area between two neighbors has a winding number for each ring. In the areas that are to be filled, the sweep keeps
the chain of vertices at the right end of the triangles so far. A vertex is joined to all vertices of the chain that it
sees (Hertel and Mehlhorn, "Fast triangulation of simple polygons", 1983). Each vertex takes a search in the order of
the sides, and each triangle a constant time.

Vertices are in lexicographic order, so vertical sides need no special treatment. Every decision is exact.
"""

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import NamedTuple

import numpy as np

from ...numerics.tolerances import ORIENTATION_ERROR, ORIENTATION_UNDERFLOW
from ...numerics.types import Floats, Ints
from .predicates import Lattice, of_unit_size, signed_turn, turn

Winding = tuple[tuple[int, int], ...]
"""Rings and how often each goes around a point, without zeros, in the order of the rings."""


class SidesCross(Exception):
    """Two sides cross.

    Attributes
    ----------
    sides : (int, int)
        Their names, the lower one first.
    """

    def __init__(self, first: int, second: int) -> None:
        self.sides = min(first, second), max(first, second)
        super().__init__(f"sides {self.sides[0]} and {self.sides[1]} cross")


class Side(NamedTuple):
    """A side of closed curves, or of several that overlap.

    Attributes
    ----------
    first, last : int
        Its ends, the lower one first.
    steps : Winding
        For each ring, how often it runs along the side from its first end to its last, minus how often it runs back.
    name : int
        The lowest name if several sides overlap.
    """

    first: int
    last: int
    steps: Winding
    name: int


class Swept(NamedTuple):
    """The findings of a sweep.

    Attributes
    ----------
    sides : list of Side
        They meet only in common ends.
    windings : list of Winding
        The winding numbers of all areas, without duplicates.
    triangles : (m, 3) int64
        The corners of the triangles that fill the areas, counterclockwise.
    """

    sides: list[Side]
    windings: list[Winding]
    triangles: Ints


def sweep(points: Floats, lattice: Lattice, sides: Iterable[Side], filled: Callable[[Winding], bool]) -> Swept:
    """Sweep over closed curves.

    Parameters
    ----------
    points : (n, 2) float64
        In lexicographic order, without duplicates.
    lattice : list of (int, int)
        The same points with integer coordinates.
    sides : iterable of Side
        They may touch and overlap.
    filled : callable
        Whether to fill the areas with these winding numbers with triangles.

    Raises
    ------
    SidesCross
        If two sides cross.
    """
    swept = _Sweep(points, lattice, sides, filled)
    for vertex in range(len(points)):
        swept.pass_vertex(vertex)
    found = list(map(Side, swept.first, swept.last, map(swept.windings.__getitem__, swept.steps), swept.name))
    bounding = [side for side in found if side.steps]
    if len(bounding) < len(found):
        # Nothing changes at the other vertices. They were only needed to find out whether sides cross.
        return sweep(points, lattice, bounding, filled)
    triangles = np.array(swept.triangles, dtype=np.int64).reshape(-1, 3)
    return Swept(found, [swept.windings[one] for one in swept.filled], triangles)


def _summed(one: Winding, other: Winding) -> Winding:
    total = dict(one)
    for ring, times in other:
        total[ring] = total.get(ring, 0) + times
    return tuple(sorted((ring, times) for ring, times in total.items() if times))


class _Sweep:
    """The state of a sweep. Sides, winding numbers and places in chains are numbers."""

    def __init__(
        self, points: Floats, lattice: Lattice, sides: Iterable[Side], filled: Callable[[Winding], bool]
    ) -> None:
        self.lattice = lattice
        self.x, self.y = of_unit_size(points).T.tolist()
        # Winding numbers, and their sums that were computed before.
        self.windings: list[Winding] = [()]
        self.number: dict[Winding, int] = {(): 0}
        self.sums: dict[tuple[int, int], int] = {}
        self.is_filled = filled
        self.filled: dict[int, bool] = {0: filled(())}
        # For each side: its first end, the difference to its last, and the rounding of turns from it; its ends, steps
        # and name; the winding number above it; and the chain in the area above it: its lowest and highest place, and
        # that of its rightmost vertex. -1: the area is not filled.
        self.line: list[tuple[float, float, float, float, float]] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.steps: list[int] = []
        self.name: list[int] = []
        self.above: list[int] = []
        self.chain: list[tuple[int, int, int]] = []
        self.starting: list[list[int]] = [[] for _ in lattice]
        for side in sides:
            self.starting[side.first].append(
                self._add_side(side.first, side.last, self._numbered(side.steps), side.name)
            )
        # The sides that the line crosses, from below to above.
        self.order: list[int] = []
        # Vertices in the interior of a side.
        self.touching: set[int] = set()
        # For each place in a chain: its vertex, and the places below and above.
        self.vertex: list[int] = []
        self.below: list[int] = []
        self.beyond: list[int] = []
        self.triangles: list[tuple[int, int, int]] = []

    def pass_vertex(self, vertex: int) -> None:
        """Move the line across a vertex."""
        order, starting = self.order, self.starting[vertex]
        low, high = self._ending(vertex, starting)
        if low == high and not starting:
            return
        if len(starting) > 1:
            starting = self._sorted(vertex, starting)
        below = order[low - 1] if low else -1
        ending = order[low:high]
        self._fill(vertex, below, ending, starting)
        order[low:high] = starting
        if low and low < len(order):
            self._compare(below, order[low])
        after = low + len(starting)
        if starting and after < len(order):
            self._compare(starting[-1], order[after])

    def _add_side(self, first: int, last: int, steps: int, name: int) -> int:
        side, x, y = len(self.first), self.x, self.y
        along_x, along_y = x[last] - x[first], y[last] - y[first]
        # Along an axis, no point is farther away than twice the largest coordinate, which is at most one.
        doubt = 2.0 * ORIENTATION_ERROR * (abs(along_x) + abs(along_y)) + ORIENTATION_UNDERFLOW
        self.line.append((x[first], y[first], along_x, along_y, doubt))
        self.first.append(first)
        self.last.append(last)
        self.steps.append(steps)
        self.name.append(name)
        self.above.append(0)
        self.chain.append(_NONE)
        return side

    def _ending(self, vertex: int, starting: list[int]) -> tuple[int, int]:
        """The range of sides, in their order, that contain the vertex. Afterwards, all of them end there."""
        order, line, last = self.order, self.line, self.last
        px, py = self.x[vertex], self.y[vertex]
        low, high = 0, len(order)
        found = False
        while low < high:
            middle = (low + high) >> 1
            side = order[middle]
            end = last[side]
            if end == vertex:
                found = True
                break
            bx, by, along_x, along_y, doubt = line[side]
            turned: float = along_x * (py - by) - along_y * (px - bx)
            if -doubt <= turned <= doubt:
                turned = turn(self.lattice, self.first[side], end, vertex)
            if turned > 0:
                low = middle + 1
            elif turned < 0:
                high = middle
            else:
                self.touching.add(vertex)
                found = True
                break
        if not found:
            return low, low
        low, high = middle, middle + 1
        touches = vertex in self.touching
        while low and self._on(vertex, order[low - 1], touches):
            low -= 1
        while high < len(order) and self._on(vertex, order[high], touches):
            high += 1
        if touches:
            self._split(vertex, order[low:high], starting)
        return low, high

    def _on(self, vertex: int, side: int, touches: bool) -> bool:
        """Whether a vertex is on a side; `touches` is whether it may be in the interior."""
        if self.last[side] == vertex:
            return True
        return touches and not turn(self.lattice, self.first[side], self.last[side], vertex)

    def _split(self, vertex: int, ending: list[int], starting: list[int]) -> None:
        """Split the sides that continue beyond a vertex: their remaining parts start there."""
        passing = [side for side in ending if self.last[side] != vertex]
        if len(passing) > 1:
            raise SidesCross(self.name[passing[0]], self.name[passing[1]])
        starting += [self._rest(side, vertex) for side in passing]

    def _rest(self, side: int, vertex: int) -> int:
        """End a side at a vertex, and return the other part."""
        last, self.last[side] = self.last[side], vertex
        return self._add_side(vertex, last, self.steps[side], self.name[side])

    def _sorted(self, vertex: int, starting: list[int]) -> list[int]:
        """The sides that start at a vertex, from below to above; sides that overlap are merged into one."""

        def compare(one: int, other: int) -> int:
            found = self._turned(vertex, self.last[one], self.last[other])
            return (found < 0) - (found > 0)

        if len(starting) == 2:
            found = compare(*starting)
            if found:
                return starting if found < 0 else starting[::-1]
        result: list[int] = []
        for side in sorted(starting, key=cmp_to_key(compare)):
            if result and not compare(result[-1], side):
                self._overlap(result[-1], side)
            else:
                result.append(side)
        return result

    def _overlap(self, kept: int, side: int) -> None:
        """Merge a side with another from the same vertex in the same direction; the rest of the longer starts later."""
        last = min(self.last[kept], self.last[side])
        for one in (kept, side):
            if self.last[one] > last:
                self.starting[last].append(self._rest(one, last))
        self.steps[kept] = self._sum(self.steps[kept], self.steps[side])
        self.name[kept] = min(self.name[kept], self.name[side])
        self.steps[side] = 0  # it has no part in anything any more

    def _compare(self, lower: int, upper: int) -> None:
        """Raise an error if two neighbors in the order cross; note where one ends on the other."""
        end, other = self.last[lower], self.last[upper]
        if end == other:
            return
        if end < other:
            side = -self._turned(self.first[upper], other, end)
        else:
            end, side = other, self._turned(self.first[lower], end, other)
        if side < 0:
            raise SidesCross(self.name[lower], self.name[upper])
        if not side:
            self.touching.add(end)

    def _turned(self, a: int, b: int, c: int) -> float:
        return signed_turn(self.x, self.y, self.lattice, a, b, c)

    def _numbered(self, winding: Winding) -> int:
        if winding not in self.number:
            self.number[winding] = len(self.windings)
            self.windings.append(winding)
        return self.number[winding]

    def _sum(self, one: int, other: int) -> int:
        key = (one, other)
        if key not in self.sums:
            self.sums[key] = self._numbered(_summed(self.windings[one], self.windings[other]))
        return self.sums[key]

    def _beyond(self, winding: int, side: int) -> int:
        """The winding number above a side, given the one below it."""
        found = self._sum(winding, self.steps[side])
        if found not in self.filled:
            self.filled[found] = self.is_filled(self.windings[found])
        return found

    def _fill(self, vertex: int, below: int, ending: list[int], starting: list[int]) -> None:
        """Fill the visible areas to the left of a vertex, and begin those to its right."""
        upper = _NONE
        if ending:
            for side in ending[:-1]:
                if self.chain[side] is not _NONE:
                    self._join_top(self.chain[side], vertex)
            upper = self.chain[ending[-1]]
            if upper is not _NONE:
                upper = self._join_bottom(upper, vertex)
            if below >= 0 and self.chain[below] is not _NONE:
                self.chain[below] = self._join_top(self.chain[below], vertex)
        elif below >= 0 and self.chain[below] is not _NONE:
            low, high, right = self.chain[below]
            # The rightmost vertex of a chain is visible from the whole area. It belongs to both parts.
            again = self._place(self.vertex[right], -1, self.beyond[right])
            if self.beyond[right] >= 0:
                self.below[self.beyond[right]] = again
                self.beyond[right] = -1
            upper = self._join_bottom((again, high if high != right else again, again), vertex)
            self.chain[below] = self._join_top((low, right, right), vertex)
        if not starting:
            if below >= 0 and upper is not _NONE:
                # Two areas are merged: the vertex is the end of one chain and the beginning of another.
                low, right, _ = self.chain[below]
                beyond = self.beyond[upper[0]]
                self.beyond[right] = beyond
                if beyond >= 0:
                    self.below[beyond] = right
                self.chain[below] = (low, upper[1] if beyond >= 0 else right, right)
            return
        winding = self.above[below] if below >= 0 else 0
        for side in starting[:-1]:
            self.above[side] = winding = self._beyond(winding, side)
            if self.filled[winding]:
                place = self._place(vertex, -1, -1)
                self.chain[side] = (place, place, place)
        last = starting[-1]
        self.above[last] = self._beyond(winding, last)
        self.chain[last] = upper

    def _place(self, vertex: int, below: int, beyond: int) -> int:
        """A new place in a chain."""
        self.vertex.append(vertex)
        self.below.append(below)
        self.beyond.append(beyond)
        return len(self.vertex) - 1

    def _join_top(self, chain: tuple[int, int, int], new: int) -> tuple[int, int, int]:
        """Connect a vertex to the visible vertices at the upper end of a chain, and insert it there."""
        low, top, _ = chain
        vertex, below, x, y = self.vertex, self.below, self.x, self.y
        while top != low:
            under = below[top]
            if signed_turn(x, y, self.lattice, vertex[under], new, vertex[top]) <= 0:
                break
            self.triangles.append((vertex[under], new, vertex[top]))
            top = under
        place = self._place(new, top, -1)
        self.beyond[top] = place
        return low, place, place

    def _join_bottom(self, chain: tuple[int, int, int], new: int) -> tuple[int, int, int]:
        """Connect a vertex to the visible vertices at the lower end of a chain, and insert it there."""
        bottom, high, _ = chain
        vertex, beyond, x, y = self.vertex, self.beyond, self.x, self.y
        while bottom != high:
            over = beyond[bottom]
            if signed_turn(x, y, self.lattice, vertex[bottom], new, vertex[over]) <= 0:
                break
            self.triangles.append((vertex[bottom], new, vertex[over]))
            bottom = over
        place = self._place(new, -1, bottom)
        self.below[bottom] = place
        return place, high, place


# No chain: the area is not filled.
_NONE = (-1, -1, -1)
