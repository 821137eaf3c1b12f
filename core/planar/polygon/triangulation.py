# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles with their neighbors, as arrays; Delaunay triangulation by flips, and the loops around groups of triangles.

Half-edge ``3 t + k`` of triangle t runs from its corner k to the next.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics.tolerances import IN_CIRCLE_ERROR, IN_CIRCLE_UNDERFLOW
from ...numerics.types import Bools, Floats, Ints
from .predicates import of_unit_size

# Up to this many edges are flipped one at a time, which is faster than flipping them together.
_FEW = 64

# The maximum number of edge tests for each vertex, for flips together and for flips one at a time. Most shapes need
# fewer than 10 and 2. For some, such as spirals and squares with many corners on their sides, the number of flips grows
# quadratically.
_TESTS_AT_ONCE, _TESTS_ONE_BY_ONE = 32, 4
_ALWAYS_TESTED = 10_000


@dataclass(frozen=True, eq=False)
class Triangulation:
    """Triangles, counterclockwise.

    Attributes
    ----------
    corner : (3 m,) int64
        The vertex at which each half-edge begins.
    twin : (3 m,) int64
        The half-edge in the other direction, in the neighbor; -1 where there is none.
    """

    corner: Ints
    twin: Ints

    @classmethod
    def of(cls, triangles: Ints) -> "Triangulation":
        """Triangles (m, 3) whose edges have at most one neighbor each."""
        begin, end = triangles.reshape(-1), np.roll(triangles, -1, axis=1).reshape(-1)
        count = int(triangles.max(initial=0)) + 1
        key, back = begin * count + end, end * count + begin
        order = np.argsort(key)
        place = np.searchsorted(key[order], back)
        found = order[np.minimum(place, len(order) - 1)] if len(order) else order
        return cls(begin.copy(), np.where(key[found] == back, found, -1))

    @property
    def end(self) -> Ints:
        """The vertex at which each half-edge ends."""
        return self.corner[after(np.arange(len(self.corner)))]

    def make_delaunay(self, points: Floats) -> None:
        """Flip edges between two triangles until all are Delaunay within rounding (Lawson 1977).

        All edges that are not Delaunay are flipped together, except those that share a triangle. If only a few are
        left, they are flipped one at a time. The number of tests is limited in proportion to the number of points;
        after that, the remaining edges are not flipped.
        """
        x, y = np.ascontiguousarray(of_unit_size(points).T)
        corner, twin = self.corner, self.twin
        owner, moved = np.full(len(corner) // 3, -1), np.arange(len(corner))
        shuffle = np.random.default_rng(len(corner))
        suspect = np.flatnonzero(twin > moved)
        left = _TESTS_AT_ONCE * len(points)
        while len(suspect) > _FEW and left > 0:
            left -= len(suspect)
            a, b, c = corner[suspect], corner[after(suspect)], corner[before(suspect)]
            wrong = suspect[_in_circle(x, y, a, b, c, corner[before(twin[suspect])])]
            # In a random order. If several edges share a triangle, the last one is flipped.
            wrong = shuffle.permutation(wrong)
            sides, number = np.stack([wrong, twin[wrong]], axis=1) // 3, np.arange(len(wrong))
            owner[sides.reshape(-1)] = np.repeat(number, 2)
            free = (owner[sides] == number[:, None]).all(axis=1)
            owner[sides] = -1
            first = wrong[free]
            second = twin[first]
            owner[sides[free]] = 0
            waiting = wrong[(owner[sides] < 0).all(axis=1)]
            owner[sides] = -1
            self._flip(first, second, moved)
            around = np.concatenate([first, second, before(first), before(second)])
            around = around[twin[around] >= 0]
            suspect = np.unique(np.concatenate([waiting, np.minimum(around, twin[around])]))
        self._flip_each(x.tolist(), y.tolist(), suspect.tolist())

    def _flip_each(self, x: list[float], y: list[float], suspect: list[int]) -> None:
        """Flip edges one at a time until these and those around them are Delaunay, or the limit of tests is reached."""
        corner, twin = self.corner.tolist(), self.twin.tolist()
        for _ in range(max(_TESTS_ONE_BY_ONE * len(x), _ALWAYS_TESTED)):
            if not suspect:
                break
            first = suspect.pop()
            second = twin[first]
            if second < 0:
                continue
            one, two = (first - 2 if first % 3 == 2 else first + 1), (second - 2 if second % 3 == 2 else second + 1)
            last, end = (first + 2 if first % 3 == 0 else first - 1), (second + 2 if second % 3 == 0 else second - 1)
            if not _in_circle(x, y, corner[first], corner[one], corner[last], corner[end]):
                continue
            corner[one], corner[two] = corner[end], corner[last]
            for place, beyond in ((second, twin[one]), (first, twin[two])):
                twin[place] = beyond
                if beyond >= 0:
                    twin[beyond] = place
            twin[one], twin[two] = two, one
            suspect += (first, second, last, end)
        self.corner[:], self.twin[:] = corner, twin

    def _flip(self, first: Ints, second: Ints, moved: Ints) -> None:
        """Replace edges, given by both half-edges, by the other diagonals of their quadrilaterals.

        No two of these edges share a triangle. `moved` maps each half-edge to itself; it is changed temporarily and
        restored.
        """
        corner, twin = self.corner, self.twin
        one, other = after(first), after(second)
        beyond_one, beyond_other = twin[one], twin[other]
        apex, opposite = corner[before(first)], corner[before(second)]
        corner[one], corner[other] = opposite, apex
        moved[one], moved[other] = second, first
        for place, beyond in ((second, beyond_one), (first, beyond_other)):
            inner = beyond >= 0
            there = moved[beyond[inner]]
            twin[place] = beyond
            twin[place[inner]] = there
            twin[there] = place[inner]
        twin[one], twin[other] = other, one
        moved[one], moved[other] = one, other

    def loops(self, kept: Bools) -> list[list[int]]:
        """The closed loops of the kept half-edges: all without a neighbor, and others together with their twins.

        The areas are to the left of the loops.
        """
        following = after(np.arange(len(self.corner)))
        left = np.flatnonzero(kept & ~kept[following])
        while len(left):
            # Rotate about the vertex to the next half-edge that is kept.
            following[left] = after(self.twin[following[left]])
            left = left[~kept[following[left]]]
        next_of, seen, loops = following.tolist(), (~kept).tolist(), []
        for first in np.flatnonzero(kept).tolist():
            loop, edge = [], first
            while not seen[edge]:
                seen[edge] = True
                loop.append(edge)
                edge = next_of[edge]
            if loop:
                loops.append(loop)
        return loops


def after(edge: Ints) -> Ints:
    """The next half-edge of the same triangle."""
    return edge + np.where(edge % 3 == 2, -2, 1)


def before(edge: Ints) -> Ints:
    """The previous half-edge of the same triangle."""
    return edge + np.where(edge % 3 == 0, 2, -1)


def _in_circle(x: Any, y: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Whether points d are certainly inside the circles through three others, counterclockwise; indices or arrays."""
    dx, dy = x[d], y[d]
    ax, ay, bx, by, cx, cy = x[a] - dx, y[a] - dy, x[b] - dx, y[b] - dy, x[c] - dx, y[c] - dy
    bc, cb, ca, ac, ab, ba = bx * cy, cx * by, cx * ay, ax * cy, ax * by, bx * ay
    aa, bb, cc = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    found = aa * (bc - cb) + bb * (ca - ac) + cc * (ab - ba)
    size = aa * (abs(bc) + abs(cb)) + bb * (abs(ca) + abs(ac)) + cc * (abs(ab) + abs(ba))
    return found > IN_CIRCLE_ERROR * size + IN_CIRCLE_UNDERFLOW
